"""Views as entries of a metastore: what is held comes back, and what does not is told."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.datatypes import flink, hive, spark_writing, trino
from discovery.errors import InvalidTypeError, NotHeldError
from discovery.formats import hive_table
from discovery.formats.metastore_writing import ENCODERS, Encoded, Lost, encode
from discovery.migration.diff import differences
from discovery.model import (
    Audit,
    Column,
    DataType,
    External,
    Field,
    Identifier,
    ListOf,
    MapOf,
    OwnerKind,
    Primitive,
    Representation,
    Security,
    SecurityMode,
    Struct,
    UnionOf,
    View,
)

PLACE = Identifier(("sales",), "v_orders")
COMMON = ("boolean", "integer", "long", "float", "double", "string", "date", "decimal(10,2)")
EXACT: Mapping[str, tuple[str, ...]] = {
    "hive": (*COMMON, "binary", "byte", "short", "timestamp", "char(255)", "varchar(65535)"),
    "trino": (*COMMON, "binary", "byte", "short", "time", "time(6)", "timestamp(12)", "uuid"),
    "spark": (*COMMON, "binary", "timestamp", "timestamp_tz", "timestamp(9)", "null", "varchar(3)"),
    "flink": (*COMMON, "binary", "fixed(16)", "time(0)", "timestamp(3)", "timestamp_tz(9)"),
}
"""Dialect to the types that come back as they are."""
HIVE_TEXT = "SELECT `t`.`id` FROM `sales`.`t`"
plain_names = st.text("abcxyzäß_ 0", min_size=1, max_size=6).filter(lambda one: one.strip() == one)
any_text = st.text(min_size=1, max_size=8)


def typed(dialect: str) -> st.SearchStrategy[DataType]:
    """Types that the dialect's engine has; what it cannot say of nulls is left out."""
    says_null = dialect in {"spark", "flink"}
    nulls = st.booleans() if says_null else st.just(True)
    comments = st.none() | plain_names if says_null else st.none()
    return st.recursive(
        st.sampled_from(EXACT[dialect]).map(Primitive),
        lambda inner: (
            st.builds(ListOf, inner, nulls)
            | st.builds(MapOf, inner, inner, nulls)
            | st.lists(
                st.builds(Field, plain_names, inner, nulls, comments),
                min_size=1,
                max_size=3,
                unique_by=lambda field: field.name,
            ).map(lambda one: Struct(tuple(one)))
        ),
        max_leaves=5,
    ).filter(lambda one: dialect != "spark" or not has_sizes_within(one))


def has_sizes_within(kind: DataType) -> bool:
    """Whether Spark's metadata would have to say the name of a field in Hive's language."""
    return "varchar" in str(kind) and not isinstance(kind, Primitive)


def holdable(dialect: str) -> st.SearchStrategy[View]:
    """Views that an entry of the dialect holds as they are."""
    nulls = st.booleans() if dialect in {"spark", "flink"} else st.just(True)
    shown = any_text.filter(str.strip) if dialect == "flink" else any_text
    names = plain_names.map(str.lower) if dialect == "hive" else shown
    owners = st.none() | any_text
    securities = (
        st.just(Security(SecurityMode.INVOKER)) | st.just(Security(SecurityMode.DEFINER, "alice"))
        if dialect == "trino"
        else st.none()
    )
    view = st.builds(
        View,
        identifier=st.just(PLACE),
        columns=st.lists(
            st.builds(Column, names, typed(dialect), st.none() | any_text, nulls),
            min_size=1,
            max_size=4,
            unique_by=lambda column: column.name.lower(),
        ).map(tuple),
        representations=contexts(dialect).map(lambda representation: (representation,)),
        comment=st.none() | any_text,
        security=securities,
        properties=st.dictionaries(any_text.map(lambda one: f"my.{one}"), st.text()).map(
            lambda one: tuple(sorted(one.items()))
        ),
        audit=st.builds(Audit, creator=owners),
    )
    last = {"trino": owned_by_its_definer, "spark": with_marks_of_spark}
    return view.map(last.get(dialect, with_its_kind))


