"""Have Spark, Hive, Flink and Trino make views, change tables, and ask each engine of each view.

`python -m tests.live.record_estate_views` writes tests/golden/estate_views.json anew, within
a quarter of an hour; it fetches what the live tests of Flink and Trino fetch. With the names of
engines, it asks these anew about the views that are in the file.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pyspark
from pyspark.sql import SparkSession

from connectors.hms import HiveMetastore, Options
from discovery.model import FLINK, HIVE, SPARK, TRINO
from discovery.outcomes import Listed, RawObject
from discovery.ports import CrawlTask
from jobs.console.session import spark_session
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.embedded.thrift_writer import writer
from tests import estate_views
from tests.live import fetched, trino_server
from tests.live.estate_engines import (
    DATABASE,
    Engine,
    FlinkEngine,
    HiveEngine,
    SparkEngine,
    TrinoEngine,
    edited,
    edits,
    statements,
)
from tests.live.flink_session import Flink
from tests.live.trino_server import Trino

_CATALOG: Final = "connector.name=hive\nhive.metastore.uri={uri}\nfs.hadoop.enabled=true\n"
_SETTING: Final = "hive.hive-views.enabled=true\n"
ON: Final = "trino hive_views=true"
IN_HIVES: Final = "flink dialect=hive"
_RECIPE: Final = "record_estate_views"
_KEPT: Final = ("dbName", "tableName", "tableType", "owner", "partitionKeys", "parameters")
_OF_THE_DAY: Final = ("transient_lastDdlTime", "trino_query_id")
Opened = AbstractContextManager[Mapping[str, Engine]]
Opener = Callable[[EmbeddedMetastore, Path], Opened]
"""What starts an engine; by name, with its settings."""


@contextmanager
def _spark(metastore: EmbeddedMetastore, _: Path) -> Iterator[Mapping[str, Engine]]:
    settings = {
        "spark.master": "local[1]",
        "spark.hadoop.hive.metastore.uris": metastore.uri,
        "spark.sql.catalogImplementation": "hive",
        "spark.sql.warehouse.dir": metastore.warehouse.as_uri(),
    }
    session: SparkSession = spark_session("views", settings)
    try:
        yield {SPARK: SparkEngine(session)}
    finally:
        session.stop()


@contextmanager
def _hive(metastore: EmbeddedMetastore, folder: Path) -> Iterator[Mapping[str, Engine]]:
    yield {HIVE: HiveEngine(metastore.uri, folder / "hive", fetched.hive_server("mvn"))}


@contextmanager
def _flink(metastore: EmbeddedMetastore, folder: Path) -> Iterator[Mapping[str, Engine]]:
    place = metastore.uri, folder / "flink"
    yield {
        FLINK: FlinkEngine(Flink("java", fetched.flink("mvn")), *place),
        IN_HIVES: FlinkEngine(Flink("java", fetched.flink_for_hive("mvn"), "hive"), *place),
    }


@contextmanager
def _trino(metastore: EmbeddedMetastore, folder: Path) -> Iterator[Mapping[str, Engine]]:
    java = trino_server.java_home()
    assert java is not None, f"no Java {trino_server.JAVA}"
    off = _CATALOG.format(uri=metastore.uri)
    catalogs = {"hive": off + _SETTING, "off": off}
    folder = Path(tempfile.mkdtemp(dir=folder))
    with trino_server.trino(fetched.trino("mvn"), java, folder, catalogs) as running:
        yield _with(running)


def _with(trino: Trino) -> Mapping[str, Engine]:
    return {TRINO: TrinoEngine(trino, "off"), ON: TrinoEngine(trino, "hive")}


ENGINES: Final[Mapping[str, Opener]] = {SPARK: _spark, HIVE: _hive, FLINK: _flink, TRINO: _trino}


def main() -> None:
    """Make views where no engine is named, and ask the engines: those that are named, else all."""
    named = sys.argv[1:]
    if not named:
        with running() as (metastore, folder):
            views = list(_make(metastore, folder))
        write({"provenance": provenance(_RECIPE), "views": views, "answers": {}})
    for name in named or ENGINES:
        found = estate_views.corpus()
        keys = list(estate_views.formats(found))
        with running() as (metastore, folder):
            place = metastore.warehouse.as_uri()
            _fill(metastore.uri, estate_views.entries(found, place), place)
            with ENGINES[name](metastore, folder) as engines:
                said = {setting: engine.asked(keys) for setting, engine in engines.items()}
        write({**found, "provenance": provenance(_RECIPE), "answers": {**found["answers"], **said}})


@contextmanager
def running() -> Iterator[tuple[EmbeddedMetastore, Path]]:
    """An empty metastore, and a folder."""
    with (
        tempfile.TemporaryDirectory() as place,
        embedded_metastore(Path(place) / "hms") as metastore,
    ):
        yield metastore, Path(place)


def _make(metastore: EmbeddedMetastore, folder: Path) -> Iterator[dict[str, Any]]:
    """The entries that the engines make, of which each is started once."""
    place = metastore.warehouse.as_uri()
    _fill(metastore.uri, estate_views.tables(estate_views.TABLES, place), place)
    for name, opened in ENGINES.items():
        with opened(metastore, folder) as engines:
            maker = engines[ON if name == TRINO else name]  # with the catalog that is called `hive`
            more = [made for made, _ in edits(name).values()]
            refused = maker.make([*statements(name), *more])
            assert not refused, refused
    yield from _made(metastore.uri)


def _fill(uri: str, entries: Iterable[Mapping[str, Any]], place: str) -> None:
    with writer(uri) as connection:
        for entry in entries:
            connection.create_database(entry["dbName"], f"{place}/{entry['dbName']}.db")
            connection.create_table(entry)


def _made(uri: str) -> Iterator[dict[str, Any]]:
    """The entries that the engines have left, less what is of the day; some get other texts."""
    with HiveMetastore(Options(uri=uri)) as source:
        for engine in ENGINES:
            texts = {name: text for name, (_, text) in edits(engine).items()}
            made = [statement.split()[2].partition("(")[0] for statement in statements(engine)]
            for name in (*made, *texts):
                (answer,) = source.load(CrawlTask("s", (Listed((DATABASE,), name),)))
                if isinstance(answer, RawObject):
                    entry = plain(answer.payload)
                    yield edited(engine, entry, texts[name]) if name in texts else entry


def plain(payload: Mapping[str, Any]) -> dict[str, Any]:
    """An entry, less what is of the day."""
    kept = {name: payload[name] for name in _KEPT if name in payload}
    kept["parameters"] = {k: v for k, v in kept["parameters"].items() if k not in _OF_THE_DAY}
    texts = {name: payload[name] for name in ("viewOriginalText", "viewExpandedText")}
    cols = [{"name": column["name"], "type": column["type"]} for column in payload["sd"]["cols"]]
    return {**kept, **texts, "sd": {"cols": cols, "serdeInfo": {"parameters": {}}}}


def provenance(recipe: str) -> dict[str, Any]:
    """Which engines have answered, when, and who has asked them."""
    return {
        "engines": {
            SPARK: pyspark.__version__,
            HIVE: fetched.HIVE,
            FLINK: fetched.FLINK,
            TRINO: fetched.TRINO,
        },
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "recipe": f"tests/live/{recipe}.py",
    }


def write(found: Mapping[str, Any]) -> None:
    """The file, an entry or an answer a line."""
    views = ",\n  ".join(map(line, found["views"]))
    parts = [
        f' "provenance": {line(found["provenance"])}',
        f' "views": [\n  {views}\n ]',
        f' "answers": {{\n{told(found["answers"])}\n }}',
    ]
    estate_views.CORPUS.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def told(answers: Mapping[str, Mapping[str, str]]) -> str:
    """What engines have answered, an answer a line."""
    parts = []
    for engine, said in answers.items():
        lines = [f"{line(key)}: {line(one)}" for key, one in said.items()]
        parts.append(f"  {line(engine)}: {{\n   " + ",\n   ".join(lines) + "\n  }")
    return ",\n".join(parts)


def line(value: object) -> str:
    """A value on one line."""
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main()
