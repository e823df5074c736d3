"""Have Spark and Trino make functions and views that call them; ask four engines of each view.

`python -m tests.live.record_function_views` writes tests/golden/function_views.json anew, within
some minutes; it fetches what the live tests of Flink and Trino fetch.

A view that its engine does not make is made with another text, and then given its own. At last some
functions are changed or dropped.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from pyspark.errors import PySparkException

from connectors.clients.metastore import Metastore
from connectors.clients.thrift.login import MetastoreLogin
from connectors.hms import HiveMetastore, Options
from discovery.model import FLINK, HIVE, SPARK, TRINO
from discovery.outcomes import Listed, RawObject
from discovery.ports import CrawlTask
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.thrift_writer import writer
from tests import function_views
from tests.live import record_estate_views as estate
from tests.live.estate_engines import DATABASE, PREFIX, Engine, SparkEngine, TrinoEngine, edited

_TEXTS: Final = Path(__file__).parent / "estate"
_MAKERS: Final = {SPARK: SPARK, TRINO: estate.ON}
"""Which of an engine's settings makes its views."""
_ANSI: Final = "spark.sql.ansi.enabled"
_SELECT: Final = "SELECT 1 AS c"
_ASKED: Final = (SPARK, HIVE, FLINK, TRINO)
_HOME: Final = {SPARK: "fun", TRINO: "hive.fun"}
"""Where functions are that do not say it."""
_PATH: Final = {"X-Trino-Path": "hive.fun"}
_RECIPE: Final = "record_function_views"


def _lines(name: str) -> Iterator[tuple[str, str]]:
    for line in (_TEXTS / f"{name}.sql").read_text(encoding="utf-8").splitlines():
        head, _, text = line.partition(": ")
        yield head, text


def _functions(engine: str) -> Iterator[tuple[str, str]]:
    """Each function's name, and what makes it."""
    for name, text in _lines(f"{engine}_functions"):
        whole = name if "." in name else f"{_HOME[engine]}.{name}"
        yield name, f"CREATE FUNCTION {whole}{'' if text.startswith('(') else ' '}{text}"


def _views(engine: str) -> dict[str, str]:
    """The engine's views by name, and their texts."""
    return {f"{PREFIX[engine]}_{name}": text for name, text in _lines(f"{engine}_calls")}


def _changes(engine: str) -> list[str]:
    found: dict[str, list[str]] = json.loads((_TEXTS / "changed_functions.json").read_text("utf-8"))
    return found[engine]


def _said(engine: Engine, sql: str, more: Mapping[str, str] | None = None) -> str:
    """Why an engine does not carry a statement out; empty: it does."""
    if isinstance(engine, TrinoEngine):
        place = {"X-Trino-Catalog": engine.catalog, "X-Trino-Schema": DATABASE, **(more or {})}
        return engine.trino.asked(sql, place)[1]
    assert isinstance(engine, SparkEngine)
    try:
        engine.session.sql(sql)
    except PySparkException as refusal:
        return str(refusal).partition("\n")[0]
    return ""


def _make(name: str, engine: Engine) -> dict[str, str]:
    """Make an engine's functions and views; the texts of those that it would not make."""
    if isinstance(engine, SparkEngine):
        engine.session.sql(f"USE {DATABASE}")
    for function, sql in _functions(name):
        if isinstance(engine, SparkEngine):
            engine.session.conf.set(_ANSI, str(function != "lenient").lower())
        said = _said(engine, sql)
        assert not said, f"{sql}: {said}"
    refused = {}
    for view, text in _views(name).items():
        more = _PATH if "_by_path" in view else None
        if why := _said(engine, f"CREATE VIEW {view} AS {text}", more):
            print(view, why, sep="\t")
            refused[view] = text
            assert not _said(engine, f"CREATE VIEW {view} AS {_SELECT}", more)
    for sql in _changes(name):
        said = _said(engine, sql)
        assert not said, f"{sql}: {said}"
    return refused


def _made(
    metastore: EmbeddedMetastore, refused: Mapping[str, Mapping[str, str]]
) -> Iterator[dict[str, Any]]:
    """The entries of the views, some with another text."""
    with HiveMetastore(Options(uri=metastore.uri)) as source:
        for engine in _MAKERS:
            for name in _views(engine):
                (answer,) = source.load(CrawlTask("s", (Listed((DATABASE,), name),)))
                assert isinstance(answer, RawObject), answer
                entry = estate.plain(answer.payload)
                text = refused[engine].get(name)
                yield edited(engine, entry, text) if text else entry


def _kept(metastore: EmbeddedMetastore) -> Iterator[dict[str, Any]]:
    """The entries of the functions, less what is of the day."""
    names = ("functionName", "dbName", "className", "ownerName", "ownerType", "functionType")
    with closing(Metastore(MetastoreLogin(uri=metastore.uri))) as client:
        for function in client.functions():
            files = list(function.get("resourceUris") or ())
            yield {**{name: function.get(name) for name in names}, "resourceUris": files}


def _asked(keys: Sequence[str], found: Mapping[str, Any]) -> dict[str, Any]:
    """What each engine says of each view, on a metastore that has all that was made."""
    answers = {}
    for name in _ASKED:
        with estate.running() as (metastore, folder):
            function_views.fill(metastore, found)
            with estate.ENGINES[name](metastore, folder) as engines:
                asked = engines[_MAKERS.get(name, name)]
                answers[name] = dict(asked.asked(keys))
    return answers


def main() -> None:
    """Make, ask, and write the file: an entry or an answer a line."""
    refused = {}
    with estate.running() as (metastore, folder):
        place = metastore.warehouse.as_uri()
        with writer(metastore.uri) as connection:
            for database in function_views.DATABASES:
                connection.create_database(database, f"{place}/{database}.db")
            for entry in function_views.tables(place):
                connection.create_table(entry)
        for name, maker in _MAKERS.items():
            with estate.ENGINES[name](metastore, folder) as engines:
                refused[name] = _make(name, engines[maker])
        views, functions = list(_made(metastore, refused)), list(_kept(metastore))
    found = {"provenance": estate.provenance(_RECIPE), "functions": functions, "views": views}
    keys = [f"{DATABASE}.{view['tableName']}" for view in views]
    _write({**found, "answers": _asked(keys, found)})


def _write(found: Mapping[str, Any]) -> None:
    parts = [f' "provenance": {estate.line(found["provenance"])}']
    for name in ("functions", "views"):
        lines = ",\n  ".join(map(estate.line, found[name]))
        parts.append(f' "{name}": [\n  {lines}\n ]')
    parts.append(f' "answers": {{\n{estate.told(found["answers"])}\n }}')
    function_views.CORPUS.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
