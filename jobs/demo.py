"""belvedere demo: run all stages on an embedded estate.

Starts a real Hive Metastore and a real PostgreSQL on this machine, loopback only, makes an Iceberg
catalog on SQLite, fills them with views that real engines wrote and with some that are broken on
purpose, and runs all stages: the plan is applied to Gravitino's store in the PostgreSQL and to
another Iceberg catalog, and read back. Drafts for Spark of views of PostgreSQL and Trino are
adopted and written into the metastore, and Spark selects from them. Nothing is left running. The
demo succeeds if everything ended as it was planted, and Spark has the rows.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError
from jobs.configuration import loader
from jobs.console import command
from jobs.console.parsing import folder
from jobs.console.session import spark_session
from jobs.crawling import tables as rows
from jobs.embedded.estate import (
    copy_articles,
    fill_database,
    fill_iceberg,
    fill_metastore,
    need_entries,
)
from jobs.embedded.iceberg import EmbeddedCatalog
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.embedded.postgres import EmbeddedPostgreSQL, embedded_postgresql
from jobs.embedded.selecting import Selecting, adopt_drafts
from jobs.run import RunRequest, run_stages
from jobs.warehouse.warehouse import Warehouse

_PLANTED: Final = {
    "FILE_UNREADABLE": 1,
    "READ_FAILED": 1,
    "INVALID_ENTRY": 1,
    "COLUMNS_FROM_CATALOG": 1,
    "COLUMNS_RENAMED": 1,
    "MAYBE_PAIMON": 1,
    "NOT_IN_MODEL": 34,  # on what Hive's views are partitioned
    "OLDER_VERSIONS": 5,
    "TEXT_OF_TWO": 22,
}

_FOR_SPARK: Final = "spark_in_lake"
_HEADER: Final = "# The estate of the demo, as `belvedere demo` runs it.\n"
_ESTATE: Final = """\
warehouse: warehouse
sources:
  lake:
    kind: hms
    uri: {metastore}
    locations: ["{lake}"]
  shop:
    kind: postgresql
    url: {shop}
    user: reader
  ice:
    kind: iceberg-jdbc
    url: {ice}
targets:
  lake_in_gravitino:
    kind: gravitino-store
    url: {gravitino}
    user: postgres
    metalake: demo
    catalog: lake
    provider: hive
    accept_unserved: true
  shop_in_gravitino:
    kind: gravitino-store
    url: {gravitino}
    user: postgres
    metalake: demo
    catalog: shop
    provider: lakehouse-generic
    accept_unserved: true
  ice_in_gravitino:
    kind: gravitino
    provider: lakehouse-iceberg
    iceberg-jdbc:
      url: {served}
      warehouse: {warehouse}
  {for_spark}:
    kind: hms
    uri: {metastore}
catalogs:
  spark: {{prod: ice, shop: shop}}
drafts: {{spark: sqlglot}}
mapping:
  - source: shop
    include: [shop.cheap, shop.guarded]
    dialects: [spark]
    target: {for_spark}
    namespace: [for_spark]
    catalogs: {{shop: spark_catalog}}
  - source: lake
    include: [sales.v_plain, sales.v_invoker]
    dialects: [spark]
    target: {for_spark}
    namespace: [for_spark]
  - {{source: lake, target: lake_in_gravitino}}
  - {{source: shop, target: shop_in_gravitino}}
  - {{source: ice, target: ice_in_gravitino}}
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "--out", type=folder, default=Path("demo"), metavar="DIR", help="folder for what it writes"
    )
    command.with_json(parser, "one JSON object at the end")


