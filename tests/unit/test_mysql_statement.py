"""Texts that MySQL's catalog has without what their literals were introduced by."""

import pytest

from discovery.formats.mysql_statement import full_text, may_lack

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
    assert may_lack(shown)
    assert not may_lack(written)
    assert full_text(shown, HEAD + written.encode(), "utf8mb4") == written
    listed = HEAD.removesuffix(b"AS ") + b"(`x``y`,`z`) AS "
    assert full_text(shown, listed + written.encode(), "utf8mb4") == written
    for odd in (b"", b"CREATE VIEW `v` AS select 1", HEAD[:40]):
        assert full_text(shown, odd, "utf8mb4") == shown
