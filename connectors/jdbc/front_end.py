"""What Doris and StarRocks have in common: a front end that speaks MySQL's protocol, and no more.

Built after their documentation; no real server was met. Only statements that read are sent: neither
has a read-only session.
"""

from collections.abc import Iterator, Sequence

from connectors.jdbc import mysql
from discovery.outcomes import Failure
from discovery.ports import Function


class FrontEnd(mysql.MySQL):
    """A cluster behind MySQL's protocol as a source of views."""

    packet = 1  # whether it takes several statements is not documented
    aggregates_json = False
    has_comments = True

    def functions(self) -> Iterator[Function | Failure]:
        """None: what their catalogs tell of functions is not documented."""
        return iter(())

    def session(self, version: str, timeout: float) -> Sequence[str]:  # noqa: ARG002 - all alike
        """A limit for each query, in seconds."""
        return (f"SET query_timeout = {max(1, round(timeout))}",)
