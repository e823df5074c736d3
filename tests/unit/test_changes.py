"""What a plan makes of a view and what is there, and when a store may still write it."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.migration.changes import (
    THERE,
    Decision,
    apart,
    decide,
    fingerprint,
    settle,
    touched,
)
from discovery.model import Audit, Column, Identifier, Primitive, Representation, View
from discovery.ports import Action, Applied, Change

SPARK = Representation(dialect="spark", sql="SELECT id FROM t")
TRINO = Representation(dialect="trino", sql="SELECT id FROM t")
HIVE = Representation(dialect="hive", sql="SELECT id FROM t")
VIEW = View(
    identifier=Identifier(("db",), "v"),
    columns=(Column("id", Primitive("integer")),),
    representations=(SPARK,),
)
OTHER = replace(VIEW, comment="other")


@pytest.mark.parametrize(
    ("wanted", "present", "action", "view", "reason"),
    [
        (VIEW, None, Action.CREATE, VIEW, "it is not there yet"),
        (VIEW, replace(VIEW, audit=Audit(creator="x")), Action.KEEP, VIEW, THERE),
        (VIEW, OTHER, Action.REPLACE, VIEW, "differs in comment"),
        (
            replace(VIEW, properties=(("k", "v"),)),
            OTHER,
            Action.REPLACE,
            replace(VIEW, properties=(("k", "v"),)),
            "differs in comment, properties",
        ),
        (
            replace(VIEW, representations=(SPARK, HIVE)),
            replace(VIEW, representations=(TRINO,)),
            Action.ADD_DIALECT,
            replace(VIEW, representations=(TRINO, SPARK, HIVE)),
            "adds hive, spark",
        ),
        (
            VIEW,
            replace(VIEW, columns=(), representations=(TRINO, HIVE)),
            Action.CONFLICT,
            VIEW,
            "it is there in trino, hive, and one has 1 columns, the other 0",
        ),
    ],
)
def test_a_decision_has_an_action_the_view_afterwards_and_a_reason(
    wanted: View, present: View | None, action: Action, view: View, reason: str
) -> None:
    assert decide(wanted, present) == Decision(action, view, reason)


def test_a_dialect_that_only_the_target_has_stays() -> None:
    decision = decide(VIEW, replace(VIEW, representations=(TRINO, SPARK)))
    assert decision.action is Action.KEEP
    decision = decide(VIEW, replace(VIEW, representations=(TRINO,)))
    assert (decision.action, decision.reason) == (Action.ADD_DIALECT, "adds spark")
    assert decision.view.representations == (TRINO, SPARK)
    changed = replace(SPARK, sql="SELECT 2")
    decision = decide(VIEW, replace(VIEW, representations=(changed, TRINO)))
    assert (decision.action, decision.view.representations) == (Action.REPLACE, (SPARK, TRINO))


SPARK_2 = replace(SPARK, sql="SELECT 2")


@pytest.mark.parametrize(
    ("wanted", "present", "action", "after"),
    [
        ((SPARK,), (HIVE,), Action.REPLACE, (SPARK,)),  # made anew by another engine
        ((SPARK,), (HIVE, SPARK_2), Action.REPLACE, (SPARK,)),
        ((SPARK, TRINO), (HIVE, SPARK_2, TRINO), Action.REPLACE, (SPARK, TRINO)),
        ((SPARK,), (HIVE, SPARK), Action.KEEP, (HIVE, SPARK)),  # such as a draft that was adopted
        ((SPARK, TRINO), (HIVE, SPARK), Action.ADD_DIALECT, (HIVE, SPARK, TRINO)),
    ],
)
def test_our_texts_go_with_the_text_that_they_were_written_beside(
    wanted: tuple[Representation, ...],
    present: tuple[Representation, ...],
    action: Action,
    after: tuple[Representation, ...],
) -> None:
    view = replace(VIEW, representations=present)
    decision = decide(replace(VIEW, representations=wanted), view, ours=True)
    assert (decision.action, decision.view.representations) == (action, after)
    others = decide(replace(VIEW, representations=wanted), view)
    kept = [representation for representation in present if representation.dialect == "hive"]
    assert [
        representation
        for representation in others.view.representations
        if representation.dialect == "hive"
    ] == kept


def test_our_texts_are_no_reason_against_other_columns() -> None:
    view = replace(VIEW, columns=(), representations=(HIVE,))
    decision = decide(VIEW, view, ours=True)
    assert (decision.action, decision.view) == (Action.REPLACE, VIEW)
    assert decision.reason == "differs in columns, representations.hive, representations.spark"


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ((), "one has 1 columns, the other 0"),
        ((Column("id", Primitive("long")),), 'column 1 is id "integer" in one and id "long" in'),
        ((Column("ID", Primitive("integer")),), 'column 1 is id "integer" in one and ID "int'),
    ],
)
def test_a_foreign_dialect_with_other_columns_is_a_conflict(
    columns: tuple[Column, ...], told: str
) -> None:
    decision = decide(VIEW, replace(VIEW, columns=columns, representations=(TRINO,)))
    assert decision.action is Action.CONFLICT
    assert f"it is there in trino, and {told}" in decision.reason


def change(action: Action, view: View = VIEW, expected: View | None = None) -> Change:
    return Change(action, view, fingerprint(view) or "", fingerprint(expected))


RENAME = replace(change(Action.RENAME, VIEW, VIEW), new_name="w")
GONE = "view db.v: it is gone from the target since the plan was made"
CHANGED = "view db.v: it has changed at the target since the plan was made"


def test_a_write_goes_on_from_what_the_plan_saw() -> None:
    assert settle(change(Action.CREATE), None) is None
    assert settle(change(Action.REPLACE, VIEW, OTHER), OTHER) is None
    assert settle(change(Action.DROP, VIEW, VIEW), VIEW) is None
    assert settle(RENAME, VIEW) is None


@pytest.mark.parametrize(
    ("planned", "there", "at_new_name", "code", "message"),
    [
        (change(Action.CREATE), OTHER, None, "MOVED", CHANGED),
        (change(Action.REPLACE, VIEW, OTHER), None, None, "MOVED", GONE),
        (change(Action.REPLACE, VIEW, OTHER), replace(VIEW, comment="x"), None, "MOVED", CHANGED),
        (change(Action.DROP, VIEW, VIEW), OTHER, None, "MOVED", CHANGED),
        (RENAME, OTHER, None, "MOVED", CHANGED),
        (RENAME, None, None, "MOVED", GONE),
        (RENAME, VIEW, OTHER, "COLLISION", "view db.v: the target has a view w already"),
    ],
)
def test_what_the_plan_did_not_see_is_not_overwritten(
    planned: Change, there: View | None, at_new_name: View | None, code: str, message: str
) -> None:
    answer = settle(planned, there, at_new_name)
    assert answer is not None
    assert (answer.identifier, answer.action) == (VIEW.identifier, Action.FAILED)
    assert answer.failure is not None
    assert answer.failure[:2] == (code, message)


@pytest.mark.parametrize(
    ("planned", "there", "at_new_name"),
    [
        (change(Action.CREATE), VIEW, None),
        (change(Action.REPLACE, VIEW, OTHER), VIEW, None),
        (change(Action.DROP, VIEW, VIEW), None, None),
        (RENAME, None, VIEW),
    ],
)
def test_what_is_done_already_is_kept(
    planned: Change, there: View | None, at_new_name: View | None
) -> None:
    assert settle(planned, there, at_new_name) == Applied(VIEW.identifier, Action.KEEP)


def named(name: str, new_name: str = "") -> Change:
    view = replace(VIEW, identifier=Identifier(("db",), name))
    return Change(Action.RENAME if new_name else Action.CREATE, view, "", new_name=new_name)


@pytest.mark.parametrize(
    ("changes", "runs"),
    [
        ("", []),
        ("a b c", ["a b c"]),
        ("a a b", ["a", "a b"]),
        ("a b>c c", ["a b>c", "c"]),
        ("a>b c b a d", ["a>b c", "b a d"]),
        ("a b a a", ["a b", "a", "a"]),
    ],
)
def test_changes_are_cut_where_one_touches_what_another_has_touched(
    changes: str, runs: list[str]
) -> None:
    parts = [named(*part.split(">")) for part in changes.split()]
    wanted = [[named(*part.split(">")) for part in run.split()] for run in runs]
    assert list(apart(parts)) == wanted


NAMES = st.sampled_from(["a", "b", "c", "d", "e"])


@given(st.lists(st.builds(named, NAMES, st.just("") | NAMES)))
def test_no_run_of_changes_touches_a_place_twice_and_none_is_lost(
    changes: Sequence[Change],
) -> None:
    runs = list(apart(changes))
    assert [each for run in runs for each in run] == changes
    for run in runs:
        places = [touched(each) for each in run]
        for position, mine in enumerate(places):
            assert not any(set(mine) & set(others) for others in places[:position])
    for run, following in itertools.pairwise(runs):
        assert set(touched(following[0])) & {place for each in run for place in touched(each)}
