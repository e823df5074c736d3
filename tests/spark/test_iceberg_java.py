"""Iceberg's own catalogs (Java, 1.12) read and replace what we write, and we what they write.

They run in Spark's JVM, in a class loader of their own; the jars come as those of the judges do.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

import pytest
from pyspark.sql import SparkSession

from connectors.hms_stores.iceberg import HiveCatalogStore
from connectors.hms_stores.iceberg import Options as HiveOptions
from connectors.iceberg.jdbc import JdbcCatalog
from connectors.iceberg.jdbc import Options as SourceOptions
from connectors.iceberg.jdbc_store import JdbcStore, Options
from connectors.judges.jars import Jar
from discovery.crawl import crawl
from discovery.errors import JudgeUnavailableError
from discovery.migration.diff import differences
from discovery.model import Identifier, Representation, Schema, View
from discovery.outcomes import Listed
from discovery.ports import Action, CrawlTask, ViewStore
from jobs.assessing import jars
from jobs.embedded.metastore import EmbeddedMetastore
from tests.contract.stores import BARE, ICEBERG_ORDERS, apply, change, create, present

JARS: Final = (
    Jar(
        "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
        "3123c3798af642dd537230923548e013ef41cc28b6626e5225808cf5670a0f82",
    ),
    Jar(
        "org.xerial:sqlite-jdbc:3.49.1.0",
        "5c8609d2ca341deb8c6f71778974b5ba4995c7d32d7c7c89d9392a3e72c39291",
    ),
)


class Java:
    """Iceberg's classes in the JVM of a session."""

    def __init__(self, spark: SparkSession, paths: tuple[Path, ...]) -> None:
        self._spark = spark
        self._jvm = cast("Any", spark._jvm)
        urls = [self._jvm.java.net.URL(path.as_uri()) for path in paths]
        above = self._jvm.java.lang.Thread.currentThread().getContextClassLoader()
        there = self._array(self._jvm.java.net.URL, urls)
        self._loader = self._jvm.java.net.URLClassLoader(there, above)

    def _array(self, kind: Any, values: list[Any]) -> Any:
        array = cast("Any", self._spark.sparkContext._gateway).new_array(kind, len(values))
        for index, value in enumerate(values):
            array[index] = value
        return array

    def static(self, name: str, method: str, *arguments: Any) -> Any:
        """Call a static method of so many arguments."""
        found = self._loader.loadClass(f"org.apache.iceberg.{name}").getMethods()
        for one in found:
            if one.getName() == method and one.getParameterCount() == len(arguments):
                values = self._array(self._jvm.java.lang.Object, list(arguments))
                return one.invoke(None, values)
        raise AssertionError(f"no {name}.{method}")

    def namespace(self, *levels: str) -> Any:
        return self.static("catalog.Namespace", "of", self._array(self._jvm.String, list(levels)))

    def identifier(self, place: Identifier) -> Any:
        space = self.namespace(*place.namespace)
        return self.static("catalog.TableIdentifier", "of", space, place.name)

    def catalog(self, options: Options) -> Any:
        """Iceberg's catalog, with the settings of Gravitino's JDBC backend."""
        self._jvm.java.lang.Class.forName("org.sqlite.JDBC", True, self._loader)
        made = self._loader.loadClass("org.apache.iceberg.jdbc.JdbcCatalog").newInstance()
        made.setConf(self._spark._jsc.hadoopConfiguration())
        settings = {
            "uri": f"jdbc:sqlite:{options.url.removeprefix('sqlite:///')}",
            "warehouse": options.warehouse,
            "jdbc.schema-version": "V1",
            "jdbc.strict-mode": "true",
            "clients": "1",
        }
        made.initialize(options.catalog_name, self._map(settings))
        return made

    def hive_catalog(self, uri: str) -> Any:
        """Iceberg's catalog in a metastore, without locks: an embedded one has no room for them."""
        made = self._loader.loadClass("org.apache.iceberg.hive.HiveCatalog").newInstance()
        configuration = self._jvm.org.apache.hadoop.conf.Configuration(False)
        configuration.set("iceberg.engine.hive.lock-enabled", "false")
        made.setConf(configuration)
        made.initialize("ice", self._map({"uri": uri, "clients": "1"}))
        return made

    def _map(self, settings: dict[str, str]) -> Any:
        properties = self._jvm.java.util.HashMap()
        for key, value in settings.items():
            properties.put(key, value)
        return properties


