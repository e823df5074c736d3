"""Which of what the catalog of MySQL's family shows no longer is withheld, and not gone.

The catalog has no row of what was dropped, nor of what the user has lost every right on; the server
tells them apart where it is asked for the statement: 1146, 1049 or 1347 where there is none, 1142
or 1044 where it may not be known (MariaDB 10.11).
"""

from collections.abc import Callable, Iterator, Sequence

import pymysql

from connectors.clients import sql
from discovery.chunks import chunks
from discovery.errors import BelvedereError, DeniedError, ReadError, UnreachableError
from discovery.outcomes import Failure, Kind, Listed, Stage

_ANEW = "the catalog did not show it, and the server has it: it was made anew meanwhile"


def find_withheld(
    absent: Sequence[Listed],
    in_flight: int,
    quoted: Callable[..., str],
    ask: Callable[[Sequence[str]], Sequence[object]],
) -> Iterator[Failure]:
    """A failure for each schema and view that is not known to be gone. Does I/O.

    Args:
        absent: What was listed, and what the catalog shows no longer.
        in_flight: How many statements are sent at once.
        quoted: Quotes names.
        ask: Gives the server's answer to each statement, or its error.

    Raises:
        UnreachableError: The connection is lost.
    """
    for chunk in chunks(absent, in_flight):
        statements = [
            f"SHOW CREATE DATABASE {quoted(*listed.namespace)}"
            if listed.kind is Kind.NAMESPACE
            else f"SHOW CREATE VIEW {quoted(*listed.namespace, listed.name)}"
            for listed in chunk
        ]
        for listed, answer in zip(chunk, ask(statements), strict=True):
            if error := _why_withheld(answer):
                yield Failure.of(listed, Stage.READ, error)


def _why_withheld(answer: object) -> BelvedereError | None:
    """Why something is not known to be gone; None: it is.

    Raises:
        UnreachableError: The connection is lost.
    """
    if not isinstance(answer, pymysql.MySQLError):
        return ReadError(_ANEW)
    error = sql.driver_error(answer)
    if isinstance(error, UnreachableError):
        raise error
    return error if isinstance(error, DeniedError) else None
