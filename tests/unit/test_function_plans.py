"""What is planned of functions that views call, and what a line of a plan says of one."""

from dataclasses import replace

import pytest

from connectors.clients.metastore_functions import function_of, payload_of
from connectors.clients.metastore_writer import MetastoreWriter
from connectors.clients.thrift.login import MetastoreLogin
from connectors.hms_stores.functions import MetastoreFunctions
from discovery.errors import MovedError, NotHeldError
from discovery.functions import Function, FunctionFile
from discovery.migration.functions import (
    CalledFunction,
    FunctionChange,
    bar_functions,
    function_change_of_json,
    hold_functions,
    lose_functions,
    plan_functions,
)
from discovery.ports import Action

JAR = FunctionFile("jar", "s3://tools/t.jar")
SHOUT = Function(("Tools",), "Shout", None, "JAVA", "example.Shout", "alice", (JAR,))
HELD = replace(SHOUT, namespace=("tools",), name="shout")
LAKE, POND = ("lake", "tools.shout"), ("pond", "tools.shout")
STORE = MetastoreFunctions(MetastoreWriter(MetastoreLogin(uri="thrift://127.0.0.1:1")))


def called(*forms: Function, origin: tuple[str, str] = LAKE) -> CalledFunction:
    return CalledFunction(origin, forms or (SHOUT,))


def why(form: Function) -> str:
    with pytest.raises(NotHeldError) as caught:
        STORE.hold(form)
    return caught.value.message


def test_a_metastore_holds_classes_under_names_in_lower_case() -> None:
    assert STORE.hold(SHOUT) == HELD
    assert function_of(payload_of(HELD)) == HELD


def test_what_a_metastore_cannot_hold_is_refused_with_the_reason() -> None:
    assert why(replace(SHOUT, language="plpgsql", implementation=None)) == (
        "it is written in plpgsql, and a metastore keeps classes"
    )
    assert "an unknown language" in why(replace(SHOUT, language=None))
    trino = replace(SHOUT, language="Trino SQL", implementation=None, sql="FUNCTION")
    assert why(trino) == "it is SQL of Trino, which alone writes it into a metastore"
    assert "one level" in why(replace(SHOUT, namespace=("a", "b")))
    assert "has a secret" in why(replace(SHOUT, files=(JAR, FunctionFile("jar", "s3://a:***@b"))))
    assert "assess anew" in why(replace(SHOUT, files=(FunctionFile("", ""),)))
    payload = {**payload_of(HELD), "resourceUris": [{"resourceType": 9, "uri": "x"}]}
    assert "assess anew" in why(function_of(payload))


def test_one_that_is_missing_is_made_and_one_that_does_the_same_is_kept() -> None:
    held = hold_functions([called()], STORE)
    planned = plan_functions("t", held, {})
    assert planned.changes == (FunctionChange("t", Action.CREATE, HELD, (LAKE,)),)
    there = {HELD.place: replace(HELD, owner="bob")}
    (kept,) = plan_functions("t", held, there).changes
    assert kept.action is Action.KEEP
    assert not planned.barred


def test_one_that_differs_bars_its_callers_by_name() -> None:
    other = replace(HELD, implementation="other.Shout")
    planned = plan_functions("t", hold_functions([called()], STORE), {other.place: other})
    assert planned.changes == ()
    (barred,) = planned.barred.values()
    assert (barred.code, barred.reason) == (
        "FUNCTION_DIFFERS",
        "it calls lake/tools.shout, and the target has another function tools.shout (other.Shout)",
    )


def test_of_two_sources_the_same_is_made_once_and_another_one_is_a_conflict() -> None:
    held = hold_functions([called(), called(origin=POND)], STORE)
    (made,) = plan_functions("t", held, {}).changes
    assert made.origins == (LAKE, POND)
    other = called(replace(SHOUT, files=()), origin=POND)
    planned = plan_functions("t", hold_functions([other, called()], STORE), {})
    assert [change.origins for change in planned.changes] == [(LAKE,)]
    assert "gets, of lake/tools.shout, another function" in planned.barred[POND].reason


def test_forms_that_arguments_tell_apart_and_other_languages_are_not_movable() -> None:
    forms = [replace(SHOUT, arguments=one, language="sql", implementation=None) for one in "ab"]
    (barred,) = plan_functions("t", hold_functions([called(*forms)], STORE), {}).barred.values()
    assert (barred.code, barred.reason) == (
        "FUNCTION_NOT_MOVABLE",
        "it calls lake/tools.shout (sql): its forms are told apart by 2 lists of arguments",
    )


def test_a_store_without_functions_and_one_that_does_not_answer() -> None:
    assert lose_functions([called()], "archive").lost == {
        LAKE: "FUNCTION_NOT_MOVABLE: archive gets no function: lake/tools.shout (example.Shout)"
    }
    (barred,) = bar_functions([called()], "it hangs").barred.values()
    assert (barred.code, barred.reason) == (
        "TARGET_UNREAD",
        "its functions could not be read: it hangs",
    )


def test_what_cannot_move_is_a_loss_where_engines_look_elsewhere_too() -> None:
    odd = called(replace(SHOUT, language="plpgsql", implementation=None))
    other = replace(HELD, implementation=None, language="Trino SQL", sql="FUNCTION")
    held = hold_functions([odd, called(origin=POND)], STORE)
    planned = plan_functions("t", held, {other.place: other}, alone=False)
    assert planned.lost == {
        LAKE: "FUNCTION_NOT_MOVABLE: it calls lake/tools.shout (plpgsql): "
        "it is written in plpgsql, and a metastore keeps classes"
    }
    (barred,) = planned.barred.values()
    assert barred.code == "FUNCTION_DIFFERS"
    assert "another function tools.shout (Trino SQL)" in barred.reason


def test_a_text_is_in_its_line_and_makes_a_difference() -> None:
    text = Function(("s",), "f", language="Trino SQL", sql="FUNCTION f() RETURNS bigint RETURN 1")
    change = FunctionChange("t", Action.CREATE, text, (("lake", "s.f"),))
    line = change.to_json()
    assert function_change_of_json(line) == change
    with pytest.raises(ValueError, match="edited"):
        function_change_of_json({**line, "sql": "FUNCTION f() RETURNS bigint RETURN 2"})
    assert "sql" not in FunctionChange("t", Action.CREATE, HELD, (LAKE,)).to_json()
    assert not text.does_as(replace(text, sql="FUNCTION f() RETURNS bigint RETURN 2"))
    assert text.does_as(replace(text, owner="bob"))


def test_a_line_is_pinned_and_its_inverse_takes_it_back() -> None:
    change = FunctionChange("t", Action.CREATE, HELD, (LAKE, POND))
    line = change.to_json()
    assert function_change_of_json(line) == change
    with pytest.raises(ValueError, match="edited"):
        function_change_of_json({**line, "implementation": "evil.Class"})
    assert change.inverse.action is Action.DROP
    assert change.inverse.inverse == change


def test_it_is_done_only_against_what_was_planned() -> None:
    make = FunctionChange("t", Action.CREATE, HELD, (LAKE,))
    assert (make.is_to_do(None), make.is_to_do(HELD)) == (True, False)
    assert (make.inverse.is_to_do(None), make.inverse.is_to_do(HELD)) == (False, True)
    other = replace(HELD, files=())
    for change in (make, make.inverse):
        with pytest.raises(MovedError, match="another function of this name"):
            change.is_to_do(other)
    assert make.differences(None) == ("it is not there",)
    assert make.differences(HELD) == ()
    assert make.differences(other) == ("the target has another function of this name",)
