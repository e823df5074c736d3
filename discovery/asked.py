"""What a source answers, held against what it was asked for.

A server that mixes answers up, or a cache or proxy before it, would otherwise have a view moved
under the name of another one.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from discovery.errors import ReadError
from discovery.formats import KINDS
from discovery.model import Identifier, dotted
from discovery.outcomes import Failure, Listed, RawObject, Stage

MIXED_UP: Final = "does a proxy or a cache before it mix up answers? ask it again"
"""What to do where an answer is of something else."""
_NAMED: Final = 5  # fields


def unaskable(listed: Listed) -> ReadError | None:
    """Why nobody can ask for what a source lists; None: it can be asked for.

    JSON can carry half of a surrogate pair, as an escape; no request and no table can.
    """
    try:
        "".join((*listed.namespace, listed.name)).encode()
    except UnicodeEncodeError:
        return ReadError("half of a surrogate pair in its name, which is no Unicode")
    return None


def misplaced(raw: RawObject, fold: Callable[[str], str]) -> ReadError | None:
    """Why an entry is not of the object that was asked for; None: it is, or does not say.

    Args:
        raw: What the source said.
        fold: How it compares names: it may keep others than were asked for.
    """
    kind, listed = KINDS.get(raw.kind), raw.listed
    if kind is None:
        return None
    namespace, name = kind.stated_place(raw.payload)
    if (namespace, name) == (listed.namespace, listed.name):  # most: nothing is folded
        return None
    is_there = not namespace or [*map(fold, namespace)] == [*map(fold, listed.namespace)]
    if is_there and (not name or fold(name) == fold(listed.name)):
        return None
    stated = dotted((*(namespace or listed.namespace), name or listed.name))
    return ReadError(f"the source answers with what is of {stated}", hint=MIXED_UP)


def check_place(
    place: Identifier, kind: str, payload: Mapping[str, object], fold: Callable[[str], str] = str
) -> None:
    """Look whether what a target says of a place is of it.

    Args:
        place: What was asked for.
        kind: How to read the payload.
        payload: What the target said.
        fold: How it compares names.

    Raises:
        ReadError: It is not.
    """
    listed = Listed(place.namespace, place.name)
    if error := misplaced(RawObject(listed, kind, payload), fold):
        raise ReadError(f"{place}: {error}", hint=error.hint)


def of_other_catalog(stated: str | None, asked: str | None) -> ReadError | None:
    """Why an entry is not of the catalog that a metastore was asked of; None: it is.

    Args:
        stated: By the entry; None: it does not say.
        asked: As configured; None: the metastore's default one, of which entries need not say.
    """
    if not asked or not stated or stated.lower() == asked.lower():
        return None
    return ReadError(f"the source answers with what is of the catalog {stated}", hint=MIXED_UP)


def contradiction(entries: Sequence[Mapping[str, Any]]) -> ReadError | None:
    """Why nobody knows which of several entries of one name counts; None: they are alike."""
    first = entries[0]
    for other in entries[1:]:
        if unlike := sorted(
            field for field in first.keys() | other.keys() if first.get(field) != other.get(field)
        ):
            fields = ", ".join(unlike[:_NAMED]) + (", …" if len(unlike) > _NAMED else "")
            why = f"the source answers with {len(entries)} entries of its name, unlike in {fields}"
            return ReadError(why, hint=MIXED_UP)
    return None


def without_contradictions(
    objects: Iterable[Listed], fold: Callable[[str], str]
) -> Iterator[Listed | Failure]:
    """What a listing has with what it knows of each: unlike entries of one name are one failure.

    Args:
        objects: Of one namespace, each with its entry as JSON in its handle.
        fold: How the source compares names.
    """
    by_name: dict[str, list[Listed]] = {}
    for listed in objects:
        by_name.setdefault(fold(listed.name), []).append(listed)
    for first, *others in by_name.values():
        entries = [json.loads(listed.handle) for listed in (first, *others)] if others else [{}]
        error = contradiction(entries)
        yield first if error is None else Failure.of(first, Stage.LIST, error)
