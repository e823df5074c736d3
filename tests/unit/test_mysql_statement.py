"""Texts that MySQL's catalog has without what their literals were introduced by."""

import pytest

from discovery.formats.mysql_statement import full_text, may_lack

MARIADB = "5.5.5-10.11.19-MariaDB-deb12"
HEAD = b"CREATE ALGORITHM=UNDEFINED DEFINER=`a``b`@`%` SQL SECURITY DEFINER VIEW `s`.`v AS ` AS "


@pytest.mark.parametrize(
    ("body", "charset", "wanted"),
    [
        (b"select 'a' AS `x`", "utf8mb4", None),
        (b"select 'it\\'s _latin1''x' AS `_b'c'`", "utf8mb4", None),
        (b"select _latin1'a' AS `x`", "latin1", "select _latin1'a' AS `x`"),
        (b"select _utf8mb4'\xc3\xa4' AS `x`", "utf8mb4", "select _utf8mb4 x'c3a4' AS `x`"),
        (b"select _binary'\xff\\0\\\\''\\n' AS `x`", "utf8", "select _binary x'ff005c270a' AS `x`"),
        (b"select _latin1'a','\xc3\xa4' AS `x`", "utf8mb3", "select _latin1'a','\u00e4' AS `x`"),
        (b"select _latin1'a','\xe4' AS `x`", "latin1", None),
        (b"select 1 AS `a` with rollup", "utf8mb4", None),
    ],
)
def test_the_statement_counts_where_the_catalog_has_lost_something(
    body: bytes, charset: str, wanted: str | None
) -> None:
    for tail in (b"", b" WITH CASCADED CHECK OPTION", b" WITH LOCAL CHECK OPTION"):
        found = full_text("the catalog's", HEAD + body + tail, charset)
        assert found == ("the catalog's" if wanted is None else wanted)


def test_what_nobody_can_call_is_no_text() -> None:
    written = "select `a` AS `a` from `t` group by `a` with rollup"
    shown = "select rollup_group_item(`a`,0) AS `a` from `t` group by `a` with rollup"
    assert may_lack(shown, MARIADB)
    assert not may_lack(written, MARIADB)
    assert full_text(shown, HEAD + written.encode(), "utf8mb4") == written
    for odd in (b"", b"CREATE VIEW `v` AS select 1", HEAD[:40]):
        assert full_text(shown, odd, "utf8mb4") == shown


@pytest.mark.parametrize(
    ("version", "apart"),
    [("9.7.4-2", True), ("8.0.36", True), ("5.7.44-log", False), (MARIADB, False)],
)
def test_mysql_keeps_names_apart_since_8(version: str, apart: bool) -> None:
    assert may_lack("select `x` AS `x` from `t`", version) is apart


@pytest.mark.parametrize(
    ("names", "charset", "wanted"),
    [
        (b"(`x``y`,`b)(c`)", "utf8mb4", "select * from (the catalog's) as `v AS ` (`x``y`,`b)(c`)"),
        ("(`é`)".encode(), "utf8mb3", "select * from (the catalog's) as `v AS ` (`é`)"),
        (b"(`\xe9`)", "latin1", "the catalog's"),
    ],
)
def test_names_that_are_kept_apart_are_those_of_a_query_around_the_text(
    names: bytes, charset: str, wanted: str
) -> None:
    """MySQL 9.7 reads the same rows, by the same names, of both: also of two of one name within."""
    listed = HEAD.removesuffix(b"AS ") + names + b" AS "
    statement = listed + b"select `a` AS `a`,`a` AS `a` from `t`"
    assert full_text("the catalog's", statement, charset) == wanted


def test_what_is_within_such_a_query_is_restored_too() -> None:
    listed = HEAD.removesuffix(b"AS ") + b"(`x`) AS "
    found = full_text("the catalog's", listed + b"select _latin1'a' AS `y`", "utf8mb4")
    assert found == "select * from (select _latin1'a' AS `y`) as `v AS ` (`x`)"
