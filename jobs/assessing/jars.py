"""Where the judges' jars come from: a folder, our cache, or Maven through Spark's own resolver."""

import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from py4j.java_gateway import JavaObject
from py4j.protocol import Py4JError
from pyspark.sql import SparkSession

from connectors import registry
from connectors.clients.java import java_version
from connectors.judges import jars
from connectors.judges.host import NEWER_JAVA, Release
from connectors.judges.jars import Jar
from discovery.errors import BelvedereError, JudgeUnavailableError
from discovery.judging import analyzers as analyzers_of
from jobs.assessing.drafting import analyzer_for
from jobs.assessing.workers.views import Provided
from jobs.configuration.engines import versions as versions_of
from jobs.configuration.loader import RunConfig
from jobs.warehouse.placing import replace_file

_SETTINGS: Final = """\
<ivysettings>
  <settings defaultResolver="central"/>
  <timeout-constraints>
    <timeout-constraint name="patience" connectionTimeout="10000" readTimeout="60000"/>
  </timeout-constraints>
  <resolvers>
    <ibiblio name="central" m2compatible="true" usepoms="false" timeoutConstraint="patience"/>
  </resolvers>
</ivysettings>
"""  # without POMs: Trino's parents name hundreds of others, a minute of fetching for five jars
_KEPT: Final = "let XDG_CACHE_HOME name a folder to write into, or `jars_dir` one with the jars"


def provide(
    spark: SparkSession,
    engines: Sequence[str],
    jars_dir: str | None,
    *,
    analyzers: bool = False,
    versions: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Provided, ...]:
    """Find or fetch the jars of judges, check them, and let Spark ship them to the executors.

    A judge that cannot be had is no error: its verdicts are "not judged", with the reason. One that
    has a newer parser for a newer Java gets it where such a Java and the jars are here.

    Args:
        spark: Ships the files; its resolver and settings (`spark.jars.ivySettings`) fetch them.
        engines: Names of judges.
        jars_dir: A folder with the jars, under Maven's names; None: they are fetched.
        analyzers: Whether the names are those of analyzers.
        versions: What the estate runs of an engine, where it says so.
    """
    wanted = [Provided(engine, analyzes=analyzers) for engine in engines]
    return tuple(
        _provide_judge(spark, provided, jars_dir, versions.get(provided.speaks_for))
        for provided in wanted
    )


def jars_to_fetch(config: RunConfig) -> set[tuple[Jar, ...]]:
    """The jars of the judges and analyzers of an estate, those of newer parsers included."""
    engine_versions = versions_of(config.settings)
    drafted = (analyzer_for(dialect, by) for dialect, by in config.drafts.items())
    names = {*analyzers_of.analyzers_for(config.engines, config.settings), *drafted}
    judges = [Provided(engine) for engine in config.engines]
    jar_sets: set[tuple[Jar, ...]] = set()
    for provided in (*judges, *(Provided(name, analyzes=True) for name in names)):
        with suppress(BelvedereError):  # of an extra, or there is none of the version
            judge = provided.kind.connector()
            version = engine_versions.get(provided.speaks_for)
            newer: Release | None = None if version else getattr(judge, "newer", None)
            jar_sets |= {*_choose_releases(judge, version), newer.jars if newer else ()}
    return jar_sets - {()}


