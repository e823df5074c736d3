"""Logins that the driver does for the executors, as long as a stage lasts."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from connectors.registry import Connector
from jobs.configuration.loader import RunConfig


@contextmanager
def sources_logged_in(config: RunConfig) -> Iterator[RunConfig]:
    """The configuration as executors get it for its sources: with what the driver got for them.

    A source that needs no such login stays as it is, and nothing is asked of it.
    """
    with ExitStack() as stack:
        yield replace(config, sources=_lend(stack, config.sources))


@contextmanager
def targets_logged_in(config: RunConfig) -> Iterator[RunConfig]:
    """The configuration as executors get it for its targets."""
    with ExitStack() as stack:
        yield replace(config, targets=_lend(stack, config.targets))


def _lend(stack: ExitStack, connectors: Mapping[str, Connector]) -> dict[str, Connector]:
    return {
        name: stack.enter_context(connector.for_executors())
        for name, connector in connectors.items()
    }
