"""Rights on databases of MySQL's roles, and of its accounts while a role is active.

With an active role MySQL no longer looks for the row that fits an account best. It puts the rows of
the account and of its active roles together, without those of other hosts; rows of the same pattern
are one, and a name without wildcards decides alone. Of patterns that fit, MySQL 9 takes the first
in the order of bytes (asked of 9.7.4 by random cases, 2026-12-01), MySQL 8 all of them
(`Security_context::db_acl` in the sources of 8.0; not asked of a server).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from discovery.rights.model import Basis, Membership
from discovery.rights.mysql_patterns import first_wildcard

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ActiveRoles:
    """Which roles are active with whom, and how their rows count.

    Attributes:
        of: The roles that are active with each role, and with each account that has any after its
            login, by its name.
        first_decides: Whether, of patterns that fit a database, the first one decides.
    """

    of: Mapping[str, frozenset[str]] = field(default_factory=dict)
    first_decides: bool = False


def active_roles(
    memberships: Iterable[Membership], roles: Iterable[str]
) -> dict[str, frozenset[str]]:
    """The roles that are active with each role, and with each account that has any.

    Args:
        memberships: Who has which role.
        roles: The names of all roles.
    """
    direct: dict[str, list[str]] = {role: [] for role in roles}
    for membership in memberships:
        if membership.basis is Basis.ACTIVE:
            direct.setdefault(membership.member.name, []).append(membership.role.name)
    return {name: _reached(name, direct) for name in direct}


def _reached(name: str, direct: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """The roles that somebody has, and those that these have, without itself."""
    reached, edge = {name}, [name]
    while edge:
        nearer = set(direct.get(edge.pop(), ())) - reached
        reached |= nearer
        edge += nearer
    return frozenset(reached - {name})


@dataclass(frozen=True, slots=True)
class DatabaseRights:
    """What an account or role may do in a database.

    Attributes:
        own: Columns of `mysql.db` that give it a right by its own rows, or by rows of its roles
            that bring these roles nothing.
        overridden: Columns that give one of its roles a right, which it has not.
    """

    own: frozenset[str]
    overridden: frozenset[str]


class _SortedRows(NamedTuple):
    """Rows of some accounts: by the name of a database, and those whose name is a pattern."""

    exact: Mapping[str, list[Row]]
    others: Sequence[Row]


class MergedRows:
    """Rows of `mysql.db` as they count while roles are active.

    Args:
        rows: By the name of the account or role.
        patterns: What the names of databases in them fit.
        active: What is active with whom.
    """

    def __init__(
        self,
        rows: Mapping[str, Sequence[Row]],
        patterns: Mapping[str, re.Pattern[str]],
        active: ActiveRoles,
    ) -> None:
        self._rows = rows
        self._patterns = patterns
        self._active = active
        self._known: dict[tuple[str, str], frozenset[str]] = {}
        self._sorted: dict[tuple[str, ...], _SortedRows] = {}

    def rights(self, name: str, database: str) -> DatabaseRights:
        """What somebody may do in a database.

        Args:
            name: Of an account or role that `active` knows.
            database: The name of the database.
        """
        roles = self._active.of[name]
        decisive = self._decisive(name, database)
        has = _given(decisive)
        brought = frozenset[str]().union(*(self._own(role, database) for role in roles))
        return DatabaseRights(self._own(name, database) | (has - brought), brought - has)

    def _own(self, name: str, database: str) -> frozenset[str]:
        """What of its rights its own rows give somebody."""
        if (name, database) not in self._known:
            own = self._rows.get(name, ())
            decisive = (row for row in self._decisive(name, database) if row in own)
            self._known[name, database] = _given(decisive)
        return self._known[name, database]

    def _decisive(self, name: str, database: str) -> list[Row]:
        """The rows that decide for somebody, its own and those of its roles."""
        every = {name, *self._active.of.get(name, ())}
        names = tuple(sorted(every & self._rows.keys()))
        if names not in self._sorted:
            self._sorted[names] = _sort(row for each in names for row in self._rows[each])
        exact, others = self._sorted[names]
        fitting = exact.get(database) or [
            row for row in others if self._patterns[row["db"]].fullmatch(database)
        ]
        if not self._active.first_decides or not fitting:
            return fitting
        first = min(row["db"].encode() for row in fitting)
        return [row for row in fitting if row["db"].encode() == first]


def _sort(rows: Iterable[Row]) -> _SortedRows:
    """Rows of the same accounts, as they are asked database by database."""
    exact: dict[str, list[Row]] = {}
    others = []
    for row in rows:
        is_pattern = first_wildcard(row["db"]) is not None
        if not is_pattern:
            exact.setdefault(row["db"], []).append(row)
        if is_pattern or "\\" in row["db"]:
            others.append(row)
    return _SortedRows(exact, others)


def _given(rows: Iterable[Row]) -> frozenset[str]:
    """The columns of rights that one of the rows has."""
    return frozenset(name for row in rows for name, value in row.items() if value == "Y")
