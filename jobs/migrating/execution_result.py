"""What an execution came to."""

import json
from dataclasses import dataclass
from typing import Final

from pyspark.sql import DataFrame

from discovery.model import dotted
from jobs.console import command

_SHOWN: Final = 10  # of the views that are not as they were to be, on the terminal


@dataclass(frozen=True, slots=True)
class ExecutionResult:
    """What an execution came to.

    Attributes:
        run: Its name.
        written: How many views it has written, earlier attempts at it included.
        failed: How many it could not write, or would not as they had changed.
        kept: How many were there as they were to be, and not by it.
        amended: How many namespaces it has changed, earlier attempts at it included.
        unamended: How many namespaces it could not change, or would not as they had changed.
        functions: How many functions it has made or dropped, earlier attempts at it included.
        unmade: How many functions it could not make or drop, or would not.
        rights: How many rights it has given or taken back, earlier attempts at it included.
        ungiven: How many rights it could not give or take back, or would not.
        tags: How many tags it has made or removed, and of how many views it has changed them,
            earlier attempts at it included.
        untagged: The same of those that it could not, or would not.
    """

    run: str
    written: int
    failed: int
    kept: int = 0
    amended: int = 0
    unamended: int = 0
    functions: int = 0
    unmade: int = 0
    rights: int = 0
    ungiven: int = 0
    tags: int = 0
    untagged: int = 0

    @property
    def reasons(self) -> list[command.ExitReason]:
        """Why it does not end with 0."""
        then = "mend that, and run the same command again"
        numbers = {
            "views": self.failed,
            "namespaces": self.unamended,
            "functions": self.unmade,
            "rights": self.ungiven,
            "tags": self.untagged,
        }
        return [
            command.ExitReason(
                command.FINDINGS,
                f"{number:,} {name} could not be written as planned",
                then,
            )
            for name, number in numbers.items()
            if number
        ]

    @property
    def exit_code(self) -> int:
        """3 if something could not be written."""
        return command.exit_code(self.reasons)

    def to_json(self) -> str:
        """As `--json` prints it."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__})


def tell_unwritten(events: DataFrame) -> None:
    """Say which views are not as they were to be, and why: some of them, where they are many.

    Args:
        events: Rows of `events`, one for each.
    """
    for row in events.orderBy("target", "key").limit(_SHOWN).collect():
        place = dotted((*row["namespace"], row["name"]))
        command.say(f"  {row['target']}: {place}: {row['code']}: {row['message']}")
