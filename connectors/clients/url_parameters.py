"""Which parameters the URL of a database may have: those of the driver that it is read with.

A URL of JDBC has others, as `useSSL` and `createDatabaseIfNotExist` of Hive's own
`javax.jdo.option.ConnectionURL`: PyMySQL raises a TypeError for each, libpq finds the server bad.
"""

import inspect
from functools import cache
from typing import Final

import pymysql
from psycopg import pq
from sqlalchemy import URL

from discovery.engines import ENGINES
from discovery.errors import ConfigurationError
from discovery.model import MYSQL, POSTGRESQL

_OF_PYMYSQL: Final = {
    scheme for row in ENGINES.values() if MYSQL in row.schemes for scheme in row.schemes
}
"""Of those that speak MySQL's protocol."""
_REFUSED: Final = {"auth_plugin_map", "conv", "cursorclass", "defer_connect", "ssl", "use_unicode"}
"""What takes no text, and what would have texts read as bytes."""
_TRUE: Final = frozenset({"1", "true"})
_OF_SQLALCHEMY: Final = {"ssl_capath", "ssl_check_hostname", "ssl_cipher"}
"""What SQLAlchemy's dialect (2.1) makes of a URL for PyMySQL."""


def check_parameters(url: URL) -> None:
    """Refuse what the driver of PostgreSQL, or of MySQL's family, would.

    Raises:
        ConfigurationError: It knows no such parameter; says which.
    """
    backend = url.get_backend_name()
    if backend in _OF_PYMYSQL:
        driver, known = "PyMySQL", _taken_by_pymysql()
    elif backend in ENGINES[POSTGRESQL].schemes:
        driver, known = "libpq", _taken_by_libpq()
    else:
        return
    if str(url.query.get("use_unicode", "")).lower() in _TRUE:
        known |= {"use_unicode"}
    if strange := sorted(url.query.keys() - known):
        hint = f"leave out what is of JDBC or of another driver; {driver} takes other parameters"
        what = f"in the URL, {driver} does not take {', '.join(strange)}"
        raise ConfigurationError(what, hint=hint)


@cache
def _taken_by_pymysql() -> frozenset[str]:
    taken = inspect.signature(pymysql.connections.Connection.__init__).parameters
    return frozenset((taken.keys() - _REFUSED - {"self"}) | _OF_SQLALCHEMY)


@cache
def _taken_by_libpq() -> frozenset[str]:
    return frozenset(option.keyword.decode() for option in pq.Conninfo.get_defaults())
