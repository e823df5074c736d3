"""What the type languages share: a cursor over a type's text, and Gravitino's limits on numbers."""

import re
from collections.abc import Iterable
from typing import Any, Final, Never

from discovery.errors import InvalidTypeError
from discovery.model import DataType, External, Primitive

_BLANKS: Final = re.compile(r"\s*")
_NUMBER: Final = re.compile(r"-?\d+")
_CLOSING: Final = {"(": ")", "<": ">", "[": "]"}
DEEPEST: Final = 100  # types within types: no engine needs more, and Python's stack holds them
_LONGEST: Final = 2_147_483_647  # Gravitino's lengths are Java's int; they may be 0


class Cursor:
    """A place in a type's text, moved by reading.

    Raises:
        InvalidTypeError: From every method that finds something else than it was asked for.
    """

    __slots__ = ("_depth", "_text", "narrowed", "position")

    def __init__(self, text: str) -> None:
        self._depth = 0
        self.narrowed: list[str] = []  # what the text says and the types that are made of it do not
        self._text = text
        self.position = 0

    def descend(self) -> None:
        """Enter a type within a type."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise InvalidTypeError(f"{self._text[:80]!r}… is nested deeper than {DEEPEST} types")

    def ascend(self) -> None:
        """Leave it again."""
        self._depth -= 1

    def accept(self, token: str) -> bool:
        """Move past the token, after blanks, if it stands here."""
        at = self._after_blanks()
        if not self._text.startswith(token, at):
            return False
        self.position = at + len(token)
        return True

    def expect(self, token: str) -> None:
        """Move past the token, which must stand here."""
        if not self.accept(token):
            self.fail(f"{token!r} is missing")

    def match(self, pattern: re.Pattern[str]) -> str | None:
        """Move past what the pattern matches here, after blanks, and return it stripped."""
        match = pattern.match(self._text, self._after_blanks())
        if match is None or not match[0].strip():
            return None
        self.position = match.end()
        return match[0].strip()

    def number(self) -> int:
        """A whole number, which must stand here: a scale may be negative."""
        digits = self.match(_NUMBER)
        if digits is None:
            self.fail("a number is missing")
        if len(digits) > len(str(_LONGEST)):
            self.fail(f"the number {digits[:20]}… is too large")
        return int(digits)

    def numbers(self) -> tuple[int, ...]:
        """Numbers in parentheses, `(10,2)`; empty if no parenthesis stands here."""
        if not self.accept("("):
            return ()
        values = [self.number()]
        while self.accept(","):
            values.append(self.number())
        self.expect(")")
        return tuple(values)

    def take_quoted(self, quote: str) -> str | None:
        """A quoted text with doubled quotes inside, if one stands here."""
        if not self.accept(quote):
            return None
        parts: list[str] = []
        while True:
            end = self._text.find(quote, self.position)
            if end < 0:
                self.fail(f"the closing {quote} is missing")
            parts.append(self._text[self.position : end])
            self.position = end + 1
            if not self._text.startswith(quote, self.position):
                return "".join(parts)
            parts.append(quote)
            self.position += 1

    def since(self, start: int) -> str:
        """The text from a place up to here."""
        return self._text[start : self.position].strip()

    def rest_of_element(self, quotes: str, stop: re.Pattern[str] | None = None) -> None:
        """Move to the end of this element.

        That is the next comma or closing bracket that belongs to no inner one, or what `stop`
        matches there.
        """
        open_brackets: list[str] = []
        while self.position < len(self._text):
            char = self._text[self.position]
            if stop and not open_brackets and stop.match(self._text, self.position):
                return
            if char in quotes:
                self.take_quoted(char)
                continue
            if char in _CLOSING:
                open_brackets.append(_CLOSING[char])
            elif open_brackets and char == open_brackets[-1]:
                open_brackets.pop()
            elif not open_brackets and char in ",)>]":
                return
            self.position += 1
        if open_brackets:
            self.fail(f"{open_brackets[-1]!r} is missing")

    def end(self) -> None:
        """The text must end here."""
        if self._after_blanks() < len(self._text):
            self.fail(f"unexpected {self._text[self.position :]!r:.80}")

    def fail(self, message: str) -> Never:
        """Raise for this place.

        Raises:
            InvalidTypeError: Always.
        """
        raise InvalidTypeError(f"{self._text!r:.200} at character {self.position + 1}: {message}")

    def _after_blanks(self) -> int:
        match = _BLANKS.match(self._text, self.position)
        return match.end() if match else self.position


def whole_numbers(texts: Iterable[str | None]) -> tuple[int, ...]:
    """Digits as numbers, without those that are missing; what no type can state is just too large.

    Python refuses to read numbers of thousands of digits, and nothing here needs their value.
    """
    return tuple(
        int(text) if len(text) <= len(str(_LONGEST)) else _LONGEST + 1 for text in texts if text
    )


def check_depth(depth: int, where: str) -> int:
    """The depth of what is within a type.

    Args:
        depth: Of the type; 0: a column's.
        where: Names it.

    Raises:
        InvalidTypeError: It is deeper than `DEEPEST`.
    """
    if depth >= DEEPEST:
        raise InvalidTypeError(f"{where:.80}… is nested deeper than {DEEPEST} types")
    return depth + 1


def sized(name: str, numbers: tuple[int, ...], text: str) -> DataType:
    """A type with numbers as Gravitino spells it; `External` with the text beyond its limits.

    Gravitino 1.3 holds decimals of 1 to 38 digits with a scale up to the precision, and a precision
    of times and timestamps up to 12. It sets no lower limit to lengths: Trino calls `SELECT ''` a
    `varchar(0)`.
    """
    if name == "decimal":
        fits = len(numbers) == 2 and 1 <= numbers[0] <= 38 and 0 <= numbers[1] <= numbers[0]
    elif name in {"time", "timestamp", "timestamp_tz"}:
        fits = not numbers or (len(numbers) == 1 and 0 <= numbers[0] <= 12)
    else:
        fits = len(numbers) == 1 and 0 <= numbers[0] <= _LONGEST
    if not fits:
        return External(text)
    return Primitive(f"{name}({','.join(map(str, numbers))})" if numbers else name)


def fields_of(struct: object) -> list[Any]:
    """The fields of a struct in the JSON of Spark or Iceberg.

    Raises:
        InvalidTypeError: It is no struct.
    """
    if not isinstance(struct, dict) or struct.get("type") != "struct":
        raise InvalidTypeError("no struct, which a type of rows is")
    fields = struct.get("fields")
    if not isinstance(fields, list):
        raise InvalidTypeError("a struct without a list of fields")
    return fields
