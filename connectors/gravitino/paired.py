"""Two stores as one: a catalog's views by their own route, their rows in Gravitino's store.

The route says what a view is; its row says who made it and when, which a catalog of Iceberg or
Paimon cannot say, and a server of 1.3.0 shows. The view is written first, so a row never stands for
a view that is not there. Where a writer is killed in between, `recover` writes the row.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from connectors.gravitino import cells
from connectors.gravitino.entity_store.view_rows import ViewRows, strange_row
from discovery.errors import BelvedereError, CollisionError, StoreError
from discovery.migration.changes import apart, fingerprint
from discovery.migration.hiding import HidingStore
from discovery.migration.namespaces import NamespaceEdit
from discovery.migration.pairing import RowStep, row_step
from discovery.migration.providers import IDENTIFIER_LOST, without_identifier
from discovery.model import Audit, Identifier, OwnerKind, Schema, View, owner_text
from discovery.outcomes import Listed
from discovery.ports import Action, Applied, Change, Held, Probe, ViewStore


@runtime_checkable
class RowKeeper(Protocol):
    """A route whose server makes the rows of what it is sent itself, and keeps them in memory."""

    def forget(self, places: Sequence[Identifier]) -> Iterator[Identifier]:
        """Have the server read the rows of views anew; those for which it did not. Does I/O."""


class PairedStore(ViewStore):
    """A catalog's views, and their rows."""

    keeps_audit = True

    def __init__(self, views: ViewStore, rows: ViewRows) -> None:
        self._views, self._rows = views, rows
        self.connections = min(views.connections, rows.connections)
        self.lasting, self.amends = views.lasting, views.amends
        self.functions = rows.functions if views.functions is None else views.functions
        self.rights = rows.rights if views.rights is None else views.rights
        self.tags, self.keeps_history = views.tags, views.keeps_history

    def close(self) -> None:
        """Close both."""
        self._views.close()
        self._rows.close()

    def probe(self) -> Probe:
        """Reach both."""
        views, rows = self._views.probe(), self._rows.probe()
        why = self._rows.lacks()
        problems = (*views.problems, *((why,) if why else rows.problems))
        return Probe(f"{views.version}; rows: {rows.version}", problems)

    def hides(self) -> str:
        """As the route."""
        return self._views.hides() if isinstance(self._views, HidingStore) else ""

    def listing(self) -> Iterator[Listed]:
        """What the route lists: a row without a view is not shown by any server."""
        return self._views.listing()

    def present(self, wanted: Sequence[Identifier]) -> Iterator[View]:
        """The views as the route has them, made by whom their rows say."""
        views = list(self._views.present(wanted))
        audits = self._rows.audits([view.identifier for view in views])
        for view in views:
            yield replace(view, audit=audits.get(view.identifier, Audit()))

    def recover(self, changes: Sequence[Change]) -> tuple[Identifier, ...]:
        """Write the rows of what is written, where a killed writer has not come to that."""
        identifiers = self._views.recover(changes)
        places = [change.view.identifier for change in changes]
        fingerprints = {view.identifier: fingerprint(view) for view in self._views.present(places)}
        written = [
            change
            for change in changes
            if fingerprints.get(change.view.identifier)
            == (None if change.action is Action.DROP else change.fingerprint)
        ]
        settled = list(self._settle(written))
        for applied in settled:
            if applied.failure is not None:
                code, message, hint = applied.failure
                raise StoreError(f"{message} ({code})", hint=hint, view=str(applied.identifier))
        mended = [change.identifier for change in settled if change.action is not Action.KEEP]
        return tuple(dict.fromkeys((*identifiers, *mended)))

    def hold(self, view: View) -> Held:
        """As the route holds it, with who made it and when, which is no loss here.

        Raises:
            StoreError: The route or the row cannot hold it.
        """
        held = self._views.hold(_without_row(view))
        losses = list(held.losses)
        audit = replace(view.audit, creator_kind=OwnerKind.USER)
        if cells.IDENTIFIER in dict(view.properties):
            losses.append(IDENTIFIER_LOST)
        if view.audit.creator and view.audit.creator_kind is not OwnerKind.USER:
            owner = owner_text(view.audit.creator, view.audit.creator_kind)
            losses.append(f"its owner {owner} is no user: its row has the name as the creator's")
        audited = replace(held.view, audit=audit)
        self._rows.hold(audited)
        return Held(audited, tuple(losses))

    def may_create(self, namespace: tuple[str, ...]) -> bool:
        """Whether both may."""
        return self._views.may_create(namespace) and self._rows.may_create(namespace)

    def lacking(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Those that the route does not have."""
        return self._views.lacking(namespaces)

    def prepare(self, schemas: Sequence[Schema]) -> tuple[tuple[str, ...], ...]:
        """Make namespaces by the route, then their rows.

        Raises:
            StoreError: The store has no such catalog.
            UnsupportedVersionError: Its tables have a layout that we do not know.
        """
        if why := self._rows.lacks():
            raise StoreError(why)
        prepared = self._views.prepare(schemas)
        if schemas:
            self._rows.prepare(schemas)
        return prepared

    def hold_namespace(self, schema: Schema) -> Schema:
        """As the route gives it back: of a namespace, a server shows what the catalog says."""
        return self._views.hold_namespace(schema)

    def namespaces(self, wanted: Sequence[tuple[str, ...]]) -> Iterator[Schema]:
        """Those that the route has."""
        return self._views.namespaces(wanted)

    def amend(self, edit: NamespaceEdit) -> bool:
        """By the route."""
        return self._views.amend(edit)

    def remove(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Remove namespaces without functions by the route, then the rows of what is gone."""
        held = self._rows.with_functions(namespaces)
        left = self._views.remove([namespace for namespace in namespaces if namespace not in held])
        removed = [namespace for namespace in namespaces if namespace not in held.union(left)]
        self._rows.remove(self._views.lacking(removed))
        return (*left, *sorted(held))

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        """Look at the rows, write the views, and then their rows."""
        for group in apart(changes):
            yield from self._apply(group)

    def _apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        try:
            refused = self._find_refused(changes)
        except BelvedereError as error:
            yield from (Applied.failed(change.view.identifier, error) for change in changes)
            return
        yield from refused.values()
        left = {
            change.view.identifier: change
            for change in changes
            if change.view.identifier not in refused
        }
        answers = {
            applied.identifier: applied for applied in self._views.apply(list(left.values()))
        }
        written = {place: answer for place, answer in answers.items() if answer.failure is None}
        yield from (answer for answer in answers.values() if answer.failure is not None)
        settled = self._settle([left[place] for place in written])
        for row in settled:
            yield _combined(written[row.identifier], row)

    def _find_refused(self, changes: Sequence[Change]) -> dict[Identifier, Applied]:
        """The changes that must not be made, as a row is somebody else's."""
        audits = self._rows.audits([change.view.identifier for change in changes])
        pairs = [
            (change, audits[change.view.identifier])
            for change in changes
            if change.view.identifier in audits
        ]
        orphans = self._find_orphans([change for change, _ in pairs])
        refused: dict[Identifier, BelvedereError] = {}
        for change, audit in pairs:
            place, step = change.view.identifier, row_step(change, audit, self._writer)
            if place in orphans and (step is RowStep.REFUSE or isinstance(self._views, RowKeeper)):
                why = "Gravitino's store has a row of this name, and the catalog has no such view"
                hint = "drop the view through the server: that removes the row, too"
                refused[place] = CollisionError(why, hint=hint, view=str(place))
            elif step is RowStep.REFUSE:
                refused[place] = strange_row(change, audit)
        return {place: Applied.failed(place, error) for place, error in refused.items()}

    def _find_orphans(self, changes: Sequence[Change]) -> Collection[Identifier]:
        """The places of new views that have a row, and nothing it stands for."""
        places = [change.view.identifier for change in changes if change.action is Action.CREATE]
        identifiers = {view.identifier for view in self._views.present(places)} if places else set()
        return {*places} - identifiers

    def _settle(self, changes: Sequence[Change]) -> Iterator[Applied]:
        """Write the rows of what is written, and have a server look at them."""
        try:
            answers = list(self._rows.settle(changes, self._writer))
        except BelvedereError as error:
            answers = [Applied.failed(change.view.identifier, error) for change in changes]
        unseen = self._forget(changes, answers)
        for answer in answers:
            stale = ("who made it, in the server's memory, for an hour",)
            added = stale if answer.identifier in unseen else ()
            yield replace(answer, remains=(*answer.remains, *added))

    def _forget(
        self, changes: Sequence[Change], answers: Sequence[Applied]
    ) -> Collection[Identifier]:
        """Have a server that keeps rows in memory read them; those for which it did not."""
        if not isinstance(self._views, RowKeeper):
            return ()
        written = {answer.identifier for answer in answers if answer.action in _SHOWN}
        places = [change.view.identifier for change in changes if change.view.identifier in written]
        return {*self._views.forget(places)}

    def _writer(self, change: Change) -> str | None:
        """Whom the route itself names as the creator of what we write."""
        try:
            return self._views.hold(_without_row(change.view)).view.audit.creator
        except BelvedereError:  # as it is there, of a view that is dropped
            return None


_SHOWN = frozenset({Action.CREATE, Action.REPLACE, Action.ADD_DIALECT})


def _without_row(view: View) -> View:
    """A view without what its row says."""
    return replace(without_identifier(view), audit=Audit())


def _combined(view: Applied, row: Applied) -> Applied:
    """What became of a change whose view is written."""
    if row.failure is not None:
        code, message, hint = row.failure
        why = f"the view is as it is to be, its row in Gravitino's store is not: {message}"
        return replace(row, failure=(code, why, hint or "apply again: the view is left alone"))
    action = view.action if view.action is not Action.KEEP else row.action
    return Applied(view.identifier, action, remains=(*view.remains, *row.remains))
