"""What Coral is told of a view, and what Trino refuses of what it makes."""

import json
from dataclasses import replace

import pytest

from discovery.checks.columns_drift import check
from discovery.judging.analysis import Functions
from discovery.judging.analyzers import analyzers_for
from discovery.judging.entries import Base, Entry, KnownBase, StoredText
from discovery.judging.paths import Reach
from discovery.judging.translating import (
    analyzed_by_trino,
    coral_entry,
    shown_by_trino,
    translated,
    translators,
    weighed_by_trino,
)
from discovery.model import (
    Column,
    Field,
    Identifier,
    ListOf,
    Primitive,
    Representation,
    Struct,
    UnionOf,
    View,
)
from discovery.ports import Verdict

LONG, INTEGER = Primitive("long"), Primitive("integer")
ID = Column("Id", LONG)
TABLE = KnownBase(("sales", "orders"), None, "lake", Identifier(("sales",), "orders"), (ID,))
ORDERS = Base(("sales", "orders"), '[["id", "bigint"]]')


def stored(
    form: str = "hive",
    columns: tuple[Column, ...] = (ID,),
    properties: tuple[tuple[str, str], ...] = (),
    namespace: tuple[str, ...] = ("sales",),
) -> StoredText:
    text = Representation(dialect="hive", sql="SELECT 1")
    view = View(
        identifier=Identifier(namespace, "v"),
        columns=columns,
        representations=(text,),
        properties=properties,
    )
    return StoredText(view=view, text=text, form=form, source="lake")


@pytest.mark.parametrize("form", ["hive", "spark"])
def test_coral_is_told_names_and_hive_s_types_as_the_metastore_has_them(form: str) -> None:
    at = Column("At", Primitive("timestamp_tz"))
    entry = coral_entry(stored(form, (ID, at)), [TABLE], {})
    assert entry == Entry(
        place=Identifier(("sales",), "v"),
        columns='[["id", "bigint"], ["at", "timestamp"]]',
        bases=(ORDERS,),
    )


def test_a_view_of_trino_below_is_the_comment_that_stands_in_its_entry() -> None:
    entry = coral_entry(stored(), [TABLE._replace(form="trino")], {})
    assert entry is not None
    assert entry.bases == (Base(("sales", "orders"), "[]", "/* Presto View */"),)


def test_the_text_of_a_view_below_is_told_with_what_that_reads() -> None:
    lower = Identifier(("sales",), "lower")
    read = KnownBase(("lower",), None, "lake", lower, (ID,), "spark", text="SELECT id FROM orders")
    entry = coral_entry(replace(stored(), under=(TABLE,)), [read], {})
    assert entry is not None
    view = Base(("sales", "lower"), '[["id", "bigint"]]', "SELECT id FROM orders")
    assert entry.bases == (view, ORDERS)


def test_what_a_view_below_reads_must_be_known() -> None:
    read = TABLE._replace(form="hive", text="SELECT id FROM lost")
    nowhere = KnownBase((), None, "", Identifier((), ""), None)
    assert coral_entry(replace(stored(), under=(TABLE, nowhere)), [read], {}) is None


def test_a_name_with_a_catalog_is_no_table_to_coral_whatever_is_there() -> None:
    far = TABLE._replace(written=("ice", "a", "b"), source="cold", columns=None)
    entry = coral_entry(stored("spark"), [far, TABLE], {})
    assert entry is not None
    assert entry.bases == (ORDERS,)


@pytest.mark.parametrize(
    "read",
    [
        TABLE._replace(columns=None),
        TABLE._replace(source="cold"),
        TABLE._replace(form="flink"),
        TABLE._replace(form="iceberg"),
        TABLE._replace(identifier=Identifier(("a", "b"), "orders")),
        TABLE._replace(columns=(Column("t", Primitive("time")),)),
        TABLE._replace(written=("orders",), in_default=True),
    ],
    ids=[
        *("unknown", "elsewhere", "of Flink", "of Iceberg", "nested", "no type of Hive's"),
        "another in default",
    ],
)
def test_what_the_metastore_has_below_must_be_known(read: KnownBase) -> None:
    assert coral_entry(stored(), [TABLE, read], {}) is None


@pytest.mark.parametrize(
    "one",
    [
        stored("flink"),
        stored("trino"),
        stored(namespace=("a", "b")),
        stored(properties=(("presto_view", "no"),)),
    ],
    ids=["Flink's", "Trino's", "nested", "with Presto's flag"],
)
def test_what_trino_does_not_give_to_coral_is_not_told(one: StoredText) -> None:
    assert coral_entry(one, [TABLE], {}) is None


