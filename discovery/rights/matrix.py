"""Who may SELECT which view, from what sources say of rights.

What each system asks for (`RightsModel`):

- PostgreSQL: SELECT on the view and USAGE on its schema, each one's own, of a role whose rights it
  inherits, everybody's or built in; superusers need neither.
- MySQL and MariaDB: SELECT on the view, its database or the server, less what `partial_revokes`
  keeps out.
- Hive, SQL standard: SELECT on the view itself, or to own it. Rights on databases and on the whole
  metastore, as the default role `admin` has one, let nobody read there.
- Lake Formation: SELECT or ALL on the view itself or on all tables of its database. Rights on the
  database and the catalog let nobody read. Where a right holds for whom or what it does not tell,
  who may read is not known.

Looked at is the view alone: what it reads may ask for rights of its own, of its owner or of whoever
asks; so may what stands before a system, such as Ranger or a rule of its host.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from discovery.rights import lake_formation
from discovery.rights.model import (
    EVERYBODY,
    Basis,
    Grant,
    Grantee,
    Membership,
    Privilege,
    RightsModel,
)

_READING: Final = frozenset({Privilege.SELECT, Privilege.ALL, Privilege.OWN})
_BY_ITSELF: Final = (Basis.ACTIVE, Basis.INHERITED)
_TAKEN: Final = (Basis.REVOKED, Basis.OVERRIDDEN)
"""Bases of what somebody has not, though he would have it by others."""
_ENTERING: Final = frozenset({Privilege.USAGE, Privilege.ALL})
Paths = Mapping[Grantee, tuple[str, ...]]
"""Who has a right, with the names of the roles through which: the innermost last."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who may SELECT a view.

    Attributes:
        grantee: Who.
        through: The roles that let it, from its own to the one that was granted.
        on_demand: Whether it has to set a role first.
        columns: The only ones that it may read; empty: all.
    """

    grantee: Grantee
    through: tuple[str, ...] = ()
    on_demand: bool = False
    columns: tuple[str, ...] = ()


class Access:
    """The rights of a source, asked view by view.

    Args:
        model: By whose rules.
        grants: What the source says.
        memberships: The same of roles.
    """

    def __init__(
        self, model: RightsModel, grants: Iterable[Grant], memberships: Iterable[Membership]
    ) -> None:
        self._model = model
        self._grants: dict[tuple[tuple[str, ...], str], list[Grant]] = {}
        self._undecided: dict[tuple[tuple[str, ...], str], Grant] = {}
        for grant in grants:
            self._grants.setdefault((grant.namespace, grant.name), []).append(grant)
            if grant.basis is Basis.UNDECIDED and grant.privilege in _READING:
                self._undecided.setdefault((grant.namespace, grant.name), grant)
        self._members: dict[tuple[Grantee, Basis], list[Grantee]] = {}
        for held in memberships:
            self._members.setdefault((held.role, held.basis), []).append(held.member)
        self._known: dict[frozenset[Grant], Paths] = {}

    @property
    def grantees(self) -> list[Grantee]:
        """Everybody whom the source names, in its rights or as a member of a role."""
        granted = (grant.grantee for grants in self._grants.values() for grant in grants)
        held = (
            grantee for (role, _), members in self._members.items() for grantee in (role, *members)
        )
        return list(dict.fromkeys((*granted, *held)))

    def called(self, name: str) -> list[Grantee]:
        """The grantees of a name: of `user@host`, as MySQL's family has them, the user's is enough.

        Args:
            name: As a person has it.
        """
        names = {grantee: {grantee.name} for grantee in self.grantees}
        if self._model is RightsModel.MYSQL:
            for grantee, known in names.items():
                known |= {grantee.name.rpartition("@")[0] or grantee.name}
        return [grantee for grantee, known in names.items() if name in known]

    @property
    def leaves_open(self) -> bool:
        """Whether somebody may have a right whom the source does not name."""
        return bool(self._undecided)

    def on_view(self, namespace: tuple[str, ...], name: str) -> list[Grant]:
        """The rights on a view itself."""
        return self._grants.get((namespace, name), [])

    def why_unknown(self, namespace: tuple[str, ...], name: str) -> str:
        """Why it is not known who may SELECT a view, though all rights are; empty: it is."""
        for place in ((namespace, name), (namespace, ""), ((), "")):
            if place in self._undecided:
                return lake_formation.why_undecided(self._undecided[place])
        return ""

    def active_members(self, who: Grantee) -> list[Grantee]:
        """Somebody, and all who have its rights without setting a role."""
        return list(self._spread({who: ()}, _BY_ITSELF))

    def readers(self, namespace: tuple[str, ...], name: str) -> list[Reader]:
        """Everybody who may SELECT a view, or columns of it.

        Each once, or twice: with what it reads at once, and what it reads once it has set a role.
        """
        granted = self._grants.get((namespace, name), ())
        reading = [grant for grant in granted if _lets_read(grant)]
        grants = [grant for grant in reading if grant.column is None]
        whole_view = [*grants, *self._inherited(namespace)]
        full = {(who.grantee, who.on_demand): who for who in self._able(whole_view, namespace)}
        if (EVERYBODY, False) in full:
            return sorted(full.values(), key=_order)
        columns = [grant for grant in reading if grant.column is not None]
        partial = self._partial(columns, full, namespace)
        return sorted([*full.values(), *partial], key=_order)

    def _partial(
        self,
        reading: list[Grant],
        full: Mapping[tuple[Grantee, bool], Reader],
        namespace: tuple[str, ...],
    ) -> Iterator[Reader]:
        """Those who may read some columns only, of these what everybody may read, too."""
        partial: dict[tuple[Grantee, bool], Reader] = {}
        for column in dict.fromkeys(grant.column for grant in reading if grant.column is not None):
            of_column = [grant for grant in reading if grant.column == column]
            for reader in self._able(of_column, namespace):
                key = reader.grantee, reader.on_demand
                before = partial.get(key, reader)
                partial[key] = replace(before, columns=(*before.columns, column))
        of_all = partial[EVERYBODY, False].columns if (EVERYBODY, False) in partial else ()
        for (grantee, on_demand), reader in partial.items():
            if (grantee, False) not in full and (grantee, on_demand) not in full:
                yield replace(reader, columns=tuple(dict.fromkeys((*reader.columns, *of_all))))

    def _inherited(self, namespace: tuple[str, ...]) -> list[Grant]:
        """What lets read whatever is in a namespace."""
        if self._model is RightsModel.HIVE:
            return []
        within = self._grants.get((namespace, ""), []) if namespace else []
        if self._model is RightsModel.LAKE_FORMATION:
            spread = (
                grant for grant in within if grant.basis is Basis.WITHIN and grant.column is None
            )
            return [grant for grant in spread if _lets_read(grant)]
        kept_out = {
            grant.grantee
            for grant in within
            if grant.basis is Basis.REVOKED and grant.privilege in _READING
        }
        above = [grant for grant in self._grants.get(((), ""), []) if grant.grantee not in kept_out]
        if self._model is RightsModel.MYSQL:
            above += [grant for grant in within if grant.basis not in _TAKEN]
        return [grant for grant in above if grant.privilege in _READING]

    def _able(self, reading: list[Grant], namespace: tuple[str, ...]) -> Iterator[Reader]:
        """Those who have one of the grants, and whatever else it takes."""
        active = self._having(reading)
        if overridden := self._overridden(namespace):
            wider = self._having([g for g in reading if g.name or g.namespace != namespace])
            active = {who: path for who, path in active.items() if who not in overridden} | {
                who: wider[who] for who in overridden & wider.keys()
            }
        if self._model is RightsModel.POSTGRESQL:
            every = self._grants.get((namespace, ""), []) + self._grants.get(((), ""), [])
            active = _both(active, self._having([g for g in every if g.privilege in _ENTERING]))
        for grantee, path in active.items():
            yield Reader(grantee, path)
        for grantee, path in self._on_demand(active).items():
            yield Reader(grantee, path, on_demand=True)

    def _overridden(self, namespace: tuple[str, ...]) -> set[Grantee]:
        """Those who do not read in a namespace by what their roles have on it."""
        return {
            grant.grantee
            for grant in self._grants.get((namespace, ""), ())
            if grant.basis is Basis.OVERRIDDEN and grant.privilege in _READING
        }

    def _having(self, grants: list[Grant]) -> Paths:
        """Those who have one of the grants without setting a role."""
        key = frozenset(grants)
        if key not in self._known:
            others = {g.grantee: () for g in grants if g.basis is not Basis.ADMINISTRATOR}
            paths = self._spread(others, _BY_ITSELF)
            for grant in grants:
                paths.setdefault(
                    grant.grantee, ()
                )  # members of administrators have nothing of them
            self._known[key] = paths
        return self._known[key]

    def _on_demand(self, active: Paths) -> Paths:
        """Those who can become one of them, and are none by themselves.

        A role that is set brings what it has by itself, and does not add to what others bring.
        Where roles stand between, each of them must be one that may be set (PostgreSQL 18.4, by
        random cases, 2026-12-01).
        """
        if EVERYBODY in active:
            return {}
        first: dict[Grantee, tuple[str, ...]] = {}
        for grantee, path in active.items():
            for member in self._members_of(grantee, (Basis.ON_DEMAND,)):
                if member not in active:
                    first.setdefault(member, (grantee.name, *path))
        every = self._spread(first, (Basis.ACTIVE, Basis.ON_DEMAND))
        return {who: path for who, path in every.items() if who not in active}

    def _spread(self, holders: Paths, over: tuple[Basis, ...]) -> dict[Grantee, tuple[str, ...]]:
        """Holders and their members, and the members of those; nearest paths first."""
        paths, edge = dict(holders), list(holders)
        while edge:
            nearer: list[Grantee] = []
            for grantee in edge:
                for member in self._members_of(grantee, over):
                    if member not in paths:
                        paths[member] = (grantee.name, *paths[grantee])
                        nearer.append(member)
            edge = nearer
        return paths

    def _members_of(self, role: Grantee, over: tuple[Basis, ...]) -> Iterator[Grantee]:
        """Its members; a user that bears the name of a role is another one."""
        for basis in over:
            yield from self._members.get((role, basis), ())


def _order(reader: Reader) -> tuple[Grantee, bool]:
    return reader.grantee, reader.on_demand


def _lets_read(grant: Grant) -> bool:
    return grant.privilege in _READING and grant.basis is not Basis.UNDECIDED


def _both(paths: Paths, other: Paths) -> Paths:
    """Those who have both rights; what everybody has, each one has."""
    both = {
        grantee: path for grantee, path in paths.items() if grantee in other or EVERYBODY in other
    }
    if EVERYBODY in paths:
        both |= {grantee: () for grantee in other if grantee not in both}
    return both
