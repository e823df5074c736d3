"""belvedere as a library: eight names that stay; and the start of the command.

>>> import belvedere
>>> outcome = belvedere.decode(entry)            # who wrote it, and the view in the standard model
>>> run = belvedere.crawl("estate.yaml")         # every view of an estate
>>> run = belvedere.open_run("warehouse")        # the latest run that is there
>>> for view in run.views(): ...

Importing it is quick: Spark is imported where it is needed, and started by `crawl` and `plan`.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from belvedere_door import PACKAGES, altered  # the first of ours: it says where the others are
from discovery.errors import BelvedereError
from discovery.model import View

if TYPE_CHECKING:
    from discovery.outcomes import Outcome

__all__ = ["BelvedereError", "Run", "View", "crawl", "decode", "diff", "open_run", "plan"]


@dataclass(frozen=True, slots=True)
class Run:
    """A committed run of a warehouse, to be read.

    Attributes:
        warehouse: Where it is: a path, or a URI that Spark can read.
        run_id: Its name.
    """

    warehouse: str
    run_id: str

    @property
    def counts(self) -> Mapping[str, Any]:
        """What the crawl came to: `sources`, `exit_code`, `reasons`, `seconds`."""
        import json

        from jobs.console.session import warehouse_of

        found: dict[str, Any] = json.loads(warehouse_of(self.warehouse).run(self.run_id).counts)
        return found

    def views(self, source: str | None = None) -> Iterator[View]:
        """Every view that was read, of one source or of all.

        Raises:
            BelvedereError: What the crawl wrote is not there any more.
        """
        import json

        from discovery.wire import view_from_json

        for row in self.table("outcomes", source, outcome=["view"]):
            yield view_from_json(json.loads(row["model"]), tuple(row["namespace"]))

    def failures(self, source: str | None = None) -> Iterator[dict[str, Any]]:
        """What could not be listed, read or decoded: its `code`, `message` and `hint`, and where.

        Raises:
            BelvedereError: What the crawl wrote is not there any more.
        """
        return self.table("outcomes", source, outcome=["failure"])

    def table(
        self, name: str, source: str | None = None, **values: Sequence[str]
    ) -> Iterator[dict[str, Any]]:
        """The rows of a table of the run, as docs/tables.md describes it.

        Args:
            name: Of the table, such as `outcomes`, `verdicts`, `waves`.
            source: Only its rows.
            values: Column to the values that are wanted of it.

        Raises:
            BelvedereError: There is no such table or column, or it is not as it was written.
        """
        from discovery.errors import ConfigurationError
        from jobs.console.session import warehouse_of
        from jobs.tables import table_named

        table = table_named(name)
        chosen = {"source": [source], **values} if source is not None else values
        for column in chosen.keys() - set(table.columns):
            hint = f"columns of {name}: {', '.join(table.columns)}"
            raise ConfigurationError(f"{name} has no column {column!r}", hint=hint)
        return warehouse_of(self.warehouse).table(table, self.run_id, where=chosen)


def decode(entry: Mapping[str, Any] | str | bytes, kind: str | None = None) -> "Outcome":
    """What an entry of a metastore or a catalog is: who wrote it, and the view that it holds.

    Args:
        entry: What the source says of the object: a table of a Hive Metastore with the field names
            of the Thrift IDL, or a line of an archive, which also says its kind.
        kind: Of the entry, where it is neither, such as `glue_table`.

    Returns:
        The outcome: `format` is how the entry is stored, `result` the `View`, or the failure with
        its code, or the reason why it is no view. A malformed entry is a failure, too.

    Raises:
        BelvedereError: It is no JSON object, or of a kind that is not known.
    """
    import json

    from connectors.clients import lines
    from discovery.crawl import normalize
    from discovery.errors import UnknownKindError

    said = {"kind": kind, "payload": entry} if kind else entry
    try:
        text = json.dumps(said) if isinstance(said, Mapping) else said
    except (TypeError, ValueError, RecursionError) as error:
        raise UnknownKindError(f"no JSON: {error}") from None
    return normalize(lines.read(text.encode() if isinstance(text, str) else text).alone())


def diff(before: View, after: View | None) -> tuple[str, ...]:
    """Names of the fields in which two views differ; audit data does not count.

    `representations.<dialect>` is a text; `view` alone: the second is not there.
    """
    from discovery.migration.diff import differences

    return differences(before, after)


def open_run(warehouse: str | Path, run_id: str | None = None) -> Run:
    """A committed run; the latest if none is named. Spark is started for a remote place only.

    Raises:
        BelvedereError: There is no such run, or what its crawl wrote is not there any more.
    """
    from jobs.console.session import place_of, warehouse_of

    place = place_of(str(warehouse))
    return Run(place, warehouse_of(place).run(run_id).run_id)


def crawl(config: str | Path = "estate.yaml", run_id: str | None = None) -> Run:
    """See every view of an estate, on Spark; a run of that name that is there is returned.

    `Run.counts` says how it ended: `exit_code` is 0, or what the command would end with.

    Raises:
        BelvedereError: The configuration is wrong, with every mistake and its place; or Spark
            cannot be started.
    """
    from jobs.configuration import loader
    from jobs.console.session import spark_session
    from jobs.console.voice import quietly
    from jobs.crawl import crawl_estate

    with quietly():
        read = loader.load(Path(config))
        return Run(read.warehouse, crawl_estate(spark_session("crawl"), read, run_id).run_id)


def plan(
    config: str | Path = "estate.yaml", run_id: str | None = None, folder: str | Path = "plan"
) -> Path:
    """Say what a migration of a run would write; nothing is written into any target.

    A run that was not assessed is assessed first.

    Args:
        config: The configuration.
        run_id: A committed run; the latest by default.
        folder: Gets the plan: `summary.md` for people, `changes.jsonl` for `belvedere apply`.

    Returns:
        The folder.

    Raises:
        BelvedereError: The configuration is wrong or has no target, or there is no such run.
    """
    from jobs.assess import assess_run
    from jobs.assessing.tables import WAVES
    from jobs.configuration import loader
    from jobs.console.session import spark_session
    from jobs.console.voice import quietly
    from jobs.plan import Paper, plan_run
    from jobs.warehouse.warehouse import Warehouse

    with quietly():
        read = loader.load(Path(config))
        spark = spark_session("plan")
        warehouse = Warehouse(read.warehouse, spark)
        chosen = warehouse.run(run_id).run_id
        if not warehouse.is_written(WAVES, chosen):
            assess_run(spark, read, chosen)
        plan_run(spark, read, chosen, Paper(Path(folder), Path(config)))
    return Path(folder)


def main(argv: Sequence[str] | None = None) -> int:
    """The command; the exit code."""
    wrong = next(altered([f"{name}/__init__.py" for name in PACKAGES]), None)
    if wrong is not None:
        print(f"belvedere: {wrong}", file=sys.stderr)
        return 2
    from jobs.cli import main as command

    return command(argv)


if __name__ == "__main__":
    sys.exit(main())
