"""What a report says of a run: counted from its rows, in an order of its own."""

import json
from typing import Any

from reports import page, to_json
from reports.summary import Loss, Summary, summarize

COUNTS = {
    "sources": {
        "s": {
            "listed": 5,
            "views": 2,
            "failures": 2,
            "skipped": 1,
            "namespaces": 1,
            "reconciled": True,
        }
    }
}
RUN = {"run_id": "r", "started": "t", "version": "0", "exit_code": 3, "counts": COUNTS}


def row(name: str, **more: Any) -> dict[str, Any]:
    place = {"source": "s", "namespace": ["db"], "name": name, "key": f"db.{name}"}
    return {**place, "message": None, "hint": None, **more}


def view(name: str, **more: Any) -> dict[str, Any]:
    header = {"format": "hive", "dialects": ["hive"], "columns": 1, "security": None}
    return row(name, outcome="view", **header, **more)


def lost(name: str, outcome: str, code: str) -> dict[str, Any]:
    return row(name, outcome=outcome, code=code, message=f"{name} is lost")


OUTCOMES = [
    view("b"),
    view("a"),
    lost("z", "failure", "INVALID_ENTRY"),
    lost("t", "skipped", "TABLE"),
    lost("c", "failure", "INVALID_ENTRY"),
    row("", outcome="schema", code=None),
]
VERDICTS = [
    row("a", engine="spark", grade="PARSE", verdict="rejected"),
    row("a", engine="spark", grade="PARSE", verdict="accepted"),
    row("a", engine="spark", grade="PARSE", verdict="rejected"),
    row("b", engine="spark", grade="PARSE", verdict="not judged"),
    row("b", engine="mysql", grade="OPINION", verdict="accepted"),
]


def change(name: str, action: str) -> dict[str, Any]:
    return row(name, target="g", action=action, origins=[{"source": "s", "key": f"db.{name}"}])


CHANGES = [change("a", "create"), change("b", "blocked"), row("c", target="", action="keep")]
VERIFIED = [
    row("a", target="g", differences=[]),
    row("b", target="g", differences=["comment", "columns"]),
]


def summary() -> Summary:
    return summarize(RUN, OUTCOMES, VERDICTS, CHANGES, VERIFIED)


def test_views_are_counted_and_sorted_with_what_became_of_them() -> None:
    told = summary()
    assert told.formats == {"hive": 2}
    assert [(one.name, one.loaded) for one in told.views] == [
        ("db.a", "g: create"),
        ("db.b", "g: blocked"),
    ]
    assert told.actions == {"g": {"create": 1, "blocked": 1}}
    assert told.different == ["db.b in g: comment, columns"]


def test_a_view_is_accepted_if_one_of_its_representations_is() -> None:
    told = summary()
    assert [one.verdicts for one in told.views] == [
        {"spark": "accepted"},
        {"spark": "not judged", "mysql": "opinion: accepted"},
    ]
    assert told.verdicts == {
        "spark": {"accepted": 1, "rejected": 2, "not judged": 1},
        "mysql": {"not judged": 1},
    }


def test_losses_are_told_by_code_failures_first_with_the_first_name_as_example() -> None:
    assert summary().losses == [
        Loss("failure", "INVALID_ENTRY", 2, "db.c", "c is lost", ""),
        Loss("skipped", "TABLE", 1, "db.t", "t is lost", ""),
    ]


def test_a_source_that_could_not_be_listed_goes_by_its_own_name() -> None:
    whole = {**lost("", "failure", "UNREACHABLE"), "namespace": []}
    (loss,) = summarize(RUN, [whole], (), (), ()).losses
    assert loss.example == "s"


def test_the_order_of_the_rows_changes_no_byte() -> None:
    back = summarize(RUN, OUTCOMES[::-1], VERDICTS[::-1], CHANGES[::-1], VERIFIED[::-1])
    assert to_json.render(back) == to_json.render(summary())
    assert page.render(back) == page.render(summary())


def test_the_json_is_versioned_and_whole() -> None:
    data = json.loads(to_json.render(summary()))
    assert data["version"] == to_json.VERSION
    assert data["run"] == RUN
    assert [one["name"] for one in data["views"]] == ["db.a", "db.b"]
    assert data["losses"][0]["number"] == 2
