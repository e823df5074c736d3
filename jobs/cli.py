"""belvedere: sees every view of a data estate and moves it into Apache Gravitino with proof."""

import argparse
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Final

from discovery import __version__
from discovery.display import visible

_INTERRUPTED: Final = 130
COMMANDS: Final = {
    "init": "write a first estate.yaml, from what other tools know of the estate",
    "crawl": "see every view of the estate, whichever engine wrote it",
    "recrawl": "ask again for what failed in a run",
    "views": "print the views of a run as JSON lines",
    "rights": "print who may read which view, as JSON lines",
    "failures": "print what a run could not carry over, as JSON lines",
    "assess": "what views read, who can read them, in which order they can move",
    "verdicts": "print what the engines' parsers said, as JSON lines",
    "findings": "print what the checks found, as JSON lines",
    "drafts": "print texts that were proposed, and why others are refused, as JSON lines",
    "waves": "print in which order views can move, as JSON lines",
    "usage": "which views are used, from the logs of the engines",
    "store": "make the tables of a target: store init",
    "plan": "say what a migration would write, before anything is written",
    "apply": "write what a plan says into its targets",
    "verify": "read every view of a plan back and compare it",
    "undo": "take back what a run of apply has written",
    "rehearse": "carry a move out on copies of the targets, and take it back",
    "sync": "follow the sources until the cut-over: crawl, plan, write what differs, read back",
    "cutover": "say what still differs between sources and targets, before a switch",
    "quality": "check the tables of a run with Great Expectations",
    "report": "write the report of a run: a page and JSON",
    "run": "all stages: crawl, judge, plan, with --apply write and read back, quality, report",
    "accept": "accept known faults until a day: no gate counts them",
    "runs": "print what is in a warehouse: its runs, and what stands on them",
    "diff": "print what differs between two runs",
    "prune": "remove old runs, and what interrupted ones have left",
    "check": "prove that a run is as it was written, by every byte",
    "explain": "print what a code means and how to mend it",
    "engine-config": "print the properties with which an engine sees a source",
    "doctor": "say what is missing or unreachable, and what to do",
    "jars": "fetch the jars of all judges into a folder, for a machine without a network",
    "mcp": "answer an assistant's questions about a run, by the Model Context Protocol",
    "completion": "print a file of completions for a shell",
    "demo": "run all stages on an embedded estate",
}


def module_of(command: str) -> str:
    """The module of a command."""
    return f"jobs.{command.replace('-', '_')}"


def main(argv: Sequence[str] | None = None) -> int:
    """The console script: hands the rest of the line to the command."""
    lines = "\n".join(f"  {name:15}{command}" for name, command in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="belvedere",
        description=(__doc__ or "").partition(": ")[2],
        epilog=f"commands:\n{lines}\n\n'belvedere <command> --help' has more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="belvedere [--help] [--version] <command> ...",
    )
    parser.add_argument("--version", action="version", version=f"belvedere {__version__}")
    parser.add_argument("command", help=argparse.SUPPRESS)
    given = list(sys.argv[1:] if argv is None else argv)
    args = parser.parse_args(given[:1] or ["--help"])
    if args.command not in COMMANDS:
        near = get_close_matches(args.command, COMMANDS, 1)
        meant = f"did you mean {near[0]}?" if near else "'belvedere --help' lists them"
        parser.error(f"there is no command {visible(args.command)!r}; {meant}")
    try:
        result: int = import_module(module_of(args.command)).main(given[1:])
    except KeyboardInterrupt:  # while the command was loaded
        print(f"belvedere {args.command}: interrupted", file=sys.stderr)
        return _INTERRUPTED
    return result


if __name__ == "__main__":
    sys.exit(main())
