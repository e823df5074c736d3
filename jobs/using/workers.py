"""What executors run for `usage`: files of logs in, what they say of views out.

Imports neither pydantic nor the configuration: a worker has no use for them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import Final, TypedDict
from zoneinfo import ZoneInfo

import orjson
import pyarrow as pa

from connectors.clients.log_files import lines_of, plain_name
from connectors.judges.bounded import Bounded
from connectors.judges.kept import lend
from connectors.registry import Connector
from discovery.errors import FileUnreadableError
from discovery.model import HIVE, POSTGRESQL, SPARK, TRINO
from discovery.ports import Name
from discovery.usage import coverage, hive, postgresql, spark, trino
from discovery.usage.model import Logged, Query, Reader, StatedLog, Unreadable
from discovery.usage.repeats import Repeats
from discovery.usage.resolving import Key, KnownViews, Log, Names, Uses, by_words, uses
from jobs.assessing.workers.views import catalogs_of
from jobs.using.tables import READ_LOGS, VIEW_USAGE
from jobs.warehouse.rows import ArrowFunction, to_batches

_TEXTS: Final = 50_000  # texts whose names are remembered
_COMPACTED: Final = ".compact"
_COUNTED: Final = ("used", "elsewhere", "unclear", "others", "unreadable")


@dataclass(frozen=True, slots=True)
class Views:
    """The views of a run, as they travel to the executors.

    Attributes:
        places: Source and key to namespace and name.
        below: What each reads through others.
        names: What engines call the sources.
        sources: By name.
        settings: Of each engine that has any, by name.
    """

    places: Mapping[Key, tuple[tuple[str, ...], str]]
    below: Mapping[Key, frozenset[Key]]
    names: Mapping[str, Mapping[str, str]]
    sources: Mapping[str, Connector]
    settings: Mapping[str, Mapping[str, str]]

    def known_views(self) -> KnownViews:
        """What queries are resolved by."""
        catalogs = catalogs_of(self.names, self.sources, self.settings)
        named = ((key, name) for key, (_, name) in self.places.items())
        return KnownViews(catalogs, frozenset(self.places), self.below, by_words(named))


@dataclass(slots=True)
class _SeenView:
    """What was seen of a view by a user on a day."""

    first: datetime
    last: datetime
    at: str
    counts: list[int] = field(default_factory=lambda: [0, 0, 0])

    def add(self, sort: int, time: datetime, at: str) -> None:
        self.counts[sort] += 1
        self.first = min(self.first, time)
        if time >= self.last:
            self.last, self.at = time, at


@dataclass(slots=True)
class _LogFile:
    """What a file comes to."""

    path: str
    lines: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_COUNTED, 0))
    example: str | None = None
    outside: set[str] = field(default_factory=set)
    days: set[date] = field(default_factory=set)
    blind: set[date] = field(default_factory=set)

    def count(self, kind: str, lines: int) -> None:
        self.lines[kind] += lines

    def refuse(self, line: int, lines: int, why: str) -> None:
        """Note lines that cannot be read."""
        self.count("unreadable", lines)
        self.example = self.example or f"{self.path}:{line}: {why}"

    def row(self, log: str, engine: str) -> tuple[object, ...]:
        counts = [self.lines[name] for name in _COUNTED]
        cells = (sum(counts), *counts, self.example, sorted(self.outside))
        blank = (None,) * (len(READ_LOGS.names) - len(cells) - 5)
        days = (sorted(self.days), sorted(self.blind))
        return (*blank[:4], log, engine, *blank[4:], self.path, *cells, *days)


def read_logs(logs: Sequence[tuple[StatedLog, Log]], views: Callable[[], Views]) -> ArrowFunction:
    """What reads logs: rows of `log`, its number, and `files` in, rows of `read_logs` out.

    Args:
        logs: As they are stated, and what their names mean.
        views: Those of the run, as Spark has brought them.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with lend(Bounded, Bounded) as sqlglot:
            known_views: KnownViews | None = None

            @lru_cache(_TEXTS)
            def names(sql: str, dialect: str) -> tuple[Name, ...] | None:
                touched: tuple[Name, ...] | None = sqlglot.ask("touched", sql, dialect)
                return touched

            for batch in batches:
                for row in batch.to_pylist():
                    known_views = known_views or views().known_views()
                    stated, meant = logs[row["log"]]
                    reading = _LogReading(stated, meant, known_views, names)
                    rows = reading.rows(row["files"], views().places)
                    yield from to_batches(rows, READ_LOGS.schema)

    return run


