"""What PostgreSQL is told of a view, and what its answer is worth."""

import json

import pytest

from discovery.checks.columns_drift import check
from discovery.datatypes import postgresql
from discovery.errors import InvalidTypeError
from discovery.judging.analysis import Functions
from discovery.judging.defining import (
    MadeType,
    defined,
    made_type,
    over_made_types,
    postgresql_entry,
    returned_by_postgresql,
)
from discovery.judging.entries import Base, Entry, KnownBase, StoredText
from discovery.judging.reasons import reason_of
from discovery.model import (
    Column,
    External,
    Identifier,
    ListOf,
    Primitive,
    Representation,
    Struct,
    View,
)
from discovery.ports import Verdict

ID = Column("Id", Primitive("long"))
TABLE = KnownBase(("shop", "article"), None, "shop", Identifier(("shop",), "article"), (ID,))
LISTED = Functions()


def stored(
    form: str = "postgresql",
    columns: tuple[Column, ...] = (ID,),
    catalog: str | None = "sales",
    schema: str | None = "shop",
    namespace: tuple[str, ...] = ("shop",),
) -> StoredText:
    text = Representation(
        dialect="postgresql", sql="SELECT 1", default_catalog=catalog, default_schema=schema
    )
    view = View(identifier=Identifier(namespace, "v"), columns=columns, representations=(text,))
    return StoredText(view=view, text=text, form=form, source="shop")


def entry(**changes: object) -> Entry:
    found = postgresql_entry(stored(**changes), [TABLE], {})  # type: ignore[arg-type]
    assert found is not None
    return found


def test_a_view_is_told_with_its_database_its_schema_and_what_it_reads() -> None:
    mood = Column("a b", External("public.mood"))
    twice = [TABLE._replace(columns=(ID, mood)), TABLE._replace(columns=(ID, mood), written=("x",))]
    assert postgresql_entry(stored(), twice, {}) == Entry(
        place=Identifier(("shop",), "v"),
        columns='[["Id", "bigint"]]',
        by_position=True,
        context=("sales", "shop"),
        bases=(Base(("shop", "article"), json.dumps([("Id", "bigint"), ("a b", "public.mood")])),),
    )


def test_a_text_that_keeps_no_schema_is_in_that_of_the_view() -> None:
    assert entry(schema=None).context == ("sales", "shop")


@pytest.mark.parametrize(
    "one",
    [
        TABLE._replace(columns=None),
        TABLE._replace(source="lake"),
        TABLE._replace(identifier=Identifier(("a", "b"), "t")),
        TABLE._replace(identifier=Identifier(("pg_catalog",), "pg_class")),
        TABLE._replace(identifier=Identifier(("information_schema",), "tables")),
        TABLE._replace(columns=(Column("s", Struct(())),)),
    ],
)
def test_what_is_not_known_or_the_server_s_own_is_left_to_the_parser(one: KnownBase) -> None:
    assert postgresql_entry(stored(), [TABLE, one], {}) is None


def test_views_of_others_are_left_to_the_parser() -> None:
    assert postgresql_entry(stored(form="spark"), [TABLE], {}) is None
    assert postgresql_entry(stored(namespace=("a", "b")), [TABLE], {}) is None
    known_base = TABLE._replace(written=("sales", "shop", "article"))
    assert postgresql_entry(stored(catalog=None), [known_base], {}) is None
    assert postgresql_entry(stored(), [known_base], {}) is not None


SILENT = (
    '42704: type "public.mood" does not exist',
    '42704: collation "de_DE" for encoding "UTF8" does not exist',
    '3F000: schema "app" does not exist',
    '42P01: relation "counter" does not exist',
    '42883: function "f" does not exist',
    "42883: operator does not exist: text public.% unknown",
    "42883: operator does not exist: public.@@@ text",
    "42883: function pg_start_backup(unknown) does not exist",
    '42803: column "a.name" must appear in the GROUP BY clause or be used in an aggregate function',
    '42803: subquery uses ungrouped column "a.name" from outer query',
    '42601: syntax error at or near "RETURNING"',
    "42601: unterminated quoted string",
    "54001: stack depth limit exceeded",
    "57014: canceling statement due to statement timeout",
    "53200: out of memory",
    "42P07: relation already exists",
    "XX000: cache lookup failed",
)
REFUSED = {
    "42883: function nvl(integer, integer) does not exist": "UNKNOWN_FUNCTION",
    "42883: function round(double precision, integer) does not exist": "UNKNOWN_FUNCTION",
    "42883: operator does not exist: integer = text": "TYPE_MISMATCH",
    '42703: column "no pe" does not exist': "UNKNOWN_COLUMN",
    "42703: column o.nope does not exist": "UNKNOWN_COLUMN",
    '42P01: missing FROM-clause entry for table "a"': "UNKNOWN_TABLE",
    '42702: column reference "id" is ambiguous': "AMBIGUOUS_NAME",
    "42725: function f(unknown) is not unique": "AMBIGUOUS_NAME",
    "42804: argument of WHERE must be type boolean, not type bigint": "TYPE_MISMATCH",
    '22P02: invalid input syntax for type bigint: "x"': "TYPE_MISMATCH",
    "42846: cannot cast type bigint to date": "TYPE_MISMATCH",
    '42P16: column "row" has pseudo-type record': "TYPE_MISMATCH",
    "42803: aggregate functions are not allowed in WHERE": "UNSUPPORTED_SYNTAX",
    "0A000: views must not contain SELECT INTO": "UNSUPPORTED_SYNTAX",
    "42P20: window functions are not allowed in WHERE": "UNSUPPORTED_SYNTAX",
    '42701: column "a" specified more than once': "AMBIGUOUS_NAME",
    "42601: each UNION query must have the same number of columns": "TYPE_MISMATCH",
    "42601: cannot insert multiple commands into a prepared statement": "PARSE",
}


