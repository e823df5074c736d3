"""What reading back came to, for people and for programs."""

from jobs.console.command import FINDINGS
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
    assert verified.to_json(live=False) == {"views": {"t": 3}, "different": {"t": 1}, **beside}
    assert [reason.code for reason in verified.reasons] == [FINDINGS] * 5
    said = " ".join(reason.sentence for reason in verified.reasons)
    assert all(name in said for name in beside)


def test_what_was_not_asked_is_no_member() -> None:
    verified = Verified(views={"t": 3}, different={"t": 0})
    assert verified.to_json(live=False) == {"views": {"t": 3}, "different": {"t": 0}}
    assert verified.to_json(live=True)["live"] == []
    assert verified.reasons == []
