"""Trino over views of Hive and Spark: what Coral makes of them beside what a real Trino answered.

The answers are those of tests/golden/hive_views.json, with version and date;
`python -m tests.live.record_hive_views` asks anew.
"""

from collections.abc import Iterator, Mapping

import pytest
from pyspark.sql import SparkSession

from connectors.judges.coral import Coral
from discovery import checks
from discovery.checks.subject import Subject, TextReads
from discovery.judging.analysis import Functions
from discovery.judging.entries import Entry, KnownBase
from discovery.judging.matrix import Answer, Cell, Evidence, Reading, cell
from discovery.judging.paths import path
from discovery.judging.translating import coral_entry, weighed_by_trino
from discovery.judging.ways import CORAL
from discovery.model import TRINO
from discovery.ports import PARSE, Statement, Verdict
from jobs.assessing.jars import provide
from tests import hive_views
from tests.hive_views import Key, Stored

CORPUS = hive_views.corpus()
VIEWS = {key: one for key, one in hive_views.views(CORPUS).items() if one.form != TRINO}
KNOWN = hive_views.views(CORPUS)
READ = {Reading.NATIVE, Reading.PORTABLE}
ON = {"hive_views": "true"}
WORDS = {True: "accepted", False: "rejected", None: "not judged"}
Told = Mapping[Key, tuple[Entry, Verdict]]


@pytest.fixture(scope="module")
def told(spark: SparkSession) -> Iterator[Told]:
    """What Coral is told of each view that it is told of, and what it says."""
    entries = {
        key: coral_entry(one.text, hive_views.reads(CORPUS, one, KNOWN), {})
        for key, one in VIEWS.items()
    }
    asked = {key: entry for key, entry in entries.items() if entry is not None}
    (provided,) = provide(spark, [CORAL], None, analyzers=True)
    with provided.judge() as judge:
        assert isinstance(judge, Coral)
        said = judge.judge(
            [Statement(VIEWS[key].text.text.sql, entry=entry) for key, entry in asked.items()]
        )
        weighed = [
            weighed_by_trino(one, asked[key], Functions(), True)
            for key, one in zip(asked, said, strict=True)
        ]
        yield {key: (asked[key], one) for key, one in zip(asked, weighed, strict=True)}


def decided(one: Stored, told: Told, settings: Mapping[str, str]) -> Cell:
    """The cell of the matrix, with what is below."""
    text = one.text.text
    answers = []
    if one.key in told:
        verdict = told[one.key][1]
        answers = [Answer(CORAL, text.dialect, PARSE, WORDS[verdict.accepted], verdict.message)]
    read = hive_views.reads(CORPUS, one, KNOWN)
    subject = Subject(one.view, one.form, (TextReads(text, tuple(it.written for it in read)),))
    errors = tuple(code for code, it in checks.findings(subject) if it.engine == TRINO)
    below = next(filter(None, (blocked(base, told, settings) for base in read)), None)
    way = path(TRINO, one.form, "hms", settings)
    return cell(Evidence.of(way, [text.dialect], answers, errors, below))


def blocked(base: KnownBase, told: Told, settings: Mapping[str, str]) -> str | None:
    """Why what stands on it is blocked, if it is."""
    key = ".".join((*base.identifier.namespace, base.identifier.name))
    if key not in VIEWS:
        return "BROKEN_BASE" if base.columns is None else None
    status = decided(VIEWS[key], told, settings).status
    return key if status in {Reading.REJECTED, Reading.BLOCKED} else None


def test_the_matrix_says_what_trino_answered_with_hive_views_enabled(told: Told) -> None:
    other = {}
    for key, one in VIEWS.items():
        found = decided(one, told, ON)
        assert found.status != Reading.NATIVE, "it is no text of Trino's"
        if (found.status in READ) is not CORPUS["answers"][key]["accepted"]:
            other[key] = (found, CORPUS["answers"][key]["message"])
    assert len(VIEWS) >= 200
    assert len(other) <= 0.05 * len(VIEWS), other


def test_without_the_setting_every_entry_is_refused(told: Told) -> None:
    for key, one in VIEWS.items():
        assert decided(one, told, {}).status == Reading.REJECTED
        assert CORPUS["answers"][key]["off"], key


def test_a_view_that_coral_is_not_told_all_of_is_not_judged(told: Told) -> None:
    unasked = [key for key in VIEWS if key not in told]
    for key in unasked:
        found = decided(VIEWS[key], told, ON)
        assert found.status in {Reading.NOT_JUDGED, Reading.BLOCKED, Reading.REJECTED}, key
