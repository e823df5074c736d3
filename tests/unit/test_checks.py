"""Checks: each finds its bad example and leaves its good one alone."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from discovery import checks, errors
from discovery.checks import (
    EVERY,
    OF_ANALYSES,
    OF_BASES,
    OF_COLUMNS,
    OF_MEANINGS,
    OF_NAMES,
    OF_VIEWS,
    athena_catalog,
    columns_left_out,
    columns_unreadable,
    flink_entry,
    glue_stale,
    iceberg_no_namespace,
    iceberg_other_catalog,
    name_lowered,
    spark_names_lost,
    stale_columns,
    trino_entry,
)
from discovery.checks.subject import (
    Completed,
    Expanded,
    Output,
    Severity,
    Subject,
    example,
    namesakes,
)
from discovery.datatypes import mysql, postgresql
from discovery.formats import spark
from discovery.lineage import outputs
from discovery.model import Column, DataType, Identifier
from discovery.outcomes import NOT_SHOWN_BY_TRINO, NOTES, SKIP_REASONS


@pytest.mark.parametrize(
    "check",
    [*OF_VIEWS, *OF_COLUMNS, *OF_BASES, *OF_MEANINGS, *OF_ANALYSES],
    ids=lambda one: one.CODE,
)
def test_a_check_of_views_finds_its_bad_example_only(check: ModuleType) -> None:
    bad, good = list(check.check(check.EXAMPLE_BAD)), list(check.check(check.EXAMPLE_GOOD))
    assert bad
    assert all(one.message and one.hint for one in bad)
    assert not good


@pytest.mark.parametrize("check", OF_NAMES, ids=lambda one: one.CODE)
def test_a_check_of_names_finds_its_bad_example_only(check: ModuleType) -> None:
    assert check.check(check.EXAMPLE_BAD) is not None
    assert check.check(check.EXAMPLE_GOOD) is None


def test_codes_are_unique_and_have_a_page() -> None:
    codes = [module.CODE for module in EVERY]
    others = {reason.code for reason in (*SKIP_REASONS, *NOTES)}
    others |= {var.code for var in vars(errors).values() if hasattr(var, "code")}
    assert len(set(codes)) == len(codes)
    assert not others & set(codes)
    assert all((module.__doc__ or "").count("\n") > 1 for module in EVERY)


def test_a_check_that_breaks_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = example("trino", "trino", "SELECT id FROM t", "t", catalog="hive", schema="db")

    def broken(_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(OF_VIEWS[0], "check", broken)
    found = list(checks.findings(subject))
    assert {code for code, _ in found} == {OF_VIEWS[0].CODE, "TRINO_ENTRY"}
    assert "INTERNAL in a check: KeyError" in found[0][1].message


LEFT_OUT = {
    "postgresql": [
        "numeric",
        "numeric(39,2)",
        "interval",
        "inet",
        "cidr",
        "macaddr",
        "tsvector",
        "tsquery",
        "point",
        "box",
        "int4range",
        "int4multirange",
        "xml",
        "regclass",
        "xid",
        "pg_lsn",
        "integer[]",
        "text[]",
        "jsonpath",
        "aclitem",
        "int2vector",
        "oidvector",
        "gtsvector",
        "pg_node_tree",
        "numeric(1000,500)",
        "numeric(40,41)",
    ],
    "mysql": [
        "decimal(39,2)",
        "decimal(65,30)",
        "uuid",
        "inet6",
        "inet4",
        "bit(1)",
        "geometry",
        "point",
        "multipoint",
        "geometrycollection",
    ],
}
"""Of these types, and of those below, Trino 476 was asked by DESCRIBE of a view of them."""
SHOWN = {
    "postgresql": [
        "smallint",
        "bigint",
        "real",
        "boolean",
        "numeric(10,2)",
        "numeric(38,0)",
        "text",
        "name",
        "bytea",
        "date",
        "uuid",
        "json",
        "jsonb",
        "money",
        "bit(3)",
        "oid",
        "numeric(3,3)",
        "time with time zone",
        "bpchar",
        "unknown",
        '"char"',
    ],
    "mysql": [
        "tinyint(1)",
        "decimal(38,0)",
        "year(4)",
        "enum('a')",
        "set('a')",
        "longtext",
        "varbinary(3)",
        "binary(4)",
        "json",
        "time(6)",
    ],
}
PARSERS: dict[str, Callable[[str], DataType]] = {
    "postgresql": postgresql.parse,
    "mysql": mysql.parse,
}


def of_database(form: str, *kinds: str) -> Subject:
    """A view of a database that Trino has as a catalog, with a column of each type."""
    subject = example(form, form, "SELECT id FROM db.t", "db.t")
    columns = tuple(Column(f"c{n}", PARSERS[form](kind)) for n, kind in enumerate(kinds))
    return replace(subject, view=replace(subject.view, columns=columns), reached_by={"trino": {}})


@pytest.mark.parametrize("form", PARSERS)
def test_each_type_that_trino_leaves_out_is_told_and_no_other(form: str) -> None:
    for kind in LEFT_OUT[form]:
        (found,) = columns_left_out.check(of_database(form, "bigint", kind))
        assert (found.severity, found.engine) == (Severity.WARNING, "trino")
        assert found.message == "c1: of types that Trino does not show"
    assert not list(columns_left_out.check(of_database(form, *SHOWN[form])))


@pytest.mark.parametrize("kind", ["numeric(3,5)", "numeric(38,40)", "numeric(5,-2)"])
def test_a_numeric_with_more_decimals_than_digits_makes_trino_refuse_the_view(kind: str) -> None:
    """476: DECIMAL scale must be in range [0, precision (3)]: 5."""
    (found,) = columns_left_out.check(of_database("postgresql", "bigint", kind))
    assert found.severity == Severity.ERROR
    assert found.message.startswith("c1: with more decimals than digits")


def test_a_type_that_people_have_made_is_told_as_shown_perhaps() -> None:
    (found,) = columns_left_out.check(of_database("postgresql", "p.posint"))
    assert found.severity == Severity.WARNING, "an enum is shown, and its name is no other"
    assert found.message == "c0: of types that people have made: Trino shows enums alone"


def test_a_view_of_which_trino_shows_no_column_is_refused_there() -> None:
    (found,) = columns_left_out.check(of_database("postgresql", *["interval"] * 10))
    assert found.severity == Severity.ERROR
    assert found.message.startswith("c0, c1, c2, c3, c4, c5, c6, c7 and 2 more: ")
    subject = of_database("postgresql", "interval")
    assert not list(columns_left_out.check(replace(subject, reached_by={"spark": {}})))


UNREADABLE = {
    "trino": ["bit(8)", "time with time zone", "time(3) with time zone"],
    "spark": ["numeric(5,-2)", "numeric(38,-5)", "time(2) without time zone[]", "refcursor"],
}
READABLE = ["bit(1)", '"bit"', "time(3) without time zone", "numeric(38,5)", "numeric(2,4)"]


@pytest.mark.parametrize("reader", UNREADABLE)
def test_each_type_that_an_engine_shows_and_cannot_read_is_told_and_no_other(reader: str) -> None:
    """Trino 476 and Spark 4.3.0 on PostgreSQL 18.4: "Cannot cast to boolean" and the like."""
    for kind in UNREADABLE[reader]:
        subject = of_database("postgresql", "bigint", kind)
        (found,) = columns_unreadable.check(replace(subject, reached_by={reader: {}}))
        assert (found.severity, found.engine) == (Severity.ERROR, reader)
        assert found.message.startswith("c1: shown, ")
    others = [kind for name, kinds in UNREADABLE.items() if name != reader for kind in kinds]
    subject = of_database("postgresql", "bigint", *READABLE, *others)
    assert not list(columns_unreadable.check(replace(subject, reached_by={reader: {}})))
    assert not list(columns_unreadable.check(replace(subject, reached_by={})))


def with_names(*names: str, kind: str = "bigint", form: str = "postgresql") -> Subject:
    """A view with columns of these names; the last one has a type of its own."""
    kinds = [*["bigint"] * (len(names) - 1), *[kind] * bool(names)]
    subject = of_database(form, *kinds)
    pairs = zip(names, subject.view.columns, strict=True)
    columns = tuple(Column(name, column.type) for name, column in pairs)
    return replace(subject, view=replace(subject.view, columns=columns))


def test_columns_whose_names_differ_in_case_alone_make_trino_refuse_every_query() -> None:
    """476: Multiple entries with same key; one that it leaves out does no harm."""
    (found,) = columns_unreadable.check(with_names("ab", "c", "aB"))
    assert (found.severity, found.engine) == (Severity.ERROR, "trino")
    assert found.message.startswith("ab, aB: ")
    assert not list(columns_unreadable.check(with_names("ab", "c", "aB", kind="interval")))
    assert not list(columns_unreadable.check(with_names("ab", "c", "aB", kind="numeric(3,5)")))
    assert not list(columns_unreadable.check(with_names("ab", "c", "aB", kind="s.mood")))
    assert not list(
        columns_unreadable.check(replace(with_names("a", "A"), reached_by={"spark": {}}))
    )


def test_a_view_without_columns_is_refused_by_trino_where_that_is_no_sign_of_a_broken_one() -> None:
    (found,) = columns_unreadable.check(with_names())
    assert (found.severity, found.engine) == (Severity.ERROR, "trino")
    assert "no columns" in found.message
    assert not list(columns_unreadable.check(with_names(form="mysql"))), "unknown: COLUMNS_UNKNOWN"


@pytest.mark.parametrize(
    ("levels", "name", "wrong"),
    [(("db",), "Totals", "Totals"), (("W 8",), "v", "W 8"), (("db",), "summe_ü", "")],
)
def test_a_name_with_upper_case_is_told_where_trino_looks_for_another(
    levels: tuple[str, ...], name: str, wrong: str
) -> None:
    subject = of_database("mysql", "int")
    view = replace(subject.view, identifier=Identifier(levels, name))
    found = list(name_lowered.check(replace(subject, view=view)))
    assert [one.message for one in found] == (
        [f"Trino looks for {wrong} as {wrong.lower()}"] if wrong else []
    )


def test_names_that_spark_keeps_beside_the_text_are_lost_to_trino_and_to_hive() -> None:
    """HiveServer2 2.3.10 of `v (b, a) AS SELECT a, b`: each column has the other's values."""
    found = list(spark_names_lost.check(spark_names_lost.EXAMPLE_BAD))
    assert [(one.engine, one.severity, one.message) for one in found] == [
        ("trino", Severity.ERROR, "Trino calls the column id k, as the query does"),
        ("hive", Severity.ERROR, "Hive calls the column id k, as the query does"),
    ]


