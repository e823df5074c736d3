"""A move closed over names: what a text reads is what it read, or the view is not written."""

import itertools
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.lineage.kinds import BaseKind
from discovery.lineage.references import Catalogs, place
from discovery.lineage.scopes import names
from discovery.migration.closure import Closed, Closure
from discovery.migration.contexts import dropped_dialects
from discovery.migration.mapping import Qualify, Rule
from discovery.migration.wanted import Address, Move, NameRead
from discovery.model import Identifier, Representation, View
from discovery.namespaces import Levels
from tests.statements import READER

RULE = Rule(source="a", target="t", namespace=("bronze", "*"), name="{name}_v")
TOP = Identifier(("rel",), "top")


def close(
    sql: str,
    dialect: str,
    *reads: NameRead,
    rule: Rule = RULE,
    context: tuple[str | None, str | None] = (None, None),
    into: tuple[str, str] = ("archive", ""),
) -> Closed:
    catalog, schema = context
    text = Representation(dialect=dialect, sql=sql, default_catalog=catalog, default_schema=schema)
    view = rule.at_target(View(identifier=TOP, columns=(), representations=(text,)))
    assert view is not None
    return Closure.of([rule], {"t": dropped_dialects(*into)}).close(view, rule, reads, READER)


def read(
    dialect: str, name: str, *, moves: bool = False, catalog: str | None = None, to: str = "t"
) -> NameRead:
    """A name that leads into `rel` of its own source; what moves goes where the rule says."""
    written = tuple(name.split("."))
    old = Identifier(("rel",), written[-1])
    move = Move(old, Address(to, RULE.image_of(old))) if moves else None
    return NameRead(
        dialect=dialect, written=written, catalog=catalog, own=True, identifier=old, move=move
    )


def draft(closed: Closed) -> str | None:
    if closed.draft is None:
        return None
    return closed.draft.model.view(("bronze", "rel")).representations[0].sql


def told(closed: Closed) -> str:
    return "" if closed.unsafe is None else closed.unsafe.reason


def test_a_view_that_is_renamed_is_read_by_its_new_name() -> None:
    closed = close(
        "select `base`.`id` from `rel`.`base`", "hive", read("hive", "rel.base", moves=True)
    )
    assert told(closed) == "hive: rel.base is bronze.rel.base_v, and would lead to rel.base"
    assert draft(closed) == "select `base_v`.`id` from `bronze`.`rel`.`base_v`"
    assert closed.losses == ()


def test_trino_has_no_draft_that_names_what_it_looks_for_in_lower_case() -> None:
    rule = replace(RULE, name="{name}_V")
    sql, name_read = "SELECT id FROM hive.rel.base", read("trino", "hive.rel.base", catalog="hive")
    image = Address("t", Identifier(("bronze", "rel"), "base_V"))
    assert name_read.identifier is not None
    moved = replace(name_read, move=Move(name_read.identifier, image))
    closed = close(sql, "trino", moved, rule=rule)
    assert (told(closed) != "", draft(closed)) == (True, None)
    in_spark = close(sql, "spark", replace(moved, dialect="spark"), rule=rule)
    assert draft(in_spark) == "SELECT id FROM hive.bronze.rel.`base_V`"


def test_a_table_that_stays_is_reached_by_the_same_name() -> None:
    assert close("SELECT 1 FROM rel.t", "spark", read("spark", "rel.t")) == Closed()


def test_a_short_name_that_the_old_namespace_completed_is_qualified() -> None:
    closed = close("SELECT id FROM t", "flink", read("flink", "t"))
    assert told(closed) == "flink: t is rel.t, and would lead to bronze.rel.t"
    assert draft(closed) == "SELECT id FROM `rel`.t"
    hive = close("select id from t", "hive", read("hive", "t"))
    assert draft(hive) == "select id from rel.t"


