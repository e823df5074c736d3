"""What a metastore's own database can hold that no client writes: each ends as a row."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from connectors.clients import metastore_source
from connectors.hms import HiveMetastore, Options
from connectors.hms_database.source import MetastoreDatabase
from connectors.hms_stores.native import MetastoreStore
from connectors.hms_stores.native import Options as StoreOptions
from discovery.formats import base_columns
from discovery.formats.base_columns import TableColumns
from discovery.model import Column, Identifier, Primitive
from discovery.outcomes import Kind, RawObject
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.embedded.postgres import embedded_postgresql
from jobs.embedded.thrift_writer import writer
from tests.backing import on_postgresql
from tests.odd_entries import SCHEMA, UNREAD, became, plant, wanted

INCLUDE = ("o_*",)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedMetastore]:
    """A metastore 2.3.10 of its own, as one of its databases has no name in the end."""
    with embedded_metastore(tmp_path_factory.mktemp("odd")) as running:
        plant(running.uri, running.warehouse.as_uri(), running.update, 2)
        yield running


def test_one_odd_entry_costs_none_of_its_neighbours(odd: EmbeddedMetastore) -> None:
    assert became(HiveMetastore(Options(uri=odd.uri, include=INCLUDE))) == wanted(2)


def test_nor_where_names_are_asked_for_by_type(
    odd: EmbeddedMetastore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metastore_source, "_MANY", 0)
    for database in wanted(2):
        # a database that stands first is asked for as ever
        options = Options(uri=odd.uri, include=("default", database))
        fates = became(HiveMetastore(options))
        assert fates[database] == wanted(2)[database]


def test_a_store_lists_all_that_has_a_name(odd: EmbeddedMetastore) -> None:
    with MetastoreStore(StoreOptions(uri=odd.uri)) as store:
        listed = [one for one in store.listing() if one.namespace[0] in {"o_type", "o_no_name"}]
    assert [(one.name, one.kind) for one in listed] == [
        *(("", Kind.NAMESPACE), ("a_good", Kind.VIEW), ("z_good", Kind.VIEW)),
        *(("", Kind.NAMESPACE), ("a_good", Kind.VIEW)),
        *(("o_type", Kind.UNDECIDED), ("z_good", Kind.VIEW)),
    ]


def test_the_reader_of_the_database_loses_none_either(
    spark: SparkSession, outside: str, tmp_path: Path
) -> None:
    whole = wanted(2)
    with (
        embedded_postgresql(Path(outside) / "odd") as server,
        on_postgresql(spark, server, tmp_path / "hms") as backed,
    ):
        place = backed.metastore.warehouse.as_uri()
        plant(backed.metastore.uri, place, backed.execute, 2)
        assert became(HiveMetastore(Options(uri=backed.metastore.uri, include=INCLUDE))) == whole
        whole["o_of_strange"]["o_of_strange/"] = SCHEMA  # whose owner the server cannot tell
        options = replace(backed.options, include=INCLUDE)
        assert became(MetastoreDatabase(options)) == whole
        backed.execute("""UPDATE "DBS" SET "NAME" = NULL WHERE "NAME" = 'o_owner'""")
        del whole["o_owner"]
        assert became(MetastoreDatabase(options)) == {**whole, "": {"/": UNREAD}}


def test_a_table_whose_skewed_values_have_folders_of_their_own_is_read(
    odd: EmbeddedMetastore,
) -> None:
    """Thrift names each folder by a list of values, which no dictionary of Python takes."""
    place = odd.warehouse.as_uri()
    skewed = {
        "skewedColNames": ["x"],
        "skewedColValues": [["1"]],
        "skewedColValueLocationMaps": {("1",): f"{place}/skewed/x=1"},
    }
    columns = [{"name": "x", "type": "int"}]
    stored = {"cols": columns, "serdeInfo": {}, "skewedInfo": skewed, "location": f"{place}/skewed"}
    table = {"tableName": "t", "dbName": "skewed", "sd": stored, "tableType": "MANAGED_TABLE"}
    with writer(odd.uri) as connection:
        connection.create_database("skewed", f"{place}/skewed")
        connection.create_table(table)
    with HiveMetastore(Options(uri=odd.uri)) as source:
        (found,) = source.load_tables([Identifier(("skewed",), "t")])
    assert isinstance(found, RawObject)
    assert base_columns.table_columns(found) == TableColumns((Column("x", Primitive("integer")),))
    assert '"skewedColValues":[["1"]]' in found.text


def test_a_database_without_a_name_is_a_failure_of_the_source_and_costs_no_other(
    odd: EmbeddedMetastore,
) -> None:
    assert odd.update("""UPDATE DBS SET NAME = NULL WHERE NAME = 'o_owner'""") == 1
    found = became(HiveMetastore(Options(uri=odd.uri, include=INCLUDE)))
    whole = wanted(2)
    del whole["o_owner"]
    assert found == {**whole, "": {"/": UNREAD}}
