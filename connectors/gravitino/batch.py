"""The changes of one transaction: what is live is read, compared and written over."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Table, bindparam, insert, literal, select, tuple_, update

from connectors.gravitino import cells, names, parents, rows
from connectors.gravitino.options import Options
from connectors.gravitino.tables import ALTERED, DROPPED, SCHEMA, VERSION, VIEW
from discovery.changes import settled
from discovery.errors import BelvedereError, MovedError, NotHeldError, StoreError
from discovery.model import Identifier, View, dotted
from discovery.namespaces import Levels
from discovery.ports import Action, Applied, Change

_PARENTS: Final = ("metalake_id", "catalog_id", "schema_id")
_COPIED: Final = (  # by a rename
    *_PARENTS,
    "view_id",
    "view_comment",
    "columns",
    "properties",
    "default_catalog",
    "default_schema",
    "representations",
    "audit_info",
)


class Live(NamedTuple):
    """A view that is live in the store."""

    view: View
    view_id: int
    current: int
    last: int
    ids: parents.Ids


def live(
    connection: Connection, catalog: parents.Ids | None, wanted: Iterable[Identifier]
) -> dict[Identifier, Live]:
    """Those of the wanted views that are live, as their current versions hold them."""
    places = sorted({(names.physical(one.namespace), one.name) for one in wanted})
    if catalog is None or not places:
        return {}
    columns = VERSION.c["view_comment", "columns", "properties", "representations"]
    query = (
        select(VIEW, SCHEMA.c.schema_name, *columns)
        .join(SCHEMA, SCHEMA.c.schema_id == VIEW.c.schema_id)
        .join(VERSION, VERSION.c.view_id == VIEW.c.view_id)
        .where(VERSION.c.version == VIEW.c.current_version)
        .where(VIEW.c.deleted_at == 0, SCHEMA.c.deleted_at == 0, VERSION.c.deleted_at == 0)
        .where(SCHEMA.c.catalog_id == catalog["catalog_id"])
        .where(tuple_(SCHEMA.c.schema_name, VIEW.c.view_name).in_(places))
    )
    found = {}
    for row in connection.execute(query).mappings():
        place = Identifier(names.levels_of(row["schema_name"]), row["view_name"])
        ids = {name: row[name] for name in _PARENTS}
        numbers = row["view_id"], row["current_version"], row["last_version"]
        found[place] = Live(cells.view_of({**row}, place), *numbers, ids)
    return found


def touched(change: Change) -> tuple[Identifier, ...]:
    """The places that a change reads or writes."""
    place = change.view.identifier
    if change.action is not Action.RENAME:
        return (place,)
    return place, Identifier(place.namespace, change.new_name)


@dataclass
class Batch:
    """A transaction: changes of which no two touch one place."""

    connection: Connection
    options: Options
    catalog: parents.Ids | None = None
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
        self.catalog = parents.catalog_of(self.connection, self.options)
        places = [place for change in changes for place in touched(change)]
        there = live(self.connection, self.catalog, places)
        wanted = {place.namespace for place in places}
        schemas = parents.schemas_of(self.connection, self.catalog, wanted)
        answers = [self._answer(change, there, schemas) for change in changes]
        self._create()
        self._replace()
        self._rename()
        self._drop()
        return answers

    def _answer(
        self,
        change: Change,
        there: Mapping[Identifier, Live],
        schemas: Mapping[Levels, parents.Ids],
    ) -> Applied:
        """What is to be told of a change, which is put aside to be written if it has to be."""
        place, new = change.view.identifier, touched(change)[-1]
        found, at_new = there.get(place), there.get(new)
        answer = settled(change, found and found.view, at_new and at_new.view)
        if answer is not None:
            return answer
        try:
            remains = self._put_aside(change, found, schemas.get(place.namespace))
        except BelvedereError as error:
            return Applied.failed(place, error)
        return Applied(place, change.action, remains=remains)

    def _put_aside(
        self, change: Change, found: Live | None, schema: parents.Ids | None
    ) -> tuple[str, ...]:
        """Queue a write; what of the older state will stay.

        Raises:
            StoreError: It cannot be written.
        """
        view = change.view
        if found is None:
            self._check_name(view.identifier)
            cells.identified(view)
            if schema is None:
                raise StoreError("has not been made", schema=dotted(view.identifier.namespace))
            self.creates.append((view, schema))
            return ()
        if change.action is Action.DROP:
            self.drops.append(found)
            rest = f"rows of view {found.view_id} in view_meta and view_version_info, as deleted"
            return (rest,)
        if change.action is Action.RENAME:
            self._check_name(touched(change)[-1])
            self.renames.append((change, found))
        else:
            _check_id(view, found)
            self.replaces.append((view, found))
        return (f"version {found.current} of view {found.view_id} in view_version_info",)

    def _check_name(self, place: Identifier) -> None:
        names.check(place, self.options.provider, self.options.schema_separator)

    def _create(self) -> None:
        if not self.creates:
            return
        path = self.options.metalake, self.options.catalog
        wanted = {
            (*path, *view.identifier.namespace, view.identifier.name): cells.identified(view)
            for view, _ in self.creates
        }
        found = rows.identities(self.connection, VIEW, wanted)
        metas, versions = [], []
        for (view, ids), identity in zip(self.creates, found.values(), strict=True):
            same = {**ids, "view_id": identity[0], "audit_info": cells.audit_cell(view.audit)}
            meta = {**same, "view_name": view.identifier.name}
            if identity[1]:
                rows.insert_one(self.connection, VIEW, identity, meta)
            else:
                metas.append(meta)
            versions.append({**same, **cells.version_cells(view), "version": 1})
        self._insert(VIEW, metas)
        self._insert(VERSION, versions)

    def _replace(self) -> None:
        versions = []
        for view, found in self.replaces:
            same = {"view_id": found.view_id, "audit_info": cells.audit_cell(view.audit)}
            content = cells.version_cells(view)
            versions.append({**found.ids, **same, **content, "version": found.last + 1})
        self._insert(VERSION, versions)
        audits = (one["audit_info"] for one in versions)
        self._move(
            [
                {"audit_info": audit, **_next(found)}
                for audit, (_, found) in zip(audits, self.replaces, strict=True)
            ]
        )
        self._log(ALTERED, (found for _, found in self.replaces))

    def _rename(self) -> None:
        """A version with the content of the one before, and the new name, as the server does it."""
        content = VERSION.c[_COPIED]
        for _, found in self.renames:
            copied = select(*content, literal(found.last + 1)).where(
                VERSION.c.view_id == found.view_id,
                VERSION.c.version == found.current,
                VERSION.c.deleted_at == 0,
            )
            into = insert(VERSION).from_select([*_COPIED, "version"], copied)
            self.connection.execute(into)
        self._move([{"view_name": one.new_name, **_next(found)} for one, found in self.renames])
        self._log(ALTERED, (found for _, found in self.renames))

    def _drop(self) -> None:
        """Soft-delete the view and all its versions, as the server does it."""
        if not self.drops:
            return
        gone = rows.now()
        self._move([{"deleted_at": gone, **_same(found)} for found in self.drops])
        keys = [found.view_id for found in self.drops]
        versions = update(VERSION).where(VERSION.c.view_id.in_(keys), VERSION.c.deleted_at == 0)
        self.connection.execute(versions.values(deleted_at=gone))
        self._log(DROPPED, self.drops)

    def _insert(self, table: Table, values: Sequence[Mapping[str, Any]]) -> None:
        if values:
            self.connection.execute(insert(table), values)

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

    def _log(self, operation: int, found: Iterable[Live]) -> None:
        paths = [(*one.view.identifier.namespace, one.view.identifier.name) for one in found]
        rows.log(self.connection, self.options, "VIEW", operation, paths)


def _same(found: Live) -> dict[str, Any]:
    """The row that was read, for `_move`."""
    return {"key": found.view_id, "seen": found.current}


def _next(found: Live) -> dict[str, Any]:
    """The row that was read, and its next version."""
    number = found.last + 1
    return {**_same(found), "current_version": number, "last_version": number}


def _check_id(view: View, found: Live) -> None:
    """A server that finds another id in the properties would write over the row: refuse it."""
    stated = cells.identified(view)
    if stated not in {None, found.view_id}:
        why = f"its property {cells.IDENTIFIER} names the id {stated}, its row has {found.view_id}"
        hint = "a server would set the row back: drop the view there first, or the property"
        raise NotHeldError(why, hint=hint, view=str(view.identifier))
