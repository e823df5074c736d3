"""The corpus of `tests/estate_views.py`, crawled and assessed, beside what live engines answered.

`python -m tests.judged_estate` prints where they differ, and makes their rates the limit that
`tests/spark/test_rates.py` holds; `make docs` then shows them in docs/judges.md.
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from pyspark.sql import SparkSession

from discovery.judging.matrix import Reading
from discovery.model import FLINK, HIVE, SPARK, TRINO
from jobs.assess import assess_run
from jobs.console.session import spark_session
from jobs.crawl import crawl_estate
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.embedded.thrift_writer import writer
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests import estate_views, rates
from tests.conftest import QUICK_SPARK, estate_in
from tests.hive_views import Key
from tests.rates import Judged

_OFF: Final[Mapping[str, Any]] = {TRINO: {}}
_ON: Final[Mapping[str, Any]] = {
    SPARK: {},
    HIVE: {},
    FLINK: {"version": "1.20", "analyze": True},  # of which the live answers are
    TRINO: {"hive_views": True},
}
_NAMES: Final = {FLINK: "flink version=1.20", TRINO: "trino hive_views=true"}
"""What an engine is called with its settings, where it has any."""
_ANSWERED: Final = {_NAMES[FLINK]: FLINK}
"""What it is called among the live answers, where that is another name."""
_CATALOGS: Final = {FLINK: {"hc": "lake"}, TRINO: {"hive": "lake"}}


class Case(NamedTuple):
    """A cell, and where it comes from."""

    key: Key
    judged: Judged
    reason: str | None
    refusal: str


def cases(spark: SparkSession, folder: Path) -> list[Case]:
    """Every cell of the corpus, of Trino's with its setting on and off."""
    corpus = estate_views.corpus()
    with embedded_metastore(folder / "hms") as metastore:
        fill(metastore, corpus)
        on = _matrix(spark, metastore, folder / "on", _ON)
        off = _matrix(spark, metastore, folder / "off", _OFF)
    return [*_beside(corpus, on, _NAMES), *_beside(corpus, off, {})]


def fill(metastore: EmbeddedMetastore, corpus: Mapping[str, Any]) -> None:
    """Put the corpus into a metastore."""
    place = metastore.warehouse.as_uri()
    with writer(metastore.uri) as connection:
        for entry in estate_views.entries(corpus, place):
            connection.create_database(entry["dbName"], f"{place}/{entry['dbName']}.db")
            connection.create_table(entry)


def _matrix(
    spark: SparkSession, metastore: EmbeddedMetastore, folder: Path, engines: Mapping[str, Any]
) -> list[dict[str, Any]]:
    folder.mkdir()
    sources = {"lake": {"kind": "hms", "uri": metastore.uri}}
    catalogs = {name: catalog for name, catalog in _CATALOGS.items() if name in engines}
    config = estate_in(folder)(sources, engines=engines, catalogs=catalogs)
    run_id = crawl_estate(spark, config).run_id
    assess_run(spark, config, run_id)
    return list(Warehouse(config.warehouse).table(TABLES["matrix"], run_id))


def _beside(
    corpus: Mapping[str, Any], matrix: list[dict[str, Any]], names: Mapping[str, str]
) -> Iterator[Case]:
    forms = estate_views.formats(corpus)
    rows = {(row["engine"], row["key"]): row for row in matrix}
    for engine in dict.fromkeys(row["engine"] for row in matrix):
        name = names.get(engine, engine)
        for key, form in forms.items():
            row, refusal = rows[engine, key], corpus["answers"][_ANSWERED.get(name, name)][key]
            judged = Judged(name, form, row["status"], row["grade"], not refusal)
            yield Case(key, judged, row["reason"], refusal)


def main() -> None:
    """Judge, print what differs, and record the rates."""
    with tempfile.TemporaryDirectory() as folder:
        spark = spark_session("rates", {"spark.master": "local[2]", **QUICK_SPARK})
        all_cases = cases(spark, Path(folder))
        spark.stop()
    accepts = {Reading.NATIVE, Reading.PORTABLE}
    for case in all_cases:
        judged = case.judged
        if judged.status == Reading.NOT_JUDGED or (judged.status in accepts) != judged.reads:
            status = f"{judged.status} {judged.grade} {case.reason}"
            print(judged.engine, judged.form, case.key, status, case.refusal, sep="\t")
    rates.record(rates.rates(case.judged for case in all_cases))
    print(rates.table(rates.recorded()), file=sys.stderr)


if __name__ == "__main__":
    main()
