"""Findings, failures and rejected texts as SARIF 2.1.0 (OASIS), with positions in the SQL.

Results point into the folder of views that the report writes beside (`reports.sql_files`), as seen
from the folder of the report. Where a parser says a place, the region is that token (3.30); else it
is the whole text.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from discovery import __version__
from discovery.display import visible
from discovery.judging import reasons
from reports.codes import pages
from reports.head import ReportHead
from reports.lines import Row, name_of, own_rejections, set_aside_changes
from reports.sql_files import text_about, uri_of

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LINK: Final = re.compile(r"\[(?=[^\]]*\]\()")
_TOKEN: Final = re.compile(r"\w+|\S")


def begin(head: ReportHead) -> str:
    """The tool with its rules, and the opening of the results."""
    codes = {cause.code for cause in head.causes} | {reason.code for reason in reasons.REASONS}
    driver = {
        "name": "belvedere",
        "version": __version__,
        "rules": [_rule(code) for code in sorted(codes)],
    }
    return (
        f'{{"$schema": {json.dumps(SCHEMA)}, "version": "2.1.0", "runs": [{{\n'
        f'"tool": {{"driver": {visible(json.dumps(driver, ensure_ascii=False))}}},\n'
        f'"automationDetails": {{"id": {json.dumps("belvedere/" + head.run.run_id)}}},\n'
        '"columnKind": "unicodeCodePoints",\n"results": [\n'
    )


def texts(row: Row) -> Iterator[str]:
    """A result for each thing that is wrong with the view."""
    for code, level, message, dialect, verdict in _complaints(row):
        result = {
            "ruleId": code,
            "level": level,
            "message": {"text": _plain(message or code)},
            "locations": [_location(row, dialect, verdict)],
            "partialFingerprints": {"view/v1": f"{row['source']}/{row['key']}/{code}"},
        }
        yield visible(json.dumps(result, ensure_ascii=False))


def end(_: ReportHead) -> str:
    """The closing."""
    return "\n]}]}\n"


def _plain(text: str) -> str:
    """A message without placeholders and links of its own (SARIF 2.1.0, 3.11.5 and 3.11.6)."""
    return _LINK.sub(r"\\[", text.replace("{", "{{").replace("}", "}}"))


class _Complaint(NamedTuple):
    """What is wrong with a view: code, level, message; the text, and a parser's place in it."""

    code: str
    level: str
    message: str
    dialect: str | None = None
    verdict: Mapping[str, Any] | None = None


def _complaints(row: Row) -> Iterator[_Complaint]:
    if row["outcome"] == "failure":
        yield _Complaint(row["code"], "error", row["message"])
    if row["aside"]:
        yield _Complaint(row["aside"], "error", f"set aside: {', '.join(row['because'] or ())}")
    for finding in row["findings"] or ():
        message = f"{finding['message'].rstrip('.')}. What to do: {finding['hint'].rstrip('.')}."
        yield _Complaint(finding["code"], finding["severity"], message, finding["dialect"])
    for change in set_aside_changes(row):
        yield _Complaint(change["code"], "error", f"{change['target']}: {change['reason']}")
    for rejection in own_rejections(row):
        message = f"{rejection['engine']} {rejection['version']}: {rejection['message']}"
        code = reasons.reason_of(rejection["message"]).code
        yield _Complaint(code, "error", message, rejection["dialect"], rejection)


def _location(row: Row, dialect: str | None, verdict: Mapping[str, Any] | None) -> dict[str, Any]:
    chosen, sql = text_about(row, dialect)
    place: dict[str, Any] = {"artifactLocation": {"uri": uri_of(row, chosen)}}
    if chosen is not None:
        place["region"] = _region(sql, verdict)
    logical = {"fullyQualifiedName": f"{row['source']}.{name_of(row)}", "kind": "view"}
    return {"physicalLocation": place, "logicalLocations": [logical]}


def _region(sql: str, verdict: Mapping[str, Any] | None) -> dict[str, Any]:
    """The token that a parser names, or its line; the whole text where none is named."""
    lines = [text.removesuffix("\r") for text in sql.split("\n")]
    number = verdict["line"] if verdict else None
    if not number or number > len(lines):
        return {"startLine": 1, "endLine": len(lines) - (len(lines) > 1 and not lines[-1])}
    line = lines[number - 1]
    region: dict[str, Any] = {"startLine": number, "endLine": number, "snippet": {"text": line}}
    column = verdict["column"] if verdict else None
    if column and column <= len(line) + 1:  # one more is its end
        token = _TOKEN.match(line, column - 1)
        region |= {"startColumn": column, "endColumn": column + len(token[0] if token else "")}
    return region


def _rule(code: str) -> dict[str, Any]:
    page = pages().get(code)
    rule: dict[str, Any] = {"id": code, "shortDescription": {"text": page.first if page else code}}
    if page:
        rule["fullDescription"] = {"text": page.text}
    if page and page.advice:
        rule["help"] = {"text": page.advice}
    return rule