def test_where_spark_has_left_a_placeholder_coral_sees_that_and_no_columns_are_compared() -> None:
    entry = coral_entry(stored("spark", (Column("t", Primitive("time")),)), [TABLE], {})
    assert entry is not None
    assert json.loads(entry.columns) == [["col", "array<string>"]]
    assert translated(said(("t", "bigint", "")), entry, "spark") is None


def test_types_are_told_in_lower_case_as_trino_hands_them_on() -> None:
    place = Struct((Field("zipCode", INTEGER), Field("Geo", Struct((Field("Lat", LONG),)))))
    column = Column("place", place)
    entry = coral_entry(stored("spark", (column,)), [TABLE._replace(columns=(column,))], {})
    assert entry is not None
    told = '[["place", "struct<zipcode:int,geo:struct<lat:bigint>>"]]'
    assert (entry.columns, [base.columns for base in entry.bases]) == (told, [told])


def test_a_union_type_is_told_as_hive_spells_it() -> None:
    entry = coral_entry(stored(columns=(Column("u", UnionOf((INTEGER, LONG))),)), [], {})
    assert entry is not None
    assert json.loads(entry.columns) == [["u", "uniontype<int,bigint>"]]


def said(*columns: tuple[str, str, str], calls: tuple[str, ...] = ()) -> Verdict:
    functions = tuple((call,) for call in calls)
    return Verdict(True, functions=functions, returns=json.dumps(columns))


NOTHING = Entry(place=Identifier(("sales",), "v"), columns="[]")


@pytest.mark.parametrize(
    ("verdict", "message"),
    [  # as Trino 476 answered: tests/golden/hive_views.json
        (said(("n", "null", "")), "Unknown type: null"),
        (said(("n", "array(null)", "")), "Unknown type: null"),
        (said(("i", "interval_day", "")), "Unknown type: interval_day"),
        (said(("EXPR$1", "bigint", "count")), "has no name"),
        (said(("a", "varchar", ""), calls=("sort_array",)), "Function 'sort_array' not registered"),
        (said(("a", "varchar", "date")), "of type date"),
        (said(("a", "varchar", "date_add")), "of type date"),
        (said(("a", "integer", "length")), "of type bigint"),
        (said(("a", "integer", "avg")), "of type double"),
        (said(("a", "varchar", "json_extract")), "of type json"),
        (said(("a", "decimal(10,0)", "sum")), "of type decimal(38)"),
    ],
)
def test_what_trino_refuses_of_a_translation_is_rejected(verdict: Verdict, message: str) -> None:
    found = weighed_by_trino(verdict, NOTHING, Functions(), True)
    assert found.accepted is False
    assert message in found.message


@pytest.mark.parametrize(
    "verdict",
    [
        said(("a", "date", "date"), ("b", "timestamp", "date"), calls=("date",)),
        said(("a", "bigint", "length"), ("b", "double", "avg"), ("c", "decimal(14,6)", "avg")),
        said(("a", "bigint", "sum"), ("b", "decimal(38,2)", "sum"), calls=("SUM",)),
        said(("r", 'row("any" integer,"null" varchar)', "")),
        said(("a", "varchar", "st_astext"), calls=("st_astext",)),
        Verdict(False, "Unknown function name: f"),
        Verdict(None, "the translator gave up"),
    ],
)
def test_all_else_is_as_coral_and_the_parser_say(verdict: Verdict) -> None:
    assert weighed_by_trino(verdict, NOTHING, Functions(), True) is verdict


COLUMN = '[["a", "varchar", ""]]'


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(True, returns=COLUMN),
        Verdict(False, "Unknown function name: f"),
        Verdict(None, "the translator gave up: java.lang.StackOverflowError"),
        Verdict(False, "Column 'x' cannot be resolved", returns=COLUMN),
        Verdict(False, "Function 'sort_array' not registered", returns=COLUMN),
    ],
)
def test_what_trino_s_analyzer_says_of_a_translation_counts(verdict: Verdict) -> None:
    assert analyzed_by_trino(verdict, NOTHING, Functions(ours=True), True) == verdict


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(False, "Function 'cosine_similarity' not registered", returns=COLUMN),
        Verdict(False, "Unknown type: variant", returns=COLUMN),
        Verdict(None, "the translator gave up: java.lang.IllegalStateException", returns=COLUMN),
    ],
    ids=["a newer function", "a newer type", "gave up"],
)
def test_where_the_analyzer_has_no_say_a_translation_is_parsed_only(verdict: Verdict) -> None:
    found = analyzed_by_trino(verdict, NOTHING, Functions(), True)
    assert (found.accepted, found.message, found.grade) == (True, "", "PARSE")
    refused = replace(verdict, functions=(("sort_array",),))
    found = analyzed_by_trino(refused, NOTHING, Functions(), True)
    assert (found.accepted, found.grade) == (False, "PARSE")