def test_a_short_name_that_the_context_completes_stays() -> None:
    context = ("hive", "rel")
    short = read("trino", "t", catalog="hive")
    assert close("SELECT 1 FROM t", "trino", short, context=context) == Closed()
    named = replace(RULE, namespace=("*",))
    moved = NameRead(
        dialect="trino",
        written=("base",),
        catalog="hive",
        identifier=Identifier(("rel",), "base"),
        move=Move(Identifier(("rel",), "base"), Address("t", Identifier(("rel",), "base_v"))),
    )
    closed = close("SELECT base.id FROM base", "trino", moved, rule=named, context=context)
    assert draft(closed) == "SELECT base_v.id FROM base_v"


def test_trino_names_a_nested_namespace_by_one_name() -> None:
    closed = close(
        "SELECT 1 FROM hive.rel.base",
        "trino",
        read("trino", "hive.rel.base", moves=True, catalog="hive"),
    )
    assert draft(closed) == 'SELECT 1 FROM hive."bronze.rel".base_v'


def test_a_catalog_of_another_name_changes_the_context_where_the_text_needs_it() -> None:
    rule = Rule(source="a", target="t", catalogs=(("hive", "lake"),))
    context = ("hive", "rel")
    short, name_read = (read("trino", one, catalog="hive") for one in ("t", "hive.rel.t"))
    closed = close("SELECT 1 FROM t", "trino", short, rule=rule, context=context)
    assert closed.draft is not None
    text = closed.draft.model.view(("rel",)).representations[0]
    assert (text.sql, text.default_catalog) == ("SELECT 1 FROM t", "lake")
    assert draft(close("SELECT 1 FROM hive.rel.t", "trino", name_read, rule=rule)) == (
        "SELECT 1 FROM lake.rel.t"
    )
    outside = read("trino", "pg.rel.t", catalog="pg")
    assert close("SELECT 1 FROM pg.rel.t", "trino", outside, rule=rule, context=context) == Closed()


def test_a_base_in_another_target_needs_a_name_that_leads_there() -> None:
    other = read("spark", "rel.base", moves=True, to="u")
    closed = close("SELECT 1 FROM rel.base", "spark", other)
    assert told(closed) == "spark: rel.base is what has no name there, and would lead to rel.base"
    assert closed.draft is None
    named = read("trino", "b.rel.base", moves=True, catalog="b", to="u")
    assert draft(close("SELECT 1 FROM b.rel.base", "trino", named)) == (
        'SELECT 1 FROM b."bronze.rel".base_v'
    )


def test_names_of_trino_lead_to_what_is_called_so_in_lower_case() -> None:
    lowered = replace(read("trino", "Rel.T", catalog="hive"), identifier=Identifier(("rel",), "t"))
    assert close("SELECT 1 FROM Rel.T", "trino", lowered, context=("hive", "rel")) == Closed()


def test_case_that_the_source_folds_changes_nothing() -> None:
    old = Identifier(("rel",), "base")
    plain = Rule(source="a", target="t")
    upper = NameRead(
        dialect="hive",
        written=("REL", "Base"),
        identifier=Identifier(("REL",), "Base"),
        move=Move(old, Address("t", old)),
    )
    assert close("select 1 from REL.Base", "hive", upper, rule=plain) == Closed()


ANYWHERE = [
    ("spark", "parquet./x", BaseKind.FILE, ((), "x")),
    ("spark", "range", BaseKind.SYSTEM, ((), "range")),
    ("hive", "_dummy_table", BaseKind.SYSTEM, ((), "_dummy_table")),
    ("postgresql", "shop.public.t", BaseKind.TABLE, (("public",), "t")),
    (
        "trino",
        "hive.information_schema.tables",
        BaseKind.SYSTEM,
        (("information_schema",), "tables"),
    ),
]


@pytest.mark.parametrize(("dialect", "name", "kind", "place"), ANYWHERE)
def test_what_means_the_same_everywhere_is_left_alone(
    dialect: str, name: str, kind: BaseKind, place: tuple[Levels, str]
) -> None:
    written = tuple(name.split("."))
    catalog = "hive" if dialect == "trino" else None
    name_read = NameRead(
        dialect=dialect, written=written, catalog=catalog, identifier=Identifier(*place), kind=kind
    )
    assert close("SELECT 1 FROM x", dialect, name_read) == Closed()


