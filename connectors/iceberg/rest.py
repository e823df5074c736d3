"""Source `iceberg-rest`: the views of an Iceberg REST catalog, through pyiceberg.

pyiceberg signs in (bearer token, OAuth2, SigV4, as its properties say), pages through listings,
asks the server for its separator of namespaces and finds the routes. The view itself is kept as the
server answered: pyiceberg's own model drops fields that it does not know.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from connectors.clients import lines
from connectors.clients.restarts import RestartPatience
from connectors.iceberg.server import (
    Answer,
    CatalogLogin,
    Client,
    IcebergServer,
    StrangerError,
    VanishedError,
)
from discovery.asked import unaskable
from discovery.errors import BelvedereError, DecodeError, ReadError, UnreachableError
from discovery.formats import iceberg_table
from discovery.model import Identifier
from discovery.namespaces import Levels
from discovery.outcomes import Failure, Kind, Listed, RawObject, Stage
from discovery.patterns import Patterns
from discovery.ports import CrawlTask, Probe, ViewSource

_WITHOUT_VIEWS: Final = (
    "A catalog that has no views is said to have none: properties: {view-endpoints-supported: "
    "'false'}."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(CatalogLogin):
    """How to reach and crawl an Iceberg REST catalog.

    Attributes:
        include: Globs over `namespace` and `namespace.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        connections: How many at a time, over all executors.
        batch: How many views make a task.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    connections: int = 4
    batch: int = 100


class RestCatalog(ViewSource):
    """An Iceberg REST catalog as a source of views."""

    def __init__(self, options: Options) -> None:
        self.connections, self.batch = options.connections, options.batch
        self._patterns = Patterns(options.include, options.exclude)
        self.server, self._patience = IcebergServer(options), RestartPatience()

    def close(self) -> None:
        """Close the connections."""
        self.server.close()

    def impatient(self) -> None:
        """Let a server that is away fail at once: who writes has to look what was done."""
        self._patience = RestartPatience(times=0)

    def fold(self, name: str) -> str:
        """Iceberg keeps names as they were given: two may differ only by case."""
        return name

    def probe(self) -> Probe:
        """Ask for the server's configuration and its namespaces."""
        spaces = self.server.ask(lambda client: client.below(()))
        none = "the server says that it has no views"
        problems = () if self.server.ask(lambda client: client.has_views()) else (none,)
        return Probe(f"REST, {len(spaces)} top-level namespaces", problems)

    def listing(self) -> Iterator[Listed | Failure]:
        """Namespaces from the top down, each with what it holds and then those below."""
        return self._list_below(())

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
        """One request for each object; what is refused is one failure."""
        self._patience.expect()
        for listed in task.objects:
            read = self._read_namespace if listed.kind is Kind.NAMESPACE else self.view
            try:
                yield read(listed)
            except UnreachableError:
                raise
            except VanishedError:
                continue
            except BelvedereError as error:
                yield Failure.of(listed, Stage.READ, error)

    def load_tables(self, names: Sequence[Identifier]) -> Iterator[RawObject | Failure]:
        """The current schemas of named tables, one request each; of a view its metadata."""
        self._patience.expect()
        for identifier in sorted(names, key=str):
            listed = Listed(identifier.namespace, identifier.name, Kind.TABLE)
            try:
                yield self._read_table(listed)
            except UnreachableError:
                raise
            except VanishedError:
                continue
            except DecodeError as error:
                yield Failure.of(listed, Stage.DECODE, error)
            except BelvedereError as error:
                yield Failure.of(listed, Stage.READ, error)

    def _list_below(self, parent: Levels) -> Iterator[Listed | Failure]:
        vanished: list[Levels] = []
        for levels in sorted(self._list_children(parent)):
            try:
                yield from self._list_objects(levels)
            except UnreachableError:
                raise
            except VanishedError:
                vanished.append(levels)
                continue
            except BelvedereError as error:
                yield Failure.of(Listed(levels, "", Kind.NAMESPACE), Stage.LIST, error)
            try:
                yield from self._list_below(levels)
            except UnreachableError:
                raise
            except VanishedError:  # so a server without nesting may answer
                continue
            except BelvedereError as error:
                yield Failure.of(Listed((*levels, "*"), "", Kind.NAMESPACE), Stage.LIST, error)
        yield from self._find_lost(vanished, parent)

    def _find_lost(self, vanished: list[Levels], parent: Levels) -> Iterator[Failure]:
        """The namespaces that the server lists still and does not find: nobody has dropped them."""
        children = self._list_children(parent) if vanished else ()
        error = ReadError(
            "the server lists it, and does not find it", hint="does a proxy decode its name?"
        )
        for levels in vanished:
            if levels in children:
                yield Failure.of(Listed(levels, "", Kind.NAMESPACE), Stage.LIST, error)

    def _list_children(self, parent: Levels) -> list[Levels]:
        """Direct children: a server without nesting may answer with anything else."""
        if unaskable(Listed(parent, "")):
            return []
        namespaces = self._ask(lambda client: client.below(parent))
        depth = len(parent) + 1
        return [levels for levels in namespaces if len(levels) == depth and levels[:-1] == parent]

    def _list_objects(self, levels: Levels) -> list[Listed | Failure]:
        """A namespace and what it holds, as far as the patterns want it.

        Where its views cannot be listed for want of a route, the failure stands for the namespace,
        beside its tables.
        """
        if not self._patterns.allows_namespace(levels):
            return []
        space = Listed(levels, "", Kind.NAMESPACE)
        if unaskable(space):  # whoever crawls says so
            return [space]
        tables = self._ask(lambda client: client.tables(levels))
        first: Listed | Failure = space
        try:
            views = self._list_views(levels)
        except StrangerError as error:
            views, first = [], Failure.of(space, Stage.LIST, error)
        objects = {(view, Kind.VIEW) for view in views} | {(table, Kind.TABLE) for table in tables}
        wanted = [pair for pair in sorted(objects) if self._patterns.allows(levels, pair[0])]
        return [first, *(Listed(levels, name, kind) for name, kind in wanted)]

    def _list_views(self, levels: Levels) -> list[str]:
        """The names of a namespace's views; none, where the catalog itself knows no such route.

        Raises:
            VanishedError: The namespace is gone.
            StrangerError: The route is not there, and the catalog has not said so.
        """
        try:
            return self._ask(lambda client: client.views(levels))
        except StrangerError as error:
            raise StrangerError(error.message, hint=f"{error.hint} {_WITHOUT_VIEWS}") from error
        except VanishedError as error:
            self._ask(lambda client: client.tables(levels))  # is it there still?
            if not self._ask(lambda client: client.states_routes()):
                return []
            why = f"the catalog says that it lists views, and does not: {error.message}"
            raise StrangerError(why, hint=_WITHOUT_VIEWS) from error

    def holds_anything(self, levels: Levels) -> bool:
        """Whether a namespace has children, views or tables.

        Raises:
            BelvedereError: The server refused, or has no such namespace.
        """
        return bool(
            self._list_children(levels)
            or self._ask(lambda client: client.views(levels))
            or self._ask(lambda client: client.tables(levels))
        )

    def _read_namespace(self, listed: Listed) -> RawObject:
        properties = self._ask(lambda client: client.load_namespace_properties(listed.namespace))
        payload = {"namespace": list(listed.namespace), "properties": dict(properties)}
        return lines.raw_object(listed, "iceberg_namespace", payload)

    def view(self, listed: Listed) -> RawObject:
        """What the server says of a view.

        Raises:
            BelvedereError: It refused, failed, or has none.
        """
        answer = self._load(listed, "view_text")
        kept = ("metadata-location", "metadata")  # not `config`: it may hold credentials
        payload = {key: answer[key] for key in kept if key in answer}
        place = {"namespace": list(listed.namespace), "name": listed.name}
        return lines.raw_object(listed, "iceberg_view", place | payload)

    def _read_table(self, listed: Listed) -> RawObject:
        try:
            metadata = self._load(listed, "table_text")["metadata"]
        except VanishedError:
            return self.view(listed)
        schema = iceberg_table.schema(metadata)
        place = {"namespace": list(listed.namespace), "name": listed.name}
        return lines.raw_object(listed, "iceberg_table", {**place, "schema": schema})

    def _ask(self, question: Callable[[Client], Answer]) -> Answer:
        return self._patience.ask(lambda: self.server.ask(question))

    def _load(self, listed: Listed, ask: str) -> dict[str, Any]:
        """The server's answer for an object.

        Raises:
            ReadError: It is none of the protocol.
        """
        place = (*listed.namespace, listed.name)
        text = self._ask(lambda client: getattr(client, ask)(place))
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ReadError(f"the answer is no JSON: {type(error).__name__}") from error
        if not isinstance(answer, dict) or "metadata" not in answer:
            raise ReadError("the answer has no metadata")
        return answer
