"""The reference of the ports, in memory: what the contract tests hold every connector against."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from discovery.functions import Function
from discovery.migration.changes import settle
from discovery.migration.namespaces import NamespaceEdit
from discovery.model import Identifier, Schema, View
from discovery.outcomes import Failure, Kind, Listed, RawObject
from discovery.ports import (
    Action,
    Applied,
    Change,
    CrawlTask,
    Held,
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
            raw_object = self.objects.get(listed)
            if raw_object is not None:
                yield raw_object

    def load_tables(self, names: Sequence[Identifier]) -> Iterator[RawObject | Failure]:
        """The tables among the objects."""
        wanted = set(names)
        for listed, object_ in self.objects.items():
            if listed.kind is Kind.TABLE and listed.identifier in wanted and object_ is not None:
                yield object_

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

    def listing(self) -> Iterator[Listed]:
        """Schemas, then views."""
        for levels in self.schemas:
            yield Listed(levels, "", Kind.NAMESPACE)
        for place in self.views:
            yield Listed(place.namespace, place.name)

    def present(self, wanted: Sequence[Identifier]) -> Iterator[View]:
        """Those of the wanted views that are there."""
        return (self.views[identifier] for identifier in wanted if identifier in self.views)

    def hold(self, view: View) -> Held:
        """As it is: nothing is lost here."""
        return Held(view)

    def may_create(self, namespace: tuple[str, ...]) -> bool:  # noqa: ARG002 - nobody is refused
        """Anybody may."""
        return True

    def lacking(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Those that are not kept."""
        return tuple(levels for levels in namespaces if levels not in self.schemas)

    def prepare(self, schemas: Sequence[Schema]) -> tuple[tuple[str, ...], ...]:
        """Keep the schemas that are new, and those above them."""
        before = set(self.schemas)
        for schema in schemas:
            for depth in range(1, len(schema.levels)):
                above = schema.levels[:depth]
                self.schemas.setdefault(above, replace(schema, levels=above))
            self.schemas.setdefault(schema.levels, schema)
        return tuple(levels for levels in self.schemas if levels not in before)

    def namespaces(self, wanted: Sequence[tuple[str, ...]]) -> Iterator[Schema]:
        """Those that are kept."""
        return (self.schemas[levels] for levels in wanted if levels in self.schemas)

    def amend(self, edit: NamespaceEdit) -> bool:
        """Keep it with other fields."""
        schema = self.schemas.get(edit.levels)
        if not edit.is_to_do(schema) or schema is None:
            return False
        self.schemas[edit.levels] = edit.amended(schema)
        return True

    def remove(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Remove those that hold nothing."""
        left = []
        for levels in sorted(namespaces, key=len, reverse=True):
            below = (
                schema
                for schema in self.schemas
                if schema[: len(levels)] == levels and schema != levels
            )
            if any(below) or any(place.namespace == levels for place in self.views):
                left.append(levels)
            else:
                self.schemas.pop(levels, None)
        return tuple(left)

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        """Write what is neither there already nor changed by somebody else."""
        for change in changes:
            yield self._apply(change)

    def _apply(self, change: Change) -> Applied:
        place = change.view.identifier
        new = Identifier(place.namespace, change.new_name) if change.new_name else place
        at_new_name = self.views.get(new) if change.new_name else None
        answer = settle(change, self.views.get(place), at_new_name)
        if answer is not None:
            return answer
        self.views.pop(place, None)
        if change.action is not Action.DROP:
            self.views[new] = replace(change.view, identifier=new)
        return Applied(place, change.action)