def run(args: argparse.Namespace) -> int:
    """Make the estate, run all stages, compare with what was planted."""
    folder, clock = args.out.resolve(), time.monotonic()
    make_room(folder)
    need_entries()
    with (
        tempfile.TemporaryDirectory(prefix="belvedere-") as place,
        embedded_postgresql(Path(place) / "postgresql") as postgresql,
        embedded_metastore(Path(place) / "hms") as metastore,
    ):
        command.say("starting Spark, filling the estate")
        spark = _start_session(metastore)
        fill_metastore(spark, metastore)
        fill_database(postgresql)
        copied = copy_articles(spark, postgresql)
        command.say(f"copied {copied} rows of PostgreSQL's shop.article into the lake, for Spark")
        ice = _fill_iceberg_catalog(Path(place) / "iceberg")
        (folder / "iceberg").mkdir()
        estate = folder / "estate.yaml"
        estate.write_text(_estate_text(folder, metastore, postgresql, ice), encoding="utf-8")
        adopt = partial(adopt_drafts, target=_FOR_SPARK)
        wanted = RunRequest(estate, folder / "report", apply=True, decide=adopt)
        run_id, code = run_stages(spark, loader.load(estate), wanted)
        warehouse = Warehouse(str(folder / "warehouse"))
        counts = _code_counts(warehouse, run_id)
        asked = Selecting(spark, postgresql, {"shop": "shop", "lake": None})
        selected = asked.select(warehouse, run_id, folder / "report" / "plan")
        spark.stop()
    command.say(f"{time.monotonic() - clock:.0f} s in all; nothing is left running")
    planted = code == command.UNREAD and counts == _PLANTED
    fine = planted and selected
    if args.json:
        answer = {"run_id": run_id, "report": str(folder / "report"), "as_planted": planted}
        print(json.dumps(answer | {"selected": selected}))
    else:
        _tell(code, counts, folder, as_planted=planted)
        if not selected:
            print("Spark does not have the rows of all views whose drafts were adopted: see above")
    return command.FINE if fine else command.CRASHED


def make_room(folder: Path) -> None:
    """Make the folder, empty; it is cleared only if an earlier demo wrote it.

    Raises:
        ConfigurationError: It holds something else.
    """
    estate = folder / "estate.yaml"
    if folder.is_dir() and any(folder.iterdir()):
        if not estate.is_file() or not estate.read_bytes().startswith(_HEADER.encode()):
            hint = "the demo clears its folder: name a new or empty one, or one of an earlier demo"
            raise ConfigurationError(f"{folder} is not empty and not a demo's", hint=hint)
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _start_session(metastore: EmbeddedMetastore) -> SparkSession:
    """A session that also makes views in the metastore, as an engine of the estate would."""
    return spark_session(
        "demo",
        {
            "spark.hadoop.hive.metastore.uris": metastore.uri,
            "spark.sql.catalogImplementation": "hive",
            "spark.sql.warehouse.dir": metastore.warehouse.as_uri(),
        },
    )


def _fill_iceberg_catalog(folder: Path) -> str:
    """Fill an Iceberg catalog; its URL."""
    catalog = EmbeddedCatalog(folder)
    fill_iceberg(catalog)
    catalog.close()
    return catalog.url


def _estate_text(
    folder: Path, metastore: EmbeddedMetastore, postgresql: EmbeddedPostgreSQL, ice: str
) -> str:
    lake = metastore.warehouse.as_uri()
    urls = {"shop": postgresql.url("shop"), "gravitino": postgresql.url("gravitino"), "ice": ice}
    served = folder / "iceberg"
    target = {"served": f"sqlite:///{served}/catalog.db", "warehouse": served.as_uri()}
    return _HEADER + _ESTATE.format(
        metastore=metastore.uri, lake=lake, for_spark=_FOR_SPARK, **urls, **target
    )


def _code_counts(warehouse: Warehouse, run_id: str) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for row in warehouse.table(rows.OUTCOMES, run_id, where={"outcome": ["failure", "view"]}):
        for code in [row["code"], *(note["code"] for note in row["notes"])]:
            if code is not None:
                counts[code] = counts.get(code, 0) + 1
    command.say(f"sources: {', '.join(warehouse.run(run_id).record.sources)}")
    return counts


def _tell(code: int, counts: Mapping[str, int], folder: Path, *, as_planted: bool) -> None:
    """Say where everything is, and whether it ended as planted."""
    print(f"the page:    {folder / 'report' / 'belvedere.html'}")
    print(f"the views:   belvedere views --warehouse {folder / 'warehouse'}")
    print(f"the judges:  belvedere verdicts --warehouse {folder / 'warehouse'}")
    print(f"the order:   belvedere waves --warehouse {folder / 'warehouse'}")
    print(f"exit code {code} of the run: {command.EXIT_CODES[code]}")
    if as_planted:
        print("that is expected: one entry is poisoned, one Iceberg view has lost its metadata")
        print("file and one has metadata of an unknown version, one view of PostgreSQL may not be")
        print("read: its columns come from the catalog; the plan sets three aside, as their tables")
        print("are gone, one whose name Gravitino does not take, two whose short names Flink would")
        print("not find there, and those that wait for a draft until it is adopted, which was")
        print("done; all others were written")
    else:
        print(f"planted were {_PLANTED}, found were {dict(counts)}")


if __name__ == "__main__":
    sys.exit(main())