@pytest.mark.parametrize("accepted", [False, None])
def test_a_column_of_a_type_that_trino_has_not_is_refused_before_the_text(
    accepted: bool | None,
) -> None:
    verdict = Verdict(accepted, "Column 'x' cannot be resolved", returns='[["a", "null", ""]]')
    found = analyzed_by_trino(verdict, NOTHING, Functions(), True)
    assert (found.accepted, found.message, found.grade) == (False, "Unknown type: null", None)


def test_trino_shows_tables_with_its_own_types() -> None:
    columns = [
        ("id", "int"),
        ("n", "char(3)"),
        ("ts", "timestamp"),
        ("b", "binary"),
        ("m", "map<string,array<struct<x:float>>>"),
        ("u", "struct<either:uniontype<int,uniontype<string,date>>>"),
    ]
    taken_in = Base(("sales", "lower"), '[["n", "void"]]', "SELECT NULL AS n")
    bases = shown_by_trino([taken_in, Base(("sales", "orders"), json.dumps(columns))])
    assert bases is not None
    ((name, told, text),) = bases
    assert (name, text) == (("sales", "orders"), "")
    inner = 'row("tag" tinyint,"field0" varchar,"field1" date)'
    assert json.loads(told) == [
        ["id", "integer"],
        ["n", "char(3)"],
        ["ts", "timestamp"],
        ["b", "varbinary"],
        ["m", 'map(varchar,array(row("x" real)))'],
        ["u", f'row("either" row("tag" tinyint,"field0" integer,"field1" {inner}))'],
    ]


def test_what_trino_has_no_type_for_it_shows_of_no_table() -> None:
    odd = Base(("sales", "odd"), '[["i", "void"]]')
    assert shown_by_trino([ORDERS, odd]) is None


def test_the_columns_that_trino_shows_are_compared_by_name_and_without_lengths() -> None:
    declared = (ID, Column("name", Primitive("varchar(10)")), Column("tags", ListOf(INTEGER)))
    entry = coral_entry(stored(columns=declared), [], {})
    assert entry is not None
    same = said(("id", "bigint", ""), ("name", "varchar", ""), ("tags", "array(integer)", ""))
    subject = translated(same, entry, "hive")
    assert subject is not None
    assert subject.engine == "trino"
    assert list(check(subject)) == []
    other = said(("x", "bigint", ""), ("name", "varchar", ""), ("tags", "array(bigint)", ""))
    subject = translated(other, entry, "hive")
    assert subject is not None
    (finding,) = check(subject)
    assert finding.engine == "trino"
    assert (
        finding.message
        == (
            "id is declared, and not returned; x is returned, and not declared; "
            "tags is declared list<integer>, returned list<long>"
        )
        or "tags is declared" in finding.message
    )


def test_of_a_rejection_no_columns_are_compared() -> None:
    entry = coral_entry(stored(), [], {})
    assert entry is not None
    assert translated(Verdict(False, "no"), entry, "hive") is None
    assert translated(said(("id", "bigint", "")), NOTHING, "hive") is None


def test_coral_judges_where_the_configuration_says_that_trino_has_it() -> None:
    assert analyzers_for(["trino"], {"trino": {"hive_views": "true"}}) == ("trino", "coral")
    assert analyzers_for(["trino"], {"trino": {"hive_views": "legacy"}}) == ("trino",)
    assert analyzers_for(["trino", "spark"], {}) == ("spark", "trino")
    assert analyzers_for(["trino"], {"trino": {"analyze": "false"}}) == ()
    both = {"hive_views": "true", "analyze": "false"}
    assert analyzers_for(["trino"], {"trino": both}) == ("coral-parsed",)
    assert analyzers_for(["hive"], {"trino": {"hive_views": "true"}}) == ("hive",)
    assert analyzers_for(["hive"], {"hive": {"analyze": "false"}}) == ()
    assert analyzers_for(["spark", "flink"], {}) == ("spark",)
    assert analyzers_for(["spark", "flink"], {"spark": {"analyze": "false"}}) == ()
    assert analyzers_for(["spark", "flink"], {"flink": {"analyze": "true"}}) == ("spark", "flink")


@pytest.mark.parametrize(
    ("stated", "engines"),
    [("true", ("trino",)), ("legacy", ()), ("false", ())],
)
def test_trino_takes_texts_of_views_below_in_where_coral_translates(
    stated: str, engines: tuple[str, ...]
) -> None:
    assert translators(Reach(("spark", "trino"), {"trino": {"hive_views": stated}})) == engines
