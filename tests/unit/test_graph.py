"""What stands on what, as one executor is told it: numbers for names, waves, what blocks whom."""

import pyarrow as pa
import pytest

from discovery.lineage.blockers import HEARD, REJECTED, UNPROVEN
from jobs.assessing.workers.graph import (
    COMPILED,
    LINKS,
    MISSING,
    TAKEN,
    UNREAD,
    UNRESOLVED,
    Graph,
    joined,
    order_views,
    sorted_names,
    stack_views,
)


def _table(*keys: tuple[str, str]) -> pa.Table:
    rows = [{"source": source, "key": key} for source, key in keys]
    fields = [("source", pa.string()), ("key", pa.string())]
    return pa.Table.from_pylist(rows, pa.schema(fields))


@pytest.mark.parametrize(
    "keys",
    [
        [("b", "x"), ("a", "y"), ("a", "x"), ("b", "x")],
        [("a", "\0"), ("a", ""), ("a", "\0\0b"), ("ä", "ü\ud7ff")],
        [],
    ],
)
def test_each_object_has_one_number_in_the_order_of_names(keys: list[tuple[str, str]]) -> None:
    names = joined(_table(*keys), ("source", "key"))
    graph = Graph(sorted_names(names, joined(_table(), ("source", "key"))))
    numbers = graph.numbers(names)
    assert [graph.key(number) for number in numbers] == keys
    ordered = sorted({*numbers}, key=str)
    assert [graph.key(one) for one in ordered] == sorted({*keys}, key="\0".join)


def test_no_rows_at_all_have_no_names() -> None:
    nothing = joined(pa.Table.from_batches([], _table().schema), ("source", "key"))
    assert len(sorted_names(nothing)) == 0


def links(*rows: tuple[str, str | None, str | None, str]) -> pa.Table:
    """Views of a source `s`: key, source and key of the base, and the kind of link."""
    return pa.Table.from_pylist(
        [
            {"source": "s", "key": key, "base_source": source, "base_key": base, "link": link}
            for key, source, base, link in rows
        ],
        LINKS,
    )


ESTATE = links(
    ("low", "t", "table", UNREAD),
    ("mid", "s", "base", "view"),
    ("mid", "s", "base", "view"),  # by each of two texts
    ("top", "s", "mid", "view"),
    ("lost", "s", "gone", MISSING),
    ("over", "s", "lost", "view"),
    ("odd", None, None, UNRESOLVED),
    ("base", "trino", None, REJECTED),
)


def test_a_view_comes_in_the_wave_behind_what_it_reads_or_is_set_aside() -> None:
    placed = {(source, key): rest for source, key, *rest in Graph.of(ESTATE).placed()}
    assert placed == {
        ("s", "base"): [1, None, None],
        ("s", "mid"): [2, None, None],
        ("s", "top"): [3, None, None],
        ("s", "lost"): [None, "MISSING_BASE", ["s/gone"]],
        ("s", "over"): [None, "BROKEN_BASE", ["s/lost"]],
        ("s", "odd"): [None, "UNRESOLVED", []],
        ("t", "table"): [None, "UNRESOLVED", []],
        ("s", "low"): [None, "BROKEN_BASE", ["t/table"]],
    }


def test_what_stands_on_what_an_engine_rejects_is_blocked_for_that_engine() -> None:
    blocked = {*Graph.of(ESTATE).on_bases(["trino", "spark"], [])}
    assert {one for one in blocked if one[1] in {"mid", "top", "base"}} == {
        ("s", "mid", "trino", "s/base", None),
        ("s", "top", "trino", "s/mid", None),
    }
    assert {one[1:] for one in blocked if one[1] == "over"} == {
        ("over", "trino", "BROKEN_BASE", None),
        ("over", "spark", "BROKEN_BASE", None),
    }


def test_what_is_taken_into_a_view_blocks_it_for_no_engine_that_does_so() -> None:
    taken = links(("mid", "s", "base", TAKEN), ("top", "s", "mid", TAKEN))
    graph = Graph.of(pa.concat_tables([ESTATE, taken]))
    of_base = {one for one in graph.on_bases(["trino"], ["trino"]) if one[1] in {"mid", "top"}}
    assert not of_base
    assert ("s", "mid", "trino", "s/base", None) in {*graph.on_bases(["trino"], [])}


def test_what_hive_has_analyzed_with_the_texts_below_is_blocked_by_none_of_them() -> None:
    compiled = links(("mid", "s", "base", COMPILED), ("beside", "s", "base", COMPILED))
    said = [("base", "hive", None, REJECTED), ("beside", "hive", None, UNPROVEN)]
    reads = links(*said, ("beside", "s", "base", "view"), ("sparks", "s", "base", "view"))
    graph = Graph.of(pa.concat_tables([ESTATE, compiled, reads]))
    of_base = {one[1:] for one in graph.on_bases(["hive"], [], ["hive"])}
    assert {one for one in of_base if one[2] == "s/base"} == {
        ("beside", "hive", "s/base", None),  # parsed alone: Hive was told no text of what is below
        ("sparks", "hive", "s/base", None),  # means what the view below declares, to Spark
    }
    assert ("mid", "hive", "s/base", None) in {one[1:] for one in graph.on_bases(["hive"], [])}


def test_what_stands_on_what_an_engine_is_not_proved_to_read_names_it_unless_it_was_heard() -> None:
    said = links(("base", "spark", None, UNPROVEN), ("mid", "flink", None, HEARD))
    graph = Graph.of(pa.concat_tables([ESTATE, said, links(("base", "flink", None, REJECTED))]))
    engines = ["trino", "spark", "flink"]
    near = {one for one in graph.on_bases(engines, []) if one[1] in {"mid", "top", "base"}}
    assert near == {
        ("s", "mid", "trino", "s/base", None),
        ("s", "top", "trino", "s/mid", None),
        ("s", "mid", "spark", None, "s/base"),
        ("s", "top", "spark", None, "s/mid"),
    }


def test_views_are_stacked_within_their_source() -> None:
    edges = pa.table({"source": ["s", "s", "t"], "key": ["a", "b", "b"], "base": ["b", "c", "a"]})
    rows = [row for view in stack_views(edges.to_batches()) for row in view.to_pylist()]
    assert {tuple(row.values()) for row in rows} == {
        *(("s", "a", "b"), ("s", "a", "c"), ("s", "b", "c"), ("t", "b", "a"))
    }


def test_an_executor_gets_the_links_in_any_number_of_batches() -> None:
    whole = [batch.to_pylist() for batch in order_views(ESTATE.to_batches())]
    cut = [batch.to_pylist() for batch in order_views(ESTATE.to_batches(max_chunksize=2))]
    assert cut == whole
    assert not [row for batch in order_views([]) for row in batch.to_pylist()]
