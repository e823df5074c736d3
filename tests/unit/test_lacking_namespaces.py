"""Which namespaces a target gets, and which it cannot."""

from hypothesis import given
from hypothesis import strategies as st

from discovery.migration.namespaces import lacking_namespaces, leave_barred
from discovery.model import Schema
from discovery.namespaces import Levels, with_parents

LEVELS = st.lists(st.sampled_from("xyz"), min_size=1, max_size=3).map(tuple)
SPACES = st.frozensets(LEVELS, max_size=6)
WHY = "not ours to make"


def places(schemas: tuple[Schema, ...]) -> list[Levels]:
    return [schema.levels for schema in schemas]


def test_what_is_made_for_those_below_it_has_the_owner_of_the_first() -> None:
    stated: dict[Levels, Schema] = {("x", "y"): Schema(levels=("x", "y"), owner="ann", comment="c")}
    added = lacking_namespaces([("x", "z"), ("x", "y")], [], stated)
    assert places(added) == [("x",), ("x", "y"), ("x", "z")]
    assert [(schema.owner, schema.comment) for schema in added] == [
        ("ann", None),
        ("ann", "c"),
        (None, None),
    ]


def test_a_place_below_two_parents_that_may_not_be_made_is_refused_once() -> None:
    lacking = [("x", "y", "z")]
    added = lacking_namespaces(lacking, [], {})
    made, refused = leave_barred(added, lacking, [(("x",), "first"), (("x", "y"), "second")])
    assert (made, refused) == ((), [(("x", "y", "z"), "first")])


@given(SPACES, SPACES)
def test_exactly_what_is_wanted_is_there_in_the_end(
    wanted: frozenset[Levels], held: frozenset[Levels]
) -> None:
    there = frozenset(with_parents(held))
    added = places(lacking_namespaces(wanted, there, {}))
    assert added == sorted(set(added)), "parents first, each once"
    assert there | set(added) == there | set(with_parents(wanted))
    assert not there & set(added)


@given(SPACES, SPACES)
def test_every_wanted_place_is_made_or_refused(
    wanted: frozenset[Levels], barred: frozenset[Levels]
) -> None:
    added = lacking_namespaces(wanted, [], {})
    made, refused = leave_barred(added, wanted, [(levels, WHY) for levels in sorted(barred)])
    kept = set(places(made))
    assert kept & wanted == wanted - {levels for levels, _ in refused}
    assert not {levels for levels, _ in refused} & kept
    assert all(any(levels[: len(above)] == above for levels in wanted & kept) for above in kept)
