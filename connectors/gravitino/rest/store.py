"""Store `gravitino-rest`: the views of a catalog, through the REST API of a Gravitino server (1.3).

The API knows no precondition (`If-Match`): a view is read right before it is written, and what
somebody else writes in between is overwritten. Many that are new are looked for in one list: the
server refuses to create what exists. A write whose answer is lost is looked up before it
is sent again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final, TypeVar

from connectors.clients.rest import NoSuchResourceError
from connectors.gravitino import providers
from connectors.gravitino.rest import bodies
from connectors.gravitino.rest.bodies import Body
from connectors.gravitino.rest.bootstrap import Bootstrap
from connectors.gravitino.rest.functions import ServedFunctions
from connectors.gravitino.rest.options import Options
from connectors.gravitino.rest.rights import RestRights
from connectors.gravitino.rest.server import (
    BrokenError,
    ForbiddenError,
    GravitinoServer,
    persist,
)
from connectors.gravitino.rest.tags import RestTags
from connectors.gravitino.rest.visibility import find_unlisted, find_why_hidden
from discovery.asked import check_place
from discovery.errors import (
    BelvedereError,
    ConfigurationError,
    DeniedError,
    NotHeldError,
    UnreachableError,
    UnsupportedVersionError,
)
from discovery.formats.iceberg_writing import MAY_LOSE
from discovery.functions import FunctionStore
from discovery.migration import routes
from discovery.migration.changes import apart, settle
from discovery.migration.diff import differences
from discovery.migration.namespaces import NamespaceEdit, Part
from discovery.migration.providers import PROVIDERS, Provider, without_identifier
from discovery.model import Identifier, Schema, View
from discovery.namespaces import Levels
from discovery.outcomes import Kind, Listed
from discovery.ports import Action, Applied, Change, Held, Probe, ViewStore

__all__ = ["GravitinoRest", "Options"]

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")

Request = tuple[str, tuple[str, ...], Body | None]
"""Method, path and body."""

_ICEBERG: Final = "lakehouse-iceberg"
_REPLACING: Final = frozenset({Action.REPLACE, Action.ADD_DIALECT})
_DELETED: Final = ("its rows in the server's store, marked as deleted",)
_OLDER: Final = ("its older versions in the server's store",)


class GravitinoRest(ViewStore):
    """A catalog of a Gravitino server as a store of views."""

    def __init__(self, options: Options) -> None:
        self._options = options
        provider = PROVIDERS.get(options.provider)
        alters = provider is None or provider.alters_schemas
        self.amends = frozenset({Part.PROPERTIES} if alters else ())  # no API for more (1.3)
        self._threads = min(options.threads, options.connections)
        self.connections = options.connections // self._threads  # each of them has the threads
        creations = {
            f"the metalake {options.metalake}": options.create_metalake,
            f"the catalog {options.catalog}": options.create_catalog,
        }
        self.lasting = tuple(name for name, makes in creations.items() if makes)
        self._server = GravitinoServer(options)
        self._parents = Bootstrap(self._server, options)
        self.rights = RestRights(self._server, options)
        self.tags = RestTags(self._server, options)
        self.functions: FunctionStore | None = ServedFunctions(self._server, options)
        self._lost: UnreachableError | None = None
        self._unlisted: frozenset[Identifier] = frozenset()

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def probe(self) -> Probe:
        """Ask for the server's version and the catalog."""
        version = self._read_version()
        problems = []
        if routes.release(version) != self._options.version:
            why = f"the server's version is {version}, not {self._options.server_version}"
            problems.append(f"{why}: set the option server_version")
        try:
            providers.provider_of(self._options.provider)
            if not self._parents.is_there():
                problems.append(f"the catalog {self._options.catalog} is not there yet")
            if why := self.hides():
                problems.append(why)
        except (ConfigurationError, NotHeldError) as error:
            problems.append(str(error))
        return Probe(f"Gravitino {version}", tuple(problems))

    def hides(self) -> str:
        """Why the server may have views that it does not show us; empty: it shows all."""
        return "" if self._options.trust_absent else find_why_hidden(self._server, self._options)

    def listing(self) -> Iterator[Listed]:
        """Schemas from the top down, each with its views and tables; one request for each list."""
        nests = self._provider().nests
        if self._parents.is_there():
            yield from self._list_below((), nests=nests)

    def present(self, wanted: Sequence[Identifier]) -> Iterator[View]:
        """Those of the wanted views that the server can read.

        A hive catalog of 1.3 lists Trino's views and cannot read them: such a one is left out here,
        and refused when it would be overwritten.
        """
        self._provider()
        for view in self._run_in_parallel(self._read_if_allowed, wanted):
            if view is not None:
                yield view

    def hold(self, view: View) -> Held:
        """What the catalog's provider makes of the view in the server's version."""
        return providers.hold(view, self._options)

    def may_create(self, namespace: tuple[str, ...]) -> bool:  # noqa: ARG002 - REST tells no more
        """Whether we may see the catalog: REST tells nothing of the right to create."""
        try:
            return self._parents.is_there() or self._options.create_catalog
        except DeniedError:
            return False

    def lacking(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Those that the server does not know; one request each."""
        return self._parents.lacking(namespaces)

    def prepare(self, schemas: Sequence[Schema]) -> tuple[tuple[str, ...], ...]:
        """Make metalake and catalog if the options say so, then the schemas."""
        return self._parents.prepare(schemas)

    def hold_namespace(self, schema: Schema) -> Schema:
        """Without what makes it an entity of another server, and what its catalog drops."""
        kept = without_identifier(schema)
        return kept if self._provider().comments_schemas else replace(kept, comment=None)

    def namespaces(self, wanted: Sequence[tuple[str, ...]]) -> Iterator[Schema]:
        """Those that the server knows; one request each."""
        return self._parents.schemas(wanted)

    def amend(self, edit: NamespaceEdit) -> bool:
        """Look, and change properties in one request; after a lost answer, look again."""
        return self._parents.amend(edit)

    def remove(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Remove schemas that are empty, in the server's eyes."""
        inner_first = sorted(namespaces, key=len, reverse=True)
        return tuple(levels for levels in inner_first if not self._parents.remove(levels))

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        """One change after the other, several at a time; each by one writing request.

        If the server is gone, the changes that are left are not tried.
        """
        self._lost = None
        for group in apart(changes):
            new = [change.view.identifier for change in group if change.action is Action.CREATE]
            self._unlisted = find_unlisted(self._server, self._options, new)
            yield from self._run_in_parallel(self._applied, group)

    def forget(self, places: Sequence[Identifier]) -> Iterator[Identifier]:
        """Have the server read the rows of views anew; those for which it did not. Does I/O.

        Release 1.3.0 keeps the row of a view that it has created in memory for an hour and gives it
        up when the view is altered (`RelationalEntityStore.put`, `.update`). So each is altered by
        what changes nothing: a property that it does not have is removed.
        """
        answers = self._run_in_parallel(self._is_forgotten, places)
        return (place for place, done in zip(places, answers, strict=True) if not done)

    def _is_forgotten(self, place: Identifier) -> bool:
        try:
            self._server.call("PUT", self._path(place), bodies.nothing())
        except BelvedereError:
            return False
        return True

    def _read_version(self) -> str:
        """The server's version.

        Raises:
            UnsupportedVersionError: It has no views, or it is none of Gravitino's.
        """
        answer = self._server.get("version").get("version")
        version = str(answer.get("version")) if isinstance(answer, dict) else ""
        hint = "views came with Gravitino 1.3: is the uri that of its server, in such a version?"
        try:
            old = routes.release(version) < (1, 3)
        except ConfigurationError:
            old = True
        if old:
            raise UnsupportedVersionError(f"the server's version is {version!r}", hint=hint)
        return version

    def _provider(self) -> Provider:
        return providers.provider_of(self._options.provider)

    def _list_below(self, parent: Levels, *, nests: bool) -> Iterator[Listed]:
        for levels in self._parents.children(parent):
            yield Listed(levels, "", Kind.NAMESPACE)
            for kind, part in ((Kind.VIEW, "views"), (Kind.TABLE, "tables")):
                try:
                    names = self._server.names(self._options.schema(levels, part))
                except NoSuchResourceError:  # removed since the list of schemas
                    break
                yield from (Listed(levels, name, kind) for name in names)
            if nests:
                yield from self._list_below(levels, nests=nests)

    def _read_if_allowed(self, place: Identifier) -> View | None:
        try:
            return self._read(place)
        except ForbiddenError:
            if self._is_listed(place):
                raise
            return None
        except NotHeldError:
            if not self._provider().lists_unread:
                raise
            return None

    def _is_listed(self, place: Identifier) -> bool:
        """Whether the server lists a view: what the user may see, and only that (1.3.1)."""
        try:
            return place.name in self._server.names(self._options.schema(place.namespace, "views"))
        except NoSuchResourceError:
            return False

    def _read(self, place: Identifier) -> View | None:
        """The live view, as the server gives it; None if there is none."""
        try:
            answer = self._server.get(*self._path(place))
        except NoSuchResourceError:
            return None
        view = self._view(answer, place.namespace)
        check_place(place, "view", {"name": view.identifier.name}, str.lower)
        return view

    def _view(self, answer: Mapping[str, Any], namespace: Levels) -> View:
        provider = self._provider()
        view = bodies.view_of(answer, namespace, provider.keeps)
        return providers.as_read(view, provider.name)

    def _path(self, place: Identifier) -> tuple[str, ...]:
        return self._options.schema(place.namespace, "views", place.name)

    def _applied(self, change: Change) -> Applied:
        if self._lost is not None:
            return Applied.failed(change.view.identifier, self._lost)
        try:
            return self._write(change)
        except UnreachableError as error:
            self._look_for_server()
            return Applied.failed(change.view.identifier, error)
        except BelvedereError as error:
            return Applied.failed(change.view.identifier, error)

    def _look_for_server(self) -> None:
        """Note it if the server cannot be reached at all."""
        try:
            self._server.get("version")
        except UnreachableError as error:
            self._lost = error
        except BelvedereError:
            return

    def _write(self, change: Change) -> Applied:
        """What became of a change, after as many requests as that took."""
        stored: View | None = None

        def look(wrote: bool) -> Applied | None:
            nonlocal stored
            stored, answer = self._compare(change)
            if answer is not None and wrote:
                if answer.action is Action.KEEP:
                    return _applied(change)
                if stored is None and self._is_half_replaced(change):
                    return None
            return answer

        def write() -> Applied:
            answer: Mapping[str, Any] = {}
            for method, path, body in self._requests(change, stored):
                answer = self._server.call(method, path, body)
            return self._parse_answer(change, answer)

        if not self._is_unlisted(change) and (answer := look(False)) is not None:
            return answer
        self._check(change)
        return persist(write, look)

    def _is_unlisted(self, change: Change) -> bool:
        creates = change.action is Action.CREATE and settle(change, None) is None
        return creates and change.view.identifier in self._unlisted

    def _parse_answer(self, change: Change, answer: Mapping[str, Any]) -> Applied:
        """What the answer to a write says.

        Raises:
            BrokenError: It makes no sense.
        """
        place = change.view.identifier
        if change.action is Action.DROP:
            if not isinstance(answer.get("dropped"), bool):
                raise BrokenError("the server does not say whether it has dropped the view")
            return _applied(change) if answer["dropped"] else Applied(place, Action.KEEP)
        try:
            self._view(answer, place.namespace)
        except BelvedereError as error:
            raise BrokenError(str(error)) from error
        return _applied(change)

    def _compare(self, change: Change) -> tuple[View | None, Applied | None]:
        """What is there now, and the answer to a change that needs no write or must have none."""
        place, at_new_name = change.view.identifier, None
        try:
            stored = self._read(place)
        except ForbiddenError:  # if it is there after all, the server refuses to create it
            if change.action is not Action.CREATE:
                raise
            stored = None
        if change.action is Action.RENAME:
            at_new_name = self._read(Identifier(place.namespace, change.new_name))
        if stored is not None and self._is_left_allowed(change, stored):
            return stored, None
        return stored, settle(change, stored, at_new_name)

    def _is_left_allowed(self, change: Change, stored: View) -> bool:
        """Whether a view is as it shall be, but for the leave to lose dialects."""
        if self._options.provider != _ICEBERG or change.action not in _REPLACING:
            return False
        kept = tuple(property_ for property_ in stored.properties if property_[0] != MAY_LOSE)
        left = len(kept) < len(stored.properties)
        return left and not differences(change.view, replace(stored, properties=kept))

    def _is_half_replaced(self, change: Change) -> bool:
        """Whether a view that is gone may be one that the catalog has not created again."""
        return change.action in _REPLACING and not self._provider().replaces_at_once

    def _check(self, change: Change) -> None:
        """See that what is to be written will read back so.

        Raises:
            NotHeldError: It would not.
        """
        if change.action in {Action.DROP, Action.RENAME}:
            return
        held = self.hold(change.view)
        if unlike := differences(change.view, held.view):
            why = f"it would read back otherwise in {', '.join(unlike)}: {'; '.join(held.losses)}"
            raise NotHeldError(why, view=str(change.view.identifier))

    def _requests(self, change: Change, stored: View | None) -> list[Request]:
        """What is sent for a change: one request, but where Iceberg has to be allowed something."""
        path = self._path(change.view.identifier)
        if change.action is Action.DROP:
            return [("DELETE", path, None)]
        if change.action is Action.RENAME:
            return [("PUT", path, bodies.renaming(change.new_name))]
        provider = self._options.provider
        view = providers.as_written(change.view, provider)
        if stored is None:
            return [("POST", path[:-1], bodies.creation(view))]
        present = providers.as_written(stored, provider)
        losing = bodies.updates_that_lose(view, present) if provider == _ICEBERG else None
        sent = (bodies.updates(view, present),) if losing is None else losing
        return [("PUT", path, update) for update in sent if update["updates"]]

    def _run_in_parallel(
        self,
        question: Callable[[Asked], Answer],
        asked: Sequence[Asked],
    ) -> Iterator[Answer]:
        """The answers in order."""
        with ThreadPoolExecutor(self._threads, "gravitino") as pool:
            yield from pool.map(question, asked)


def _applied(change: Change) -> Applied:
    remains = {Action.DROP: _DELETED, Action.CREATE: ()}.get(change.action, _OLDER)
    return Applied(change.view.identifier, change.action, remains=remains)
