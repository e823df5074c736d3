"""What Trino's analyzer is told of a view, and what its answer is worth."""

import json
from dataclasses import replace

import pytest

from discovery.checks.columns_drift import check
from discovery.functions import Parameter, Signature
from discovery.judging.analysis import Functions
from discovery.judging.calling import KnownFunction
from discovery.judging.entries import Base, Entry, KnownBase, StoredText
from discovery.judging.resolving import resolved, returned_to_trino, trino_entry
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
ID = Column("Id", LONG)
TABLE = KnownBase(("orders",), "hive", "lake", Identifier(("sales",), "orders"), (ID,))
NOTHING = Functions()


def stored(
    form: str = "trino",
    columns: tuple[Column, ...] = (ID,),
    catalog: str | None = "hive",
    schema: str | None = "sales",
    namespace: tuple[str, ...] = ("sales",),
) -> StoredText:
    text = Representation(
        dialect="trino", sql="SELECT 1", default_catalog=catalog, default_schema=schema
    )
    view = View(identifier=Identifier(namespace, "v"), columns=columns, representations=(text,))
    return StoredText(view=view, text=text, form=form, source="lake")


def told(entry: Entry | None) -> Entry:
    assert entry is not None
    return entry


def test_a_view_is_told_as_it_is_stored_and_a_table_as_the_metastore_has_it() -> None:
    at = Column("At", Primitive("timestamp_tz"))
    place = Column("place", Struct((Field("a b", LONG),)))
    entry = told(trino_entry(stored(), [TABLE._replace(columns=(ID, at, place))], {}))
    assert entry == Entry(
        place=Identifier(("hive", "sales"), "v"),
        columns='[["Id", "bigint"]]',
        by_position=True,
        catalogs=("hive",),
        context=("hive", "sales"),
        bases=(
            Base(
                ("hive", "sales", "orders"),
                json.dumps([("id", "bigint"), ("at", "timestamp"), ("place", 'row("a b" bigint)')]),
            ),
        ),
    )


def test_a_view_below_is_the_columns_that_it_stores() -> None:
    at = Column("At", Primitive("timestamp_tz(6)"))
    below = TABLE._replace(columns=(at,), form="trino")
    (base,) = told(trino_entry(stored(), [below], {})).bases
    assert base.columns == '[["At", "timestamp(6) with time zone"]]'


def test_a_whole_name_is_in_the_catalog_that_it_says_and_a_short_one_in_the_view_s() -> None:
    reads = [TABLE._replace(catalog="other"), TABLE._replace(catalog=None)]
    bases = told(trino_entry(stored(), reads, {})).bases
    assert [base.name[0] for base in bases] == ["other", "hive"]


@pytest.mark.parametrize(
    ("catalogs", "home"),
    [({}, "hive"), ({"hive": "lake", "a": "lake"}, "hive"), ({"z": "lake", "a": "cold"}, "z")],
)
def test_a_view_is_in_the_catalog_of_its_source(catalogs: dict[str, str], home: str) -> None:
    assert told(trino_entry(stored(), [], catalogs)).place.namespace == (home, "sales")


def test_a_view_may_keep_no_context() -> None:
    entry = told(trino_entry(stored(catalog=None, schema=None), [TABLE], {}))
    assert entry.context == ("", "")
    assert entry.place.namespace == ("lake", "sales")
    short = TABLE._replace(catalog=None)
    assert trino_entry(stored(catalog=None, schema=None), [short], {}) is None


@pytest.mark.parametrize(
    "read",
    [
        TABLE._replace(columns=None),
        TABLE._replace(columns=()),
        TABLE._replace(source="cold"),
        TABLE._replace(form="hive"),
        TABLE._replace(form="spark"),
        TABLE._replace(identifier=Identifier(("a", "b"), "orders")),
        TABLE._replace(columns=(Column("u", UnionOf((LONG, LONG))),)),
        TABLE._replace(columns=(Column("n", External("void")),)),
    ],
    ids=["unknown", "none", "elsewhere", "of Hive", "of Spark", "nested", "union", "void"],
)
def test_it_is_told_nothing_where_a_base_is_not_as_trino_sees_it(read: KnownBase) -> None:
    assert trino_entry(stored(), [TABLE, read], {}) is None


@pytest.mark.parametrize(
    "one",
    [
        stored("canonical"),
        stored("paimon"),
        stored(namespace=("a", "b")),
        stored("iceberg", schema="a.b"),
        stored(columns=(Column("u", UnionOf((LONG, LONG))),)),
    ],
    ids=["archived", "of Paimon", "nested", "in a nested schema", "union"],
)
def test_it_is_told_nothing_of_views_that_trino_completes_in_an_unknown_way(
    one: StoredText,
) -> None:
    assert trino_entry(one, [], {}) is None


def test_of_iceberg_a_view_that_keeps_no_catalog_is_told_if_its_names_have_three_parts() -> None:
    """Trino 476 keeps none for a session without one; it says which such a view it calls stale."""
    view = stored("iceberg", catalog=None)
    entry = told(trino_entry(view, [TABLE._replace(catalog="ice")], {"ice": "lake"}))
    assert entry.context == ("", ""), "schema is set but catalog is not"
    assert [base.name[0] for base in entry.bases] == ["ice"]
    assert trino_entry(view, [TABLE._replace(catalog=None)], {"ice": "lake"}) is None