def test_metadata_of_a_table_keeps_its_name_unless_the_table_has_another() -> None:
    snapshots = replace(
        read("spark", "rel.t", catalog="lake"),
        written=("rel", "t", "snapshots"),
        kind=BaseKind.METADATA,
    )
    context = ("lake", "rel")
    sql = "SELECT 1 FROM rel.t.snapshots"
    assert close(sql, "spark", snapshots, context=context) == Closed()
    short = replace(snapshots, dialect="trino", written=("t$snapshots",))
    assert close('SELECT 1 FROM "t$snapshots"', "trino", short, context=context) == Closed()
    renamed = replace(RULE, catalogs=(("lake", "pond"),))
    moves = replace(snapshots, move=read("spark", "rel.t", moves=True).move)
    for closed in (
        close(sql, "spark", snapshots, context=context, rule=renamed),
        close(sql, "spark", moves, context=context),
        close('SELECT 1 FROM "t$snapshots"', "flink", replace(short, dialect="flink")),
    ):
        assert closed.unsafe is not None
        assert closed.draft is None, "nobody writes the table's new name into it"


def test_what_nobody_can_tell_is_a_loss_and_not_a_claim() -> None:
    lost = NameRead(dialect="trino", written=("t",))
    assert close("SELECT 1 FROM t", "trino", lost).losses == (
        "nobody can tell where t of its trino text leads",
    )
    assert close("SELECT ((( FROM t", "hive").losses == (
        "nobody can tell what its hive text reads, here or there",
    )
    assert close("SELECT 1", "hive") == Closed()


CONSTANTS = (
    ("hive", "select extract(year from current_date) as y"),
    ("trino", "SELECT a FROM (VALUES 1) t(a)"),
    ("trino", "SELECT a FROM unnest(ARRAY[1]) t(a)"),
    ("spark", "SELECT 'taken from a table' AS a"),
)


@pytest.mark.parametrize(("dialect", "sql"), CONSTANTS)
def test_a_text_that_reads_nothing_loses_nothing(dialect: str, sql: str) -> None:
    assert close(sql, dialect) == Closed()


def test_what_nobody_can_tell_is_no_loss_where_no_rule_renames() -> None:
    plain = Rule(source="a", target="t")
    lost = NameRead(dialect="trino", written=("t",))
    assert close("SELECT 1 FROM t", "trino", lost, rule=plain) == Closed()
    assert close("SELECT ((( FROM t", "hive", rule=plain) == Closed()


def test_a_rule_may_refuse_and_a_text_without_draft_holds_back_the_others() -> None:
    moved = read("hive", "rel.base", moves=True)
    refused = close(
        "select 1 from rel.base", "hive", moved, rule=replace(RULE, qualify=Qualify.REFUSE)
    )
    assert (refused.draft, bool(refused.unsafe)) == (None, True)
    broken = close("select 1 from (rel.base", "hive", moved)
    assert (broken.draft, bool(broken.unsafe)) == (None, True)


# contexts that a target drops

HIVE_CATALOG = ("gravitino-rest", "hive")
STAYS = Rule(source="a", target="t")
AWAY = replace(STAYS, namespace=("other",))


@pytest.mark.parametrize("rule", [STAYS, AWAY])
def test_a_context_of_spark_arrives_in_a_hive_catalog(rule: Rule) -> None:
    short = read("spark", "t", catalog="spark_catalog")
    context = ("spark_catalog", "rel")
    for into in (HIVE_CATALOG, ("iceberg-rest", "lakehouse-iceberg")):
        assert (
            close("SELECT 1 FROM t", "spark", short, rule=rule, context=context, into=into)
            == Closed()
        )


def test_the_session_catalog_is_the_same_however_it_is_spelled() -> None:
    sql = "SELECT 1 FROM Spark_Catalog.rel.base"
    told_so = read("spark", "Spark_Catalog.rel.base", catalog="spark_catalog")
    assert close(sql, "spark", told_so, rule=STAYS) == Closed()


