"""What the grant tables of MySQL (5.7 to 9) and MariaDB (10.5 and later) are asked.

The tables are asked, not `information_schema`: to whoever may not read them all, that shows his own
rights as if there were no others; they refuse.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import TextClause, text

from discovery.mysql_family import is_mariadb, is_mysql_8, is_mysql_9
from discovery.rights import mysql
from discovery.rights.model import Grant, Membership
from discovery.rights.mysql import Accounts, account
from discovery.rights.mysql_roles import ActiveRoles, active_roles

_RIGHTS: Final = ", ".join(f"{name} AS {name}" for name in (*mysql.RIGHTS, "grant_priv"))
_RESTRICTIONS: Final = "json_extract(user_attributes, '$.Restrictions') AS restrictions"
_KNOWN: Final = ("activate_all_roles_on_login", "mandatory_roles", "partial_revokes")
SETTINGS: Final = text(
    "SHOW GLOBAL VARIABLES WHERE variable_name IN ('{}')".format("', '".join(_KNOWN))
)
DATABASES: Final = text(
    f"SELECT user AS user, host AS host, db AS db, {_RIGHTS} FROM mysql.db ORDER BY 1, 2, 3"  # noqa: S608 - constants
)
OBJECTS: Final = text("""
    SELECT user AS user, host AS host, db AS db, table_name AS name, table_priv AS rights,
      grantor AS grantor
    FROM mysql.tables_priv ORDER BY 1, 2, 3, 4
""")
COLUMNS: Final = text("""
    SELECT user AS user, host AS host, db AS db, table_name AS name, column_name AS `column`,
      column_priv AS rights
    FROM mysql.columns_priv ORDER BY 1, 2, 3, 4, 5
""")
ROLES_OF_MARIADB: Final = text("""
    SELECT user AS user, host AS host, default_role AS default_role, is_role AS is_role
    FROM mysql.user ORDER BY 1, 2
""")
MEMBERS_OF_MARIADB: Final = text("""
    SELECT user AS user, host AS host, role AS role, admin_option AS grantable
    FROM mysql.roles_mapping ORDER BY 1, 2, 3
""")

# A role is an account that is locked, whose password has expired (CREATE ROLE makes it so).
ROLES_OF_MYSQL: Final = text("""
    SELECT user AS user, host AS host FROM mysql.user
    WHERE account_locked = 'Y' AND password_expired = 'Y' ORDER BY 1, 2
""")
MEMBERS_OF_MYSQL: Final = text("""
    SELECT to_user AS user, to_host AS host, from_user AS role, from_host AS role_host,
      with_admin_option AS grantable
    FROM mysql.role_edges ORDER BY 1, 2, 3, 4
""")
DEFAULTS_OF_MYSQL: Final = text("""
    SELECT user AS user, host AS host, default_role_user AS role, default_role_host AS role_host
    FROM mysql.default_roles ORDER BY 1, 2, 3, 4
""")

Ask = Callable[[TextClause], Sequence[Mapping[str, Any]]]


def read_grants(ask: Ask, version: str, databases: Sequence[str]) -> Iterator[Grant | Membership]:
    """Everything that the grant tables say of rights on views.

    Args:
        ask: The rows of a statement.
        version: Of the server.
        databases: Those of the server.

    Raises:
        BelvedereError: One of the tables cannot be read: without it the others say too much.
    """
    settings = {str(row["Variable_name"]): str(row["Value"]) for row in ask(SETTINGS)}
    everywhere = ask(_global_rights_query(restricted="partial_revokes" in settings))
    accounts = Accounts(
        always=settings.get("activate_all_roles_on_login") == "ON",
        of_mariadb=is_mariadb(version),
        known=tuple((row["user"], row["host"]) for row in everywhere),
    )
    memberships: Sequence[Membership] = ()
    if accounts.of_mariadb:
        accounts, memberships = _read_mariadb(ask, accounts)
    elif is_mysql_8(version):
        accounts, memberships = _read_mysql(ask, accounts, settings.get("mandatory_roles", ""))
        active = active_roles(memberships, accounts.roles)
        with_roles = ActiveRoles(active, first_decides=is_mysql_9(version))
        accounts = replace(accounts, with_roles=with_roles)
    for row in everywhere:
        yield from mysql.everywhere(row, accounts)
    literal = settings.get("partial_revokes") == "ON"
    yield from mysql.of_databases(ask(DATABASES), databases, accounts, literal=literal)
    yield from mysql.of_objects([*ask(OBJECTS), *ask(COLUMNS)], accounts)
    yield from memberships


def _global_rights_query(*, restricted: bool) -> TextClause:
    restrictions = f", {_RESTRICTIONS}" if restricted else ""
    return text(
        f"SELECT user AS user, host AS host, {_RIGHTS}{restrictions} FROM mysql.user ORDER BY 1, 2"  # noqa: S608 - constants
    )


def _read_mariadb(ask: Ask, accounts: Accounts) -> tuple[Accounts, Sequence[Membership]]:
    """Roles have names without a host; an account has one default role."""
    rows = ask(ROLES_OF_MARIADB)
    roles = {account(row["user"], row["host"]) for row in rows if row["is_role"] == "Y"}
    defaults = {(account(row["user"], row["host"]), row["default_role"] or "") for row in rows}
    accounts = replace(accounts, roles=frozenset(roles), active=frozenset(defaults))
    return accounts, [
        accounts.membership(
            row["role"], account(row["user"], row["host"]), grantable=row["grantable"] == "Y"
        )
        for row in ask(MEMBERS_OF_MARIADB)
    ]


def _read_mysql(
    ask: Ask, accounts: Accounts, mandatory_roles: str
) -> tuple[Accounts, Sequence[Membership]]:
    """Roles are accounts; those that are mandatory every account has that logs in."""
    edges = ask(MEMBERS_OF_MYSQL)
    created = {account(row["user"], row["host"]) for row in ask(ROLES_OF_MYSQL)}
    roles = created | set(map(_role, edges))
    defaults = {(account(row["user"], row["host"]), _role(row)) for row in ask(DEFAULTS_OF_MYSQL)}
    accounts = replace(accounts, roles=frozenset(roles), active=frozenset(defaults))
    memberships = [
        accounts.membership(
            _role(row), account(row["user"], row["host"]), grantable=row["grantable"] == "Y"
        )
        for row in edges
    ]
    return accounts, [*memberships, *mysql.mandatory(mandatory_roles, accounts, created)]


def _role(row: Mapping[str, Any]) -> str:
    return account(row["role"], row["role_host"])
