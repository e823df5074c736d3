"""belvedere explain: print what a code means and how to mend it.

A code stands in the rows of failures, skipped objects, findings, notes and waves, and on the page
of a report. Without a code, all of them are listed.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from difflib import get_close_matches

from discovery.errors import ConfigurationError
from jobs.console import command
from jobs.console.terminal import bold, dim
from reports.codes import CodePage, pages


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("code", nargs="?", metavar="CODE", help="a code; all of them if left out")
    command.with_json(parser, "a JSON object for each code")


def run(args: argparse.Namespace) -> int:
    """Print the page of a code, or a line for each."""
    chosen = [_find_page(args.code)] if args.code else list(pages().values())
    for page in chosen:
        if args.json:
            print(json.dumps(page._asdict()))
        elif args.code:
            print(f"{bold(page.code)}  {dim(page.group)}\n\n{page.text}")
            if page.advice:
                print(f"\n{bold('What to do:')} {page.advice}")
        else:
            print(f"{bold(f'{page.code:28}')}{dim(f'{page.group:26}')}{page.first}")
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _find_page(code: str) -> CodePage:
    wanted = code.upper().replace("-", "_")
    if wanted in pages():
        return pages()[wanted]
    near = get_close_matches(wanted, pages(), 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "belvedere explain lists all of them"
    raise ConfigurationError(f"there is no code {code}", hint=hint)


if __name__ == "__main__":
    sys.exit(main())
