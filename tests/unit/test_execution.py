"""Executions of a plan: what is decided of each change, wherever apply or undo was killed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from connectors.memory import MemoryStore
from discovery.migration.changes import fingerprint
from discovery.migration.execution import (
    Execution,
    FoundState,
    History,
    Intent,
    Prepared,
    Undoing,
    Wrote,
    behind,
    is_made_by_others,
    left_whole,
    made_by,
)
from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.ports import Action, Change

START: Final = datetime(2026, 11, 21, tzinfo=UTC)


def execution(run: str, plan: str = "p", *, ended: bool = True) -> Execution:
    """An execution; those named later began later."""
    started = START + timedelta(hours=int(run[1:]))
    return Execution(run=run, plan=plan, started=started, finished=started if ended else None)


@pytest.mark.parametrize(
    ("intent", "inverse"),
    [
        (Intent(Action.CREATE, "w", None), Intent(Action.DROP, None, "w")),
        (Intent(Action.REPLACE, "w", "e"), Intent(Action.REPLACE, "e", "w")),
        (Intent(Action.DROP, None, "e"), Intent(Action.CREATE, "e", None)),
    ],
)
def test_what_takes_a_change_back_is_taken_back_by_the_change(
    intent: Intent, inverse: Intent
) -> None:
    assert intent.inverse() == inverse
    assert inverse.inverse() == intent


def test_a_drop_wants_nothing_there_whatever_view_its_fingerprint_is_of() -> None:
    assert Intent.of("drop", "e", "e") == Intent(Action.DROP, None, "e")
    assert Intent.of("add-dialect", "w", "e").inverse().action is Action.REPLACE


@pytest.mark.parametrize(
    ("present", "found"),
    [
        ("w", FoundState.WRITTEN),
        ("e", FoundState.UNWRITTEN),
        (None, FoundState.OTHER),
        ("x", FoundState.OTHER),
    ],
)
def test_a_target_says_what_became_of_a_change(present: str | None, found: FoundState) -> None:
    assert Intent(Action.REPLACE, "w", "e").state_of(present) is found


def test_an_execution_goes_on_until_it_ends_or_is_taken_back() -> None:
    cut = execution("r2", ended=False)
    history = History((execution("r1"), cut, execution("r3", "q", ended=False)))
    assert history.to_continue("p") == cut
    assert history.to_continue("none") is None
    undone = replace(history, undoings=(Undoing(plan="undo-r2", undoes="r2"),))
    assert undone.to_continue("p") is None, "an undo ends the run that it undoes"
    assert History((cut, execution("r3"))).to_continue("p") is None, "a later one has ended"


def test_what_is_half_taken_back_is_finished_first() -> None:
    begun = History((execution("r1"),), (Undoing(plan="u", undoes="r1"),))
    assert begun.to_finish("p") == ("r1",), "it was killed before its execution began"
    cut = replace(begun, executions=(execution("r1"), execution("r2", "u", ended=False)))
    assert cut.to_finish("p") == ("r1",)
    done = replace(begun, executions=(execution("r1"), execution("r2", "u")))
    assert done.to_finish("p") == done.to_finish("u") == ()
    assert done.undoing_runs == {"r2"}, "what it wrote had stood there before"
    redone = replace(done, undoings=(*done.undoings, Undoing(plan="uu", undoes="r2")))
    assert redone.to_finish("p") == ("r2",), "an undo that is half taken back, too"
    assert {done.origin("r1"), done.origin("r2")} == {"p"}


def test_beside_an_execution_stand_those_that_nobody_takes_back() -> None:
    history = History((execution("r1"), execution("r2"), execution("r3"), execution("r4", "q")))
    assert history.beside("r2") == ("r1", "r3")
    taken = replace(history, undoings=(Undoing(plan="u", undoes="r3"),))
    assert taken.beside("r2") == ("r1",)


def test_what_nobody_takes_back_stands_and_so_does_what_took_something_back() -> None:
    runs = (execution("r1"), execution("r2", ended=False), execution("r3", "u"))
    history = History(runs, (Undoing(plan="u", undoes="r1"),))
    assert {one.run for one in history.standing()} == {"r2", "r3"}


def test_all_that_is_left_is_taken_back_the_latest_first() -> None:
    runs = (execution("r1"), execution("r2", "q", ended=False), execution("r3", "gone"))
    begun = History(runs, (Undoing(plan="u", undoes="r3"),))
    assert begun.to_take_back() == ("r3", "r2", "r1"), "an undo that has not ended counts"
    done = replace(begun, executions=(*runs, execution("r4", "u")))
    assert done.to_take_back() == ("r2", "r1")
    assert History(()).to_take_back() == ()


@pytest.mark.parametrize(
    ("writes", "left"),
    [
        ([], None),
        ([(None, "a")], "a"),
        ([(None, "a"), ("a", "b")], "b"),
        ([("x", "a")], None),  # somebody's
        ([(None, "a"), ("x", "b")], None),  # somebody has written between
        ([(None, "a"), ("x", "b"), ("b", "c")], None),
        ([("x", "a"), ("a", None), (None, "b")], "b"),  # dropped, and made anew
        ([(None, "a"), ("a", None)], None),
        ([(None, "a"), (None, "b")], "b"),
    ],
)
def test_a_view_is_ours_that_began_with_nothing_and_that_nobody_else_has_written(
    writes: list[tuple[str | None, str | None]], left: str | None
) -> None:
    assert left_whole(Wrote(*write) for write in writes) == left


@pytest.mark.parametrize(
    ("wanted", "writes", "is_theirs"),
    [
        ("w", [], False),
        ("w", [(None, "w")], True),
        ("w", [(None, "x"), ("x", "w")], True),
        ("w", [(None, "x")], False),
        ("w", [("w", "x"), ("x", "w")], False),  # it stood there before them, and was put back
        (None, [("e", None)], True),
        (None, [(None, "x"), ("x", None)], False),
    ],
)
def test_what_others_have_written_is_theirs_unless_it_stood_there_before_them(
    wanted: str | None, writes: list[tuple[str | None, str | None]], is_theirs: bool
) -> None:
    assert is_made_by_others(wanted, [Wrote(*write) for write in writes]) is is_theirs


def test_a_namespace_is_ours_if_it_was_not_there_and_nobody_was_faster() -> None:
    a, b, c, d = (("a",), ("b",), ("c",), ("d",))
    noted = [
        *(Prepared("1", "t", levels, None) for levels in (a, b, c)),
        Prepared("1", "t", a, made=True),
        Prepared("1", "t", b, made=False),
        Prepared("2", "t", d, None),
        Prepared("2", "t", b, made=False),
    ]
    assert (
        made_by(noted)
        == made_by(reversed(noted))
        == {
            ("t", a, ""),
            ("t", c, ""),
            ("t", d, ""),
        }
    )


class Killed(BaseException):
    """The process is no more."""


def view(name: str, text: str) -> View:
    """A view; what is there before has a namespace of its own."""
    columns = (Column("id", Primitive("integer")),)
    place = Identifier(("old" if name in "abc" else "db",), name)
    text_of = (Representation(dialect="hive", sql=text),)
    return View(identifier=place, columns=columns, representations=text_of)


OLD: Final = tuple(view(name, "old") for name in "ab")
GONE: Final = view("c", "old")
WANTED: Final = (*(view(name, "new") for name in "ab"), view("d", "new"), view("e", "new"))


def changes() -> dict[Identifier, Change]:
    """Two replacements, a drop, two creations."""
    there = {one.identifier: fingerprint(one) for one in OLD}
    planned = []
    for one in WANTED:
        expected = there.get(one.identifier)
        action = Action.REPLACE if expected else Action.CREATE
        planned.append(Change(action, one, fingerprint(one) or "", expected))
    planned.append(Change(Action.DROP, GONE, fingerprint(GONE) or "", fingerprint(GONE)))
    return {change.view.identifier: change for change in planned}


PLANNED: Final = changes()
BEFORE: Final = {one.identifier: one for one in (*OLD, GONE)}
AFTER: Final = {one.identifier: one for one in WANTED}


@dataclass
class Journal:
    """What a warehouse would hold."""

    executions: dict[str, Execution] = field(default_factory=dict)
    undoings: dict[str, Undoing] = field(default_factory=dict)
    events: dict[str, set[Identifier]] = field(default_factory=dict)
    prepared: dict[str, list[Prepared]] = field(default_factory=dict)

    def history(self) -> History:
        return History(tuple(self.executions.values()), tuple(self.undoings.values()))


class Driver:
    """The steps of `jobs/migrating` over a store in memory: any of them may be the last one.

    A wave's events are noted after all of its writes, as a killed Spark job notes none.
    """

    def __init__(self) -> None:
        self.store = MemoryStore(dict(BEFORE))
        self.journal = Journal()
        self.left: int | None = None
        self.names = 0

    def step(self) -> None:
        """Something that lasts is done next; the process may be killed instead."""
        if self.left is not None:
            if self.left == 0:
                raise Killed
            self.left -= 1

    def begin(self, plan: str) -> tuple[str, bool]:
        """A new execution, or one that goes on."""
        latest = self.journal.history().to_continue(plan)
        if latest is not None:
            return latest.run, True
        self.names += 1
        run = f"r{self.names}"
        self.step()
        self.journal.executions[run] = execution(run, plan, ended=False)
        return run, False

    def apply(self) -> int:
        """Apply the plan; how many views it has written."""
        for run in self.journal.history().to_finish("p"):
            self.undo(run)
        run, resumed = self.begin("p")
        if resumed:
            self.find(run, PLANNED)
        self.prepare(run)
        written = self.write(run, PLANNED)
        self.end(run)
        return written

    def undo(self, run: str) -> int:
        """Take an execution back; how many views."""
        self.step()
        self.journal.undoings.setdefault(f"undo-{run}", Undoing(plan=f"undo-{run}", undoes=run))
        mine, resumed = self.begin(f"undo-{run}")
        if not self.journal.history().execution(run).ended:
            self.find(run, PLANNED)
            self.end(run)
        taken = self.journal.events.get(run, set()) - self.elsewhere(mine)
        inverse = {place: inverted(PLANNED[place]) for place in taken}
        if resumed:
            self.find(mine, inverse)
        written = self.write(mine, inverse)
        for _, levels, _ in sorted(made_by(self.journal.prepared.get(run, ()))):
            self.step()
            self.store.remove([levels])
        self.end(mine)
        return written

    def find(self, run: str, intended: dict[Identifier, Change]) -> None:
        """Note what was written and not noted."""
        known = self.journal.events.get(run, set()) | self.elsewhere(run)
        for place, change in intended.items():
            intent = Intent.of(change.action, change.fingerprint, change.expected)
            there = fingerprint(self.store.views.get(place))
            if place not in known and intent.state_of(there) is FoundState.WRITTEN:
                self.step()
                self.journal.events.setdefault(run, set()).add(place)

    def elsewhere(self, run: str) -> set[Identifier]:
        found = (self.journal.events.get(one) for one in self.journal.history().beside(run))
        return {place for one in found if one for place in one}

    def prepare(self, run: str) -> None:
        """Make the namespace."""
        attempt = f"{run}.{self.names}.{len(self.journal.prepared.get(run, ()))}"
        notes = self.journal.prepared.setdefault(run, [])
        lacking = self.store.lacking([("db",)])
        if lacking:
            self.step()
            notes.extend(Prepared(attempt, "t", levels, None) for levels in lacking)
        self.step()
        made = self.store.prepare([Schema(levels=("db",))])
        if lacking:
            self.step()
            notes.extend(Prepared(attempt, "t", levels, levels in made) for levels in lacking)

    def write(self, run: str, intended: dict[Identifier, Change]) -> int:
        """Write in waves of two; how many the execution has written, this attempt or another."""
        for wave in in_waves(list(intended.values())):
            done: set[Identifier] = set()
            for change in wave:
                self.step()
                (answer,) = self.store.apply([change])
                if answer.failure is None and answer.action is not Action.KEEP:
                    done.add(change.view.identifier)
            self.step()
            self.journal.events.setdefault(run, set()).update(done)
        return len(self.journal.events.get(run, set()) & intended.keys())

    def end(self, run: str) -> None:
        self.step()
        one = self.journal.executions[run]
        self.journal.executions[run] = replace(one, finished=one.started)


def inverted(change: Change) -> Change:
    """The change that takes one back, as `undo` makes it of the plan's columns."""
    intent = Intent.of(change.action, change.fingerprint, change.expected).inverse()
    place = change.view.identifier
    wanted = BEFORE[place] if intent.wanted is not None else change.view
    return Change(intent.action, wanted, fingerprint(wanted) or "", intent.expected)


