"""What people call a view or a table, and which one they mean."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from discovery.errors import ConfigurationError

Key = tuple[str, str]
"""Source and key."""

_CANDIDATES: Final = 10


class Askable(NamedTuple):
    """Something that can be asked about.

    Attributes:
        place: Source and key, which tell it from all others.
        names: What people call it.
    """

    place: Key
    names: AbstractSet[str]

    @property
    def unique_name(self) -> str:
        """The name that nothing else has."""
        return "/".join(self.place)


def by_name(names: Mapping[Key, AbstractSet[str]]) -> Mapping[str, Sequence[Askable]]:
    """What is called so, whatever the case, by names of things."""
    named: defaultdict[str, dict[Key, Askable]] = defaultdict(dict)
    for place, spellings in names.items():
        for spelling in spellings:
            named[spelling.casefold()][place] = Askable(place, spellings)
    return {name: tuple(things.values()) for name, things in named.items()}


def meant(name: str, called: Mapping[str, Sequence[Askable]], what: str) -> Key | None:
    """The place of what is called so: by its key, else by exactly this name, else in any case.

    PostgreSQL has `Orders` beside `orders`, and Iceberg a level `a.b` beside a level `b` of `a`.

    Args:
        name: What somebody says.
        called: As `by_name` has it.
        what: What they are, for people.

    Raises:
        ConfigurationError: Several are called so: the hint has a name of each that is its own.
    """
    alike = called.get(name.casefold(), ())
    of_key = [named for named in alike if named.unique_name == name]
    closest = of_key or [named for named in alike if name in named.names] or alike
    if len(closest) > 1:
        names = ", ".join(sorted(named.unique_name for named in closest)[:_CANDIDATES])
        raise ConfigurationError(
            f"{len(closest)} {what} are called {name}", hint=f"say which: {names}"
        )
    return closest[0].place if closest else None
