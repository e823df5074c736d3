"""What people are told of who reads a target: nobody is named as met who was not."""

from pathlib import Path

import pytest

from connectors import registry
from discovery.migration.providers import PROVIDERS
from discovery.migration.readers import READERS, describe_readers
from discovery.migration.routes import ROUTES
from jobs.configuration import identity, loader
from reports.head import TargetPlan
from reports.headline import _destination
from reports.plan_summary import render

NOBODY = "read by nobody: no Gravitino server shows such rows"


def test_every_store_says_who_reads_it() -> None:
    assert READERS.keys() == registry.STORES.keys()
    assert all(describe_readers(store).startswith("read by ") for store in READERS)
    assert describe_readers("gravitino-store") == NOBODY
    assert describe_readers("") == "", "nothing is written"


@pytest.mark.parametrize(
    ("store", "provider", "told"),
    [
        ("gravitino-rest", "hive", "read by Gravitino's catalogs of hive (met: 1.3.0)"),
        (
            "gravitino-rest",
            "lakehouse-iceberg",
            "read by Gravitino's catalogs of lakehouse-iceberg (met: 1.3.0)",
        ),
        (
            "hms",
            "hive",
            f"{describe_readers('hms')} and Gravitino's catalogs of hive (met: 1.3.0)",
        ),
        ("gravitino-store", "lakehouse-generic", NOBODY),
    ],
)
def test_who_has_read_is_told_apart_from_who_should(store: str, provider: str, told: str) -> None:
    assert describe_readers(store, provider, served=store != "gravitino-store") == told


def test_a_server_that_does_not_show_it_is_no_reader() -> None:
    assert describe_readers("gravitino-rest", "hive", served=False) == NOBODY
    assert "Gravitino" not in describe_readers("iceberg-rest", "lakehouse-iceberg", served=False)


def test_a_route_with_a_reader_goes_before_rows() -> None:
    for name, routes in ROUTES.items():
        rows = [number for number, route in enumerate(routes) if route.store == "gravitino-store"]
        assert rows in ([], [len(routes) - 1]), name
        assert all(route.since for route in routes[:-1]), name
    assert ROUTES.keys() == PROVIDERS.keys()


@pytest.mark.parametrize("provider", ["", ", provider: hive", ", provider: lakehouse-generic"])
def test_rows_alone_are_read_by_nobody_whatever_a_target_says_or_leaves_out(
    tmp_path: Path, provider: str
) -> None:
    path = tmp_path / "estate.yaml"
    path.write_text(
        "warehouse: w\nsources: {a: {kind: archive, path: a}}\ntargets: {t: {kind: gravitino-store"
        f", url: 'postgresql://h/d', metalake: m, catalog: c{provider}}}}}\n",
        encoding="utf-8",
    )
    config = loader.load(path)
    terms = config.terms["t"]
    assert (terms.route.served, terms.accept_unserved, terms.route.reader) == (False, False, NOBODY)
    assert identity.of_target(config, "t") == identity.of_target(loader.load(path), "t")


def test_heads_of_reports_and_plans_say_it() -> None:
    reader = describe_readers("paimon")
    target = TargetPlan(
        "t", "paimon", "as configured", served=True, actions={"create": 2}, reader=reader
    )
    assert _destination(target) == f"t: 2 views to write, by paimon; {reader}"
    before = TargetPlan("t", "gravitino-store", "", served=False, actions={})
    assert _destination(before).endswith("stored as rows that no Gravitino serves"), "an older plan"
    head = {"plan": "p", "crawl": "c", "targets": {"t": _planned(reader)}}
    assert f"as configured. R{reader[1:]}." in render(head, 0, ()).replace("\\", "")


def _planned(reader: str) -> dict[str, object]:
    said = {"store": "paimon", "route": "as configured", "served": True, "reader": reader}
    return {**said, "namespaces": [], "counts": {"create": 2}}
