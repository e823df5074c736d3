"""URLs of Java's drivers that are spelled otherwise than SQLAlchemy's.

Those of Oracle's thin driver and of Microsoft's, by their own documents; all others are read as the
URL that stands behind `jdbc:`.
"""

import re
from typing import Final
from urllib.parse import quote

from discovery.errors import ConfigurationError

_ORACLE: Final = "oracle:thin:"
_THIN: Final = re.compile(
    r"(?:([^/@]*)(?:/([^@]*))?)@(?://)?([\w.-]+(?::\d+)?)(?:/([\w.$-]+)|:(\w+))"
)
_SQL_SERVER: Final = re.compile(r"(?i)sqlserver://([\w.-]+)(?:\\[\w$]+)?(:\d+)?((?:;.*)?)")
_PROPERTY: Final = re.compile(r";\s*(\w+)\s*=\s*([^;{}]+)")
_OF_ENGINES: Final = frozenset({"hive2", "impala"})


def url_of(jdbc: str) -> str:
    """The URL of a database that a URL of JDBC means, `jdbc:` left away.

    Raises:
        ConfigurationError: It is that of an engine that keeps its views in a metastore, or one of
            Oracle's that leads elsewhere than to a host and a service.
    """
    url = jdbc.removeprefix("jdbc:")
    if url.partition(":")[0].lower() in _OF_ENGINES:
        hint = "name the metastore behind it, such as thrift://metastore:9083"
        raise ConfigurationError("HiveServer2 and Impala are no sources", hint=hint)
    if url.startswith(_ORACLE):
        return _of_oracle(url.removeprefix(_ORACLE))
    if microsoft := _SQL_SERVER.fullmatch(url):
        host, port, rest = microsoft.groups()
        properties = {key.lower(): value.strip() for key, value in _PROPERTY.findall(rest)}
        login = _login(properties.get("user", ""), properties.get("password", ""))
        database = properties.get("databasename") or properties.get("database", "")
        return f"mssql+pymssql://{login}{host}{port or ''}/{database}"
    return url


def _of_oracle(place: str) -> str:
    thin = _THIN.fullmatch(place)
    if thin is None:
        hint = "write oracle+oracledb://host:port/?service_name=NAME"
        raise ConfigurationError("Oracle's thin driver is asked by host and service", hint=hint)
    user, password, host, service, sid = thin.groups()
    name = f"?service_name={service}" if service else sid
    return f"oracle+oracledb://{_login(user or '', password or '')}{host}/{name}"


def _login(user: str, password: str) -> str:
    """Who logs in, as a URL has it before its host."""
    if not user:
        return ""
    return ":".join(quote(part, safe="") for part in (user, password) if part) + "@"
