from dataclasses import replace

import pytest

from discovery.migration.changes import decide, fingerprint, settled
from discovery.model import Audit, Column, Identifier, Primitive, Representation, View
from discovery.ports import Action, Applied, Change

SPARK = Representation(dialect="spark", sql="SELECT id FROM t")
TRINO = Representation(dialect="trino", sql="SELECT id FROM t")
VIEW = View(
    identifier=Identifier(("db",), "v"),
    columns=(Column("id", Primitive("integer")),),
    representations=(SPARK,),
)
OTHER = replace(VIEW, comment="other")


def test_what_is_not_there_is_created_and_what_is_equal_is_kept() -> None:
    assert decide(VIEW, None).action is Action.CREATE
    assert decide(VIEW, replace(VIEW, audit=Audit(creator="somebody"))).action is Action.KEEP


def test_a_difference_is_replaced_and_named() -> None:
    decision = decide(VIEW, OTHER)
    assert (decision.action, decision.reason) == (Action.REPLACE, "differs in comment")


def test_a_dialect_that_only_the_target_has_stays() -> None:
    decision = decide(VIEW, replace(VIEW, representations=(TRINO, SPARK)))
    assert decision.action is Action.KEEP
    decision = decide(VIEW, replace(VIEW, representations=(TRINO,)))
    assert (decision.action, decision.reason) == (Action.ADD_DIALECT, "adds spark")
    assert decision.view.representations == (TRINO, SPARK)
    changed = replace(SPARK, sql="SELECT 2")
    decision = decide(VIEW, replace(VIEW, representations=(changed, TRINO)))
    assert (decision.action, decision.view.representations) == (Action.REPLACE, (SPARK, TRINO))


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


def code(answer: Applied | None) -> str | None:
    return answer.failure[0] if answer is not None and answer.failure else None


def test_a_write_goes_on_only_from_what_the_plan_saw() -> None:
    create, replacing = change(Action.CREATE), change(Action.REPLACE, VIEW, OTHER)
    assert settled(create, None) is None
    assert settled(replacing, OTHER) is None
    assert code(settled(create, OTHER)) == "MOVED"
    assert code(settled(replacing, None)) == "MOVED"
    assert code(settled(replacing, replace(VIEW, comment="third"))) == "MOVED"


def test_what_is_done_already_is_kept() -> None:
    kept = Applied(VIEW.identifier, Action.KEEP)
    assert settled(change(Action.CREATE), VIEW) == kept
    assert settled(change(Action.REPLACE, VIEW, OTHER), VIEW) == kept
    assert settled(change(Action.DROP, VIEW, VIEW), None) == kept
    rename = replace(change(Action.RENAME, VIEW, VIEW), new_name="w")
    assert settled(rename, None, VIEW) == kept


def test_a_drop_and_a_rename_need_the_view_as_it_was() -> None:
    assert settled(change(Action.DROP, VIEW, VIEW), VIEW) is None
    assert code(settled(change(Action.DROP, VIEW, VIEW), OTHER)) == "MOVED"
    rename = replace(change(Action.RENAME, VIEW, VIEW), new_name="w")
    assert settled(rename, VIEW) is None
    assert code(settled(rename, VIEW, OTHER)) == "COLLISION"
