"""What a plan makes of the answers of a target that was tried."""

from dataclasses import replace
from typing import Any

import pytest

from discovery.datatypes.widening import Widening
from discovery.errors import NotHeldError
from discovery.migration.candidates import bring_together
from discovery.migration.heeding import Tried, heed, heed_step
from discovery.migration.plan import Planned
from discovery.migration.wanted import Address, Candidate, Canonical, Origin, Wanted
from discovery.model import Column, Identifier, Primitive, Representation, View
from discovery.ports import Action, Held

VIEW = View(
    identifier=Identifier(("s",), "v"),
    columns=(Column("a", Primitive("byte")),),
    representations=(Representation(dialect="spark", sql="SELECT 1"),),
    comment="of it",
)
SAID: dict[str, Any] = {
    "date": "2026-11-23T08:00:00+00:00",
    "server": "S 1",
    "settings": "d",
    "answers": [
        {"what": "type byte", "believed": "taken", "found": "as believed", "told": ""},
        {
            "what": "type short",
            "believed": "taken",
            "found": "refused, and believed to be taken",
            "told": "X: no",
        },
        {
            "what": "comment",
            "believed": "taken",
            "found": "reads back otherwise than believed",
            "told": "comment",
        },
        {
            "what": "type uuid",
            "believed": "NOT_HELD",
            "found": "taken, and believed to be refused",
            "told": "",
        },
    ],
}
TRIED = Tried("2026-11-23T08:00:00+00:00", "S 1", "d")


def hold(view: View) -> Held:
    return Held(view, ("its own",))


def wanted(view: View = VIEW) -> Wanted:
    origin = Origin("a", "s.v", "f")
    return Wanted(
        address=Address("t", view.identifier), origins=(origin,), model=Canonical.of(view)
    )


def test_only_what_is_otherwise_than_believed_and_safe_to_heed_is_kept() -> None:
    tried = Tried.of_json(SAID)
    assert tried.refused == {"type short": "X: no"}
    assert tried.otherwise == {"comment": "comment"}
    assert tried.summary == "tried on 2026-11-23, S 1: 2 not as believed, which counts"
    assert TRIED.summary == "tried on 2026-11-23, S 1: all as believed"


@pytest.mark.parametrize(
    "broken",
    [
        {"date": "some day"},
        {"date": None},
        {"server": 1},
        {"settings": None},
        {"answers": [{"what": "x"}]},
        {"answers": ["x"]},
    ],
)
def test_what_is_no_answer_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError)):
        Tried.of_json({**SAID, **broken})


def test_answers_count_for_the_server_and_the_settings_that_they_are_of() -> None:
    assert TRIED.why_stale("S 1", "d") == ""
    assert TRIED.why_stale("S 2", "d") == "it is S 2 now, and was S 1"
    assert TRIED.why_stale("S 1", "e") == "the configuration says other things of it now"


def test_a_view_that_has_what_was_refused_is_not_held() -> None:
    told = r"the target refused type byte when it was tried, 2026-11-23: X: no"
    with pytest.raises(NotHeldError, match=told) as raised:
        heed(hold, replace(TRIED, refused={"type byte": "X: no"}))(VIEW)
    assert "doctor --exercise" in raised.value.hint
    assert heed(hold, replace(TRIED, refused={"type short": "X: no"}))(VIEW) == hold(VIEW)
    assert heed(hold, replace(TRIED, refused={"unheard of": "X"}))(VIEW) == hold(VIEW)
    assert heed(hold, None) is hold


def test_what_counts_is_the_view_as_it_is_held() -> None:
    def bare(view: View) -> Held:
        return Held(replace(view, comment=None), ("no comment",))

    tried = replace(TRIED, refused={"comment": "X: no"})
    assert heed(bare, tried)(VIEW).view.comment is None
    with pytest.raises(NotHeldError):
        heed(hold, tried)(VIEW)


def test_what_came_back_otherwise_is_a_loss_of_the_views_that_have_it() -> None:
    tried = replace(TRIED, otherwise={"comment": "comment", "type uuid": "columns"})
    told = "the target gave comment back otherwise when it was tried, 2026-11-23: comment"
    assert heed(hold, tried)(VIEW) == Held(VIEW, ("its own", told))


def test_a_rule_widens_what_was_refused() -> None:
    tried = replace(TRIED, refused={"type byte": "X: no"})
    candidate = Candidate(wanted(), 0, widen=(Widening.BYTE,))
    (found,) = bring_together([candidate], heed(hold, tried))
    assert found.barred is None
    assert found.view().columns[0].type == Primitive("integer")
    (refused,) = bring_together([replace(candidate, widen=())], heed(hold, tried))
    assert refused.barred is not None
    assert refused.barred.code == "NOT_HELD"


@pytest.mark.parametrize(
    ("what", "action", "hit"),
    [
        ("create a view", Action.CREATE, True),
        ("change its text", Action.REPLACE, True),
        ("change its text", Action.ADD_DIALECT, True),
        ("change its text", Action.CREATE, False),
        ("drop it", Action.DROP, True),
        ("drop it", Action.KEEP, False),
    ],
)
def test_a_step_that_was_refused_is_not_planned(what: str, action: Action, hit: bool) -> None:
    planned = Planned(action, wanted())
    found = heed_step(planned, replace(TRIED, refused={what: "X: no"}))
    assert (found.action is Action.BLOCKED) is hit
    assert (found == planned) is not hit
    lost = heed_step(planned, replace(TRIED, otherwise={what: "sql"}))
    assert (lost.action, bool(lost.wanted.losses)) == (action, hit)
    assert heed_step(planned, None) is planned
