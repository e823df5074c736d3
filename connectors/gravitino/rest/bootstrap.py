"""What views live in, made through Gravitino's REST API: metalake, catalog, schemas.

REST has no transactions: what was made is removed again if something after it fails. Nothing that
holds something is ever removed.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from connectors.clients.credentials import revealed
from connectors.clients.rest import NoSuchResourceError
from connectors.gravitino import providers
from connectors.gravitino.rest import bodies
from connectors.gravitino.rest.bodies import Body
from connectors.gravitino.rest.options import Options
from connectors.gravitino.rest.server import GravitinoServer, NonEmptyError, persist
from discovery import namespaces
from discovery.errors import (
    BelvedereError,
    ConfigurationError,
    DecodeError,
    ReadError,
    StoreError,
)
from discovery.formats import fields
from discovery.migration.namespaces import NamespaceEdit
from discovery.model import Schema
from discovery.namespaces import Levels

Path = tuple[str, ...]
_HELD: Final = ("views", "functions")


class Bootstrap:
    """The parents of views on a server."""

    def __init__(self, server: GravitinoServer, options: Options) -> None:
        self._server, self._options = server, options

    def is_there(self) -> bool:
        """Whether there is the catalog.

        Raises:
            ConfigurationError: It is one of another provider, or of a backend that loses views.
            ReadError: The answer makes no sense.
        """
        try:
            answer = self._server.get(*self._options.place())
        except NoSuchResourceError:
            return False
        provider, backend = _provider_and_backend(answer.get("catalog") or {})
        if provider != self._options.provider:
            name = self._options.catalog
            raise ConfigurationError(
                f"the catalog {name} is one of {provider}, not of {self._options.provider}",
                hint=f"write provider: {provider}",
            )
        self._check_backend(backend)
        return True

    def _check_backend(self, backend: str | None) -> None:
        """Refuse a catalog behind which views lose dialects and types.

        On a metastore, Paimon keeps the text `query` alone and Hive's types (1.3.0, asked on
        2026-11-23); on files and databases it has no views.
        """
        backends = providers.provider_of(self._options.provider).backends
        if backend is not None and backends and backend.lower() not in backends:
            hint = f"take a catalog whose backend is {', '.join(sorted(backends))}"
            what = f"the catalog {self._options.catalog} has the backend {backend}"
            raise ConfigurationError(f"{what}, which does not hold views as they are", hint=hint)

    def children(self, parent: Levels = ()) -> list[Levels]:
        """The schemas below one, or the top-level ones."""
        separator = self._options.schema_separator
        above = separator.join((*parent, "")) if parent else ""
        below = {"parentSchema": separator.join(parent)} if parent else {}
        names = self._server.names(self._options.place("schemas"), **below)
        return sorted(
            (*parent, name.removeprefix(above)) for name in names if name.startswith(above)
        )

    def lacking(self, wanted: Sequence[Levels]) -> tuple[Levels, ...]:
        """Those of the schemas that are not there."""
        if not self.is_there():
            return tuple(wanted)
        return tuple(levels for levels in wanted if not self._has(self._options.schema(levels)))

    def prepare(self, schemas: Sequence[Schema]) -> tuple[Levels, ...]:
        """Make what is missing; parents first, all or nothing. The schemas that it has made."""
        wanted = self._with_parents(schemas)
        made: list[Path] = []
        try:
            self._make_catalog(made)
            self._guard(wanted)
            for schema in wanted:
                place = self._options.schema(schema.levels)
                self._make(place, bodies.schema(place[-1], schema), made)
        except BelvedereError as error:
            if left := ["/".join(place[1::2]) for place in self._unmake(made)]:
                why = f"{error}; made before and not removed again: {', '.join(left)}"
                raise StoreError(why, hint=error.hint) from error
            raise
        return tuple(
            schema.levels for schema in wanted if self._options.schema(schema.levels) in made
        )

    def schemas(self, wanted: Sequence[Levels]) -> Iterator[Schema]:
        """Those of the schemas that are there; one request each."""
        for levels in wanted if self.is_there() else ():
            if (schema := self._read_schema(levels)) is not None:
                yield schema

    def amend(self, edit: NamespaceEdit) -> bool:
        """Change the properties of a schema in one request; whether this call did."""

        def write() -> bool:
            if not edit.is_to_do(self._read_schema(edit.levels)):
                return False
            updates = bodies.property_updates(edit)
            self._server.call("PUT", self._options.schema(edit.levels), {"updates": updates})
            return True

        def look(wrote: bool) -> bool | None:
            return None if edit.differences(self._read_schema(edit.levels)) else wrote

        return persist(write, look)

    def _read_schema(self, levels: Levels) -> Schema | None:
        try:
            return bodies.schema_of(self._server.get(*self._options.schema(levels)), levels)
        except NoSuchResourceError:
            return None

    def remove(self, levels: Levels) -> bool:
        """Remove a schema if it is empty; whether it is gone."""
        place = self._options.schema(levels)

        def look(_wrote: bool) -> bool | None:
            return None if self._has(place) else True

        try:
            return persist(lambda: self._drop_schema(place), look)
        except NonEmptyError:
            return False
        except NoSuchResourceError:
            return True

    def _with_parents(self, schemas: Sequence[Schema]) -> list[Schema]:
        """The schemas and those above them, outermost first, with the audit data of the innermost.

        Raises:
            BelvedereError: The server would not make one of them.
        """
        separator = self._options.separator()
        by_levels: dict[Levels, Schema] = {schema.levels: schema for schema in schemas}
        for schema in schemas:
            providers.check_schema(schema.levels, self._options.provider, separator.char)
            separator.check_new(schema.levels)
            for above in namespaces.parents(schema.levels):
                by_levels.setdefault(above, Schema(levels=above, audit=schema.audit))
        return [by_levels[levels] for levels in sorted(by_levels)]

    def _guard(self, wanted: Sequence[Schema]) -> None:
        """Refuse nesting where a schema that is there would be taken for nested."""
        if any(len(schema.levels) > 1 for schema in wanted):
            namespaces.guard(self.children(), self._options.separator())

    def _make_catalog(self, made: list[Path]) -> None:
        if self.is_there():
            return
        options = self._options
        metalake = options.place()[:2]
        if not self._has(metalake):
            if not options.create_metalake:
                raise _missing_error("metalake", options.metalake)
            self._make(metalake, bodies.metalake(options.metalake), made)
        if not options.create_catalog:
            raise _missing_error("catalog", options.catalog)
        properties = revealed(options.catalog_properties)
        body = bodies.catalog(options.catalog, options.provider, properties)
        self._make(options.place(), body, made)

    def _make(self, place: Path, body: Body, made: list[Path]) -> None:
        """Make one thing if it is missing, and note that it was."""
        if self._has(place):
            return

        def write() -> bool:
            self._server.call("POST", place[:-1], body)
            return True

        def look(wrote: bool) -> bool | None:
            return wrote if self._has(place) else None  # else somebody else has made it

        if persist(write, look):
            made.append(place)

    def _has(self, place: Path) -> bool:
        try:
            self._server.get(*place)
        except NoSuchResourceError:
            return False
        return True

    def _unmake(self, made: Sequence[Path]) -> Iterator[Path]:
        """Remove what was made, last first; what could not be removed."""
        for place in reversed(made):
            try:
                if place[-2] == "schemas":
                    self._drop_schema(place)
                else:
                    self._drop_disabled(place)
            except BelvedereError:
                yield place

    def _drop_schema(self, place: Path) -> bool:
        """Remove a schema that holds nothing.

        A server looks, too, but not for views in catalogs of Paimon, and nowhere for functions:
        they go with the schema (1.3.0, asked on 2026-11-23).
        """
        try:
            held = [name for kind in _HELD for name in self._server.names((*place, kind))]
        except NoSuchResourceError:
            return True
        if held:
            raise NonEmptyError(f"the schema {place[-1]} holds {held[0]}")
        return self._drop(place, cascade="false")

    def _drop_disabled(self, place: Path) -> None:
        """Remove a metalake or catalog without force, which would remove what it holds, too."""
        self._server.call("PATCH", place, {"inUse": False})  # as it asks for
        try:
            self._drop(place)
        except BelvedereError:
            self._server.call("PATCH", place, {"inUse": True})
            raise

    def _drop(self, place: Path, **parameters: str) -> bool:
        self._server.call("DELETE", place, parameters=parameters)
        return True


def _provider_and_backend(catalog: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Provider and backend of a catalog.

    Raises:
        ReadError: They make no sense.
    """
    try:
        provider = fields.text(catalog, "provider")
        return provider, fields.strings(catalog, "properties").get("catalog-backend")
    except (AttributeError, TypeError, DecodeError) as error:
        raise ReadError(f"the server's answer is no catalog: {error}") from error


def _missing_error(kind: str, name: str) -> StoreError:
    hint = f"create it in Gravitino, or write create_{kind}: true"
    return StoreError(f"the {kind} {name} is not there", hint=hint)