def test_short_names_of_flink_are_qualified_where_their_context_is_dropped() -> None:
    short, context = read("flink", "t", catalog="hc"), ("hc", "rel")
    sql = "SELECT t.id FROM t, UNNEST(t.a) AS u (x)"
    for rule in (STAYS, AWAY):
        closed = close(sql, "flink", short, rule=rule, context=context, into=HIVE_CATALOG)
        assert told(closed) == "flink: t is hc.rel.t, and would lead to nowhere"
        assert draft(closed) == "SELECT t.id FROM `hc`.`rel`.t, UNNEST(t.a) AS u (x)"
        assert close(sql, "flink", short, rule=rule, context=context).unsafe is None, "it arrives"
    named = read("flink", "hc.rel.t", catalog="hc")
    whole = close(sql, "flink", named, rule=AWAY, context=context, into=HIVE_CATALOG)
    assert whole == Closed()
    elsewhere = Address("t", Identifier(("rel",), "t_v"))
    moved = replace(short, move=Move(Identifier(("rel",), "t"), elsewhere))
    closed = close(sql, "flink", moved, rule=AWAY, context=context, into=HIVE_CATALOG)
    assert closed.unsafe is not None
    assert closed.draft is None, "columns are qualified by that name"


def test_a_text_that_nobody_reads_is_not_written_where_its_context_is_dropped() -> None:
    sql, context = "SELECT '\\' FROM t", ("hc", "rel")
    why = "flink: the target drops its context hc.rel, and nobody can tell which"
    for rule in (STAYS, AWAY):
        closed = close(sql, "flink", rule=rule, context=context, into=HIVE_CATALOG)
        assert told(closed).startswith(why)
        assert closed.draft is None
    assert close("SELECT 1", "flink", rule=AWAY, context=context, into=HIVE_CATALOG) == Closed()
    broken = close(
        "select ((( from t", "hive", rule=STAYS, context=(None, "rel"), into=HIVE_CATALOG
    )
    assert broken.unsafe is not None


def test_a_catalog_that_is_not_the_view_s_own_cannot_be_left_out() -> None:
    short, context = replace(read("flink", "t", catalog="pg"), own=False), ("pg", "rel")
    closed = close(
        "SELECT 1 FROM t", "flink", short, rule=STAYS, context=context, into=HIVE_CATALOG
    )
    assert told(closed) == "flink: t is pg.rel.t, and would lead to nowhere"


def test_short_names_of_hive_are_qualified_where_their_context_is_dropped() -> None:
    context = (None, "rel")
    sql = "select `t`.`id` from t join rel.u"
    reads = read("hive", "t"), read("hive", "rel.u")
    closed = close(sql, "hive", *reads, rule=STAYS, context=context, into=HIVE_CATALOG)
    assert told(closed) == "hive: t is rel.t, and would lead to nowhere"
    assert draft(closed) == "select `t`.`id` from rel.t join rel.u"
    elsewhere = read("hive", "t", catalog="lake")
    closed = close(
        "select 1 from t",
        "hive",
        replace(elsewhere, own=False),
        rule=STAYS,
        context=("lake", "rel"),
        into=HIVE_CATALOG,
    )
    assert closed.unsafe is not None
    assert closed.draft is None, "Hive names no catalogs"


PAIMON, PAIMON_BY_REST = ("paimon", ""), ("gravitino-rest", "lakehouse-paimon")


def test_paimon_s_engines_look_at_no_context() -> None:
    context = ("lake", "rel")
    for into, rule in itertools.product((PAIMON, PAIMON_BY_REST), (STAYS, AWAY)):
        for dialect, mark in (("spark", ""), ("flink", "`")):
            short = read(dialect, "t", catalog="lake")
            sql = "SELECT 1 FROM t"
            closed = close(sql, dialect, short, rule=rule, context=context, into=into)
            assert told(closed) == f"{dialect}: t is lake.rel.t, and would lead to nowhere"
            assert draft(closed) == f"SELECT 1 FROM {mark}lake{mark}.{mark}rel{mark}.t"
    name_read = read("trino", "lake.rel.t", catalog="lake")
    sql = "SELECT 1 FROM lake.rel.t"
    assert close(sql, "trino", name_read, rule=AWAY, context=context, into=PAIMON) == Closed()


