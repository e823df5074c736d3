"""Which release's layout the tables of a store have, and the making of those that are missing."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, inspect

from connectors.gravitino.entity_store.tables import METADATA, USER, VERSION, VIEW
from discovery.errors import UnsupportedVersionError

_SERVERS: Final = "table_meta"  # of every release; we never make it
_SCRIPTS: Final = "stop the server, then run the upgrade scripts of Gravitino up to 1.3.0"


class Layout(NamedTuple):
    """What a database holds of a store.

    Attributes:
        release: The first release whose layout it is; empty: no table is there.
        tables: Every table of the database.
        missing: Those of ours that are not there.
    """

    release: str
    tables: frozenset[str]
    missing: tuple[str, ...]


def read_layout(connection: Connection) -> Layout:
    """Look at the tables and their columns.

    Release 2.0.0 adds columns to the tables of users and leaves alone those that hold views.

    Raises:
        UnsupportedVersionError: It is the layout of a release before 1.3.0, or one that we do not
            know.
    """
    inspector = inspect(connection)
    tables = frozenset(inspector.get_table_names())
    present = {name: inspector.get_columns(name) for name in METADATA.tables if name in tables}
    columns = {
        name: {column["name"]: column for column in listed} for name, listed in present.items()
    }
    missing = tuple(name for name in METADATA.tables if name not in tables)
    _check_age(columns, missing, is_servers=_SERVERS in tables)
    for name, table_columns in columns.items():
        _check_columns(name, table_columns)
    if not present:
        return Layout("", tables, missing)
    is_next = "external_id" in columns.get(USER.name, {})
    return Layout("2.0.0" if is_next else "1.3.0", tables, missing)


def make(connection: Connection) -> tuple[str, ...]:
    """Make the tables that are missing; their names.

    Raises:
        UnsupportedVersionError: As `read_layout`; nothing was made.
    """
    missing = read_layout(connection).missing
    METADATA.create_all(connection, tables=[METADATA.tables[name] for name in missing])
    return missing


def _check_age(columns: Mapping[str, Any], missing: tuple[str, ...], *, is_servers: bool) -> None:
    """Refuse what a server of an older release has made."""
    if VIEW.name in columns and "audit_info" not in columns[VIEW.name]:
        why = "the layout is that of Gravitino 1.2.0: view_meta has no audit_info"
    elif is_servers and VIEW.name in missing:
        why = "the layout is that of a Gravitino before 1.2.0: there is no view_meta"
    elif is_servers and VERSION.name in missing:
        why = "the layout is that of a Gravitino before 1.3.0: there is no view_version_info"
    else:
        return
    raise UnsupportedVersionError(why, hint=_SCRIPTS)


def _check_columns(name: str, columns: Mapping[str, Any]) -> None:
    """Refuse a table without what we write, or with what must be written and we do not know."""
    expected = set(METADATA.tables[name].columns.keys())
    if lacking := sorted(expected - columns.keys()):
        raise UnsupportedVersionError(f"table {name} has no {', '.join(lacking)}", hint=_SCRIPTS)
    if name == USER.name:  # 2.0.0 adds to it: written into in the layout of 1.3.0 only
        return
    for column in (column for key, column in columns.items() if key not in expected):
        if not column["nullable"] and column["default"] is None:
            why = f"table {name} has a column {column['name']} that this version does not know"
            hint = "the layouts of Gravitino 1.3.0 and 2.0.0 are known"
            raise UnsupportedVersionError(why, hint=hint)
