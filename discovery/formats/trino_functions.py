"""Functions in Trino's SQL, as Trino keeps them: what an entry and its text say.

Sources: `MetastoreUtil.metastoreFunctionName` and `ThriftMetastoreUtil.decodeFunction` (Trino 476),
the rules from `functionSpecification` on in its grammar, and entries of 476
(tests/recorded/trino_functions.json). Trino writes the text itself, from what it has parsed.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from discovery.datatypes import trino
from discovery.errors import DecodeError, InvalidTypeError
from discovery.functions import Parameter, Signature
from discovery.model import DataType

CLASS: Final = "TrinoFunction"
"""What stands in a metastore for the class of such a function."""
_ENTRY: Final = re.compile(r"trino__(.+)__[0-9a-f]{64}", re.DOTALL)
_TOKEN: Final = re.compile(
    r"""(?P<text>'(?:[^']|'')*')|(?P<quoted>"(?:[^"]|"")*")"""
    r"|(?P<word>with(?:out)?\s+time\s+zone\b|\w[\w@:]*)|(?P<sign>\S)",
    re.IGNORECASE,
)
_CHARACTERISTICS: Final = frozenset(
    {"LANGUAGE", "NOT", "DETERMINISTIC", "RETURNS", "CALLED", "SECURITY", "COMMENT"}
)
_FOLLOWED: Final = {
    "NOT": ("DETERMINISTIC",),
    "RETURNS": ("NULL", "ON", "NULL", "INPUT"),
    "CALLED": ("ON", "NULL", "INPUT"),
}
_ENDS: Final = (
    _CHARACTERISTICS
    | {"WITH", "AS", "RETURN", "BEGIN", "SET", "IF", "CASE", "WHILE"}
    | {"LOOP", "REPEAT", "ITERATE", "LEAVE", "DECLARE"}
)
"""What the type of what is returned is followed by."""
_FOLLOWS: Final = re.compile(r"PRECISION|YEAR|DAY|WITH(OUT)?\s.*", re.DOTALL)
"""Second words of types that are several, which a name could be in front of."""
_SEVERAL: Final = frozenset({"DOUBLE", "INTERVAL", "TIME", "TIMESTAMP"})


class KeptFunction(NamedTuple):
    """What Trino keeps of a function.

    Attributes:
        arguments: Their types.
        sql: The text.
        path: Schemas in which the text finds others by short names, `catalog.schema`.
    """

    arguments: str
    sql: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Declaration:
    """What the text of a function declares.

    Attributes:
        name: Without catalog and schema.
        parameters: Names and types.
        returns: The type of what it returns.
        language: In upper case.
        deterministic: As Trino takes it, unless the text says otherwise.
        invoker: Whether it has the rights of whoever calls it; else those of its owner.
        comment: For people.
    """

    name: str
    parameters: tuple[tuple[str, DataType], ...]
    returns: DataType
    language: str
    deterministic: bool
    invoker: bool
    comment: str | None


def name_of(entry: str) -> str | None:
    """The name of the function that an entry of a metastore is; None: the name is not Trino's."""
    match = _ENTRY.fullmatch(entry)
    return match[1] if match else None


def decode(kept: bytes) -> KeptFunction:
    """What Trino keeps of a function, out of its JSON.

    Raises:
        DecodeError: It is not what Trino writes; says which member.
    """
    try:
        document = json.loads(kept)
    except (ValueError, RecursionError) as error:
        raise DecodeError("is no JSON") from error
    if not isinstance(document, dict):
        raise DecodeError("is no object of JSON")
    token, sql, path = (
        document.get("signatureToken"),
        document.get("sql"),
        document.get("path") or [],
    )
    if not isinstance(token, str) or not token.startswith("(") or not token.endswith(")"):
        raise DecodeError("is no list of types", field="signatureToken")
    if not isinstance(sql, str) or not sql.strip():
        raise DecodeError("is no text", field="sql")
    try:
        levels = tuple(f"{level['catalogName']}.{level['schemaName']}" for level in path)
    except (KeyError, TypeError) as error:
        raise DecodeError("is no list of schemas", field="path") from error
    return KeptFunction(token[1:-1], sql, levels)


def declared(sql: str) -> Declaration:
    """What a text declares, up to its body.

    Raises:
        DecodeError: It declares no function, or in a way that is not Trino's.
    """
    head = _Head(sql)
    try:
        return head.read()
    except InvalidTypeError as error:
        raise DecodeError(str(error)) from error


