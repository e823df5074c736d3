"""URLs of Java's drivers that are spelled otherwise than SQLAlchemy's.

Those of Oracle's thin driver and of Microsoft's, by their own documents; all others are read as the
URL that stands behind `jdbc:`.
"""

import re
from typing import Final

from discovery.errors import ConfigurationError

_ORACLE: Final = re.compile(
    r"oracle:thin:(?:[^@]*)@(?://)?([\w.-]+(?::\d+)?)(?:/([\w.$-]+)|:(\w+))"
)
_SQL_SERVER: Final = re.compile(r"(?i)sqlserver://([\w.-]+)(?:\\[\w$]+)?(:\d+)?((?:;.*)?)")
_DATABASE: Final = re.compile(r"(?i);\s*database(?:Name)?\s*=\s*([^;{}\s]+)")
_OF_ENGINES: Final = frozenset({"hive2", "impala"})


def url_of(jdbc: str) -> str:
    """The URL of a database that a URL of JDBC means, `jdbc:` left away.

    Raises:
        ConfigurationError: It is that of an engine that keeps its views in a metastore.
    """
    url = jdbc.removeprefix("jdbc:")
    if url.partition(":")[0].lower() in _OF_ENGINES:
        hint = "name the metastore behind it, such as thrift://metastore:9083"
        raise ConfigurationError("HiveServer2 and Impala are no sources", hint=hint)
    if oracle := _ORACLE.match(url):
        place, service, sid = oracle.groups()
        return f"oracle+oracledb://{place}/{f'?service_name={service}' if service else sid}"
    if microsoft := _SQL_SERVER.fullmatch(url):
        host, port, properties = microsoft.groups()
        database = _DATABASE.search(properties)
        return f"mssql+pymssql://{host}{port or ''}/{database[1] if database else ''}"
    return url
