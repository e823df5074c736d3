"""Trying a target: what its answers mean, and that nothing of it stays."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from connectors.memory import MemoryStore
from discovery.errors import ConfigurationError, NotHeldError, UnreachableError
from discovery.exercises import (
    TAKEN,
    TRAITS,
    TYPES,
    Agreement,
    Exercise,
    ExerciseAnswer,
    in_dialect,
    in_dialects,
    judged,
)
from discovery.model import (
    Column,
    DataType,
    External,
    Field,
    Identifier,
    ListOf,
    MapOf,
    Primitive,
    Representation,
    Schema,
    Struct,
    UnionOf,
    View,
)
from discovery.ports import Action, Applied, Change, Held
from jobs import doctor
from jobs.configuration import exercised
from jobs.configuration.exercised import keep
from jobs.console import command
from jobs.examining.exercising import exercise


def holds_uuid(view: View) -> bool:
    return view.columns[0].type == TYPES["uuid"]


class Liar(MemoryStore):
    """Refuses what it is believed to take, and the other way round."""

    def hold(self, view: View) -> Held:
        if view.columns[0].type == TYPES["byte"]:
            raise NotHeldError("no bytes")
        return super().hold(view)

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        for change in changes:
            if holds_uuid(change.view) and change.action is Action.CREATE:
                error = NotHeldError("no such type here")
                yield Applied.failed(change.view.identifier, error)
            else:
                yield from super().apply([change])

    def present(self, wanted: Sequence[Identifier]) -> Iterator[View]:
        for view in super().present(wanted):
            yield replace(view, comment=None)


class Dying(MemoryStore):
    """Does not answer once, in the middle."""

    writes = 0

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        self.writes += 1
        if self.writes == 3:  # the second is the drop of the first
            error = UnreachableError("it went")
            yield from (Applied.failed(change.view.identifier, error) for change in changes)
        else:
            yield from super().apply(changes)


@pytest.mark.parametrize(
    ("believed", "refused", "differences", "wanted"),
    [
        (TAKEN, "", (), (Agreement.AS_BELIEVED, "")),
        (TAKEN, "X: no", (), (Agreement.REFUSED, "X: no")),
        (TAKEN, "", ("comment", "owner"), (Agreement.OTHERWISE, "comment, owner")),
        ("NOT_HELD", "X: no", (), (Agreement.AS_BELIEVED, "")),
        ("NOT_HELD", "", (), (Agreement.TAKEN, "")),
        ("NOT_HELD", "", ("columns",), (Agreement.TAKEN, "columns")),
    ],
)
def test_an_answer_is_told_beside_what_was_believed(
    believed: str, refused: str, differences: tuple[str, ...], wanted: tuple[Agreement, str]
) -> None:
    assert judged(believed, refused, differences) == wanted


def test_each_exercise_has_a_name_and_a_place_of_its_own() -> None:
    every = [*in_dialects("s"), *in_dialect("s", "trino")]
    assert len({one.what for one in every}) == len(every) == len({e.view.identifier for e in every})
    assert {one.view.identifier.namespace for one in every} == {("s",)}


@pytest.mark.parametrize(
    "one", [*in_dialects("s"), *in_dialect("s", "spark")], ids=lambda e: e.what
)
def test_a_view_of_an_exercise_has_what_it_is_about_and_a_plain_one_has_not(one: Exercise) -> None:
    plain = View(
        identifier=Identifier(("s",), "plain"),
        columns=(Column("id", Primitive("null")),),
        representations=(Representation(dialect="none", sql="SELECT 1"),),
    )
    assert one.has(one.view)
    assert not one.has(plain)


@pytest.mark.parametrize(
    ("kind", "what", "wanted"),
    [
        (Primitive("varchar(7)"), "type varchar(10)", True),
        (Primitive("decimal(38,1)"), "type decimal(10,2)", True),
        (Primitive("timestamp(9)"), "type timestamp(3)", False),
        (Primitive("timestamp_tz"), "type timestamp", False),
        (ListOf(Primitive("uuid")), "type uuid", True),
        (MapOf(Primitive("uuid"), Primitive("byte")), "type byte", True),
        (Struct((Field("a", ListOf(Primitive("byte"))),)), "type byte", True),
        (UnionOf((Primitive("byte"),)), "type byte", True),
        (Struct(()), "type list<integer>", False),
        (External("hllsketch"), "type uuid", False),
    ],
)
def test_types_of_a_sort_are_answered_for_together(kind: DataType, what: str, wanted: bool) -> None:
    view = View(
        identifier=Identifier(("s",), "v"),
        columns=(Column("c", kind),),
        representations=(Representation(dialect="spark", sql="SELECT 1"),),
    )
    assert TRAITS[what](view) is wanted


def test_a_target_that_is_as_believed_is_told_so_and_left_as_it_was() -> None:
    with MemoryStore() as store:
        store.prepare([Schema(levels=("other",))])
        before = list(store.listing())
        answers = list(exercise(store, "scratch"))
        assert {answer.found for answer in answers} == {Agreement.AS_BELIEVED}
        assert [answer.what for answer in answers[-4:]] == [
            *("create a view", "change its text", "rename it", "drop it")
        ]
        assert list(store.listing()) == before


def test_what_is_otherwise_is_told_by_what_it_is() -> None:
    with Liar() as store:
        found = {
            exercise_answer.what: exercise_answer for exercise_answer in exercise(store, "scratch")
        }
    odd = {
        name: exercise_answer
        for name, exercise_answer in found.items()
        if exercise_answer.found is not Agreement.AS_BELIEVED
    }
    told = "NOT_HELD: no such type here"
    assert odd == {
        "type byte": ExerciseAnswer("type byte", "NOT_HELD", Agreement.TAKEN),
        "type uuid": ExerciseAnswer("type uuid", TAKEN, Agreement.REFUSED, told),
        "comment": ExerciseAnswer("comment", TAKEN, Agreement.OTHERWISE, "comment"),
    }


def test_a_namespace_that_is_there_is_not_touched() -> None:
    with MemoryStore() as store:
        store.prepare([Schema(levels=("mine",))])
        with pytest.raises(ConfigurationError, match="the namespace mine is there already"):
            list(exercise(store, "mine"))
        assert len(list(store.listing())) == 1


def test_an_interruption_in_the_middle_leaves_nothing_behind() -> None:
    exercise_answers: list[ExerciseAnswer] = []
    with Dying() as store:
        with pytest.raises(UnreachableError, match="it went"):
            exercise_answers.extend(exercise(store, "scratch"))
        assert list(store.listing()) == []
    assert [exercise_answer.found for exercise_answer in exercise_answers] == [
        Agreement.AS_BELIEVED
    ], "no answer is no refusal"


def test_answers_are_kept_by_target_and_junk_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "estate.yaml"
    answer = ExerciseAnswer("type uuid", TAKEN, Agreement.REFUSED, "no ü")
    place = keep(file, "one", "an older one", "", [])
    for target in ("two", "one"):
        place = keep(file, target, "Gravitino 9", "digest", [answer])
    kept = json.loads(place.read_text(encoding="utf-8"))
    assert place.name == "estate.exercised.json"
    assert list(kept) == ["one", "two"]
    assert kept["one"]["server"] == "Gravitino 9"
    assert kept["one"]["answers"] == [answer.to_json()]
    tried = exercised.read_answers(file)["one"]
    assert (tried.server, tried.settings) == ("Gravitino 9", "digest")
    assert (tried.refused, tried.otherwise) == ({"type uuid": "no ü"}, {})
    place.write_text("[", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"exercised\.json"):
        keep(file, "one", "x", "", [])
    assert place.read_text(encoding="utf-8") == "["


def test_targets_that_are_tried_at_once_keep_the_answers_of_each(tmp_path: Path) -> None:
    targets = [f"t{number}" for number in range(16)]
    with ThreadPoolExecutor(8) as pool:
        places = set(pool.map(lambda name: keep(tmp_path / "e.yaml", name, "", "", []), targets))
    (place,) = places
    assert sorted(json.loads(place.read_text(encoding="utf-8"))) == sorted(targets)
    assert list(tmp_path.iterdir()) == [place]


@pytest.mark.parametrize(("counted", "code"), [(4, command.FINE), (3, command.CRASHED)])
def test_a_spark_that_loses_rows_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, counted: int, code: int
) -> None:
    spark = Mock()
    spark.range.return_value.mapInArrow.return_value.count.return_value = counted
    monkeypatch.setattr(doctor, "spark_session", lambda _: spark)
    diagnosis = doctor._check_spark()
    assert diagnosis.code == code
    assert ("counted 3 rows of 4" in diagnosis.told) == (counted == 3)


def test_doctor_tries_a_target_and_keeps_what_it_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "estate.yaml"
    target = f"{{kind: archive, path: {tmp_path / 'there'}}}"
    file.write_text(f"warehouse: w\nsources: {{a: {target}}}\ntargets: {{t: {target}}}\n")
    place = ["--config", str(file), "--json"]
    assert doctor.main([*place, "--exercise", "t"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    kept = json.loads((tmp_path / "estate.exercised.json").read_text(encoding="utf-8"))
    number = len(kept["t"]["answers"])
    assert len(told) == number + 1 > 50
    assert told[-1]["told"].startswith(f"{number} of {number} answers as believed, by ")
    for other in (["nowhere"], [""], ["t", "--scratch", ""]):
        assert doctor.main([*place, "--exercise", *other]) == 2
    assert "'nowhere' is no target" in capsys.readouterr().err
