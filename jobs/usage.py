"""belvedere usage: say which views of a run are used, from the logs of the engines.

Reads the logs that `usage` of estate.yaml names, or --log: Trino's event log, Spark's event logs,
HiveServer2's log, PostgreSQL's log. The tables `usage`, `view_usage` and `usage_logs` of the run
are written anew each time. A view that nobody has used for --days days is proposed to be left
behind only if the logs prove it; nothing is decided. With --json, a line for each view:
{"source", "namespace", "name", "use", "why", "uses", "reads", "mentions", "first", "last",
"users", "engines", "since", "until"}.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

from discovery.display import on_one_line, quantity, unbroken
from discovery.errors import ConfigurationError
from discovery.model import dotted
from discovery.ranking import ranked
from discovery.usage.coverage import State, UsageWindow
from discovery.usage.model import StatedLog
from jobs.configuration.catalogs import as_crawled
from jobs.configuration.reading import absolute
from jobs.configuration.usage import check_kind
from jobs.console import command
from jobs.console.session import spark_session
from jobs.using import tables
from jobs.using.reading import write_usage
from jobs.warehouse.warehouse import Warehouse

_DAYS: Final = 90
_MOST_DAYS: Final = 36_500
_SHOWN: Final = 20
_COUNTED: Final = {
    "used": "use views",
    "elsewhere": "use none",
    "unclear": "are unclear",
    "others": "are about other things",
    "unreadable": "cannot be read",
}
_EXAMPLE: Final = "write usage: [{kind: trino, path: /var/log/trino/*.json}], or give --log"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument("--run-id", metavar="ID", help="a committed run; the latest by default")
    parser.add_argument(
        "--log",
        action="append",
        default=[],
        metavar="KIND=PATH",
        help="a log to read instead of those of estate.yaml: trino, spark, hive or postgresql, and "
        "its files, with wildcards; may be repeated",
    )
    parser.add_argument(
        "--days", type=_parse_days, default=_DAYS, metavar="N", help=f"how many; default: {_DAYS}"
    )
    parser.add_argument(
        "--until",
        type=_parse_day,
        metavar="DAY",
        help="the last of them, as 2026-11-23; default: today, in UTC",
    )
    command.with_json(parser, "a JSON line for each view, the most used first")


def run(args: argparse.Namespace) -> int:
    """Read the logs, and print what they say."""
    logs = tuple(map(_parse_log, args.log)) or args.config.usage
    if not logs:
        raise ConfigurationError("no log is named", hint=_EXAMPLE)
    window = UsageWindow.until(args.until or datetime.now(UTC).date(), args.days)
    spark = spark_session("usage")
    warehouse = Warehouse(args.config.warehouse, spark)
    crawled = warehouse.run(args.run_id)
    run_id = crawled.run_id
    command.about(run_id)
    config = as_crawled(args.config, crawled.record.sources)
    write_usage(spark, config, warehouse, run_id, logs, window)
    _tell_logs(list(warehouse.table(tables.USAGE_LOGS, run_id)))
    every = (tables.ViewUse(**row) for row in warehouse.table(tables.VIEW_USAGE, run_id))
    view_uses = sorted(every, key=lambda view_use: (view_use.rank, view_use.place))
    if args.json:
        names = [name for name in tables.VIEW_USAGE.names if name != "key"]
        for view_use in view_uses:
            command.show(json.dumps({name: _plain(getattr(view_use, name)) for name in names}))
    elif not args.quiet:
        _print(view_uses, window)
    return command.end(())


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _parse_days(written: str) -> int:
    number = int(written) if written.isdecimal() and len(written) <= len(f"{_MOST_DAYS}") else 0
    if not 1 <= number <= _MOST_DAYS:
        raise argparse.ArgumentTypeError(f"{written} is no number from 1 to {_MOST_DAYS:,}")
    return number


def _parse_day(written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        message = f"{written} is no day such as 2026-11-23"
        raise argparse.ArgumentTypeError(message) from None


def _parse_log(written: str) -> StatedLog:
    kind, equals, path = written.partition("=")
    if not equals or not path:
        hint = "write --log trino=/var/log/trino/*.json"
        raise ConfigurationError(f"--log {written!r}: must be KIND=PATH", hint=hint)
    try:
        kind = check_kind(kind)
    except ValueError as error:
        raise ConfigurationError(f"--log {written!r}: {error}") from error
    return StatedLog(kind, (absolute(Path.cwd(), path, varies=True),))


def _tell_logs(files: Iterable[Mapping[str, Any]]) -> None:
    """What was read, log by log, and what of it could not be."""
    by_log: dict[str, list[Mapping[str, Any]]] = {}
    for row in files:
        by_log.setdefault(row["log"], []).append(row)
    for log, rows in by_log.items():
        counts = {name: sum(row[name] for row in rows) for name in ("lines", *_COUNTED)}
        summary = ", ".join(f"{counts[name]:,} {noun}" for name, noun in _COUNTED.items())
        days = {day for row in rows for day in row["days"]}
        when = (
            f"{min(days)} to {max(days)}, {quantity(len(days), 'day')} with queries"
            if days
            else "no query"
        )
        command.say(f"{log}: {quantity(len(rows), 'file')}, {when}")
        command.say(f"  {quantity(counts['lines'], 'line')}: {summary}")
        if example := next((row["example"] for row in rows if row["example"]), None):
            command.say(f"  {on_one_line(example)}")
        if outside := sorted({name for row in rows for name in row["outside"]}):
            names = ", ".join(outside[:_SHOWN])
            command.say(f"  no source is said to be its catalogs {names}: `catalogs` may say so")
        if blind := {day for row in rows for day in row["blind"]}:
            days_text = quantity(len(blind), "day")
            command.say(f"  does not say what all queries read on {days_text}: docs/usage.md")


def _print(view_uses: Sequence[tables.ViewUse], window: UsageWindow) -> None:
    """The views that are used most, and those that nobody uses."""
    counted = Counter(view_use.use for view_use in view_uses)
    summary = ", ".join(f"{counted[state]:,} {state}" for state in State if counted[state])
    command.show(
        f"{quantity(len(view_uses), 'view')} from {window.first} to {window.last}: "
        f"{summary or 'none'}"
    )
    seen = [(view_use, view_use.last) for view_use in view_uses if view_use.last is not None]
    if seen:
        command.show("    uses    reads mentions last       view")
    for view_use, last in seen[:_SHOWN]:
        counts = f"{view_use.uses:>8,} {view_use.reads:>8,} {view_use.mentions:>8,}"
        command.show(f"{counts} {last:%Y-%m-%d} {_name(view_use)}: {', '.join(view_use.engines)}")
    _print_more(len(seen))
    unused = [view_use for view_use in view_uses if view_use.use == State.UNUSED]
    if unused:
        command.show("unused, and so proposed to be left behind; it is yours to decide:")
    for view_use in unused[:_SHOWN]:
        before = f", before on {view_use.last:%Y-%m-%d}" if view_use.last else ""
        command.show(f"  {_name(view_use)}{before}")
    _print_more(len(unused))
    reasons = Counter(
        view_use.why or "" for view_use in view_uses if view_use.use == State.UNPROVEN
    )
    if reasons:
        command.show("not seen, and not proven to be unused:")
    for why, number in ranked(reasons, _SHOWN):
        command.show(f"  {quantity(number, 'view')}: {on_one_line(why)}")


def _print_more(number: int) -> None:
    if number > _SHOWN:
        command.show(f"  … and {number - _SHOWN:,} more: --json prints all")


def _name(view_use: tables.ViewUse) -> str:
    return unbroken(f"{view_use.source} {dotted((*view_use.namespace, view_use.name))}")


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, date) else value


if __name__ == "__main__":
    sys.exit(main())
