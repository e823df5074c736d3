"""Suites over rows: what each catches, and that what was not looked at has not passed."""

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from discovery.errors import ConfigurationError
from jobs.tables import TABLES
from reports.quality import engine
from reports.quality.frames import Outcomes
from reports.quality.model import (
    ROWS,
    ExpectationSeverity,
    Name,
    Own,
    QualityTerms,
    Result,
    Status,
    Suite,
)
from reports.quality.suites import CheckedRun, suites

pytestmark = pytest.mark.slow  # Great Expectations takes seconds to be imported

Rows = list[dict[str, Any]]
NOW = datetime(2026, 11, 21, 8, tzinfo=UTC)
PASSED, FAILED, NOT_EVALUATED = Status.PASSED, Status.FAILED, Status.NOT_EVALUATED


def outcome(key: str, result: str = "view", **more: Any) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(TABLES["outcomes"].columns)
    levels = key.split(".")
    row |= {"source": "s", "entity": "object", "namespace": levels[:-1], "name": levels[-1]}
    row |= {"key": key, "outcome": result, "kind": "view"}
    if result == "view":
        row |= {"format": "trino", "dialects": ["trino"], "columns": 1, "fingerprint": f"1:{key}"}
        row["model"] = model()
    return row | more


def model(kind: Any = "integer", dialect: str = "trino", columns: int = 1, **context: str) -> str:
    texts = [{"type": "sql", "dialect": dialect, "sql": "SELECT 1", **context}]
    cells = [{"name": f"c{number}", "type": kind} for number in range(columns)]
    return json.dumps({"name": "v", "columns": cells, "representations": texts})


def is_object(row: dict[str, Any]) -> bool:
    """The table `objects` is those rows of its folder."""
    return bool(row["entity"] == TABLES["objects"].entity)


def clean() -> dict[str, Rows]:
    """The tables of a run that has nothing to complain of."""
    full = model(defaultCatalog="hive", defaultSchema="d")
    found = [outcome("d.v1", model=full), outcome("d.v2", model=full)]
    found += [outcome("d.t", "skipped", code="TABLE"), outcome("d", "schema", entity="namespace")]
    names = ("source", "entity", "key")
    place = {"source": "s", "key": "d.v1", "dialect": "trino"}
    judged = {**place, "engine": "trino", "version": "476", "grade": "PARSE", "verdict": "accepted"}
    return {
        "outcomes": found,
        "objects": [{name: row[name] for name in names} for row in found if is_object(row)],
        "references": [{**place, "written": ["t"]}],
        "verdicts": [judged, {**judged, "key": "d.v2", "verdict": "rejected"}],
        "verified": [{"target": "t", "key": "d.v1", "differences": []}],
        "findings": [],
    }


def evaluated(
    tables: dict[str, Rows],
    terms: QualityTerms | None = None,
    *,
    then: Rows | None = None,
    finished: datetime = NOW - timedelta(hours=1),
    data_docs: Path | None = None,
) -> engine.Evaluated:
    def rows(
        table: str, columns: Sequence[str], *, other: bool = False
    ) -> Iterable[dict[str, Any]] | None:
        return then if other else tables.get(table)

    columns = {name: table.columns for name, table in TABLES.items()}
    against = None if then is None else "before"
    subject = CheckedRun("run", finished, NOW, against, rows, columns)
    return engine.evaluate(suites(subject, terms or QualityTerms()), data_docs)


def by_name(found: engine.Evaluated) -> dict[str, Result]:
    return {
        result.expected.name: result for result in found.results if result.expected.name != ROWS
    }


def failed(found: engine.Evaluated) -> list[str]:
    return [result.expected.name for result in found.results if result.status is FAILED]


def test_a_clean_run_passes_in_everything() -> None:
    tables = clean()
    found = evaluated(tables, QualityTerms(dialects=("Trino",)), then=tables["outcomes"])
    assert {result.expected.name: result.status for result in found.results} == {
        **dict.fromkeys([*Name, ROWS], PASSED)
    }
    assert not found.gates


def test_an_engine_without_a_judge_was_not_asked() -> None:
    tables = clean()
    for row in tables["verdicts"]:
        row.update(version=None, verdict="not judged")
    assert by_name(evaluated(tables))[Name.JUDGED].status is PASSED
    tables["verdicts"][0].update(version="476")
    assert by_name(evaluated(tables))[Name.JUDGED].status is FAILED


