"""Metastores of Hive 3 and 4 on PostgreSQL: what Thrift says, and their own database."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import psycopg
import pytest

from connectors.hms import HiveMetastore
from connectors.hms import Options as HmsOptions
from connectors.hms_database.source import MetastoreDatabase, Options
from discovery.errors import ListingError
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import writer
from tests.backing import POSTGRESQL_DRIVER
from tests.live.metastores import JARS, fetched, running
from tests.live.test_metastores import fill
from tests.odd_entries import UNREAD, became, plant, wanted
from tests.servers import gate
from tests.spark.test_metastore_database import skewed, told, view

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(params=sorted(JARS))
def uri(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    missing: Callable[[str], NoReturn],
    postgresql: EmbeddedPostgreSQL,
) -> Iterator[str]:
    """A running metastore whose tables are in the database `newer`."""
    jars = fetched(request.param, tmp_path, missing, [POSTGRESQL_DRIVER.coordinate])
    postgresql.execute(("DROP DATABASE IF EXISTS newer", "CREATE DATABASE newer"))
    with gate(postgresql.socket / ".s.PGSQL.5432") as door:
        settings = {
            "javax.jdo.option.ConnectionURL": f"jdbc:postgresql://127.0.0.1:{door.port}/newer",
            "javax.jdo.option.ConnectionDriverName": "org.postgresql.Driver",
            "javax.jdo.option.ConnectionUserName": "postgres",
            "javax.jdo.option.ConnectionPassword": "none",
            "datanucleus.connectionPoolingType": "NONE",
            "metastore.schema.verification.record.version": "true",
        }
        with running(jars, tmp_path, settings) as port:
            yield f"thrift://127.0.0.1:{port}"


def test_both_readers_say_the_same_of_each_catalog(
    uri: str, postgresql: EmbeddedPostgreSQL, tmp_path: Path
) -> None:
    with writer(uri) as writing:
        writing.create_database("odd", f"{tmp_path.as_uri()}/odd.db", "the comment")
        for entry in (*map(view, ("v_one", "v_two")), skewed()):
            writing.create_table(entry)
        writing.create_function("odd", "f", "org.example.F", "o", "file:/a.jar")
    fill(uri, tmp_path)
    place = f"dbname=newer host={postgresql.socket} user=postgres"
    with closing(psycopg.connect(place)) as connection:
        (version,) = connection.execute('SELECT "SCHEMA_VERSION" FROM "VERSION"').fetchone() or ()
    every = Options(url=postgresql.url("newer"), user="postgres", catalog="*")
    with (
        MetastoreDatabase(every) as source,
        HiveMetastore(HmsOptions(uri=uri, catalog="*")) as server,
    ):
        assert source.catalogs() == server.catalogs() == ["hive", "lake"]
        with pytest.raises(ListingError, match=r"no catalog '\*'"):
            list(source.listing())
    for catalog in (None, "hive", "lake"):
        thrift = told(HiveMetastore(HmsOptions(uri=uri, catalog=catalog)))
        options = Options(url=postgresql.url("newer"), user="postgres", catalog=catalog)
        database = told(MetastoreDatabase(options))
        assert thrift.pop("listing") == database.pop("listing")
        assert compared(thrift) == compared(database), (version, catalog)


def compared(said: dict[str, Any]) -> dict[str, Any]:
    """Without locations of databases, which Hive 4 translates for the one who asks."""
    for part in said["loaded"].values():
        part.pop("locationUri", None)
    return said


def test_one_odd_entry_costs_none_of_its_neighbours(
    uri: str, postgresql: EmbeddedPostgreSQL, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    version = int(request.node.callspec.params["uri"][0])
    place = f"dbname=newer host={postgresql.socket} user=postgres"
    with closing(psycopg.connect(place, autocommit=True)) as connection:
        plant(uri, tmp_path.as_uri(), connection.execute, version)
        whole = wanted(version)
        options = HmsOptions(uri=uri, include=("o_*",))
        for catalog in (None, "hive"):
            named = replace(options, catalog=catalog)
            assert became(HiveMetastore(named)) == whole, catalog
        connection.execute("""UPDATE "DBS" SET "NAME" = NULL WHERE "NAME" = 'o_owner'""")
        del whole["o_owner"]
        assert became(HiveMetastore(options)) == {**whole, "": {"/": UNREAD}}
