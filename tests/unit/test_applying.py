"""What executors ask of a target before an interrupted execution goes on, or is taken back."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from connectors.archive_store import ArchiveStore, Options
from connectors.registry import Connector
from discovery import wire
from discovery.errors import UnreachableError
from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.ports import Action, Change
from jobs.migrating.workers import applying
from jobs.migrating.workers.applying import Attempt

ATTEMPT = Attempt("run", "anna", "attempt", resumed=True)


def view(name: str, text: str) -> View:
    columns = (Column("id", Primitive("integer")),)
    texts = (Representation(dialect="hive", sql=text),)
    return View(identifier=Identifier(("db",), name), columns=columns, representations=texts)


def row(wanted: View, expected: View | None, action: Action) -> dict[str, Any]:
    """A row of `changes`, as far as it is looked at."""
    text, fingerprint = wire.view_text(wanted)
    place = wanted.identifier
    return {
        "target": "t",
        "namespace": list(place.namespace),
        "name": place.name,
        "key": str(place),
        "action": action.value,
        "fingerprint": fingerprint,
        "model": text,
        "expected": None if expected is None else wire.view_text(expected)[1],
        "before": None,
    }


@pytest.fixture
def target(tmp_path: Path) -> Connector:
    """A folder with views `a` to `d`, as they are named."""
    options = Options(path=str(tmp_path / "there"))
    views = [view("a", "new"), view("b", "old"), view("c", "somebody's"), view("d", "old")]
    with ArchiveStore(options) as store:
        store.prepare([Schema(levels=("db",))])
        for one in views:
            (answer,) = store.apply([Change(Action.CREATE, one, wire.view_text(one)[1])])
            assert answer.failure is None
    return Connector("archive", options)


CHANGES = [
    row(view("a", "new"), view("a", "old"), Action.REPLACE),
    row(view("b", "new"), view("b", "old"), Action.REPLACE),
    row(view("c", "new"), view("c", "old"), Action.REPLACE),
    row(view("d", "old"), view("d", "old"), Action.DROP),
    row(view("e", "old"), view("e", "old"), Action.DROP),
    row(view("f", "new"), None, Action.CREATE),
]


def found(target: Connector, changes: list[dict[str, Any]]) -> dict[str, tuple[str, str]]:
    """Name to result and code of the events."""
    batch = pa.RecordBatch.from_pylist(changes)
    told = applying.find_written(target, ATTEMPT, mends=True)([batch])
    rows = [event for batch in told for event in batch.to_pylist()]
    assert {(one["run"], one["attempt"], one["principal"]) for one in rows} <= {
        ("run", "attempt", "anna")
    }
    return {one["name"]: (one["result"], one["code"] or "") for one in rows}


def test_a_target_says_what_was_written_and_what_nobody_can_tell(target: Connector) -> None:
    assert found(target, CHANGES) == {
        "a": ("recovered", ""),
        "c": ("refused", "MOVED"),
        "e": ("recovered", ""),
    }


def test_who_only_looks_mends_nothing(target: Connector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ArchiveStore, "recover", None)
    told = applying.find_written(target, ATTEMPT, mends=False)
    events = [
        event
        for batch in told([pa.RecordBatch.from_pylist(CHANGES)])
        for event in batch.to_pylist()
    ]
    assert {event["name"]: event["result"] for event in events} == {
        "a": "recovered",
        "c": "refused",
        "e": "recovered",
    }


def test_a_view_that_cannot_be_read_costs_no_other(target: Connector, tmp_path: Path) -> None:
    (tmp_path / "there" / "db" / "b.json").write_text("junk", encoding="utf-8")
    told = found(target, CHANGES)
    assert told.pop("b")[0] == "failed"
    assert told == found(target, [change for change in CHANGES if change["name"] != "b"])


def test_a_target_that_is_gone_has_failed_for_each(tmp_path: Path) -> None:
    target = Connector("archive", Options(path=str(tmp_path / "no" / "folder")))
    told = found(target, CHANGES)
    assert set(told.values()) == {("failed", "UNREACHABLE")}
    assert len(told) == len(CHANGES)


def test_what_a_killed_writer_left_half_way_is_mended_before_anybody_looks(
    target: Connector, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = view("a", "half")

    def mended(store: ArchiveStore, changes: list[Change]) -> tuple[Identifier, ...]:
        for change in changes:
            if change.view.identifier == half.identifier:
                done = Change(Action.REPLACE, half, wire.view_text(half)[1], _now(store, half))
                (answer,) = store.apply([done])
                assert answer.failure is None
        return (half.identifier,)

    monkeypatch.setattr(ArchiveStore, "recover", mended)
    changes = [row(half, view("a", "old"), Action.REPLACE), *CHANGES[1:]]
    assert found(target, changes)["a"] == ("recovered", ""), "as it was to be"


def _now(store: ArchiveStore, wanted: View) -> str:
    (there,) = store.present([wanted.identifier])
    return wire.view_text(there)[1]


def read_back(target: Connector, changes: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Name to how it differs from what was planned."""
    batch = pa.RecordBatch.from_pylist(changes)
    rows = [row for told in applying.read_back(target)([batch]) for row in told.to_pylist()]
    return {row["name"]: row["differences"] for row in rows}


def test_what_cannot_be_read_back_costs_no_other(target: Connector, tmp_path: Path) -> None:
    (tmp_path / "there" / "db" / "b.json").write_text("junk", encoding="utf-8")
    changes = [row(view(name, "old"), None, Action.CREATE) for name in "abcde"]
    told = read_back(target, changes)
    assert told["b"][0].startswith("not read back: file ")
    assert (len(told["a"]), len(told["c"]), told["d"], told["e"]) == (1, 1, [], ["view"])


def test_a_target_that_is_gone_is_asked_once(
    target: Connector, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def is_gone(_: ArchiveStore, wanted: list[Identifier]) -> None:
        asked.append(len(wanted))
        raise UnreachableError("it does not answer")

    monkeypatch.setattr(ArchiveStore, "present", is_gone)
    told = read_back(target, CHANGES)
    assert {*map(tuple, told.values())} == {("not read back: it does not answer",)}
    assert asked == [len(CHANGES)]