def test_namesakes_of_one_source_and_spelling_are_no_collision() -> None:
    assert list(checks.of_names(namesakes("lake:db.v"))) == []


def test_a_group_can_collide_in_several_ways() -> None:
    found = dict(checks.of_names(namesakes("lake:db.v", "shop:db.V", "pond:db.v!", "sea:db.v")))
    assert found.keys() == {"NAME_DIFFERS_BY_CASE", "NAME_MEETS", "VIEW_MEETS_TABLE"}


GOLDEN = Path(__file__).parents[1] / "golden"
KNOWN: dict[tuple[str, ...], list[str]] = {
    ("sales", "t"): ["id", "name"],
    ("sales", "u"): ["id", "city"],
}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT * FROM sales.t", Output(("id", "name"), star=True)),
        ("SELECT t.id AS k, city FROM sales.t JOIN sales.u ON t.id = u.id", Output(("k", "city"))),
        ("SELECT q.* FROM (SELECT id AS a FROM sales.t) q", Output(("a",), star=True)),
        ("SELECT gone FROM sales.t", Output((), lost="Column 'gone' could not be resolved.")),
        (
            "SELECT id, x FROM sales.t LATERAL VIEW explode(split(name, ',')) e AS x",
            Output(("id", "x")),
        ),
        ("SELECT id FROM sales.t GROUP BY id GROUPING SETS ((id), ())", Output(("id",))),
        (
            "SELECT q.*, name FROM (SELECT id FROM sales.t GROUP BY ROLLUP (id)) q, sales.t",
            Output(("id", "name"), star=True),
        ),
        (
            "SELECT id FROM sales.t GROUP BY id, gone WITH CUBE",
            Output((), lost="Column 'gone' could not be resolved."),
        ),
        ("SELECT id, grouping__id FROM sales.t GROUP BY id WITH ROLLUP", None),
        ("SELECT * FROM sales.t PIVOT (count(id) FOR name IN ('a', 'b'))", None),
        ("SELECT FROM WHERE", None),
    ],
)
def test_what_a_text_returns_follows_from_the_columns_of_its_bases(
    sql: str, expected: Output | None
) -> None:
    output = outputs.output(sql, "spark", KNOWN)
    assert (output and replace(output, origins=())) == expected


