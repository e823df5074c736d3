import pytest

from discovery.lineage.scopes import dotted_names
from discovery.migration.drafts import drafted
from discovery.model import Identifier, Representation, View


def draft(dialect: str, sql: str, *reads: str, to: str = "lake", context: str | None = None) -> str:
    text = Representation(dialect=dialect, sql=sql, default_catalog=context)
    view = View(identifier=Identifier(("db",), "v"), columns=(), representations=(text,))
    names = {dialect: [tuple(one.split(".")) for one in reads]}
    whole, dialects = drafted(view, names, {"hive": to}, dotted_names)
    assert dialects in {(), (dialect,)}
    assert bool(dialects) == (whole != view)
    return whole.representations[0].sql


def test_only_the_spans_of_the_catalog_change() -> None:
    sql = "SELECT  hive.db.t.id,\n 'hive.db.t' -- hive.db.t\nFROM hive . db.T x"
    assert draft("trino", sql, "hive.db.t") == (
        "SELECT  lake.db.t.id,\n 'hive.db.t' -- hive.db.t\nFROM lake . db.T x"
    )


@pytest.mark.parametrize(
    ("dialect", "sql", "wanted"),
    [
        ("trino", 'SELECT 1 FROM "hive"."db"."t"', 'SELECT 1 FROM "la-ke"."db"."t"'),
        ("trino", "SELECT 1 FROM hive.db.t", 'SELECT 1 FROM "la-ke".db.t'),
        ("spark", "SELECT 1 FROM hive.db.t", "SELECT 1 FROM `la-ke`.db.t"),
        ("spark", "SELECT 1 FROM `hive`.db.t", "SELECT 1 FROM `la-ke`.db.t"),
    ],
)
def test_a_name_is_quoted_where_it_must_be(dialect: str, sql: str, wanted: str) -> None:
    assert draft(dialect, sql, "hive.db.t", to="la-ke") == wanted


def test_what_the_engine_does_not_read_is_left_alone() -> None:
    struct = "SELECT hive.a.b FROM db.t AS hive"
    assert draft("trino", struct, "db.t") == struct
    assert draft("trino", "SELECT 1 FROM other.db.t", "other.db.t") == "SELECT 1 FROM other.db.t"


def test_the_context_follows_without_a_change_of_the_text() -> None:
    assert draft("trino", "SELECT 1 FROM t", "t", context="hive") == "SELECT 1 FROM t"


def test_a_text_that_cannot_be_cut_into_tokens_has_no_draft() -> None:
    broken = "SELECT 'unterminated FROM hive.db.t"
    assert draft("trino", broken, "hive.db.t") == broken
