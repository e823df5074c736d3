"""belvedere doctor: say what is missing or unreachable, and what to do, in the order of repair.

Looks at Java, the packages, belvedere's own modules, Spark with a Python worker, the judges, and
every source and target of the configuration.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

import belvedere
from connectors.clients.credentials import redacted
from connectors.registry import Connector
from discovery.errors import BelvedereError
from jobs.assessing.jars import provide
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.session import JAVA_HINT, java_version, spark_session
from jobs.console.terminal import green, red
from jobs.warehouse.carried import Carried
from reports import to_json

_OLDEST_JAVA: Final = 17


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the doctor found of one thing; a code other than 0 is a fault."""

    what: str
    told: str
    hint: str = ""
    code: int = command.FINE


def examine(config: RunConfig, *, quick: bool = False) -> Iterator[Diagnosis]:
    """Everything, in the order in which it would be mended.

    Args:
        config: The configuration.
        quick: Leave out Spark and the judges, which are half a minute.
    """
    yield _java()
    yield from _packages()
    yield _own_modules()
    if not quick:
        spark = _spark()
        yield spark
        if not spark.code:
            yield from _judges(config)
    for sort, connectors in (("source", config.sources), ("target", config.targets)):
        yield from _reached(sort, connectors)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument("--quick", action="store_true", help="without Spark and the judges")
    command.with_json(parser, "a JSON object for each thing")


def run(args: argparse.Namespace) -> int:
    """Examine, and print a line for each thing."""
    worst = command.FINE
    for found in examine(args.config, quick=args.quick):
        if args.json:
            print(json.dumps(to_json.members_of(found)), flush=True)
        else:
            _show(found)
        worst = max(worst, found.code)
    return worst


def _show(found: Diagnosis) -> None:
    mark = red("FAULT") if found.code else green("ok   ")
    print(f"{mark}  {found.what:24}  {found.told}", flush=True)
    if found.hint:
        print(f"{'':5}  {'':24}  -> {found.hint}", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _java() -> Diagnosis:
    try:
        told = java_version()
    except BelvedereError as error:
        return Diagnosis("Java", str(error), error.hint, command.USAGE)
    found = re.search(r'version "(\d+)', told)
    if found is None or int(found[1]) < _OLDEST_JAVA:
        return Diagnosis("Java", told, JAVA_HINT, command.USAGE)
    return Diagnosis("Java", told)


def _packages() -> Iterator[Diagnosis]:
    """The packages that belvedere requires, if it is recorded; Spark is looked at by running it."""
    try:
        required = distribution("belvedere").requires or ()
    except PackageNotFoundError:
        yield Diagnosis("packages", "not looked at: belvedere runs from a zip or a checkout")
        return
    for name in (re.split(r"[^\w.-]", one)[0] for one in required if "extra ==" not in one):
        if name == "pyspark":  # a cluster has its own, which is in no package
            continue
        try:
            yield Diagnosis(name, distribution(name).version)
        except PackageNotFoundError:
            yield Diagnosis(name, "is not installed", f"pip install {name}", command.USAGE)


def _own_modules() -> Diagnosis:
    """Our packages must come from one place, and their files be those that were installed."""
    names = ("belvedere", *belvedere.PACKAGES)
    files = {name: import_module(name).__file__ or "" for name in names}
    places = {name: Path(file).parents[name != "belvedere"] for name, file in files.items()}
    if len(set(places.values())) > 1:
        told = ", ".join(f"{name} in {place}" for name, place in places.items())
        hint = "something else on the path has a package of that name; say PYTHONSAFEPATH=1"
        return Diagnosis("own modules", told, hint, command.USAGE)
    if altered := list(belvedere.altered()):
        first, _, hint = altered[0].partition("; ")
        more = f", and {len(altered) - 1} more" if len(altered) > 1 else ""
        return Diagnosis("own modules", first + more, hint, command.USAGE)
    return Diagnosis("own modules", f"in {places['belvedere']}")


def _spark() -> Diagnosis:
    try:
        spark = spark_session("doctor")
        counted = spark.range(4, numPartitions=2).mapInArrow(Carried(_same), "id long").count()
        told = f"{spark.version} on {spark.sparkContext.master}, Python workers answer"
    except (PySparkException, Py4JError, RuntimeError) as error:
        hint = "does PYSPARK_PYTHON name a Python of the driver's version, with the packages?"
        return Diagnosis("Spark", str(error).partition("\n")[0], hint, command.USAGE)
    return Diagnosis("Spark", told if counted == 4 else f"counted {counted} rows of 4")


def _judges(config: RunConfig) -> Iterator[Diagnosis]:
    """The engines' parsers; one that is not there is no fault: its verdicts are "not judged"."""
    for one in provide(spark_session("doctor"), config.engines, config.jars_dir):
        what = f"judge {one.engine}"
        try:
            yield (
                Diagnosis(what, "not available", one.missing)
                if one.missing
                else Diagnosis(what, one.judge().version)
            )
        except BelvedereError as error:
            yield Diagnosis(what, "not available", f"{error}; {error.hint}")


def _same(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    return batches


def _reached(sort: str, connectors: Mapping[str, Connector]) -> Iterator[Diagnosis]:
    for name, connector in connectors.items():
        what = f"{sort} {name}"
        try:
            with connector.source() if sort == "source" else connector.store() as system:
                probe = system.probe()
        except BelvedereError as error:
            told = redacted(str(error), connector.secrets)
            yield Diagnosis(what, told, redacted(error.hint, connector.secrets), command.UNREAD)
        else:
            yield Diagnosis(what, probe.version, "; ".join(probe.problems))


if __name__ == "__main__":
    sys.exit(main())
