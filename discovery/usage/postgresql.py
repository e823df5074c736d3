"""PostgreSQL's log (18, recorded) in its three forms: lines, CSV and JSON.

`log_statement` has a message for each statement before it runs: `statement: …`, or
`execute <name>: …` where it comes with parameters, which stand in DETAIL and are not read. With
`log_min_duration_statement` it is `duration: … ms  statement: …` afterwards, and only of slow ones;
where both are on, the text is in the first alone. That of EXECUTE has the PREPARE as its detail.
`log_statement = mod` has no SELECT, so only a SELECT shows that a log has a day.
Lines of a message after its first begin with a tab; CSV has them within quotes. At a reload that
turns CSV or JSON on, the server writes a message of that form into the file of lines, before it has
made the other one (15.18).
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any, Final, NamedTuple

from discovery.errors import ConfigurationError
from discovery.usage.model import (
    Lines,
    Logged,
    Parse,
    Query,
    Reader,
    Unreadable,
    as_object,
    in_utc,
    logged_line,
    of_milliseconds,
    text,
)
from discovery.usage.statements import of_reading, prepared

_OURS: Final = "belvedere"
"""What our own connections say as their `application_name`."""
_STATEMENT: Final = re.compile(
    r"(?P<slow>duration: [\d.]+ ms  )?(?:statement|execute (?!fetch from )[^\n]*?): ", re.DOTALL
)
_UNLIKE: Final = re.compile(
    r"(?:\S{1,40} ?(?:\S{1,60} ?)?: ?)?(?:select|with|insert|update|delete|merge)\s"
    r"|(?:\S{1,60} ){1,2}select\s|execute (?!fetch from )"
    r"|duration: .{0,60}(?:statement|execute (?!fetch from )\S{1,60}): ",
    re.IGNORECASE,
)
"""A statement behind other words than those above: `lc_messages` translates them."""
_SWALLOWED: Final = re.compile(r"LOG:  (?:duration: [\d.]+ ms  )?(?:statement|execute \S+): ")
"""The begin of a statement that has lost the end of the line before it."""
_ELSEWHERE: Final = re.compile(
    rb"(?:(?!statement|execute|duration).)*"
    rb"(?:LOG:  ending log output to stderr"
    rb"|HINT:  Future log output will go to log destination \"[a-z,]+\"\.)"
)
"""What a server that writes no lines puts into their file first: its prefix need not be known."""
_LEVELS: Final = frozenset(
    (
        *("DEBUG", "DEBUG1", "DEBUG2", "DEBUG3", "DEBUG4", "DEBUG5", "INFO", "NOTICE", "WARNING"),
        *("ERROR", "LOG", "FATAL", "PANIC", "DETAIL", "HINT", "QUERY", "CONTEXT", "LOCATION"),
        *("BACKTRACE", "STATEMENT"),
    )
)
"""What a message may be (`elog.c`); another word is a translation of one, or damage."""
_TIMES: Final = {"m", "t", "n"}
_SECONDS: Final = re.compile(r"[0-9]+(?:\.[0-9]*)?")
_ESCAPES: Final = {
    "m": r"(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+(?: \S+)?)",
    "t": r"(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: \S+)?)",
    "n": r"(?P<time>\d+\.\d+)",
    "u": r"(?P<user>.*?)",
    "d": r"(?P<database>.*?)",
    "a": r"(?P<application>.*?)",
    "p": r"\d+",
    "%": "%",
}
_ESCAPE: Final = re.compile(r"%(-?\d*)([a-zA-Z%])")
_LEVEL: Final = r"(?P<level>[A-Z]+\d?):  +(?P<message>.*)"
_MOST: Final = 20_000
"""Lines of a message that are looked at."""
csv.field_size_limit(64 * 1024 * 1024)  # a statement may be longer than 128 KiB
_LOG: Final = "LOG"
_DETAIL_LEVEL: Final = "DETAIL"
_PREPARED: Final = "prepare: "
_NO_MESSAGE: Final = "is no message of this form of the log"
_NO_ENGLISH: Final = "is not in English, or damaged: a statement cannot be told from others"
_JSON: Final = (
    *("error_severity", "message", "detail", "timestamp", "user", "dbname", "application_name"),
)
_CSV_RECORD: Final = re.compile(
    rb"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \S+,(?:\"[^\"]*\")?,(?:\"[^\"]*\")?,\d+,"
)
_TIME, _USER, _DATABASE, _LEVEL_AT, _STATE = 0, 1, 2, 11, 12
_MESSAGE, _DETAIL, _APPLICATION = 13, 14, 22
"""Columns of CSV, from 0; the same since PostgreSQL 9."""
_SQLSTATE: Final = re.compile(r"[0-9A-Z]{5}")
_MOST_COLUMNS: Final = 40
"""PostgreSQL 14 to 18 have 26; two records on one line have twice as many."""


def reader(path: str, prefix: str, zone: tzinfo, parse: Parse) -> Reader:
    """What reads a file, by the end of its name: `.csv`, `.json`, or lines.

    Args:
        path: Of the file, without what its compression has added.
        prefix: `log_line_prefix` of the server.
        zone: Of times that do not say theirs.
        parse: Reads JSON.
    """
    if path.endswith(".csv"):
        return lambda lines: _read_csv(lines, zone)
    if path.endswith(".json"):
        return lambda lines: _read_json(lines, zone, parse)
    pattern = prefix_pattern(prefix)
    return lambda lines: _read_lines(lines, pattern, zone, parse)


def prefix_pattern(prefix: str) -> re.Pattern[str]:
    """What a line with this `log_line_prefix` looks like.

    Raises:
        ConfigurationError: It has no time.
    """
    pieces, at, ends = [], 0, 0
    for match in _ESCAPE.finditer(prefix):
        pieces.append(re.escape(prefix[at : match.start()]))
        at = match.end()
        if match[2] == "q":  # processes without a session stop here
            pieces.append("(?:")
            ends += 1
            continue
        padded = r" *" if match[1] else ""
        pieces.append(padded + _ESCAPES.get(match[2], r".*?") + padded)
    pieces.append(re.escape(prefix[at:]))
    if not any(escape[2] in _TIMES for escape in _ESCAPE.finditer(prefix)):
        hint = "add %m to log_line_prefix, or log as jsonlog or csvlog"
        raise ConfigurationError(f"log_line_prefix {prefix!r} has no time", hint=hint)
    return re.compile("".join(pieces) + ")?" * ends + _LEVEL, re.DOTALL)


class _LoggedMessage(NamedTuple):
    """A message of the log; one without a level is no message of this layout."""

    line: int
    lines: int
    level: str | None
    message: str = ""
    detail: str = ""
    time: str = ""
    user: str | None = None
    database: str | None = None
    application: str | None = None


def _read_lines(
    lines: Lines, pattern: re.Pattern[str], zone: tzinfo, parse: Parse
) -> Iterator[Logged]:
    held: _LoggedMessage | None = None
    for logged_message in _messages(lines, pattern, parse):
        if logged_message.level == _DETAIL_LEVEL and held is not None:
            held = held._replace(
                lines=held.lines + logged_message.lines, detail=logged_message.message
            )
            continue
        if held is not None:
            yield _entry(held, zone)
        held = logged_message
    if held is not None:
        yield _entry(held, zone)


def _messages(lines: Lines, pattern: re.Pattern[str], parse: Parse) -> Iterator[_LoggedMessage]:
    first, held, is_open = 0, list[bytes](), False
    for number, line in lines:
        goes_on = line.startswith(b"\t") or (is_open and not _begins_message(line, pattern))
        if held and (not goes_on or len(held) >= _MOST):
            yield _message(first, held, pattern, parse)
            held, is_open = [], False
        if not held:
            first = number
        held.append(line)
        if is_open or (len(held) == 1 and _is_csv(line, pattern)):
            is_open ^= line.count(b'"') % 2 == 1
    if held:
        yield _message(first, held, pattern, parse)


def _begins_message(line: bytes, pattern: re.Pattern[str]) -> bool:
    is_line = pattern.match(line.decode("utf-8", "replace")) is not None
    return is_line or _CSV_RECORD.match(line) is not None


def _is_csv(line: bytes, pattern: re.Pattern[str]) -> bool:
    """Whether a record of CSV begins; a prefix may look like one."""
    is_record = _CSV_RECORD.match(line) is not None
    return is_record and pattern.match(line.decode("utf-8", "replace")) is None


def _message(
    first: int, held: Sequence[bytes], pattern: re.Pattern[str], parse: Parse
) -> _LoggedMessage:
    match = pattern.fullmatch(b"\n".join(held).decode("utf-8", "replace"))
    if match is None:
        return _of_another_form(first, held, parse)
    groups = match.groupdict()
    session = [text(groups.get(name)) for name in ("user", "database", "application")]
    level, message, time = groups["level"], groups["message"], groups["time"]
    return _LoggedMessage(first, len(held), level, message, "", time, *session)


def _of_another_form(first: int, held: Sequence[bytes], parse: Parse) -> _LoggedMessage:
    """A message in CSV or JSON, or what says that others follow elsewhere."""
    if _CSV_RECORD.match(held[0]) and (record := _of_csv(first, held)) is not None:
        return record
    if held[0].startswith(b"{") and not isinstance(
        document := as_object(held[0], parse), Unreadable
    ):
        logged = _of_json(first, document)
        if logged is not None:
            return logged._replace(lines=len(held))
    level = _LOG if len(held) == 1 and _ELSEWHERE.fullmatch(held[0]) else None
    return _LoggedMessage(first, len(held), level)


def _read_json(lines: Lines, zone: tzinfo, parse: Parse) -> Iterator[Logged]:
    for number, line in lines:
        document = as_object(line, parse)
        if isinstance(document, Unreadable):
            yield logged_line(number, document)
            continue
        logged = _of_json(number, document)
        yield _entry(logged, zone) if logged else logged_line(number, Unreadable(_NO_MESSAGE))


def _of_json(number: int, document: Mapping[str, Any]) -> _LoggedMessage | None:
    """A message; None: it is none of this layout."""
    level, *values = (text(document.get(name)) for name in _JSON[:4])
    if level is None or values[0] is None:
        return None
    session = (text(document.get(name)) for name in _JSON[4:])
    return _LoggedMessage(number, 1, level, *(value or "" for value in values), *session)


def _read_csv(lines: Lines, zone: tzinfo) -> Iterator[Logged]:
    for first, held in _records(lines):
        logged = _of_csv(first, held)
        if logged is None:
            yield Logged(first, len(held), Unreadable(_NO_MESSAGE))
        else:
            yield _entry(logged, zone)


def _of_csv(first: int, held: Sequence[bytes]) -> _LoggedMessage | None:
    """A message; None: it is none of this layout."""
    record = b"\n".join(held).decode("utf-8", "replace")
    try:
        (row,) = csv.reader([record], strict=True)
    except (csv.Error, ValueError):
        return None
    if not _is_record(row):
        return None
    session = (text(row[number]) for number in (_USER, _DATABASE, _APPLICATION))
    values = (row[number] for number in (_LEVEL_AT, _MESSAGE, _DETAIL, _TIME))
    return _LoggedMessage(first, len(held), *values, *session)


def _is_record(row: Sequence[str]) -> bool:
    """Whether the columns of a message stand where they are to be, as far as these show it."""
    if not _APPLICATION < len(row) <= _MOST_COLUMNS:
        return False
    return _SQLSTATE.fullmatch(row[_STATE]) is not None and row[_MESSAGE] not in {"", row[_STATE]}


def _records(lines: Lines) -> Iterator[tuple[int, list[bytes]]]:
    """Lines that are one record: as long as a quote is open, and what follows is none itself."""
    first, held, is_open = 0, list[bytes](), False
    for number, line in lines:
        if held and (not is_open or len(held) >= _MOST or _CSV_RECORD.match(line)):
            yield first, held
            held, is_open = [], False
        if not held:
            first = number
        held.append(line)
        is_open ^= line.count(b'"') % 2 == 1
    if held:
        yield first, held


def _entry(logged: _LoggedMessage, zone: tzinfo) -> Logged:
    return Logged(logged.line, logged.lines, _query(logged, zone))


def _query(logged: _LoggedMessage, zone: tzinfo) -> Query | Unreadable | None:
    match = _STATEMENT.match(logged.message) if logged.level == _LOG else None
    if why := _why_unreadable(logged, is_statement=match is not None):
        return Unreadable(why)
    if match is None or logged.application == _OURS:
        return None
    written = logged.message[match.end() :]
    if logged.detail.startswith(_PREPARED):
        written = prepared(logged.detail[len(_PREPARED) :])
    sql = of_reading(written)
    if sql is None:
        return None
    time = _moment(logged.time, zone)
    if time is None:
        return Unreadable("is a statement without its time")
    return Query(
        time,
        logged.user,
        logged.database,
        sql=sql.text,
        tells_all=sql.tells_all,
        is_sampled=match["slow"] is not None,
        shows_reads=sql.is_select,
    )


def _why_unreadable(logged: _LoggedMessage, *, is_statement: bool) -> str:
    """Why a message may have a statement that cannot be read; empty: it has none, or can be."""
    if logged.level is None:
        return _NO_MESSAGE
    may_be_one = logged.level == _LOG and not is_statement
    if logged.level not in _LEVELS or (may_be_one and _UNLIKE.match(logged.message)):
        return _NO_ENGLISH
    return "goes on with another message" if _SWALLOWED.search(logged.message) else ""


def _moment(written: str, zone: tzinfo) -> datetime | None:
    if _SECONDS.fullmatch(written):  # %n: seconds since 1970
        return of_milliseconds(float(written) * 1000)
    return in_utc(written, zone)