@pytest.mark.parametrize(
    ("columns", "sought", "now", "told"),
    [
        (("p", "q"), ("id", "name"), ("id", "name"), []),
        (("p", "q"), ("id", "name"), ("ID", "name", "more"), ["new: more"]),
        (("p", "q"), ("id", "name"), ("name", "id"), ["the order has changed"]),
        (("id", "(id + 1)"), None, ("id", ""), []),
        (("id", "(id + 1)"), None, ("id", "name", ""), ["new: name"]),
        (("id", "name", "(id + 1)"), None, ("id", ""), ["2 columns instead of 3"]),
        (("id", "name"), None, ("id", "title"), ["new: title; gone: name"]),
    ],
)
def test_columns_are_stale_by_the_names_of_the_query(
    columns: tuple[str, ...], sought: tuple[str, ...] | None, now: tuple[str, ...], told: list[str]
) -> None:
    subject = Expanded(columns, "spark", Output(now, star=True), sought)
    assert [finding.message for finding in stale_columns.check(subject)] == told


@pytest.mark.parametrize(
    ("sought", "now", "wanted"),
    [
        (None, ("p", "q"), ("p", "q")),
        (("a", "b"), ("a", "b"), ("p", "q")),
        (("a", "b"), ("B", "a"), ("q", "p")),
        (("a", "a"), ("a", "a"), ("p", "q")),
        (None, ("p", ""), ("p", "q")),
        (("a", "b"), ("a", "b", "c", ""), ("p", "q", "c", "")),
    ],
)
def test_lineage_is_that_of_the_columns_of_the_view(
    sought: tuple[str, ...] | None, now: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    assert Expanded(("p", "q"), "spark", Output(now), sought).own_names() == wanted


def test_spark_has_noted_what_the_query_called_its_columns() -> None:
    noted = (("view.query.out.col.0", "k"),)
    view = example("spark", "spark", "SELECT k FROM db.t", "db.t", properties=noted).view
    assert [column.name for column in view.columns] == ["id"]
    assert spark.query_names(view) == ("k",)
    assert spark.query_names(replace(view, properties=())) == ("id",)


def test_a_name_that_sqlglot_makes_up_is_none() -> None:
    output = outputs.output("SELECT *, id + 1 FROM sales.t", "spark", KNOWN)
    assert output is not None
    assert output.columns == ("id", "name", "")


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("hive", "SELECT `id` AS `a`, `_c1` AS `b` FROM (select id, upper(name) from sales.t) v"),
        ("trino", "SELECT _col0 FROM (SELECT id + 1 FROM sales.t)"),
        ("postgresql", "SELECT max FROM (SELECT max(id) FROM sales.t) q"),
        ("postgresql", "SELECT int4 FROM (SELECT 1::int FROM sales.t) q"),
        ("postgresql", "SELECT column1 FROM sales.t, (VALUES (1, 2)) z"),
        ("postgresql", "SELECT unnest FROM sales.t, unnest(ARRAY[1])"),
        ("mysql", "SELECT `max(id)` FROM (SELECT max(id) FROM sales.t) q"),
        ("spark", "SELECT col FROM sales.t LATERAL VIEW explode(split(name, ',')) l"),
        ("spark", "SELECT key, value FROM sales.t LATERAL VIEW explode(map(id, name))"),
        ("spark", "SELECT _metadata.file_path FROM sales.t"),
        ("hive", "SELECT INPUT__FILE__NAME FROM sales.t"),
        ("hive", "SELECT `(name)?+.+` FROM sales.t"),
        ("hive", "SELECT t.`na.*` FROM sales.t"),
        ("spark", "SELECT `(?i)NA.*` FROM sales.t"),
        ("trino", 'SELECT "$path" FROM sales.t'),
        ("postgresql", "SELECT ctid, t.xmin FROM sales.t"),
        ("mysql", "SELECT ID, t.NAME FROM sales.t"),
        ("spark", "SELECT name.first FROM sales.t AS name"),
        ("hive", "SELECT f.(name) AS c FROM sales.t"),  # a column without a name to sqlglot
    ],
)
def test_a_column_that_the_engine_knows_is_not_lost(dialect: str, sql: str) -> None:
    output = outputs.output(sql, dialect, KNOWN)
    assert output is None or not output.lost


