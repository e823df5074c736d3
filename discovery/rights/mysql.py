"""Grants of MySQL (5.7 to 9) and MariaDB (10.5 and later): rows of the grant tables.

Names of databases in `mysql.db` are patterns (`mysql_patterns.py`); where `partial_revokes` is on,
they are what they are. A row is not one account's: it fits every client of its user from its
host, and an empty user in `mysql.db` is everybody (`acl_get`, `table_hash_search`; asked of MariaDB
10.11.19). Of the rows that fit one decides: of the most exact host, then of the most exact
database, then of a user. Which of two that are as exact the servers do not say: then what all of
them give is given. A row of a host that an account shares in part is not taken to fit it. A role
has its own rows alone. Of MySQL's accounts with active roles: `mysql_roles.py`.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import starmap
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
from discovery.rights.mysql_roles import ActiveRoles, MergedRows

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
Row = Mapping[str, Any]
_GRANT: Final = "Grant"
_GRANTABLE: Final = "grant_priv"
_LONGEST: Final = {
    "host": mysql_patterns.LONGEST_HOST,
    "db": mysql_patterns.LONGEST_DATABASE,
}
"""Columns by which rows are sorted, the first one first."""


@dataclass(frozen=True, slots=True)
class Accounts:
    """What the server knows of its accounts.

    Attributes:
        roles: Those of them that are roles.
        always: Whether all granted roles are active after a login.
        active: Member and role, where the role is active after a login.
        of_mariadb: Whether the server is MariaDB.
        known: User and host of each.
        with_roles: The roles that are active with roles and accounts of MySQL.
    """

    roles: frozenset[str] = frozenset()
    always: bool = False
    active: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    of_mariadb: bool = False
    known: tuple[tuple[str, str], ...] = ()
    with_roles: ActiveRoles = field(default_factory=ActiveRoles)

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


def everywhere(row: Row, accounts: Accounts) -> Iterator[Grant]:
    """A row of `mysql.user`: rights on the whole server, and what is kept out of them."""
    grantee = accounts.grantee(row["user"], row["host"])
    yield from _granted((), grantee, [row])
    for load in json.loads(row.get("restrictions") or "[]"):
        for word in load["Privileges"]:
            kept = privilege_of(word)
            yield Grant((load["Database"],), "", grantee, kept, word, basis=Basis.REVOKED)


def of_databases(
    rows: Sequence[Row],
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
    every = list(databases)
    fits = {row["db"]: mysql_patterns.compiled(row["db"], literal=literal) for row in rows}
    by_user = _grouped(rows, _user)
    merged = MergedRows(_grouped(rows, _account), fits, accounts.with_roles)
    for user, host in accounts.known:
        if (name := account(user, host)) in accounts.with_roles.of:
            for database in every:
                rights, who = merged.rights(name, database), accounts.grantee(user, host)
                yield from _grants((database,), who, rights.own)
                yield from _grants((database,), who, rights.overridden, Basis.OVERRIDDEN)
            continue
        names = dict.fromkeys((user, ""))
        rows_of_user = [row for name in names for row in by_user.get(name, ())]
        own = _fitting(rows_of_user, (user, host), accounts)
        for database in every if own else ():
            fitting = [row for row in own if fits[row["db"]].fullmatch(database)]
            decisive = _most_exact(fitting, accounts)
            yield from _granted((database,), accounts.grantee(user, host), decisive)


def of_objects(rows: Sequence[Row], accounts: Accounts) -> Iterator[Grant]:
    """Rows of `mysql.tables_priv` and, with a column, of `mysql.columns_priv`.

    Of those of a view and a user the most exact host decides alone, of its columns, too.
    """
    by_user = _grouped(rows, _user)
    for user, host in accounts.known:
        by_place: dict[tuple[str, str], list[Row]] = {}
        for row in _fitting(by_user.get(user, ()), (user, host), accounts):
            by_place.setdefault((row["db"], row["name"]), []).append(row)
        for place_rows in by_place.values():
            yield from _of_object(accounts.grantee(user, host), place_rows, accounts)


def _of_object(grantee: Grantee, rows: Sequence[Row], accounts: Accounts) -> Iterator[Grant]:
    """What the rows of a view that fit an account come to."""
    decisive = _most_exact(rows, accounts)
    hosts = {row["host"] for row in decisive}
    by_column: dict[str | None, list[Row]] = {}
    for row in decisive:
        by_column.setdefault(row.get("column"), []).append(row)
    for column, tied in by_column.items():
        words = [str(row["rights"] or "").split(",") for row in tied]
        for word in filter(None, words[0] if len(tied) == len(hosts) else ()):
            if word != _GRANT and all(word in other for other in words):
                yield Grant(
                    (tied[0]["db"],),
                    tied[0]["name"],
                    grantee,
                    privilege_of(word),
                    word.upper(),
                    column=column,
                    grantable=all(_GRANT in other for other in words),
                    granted_by=tied[0].get("grantor") or None,
                )


def _user(row: Row) -> str:
    return str(row["user"])


def _account(row: Row) -> str:
    return account(row["user"], row["host"])


def _grouped(rows: Iterable[Row], by: Callable[[Row], str]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(by(row), []).append(row)
    return groups


def _fitting(rows: Iterable[Row], known_account: tuple[str, str], accounts: Accounts) -> list[Row]:
    """The rows that fit all clients of an account."""
    user, host = known_account
    name = account(user, host)
    if name in accounts.roles or name in accounts.with_roles.of:
        return [row for row in rows if (row["user"], row["host"]) == known_account]
    return [row for row in rows if mysql_patterns.holds(row["host"], host)]


def _most_exact(rows: Iterable[Row], accounts: Accounts) -> list[Row]:
    """The rows that may decide: those of the most exact host, database and user."""
    by_exactness: dict[tuple[int, int, bool], list[Row]] = {}
    for row in rows:
        host, database = (
            mysql_patterns.exactness(row[name], longest, of_mariadb=accounts.of_mariadb)
            for name, longest in _LONGEST.items()
        )
        by_exactness.setdefault((host, database, bool(row["user"])), []).append(row)
    return by_exactness[max(by_exactness)] if by_exactness else []


def _granted(namespace: tuple[str, ...], who: Grantee, rows: Sequence[Row]) -> Iterator[Grant]:
    """The rights that each of the rows gives."""
    given = {name for name in (*RIGHTS, _GRANTABLE) if all(row[name] == "Y" for row in rows)}
    yield from _grants(namespace, who, given if rows else ())


def _grants(
    namespace: tuple[str, ...], who: Grantee, columns: Collection[str], basis: Basis = Basis.GRANTED
) -> Iterator[Grant]:
    """The rights that columns of a grant table are."""
    grantable = basis is Basis.GRANTED and _GRANTABLE in columns
    for name, word in RIGHTS.items():
        if name in columns:
            right = privilege_of(word)
            yield Grant(namespace, "", who, right, word, basis=basis, grantable=grantable)


def mandatory(roles: str, accounts: Accounts, idle: Collection[str]) -> Iterator[Membership]:
    """Memberships of every account that logs in, by the setting `mandatory_roles` of MySQL.

    They are active from the login on, whatever `activate_all_roles_on_login` and an account's
    default roles are (MySQL 9.7.4, 2026-12-01).

    Args:
        roles: As the setting spells them: parted by commas, in quotes or without, a host behind
            each or not.
        accounts: What the server knows of them.
        idle: Those that nobody logs in as. An account that is granted to others may log in, too.
    """
    users = [who for who in starmap(accounts.grantee, accounts.known) if who.name not in idle]
    for role in filter(None, map(str.strip, roles.split(","))):
        user, _, host = (part.strip("`'\"") for part in role.partition("@"))
        held = Grantee(account(user, host or "%"), GranteeKind.ROLE)
        for who in users:
            if who != held:
                yield Membership(held, who, Basis.ACTIVE)