def in_waves(some: list[Change]) -> Iterator[list[Change]]:
    for start in range(0, len(some), 2):
        yield some[start : start + 2]


def killed_at(driver: Driver, step: int, command: Callable[[], object]) -> bool:
    """Run a command that is killed before a step; whether it was."""
    driver.left = step
    try:
        command()
    except Killed:
        return True
    finally:
        driver.left = None
    return False


def points(command: Callable[[Driver], object]) -> Iterator[tuple[int, Driver]]:
    """A driver whose command was killed, for every step of it."""
    for step in range(100):
        driver = Driver()
        if not killed_at(driver, step, partial(command, driver)):
            return
        yield step, driver


def last(driver: Driver) -> str:
    """The latest execution of the plan."""
    return driver.journal.history().of("p")[-1]


def test_an_apply_killed_anywhere_and_applied_again_is_an_unbroken_one() -> None:
    tried = 0
    for step, driver in points(Driver.apply):
        assert driver.apply() == len(PLANNED), step
        assert driver.store.views == AFTER, step
        driver.undo(last(driver))
        assert (driver.store.views, driver.store.schemas) == (BEFORE, {}), step
        tried += 1
    assert tried > 10


def test_an_apply_killed_anywhere_and_undone_leaves_nothing_and_is_applied_anew() -> None:
    tried = 0
    for step, driver in points(Driver.apply):
        if not driver.journal.executions:
            continue  # killed before it had a name
        written = sum(driver.store.views.get(place) == AFTER.get(place) for place in PLANNED)
        assert driver.undo(last(driver)) == written, step
        assert (driver.store.views, driver.store.schemas) == (BEFORE, {}), step
        assert driver.apply() == len(PLANNED), step
        assert driver.store.views == AFTER, step
        tried += 1
    assert tried > 10


