"""What `drafts` of the configuration may say: dialects, and who proposes a text in each."""

from typing import Annotated, Final, TypeAlias

from pydantic import AfterValidator, WithJsonSchema

from discovery.judging.drafting import TRANSLATORS

_DIALECTS: Final = tuple(
    dict.fromkeys(dialect for dialects in TRANSLATORS.values() for dialect in dialects)
)


def _check_drafts(drafts: dict[str, str]) -> dict[str, str]:
    for dialect, translator in drafts.items():
        able = [name for name, dialects in TRANSLATORS.items() if dialect in dialects]
        if not able:
            known = " and ".join(_DIALECTS)
            raise ValueError(f"{dialect}: nobody makes drafts in it; drafts are made in {known}")
        if translator not in able:
            can = f"for {dialect} there is {' or '.join(able)}"
            if translator in TRANSLATORS:
                own = " and ".join(TRANSLATORS[translator])
                raise ValueError(f"{dialect}: {translator} makes drafts in {own} alone; {can}")
            raise ValueError(f"{dialect}: there is no translator {translator!r}; {can}")
    return drafts


_SCHEMA: Final = {
    "type": "object",
    "properties": {
        dialect: {"enum": [name for name, dialects in TRANSLATORS.items() if dialect in dialects]}
        for dialect in _DIALECTS
    },
    "additionalProperties": False,
}
Drafts: TypeAlias = Annotated[
    dict[str, str], AfterValidator(_check_drafts), WithJsonSchema(_SCHEMA)
]
"""Dialects, each with its translator."""
