"""belvedere doctor: say what is missing or unreachable, and what to do, in the order of repair.

Looks at Java, the packages, belvedere's own modules, the folders and logs of the configuration,
Spark with a Python worker, the judges, and every source and target, from the driver and from an
executor. With --exercise it tries one target instead: what it makes of each dialect, type,
property and shape of a name.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql.pandas.types import from_arrow_schema

from belvedere_door import PACKAGES, altered
from connectors.registry import Connector
from discovery.display import quantity
from discovery.errors import BelvedereError, ConfigurationError
from discovery.exercises import TAKEN, Agreement, ExerciseAnswer
from discovery.migration.mapping import tell_hidden
from jobs.assessing.jars import provide
from jobs.configuration import identity
from jobs.configuration.catalogs import spread
from jobs.configuration.engines import versions
from jobs.configuration.exercised import keep
from jobs.configuration.loader import RunConfig
from jobs.configuration.shared_places import tell_shared_places
from jobs.console import command
from jobs.console.lending import sources_logged_in, targets_logged_in
from jobs.console.session import JAVA_HINT, java_in_use, one_partition_each, spark_session
from jobs.console.terminal import green, red, yellow
from jobs.examining.exercising import exercise
from jobs.examining.places import why_unwritable, why_unwritable_elsewhere
from jobs.examining.workers import (
    REACHED,
    SOURCE,
    TARGET,
    ask_grants,
    reach,
    reach_all,
    read_events,
)
from jobs.using.files import groups_of, meaning
from jobs.warehouse.carried import Carried
from jobs.warehouse.storage import root_of, storage_of
from reports import to_json

_OLDEST_JAVA: Final = 17
_ROWS: Final = 4  # that Python workers are given


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the doctor found of one thing: with a code other than 0 a fault, with a hint a note."""

    what: str
    told: str
    hint: str = ""
    code: int = command.FINE


def examine(config: RunConfig, *, quick: bool = False) -> Iterator[Diagnosis]:
    """Everything, in the order in which it would be mended.

    Args:
        config: The configuration.
        quick: Leave out Spark, its executors and the judges, which are half a minute.
    """
    yield _check_java()
    yield from _check_packages()
    yield _check_own_modules()
    for sentence in tell_hidden(config.rules):
        yield Diagnosis("mapping", sentence, "put it before that rule, or take it out")
    for sentence in tell_shared_places(config):
        yield Diagnosis("targets", sentence, "give it a place of its own, if that is not meant")
    yield from _check_places(config)
    has_spark = False
    if not quick:
        spark = _check_spark()
        yield spark
        has_spark = not spark.code
        if has_spark:
            yield from _check_far_warehouse(config)
            yield from _check_judges(config)
    yield from _reach_systems(spread(config), by_executors=has_spark)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument(
        "--quick", action="store_true", help="without Spark, its executors and the judges"
    )
    parser.add_argument(
        "--exercise",
        metavar="TARGET",
        help="instead, write, read and drop a view of each kind there, in a namespace of its own",
    )
    parser.add_argument(
        "--scratch",
        default="belvedere_scratch",
        metavar="NAME",
        help="that namespace: it must not be there; default: %(default)s",
    )
    command.with_json(parser, "a JSON object for each thing")


def run(args: argparse.Namespace) -> int:
    """Examine, and print a line for each thing."""
    worst = command.FINE
    found_by = (
        _exercise_target(args.config, args.config_file, args.exercise, args.scratch)
        if args.exercise is not None
        else examine(args.config, quick=args.quick)
    )
    for diagnosis in found_by:
        if args.json:
            print(json.dumps(to_json.members_of(diagnosis)), flush=True)
        else:
            _show(diagnosis)
        worst = max(worst, diagnosis.code)
    return worst