@pytest.mark.parametrize("dialect", ["spark", "hive", "trino", "postgresql", "mysql", "doris"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT t.gone FROM sales.t",
        "SELECT u.name FROM sales.t JOIN sales.u ON t.id = u.id",
        "SELECT q.gone FROM (SELECT id FROM sales.t) q",
        "SELECT id FROM sales.t WHERE EXISTS (SELECT 1 FROM sales.u WHERE u.id = t.gone)",
    ],
)
def test_a_column_that_no_table_has_is_lost(dialect: str, sql: str) -> None:
    output = outputs.output(sql, dialect, KNOWN)
    assert output is not None
    assert output.lost


@pytest.mark.parametrize("dialect", ["spark", "hive", "trino", "postgresql", "doris"])
@pytest.mark.parametrize("sql", ["SELECT gone FROM sales.t", "SELECT id + 1, gone FROM sales.t"])
def test_a_bare_column_is_lost_where_a_server_may_write_it(dialect: str, sql: str) -> None:
    output = outputs.output(sql, dialect, KNOWN)
    assert output is not None
    assert output.lost


def test_columns_come_from_where_the_corpus_says() -> None:
    """Lineage by hand."""
    corpus = json.loads((GOLDEN / "corpus.json").read_text(encoding="utf-8"))
    right = 0
    differ: set[str] = set()
    for view in corpus["views"]:
        columns = {
            tuple(table.split(".")): corpus["schema"]["sales"][table.split(".")[-1]]
            for table in view["tables"]
        }
        output = outputs.output(view["sql"], view["engine"], columns)
        if output is None or not output.columns:
            continue
        for name, wanted in view["lineage"].items():
            origins = dict(zip(output.columns, output.origins, strict=True)).get(name, ())
            got = {f"{table[-1]}.{column}" for table, column in origins}
            right += got == set(wanted)
            differ |= set() if got == set(wanted) else {view["id"]}
    assert right > 50
    assert differ == set()


