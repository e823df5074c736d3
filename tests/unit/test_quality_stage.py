"""Quality as a stage of a run: what is a reason, what is not, and what cannot be checked."""

from typing import Any

import pytest

from discovery.errors import ConfigurationError
from discovery.limits import Limit
from jobs import quality
from jobs.console import command
from jobs.warehouse.warehouse import Warehouse
from reports.quality import engine
from reports.quality.model import (
    ExpectationSeverity,
    Expected,
    Name,
    QualityTerms,
    Result,
    Status,
)

NONE = Limit(0)
TERMS = QualityTerms()


def result(name: str = Name.OWN, status: Status = Status.FAILED, **more: Any) -> Result:
    severity = more.pop("severity", ExpectationSeverity.ERROR)
    expected = Expected(name=name, meaning="", type="t", kwargs={}, severity=severity)
    return Result("outcomes", expected, status, rows=5, failing=2, **more)


def staged(
    monkeypatch: pytest.MonkeyPatch,
    *results: Result,
    terms: QualityTerms = TERMS,
    limit: Limit = NONE,
) -> list[command.ExitReason]:
    evaluated = engine.Evaluated(list(results))
    monkeypatch.setattr(quality, "check_run", lambda *_: evaluated)
    return quality.stage(Warehouse("/nowhere"), terms, "r", None, limit)


def test_what_falls_short_is_a_reason_that_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (reason,) = staged(monkeypatch, result(), result(Name.KEYS, Status.PASSED))
    assert reason.code == command.FINDINGS
    counted = "1 of 2 expectations fall short, limit 0"
    assert reason.sentence == f"quality: {counted}: dialects.own, outcomes (error): 2 of 5"
    assert "fail_on.quality" in reason.then
    assert "quality: 1 passed, 1 failed, 0 not evaluated" in capsys.readouterr().err


@pytest.mark.parametrize(
    "one",
    [
        result(status=Status.PASSED),
        result(severity=ExpectationSeverity.WARNING),
        result(Name.READ),
        result(Name.DECODED),
        result(status=Status.NOT_EVALUATED, broken=True, reason=engine.NO_ROWS),
        result(status=Status.NOT_EVALUATED, reason="its stage did not run"),
    ],
)
def test_what_the_crawl_decides_or_nothing_was_there_for_is_none(
    monkeypatch: pytest.MonkeyPatch, one: Result
) -> None:
    assert staged(monkeypatch, one) == []


def test_a_threshold_of_its_own_makes_it_one(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = QualityTerms(allow={Name.READ: 5})
    (reason,) = staged(monkeypatch, result(Name.READ), terms=terms)
    assert "completeness.read" in reason.sentence
    broken = result(status=Status.NOT_EVALUATED, broken=True, reason="no such column")
    assert len(staged(monkeypatch, broken)) == 1


@pytest.mark.parametrize(
    ("limit", "reasons"), [(Limit(1), 1), (Limit(2), 0), (Limit(100, True), 0)]
)
def test_as_many_as_allowed_are_none(
    monkeypatch: pytest.MonkeyPatch, limit: Limit, reasons: int
) -> None:
    assert len(staged(monkeypatch, result(), result(Name.KEYS), limit=limit)) == reasons


def test_what_cannot_be_checked_is_a_reason_and_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> engine.Evaluated:
        raise ConfigurationError("reports needs the package x", hint="pip install x")

    monkeypatch.setattr(quality, "check_run", fail)
    (reason,) = quality.stage(Warehouse("/nowhere"), TERMS, "r", None, NONE)
    assert reason == (3, "quality was not checked: reports needs the package x", "pip install x")
