"""What executors run to tell a draft from the text that it is made of: both, over made-up rows.

Drafts for Spark run in a Spark of their own; so do texts of Spark and Hive, and those of PostgreSQL
in an embedded PostgreSQL. Both hold the made-up rows and nothing else, and the texts run there by
the rights of nobody. Other engines do not run here.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from connectors.judges.bounded import Bounded
from connectors.judges.kept import lend
from connectors.judges.spark_rows import SparkRows
from discovery.datatypes import postgresql
from discovery.display import quantity
from discovery.engines import engine
from discovery.errors import BelvedereError
from discovery.judging import made_rows
from discovery.judging.entries import KnownBase, StoredText
from discovery.judging.made_rows import MOST, Cells, Literals, MadeTable
from discovery.judging.same_rows import Alike, RowsAnswer
from discovery.model import HIVE, POSTGRESQL, SPARK, Column, Representation
from discovery.ports import Name
from jobs.embedded.postgres import EmbeddedPostgreSQL, embedded_postgresql

_ROLE: Final = "made_rows"
_WITHIN: Final = "10s"
_REMEMBERED: Final = 1_000  # answers at most
_LONGEST: Final = 200  # characters of a message
_LONGEST_CELL: Final = 4_000  # characters of a value: more are cut on both sides


@dataclass(frozen=True, slots=True)
class _Ran:
    """What became of a text.

    Attributes:
        rows: What it returns.
        failed: Why it returns nothing; empty: it does.
        lost: Whether that says nothing of the text: the engine did not survive, or gave up.
    """

    rows: tuple[Cells, ...] = ()
    failed: str = ""
    lost: bool = False


Runner = Callable[[str, tuple[MadeTable, ...], int], _Ran]
"""A text, its tables, and how many columns it has, to what becomes of it."""


class Runners:
    """The engines that run here; each starts when it is first asked, and ends with the stack."""

    def __init__(self, stack: ExitStack, sqlglot: Bounded) -> None:
        self._stack, self._sqlglot = stack, sqlglot
        self._spark: SparkRows | None = None
        self._server: EmbeddedPostgreSQL | None = None
        self._answers: dict[Hashable, RowsAnswer] = {}

    def compare(
        self, stored: StoredText, draft: Representation, reads: Sequence[tuple[KnownBase, Name]]
    ) -> RowsAnswer:
        """Whether a text and a draft of it give the same rows; what goes wrong is told as such.

        Args:
            stored: The view, and the text.
            draft: For Spark.
            reads: What the text reads, with its name in the draft.
        """
        try:
            return self._compare_texts(stored, draft, reads)
        except BelvedereError as error:
            return _unknown(str(error))
        except Exception as error:  # noqa: BLE001 - a stranger's text, and servers that do not start
            return _unknown(f"{type(error).__name__}: {_short(str(error))}")

    def _compare_texts(
        self, stored: StoredText, draft: Representation, reads: Sequence[tuple[KnownBase, Name]]
    ) -> RowsAnswer:
        text, columns = stored.text, stored.view.columns
        dialect = text.dialect.casefold()
        run = self._runner(dialect)
        if run is None or draft.dialect != SPARK:
            other = dialect if run is None else draft.dialect
            return _unknown(f"{engine(other).title or other} does not run here")
        if odd := [column.name for column in columns if not made_rows.kind_of(column.type)]:
            return _unknown(f"values of {', '.join(odd)} are of types that are not compared")
        tables = dict.fromkeys(name for _, name in reads)
        names = {name: (f"made_{number}",) for number, name in enumerate(tables)}
        original = self._rename_tables(
            text.sql, dialect, {known_base.written: names[name] for known_base, name in reads}
        )
        drafted = self._rename_tables(draft.sql, SPARK, names)
        if original is None or drafted is None:
            return _unknown("sqlglot does not give its tables other names")
        literals = Literals(*(self._sqlglot.ask("literals", text.sql, dialect) or ()))
        base_columns = {name: base.columns or () for base, name in reads}
        made_tables = tuple((names[name][0], tuple(base_columns[name])) for name in tables)
        asked = (original, drafted, dialect, columns, made_tables, literals)
        if (before := self._answers.get(asked)) is not None:  # many views are alike but for names
            return before
        answer = self._compare_rows((original, drafted), (run, columns), made_tables, literals)
        if answer.alike is not Alike.UNKNOWN and len(self._answers) < _REMEMBERED:
            self._answers[asked] = answer
        return answer

    def _compare_rows(
        self,
        texts: tuple[str, str],
        beside: tuple[Runner, Sequence[Column]],
        tables: Sequence[tuple[str, Sequence[Column]]],
        literals: Literals,
    ) -> RowsAnswer:
        """The comparison: over all values, or those over which the text does not fail."""
        (original, drafted), (run, columns) = texts, beside
        width, failed = len(columns), ""
        for tame in (False, True):
            made_tables = made_rows.made_tables(tables, literals, tame=tame)
            first = run(original, made_tables, width)
            failed = failed or first.failed
            if first.failed:
                continue
            again = run(
                original, tuple(made_table.backwards() for made_table in made_tables), width
            )
            if Counter(again.rows) != Counter(first.rows):
                return _unknown("the text itself gives other rows of the same tables")
            if not first.rows:
                return _unknown("none of the made-up rows gets through the text")
            other = self._run_in_spark(drafted, made_tables, width)
            if other.lost:
                return _unknown(f"the draft was not run to its end: {other.failed}")
            if other.failed:
                why = f"the draft fails where the text gives {quantity(len(first.rows), 'row')}"
                return RowsAnswer(Alike.OTHER, len(first.rows), f"{why}: {other.failed}")
            return made_rows.compare_rows(columns, first.rows, other.rows)
        return _unknown(f"the text fails over made-up rows: {failed}")

    def _rename_tables(self, sql: str, dialect: str, names: Mapping[Name, Name]) -> str | None:
        query = sql.rstrip().removesuffix(";")  # as PostgreSQL ends the text of a view
        renamed: str | None = self._sqlglot.ask("respelled", query, dialect, names)
        return renamed if names else query

    def _runner(self, dialect: str) -> Runner | None:
        if not engine(dialect).runs_here:
            return None
        if dialect == HIVE:
            return partial(self._run_in_spark, ansi=False)  # as Spark reads Hive's views
        return self._run_in_postgresql if dialect == POSTGRESQL else self._run_in_spark

    def _run_in_spark(
        self, sql: str, made_tables: tuple[MadeTable, ...], width: int, *, ansi: bool = True
    ) -> _Ran:
        if self._spark is None:
            self._spark = self._stack.enter_context(lend(SparkRows, SparkRows))
        (verdict,) = self._spark.run(made_tables, sql, ansi=ansi)
        if not verdict.accepted or verdict.returns is None:
            return _Ran(failed=_short(verdict.message), lost=verdict.accepted is None)
        return _ran(json.loads(verdict.returns), width)

    def _run_in_postgresql(self, sql: str, made_tables: tuple[MadeTable, ...], width: int) -> _Ran:
        import psycopg  # noqa: PLC0415 - few drafts are of PostgreSQL's texts

        if self._server is None:
            folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
            self._server = self._stack.enter_context(embedded_postgresql(folder / "made"))
            self._server.execute([f"CREATE ROLE {_ROLE} LOGIN"])
        place = f"dbname=postgres host={self._server.socket} user={_ROLE}"
        options = f"-c timezone=UTC -c statement_timeout={_WITHIN} -c search_path=pg_temp,public"
        try:
            with psycopg.connect(place, options=options) as connection:
                for made_table in made_tables:
                    connection.execute(_table_sql(made_table).encode())
                cells = ", ".join(f"left(c{n}::text, {_LONGEST_CELL})" for n in range(width))
                names = ", ".join(f"c{number}" for number in range(width))
                query = f"SELECT {cells} FROM (\n{sql}\n) AS answer({names})"  # noqa: S608 - ours
                rows = connection.execute(f"{query} LIMIT {MOST + 1}".encode()).fetchall()
                connection.rollback()
        except psycopg.Error as error:
            return _Ran(failed=_short(str(error)))
        return _ran(rows, width)


def _ran(rows: Sequence[Sequence[str | None]], width: int) -> _Ran:
    if len(rows) > MOST:
        return _Ran(failed=f"more than {MOST:,} rows")
    if any(len(row) != width for row in rows):
        return _Ran(failed="it has other columns than are declared")
    return _Ran(tuple(tuple(row) for row in rows))


def _table_sql(stage: MadeTable) -> str:
    """What makes a table of PostgreSQL, with its rows."""
    typed = ((_quoted(column.name), postgresql.spelled(column.type)) for column in stage.columns)
    columns = ", ".join(map(" ".join, typed))
    rows = ", ".join(f"({', '.join(map(_text, row))})" for row in stage.rows)
    creation = f"CREATE TEMPORARY TABLE {stage.name} ({columns})"
    filled = f"INSERT INTO {stage.name} VALUES {rows}"  # noqa: S608 - each value is quoted
    return f"{creation}; {filled}" if stage.columns else creation


def _quoted(name: str) -> str:
    return engine(POSTGRESQL).quoted(name)


def _text(cell: str | None) -> str:
    return "NULL" if cell is None else "'" + cell.replace("'", "''") + "'"


def _short(message: str) -> str:
    return " ".join(message.split())[:_LONGEST]


def _unknown(why: str) -> RowsAnswer:
    return RowsAnswer(Alike.UNKNOWN, why=f"RESULTS was not obtained: {why}")
