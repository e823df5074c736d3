"""Source `hms-database`: a Hive Metastore, read out of its own database.

The same raw objects as `hms`, without the server: so nobody asks what the metastore's authorization
lets us see.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import chain
from typing import Final

from connectors.clients.metastore_source import EntrySource
from connectors.hms_database.client import BackingDatabase
from connectors.hms_database.options import Options
from connectors.hms_database.signals import Share
from connectors.hms_database.tables import OF_VIEWS
from discovery.display import quantity
from discovery.errors import BelvedereError, DeniedError
from discovery.outcomes import Failure, Kind, Listed
from discovery.ports import Probe
from discovery.rights import hive
from discovery.rights.model import Grant, Membership

__all__ = ["BYPASS", "MetastoreDatabase", "Options"]

BYPASS: Final = (
    "bypasses the metastore's authorization: all of its objects are seen, "
    "whoever may see them over Thrift"
)


class MetastoreDatabase(EntrySource[BackingDatabase]):
    """A metastore's own database as a source of views; it can also say what its tables are."""

    bypasses = BYPASS

    def __init__(self, options: Options) -> None:
        super().__init__(options, BackingDatabase(options))
        self._options = options

    def list_with_signals(self) -> Iterator[Listed | Failure]:
        """The listing; each object that is read with a digest that its database makes."""
        place: tuple[str, ...] = ()
        signals: dict[str, str] = {}
        with self._open_signals() as signals_of:
            for item in self.listing():
                if isinstance(item, Failure) or item.kind is Kind.NAMESPACE:
                    yield item
                    continue
                if item.namespace != place:  # one with a nameless object is listed as a failure
                    place, signals = item.namespace, signals_of(item.namespace[0])
                yield replace(item, signal=signals.get(item.name, ""))

    def check_signals(self) -> None:
        """See whether its database makes digests."""
        self._client.check_signals()

    @contextmanager
    def _open_signals(self) -> Iterator[Callable[[str], dict[str, str]]]:
        """What asks for the digests of a database, on all connections that a crawl may have.

        It has none for a database where they cannot be made: then all of it is read.
        """
        others = [BackingDatabase(self._options) for _ in range(1, self.connections)]
        clients = [self._client, *others]
        shares = [Share(rest, len(clients)) for rest in range(len(clients))]
        with ExitStack() as stack:
            for client in others:
                stack.callback(client.close)
            pool = stack.enter_context(ThreadPoolExecutor(len(clients), "digests"))

            def signals(database: str) -> dict[str, str]:
                answers = [
                    pool.submit(client.signals, database, share)
                    for client, share in zip(clients, shares, strict=True)
                ]
                wait(answers)  # all: the listing goes on with one of these clients
                try:
                    return dict(chain.from_iterable(answer.result().items() for answer in answers))
                except BelvedereError:
                    return {}

            yield signals

    def catalogs(self) -> list[str]:
        """The names of the metastore's catalogs, sorted."""
        return self._client.catalogs()

    def probe(self) -> Probe:
        """Connect, look at the version and whether all tables may be read.

        Raises:
            DeniedError: Some may not; the hint is what grants it.
        """
        version, session = self._client.version(), self._client.session
        if lacking := session.find_denied(OF_VIEWS):
            names = ", ".join(table.name for table in lacking)
            raise DeniedError(f"SELECT is missing on {names}", hint=session.grant(lacking))
        summary = f"tables of {version} in {session.database}"
        return Probe(f"{summary}, {quantity(len(self._client.databases()), 'database')}", (BYPASS,))

    def grants(self) -> Iterator[Grant | Membership]:
        """All that the metastore keeps; whether an engine heeds them is not known to it."""
        for stated in self._client.privileges():
            if (grant := hive.grant(stated)) is not None:
                yield grant
        yield from map(hive.membership, self._client.members())
