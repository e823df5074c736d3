"""What executors run for `doctor`: they reach each system as a crawl or a migration would.

Imports neither pydantic nor the configuration.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

import pyarrow as pa

from connectors.clients.credentials import redacted
from connectors.registry import Connector
from discovery.errors import BelvedereError
from discovery.event_log import LoggedSource, SignalledSource
from discovery.outcomes import Failure
from discovery.rewriting import Rewriting
from discovery.rights.model import Grant, GrantSource, Membership
from jobs.crawling.workers import guard_listing
from jobs.warehouse.rows import ArrowFunction, to_batches

SOURCE: Final = "source"
TARGET: Final = "target"
REACHED: Final = pa.schema(
    [("what", pa.string()), ("told", pa.string()), ("hint", pa.string()), ("failed", pa.bool_())]
)


_RIGHTS: Final = 10_000
"""Rights that are heard: tables that may not be read are asked one after the other."""


class Reached(NamedTuple):
    """What came of reaching a system.

    Attributes:
        what: `source` or `target`, and its name.
        told: What it says of itself, or why it cannot be reached.
        hint: What to do.
        failed: Whether it cannot be reached.
    """

    what: str
    told: str
    hint: str
    failed: bool


def reach(what: str, connector: Connector) -> Reached:
    """Reach a source or a target. Does I/O.

    Args:
        what: `source` or `target`, and its name.
        connector: Of it.
    """
    try:
        with connector.source() if what.startswith(SOURCE) else connector.store() as system:
            probe = system.probe()
    except BelvedereError as error:
        message, hint = (redacted(text, connector.secrets) for text in (str(error), error.hint))
        return Reached(what, message, hint, failed=True)
    moved = Rewriting.of(getattr(connector.options, "rewrite", {})).sentences()
    message = "; ".join((probe.version, *moved))
    return Reached(what, message, "; ".join(probe.problems), failed=False)


def read_events(what: str, connector: Connector) -> Reached | None:
    """Whether a crawl can follow what a source tells of changes; None: it tells none. Does I/O.

    Args:
        what: What it is called.
        connector: Of the source.
    """
    try:
        with connector.source() as source:
            if isinstance(source, LoggedSource):
                return Reached(what, f"up to event {source.mark().id:,}", "", failed=False)
            if not isinstance(source, SignalledSource):
                return None
            source.check_signals()
            return Reached(what, "its database makes digests of entries", "", failed=False)
    except BelvedereError as error:
        message, hint = (redacted(text, connector.secrets) for text in (error.message, error.hint))
        return Reached(what, f"each crawl reads all: {message}", hint, failed=False)


def ask_grants(what: str, connector: Connector) -> Reached | None:
    """Whether a source tells who may do what; None: sources of its kind are not asked. Does I/O.

    Args:
        what: What it is called.
        connector: Of the source.
    """
    with connector.source() as source:
        if not isinstance(source, GrantSource):
            return None
        answers: Iterator[Grant | Membership | Failure] = guard_listing(source.grants)
        for answer in islice(answers, _RIGHTS):
            if isinstance(answer, Failure):
                texts = (answer.message, answer.hint)
                message, hint = (redacted(text, connector.secrets) for text in texts)
                return Reached(what, f"a crawl is not told all: {message}", hint, failed=True)
    return Reached(what, "are told", "", failed=False)


def reach_all(connectors: Mapping[str, Connector]) -> ArrowFunction:
    """What reaches systems: rows with what they are in, rows of `REACHED` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            names = batch.column("source").to_pylist()
            yield from to_batches((reach(name, connectors[name]) for name in names), REACHED)

    return run
