"""Where the judges' jars come from: a folder, our cache, or Maven through Spark's own resolver."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from py4j.protocol import Py4JError
from pyspark.sql import SparkSession

from connectors.judges import jars
from connectors.judges.host import NEWER_JAVA, Release, java_version
from connectors.judges.jars import Jar
from discovery.errors import BelvedereError, JudgeUnavailableError
from jobs.assessing.workers.views import Provided

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


def provide(
    spark: SparkSession, engines: Sequence[str], jars_dir: str | None, *, analyzers: bool = False
) -> tuple[Provided, ...]:
    """Find or fetch the jars of judges, check them, and let Spark ship them to the executors.

    A judge that cannot be had is no error: its verdicts are "not judged", with the reason. One that
    has a newer parser for a newer Java gets it where such a Java and the jars are here.

    Args:
        spark: Ships the files; its resolver and settings (`spark.jars.ivySettings`) fetch them.
        engines: Names of judges.
        jars_dir: A folder with the jars, under Maven's names; None: they are fetched.
        analyzers: Whether the names are those of analyzers.
    """
    wanted = (Provided(engine, analyzes=analyzers) for engine in engines)
    return tuple(_provided(spark, one, jars_dir) for one in wanted)


def _provided(spark: SparkSession, judge: Provided, jars_dir: str | None) -> Provided:
    missing = ""
    try:
        releases = _releases(judge.kind.connector())
    except BelvedereError as error:
        return replace(judge, missing=f"{error}; {error.hint}")
    for wanted in releases:
        try:
            paths = _found(spark, wanted, jars_dir)
        except BelvedereError as error:
            missing = f"{error}; {error.hint}"
            continue
        for path in paths:
            spark.sparkContext.addFile(str(path))
        files = tuple(path.name for path in paths)
        return replace(judge, files=files, java_home=os.environ.get(NEWER_JAVA))
    return replace(judge, missing=missing)


def _releases(judge: type[Any]) -> tuple[tuple[Jar, ...], ...]:
    """The jars of a judge, the newest that our Java runs first."""
    newer: Release | None = getattr(judge, "newer", None)
    runs = newer is not None and java_version(os.environ.get(NEWER_JAVA)) >= newer.java
    return (newer.jars, judge.jars) if newer and runs else (judge.jars,)


def _found(spark: SparkSession, wanted: Sequence[Jar], jars_dir: str | None) -> tuple[Path, ...]:
    if jars_dir is not None:
        return jars.pinned(Path(jars_dir), wanted)
    cache = _cache()
    with suppress(JudgeUnavailableError):
        return jars.pinned(cache, wanted)
    with tempfile.TemporaryDirectory(prefix="belvedere-jars-") as place:
        for some in filter(None, (wanted[:1], wanted[1:])):  # without a network, it waits for each
            _fetch(spark, some, Path(place))
        cache.mkdir(parents=True, exist_ok=True)
        for path in jars.pinned(Path(place), wanted):
            whole = cache / f".{path.name}.{os.getpid()}"
            shutil.copyfile(path, whole)
            whole.replace(cache / path.name)  # another process may be at the same
    return jars.pinned(cache, wanted)


def _cache() -> Path:
    """The user's cache: `$XDG_CACHE_HOME/belvedere/jars`, by default below `~/.cache`."""
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(home).expanduser() / "belvedere" / "jars"


def _fetch(spark: SparkSession, wanted: Sequence[Jar], place: Path) -> None:
    """Put the jars into a folder, by the resolver that `spark.jars.packages` uses.

    Raises:
        JudgeUnavailableError: It cannot have them.
    """
    jvm: Any = spark._jvm  # noqa: SLF001 - there is no public way to Spark's resolver
    settings = place / "ivysettings.xml"
    settings.write_text(_SETTINGS, encoding="utf-8")
    conf = spark.sparkContext.getConf()
    chosen = conf.get("spark.jars.ivySettings") or str(settings)
    some, maven = jvm.scala.Option.apply, jvm.org.apache.spark.util.MavenUtils
    quiet = jvm.java.io.PrintStream(jvm.java.io.OutputStream.nullOutputStream())
    no_exclusions = getattr(maven, "resolveMavenCoordinates$default$5")()
    try:
        repositories = some(conf.get("spark.jars.repositories"))
        ivy = maven.loadIvySettings(chosen, repositories, some(str(place / "ivy")), quiet)
        coordinates = ",".join(jar.coordinate for jar in wanted)
        fetched = maven.resolveMavenCoordinates(
            coordinates, ivy, some(None), False, no_exclusions, False, quiet
        )
    except Py4JError as error:
        told = str(getattr(error, "java_exception", error)).partition("\n")[0]
        raise JudgeUnavailableError(
            f"Spark's resolver cannot fetch {wanted[0].coordinate}: {told}",
            hint="say jars_dir and put the jars there, or name a mirror in spark.jars.ivySettings",
        ) from error
    for path in map(Path, fetched.mkString("\n").split("\n")):
        for jar in wanted:  # Ivy puts the group before the name
            if path.name.endswith(f"_{jar.file}"):
                shutil.move(path, place / jar.file)
