"""Functions through the REST API of a Gravitino server.

The API compares nothing when it drops a function: it is looked at just before, and a write whose
answer is lost is looked up.
"""

from collections.abc import Iterator, Sequence

from connectors.clients.rest import NoSuchResourceError
from connectors.gravitino import functions
from connectors.gravitino.rest.options import Options
from connectors.gravitino.rest.server import (
    BrokenError,
    ForbiddenError,
    GravitinoServer,
    persist,
)
from discovery.errors import CollisionError, DecodeError, ReadError
from discovery.functions import Function, FunctionStore
from discovery.model import Identifier


class ServedFunctions(FunctionStore):
    """What a server keeps functions in."""

    alone = False
    """Engines may have a function of that name in another catalog, or in none."""

    def __init__(self, server: GravitinoServer, options: Options) -> None:
        self._server, self._options = server, options

    def hold(self, function: Function) -> Function:
        """One of Trino, whole.

        Raises:
            NotHeldError: Gravitino's model cannot say what it is.
        """
        return functions.hold(function, self._options.provider, self._options.schema_separator)

    def present(self, places: Sequence[Identifier]) -> Iterator[Function]:
        """Those that are there; one request each."""
        for place in places:
            function = self._read(place)
            if function is not None:
                yield function

    def make(self, function: Function) -> bool:
        """Register it."""
        place = function.place
        path = self._options.schema(place.namespace, "functions")

        def look(wrote: bool) -> bool | None:
            stored = self._read(place)
            if stored is None:
                return None
            if not function.does_as(stored):
                raise CollisionError(f"the target has another function {place} by now")
            return wrote

        def write() -> bool:
            self._server.call("POST", path, functions.registration(function))
            return True

        return persist(write, look)

    def drop(self, function: Function) -> bool:
        """Drop it."""
        place = function.place

        def look(wrote: bool) -> bool | None:
            return wrote if self._read(place) is None else None

        def write() -> bool:
            dropped = self._server.call("DELETE", self._path(place)).get("dropped")
            if not isinstance(dropped, bool):
                raise BrokenError("the server does not say whether it has dropped the function")
            return dropped

        return persist(write, look)

    def _read(self, place: Identifier) -> Function | None:
        path = self._path(place)
        try:
            stated = self._server.get(*path).get("function")
        except NoSuchResourceError:
            return None
        except ForbiddenError:  # also where there is none; if there is, it is not made in its place
            if place.name in self._server.names(path[:-1]):
                raise
            return None
        if not isinstance(stated, dict):
            raise ReadError(f"{'/'.join(path)}: the answer is no function")
        try:
            return functions.function_of(stated, place.namespace)
        except DecodeError as error:
            raise ReadError(f"{'/'.join(path)}: {error}") from error

    def _path(self, place: Identifier) -> tuple[str, ...]:
        return self._options.schema(place.namespace, "functions", place.name)