@pytest.mark.parametrize("dialect", ["spark", "flink"])
def test_the_catalog_of_the_session_completes_names_of_two_parts_in_paimon(dialect: str) -> None:
    sql, context = "SELECT 1 FROM rel.t", ("lake", "rel")
    named = read(dialect, "rel.t", catalog="lake")
    closed = close(sql, dialect, named, rule=STAYS, context=context, into=PAIMON)
    assert told(closed) == (
        f"{dialect}: rel.t is lake.rel.t, and would lead to rel.t of the session's catalog"
    )
    mark = "`" if dialect == "flink" else ""
    assert draft(closed) == f"SELECT 1 FROM {mark}lake{mark}.rel.t"
    called = replace(STAYS, catalogs=(("lake", "pm"),))
    closed = close(sql, dialect, named, rule=called, context=context, into=PAIMON)
    assert draft(closed) == f"SELECT 1 FROM {mark}pm{mark}.rel.t"


def test_names_that_no_one_can_give_a_catalog_are_told_where_paimon_s_engines_run_them() -> None:
    sql, named = "select 1 from rel.t", read("hive", "rel.t")
    query = replace(STAYS, query="hive")
    closed = close(sql, "hive", named, rule=query, into=PAIMON)
    (loss,) = closed.losses
    assert loss == (
        "hive: what becomes query reads rel.t without a catalog, so that of the session's own"
    )
    assert close(sql, "hive", named, rule=STAYS, into=PAIMON) == Closed(), "nobody runs it"


@pytest.mark.parametrize("into", [("gravitino-rest", "lakehouse-iceberg"), ("iceberg-jdbc", "")])
def test_the_one_flink_that_reads_views_of_iceberg_looks_at_no_context(
    into: tuple[str, str],
) -> None:
    context, sql = ("lake", "rel"), "SELECT 1 FROM t"
    short = read("flink", "t", catalog="lake")
    closed = close(sql, "flink", short, rule=STAYS, context=context, into=into)
    assert draft(closed) == "SELECT 1 FROM `lake`.`rel`.t"
    spark = read("spark", "t", catalog="lake")
    assert close(sql, "spark", spark, rule=STAYS, context=context, into=into) == Closed()


def test_a_name_of_the_system_that_a_context_completes_needs_that_context() -> None:
    place, sql = Identifier(("information_schema",), "tables"), "SELECT 1 FROM tables"
    short = NameRead(
        dialect="trino",
        written=("tables",),
        catalog="lake",
        own=True,
        identifier=place,
        kind=BaseKind.SYSTEM,
    )
    context = ("lake", "information_schema")
    assert close(sql, "trino", short, rule=STAYS, context=context) == Closed()
    closed = close(sql, "trino", short, rule=STAYS, context=context, into=PAIMON)
    assert told(closed) == (
        "trino: tables is lake.information_schema.tables, and would lead to nowhere"
    )


# every name of a random estate

SCHEMAS = ("s1", "s2")
NAMES = ("v0", "v1", "v2", "v3")
ENGINES = {"trino": "hive", "spark": "hive", "hive": None}
places = st.builds(
    Identifier, st.sampled_from(SCHEMAS).map(lambda one: (one,)), st.sampled_from(NAMES)
)
rulings = st.builds(
    Rule,
    source=st.just("a"),
    target=st.just("t"),
    namespace=st.sampled_from([("*",), ("bronze", "*"), ("flat",), ("s2",)]),
    name=st.sampled_from(["{name}", "{name}_v", "{source}-{name}", "V {name}"]),
    catalogs=st.sampled_from([(), (("hive", "lake"),), (("hive", "la-ke"),)]),
)


def spelled(base: Identifier, view: Identifier, dialect: str, how: int) -> str:
    catalog = ENGINES[dialect]
    if how == 0 and base.namespace == view.namespace:
        return base.name
    return f"{base}" if how < 2 or catalog is None else f"{catalog}.{base}"


