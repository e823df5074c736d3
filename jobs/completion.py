"""belvedere completion: print a file of completions for a shell.

What it prints knows every command, its arguments and their choices, and asks nothing of belvedere
at each TAB: print it anew after an upgrade. For bash, with the package bash-completion:

  belvedere completion bash > ~/.local/share/bash-completion/completions/belvedere

for zsh, into a folder of `fpath`: belvedere completion zsh > ~/.zfunc/_belvedere
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import shtab

from jobs import cli
from jobs.console import command
from jobs.console.parsing import folder


def parser_of_all() -> argparse.ArgumentParser:
    """One parser that has every command with its arguments."""
    parser = argparse.ArgumentParser(prog="belvedere")
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers()
    for name, summary in cli.COMMANDS.items():
        module = import_module(cli.module_of(name))
        own = commands.add_parser(name, help=summary)
        command.with_voice(own)
        getattr(module, "arguments", command.with_run)(own)
        for action in own._actions:  # noqa: SLF001 - argparse has no other way to them
            if action.type in {Path, folder}:
                within = action.metavar == "DIR"
                action.complete = shtab.DIRECTORY if within else shtab.FILE  # type: ignore[attr-defined] # as shtab documents it
    return parser


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("shell", choices=shtab.SUPPORTED_SHELLS, help="whose completions")


def run(args: argparse.Namespace) -> int:
    """Print the file."""
    print(shtab.complete(parser_of_all(), args.shell))
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