@pytest.fixture(scope="module")
def java(spark: SparkSession) -> Java:
    try:
        return Java(spark, jars._find_jars(spark, JARS, os.environ.get("BELVEDERE_JARS_DIR")))
    except JudgeUnavailableError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(str(error))


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return Options(
        url=f"sqlite:///{tmp_path}/catalog.db", warehouse=(tmp_path / "warehouse").as_uri()
    )


@pytest.fixture
def store(options: Options) -> Iterator[JdbcStore]:
    with JdbcStore(options) as opened:
        opened.prepare(())
        yield opened


def crawled(options: Options) -> dict[Identifier, View]:
    """The views as the source `iceberg-jdbc` reads them."""
    with JdbcCatalog(SourceOptions(url=options.url)) as source:
        listed = [item for item in source.listing() if isinstance(item, Listed)]
        found = [outcome.result for outcome in crawl(CrawlTask("s", tuple(listed)), source)]
    return {one.identifier: one for one in found if isinstance(one, View)}


def test_icebergs_own_catalog_lists_and_loads_what_we_wrote(
    java: Java, store: JdbcStore, options: Options
) -> None:
    orders, bare = store.hold(ICEBERG_ORDERS).view, store.hold(BARE).view
    strange = replace(orders, identifier=Identifier(("a", "b c"), "100% Größe #1?"))
    prepared(store, orders, bare, strange)
    assert apply(store, *create(orders, bare, strange)) == ["create"] * 3
    catalog = java.catalog(options)
    spaces = {str(listnamespace) for listnamespace in catalog.listNamespaces(java.namespace("a"))}
    assert spaces == {"a.b", "a.b c"}
    for view in (orders, bare, strange):
        place = java.identifier(view.identifier)
        assert place.equals(catalog.listViews(place.namespace())[0])
        loaded = catalog.loadView(place)
        for representation in view.representations:
            assert loaded.sqlFor(representation.dialect).sql() == representation.sql
        names = [column.name() for column in loaded.schema().columns()]
        assert names == [column.name for column in view.columns]
    schema = str(catalog.loadView(java.identifier(orders.identifier)).schema())
    assert "1: id: required long (the id)" in schema
    assert crawled(options) == present(store, orders, bare, strange)


def test_what_icebergs_own_catalog_replaced_renamed_and_dropped_is_read_back(
    java: Java, store: JdbcStore, options: Options
) -> None:
    orders, bare = store.hold(ICEBERG_ORDERS).view, store.hold(BARE).view
    prepared(store, orders, bare)
    apply(store, *create(orders, bare))
    catalog = java.catalog(options)
    loaded = catalog.loadView(java.identifier(orders.identifier))
    commit = loaded.replaceVersion().withSchema(loaded.schema())
    commit = commit.withDefaultNamespace(java.namespace("java"))
    for representation in orders.representations:
        commit = commit.withQuery(representation.dialect, "SELECT 2")
    commit.commit()
    new = Identifier(orders.identifier.namespace, "v_new")
    catalog.renameView(java.identifier(orders.identifier), java.identifier(new))
    assert catalog.dropView(java.identifier(bare.identifier)) is True
    there = present(store, orders, bare, replace(orders, identifier=new))
    assert there.keys() == {new}
    view = there[new]
    assert {one.default_schema for one in view.representations} == {"java"}, "Java's own"
    assert view.properties == orders.properties
    assert "belvedere" not in str(view)
    wanted = replace(orders, identifier=new)
    assert apply(store, change(Action.REPLACE, wanted, view)) == ["replace"]
    assert differences(wanted, present(store, wanted)[new]) == ()
    history = catalog.loadView(java.identifier(new)).history()
    assert [one.versionId() for one in history] == [1, 2, 3]


