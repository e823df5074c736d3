"""Statements for judges: views with parsers' answers, texts with what they read, hostile ones."""

import json
from pathlib import Path
from typing import Any, Final

from discovery.lineage.respelling import respelled
from discovery.lineage.scopes import names
from discovery.migration.text_reader import TextReader

READER: Final = TextReader(respelled, names)
"""What reads the texts of a plan, in this process."""
CORPUS: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "golden" / "corpus.json").read_text(encoding="utf-8")
)
REFERENCES: Final[tuple[dict[str, Any], ...]] = tuple(
    json.loads((Path(__file__).parent / "golden" / "references.json").read_text(encoding="utf-8"))[
        "texts"
    ]
)
HOSTILE: Final = {
    "control characters": "SELECT \x00 \x01 FROM t",
    "an open quote": "SELECT 'a FROM t",
    "an open comment": "SELECT 1 /* FROM t",
    "half of a surrogate pair": "SELECT '\ud800'",
    "nothing": "",
    "a hundred thousand parentheses": "SELECT " + "(" * 100_000 + "1" + ")" * 100_000,
    "two thousand calls in each other": "SELECT " + "f(" * 2_000 + "1" + ")" * 2_000,
    "ten megabytes": "SELECT '" + "x" * 10_000_000 + "'",
}
ENDLESS: Final = "SELECT " + "struct(" * 24 + " bad !! ,"
"""Minutes of sqlglot's time; each level more nearly doubles them."""