@pytest.mark.parametrize("then", ["undo", "apply"])
def test_an_undo_killed_anywhere_is_ended_by_the_next_command(then: str) -> None:
    def applied_and_undone(driver: Driver) -> None:
        left, driver.left = driver.left, None
        driver.apply()
        driver.left = left
        driver.undo("r1")

    tried = 0
    for step, driver in points(applied_and_undone):
        if not driver.journal.undoings:
            continue  # killed before it had begun
        if then == "undo":
            driver.undo("r1")
            assert (driver.store.views, driver.store.schemas) == (BEFORE, {}), step
        assert driver.apply() == len(PLANNED), step
        assert driver.store.views == AFTER, step
        assert driver.undo("r1") == 0 or last(driver) == "r1", step
        driver.undo(last(driver))
        assert (driver.store.views, driver.store.schemas) == (BEFORE, {}), step
        tried += 1
    assert tried > 10


def test_a_namespace_that_was_there_stays() -> None:
    driver = Driver()
    driver.store.schemas["db",] = Schema(levels=("db",))
    driver.apply()
    driver.undo(last(driver))
    assert driver.store.views == BEFORE
    assert ("db",) in driver.store.schemas


class AnyOrder(RuleBasedStateMachine):
    """Apply and undo in any order, each killed at any step, or not at all."""

    STEPS = st.integers(0, 40)

    def __init__(self) -> None:
        super().__init__()
        self.driver = Driver()

    @rule(step=STEPS)
    def apply(self, step: int) -> None:
        if not killed_at(self.driver, step, self.driver.apply):
            assert self.driver.store.views == AFTER, "what an unbroken apply leaves"

    @precondition(lambda self: self.driver.journal.executions)
    @rule(step=STEPS, data=st.data())
    def undo(self, step: int, data: st.DataObject) -> None:
        run = data.draw(st.sampled_from(self.driver.journal.history().of("p")))
        killed_at(self.driver, step, lambda: self.driver.undo(run))

    @rule()
    def undo_all(self) -> None:
        for run in reversed(self.driver.journal.history().of("p")):
            self.driver.undo(run)
        assert self.driver.store.views == BEFORE, "nothing is left of any run"

    @invariant()
    def every_view_is_as_before_or_as_planned(self) -> None:
        for place in PLANNED:
            there = self.driver.store.views.get(place)
            assert there in (BEFORE.get(place), AFTER.get(place))


AnyOrder.TestCase.settings = settings(max_examples=25, stateful_step_count=10)
TestAnyOrder = AnyOrder.TestCase


@pytest.mark.parametrize(
    ("noted", "ahead"),
    [
        ([], timedelta()),
        ([START - timedelta(seconds=1)], timedelta()),
        ([START], timedelta(microseconds=1)),
        ([START + timedelta(days=1), START], timedelta(days=1, microseconds=1)),
    ],
)
def test_times_that_are_noted_go_on_where_a_clock_was_set_back(
    noted: list[datetime], ahead: timedelta
) -> None:
    assert behind(START, noted) == ahead
    assert all(START + behind(START, noted) > moment for moment in noted)
