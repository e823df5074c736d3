"""belvedere quality: check the tables of a run with Great Expectations.

Each expectation has passed, has failed, or was not evaluated, which is no success: its stage did
not run, or it could not be evaluated. The results are the table `quality` of the warehouse. The
exit code is 3 if an expectation of severity `error` has failed, or one could not be evaluated.
With --warehouse the usual thresholds hold.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from discovery.errors import ConfigurationError
from discovery.limits import Limit
from jobs.console import command
from jobs.console.parsing import folder
from jobs.console.session import warehouse_of
from jobs.migrating.plans import latest_plan
from jobs.reporting import quality_tables
from jobs.reporting.files import clear
from jobs.tables import TABLES
from jobs.warehouse.placing import place_errors
from jobs.warehouse.runs import now
from jobs.warehouse.warehouse import Warehouse
from reports.quality import engine
from reports.quality.model import Name, QualityTerms, Result, Row, Status
from reports.quality.suites import CheckedRun, suites

_OF_CRAWLS: Final = frozenset({Name.READ, Name.DECODED})
"""What the crawl's own thresholds decide, of which there is more than one."""
_OF_PLANS: Final = frozenset({"changes", "verified"})
_OF_APPLIES: Final = frozenset({"applies", "applied", "events", "plans", "runs"})
_SUITES: Final = "suites"
_SHOWN: Final = 5
_NEXT: Final = (
    "see Data quality on the page; `quality` of estate.yaml says how much each may fall short, "
    "`fail_on.quality` how many may"
)
_NOT_PRIVATE: Final = (
    "when they are opened, they load styles, scripts and a logo from public servers, which so "
    "learn when the run was and that you look at it"
)


def check_run(
    warehouse: Warehouse,
    terms: QualityTerms,
    run_id: str | None,
    against: str | None = None,
    data_docs: Path | None = None,
) -> engine.Evaluated:
    """Check a committed run and write its table `quality`.

    Raises:
        ConfigurationError: There is no such run, Great Expectations is not installed, or does not
            know an expectation of the user's own.
    """
    _check_tables(terms)
    engine.check(terms.own)
    run = warehouse.run(run_id)
    other = None if against is None else warehouse.run(against).run_id
    if other == run.run_id:
        raise ConfigurationError(f"{other} would be compared with itself")
    evaluated = now()
    columns = {name: table.columns for name, table in TABLES.items()}
    tables = _WarehouseTables(warehouse, run.run_id, other)
    subject = CheckedRun(run.run_id, run.finished, evaluated, other, tables, columns)
    evaluation = engine.evaluate(suites(subject, terms), data_docs)
    rows = quality_tables.rows(evaluation.results, other, evaluated)
    warehouse.begin(quality_tables.CHECKING, run.run_id)
    warehouse.note(quality_tables.QUALITY, run.run_id, *rows)
    warehouse.seal(quality_tables.CHECKING, run.run_id)
    return evaluation


def check_terms(terms: QualityTerms) -> None:
    """Look whether expectations of the user's own can be evaluated, before anything is done.

    Raises:
        ConfigurationError: One is about no table of a run, or Great Expectations knows none such.
    """
    _check_tables(terms)
    if terms.own:
        engine.check(terms.own)


def stage(
    warehouse: Warehouse, terms: QualityTerms, run_id: str, against: str | None, limit: Limit
) -> list[command.ExitReason]:
    """Check a run as one of its stages; why that does not end with 0.

    What cannot be checked is said and is a reason: the report that comes after it is written all
    the same.

    Args:
        warehouse: Where the runs are.
        terms: How much a run may fall short.
        run_id: The run.
        against: A run to compare with.
        limit: How many expectations may fail.
    """
    command.say("checking quality")
    try:
        evaluated = check_run(warehouse, terms, run_id, against)
    except ConfigurationError as error:
        message = f"quality was not checked: {error}"
        return [command.ExitReason(command.FINDINGS, message, error.hint)]
    counted = Counter(result.status for result in evaluated.results)
    summary = ", ".join(f"{counted[status]} {status}" for status in Status)
    command.say(f"quality: {summary}")
    return _reasons(evaluated.results, terms, limit)


