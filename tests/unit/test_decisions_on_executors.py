"""The edges of the workers that decide: rows of Arrow in and out, as Spark ships the functions."""

from collections.abc import Callable
from typing import Any, TypeVar

import pyarrow as pa
from pyspark import cloudpickle

from discovery.judging.paths import Reach
from jobs.assessing.workers.cells import CELLS, cells
from jobs.reporting.lines import KEPT
from jobs.reporting.workers import STANDINGS, decided, stands

TEXT = pa.string()
Run = TypeVar("Run", bound=Callable[..., Any])
ANSWERS = ("engine", "dialect", "grade", "verdict", "message", "version")


def shipped(function: Run) -> Run:
    """The function as an executor gets it."""
    arrived: Run = cloudpickle.loads(cloudpickle.dumps(function))  # type: ignore[no-untyped-call] # it has no types
    return arrived


def structs(*names: str) -> pa.DataType:
    return pa.list_(pa.struct([(name, TEXT) for name in names]))


KNOWN = pa.struct(
    [
        ("source", TEXT),
        ("format", TEXT),
        ("dialects", pa.list_(TEXT)),
        ("answers", structs(*ANSWERS)),
        ("errors", structs("engine", "code")),
        ("below", structs("engine", "blocked", "unproven")),
    ]
)


def answer(engine: str, verdict: str, message: str | None = None) -> dict[str, str | None]:
    values = (engine, "spark", "PARSE", verdict, message, "1")
    return dict(zip(ANSWERS, values, strict=True))


def test_each_view_has_a_cell_for_each_engine_after_the_function_was_shipped() -> None:
    reach = Reach(("spark", "hive", "trino"), {"trino": {"hive_views": "true"}}, {"lake": "hms"})
    run = shipped(cells(reach))
    said = [answer("spark", "accepted"), answer("hive", "rejected", "missing EOF at 't'")]
    view = {"source": "lake", "format": "spark", "dialects": ["spark"], "answers": said}
    above = {**view, "below": [{"engine": "spark", "blocked": "lake/db.v", "unproven": None}]}
    faulty = {**view, "errors": [{"engine": "trino", "code": "SPARK_UNQUALIFIED"}]}
    found = run(pa.array([view, above, faulty], KNOWN))
    assert found.type == CELLS
    told = [
        [(one["engine"], one["status"], one["reason"], one["grade"]) for one in some]
        for some in found.to_pylist()
    ]
    hive = ("hive", "rejected", "SYNTAX_AT_TOKEN", "PARSE")
    coral = "with hive.hive-views.enabled: translated by Coral, over what is not all known"
    assert told == [
        [("spark", "native", None, "PARSE"), hive, ("trino", "not judged", coral, None)],
        [("spark", "blocked", "lake/db.v", None), hive, ("trino", "not judged", coral, None)],
        [
            ("spark", "native", None, "PARSE"),
            hive,
            ("trino", "rejected", "SPARK_UNQUALIFIED", None),
        ],
    ]


def test_without_engines_or_views_there_are_no_cells() -> None:
    view = {"source": "lake", "format": "spark", "dialects": ["spark"]}
    assert cells(Reach(()))(pa.array([view, view], KNOWN)).to_pylist() == [[], []]
    assert cells(Reach(("spark",)))(pa.array([], KNOWN)).to_pylist() == []


def test_the_standings_of_views_are_counted_batch_by_batch() -> None:
    plain = {
        **dict.fromkeys(KEPT),
        **dict.fromkeys(("aside", "unplanned", "differences", "findings")),
        "outcome": "view",
        "dialects": ["spark"],
        "engines": [{"engine": "spark", "status": "native", "reason": None}],
    }
    odd = {"findings": [{"code": "X", "severity": "warning", "engine": None}]}
    unread = {**plain, "outcome": "failure", "code": "INVALID_ENTRY", "engines": None}
    views = [plain, {**plain, **odd}, {**plain, "differences": ["comment"]}, unread]
    (found,) = shipped(stands)([pa.RecordBatch.from_pylist(views)])
    assert found.schema == STANDINGS
    told = {one["standing"]: one["number"] for one in found.to_pylist()}
    assert told == {"ready": 1, "needs review": 2, "blocked": 1}
    reasons = [decided(row)["reason"] for row in views]
    assert reasons == [None, "X", "READ_BACK_DIFFERS", "INVALID_ENTRY"]
