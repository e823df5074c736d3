"""HiveServer2's own log: a line for each statement that its driver executes.

`Executing command(queryId=…): <statement>`, of the level INFO, is known from published logs (2017
to 2025); no HiveServer2 was run. What follows up to the next line with a time belongs to the
statement. The layout before the message is the administrator's; that of Hive's own
`hive-log4j2.properties` begins with the time, `%d{ISO8601}`, without its zone. The user and the
current database are not in the line.
"""

import re
from collections.abc import Iterator
from datetime import tzinfo
from typing import Final

from discovery.usage.model import Lines, Logged, Query, Unreadable, in_utc
from discovery.usage.statements import of_reading

_TIME: Final = re.compile(
    rb"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[,.]\d+)?(?:Z|[+-]\d\d:?\d\d)?)\W"
)
_COMMAND: Final = re.compile(rb"(?<!Compiling )command\(queryId=[^)]*\):")
"""What stands before a statement; one that is compiled is executed on a later line, or fails."""
_STATEMENT: Final = re.compile(r"Executing command\(queryId=[^)]*\): ?", re.DOTALL)
_NUL: Final = b"\0"
_MOST: Final = 20_000
"""Lines of a statement that are looked at."""


def read(lines: Lines, zone: tzinfo) -> Iterator[Logged]:
    """What the lines of a log come to."""
    first, held, has_times = 0, list[bytes](), False
    for number, line in lines:
        is_timed = _TIME.match(line) is not None
        has_times |= is_timed
        if held and (is_timed or _begins(line) or len(held) >= _MOST):
            yield _entry(first, held, zone)
            held = []
        if not held:
            first = number
        held.append(line)
    if held and not has_times:  # another layout, or another encoding: there may be statements
        yield Logged(first, len(held), Unreadable("is of a file in which no line has a time"))
    elif held:
        yield _entry(first, held, zone)


def _begins(line: bytes) -> bool:
    """Whether a line without a time that can be read does not go on with the one before it."""
    return _NUL in line or _COMMAND.search(line) is not None


def _entry(first: int, held: list[bytes], zone: tzinfo) -> Logged:
    return Logged(first, len(held), _query(held, zone))


def _query(held: list[bytes], zone: tzinfo) -> Query | Unreadable | None:
    if _NUL in held[0]:  # as a crash of the machine leaves them, or UTF-16
        return Unreadable("has bytes that no text has")
    if not _COMMAND.search(held[0]):
        return None
    stamp = _TIME.match(held[0])
    time = in_utc(stamp[1].decode(), zone) if stamp else None
    if time is None:
        return Unreadable("is a statement without its time")
    _, *written = _STATEMENT.split(b"\n".join(held).decode("utf-8", "replace"), maxsplit=1)
    if not written:
        return Unreadable("is a statement, and does not say what is done with it")
    sql = of_reading(written[0])
    return sql and Query(time, sql=sql.text, tells_all=sql.tells_all)
