"""What Spark's analyzer is told of a view, and what its answer is worth."""

import json
from dataclasses import replace

import pytest

from discovery.checks.columns_drift import check
from discovery.checks.subject import Returned
from discovery.functions import Signature
from discovery.judging.analysis import Functions, returned, weighed
from discovery.judging.calling import KnownFunction
from discovery.judging.entries import Entry, KnownBase, StoredText, spark_entry
from discovery.judging.reasons import reason_of
from discovery.model import (
    Column,
    External,
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

LONG, INTEGER, INSTANT = Primitive("long"), Primitive("integer"), Primitive("timestamp_tz")
ID, AT = Column("id", LONG), Column("at", Primitive("timestamp"))
TABLE = KnownBase(("orders",), None, "lake", Identifier(("sales",), "Orders"), (ID,))


def stored(
    form: str,
    dialect: str,
    catalog: str | None = None,
    schema: str | None = "sales",
    properties: tuple[tuple[str, str], ...] = (),
    columns: tuple[Column, ...] = (ID,),
) -> StoredText:
    text = Representation(
        dialect=dialect, sql="SELECT 1", default_catalog=catalog, default_schema=schema
    )
    view = View(
        identifier=Identifier(("sales",), "v"),
        columns=columns,
        representations=(text,),
        properties=properties,
    )
    return StoredText(view=view, text=text, form=form, source="lake")


def told(entry: Entry | None) -> Entry:
    assert entry is not None
    return entry


def fields(text: str) -> list[tuple[str, object]]:
    return [(field["name"], field["type"]) for field in json.loads(text)["fields"]]


def test_a_view_of_spark_is_told_with_its_marks_and_context() -> None:
    marks = (
        ("owner", "x"),
        ("spark.sql.create.version", "2.4.8"),
        ("view.query.out.numCols", "1"),
        ("view.sqlConfig.spark.sql.ansi.enabled", "true"),
    )
    entry = told(spark_entry(stored("spark", "spark", properties=marks), [TABLE], {}))
    assert dict(entry.properties) == {**dict(marks[1:]), "view.default.database": "sales"}
    assert [base.name for base in entry.bases] == [("spark_catalog", "sales", "Orders")]
    assert entry.catalogs == ()
    assert not entry.by_position
    named = spark_entry(stored("spark", "spark", catalog="spark_catalog"), [], {})
    assert dict(told(named).properties)["view.catalogAndNamespace.part.0"] == "spark_catalog"


def test_no_property_of_a_view_has_spark_load_classes() -> None:
    stated = (
        ("view.sqlConfig.spark.sql.catalog.evil", "no.such.Class"),
        ("view.sqlConfig.spark.sql.extensions", "no.such.Class"),
    )
    entry = told(spark_entry(stored("spark", "spark", properties=stated), [TABLE], {}))
    assert not dict(entry.properties).keys() & dict(stated).keys()


def test_engines_but_spark_see_its_placeholder() -> None:
    placeholder = (Column("col", ListOf(Primitive("string"))),)
    json = TABLE._replace(beside_spark=placeholder)
    assert json.seen_by("spark").columns == (ID,)
    assert json.seen_by("hive").columns == json.seen_by("trino").columns == placeholder
    assert TABLE.seen_by("hive").columns == (ID,)


def test_engines_but_flink_find_no_columns_in_its_own_tables() -> None:
    own = TABLE._replace(form="flink", flink_times=())
    assert own.seen_by("flink").columns == (ID,)
    assert own.seen_by("spark") == own.seen_by("hive") == TABLE._replace(columns=())


def test_what_is_in_another_catalog_is_there_for_spark() -> None:
    far = TABLE._replace(written=("ice", "a", "orders"), catalog="ice", source="cold")
    entry = told(spark_entry(stored("spark", "spark"), [far, TABLE], {"unused": "x"}))
    assert [base.name[0] for base in entry.bases] == ["ice", "spark_catalog"]
    assert entry.catalogs == ("ice", "unused")


def test_hive_s_entry_has_no_context_and_its_timestamps_are_instants_to_spark() -> None:
    below = TABLE._replace(columns=(ID, AT), form="hive")
    entry = told(spark_entry(stored("hive", "hive", columns=(ID, AT)), [below], {}))
    assert entry.properties == ()
    assert fields(entry.columns) == fields(entry.bases[0].columns)
    assert fields(entry.columns) == [("id", "long"), ("at", "timestamp")]
    own = told(spark_entry(stored("spark", "spark", columns=(AT,)), [], {}))
    assert fields(own.columns) == [("at", "timestamp_ntz")]


def test_flink_s_names_are_in_flink_s_catalog_and_spark_sees_no_columns() -> None:
    entry = told(spark_entry(stored("flink", "flink", catalog="hc"), [TABLE], {}))
    assert dict(entry.properties)["view.catalogAndNamespace.part.0"] == "hc"
    assert entry.bases[0].name == ("spark_catalog", "sales", "Orders")
    assert "hc" not in entry.catalogs
    assert fields(entry.columns) == []
    assert spark_entry(stored("flink", "flink"), [TABLE], {}) is None, "which catalog?"


def test_the_mode_of_the_session_is_told_where_a_view_keeps_none() -> None:
    mode = "view.sqlConfig.spark.sql.ansi.enabled"
    iceberg = replace(stored("iceberg", "spark"), settings={"ansi": "false"})
    assert dict(told(spark_entry(iceberg, [TABLE], {})).properties)[mode] == "false"
    silent = replace(iceberg, settings={})
    assert mode not in dict(told(spark_entry(silent, [TABLE], {})).properties)
    for form in ("spark", "hive"):
        stored_text = replace(stored(form, form), settings={"ansi": "true"})
        assert mode not in dict(told(spark_entry(stored_text, [TABLE], {})).properties)


def test_a_view_of_iceberg_is_read_by_position_in_its_default_namespace() -> None:
    entry = told(spark_entry(stored("iceberg", "spark", schema="a.b"), [TABLE], {"ice": "lake"}))
    context = dict(entry.properties)
    assert [context[f"view.catalogAndNamespace.part.{n}"] for n in range(3)] == ["ice", "a", "b"]
    assert entry.by_position
    assert entry.bases[0].name == ("ice", "sales", "Orders")
    spelled = TABLE._replace(written=("Orders",))
    foreign = stored("iceberg", "trino", schema="a.b")
    of_trino = told(spark_entry(foreign, [spelled], {"ice": "lake"}))
    assert of_trino == entry, "without a text for Spark it runs the first"
    in_other_case = told(spark_entry(foreign, [TABLE], {"ice": "lake"}))
    assert in_other_case.bases == (), "Trino finds it by a name in any case, Spark does not"
    alone = told(spark_entry(stored("iceberg", "spark", schema=None), [TABLE], {}))
    assert alone.bases[0].name[0] == "lake", "no word of its name: that of the source"


@pytest.mark.parametrize(
    ("view", "read"),
    [
        (stored("paimon", "spark"), TABLE),
        (stored("glue", "spark"), TABLE),
        (stored("canonical", "trino"), TABLE),
        (stored("spark", "spark"), TABLE._replace(columns=None)),
        (stored("spark", "spark"), TABLE._replace(written=("orders", "branch_main"))),
        (stored("hive", "hive"), TABLE._replace(source="elsewhere")),
        (stored("iceberg", "spark"), TABLE._replace(columns=(Column("u", UnionOf((LONG,))),))),
        (stored("spark", "spark", columns=(Column("u", External("uuid")),)), TABLE),
    ],
)
def test_what_spark_would_see_is_not_always_known(view: StoredText, read: KnownBase) -> None:
    assert spark_entry(view, [read], {}) is None


@pytest.mark.parametrize(
    ("view", "read"),
    [  # as Spark 4.3.0 answered: tests/golden/estate_views.json
        (stored("spark", "spark"), TABLE._replace(columns=(Column("u", UnionOf((LONG,))),))),
        (stored("hive", "hive", columns=(Column("u", UnionOf((LONG,))),)), TABLE),
        (stored("hive", "hive", columns=(Column("i", Primitive("interval_day")),)), TABLE),
    ],
)
def test_types_of_hive_that_spark_does_not_parse_are_rejected_before_the_text_is_looked_at(
    view: StoredText, read: KnownBase
) -> None:
    entry = told(spark_entry(view, [read], {}))
    said = weighed(Verdict(True), entry, Functions(), True)
    assert said.accepted is False
    assert reason_of(said.message).code == "TYPE_MISMATCH"


ENTRY = told(spark_entry(stored("spark", "spark"), [TABLE], {}))
NO_FUNCTION = Verdict(False, "[UNRESOLVED_ROUTINE] Cannot resolve routine `f` on search path")
NO_COLUMN = Verdict(False, "[UNRESOLVED_COLUMN.WITH_SUGGESTION] … with name `x` cannot be")
OF_FILES = Verdict(False, "[UNRESOLVED_COLUMN.WITH_SUGGESTION] … with name `t`.`_metadata` cannot")


@pytest.mark.parametrize(
    ("verdict", "functions", "accepted"),
    [
        (NO_FUNCTION, Functions(), False),
        (NO_FUNCTION, Functions(ours=True), None),
        (NO_FUNCTION, Functions(listed=False), None),
        (NO_COLUMN, Functions(ours=True, listed=False), False),
        (OF_FILES, Functions(), None),
        (Verdict(True), Functions(ours=True), True),
        (Verdict(None, "gave up"), Functions(), None),
    ],
)
def test_what_is_rejected_for_want_of_our_knowledge_is_not_judged(
    verdict: Verdict, functions: Functions, accepted: bool | None
) -> None:
    assert weighed(verdict, ENTRY, functions, declares=True).accepted is accepted


def test_a_view_without_columns_for_spark_gives_none_back() -> None:
    bare = replace(ENTRY, columns='{"type":"struct","fields":[]}')
    assert weighed(Verdict(True), bare, Functions(), declares=True).accepted is False
    assert weighed(Verdict(True), bare, Functions(), declares=False).accepted is True
    assert returned(Verdict(True, returns=ENTRY.columns), bare, "flink") is None


def test_columns_are_sought_as_spark_does() -> None:
    said = Verdict(True, returns=ENTRY.columns)
    noted = (("view.query.out.numCols", "1"), ("view.query.out.col.0", "other"))
    hive = replace(ENTRY, columns=ENTRY.columns.replace('"id"', '"_c0"'))
    found = [
        returned(said, entry, "spark")
        for entry in (
            ENTRY,
            replace(ENTRY, properties=noted),
            replace(ENTRY, by_position=True),
            hive,
        )
    ]
    assert [one and one.sought for one in found] == [("id",), ("other",), None, None]
    assert returned(Verdict(False, "no"), ENTRY, "spark") is None


def drift(
    declared: tuple[Column, ...],
    got: tuple[Column, ...],
    sought: tuple[str, ...] | None = None,
) -> list[str]:
    return [finding.message for finding in check(Returned("spark", "spark", declared, got, sought))]


NAME = Column("name", Primitive("string"))


def test_drift_is_told_with_what_is_declared_and_what_is_returned() -> None:
    assert drift((ID,), (Column("ID", LONG),), ("id",)) == []
    assert drift((ID,), (Column("other", LONG),)) == [], "by position names do not matter"
    assert drift((ID,), (Column("id", INTEGER),), ("id",)) == [
        "id is declared long, returned integer"
    ]
    assert drift((ID,), (NAME,), ("id",)) == [
        "id is declared, and not returned; name is returned, and not declared"
    ]
    assert drift((ID, NAME), (NAME, ID), ("id", "name")) == [
        "the order is id, name as declared, name, id as returned"
    ]
    assert drift((ID, NAME), (NAME,)) == [
        "name is declared, and not returned; id is declared long, returned string"
    ]


def test_drift_knows_nulls_and_nested_types() -> None:
    strict, loose = ID._replace(nullable=False), ID
    assert drift((strict,), (loose,), ("id",)) == [
        "id is declared without NULLs, returned with them"
    ]
    assert drift((loose,), (strict,), ("id",)) == [], "a promise more is no harm"
    column = Column("s", Struct((Field("A", ListOf(LONG, False), False, "c"),)))
    other = Column("s", Struct((Field("a", ListOf(LONG)),)))
    assert drift((column,), (other,), ("s",)) == []
    narrow = Column("s", Struct((Field("a", ListOf(INTEGER)),)))
    assert len(drift((column,), (narrow,), ("s",))) == 1


def test_columns_without_nulls_are_no_promise_of_trino() -> None:
    strict = ID._replace(nullable=False)
    of_trino = Returned("spark", "Trino", (strict, NAME), (ID, ID._replace(name="name")))
    (finding,) = check(of_trino)
    assert finding.message == "name is declared string, returned long"


def test_columns_of_one_name_are_counted() -> None:
    assert drift((ID, ID), (ID, ID), ("id", "id")) == []
    assert drift((ID, ID), (ID,), ("id", "id")) == ["id is declared, and not returned"]


def test_many_differences_are_cut() -> None:
    many = tuple(Column(f"c{n}", LONG) for n in range(20))
    (told,) = drift(many, (), tuple(column.name for column in many))
    assert told.endswith("; and 12 more")


def test_a_short_name_of_hive_that_leads_to_default_as_well_is_not_told_as_another_s() -> None:
    short = TABLE._replace(in_default=True)
    assert spark_entry(stored("hive", "hive"), [short], {}) is None
    assert spark_entry(stored("hive", "hive"), [TABLE], {}) is not None
    known_base = short._replace(written=("sales", "orders"))
    assert spark_entry(stored("hive", "hive"), [known_base], {}) is not None
    there = short._replace(identifier=Identifier(("default",), "orders"))
    assert spark_entry(stored("hive", "hive"), [there], {}) is not None
    assert spark_entry(stored("spark", "spark"), [short], {}) is not None, "it keeps its database"


@pytest.mark.parametrize(
    ("form", "catalogs", "told_it"),
    [
        ("spark", {}, True),
        ("spark", {"spark_catalog": "lake"}, True),
        ("spark", {"spark_catalog": "cold"}, False),
        ("iceberg", {"ice": "lake"}, False),
        ("iceberg", {"ice": "cold", "spark_catalog": "lake"}, True),
        ("hive", {"spark_catalog": "lake"}, False),
    ],
)
def test_functions_that_spark_keeps_are_told_where_its_own_catalog_has_them(
    form: str, catalogs: dict[str, str], told_it: bool
) -> None:
    own = KnownFunction("lake", ("sales",), "f", Signature((), "INT"), "spark")
    others = (own._replace(signature=None), own._replace(of="trino"), own._replace(of=""))
    view = replace(stored(form, form if form == "hive" else "spark"), calls=(own, *others))
    entry = told(spark_entry(view, [TABLE], catalogs))
    assert entry.functions == ((own,) if told_it else ())


def test_stubs_of_functions_give_null_which_is_no_drift() -> None:
    declared = (Column("id", LONG, None, nullable=False),)
    view = stored("spark", "spark", columns=declared)
    entry = told(spark_entry(view, [TABLE], {}))
    column = {"name": "id", "type": "long", "nullable": True, "metadata": {}}
    verdict = Verdict(True, returns=json.dumps({"type": "struct", "fields": [column]}))
    own = KnownFunction("lake", ("sales",), "f", Signature((), "INT"), "spark")
    for functions, drifts in (((), True), ((own,), False)):
        subject = returned(verdict, replace(entry, functions=functions), "spark")
        assert subject is not None
        assert bool(list(check(subject))) is drifts
