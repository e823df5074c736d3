"""Trino over views of Hive and Spark: what Coral makes of them beside what a real Trino answered.

The answers are those of tests/golden/hive_views.json, with version and date;
`python -m tests.live.record_hive_views` asks anew.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from connectors.judges.coral import Coral, CoralAnalyzer
from discovery import checks
from discovery.checks.subject import Severity, Subject, TextReads
from discovery.judging.analysis import Functions
from discovery.judging.analyzers import ANALYZERS
from discovery.judging.entries import Base, Entry, KnownBase
from discovery.judging.matrix import Answer, Below, Cell, Evidence, Reading, cell
from discovery.judging.paths import path
from discovery.judging.reasons import reason_of
from discovery.judging.translating import TRANSLATED, analyzed_by_trino
from discovery.judging.ways import CORAL
from discovery.model import TRINO, Identifier
from discovery.ports import ANALYZE, PARSE, Statement, Verdict
from jobs.assessing.jars import provide
from tests import hive_views
from tests.hive_views import Key, Stored

CORPUS = hive_views.corpus()
VIEWS = {key: view for key, view in hive_views.views(CORPUS).items() if view.form != TRINO}
KNOWN = hive_views.views(CORPUS)
READ = {Reading.NATIVE, Reading.PORTABLE}
ON = {"hive_views": "true"}
WORDS = {True: "accepted", False: "rejected", None: "not judged"}
PARSED = "coral-parsed"
WRONG_AT_MOST = {CORAL: 0.01, PARSED: 0.05}
"""Shares of the views, with and without Trino's analyzer."""
UNSEEN_WRONG_AT_MOST = {CORAL: 0, PARSED: 12}
"""Of the views that no rule was made for."""
Told = Mapping[Key, tuple[Entry, Verdict]]


def started(spark: SparkSession, name: str) -> Coral | CoralAnalyzer:
    (provided,) = provide(spark, [name], None, analyzers=True)
    assert not provided.missing
    judge = provided.judge()
    assert isinstance(judge, Coral | CoralAnalyzer)
    return judge


@pytest.fixture(scope="module", params=WRONG_AT_MOST)
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def told(spark: SparkSession, name: str) -> Told:
    """What Coral is told of each view that it is told of, and what it says."""
    entries = {key: hive_views.told(CORPUS, view, KNOWN) for key, view in VIEWS.items()}
    asked = {key: entry for key, entry in entries.items() if entry is not None}
    texts = {key: VIEWS[key].text.text.sql for key in asked}
    with started(spark, name) as judge:
        said = judge.judge([Statement(texts[key], entry=entry) for key, entry in asked.items()])
        weighed = [
            ANALYZERS[name].weighed(verdict, asked[key], Functions(), True)
            for key, verdict in zip(asked, said, strict=True)
        ]
    return {key: (asked[key], verdict) for key, verdict in zip(asked, weighed, strict=True)}


def decided(one: Stored, told: Told, settings: Mapping[str, str]) -> Cell:
    """The cell of the matrix, with what is below."""
    text = one.text.text
    answers = []
    if one.key in told:
        verdict = told[one.key][1]
        answers = [Answer(CORAL, text.dialect, PARSE, WORDS[verdict.accepted], verdict.message)]
    read = hive_views.reads(CORPUS, one, KNOWN)
    subject = Subject(
        one.view, one.form, (TextReads(text, tuple(known_base.written for known_base in read)),)
    )
    errors = tuple(
        code
        for code, finding in checks.findings(subject)
        if finding.engine == TRINO and finding.severity == Severity.ERROR
    )
    below = next(filter(None, (blocked(base, told, settings) for base in read)), None)
    way = path(TRINO, one.form, "hms", settings)
    return cell(Evidence.of(way, [text.dialect], answers, errors, Below(below)))


def blocked(base: KnownBase, told: Told, settings: Mapping[str, str]) -> str | None:
    """Why what stands on it is blocked, if it is."""
    key = ".".join((*base.identifier.namespace, base.identifier.name))
    if key not in VIEWS:
        return "BROKEN_BASE" if base.columns is None else None
    if base.form in TRANSLATED:  # its text is taken in
        return None
    status = decided(VIEWS[key], told, settings).status
    return key if status in {Reading.REJECTED, Reading.BLOCKED} else None


