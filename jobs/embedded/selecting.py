"""The end of the demo: drafts are adopted, and Spark selects from what they have become.

What a person does by hand, with an editor and a session of Spark, is done here by the same file
and the same statements.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from discovery.display import quantity
from discovery.engines import engine
from discovery.model import POSTGRESQL, SPARK, dotted
from jobs.assessing.tables import DRAFTS
from jobs.console import command
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.migrating import plan_folder
from jobs.warehouse.warehouse import Warehouse

_SHOWN: Final = 3  # rows of a view
_LONGEST: Final = 200  # characters of a message


def adopt_drafts(plan: Path, target: str) -> None:
    """Adopt the drafts for a target, as a person does: by `adopt` in the lines of the changes."""
    lines = [
        {**line, "adopt": True} if line["drafts"] and line["target"] == target else line
        for line in _read_changes(plan)
    ]
    path = plan / plan_folder.CHANGES
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    adopted = sum(bool(line.get("adopt")) for line in lines)
    command.say(f"adopted {adopted} drafts for {target}: `adopt: true` in {path}")


class _ShownDraft(NamedTuple):
    """A draft that was shown: where the view was, and the dialect that it had there."""

    source: str
    origin: tuple[str, ...]
    translated_from: str


@dataclass(frozen=True, slots=True)
class Selecting:
    """Who is asked for the rows of views.

    Attributes:
        spark: The engine that has never had the views.
        postgresql: The engine that has had some of them.
        sources: Where views are from, each with its database in PostgreSQL; None: it is in none.
    """

    spark: SparkSession
    postgresql: EmbeddedPostgreSQL
    sources: Mapping[str, str | None]

    def select(self, warehouse: Warehouse, run_id: str, plan: Path) -> bool:
        """Select from each view whose draft was adopted, and say what came of it.

        Returns:
            Whether there is one of each source, Spark has rows of each, and PostgreSQL the same of
            its own.
        """
        drafts = {
            f"{row['source']}/{row['key']}": _ShownDraft(
                row["source"], (*row["namespace"], row["name"]), row["translated_from"]
            )
            for row in warehouse.table(DRAFTS, run_id, where={"state": ["shown"]})
            if row["dialect"] == SPARK
        }
        command.say("Spark selects from views that it has never had:")
        answers = [
            (
                drafts[origin].source,
                self._show_rows((*line["namespace"], line["name"]), drafts[origin]),
            )
            for line in _read_changes(plan)
            if line.get("adopt")
            for origin in line["from"]
        ]
        lacking = sorted(self.sources.keys() - {source for source, _ in answers})
        for source in lacking:
            command.say(f"  none of {source}: no draft of one was adopted")
        return not lacking and all(is_same for _, is_same in answers)

    def _show_rows(self, place: tuple[str, ...], draft: _ShownDraft) -> bool:
        """Whether Spark has rows of a view, and the same as PostgreSQL where that has them."""
        engine_name = engine(draft.translated_from).title
        message = f"  {dotted(place)}, which is {engine_name}'s {dotted(draft.origin)}"
        try:
            frame = self.spark.table(".".join(map(engine(SPARK).quoted, place)))
            rows = sorted((tuple(row) for row in frame.collect()), key=repr)
        except PySparkException as error:
            command.say(f"{message}: {' '.join(str(error).split())[:_LONGEST]}")
            return False
        message += f": {quantity(len(rows), 'row')} of {', '.join(frame.columns)}"
        same = True
        if (database := self.sources.get(draft.source)) is not None:
            expected = self._query_postgresql(draft.origin, database)
            same = expected == rows
            message += (
                "; PostgreSQL has the same"
                if same
                else f"; PostgreSQL has {len(expected)}, and others"
            )
        command.say(message, *(f"    {_row_text(row)}" for row in rows[:_SHOWN]))
        return same and bool(rows)

    def _query_postgresql(self, view: tuple[str, ...], database: str) -> list[tuple[object, ...]]:
        """What PostgreSQL returns of its view, in the same order."""
        name = ".".join(map(engine(POSTGRESQL).quoted, view))
        rows = self.postgresql.query(f"SELECT * FROM {name}", database)  # noqa: S608 - quoted
        return sorted(rows, key=repr)


def _read_changes(plan: Path) -> Iterator[dict[str, Any]]:
    """The lines of a plan's changes."""
    text = (plan / plan_folder.CHANGES).read_text(encoding="utf-8")
    yield from (json.loads(line) for line in text.split("\n") if line)


def _row_text(row: tuple[object, ...]) -> str:
    return ", ".join("NULL" if cell is None else str(cell) for cell in row)
