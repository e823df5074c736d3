"""What is left until the cut-over, and how it became less."""

from collections.abc import Collection
from datetime import UTC, date, datetime

import pytest

from discovery.functions import Function
from discovery.migration.cutover import PlannedCounts, Remainder, TargetState, burn_down
from discovery.migration.functions import FunctionChange
from discovery.migration.namespaces import FieldEdit, NamespaceEdit
from discovery.ports import Action
from discovery.rights.granting import GivenRights
from jobs.migrating import cutover
from jobs.migrating.plan_folder import Destination, PlanHead


def at(day: int, hour: int) -> datetime:
    return datetime(2026, 11, day, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("state", "ready", "told"),
    [
        (TargetState({"keep": 1200}), True, "1,200 views up to date; nothing is left"),
        (
            TargetState({"keep": 1, "create": 2, "drop": 1, "blocked": 3}),
            False,
            "1 view up to date; 2 to be created, 1 to be dropped, 3 blocked",
        ),
        (TargetState({"conflict": 1}), False, "0 views up to date; 1 in conflict"),
        (
            TargetState({"keep": 1}, namespaces=2),
            False,
            "1 view up to date; 2 namespaces missing or different",
        ),
        (
            TargetState({"keep": 1}, functions=1, rights=3),
            False,
            "1 view up to date; 1 function missing, 3 rights not given",
        ),
        (
            TargetState({"keep": 0}, staying=2),
            True,
            "0 views up to date; 2 stay where they are; nothing is left",
        ),
        (
            TargetState({"keep": 1}, unchangeable=2),
            True,
            "1 view up to date; 2 namespaces differ in what it cannot change; nothing is left",
        ),
        (
            TargetState({"keep": 4, "blocked": 0}),
            True,
            "4 views up to date; nothing is left",
        ),
    ],
)
def test_a_target_is_ready_if_nothing_is_left(state: TargetState, ready: bool, told: str) -> None:
    assert state.is_ready is ready
    assert str(state) == told


def test_what_views_need_and_lack_is_left_and_what_stays_is_not_there() -> None:
    function = Function(("s",), "f", language="JAVA", implementation="example.F")
    made, kept = (
        FunctionChange("t", action, function, (("lake", "s.f"),))
        for action in (Action.CREATE, Action.KEEP)
    )
    comment = FieldEdit(None, None, "sales")
    edits = (
        NamespaceEdit("t", ("a",), (comment,), ("property k",)),
        NamespaceEdit("t", ("b",), (), ("comment",)),
    )
    targets = {
        "t": Destination("hms", "", True, counts={"keep": 2}, functions=(made, kept), edits=edits),
        "u": Destination("gravitino-rest", "", True, rights=GivenRights(blocked=1)),
        "v": Destination("", "read-only", True, counts={"keep": 3}),
    }
    head = PlanHead("p", "run", "", "", "", "", targets)
    assert cutover.states(head, {}) == {
        "t": TargetState({"keep": 2}, functions=1, namespaces=1, unchangeable=1),
        "u": TargetState({}, rights=1),
        "v": TargetState({"keep": 0}, staying=3),
    }


PLANS = [
    PlannedCounts("c", at(2, 8), {"t": {"keep": 7, "replace": 1}}),
    PlannedCounts("b", at(1, 23), {"t": {"keep": 3, "create": 5}, "u": {"keep": 1}}),
    PlannedCounts("a", at(1, 5), {"t": {"create": 8}}),
]


def test_the_last_plan_of_a_day_says_what_was_left() -> None:
    assert burn_down(PLANS, 14, lambda _: {}) == [
        Remainder(date(2026, 11, 1), "t", 3, 5),
        Remainder(date(2026, 11, 1), "u", 1, 0),
        Remainder(date(2026, 11, 2), "t", 7, 1),
    ]


def test_what_was_written_of_a_plan_is_left_no_more() -> None:
    def written(plans: Collection[str]) -> dict[tuple[str, str], dict[str, int]]:
        assert plans == {"b", "c"}, "the others are not looked at"
        return {("b", "t"): {"create": 4, "drop": 1}, ("c", "t"): {"replace": 1}}

    assert burn_down(PLANS, 14, written) == [
        Remainder(date(2026, 11, 1), "t", 7, 1),
        Remainder(date(2026, 11, 1), "u", 1, 0),
        Remainder(date(2026, 11, 2), "t", 8, 0),
    ]


def test_only_the_last_days_are_told() -> None:
    assert [remainder.day for remainder in burn_down(PLANS, 1, lambda _: {})] == [date(2026, 11, 2)]


def test_what_was_dropped_is_not_there() -> None:
    state = TargetState({"keep": 2, "create": 1, "drop": 2, "blocked": 1})
    after = state.after({"create": 1, "drop": 2})
    assert (after.there, after.left) == (3, 1)
