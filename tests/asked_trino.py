"""Views of a metastore of which a Trino is asked, what it says of them, and a double that says so.

`tests/recorded/trino_dialogues.json` has what a real Trino 476 answered, page by page;
`tests/live/record_trino_dialogues.py` has asked.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from discovery.judging.asking import DIALOGUES, statements
from tests.conftest import hive_entry, trino_entry
from tests.loopback import HungUpError, Request, serving

RECORDED: Final = Path(__file__).parent / "recorded" / "trino_dialogues.json"
DATABASE: Final = "asked"
CATALOG: Final = "hive"
GUARDED: Final = "guarded"
"""A catalog on the same metastore, of which nobody may select anything."""
HOSTILE: Final = 'we"ird`\n; DROP VIEW "x" -- é'
"""Name of a view that Trino keeps in memory."""
ENTRIES: Final = (
    trino_entry("good", "SELECT id FROM hive.asked.base", DATABASE),
    trino_entry("broken", "SELECT nope FROM hive.asked.base", DATABASE),
    trino_entry("on_broken", "SELECT id FROM hive.asked.broken", DATABASE),
    trino_entry("stale", "SELECT id, 1 AS more FROM hive.asked.base", DATABASE),
    trino_entry("elsewhere", "SELECT id FROM no_such.asked.base", DATABASE),
    hive_entry("of_hive", "SELECT `base`.`id` FROM `asked`.`base`", DATABASE),
    hive_entry("other_name", "SELECT `base`.`id` AS `other` FROM `asked`.`base`", DATABASE),
    hive_entry("untranslated", "SELECT x'1F' AS `id`", DATABASE),
)
TABLE: Final = {
    **hive_entry("base", "", DATABASE),
    "tableType": "MANAGED_TABLE",
    "viewExpandedText": None,
    "viewOriginalText": None,
}
SAID: Final[Mapping[str, tuple[str, str]]] = {
    "good": ("accepted", ""),
    "broken": ("rejected", "Column 'nope' cannot be resolved"),
    "on_broken": ("rejected", "Column 'nope' cannot be resolved"),
    "stale": ("rejected", "is stale or in invalid state"),
    "elsewhere": ("rejected", "Catalog 'no_such' not found"),
    "of_hive": ("accepted", ""),
    "other_name": ("accepted", ""),
    "untranslated": ("rejected", "Failed to translate Hive view"),
}
"""Of each view of `ENTRIES` the verdict, and what its message has."""


ROWS: Final = "default"
"""The schema of views whose rows are compared: of `CATALOG`, and by the same names of `MEMORY`."""
MEMORY: Final = "memory"
_VALUES: Final = "SELECT * FROM (VALUES (2, 'b'), (1, 'a'), (NULL, 'c')) AS t (id, note)"
_MAPPED: Final = "SELECT 1 AS id, MAP(ARRAY['k'], ARRAY['v']) AS note"
COMPARED: Final[Mapping[str, tuple[str, str, str]]] = {
    "same": (_VALUES, _VALUES.replace("SELECT *", "SELECT id, CAST(note AS varchar) AS note"), ""),
    "other": (_VALUES, _VALUES.replace("'a'", "'x'"), "1 of 3 rows have other values in note"),
    "fewer": (_VALUES, f"{_VALUES} WHERE id > 0", "3 rows at the source, 2 at the target"),
    "mapped": (_MAPPED, _MAPPED, "without note, which have no order"),
    "fails": (
        _VALUES,
        _VALUES.replace("SELECT *", "SELECT id / (id - 1) AS id, note"),
        "rows at the source, DIVISION_BY_ZERO at the target",
    ),
}
"""Of each such view the texts in `CATALOG` and in `MEMORY`, and what is said of the rows."""
LIMIT: Final = 10
"""Rows of a sample."""


def valued(name: str) -> dict[str, Any]:
    """The entry of such a view in `CATALOG`."""
    note = "map(varchar(1), varchar(1))" if name == "mapped" else "varchar(1)"
    columns = [{"name": "id", "type": "integer"}, {"name": "note", "type": note}]
    return trino_entry(name, COMPARED[name][0], ROWS, columns=columns)


def asked() -> list[str]:
    """Every statement that is recorded."""
    dialogue = DIALOGUES["trino"]
    names = [entry["tableName"] for entry in ENTRIES]
    places = [
        *((CATALOG, DATABASE, name) for name in names),
        (CATALOG, DATABASE, "missing"),
        (CATALOG, "missing", "good"),
        ("missing", DATABASE, "good"),
        (GUARDED, DATABASE, "good"),
        (MEMORY, ROWS, HOSTILE),
        *((MEMORY, ROWS, name) for name in COMPARED),
    ]
    return [sql for parts in places for sql in statements(dialogue, parts)]


Page = Mapping[str, Any]
Fault = Callable[[Request], tuple[int, bytes] | None]
"""What a double answers instead, for a request that it is about; None: for the others."""


@dataclass
class TrinoDouble:
    """A server that answers as the recorded Trino did.

    Attributes:
        faults: What goes wrong; the first that answers counts.
        seen: The requests.
        canceled: How many answers nobody wanted any more.
        most: How many requests were open at the same time, at most.
        slow: Seconds that each answer takes.
        uri: Of this server.
    """

    faults: list[Fault] = field(default_factory=list)
    seen: list[Request] = field(default_factory=list)
    canceled: int = 0
    most: int = 0
    slow: float = 0.0
    uri: str = ""
    _open: int = 0
    _recorded: Mapping[str, Any] = field(
        default_factory=lambda: json.loads(RECORDED.read_text(encoding="utf-8"))
    )

    def answer(self, request: Request) -> tuple[int, bytes]:
        """Status and body."""
        self.seen.append(request)
        self._open += 1
        self.most = max(self.most, self._open)
        try:
            time.sleep(self.slow)
            for fault in self.faults:
                if (answer := fault(request)) is not None:
                    return answer
            return self._told(request)
        finally:
            self._open -= 1

    def _told(self, request: Request) -> tuple[int, bytes]:
        if request.method == "DELETE":
            self.canceled += 1
            return 204, b""
        if request.path == "/v1/info":
            return 200, json.dumps(self._recorded["info"]).encode()
        dialogues = list(self._recorded["dialogues"])
        if request.method == "POST":
            if (sql := request.body.decode()) not in dialogues:
                return 500, b"not recorded"
            number, page = dialogues.index(sql), 0
        else:
            number, page = map(int, request.path.split("/")[-2:])
        body = dict(self._recorded["dialogues"][dialogues[number]][page])
        if body.pop("more"):
            body["nextUri"] = f"{self.uri}/v1/statement/executing/{number}/{page + 1}"
        return 200, json.dumps(body).encode()

    @property
    def statements(self) -> Counter[str]:
        """The statements that it got, and how often."""
        return Counter(request.body.decode() for request in self.seen if request.method == "POST")


@contextmanager
def served(*faults: Fault, slow: float = 0.0) -> Iterator[TrinoDouble]:
    """Serve on loopback as long as the context lasts."""
    double = TrinoDouble(faults=list(faults), slow=slow)
    with serving(double.answer, "application/json") as double.uri:
        yield double


def of(name: str, answer: Callable[[], tuple[int, bytes]]) -> Fault:
    """What is answered to whatever is asked of a view by its name."""
    return lambda request: answer() if name.encode() in request.body else None


def at_page(answer: Callable[[], tuple[int, bytes]]) -> Fault:
    """What is answered in the middle of an answer."""
    return lambda request: answer() if "/executing/" in request.path else None


def hang_up() -> tuple[int, bytes]:
    """As a server that is killed."""
    raise HungUpError
