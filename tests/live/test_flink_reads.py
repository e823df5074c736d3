"""Views of Flink 1.20 that were moved into another metastore, as Flink itself reads them there.

Both metastores have a table `src` in the database of the views and another one in `default`: a view
that has lost what completes its names would give the rows of that one. Fetches 310 MB once.
"""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.console import command
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from tests.live import fetched
from tests.live.conftest import Missing
from tests.live.flink_session import Flink
from tests.migrated import Estate, Migration

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1_200)]
VIEWS = {
    "v_short": "SELECT id, name FROM src WHERE id > 0",
    "v_top": "SELECT name, COUNT(*) AS n FROM v_short GROUP BY name",
    "v_full": "SELECT id AS `Order Id` FROM hc.fl.src",
    "v_cte": "WITH few AS (SELECT 1 AS x) SELECT s.x, t.id FROM few AS s, src AS t",
}


@pytest.fixture(scope="module")
def flink(missing: Missing, maven: str) -> Flink:
    java = shutil.which("java") or missing("no java")
    try:
        return Flink(java, fetched.flink(maven))
    except subprocess.CalledProcessError as error:
        missing(f"Flink was not got: {error.stdout[-500:]}")


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedMetastore]:
    """The metastore that views are moved into."""
    with embedded_metastore(tmp_path_factory.mktemp("other")) as running:
        yield running


def tables(folder: Path) -> list[str]:
    """What makes `src` twice: that of the views, and one in `default` with other rows."""
    found = ["CREATE DATABASE IF NOT EXISTS fl"]
    for database, rows in (("fl", "(1, 'right'), (2, 'right')"), ("`default`", "(3, 'WRONG')")):
        place = (folder / database.strip("`")).as_uri()
        terms = f"'connector' = 'filesystem', 'path' = '{place}', 'format' = 'csv'"
        found.append(f"DROP TABLE IF EXISTS {database}.src")
        found.append(f"CREATE TABLE {database}.src (id INT, name STRING) WITH ({terms})")
        found.append(f"INSERT INTO {database}.src VALUES {rows}")
    return found


def test_moved_views_give_the_rows_that_they_gave(
    flink: Flink,
    metastore: EmbeddedMetastore,
    other: EmbeddedMetastore,
    spark: SparkSession,
    estate: Estate,
    tmp_path: Path,
) -> None:
    made = [f"CREATE VIEW {name} AS {text}" for name, text in VIEWS.items()]
    dropped = [f"DROP VIEW IF EXISTS {name}" for name in VIEWS]
    read = [f"SELECT * FROM fl.{name}" for name in VIEWS]
    begin = tables(tmp_path / "source")
    session = [*begin, "USE fl", *dropped, *made, "USE `default`", *read]
    before = flink.asked(tmp_path / "a", metastore.uri, session)[-len(VIEWS) :]
    assert not [one for one in before if isinstance(one, str)], before

    source = {"kind": "hms", "uri": metastore.uri, "include": ["fl.*"]}
    more = {
        "engines": ["flink"],
        "catalogs": {"flink": {"hc": "lake"}},
        "mapping": [{"source": "lake", "target": "t"}],
        "targets": {"t": {"kind": "hms", "uri": other.uri}},
    }
    migration = Migration(spark, estate, tmp_path, more)
    migration.begin({"lake": source})
    head = migration.plan()
    assert migration.counts(head) == {"create": len(VIEWS)}
    assert migration.apply().exit_code == command.FINE
    assert migration.verify().exit_code == command.FINE

    there = [*tables(tmp_path / "target"), "USE `default`", *read]
    after = flink.asked(tmp_path / "b", other.uri, there)[-len(VIEWS) :]
    assert after == before
    assert "right" in str(after)
    assert "WRONG" not in str(after)
