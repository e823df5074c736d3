"""What Gravitino's connector for Spark reads otherwise than Spark on the metastore.

Each was asked of the connector of 1.3.0 in Spark 3.5.3 on 2026-11-26: rows of another table, of
another zone, of another column, and a Java that ended.
"""

from collections.abc import Sequence

import pytest

from discovery.lineage.kinds import BaseKind
from discovery.migration.candidates import Terms
from discovery.migration.closure import Closed, Closure
from discovery.migration.contexts import dropped_dialects
from discovery.migration.gravitino_spark import of_session, reads
from discovery.migration.mapping import Qualify, Rule
from discovery.migration.wanted import NameRead
from discovery.model import Column, Identifier, Primitive, Representation, View
from tests.statements import READER

RULE = Rule(source="a", target="t")
CATALOG = "spark_catalog"
AS_IT_IS = "Gravitino's connector for Spark runs its text as it is: "
NAMES = "names without a catalog, or in spark_catalog, are those of the session that reads"
ZONE = ("view.sqlConfig.spark.sql.session.timeZone", "Asia/Tokyo")
OUTPUT = (("view.query.out.col.0", "id"), ("view.query.out.numCols", "1"))


def name(written: str, dialect: str = "spark", catalog: str | None = CATALOG) -> NameRead:
    place = Identifier(("sales",), written.rsplit(".", maxsplit=1)[-1])
    parts = tuple(written.split("."))
    return NameRead(dialect=dialect, written=parts, catalog=catalog, own=True, identifier=place)


def told(
    sql: str,
    *names: NameRead,
    dialect: str = "spark",
    store: str = "gravitino-rest",
    rule: Rule = RULE,
    properties: Sequence[tuple[str, str]] = (),
    kind: str = "integer",
) -> Closed:
    text = Representation(dialect=dialect, sql=sql, default_catalog=CATALOG, default_schema="sales")
    view = View(
        identifier=Identifier(("sales",), "v"),
        columns=(Column("id", Primitive(kind)),),
        representations=(text,),
        properties=tuple(properties),
    )
    closure = Closure.of([rule], {"t": dropped_dialects(store, "hive")}, {"t": store})
    return closure.close(view, rule, names, READER)


def losses(*told: str) -> tuple[str, ...]:
    return (AS_IT_IS + "; ".join(told),) if told else ()


@pytest.mark.parametrize("written", ["orders", "sales.orders", "spark_catalog.sales.orders"])
def test_names_of_the_session_that_reads_are_a_loss(written: str) -> None:
    assert told(f"SELECT id FROM {written}", name(written)) == Closed(losses=losses(NAMES))


def test_a_text_that_needs_nothing_of_the_session_loses_nothing() -> None:
    name_read = name("lake.sales.orders", catalog="lake")
    assert told("SELECT id FROM lake.sales.orders", name_read) == Closed()
    assert told("SELECT 1 id") == Closed()
    file = NameRead(
        dialect="spark",
        written=("parquet", "/a"),
        identifier=Identifier(("parquet",), "/a"),
        kind=BaseKind.FILE,
    )
    assert told("SELECT id FROM parquet.`/a`", file) == Closed()


def test_a_name_of_which_nobody_can_tell_where_it_leads_is_the_sessions() -> None:
    lost = NameRead(dialect="spark", written=("lake", "orders"))
    assert of_session(lost, lost.written)
    assert told("SELECT id FROM ((", dialect="spark").losses == losses(NAMES)


def test_a_draft_that_names_the_catalog_needs_no_session_and_one_that_does_not_does() -> None:
    lake = Rule(source="a", target="t", catalogs=((CATALOG, "lake"),), qualify=Qualify.ADOPT)
    closed = told("SELECT id FROM spark_catalog.sales.o", name("spark_catalog.sales.o"), rule=lake)
    assert closed.draft is not None
    assert "lake.sales.o" in closed.draft.model.text
    assert closed.losses == ()
    assert told("SELECT id FROM o", name("o"), rule=lake).losses == losses(NAMES)


def test_what_spark_notes_beside_its_text_is_not_looked_at() -> None:
    zone = "without spark.sql.session.timeZone=Asia/Tokyo"
    assert told("SELECT 1 id", properties=(ZONE,)).losses == losses(zone)
    star = "what its * returns is taken by position"
    closed = told("SELECT * FROM o", name("o"), properties=(ZONE, *OUTPUT))
    assert closed.losses == losses(NAMES, zone, star)
    assert told("SELECT id FROM lake.sales.o", properties=OUTPUT) == Closed()
    newer = (("collation", "UTF8_LCASE"), ("view.schemaMode", "COMPENSATION"))
    assert told("SELECT 1 id", properties=newer) == Closed(), "of 3.5, Spark looks for neither"


def test_columns_that_a_metastore_cannot_have_are_read_by_the_type_of_their_placeholder() -> None:
    (loss,) = told("SELECT 1 id", store="hms", kind="timestamp").losses
    assert loss.endswith("are read other bytes, or Java ends")
    assert told("SELECT 1 id", store="gravitino-rest", kind="timestamp") == Closed()
    assert told("SELECT 1 id", store="hms", kind="timestamp_tz") == Closed()


def test_the_text_of_hive_is_run_where_there_is_none_of_spark() -> None:
    two = name("sales.orders", "hive", catalog=None)
    closed = told("select id from sales.orders", two, dialect="hive", store="hms")
    assert closed.losses == losses(NAMES)
    other = name("sales.orders", "flink")
    assert told("SELECT id FROM sales.orders", other, dialect="flink", store="hms") == Closed()


@pytest.mark.parametrize(
    ("store", "provider", "there"),
    [
        ("gravitino-rest", "hive", True),
        ("hms", "hive", True),
        ("hms", "", False),
        ("gravitino-store", "hive", False),
        ("gravitino-rest", "lakehouse-iceberg", False),
        ("paimon", "lakehouse-paimon", False),
    ],
)
def test_it_reads_views_of_hive_catalogs_alone(store: str, provider: str, there: bool) -> None:
    assert reads(store, provider) is there


def test_names_are_asked_for_where_it_reads() -> None:
    assert Terms.of([RULE], {}, {"t": frozenset()}, bare={"t": "hms"}).closure is not None
    assert Terms.of([RULE], {}, {"t": frozenset()}, bare={"u": "hms"}).closure is None
