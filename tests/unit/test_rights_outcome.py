"""Who reads what before and after, as a page and a program are told."""

from dataclasses import replace

from discovery.model import Identifier
from discovery.ports import Action
from discovery.rights.carrying import Carrying
from discovery.rights.changes import RightsChange
from discovery.rights.model import EVERYBODY, Basis, Grantee, GranteeKind, Membership
from discovery.rights.outcome import SHOWN, AccessLine, AccessMatrix, LaterReaders
from discovery.rights.roles import KeptRights, KeptRole, Right
from jobs.reporting.summary import _access
from reports import page
from tests.made_up import HEAD
from tests.unit.test_rights_carrying import ANN, BOB, SAME, STAFF, R, access, on_view, origin
from tests.unit.test_rights_granting import V, in_schema, needed, role, select

EVE = Grantee("eve", GranteeKind.USER)


def test_each_reader_before_or_after_has_a_line() -> None:
    told = access(
        on_view(R),
        on_view(BOB, column="c"),
        on_view(STAFF),
        Membership(R, ANN),
        Membership(R, EVE, Basis.ON_DEMAND),
    )
    lines = list(Carrying({"a": told}, SAME).access(V, [origin()], {ANN, BOB, EVE, "r"}))
    found = {
        (line.grantee.name, line.source): (line.before, line.after, line.difference)
        for line in lines
    }
    assert found == {
        ("r", "a"): ("all", True, "same"),
        ("ann", "a"): ("all", True, "same"),
        ("staff", "a"): ("all", False, "lost"),
        ("bob", "a"): ("columns", True, "gained"),
        ("eve", "a"): ("on demand", True, "gained"),
        ("bob", ""): ("", True, "gained"),
        ("eve", ""): ("", True, "gained"),
    }
    why = {line.grantee.name: line.why for line in lines if line.difference != "same"}
    assert why["staff"] == "no rule says what it is there"
    assert why["eve"] == "the target lets it already, by what no plan has given"


def test_what_everybody_reads_nobody_gains() -> None:
    told = access(on_view(EVERYBODY), on_view(ANN, "w"))
    lines = list(Carrying({"a": told}, SAME).access(V, [origin()], {ANN}))
    assert [(line.grantee, line.difference) for line in lines] == [(EVERYBODY, "lost")]


def test_later_readers_are_those_of_all_roles_and_owners_that_may_use_the_schema() -> None:
    roles = {
        "all": role(Right("METALAKE", "m", "SELECT_VIEW"), in_schema("s")),
        "no": KeptRole(frozenset(needed(V)), frozenset({select("c.s", "SCHEMA")})),
    }
    kept = KeptRights(roles, {ANN: frozenset({"all"}), BOB: frozenset({"no"}), EVE: frozenset()})
    use, _, chosen = needed(V)
    assert LaterReaders(kept, []).of(V, needed(V)) == {"no"}, "what is denied is denied"
    made = [RightsChange("t", Action.CREATE, "r")]
    made += [RightsChange("t", Action.CREATE, "r", right) for right in needed(V)]
    made += [RightsChange("t", Action.CREATE, "r", member=EVE)]
    assert LaterReaders(kept, made).of(V, needed(V)) == {EVE, "no", "r"}
    more = RightsChange("t", Action.CREATE, "all", use)
    assert ANN in LaterReaders(kept, [more]).of(V, needed(V))
    owner = RightsChange("t", Action.CREATE, member=EVE, view=V)
    left = [rights_change for rights_change in made if rights_change.right != chosen]
    assert EVE in LaterReaders(kept, [*left, owner]).of(V, needed(V))
    assert LaterReaders(kept, [owner]).of(V, needed(V)) == {"no"}, "nobody may use the schema"


def test_of_many_lines_those_that_differ_are_shown_first_and_all_are_counted() -> None:
    view, line = Identifier(("s",), "<b>"), AccessLine(V, "a", ANN, "all", after=True)
    lines = [line] * SHOWN * 2
    lines += [replace(line, after=False, why="x"), AccessLine(view, "", BOB, "", after=True)]
    matrix = AccessMatrix.of(lines)
    assert matrix.counts == {"gained": 1, "lost": 1, "same": 2 * SHOWN}
    assert [one["difference"] for one in matrix.lines[:3]] == ["gained", "lost", "same"]
    assert len(matrix.lines) == SHOWN
    target_access = _access({"access": matrix.to_json()})
    assert target_access is not None
    assert HEAD.plan is not None
    head = replace(HEAD, plan=(replace(HEAD.plan[0], access=target_access),))
    before, after = page.frame(head, single=True, parts=1, part=1)
    shown = before + after
    assert "Of 402 grantees and views: 400 same, 1 lost" in shown
    assert f"The first {SHOWN} are here" in shown
    assert "s.&lt;b&gt;" in shown
    assert "s.<b>" not in shown
    assert shown.count('<td class="name">s.') == SHOWN
    assert _access(None) is None
    assert _access({"access": {"counts": {}, "lines": []}}) is None
