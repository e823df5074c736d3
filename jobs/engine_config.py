"""belvedere engine-config: print the properties with which an engine sees the catalog of a source.

On stdout: for Trino and Spark a file of properties, for Flink a statement. On stderr: what the
engine does not see, and what is to be set elsewhere. Secrets stay references.
"""

import argparse
import json
import re
import sys
from collections.abc import Sequence

from discovery.errors import ConfigurationError
from jobs.configuration.catalogs import as_crawled
from jobs.console import command
from reports import engines
from reports.engines.shared import StatedSource


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument("--source", required=True, metavar="S", help="a source of the estate")
    parser.add_argument("--engine", required=True, choices=engines.NAMES)
    parser.add_argument(
        "--engine-version", default="", metavar="V", help="such as 476; a current one by default"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object with properties and findings"
    )


def run(args: argparse.Namespace) -> int:
    """Print the configuration, and what to know of it."""
    sources = as_crawled(args.config, [args.source]).sources
    connector = sources.get(args.source)
    if connector is None:
        hint = f"known: {', '.join(sources)}"
        raise ConfigurationError(f"{args.source!r} is no source", hint=hint)
    source = StatedSource(
        name=args.source,
        kind=connector.kind,
        options=connector.stated,
        version=_parse_version(args.engine_version),
    )
    config = engines.engine_config(source, args.engine)
    findings = [{"code": note.code, "message": note.message} for note in config.findings]
    if args.json:
        print(json.dumps({"properties": dict(config.properties), "findings": findings}))
        return command.FINE
    print(engines.text(config, source, args.engine), end="")
    for finding in findings:
        command.say(f"{finding['code']}: {finding['message']}")
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _parse_version(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"(\d+(\.\d+)*)?", text):
        raise ConfigurationError(f"--engine-version {text!r} is no version such as 476 or 4.1.2")
    return tuple(map(int, text.split("."))) if text else ()


if __name__ == "__main__":
    sys.exit(main())