def test_of_iceberg_the_names_are_lower_case_and_the_types_its_own() -> None:
    at = Column("at", Primitive("timestamp(6)"))
    entry = told(trino_entry(stored("iceberg"), [TABLE._replace(columns=(at,))], {}))
    assert entry.bases[0].columns == '[["at", "timestamp(6)"]]'
    assert not entry.by_position
    upper = TABLE._replace(identifier=Identifier(("sales",), "Orders"))
    assert trino_entry(stored("iceberg"), [upper], {}) is None
    assert trino_entry(stored("iceberg"), [TABLE._replace(form="trino")], {}) is None


ENTRY = told(trino_entry(stored(), [TABLE], {}))

WANTING = [
    ("Function 'f' not registered", Functions(ours=True)),
    ("Function 'f' not registered", Functions(listed=False)),
    ("Function 'hive.db.f' not registered", Functions(ours=True)),
    ("Function 'hive.db.f' not registered", Functions(listed=False)),
    ("Function 'other.db.f' not registered", NOTHING),
    ("Function 'a.hive.db.f' not registered", NOTHING),
    ("Function 'euclidean_distance' not registered", NOTHING),
    ("Function 'st_point' not registered", NOTHING),
    (
        "Unexpected parameters (array(double)) for function cosine_similarity.",
        NOTHING,
    ),
    ("Unexpected parameters (integer, bigint) for function repeat. Expected: repeat(", NOTHING),
    ("Unexpected parameters (char(6)) for function reverse. Expected: reverse(array(e))", NOTHING),
    (
        "Unexpected parameters (char(10)) for function to_utf8. Expected: to_utf8(varchar(x))",
        NOTHING,
    ),
    ("Unknown type: Geometry", NOTHING),
    ("Column '$path' cannot be resolved", NOTHING),
    ("Column 'o.$path' cannot be resolved", NOTHING),
]


@pytest.mark.parametrize(("message", "functions"), WANTING)
def test_what_it_rejects_for_want_of_knowledge_is_not_judged(
    message: str, functions: Functions
) -> None:
    verdict = resolved(Verdict(False, message, returns="[]"), ENTRY, functions, True)
    assert verdict.accepted is None
    assert verdict.message.endswith(message)
    assert verdict.returns == "[]"


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(True),
        Verdict(None, "gave up"),
        Verdict(False, "Function 'f' not registered"),
        Verdict(False, "Function 'hive.db.f' not registered"),
        Verdict(False, "Function 'db.f' not registered"),
        Verdict(False, "Column 'a$' cannot be resolved"),
        Verdict(False, "Unknown type: foo"),
        Verdict(False, "Unexpected parameters (varchar) for function sum. Expected: sum(bigint)"),
    ],
)
def test_what_it_says_of_the_view_stands(verdict: Verdict) -> None:
    assert resolved(verdict, ENTRY, NOTHING, True) == verdict


def test_the_types_of_its_own_views_are_compared_by_position() -> None:
    returned = returned_to_trino(Verdict(True, returns='[["id", "integer"]]'), ENTRY, "trino")
    assert returned is not None
    assert [finding.message for finding in check(returned)] == [
        "Id is declared long, returned integer"
    ]
    same = returned_to_trino(Verdict(True, returns='[["ID", "bigint"]]'), ENTRY, "trino")
    assert same is not None
    assert list(check(same)) == []


def test_nothing_is_compared_of_what_does_not_keep_trino_s_types() -> None:
    entry = told(trino_entry(stored("iceberg"), [], {}))
    assert returned_to_trino(Verdict(True, returns='[["id", "integer"]]'), entry, "trino") is None
    assert returned_to_trino(Verdict(None, "gave up"), ENTRY, "trino") is None
    broken = Verdict(True, returns='[["id", "row("]]')
    assert returned_to_trino(broken, ENTRY, "trino") is None


def test_a_table_of_a_metastore_has_fields_in_lower_case_to_trino() -> None:
    column = Column("place", Struct((Field("zipCode", LONG),)))
    entry = told(trino_entry(stored(), [TABLE._replace(columns=(column,))], {}))
    assert json.loads(entry.bases[0].columns) == [["place", 'row("zipcode" bigint)']]


def test_of_functions_it_is_told_those_that_trino_keeps_with_all_names_of_their_catalog() -> None:
    takes = Signature((Parameter("a", "bigint", may_lack=False),), "bigint")
    own = KnownFunction("lake", ("fun",), "twice", takes, "trino")
    others = (
        own._replace(signature=None),
        own._replace(source="elsewhere"),
        own._replace(of="spark"),
        own._replace(of=""),
    )
    view = replace(stored(), calls=(own, *others))
    entry = told(trino_entry(view, [TABLE], {"hive": "lake", "same": "lake", "other": "x"}))
    assert entry.functions == (own,)
    assert entry.catalogs == ("hive", "same")


def test_of_several_schemas_in_a_path_nobody_knows_which_has_a_function() -> None:
    schemas = [{"catalogName": "hive", "schemaName": name} for name in ("a", "b")]
    view = stored()
    for number, judged in ((1, False), (2, None)):
        path = (("trino.path", json.dumps(schemas[:number])),)
        stored_text = replace(view, view=replace(view.view, properties=path))
        entry = told(trino_entry(stored_text, [TABLE], {}))
        assert entry.path == (("hive", "a"), ("hive", "b"))[:number]
        verdict = Verdict(False, "Function 'f' not registered")
        assert resolved(verdict, entry, NOTHING, True).accepted is judged
