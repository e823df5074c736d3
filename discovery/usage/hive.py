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
_EXECUTING: Final = b"Executing command(queryId="
_STATEMENT: Final = re.compile(r"Executing command\(queryId=[^)]*\): ?", re.DOTALL)
_MOST: Final = 20_000
"""Lines of a statement that are looked at."""


def read(lines: Lines, zone: tzinfo) -> Iterator[Logged]:
    """What the lines of a log come to."""
    first, held = 0, list[bytes]()
    for number, line in lines:
        if held and (_TIME.match(line) or len(held) >= _MOST):
            yield _entry(first, held, zone)
            held = []
        if not held:
            first = number
        held.append(line)
    if held:
        yield _entry(first, held, zone)


def _entry(first: int, held: list[bytes], zone: tzinfo) -> Logged:
    if _EXECUTING not in held[0]:
        return Logged(first, len(held), None)
    stamp = _TIME.match(held[0])
    time = in_utc(stamp[1].decode(), zone) if stamp else None
    if time is None:
        return Logged(first, len(held), Unreadable("is a statement without its time"))
    message = b"\n".join(held).decode("utf-8", "replace")
    sql = of_reading(_STATEMENT.split(message, maxsplit=1)[-1])
    return Logged(first, len(held), sql and Query(time, sql=sql.text, tells_all=sql.tells_all))
