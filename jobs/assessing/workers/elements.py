"""The elements of lists in the rows of `assessed`, `asked` and `compared`.

Imports neither pydantic nor the configuration: a worker has no use for them.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from discovery.checks.subject import Finding
from discovery.formats import glue
from discovery.judging.asking import VERDICT_WORDS
from discovery.lineage.references import Place
from discovery.model import Identifier
from discovery.ports import PARSE, Name, Verdict


class JudgeAnswer(NamedTuple):
    """What a judge said of a text.

    Attributes:
        version: Of the judge; None: there is none.
        verdict: What it said.
        grade: What that proves.
        asked: Of a running engine: when.
        query: Its own name of the query.
        seconds: How long the answer took.
    """

    version: str | None
    verdict: Verdict
    grade: str = PARSE
    asked: str | None = None
    query: str | None = None
    seconds: float | None = None


def verdict_row(dialect: str, engine: str, answer: JudgeAnswer) -> dict[str, object]:
    """What a judge said of a text, as an element of `verdicts`."""
    verdict = answer.verdict
    return {
        "dialect": dialect,
        "engine": engine,
        "version": answer.version,
        "grade": answer.grade,
        "verdict": VERDICT_WORDS[verdict.accepted],
        "message": verdict.message,
        "line": verdict.line,
        "column": verdict.column,
        "asked": answer.asked,
        "query": answer.query,
        "seconds": answer.seconds,
    }


def stated_rows(
    beside: Sequence[tuple[str, Place]], references: Sequence[Mapping[str, object]]
) -> list[dict[str, object]]:
    """What the entry states beside its texts, without what is known from one of them."""
    known_places = {
        (reference["base_source"], reference["base_key"])
        for reference in references
        if reference["base_key"]
    }
    return [
        reference_row(None, (written,), leads, glue.NAME)
        for written, leads in beside
        if (leads.source, leads.key) not in known_places
    ]


def reference_row(dialect: str | None, name: Name, leads: Place, read_by: str) -> dict[str, object]:
    """A table or view that a text names, and where that leads, as an element of `references`."""
    identifier: Identifier | None = leads.identifier
    return {
        "dialect": dialect,
        "written": list(name),
        "catalog": leads.catalog,
        "base_source": leads.source,
        "base_namespace": list(identifier.namespace) if identifier else None,
        "base_name": identifier.name if identifier else None,
        "base_key": leads.key or None,
        "read_by": read_by,
        "stated": leads.known_kind,
    }


def call_row(
    dialect: str, name: Name, called: tuple[str, str] | None, read_by: str
) -> dict[str, object]:
    """A function that a text calls, and whose it is, as an element of `calls`."""
    source, key = called or (None, None)
    row = {"dialect": dialect, "written": list(name), "function_source": source}
    return {**row, "function_key": key, "read_by": read_by}


def finding_row(code: str, finding: Finding) -> dict[str, object]:
    """What a check found, as an element of `findings`."""
    return {
        "dialect": finding.dialect,
        "code": code,
        "severity": finding.severity.value,
        "engine": finding.engine,
        "message": finding.message,
        "hint": finding.hint,
    }
