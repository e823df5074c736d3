"""belvedere init: write a first estate.yaml, from what other tools know of the estate.

Takes hive-site.xml, properties of Spark or of a catalog of Trino, a folder of properties,
pyiceberg.yaml and the URL of a metastore, a REST catalog or a database; several of them become
several sources. Without one, it asks on a terminal. No file is overwritten. A secret is never
written: it becomes ${env:NAME}, and what to set is said. Then doctor looks, without Spark, whether
all is reached.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from discovery.errors import BelvedereError, ConfigurationError
from jobs.console import command
from jobs.initializing.estate_file import estate_text, named_apart
from jobs.initializing.files import read
from jobs.initializing.sources import FoundSource, LeftOut
from jobs.warehouse.placing import place_errors

_ASKED: Final = (
    "where are views? hive-site.xml, properties of Spark or Trino, pyiceberg.yaml, or a URL such "
    "as thrift://metastore:9083; nothing to end: "
)
_HINT: Final = "belvedere init thrift://metastore.example:9083, or hive-site.xml, or another file"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("places", nargs="*", metavar="FROM", help="files, folders and URLs")
    parser.add_argument(
        "--out", type=Path, default=Path("estate.yaml"), metavar="FILE", help="what is written"
    )
    parser.add_argument("--no-doctor", action="store_true", help="write, and look no further")


def run(args: argparse.Namespace) -> int:
    """Write the file, and look whether all that it names is reached."""
    if os.path.lexists(args.out):  # a link that leads nowhere, too
        hint = "name another file with --out, or edit the one that is there"
        raise ConfigurationError(f"{args.out} is there, and is not overwritten", hint=hint)
    if not args.out.parent.is_dir():
        raise ConfigurationError(f"{args.out.parent} is no folder", hint="name another with --out")
    entries = [entry for place in args.places for entry in read(place)]
    sources = named_apart(_without_left_out(entries) if args.places else _ask_sources())
    if not sources:
        raise ConfigurationError("there is no source to write", hint=_HINT)
    with place_errors(args.out), args.out.open("x", encoding="utf-8") as file:
        file.write(estate_text(sources.values()))
    for name, source in sources.items():
        print(f"{name}: {source.kind}")
    command.say(f"written: {args.out}")
    doctor = command.next_command(args.out, "doctor")
    unset = [
        name
        for found_source in sources.values()
        for name in found_source.variables
        if name not in os.environ
    ]
    if unset:
        command.say(f"set {', '.join(dict.fromkeys(unset))}, then: {doctor}")
        return command.FINE
    if args.no_doctor:
        command.say(f"next: {doctor}")
        return command.FINE
    command.say(f"{doctor}:")
    code = _run_doctor(args.out)
    then = command.next_command(args.out, "run") if code == command.FINE else "mend that, and crawl"
    command.say(f"next: {then}")
    return code


def _without_left_out(entries: Iterable[FoundSource | LeftOut]) -> Iterator[FoundSource]:
    """The sources among the entries; what is left out is said."""
    for entry in entries:
        if isinstance(entry, LeftOut):
            command.say(f"left out: {entry.name}: {entry.why}")
        else:
            yield entry


def _ask_sources() -> Iterator[FoundSource]:
    """What a person says on a terminal, place by place."""
    if not sys.stdin.isatty():
        raise ConfigurationError("what the estate is made of is not said", hint=_HINT)
    while place := input(_ASKED).strip():
        try:
            sources = [*_without_left_out(read(place))]
        except BelvedereError as error:
            command.say(f"{error}; {error.hint}" if error.hint else str(error))
            continue
        for source in sources:
            command.say(f"  {source.name}: {source.kind}")
            yield source


def _run_doctor(file: Path) -> int:
    from jobs import doctor  # noqa: PLC0415 - it imports Spark

    return doctor.main(["--config", str(file), "--quick"])


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
