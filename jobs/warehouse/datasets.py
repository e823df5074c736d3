"""What a stage hands to the warehouse: a dataset, and the tables that are projections of it.

Runs on executors; imports neither pydantic nor the configuration.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Projection:
    """A table that is some columns or rows of a dataset.

    Attributes:
        name: Of the table.
        columns: Those of the dataset that it has; none is named: all.
        entity: Of its rows; None: all rows.
    """

    name: str
    columns: tuple[str, ...] = ()
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """A folder of the warehouse with one folder of Parquet files for each run.

    Attributes:
        name: Of the folder.
        schema: Of its files.
        layout: Number of the schema; it grows with each change that an older reader misreads.
        between: It stands between the steps of a stage, and is no table.
        projections: The tables that it is; none is named: one, of all that it has.
        from_one: Columns that count from 1, and counted from 0 in layout 1: its reader adds 1.
        commits: Names of stages: what one of them has sealed is known by a row of this dataset,
            which is written right behind it, or before it.
        before: Those of them that seal before the row is written: who is killed in between leaves
            none. What another has sealed had one.
        journal_of: Name of the stage that appends to it: what that has sealed counts, whether its
            folder is there or lost.
    """

    name: str
    schema: pa.Schema
    layout: int = 1
    between: bool = False
    projections: tuple[Projection, ...] = ()
    from_one: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    journal_of: str = ""

    @classmethod
    def of(
        cls,
        name: str,
        columns: Sequence[pa.Field],
        *,
        between: bool = False,
        commits: tuple[str, ...] = (),
        before: tuple[str, ...] = (),
        journal_of: str = "",
    ) -> "Dataset":
        """A dataset of these columns."""
        return cls(
            name,
            pa.schema(columns),
            between=between,
            commits=commits,
            before=before,
            journal_of=journal_of,
        )

    @property
    def names(self) -> list[str]:
        """Of its columns."""
        names: list[str] = self.schema.names
        return names

    def field(self, name: str) -> pa.Field:
        """One of its columns."""
        return self.schema.field(name)

    @property
    def tables(self) -> tuple["Table", ...]:
        """The tables that are projections of it."""
        if self.between:
            return ()
        return tuple(map(self._table, self.projections or (Projection(self.name),)))

    @property
    def table(self) -> "Table":
        """The table of its own name; all of it, if no projection has that name."""
        named = (table for table in self.tables if table.name == self.name)
        return next(named, self._table(Projection(self.name)))

    def _table(self, projection: Projection) -> "Table":
        return Table(
            projection.name, self, projection.columns or tuple(self.names), projection.entity
        )


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the warehouse: a projection of one of its datasets.

    Attributes:
        name: As the docs have it.
        dataset: What it is a projection of.
        columns: Those of the dataset that it has.
        entity: Of its rows; None: all rows.
    """

    name: str
    dataset: Dataset
    columns: tuple[str, ...]
    entity: str | None = None

    @property
    def schema(self) -> pa.Schema:
        """Of its columns."""
        return pa.schema([self.dataset.field(name) for name in self.columns])


@dataclass(frozen=True, slots=True)
class StageTables:
    """What a stage commits as one.

    Attributes:
        name: Of the stage.
        datasets: That it writes.
        again: What to do where something of them is missing, for people; may have `{run_id}`.
        lines: Names of folders that it writes beside them.
        is_journal: Whether nobody else knows what its datasets say: they are only added to.
    """

    name: str
    datasets: tuple[Dataset, ...]
    again: str
    lines: tuple[str, ...] = ()
    is_journal: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Of all folders."""
        return (*(dataset.name for dataset in self.datasets), *self.lines)

    def remedy(self, run_id: str) -> str:
        """What to do where something of them is missing of a run, be it the latest or not."""
        return self.again.replace("{run_id}", run_id)


def tables_of(datasets: Iterable[Dataset]) -> dict[str, Table]:
    """The tables of datasets by name."""
    return {table.name: table for dataset in datasets for table in dataset.tables}
