"""With which properties an engine sees the catalog that a source of the configuration names.

Rendering only: from a source as the configuration states it, references unresolved, to properties
and findings. A kind of source is one file, and a line per engine in the table.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Final

from discovery import engines
from discovery.errors import ConfigurationError
from reports.engines import glue, hive, iceberg, jdbc, paimon
from reports.engines.shared import EngineConfig, StatedSource, with_references

_HMS: Final = {"trino": hive.trino, "spark": hive.spark, "flink": hive.flink}
_JDBC: Final = {"trino": jdbc.trino, "spark": jdbc.spark, "flink": jdbc.flink}
ENGINES: Final[Mapping[str, Mapping[str, Callable[[StatedSource], EngineConfig]]]] = {
    "doris": _JDBC,
    "glue": {"trino": glue.trino, "spark": glue.spark, "flink": glue.flink},
    "hms": _HMS,
    "iceberg-hive": iceberg.ON_HIVE,
    "iceberg-jdbc": iceberg.ON_JDBC,
    "iceberg-rest": iceberg.ON_REST,
    "mysql": _JDBC,
    "paimon": {"spark": paimon.spark, "flink": paimon.flink},
    "postgresql": _JDBC,
    "starrocks": _JDBC,
}
"""Kind of a source, then engine, to what makes its configuration."""
NAMES: Final = tuple(
    dict.fromkeys(engine for by_engine in ENGINES.values() for engine in by_engine)
)
"""The engines that can be told of sources."""
_UNSEEN: Final = {
    "archive": "an archive is a folder of belvedere: engines have nothing to connect to",
    "hms-database": "engines reach a metastore by Thrift, and its database has not its address",
    "sqlalchemy": "SQLAlchemy's URL names a driver of Python, and no engine runs that",
}
"""Kinds of sources that no engine can be told of, and why."""
_ELSEWHERE: Final = "ask for a source of a kind that engines know, such as the database's own"


def engine_config(source: StatedSource, engine: str) -> EngineConfig:
    """The properties with which an engine sees the catalog of a source, and what to know of them.

    Raises:
        ConfigurationError: The engine has no connector for sources of this kind.
    """
    by_engine = ENGINES.get(source.kind, {})
    if engine not in by_engine:
        hint = f"engines that do: {', '.join(by_engine)}" if by_engine else _ELSEWHERE
        message = f"{engine} has no connector of its own for a source of the kind {source.kind}"
        raise ConfigurationError(_UNSEEN.get(source.kind, message), hint=hint)
    return with_references(by_engine[engine](source), engine)


def text(config: EngineConfig, source: StatedSource, engine: str) -> str:
    """The configuration as the engine reads it: a file of properties, or Flink's statement."""
    if engine != "flink":
        escaped = ((_escaped(k, "[ =:#!]"), _escaped(v, "^ ")) for k, v in config.properties)
        return "".join(f"{key}={value}\n" for key, value in escaped)
    lines = ",\n".join(f"  {_quoted(key)} = {_quoted(value)}" for key, value in config.properties)
    return f"CREATE CATALOG {engines.engine(engine).quoted(source.name)} WITH (\n{lines}\n);\n"


def _escaped(text: str, delimiters: str) -> str:
    """A key or value as `java.util.Properties` reads it back.

    JSON's escapes are those of Java, and leave ASCII: Trino reads Latin-1, Spark UTF-8.
    """
    escaped = json.dumps(text)[1:-1].replace('\\"', '"')
    return re.sub(delimiters, r"\\\g<0>", escaped)


def _quoted(value: str) -> str:
    doubled = value.replace("'", "''")
    return f"'{doubled}'"
