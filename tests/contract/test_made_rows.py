"""Drafts by sqlglot that Spark's analyzer accepts, and what they return beside the texts."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from connectors.judges.bounded import Bounded
from connectors.judges.spark_analyzer import SparkAnalyzer
from connectors.judges.spark_rows import SparkRows
from discovery.judging.analysis import Functions, returned, weighed
from discovery.judging.drafting import Decided, Proposal, decide, entry_for
from discovery.judging.entries import KnownBase, StoredText
from discovery.judging.made_rows import Literals, made_tables
from discovery.lineage.translation import translated
from discovery.model import Column, Identifier, Primitive, Representation, View
from discovery.ports import ANALYZE, Name, Statement, Verdict
from jobs.assessing.workers.running import Runners

pytestmark = pytest.mark.slow
KINDS = {
    "id": "long",
    "a": "integer",
    "s": "string",
    "v": "varchar(10)",
    "c": "char(4)",
    "n": "decimal(10,2)",
    "x": "double",
    "d": "date",
    "ts": "timestamp",
    "at": "timestamp_tz",
    "ok": "boolean",
    "w": "short",
    "t0": "timestamp(0)",
}
COLUMNS = tuple(Column(name, Primitive(kind)) for name, kind in KINDS.items())


class Bench(NamedTuple):
    """All that judges a draft for Spark."""

    sqlglot: Bounded
    analyzer: SparkAnalyzer
    runners: Runners

    def decided(
        self, sql: str, kind: str, dialect: str = "postgresql", *, typed: bool = True
    ) -> Decided:
        """What becomes of the draft of a text with one column, `r`."""
        text = Representation(dialect=dialect, sql=sql)
        columns = (Column("r", Primitive(kind)),)
        view = View(identifier=Identifier(("p",), "v"), columns=columns, representations=(text,))
        stored = StoredText(view=view, text=text, form=dialect, source="shop")
        tables = ("t", "u") if " u" in sql else ("t",)
        bases = [
            KnownBase(("p", table), None, "shop", Identifier(("p",), table), COLUMNS)
            for table in tables
        ]
        names: dict[Name, Name] = {base.written: ("shop", *base.written) for base in bases}
        known = {base.written: COLUMNS for base in bases if typed}
        made = translated(sql, dialect, "spark", names, known)
        assert made.sql, made.why
        draft = Representation(dialect="spark", sql=made.sql)
        entry = entry_for("spark", stored, bases, names)
        assert entry is not None
        (verdict,) = self.analyzer.judge([Statement(made.sql, entry=entry)])
        verdict = replace(weighed(verdict, entry, Functions(), True), grade=ANALYZE)
        proposal = Proposal(dialect="spark", translator="sqlglot", text=draft)
        found = returned(verdict, entry, "spark")
        alone = decide(proposal, verdict, found, None)
        assert alone.grade == ANALYZE, f"the analyzer alone would show it: {alone.message}"
        reads = [(base, names[base.written]) for base in bases]
        return decide(proposal, verdict, found, self.runners.compare(stored, draft, reads))


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with ExitStack() as stack:
        sqlglot = stack.enter_context(Bounded())
        analyzer = stack.enter_context(SparkAnalyzer())
        yield Bench(sqlglot, analyzer, Runners(stack, sqlglot))


@pytest.mark.parametrize(
    ("sql", "kind", "why"),
    [
        ("SELECT id AS r FROM p.t WHERE a / 2 = 1", "long", "the text's alone"),
        ("SELECT n::int AS r FROM p.t", "integer", "the draft's alone"),
        ("SELECT round(x) AS r FROM p.t", "double", "the draft's alone"),
        ("SELECT x::text AS r FROM p.t", "string", "'0.0'"),
        ("SELECT id AS r FROM p.t WHERE s ~ '(?n)^a'", "long", "the draft fails where the text"),
    ],
)
def test_what_the_analyzer_accepts_and_means_something_else_is_killed(
    bench: Bench, sql: str, kind: str, why: str
) -> None:
    decided = bench.decided(sql, kind, typed=False)
    assert decided.refused is not None, decided
    assert decided.refused.code == "DRAFT_ROWS_DIFFER"
    assert why in decided.message


@pytest.mark.parametrize(
    ("sql", "kind", "dialect"),
    [
        ("SELECT max(s) AS r FROM p.t ORDER BY r DESC LIMIT 1", "string", "postgresql"),
        ("SELECT s AS r FROM p.t ORDER BY s DESC LIMIT 1", "string", "postgresql"),
        (
            "SELECT id AS r FROM p.t WHERE s LIKE 'a\\_b' OR s LIKE 'x!%' ESCAPE '!'",
            "long",
            "postgresql",
        ),
        ("SELECT id AS r FROM p.t WHERE v ILIKE 'A%' AND n >= 1.5", "long", "postgresql"),
        ("SELECT concat(s, v) AS r FROM p.t;", "string", "postgresql"),
        ("SELECT at AS r FROM p.t WHERE ts::date = '2024-05-05'", "timestamp_tz", "postgresql"),
        ("SELECT c AS r FROM p.t WHERE ok", "char(4)", "postgresql"),
        ("SELECT t.id AS r FROM p.t JOIN p.u ON t.a = u.a WHERE u.s IS NULL", "long", "postgresql"),
        ("SELECT id AS r FROM p.t WHERE 10 % a = 0", "long", "postgresql"),
        ("SELECT id AS r FROM p.t WHERE n < 10.5::numeric", "long", "postgresql"),
        ("SELECT id AS r FROM p.t WHERE n = ANY (ARRAY[1.5, 2.5])", "long", "postgresql"),
        ("SELECT id AS r FROM p.t WHERE a <> ALL (ARRAY[1, 2])", "long", "postgresql"),
        ("SELECT s AS r FROM p.t WHERE s ~~ ANY (ARRAY['a%', '%b'])", "string", "postgresql"),
        ("SELECT ts - '1 day -00:30:00'::interval AS r FROM p.t", "timestamp", "postgresql"),
        ("SELECT at + '01:30:00'::interval AS r FROM p.t", "timestamp_tz", "postgresql"),
        ("SELECT EXTRACT(epoch FROM (t0 - ts)) AS r FROM p.t", "decimal(38,18)", "postgresql"),
        ("SELECT ts::date - d::date AS r FROM p.t", "integer", "postgresql"),
        ("SELECT d::timestamp AS r FROM p.t", "timestamp", "postgresql"),
        ("SELECT c AS r FROM p.t WHERE c = 'ab'::bpchar", "char(4)", "postgresql"),
        ("SELECT t0 AS r FROM p.t", "timestamp(0)", "postgresql"),
        ("SELECT id AS r FROM p.t WHERE w <> 40000", "long", "postgresql"),
        ("SELECT id AS r FROM p.t WHERE a / 2 = 1", "long", "postgresql"),
        ("SELECT n::int AS r FROM p.t", "integer", "postgresql"),
        ("SELECT x::int AS r FROM p.t WHERE abs(x) < 1000", "integer", "postgresql"),
        ("SELECT round(x) AS r FROM p.t", "double", "postgresql"),
        ("SELECT log(x + 100) AS r FROM p.t", "double", "postgresql"),
        ("SELECT extract(dow FROM d)::int AS r FROM p.t", "integer", "postgresql"),
        ("SELECT extract(isodow FROM ts)::int AS r FROM p.t", "integer", "postgresql"),
        ("SELECT regexp_replace(s, 'A', 'z', 'gi') AS r FROM p.t", "string", "postgresql"),
        ("SELECT d - date '2024-01-01' AS r FROM p.t", "integer", "postgresql"),
        ("SELECT d + interval '1 month' AS r FROM p.t", "timestamp", "postgresql"),
        ("SELECT v::varchar(2)::text AS r FROM p.t", "string", "postgresql"),
        ("SELECT greatest(a, w) AS r FROM p.t", "integer", "postgresql"),
        ("SELECT t.a + 1 AS r FROM p.t", "integer", "hive"),
        ("SELECT count(*) AS r FROM p.t WHERE s RLIKE 'a.*b'", "long", "hive"),
        ("SELECT CAST(s AS DOUBLE) AS r FROM p.t", "double", "hive"),
        ("SELECT size(split(s, 'a')) AS r FROM p.t", "integer", "hive"),
        ("SELECT split(s, 'a')[1] AS r FROM p.t", "string", "hive"),
        ("SELECT if(a > 1, s, v) AS r FROM p.t", "string", "spark"),
    ],
)
def test_what_means_the_same_has_the_grade_results(
    bench: Bench, sql: str, kind: str, dialect: str
) -> None:
    decided = bench.decided(sql, kind, dialect)
    assert (decided.grade, decided.refused) == ("RESULTS", None), decided.message


@pytest.mark.parametrize(
    ("sql", "kind", "dialect", "why"),
    [
        ("SELECT id AS r FROM p.t", "long", "trino", "Trino does not run here"),
        ("SELECT id AS r FROM p.t LIMIT 2", "long", "postgresql", "gives other rows of the same"),
        ("SELECT id AS r FROM p.t WHERE s = v || 'q'", "long", "postgresql", "gets through"),
        ("SELECT s AS r FROM p.t WHERE s::int = 1 / (a - a)", "string", "postgresql", "fails over"),
    ],
)
def test_where_results_cannot_be_had_the_draft_says_why(
    bench: Bench, sql: str, kind: str, dialect: str, why: str
) -> None:
    decided = bench.decided(sql, kind, dialect)
    assert decided.grade == "ANALYZE"
    assert decided.message.startswith("RESULTS was not obtained: ")
    assert why in decided.message


def test_a_strangers_text_reaches_nothing_but_the_rows(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    script = f"TRANSFORM(s) USING 'touch {ran}; cat' AS (b STRING)"
    made = made_tables([("made_0", COLUMNS)], Literals((), ("it's \\ `odd`",)), tame=False)
    with SparkRows() as rows:
        asked = {
            "SELECT count(*) FROM made_0": True,
            "DROP VIEW made_0": False,
            "SELECT reflect('java.lang.System', 'exit', 1)": False,
            "SELECT java_method('java.lang.System', 'exit', 1)": False,
            "SELECT * FROM text.`/etc/passwd`": False,
            "SELECT 1) AS a; SELECT (1": False,
            "SELECT id FROM made_0) AS a, (SELECT id FROM made_0": False,
            f"SELECT {script} FROM made_0": False,
            f"WITH q AS (SELECT {script} FROM made_0) SELECT * FROM q": False,
            f"SELECT id FROM made_0 WHERE s IN (SELECT {script} FROM made_0)": False,
            "INSERT OVERWRITE DIRECTORY '/tmp/x' SELECT 1": False,
            "SELECT s FROM made_0 LIMIT 1": True,
        }
        verdicts = rows.run(made, *asked)
    assert [verdict.accepted for verdict in verdicts] == list(asked.values())
    assert not ran.exists()
    assert verdicts[-1].returns is not None
    assert "it's" in verdicts[-1].returns


def test_the_rows_of_like_texts_are_compared_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    same, other = (f"SELECT id AS r FROM p.t WHERE a = {number}" for number in (7, 8))
    first = bench.decided(same, "long")
    assert first.grade == "RESULTS"

    def run(*_: object, **_more: object) -> list[Verdict]:
        raise AssertionError("Spark was asked")

    monkeypatch.setattr(SparkRows, "run", run)
    assert bench.decided(same, "long") == first
    assert "Spark was asked" in bench.decided(other, "long").message
