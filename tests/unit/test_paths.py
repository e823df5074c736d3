"""How engines come to views: a row for every pair, and the answers that live engines gave."""

import pytest

from connectors.registry import JUDGES, SOURCES
from discovery.formats import KINDS
from discovery.judging.paths import METASTORES, PATHS, Reach, path
from discovery.judging.ways import CORAL, HIVE_DIALECT, REASONS, Way
from tests import estate_views

FORMATS = sorted({form.name for kind in KINDS.values() for form in kind.formats})
CODES = {reason.code for reason in REASONS}


@pytest.mark.parametrize("engine", JUDGES)
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_a_path_for_every_engine_that_is_judged(form: str, engine: str) -> None:
    found = path(engine, form, "hms", {})
    assert found in PATHS, f"a row for {form} and {engine} is missing in discovery/judging/paths.py"
    assert found.source


@pytest.mark.parametrize("row", PATHS, ids=lambda row: f"{row.engine}-{'+'.join(row.formats)}")
def test_a_row_says_what_is_read_or_why_nothing_is(row: object) -> None:
    assert row in PATHS
    for one in PATHS:
        assert (one.way is Way.PARSES or one.judge == CORAL) == bool(one.dialects)
        if one.way in {Way.REFUSES, Way.UNREACHABLE, Way.AS_TABLE}:
            assert one.reason in CODES
        assert set(one.formats) <= set(FORMATS)
        assert set(one.kinds) <= SOURCES.keys()


def test_no_row_is_hidden_behind_another() -> None:
    for row in PATHS:
        settings = dict([row.setting]) if row.setting else {}
        met = {path(row.engine, form, kind, settings) for form in row.formats for kind in SOURCES}
        assert row in met, row


@pytest.mark.parametrize("engine", ["spark", "hive", "flink"])
def test_a_text_of_spark_beside_trino_s_is_read_as_one_alone(engine: str) -> None:
    reach = Reach((engine,), kinds={"lake": "glue"})
    both = ["trino", "Spark"]
    found = reach.path(engine, "lake", "trino", both)
    assert (found.way, found.text(both)) == (Way.PARSES, "Spark")
    for dialects in (["trino"], ["trino", "redshift"]):
        assert reach.path(engine, "lake", "trino", dialects).way is Way.REFUSES
    assert reach.path("trino", "lake", "trino", both).text(both) == "trino"
    assert reach.path("mysql", "lake", "trino", both).way is Way.UNREACHABLE


@pytest.mark.parametrize(
    ("engine", "form", "kind", "settings", "way", "reason"),
    [  # as Trino 476, Spark 4.3, Flink 1.20 and Hive 2.3 answered, see the rows' proofs
        ("trino", "hive", "hms", {}, Way.REFUSES, "HIVE_VIEWS_OFF"),
        ("trino", "spark", "hms", {"hive_views": "false"}, Way.REFUSES, "HIVE_VIEWS_OFF"),
        ("trino", "hive", "glue", {"hive_views": "true"}, Way.TRANSLATES, None),
        ("trino", "spark", "hms", {"hive_views": "legacy"}, Way.TRANSLATES, None),
        ("trino", "flink", "hms", {"hive_views": "true"}, Way.REFUSES, "ENTRY_REFUSED"),
        ("trino", "trino", "hms", {}, Way.PARSES, None),
        ("trino", "iceberg", "hms", {}, Way.REFUSES, "ENTRY_REFUSED"),
        ("trino", "iceberg", "iceberg-rest", {}, Way.PARSES, None),
        ("spark", "trino", "hms", {}, Way.REFUSES, "ENTRY_REFUSED"),
        ("spark", "iceberg", "iceberg-rest", {}, Way.PARSES, None),
        ("flink", "trino", "hms", {}, Way.REFUSES, "ENTRY_REFUSED"),
        ("flink", "hive", "hms", {}, Way.PARSES, None),
        ("flink", "iceberg", "iceberg-jdbc", {}, Way.UNREACHABLE, "OUT_OF_REACH"),
        ("flink", "iceberg", "iceberg-jdbc", {"dialect": "hive"}, Way.UNREACHABLE, "OUT_OF_REACH"),
        ("flink", "trino", "hms", {"dialect": "hive"}, Way.REFUSES, "ENTRY_REFUSED"),
        ("hive", "trino", "hms", {}, Way.REFUSES, "ENTRY_REFUSED"),
        ("hive", "iceberg", "iceberg-rest", {}, Way.UNREACHABLE, "OUT_OF_REACH"),
        ("postgresql", "hive", "hms", {}, Way.UNREACHABLE, "OUT_OF_REACH"),
        ("postgresql", "mysql", "mysql", {}, Way.UNREACHABLE, "OUT_OF_REACH"),
        ("postgresql", "postgresql", "postgresql", {}, Way.PARSES, None),
        ("trino", "postgresql", "postgresql", {}, Way.AS_TABLE, "ONLY_AS_TABLE"),
        ("mysql", "canonical", "archive", {}, Way.PARSES, None),
        ("doris", "hive", "hms", {}, Way.PARSES, None),
        ("starrocks", "trino", "hms", {}, Way.UNKNOWN, None),
    ],
)
def test_a_path_is_as_the_engine_answered(
    engine: str, form: str, kind: str, settings: dict[str, str], way: Way, reason: str | None
) -> None:
    found = path(engine, form, kind, settings)
    assert found.way is way
    assert reason is None or found.reason == reason