@pytest.mark.parametrize(
    ("change", "caught"),
    [
        pytest.param(lambda one: one["outcomes"].pop(0), [Name.LISTED], id="lost"),
        pytest.param(
            lambda one: one["outcomes"].append(one["outcomes"][0]),
            [Name.UNLISTED, Name.KEYS],
            id="a duplicate",
        ),
        pytest.param(
            lambda one: one["outcomes"][2].update(outcome="failure", stage="read"),
            [Name.READ],
            id="unread",
        ),
        pytest.param(
            lambda one: one["outcomes"][2].update(outcome="failure", stage="decode"),
            [Name.DECODED],
            id="undecoded",
        ),
        pytest.param(
            lambda one: one["outcomes"][0].update(
                model=model({"type": "list", "elementType": {"type": "external"}})
            ),
            [Name.TYPES, Name.CONTEXT],
            id="an unknown type within another",
        ),
        pytest.param(
            lambda one: one["outcomes"][1].update(columns=2), [Name.COLUMNS], id="a lost column"
        ),
        pytest.param(
            lambda one: one["outcomes"][1].update(
                dialects=["spark"], model=model(dialect="spark", defaultSchema="d")
            ),
            [Name.OWN],
            id="not its own dialect",
        ),
        pytest.param(lambda one: one["verdicts"].pop(), [Name.JUDGED], id="not judged"),
        pytest.param(
            lambda one: one["verified"][0].update(differences=["columns"]),
            [Name.COLUMNS_BACK, Name.READ_BACK],
            id="a changed type",
        ),
        pytest.param(
            lambda one: one["verified"][0].update(differences=["representations.trino"]),
            [Name.DIALECTS_BACK, Name.READ_BACK],
            id="a changed text",
        ),
        pytest.param(
            lambda one: one["verified"][0].update(differences=["no answer: refused"]),
            [Name.COLUMNS_BACK, Name.DIALECTS_BACK, Name.READ_BACK],
            id="not read back",
        ),
        pytest.param(
            lambda one: one["outcomes"][0].update(model=model(defaultSchema="d")),
            [Name.CONTEXT],
            id="no default catalog for Trino",
        ),
    ],
)
def test_each_planted_fault_is_caught_and_nothing_else(change: Any, caught: list[Name]) -> None:
    tables = clean()
    change(tables)
    found = evaluated(tables)
    assert failed(found) == caught
    assert found.gates
    assert all("d." in result.examples[0] for result in found.results if result.status is FAILED)


def test_what_an_entry_states_beside_its_texts_has_no_short_names() -> None:
    tables = clean()
    stated = {"source": "s", "key": "d.v2", "dialect": None, "written": ["arn:aws:glue"]}
    tables["references"] = [*tables["references"], stated]
    tables["outcomes"][1]["model"] = model()
    assert failed(evaluated(tables)) == []


@pytest.mark.parametrize(
    ("form", "dialect", "told"),
    [("flink", "hive", "present"), ("flink", "spark", "missing"), ("trino", "hive", "missing")],
)
def test_flink_writes_views_in_two_dialects(form: str, dialect: str, told: str) -> None:
    row = outcome("a.v", format=form, dialects=[dialect], model=model(dialect=dialect))
    assert Outcomes().gather([row]).views_frame()["own_dialect"].tolist() == [told]


def test_a_missing_dialect_is_caught_where_it_is_required() -> None:
    found = by_name(evaluated(clean(), QualityTerms(dialects=("trino", "spark"))))
    assert (found[Name.REQUIRED].status, found[Name.REQUIRED].failing) == (FAILED, 2)
    assert Name.REQUIRED not in by_name(evaluated(clean()))


@pytest.mark.parametrize("hours", [25, -1])
def test_a_run_that_is_stale_or_from_the_future_fails(hours: int) -> None:
    assert failed(evaluated(clean(), finished=NOW - timedelta(hours=hours))) == [Name.AGE]


