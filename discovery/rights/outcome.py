"""Who reads which view before and after: sources and target, side by side.

Before is what the sources say; after is what the target has once the plan is carried out, with what
it has already: also what nobody gave by a plan, as rights on a whole schema.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Any, Final

from discovery.model import Identifier, dotted
from discovery.rights.changes import RightsChange
from discovery.rights.model import Grantee
from discovery.rights.roles import METALAKE, KeptRights, Right

_ALL: Final = "all"
SHOWN: Final = 200
"""Lines that a plan keeps of each target, and a page shows; more are only counted."""


class AccessDifference(StrEnum):
    """What becomes of somebody's reading of a view; in the order in which they are shown."""

    GAINED = "gained"  # by what the target has already: a plan gives nobody more
    LOST = "lost"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class AccessLine:
    """A view at a target, and somebody who reads it, or what it is made of.

    Attributes:
        view: At the target.
        source: Where the grantee is known; empty: at the target.
        grantee: Who.
        before: `all`, `columns`: some only, `on demand`: once a role is set; empty: nothing.
        after: Whether it reads the view at the target, or a role does that stands for it.
        why: Why it does not, or does though it did not.
    """

    view: Identifier
    source: str
    grantee: Grantee
    before: str
    after: bool
    why: str = ""

    @property
    def difference(self) -> AccessDifference:
        """What becomes of it."""
        if self.after:
            return AccessDifference.SAME if self.before == _ALL else AccessDifference.GAINED
        return AccessDifference.LOST

    def to_json(self) -> dict[str, Any]:
        """For people and programs."""
        return {
            "view": dotted((*self.view.namespace, self.view.name)),
            "source": self.source,
            "grantee": self.grantee.name,
            "kind": self.grantee.kind.value,
            "before": self.before,
            "after": self.after,
            "difference": self.difference.value,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class AccessMatrix:
    """Who reads what before and after, of a target.

    Attributes:
        counts: Number of lines by difference.
        lines: Some of them, those that differ first.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    lines: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def of(cls, lines: Iterable[AccessLine]) -> "AccessMatrix":
        """That of some lines, which are seen once."""
        counts: Counter[str] = Counter()
        kept: dict[AccessDifference, list[AccessLine]] = {
            access_difference: [] for access_difference in AccessDifference
        }
        for line in lines:
            counts[line.difference.value] += 1
            if len(kept[line.difference]) < SHOWN:
                kept[line.difference].append(line)
        shown = islice((line for group in kept.values() for line in group), SHOWN)
        numbers = {
            access_difference.value: counts[access_difference.value]
            for access_difference in AccessDifference
        }
        return cls(numbers, tuple(line.to_json() for line in shown))

    def to_json(self) -> dict[str, Any]:
        """For the file of a plan."""
        return {"counts": dict(self.counts), "lines": [dict(line) for line in self.lines]}


NO_MATRIX: Final = AccessMatrix()


def access_matrix_of_json(data: Mapping[str, Any]) -> AccessMatrix:
    """The inverse of `to_json`.

    Raises:
        ValueError, KeyError, TypeError: It is none.
    """
    counts, lines = data["counts"], tuple(data["lines"])
    if not all(isinstance(part, Mapping) for part in (counts, *lines)):
        raise ValueError("who reads what has a line, or numbers, without names")
    return AccessMatrix(counts, lines)


class LaterReaders:
    """Who reads views at a target once changes of its rights are made.

    Args:
        kept: What it has now.
        changes: What is given and kept.
    """

    def __init__(self, kept: KeptRights, changes: Iterable[RightsChange]) -> None:
        every = list(changes)
        self._owners = {
            change.view: change.member for change in every if change.view and not change.role
        }
        members = {who: set(names) for who, names in kept.members.items()}
        for rights_change in every:
            if rights_change.role and rights_change.member is not None:
                members.setdefault(rights_change.member, set()).add(rights_change.role)
        of_role: dict[str, set[Grantee]] = {}
        for grantee, names in members.items():
            for name in names:
                of_role.setdefault(name, set()).add(grantee)
        given = [(change.role, change.right) for change in every if change.right is not None]
        has = [(name, right) for name, role in kept.roles.items() for right in role.allowed]
        denies = [(name, right) for name, role in kept.roles.items() for right in role.denied]
        self._roles: dict[Right, set[str]] = {}
        for name, right in (*has, *given):
            self._roles.setdefault(right, set()).add(name)
        self._allowed = _holders([*has, *given], of_role)
        self._denied = _holders(denies, of_role)

    def of(self, view: Identifier, needed: Sequence[Right]) -> set[Grantee | str]:
        """Users and groups that read a view, its owner too if it may use the schema; and roles."""
        *use, select = (self._having(right) for right in needed)
        owner = self._owners.get(view)
        readers = set.intersection(select | ({owner} if owner else set()), *use)
        return {*readers, *self._roles.get(needed[-1], ())}

    def _having(self, right: Right) -> set[Grantee]:
        parts = right.place.split(".")
        places = ["", *(".".join(parts[:end]) for end in range(1, len(parts) + 1))]
        allowed, denied = (
            set().union(*(rights.get((right.privilege, place), ()) for place in places))
            for rights in (self._allowed, self._denied)
        )
        return allowed - denied


def _holders(
    rights: Iterable[tuple[str, Right]], of_role: Mapping[str, set[Grantee]]
) -> dict[tuple[str, str], set[Grantee]]:
    """Who has each privilege at each place; a metalake, whose place is empty, is above all."""
    holders: dict[tuple[str, str], set[Grantee]] = {}
    for role, right in rights:
        place = "" if right.kind == METALAKE else right.place
        holders.setdefault((right.privilege, place), set()).update(of_role.get(role, ()))
    return holders