@pytest.mark.parametrize("message", SILENT)
def test_what_the_database_may_have_beside_its_tables_is_never_a_rejection(message: str) -> None:
    verdict = defined(Verdict(False, message), entry(), LISTED, True)
    assert verdict.accepted is None
    assert verdict.message.endswith(message)


@pytest.mark.parametrize(("message", "code"), REFUSED.items())
def test_the_rest_is_rejected_with_the_class_of_its_sqlstate(message: str, code: str) -> None:
    assert defined(Verdict(False, message), entry(), LISTED, True).accepted is False
    assert reason_of(message).code == code


def test_a_function_that_the_estate_has_or_may_have_is_not_judged() -> None:
    said = Verdict(False, "42883: function public.f(integer) does not exist")
    for functions in (Functions(ours=True), Functions(listed=False)):
        assert defined(said, entry(), functions, True).accepted is None
    assert defined(said, entry(), LISTED, True) == said


def test_a_name_of_another_database_is_refused_where_its_own_is_known() -> None:
    said = Verdict(False, '0A000: cross-database references are not implemented: "x.y.z"')
    assert defined(said, entry(), LISTED, True).accepted is False
    assert defined(said, entry(catalog=None), LISTED, True).accepted is None


def test_columns_are_compared_by_position_as_postgresql_spells_their_types() -> None:
    told = entry(columns=(ID, Column("price", Primitive("decimal(10,2)"))))
    said = Verdict(True, returns='[["Id", "bigint"], ["price", "numeric"]]')
    subject = returned_by_postgresql(said, told, "postgresql")
    assert subject is not None
    (finding,) = check(subject)
    assert finding.message == "price is declared decimal(10,2), returned decimal(38,18)"
    assert finding.engine == "postgresql"


SPELLED = """
boolean, smallint, integer, bigint, real, double precision, numeric, numeric(10,2), date, bytea
uuid, text, character varying(9), character(3), time(3) without time zone, jsonb, name, bit(3)
timestamp without time zone, timestamp(0) with time zone, integer[], text[][], public.mood
"""


@pytest.mark.parametrize("text", SPELLED.strip().replace("\n", ", ").split(", "))
def test_types_are_spelled_as_they_are_parsed(text: str) -> None:
    assert postgresql.spell(postgresql.parse(text)) == text


@pytest.mark.parametrize("kind", [Struct(()), Primitive("byte"), ListOf(Primitive("variant"))])
def test_a_type_that_postgresql_lacks_is_an_error(kind: Struct | Primitive | ListOf) -> None:
    with pytest.raises(InvalidTypeError):
        postgresql.spell(kind)


@pytest.mark.parametrize(
    ("spelled", "made"),
    [
        ("public.mood", MadeType("public", "mood", "")),
        ("public.mood[]", MadeType("public", "mood", "[]")),
        ("public.vector(3)", MadeType("public", "vector", "")),
        ('"Own ""s"""."a.b"[][]', MadeType('Own "s"', "a.b", "[][]")),
        ("mood", None),
        ("pg_catalog.odd", None),
        ("information_schema.yes_or_no", None),
        ("a.b.c", None),
        ("public.mood); DROP TABLE x; --", None),
        ('public."mood', None),
        ("public.Mood", None),
        ("", None),
    ],
)
def test_a_type_that_the_database_has_made_is_one_with_a_schema(
    spelled: str, made: MadeType | None
) -> None:
    assert made_type(spelled) == made


MOOD = MadeType("public", "mood", "")


def test_what_is_refused_where_domains_stand_for_types_is_left_to_the_parser() -> None:
    refused = Verdict(False, "42883: function upper(integer) does not exist")
    assert over_made_types(refused, []) == refused
    assert over_made_types(refused, [MOOD, MOOD]) == Verdict(
        None,
        "what it reads is of types that the database has made: public.mood: " + refused.message,
    )


@pytest.mark.parametrize("code", ["42702", "42703"])
def test_names_of_columns_are_what_they_are_whatever_their_types(code: str) -> None:
    refused = Verdict(False, f'{code}: column "x" …')
    assert over_made_types(refused, [MOOD]) == refused


def test_which_columns_are_returned_is_not_known_where_domains_stand_for_types() -> None:
    accepted = Verdict(True, returns='[["m", "text"]]')
    assert over_made_types(accepted, [MOOD]) == Verdict(True)
    assert over_made_types(accepted, []) == accepted