def led(view: View, catalogs: Iterable[str]) -> list[tuple[str | None, Levels]]:
    """Where a text leads, by the reading of `references`: catalog, and levels cut at dots."""
    (text,) = view.representations
    found = names(text.sql, text.dialect)
    assert found is not None
    known = Catalogs({text.dialect: dict.fromkeys(catalogs, "a")}, {"a": str})
    leads = []
    for name in found[0]:
        one = place(name, "a", view.identifier, text, known)
        assert one.identifier is not None
        levels = [part for level in one.identifier.namespace for part in level.split(".")]
        leads.append((one.catalog, (*levels, one.identifier.name)))
    return sorted(leads, key=str)


@given(
    st.lists(places, min_size=1, max_size=3, unique=True),
    places,
    rulings,
    st.sampled_from(sorted(ENGINES)),
    st.lists(st.integers(0, 2), min_size=3, max_size=3),
    st.sets(places, max_size=4),
)
def test_every_migrated_text_leads_to_the_images_of_the_places_it_led_to(
    bases: list[Identifier],
    at: Identifier,
    rule: Rule,
    dialect: str,
    hows: list[int],
    tables: set[Identifier],
) -> None:
    bases = [base for base in bases if base != at]
    written = [spelled(base, at, dialect, how) for base, how in zip(bases, hows, strict=False)]
    sql = "SELECT 1 x" + "".join(f" UNION ALL SELECT x FROM {name}" for name in written)
    catalog = ENGINES[dialect]
    schema = at.namespace[0] if catalog else None
    text = Representation(dialect=dialect, sql=sql, default_catalog=catalog, default_schema=schema)
    view = View(identifier=at, columns=(), representations=(text,))
    reads = tuple(
        NameRead(
            dialect=dialect,
            written=tuple(name.split(".")),
            catalog=catalog,
            identifier=base,
            move=None if base in tables else Move(base, Address("t", rule.image_of(base))),
        )
        for base, name in zip(bases, written, strict=True)
    )
    moved = rule.at_target(view)
    assert moved is not None
    closed = Closure.of([rule]).close(moved, rule, reads, READER)
    assert closed.losses == ()
    known = {"hive", *dict(rule.catalogs).values()}
    before = {(catalog, (*base.namespace, base.name)) for base in bases}
    assert set(led(view, known)) == before
    images = set()
    for base in bases:
        image = base if base in tables else rule.image_of(base)
        new = dict(rule.catalogs).get(catalog, catalog) if catalog else None
        images.add((new, (*image.namespace, image.name)))
    if dialect == "trino" and "V" in str(images):  # nothing finds what is called so
        assert (closed.unsafe is None, closed.draft) == (False, None)
    elif closed.unsafe is None:
        assert set(led(moved, known)) == images
    else:
        assert set(led(moved, known)) != images or moved.identifier.namespace != at.namespace
        assert closed.draft is not None
        whole = closed.draft.model.view(moved.identifier.namespace)
        assert set(led(whole, known)) == images


@given(
    st.lists(places, min_size=1, max_size=3, unique_by=lambda one: one.name),
    rulings,
    st.lists(st.booleans(), min_size=3, max_size=3),
    st.sets(places, max_size=4),
)
def test_no_short_name_is_left_to_the_session_that_reads(
    bases: list[Identifier], rule: Rule, short: list[bool], tables: set[Identifier]
) -> None:
    at = Identifier(("views",), "top")
    hive = replace(rule, catalogs=())
    bases = [Identifier(("s1",), base.name) for base in bases]
    written = [
        base.name if is_short else f"{base}" for base, is_short in zip(bases, short, strict=False)
    ]
    sql = "select 1 x" + "".join(f" union all select x from {name}" for name in written)
    text = Representation(dialect="hive", sql=sql, default_schema="s1")
    view = hive.at_target(View(identifier=at, columns=(), representations=(text,)))
    assert view is not None
    reads = tuple(
        NameRead(
            dialect="hive",
            written=tuple(name.split(".")),
            own=True,
            identifier=base,
            move=None if base in tables else Move(base, Address("t", hive.image_of(base))),
        )
        for base, name in zip(bases, written, strict=True)
    )
    closure = Closure.of([hive], {"t": dropped_dialects(*HIVE_CATALOG)})
    closed = closure.close(view, hive, reads, READER)
    kept = view if closed.draft is None else closed.draft.model.view(view.identifier.namespace)
    found = names(kept.representations[0].sql, "hive")
    assert found is not None
    images = {base if base in tables else hive.image_of(base) for base in bases}
    if closed.unsafe is None or closed.draft is not None:
        assert {Identifier(name[:-1], name[-1]) for name in found[0]} == images
    else:
        assert any(short[: len(bases)]) or images != set(bases)