@pytest.mark.parametrize(
    ("engine", "form", "kind", "dialects", "taken"),
    [
        ("spark", "iceberg", "iceberg-rest", ("trino", "Spark"), "Spark"),
        ("spark", "iceberg", "iceberg-rest", ("trino", "flink"), "trino"),
        ("trino", "iceberg", "iceberg-rest", ("spark", "trino"), "trino"),
        ("trino", "iceberg", "iceberg-rest", ("spark",), None),
        ("hive", "iceberg", "hms", ("spark", "hive"), "hive"),
        ("hive", "iceberg", "hms", ("spark", "trino"), "spark"),
        ("flink", "paimon", "paimon", ("query", "flink"), "flink"),
        ("spark", "paimon", "paimon", ("query", "flink"), "query"),
        ("spark", "glue", "glue", ("athena", "redshift"), None),
        ("spark", "hive", "hms", ("hive",), "hive"),
    ],
)
def test_the_text_is_picked_as_the_engine_picks_it(
    engine: str, form: str, kind: str, dialects: tuple[str, ...], taken: str | None
) -> None:
    assert path(engine, form, kind, {}).text(dialects) == taken


def test_a_database_that_an_engine_names_as_a_catalog_is_read_as_its_own_parser_says() -> None:
    reach = Reach(
        ("trino", "spark"),
        kinds={"shop": "postgresql"},
        catalogs={"trino": frozenset({"shop"})},
    )
    found = reach.path("trino", "shop", "postgresql", ("postgresql",))
    assert (found.text(("postgresql",)), found.parser) == ("postgresql", "postgresql")
    assert reach.path("spark", "shop", "postgresql", ("postgresql",)).text(("postgresql",)) is None


def test_a_database_that_sqlalchemy_speaks_to_may_be_the_engine_itself() -> None:
    reach = Reach(("trino", "spark"), kinds={"there": "sqlalchemy"})
    found = reach.path("trino", "there", "sqlalchemy", ("Trino",))
    assert (found.way, found.text(("Trino",)), found.parser) == (Way.PARSES, "Trino", "trino")
    assert reach.path("spark", "there", "sqlalchemy", ("Trino",)).way is Way.AS_TABLE


def test_settings_are_those_of_the_engine_that_is_asked() -> None:
    reach = Reach(("trino",), {"trino": {"hive_views": "true"}}, {"lake": METASTORES[0]})
    found = reach.path("trino", "lake", "hive", ("hive",))
    assert found.way is Way.TRANSLATES
    assert found.unjudged.startswith("with hive.hive-views.enabled: translated by Coral")


@pytest.mark.parametrize(
    ("form", "kind", "settings", "under"),
    [  # as Spark 4.3.0 gave 1,512 entries of a metastore the same columns in both modes
        ("iceberg", "iceberg-rest", {"ansi": "false"}, "with spark.sql.ansi.enabled=false"),
        ("iceberg", "hms", {"ansi": "false"}, "with spark.sql.ansi.enabled=false"),
        ("iceberg", "iceberg-rest", {"ansi": "true"}, ""),
        ("iceberg", "iceberg-rest", {}, ""),
        ("spark", "hms", {"ansi": "false"}, ""),
        ("hive", "hms", {"ansi": "false"}, ""),
    ],
)
def test_the_mode_of_spark_s_sessions_counts_for_views_of_iceberg_alone(
    form: str, kind: str, settings: dict[str, str], under: str
) -> None:
    found = path("spark", form, kind, settings)
    assert (found.way, found.under) == (Way.PARSES, under)


@pytest.mark.parametrize(
    ("form", "kind", "settings", "parser"),
    [  # as a live Flink 1.20.5 answered in both of its dialects
        ("flink", "hms", {"dialect": "hive"}, HIVE_DIALECT),
        ("hive", "glue", {"dialect": "hive"}, HIVE_DIALECT),
        ("spark", "hms-database", {"dialect": "hive"}, HIVE_DIALECT),
        ("iceberg", "hms", {"dialect": "hive"}, HIVE_DIALECT),
        ("paimon", "paimon", {"dialect": "hive"}, HIVE_DIALECT),
        ("paimon", "paimon", {}, "flink"),
        ("hive", "hms", {"dialect": "default"}, "flink"),
        ("hive", "hms", {}, "flink"),
    ],
)
def test_in_hive_s_dialect_another_parser_of_flink_gets_the_text(
    form: str, kind: str, settings: dict[str, str], parser: str
) -> None:
    found = path("flink", form, kind, settings)
    assert found.parser == parser
    assert bool(found.unjudged) == (parser == HIVE_DIALECT)


def test_a_live_flink_reads_other_views_in_hive_s_dialect() -> None:
    found = estate_views.corpus()
    own, hives = (found["answers"][name] for name in ("flink", "flink dialect=hive"))
    read = [
        (own[key] == "", hives[key] == "")
        for key, form in estate_views.formats(found).items()
        if form != "trino"
    ]
    assert len(read) == 1_197
    assert sum(one for one, _ in read) == 604
    assert sum(other for _, other in read) == 621
    assert sum(one != other for one, other in read) == 231