def owned_by_its_definer(view: View) -> View:
    """Trino takes the owner of the entry for the definer."""
    definer = view.security is not None and view.security.definer
    return replace(view, audit=Audit(creator=definer)) if definer else view


def with_marks_of_spark(view: View) -> View:
    """What Spark notes of every view is a property of it."""
    names = {f"view.query.out.col.{at}": column.name for at, column in enumerate(view.columns)}
    marks = {"spark.sql.create.version": "4.0.0", "view.query.out.numCols": str(len(names))}
    return replace(
        view, properties=tuple(sorted({**dict(view.properties), **marks, **names}.items()))
    )


def with_its_kind(view: View) -> View:
    kind = OwnerKind.ROLE if view.audit.creator else OwnerKind.USER
    return replace(view, audit=replace(view.audit, creator_kind=kind))


def contexts(dialect: str) -> st.SearchStrategy[Representation]:
    texts = st.sampled_from(["SELECT `id` FROM t", "select 1 from `a b`, (select x from y) z -- t"])
    if dialect == "hive":
        return st.just(Representation(dialect=dialect, sql=HIVE_TEXT))
    if dialect == "flink":
        whole = st.builds(
            lambda sql, catalog, level: Representation(
                dialect=dialect, sql=sql, default_catalog=catalog
            ).within((level,)),
            texts,
            plain_names,
            plain_names,
        )
        return whole | texts.map(lambda sql: Representation(dialect=dialect, sql=sql))
    catalogs = any_text if dialect == "trino" else st.none() | any_text
    levels = st.lists(any_text.filter(lambda one: "." not in one), max_size=1)
    return st.builds(
        lambda sql, catalog, level: Representation(
            dialect=dialect, sql=sql, default_catalog=catalog
        ).within(level),
        any_text.filter(str.strip),
        catalogs,
        levels,
    )


def check_exact(view: View) -> None:
    encoded = encode(view)
    assert encoded.view == view
    assert encoded.losses == ()


@given(holdable("trino"))
def test_a_view_of_trino_comes_back_as_it_was(view: View) -> None:
    check_exact(view)


@given(holdable("spark"))
def test_a_view_of_spark_comes_back_as_it_was(view: View) -> None:
    check_exact(view)


@given(holdable("hive"))
def test_a_view_of_hive_comes_back_as_it_was(view: View) -> None:
    check_exact(view)


@given(holdable("flink"))
def test_a_view_of_flink_comes_back_as_it_was(view: View) -> None:
    check_exact(view)


KEYS = st.sampled_from(
    [
        *("presto_view", "comment", "is_generic", "flink.comment", "flink.schema.0.name"),
        *("spark.sql.create.version", "spark.sql.sources.schema.numParts", "trino.path"),
        *("view.query.out.numCols", "view.default.database", "presto_version", "table_type"),
        *("view.catalogAndNamespace.numParts", "view.subType", "metadata_location", "view-format"),
        *("schema.0.name", "schema.watermark.0.rowtime", "gravitino.identifier", "common_view"),
        *("transient_lastDdlTime", "presto_materialized_view", "flink.k", "k"),
    ]
)
VALUES = st.sampled_from(["true", "1", "ICEBERG-VIEW", "METRIC_VIEW", "iceberg", "[]", "x", ""])
SPELLED = st.sampled_from(
    [*EXACT["trino"], *EXACT["flink"], "timestamp_tz", "uuid", "interval_year", "char(0)"]
)
anything = st.builds(
    View,
    identifier=st.just(PLACE),
    columns=st.lists(
        st.builds(
            Column,
            any_text,
            SPELLED.map(Primitive)
            | st.builds(External, st.sampled_from(["json", "variant", "jsonb", "RAW('a','b')"]))
            | st.just(UnionOf((Primitive("long"),))),
            st.none() | any_text,
            st.booleans(),
        ),
        max_size=3,
    ).map(tuple),
    representations=st.builds(
        lambda dialect, sql, catalog, levels: (
            Representation(dialect=dialect, sql=sql, default_catalog=catalog).within(levels),
        ),
        st.sampled_from(["Trino", "spark", "HIVE", "flink"]),
        st.sampled_from(
            [
                "select 1 from t",
                "select 1 from a.b.c",
                "with t as (select 1) select * from t, u",
                "x",
                " ",
            ]
        ),
        st.none() | st.just("lake"),
        st.sampled_from([(), ("sales",), ("other",), ("a", "b")]),
    ),
    comment=st.none() | st.text(max_size=3),
    security=st.none() | st.builds(Security, st.sampled_from(SecurityMode), st.none() | any_text),
    properties=st.dictionaries(KEYS, VALUES, max_size=6).map(
        lambda one: tuple(sorted(one.items()))
    ),
    audit=st.builds(Audit, creator=st.none() | any_text),
)