def test_a_dialect_that_we_add_is_read_beside_the_others(
    java: Java, store: JdbcStore, options: Options
) -> None:
    bare = store.hold(BARE).view
    prepared(store, bare)
    apply(store, *create(bare))
    more = (*bare.representations, Representation(dialect="trino", sql="SELECT 3 x"))
    after = store.hold(replace(bare, representations=more)).view
    assert apply(store, change(Action.ADD_DIALECT, after, bare)) == ["add-dialect"]
    loaded = java.catalog(options).loadView(java.identifier(bare.identifier))
    assert loaded.sqlFor("trino").sql() == "SELECT 3 x"
    assert loaded.sqlFor("hive").sql() == "select 1"
    assert loaded.currentVersion().versionId() == 2


@pytest.fixture
def in_metastore(metastore: EmbeddedMetastore) -> Iterator[HiveCatalogStore]:
    options = HiveOptions(uri=metastore.uri, locations=(metastore.warehouse.as_uri(),))
    with HiveCatalogStore(options) as opened:
        yield opened


def test_icebergs_own_hive_catalog_loads_replaces_and_renames_what_we_wrote(
    java: Java, in_metastore: HiveCatalogStore, metastore: EmbeddedMetastore
) -> None:
    store, place = in_metastore, Identifier(("ice_java",), "v")
    orders = store.hold(replace(ICEBERG_ORDERS, identifier=place)).view
    prepared(store, orders)
    assert apply(store, *create(orders)) == ["create"]
    catalog = java.hive_catalog(metastore.uri)
    assert [listview.name() for listview in catalog.listViews(java.namespace("ice_java"))] == ["v"]
    loaded = catalog.loadView(java.identifier(place))
    assert {one.dialect(): one.sql() for one in loaded.currentVersion().representations()} == {
        one.dialect: one.sql for one in orders.representations
    }
    assert [column.name() for column in loaded.schema().columns()] == [
        column.name for column in orders.columns
    ]
    commit = loaded.replaceVersion().withSchema(loaded.schema())
    commit = commit.withDefaultNamespace(java.namespace("java"))
    for representation in orders.representations:
        commit = commit.withQuery(representation.dialect, "SELECT 2")
    commit.commit()
    new = Identifier(("ice_java",), "v_new")
    catalog.renameView(java.identifier(place), java.identifier(new))
    wanted = replace(orders, identifier=new)
    found = present(store, orders, wanted)
    assert found.keys() == {new}
    assert {one.default_schema for one in found[new].representations} == {"java"}, "Java's own"
    stale = change(Action.REPLACE, wanted, orders)
    assert apply(store, stale) == ["failed"], "what has changed since the plan is not overwritten"
    assert apply(store, change(Action.REPLACE, wanted, found[new])) == ["replace"]
    history = catalog.loadView(java.identifier(new)).history()
    assert [one.versionId() for one in history] == [1, 2, 3]
    assert apply(store, change(Action.DROP, wanted, present(store, wanted)[new])) == ["drop"]
    assert catalog.listViews(java.namespace("ice_java")).size() == 0


def test_a_file_whose_entry_was_refused_does_not_stay(
    in_metastore: HiveCatalogStore, metastore: EmbeddedMetastore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, place = in_metastore, Identifier(("ice_race",), "v")
    orders = store.hold(replace(ICEBERG_ORDERS, identifier=place)).view
    prepared(store, orders)
    apply(store, *create(orders))
    there = store._read_places([place])
    after = store.hold(replace(orders, comment="mine")).view
    theirs = store.hold(replace(orders, comment="theirs")).view
    assert apply(store, change(Action.REPLACE, theirs, orders)) == ["replace"]
    monkeypatch.setattr(store, "_read_places", lambda _: there)  # as if it had been a moment before
    before = files(metastore)
    assert apply(store, change(Action.REPLACE, after, orders)) == ["failed"]
    assert files(metastore) == before
    monkeypatch.undo()
    assert present(store, orders)[place].comment == "theirs"


def files(metastore: EmbeddedMetastore) -> set[str]:
    return {str(path) for path in metastore.warehouse.rglob("*.metadata.json")}


def prepared(store: ViewStore, *views: View) -> None:
    store.prepare([Schema(levels=view.identifier.namespace) for view in views])
