"""Spark's event log (4.3, recorded): one event a line, each application in a file or folder.

The SQL text is not in it, and `spark.sql.ui.explainMode` decides whether views are: by default,
`formatted`, the plan has tables only; with `extended` its analyzed part has a node for each view,
`View (`catalog`.`schema`.`name`, [columns])`, deeper than that of the view that reads it. Where the
description of an execution is its statement, as `spark-sql` and the Thrift server have it, that is
read. Of any other execution the log does not say which views it reads; nor of one whose plan is cut
off (`spark.sql.maxPlanStringLength`; 4.3) before the end of its analyzed part, or whose description
is as long as it may be (`spark.sql.event.truncate.length`, without a mark where it is cut; 4.3).

An execution within another, as the INSERT of a CREATE TABLE AS, is counted with that one. What
reads a DataFrame as an RDD (`df.rdd`, `df.foreach`) is no execution: there is only a job that scans
a table, and no word of views.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from discovery.ports import Name
from discovery.usage.model import (
    Lines,
    Logged,
    Parse,
    Query,
    Unreadable,
    as_object,
    logged_line,
    of_milliseconds,
    text,
)
from discovery.usage.statements import of_reading

_EXECUTION: Final = b"SparkListenerSQLExecutionStart"
_APPLICATION: Final = b"SparkListenerApplicationStart"
_OPERATION: Final = b"SparkListenerThriftServerOperationStart"
_ENVIRONMENT: Final = b"SparkListenerEnvironmentUpdate"
_LONGEST: Final = "spark.sql.event.truncate.length"
_JOB: Final = b"SparkListenerJobStart"
_OF_EXECUTION: Final = b'"spark.sql.execution.id":'
_TABLE_SCAN: Final = re.compile(
    rb'\\"name\\":\\"(?:BatchScan |Scan (?!\w+ ?\\"))(?!ExistingRDD|OneRowRelation)'
)
"""The scope of an RDD that is a scan of a table; of files that are not one, nothing is named."""
_WANTED: Final = (_EXECUTION, _APPLICATION, _OPERATION, _ENVIRONMENT)
_NAMED_EVENT: Final = re.compile(rb'\{"Event":"[^"]')
_NAME_WITHIN: Final = 120
"""Bytes at the beginning of a line that have the event's name: Spark writes it first."""
_ANALYZED: Final = "== Analyzed Logical Plan =="
_OPTIMIZED: Final = "== Optimized Logical Plan =="
_CUT_OFF: Final = re.compile(
    r"\.\.\. -?\d+ more characters\s*\Z|\ATruncated plan of \d+ characters\s*\Z"
)
"""How a plan ends that is longer than it may be (`PlanStringConcat`), or all that is left of it."""
_VIEW: Final = re.compile(r"^([ :|+-]*)View \(((?:`(?:[^`]|``)*`\.?)+), \[", re.MULTILINE)
_PART: Final = re.compile(r"`((?:[^`]|``)*)`")
_NOT_READING: Final = re.compile(
    r"\n(?:[^\n]*\n)?(?:CreateViewCommand|AlterViewAsCommand|ExplainCommand|Describe[A-Z]\w*) "
)
"""The root of a plan, below its columns if it has some: a text within may be like that."""
_SCANS: Final = re.compile(r"\bScan (?!OneRowRelation)")
_NAMES: Final = re.compile(
    r"\b(?:from|join|into|table|using|identifier)\b|^\s*update\b.*\bset\b",
    re.IGNORECASE | re.DOTALL,
)
"""The words before the names of tables: a text without them is none of a plan that scans some."""
_CALL_SITE: Final = re.compile(r"\w+ at \S+:\d+")