def test_the_matrix_says_what_trino_answered_with_hive_views_enabled(told: Told, name: str) -> None:
    other = {}
    for key, view in VIEWS.items():
        found = decided(view, told, ON)
        assert found.status != Reading.NATIVE, "it is no text of Trino's"
        if (found.status in READ) is not CORPUS["answers"][key]["accepted"]:
            other[key] = (found, CORPUS["answers"][key]["message"])
    assert len(VIEWS) >= 200
    assert len(other) <= WRONG_AT_MOST[name] * len(VIEWS), other


def test_of_views_that_no_rule_was_made_for_it_is_right(spark: SparkSession, name: str) -> None:
    views = hive_views.unseen(CORPUS)
    known = KNOWN | views
    asked = [
        (key, view.text.text.sql, hive_views.told(CORPUS, view, known))
        for key, view in views.items()
    ]
    other = {}
    with started(spark, name) as judge:
        said = judge.judge([Statement(sql, entry=entry) for _, sql, entry in asked])
        for (key, _, entry), one in zip(asked, said, strict=True):
            assert entry is not None, key
            verdict = ANALYZERS[name].weighed(one, entry, Functions(), True)
            if verdict.accepted is not CORPUS["answers"][key]["accepted"]:
                other[key] = (verdict, CORPUS["answers"][key]["message"])
    assert len(views) >= 200
    assert len(other) <= UNSEEN_WRONG_AT_MOST[name], other


def test_without_the_setting_every_entry_is_refused(told: Told) -> None:
    for key, view in VIEWS.items():
        assert decided(view, told, {}).status == Reading.REJECTED
        assert CORPUS["answers"][key]["off"], key


def test_a_view_that_coral_is_not_told_all_of_is_not_judged(told: Told) -> None:
    unasked = [key for key in VIEWS if key not in told]
    for key in unasked:
        found = decided(VIEWS[key], told, ON)
        assert found.status in {Reading.NOT_JUDGED, Reading.BLOCKED, Reading.REJECTED}, key


ORDERS = '[["id", "bigint"], ["qty", "int"], ["day", "date"], ["u", "uniontype<int,string>"]]'
OVER_ORDERS = Entry(
    place=Identifier(("shop",), "v"), columns="[]", bases=(Base(("shop", "orders"), ORDERS),)
)


@pytest.fixture(scope="module")
def analyzer(spark: SparkSession) -> Iterator[CoralAnalyzer]:
    with started(spark, CORAL) as made:
        assert isinstance(made, CoralAnalyzer)
        yield made


def asked(analyzer: CoralAnalyzer, sql: str, entry: Entry = OVER_ORDERS) -> Verdict:
    (verdict,) = analyzer.judge([Statement(sql, entry=entry)])
    return analyzed_by_trino(verdict, entry, Functions(), True)


def test_it_is_trino_s_analyzer_behind_coral(analyzer: CoralAnalyzer) -> None:
    said = (analyzer.engine, analyzer.grade, analyzer.version)
    assert said == ("trino", ANALYZE, "2.2.49-1, Trino 435")


@pytest.mark.parametrize(
    ("sql", "code"),
    {
        "select if(qty > 1, 'many', 'one') as size from shop.orders": "COLUMNS_REFUSED",
        "select year(day) as y from shop.orders": "TYPE_MISMATCH",
        "select null as n, year(day) as y from shop.orders": "NOT_TRANSLATED",
        "select nope from shop.orders": "UNKNOWN_COLUMN",
        "select f(id) as x from shop.orders": "UNKNOWN_FUNCTION",
        "select transform(id) using 'x' as y from shop.orders": "NOT_TRANSLATED",
    }.items(),
)
def test_what_trino_refuses_is_analyzed_and_has_the_class_of_its_message(
    analyzer: CoralAnalyzer, sql: str, code: str
) -> None:
    verdict = asked(analyzer, sql)
    assert (verdict.accepted, verdict.grade) == (False, None)
    assert reason_of(verdict.message).code == code, verdict.message