@given(anything)
def test_nothing_is_lost_without_a_word(view: View) -> None:
    try:
        encoded = encode(view)
    except NotHeldError:
        return
    lower = tuple(
        replace(representation, dialect=representation.dialect.lower())
        for representation in view.representations
    )
    same = replace(view, representations=lower)
    assert set(_fields(same, encoded.view)) == _told(encoded)
    again = encode(encoded.view)
    assert (again.view, again.entry) == (encoded.view, encoded.entry), "what is held is held again"


def test_a_property_of_flink_s_may_be_called_as_another_with_its_prefix() -> None:
    named = (("flink.k", "of flink.k"), ("k", "of k"))
    text = Representation(dialect="flink", sql="SELECT 1")
    view = View(
        identifier=Identifier(("a",), "v"),
        columns=(Column("c", Primitive("integer")),),
        representations=(text,),
        properties=named,
    )
    encoded = encode(view)
    assert encoded.view.properties == named
    assert encode(encoded.view).entry == encoded.entry


def _fields(wanted: View, read: View) -> set[str]:
    """What differs, by the words of losses; a context that was written out is in the text."""
    words = {"representations": "text", "identifier": "text"}
    fields = {
        words.get(difference.partition(".")[0], difference)
        for difference in differences(wanted, read)
    }
    if "text" in fields and wanted.representations[0].sql == read.representations[0].sql:
        fields = (fields - {"text"}) | {"context"}
    invented = dict(read.properties).keys() - dict(wanted.properties).keys()
    kept = all(dict(read.properties).get(key) == value for key, value in wanted.properties)
    if kept and invented:
        fields.discard("properties")  # its engine's own
    return fields | ({"audit"} if wanted.audit not in {Audit(), read.audit} else set())


def _told(found: Encoded) -> set[str]:
    return {loss.what.value for loss in found.losses}


def view_of(text: Representation, *columns: Column, **more: object) -> View:
    return replace(
        View(
            identifier=PLACE,
            columns=columns or (Column("id", Primitive("long")),),
            representations=(text,),
        ),
        **more,  # type: ignore[arg-type]  # fields by their names
    )


def losses(view: View) -> dict[Lost, str]:
    return {loss.what: loss.sentence for loss in encode(view).losses}


def test_the_first_text_that_a_metastore_has_a_format_for_is_written() -> None:
    texts = tuple(
        Representation(dialect=one, sql=f"select '{one}'") for one in ("mysql", "Spark", "trino")
    )
    view = replace(view_of(texts[0]), representations=texts)
    encoded = encode(view)
    assert [representation.sql for representation in encoded.view.representations] == [
        "select 'Spark'"
    ]
    assert losses(view)[Lost.DIALECTS].endswith("here that of spark: mysql, trino left out")


