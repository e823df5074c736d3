"""belvedere views: print the views of a run as JSON lines.

Each line is {"source", "namespace": [...], "name", "format", "view": {...}}; the view has
Gravitino's REST field names, its types in Gravitino's JSON grammar. With --names, "spelled" has
the namespace as an engine or Gravitino calls it; null, if it has no such name.
"""

import argparse
import json
import sys
from collections.abc import Sequence

from discovery.errors import ConfigurationError, NamespaceError, SeparatorError
from discovery.namespaces import Levels, Separator, Spelling, levels_spelled, spelled
from jobs.console import command
from jobs.console.json_lines import choose_run
from jobs.crawling import tables as rows


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_run(parser)
    parser.add_argument("--namespace", metavar="N", help="only this one, spelled as --names says")
    parser.add_argument(
        "--names",
        choices=[spelling.value for spelling in Spelling],
        help="how namespaces are spelled: a:b (logical, of --namespace the default), a.b (percent;"
        ' spark; flink), "a.b" (trino)',
    )
    parser.add_argument(
        "--separator",
        default=":",
        metavar="C",
        help="joins levels in logical names; : by default",
    )


def run(args: argparse.Namespace) -> int:
    """Print a line for each view."""
    spelling = Spelling(args.names or Spelling.LOGICAL)
    separator, wanted = _parse_names(args.separator, args.namespace, spelling)
    for row in choose_run(args).rows(rows.OUTCOMES, outcome=["view"]):
        if wanted is not None and tuple(row["namespace"]) != wanted:
            continue
        head = {key: row[key] for key in ("source", "namespace", "name", "format")}
        if args.names is not None:
            head["spelled"] = _spelled(row["namespace"], spelling, separator)
        print(json.dumps(head)[:-1] + f', "view": {row["model"]}}}')
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _parse_names(
    char: str, namespace: str | None, spelling: Spelling
) -> tuple[Separator, Levels | None]:
    """The separator of logical names, and the namespace that is asked for.

    Raises:
        ConfigurationError: It is no such name, or the character will not do.
    """
    try:
        separator = Separator(char, free=True)
        if namespace is None:
            return separator, None
        return separator, levels_spelled(namespace, spelling, separator)
    except SeparatorError as error:
        raise ConfigurationError(str(error), hint=error.hint) from error
    except NamespaceError as error:
        message = f"--namespace {namespace}: {error.message}"
        hint = f"it is spelled as --names {spelling} has it"
        raise ConfigurationError(message, hint=hint) from error


def _spelled(levels: Sequence[str], spelling: Spelling, separator: Separator) -> str | None:
    """The name of a namespace; None if it has none."""
    try:
        return spelled(levels, spelling, separator)
    except NamespaceError:
        return None


if __name__ == "__main__":
    sys.exit(main())
