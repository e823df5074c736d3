"""What a configuration says at two places that do not go together."""

from collections.abc import Iterator, Mapping
from typing import Final

from jobs.configuration.problems import Place, as_map, dotted

_RIGHTS: Final = "rights"
_UNKNOWN: Final = (
    "true, and no crawl asks who may do what, so that there is nothing to give: write "
    "`crawl: {grants: true}`, or take it out"
)


def contradictions(tree: Mapping[str, object]) -> Iterator[tuple[Place, str]]:
    """Where one stands, and what to do about it.

    Args:
        tree: The whole file, references resolved; nothing of it is known to be well-formed.
    """
    if as_map(tree.get("crawl")).get("grants", False) is not False:
        return
    for name, entry in as_map(tree.get("targets")).items():
        for inner in ((), ("rehearsal",)):
            target = as_map(entry)
            for key in inner:
                target = as_map(target.get(key))
            if target.get(_RIGHTS) is True:
                place = ("targets", name, *inner, _RIGHTS)
                yield place, f"{dotted(place)}: {_UNKNOWN}"