def test_drift_tells_vanished_from_unread() -> None:
    then = clean()["outcomes"]
    then += [outcome("lost.v"), outcome("d.broken"), outcome("d.gone")]
    then += [outcome("d.elsewhere", source="other")]
    tables = clean()
    tables["outcomes"][0]["fingerprint"] = "1:other"
    for key, entity in (("lost", "namespace"), ("d.broken", "object")):
        levels = key.split(".")[: 1 if entity == "namespace" else -1]
        lost = outcome(key, "failure", entity=entity, namespace=levels, stage="list")
        tables["outcomes"].append(lost)
        tables["objects"] += [lost] if is_object(lost) else []
    terms = QualityTerms(allow={Name.READ: 100})
    found = evaluated(tables, terms, then=then)
    assert failed(found) == [Name.VANISHED]
    told = by_name(found)
    assert told[Name.VANISHED].examples == ("state=vanished, source=s, key=d.gone",)
    assert (told[Name.CHANGED].failing, told[Name.CHANGED].rows) == (1, 6)
    allowed = QualityTerms(allow={Name.READ: 100, Name.VANISHED: 20, Name.CHANGED: 0})
    assert failed(evaluated(tables, allowed, then=then)) == [Name.CHANGED]


def test_what_did_not_run_is_not_evaluated_and_gates_only_where_it_is_required() -> None:
    tables = clean()
    for table in ("references", "verdicts", "verified"):
        del tables[table]
    found = evaluated(tables)
    open_ = {result.expected.name for result in found.results if result.status is NOT_EVALUATED}
    assert open_ == {
        Name.CONTEXT,
        Name.JUDGED,
        Name.COLUMNS_BACK,
        Name.DIALECTS_BACK,
        Name.READ_BACK,
        Name.VANISHED,
        Name.CHANGED,
    }
    assert not found.gates
    assert by_name(found)[Name.JUDGED].reason == (
        "this run has no table verdicts: its stage did not run"
    )
    assert evaluated(tables, QualityTerms(required=(Name.READ_BACK,))).gates


def test_frames_without_rows_fail_and_nothing_over_them_passes() -> None:
    found = evaluated({"outcomes": [], "objects": [], "verified": []})
    empty = [result for result in found.results if result.table in {"objects", "outcomes", "views"}]
    assert {result.status for result in empty if result.expected.name == ROWS} == {FAILED}
    assert {result.status for result in empty if result.expected.name != ROWS} == {NOT_EVALUATED}
    assert found.gates


def test_a_warning_is_told_and_gates_nothing() -> None:
    tables = clean()
    external = {"type": "external", "catalogString": "geometry"}
    full = model(external, defaultCatalog="c", defaultSchema="d")
    tables["outcomes"][0]["model"] = full
    found = evaluated(tables)
    assert (failed(found), found.gates) == ([Name.TYPES], False)
    assert evaluated(tables, QualityTerms(severity={Name.TYPES: ExpectationSeverity.ERROR})).gates
    assert failed(evaluated(tables, QualityTerms(allow={Name.TYPES: 50}))) == []


def own(kind: str, table: str = "outcomes", **more: Any) -> QualityTerms:
    return QualityTerms(own=(Own(name="mine", table=table, type=kind, **more),))


def test_an_expectation_of_ones_own_passes_fails_or_cannot_be_evaluated() -> None:
    kind, owner = "expect_column_values_to_not_be_null", {"column": "owner"}
    result = by_name(evaluated(clean(), own(kind, kwargs=owner)))["mine"]
    assert (result.status, result.failing, result.gates) == (FAILED, 4, True)
    assert result.examples[0] == "owner=None, source=s, key=d.v1"
    fine = by_name(evaluated(clean(), own(kind, kwargs=owner, allow=100)))["mine"]
    assert fine.status is PASSED
    terms = own(kind, kwargs={"column": "nobody"}, severity=ExpectationSeverity.WARNING)
    broken = by_name(evaluated(clean(), terms))["mine"]
    assert (broken.status, broken.gates) == (NOT_EVALUATED, True)
    assert broken.reason == 'Error: The column "nobody" in BatchData does not exist.'


def test_what_looks_like_a_secret_in_a_row_that_fails_is_masked() -> None:
    tables = clean()
    tables["outcomes"][0]["model"] = model(password="hunter22")
    kind, text = "expect_column_values_to_not_match_regex", {"column": "model", "regex": "password"}
    named = Own(name="no password: nobody's", table="outcomes", type=kind, kwargs=text)
    found = evaluated(tables, QualityTerms(own=(named,)))
    result = by_name(found)[named.name]
    assert result.status is FAILED
    assert '"password": "***"' in result.examples[0]
    assert result.examples[0].endswith("source=s, key=d.v1")
    assert "hunter22" not in json.dumps(found.documents)


