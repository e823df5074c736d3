"""Short names written out: which names of a text are those of tables, and when nobody can say."""

import time

import pytest

from discovery.formats.qualified import lengthened, qualify, tables

WITHIN = ("c", "d")


@pytest.mark.parametrize(
    ("sql", "whole"),
    [
        ("select 1", "select 1"),
        ("SELECT a FROM t", "SELECT a FROM `c`.`d`.t"),
        (
            "select t.a from t, s.u as x join `v w` on t.a = x.b",
            "select t.a from `c`.`d`.t, `c`.s.u as x join `c`.`d`.`v w` on t.a = x.b",
        ),
        ("select a from x.y.z", "select a from x.y.z"),
        ("select map(a, b), reduce(c) from t", "select map(a, b), reduce(c) from `c`.`d`.t"),
        ("select a from x . y", "select a from `c`.x . y"),
        (
            "select from_t, 'from t' from t -- from u",
            "select from_t, 'from t' from `c`.`d`.t -- from u",
        ),
        (
            "select extract(day from ts), trim(both ' ' from n) from t where a is distinct from b",
            (
                "select extract(day from ts), trim(both ' ' from n) from `c`.`d`.t"
                " where a is distinct from b"
            ),
        ),
        (
            "with x as (select * from x), y (a, b) as (select 1, 2 from x) select * from x, y, z",
            (
                "with x as (select * from `c`.`d`.x), y (a, b) as (select 1, 2 from x)"
                " select * from x, y, `c`.`d`.z"
            ),
        ),
        (
            "select * from (a join (select * from b) q on true), u where x in (select y from v)",
            (
                "select * from (`c`.`d`.a join (select * from `c`.`d`.b) q on true), `c`.`d`.u"
                " where x in (select y from `c`.`d`.v)"
            ),
        ),
        (
            "select * from table(tumble(table o, descriptor(ts), interval '1' day))",
            "select * from table(tumble(table `c`.`d`.o, descriptor(ts), interval '1' day))",
        ),
        (
            "select * from a cross join unnest(a.x) as t(e), lateral table(f(a.y)) as s(z), b",
            (
                "select * from `c`.`d`.a cross join unnest(a.x) as t(e),"
                " lateral table(f(a.y)) as s(z), `c`.`d`.b"
            ),
        ),
        (
            "from t lateral view explode(m) x as k join u on k = u.k select k, u.v",
            "from `c`.`d`.t lateral view explode(m) x as k join `c`.`d`.u on k = u.k select k, u.v",
        ),
        (
            "(select a from t order by a, b limit 1) union all (table u)",
            "(select a from `c`.`d`.t order by a, b limit 1) union all (table `c`.`d`.u)",
        ),
        ("select * from (values (1, 2)) as t (a, b)", "select * from (values (1, 2)) as t (a, b)"),
    ],
)
def test_short_names_of_tables_are_written_out_and_nothing_else(sql: str, whole: str) -> None:
    assert qualify(sql, WITHIN) == whole


@pytest.mark.parametrize(
    "sql",
    [
        "select a from f(b)",  # a function of tables, whose arguments may be tables
        "select a from t lateral view f(m) x as k, v",  # a column, or a table
        "select a from (map a using 'cat' as b from t) q",  # no table `map`
        "from (reduce a using 'cat' as b from t) q select b",
        "with recursive r as (select 1) select * from r",
        "with r as (select 1) select * from R",  # the same name in one engine, not in another
        "select a from",
        "select a from t where (b",
        "select a from t)",
        "select a from ,",
        "select 'a\\'b' from t",  # ends otherwise in Hive than in Flink
        "select a from `t",
        "select a from x.y.z.w",
        "t",
        "",
    ],
)
def test_a_text_that_is_not_followed_to_the_end_is_left_alone(sql: str) -> None:
    assert qualify(sql, WITHIN) is None


def test_a_quote_in_a_level_is_doubled() -> None:
    assert qualify("select 1 from t", ("a`b",)) == "select 1 from `a``b`.t"


def test_tables_are_named_in_parts() -> None:
    assert tables("select 1 from a . `b``c`, d") == (("a", "b`c"), ("d",))
    assert tables("select 1 from f(x)") is None


def test_names_get_the_levels_that_are_wanted_and_keep_their_ends() -> None:
    sql = "select t.a from t join b.t as x on t.a = x.a"
    longer = {("t",): ("a b", "t"), ("b", "t"): ("c", "b", "t")}
    assert lengthened(sql, longer) == "select t.a from `a b`.t join `c`.b.t as x on t.a = x.a"
    assert lengthened(sql, {("t",): ("b", "u")}) is None, "columns are qualified by its end"
    assert lengthened(sql, {("u",): ("b", "u")}) is None, "no such name is in it"
    assert lengthened("select 1 from f(x)", {}) is None


def test_a_comment_that_does_not_end_is_looked_at_once() -> None:
    begun = time.process_time()
    assert tables("SELECT a FROM t " + "/*+" * 60_000) is None
    assert time.process_time() - begun < 5, "it took minutes, of a megabyte an hour"
