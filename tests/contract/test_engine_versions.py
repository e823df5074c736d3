"""Parsers of the versions that an estate runs: each as itself, with the same walk through trees."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from connectors import registry
from discovery.ports import SqlJudge, Statement
from jobs.assessing.jars import provide
from tests.statements import CORPUS, HOSTILE, REFERENCES

VERSIONS = [
    (engine, version) for engine in registry.JUDGES for version in registry.versions(engine)[1:]
]
RECURSIVE = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r"
QUALIFY = "SELECT a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1"
DIFFER = {
    ("flink", "1.20"): {QUALIFY: False, RECURSIVE: False},
    ("hive", "3.1"): {
        "SELECT CAST(a AS timestamp with local time zone) FROM t": True,
        "SELECT a FROM t WHERE a IS DISTINCT FROM b": True,
        "SELECT time FROM t": False,
    },
    ("hive", "4.0"): {
        QUALIFY: True,
        "SELECT trim(both ' ' from a) FROM t": True,
        "SELECT a AS qualify FROM t": False,
    },
    ("spark", "3.5"): {
        RECURSIVE: False,
        "SELECT a FROM t |> WHERE a > 1": False,
        "SELECT a COLLATE UTF8_LCASE FROM t": False,
        "SELECT a FROM t WHERE a ! IN (1)": True,
    },
}
"""Texts of which the default says the opposite, and whether the version accepts them."""


@pytest.fixture(scope="module", params=VERSIONS, ids="-".join)
def judges(
    request: pytest.FixtureRequest, spark: SparkSession
) -> Iterator[tuple[SqlJudge, SqlJudge]]:
    engine, version = request.param
    (old,) = provide(spark, [engine], None, versions={engine: version})
    (default,) = provide(spark, [engine], None)
    assert not old.missing, old.missing
    with old.judge() as made, default.judge() as beside:
        assert made.version.startswith(f"{version}.")
        yield made, beside


def test_each_version_accepts_what_it_knows(judges: tuple[SqlJudge, SqlJudge]) -> None:
    old, default = judges
    differ = DIFFER[old.engine, ".".join(old.version.split(".")[:2])]
    statements = [Statement(sql) for sql in differ]
    assert [verdict.accepted for verdict in old.judge(statements)] == [*differ.values()]
    assert [verdict.accepted for verdict in default.judge(statements)] == [
        not one for one in differ.values()
    ]


def test_what_both_accept_reads_the_same(judges: tuple[SqlJudge, SqlJudge]) -> None:
    old, default = judges
    own = [reference["sql"] for reference in REFERENCES if reference["engine"] == old.engine]
    statements = [
        Statement(sql, reads=True) for sql in [*own, *(v["sql"] for v in CORPUS["views"])]
    ]
    pairs = list(zip(old.judge(statements), default.judge(statements), strict=True))
    assert all(one.accepted is not None for one, _ in pairs)
    both = [(one, other) for one, other in pairs if one.accepted and other.accepted]
    assert len(both) > len(own) // 2
    for verdict, other in both:
        assert set(verdict.tables) == set(other.tables)
        assert set(verdict.functions) == set(other.functions)


@pytest.mark.deep
def test_hostile_statements_harm_no_other(judges: tuple[SqlJudge, SqlJudge]) -> None:
    old, _ = judges
    statements = [Statement(sql, reads=True) for sql in [*HOSTILE.values(), "SELECT 1"]]
    verdicts = list(old.judge(statements))
    assert len(verdicts) == len(statements)
    assert verdicts[-1].accepted is True
