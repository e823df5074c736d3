"""The archive as a recording: each raw object behind the head that says where it was crawled."""

from collections.abc import Mapping

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from connectors.clients.lines import CrawlOrigin
from connectors.registry import Connector
from discovery import folds
from discovery.ports import RecordedSource, RegionalSource
from jobs.console import command


def archive_lines(outcomes: DataFrame, sources: Mapping[str, Connector]) -> DataFrame:
    """The lines of an archive: what was fetched, with its source, fold and region."""
    pairs: list[Column] = []
    for name, connector in sources.items():
        pairs += [f.lit(name), f.lit(_find_origin(name, connector).head())]
    head = f.create_map(*pairs)[f.col("source")]
    line = f.concat(head, f.expr("substring(raw, 2)"))  # without the brace, which the head has
    return outcomes.where("raw <> ''").select(line.alias("line"))


def say_what_lacks(sources: Mapping[str, Connector]) -> None:
    """Say of each source that replays a recording what that does not tell."""
    for name, connector in sources.items():
        with connector.source() as source:
            if isinstance(source, RecordedSource) and (lacks := source.lacks()):
                command.say(f"{name}: {lacks}")


def _find_origin(name: str, connector: Connector) -> CrawlOrigin:
    with connector.source() as source:
        region = source.region if isinstance(source, RegionalSource) else None
        return CrawlOrigin(name, connector.kind, folds.name_of(source.fold), region or None)
