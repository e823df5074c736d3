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
TOO_NEW = {
    ("flink", "1.20"): (
        "SELECT a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
    ),
}
"""What the default accepts, and the version does not."""
NO_LONGER: dict[tuple[str, str], tuple[str, ...]] = {("flink", "1.20"): ()}
"""The other way round."""


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


def key(judge: SqlJudge) -> tuple[str, str]:
    return judge.engine, ".".join(judge.version.split(".")[:2])


def test_a_text_of_one_version_alone_is_accepted_by_that_alone(
    judges: tuple[SqlJudge, SqlJudge],
) -> None:
    old, default = judges
    texts = [*TOO_NEW[key(old)], *NO_LONGER[key(old)]]
    assert texts
    statements = [Statement(sql) for sql in texts]
    expected = [sql in NO_LONGER[key(old)] for sql in texts]
    assert [one.accepted for one in old.judge(statements)] == expected
    assert [one.accepted for one in default.judge(statements)] == [not one for one in expected]


def test_what_both_accept_reads_the_same(judges: tuple[SqlJudge, SqlJudge]) -> None:
    old, default = judges
    own = [one["sql"] for one in REFERENCES if one["engine"] == old.engine]
    statements = [
        Statement(sql, reads=True) for sql in [*own, *(v["sql"] for v in CORPUS["views"])]
    ]
    pairs = list(zip(old.judge(statements), default.judge(statements), strict=True))
    assert all(one.accepted is not None for one, _ in pairs)
    both = [(one, other) for one, other in pairs if one.accepted and other.accepted]
    assert len(both) > len(own) // 2
    for one, other in both:
        assert set(one.tables) == set(other.tables)
        assert set(one.functions) == set(other.functions)


def test_hostile_statements_harm_no_other(judges: tuple[SqlJudge, SqlJudge]) -> None:
    old, _ = judges
    statements = [Statement(sql, reads=True) for sql in [*HOSTILE.values(), "SELECT 1"]]
    verdicts = list(old.judge(statements))
    assert len(verdicts) == len(statements)
    assert verdicts[-1].accepted is True
