"""Which files a log has, and what its names mean: asked once, on the driver."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from connectors.clients.log_files import list_files, plain_name
from connectors.clients.sql import DatabaseLogin
from connectors.registry import Connector
from discovery.engines import ENGINES, engine
from discovery.errors import ConfigurationError
from discovery.model import POSTGRESQL, SPARK
from discovery.usage.model import StatedLog
from discovery.usage.resolving import Log
from jobs.configuration.loader import RunConfig

_METASTORES: Final = frozenset({"hms", "hms-database", "glue"})
_OF_POSTGRESQL: Final = frozenset({POSTGRESQL, "sqlalchemy"})
"""Kinds of sources that may be a database of PostgreSQL; the latter may be any other, too."""
_MARKS: Final = (".", "_", "appstatus_")
"""Files that stand beside logs and are none."""
_PART: Final = re.compile(r"events_(\d+)_")
_FORM: Final = re.compile(r"(?:\.log)?\.(?:csv|json)$|\.log$")
"""How files of PostgreSQL's log end that have the same messages, wholly or in part."""
Group = tuple[list[str], int]
"""Files that one worker reads in their order, and how long they are."""


def groups_of(log: StatedLog) -> list[Group]:
    """The files of a log, those of an application together, and those that may say the same.

    Raises:
        ConfigurationError: There are none.
    """
    sizes: dict[str, int] = {}
    for path in log.paths:
        listed = {file: size for file, size in list_files(path) if not _is_mark(file)}
        if not listed:
            hint = "a path may have wildcards: * within a level, ** for any number of them"
            raise ConfigurationError(f"{log.kind} log {path}: there is no file", hint=hint)
        sizes |= listed
    grouped: dict[str, list[str]] = {}
    for file in sizes:
        grouped.setdefault(_group_name(log.kind, file), []).append(file)
    return [
        (sorted(group, key=_part_number), sum(sizes[file] for file in group))
        for group in grouped.values()
    ]


def meaning(log: StatedLog, config: RunConfig) -> Log:
    """What the names in a log mean.

    Raises:
        ConfigurationError: It is PostgreSQL's, and no source is; or its source is none.
    """
    sources = config.sources
    if log.source is not None and log.source not in sources:
        hint = f"sources: {', '.join(sources)}"
        raise ConfigurationError(f"{log.kind} log: {log.source!r} is no source", hint=hint)
    if log.kind == POSTGRESQL:
        names = [log.source] if log.source else _of_kind(sources, {POSTGRESQL})
        databases = {_database(name, sources[name]): name for name in names}
        if not names:
            raise ConfigurationError("postgresql log: no source is of the kind postgresql")
        if len(databases) < len(names):
            message = "postgresql log: several sources have a database of the same name"
            raise ConfigurationError(message, hint=f"write source: {names[0]}")
        return Log(log.kind, names[0] if len(names) == 1 else None, databases)
    if log.source is not None:
        return Log(log.kind, log.source, has_only_home=True)
    return Log(log.kind, only_metastore(sources) if engine(log.kind).names_metastore else None)


def only_metastore(sources: Mapping[str, Connector]) -> str | None:
    """The source that sessions of Spark and Hive begin in; None: it may be any of several."""
    metastores = _of_kind(sources, _METASTORES)
    return metastores[0] if len(metastores) == 1 else None


def engines_at_home(sources: Mapping[str, Connector]) -> dict[str, frozenset[str]]:
    """The source in which sessions begin to the engines of which they are."""
    home = only_metastore(sources)
    names = frozenset(name for name, known in ENGINES.items() if known.names_metastore)
    return {} if home is None else {home: names}


def sources_of(log: StatedLog, meant: Log) -> frozenset[str] | None:
    """The sources that a log is about; None: whatever its engine sees."""
    if meant.databases:
        return frozenset(meant.databases.values())
    return frozenset({log.source}) if log.source else None


def _is_mark(file: str) -> bool:
    return PurePosixPath(file).name.startswith(_MARKS)


def _group_name(kind: str, file: str) -> str:
    """What the files of a log have in common that one worker has to read."""
    if kind == POSTGRESQL:
        return _FORM.sub("", plain_name(file))
    parts = kind == SPARK and _PART.match(PurePosixPath(file).name)
    return file.rpartition("/")[0] if parts else file


def _part_number(file: str) -> tuple[int, str]:
    part = _PART.match(PurePosixPath(file).name)
    return int(part[1]) if part else 0, file


def _of_kind(sources: Mapping[str, Connector], kinds: Iterable[str]) -> Sequence[str]:
    return [name for name, source in sources.items() if source.kind in kinds]


def _database(name: str, source: Connector) -> str:
    """The database that a source reads.

    Raises:
        ConfigurationError: It reads none that PostgreSQL logs.
    """
    if source.kind not in _OF_POSTGRESQL:
        message = f"postgresql log: the source {name!r} is of the kind {source.kind}"
        raise ConfigurationError(message, hint=f"name one of the kind {POSTGRESQL}")
    login: DatabaseLogin = source.options
    return login.complete_url().database or ""