def collect_jars(
    spark: SparkSession, folder: Path, asked: Collection[tuple[Jar, ...]] | None = None
) -> Mapping[str, str]:
    """Put jars of judges into a folder, for `jars_dir` of a machine without a network.

    What the cache has is not fetched.

    Args:
        spark: Its resolver fetches what is not in the cache.
        folder: It is made if it is not there.
        asked: The jars; None: those of all releases of all judges, whichever Java is here.

    Returns:
        The coordinate of each jar, with why it could not be had; empty: it is there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    reasons: dict[str, str] = {}
    for wanted in _every_release() if asked is None else asked:
        try:
            for path in _find_jars(spark, wanted, None):
                _copy(path, folder)
        except BelvedereError as error:
            for jar in wanted:
                reasons.setdefault(jar.coordinate, f"{error}; {error.hint}")
            continue
        reasons.update({jar.coordinate: "" for jar in wanted})
    return reasons


def _every_release() -> set[tuple[Jar, ...]]:
    """The jars of each judge that has some, once for each of its releases."""
    jar_sets = set()
    for kind in (*registry.JUDGES.values(), *registry.ANALYZERS.values()):
        with suppress(BelvedereError):  # of an extra, which is no jar
            judge = kind.connector()
            newer: Release | None = getattr(judge, "newer", None)
            others: Mapping[str, Release] = getattr(judge, "others", {})
            releases = (*([newer] if newer else ()), *others.values())
            jar_sets |= {judge.jars, *(judge_known.jars for judge_known in releases)}
    return jar_sets - {()}


def _copy(path: Path, folder: Path) -> None:
    """Copy a file under its own name, whole or not at all: another process may be at the same."""
    replace_file(folder / path.name, path.read_bytes())


def _provide_judge(
    spark: SparkSession, judge: Provided, jars_dir: str | None, version: str | None
) -> Provided:
    missing = ""
    try:
        releases = _choose_releases(judge.kind.connector(), version)
    except BelvedereError as error:
        return replace(judge, missing=f"{error}; {error.hint}")
    for wanted in releases:
        try:
            paths = _find_jars(spark, wanted, jars_dir)
        except BelvedereError as error:
            missing = f"{error}; {error.hint}"
            continue
        for path in paths:
            spark.sparkContext.addFile(str(path))
        files = tuple(path.name for path in paths)
        return replace(judge, files=files, java_home=os.environ.get(NEWER_JAVA))
    return replace(judge, missing=missing)


def _choose_releases(judge: type[Any], version: str | None) -> tuple[tuple[Jar, ...], ...]:
    """The jars of a judge: of the version, else of the newest that our Java runs, and the others.

    Raises:
        JudgeUnavailableError: It has none of that version.
    """
    if version is not None and version in judge.others:
        return (judge.others[version].jars,)
    if version is not None and version not in judge.versions():
        raise JudgeUnavailableError(f"there is none of {version}", hint="the parser judges alone")
    newer: Release | None = getattr(judge, "newer", None)
    runs = newer is not None and java_version(os.environ.get(NEWER_JAVA)) >= newer.java
    return (newer.jars, judge.jars) if newer and runs else (judge.jars,)


def _find_jars(
    spark: SparkSession, wanted: Sequence[Jar], jars_dir: str | None
) -> tuple[Path, ...]:
    """The jars of a judge, fetched into the cache if need be.

    Raises:
        JudgeUnavailableError: They cannot be had, or not kept: whoever runs a service often has no
            home, and no judge is worth a run.
    """
    try:
        if jars_dir is not None:
            return jars.find_pinned_jars(Path(jars_dir), wanted)
        return _fetch_jars(spark, wanted, _cache())
    except OSError as error:
        raise JudgeUnavailableError(
            f"{error.filename or 'the jars'}: {error.strerror or error}", hint=_KEPT
        ) from error


def _fetch_jars(spark: SparkSession, wanted: Sequence[Jar], cache: Path) -> tuple[Path, ...]:
    with suppress(JudgeUnavailableError):
        return jars.find_pinned_jars(cache, wanted)
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="belvedere-jars-") as place:
        resolve = _load_resolver(spark, Path(place))
        for jar in wanted:  # without a network, the first is waited for and no other
            shutil.move(resolve(jar), Path(place, jar.file))
        for path in jars.find_pinned_jars(Path(place), wanted):
            _copy(path, cache)
    return jars.find_pinned_jars(cache, wanted)


def _cache() -> Path:
    """The user's cache: `$XDG_CACHE_HOME/belvedere/jars`, by default below `~/.cache`.

    Raises:
        JudgeUnavailableError: The user has no home, as in a container that gives any number.
    """
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return Path(home).expanduser() / "belvedere" / "jars"
    except RuntimeError as error:
        raise JudgeUnavailableError("the user has no home for the jars", hint=_KEPT) from error


def _load_resolver(spark: SparkSession, place: Path) -> Callable[[Jar], str]:
    """What fetches a jar into a folder: Ivy, with the settings that `spark.jars.packages` uses.

    Not Spark's own resolver, which leaves out every Scala library: Flink's planner needs its own.

    Raises:
        JudgeUnavailableError: The settings are none.
    """
    jvm: Any = spark._jvm  # noqa: SLF001 - there is no public way to Spark's settings of Ivy
    settings = place / "ivysettings.xml"
    settings.write_text(_SETTINGS, encoding="utf-8")
    conf = spark.sparkContext.getConf()
    chosen = conf.get("spark.jars.ivySettings") or str(settings)
    as_option, ivy = jvm.scala.Option.apply, jvm.org.apache.ivy
    quiet = jvm.java.io.PrintStream(jvm.java.io.OutputStream.nullOutputStream())
    ivy.util.Message.setDefaultLogger(ivy.util.DefaultMessageLogger(ivy.util.Message.MSG_ERR))
    try:
        loaded = jvm.org.apache.spark.util.MavenUtils.loadIvySettings(
            chosen,
            as_option(conf.get("spark.jars.repositories")),
            as_option(str(place / "ivy")),
            quiet,
        )
    except Py4JError as error:
        message = str(getattr(error, "java_exception", error)).partition("\n")[0]
        raise JudgeUnavailableError(
            f"{chosen}: {message}", hint="see spark.jars.ivySettings"
        ) from error
    return partial(_resolve, spark, ivy.Ivy.newInstance(loaded))


def _resolve(spark: SparkSession, resolver: JavaObject, jar: Jar) -> str:
    """Where Ivy has put a jar.

    Raises:
        JudgeUnavailableError: It cannot have it.
    """
    jvm: Any = spark._jvm  # noqa: SLF001 - as above
    gateway: Any = spark.sparkContext._gateway  # noqa: SLF001 - the same
    core, confs = jvm.org.apache.ivy.core, gateway.new_array(jvm.String, 1)
    confs[0] = "default"
    options = core.resolve.ResolveOptions().setConfs(confs).setTransitive(False)
    options.setOutputReport(False).setLog("quiet")
    name = core.module.id.ModuleRevisionId.newInstance(*jar.coordinate.split(":"))
    try:
        report = resolver.resolve(name, options, False)
        for getallartifactsreport in report.getAllArtifactsReports():
            if (
                getallartifactsreport.getLocalFile() is not None
                and getallartifactsreport.getExt() == "jar"
            ):
                return str(getallartifactsreport.getLocalFile().toString())
        why = "; ".join(report.getAllProblemMessages())
    except Py4JError as error:
        why = _java_message(error)
    raise JudgeUnavailableError(
        f"{jar.coordinate} cannot be fetched: {why}",
        hint="say jars_dir and put the jars there, or name a mirror in spark.jars.ivySettings",
    )


def _java_message(error: Py4JError) -> str:
    """What Java said, without its trace."""
    return str(getattr(error, "java_exception", error)).partition("\n")[0]