class EventLog:
    """Reads the event log of an application, from its first file on.

    Args:
        parse: Reads JSON.
        is_compacted: Whether Spark has taken executions that had ended out of it
            (`spark.history.fs.eventLog.rolling.maxFilesToRetain`).
    """

    def __init__(self, parse: Parse, *, is_compacted: bool = False) -> None:
        self._parse = parse
        self._is_compacted = is_compacted
        self._user: str | None = None
        self._longest = sys.maxsize  # UTF-16 units of a description
        self._users: dict[str, str | None] = {}  # of the Thrift server's statements

    def read(self, lines: Lines) -> Iterator[Logged]:
        """What the lines of a file come to."""
        for number, line in lines:
            head = line[:_NAME_WITHIN]
            is_event = _NAMED_EVENT.match(head) is not None and line.endswith(b"}")
            is_wanted = any(name in head for name in _WANTED) or _is_untold(head, line)
            if is_event and not is_wanted:
                yield logged_line(number, None)
                continue
            event = as_object(line, self._parse)
            yield logged_line(
                number, event if isinstance(event, Unreadable) else self._take(event, line)
            )

    def _take(self, event: Mapping[str, Any], line: bytes) -> Query | Unreadable | None:
        stated = text(event.get("Event"))
        if stated is None:
            return Unreadable("is no event")
        name = stated.encode("utf-8", "replace")
        if name.endswith(_EXECUTION):
            return self._execution(event)
        if _is_untold(name, line):
            time = of_milliseconds(event.get("Submission Time"))
            return Query(time, self._user) if time else Unreadable("is a job without its time")
        if name.endswith(_OPERATION):
            self._users[str(event.get("groupId"))] = text(event.get("userName"))
        elif name.endswith(_ENVIRONMENT):
            self._longest = _longest_description(event.get("Spark Properties"))
        elif name.endswith(_APPLICATION):
            self._user = text(event.get("User"))
            began = of_milliseconds(event.get("Timestamp"))
            if self._is_compacted and began is not None:
                return Query(began, self._user)
        return None

    def _execution(self, event: Mapping[str, Any]) -> Query | Unreadable | None:
        own, root = event.get("executionId"), event.get("rootExecutionId")
        if type(own) is type(root) is int and own != root:
            return None
        time = of_milliseconds(event.get("time"))
        if time is None:
            return Unreadable("is an execution without its time")
        user = self._users.get(str(event.get("jobGroupId")), self._user)
        plan = event.get("physicalPlanDescription")
        if not isinstance(plan, str):
            return Unreadable("is an execution without its plan")
        if not plan:  # its analysis has failed
            return None
        _, mark, after = plan.partition(_ANALYZED)
        if mark:
            analyzed, ended, _ = after.partition(_OPTIMIZED)
            is_whole = bool(ended) or not _CUT_OFF.search(plan)
            return _planned(Query(time, user, tells_all=is_whole), analyzed)
        description = text(event.get("description")) or ""
        units = len(description.encode("utf-16-le", "surrogatepass")) // 2
        return _described(Query(time, user), description, plan, may_be_cut=units >= self._longest)


def _is_untold(name: bytes, line: bytes) -> bool:
    """Whether a line is a job outside every execution that scans a table, maybe of a view."""
    return _JOB in name and _OF_EXECUTION not in line and _TABLE_SCAN.search(line) is not None


def _planned(query: Query, analyzed: str) -> Query | None:
    """The query with the views of its plan; None: it is about views, and reads none."""
    if _NOT_READING.match(analyzed):
        return None
    named, below = _views(analyzed)
    return replace(query, named=named, below=below)


def _longest_description(settings: object) -> int:
    """UTF-16 units of a description that is not cut, as the settings of an application say."""
    stated = text(settings.get(_LONGEST)) if isinstance(settings, Mapping) else None
    return int(stated) if stated is not None and stated.isdecimal() else sys.maxsize


def _described(query: Query, description: str, plan: str, *, may_be_cut: bool) -> Query | None:
    """The query with its text, where the description is one; None: it reads nothing.

    A description is whatever the application says: only a plan that scans nothing, to its end, is
    believed to be of a statement that reads nothing, and of a text that only begins as one does.
    """
    if not description or _CALL_SITE.fullmatch(description):
        return query
    sql = of_reading(description)
    scans = _SCANS.search(plan) is not None or _CUT_OFF.search(plan) is not None
    if sql is None:
        return query if scans else None
    names_none = scans and not _NAMES.search(description)
    tells_all = sql.tells_all and sql.is_statement and not (names_none or may_be_cut)
    return replace(query, sql=sql.text, tells_all=tells_all)


def _views(analyzed: str) -> tuple[tuple[Name, ...], tuple[Name, ...]]:
    """The views that a plan names, and those within them; temporary views have one part."""
    named: dict[Name, None] = {}
    below: dict[Name, None] = {}
    within: list[int] = []  # how deep the views stand in which the next one is
    for match in _VIEW.finditer(analyzed):
        depth = len(match[1])
        while within and within[-1] >= depth:
            within.pop()
        name = tuple(part.replace("``", "`") for part in _PART.findall(match[2]))
        if len(name) > 1:
            (below if within else named)[name] = None
            within.append(depth)
    return tuple(named), tuple(below)
