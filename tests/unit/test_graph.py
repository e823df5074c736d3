"""The numbers that stand for objects while waves are computed."""

import pyarrow as pa
import pytest

from jobs.assessing.graph import Graph, joined, sorted_names


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
    graph = Graph(sorted_names(names, joined(_table(), ("source", "key"))), len(keys))
    numbers = graph.numbers(names)
    assert [graph.key(one) for one in numbers] == keys
    ordered = sorted({*numbers}, key=str)
    assert [graph.key(one) for one in ordered] == sorted({*keys}, key="\0".join)


def test_no_rows_at_all_have_no_names() -> None:
    nothing = joined(pa.Table.from_batches([], _table().schema), ("source", "key"))
    assert len(sorted_names(nothing)) == 0