@pytest.mark.parametrize(
    ("view", "why"),
    [
        (view_of(Representation(dialect="mysql", sql="select 1")), "no format for mysql"),
        (view_of(Representation(dialect="spark", sql="\n ")), "no SQL text in spark"),
        (
            view_of(
                Representation(dialect="spark", sql="select 1"), identifier=Identifier((), "v")
            ),
            "databases, which do not nest",
        ),
        (
            view_of(
                Representation(dialect="spark", sql="select 1"),
                identifier=Identifier(("a", "b"), "v"),
            ),
            "databases, which do not nest",
        ),
        (
            view_of(
                Representation(dialect="spark", sql="select 1"), identifier=Identifier(("A",), "v")
            ),
            "lower case",
        ),
        (
            view_of(
                Representation(dialect="trino", sql="select 1"), Column("u", External("jsonb"))
            ),
            "u: Trino has no type for jsonb",
        ),
        (
            view_of(Representation(dialect="trino", sql="select 1", default_schema="s")),
            "has a default catalog, too",
        ),
        (
            view_of(
                Representation(
                    dialect="hive", sql="from t lateral view f(a) x as b, c select b"
                ).within(("other",))
            ),
            "short names of the text cannot be written out for sure",
        ),
        (
            replace(
                view_of(Representation(dialect="spark", sql="select 1")),
                properties=(("p" * 257, "x"),),
            ),
            "room for 256 characters of a property's name",
        ),
        (
            view_of(
                Representation(dialect="hive", sql="select 1 as c"),
                Column("c", Primitive("long"), "x" * 4001),
            ),
            "room for 4000 characters of a column's comment",
        ),
        (
            view_of(Representation(dialect="flink", sql="select * from f(t)").within(("other",))),
            "short names of the text cannot be written out for sure",
        ),
        (
            view_of(Representation(dialect="hive", sql="/* Presto View: x */")),
            "its text would not be read as one of hive",
        ),
    ],
)
def test_what_no_entry_can_hold_is_refused(view: View, why: str) -> None:
    with pytest.raises(NotHeldError, match=r".") as raised:
        encode(view)
    assert why in raised.value.message
    assert raised.value.where["view"] == str(view.identifier)


def test_a_long_comment_is_held_where_the_entry_has_it_in_its_text() -> None:
    column = Column("c", Primitive("long"), "x" * 4001)
    text = Representation(dialect="trino", sql="select 1 as c")
    assert encode(view_of(text, column)).view.columns == (column,)


def test_a_view_without_columns_is_none_of_trinos_or_flinks() -> None:
    for dialect in ("trino", "flink"):
        text = Representation(dialect=dialect, sql="select 1")
        with pytest.raises(NotHeldError, match="at least one column"):
            encode(replace(view_of(text), columns=()))


def test_an_entry_has_no_location_and_is_a_view() -> None:
    for dialect in ENCODERS:
        payload = encode(view_of(Representation(dialect=dialect, sql=HIVE_TEXT))).entry.payload()
        assert payload["tableType"] == "VIRTUAL_VIEW"
        assert isinstance(payload["sd"], dict)
        assert "location" not in payload["sd"]


def test_short_names_are_written_out_where_the_engine_keeps_no_context() -> None:
    text = Representation(dialect="hive", sql="select id from t join other.u").within(("web",))
    encoded = encode(view_of(text))
    assert encoded.entry.expanded == "select id from `web`.t join other.u"
    assert [loss.what for loss in encoded.losses] == [Lost.TEXT]
    flink_text = replace(text, dialect="flink", default_catalog="hc")
    encoded = encode(view_of(flink_text))
    assert (encoded.entry.original, encoded.entry.expanded) == (
        "select id from t join other.u",
        "select id from `hc`.`web`.t join `hc`.other.u",
    )
    assert encoded.losses == ()
    without_catalog = replace(flink_text, default_catalog=None)
    encoded = encode(view_of(without_catalog))
    assert encoded.entry.original == encoded.entry.expanded == "select id from `web`.t join other.u"
    two = Representation(dialect="flink", sql="select id from a.t", default_catalog="hc")
    encoded = encode(view_of(two))
    assert (encoded.entry.original, encoded.entry.expanded) == (two.sql, "select id from `hc`.a.t")
    own = view_of(without_catalog).identifier.namespace  # the session goes before it, since 1.20
    encoded = encode(view_of(without_catalog.within(own)))
    assert encoded.entry.expanded == f"select id from `{own[0]}`.t join other.u"
    lost = Representation(dialect="flink", sql="select * from f(t)", default_catalog="hc")
    with pytest.raises(NotHeldError, match="cannot be written out for sure"):
        encode(view_of(lost.within(own)))


