"""Findings, failures and rejected texts as SARIF 2.1.0 (OASIS), with positions in the SQL.

A view is no file; its artifact is named `<source>/<namespace>/<name>.<dialect>.sql`, and the line
that a result is about stands in it as a snippet.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from discovery import __version__
from discovery.judging import reasons
from reports.codes import pages
from reports.head import ReportHead
from reports.lines import Row, name_of, own_rejections, path_of

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def begin(head: ReportHead) -> str:
    """The tool with its rules, and the opening of the results."""
    codes = {one.code for one in head.causes} | {one.code for one in reasons.REASONS}
    driver = {
        "name": "belvedere",
        "version": __version__,
        "rules": [_rule(code) for code in sorted(codes)],
    }
    return (
        f'{{"$schema": {json.dumps(SCHEMA)}, "version": "2.1.0", "runs": [{{\n'
        f'"tool": {{"driver": {json.dumps(driver, ensure_ascii=False)}}},\n'
        f'"automationDetails": {{"id": {json.dumps("belvedere/" + head.run.run_id)}}},\n'
        '"columnKind": "unicodeCodePoints",\n"results": [\n'
    )


def texts(row: Row) -> Iterator[str]:
    """A result for each thing that is wrong with the view."""
    for code, level, message, verdict in _told(row):
        result = {
            "ruleId": code,
            "level": level,
            "message": {"text": message or code},
            "locations": [_location(row, verdict)],
            "partialFingerprints": {"view/v1": f"{row['source']}/{row['key']}/{code}"},
        }
        yield json.dumps(result, ensure_ascii=False)


def end(_: ReportHead) -> str:
    """The closing."""
    return "\n]}]}\n"


def _told(row: Row) -> Iterator[tuple[str, str, str, Mapping[str, Any] | None]]:
    """Code, level, message, and the parser's verdict where that says the position."""
    if row["outcome"] == "failure":
        yield row["code"], "error", row["message"], None
    if row["aside"]:
        yield row["aside"], "error", f"set aside: {', '.join(row['because'] or ())}", None
    for one in row["findings"] or ():
        yield one["code"], one["severity"], f"{one['message']} What to do: {one['hint']}.", None
    for one in own_rejections(row):
        message = f"{one['engine']} {one['version']}: {one['message']}"
        yield reasons.reason_of(one["message"]).code, "error", message, one


def _location(row: Row, verdict: Mapping[str, Any] | None) -> dict[str, Any]:
    dialect = verdict["dialect"] if verdict else (row["dialects"] or ["unknown"])[0]
    place: dict[str, Any] = {"artifactLocation": {"uri": f"{path_of(row)}.{dialect}.sql"}}
    if verdict and verdict["line"]:
        place["region"] = _region(row, verdict)
    logical = {"fullyQualifiedName": f"{row['source']}.{name_of(row)}", "kind": "view"}
    return {"physicalLocation": place, "logicalLocations": [logical]}


def _region(row: Row, verdict: Mapping[str, Any]) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": verdict["line"]}
    if verdict["column"]:
        region["startColumn"] = verdict["column"]
    for one in json.loads(row["model"])["representations"]:
        lines = one["sql"].split("\n")
        if one["dialect"] == verdict["dialect"] and verdict["line"] <= len(lines):
            region["snippet"] = {"text": lines[verdict["line"] - 1]}
    return region


def _rule(code: str) -> dict[str, Any]:
    page = pages().get(code)
    rule: dict[str, Any] = {"id": code, "shortDescription": {"text": page.first if page else code}}
    if page:
        rule["fullDescription"] = {"text": page.text}
    if page and page.advice:
        rule["help"] = {"text": page.advice}
    return rule
