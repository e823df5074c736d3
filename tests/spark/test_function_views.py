"""Views that call functions which Spark and Trino keep in a metastore, as these engines read them.

The answers are those of tests/golden/function_views.json, with versions and date;
`python -m tests.live.record_function_views` asks anew.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import pytest
from pyspark.sql import SparkSession

from discovery.judging.matrix import Reading
from discovery.model import FLINK, HIVE, SPARK, TRINO
from discovery.ports import ANALYZE
from jobs.assess import assess_run
from jobs.crawl import crawl_estate
from jobs.embedded.metastore import embedded_metastore
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests import function_views
from tests.conftest import estate_in

pytestmark = pytest.mark.timeout(900)  # four engines' judges start
FOUND: Final = function_views.corpus()
ANSWERS: Final[Mapping[str, Mapping[str, str]]] = FOUND["answers"]
ENGINES: Final[Mapping[str, Any]] = {
    SPARK: {},
    HIVE: {},
    FLINK: {"version": "1.20", "analyze": True},
    TRINO: {},
}
CATALOGS: Final = {FLINK: {"hc": "lake"}, TRINO: {"hive": "lake"}, SPARK: {"spark_catalog": "lake"}}


class Told(NamedTuple):
    """What a run says: rows of tables, by engine and name of a view where that is one."""

    cells: Mapping[tuple[str, str], Mapping[str, Any]]
    verdicts: Mapping[tuple[str, str], Mapping[str, Any]]
    drifted: frozenset[tuple[str, str]]


@pytest.fixture(scope="module")
def told(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Told:
    folder = tmp_path_factory.mktemp("functions")
    with embedded_metastore(folder / "hms") as metastore:
        function_views.fill(metastore, FOUND)
        sources = {"lake": {"kind": "hms", "uri": metastore.uri}}
        config = estate_in(folder)(sources, engines=ENGINES, catalogs=CATALOGS)
        run_id = crawl_estate(spark, config).run_id
        assess_run(spark, config, run_id)
    warehouse = Warehouse(config.warehouse)
    rows = {
        name: warehouse.table(TABLES[name], run_id) for name in ("matrix", "verdicts", "findings")
    }
    drifted = (finding for finding in rows["findings"] if finding["code"] == "COLUMNS_DRIFT")
    return Told(
        {(one["engine"], one["name"]): one for one in rows["matrix"]},
        {
            (verdict["engine"], verdict["name"]): verdict
            for verdict in rows["verdicts"]
            if verdict["grade"] == ANALYZE
        },
        frozenset((one["engine"], one["name"]) for one in drifted),
    )


LEFT: Final = {
    "sp_of_java": "fun`.`of_java",  # a class: nobody tells its types
    "sp_of_java_and_nothing": "fun`.`of_java",
    "sp_lenient": "fun`.`lenient",  # made without ANSI mode
    "sp_lenient_of_date": "fun`.`lenient",
    "sp_rows": "fun`.`rows",  # it returns a table
    "sp_lateral_rows": "fun`.`rows",
    "tr_named": "mismatched input '=>'",  # for the parser
    "tr_no_catalog": "nocatalog.fun.twice",  # which nobody knows
}
"""Views of Spark and Trino that their analyzers do not judge, and what they say of them."""


def own(engine: str) -> list[str]:
    """The views that an engine has made itself."""
    prefix = {SPARK: "sp_", TRINO: "tr_"}[engine]
    names = (key.partition(".")[2] for key in ANSWERS[engine])
    return [name for name in names if name.startswith(prefix)]


@pytest.mark.parametrize(("engine", "accepted", "rejected"), [(SPARK, 38, 25), (TRINO, 31, 31)])
def test_views_that_call_functions_are_judged_as_the_engine_answers(
    told: Told, engine: str, accepted: int, rejected: int
) -> None:
    cells = {name: told.cells[engine, name] for name in own(engine)}
    judged = {name: cell for name, cell in cells.items() if cell["grade"] == ANALYZE}
    assert cells.keys() - judged.keys() == LEFT.keys() & cells.keys()
    read = {name for name, cell in judged.items() if cell["status"] == Reading.NATIVE}
    assert read == {name for name in judged if not ANSWERS[engine][f"made.{name}"]}
    assert (len(read), len(judged) - len(read)) == (accepted, rejected)


def test_what_is_not_known_of_a_function_leaves_the_view_to_the_parser_and_names_it(
    told: Told,
) -> None:
    for name, word in LEFT.items():
        verdict = told.verdicts[SPARK if name.startswith("sp_") else TRINO, name]
        assert verdict["verdict"] == "not judged"
        assert word in verdict["message"]


@pytest.mark.parametrize("engine", [HIVE, FLINK])
def test_engines_that_find_no_function_of_others_refuse_the_views(told: Told, engine: str) -> None:
    cells = {name: told.cells[engine, name] for name in own(SPARK)}
    judged = {name: cell for name, cell in cells.items() if cell["grade"] == ANALYZE}
    assert len(judged) > 60
    for name, cell in judged.items():
        assert (cell["status"] == Reading.PORTABLE) == (ANSWERS[engine][f"made.{name}"] == "")


def test_columns_drift_where_the_function_returns_another_type_now(told: Told) -> None:
    """The last returns a column of another name."""
    assert {name for engine, name in told.drifted if engine in {SPARK, TRINO}} == {
        *("sp_wider", "sp_narrower", "tr_wider", "tr_narrower", "sp_unnamed"),
    }