def signature(sql: str) -> Signature | None:
    """What a call gives and gets; None: the text does not say so as Trino does."""
    try:
        stated = declared(sql)
        takes = [Parameter(name, trino.spell(kind), False) for name, kind in stated.parameters]
        return Signature(tuple(takes), trino.spell(stated.returns))
    except (DecodeError, InvalidTypeError):
        return None


class _Word(NamedTuple):
    kind: str
    text: str
    start: int
    end: int

    @property
    def upper(self) -> str:
        """A word as its key; quoted, it is none."""
        return self.text.upper() if self.kind in {"word", "sign"} else ""


class _Head:
    """The words of a text, read one after the other."""

    def __init__(self, sql: str) -> None:
        self._sql = sql
        self._coming: Iterator[_Word] = (
            _Word(match.lastgroup or "", match[0], match.start(), match.end())
            for match in _TOKEN.finditer(sql)
        )
        self._now = _Word("", "", 0, 0)
        self._move()

    def read(self) -> Declaration:
        """The whole head."""
        self._expect("FUNCTION")
        name = self._parse_name()
        while self._accept("."):
            name = self._parse_name()
        self._expect("(")
        parameters = self._parse_parameters()
        self._expect("RETURNS")
        returns = self._parse_type(self._take_words(until=_ENDS))
        return self._parse_characteristics(name, parameters, returns)

    def _parse_characteristics(
        self, name: str, parameters: tuple[tuple[str, DataType], ...], returns: DataType
    ) -> Declaration:
        language, deterministic, invoker, comment = "SQL", True, False, None
        while self._now.upper in _CHARACTERISTICS:
            word = self._move().upper
            self._expect(*_FOLLOWED.get(word, ()))
            match word:
                case "LANGUAGE":
                    language = self._parse_name().upper()
                case "NOT":
                    deterministic = False
                case "SECURITY":
                    invoker = self._parse_name().upper() == "INVOKER"
                case "COMMENT":
                    comment = self._parse_comment()
        if not self._now.kind:
            raise DecodeError("the function has no body")
        return Declaration(name, parameters, returns, language, deterministic, invoker, comment)

    def _parse_comment(self) -> str:
        if self._now.kind != "text":
            raise DecodeError(f"a text is missing at character {self._now.start + 1}")
        return self._move().text[1:-1].replace("''", "'")

    def _parse_parameters(self) -> tuple[tuple[str, DataType], ...]:
        parameters = []
        while not self._accept(")"):
            words = self._take_words(until=frozenset({",", ")"}))
            if not _is_named(words):
                raise DecodeError("a parameter has no name")
            parameters.append((_spelled(words[0]), self._parse_type(words[1:])))
            self._accept(",")
        return tuple(parameters)

    def _parse_type(self, words: list[_Word]) -> DataType:
        if not words:
            raise DecodeError("a type is missing")
        return trino.parse(self._sql[words[0].start : words[-1].end])

    def _take_words(self, until: frozenset[str]) -> list[_Word]:
        """The words up to one that ends them, outside of parentheses."""
        words: list[_Word] = []
        depth = 0
        while self._now.kind and (depth or self._now.upper not in until):
            depth += {"(": 1, ")": -1}.get(self._now.text, 0)
            words.append(self._move())
        return words

    def _parse_name(self) -> str:
        if self._now.kind not in {"word", "quoted"}:
            raise DecodeError(f"a name is missing at character {self._now.start + 1}")
        return _spelled(self._move())

    def _accept(self, text: str) -> bool:
        if self._now.upper != text:
            return False
        self._move()
        return True

    def _expect(self, *texts: str) -> None:
        for text in texts:
            if not self._accept(text):
                raise DecodeError(f"{text} is missing at character {self._now.start + 1}")

    def _move(self) -> _Word:
        word = self._now
        end = _Word("", "", len(self._sql), len(self._sql))
        self._now = next(self._coming, end)
        return word


def _spelled(word: _Word) -> str:
    if word.kind == "quoted":
        return word.text[1:-1].replace('""', '"')
    return word.text


def _is_named(words: list[_Word]) -> bool:
    """Whether a parameter is a name and a type, and no type alone."""
    if len(words) < 2 or words[0].kind not in {"word", "quoted"}:
        return False
    is_type = words[0].upper in _SEVERAL and _FOLLOWS.fullmatch(words[1].upper) is not None
    return words[1].text != "(" and not is_type