class _LogReading:
    """The reading of some files of a log, the one after the other."""

    def __init__(self, stated: StatedLog, log: Log, known_views: KnownViews, names: Names) -> None:
        self._stated, self._log, self._known, self._names = stated, log, known_views, names
        self._ignored = frozenset(stated.ignore_users)
        self._seen: dict[tuple[Key, str | None, date], _SeenView] = {}
        self._application: spark.EventLog | None = None
        self._repeats: Repeats | None = None

    def rows(
        self, files: Sequence[str], places: Mapping[Key, tuple[tuple[str, ...], str]]
    ) -> Iterator[tuple[object, ...]]:
        """Rows of `read_logs`."""
        name, engine = self._stated.name, self._stated.kind
        blank = (None,) * (len(READ_LOGS.names) - 14)
        self._repeats = Repeats() if engine == POSTGRESQL and len(files) > 1 else None
        for path in files:
            yield self._read(path).row(name, engine)
        for (key, user, day), seen_view in self._seen.items():
            namespace, view = places[key]
            cells = (
                key[0],
                list(namespace),
                view,
                key[1],
                name,
                engine,
                user,
                day,
                *seen_view.counts,
            )
            yield (*cells, seen_view.first, seen_view.last, seen_view.at, *blank)

    def _read(self, path: str) -> _LogFile:
        log_file, line = _LogFile(path), 0
        if self._repeats is not None:
            self._repeats.begin_file()
        try:
            with lines_of(path) as lines:
                for entry in self._choose_reader(path)(lines):
                    line = entry.line + entry.lines - 1
                    self._count_entry(entry, log_file)
        except FileUnreadableError as error:
            log_file.refuse(line + 1, 1, f"cannot be read further: {error}")
        return log_file

    def _choose_reader(self, path: str) -> Reader:
        kind, zone = self._stated.kind, ZoneInfo(self._stated.zone)
        if kind == TRINO:
            return lambda lines: trino.read(lines, orjson.loads)
        if kind == SPARK:
            compacted = path.endswith(_COMPACTED)
            if self._application is None or compacted:
                self._application = spark.EventLog(orjson.loads, is_compacted=compacted)
            return self._application.read
        if kind == HIVE:
            return lambda lines: hive.read(lines, zone)
        return postgresql.reader(plain_name(path), self._stated.prefix, zone, orjson.loads)

    def _count_entry(self, entry: Logged, file: _LogFile) -> None:
        query = entry.found
        if isinstance(query, Unreadable):
            file.refuse(entry.line, entry.lines, query.why)
            return
        if query is None or query.user in self._ignored:
            file.count("others", entry.lines)
            return
        usage = uses(query, self._log, self._known, self._names)
        day = query.time.date()
        if query.shows_reads:
            file.days.add(day)
        if query.is_sampled or not usage.is_told:
            file.blind.add(day)
        file.outside |= usage.outside
        file.count(_counted_as(usage), entry.lines)
        seen = usage.direct | usage.below | usage.mentioned
        if seen and self._repeats is not None and self._repeats.is_repeated(query):
            return
        at = f"{file.path}:{entry.line}"
        for sort, views in enumerate((usage.direct, usage.below, usage.mentioned)):
            for view in views:
                self._note_seen(view, query, sort, at)

    def _note_seen(self, view: Key, query: Query, sort: int, at: str) -> None:
        place = (view, query.user, query.time.date())
        seen = self._seen.get(place)
        if seen is None:
            seen = self._seen[place] = _SeenView(query.time, query.time, at)
        seen.add(sort, query.time, at)


def _counted_as(usage: Uses) -> str:
    if usage.direct or usage.below:
        return "used"
    return "unclear" if usage.mentioned or not usage.is_told else "elsewhere"


class _SeenUse(TypedDict):
    """A view with what the logs have of it; null where that is nothing."""

    source: str
    namespace: list[str]
    name: str
    key: str
    dialects: list[str] | None
    uses: int | None
    reads: int | None
    mentions: int | None
    last_use: date | None
    last_read: date | None
    last_mention: date | None
    first: datetime | None
    last: datetime | None
    users: list[str] | None
    engines: list[str] | None


def judge_views(
    logs: Sequence[coverage.Covered],
    window: coverage.UsageWindow,
    seen_by: Mapping[str, frozenset[str]],
    engines: frozenset[str],
    at_home: Mapping[str, frozenset[str]],
    unknown: str,
) -> ArrowFunction:
    """What says of views whether they are used: views with what was seen in, `view_usage` out.

    Args:
        logs: What the logs have.
        window: The days that are looked at.
        seen_by: Source to the engines that are said to see it.
        engines: Those of the estate.
        at_home: Source to the engines whose sessions begin in it.
        unknown: Why it is not known what used views read; empty: it is.
    """

    def judge_view(row: _SeenUse) -> tuple[object, ...]:
        source = row["source"]
        engines_of_source = seen_by.get(source, ()), engines, at_home.get(source, ())
        readers = coverage.readers(row["dialects"] or (), *engines_of_source)
        why = unknown or coverage.unproven(source, readers, logs, window)
        state = coverage.state(row["last_use"], row["last_read"], row["last_mention"], window, why)
        return (
            *(row["source"], row["namespace"], row["name"], row["key"]),
            state.value,
            why if state == coverage.State.UNPROVEN else None,
            *(row["uses"] or 0, row["reads"] or 0, row["mentions"] or 0),
            *(row["first"], row["last"]),
            *(sorted(row["users"] or ()), sorted(row["engines"] or ())),
            *(window.first, window.last),
        )

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield from to_batches(map(judge_view, batch.to_pylist()), VIEW_USAGE.schema)

    return run
