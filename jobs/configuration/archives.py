"""Folders that a configuration has twice: what is written there, a source reads."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from connectors.registry import Connector
from discovery.patterns import steady
from jobs.configuration.loader import RunConfig

_ARCHIVE = "archive"


def tell_read_archives(config: RunConfig) -> Iterator[str]:
    """A sentence for each archive that is written where one is read; follows links of folders."""
    read = _folders(config.sources)
    for target, written in _folders(config.targets).items():
        for source, folder in read.items():
            if written.is_relative_to(folder):
                yield (
                    f"The target {target} writes into a folder that the source {source} reads: its"
                    " next crawl finds what is written there, too."
                )


def _folders(connectors: Mapping[str, Connector]) -> dict[str, Path]:
    """Where the archives among some sources or targets are, those of this machine."""
    return {
        name: Path(os.path.realpath(steady(connector.options.path)[0]))
        for name, connector in connectors.items()
        if connector.kind == _ARCHIVE and "://" not in connector.options.path
    }
