"""What Flink's planner is told of a view, and what its answer is worth."""

import json

import pytest

from discovery.checks.columns_drift import check
from discovery.judging.analysis import Functions
from discovery.judging.entries import Base, Entry, KnownBase, StoredText
from discovery.judging.planning import flink_entry, planned, returned_by_position
from discovery.judging.reasons import reason_of
from discovery.model import (
    Column,
    External,
    Field,
    Identifier,
    Primitive,
    Representation,
    Struct,
    UnionOf,
    View,
)
from discovery.ports import Verdict

LONG = Primitive("long")
ID = Column("Id", LONG, nullable=False)
TABLE = KnownBase(("sales", "Orders"), None, "lake", Identifier(("sales",), "Orders"), (ID,))
NOTHING = Functions()


def stored(
    form: str = "flink",
    columns: tuple[Column, ...] = (ID,),
    catalog: str | None = None,
    schema: str | None = None,
    namespace: tuple[str, ...] = ("sales",),
) -> StoredText:
    text = Representation(
        dialect=form, sql="SELECT 1", default_catalog=catalog, default_schema=schema
    )
    view = View(identifier=Identifier(namespace, "v"), columns=columns, representations=(text,))
    return StoredText(view=view, text=text, form=form, source="lake")


def told(entry: Entry | None) -> Entry:
    assert entry is not None
    return entry


def test_columns_of_a_view_of_flink_are_told_as_it_has_them_and_a_table_s_in_lower_case() -> None:
    entry = told(flink_entry(stored(), [TABLE], {}))
    assert entry == Entry(
        place=Identifier(("lake", "sales"), "v"),
        columns='[["Id", "BIGINT NOT NULL"]]',
        by_position=True,
        bases=(Base(("lake", "sales", "Orders"), '[["id", "BIGINT"]]'),),
    )


def test_a_table_of_flink_is_told_with_its_time_attributes() -> None:
    ts = Column("Ts", Primitive("timestamp(3)"))
    proc = Column("p", Primitive("timestamp_tz(3)"), nullable=False)
    times = (("Ts", "ROWTIME"), ("p", "PROCTIME"))
    own = TABLE._replace(columns=(ID, ts, proc), form="flink", flink_times=times)
    assert own.seen_by("flink") == own
    entry = told(flink_entry(stored(), [own], {}))
    assert json.loads(entry.bases[0].columns) == [
        ["Id", "BIGINT NOT NULL"],
        ["Ts", "TIMESTAMP(3) *ROWTIME*"],
        ["p", "TIMESTAMP(3) WITH LOCAL TIME ZONE NOT NULL *PROCTIME*"],
    ]


@pytest.mark.parametrize("form", ["flink", "hive", "spark"])
def test_a_table_with_transactions_is_not_read(form: str) -> None:
    entry = told(flink_entry(stored(form), [TABLE, TABLE._replace(acid=True)], {}))
    said = planned(Verdict(True), entry, NOTHING, False)
    assert said == Verdict(False, "Reading or writing ACID table sales.Orders is not supported.")
    assert reason_of(said.message).code == "UNSUPPORTED_SYNTAX"


@pytest.mark.parametrize("form", ["hive", "spark"])
def test_views_of_hive_and_spark_have_hive_s_types_as_flink_takes_them(form: str) -> None:
    at = Column("At", Primitive("timestamp_tz"))
    entry = told(flink_entry(stored(form, (ID, at)), [TABLE._replace(form=form)], {}))
    assert json.loads(entry.columns) == [["id", "BIGINT"], ["at", "TIMESTAMP(9)"]]
    assert not entry.by_position
    assert entry.bases == (Base(("lake", "sales", "Orders"), '[["id", "BIGINT"]]'),)


def test_the_catalog_is_called_as_the_text_does_else_as_the_configuration() -> None:
    known_base = TABLE._replace(written=("hc", "sales", "orders"))
    assert told(flink_entry(stored(), [known_base], {"mine": "lake"})).place.namespace[0] == "hc"
    assert told(flink_entry(stored(), [TABLE], {"mine": "lake"})).place.namespace[0] == "mine"
    assert told(flink_entry(stored(catalog="c"), [], {"mine": "lake"})).place.namespace[0] == "c"
    named = told(flink_entry(stored("hive"), [known_base], {"x": "other"}))
    assert named.place.namespace[0] == "lake", "Hive's text has no word for Flink's catalogs"


def test_short_names_lead_to_where_the_text_has_its_context() -> None:
    entry = told(flink_entry(stored(catalog="c", schema="raw"), [TABLE], {}))
    assert entry.place.namespace == ("c", "raw")


@pytest.mark.parametrize(
    "read",
    [
        TABLE._replace(columns=None),
        TABLE._replace(columns=()),
        TABLE._replace(source="cold"),
        TABLE._replace(form="trino"),
        TABLE._replace(identifier=Identifier(("a", "b"), "t")),
        TABLE._replace(columns=(Column("n", External("struct<>")),)),
    ],
    ids=["unknown", "in its parameters", "elsewhere", "of Trino", "nested", "no type of Flink's"],
)
def test_what_it_reads_must_be_known(read: KnownBase) -> None:
    assert flink_entry(stored(), [TABLE, read], {}) is None


