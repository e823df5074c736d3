"""Types that engines take for a wider one by themselves, with each value as it is.

Both Spark (`Cast.canUpCast`, 3.5 to 4.3) and Trino (`TypeCoercion`, 435 to 484) do so where a view
declares the wider one and its text returns the other.
"""

import re
from typing import Final

from discovery.model import DataType, Primitive

_TYPE: Final = re.compile(r"(\w+)(?:\((\d+)(?:, *(\d+))?\))?")
_WHOLE: Final = ("byte", "short", "integer", "long")
_SIZED: Final = frozenset({"varchar", "timestamp", "timestamp_tz"})


def becomes(kind: DataType, wider: DataType) -> bool:
    """Whether engines cast each value of a type to another one by themselves, and lose nothing.

    Args:
        kind: Of the values.
        wider: The other one; the same does.
    """
    if kind == wider:
        return True
    if not isinstance(kind, Primitive) or not isinstance(wider, Primitive):
        return False
    match, wanted = _TYPE.fullmatch(kind.text), _TYPE.fullmatch(wider.text)
    if match is None or wanted is None:
        return False
    match match[1], wanted[1]:
        case ("float", "double") | ("varchar", "string"):
            return True
        case (small, large) if small in _WHOLE and large in _WHOLE:
            return _WHOLE.index(small) < _WHOLE.index(large)
        case ("decimal", "decimal"):
            (size, scale), (most, digits) = _digits(match), _digits(wanted)
            return scale <= digits and size - scale <= most - digits
        case (same, other) if same == other and same in _SIZED and match[2] and wanted[2]:
            return int(match[2]) <= int(wanted[2])
    return False


def _digits(match: re.Match[str]) -> tuple[int, int]:
    return int(match[2] or 0), int(match[3] or 0)
