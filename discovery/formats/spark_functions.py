"""Functions in Spark's SQL, as Spark keeps them in a metastore: what calls give and get.

Sources: `UserDefinedFunction` and `SQLFunction` (Spark 4.0 to 4.3), and entries of 4.3.0
(tests/golden/function_views.json). Such a function is a class that is none, of which the files are
pieces of a JSON object, each with its number in front. Its parameters stand there as columns of a
table would.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from discovery.functions import Parameter, Signature

CLASS: Final = "sqlFunction."
"""What stands in a metastore for the class of such a function, and in front of its properties."""
_NUMBER: Final = 3  # digits
_ANSI: Final = "sqlConfig.spark.sql.ansi.enabled"
_TOKEN: Final = re.compile(
    r"""(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<quoted>`(?:[^`]|``)*`)"""
    r"|(?P<word>\w+)|(?P<sign>\S)",
    re.DOTALL,
)
_AFTER_TYPES: Final = frozenset({"DEFAULT", "COMMENT", "NOT"})
_OPENING, _CLOSING = "(<[", ")>]"


def signature(files: Iterable[str]) -> Signature | None:
    """What a call gives and gets; None: nobody can say what Spark makes of it.

    It returns a table then, or casts what it is given as Spark does without ANSI mode, or is not
    as Spark writes it.
    """
    try:
        document = json.loads(_joined(files))
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or document.get(_ANSI) != "true":
        return None
    returns, takes = document.get(f"{CLASS}returnType"), document.get(f"{CLASS}inputParam", "")
    is_scalar = document.get(f"{CLASS}isTableFunc") == "false"
    if not (is_scalar and isinstance(returns, str) and isinstance(takes, str)):
        return None
    try:
        return Signature(tuple(_parameters(takes)), returns)
    except ValueError:
        return None


def _joined(files: Iterable[str]) -> str:
    """The pieces in their order (`SQLFunction.fromCatalogFunction`).

    Raises:
        ValueError: One has no number.
    """
    return "".join(file[_NUMBER:] for file in sorted(files, key=lambda file: int(file[:_NUMBER])))


class _Lexeme(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def _parameters(text: str) -> Iterator[Parameter]:
    """The parameters that a text declares.

    Raises:
        ValueError: One is no name and a type.
    """
    words = [
        _Lexeme(match.lastgroup or "", match[0], match.start(), match.end())
        for match in _TOKEN.finditer(text)
    ]
    at = 0
    while at < len(words):
        end = _type_ends(words, at + 1)
        if words[at].kind not in {"word", "quoted"} or end == at + 1:
            raise ValueError("no name and type")
        kind = text[words[at + 1].start : words[end - 1].end]
        following = _parameter_end(words, end)
        may_lack = any(word.text.upper() == "DEFAULT" for word in words[end:following])
        yield Parameter(_spelled(words[at]), kind, may_lack)
        at = following + 1


def _type_ends(words: list[_Lexeme], at: int) -> int:
    """Where a type ends that begins there: before a comma, or what is said behind types."""
    depth = 0
    while at < len(words):
        lexeme = words[at]
        ends = lexeme.text == "," or (lexeme.kind == "word" and lexeme.text.upper() in _AFTER_TYPES)
        if ends and depth == 0:
            break
        depth += (lexeme.text in _OPENING) - (lexeme.text in _CLOSING)
        at += 1
    return at


def _parameter_end(words: list[_Lexeme], at: int) -> int:
    """Where the comma is that ends a parameter; `<` and `>` behind its type compare."""
    depth = 0
    while at < len(words) and (depth or words[at].text != ","):
        depth += (words[at].text in "([") - (words[at].text in ")]")
        at += 1
    return at


def _spelled(word: _Lexeme) -> str:
    return word.text[1:-1].replace("``", "`") if word.kind == "quoted" else word.text
