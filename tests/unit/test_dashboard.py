"""The dashboard for Grafana and the metrics that a report writes are about each other."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from prometheus_client.parser import text_string_to_metric_families

from reports import to_prometheus
from tests.made_up import HEAD

DASHBOARD: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "docs" / "monitoring" / "grafana.json").read_text("utf-8")
)
PANELS: Final[list[dict[str, Any]]] = DASHBOARD["panels"]
QUERIES: Final = [target["expr"] for panel in PANELS for target in panel["targets"]]
_OURS: Final = {
    metric.name: {label for sample in metric.samples for label in sample.labels}
    for metric in text_string_to_metric_families(to_prometheus.begin(HEAD))
}
_SCRAPED: Final = {"instance"}  # a label that Prometheus gives each metric


def test_every_metric_is_on_the_dashboard_and_every_one_there_is_written() -> None:
    shown = set(re.findall(r"\bbelvedere_\w+", " ".join(QUERIES)))
    assert shown == _OURS.keys()


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_names_labels_that_its_metrics_have(query: str) -> None:
    known = _SCRAPED.union(*(_OURS[name] for name in re.findall(r"\bbelvedere_\w+", query)))
    selected = re.findall(r"(\w+)=~?\"", query)
    grouped = [one.split(", ") for one in re.findall(r" by \(([\w, ]+)\)", query)]
    assert selected
    assert {*selected, *(one for some in grouped for one in some)} <= known
    assert query.count("(") == query.count(")")


def test_legends_name_what_is_grouped_by() -> None:
    for panel in PANELS:
        for target in panel["targets"]:
            grouped = re.findall(r" by \(([\w, ]+)\)", target["expr"])
            told = set(re.findall(r"{{(\w+)}}", target["legendFormat"]))
            assert not told or told == set(grouped[0].split(", "))


def test_panels_have_a_place_of_their_own_and_the_chosen_data_source() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in PANELS:
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not taken & cells, panel["title"]
        assert at["x"] + at["w"] <= 24, "Grafana's grid has 24 columns"
        taken |= cells
        assert panel["datasource"]["uid"] == "${datasource}"
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    assert {one["name"] for one in DASHBOARD["templating"]["list"]} == {"datasource", "instance"}
