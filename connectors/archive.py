"""Source `archive`: raw objects from files, replayed without the system they came from.

Each object is `{"kind": "hive_table", "payload": {…}, "files": {"<uri>": "<base64>"}}` in JSON. The
payload of a `hive_table` has the field names of the Thrift IDL; `files` carries what the entry
points to, so a replay touches nothing else. A bare dump of a metastore's table is taken for what it
is, too. Lines that a crawl wrote say where they came from: one source of an archive replays as one
source, names compared as the crawl compared them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from connectors.clients import archived, lines
from connectors.clients.archived import Spot
from connectors.clients.lines import ArchivedLine, CrawlOrigin
from discovery import folds
from discovery.asked import unaskable
from discovery.display import quantity
from discovery.errors import BelvedereError, DuplicateError, ListingError, ReadError
from discovery.outcomes import Failure, Kind, Listed, RawObject, Stage
from discovery.patterns import Patterns
from discovery.ports import CrawlTask, Probe, ViewSource

_LACKS: Final = (
    "the archive does not say which source its objects are of, nor how that compares names: they "
    "are compared as spelled, and all replay as one source. An archive that a crawl writes now "
    "says it"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Where the archive is.

    Attributes:
        path: A file, a folder that is searched with its subfolders, or a glob of files; local or a
            URI that pyarrow knows. `*.json` holds one object, `*.jsonl` one a line; both may be
            `.gz`.
        source: Which of the sources in the archive; left out, the only one that is there.
        include: Globs over `namespace` and `namespace.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        connections: How many files are read at a time, over all executors.
    """

    path: str = field(metadata={"path": True, "glob": True})
    source: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    connections: int = 4