def test_hive_reads_what_flink_made_in_hives_dialect() -> None:
    def refuse(*tables: str, catalog: str | None = None) -> set[str | None]:
        subject = example("flink", "flink", "SELECT id FROM t", *tables, catalog=catalog)
        return {finding.engine for finding in flink_entry.check(subject)}

    assert refuse("db.t") == {"spark", "trino"}
    assert refuse("hc.db.t") == refuse("t", catalog="hc") == {"spark", "trino", "hive"}


@pytest.mark.parametrize(
    ("dialect", "table", "schema", "engines"),
    [
        ("Spark", "t", None, ["spark"]),
        ("trino", "t", None, ["trino"]),
        ("spark", "db.t", None, []),
        ("trino", "t", "db", []),
        ("flink", "t", None, []),
    ],
)
def test_a_short_name_without_a_namespace_is_refused_by_those_that_were_asked(
    dialect: str, table: str, schema: str | None, engines: list[str]
) -> None:
    subject = example("iceberg", dialect, "SELECT 1", table, catalog="ice", schema=schema)
    assert [found.engine for found in iceberg_no_namespace.check(subject)] == engines


@pytest.mark.parametrize(
    ("dialect", "table", "catalog", "refused"),
    [
        ("trino", "t", "lake", True),
        ("trino", "db.t", "lake", True),
        ("trino", "prod.t", "lake", True),
        ("trino", "t", "PROD", True),
        ("trino", "prod.db.t", "lake", False),
        ("trino", "t", "prod", False),
        ("trino", "t", None, False),
        ("Spark", "t", "lake", True),
        ("spark", "db.t", "PROD", True),
        ("spark", "prod.t", "lake", False),
        ("spark", "eu.west.t", "lake", True),
        ("spark", "prod.west.t", "lake", False),
        ("spark", "lake.west.t", "lake", False),
        ("spark", "t", "Spark_Catalog", False),
        ("flink", "t", "lake", False),
    ],
)
def test_a_default_catalog_that_an_engine_has_not_is_refused_by_it(
    dialect: str, table: str, catalog: str | None, refused: bool
) -> None:
    name = dialect.casefold()
    view = example("iceberg", dialect, "SELECT 1", catalog=catalog, schema="db").view
    found = {dialect: (tuple(table.split(".")),)}
    known = Completed(view, "iceberg", found, {name: frozenset({"prod"})})
    assert [found.engine for found in iceberg_other_catalog.check(known)] == [name] * refused
    assert not list(iceberg_other_catalog.check(replace(known, catalogs={})))
    assert not list(iceberg_other_catalog.check(replace(known, found={}))), "it may be outside"
    assert not list(iceberg_other_catalog.check(replace(known, format="paimon")))


