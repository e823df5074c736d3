"""Views of Flink 1.20 that were moved into a metastore and into Paimon, as Flink reads them there.

All of them have a table `src` in the database of the views and another one in `default`, where the
sessions that read are: a view that has lost what completes its names gives the rows of that one.
Fetches 310 MB once, and 50 MB and what test_paimon.py fetches for Paimon.
"""

import io
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs import engine_config
from jobs.console import command
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from tests.live import fetched
from tests.live.conftest import Missing
from tests.live.flink_session import Flink
from tests.live.paimon_server import TOKEN, PaimonJars, serving_paimon
from tests.migrated import Estate, Migration

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1_200)]
Answers = list[list[str] | str]
Into = Callable[..., Migration]
MORE = {"engines": ["flink"], "catalogs": {"flink": {"hc": "lake"}}}
VIEWS = {
    "v_short": "SELECT id, name FROM src WHERE id > 0",
    "v_top": "SELECT name, COUNT(*) AS n FROM v_short GROUP BY name",
    "v_two": "SELECT name FROM fl.src",
    "v_full": "SELECT id AS `Order Id` FROM hc.fl.src",
    "v_cte": "WITH few AS (SELECT 1 AS x) SELECT s.x, t.id FROM few AS s, src AS t",
}
READ = [f"SELECT * FROM hc.fl.{name}" for name in VIEWS]


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


@pytest.fixture(scope="module")
def before(
    flink: Flink, metastore: EmbeddedMetastore, tmp_path_factory: pytest.TempPathFactory
) -> Answers:
    """What Flink reads from the views that it has made."""
    folder = tmp_path_factory.mktemp("source")
    made = [f"CREATE VIEW {name} AS {text}" for name, text in VIEWS.items()]
    dropped = [f"DROP VIEW IF EXISTS {name}" for name in VIEWS]
    begin = [*tables(folder), "USE fl", *dropped, *made, "USE `default`"]
    found = flink.asked(folder, metastore.uri, [*begin, *READ])[-len(VIEWS) :]
    assert not [one for one in found if isinstance(one, str)], found
    return found


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


def another(folder: Path) -> list[str]:
    """What makes `fl.src` in another catalog, with other rows."""
    terms = f"'connector' = 'filesystem', 'path' = '{folder.as_uri()}', 'format' = 'csv'"
    return [
        "CREATE CATALOG other WITH ('type' = 'generic_in_memory')",
        "CREATE DATABASE other.fl",
        f"CREATE TABLE other.fl.src (id INT, name STRING) WITH ({terms})",
        "INSERT INTO other.fl.src VALUES (3, 'WRONG')",
    ]


@pytest.fixture
def into(spark: SparkSession, estate: Estate, tmp_path: Path, metastore: EmbeddedMetastore) -> Into:
    """Crawls and assesses the views for a migration into a target."""

    def begun(target: dict[str, str], **more: str) -> Migration:
        rule = {"source": "lake", "target": "t", **more}
        terms = {"mapping": [rule], "targets": {"t": target}}
        migration = Migration(spark, estate, tmp_path, {**MORE, **terms})
        migration.begin({"lake": {"kind": "hms", "uri": metastore.uri, "include": ["fl.*"]}})
        return migration

    return begun


def printed(file: Path, source: dict[str, str]) -> str:
    """The statement for Flink that `engine-config` prints of the source `hc`; whole."""
    estate = {"warehouse": "warehouse", "sources": {"hc": source}}
    file.write_text(json.dumps(estate), encoding="utf-8")
    with redirect_stdout(io.StringIO()) as out:
        words = ["--config", str(file), "--source", "hc", "--engine", "flink"]
        assert engine_config.main(words) == command.FINE
    statement = out.getvalue().strip().removesuffix(";")
    assert TOKEN not in statement
    return statement.replace("${env:PAIMON_TOKEN}", TOKEN)


def written(migration: Migration) -> None:
    """Carry the plan out, and read it back."""
    assert migration.apply().exit_code == command.FINE
    assert migration.verify().exit_code == command.FINE


def test_moved_views_give_the_rows_that_they_gave(
    flink: Flink, before: Answers, other: EmbeddedMetastore, into: Into, tmp_path: Path
) -> None:
    migration = into({"kind": "hms", "uri": other.uri})
    assert migration.counts(migration.plan()) == {"create": len(VIEWS)}
    written(migration)

    there = [*tables(tmp_path / "target"), "USE `default`", *READ]
    after = flink.asked(tmp_path / "b", other.uri, there)[-len(VIEWS) :]
    assert after == before
    assert "right" in str(after)
    assert "WRONG" not in str(after)


def test_moved_into_paimon_too_once_their_drafts_are_adopted(
    before: Answers,
    paimon_jars: PaimonJars,
    maven: str,
    into: Into,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    flink = Flink(paimon_jars.java, fetched.flink_for_paimon(maven))
    monkeypatch.setenv("PAIMON_TOKEN", TOKEN)
    with serving_paimon(paimon_jars, tmp_path / "paimon", "empty") as uri:
        target = {"kind": "paimon", "uri": uri, "warehouse": "wh", "token": "${env:PAIMON_TOKEN}"}
        migration = into(target, query="flink")
        counts = migration.counts(migration.plan())
        assert counts == {"create": 1, "blocked": 4}, "a session completes short names"
        migration.adopt()
        written(migration)

        making = printed(tmp_path / "hc.yaml", target)
        begin = ["CREATE DATABASE IF NOT EXISTS `default`"]
        for database, rows in (("fl", "(1, 'right'), (2, 'right')"), ("`default`", "(3, 'WRONG')")):
            begin.append(f"CREATE TABLE {database}.src (id INT, name STRING)")
            begin.append(f"INSERT INTO {database}.src VALUES {rows}")
        for name, table in (("v_session", "src"), ("v_catalog", "fl.src")):  # by Flink itself
            begin += ["USE fl", f"CREATE VIEW fl.{name} AS SELECT id, name FROM {table}"]
        own = [f"SELECT * FROM hc.fl.{name}" for name in ("v_session", "v_catalog")]
        elsewhere = [*another(tmp_path / "other"), "USE CATALOG other", "USE fl"]
        asked = [*begin, "USE `default`", *own, *elsewhere, *own, *READ]
        after = flink.asked_in(tmp_path / "b", making, asked)
    assert after[-len(VIEWS) :] == before
    at = asked.index(own[0])
    (short, two), wrong = after[at : at + 2], ["+I[3, WRONG]"]
    assert short == wrong, "Flink completes with what is current in the session"
    assert sorted(two) == ["+I[1, right]", "+I[2, right]"]
    assert after[-len(VIEWS) - 2 : -len(VIEWS)] == [wrong, wrong], "and with its catalog"
