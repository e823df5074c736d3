"""The changes of one transaction: what is live is read, compared and written over."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, RowMapping, bindparam, insert, select, update

from connectors.gravitino import cells, names
from connectors.gravitino.entity_store import bulk, owners, parents, rows
from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.tables import ALTERED, DROPPED, VERSION, VIEW
from discovery.errors import (
    BelvedereError,
    DecodeError,
    MovedError,
    NotHeldError,
    StoreError,
)
from discovery.migration.changes import settle, touched
from discovery.model import Identifier, OwnerKind, View, dotted
from discovery.namespaces import Levels
from discovery.ports import Action, Applied, Change

_KIND: Final = "VIEW"
_IDS: Final = ("metalake_id", "catalog_id", "schema_id", "view_id")
_META: Final = (*_IDS, "view_name", "audit_info")
_VERSION: Final = (*_IDS, "version", *cells.CONTENT, "audit_info")
_COPIED: Final = tuple(name for name in _VERSION if name != "version")  # by a rename


class Live(NamedTuple):
    """A view that is live in the store."""

    view: View
    view_id: int
    current: int
    last: int
    ids: parents.Ids


def live(
    connection: Connection, schemas: Mapping[Levels, parents.Ids], wanted: Iterable[Identifier]
) -> dict[Identifier, Live]:
    """Those of the wanted views that are live, as their current versions hold them.

    Raises:
        StoreError: A cell of one cannot be parsed; a server cannot list its schema either.
    """
    spaces = {ids["schema_id"]: levels for levels, ids in schemas.items()}
    places = {
        (schemas[identifier.namespace]["schema_id"], identifier.name)
        for identifier in wanted
        if identifier.namespace in schemas
    }
    if not places:
        return {}
    columns = VERSION.c["view_comment", "columns", "properties", "representations"]
    query = (
        select(VIEW, *columns)
        .join(VERSION, VERSION.c.view_id == VIEW.c.view_id)
        .where(VERSION.c.version == VIEW.c.current_version)
        .where(VIEW.c.deleted_at == 0, VERSION.c.deleted_at == 0)
        .where(bulk.are_among(VIEW.c.schema_id, VIEW.c.view_name, sorted(places), connection))
    )
    present = {}
    for row in connection.execute(query).mappings():
        levels = spaces[row["schema_id"]]
        place = Identifier(levels, row["view_name"])
        numbers = row["view_id"], row["current_version"], row["last_version"]
        present[place] = Live(_parse_view(row, place), *numbers, schemas[levels])
    return present


def _parse_view(row: RowMapping, place: Identifier) -> View:
    try:
        return cells.view_of({**row}, place)
    except (AttributeError, KeyError, TypeError, ValueError, DecodeError) as error:
        why = f"a cell of version {row['current_version']} cannot be parsed: {error}"
        hint = f"mend or drop view {row['view_id']} in view_version_info"
        raise StoreError(why, hint=hint, view=str(place)) from error


@dataclass
class Batch:
    """A transaction: changes of which no two touch one place.

    Attributes:
        connection: In the transaction.
        options: Of the store.
        tables: Those of the database: a server has more than we write.
        creates: What is to be written, by action: put aside while the changes are looked at.
        replaces: The same; `add-dialect`, too.
        renames: The same.
        drops: The same.
    """

    connection: Connection
    options: Options
    tables: Collection[str]
    creates: list[tuple[View, parents.Ids]] = field(default_factory=list)
    replaces: list[tuple[View, Live]] = field(default_factory=list)
    renames: list[tuple[Change, Live]] = field(default_factory=list)
    drops: list[Live] = field(default_factory=list)

    def apply(self, changes: Sequence[Change]) -> list[Applied]:
        """Answer what needs no write, and write the rest.

        Raises:
            BelvedereError: The database refused one of them, or somebody else was faster: the
                transaction must not be committed.
        """
        places = [place for change in changes for place in touched(change)]
        catalog = parents.catalog_of(self.connection, self.options)
        wanted = {place.namespace for place in places}
        schemas = parents.schemas_of(self.connection, catalog, wanted)
        present = live(self.connection, schemas, places)
        answers = [self._decide(change, present, schemas) for change in changes]
        self.write()
        return answers

    def write(self) -> None:
        """Write what is put aside.

        Raises:
            BelvedereError: As `apply`.
        """
        self._create()
        self._replace()
        self._rename()
        self._drop()

    def _decide(
        self,
        change: Change,
        present: Mapping[Identifier, Live],
        schemas: Mapping[Levels, parents.Ids],
    ) -> Applied:
        """What is to be told of a change, which is put aside to be written if it has to be."""
        place, new = change.view.identifier, touched(change)[-1]
        stored, at_new = present.get(place), present.get(new)
        answer = settle(change, stored and stored.view, at_new and at_new.view)
        return answer or self._queue(change, stored, schemas.get(place.namespace))

    def _queue(self, change: Change, stored: Live | None, schema: parents.Ids | None) -> Applied:
        """What is to be told of a change that is written."""
        try:
            remains = self._put_aside(change, stored, schema)
        except BelvedereError as error:
            return Applied.failed(change.view.identifier, error)
        return Applied(change.view.identifier, change.action, remains=remains)

    def _put_aside(
        self, change: Change, stored: Live | None, schema: parents.Ids | None
    ) -> tuple[str, ...]:
        """Queue a write; what of the older state will stay.

        Raises:
            StoreError: It cannot be written.
        """
        view = change.view
        if stored is None:
            self._check_name(view.identifier)
            cells.parse_id(view)
            if schema is None:
                raise StoreError("has not been made", schema=dotted(view.identifier.namespace))
            self.creates.append((view, schema))
            return ()
        if change.action is Action.DROP:
            self.drops.append(stored)
            remainder = (
                f"rows of view {stored.view_id} in view_meta and view_version_info, as deleted"
            )
            return (remainder,)
        if change.action is Action.RENAME:
            self._check_name(touched(change)[-1])
            self.renames.append((change, stored))
        else:
            _check_id(view, stored)
            self.replaces.append((view, stored))
        return (f"version {stored.current} of view {stored.view_id} in view_version_info",)

    def _check_name(self, place: Identifier) -> None:
        names.check(place, self.options.provider, self.options.schema_separator)

    def _create(self) -> None:
        if not self.creates:
            return
        above = self.options.metalake, self.options.catalog
        wanted = {
            (*above, *view.identifier.namespace, view.identifier.name): cells.parse_id(view)
            for view, _ in self.creates
        }
        identities = rows.identities(self.connection, VIEW, wanted)
        metas, revived, versions, owned = [], [], [], {}
        for (view, ids), path in zip(self.creates, wanted, strict=True):
            (number, is_deleted), name = identities[path], view.identifier.name
            audit = cells.audit_cell(view.audit)
            parent = ids["metalake_id"], ids["catalog_id"], ids["schema_id"], number
            if is_deleted:
                revived.append((number, {**ids, "view_name": name, "audit_info": audit}))
            else:
                metas.append((*parent, name, audit))
            versions.append((*parent, 1, *cells.version_cells(view), audit))
            if view.audit.creator and view.audit.creator_kind is OwnerKind.USER:
                owned[number] = view.audit.creator
        rows.revive(self.connection, VIEW, revived)
        bulk.insert_rows(self.connection, VIEW, _META, metas)
        bulk.insert_rows(self.connection, VERSION, _VERSION, versions)
        metalake = self.creates[0][1]["metalake_id"]
        owners.own(self.connection, self.options, metalake, _KIND, owned)

    def _replace(self) -> None:
        versions, moves = [], []
        for view, stored in self.replaces:
            audit, ids = cells.audit_cell(view.audit), stored.ids
            parent = ids["metalake_id"], ids["catalog_id"], ids["schema_id"], stored.view_id
            versions.append((*parent, stored.last + 1, *cells.version_cells(view), audit))
            moves.append({"audit_info": audit, **_next_version(stored)})
        bulk.insert_rows(self.connection, VERSION, _VERSION, versions)
        self._move(moves)
        self._log(ALTERED, (stored for _, stored in self.replaces))

    def _rename(self) -> None:
        """A version with the content of the one before, and the new name, as the server does it."""
        if not self.renames:
            return
        of_next = bindparam("next", type_=VERSION.c.version.type)
        copied = select(of_next, *VERSION.c[_COPIED]).where(
            VERSION.c.view_id == bindparam("key"),
            VERSION.c.version == bindparam("seen"),
            VERSION.c.deleted_at == 0,
        )
        into = insert(VERSION).from_select(["version", *_COPIED], copied)
        nexts = [{"next": stored.last + 1, **_as_read(stored)} for _, stored in self.renames]
        self.connection.execute(into, nexts)
        self._move(
            [
                {"view_name": change.new_name, **_next_version(stored)}
                for change, stored in self.renames
            ]
        )
        self._log(ALTERED, (stored for _, stored in self.renames))

    def _drop(self) -> None:
        """Soft-delete the view, its versions, owner, tags and rights, as the server does it."""
        if not self.drops:
            return
        deleted_at = rows.now()
        self._move([{"deleted_at": deleted_at, **_as_read(drop)} for drop in self.drops])
        keys = [drop.view_id for drop in self.drops]
        theirs = bulk.is_among(VERSION.c.view_id, keys, self.connection)
        versions = update(VERSION).where(theirs, VERSION.c.deleted_at == 0)
        self.connection.execute(versions.values(deleted_at=deleted_at))
        rows.unrelate(self.connection, self.tables, _KIND, keys, deleted_at)
        self._log(DROPPED, self.drops)

    def _move(self, values: Sequence[Mapping[str, Any]]) -> None:
        """Change rows of `view_meta`, if they are still those that were read: optimistic locks."""
        if not values:
            return
        moved = self.connection.execute(
            update(VIEW).where(
                VIEW.c.view_id == bindparam("key"),
                VIEW.c.current_version == bindparam("seen"),
                VIEW.c.deleted_at == 0,
            ),
            values,
        )
        if moved.rowcount != len(values):
            raise MovedError("somebody else changed one of these views meanwhile")

    def _log(self, operation: int, changed: Iterable[Live]) -> None:
        paths = [
            (*stored.view.identifier.namespace, stored.view.identifier.name) for stored in changed
        ]
        rows.log(self.connection, self.options, _KIND, operation, paths)


def _as_read(stored: Live) -> dict[str, Any]:
    """The row that was read, for `_move`."""
    return {"key": stored.view_id, "seen": stored.current}


def _next_version(stored: Live) -> dict[str, Any]:
    """The row that was read, and its next version."""
    number = stored.last + 1
    return {**_as_read(stored), "current_version": number, "last_version": number}


def _check_id(view: View, stored: Live) -> None:
    """A server that finds another id in the properties would write over the row: refuse it."""
    stated = cells.parse_id(view)
    if stated not in {None, stored.view_id}:
        why = f"its property {cells.IDENTIFIER} names the id {stated}, its row has {stored.view_id}"
        hint = "a server would set the row back: drop the view there first, or the property"
        raise NotHeldError(why, hint=hint, view=str(view.identifier))
