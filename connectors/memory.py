"""The reference of the ports, in memory: what the contract tests hold every connector against."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from discovery import wire
from discovery.model import Identifier, Schema, View
from discovery.outcomes import Failure, Kind, Listed, RawObject
from discovery.ports import (
    Applied,
    Change,
    CrawlTask,
    Function,
    Probe,
    ViewSource,
    ViewStore,
)


@dataclass
class MemorySource(ViewSource):
    """Raw objects as a source.

    Attributes:
        objects: What it holds; None is an object that was dropped after it was listed.
        failures: What it cannot list or read.
        known: Functions, and what it cannot list of them.
    """

    objects: Mapping[Listed, RawObject | None] = field(default_factory=dict)
    failures: Sequence[Failure] = ()
    known: Sequence[Function | Failure] = ()
    connections: int = 1
    batch: int = 10

    def close(self) -> None:
        """Nothing was opened."""

    def fold(self, name: str) -> str:
        """Names differ by case."""
        return name

    def probe(self) -> Probe:
        """Always there."""
        return Probe("in memory")

    def listing(self) -> Iterator[Listed | Failure]:
        """Failures, then the objects in their order."""
        yield from self.failures
        yield from self.objects

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
        """What is held; what was dropped gets no answer."""
        for listed in task.objects:
            found = self.objects.get(listed)
            if found is not None:
                yield found

    def load_tables(self, names: Sequence[Identifier]) -> Iterator[RawObject | Failure]:
        """The tables among the objects."""
        wanted = set(names)
        for listed, found in self.objects.items():
            if listed.kind is Kind.TABLE and listed.identifier in wanted and found is not None:
                yield found

    def fold_function(self, name: str) -> str:
        """Names differ by case."""
        return name

    def functions(self) -> Iterator[Function | Failure]:
        """Those that are known."""
        yield from self.known


@dataclass
class MemoryStore(ViewStore):
    """Views as a store: holds everything, loses nothing."""

    views: dict[Identifier, View] = field(default_factory=dict)
    schemas: dict[tuple[str, ...], Schema] = field(default_factory=dict)
    connections: int = 1

    def close(self) -> None:
        """Nothing was opened."""

    def probe(self) -> Probe:
        """Always there."""
        return Probe("in memory")

    def prepare(self, schemas: Sequence[Schema]) -> None:
        """Keep the schemas that are new."""
        for schema in schemas:
            self.schemas.setdefault(schema.levels, schema)

    def present(self, wanted: Sequence[Identifier]) -> Iterator[View]:
        """Those of the wanted views that are there."""
        return (self.views[one] for one in wanted if one in self.views)

    def losses(self, view: View) -> tuple[str, ...]:  # noqa: ARG002 - nothing is lost here
        """Nothing."""
        return ()

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        """Write what differs."""
        for change in changes:
            place = change.view.identifier
            before = self.views.get(place)
            if before is not None and wire.view_text(before)[1] == change.fingerprint:
                yield Applied(place, "keep", before)
                continue
            self.views[place] = change.view
            yield Applied(place, "create" if before is None else "replace", before)
