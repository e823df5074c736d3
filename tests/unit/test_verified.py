"""What reading back came to, for people and for programs."""

from dataclasses import replace

from jobs.console.command import FINDINGS
from jobs.migrating.asking import AskedAt, _asked_at
from jobs.verify import Verified


def test_whatever_reads_back_otherwise_is_a_reason_and_a_member_for_programs() -> None:
    unlike = {"t": ["one"]}
    verified = Verified(
        views={"t": 3},
        different={"t": 1},
        namespaces=unlike,
        functions=unlike,
        rights=unlike,
        tags=unlike,
    )
    beside = dict.fromkeys(("namespaces", "functions", "rights", "tags"), unlike)
    assert verified.to_json() == {"views": {"t": 3}, "different": {"t": 1}, **beside}
    assert [reason.code for reason in verified.reasons] == [FINDINGS] * 5
    said = " ".join(reason.sentence for reason in verified.reasons)
    assert all(name in said for name in beside)


def test_what_was_not_asked_is_no_member() -> None:
    verified = Verified(views={"t": 3}, different={"t": 0})
    assert verified.to_json() == {"views": {"t": 3}, "different": {"t": 0}}
    assert verified.reasons == []
    nothing_to_ask = replace(verified, asked=())
    assert nothing_to_ask.to_json()["live"] == []
    assert nothing_to_ask.reasons == []


def test_without_any_question_nothing_is_verified_by_an_engine() -> None:
    verified = Verified(views={"t": 3, "u": 1}, different={})
    no_text, unshown = AskedAt("trino", "t", unasked=3), AskedAt("", "u", unasked=1)
    (reason,) = replace(verified, asked=(no_text, unshown)).reasons
    assert (reason.code, reason.sentence[:33]) == (FINDINGS, "no engine was asked of any view: ")
    some = AskedAt("trino", "t", same=1, unasked=2)
    assert replace(verified, asked=(some, unshown)).reasons == []


def test_rows_that_are_the_same_as_there_are_none_are_counted() -> None:
    counts = (5, 5, 0, 2, 3, 1, 0)  # asked, as planned, silent, empty; same, other, not compared
    answer = _asked_at("trino", "t", 6, counts, 10)
    assert answer.to_json() == {
        "engine": "trino",
        "target": "t",
        "same": 5,
        "unlike": 0,
        "silent": 0,
        "unasked": 1,
        "rows": {"same": 3, "other": 1, "not asked": 2},
        "empty": 2,
    }
    assert "empty" not in _asked_at("trino", "t", 6, counts, None).to_json()
