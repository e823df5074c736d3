"""What becomes of rights at Gravitino: by rules, and never more than there was.

Gravitino (1.3.1 and later) has `SELECT_VIEW` on a view for a role; users and groups are members of
roles, roles are not. So a role there gets a view only if every grantee that it stands for may read
all that the view is made of, and so may each of its members, by themselves and without setting a
role: whatever the rules say, nobody reads afterwards who did not before. What a member is at the
sources are all grantees that the rules give its name to.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from discovery.model import Identifier
from discovery.rights.matrix import Access, Reader
from discovery.rights.model import EVERYBODY, Basis, Grant, Grantee, GranteeKind, Privilege
from discovery.rights.outcome import AccessLine

Key = tuple[tuple[str, ...], str]
"""Namespace and name of a view, as its source compares names."""
Origin = tuple[str, Key]
"""A view of a source."""


@dataclass(frozen=True, slots=True)
class CarryingRule:
    """What grantees are at Gravitino. The first that fits a grantee decides.

    Attributes:
        grantee: Glob over its name, by case; of everybody the name is empty.
        source: The source that it is about; None: all.
        kind: What it is about; None: anything.
        role: The role there that has what the grantee has; `{name}` stands for its name, `{user}`
            for that without what follows the last `@`, of an ARN for what follows its last `/`.
            None: none.
        member: The user there, or the group if the grantee is one, that it is; the same. None: it
            is not there.
    """

    grantee: str = "*"
    source: str | None = None
    kind: GranteeKind | None = None
    role: str | None = None
    member: str | None = None

    def fits(self, source: str, who: Grantee) -> bool:
        """Whether it is about a grantee of a source."""
        return (
            self.source in {None, source}
            and self.kind in {None, who.kind}
            and fnmatchcase(who.name, self.grantee)
        )


class Image(NamedTuple):
    """What a grantee is at Gravitino: a role, a member of roles, both or nothing."""

    role: str | None
    member: Grantee | None


_NOTHING: Final = Image(None, None)
_NOT_GIVEN: Final = "not given there, as the plan says"
_GAINED: Final = "the target lets it already, by what no plan has given"
_NO_OWNER: Final = "owns it: there it is not one user or group, or may not read all of it"


class LostRight(NamedTuple):
    """A right that somebody has at a source and not at the target, and why."""

    source: str
    grantee: Grantee
    why: str


@dataclass(frozen=True, slots=True)
class CarriedView:
    """What of the rights on a view can be said at Gravitino.

    Attributes:
        roles: Those that get `SELECT_VIEW`.
        readers: Members of these: who may read it afterwards.
        lost: What cannot be said, or is held back.
        owner: The user or group that owns what it is made of, and may read all of it.
    """

    roles: tuple[str, ...]
    readers: tuple[Grantee, ...]
    lost: tuple[LostRight, ...]
    owner: Grantee | None = None


class Carrying:
    """The rights of sources as they are to be at a target.

    Args:
        sources: The rights of each.
        rules: What grantees are there.
    """

    def __init__(self, sources: Mapping[str, Access], rules: Sequence[CarryingRule]) -> None:
        self._sources = sources
        self._images = {
            (name, grantee): _image(rules, name, grantee)
            for name, access in sources.items()
            for grantee in access.grantees
        }
        self._stands_for: dict[str, list[tuple[str, Grantee]]] = {}
        self._was: dict[Grantee, list[tuple[str, Grantee]]] = {}
        for place, image in self._images.items():
            if image.role is not None:
                self._stands_for.setdefault(image.role, []).append(place)
            if image.member is not None:
                self._was.setdefault(image.member, []).append(place)
        self._members = {
            role: self._all_members(places) for role, places in self._stands_for.items()
        }

    def members(self, role: str) -> tuple[Grantee, ...]:
        """The users and groups that are to be members of a role."""
        return tuple(sorted(self._members.get(role, ())))

    def view(self, origins: Sequence[Origin]) -> CarriedView:
        """What becomes of the rights on a view that is made of some of the sources' views."""
        readers = {origin: self._sources[origin[0]].readers(*origin[1]) for origin in origins}
        able = {
            (origin, reader.grantee)
            for origin, of_origin in readers.items()
            for reader in of_origin
            if not reader.on_demand and not reader.columns
        }
        roles = tuple(
            sorted(filter(lambda role: not self._why_hindered(role, able, origins), self._members))
        )
        after = {member for role in roles for member in self._members[role]}
        lost = [
            LostRight(origin[0], reader.grantee, why)
            for origin, of_origin in readers.items()
            for reader in of_origin
            if (why := self._why_lost(origin[0], reader, (roles, after), able, origins))
        ]
        owner = self._owner(origins, able)
        beside = (lost_right for origin in origins for lost_right in self._beside(origin, owner))
        lost_rights = tuple(dict.fromkeys([*lost, *beside]))
        return CarriedView(roles, tuple(sorted(after)), lost_rights, owner)

    def access(
        self, view: Identifier, origins: Sequence[Origin], after: Collection[Grantee | str]
    ) -> Iterator[AccessLine]:
        """Who reads views of sources, and who a view at a target that is made of them.

        Args:
            view: There.
            origins: The views of sources.
            after: The users and groups that read it there, and the names of roles that do.
        """
        carried, able = self.view(origins), set()
        lost = {
            (lost_right.source, lost_right.grantee): lost_right.why
            for lost_right in reversed(carried.lost)
        }
        for source, key in origins:
            at_once: dict[Grantee, Reader] = {}  # who reads more on demand comes twice
            for reader in self._sources[source].readers(*key):
                at_once.setdefault(reader.grantee, reader)
            for reader in at_once.values():
                grantee, image = reader.grantee, self._images[source, reader.grantee]
                before = "columns" if reader.columns else "on demand" if reader.on_demand else "all"
                if before == "all":
                    able.add(((source, key), grantee))
                reads = (image.role if image.member is None else image.member) in after
                given = "" if before == "all" else _GAINED
                why = given if reads else lost.get((source, grantee), _NOT_GIVEN)
                yield AccessLine(view, source, grantee, before, after=reads, why=why)
        others = [holder for holder in after if isinstance(holder, Grantee)]
        for grantee in sorted(others):
            if grantee not in self._was or not self._may_all_read(
                self._was[grantee], able, origins
            ):
                yield AccessLine(view, "", grantee, "", after=True, why=_GAINED)

    def _owner(
        self, origins: Sequence[Origin], able: set[tuple[Origin, Grantee]]
    ) -> Grantee | None:
        """The one member that owns all of some views, and may read them."""
        of_each = []
        for source, key in origins:
            owners = {
                grant.grantee for grant in self._sources[source].on_view(*key) if _owns(grant)
            }
            of_each.append(
                {self._images.get((source, grantee), _NOTHING).member for grantee in owners}
            )
        every = set.union(*of_each) if all(of_each) else set()
        owner = every.pop() if len(every) == 1 else None
        if owner is None or not self._may_all_read(self._was[owner], able, origins):
            return None
        return owner

    def _all_members(self, places: Iterable[tuple[str, Grantee]]) -> set[Grantee]:
        members = set()
        for source, who in places:
            for grantee in self._sources[source].active_members(who):
                if (member := self._images.get((source, grantee), _NOTHING).member) is not None:
                    members.add(member)
        return members

    def _why_hindered(
        self, role: str, able: set[tuple[Origin, Grantee]], origins: Sequence[Origin]
    ) -> str:
        """Why a role cannot have the view; empty: it can."""
        if not self._may_all_read(self._stands_for[role], able, origins):
            return "not all that it stands for may read all that the view is made of"
        for member in sorted(self._members[role]):
            if not self._may_all_read(self._was[member], able, origins):
                return f"its member {member.name} may not read all that the view is made of"
        return ""

    def _may_all_read(
        self,
        places: Iterable[tuple[str, Grantee]],
        able: set[tuple[Origin, Grantee]],
        origins: Sequence[Origin],
    ) -> bool:
        """Whether there is a grantee in the source of each origin, and each there may read it."""
        by_source: dict[str, list[Grantee]] = {}
        for source, grantee in places:
            by_source.setdefault(source, []).append(grantee)
        return all(
            origin[0] in by_source
            and all(
                (origin, who) in able or (origin, EVERYBODY) in able for who in by_source[origin[0]]
            )
            for origin in origins
        )

    def _why_lost(
        self,
        source: str,
        reader: Reader,
        granted: tuple[tuple[str, ...], set[Grantee]],
        able: set[tuple[Origin, Grantee]],
        origins: Sequence[Origin],
    ) -> str:
        """Why a reader does not read afterwards; empty: it does, or its role does."""
        if reader.columns:
            return f"columns {', '.join(reader.columns)} only: Gravitino has no rights on columns"
        image, (roles, after) = self._images[source, reader.grantee], granted
        if image.member in after or (image.member is None and image.role in roles):
            return ""
        if reader.on_demand:
            return "only once a role is set: roles of Gravitino are not set"
        if image == _NOTHING:
            return "no rule says what it is there"
        if image.role is None:
            return "none of its roles has the view, and no rule gives it a role of its own"
        return f"role {image.role}: {self._why_hindered(image.role, able, origins)}"

    def _beside(self, origin: Origin, owner: Grantee | None) -> Iterator[LostRight]:
        """Rights on the view itself that are more than to read it."""
        source, key = origin
        for grant in self._sources[source].on_view(*key):
            if _owns(grant):
                if owner is None:
                    yield LostRight(source, grant.grantee, _NO_OWNER)
                continue
            if grant.privilege is not Privilege.SELECT:
                yield LostRight(source, grant.grantee, f"{grant.word}: only SELECT is carried over")
            if grant.grantable:
                yield LostRight(source, grant.grantee, f"{grant.word} to hand on: it may read only")


def _owns(grant: Grant) -> bool:
    return grant.privilege is Privilege.OWN or grant.basis is Basis.OWNER


def _image(rules: Iterable[CarryingRule], source: str, who: Grantee) -> Image:
    """What a grantee is at Gravitino, by the first rule that fits it."""
    rule = next((carrying_rule for carrying_rule in rules if carrying_rule.fits(source, who)), None)
    if rule is None:
        return _NOTHING
    member = None
    if rule.member is not None and who.kind in {GranteeKind.USER, GranteeKind.GROUP}:
        member = Grantee(_name_there(rule.member, who), who.kind)
    role = None if rule.role is None else _name_there(rule.role, who)
    return Image(role or None, member if member and member.name else None)


def _name_there(pattern: str, who: Grantee) -> str:
    """A name there. What is put in is not looked at again: it may have braces itself."""
    parts = pattern.split("{name}")
    last = who.name.rpartition("/")[2]
    user = last if who.name.startswith("arn:") else who.name.rpartition("@")[0]
    user = user or who.name
    return who.name.join(part.replace("{user}", user) for part in parts)
