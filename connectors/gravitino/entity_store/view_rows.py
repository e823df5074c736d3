"""The rows of views that a catalog serves: who made each and when, which the catalog cannot say.

They stand beside those of a server, which has made metalake and catalog: neither is made here, nor
are tables. What a server of 1.3.0 does with such a row is in `discovery/migration/pairing.py`.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from sqlalchemy import Connection, select

from connectors.gravitino.entity_store import bulk, layout, owners, parents
from connectors.gravitino.entity_store.batch import Batch, Live, live
from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.store import EntityStore
from connectors.gravitino.entity_store.tables import FUNCTION, OWNER
from discovery.errors import MovedError, StoreError
from discovery.migration.pairing import RowStep, row_step
from discovery.model import Audit, Identifier, OwnerKind, Schema
from discovery.namespaces import Levels
from discovery.ports import Action, Applied, Change

Writer = Callable[[Change], str | None]
"""Whom a server names as the creator of what we write."""


class ViewRows(EntityStore):
    """The rows of a catalog's views."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._place = f"catalog {options.catalog} of metalake {options.metalake}"

    def lacks(self) -> str:
        """What has to be there and is not, in a sentence; empty: nothing.

        Raises:
            UnsupportedVersionError: The tables have a layout that we do not know.
        """
        with self._begin() as connection:
            self._check_owners(layout.read_layout(connection))
            if self._has_tables(connection) and parents.catalog_of(connection, self._options):
                return ""
        return f"the store has no {self._place}: create it in Gravitino"

    def audits(self, places: Sequence[Identifier]) -> dict[Identifier, Audit]:
        """What the rows of views say, as far as there are rows."""
        return {view.identifier: view.audit for view in self.present(places)}

    def prepare(self, schemas: Sequence[Schema]) -> tuple[Levels, ...]:
        """Make the rows of schemas that have none; those that this call has made.

        Raises:
            StoreError: The catalog has none itself.
        """
        if why := self.lacks():
            raise StoreError(why)
        with self._begin() as connection:
            return parents.make(connection, self._options, schemas)

    def settle(self, changes: Sequence[Change], writer: Writer) -> Iterator[Applied]:
        """Bring the rows of changed views to what the changes say; one answer for each.

        Raises:
            BelvedereError: The rows of their schemas cannot be made.
        """
        if changes:
            self._make_schemas({change.view.identifier.namespace for change in changes})

        def write(connection: Connection, group: Sequence[Change]) -> list[Applied]:
            batch = RowBatch(connection, self._options, self._list_tables(connection))
            return batch.settle(group, writer)

        yield from self._write_in_halves(changes, write)

    def with_functions(self, wanted: Sequence[Levels]) -> frozenset[Levels]:
        """Those of the schemas that hold functions: the catalog behind them does not know."""
        with self._begin() as connection:
            if FUNCTION.name not in self._list_tables(connection):
                return frozenset()
            catalog = parents.catalog_of(connection, self._options)
            ids = parents.schemas_of(connection, catalog, wanted)
            spaces = {id_["schema_id"]: levels for levels, id_ in ids.items()}
            query = select(FUNCTION.c.schema_id).where(
                bulk.is_among(FUNCTION.c.schema_id, list(spaces), connection),
                FUNCTION.c.deleted_at == 0,
            )
            schema_ids = connection.execute(query).scalars() if spaces else ()
            return frozenset(spaces[space] for space in schema_ids)

    def _require_schema(self, levels: Levels) -> None:
        """The catalog has the schema, and a row of it is made."""
        self._make_schemas({levels})

    def _make_schemas(self, spaces: Collection[Levels]) -> None:
        """Make rows of schemas; another task may do so at the same moment."""
        lacking = self.lacking(sorted(spaces))
        try:
            if lacking:
                self.prepare([Schema(levels=levels) for levels in lacking])
        except StoreError:
            if self.lacking(lacking):
                raise


class RowBatch(Batch):
    """Rows that are settled in one transaction."""

    def settle(self, changes: Sequence[Change], writer: Writer) -> list[Applied]:
        """Write what is to be written; one answer for each, in order.

        Raises:
            BelvedereError: The database refused one of them, or somebody else was faster.
        """
        places = [change.view.identifier for change in changes]
        catalog = parents.catalog_of(self.connection, self.options)
        schemas = parents.schemas_of(
            self.connection, catalog, {place.namespace for place in places}
        )
        present = live(self.connection, schemas, places)
        answers = [self._settle(change, present, schemas, writer) for change in changes]
        self._own()
        self.write()
        return answers

    def _settle(
        self,
        change: Change,
        present: Mapping[Identifier, Live],
        schemas: Mapping[Levels, parents.Ids],
        writer: Writer,
    ) -> Applied:
        place = change.view.identifier
        stored = present.get(place)
        step = row_step(change, stored and stored.view.audit, writer)
        if step is RowStep.LEAVE:
            return Applied(place, Action.KEEP)
        if step is RowStep.REFUSE and stored is not None:
            return Applied.failed(place, strange_row(change, stored.view.audit))
        return self._queue(change, stored, schemas.get(place.namespace))

    def _own(self) -> None:
        """Give rows that are there without an owner theirs; new ones get it as they are made."""
        if not self.options.owners:
            return
        makers = {
            stored.view_id: view.audit.creator
            for view, stored in self.replaces
            if view.audit.creator and view.audit.creator_kind is OwnerKind.USER
        }
        query = select(OWNER.c.metadata_object_id).where(
            bulk.is_among(OWNER.c.metadata_object_id, list(makers), self.connection),
            OWNER.c.metadata_object_type == "VIEW",
            OWNER.c.deleted_at == 0,
        )
        owned = {*self.connection.execute(query).scalars()} if makers else set()
        left = {key: name for key, name in makers.items() if key not in owned}
        metalake = self.replaces[0][1].ids["metalake_id"] if left else 0
        owners.own(self.connection, self.options, metalake, "VIEW", left)


def strange_row(change: Change, audit: Audit) -> MovedError:
    """The error of a change whose row says what neither we, the plan nor the server have said."""
    maker = f"{audit.creator or 'nobody'}, {audit.create_time or 'at no time'}"
    why = (
        f"its row in Gravitino's store says that it was made by {maker}: the plan has not seen that"
    )
    return MovedError(why, view=str(change.view.identifier))
