"""Store `paimon`: views in a Paimon REST catalog, each with a `query` and every dialect beside it.

Dialects, options and the comment are altered where the view stands. A view with another `query` or
other columns is made anew, as the protocol cannot change these: the old one is renamed aside, the
new one is created, the old one is dropped. The rename takes what is there in one step, so it is
seen if that is not what was planned against. What a killed process has left aside has a name by
which whoever applies the change, or takes it back, finds it: it is renamed back, or dropped.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from connectors.clients.credentials import Secret
from connectors.clients.rest import NoSuchResourceError, ResourceExistsError
from connectors.clients.single_writes import SingleWrites
from connectors.paimon.server import PaimonServer, address, view_path
from discovery.asked import check_place
from discovery.display import quantity
from discovery.errors import (
    BelvedereError,
    CollisionError,
    ConfigurationError,
    InternalError,
    MovedError,
    NamespaceError,
    NotHeldError,
    ReadError,
    StoreError,
)
from discovery.formats import paimon_writing
from discovery.formats.paimon import decode_database
from discovery.lineage import scopes
from discovery.migration import shared_context
from discovery.migration.changes import fingerprint, moved_error, touched
from discovery.migration.namespaces import NamespaceEdit
from discovery.migration.providers import without_identifier
from discovery.model import Identifier, Schema, View, dotted
from discovery.namespaces import Levels
from discovery.outcomes import Kind, Listed, RawObject
from discovery.ports import Action, Change, Held, Probe

_COMMENT: Final = "comment"
_RENAME: Final = "/views/rename"
_ASIDE: Final = "__belvedere_"
_REPLACING: Final = frozenset({Action.REPLACE, Action.ADD_DIALECT})
_WITHOUT_REST: Final = {
    "filesystem": "Paimon's catalogs on a file system hold no views",
    "jdbc": "Paimon's catalogs in a database hold no views",
    "hive": "Paimon's catalog on a Hive Metastore keeps one text of a view, and loses dialects, "
    "options, NOT NULL and the case of names",
}
_INSTEAD: Final = "write metastore: rest, or take the kind hms, which writes for each engine"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to reach and fill a Paimon catalog.

    Attributes:
        metastore: `rest`: Paimon's other catalogs hold no views, or but one text of each.
        uri: `https://host:port` of the REST server, up to the `/v1` of the protocol.
        warehouse: Which of the server's warehouses; it has to be said.
        token: Bearer token, by reference.
        connections: How many at a time, over all executors.
        timeout: Seconds for connecting and for each answer.
    """

    metastore: str = "rest"
    uri: str = ""
    warehouse: str = ""
    token: Secret | None = None
    connections: int = 4
    timeout: float = 60.0

    def __post_init__(self) -> None:
        if self.metastore in _WITHOUT_REST:
            raise ConfigurationError(_WITHOUT_REST[self.metastore], hint=_INSTEAD)
        if self.metastore != "rest":
            raise ConfigurationError(f"metastore: {self.metastore!r} is not rest", hint=_INSTEAD)
        if not self.uri.startswith(("http://", "https://")):
            hint = "write uri: https://host:port"
            raise ConfigurationError(f"uri: {self.uri!r} is no address of a server", hint=hint)
        if not self.warehouse:
            raise ConfigurationError("warehouse: is missing; a REST catalog is one of a server's")


class _CatalogView(NamedTuple):
    """A view that the server has."""

    view: View