def test_no_one_gets_more_rights_by_a_view_of_trino() -> None:
    text = Representation(dialect="trino", sql="select 1")
    unsaid = encode(view_of(text, audit=Audit(creator="root")))
    assert unsaid.view.security == Security(SecurityMode.INVOKER)
    assert [loss.what for loss in unsaid.losses] == [Lost.SECURITY]
    by_alice = view_of(
        text,
        security=Security(SecurityMode.DEFINER, "alice"),
        audit=Audit(creator="root", create_time=datetime(2026, 3, 4, tzinfo=UTC)),
    )
    encoded = encode(by_alice)
    assert encoded.entry.owner == "alice"
    assert "its owner will be alice, who is its definer" in losses(by_alice)[Lost.AUDIT]
    by_nobody = encode(replace(by_alice, security=Security(SecurityMode.DEFINER)))
    assert by_nobody.entry.owner is None, "the owner would be its definer"


def test_a_property_that_would_make_it_another_engines_is_left_out() -> None:
    text = Representation(dialect="hive", sql=HIVE_TEXT)
    marks = (("flink.k", "v"), ("gravitino.identifier", "gravitino.v1.uid1"), ("k", "v"))
    encoded = encode(view_of(text, properties=(*marks, ("view.default.database", "x"))))
    assert encoded.view.properties == (("flink.k", "v"), ("k", "v"))
    assert {loss.what for loss in encoded.losses} == {Lost.PROPERTIES}


def test_a_long_schema_of_spark_goes_into_parts_that_a_parameter_holds() -> None:
    columns = [Column(f"größe_{number}_🐝", Primitive("long")) for number in range(120)]
    encoded = encode(view_of(Representation(dialect="spark", sql="select 1"), *columns))
    parts = [
        value
        for key, value in encoded.entry.parameters.items()
        if key.startswith("spark.sql.sources.schema.part.")
    ]
    assert len(parts) == int(encoded.entry.parameters["spark.sql.sources.schema.numParts"]) > 1
    assert all(len(part.encode("utf-16-le")) <= 8_000 for part in parts)
    assert encoded.view.columns == tuple(columns)


def test_spark_s_placeholder_stands_where_hive_has_no_such_type_or_name() -> None:
    text = Representation(dialect="spark", sql="select 1")
    placeholder = (("col", "array<string>", "from deserializer"),)
    twice = (Column("a", Primitive("long")), Column("A", Primitive("long")))
    assert encode(view_of(text, *twice)).entry.columns == placeholder
    ntz = encode(view_of(text, Column("t", Primitive("timestamp"))))
    assert ntz.entry.columns == placeholder
    assert encode(view_of(text, Column("T", Primitive("timestamp_tz"), "c"))).entry.columns == (
        ("t", "timestamp", "c"),
    )


def test_the_mark_of_belvedere_is_no_property() -> None:
    assert hive_table.properties({hive_table.MADE: "x", "k": "v"}, ()) == (("k", "v"),)


