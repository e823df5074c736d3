r"""Texts of strangers as people may see them: nothing in them steers what shows them.

A control character, a mark that turns the direction of writing and a line separator are shown as
the escape `\uXXXX`, which is JSON's, too: a line of JSON stays the same JSON. The characters are
those of Unicode's categories Cc, Cs, Zl and Zp, and the bidirectional controls of UAX #9.
"""

import re
from typing import Final

_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)

EXPRESSION: Final = 60  # characters of one, as messages show it


def visible(text: str) -> str:
    """The text with what is not seen as escapes; tabs and ends of lines stay."""
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def unbroken(text: str) -> str:
    """The same without ends of lines: as a part of a line it cannot begin another."""
    return visible(text).replace("\n", "\\u000a")


def on_one_line(text: str) -> str:
    """The same on one line: a run of white space is a blank."""
    return visible(" ".join(text.split()))


def abridged(text: str, most: int) -> str:
    """The text, cut where it has more characters than so many, the three dots among them."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def quantity(number: int, form: str, forms: str = "") -> str:
    """A number and the words that go with it: `1 view`, `1,200 views`.

    Args:
        number: How many.
        form: The words of one.
        forms: The words of none and of many; without, those of one with an `s`.
    """
    return f"{number:,} {form if number == 1 else forms or form + 's'}"
