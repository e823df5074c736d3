"""A Spark of its own that runs texts over rows that are made up, and nothing else."""

from typing import ClassVar, Final

from connectors.judges.spark import Spark
from discovery.judging.made_rows import MOST, MadeTable
from discovery.model import DataType, Primitive
from discovery.ports import Statement, Verdict

_ANSI: Final = "spark.sql.ansi.enabled"
_TYPES: Final = {
    "byte": "TINYINT",
    "short": "SMALLINT",
    "integer": "INT",
    "long": "BIGINT",
    "varchar": "STRING",
    "char": "STRING",
    "timestamp": "TIMESTAMP_NTZ",
    "timestamp_tz": "TIMESTAMP",
}


class SparkRows(Spark):
    """Accepts what runs; what it returns is the rows, a list of lists of texts in JSON."""

    program = "SparkRows"
    part = "session"
    start_within = 300.0  # seconds: its classes are many, and machines are busy
    answer_within = 30.0
    opened: ClassVar[tuple[str, ...]] = (
        *("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio"),
        *("java.util", "java.util.concurrent", "java.util.concurrent.atomic"),
        *("sun.nio.ch", "sun.nio.cs", "sun.security.action", "sun.util.calendar"),
    )

    def before(self, statement: Statement) -> tuple[str, ...]:
        """What `java/SparkRows.java` takes: the mode and the tables, the statement's settings."""
        return (str(MOST), *(text for pair in statement.settings for text in pair))

    def run(
        self, made_tables: tuple[MadeTable, ...], *texts: str, ansi: bool = True
    ) -> list[Verdict]:
        """What becomes of each text over the same tables, in ANSI mode or out of it.

        Raises:
            JudgeUnavailableError: Spark cannot be started.
        """
        tables = tuple((made_table.name, _table_query(made_table)) for made_table in made_tables)
        settings = ((_ANSI, str(ansi).lower()), *tables)
        statements = [Statement(sql, settings=settings) for sql in texts]
        return list(self.judge(statements))


def _table_query(stage: MadeTable) -> str:
    columns = ", ".join(
        f"CAST(col{number} AS {_spelled(column.type)}) AS {_quoted(column.name)}"
        for number, column in enumerate(stage.columns, 1)
    )
    rows = ", ".join(f"({', '.join(map(_text, row)) or 'NULL'})" for row in stage.rows)
    return f"SELECT {columns or '1 AS one'} FROM VALUES {rows}"  # noqa: S608 - quoted


def _spelled(kind: DataType) -> str:
    name, bracket, rest = kind.text.partition("(") if isinstance(kind, Primitive) else ("", "", "")
    spelling = _TYPES.get(name)
    return spelling or f"{name}{bracket}{rest}".upper()


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def _text(cell: str | None) -> str:
    if cell is None:
        return "NULL"
    escaped = cell.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
