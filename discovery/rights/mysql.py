"""Grants of MySQL (5.7 to 9) and MariaDB (10.5 and later): rows of the grant tables.

Names of databases in `mysql.db` are patterns: `_` and `%` stand for a character and for any, a
backslash takes that away (manual of MySQL, "GRANT Statement"); where `partial_revokes` is on, they
are what they are. Of the patterns of an account that fit a database one decides, the most exact.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

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
_SPECIAL: Final = re.compile(r"\\.|[_%]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Accounts:
    """What the server knows of its accounts.

    Attributes:
        roles: Those of them that are roles.
        always: Whether all granted roles are active after a login.
        active: Member and role, where the role is active after a login.
    """

    roles: frozenset[str] = frozenset()
    always: bool = False
    active: frozenset[tuple[str, str]] = field(default_factory=frozenset)

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
    yield from _granted((), grantee, row)
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
    for (user, host), account_rows in by_account.items():
        grantee = accounts.grantee(user, host)
        ordered = sorted(account_rows, key=lambda row: _exactness(row["db"]), reverse=True)
        fitting = [(_pattern(row["db"], literal=literal), row) for row in ordered]
        for database in every:
            decisive = [row for fits, row in fitting if fits.fullmatch(database)][:1]
            for row in decisive:
                yield from _granted((database,), grantee, row)


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


def _granted(namespace: tuple[str, ...], who: Grantee, row: Mapping[str, Any]) -> Iterator[Grant]:
    grantable = row["grant_priv"] == "Y"
    for name, word in RIGHTS.items():
        if row[name] == "Y":
            yield Grant(namespace, "", who, privilege_of(word), word, grantable=grantable)


def _exactness(pattern: str) -> tuple[bool, int]:
    """How exact a pattern is: without wildcards before others, then by what precedes the first."""
    wildcard = next((match for match in _SPECIAL.finditer(pattern) if match[0] in "_%"), None)
    return wildcard is None, wildcard.start() if wildcard else len(pattern)


def _pattern(text: str, *, literal: bool) -> re.Pattern[str]:
    if literal:
        return re.compile(re.escape(text))
    parts, at = [], 0
    for match in _SPECIAL.finditer(text):
        parts += [re.escape(text[at : match.start()]), _pattern_part(match[0])]
        at = match.end()
    return re.compile("".join([*parts, re.escape(text[at:])]), re.DOTALL)


def _pattern_part(special: str) -> str:
    """The regular expression for what is special in a pattern."""
    return {"_": ".", "%": ".*"}.get(special) or re.escape(special[-1])


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
