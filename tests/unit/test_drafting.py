"""Drafts: each of the ways in which one ends, and the names that they have."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from discovery.checks.subject import Returned
from discovery.engines import engine
from discovery.errors import ConfigurationError
from discovery.judging import drafting
from discovery.judging.drafting import (
    CalledCatalogs,
    Decided,
    Proposal,
    decide,
    spelled_for,
    text_for,
    why_no_text,
)
from discovery.judging.entries import KnownBase, StoredText
from discovery.judging.same_rows import Alike, RowsAnswer
from discovery.lineage.translation import translated
from discovery.model import Column, External, Identifier, Primitive, Representation, UnionOf, View
from discovery.ports import ANALYZE, PARSE, Name, Verdict
from jobs.configuration import loader

ID, NAME = Column("id", Primitive("long")), Column("name", Primitive("string"))
DRAFT = Proposal(
    dialect="spark",
    translator="sqlglot",
    translated_from="trino",
    text=Representation(dialect="spark", sql="SELECT 1"),
)
ACCEPTED = Verdict(True, grade=ANALYZE)
SAME = Returned("spark", "spark", (ID, NAME), (ID, NAME), ("id", "name"))


def code(decided: Decided) -> str:
    return decided.refused.code if decided.refused else decided.grade


def test_a_draft_is_shown_if_the_engine_accepts_it_and_gives_the_declared_columns() -> None:
    shown = decide(DRAFT, ACCEPTED, SAME, None)
    assert shown == Decided(grade="ANALYZE", message="its rows were not compared")
    unknown = decide(
        DRAFT, ACCEPTED, SAME, RowsAnswer(Alike.UNKNOWN, why="Trino does not run here")
    )
    assert unknown == Decided(grade="ANALYZE", message="Trino does not run here")
    run = decide(DRAFT, ACCEPTED, SAME, RowsAnswer(Alike.SAME, 12))
    assert run == Decided(grade="RESULTS", message="12 made-up rows are the same")


@pytest.mark.parametrize(
    ("verdict", "returned", "refused", "why"),
    [
        (None, None, "DRAFT_NOT_JUDGED", "no analyzer was asked"),
        (Verdict(None, "it calls f"), None, "DRAFT_NOT_JUDGED", "it calls f"),
        (Verdict(True, grade=PARSE), SAME, "DRAFT_NOT_JUDGED", "it was only parsed"),
        (ACCEPTED, None, "DRAFT_NOT_JUDGED", "does not say which columns"),
        (Verdict(False, "no"), None, "DRAFT_REJECTED", "no"),
        (
            ACCEPTED,
            replace(SAME, returned=(ID, Column("name", Primitive("long")))),
            "DRAFT_COLUMNS_DIFFER",
            "name is declared string, returned long",
        ),
        (
            ACCEPTED,
            replace(SAME, returned=(NAME, ID)),
            "DRAFT_COLUMNS_DIFFER",
            "the order is id, name as declared, name, id as returned",
        ),
        (
            ACCEPTED,
            replace(SAME, returned=(ID, Column("label", NAME.type)), sought=None),
            "DRAFT_COLUMNS_DIFFER",
            "name is declared, and not returned",
        ),
    ],
)
def test_what_is_not_proved_is_refused_with_its_reason(
    verdict: Verdict | None, returned: Returned | None, refused: str, why: str
) -> None:
    decided = decide(DRAFT, verdict, returned, RowsAnswer(Alike.SAME, 1))
    assert code(decided) == refused
    assert why in decided.message


def test_a_type_that_the_engine_takes_for_the_declared_one_is_as_declared() -> None:
    narrow = Column("ID", Primitive("integer"))
    returned = replace(SAME, returned=(narrow, NAME))
    assert decide(DRAFT, ACCEPTED, returned, None).grade == ANALYZE
    renamed = replace(returned, declared=(ID._replace(name="shown"), NAME), sought=("id", "name"))
    assert decide(DRAFT, ACCEPTED, renamed, None).grade == ANALYZE, "it is looked for as `id`"
    wide = replace(SAME, declared=(narrow, NAME))
    decided = decide(DRAFT, ACCEPTED, wide, None)
    assert (code(decided), decided.message) == (
        "DRAFT_COLUMNS_DIFFER",
        "ID is declared integer, returned long",
    )


def test_a_rejection_has_the_class_and_the_place_of_the_engines_message() -> None:
    verdict = Verdict(False, "[UNRESOLVED_COLUMN] x", 2, 5, grade=ANALYZE)
    decided = decide(DRAFT, verdict, None, None)
    assert (decided.said, decided.line, decided.column) == ("UNKNOWN_COLUMN", 2, 5)


def test_rows_that_differ_kill_a_draft() -> None:
    decided = decide(DRAFT, ACCEPTED, SAME, RowsAnswer(Alike.OTHER, 3, "1 of 3 rows"))
    assert (code(decided), decided.message) == ("DRAFT_ROWS_DIFFER", "1 of 3 rows")


def test_what_has_no_text_is_refused_as_it_was_proposed() -> None:
    none = replace(DRAFT, text=None, refused=drafting.NO_NAME, why="nobody says")
    assert decide(none, None, None, None) == Decided(
        refused=drafting.NO_NAME, message="nobody says"
    )


def base(written: str, source: str, form: str | None = None) -> KnownBase:
    *levels, name = written.split(".")
    return KnownBase(
        tuple(written.split(".")), None, source, Identifier(tuple(levels), name), (ID,), form
    )


def stored(form: str, source: str = "lake") -> StoredText:
    text = Representation(dialect=form, sql="SELECT 1")
    view = View(identifier=Identifier(("db",), "v"), columns=(ID,), representations=(text,))
    return StoredText(view=view, text=text, form=form, source=source)


def test_names_are_those_by_which_the_engine_of_the_draft_calls_the_catalogs() -> None:
    estate = CalledCatalogs(
        {"trino": {"hive": "lake", "pg": "shop"}}, {"lake": "hms", "shop": "postgresql"}
    )
    reads = [base("db.t", "lake"), base("a.b.u", "shop")]
    spelled, lacking = spelled_for("trino", stored("hive"), reads, estate)
    assert (spelled[("db", "t")], lacking) == (("hive", "db", "t"), "")
    assert spelled[("a", "b", "u")] == ("pg", "a.b", "u"), "a nested namespace is one name to Trino"
    _, why = spelled_for("spark", stored("trino"), reads, estate)
    assert why == "nobody says what spark calls the source shop"
    mine, _ = spelled_for("spark", stored("trino"), reads[:1], estate)
    assert mine == {("db", "t"): ("spark_catalog", "db", "t")}, "a metastore is Spark's own"
    iceberg = CalledCatalogs({}, {"ice": "iceberg-rest"})
    _, why = spelled_for("spark", stored("iceberg", "ice"), [base("db.t", "ice")], iceberg)
    assert why == "nobody says what spark calls the source ice"


def test_trino_has_no_draft_that_reads_what_it_looks_for_in_lower_case() -> None:
    estate = CalledCatalogs({"trino": {"pg": "shop"}, "spark": {"pg": "shop"}})
    reads = [base("Sales.t", "shop")]
    _, why = spelled_for("trino", stored("postgresql", "shop"), reads, estate)
    assert why == "trino looks for Sales.t in lower case"
    spelled, _ = spelled_for("spark", stored("postgresql", "shop"), reads, estate)
    assert spelled == {("Sales", "t"): ("pg", "Sales", "t")}
    found = replace(estate, any_case=frozenset({"trino"}))
    assert spelled_for("trino", stored("postgresql", "shop"), reads, found) == (spelled, "")


def test_each_translator_has_texts_that_it_reads() -> None:
    texts = [Representation(dialect=one, sql="s") for one in ("flink", "Hive", "trino")]
    assert text_for("sqlglot", "spark", texts) == texts[1]
    assert text_for("coral", "trino", texts) == texts[1]
    assert text_for("coral", "trino", texts[::2]) is None
    assert text_for("sqlglot", "trino", texts[::2]) is None


@pytest.mark.parametrize("dialect", ["Doris", "starrocks", "athena", "presto", "redshift"])
def test_a_dialect_whose_meaning_was_not_asked_has_no_draft(dialect: str) -> None:
    texts = [Representation(dialect=name, sql="s") for name in (dialect, "mysql")]
    assert text_for("sqlglot", "trino", texts) == texts[1]
    assert text_for("sqlglot", "trino", texts[:1]) is None
    why = f"what texts of {engine(dialect).title} mean was not asked of it, value by value"
    said = why_no_text("sqlglot", texts[:1])
    assert said == f"sqlglot reads none of its texts: {dialect}; {why}"
    assert why_no_text("coral", texts[:1]) == f"coral reads none of its texts: {dialect}"
    assert why_no_text("sqlglot", ()) == "sqlglot reads none of its texts: it has none"


def test_columns_without_a_type_there_are_left_out_and_cost_only_who_uses_them() -> None:
    odd = Column("doc", External("jsonb"))
    read = base("db.t", "lake")._replace(columns=(ID, odd))
    name: dict[Name, Name] = {("db", "t"): ("spark_catalog", "db", "t")}
    entry = drafting.entry_for("spark", stored("postgresql"), [read], name)
    assert entry is not None
    (told,) = entry.bases
    assert [field["name"] for field in json.loads(told.columns)["fields"]] == ["id"]
    declares = replace(stored("postgresql"), view=replace(stored("x").view, columns=(odd,)))
    assert drafting.entry_for("spark", declares, [read], name) is None


def test_spark_refuses_a_table_of_a_metastore_whose_types_it_does_not_read() -> None:
    odd = Column("u", UnionOf((Primitive("integer"), Primitive("date"))))
    read = base("db.t", "lake")._replace(columns=(ID, odd))
    for catalog, refused in (("spark_catalog", True), ("shop", False)):
        name: dict[Name, Name] = {("db", "t"): (catalog, "db", "t")}
        entry = drafting.entry_for("spark", stored("hive"), [read], name)
        assert entry is not None
        assert ("uniontype<int,date>" in entry.refused) is refused


def test_sqlglot_spells_the_tables_by_their_new_names_or_gives_nothing() -> None:
    names: dict[Name, Name] = {("public", "t"): ("shop", "public", "t")}
    made = translated("SELECT t.id::text FROM public.t", "postgresql", "spark", names, {})
    assert made.sql == "SELECT CAST(t.id AS STRING) FROM shop.public.t"
    for sql, why in (
        ("SELECT 1 FROM public.t, other", "would read other tables"),
        ("SELECT initcap(id) FROM public.t", "INITCAP"),
        ("DELETE FROM public.t", "does not find"),
        ("SELECT 1 FROM public.t; SELECT 2", ""),
        ("SELECT (", ""),
    ):
        translation = translated(sql, "postgresql", "spark", names, {})
        assert (translation.sql, bool(translation.why)) == ("", True)
        assert why in translation.why
    assert translated("SELECT 1", "flink", "spark", {}, {}).why == "sqlglot has no dialect flink"
    assert translated("SELECT 1", "trino", "flink", {}, {}).why == "sqlglot has no dialect flink"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (
            "{flink: sqlglot}",
            "flink: nobody makes drafts in it; drafts are made in trino and spark",
        ),
        ("{spark: coral}", "spark: coral makes drafts in trino alone; for spark there is sqlglot"),
        ("{trino: corall}", "trino: there is no translator 'corall'; for trino there is coral or"),
        ("[spark]", "must be a map"),
        ("{spark: 5}", "must be a text"),
    ],
)
def test_the_configuration_says_what_can_be_drafted(tmp_path: Path, said: str, why: str) -> None:
    path = tmp_path / "estate.yaml"
    text = "warehouse: w\nsources: {a: {kind: archive, path: a.jsonl}}\ndrafts: "
    path.write_text(f"{text}{said}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError) as told:
        loader.load(path)
    assert "3:" in str(told.value)
    assert why in str(told.value)
    path.write_text(f"{text}{{trino: coral, spark: sqlglot}}\n", encoding="utf-8")
    assert loader.load(path).drafts == {"trino": "coral", "spark": "sqlglot"}