@pytest.mark.parametrize(
    ("engine", "kind", "text"),
    [
        ("hive", Primitive("timestamp(3)"), "timestamp"),
        ("hive", Struct((Field("a", ListOf(Primitive("char(3)"))),)), "struct<a:array<char(3)>>"),
        ("hive", UnionOf((Primitive("integer"), Primitive("date"))), "uniontype<int,date>"),
        ("trino", Primitive("timestamp_tz(3)"), "timestamp(3) with time zone"),
        ("trino", Struct((Field('q"t', Primitive("float")),)), 'row("q""t" real)'),
        ("trino", MapOf(Primitive("string"), Primitive("uuid")), "map(varchar,uuid)"),
        ("flink", ListOf(Primitive("string"), False), "ARRAY<VARCHAR(2147483647) NOT NULL>"),
        (
            "flink",
            Struct((Field("a`b", Primitive("decimal(5,2)"), True, "it's"),)),
            "ROW<`a``b` DECIMAL(5, 2) 'it''s'>",
        ),
        ("flink", Primitive("timestamp_tz"), "TIMESTAMP(9) WITH LOCAL TIME ZONE"),
    ],
)
def test_types_are_spelled_as_their_engines_spell_them(
    engine: str, kind: DataType, text: str
) -> None:
    spelled = {"hive": hive.spell, "trino": trino.spell, "flink": flink.spell}
    assert spelled[engine](kind) == text


@pytest.mark.parametrize(
    ("engine", "refused"),
    [
        ("hive", ["uuid", "timestamp_tz", "char(256)", "varchar(0)", "timestamp(10)", "time"]),
        ("trino", ["fixed(3)", "null", "long unsigned"]),
        ("spark", ["uuid", "fixed(3)", "timestamp(10)", "time(9)", "byte unsigned"]),
        ("flink", ["uuid", "char(0)", "timestamp(10)", "short unsigned"]),
    ],
)
def test_a_type_that_an_engine_lacks_is_refused(engine: str, refused: list[str]) -> None:
    for text in refused:
        view = view_of(Representation(dialect=engine, sql=HIVE_TEXT), Column("c", Primitive(text)))
        with pytest.raises(NotHeldError, match=f"c: {engine.title()} has no type for"):
            encode(view)
    with pytest.raises(InvalidTypeError):
        spark_writing.schema((Column("u", UnionOf((Primitive("long"),))),))


@pytest.mark.parametrize(
    ("engine", "names"),
    [
        ("flink", ("a", "a")),  # RowType: "Field names must be unique"
        ("flink", ("a", " ")),
        ("trino", ("a", "")),  # its parser: "Zero-length delimited identifier not allowed"
    ],
)
def test_a_struct_whose_names_an_engine_cannot_read_is_refused(
    engine: str, names: tuple[str, ...]
) -> None:
    """Spark has views of them: `named_struct('', 1)`, `named_struct('a', 1, 'a', 2)`."""
    row = Struct(tuple(Field(name, Primitive("integer")) for name in names))
    text = Representation(dialect=engine, sql=HIVE_TEXT)
    with pytest.raises(NotHeldError, match=f"c: {engine.title()} has no row with"):
        encode(view_of(text, Column("c", row)))


@pytest.mark.parametrize(
    "name", ["content-type", "@id", "a/b", "a\u00a0b", "²", "\U0001d4b3", "", " a"]
)
def test_a_name_that_hive_cannot_read_is_refused(name: str) -> None:
    """Hive 2.3.10: "Error: : expected at the position 14 …", of a query on the view."""
    with pytest.raises(InvalidTypeError, match="Hive cannot write a field"):
        hive.spell(Struct((Field(name, Primitive("integer")),)))
    plain = Struct((Field("a b.$1_é", Primitive("integer")),))
    assert hive.spell(plain) == "struct<a b.$1_é:int>"


@pytest.mark.parametrize("name", ["content-type", "a b", "é", "1a", "$a", ".a", ""])
def test_spark_leaves_its_placeholder_for_a_struct_with_names_it_would_quote(name: str) -> None:
    """Written out, Spark 3 could not read its own view any more."""
    row = Struct((Field("K_1", Primitive("integer")), Field(name, Primitive("integer"))))
    encoded = encode(view_of(Representation(dialect="spark", sql="SELECT 1"), Column("c", row)))
    assert encoded.entry.columns == (("col", "array<string>", "from deserializer"),)
    assert (encoded.view.columns[0].type, encoded.losses) == (row, ())