@pytest.mark.parametrize(
    "sql",
    [
        "select id, qty + 1 as q, cast(day as string) as d from shop.orders",
        "select u from shop.orders",
        "select 1 as one",
        # a function that Trino's plugin for Hive brings (476 asked, of each of these)
        "select from_utc_timestamp(day, 'Europe/Berlin') as berlin from shop.orders",
        "select from_utc_timestamp(cast(day as timestamp), 'PST') as pst from shop.orders",
        "select from_utc_timestamp(id, 'PST') as pst from shop.orders",
    ],
)
def test_what_trino_reads_is_accepted_with_its_columns(analyzer: CoralAnalyzer, sql: str) -> None:
    verdict = asked(analyzer, sql)
    assert (verdict.accepted, verdict.grade) == (True, None), verdict.message
    assert verdict.returns


def test_what_the_analyzer_cannot_be_told_is_parsed_only(analyzer: CoralAnalyzer) -> None:
    base = Base(("shop", "orders"), '[["id", "bigint"], ["none", "void"]]')
    verdict = asked(analyzer, "select id from shop.orders", replace(OVER_ORDERS, bases=(base,)))
    assert (verdict.accepted, verdict.message, verdict.grade) == (True, "", PARSE)
    after = asked(analyzer, "select if(qty > 1, 'many', 'one') as size from shop.orders")
    assert after.accepted is False, "the next has its own tables"


LOWER = {
    "dec": "SELECT `d38` / `d5` AS `x`, `id` FROM `hv`.`t`",
    "nul": "SELECT NULL AS `x`, `id` FROM `hv`.`t`",
    "nofn": "SELECT initcap(`s`) AS `x`, `id` FROM `hv`.`t`",
    "grouped": "SELECT `id` AS `x`, count(*) FROM `hv`.`t` GROUP BY `id`",
    "mixed": "SELECT `s` AS `x`, `id` FROM `hv`.`t` UNION ALL SELECT 'a', `id` FROM `hv`.`u`",
}
"""Of these, a live Trino 476 reads `mixed` alone."""
OTHER, COUNT = "SELECT `id` FROM `hv`.`{}`", "SELECT count(*) AS `n` FROM `hv`.`{}`"
CAST = "SELECT CAST(`x` AS STRING) AS `k` FROM `hv`.`{}`"
FIRST = "SELECT `x` FROM `hv`.`{}`"
JOIN = (
    "SELECT a.`id`, CAST(b.`x` AS STRING) AS `k` FROM `hv`.`t` a JOIN `hv`.`{}` b ON a.`id` = b.`x`"
)


@pytest.mark.parametrize(
    ("lower", "upper", "reads"),
    [
        *(("dec", one, True) for one in (OTHER, COUNT, CAST)),
        ("dec", FIRST, False),
        *(("nul", one, True) for one in (OTHER, COUNT, CAST)),
        ("nul", FIRST, False),
        *(("nofn", one, True) for one in (OTHER, COUNT)),
        *(("nofn", one, False) for one in (CAST, FIRST)),
        *(("grouped", one, True) for one in (COUNT, FIRST)),
        ("grouped", JOIN, False),
        *(("mixed", one, False) for one in (OTHER, COUNT, CAST, FIRST, JOIN)),
    ],
)
def test_over_views_trino_takes_their_texts_and_not_what_it_says_of_them(
    analyzer: CoralAnalyzer, lower: str, upper: str, reads: bool
) -> None:
    """Asked of a live Trino 476 with `hive.hive-views.enabled`, over the same tables."""
    columns = '[["id", "bigint"], ["d38", "decimal(38,18)"], ["d5", "decimal(5,2)"]]'
    table = columns.replace("]]", '], ["s", "string"]]')
    view = Base(("hv", lower), '[["x", "bigint"], ["id", "bigint"]]', LOWER[lower])
    entry = Entry(
        place=Identifier(("hv",), "upper"),
        columns="[]",
        bases=(view, Base(("hv", "t"), table), Base(("hv", "u"), table)),
    )
    assert asked(analyzer, upper.format(lower), entry).accepted is reads
