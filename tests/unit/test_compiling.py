"""What Hive's analyzer is told of a view, and what its answer is worth."""

import json
from dataclasses import replace

import pytest

from discovery.checks import columns_drift
from discovery.judging.analysis import Functions
from discovery.judging.compiling import compiled, hive_entry, returned_by_hive
from discovery.judging.entries import Base, Entry, KnownBase, StoredText
from discovery.model import Column, External, Identifier, Primitive, Representation, View
from discovery.ports import Verdict

LONG = Primitive("long")
ID = Column("Id", LONG)
TABLE = KnownBase(("sales", "Orders"), None, "lake", Identifier(("sales",), "Orders"), (ID,))


def stored(
    form: str = "hive",
    columns: tuple[Column, ...] = (ID,),
    namespace: tuple[str, ...] = ("sales",),
) -> StoredText:
    text = Representation(dialect=form, sql="SELECT 1")
    view = View(identifier=Identifier(namespace, "v"), columns=columns, representations=(text,))
    return StoredText(view=view, text=text, form=form, source="lake")


def told(entry: Entry | None) -> Entry:
    assert entry is not None
    return entry


def test_names_and_types_are_told_as_the_metastore_has_them() -> None:
    at = Column("At", Primitive("timestamp_tz"))
    assert hive_entry(stored(columns=(ID, at)), [TABLE], {}) == Entry(
        place=Identifier(("sales",), "v"),
        columns='[["id", "bigint"], ["at", "timestamp"]]',
        bases=(Base(("sales", "Orders"), '[["id", "bigint"]]'),),
    )


def test_where_spark_has_left_a_placeholder_hive_sees_that() -> None:
    entry = told(hive_entry(stored("spark", (Column("t", Primitive("timestamp")),)), [], {}))
    assert json.loads(entry.columns) == [["col", "array<string>"]]
    void = told(hive_entry(stored("spark", (Column("n", Primitive("null")),)), [], {}))
    assert json.loads(void.columns) == [["n", "void"]]


def test_a_name_with_a_catalog_does_not_parse_whatever_is_there() -> None:
    far = TABLE._replace(written=("ice", "a", "b"), source="cold", columns=None)
    assert len(told(hive_entry(stored("spark"), [far, TABLE], {})).bases) == 1


@pytest.mark.parametrize(
    "read",
    [
        TABLE._replace(columns=None),
        TABLE._replace(source="cold"),
        TABLE._replace(form="trino"),
        TABLE._replace(identifier=Identifier(("a", "b"), "t")),
        TABLE._replace(columns=(Column("v", External("variant")),)),
    ],
    ids=["unknown", "elsewhere", "of Trino", "nested", "no type of Hive's"],
)
def test_what_it_reads_must_be_known(read: KnownBase) -> None:
    assert hive_entry(stored(), [TABLE, read], {}) is None


@pytest.mark.parametrize("one", [stored("trino"), stored("iceberg"), stored(namespace=("a", "b"))])
def test_entries_of_other_formats_are_left_to_the_parser(one: StoredText) -> None:
    assert hive_entry(one, [TABLE], {}) is None


def test_views_of_flink_are_hives_too_above_and_below() -> None:
    below = TABLE._replace(form="flink")
    for form in ("flink", "hive"):
        assert told(hive_entry(stored(form), [below], {})).bases == (
            Base(("sales", "Orders"), '[["id", "bigint"]]'),
        )


def test_a_function_that_hive_lacks_may_be_one_of_the_estate() -> None:
    entry = told(hive_entry(stored(), [], {}))
    unknown = Verdict(False, "Invalid function f")
    assert compiled(unknown, entry, Functions(), True) == unknown
    assert compiled(unknown, entry, Functions(ours=True), True).accepted is None
    assert compiled(unknown, entry, Functions(listed=False), True).accepted is None
    other = Verdict(False, "Line 1:15 Table not found 'orders'")
    assert compiled(other, entry, Functions(ours=True), True) == other


def test_columns_that_hive_shows_are_compared_by_name_with_those_of_the_entry() -> None:
    """A live 2.3.10 shows those of the text, of Spark's views, too: `v (b, a) AS SELECT a, b`."""
    entry = Entry(place=Identifier(("sales",), "v"), columns='[["b", "int"], ["a", "string"]]')
    returns = '[["a", "int"], ["b", "string"], ["z", "char(3)"]]'
    returned = returned_by_hive(Verdict(True, returns=returns), entry, "spark")
    assert returned is not None
    (found,) = columns_drift.check(returned)
    assert (found.engine, found.dialect) == ("hive", "spark")
    assert found.message == (
        "z is returned, and not declared; b is declared integer, returned string; "
        "a is declared string, returned integer"
    )


@pytest.mark.parametrize(
    ("columns", "verdict"),
    [
        ('[["col", "array<string>"]]', Verdict(True, returns='[["x", "int"]]')),  # a placeholder
        ('[["x", "int"]]', Verdict(False, "Invalid function f")),
        ('[["x", "int"]]', Verdict(True, returns='[["x", "array<"]]')),
    ],
)
def test_columns_are_not_compared_where_hive_or_the_entry_says_none(
    columns: str, verdict: Verdict
) -> None:
    entry = Entry(place=Identifier(("sales",), "v"), columns=columns)
    assert returned_by_hive(verdict, entry, "spark") is None


def test_a_short_name_that_leads_to_another_table_in_default_is_not_told() -> None:
    short = TABLE._replace(written=("orders",), in_default=True)
    assert hive_entry(stored(), [short], {}) is None
    assert hive_entry(stored(), [short._replace(in_default=False)], {}) is not None
    assert hive_entry(stored(), [TABLE._replace(in_default=True)], {}) is not None


def test_texts_of_views_below_are_told_with_what_they_read() -> None:
    below = TABLE._replace(form="hive", text="SELECT id FROM raw.t")
    under = KnownBase(("raw", "t"), None, "lake", Identifier(("raw",), "t"), (ID,))
    stacked = replace(stored(), under=(under,))
    assert told(hive_entry(stacked, [below], {})).bases == (
        Base(("sales", "Orders"), '[["id", "bigint"]]', "SELECT id FROM raw.t"),
        Base(("raw", "t"), '[["id", "bigint"]]'),
    )
    nowhere = KnownBase((), None, "", Identifier((), ""), None)
    assert hive_entry(replace(stored(), under=(nowhere,)), [below], {}) is None


def test_a_function_of_a_view_below_may_be_one_of_the_estate() -> None:
    below = TABLE._replace(form="hive", text="SELECT f(id) AS id FROM raw.t")
    entry = told(hive_entry(stored(), [below], {}))
    assert compiled(Verdict(False, "Invalid function f"), entry, Functions(), True).accepted is None


def test_what_the_optimizer_refuses_is_said_without_the_name_of_its_exception() -> None:
    entry = told(hive_entry(stored(), [], {}))
    said = "Line 1:76 Invalid SubQuery expression 'grade' in definition of VIEW v"
    raw = Verdict(False, f"org.x.CalciteSubquerySemanticException: {said}")
    assert compiled(raw, entry, Functions(), True) == Verdict(False, said)
