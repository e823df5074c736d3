"""Tags of views, through Gravitino's REST API.

Servers of 1.3.0 and 2.0 were asked on 2026-11-23 (tests/recorded/gravitino_tags.json). 1.3.0 puts
tags on no view (400). 2.0 does, and: a tag that is not there is left out of what is put on, without
an error; to put on what is on is one (409); a view that is renamed keeps its tags, one that is
dropped loses them; a tag that is removed is taken off everything; a view inherits the tags of its
schema and catalog. Lists leave out what the user may not see, without saying so.
"""

from collections.abc import Callable, Sequence
from typing import Final

from connectors.clients.rest import NoSuchResourceError
from connectors.gravitino.rest.bodies import Body, names_of
from connectors.gravitino.rest.options import Options
from connectors.gravitino.rest.server import NOBODY, BrokenError, GravitinoServer, persist
from connectors.gravitino.rest.visibility import is_told_of_all
from connectors.gravitino.rights import rights_to_read
from discovery.errors import DeniedError, ReadError, StoreError
from discovery.model import Identifier
from discovery.tags import KeptTags, TagStore

_ALL: Final = "make the user the owner of the metalake"


class RestTags(TagStore):
    """The tags of a metalake."""

    def __init__(self, server: GravitinoServer, options: Options) -> None:
        self._server, self._options = server, options

    def refuses(self) -> str:
        """Ask it to take a tag that is not there off a view that is not there."""
        self._insist_on_all()
        nothing = Identifier((NOBODY,), NOBODY)
        try:
            self._associate(nothing, (), (NOBODY,))
        except BrokenError:
            raise
        except NoSuchResourceError:
            return ""
        except StoreError as error:
            reason = error.message.rpartition("reason [")[2].rstrip("]")
            return f"the server puts no tags on views: {reason}"
        return ""

    def name(self, view: Identifier) -> str:
        """Catalog, schema and view, joined by dots.

        Raises:
            NotHeldError: One of them has a dot.
        """
        return rights_to_read(view, self._options.catalog, self._options.schema_separator)[-1].place

    def present(self, wanted: Callable[[str], bool]) -> KeptTags:
        """One request, and one for each that is wanted."""
        self._insist_on_all()
        views, others = {}, {}
        for tag in filter(wanted, self._list_names()):
            holders = self._find_holders(tag)
            if holders is not None:
                places = [self._view(place) for place in holders]
                views[tag] = frozenset(place for place in places if place is not None)
                others[tag] = places.count(None)
        return KeptTags(views, others)

    def create(self, tag: str) -> bool:
        """Make it; where the answer was lost and it is there, it is taken for ours."""
        body: Body = {"name": tag, "comment": None, "properties": {}}

        def write() -> bool:
            self._server.call("POST", self._path("tags"), body)
            return True

        def look(unsure: bool) -> bool | None:
            return unsure if self._find_holders(tag) is not None else None

        return persist(write, look)

    def drop(self, tag: str) -> None:
        """Remove it; again, if the answer was lost."""

        def write() -> bool:
            self._server.call("DELETE", self._path("tags", tag))
            return True

        persist(write, lambda _: None)

    def change(self, view: Identifier, on: Sequence[str], off: Sequence[str]) -> None:
        """A look at what it has, and one request for what differs; after a lost answer, again.

        Raises:
            StoreError: It has been answered, and is not so.
        """
        gone = {*off} - {*on}

        def is_so(tags: Sequence[str]) -> bool:
            return {*on} <= {*tags} and not gone & {*tags}

        def write() -> bool:
            tags = self._read_tags(view)
            lacking, left = sorted({*on} - {*tags}), sorted(gone & {*tags})
            return is_so(self._associate(view, lacking, left))

        def look(_: bool) -> bool | None:
            return True if is_so(self._read_tags(view)) else None

        if not persist(write, look):
            why = "the server has answered, and left some of its tags as they were"
            raise StoreError(why, hint="is there such a tag?")

    def _associate(self, view: Identifier, on: Sequence[str], off: Sequence[str]) -> list[str]:
        body: Body = {"tagsToAdd": list(on), "tagsToRemove": list(off)}
        return names_of(self._server.call("POST", self._tags_path(view), body), "tags")

    def _insist_on_all(self) -> None:
        if not is_told_of_all(self._server, self._options):
            why = "the user may not see all tags: it is not known which there are"
            raise DeniedError(why, hint=_ALL)

    def _list_names(self) -> list[str]:
        try:
            return names_of(self._server.get(*self._path("tags")), "tags")
        except NoSuchResourceError:  # the metalake is made later
            return []

    def _find_holders(self, tag: str) -> list[tuple[str, list[str]]] | None:
        """What has a tag: kinds and parts of full names; None: it is not there."""
        try:
            objects = self._server.get(*self._path("tags", tag, "objects")).get("metadataObjects")
        except NoSuchResourceError:
            return None
        try:
            return [(item["type"].upper(), item["fullName"].split(".")) for item in objects or ()]
        except (AttributeError, KeyError, TypeError) as error:
            raise _senseless_error(error) from error

    def _read_tags(self, view: Identifier) -> list[str]:
        """The tags that a view has itself."""
        tags = self._server.get(*self._tags_path(view), details="true").get("tags")
        try:
            return [tag["name"] for tag in tags or () if not tag["inherited"]]
        except (KeyError, TypeError) as error:
            raise _senseless_error(error) from error

    def _view(self, place: tuple[str, list[str]]) -> Identifier | None:
        """The view of our catalog that something is; None: it is none."""
        kind, parts = place
        if kind != "VIEW" or len(parts) != 3 or parts[0] != self._options.catalog:
            return None
        return Identifier(tuple(parts[1].split(self._options.schema_separator)), parts[2])

    def _tags_path(self, view: Identifier) -> tuple[str, ...]:
        return self._path("objects", "VIEW", self.name(view), "tags")

    def _path(self, *parts: str) -> tuple[str, ...]:
        return ("metalakes", self._options.metalake, *parts)


def _senseless_error(error: Exception) -> ReadError:
    return ReadError(
        f"the server's answer about tags makes no sense: {type(error).__name__}: {error}"
    )