class PaimonStore(SingleWrites[_CatalogView]):
    """A Paimon REST catalog as a store of views."""

    def __init__(self, options: Options) -> None:
        self.connections = options.connections
        self._options = options
        self._server = PaimonServer(options.uri, options.warehouse, options.token, options.timeout)

    def __reduce__(self) -> tuple[Any, ...]:
        """It travels as its options: a connection cannot."""
        return type(self), (self._options,)

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def probe(self) -> Probe:
        """Ask the server for its configuration and the databases."""
        count = sum(1 for _ in self._server.pages("/databases", "databases"))
        return Probe(f"Paimon REST catalog, {quantity(count, 'database')}")

    def listing(self) -> Iterator[Listed]:
        """Each database with its views and tables."""
        for database in self._server.pages("/databases", "databases"):
            levels = (str(database),)
            yield Listed(levels, "", Kind.NAMESPACE)
            for member, kind in (("views", Kind.VIEW), ("tables", Kind.TABLE)):
                for name in self._server.pages(address("/databases/{}/" + member, *levels), member):
                    yield Listed(levels, str(name), kind)

    def hold(self, view: View) -> Held:
        """As the server gives it back.

        Raises:
            NotHeldError: Paimon cannot hold it.
        """
        held = paimon_writing.hold(view)
        shared_context.check(paimon_writing.with_query(view), scopes.names)
        return held

    def lacking(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Those that the server does not know; one request each."""
        return tuple(levels for levels in namespaces if self._read_database(levels) is None)

    def prepare(self, schemas: Sequence[Schema]) -> tuple[tuple[str, ...], ...]:
        """Make the databases that are missing; none, if one is refused."""
        for schema in schemas:
            paimon_writing.check_database(schema.levels)
        return super().prepare(schemas)

    def make(self, schema: Schema, made: list[Levels]) -> None:
        """Make a database, if it is missing, and note that it was."""
        if self._read_database(schema.levels) is not None:
            return
        body = {"name": schema.levels[0], "options": _options(schema)}
        try:
            self.make_once(
                schema.levels, made, lambda: self._server.send("POST", "/databases", body)
            )
        except ResourceExistsError:  # another one was faster
            return
        except ReadError as error:
            raise StoreError(error.message, namespace=dotted(schema.levels)) from error

    def hold_namespace(self, schema: Schema) -> Schema:
        """As a database with options gives it back."""
        options = _options(schema)
        comment, properties = options.pop(_COMMENT, None), tuple(sorted(options.items()))
        return Schema(
            levels=schema.levels, comment=comment, properties=properties, audit=schema.audit
        )

    def namespaces(self, wanted: Sequence[tuple[str, ...]]) -> Iterator[Schema]:
        """Those that the server knows; one request each."""
        for levels in wanted:
            if (schema := self._read_database(levels)) is not None:
                yield schema

    def _read_database(self, levels: Levels) -> Schema | None:
        try:
            paimon_writing.check_database(levels)
            return _schema(levels, self._server.get(address("/databases/{}", *levels)))
        except (NotHeldError, NoSuchResourceError):
            return None

    def amend(self, edit: NamespaceEdit) -> bool:
        """Look, and change the options in one request."""
        if not edit.is_to_do(self._read_database(edit.levels)):
            return False
        after = {_COMMENT if field.key is None else field.key: field.after for field in edit.fields}
        body = {
            "removals": [key for key, value in after.items() if value is None],
            "updates": {key: value for key, value in after.items() if value is not None},
        }
        place = dotted(edit.levels)
        try:
            self._server.send("POST", address("/databases/{}", *edit.levels), body)
        except NoSuchResourceError as error:
            raise MovedError("the namespace is gone", namespace=place) from error
        except ReadError as error:
            raise StoreError(error.message, namespace=place) from error
        return True

    def remove(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Drop the databases that hold nothing; those that stay.

        A DELETE drops a database with all that is in it: so it is looked for first.
        """
        existing = [
            namespace for namespace in namespaces if self._read_database(namespace) is not None
        ]
        return tuple(levels for levels in existing if not self._remove_if_empty(levels))

    def _remove_if_empty(self, levels: Levels) -> bool:
        database = address("/databases/{}", *levels)
        with suppress(NoSuchResourceError):
            for member in ("tables", "views"):
                if next(self._server.pages(f"{database}/{member}", member), None) is not None:
                    return False
            if self._has_functions(database):
                return False
            self._server.send("DELETE", database)
        return True

    def _has_functions(self, database: str) -> bool:
        """Whether there are any; a server of a Paimon without functions has no such path."""
        try:
            return next(self._server.pages(f"{database}/functions", "functions"), None) is not None
        except NoSuchResourceError:
            return False

    def read_at(self, place: Identifier) -> _CatalogView | None:
        """The view at a place.

        Raises:
            BelvedereError: The server refused, failed, or said what is none.
        """
        try:
            paimon_writing.check_names(place)
            answer = self._server.get(view_path(place))
        except (NotHeldError, NoSuchResourceError):
            return None
        check_place(place, "paimon_view", answer)
        return _CatalogView(without_identifier(paimon_writing.view_of(place, answer)))

    def read_touched(self, change: Change) -> list[_CatalogView | None]:
        """What the server has, once what an attempt has left aside is no more.

        Nothing is aside of a view that stands there as it was: then nothing is asked for it.
        """
        current = super().read_touched(change)
        stored = current[0]
        if stored is not None and fingerprint(stored.view) != change.fingerprint:
            return current
        return super().read_touched(change) if self.recover([change]) else current

    def recover(self, changes: Sequence[Change]) -> tuple[Identifier, ...]:
        """Rename back what stands aside with nothing in its place; drop what is replaced."""
        return tuple(change.view.identifier for change in changes if self._recover(change))

    def _recover(self, change: Change) -> bool:
        if change.action not in _REPLACING or not self._stands_aside(change):
            return False
        place, aside = change.view.identifier, _place_aside(change)
        stored = self.read_at(place)
        if stored is None:
            self._rename(aside, place)
        elif fingerprint(stored.view) == change.fingerprint:
            self._drop(aside)
        else:  # somebody else's
            return False
        return True

    def _stands_aside(self, change: Change) -> bool:
        """Whether the view that is to be replaced does."""
        left = self.read_at(_place_aside(change))
        if left is None:
            return False
        view = replace(left.view, identifier=change.view.identifier)
        return fingerprint(view) == change.expected

    def write(self, change: Change, stored: _CatalogView | None) -> None:
        """Send a change; one that is dropped already is as it shall be.

        Raises:
            BelvedereError: The server refused it, failed, or did not answer.
        """
        if change.action is Action.DROP:
            self._drop(change.view.identifier)
        elif change.action is Action.RENAME:
            self._rename(*touched(change))
        elif stored is None:
            self._create(change.view)
        else:
            self._replace(change, stored)

    def _create(self, view: View) -> None:
        place = view.identifier
        paimon_writing.check_names(place)
        stated = {"identifier": _named(place), "schema": paimon_writing.schema(view)}
        try:
            self._server.send("POST", address("/databases/{}/views", *place.namespace), stated)
        except NoSuchResourceError as error:
            hint = "Prepare the target first."
            raise NamespaceError(error.message, hint=hint, view=str(place)) from error
        except ResourceExistsError as error:
            if (stored := self.read_at(place)) is not None:
                raise moved_error(place, stored.view) from error
            hint = "Rename one of them, or map the view to another name."
            raise CollisionError(error.message, hint=hint, view=str(place)) from error

    def _drop(self, place: Identifier) -> None:
        paimon_writing.check_names(place)
        with suppress(NoSuchResourceError):
            self._server.send("DELETE", view_path(place))

    def _rename(self, old: Identifier, new: Identifier) -> None:
        paimon_writing.check_names(new)
        try:
            self._server.send("POST", _RENAME, {"source": _named(old), "destination": _named(new)})
        except NoSuchResourceError as error:
            if self.read_at(old) is not None:
                raise StoreError(error.message, view=str(old)) from error
            raise moved_error(old, None) from error
        except ResourceExistsError as error:
            hint = "Rename one of them, or map the view to another name."
            raise CollisionError(error.message, hint=hint, view=str(old)) from error

    def _replace(self, change: Change, stored: _CatalogView) -> None:
        """Alter a view where it stands, or put another one in its place."""
        changes = paimon_writing.altered(stored.view, change.view)
        if changes is None:
            self._put_in_place(change, stored)
            return
        place = change.view.identifier
        try:
            self._server.send("POST", view_path(place), {"changes": changes})
        except (NoSuchResourceError, ResourceExistsError) as error:  # the view, or a dialect
            after = self.read_at(place)
            raise moved_error(place, after and after.view) from error
        # the protocol has no precondition: two who alter at once are seen by the outcome only
        after = self.read_at(place)
        if after is None or fingerprint(after.view) != change.fingerprint:
            raise moved_error(place, after and after.view)

    def _put_in_place(self, change: Change, stored: _CatalogView) -> None:
        """Rename the old view aside, create the new one, drop the old one."""
        place, aside = change.view.identifier, _place_aside(change)
        if self._stands_aside(change):  # of an earlier turn, and the same as is here
            self._drop(aside)
        self._rename(place, aside)
        if not self._stands_aside(change):  # it has changed since it was read
            self._rename(aside, place)
            raise moved_error(place, stored.view)
        try:
            self._create(change.view)
        except MovedError:
            hint = f"The view that was there before stands at {aside}."
            why = "somebody else has made a view here while it was replaced"
            raise MovedError(why, hint=hint, view=str(place)) from None
        except self.unknown:
            if self.read_at(place) is None:
                self._rename(aside, place)
            raise
        except BelvedereError:
            self._rename(aside, place)
            raise
        self._drop(aside)


def _place_aside(change: Change) -> Identifier:
    """Where a view stands while another takes its place, by what it is: so it is found again."""
    place = change.view.identifier
    return replace(place, name=f"{place.name}{_ASIDE}{(change.expected or '')[-12:]}")


def _named(place: Identifier) -> dict[str, str]:
    """A place as the protocol has it (`Identifier` of Paimon)."""
    return {"database": place.namespace[0], "object": place.name}


def _schema(levels: Levels, answer: Mapping[str, Any]) -> Schema:
    """The schema that a server's answer is."""
    listed = Listed(levels, "", Kind.NAMESPACE)
    schema = decode_database(RawObject(listed, "paimon_database", answer)).result
    if not isinstance(schema, Schema):
        raise InternalError("a database is read as something else")
    return schema


def _options(schema: Schema) -> dict[str, str]:
    """A schema's properties, with its comment among them."""
    comment = {} if schema.comment is None else {_COMMENT: schema.comment}
    return {**dict(without_identifier(schema).properties), **comment}
