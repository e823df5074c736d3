"""The texts: forms of `forms_*.json`, filled with columns and with each other.

`{int}` in a form is an expression of that kind over the table `db.t`, `{int.u}` over `db.u`;
`{number}` and `{any}` are of one of several kinds, `{r}` is the same expression wherever it stands
in a query.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from discovery.model import HIVE

KINDS: Final = ("int", "double", "decimal", "string", "boolean", "date", "timestamp")
_OF_SEVERAL: Final = {"number": ("int", "double", "decimal"), "any": KINDS}
_SIGNS: Final = ("'b'", "'a'", "' '", "','", "''", "'_'")
_BLANK: Final = re.compile(r"\{([a-z]+)(\.u)?\}")
_CALLED: Final = re.compile(r"\w+\(.*\)")
_DEEPER: Final = 0.6  # of the blanks that could be filled with another form
COLUMNS: Final = {
    "id": "integer",
    "i": "integer",
    "b": "long",
    "si": "short",
    "d": "double",
    "f": "float",
    "p": "decimal(10,2)",
    "s": "string",
    "v": "varchar(8)",
    "n": "string",
    "ds": "string",
    "bo": "boolean",
    "dt": "date",
    "ts": "timestamp",
}
"""Of `db.t`, with the names that types have in Gravitino's JSON; lists are beside them."""
COLUMNS_OF_U: Final = {
    "uk": "integer",
    "ui": "long",
    "us": "string",
    "ud": "double",
    "up": "decimal(8,1)",
    "ut": "date",
    "ub": "boolean",
    "uts": "timestamp",
}


class Text(NamedTuple):
    """A query of two columns, `i` and `r`.

    Attributes:
        kind: Of `r`.
        sql: In the language of its forms.
    """

    kind: str
    sql: str


class Texts:
    """What is made of one seed: always the same.

    Args:
        seed: The seed.
        language: Of `forms_*.json`; Spark reads those of Hive, too.
    """

    def __init__(self, seed: int, language: str = HIVE) -> None:
        self._random = random.Random(seed)  # noqa: S311 - these are no secrets
        path = Path(__file__).parent / f"forms_{language}.json"
        self._forms: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))

    def expressions(self, depth: int = 1) -> Iterator[Text]:
        """One query for each form of an expression."""
        for kind in KINDS:
            for form in self._forms[kind]["forms"]:
                yield Text(kind, f"SELECT id AS i, {self._fill(form, depth)} AS r FROM db.t")

    def queries(self, depth: int = 2) -> Iterator[Text]:
        """One query for each form of a query."""
        for query in self._forms["queries"]:
            kind = query["kind"] or self._random.choice(KINDS)
            text = query["text"].replace("{r.u}", self._column(kind, of_u=True))
            text = text.replace("{r}", self._expression(kind, depth)) if "{r}" in text else text
            yield Text(kind, self._fill(text, depth))

    def _fill(self, form: str, depth: int) -> str:
        return _BLANK.sub(lambda blank: self._value(blank[1], bool(blank[2]), depth), form)

    def _value(self, word: str, of_u: bool, depth: int) -> str:
        if word == "sign":
            return self._random.choice(_SIGNS)
        kind = self._random.choice(_OF_SEVERAL.get(word, (word,)))
        if of_u:
            return self._column(kind, of_u=True)
        return self._expression(kind, depth - 1 if self._random.random() < _DEEPER else 0)

    def _expression(self, kind: str, depth: int) -> str:
        if depth <= 0:
            return self._column(kind)
        text = self._fill(self._random.choice(self._forms[kind]["forms"]), depth)
        is_one = " " not in text or text.startswith(("'", "CAST(")) or _CALLED.fullmatch(text)
        return text if is_one else f"({text})"

    def _column(self, kind: str, *, of_u: bool = False) -> str:
        names: list[str] = self._forms[kind]["of_u" if of_u else "leaves"]
        return self._random.choice(names)