def test_a_nested_namespace_of_trino_is_moved_in_one_name() -> None:
    text = Representation(dialect="trino", sql='SELECT 1 x FROM "a.b".t', default_catalog="ice")
    text = text.within(("a", "b"))
    view = View(identifier=Identifier(("a", "b"), "v"), columns=(), representations=(text,))
    rule = Rule(source="a", target="t", namespace=("z", "*"))
    old = Identifier(("a", "b"), "t")
    read = NameRead(
        dialect="trino",
        written=("a.b", "t"),
        catalog="ice",
        own=True,
        identifier=old,
        move=Move(old, Address("t", rule.image_of(old))),
    )
    moved = rule.at_target(view)
    assert moved is not None
    closed = Closure.of([rule], {}).close(moved, rule, (read,), READER)
    assert closed.unsafe is not None
    assert closed.draft is not None
    (draft,) = closed.draft.model.view(("z", "a", "b")).representations
    assert draft.sql == 'SELECT 1 x FROM "z.a.b".t'
    stays = Closure.of([rule], {}).close(moved, rule, (replace(read, move=None),), READER)
    assert (stays.unsafe, stays.draft) == (None, None), "what is not moved is where it was"


MAPPED = replace(RULE, catalogs=(("hive", "lake"),))


@pytest.mark.parametrize(
    ("dialect", "sql", "called"),
    [
        ("trino", "SELECT hive.s.f(1)", "hive.s.f"),
        ("trino", "SELECT 'a' || \"HIVE\" . s.f(1)", "HIVE.s.f"),
        ("trino", "SELECT * FROM TABLE(hive.system.query(query => 'x'))", "hive.system.query"),
        ("spark", "SELECT * FROM hive.s.f(1)", "hive.s.f"),
        ("flink", "SELECT `hive`.`s`.f(1)", "hive.s.f"),
    ],
)
def test_a_function_of_a_catalog_that_is_called_otherwise_is_told(
    dialect: str, sql: str, called: str
) -> None:
    closed = close(sql, dialect, rule=MAPPED)
    assert told(closed).startswith(f"{dialect}: it calls {called}, and the catalog ")
    assert told(closed).endswith(" is lake there")
    assert closed.draft is None, "no text is rewritten for a function"
    assert told(close(sql, dialect)) == "", "its catalog keeps its name"


@pytest.mark.parametrize("sql", ["SELECT s.f(1)", "SELECT 'hive.s.f(1)'", "SELECT hive.s.f AS c"])
def test_other_calls_keep_their_meaning(sql: str) -> None:
    assert told(close(sql, "trino", rule=MAPPED, context=("hive", "s"))) == ""


def test_where_nobody_can_tell_what_a_text_calls_it_is_held_back() -> None:
    unread = "SELECT hive.s.f(a), json_query(b, 'x' WITH ARRAY WRAPPER EMPTY ARRAY ON ERROR) FROM t"
    assert names(unread, "trino") is None
    reads = read("trino", "rel.t")
    closed = close(unread, "trino", reads, rule=MAPPED)
    assert told(closed) == "trino: nobody can tell which functions it calls by a catalog"
    assert told(close(unread.replace("hive.", ""), "trino", reads, rule=MAPPED)) == ""


def test_a_function_whose_catalog_the_lost_context_completes_is_told() -> None:
    paimon = ("paimon", "")
    closed = close("SELECT s.f(1), abs(2)", "spark", context=("lake", "s"), into=paimon)
    assert told(closed) == (
        "spark: it calls s.f, and the target drops the context that completes that with lake"
    )
    assert told(close("SELECT abs(2)", "spark", context=("lake", "s"), into=paimon)) == ""