def test_an_expectation_of_ones_own_over_no_rows_says_whether_that_is_fine() -> None:
    kind, what = "expect_column_values_to_not_be_in_set", {"column": "severity", "value_set": ["x"]}
    found = evaluated(clean(), own(kind, "findings", kwargs=what))
    assert by_name(found)["mine"].status is NOT_EVALUATED
    assert failed(found) == [ROWS]
    fine = evaluated(clean(), own(kind, "findings", kwargs=what, may_be_empty=True))
    assert (by_name(fine)["mine"].status, failed(fine)) == (PASSED, [])


@pytest.mark.parametrize(
    ("kind", "value", "status", "rows"), [("view", 2, FAILED, 2), ("none", 2, NOT_EVALUATED, None)]
)
def test_a_condition_leaves_rows_out_and_one_that_leaves_none_is_no_success(
    kind: str, value: int, status: Status, rows: int | None
) -> None:
    views = {"type": "comparison", "column": {"name": "outcome"}, "operator": "=="}
    what = {
        "column": "columns",
        "value_set": [value],
        "row_condition": {**views, "parameter": kind},
    }
    found = evaluated(clean(), own("expect_column_values_to_be_in_set", kwargs=what))
    result = by_name(found)["mine"]
    assert (result.status, result.rows, result.gates) == (status, rows, True)


def test_a_column_of_nulls_alone_has_not_passed() -> None:
    what = {"column": "owner", "value_set": ["bob"]}
    found = evaluated(clean(), own("expect_column_values_to_be_in_set", kwargs=what))
    assert by_name(found)["mine"].status is NOT_EVALUATED
    assert found.gates


@pytest.mark.parametrize("required", [True, False])
def test_an_expectation_of_ones_own_may_require_its_table(required: bool) -> None:
    what = {"column": "engine"}
    kind = "expect_column_values_to_not_be_null"
    result = by_name(evaluated(clean(), own(kind, "matrix", kwargs=what, required=required)))[
        "mine"
    ]
    assert (result.status, result.gates) == (NOT_EVALUATED, required)


def test_lists_are_text_for_an_expectation_of_ones_own() -> None:
    what = {"column": "dialects", "regex": "^trino$"}
    found = evaluated(clean(), own("expect_column_values_to_match_regex", kwargs=what))
    assert by_name(found)["mine"].status is PASSED


@pytest.mark.parametrize(
    ("kind", "kwargs", "told"),
    [
        ("expect_nothing", {}, "Great Expectations has no expect_nothing"),
        ("expect_column_values_to_not_be_null", {"colum": "x"}, "field required"),
    ],
)
def test_what_great_expectations_does_not_know_is_refused_beforehand(
    kind: str, kwargs: dict[str, Any], told: str
) -> None:
    with pytest.raises(ConfigurationError, match=rf"^quality\.expectations\[0\]: .*{told}"):
        engine.check(own(kind, kwargs=kwargs).own)


def test_nothing_is_left_behind_or_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []
    monkeypatch.setattr(socket.socket, "connect", lambda _, address: sent.append(address))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    threads = threading.active_count()
    found = evaluated(clean())
    assert [path.name for path in tmp_path.rglob("*")] == ["tmp"]
    assert threading.active_count() == threads
    assert sent == []
    assert [document for document in found.documents if document.endswith("-views")] == ["02-views"]
    json.dumps(found.documents)  # Great Expectations' own result is JSON as it is
    assert found.documents["02-views"]["success"]


def test_data_docs_are_written_where_they_are_asked_for(tmp_path: Path) -> None:
    evaluated(clean(), data_docs=tmp_path / "docs")
    assert (tmp_path / "docs" / "index.html").is_file()
    assert len(list((tmp_path / "docs" / "validations").rglob("*.html"))) == 7


def test_without_great_expectations_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "great_expectations", None)
    with pytest.raises(ConfigurationError) as raised:
        engine.evaluate([Suite("x", (), None)])
    assert raised.value.hint == "pip install great_expectations"


def test_a_program_without_a_file_of_its_own_is_no_doctest_that_ends() -> None:
    code = "from reports.quality.engine import evaluate; evaluate([]); print('evaluated')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["evaluated"]), done.stderr
