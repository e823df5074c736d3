"""Two views compared field by field: what was wanted against what is there."""

from typing import Final

from discovery.model import View

_FIELDS: Final = ("identifier", "columns", "comment", "security", "properties")


def differences(wanted: View, present: View | None) -> tuple[str, ...]:
    """Names of the fields that differ, audit data aside; `view` if it is not there at all."""
    if present is None:
        return ("view",)
    fields = [name for name in _FIELDS if getattr(wanted, name) != getattr(present, name)]
    wanted_texts = wanted.by_dialect
    present_texts = present.by_dialect
    dialects = sorted(wanted_texts.keys() | present_texts.keys())
    unequal = (
        dialect for dialect in dialects if wanted_texts.get(dialect) != present_texts.get(dialect)
    )
    return (*fields, *(f"representations.{dialect}" for dialect in unequal))
