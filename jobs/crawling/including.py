"""Which objects of a source are asked for, and patterns of `include` that stand for nothing."""

from collections.abc import Iterator, Mapping
from functools import partial

from connectors.registry import Connector
from discovery.crawl_record import CrawlRecord
from discovery.model import dotted
from discovery.outcomes import Stage
from discovery.patterns import Patterns, find_unmatched
from jobs.crawling import tables as rows
from jobs.warehouse.warehouse import Warehouse


def patterns_of(sources: Mapping[str, Connector]) -> dict[str, Patterns]:
    """Which objects of each source are asked for."""
    return {name: source.patterns for name, source in sources.items()}


def asked_of(record: CrawlRecord, sources: Mapping[str, Connector]) -> dict[str, Patterns]:
    """Which objects of each source a run was asked for; of one that is not in it, of none.

    Args:
        record: What the run says of itself.
        sources: As configured; says it where the run does not: an earlier belvedere's.
    """
    noted = {**patterns_of(sources), **record.patterns}
    return {name: noted.get(name, Patterns()) for name in record.sources}


def empty_patterns(
    warehouse: Warehouse, run_id: str, sources: Mapping[str, Connector]
) -> Iterator[str]:
    """A sentence for each pattern that matches nothing of what its source has listed.

    Of a source that could not be listed as a whole nobody knows what it has: nothing is said.
    """
    given = {name: getattr(connector.options, "include", ()) for name, connector in sources.items()}
    if not any(given.values()):
        return
    listed: dict[str, set[str]] = {name: set() for name in sources}
    partly = set()
    for source, namespace, stage in warehouse.count_rows(rows.OBJECTS, run_id, _ASKED):
        listed[source].add(dotted(namespace))
        if stage == Stage.LIST:
            partly.add(source)
    for name in sorted(sources.keys() - partly):
        objects = partial(_read_names, warehouse, run_id, name)
        for pattern, near in find_unmatched(given[name], sorted(listed[name]), objects).items():
            meant = f"; did you mean {near!r}?" if near else ""
            yield f"{name}: include {pattern!r} matches nothing that is listed{meant}"


_ASKED = ("source", "namespace", "stage")


def _read_names(warehouse: Warehouse, run_id: str, source: str) -> Iterator[str]:
    """The dotted names of all objects of a source."""
    columns = ("namespace", "name")
    for row in warehouse.table(rows.OBJECTS, run_id, where={"source": [source]}, columns=columns):
        yield dotted((*row["namespace"], row["name"]))
