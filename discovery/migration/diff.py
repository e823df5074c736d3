"""Two views compared field by field: what was wanted against what is there."""

from typing import Final

from discovery.model import View

_FIELDS: Final = ("identifier", "columns", "comment", "security", "properties")


def differences(wanted: View, present: View | None) -> tuple[str, ...]:
    """Names of the fields that differ, audit data aside; `view` if it is not there at all."""
    if present is None:
        return ("view",)
    fields = [name for name in _FIELDS if getattr(wanted, name) != getattr(present, name)]
    mine = {one.dialect.casefold(): one for one in wanted.representations}
    theirs = {one.dialect.casefold(): one for one in present.representations}
    dialects = sorted(mine.keys() | theirs.keys())
    unequal = (one for one in dialects if mine.get(one) != theirs.get(one))
    return (*fields, *(f"representations.{one}" for one in unequal))
