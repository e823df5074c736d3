"""Grants of MySQL (5.7 to 9) and MariaDB (10.5 and later): rows of the grant tables.

Names of databases in `mysql.db` are patterns (`mysql_patterns.py`); where `partial_revokes` is on,
they are what they are. Of the patterns of an account that fit a database one decides, the most
exact. Which of two that are as exact the servers do not say: then what all of them give is given.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from discovery.rights import mysql_patterns
from discovery.rights.model import (
    EVERYBODY,
    Basis,
    Grant,
    Grantee,
    GranteeKind,
    Membership,
    privilege_of,
)

RIGHTS: Final = {
    "select_priv": "SELECT",
    "insert_priv": "INSERT",
    "update_priv": "UPDATE",
    "delete_priv": "DELETE",
    "create_view_priv": "CREATE VIEW",
    "show_view_priv": "SHOW VIEW",
    "drop_priv": "DROP",
}
"""Columns of `mysql.user` and `mysql.db`, and the rights on views that they are."""


@dataclass(frozen=True, slots=True)
class Accounts:
    """What the server knows of its accounts.

    Attributes:
        roles: Those of them that are roles.
        always: Whether all granted roles are active after a login.
        active: Member and role, where the role is active after a login.
        of_mariadb: Whether the server is MariaDB.
    """

    roles: frozenset[str] = frozenset()
    always: bool = False
    active: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    of_mariadb: bool = False

    def grantee(self, user: str, host: str) -> Grantee:
        """An account; the role PUBLIC of MariaDB (10.11 and later) is everybody."""
        name = account(user, host)
        if name == "PUBLIC":
            return EVERYBODY
        return Grantee(name, GranteeKind.ROLE if name in self.roles else GranteeKind.USER)

    def membership(self, role: str, member: str, *, grantable: bool) -> Membership:
        """That an account has a role; what a role has is active with it."""
        held = Grantee(role, GranteeKind.ROLE)
        kind = GranteeKind.ROLE if member in self.roles else GranteeKind.USER
        active = kind is GranteeKind.ROLE or self.always or (member, role) in self.active
        basis = Basis.ACTIVE if active else Basis.ON_DEMAND
        return Membership(held, Grantee(member, kind), basis, grantable)


def account(user: str, host: str) -> str:
    """An account as one text, as the server spells definers; roles of MariaDB have no host."""
    return f"{user}@{host}" if host else user


def everywhere(row: Mapping[str, Any], accounts: Accounts) -> Iterator[Grant]:
    """A row of `mysql.user`: rights on the whole server, and what is kept out of them."""
    grantee = accounts.grantee(row["user"], row["host"])
    yield from _granted((), grantee, [row])
    for load in json.loads(row.get("restrictions") or "[]"):
        for word in load["Privileges"]:
            kept = privilege_of(word)
            yield Grant((load["Database"],), "", grantee, kept, word, basis=Basis.REVOKED)


def of_databases(
    rows: Sequence[Mapping[str, Any]],
    databases: Iterable[str],
    accounts: Accounts,
    *,
    literal: bool = False,
) -> Iterator[Grant]:
    """Rows of `mysql.db`, each of them for every database that it decides about.

    Args:
        rows: The rows.
        databases: The databases of the server.
        accounts: What the server knows of them.
        literal: Whether names of databases are no patterns.
    """
    by_account: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        by_account.setdefault((row["user"], row["host"]), []).append(row)
    every = list(databases)
    fits = {row["db"]: mysql_patterns.compiled(row["db"], literal=literal) for row in rows}
    for (user, host), account_rows in by_account.items():
        grantee = accounts.grantee(user, host)
        for database in every:
            fitting = [row for row in account_rows if fits[row["db"]].fullmatch(database)]
            yield from _granted((database,), grantee, _most_exact(fitting, accounts))


def _most_exact(
    rows: Sequence[Mapping[str, Any]], accounts: Accounts
) -> Sequence[Mapping[str, Any]]:
    """The rows that may decide: one, or those that are as exact as each other."""
    by_exactness: dict[int, list[Mapping[str, Any]]] = {}
    for row in rows:
        exactness = mysql_patterns.exactness(
            row["db"], mysql_patterns.LONGEST_DATABASE, of_mariadb=accounts.of_mariadb
        )
        by_exactness.setdefault(exactness, []).append(row)
    return by_exactness[max(by_exactness)] if by_exactness else []


def of_object(row: Mapping[str, Any], accounts: Accounts) -> Iterator[Grant]:
    """A row of `mysql.tables_priv` or, with a column, of `mysql.columns_priv`."""
    grantee, words = accounts.grantee(row["user"], row["host"]), str(row["rights"] or "").split(",")
    grantable = "Grant" in words
    for word in filter(None, words):
        if word != "Grant":
            yield Grant(
                (row["db"],),
                row["name"],
                grantee,
                privilege_of(word),
                word.upper(),
                column=row.get("column"),
                grantable=grantable,
                granted_by=row.get("grantor") or None,
            )


def _granted(
    namespace: tuple[str, ...], who: Grantee, rows: Sequence[Mapping[str, Any]]
) -> Iterator[Grant]:
    """The rights that each of the rows gives."""
    grantable = all(row["grant_priv"] == "Y" for row in rows)
    for name, word in RIGHTS.items():
        if rows and all(row[name] == "Y" for row in rows):
            yield Grant(namespace, "", who, privilege_of(word), word, grantable=grantable)


def mandatory(roles: str, accounts: Accounts) -> Iterator[Membership]:
    """Memberships of everybody, by the setting `mandatory_roles` of MySQL: names parted by commas.

    Args:
        roles: As the setting spells them, in quotes or without, a host behind each or not.
        accounts: What the server knows of its accounts.
    """
    for role in filter(None, map(str.strip, roles.split(","))):
        user, _, host = (part.strip("`'\"") for part in role.partition("@"))
        held = Grantee(account(user, host or "%"), GranteeKind.ROLE)
        basis = Basis.ACTIVE if accounts.always else Basis.ON_DEMAND
        yield Membership(held, EVERYBODY, basis)
