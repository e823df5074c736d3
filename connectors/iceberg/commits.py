"""Views written into an Iceberg JDBC catalog: a metadata file, then the row that names it.

A row is changed only if it still names the file that was read (compare-and-set). So a row never
names a file that is not there, and a file that no row names is nobody's view.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from connectors.clients.files import FileAccess
from connectors.iceberg.pointers import OBJECTS, VIEW, Pointers, at, write_error
from discovery.errors import BelvedereError, CollisionError
from discovery.formats import iceberg, iceberg_writing
from discovery.formats.iceberg_files import location, metadata_file
from discovery.formats.iceberg_metadata import ViewMetadata
from discovery.migration.changes import moved_error, settle, touched
from discovery.model import Identifier, View, dotted
from discovery.ports import Action, Applied, Change


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """What the catalog has at a place.

    Attributes:
        uri: The metadata file that its row names.
        metadata: What that says; None if it is a table, or cannot be read.
        view: The same in the model.
        error: Why it cannot be read, or written over: it is a table.
    """

    uri: str
    metadata: ViewMetadata | None = None
    view: View | None = None
    error: BelvedereError | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """A change that is to be written.

    Attributes:
        change: As the plan has it.
        old: The metadata file that the row names now; empty: there is no row.
        new: The one that it shall name; empty: it goes.
        content: Of the new file; empty: it is there already.
    """

    change: Change
    old: str
    new: str
    content: bytes = b""

    def failed(self, error: BelvedereError, *remains: str) -> Applied:
        """The answer that an error becomes."""
        answer = Applied.failed(self.change.view.identifier, error)
        return Applied(answer.identifier, answer.action, answer.failure, remains)

    def applied(self) -> Applied:
        """The answer once it is written: the file that no row names any more remains."""
        remains = (self.old,) if self.old and self.old != self.new else ()
        return Applied(self.change.view.identifier, self.change.action, remains=remains)


def plan_write(
    change: Change, entries: Mapping[Identifier, CatalogEntry], warehouse: str
) -> Applied | Write:
    """What is to be written for a change, or the answer if nothing is.

    Args:
        change: As the plan has it.
        entries: What the catalog has at the places that the changes touch.
        warehouse: Where new views go.
    """
    place, *renamed = touched(change)
    at, at_new = entries.get(place), entries.get(renamed[0]) if renamed else None
    for catalog_entry in (at, at_new):
        if catalog_entry is not None and catalog_entry.error is not None:
            return Applied.failed(place, catalog_entry.error)
    answer = settle(change, at.view if at else None, at_new.view if at_new else None)
    if answer is not None:
        return answer
    old = at.uri if at else ""
    if change.action is Action.DROP:
        return Write(change, old, "")
    if change.action is Action.RENAME:
        return Write(change, old, old)
    try:
        return _with_file(change, at, warehouse)
    except BelvedereError as error:
        return Applied.failed(place, error)


def _with_file(change: Change, at: CatalogEntry | None, warehouse: str) -> Write:
    view, now = change.view, round(time.time() * 1000)
    if at is None or at.metadata is None:
        old, folder = "", location(warehouse, view.identifier)
        past = iceberg.past(change.raw)
        document = iceberg_writing.created(view, uuid4(), folder, now, past)
    else:
        old, folder = at.uri, at.metadata.location
        document = iceberg_writing.replaced(at.metadata, view, now)
    new = metadata_file(folder, document["properties"], old)
    return Write(change, old, new, json.dumps(document, ensure_ascii=False).encode())


class Commits:
    """Writes changes, each answered once.

    Args:
        pointers: The database.
        catalog: The catalog's name in it.
        files: Of the warehouse.
    """

    def __init__(self, pointers: Pointers, catalog: str, files: FileAccess) -> None:
        self._pointers, self._catalog, self._files = pointers, catalog, files

    def write(self, writes: Sequence[Write]) -> list[Applied]:
        """The files side by side, then the rows in one transaction."""
        refusals = self._files.write_all(
            {write.new: write.content for write in writes if write.content}
        )
        ready = [write for write in writes if refusals.get(write.new) is None]
        answers = [write.failed(error) for write in writes if (error := refusals.get(write.new))]
        self._files.remove_all(uri for uri, error in refusals.items() if error)  # half a file
        return answers + self._commit(ready)

    def _commit(self, writes: Sequence[Write]) -> list[Applied]:
        """The rows in one transaction; if it is refused, each in one of its own."""
        if not writes:
            return []
        try:
            with self._pointers.transaction() as connection:
                lost = self._swap(connection, writes)
        except DBAPIError as error:
            if error.connection_invalidated:
                return self._look_up_unknown(writes, write_error(error))
            if len(writes) > 1 and not isinstance(error, OperationalError):  # no row is to blame
                return [answer for write in writes for answer in self._commit([write])]
            return [self._give_up(write, _refusal(write, error)) for write in writes]
        except BelvedereError as error:  # it could not be connected to again
            return [self._give_up(write, error) for write in writes]
        return [
            self._give_up(write, moved_error(write.change.view.identifier, write.change.view))
            if write in lost
            else write.applied()
            for write in writes
        ]

    def _swap(self, connection: Connection, writes: Sequence[Write]) -> list[Write]:
        """Change the rows; those whose row no longer is as it was read."""
        new = [self._row(write) for write in writes if not write.old]
        if new:
            connection.execute(insert(OBJECTS), new)
        others = [write for write in writes if write.old]
        return [
            write for write in others if connection.execute(self._statement(write)).rowcount != 1
        ]

    def _statement(self, write: Write) -> Any:  # noqa: ANN401 - SQLAlchemy
        """The statement that changes the row of a write, if it still names the file."""
        same = and_(
            self._at([write.change.view.identifier]),
            OBJECTS.c.metadata_location == write.old,
            OBJECTS.c.iceberg_type == VIEW,
        )
        if write.change.action is Action.DROP:
            return delete(OBJECTS).where(same)
        if write.change.action is Action.RENAME:
            return update(OBJECTS).where(same).values(table_name=write.change.new_name)
        places = {"metadata_location": write.new, "previous_metadata_location": write.old}
        return update(OBJECTS).where(same).values(places)

    def _row(self, write: Write) -> dict[str, str]:
        place = write.change.view.identifier
        return {
            "catalog_name": self._catalog,
            "table_namespace": dotted(place.namespace),
            "table_name": place.name,
            "metadata_location": write.new,
            "iceberg_type": VIEW,
        }

    def _at(self, places: Sequence[Identifier]) -> ColumnElement[bool]:
        return at(self._catalog, [(dotted(place.namespace), place.name) for place in places])

    def rows(self, places: Sequence[Identifier]) -> dict[Identifier, tuple[str | None, str | None]]:
        """Type and metadata file of what the catalog has at places.

        Raises:
            BelvedereError: The database refused it, or is gone.
        """
        wanted = {(dotted(place.namespace), place.name): place for place in places}
        names = "table_namespace", "table_name", "iceberg_type", "metadata_location"
        query = select(*OBJECTS.c[names]).where(self._at(list(wanted.values())))
        rows = self._pointers.rows(query) if wanted else ()
        return {  # a collation may ignore case
            wanted[space, name]: (kind, uri)
            for space, name, kind, uri in rows
            if (space, name) in wanted
        }

    def _give_up(self, write: Write, error: BelvedereError) -> Applied:
        """The answer to a write that certainly was not done: its file goes."""
        return write.failed(error, *self._files.remove_all([write.new] if write.content else []))

    def _look_up_unknown(self, writes: Sequence[Write], error: BelvedereError) -> list[Applied]:
        """Answers after the connection was lost: what was done is looked up.

        The database may still be at it, so no file goes: a row may come to name it.
        """
        try:
            rows = self.rows([place for write in writes for place in touched(write.change)])
        except BelvedereError:
            rows = None
        return [
            write.applied()
            if rows is not None and _is_done(write, rows)
            else write.failed(error, *_file(write))
            for write in writes
        ]


def _is_done(write: Write, rows: Mapping[Identifier, tuple[str | None, str | None]]) -> bool:
    place = touched(write.change)[-1]
    return (rows[place][1] if place in rows else "") == write.new


def _file(write: Write) -> tuple[str, ...]:
    return (write.new,) if write.content else ()


def _refusal(write: Write, error: DBAPIError) -> BelvedereError:
    if isinstance(error, IntegrityError):
        name = touched(write.change)[-1]
        why = f"the catalog has come to hold a table or view of the name {name.name}"
        hint = "Plan again. A database may compare names ignoring case."
        return CollisionError(why, hint=hint, view=str(write.change.view.identifier))
    return write_error(error)
