"""Where a name has to lead after a move: the image of its place, as the view's engine calls it."""

from dataclasses import replace

import pytest

from discovery.migration.closure import Closed, Closure
from discovery.migration.mapping import Rule
from discovery.migration.wanted import Address, Move, NameRead
from discovery.model import Identifier, Representation, View
from tests.statements import READER

SUFFIXED = Rule(source="a", target="t", name="{name}_v")
BELOW = Rule(source="a", target="t", namespace=("bronze", "*"), name="{name}_v")
ELSEWHERE = Rule(source="b", target="u", catalogs=(("hive", "lake"), ("glue", "sea")))
BASE = Identifier(("rel",), "base")


def close(sql: str, *reads: NameRead, rule: Rule = SUFFIXED, dialect: str = "trino") -> Closed:
    text = Representation(dialect=dialect, sql=sql, default_catalog="hive", default_schema="rel")
    view = View(identifier=Identifier(("rel",), "top"), columns=(), representations=(text,))
    moved = rule.at_target(view)
    assert moved is not None
    return Closure.of([rule, ELSEWHERE]).close(moved, rule, reads, READER)


def read(
    name: str,
    to: Address,
    *,
    catalog: str | None = "hive",
    dialect: str = "trino",
    identifier: Identifier = BASE,
) -> NameRead:
    """A name that leads to `rel.base`, which moves."""
    return NameRead(
        dialect=dialect,
        written=tuple(name.split(".")),
        catalog=catalog,
        identifier=identifier,
        move=Move(BASE, to),
    )


def at_target(rule: Rule) -> Address:
    return Address("t", rule.image_of(BASE))


def sql_of(closed: Closed, *levels: str) -> str | None:
    if closed.draft is None:
        return None
    return closed.draft.model.view(levels or ("rel",)).representations[0].sql


@pytest.mark.parametrize(
    ("written", "spelled"),
    [("base", "base_v"), ("rel.base", "rel.base_v"), ("hive.rel.base", "hive.rel.base_v")],
)
def test_a_name_keeps_as_many_parts_as_it_had(written: str, spelled: str) -> None:
    closed = close(f"SELECT 1 FROM {written}", read(written, at_target(SUFFIXED)))
    assert sql_of(closed) == f"SELECT 1 FROM {spelled}"


def test_a_name_of_two_levels_needs_its_catalog() -> None:
    name = read("rel.base", at_target(BELOW), dialect="spark")
    closed = close("SELECT 1 FROM rel.base", name, rule=BELOW, dialect="spark")
    assert sql_of(closed, "bronze", "rel") == "SELECT 1 FROM hive.bronze.rel.base_v"


@pytest.mark.parametrize(
    ("levels", "spelled"),
    [
        (("bronze", "rel"), 'SELECT 1 FROM hive."bronze.rel".base'),
        (("x.y",), 'SELECT 1 FROM hive."x.y".base'),
        (("x.y", "rel"), None),
        (("x.y", "rel", "deep"), None),
    ],
)
def test_levels_that_one_quoted_name_cannot_keep_apart_are_not_spelled(
    levels: tuple[str, ...], spelled: str | None
) -> None:
    name = read("hive.rel.base", Address("t", Identifier(levels, "base")))
    closed = close("SELECT 1 FROM hive.rel.base", name)
    assert closed.unsafe is not None
    assert sql_of(closed) == spelled


@pytest.mark.parametrize(
    ("written", "catalog", "image"),
    [
        ("hive.rel.base", "hive", "lake.rel.base"),
        ("glue.rel.base", "glue", "sea.rel.base"),
        ("pg.rel.base", "pg", None),  # leads there as it is: nobody calls it otherwise
        ("rel.base", None, "what has no name there"),
    ],
)
def test_what_moves_to_another_target_is_called_as_its_rules_say(
    written: str, catalog: str | None, image: str | None
) -> None:
    name = read(written, Address("u", BASE), catalog=catalog)
    unsafe = close(f"SELECT 1 FROM {written}", name).unsafe
    if image is None:
        assert unsafe is None
    else:
        assert unsafe is not None
        assert unsafe.reason.startswith(f"trino: {written} is {image}, and would lead to ")


def test_what_moves_to_a_target_that_names_no_catalog_has_no_name_there() -> None:
    name = read("hive.rel.base", Address("w", BASE))
    unsafe = close("SELECT 1 FROM hive.rel.base", name).unsafe
    assert unsafe is not None
    assert "is what has no name there" in unsafe.reason


@pytest.mark.parametrize(
    ("identifier", "target", "same"),
    [
        (Identifier(("rel",), "Base"), Identifier(("REL",), "base"), True),
        (Identifier(("rel",), "Base"), Identifier(("other",), "base"), False),
        (BASE, Identifier(("REL",), "base"), False),
    ],
)
def test_case_is_no_difference_where_the_engine_found_the_name_without_it(
    identifier: Identifier, target: Identifier, same: bool
) -> None:
    name = read("rel.base", Address("t", target), identifier=identifier)
    assert (close("SELECT 1 FROM rel.base", name).unsafe is None) == same


def test_a_name_that_trino_spells_in_upper_case_still_leads_to_what_it_calls_in_lower_case() -> (
    None
):
    name = read("REL.Base", Address("t", BASE))
    assert close("SELECT 1 FROM REL.Base", name).unsafe is None


def test_all_names_that_lead_nowhere_are_told() -> None:
    name = read("base", at_target(SUFFIXED))
    lost = [replace(name, written=(one,), identifier=None, move=None) for one in ("y", "x")]
    assert close("SELECT 1 FROM x, y", *lost).losses == (
        "nobody can tell where x, y of its trino text leads",
    )
