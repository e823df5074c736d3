"""Views of which a Flink is asked through its SQL gateway, and a double that says what it said.

`tests/recorded/flink_dialogues.json` has what a real gateway of Flink 1.20 answered;
`tests/live/record_flink_dialogues.py` has asked.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from discovery.judging.asking import DIALOGUES, statements
from tests.loopback import Request, serving

RECORDED: Final = Path(__file__).parent / "recorded" / "flink_dialogues.json"
CATALOG: Final = "mem"
DATABASE: Final = "default"
HOSTILE: Final = 'we"ird`; DROP VIEW v -- é'
_PLACE: Final = f"`{CATALOG}`.`{DATABASE}`"
_QUOTED: Final = HOSTILE.replace("`", "``")
_BOUNDED: Final = "WITH ('connector' = 'datagen', 'number-of-rows' = '1')"
"""An unbounded table is refused by a session in batch mode, which is asked first."""
MADE: Final = (
    f"CREATE CATALOG `{CATALOG}` WITH ('type' = 'generic_in_memory')",
    f"CREATE TABLE {_PLACE}.t (a INT, b STRING) {_BOUNDED}",
    f"CREATE VIEW {_PLACE}.good AS SELECT b FROM {_PLACE}.t",
    f"CREATE VIEW {_PLACE}.broken AS SELECT a, b FROM {_PLACE}.t",
    f"CREATE VIEW {_PLACE}.on_broken AS SELECT b FROM {_PLACE}.broken",
    f"CREATE TABLE {_PLACE}.gone (a INT) {_BOUNDED}",
    f"CREATE VIEW {_PLACE}.lost AS SELECT a FROM {_PLACE}.gone",
    f"CREATE VIEW {_PLACE}.`{_QUOTED}` AS SELECT CAST(1 AS DECIMAL(5, 2)) AS `a``b`",
    f"DROP TABLE {_PLACE}.gone",
    f"DROP TABLE {_PLACE}.t",
    f"CREATE TABLE {_PLACE}.t (b STRING) {_BOUNDED}",
)
"""What makes the views, and changes what they read."""
SAID: Final[Mapping[str, tuple[bool | None, str]]] = {
    "good": (True, ""),
    "broken": (False, "Column 'a' not found in table 't'"),
    "on_broken": (False, "Column 'a' not found in table 't'"),
    "lost": (False, "Object 'gone' not found within 'mem.default'"),
    HOSTILE: (True, ""),
    "missing": (None, "Tables or views with the identifier 'mem.default.missing' doesn't exist"),
}
"""Of each view whether it is accepted, and what the message has."""


def asked() -> list[str]:
    """Every statement that is recorded."""
    dialogue = DIALOGUES["flink"]
    places = [(CATALOG, DATABASE, name) for name in SAID]
    return [sql for parts in places for sql in statements(dialogue, parts)]


Fault = Callable[[Request], tuple[int, bytes] | None]


@dataclass
class FlinkDouble:
    """A gateway that answers as the recorded one did.

    Attributes:
        faults: What goes wrong; the first that answers counts.
        seen: The requests.
    """

    faults: list[Fault] = field(default_factory=list)
    seen: list[Request] = field(default_factory=list)
    _recorded: Mapping[str, Any] = field(
        default_factory=lambda: json.loads(RECORDED.read_text(encoding="utf-8"))
    )

    def answer(self, request: Request) -> tuple[int, bytes]:
        """Status and body."""
        self.seen.append(request)
        for fault in self.faults:
            if (answer := fault(request)) is not None:
                return answer
        status, body = self._told(request)
        return status, json.dumps(body).encode()

    def _told(self, request: Request) -> tuple[int, Any]:
        if request.path == "/v1/info":
            return 200, self._recorded["info"]
        if request.method == "DELETE":
            return 200, {}
        if request.path == "/v1/sessions":
            mode = json.loads(request.body)["properties"]["execution.runtime-mode"]
            return 200, {"sessionHandle": f"s-{mode}"}
        dialogues = self._recorded["dialogues"]
        if request.method == "POST":
            sql = json.loads(request.body)["statement"]
            return 200, {"operationHandle": f"o-{list(dialogues).index(sql)}"}
        operation = int(request.path.split("/o-")[1].split("/")[0])
        token = int(request.path.split("/result/")[1].split("?")[0])
        status, body = list(dialogues.values())[operation][token]
        return status, body

    def paths(self, method: str) -> list[str]:
        """What was asked for by a method."""
        return [request.path for request in self.seen if request.method == method]


@contextmanager
def served(*faults: Fault) -> Iterator[tuple[FlinkDouble, str]]:
    """Serve on loopback as long as the context lasts; the double and its address."""
    double = FlinkDouble(list(faults))
    with serving(double.answer, "application/json") as uri:
        yield double, uri