def _reasons(
    results: Sequence[Result], terms: QualityTerms, limit: Limit
) -> list[command.ExitReason]:
    """Why a run falls short, but for what its crawl has decided, and for what had no rows."""
    decided = _OF_CRAWLS - terms.allow.keys() - terms.severity.keys()
    over = [
        result
        for result in results
        if result.gates and result.expected.name not in decided and result.reason != engine.NO_ROWS
    ]
    if limit.allows(len(over), len(results)):
        return []
    counted = f"{len(over)} of {len(results)} expectations fall short, limit {limit}"
    named = "; ".join(map(_result_text, over[:_SHOWN]))
    return [command.ExitReason(command.FINDINGS, f"quality: {counted}: {named}", _NEXT)]


class _WarehouseTables:
    """The rows of a run, and of the run that it is compared with."""

    def __init__(self, warehouse: Warehouse, run_id: str, other: str | None) -> None:
        self._warehouse = warehouse
        self._run_id = run_id
        self._other = other

    def __call__(
        self, table: str, columns: Sequence[str], *, other: bool = False
    ) -> Iterable[Row] | None:
        run_or_plan = self._other if other else self._run_id
        if table in _OF_PLANS:
            run_or_plan = self._find_plan()
        if run_or_plan is None or not self._warehouse.is_written(
            TABLES[table].dataset, run_or_plan
        ):
            return None
        return self._warehouse.table(TABLES[table], run_or_plan, columns=columns)

    def _find_plan(self) -> str | None:
        """The name of the latest plan of the run."""
        latest = latest_plan(self._warehouse, self._run_id)
        return None if latest is None else latest.plan


def _check_tables(terms: QualityTerms) -> None:
    tables = sorted(TABLES.keys() - _OF_APPLIES - {"quality"})
    for number, own in enumerate(terms.own):
        if own.table not in tables:
            hint = f"tables of a run: {', '.join(tables)}"
            message = f"quality.expectations[{number}]: {own.table!r} is no table of a run"
            raise ConfigurationError(message, hint=hint)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_place(parser, "its warehouse, and how much a run may fall short")
    parser.add_argument("--run-id", metavar="ID", help="a committed run; the latest by default")
    parser.add_argument("--against", metavar="ID", help="a run to compare with")
    parser.add_argument(
        "--out",
        type=folder,
        metavar="DIR",
        help=f"gets Great Expectations' own results as JSON, in {_SUITES}/",
    )
    parser.add_argument(
        "--data-docs",
        type=folder,
        metavar="DIR",
        help=f"gets Great Expectations' own pages: {_NOT_PRIVATE}",
    )
    command.with_json(parser, "the results as JSON lines")


def run(args: argparse.Namespace) -> int:
    """Check, and print what came of it."""
    terms = args.config.quality if args.config else QualityTerms()
    warehouse = warehouse_of(args.config.warehouse if args.config else args.warehouse)
    evaluated = check_run(warehouse, terms, args.run_id, args.against, args.data_docs)
    if args.out:
        _write(evaluated, args.out / _SUITES)
    for result in evaluated.results if args.json or not args.quiet else ():
        command.show(json.dumps(_members(result)) if args.json else _line(result))
    if args.data_docs:
        command.say(f"{args.data_docs}: {_NOT_PRIVATE}")
    sentence = "expectations of severity `error` have failed, or could not be evaluated"
    then = "see the lines above"
    gated = [command.ExitReason(command.FINDINGS, sentence, then)] if evaluated.gates else []
    return command.end(gated)


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _write(evaluation: engine.Evaluated, folder: Path) -> None:
    """Great Expectations' own results; those of an earlier check are removed."""
    clear(folder, "json")
    folder.mkdir(parents=True, exist_ok=True)
    for name, document in evaluation.documents.items():
        text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
        path = folder / f"{name}.json"
        with place_errors(path):
            path.write_text(text, encoding="utf-8")


def _members(result: Result) -> dict[str, object]:
    return {
        "name": result.expected.name,
        "table": result.table,
        "status": result.status,
        "severity": result.expected.severity,
        "gates": result.gates,
        "rows": result.rows,
        "failing": result.failing,
        "examples": result.examples,
        "reason": result.reason,
    }


def _line(result: Result) -> str:
    return f"{result.status:13} {_result_text(result)}"


def _result_text(result: Result) -> str:
    """Which expectation it is, and what was found."""
    detail = ""
    if result.status is Status.NOT_EVALUATED:
        detail = f": {result.reason}"
    elif result.status is Status.FAILED:
        observed = (
            result.observed if result.failing is None else f"{result.failing} of {result.rows}"
        )
        detail = f" ({result.expected.severity}): {observed}"
        detail += f"; {result.examples[0]}" if result.examples else ""
    return f"{result.expected.name}, {result.table}{detail}"


if __name__ == "__main__":
    sys.exit(main())
