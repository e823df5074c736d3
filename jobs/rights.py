"""belvedere rights: print who may SELECT which view of a run, as JSON lines.

Each line is {"source", "namespace", "name", "readers", "unknown"}; a reader is {"name", "kind":
"user", "role", "group" or "public", "through": [roles], "on_demand", "columns"}. Where it is not
known who may read a view, "readers" is null and "unknown" says why.

With --plan, what is carried over to Gravitino by the `rights` of the configuration: {"target",
"namespace", "name", "roles", "readers", "owner", "lost": [{"source", "name", "kind", "why"}],
"access", "unknown"} for each view, then {"target", "role", "members"} for each role. "access" says
who reads it before and after, as {"source", "grantee", "kind", "before", "after", "difference",
"why"}.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from discovery.errors import ConfigurationError
from discovery.patterns import Patterns
from discovery.rights.matrix import Reader
from discovery.rights.model import EVERYBODY, Grantee
from jobs.answering.rights import KnownRights, rights_of
from jobs.configuration import loader
from jobs.console import command
from jobs.console.json_lines import choose_run
from jobs.console.session import warehouse_of
from jobs.crawling import tables as rows
from jobs.migrating.plan_folder import read_head
from jobs.migrating.rights import PlannedRights

_NEAR: Final = 3
_PLACE = ("source", "namespace", "name")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_run(parser)
    parser.add_argument(
        "--view", metavar="GLOB", help="only views whose namespace.name fits, such as 'sales.*'"
    )
    parser.add_argument(
        "--plan", type=Path, action=_OfPlan, metavar="DIR", help="what becomes of them by a plan"
    )
    parser.add_argument(
        "--grantee",
        metavar="NAME",
        help="only what this user, group or role may read, and what is not known; of user@host "
        "the user is enough",
    )


class _OfPlan(argparse.Action):
    """Names a plan, whose configuration says where the warehouse is."""

    def __call__(
        self, _: object, namespace: argparse.Namespace, value: object, *__: object
    ) -> None:
        """Note it."""
        namespace.plan = value
        namespace.warehouse_of = lambda: Path(read_head(namespace.plan).config)


def run(args: argparse.Namespace) -> int:
    """Print a line for each view."""
    return _print_planned(args) if args.plan else _print_crawled(args)


def _print_planned(args: argparse.Namespace) -> int:
    """What a plan makes of the rights of its run.

    Raises:
        ConfigurationError: An argument is given that says nothing of a plan.
    """
    for name in ("run_id", "source", "view", "grantee"):
        if getattr(args, name) is not None:
            message = f"--{name.replace('_', '-')} does not go with --plan"
            raise ConfigurationError(message, hint="without it, all of the plan is printed")
    head = read_head(args.plan)
    rules = loader.load(Path(head.config)).carrying
    warehouse = warehouse_of(args.warehouse)
    rights = rights_of(warehouse, warehouse.run(head.crawl).run_id, None)
    for line in PlannedRights(warehouse, head.plan, rights, rules).lines():
        print(json.dumps(line))
    return command.FINE


def _print_crawled(args: argparse.Namespace) -> int:
    """What the sources say."""
    asked = choose_run(args)
    rights = rights_of(asked.warehouse, asked.run_id, args.source)
    wanted = Patterns((args.view,) if args.view else (), ())
    named = _grantees_named(rights, args.grantee)
    for row in asked.rows(rows.OUTCOMES, [*_PLACE, "key"], outcome=["view"]):
        if not wanted.allows(tuple(row["namespace"]), row["name"]):
            continue
        answer = rights[row["source"]].readers(row["key"])
        head = {name: row[name] for name in _PLACE}
        if isinstance(answer, str):
            print(json.dumps({**head, "readers": None, "unknown": answer}))
            continue
        readers = _readers_named(answer, named[row["source"]])
        if readers or args.grantee is None:
            shown = [_member(reader) for reader in readers]
            print(json.dumps({**head, "readers": shown, "unknown": None}))
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _grantees_named(
    rights: Mapping[str, KnownRights], name: str | None
) -> dict[str, frozenset[Grantee] | None]:
    """The grantees of a name by source; None: all are meant.

    Raises:
        ConfigurationError: No right and no role is of that name, and all rights are known.
    """
    if name is None:
        return dict.fromkeys(rights)
    named = {source: frozenset(known.access.called(name)) for source, known in rights.items()}
    if name and not any(named.values()):
        message, hint = f"nobody called {name!r} has a right or a role", _near(rights, name)
        if not any(known.unread or known.access.leaves_open for known in rights.values()):
            raise ConfigurationError(message, hint=hint)
        command.say(f"{message} that is known; {hint}")
    return dict(named)


def _near(rights: Mapping[str, KnownRights], name: str) -> str:
    """The names that somebody may have meant."""
    names = {who.name for known in rights.values() for who in known.access.grantees}
    near = get_close_matches(name, sorted(names), _NEAR)
    users = {known: known.rpartition("@")[0] for known in sorted(names) if "@" in known}
    near += [known for known, user in users.items() if get_close_matches(name, [user], 1)]
    meant = ", ".join(map(repr, dict.fromkeys(near[:_NEAR])))
    return f"did you mean {meant}?" if meant else "without --grantee, all readers are printed"


def _readers_named(readers: Sequence[Reader], named: frozenset[Grantee] | None) -> list[Reader]:
    """The readers of a name; where there are none, everybody, who has it among them."""
    if named is None:
        return list(readers)
    of_name = [reader for reader in readers if reader.grantee in named]
    return of_name or [reader for reader in readers if reader.grantee == EVERYBODY]


def _member(reader: Reader) -> dict[str, object]:
    return {
        "name": reader.grantee.name,
        "kind": reader.grantee.kind.value,
        "through": list(reader.through),
        "on_demand": reader.on_demand,
        "columns": list(reader.columns),
    }


if __name__ == "__main__":
    sys.exit(main())