@pytest.mark.parametrize(
    ("engine", "names"), [("hive", ("a", "A")), ("flink", ("a", "a")), ("flink", ("a", " "))]
)
def test_columns_that_an_engine_could_not_tell_apart_are_refused_in_the_plan(
    engine: str, names: tuple[str, ...]
) -> None:
    """A metastore 2.3.10: "Add request failed : INSERT INTO COLUMNS_V2 …", once it is applied."""
    columns = [Column(name, Primitive("integer")) for name in names]
    with pytest.raises(NotHeldError, match=f"{engine.title()} has n"):
        encode(view_of(Representation(dialect=engine, sql=HIVE_TEXT), *columns))


def test_an_interval_without_a_unit_is_sparks_alone() -> None:
    """Trino 435: "Unknown type: interval"; one such view breaks what lists columns of others."""
    assert trino.spell(External("interval day to second")) == "interval day to second"
    with pytest.raises(InvalidTypeError, match="Trino has no type for interval"):
        trino.spell(External("interval"))


def test_flink_has_no_null_that_is_not_null() -> None:
    text = Representation(dialect="flink", sql=HIVE_TEXT)
    encoded = encode(view_of(text, Column("c", ListOf(Primitive("null"), contains_null=False))))
    assert encoded.entry.parameters["flink.schema.0.data-type"] == "ARRAY<NULL>"
    assert {loss.what for loss in encoded.losses} == {Lost.COLUMNS}


@pytest.mark.parametrize("text", ["{x}", '{"element":"INT","type":"MULTISET"}', "{" * 9_000])
def test_a_text_that_begins_as_json_is_no_user_defined_type_of_spark(text: str) -> None:
    """Paimon's multisets and vectors are such texts."""
    view = view_of(Representation(dialect="spark", sql="SELECT 1"), Column("c", External(text)))
    with pytest.raises(NotHeldError, match="c: Spark has no type for"):
        encode(view)


def of_iceberg(returned: str, *names: str, **more: str) -> View:
    """A view that Spark has made in Iceberg, which notes there what its query returns."""
    stated = {"spark.query-column-names": returned, **more}
    return View(
        identifier=PLACE,
        columns=tuple(Column(name, Primitive("integer")) for name in names),
        representations=(Representation(dialect="Spark", sql="SELECT 1 AS a, 2 AS b"),),
        properties=tuple(sorted(stated.items())),
    )


def test_spark_finds_the_columns_of_an_iceberg_view_by_the_names_of_its_query() -> None:
    """With those of the view, Spark 4.1.4 gave `v(b, a)` the columns of each other."""
    found = encode(of_iceberg("a,b", "b", "a")).entry.parameters
    assert [found[f"view.query.out.col.{number}"] for number in (0, 1)] == ["a", "b"]
    assert found["view.query.out.numCols"] == "2"
    assert "spark.query-column-names" not in found, "it would be stale after an ALTER VIEW"
    twice = encode(of_iceberg("id,id", "x", "y")).entry.parameters
    assert [twice[f"view.query.out.col.{number}"] for number in (0, 1)] == ["id", "id"]
    own = encode(of_iceberg("a,b,c", "a,b", "c")).entry.parameters
    assert own["view.query.out.col.0"] == "a,b", "those of the view, commas and all"
    older = {"view.query.out.numCols": "1", "view.query.out.col.0": "old"}
    assert encode(of_iceberg("new", "n", **older)).entry.parameters["view.query.out.col.0"] == "new"
    with pytest.raises(NotHeldError, match="nobody can tell the names apart"):
        encode(of_iceberg("a,b,c", "x", "y"))
    again = encode(encode(of_iceberg("a,b", "b", "a")).view)
    assert (again.entry.parameters, again.losses) == (found, ())