def test_trino_does_not_read_what_only_athena_shows() -> None:
    subject = replace(trino_entry.EXAMPLE_BAD, notes=frozenset({NOT_SHOWN_BY_TRINO.code}))
    refusing = {finding.engine for finding in trino_entry.check(subject)}
    assert refusing == {"spark", "flink", "trino"}
    assert "trino" not in {finding.engine for finding in trino_entry.check(trino_entry.EXAMPLE_BAD)}


def test_an_entry_of_trino_with_a_text_of_spark_is_not_said_to_be_trino_s_alone() -> None:
    view = trino_entry.EXAMPLE_BAD.view
    texts = (*view.representations, replace(view.representations[0], dialect="spark"))
    both = replace(trino_entry.EXAMPLE_BAD, view=replace(view, representations=texts))
    assert not [*trino_entry.check(both)]


def test_only_the_engine_of_a_stale_text_of_glue_refuses_the_view() -> None:
    view = glue_stale.EXAMPLE_BAD.view
    texts = (*view.representations, replace(view.representations[0], dialect="athena"))
    subject = replace(glue_stale.EXAMPLE_BAD, view=replace(view, representations=texts))
    (finding,) = glue_stale.check(subject)
    assert (finding.severity, finding.engine, finding.dialect) == (Severity.ERROR, "spark", "spark")
    assert not [*glue_stale.check(replace(subject, format="hive"))], "a property of a user's"


@pytest.mark.parametrize(
    ("default", "name", "names", "is_told"),
    [
        ("AwsDataCatalog", "t", {"lake"}, True),
        (None, "AwsDataCatalog.db.t", {"lake"}, True),
        ("awsdatacatalog", "lake.db.t", {"lake"}, False),
        ("awsdatacatalog", "db.t", {"lake", "AwsDataCatalog"}, False),
        ("hive", "t", {"lake"}, False),
        ("awsdatacatalog", "t", None, False),
    ],
)
def test_trino_finds_what_athena_reads_where_it_calls_the_catalog_as_athena_does(
    default: str | None, name: str, names: set[str] | None, is_told: bool
) -> None:
    view = athena_catalog.EXAMPLE_BAD.view
    text = replace(view.representations[0], default_catalog=default)
    catalogs = {} if names is None else {"trino": frozenset(names)}
    view = replace(view, representations=(text,))
    found = {"trino": (tuple(name.split(".")),)}
    findings = [*athena_catalog.check(Completed(view, "trino", found, catalogs))]
    assert [finding.engine for finding in findings] == ["trino"] * is_told
