"""belvedere accept: accept known faults until a day: no gate counts them, and all still show them.

Looks for faults in a run (what could not be listed, read or decoded; errors that checks found; what
is set aside by the order or by the latest plan) and writes a line of JSON for each into the file
that `accepted` names in the configuration: source, object, code, reason, owner, until. The file is
sorted, and belongs beside the configuration, where changes are reviewed. From the day after
`until` (UTC), a fault counts again.

With --check it prints the lines that do not hold: expired ones, those whose fault the run has no
more, and those that name a source or code that there is not; exit code 3 if there is any. With
--clean it removes the first two.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from typing import Final

from discovery.acceptance import Acceptance, Baseline, Fault
from discovery.display import quantity, unbroken
from discovery.errors import ConfigurationError
from jobs.configuration.baselines import amend_baseline
from jobs.configuration.catalogs import as_crawled
from jobs.configuration.loader import RunConfig
from jobs.console import baselines, command
from jobs.console.session import warehouse_of
from jobs.reporting.faults import Choice, faults, find_met_faults
from jobs.warehouse.runs import now
from jobs.warehouse.warehouse import Warehouse
from reports.codes import pages

_CODES: Final = "`belvedere explain` lists all of them"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument("--run-id", metavar="ID", help="a committed run; the latest by default")
    which = parser.add_argument_group("what is accepted; several of a sort may be named")
    which.add_argument("--all", action="store_true", help="whatever counts in the run")
    for name, meaning in (
        ("source", "of this source"),
        ("object", "at the object with this key, as `key` in the tables has it"),
        ("code", "with this code, be it an error or less"),
    ):
        which.add_argument(f"--{name}", action="append", default=[], metavar="X", help=meaning)
    why = parser.add_argument_group("and why")
    why.add_argument("--reason", metavar="TEXT", help="why it is accepted")
    why.add_argument("--owner", metavar="WHO", help="who answers for that")
    why.add_argument("--until", metavar="DAY", help="the last day on which it holds: 2027-01-31")
    does = parser.add_mutually_exclusive_group()
    does.add_argument("--dry-run", action="store_true", help="print the lines, write nothing")
    does.add_argument("--check", action="store_true", help="print what does not hold any more")
    does.add_argument("--clean", action="store_true", help="remove what does not hold any more")


def run(args: argparse.Namespace) -> int:
    """Accept, check or clean."""
    config: RunConfig = args.config
    if not config.accepted.place:
        hint = "name one beside the configuration, as accepted: accepted.jsonl"
        raise ConfigurationError("the configuration names no file in `accepted`", hint=hint)
    warehouse = warehouse_of(config.warehouse)
    run_id, today = warehouse.run(args.run_id).run_id, now().date()
    if args.check:
        return _check(config, warehouse, run_id, today)
    if args.clean:
        return _clean(config.accepted, find_met_faults(warehouse, run_id, config.accepted), today)
    choice, terms = _parse_choice(args), _parse_terms(args, today)
    matching = sorted(set(faults(warehouse, run_id, choice)))
    if not matching:
        hint = "see `belvedere failures`, `belvedere findings` and the report for what there is"
        raise ConfigurationError(f"run {run_id} has no such fault", hint=hint)
    acceptances = [replace(terms, fault=fault) for fault in matching]
    for acceptance in acceptances:
        print(acceptance.to_json())
    if not args.dry_run:
        amend_baseline(config.accepted, lambda baseline: baseline.with_more(acceptances))
        command.say(f"{config.accepted.place}: {len(acceptances):,} accepted until {args.until}")
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _parse_choice(args: argparse.Namespace) -> Choice:
    """What is to be accepted.

    Raises:
        ConfigurationError: Nothing is named, or a code that there is not.
    """
    if not (args.all or args.source or args.object or args.code):
        hint = "name a --source, an --object or a --code, or say --all"
        raise ConfigurationError("nothing says what is accepted", hint=hint)
    for code in args.code:
        if code not in pages():
            near = get_close_matches(code.upper(), pages(), 3)
            raise ConfigurationError(f"there is no code {code}", hint=", ".join(near) or _CODES)
    return Choice(sources=(*args.source,), objects=(*args.object,), codes=(*args.code,))


def _parse_terms(args: argparse.Namespace, today: date) -> Acceptance:
    """Reason, owner and last day, of a fault that is still to be named.

    Raises:
        ConfigurationError: One is missing, or the day is none, or has passed.
    """
    for name in ("reason", "owner", "until"):
        if not (getattr(args, name) or "").strip():
            hint = "who accepts a fault says why, who answers for it, and until when"
            raise ConfigurationError(f"--{name} is missing", hint=hint)
    try:
        until = date.fromisoformat(args.until)
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", args.until) or until < today:
            raise ValueError
    except ValueError:
        message = f"--until {args.until}: is not a day in the future"
        raise ConfigurationError(message, hint=f"today is {today}") from None
    reason, owner = args.reason.strip(), args.owner.strip()
    return Acceptance(fault=Fault("", "", ""), reason=reason, owner=owner, until=until)


def _check(config: RunConfig, warehouse: Warehouse, run_id: str, today: date) -> int:
    lines = list(_warnings(config, find_met_faults(warehouse, run_id, config.accepted), today))
    for line in lines:
        print(unbroken(line))
    if not lines:
        return command.FINE
    sentence = f"{config.accepted.place}: {quantity(len(lines), 'line does', 'lines do')} not hold"
    then = "renew them with `belvedere accept`, or remove them with `belvedere accept --clean`"
    return command.end([command.ExitReason(command.FINDINGS, sentence, then)])


def _warnings(config: RunConfig, run_faults: set[Fault], today: date) -> Iterator[str]:
    named = {acceptance.fault.source for acceptance in config.accepted.acceptances}
    stores = {*as_crawled(config, named).sources, *config.targets}
    yield from config.accepted.unknown(stores, pages())
    yield from baselines.expired(config.accepted, today)
    yield from baselines.stale(config.accepted, today, run_faults)


def _clean(baseline: Baseline, run_faults: set[Fault], today: date) -> int:
    gone = [*baseline.expired(today), *baseline.stale(today, run_faults)]
    for acceptance in gone:
        print(acceptance.to_json())
    if gone:
        amend_baseline(baseline, lambda baseline_now: baseline_now.without(gone))
    command.say(f"{baseline.place}: {len(gone):,} removed")
    return command.FINE


if __name__ == "__main__":
    sys.exit(main())
