"""The views as JUnit XML, for CI: a test case for each view, which fails if it is blocked.

The layout is that of Ant's JUnitReport as Jenkins and GitLab read it.
"""

import re
from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from discovery.display import visible
from discovery.judging.standing import Standing
from discovery.model import encoded
from reports.head import ReportHead
from reports.lines import Row, remarks

# what XML 1.0 has no way to say (section 2.2, Char)
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def begin(head: ReportHead) -> str:
    """The opening of the suite, with its counts."""
    blocked = head.standing.get(Standing.BLOCKED, 0) - head.failures
    skipped = head.standing.get(Standing.NOT_JUDGED, 0)
    counts = (
        f'tests="{head.total}" failures="{blocked}" errors="{head.failures}" skipped="{skipped}"'
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="belvedere" {counts}>\n'
        f"<testsuite name={_attribute(head.run.run_id)} {counts} "
        f"timestamp={_attribute(head.run.started[:19])}>\n"
    )


def texts(row: Row) -> Iterator[str]:
    """The view as a test case."""
    place = encoded((row["source"], *row["namespace"]))  # JUnit's classes are parted by dots
    yield (
        f"<testcase classname={_attribute(place)} name={_attribute(row['name'])}>"
        f"{_body(row)}</testcase>\n"
    )


def end(_: ReportHead) -> str:
    """The closing."""
    return "</testsuite>\n</testsuites>\n"


def _body(row: Row) -> str:
    lines = remarks(row)
    first = lines[0] if lines else row["reason"] or ""
    reason = f"type={_attribute(row['reason'] or '')} message={_attribute(first)}"
    body = _text("\n".join(lines))
    if row["outcome"] == "failure":
        return f"<error {reason}>{body}</error>"
    match row["standing"]:
        case Standing.BLOCKED:
            return f"<failure {reason}>{body}</failure>"
        case Standing.NOT_JUDGED:
            return f"<skipped message={_attribute(first)}/>"
        case _:
            return f"<system-out>{body}</system-out>" if body else ""


def _attribute(text: str) -> str:
    return quoteattr(_shown(text))


def _text(text: str) -> str:
    return escape(_shown(text))


def _shown(text: str) -> str:
    """What is not seen as escapes, so that two names stay two test cases."""
    return _NO_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", visible(text))
