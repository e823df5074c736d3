"""Store `hms`: views in a Hive Metastore, each as the engine of its dialect writes it itself.

Every entry that belvedere makes has a parameter of its own, which is another one with every write.
By it belvedere knows what it has made, and a metastore that can compares it in the transaction
that replaces the entry (HIVE-26882), so that what somebody else has written meanwhile is not lost.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final

from connectors.clients.metastore_options import MetastoreOptions, probe_metastore
from connectors.clients.metastore_writer import MetastoreWriter
from connectors.clients.table_types import KINDS, list_typed_names
from connectors.clients.thrift.causes import LoginError
from connectors.hms_stores.entries import (
    CREATED,
    Occupied,
    entry_as_view,
    entry_of,
    explain_refusal,
    marked,
    successor_of,
)
from connectors.hms_stores.functions import MetastoreFunctions
from discovery.asked import check_place
from discovery.chunks import chunks
from discovery.errors import (
    BelvedereError,
    CollisionError,
    NamespaceError,
    NotOursError,
    ReadError,
    StoreError,
    UnreachableError,
)
from discovery.formats import hive_database, metastore_writing
from discovery.formats.hive_table import MADE
from discovery.functions import FunctionStore
from discovery.migration.changes import apart, moved_error, settle, touched
from discovery.migration.namespaces import NamespaceEdit, Part
from discovery.model import Identifier, Schema, View
from discovery.outcomes import Kind, Listed
from discovery.ports import Action, Applied, Change, Held, Probe, ViewStore

_ATTEMPTS: Final = 3
_MOST: Final = 250  # entries a call
_CHUNK: Final = 100  # databases a call


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(MetastoreOptions):
    """How to reach and fill a Hive Metastore.

    Attributes:
        takes_over: Whether views that neither belvedere nor Gravitino has made may be replaced,
            renamed and dropped, where a plan says so.
    """

    takes_over: bool = False


class MetastoreStore(ViewStore):
    """A Hive Metastore as a store of views, and of the functions that they call.

    Attributes:
        mark: The parameter that is another one with every write.
    """

    mark: ClassVar[str] = MADE

    def __init__(self, options: MetastoreOptions) -> None:
        self.connections = options.connections
        self._takes_over = isinstance(options, Options) and options.takes_over
        # Hive 2.3 passes over a new description (`ObjectStore.alterDatabase`)
        self.amends = frozenset({Part.PROPERTIES} if self._takes_over else ())
        self._options = options
        self._client = MetastoreWriter(options)
        self.functions: FunctionStore | None = MetastoreFunctions(self._client)

    def __reduce__(self) -> tuple[Any, ...]:
        """It travels as its options: a connection cannot."""
        return type(self), (self._options,)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def probe(self) -> Probe:
        """Connect, log in, ask for the version and the databases."""
        return probe_metastore(self._client, self._options)

    def listing(self) -> Iterator[Listed]:
        """Each database with what it holds."""
        for chunk in chunks([*filter(None, self._client.databases())], _CHUNK):
            for database, objects in self._list_typed_names(chunk).items():
                yield Listed((database,), "", Kind.NAMESPACE)
                for name, kind in objects:
                    if name is not None:
                        yield Listed((database,), name, KINDS.get(kind or "", Kind.UNDECIDED))

    def _list_typed_names(
        self, databases: Sequence[str]
    ) -> dict[str, list[tuple[str | None, str | None]]]:
        """What each database holds; where all cannot be answered for together, one by one."""
        objects: dict[str, list[tuple[str | None, str | None]]] = {name: [] for name in databases}
        try:
            for database, name, kind in self._client.table_types(databases):
                if database not in objects:
                    raise ReadError(f"it tells of {database!r}, of which it was not asked")
                objects[database].append((name, kind))
        except LoginError:
            raise
        except BelvedereError:
            return {name: list_typed_names(self._client, name) for name in databases}
        return {
            name: sorted(pairs, key=lambda pair: pair[0] or "") for name, pairs in objects.items()
        }

    def present(self, wanted: Sequence[Identifier]) -> Iterator[View]:
        """Those of the wanted views that are there.

        Raises:
            DecodeError: One is a view that cannot be read.
        """
        for place in self._read_places(wanted).values():
            if place.view is not None:
                yield place.view
            elif place.why is not None and not isinstance(place.why, CollisionError):
                raise place.why

    def hold(self, view: View) -> Held:
        """As its entry reads back.

        Raises:
            NotHeldError: No entry can hold it.
        """
        encoded = metastore_writing.encode(view)
        return Held(encoded.view, tuple([loss.sentence for loss in encoded.losses]))

    def may_create(self, namespace: tuple[str, ...]) -> bool:  # noqa: ARG002 - the same for all
        """A metastore has no way to ask: it says so when one is made."""
        return True

    def lacking(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Those that are no database."""
        databases = set(self._client.databases())
        return tuple(
            namespace
            for namespace in namespaces
            if len(namespace) != 1 or namespace[0] not in databases
        )

    def prepare(self, schemas: Sequence[Schema]) -> tuple[tuple[str, ...], ...]:
        """Make the databases that are missing, in the server's own folder; all, or none."""
        made: list[tuple[str, ...]] = []
        databases = set(self._client.databases())
        try:
            for schema in schemas:
                payload = hive_database.encode(schema)
                if payload["name"] not in databases and self._client.create_database(payload):
                    made.append(schema.levels)
        except BelvedereError:
            self.remove(made)
            raise
        return tuple(made)

    def namespaces(self, wanted: Sequence[tuple[str, ...]]) -> Iterator[Schema]:
        """Those that are databases; one call each."""
        for levels in wanted:
            if len(levels) == 1 and (entry := self._client.database(levels[0])) is not None:
                yield hive_database.schema_of(entry)

    def amend(self, edit: NamespaceEdit) -> bool:
        """Look, and give a database other parameters; a metastore cannot do both in one.

        Raises:
            BelvedereError: It is not as it was, or was refused.
        """
        entry = self._client.database(edit.levels[0]) if len(edit.levels) == 1 else None
        schema = None if entry is None else hive_database.schema_of(entry)
        if not edit.is_to_do(schema) or entry is None or schema is None:
            return False
        parameters = dict(edit.amended(schema).properties)
        self._client.alter_database(edit.levels[0], {**entry, "parameters": parameters})
        return True

    def remove(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Drop the databases that hold nothing; those that stay. Their folders stay."""
        candidates = [namespace for namespace in namespaces if len(namespace) == 1]
        return tuple(levels for levels in candidates if not self._client.drop_database(levels[0]))

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        """Write one entry after the other: a metastore has no transaction over several."""
        gone: UnreachableError | None = None
        for run in apart(changes):
            try:
                occupants = (
                    {}
                    if gone
                    else self._read_places(
                        [identifier for change in run for identifier in touched(change)]
                    )
                )
            except BelvedereError as error:
                yield from (Applied.failed(change.view.identifier, error) for change in run)
                gone = error if isinstance(error, UnreachableError) else gone
                continue
            for change in run:
                try:
                    yield self._refused(change, gone) if gone else self._apply(change, occupants)
                except UnreachableError as error:
                    gone = error
                    yield self._refused(change, error)
                except BelvedereError as error:
                    yield self._refused(change, error)

    def _refused(self, change: Change, error: BelvedereError) -> Applied:
        place = change.view.identifier
        belvedere_error = type(error)(
            error.message, hint=error.hint, **{**error.where, "view": str(place)}
        )
        return Applied.failed(place, belvedere_error)

    def _apply(self, change: Change, occupants: Mapping[Identifier, Occupied]) -> Applied:
        """Decide, write; where an answer was lost, look, and do it again.

        What is to be changed or dropped is read once more just before.

        Raises:
            BelvedereError: It was refused, or there was no answer.
        """
        places = touched(change)
        lost: UnreachableError | None = None
        for _ in range(_ATTEMPTS):
            if lost is not None or any(place in occupants for place in places):
                occupants = self._read_places(places)
            current = [occupants.get(place) for place in places]
            for stored in current:
                if stored is not None and stored.why is not None:
                    raise stored.why
            answer = settle(change, *(stored and stored.view for stored in current))
            if answer is not None:
                was_written = lost is not None and answer.action is Action.KEEP
                return Applied(change.view.identifier, change.action) if was_written else answer
            try:
                self._write(change, current[0])
            except UnreachableError as error:
                lost = error
            else:
                remains = self.remains(change, current[0])
                return Applied(change.view.identifier, change.action, remains=remains)
        raise lost or StoreError("it could not be written")

    def _write(self, change: Change, occupant: Occupied | None) -> None:
        """Send a change.

        Raises:
            BelvedereError: It was refused, there was no answer, or it is somebody else's.
        """
        place = change.view.identifier
        if occupant is None:
            if change.action is not Action.DROP:
                self._create(change)
            return
        if not self.may_change(occupant):
            what = f"the view that is to be {_participle(change)}"
            why = f"neither belvedere nor Gravitino has made {what}"
            raise NotOursError(why)
        database = place.namespace[0]
        if change.action is Action.DROP:
            self._client.drop_entry(database, place.name)
            return
        payload, expected = self.successor(change, occupant)
        alter = partial(self._client.alter_entry, database, place.name, payload, expected)
        self._send(alter, payload, points_to_new=change.action is not Action.RENAME)

    def _send(
        self, send: Callable[[], None], payload: Mapping[str, Any], *, points_to_new: bool
    ) -> None:
        """Send an entry; where an error comes, ask the metastore whether it has taken it.

        An error may come behind the commit: of a listener, of an answer that cannot be read, or of
        the server's own second attempt, which finds the entry changed by its first.

        Args:
            send: Sends it.
            payload: The entry.
            points_to_new: Whether it points to what was written for it.

        Raises:
            BelvedereError: It was refused, or there was no answer.
        """
        try:
            send()
        except UnreachableError:  # whoever sends it looks, and sends it again
            raise
        except BelvedereError as error:
            if self._is_taken(payload):
                return
            if points_to_new:
                self.give_up(payload)
            if (explained := explain_refusal(error, payload)) is not None:
                raise explained from error
            raise

    def _is_taken(self, payload: Mapping[str, Any]) -> bool:
        """Whether the metastore has this entry, which its mark tells from all others."""
        tables = self._client.tables(payload["dbName"], [payload["tableName"]])
        wanted = payload["parameters"][self.mark]
        return any((table.get("parameters") or {}).get(self.mark) == wanted for table in tables)

    def _create(self, change: Change) -> None:
        """Make a new entry.

        Raises:
            BelvedereError: It was refused, or there was no answer.
        """
        payload = self.new_entry(change)
        try:
            self._send(partial(self._client.create_entry, payload), payload, points_to_new=True)
        except UnreachableError:
            raise
        except BelvedereError as error:
            meant = self._write_error(change.view, error)
            if meant is error:
                raise
            raise meant from error

    def _write_error(self, view: View, error: BelvedereError) -> BelvedereError:
        """What it means that an entry could not be made."""
        if isinstance(error, CollisionError):  # somebody was faster
            occupant = self._read_places([view.identifier]).get(view.identifier)
            stored_view = occupant.view if occupant is not None else None
            return moved_error(view.identifier, stored_view) if stored_view is not None else error
        (database,) = view.identifier.namespace
        named = isinstance(error, NamespaceError | StoreError)
        if not named or self._client.database(database) is not None:
            return error
        # Hive 2 names the database, and no reason
        return NamespaceError(f"there is no database {database}", hint="Prepare the target first.")

    def may_change(self, occupant: Occupied) -> bool:
        """Whether a view that is there is ours to change."""
        return occupant.is_ours or self._takes_over

    def new_entry(self, change: Change) -> dict[str, Any]:
        """The entry of a new view, with all that it points to written.

        Raises:
            BelvedereError: It cannot be written.
        """
        return marked(entry_of(change.view), CREATED)

    def successor(
        self, change: Change, occupant: Occupied
    ) -> tuple[dict[str, Any], tuple[str, str]]:
        """The entry that takes the place of another one, and what is expected of that.

        Returns:
            The entry, and a parameter of the one that is there with its value.

        Raises:
            BelvedereError: It cannot be written.
        """
        return successor_of(change, occupant), occupant.state

    def give_up(self, payload: Mapping[str, Any]) -> None:
        """Take back what an entry points to that the metastore has certainly not taken."""

    def remains(self, change: Change, occupant: Occupied | None) -> tuple[str, ...]:  # noqa: ARG002 - nothing
        """What of an older state stays once a change is written: nothing of an entry does."""
        return ()

    def read_occupied(
        self, payloads: Mapping[Identifier, Mapping[str, Any]]
    ) -> dict[Identifier, Occupied]:
        """Entries as views of ours, or as what they are."""
        return {place: entry_as_view(place, payload) for place, payload in payloads.items()}

    def _read_places(self, places: Sequence[Identifier]) -> dict[Identifier, Occupied]:
        """What the metastore has at places."""
        wanted: dict[str, list[str]] = {}
        for place in places:
            if len(place.namespace) == 1:  # databases do not nest
                wanted.setdefault(place.namespace[0], []).append(place.name)
        payloads = {}
        for database, names in wanted.items():
            for chunk in chunks(names, _MOST):
                for payload in self._client.tables(database, chunk):
                    place = Identifier((database,), payload["tableName"])
                    check_place(place, "hive_table", payload, str.lower)
                    payloads[place] = payload
        return self.read_occupied(payloads)


def _participle(change: Change) -> str:
    return {Action.DROP: "dropped", Action.RENAME: "renamed"}.get(change.action, "replaced")