@pytest.mark.parametrize(
    "one",
    [
        stored("trino"),
        stored("iceberg"),
        stored(namespace=("a", "b")),
        stored("hive", (Column("n", External("struct<>")),)),
    ],
    ids=["Trino's", "Iceberg's", "nested", "a type that Flink lacks"],
)
def test_what_flink_does_not_read_as_its_own_is_left_to_the_parser(one: StoredText) -> None:
    assert flink_entry(one, [TABLE], {}) is None


def test_what_is_rejected_for_want_of_our_knowledge_is_not_judged() -> None:
    entry = told(flink_entry(stored(), [], {}))
    unknown = Verdict(False, "No match found for function signature f(<NUMERIC>)")
    assert planned(unknown, entry, NOTHING, True) is unknown
    assert planned(unknown, entry, Functions(ours=True), True).accepted is None
    assert planned(unknown, entry, Functions(listed=False), True).accepted is None
    for message in (
        "The window function requires the timecol is a time attribute type",
        "Temporal Table Join requires primary key in versioned table",
    ):
        verdict = planned(Verdict(False, message), entry, NOTHING, True)
        assert verdict.accepted is None
        assert message in verdict.message
    for message in (
        "Column 'x' not found in any table",
        "Column 'proctime' not found in table 'o'",
        "Field counts are not equal: rowType [RecordType(TIMESTAMP(3) *ROWTIME* ts)] castRowType",
    ):
        plain = Verdict(False, message)
        assert planned(plain, entry, NOTHING, True) is plain
    assert planned(Verdict(True), entry, NOTHING, True).accepted


def test_a_short_column_was_another_s_when_flink_wrote_the_text_out_that_it_runs() -> None:
    ambiguous = Verdict(False, "From line 1, column 8: Column 'x' is ambiguous")
    short = told(flink_entry(stored(catalog="hc"), [], {}))
    assert planned(ambiguous, short, NOTHING, True).accepted is None
    for one in (stored(), stored("spark", catalog="spark_catalog")):
        assert planned(ambiguous, told(flink_entry(one, [], {})), NOTHING, True) is ambiguous


def test_what_either_mode_refuses_for_want_of_the_table_is_not_judged() -> None:
    entry = told(flink_entry(stored(), [], {}))
    of_batch, of_streaming = "unexpected correlate variable $cor1", "Temporal Table Join requires a"
    modes = Verdict(False, f"{of_batch} in streaming mode: {of_streaming} primary key")
    assert planned(modes, entry, NOTHING, True).accepted is None
    column = "Column 'x' not found in any table in streaming mode: Object 'proctime' not found"
    assert planned(Verdict(False, column), entry, NOTHING, True).accepted is False


def test_columns_are_compared_by_position_and_in_views_of_flink_alone() -> None:
    entry = told(flink_entry(stored(), [], {}))
    verdict = Verdict(True, returns='[["x", "INT"]]')
    subject = returned_by_position(verdict, entry, "flink")
    assert subject is not None
    (finding,) = check(subject)
    assert (finding.engine, finding.message) == (
        "flink",
        "Id is declared long, returned integer",
    )
    same = returned_by_position(Verdict(True, returns='[["x", "BIGINT NOT NULL"]]'), entry, "flink")
    assert same is not None
    assert list(check(same)) == []
    hives = told(flink_entry(stored("hive"), [], {}))
    assert returned_by_position(verdict, hives, "hive") is None
    assert returned_by_position(Verdict(False, "no"), entry, "flink") is None


@pytest.mark.parametrize(
    ("form", "columns", "read"),
    [  # as Flink 1.20.5 answered: tests/golden/estate_views.json
        ("hive", (Column("n", External("void")),), TABLE),
        ("spark", (Column("n", Primitive("null")),), TABLE),
        ("hive", (ID,), TABLE._replace(columns=(Column("u", UnionOf((LONG,))),))),
        ("flink", (ID,), TABLE._replace(columns=(Column("u", UnionOf((LONG,))),))),
    ],
)
def test_types_that_flink_refuses_in_entries_are_rejected_before_the_text_is_looked_at(
    form: str, columns: tuple[Column, ...], read: KnownBase
) -> None:
    entry = told(flink_entry(stored(form, columns), [read], {}))
    said = planned(Verdict(True), entry, NOTHING, True)
    assert said.accepted is False
    assert reason_of(said.message).code == "TYPE_MISMATCH"


def test_a_field_that_has_the_name_of_a_refused_type_is_none() -> None:
    named = Struct((Field("void", LONG),))
    entry = told(flink_entry(stored("hive", (Column("s", named),)), [TABLE], {}))
    assert entry.refused == ""


def test_where_spark_has_left_a_placeholder_it_is_the_columns() -> None:
    columns = (ID, Column("i", Primitive("interval_day")))
    entry = told(flink_entry(stored("spark", columns), [TABLE], {}))
    assert json.loads(entry.columns) == [["col", "ARRAY<VARCHAR(2147483647)>"]]