def _show(diagnosis: Diagnosis) -> None:
    mark = red("FAULT") if diagnosis.code else yellow("note ") if diagnosis.hint else green("ok   ")
    print(f"{mark}  {diagnosis.what:24}  {diagnosis.told}", flush=True)
    if diagnosis.hint:
        print(f"{'':5}  {'':24}  -> {diagnosis.hint}", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _check_java() -> Diagnosis:
    try:
        version = java_in_use()
    except BelvedereError as error:
        return Diagnosis("Java", str(error), error.hint, command.USAGE)
    match = re.search(r'version "(\d+)', version)
    if match is None or int(match[1]) < _OLDEST_JAVA:
        return Diagnosis("Java", version, JAVA_HINT, command.USAGE)
    return Diagnosis("Java", version)


def _check_packages() -> Iterator[Diagnosis]:
    """The packages that belvedere requires, if it is recorded; Spark is looked at by running it."""
    try:
        required = distribution("belvedere").requires or ()
    except PackageNotFoundError:
        yield Diagnosis("packages", "not looked at: belvedere runs from a zip or a checkout")
        return
    for name in (
        re.split(r"[^\w.-]", requirement)[0]
        for requirement in required
        if "extra ==" not in requirement
    ):
        if name == "pyspark":  # a cluster has its own, which is in no package
            continue
        try:
            yield Diagnosis(name, distribution(name).version)
        except PackageNotFoundError:
            yield Diagnosis(name, "is not installed", f"pip install {name}", command.USAGE)


def _check_own_modules() -> Diagnosis:
    """Our packages must come from one place, and their files be those that were installed."""
    names = ("belvedere_door", *PACKAGES)
    files = {name: import_module(name).__file__ or "" for name in names}
    places = {name: Path(file).parents[name in PACKAGES] for name, file in files.items()}
    if len(set(places.values())) > 1:
        message = ", ".join(f"{name} in {place}" for name, place in places.items())
        hint = "something else on the path has a package of that name; say PYTHONSAFEPATH=1"
        return Diagnosis("own modules", message, hint, command.USAGE)
    if strange := list(altered()):
        first, _, hint = strange[0].partition("; ")
        others = f", and {len(strange) - 1} more" if len(strange) > 1 else ""
        return Diagnosis("own modules", first + others, hint, command.USAGE)
    return Diagnosis("own modules", f"in {places['belvedere_door']}")


def _check_places(config: RunConfig) -> Iterator[Diagnosis]:
    """Whether what commands write into can be written, and logs that they read are there."""
    folders = {"warehouse": config.warehouse}
    if config.notify is not None and config.notify.mail is not None:
        folders["notify.mail.folder"] = config.notify.mail.folder
    for what, folder in folders.items():
        if "://" not in (place := root_of(folder)):
            yield _diagnosed_folder(what, place, why_unwritable(place))
    for log in config.usage:
        try:
            if log.source is None or log.source in config.sources:  # it may be a catalog of one
                meaning(log, config)
            count = sum(len(files) for files, _ in groups_of(log))
            yield Diagnosis(f"usage {log.kind}", quantity(count, "file"))
        except BelvedereError as error:
            yield Diagnosis(f"usage {log.kind}", error.message, error.hint, command.USAGE)


def _diagnosed_folder(what: str, folder: str, why: str) -> Diagnosis:
    if not why:
        return Diagnosis(what, f"{folder} can be written")
    hint = f"let this user write there, or name another folder as `{what}`"
    return Diagnosis(what, f"cannot be written: {why}", hint, command.USAGE)


def _check_spark() -> Diagnosis:
    try:
        spark = spark_session("doctor")
        counted = spark.range(_ROWS, numPartitions=2).mapInArrow(Carried(_echo), "id long").count()
        message = f"{spark.version} on {spark.sparkContext.master}, Python workers answer"
    except (PySparkException, Py4JError, RuntimeError) as error:
        hint = "does PYSPARK_PYTHON name a Python of the driver's version, with the packages?"
        return Diagnosis("Spark", str(error).partition("\n")[0], hint, command.USAGE)
    if counted != _ROWS:
        hint = "its Python workers lose rows: are driver and executors of one version?"
        return Diagnosis("Spark", f"counted {counted} rows of {_ROWS}", hint, command.CRASHED)
    return Diagnosis("Spark", message)


def _check_far_warehouse(config: RunConfig) -> Iterator[Diagnosis]:
    """Whether a warehouse can be written that only Spark reaches."""
    place = root_of(config.warehouse)
    if "://" in place:
        storage = storage_of(place, spark_session("doctor"))
        yield _diagnosed_folder("warehouse", place, why_unwritable_elsewhere(place, storage))


def _check_judges(config: RunConfig) -> Iterator[Diagnosis]:
    """The engines' parsers; one that is not there is no fault: its verdicts are "not judged"."""
    engine_versions = versions(config.settings)
    for provided in provide(
        spark_session("doctor"), config.engines, config.jars_dir, versions=engine_versions
    ):
        subject = f"judge {provided.engine}"
        try:
            yield (
                Diagnosis(subject, "not available", provided.missing)
                if provided.missing
                else Diagnosis(subject, provided.judge().version)
            )
        except BelvedereError as error:
            yield Diagnosis(subject, "not available", f"{error}; {error.hint}")


def _exercise_target(
    config: RunConfig, file: Path, target: str, scratch: str
) -> Iterator[Diagnosis]:
    """What a target makes of a view of each kind; all of it is kept beside the configuration.

    Raises:
        ConfigurationError: There is no such target, or the namespace has no name, or is there.
    """
    if target not in config.targets:
        targets = ", ".join(config.targets) or "none"
        raise ConfigurationError(f"{target!r} is no target", hint=f"targets: {targets}")
    if not scratch.strip():
        raise ConfigurationError("--scratch is empty", hint="name a namespace that is not there")
    answers = []
    with targets_logged_in(config) as lent, lent.targets[target].store() as store:
        server = store.probe().version
        with closing(exercise(store, scratch)) as tried:  # what is in it goes, whatever comes
            for exercise_answer in tried:
                answers.append(exercise_answer)
                yield _diagnosis(exercise_answer)
    place = keep(file, target, server, identity.of_target(config, target), answers)
    agreed = sum(answer.found is Agreement.AS_BELIEVED for answer in answers)
    message = f"{agreed} of {len(answers)} answers as believed, by {server}; kept in {place}"
    yield Diagnosis(f"target {target}", message)


def _diagnosis(answer: ExerciseAnswer) -> Diagnosis:
    match answer.found:
        case Agreement.AS_BELIEVED:
            message = answer.found if answer.believed == TAKEN else f"refused: {answer.believed}"
            return Diagnosis(answer.what, message)
        case Agreement.TAKEN:
            return Diagnosis(
                answer.what, answer.found, "a plan refuses what this target could hold"
            )
        case _:
            hint = "a plan would promise what this target does not hold: leave such views out"
            message = f"{answer.found}: {answer.told}"
            return Diagnosis(answer.what, message, hint, command.FINDINGS)


def _echo(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    return batches


def _reach_systems(config: RunConfig, *, by_executors: bool) -> Iterator[Diagnosis]:
    """Each source and target as the driver reaches it; then as executors do those that answered."""
    systems = _systems(config)
    findings = [reach(name, connector) for name, connector in systems.items()]
    for finding in findings:
        yield Diagnosis(
            finding.what, finding.told, finding.hint, command.UNREAD if finding.failed else 0
        )
    reachable = [finding.what for finding in findings if not finding.failed]
    if config.full_every is not None:
        yield from _check_events(config, reachable)
    if config.grants:
        yield from _check_grants(config, reachable)
    if by_executors and reachable:
        yield from _reach_by_executors(config, reachable)


def _check_events(config: RunConfig, reached: Sequence[str]) -> Iterator[Diagnosis]:
    """Whether the crawls of sources that record their changes can go by that; that is no fault."""
    for name, connector in config.sources.items():
        if f"{SOURCE} {name}" in reached:
            finding = read_events(f"events of {name}", connector)
            if finding is not None:
                yield Diagnosis(finding.what, finding.told, finding.hint)


def _check_grants(config: RunConfig, reached: Sequence[str]) -> Iterator[Diagnosis]:
    """Whether the sources tell who may do what, where a crawl asks that."""
    for name, connector in config.sources.items():
        if f"{SOURCE} {name}" in reached:
            finding = ask_grants(f"grants of {name}", connector)
            if finding is not None:
                code = command.UNREAD if finding.failed else command.FINE
                yield Diagnosis(finding.what, finding.told, finding.hint, code)


def _reach_by_executors(config: RunConfig, wanted: Sequence[str]) -> Iterator[Diagnosis]:
    spark = spark_session("doctor")
    with sources_logged_in(config) as logged_in, targets_logged_in(logged_in) as lent:
        systems = {name: system for name, system in _systems(lent).items() if name in wanted}
        asked = one_partition_each(spark, systems)
        try:
            rows = asked.mapInArrow(
                Carried(reach_all(systems)), from_arrow_schema(REACHED)
            ).collect()
        except (PySparkException, Py4JError) as error:
            message, hint = str(error).partition("\n")[0], "see the executors' logs"
            yield Diagnosis("executors", message, hint, command.UNREAD)
            return
    for subject, message, hint, failed in rows:
        yield Diagnosis(f"{subject}, executor", message, hint, command.UNREAD if failed else 0)


def _systems(config: RunConfig) -> dict[str, Connector]:
    """Sources and targets by what they are."""
    sources = {f"{SOURCE} {name}": source for name, source in config.sources.items()}
    return sources | {f"{TARGET} {name}": target for name, target in config.targets.items()}


if __name__ == "__main__":
    sys.exit(main())
