"""What Doris and StarRocks have in common: a front end that speaks MySQL's protocol, and no more.

Built after their documentation and sources; no real server was met. Only statements that read are
sent: neither has a read-only session. Of a statement that they prepare, StarRocks (3.2 and later)
and Doris (2.1 and later) name the parameters and no columns, and plan it meanwhile: constant calls
of Java functions may be folded. So views are not named in any statement; columns are the catalog's.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from connectors.jdbc import mysql
from discovery.errors import GrantsNotToldError
from discovery.functions import Function
from discovery.outcomes import Failure
from discovery.rights.model import Grant, Membership


class FrontEnd(mysql.MySQL):
    """A cluster behind MySQL's protocol as a source of views."""

    unprepared = "the server names no columns of a query that is only prepared"
    aggregates_json = False
    has_comments = True

    @contextmanager
    def boundary(self) -> Iterator[None]:
        """Nothing of a view is opened, so nothing is to be bounded but the time."""
        with self.watch_connection():
            yield

    def functions(self) -> Iterator[Function | Failure]:
        """None: what their catalogs tell of functions is not documented."""
        return iter(())

    def grants(self) -> Iterator[Grant | Membership | Failure]:
        """None is asked for: their grant tables are not MySQL's.

        Raises:
            GrantsNotToldError: Always.
        """
        raise GrantsNotToldError("rights of Doris and StarRocks are not read")

    def session(self, version: str, timeout: float) -> Sequence[str]:  # noqa: ARG002 - all alike
        """A limit for each query, in seconds."""
        return (f"SET query_timeout = {max(1, round(timeout))}",)