class Archive(ViewSource):
    """Files of raw objects as a source of views."""

    batch = 2_000

    def __init__(self, options: Options) -> None:
        self.connections = options.connections
        self._folder = archived.Folder(options.path)
        self._wanted = options.source
        self._patterns = Patterns(options.include, options.exclude)
        self._known: tuple[CrawlOrigin | None] | None = (
            None  # of the objects, once one was looked at
        )
        self._met: CrawlOrigin | None = None  # where the first object of a file does not say it

    def close(self) -> None:
        """Close the file that is being read."""
        self._folder.close()

    def fold(self, name: str) -> str:
        """As the crawl compared names; as they are spelled, where the archive does not say it."""
        origin = self._look_up_origin()
        return folds.FOLDS[origin.fold](name) if origin else name

    @property
    def region(self) -> str:
        """The AWS region of the source that was crawled; empty where it is in none."""
        origin = self._look_up_origin()
        return (origin.region or "") if origin else ""

    def lacks(self) -> str:
        """What the archive does not say of its objects; empty if nothing is missing."""
        return _LACKS if self._look_up_origin() is None and self._known else ""

    def probe(self) -> Probe:
        """Find the files."""
        version = f"{quantity(len(self._folder.paths()), 'file')}"
        lacks = self.lacks()
        return Probe(version, (lacks,) if lacks else ())

    def listing(self) -> Iterator[Listed | Failure]:
        """Every object of every file; what is no archived object is a Failure with its place.

        Raises:
            ListingError: There is no archive, or it holds several sources and none of them, or
                another one, is asked for.
        """
        seen: dict[int, Spot] = {}
        origins = self._read_first_origins()
        if self._wanted is None and len(origins) > 1:
            raise self._ambiguity_error()
        has_listed = False
        for place, text in self._folder.objects():
            if isinstance(text, BelvedereError):
                yield _failed(place, text)
            elif (answer := self._list_object(place, text, seen)) is not None:
                has_listed = has_listed or isinstance(answer, Listed)
                yield answer
        if self._wanted is not None and not has_listed and not self._is_there(self._wanted):
            raise self._ambiguity_error()

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
        """Read the objects of a task again, from where the listing saw them."""
        wanted = sorted(
            (Spot.parse(object_.handle), object_) for object_ in task.objects if object_.handle
        )
        for place, listed in wanted:
            try:
                line = lines.read(self._folder.object_at(place))
                if self._is_other(line.origin) or self._listed(place, line) != listed:
                    raise ReadError("another object than was listed: the file has changed since")
                yield line.raw_object(listed)
            except BelvedereError as error:
                yield Failure.of(listed, Stage.READ, _with_place(place, error))

    def _list_object(
        self, place: Spot, text: bytes, seen: dict[int, Spot]
    ) -> Listed | Failure | None:
        """What the listing says of an object; None: it is not asked for."""
        try:
            line = lines.read(text)
            if self._is_other(line.origin):
                return None
            listed = self._listed(place, line)
            if listed is None:
                return None
            if line.origin is None:  # maybe of several sources: nobody says
                return listed
            before = seen.setdefault(hash(self._key(listed)), place)
        except ListingError:  # of the whole archive
            raise
        except BelvedereError as error:
            return _failed(place, error)
        if before is not place:
            why = f"{listed.identifier} is there twice: at {before} and at {place}"
            return _failed(place, DuplicateError(f"{why}; the former is taken"))
        return listed

    def _listed(self, place: Spot, line: ArchivedLine) -> Listed | None:
        """An object by its own place; None: it is not asked for.

        Raises:
            ReadError: Its name is no Unicode.
        """
        namespace, stated = line.place()
        name = stated or str(place)
        if error := unaskable(Listed(namespace, name)):
            raise error
        if not self._patterns.allows_namespace(namespace):
            return None
        if stated is None:
            return Listed(namespace, "", Kind.NAMESPACE, place.handle())
        if not self._patterns.allows(namespace, name):
            return None
        return Listed(namespace, name, Kind.UNDECIDED, place.handle())

    def _key(self, listed: Listed) -> tuple[str, ...]:
        """What no two objects have in common; a namespace and an object never do."""
        return (*map(self.fold, (*listed.namespace, listed.name)), str(bool(listed.name)))

    def _is_other(self, origin: CrawlOrigin | None) -> bool:
        """Whether an object is of another source than the one that is asked for.

        Raises:
            ListingError: None is asked for, and there are several.
        """
        if self._wanted is not None:
            return origin is None or origin.source != self._wanted
        own = self._look_up_origin() or self._met
        if origin is not None and own is not None and origin.source != own.source:
            raise self._ambiguity_error()
        self._met = own or origin
        return False

    def _look_up_origin(self) -> CrawlOrigin | None:
        """Where the objects of this source were crawled; None: the archive does not say."""
        if self._known is None:
            try:
                self._known = (self._find_origin(),)
            except (BelvedereError, OSError):  # the listing says it
                return None
        return self._known[0]

    def _find_origin(self) -> CrawlOrigin | None:
        for origin in self._folder.origins(first=self._wanted is None):
            if self._wanted in {None, origin.source}:
                return origin
        return None

    def _read_first_origins(self) -> set[str]:
        """The sources of which the files are, by the first object of each."""
        return {origin.source for origin in self._folder.origins(first=True)}

    def _is_there(self, source: str) -> bool:
        return any(origin.source == source for origin in self._folder.origins(first=False))

    def _ambiguity_error(self) -> ListingError:
        sources = sorted({origin.source for origin in self._folder.origins(first=False)})
        names = ", ".join(sources) or "none that is named"
        why = (
            f"there is no source {self._wanted!r}" if self._wanted else "there are several sources"
        )
        hint = f"set source to one of {names}" if sources else "leave out source"
        return ListingError(f"{self._folder}: {why} in the archive: it holds {names}", hint=hint)


def _with_place(place: Spot, error: BelvedereError) -> BelvedereError:
    """The error with the file and the number of the object."""
    return type(error)(f"{place}: {error}", hint=error.hint)


def _failed(place: Spot, error: BelvedereError) -> Failure:
    """What has no place of its own: it is named by that in the archive."""
    stage = Stage.READ if place.number else Stage.LIST
    return Failure.of(Listed((), str(place), Kind.UNDECIDED), stage, _with_place(place, error))
