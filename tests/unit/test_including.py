"""Patterns of include that match nothing are told, with what may have been meant."""

from pathlib import Path
from typing import Any

import pytest

from connectors.archive import Options
from connectors.registry import Connector
from discovery.patterns import find_unmatched
from jobs.crawling import tables as rows
from jobs.crawling.including import empty_patterns
from jobs.warehouse.warehouse import Warehouse

NAMESPACES = ["sales", "sales.eu", "shop"]
OBJECTS = ["sales.v_one", "shop.Orders"]


@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        (["sales"], {}),
        (["SALES*"], {}),
        (["sales.eu.*"], {}),
        (["nosuchdb"], {"nosuchdb": None}),
        (["shopp"], {"shopp": "shop"}),
        (["sals.*", "shop"], {"sals.*": "sales"}),
        (["sales.v_*"], {}),
        (["shop.orders"], {}),
        (["shop.w_*"], {"shop.w_*": None}),
        ([], {}),
    ],
)
def test_a_pattern_that_stands_for_nothing_is_found(
    patterns: list[str], found: dict[str, str | None]
) -> None:
    assert find_unmatched(patterns, NAMESPACES, lambda: OBJECTS) == found


def test_names_of_objects_are_read_only_for_patterns_of_objects() -> None:
    def fail() -> list[str]:
        raise AssertionError("they are not needed")

    assert find_unmatched(["sales", "gone.*"], NAMESPACES, fail) == {"gone.*": None}


def row(source: str, namespace: str, name: str, **more: Any) -> tuple[Any, ...]:
    said = {"source": source, "entity": "object", "namespace": [namespace], "name": name, **more}
    return tuple(said.get(column) for column in rows.OBJECTS.names)


def test_each_source_is_told_of_its_own_patterns(tmp_path: Path) -> None:
    warehouse = Warehouse(str(tmp_path))
    warehouse.begin(rows.STAGE, "r")
    warehouse.note(
        rows.OBJECTS,
        "r",
        row("a", "sales", "v"),
        row("b", "shop", "w"),
        row("c", "", "", entity="source", stage="list"),
    )
    include = {"a": ("sales", "nosuchdb"), "b": ("shop.x*", "sales"), "c": ("gone",), "d": ()}
    sources = {
        name: Connector("archive", Options(path="p", include=one)) for name, one in include.items()
    }
    assert list(empty_patterns(warehouse, "r", sources)) == [
        "a: include 'nosuchdb' matches nothing that is listed",
        "b: include 'sales' matches nothing that is listed",
        "b: include 'shop.x*' matches nothing that is listed",
    ]
