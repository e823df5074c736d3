"""What of rights can be said at Gravitino: nobody reads afterwards who did not before."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discovery.errors import ConfigurationError
from discovery.model import Identifier
from discovery.rights.carrying import Carrying, CarryingRule, Origin
from discovery.rights.matrix import Access
from discovery.rights.model import (
    EVERYBODY,
    Basis,
    Grant,
    Grantee,
    GranteeKind,
    Membership,
    Privilege,
    RightsModel,
)
from jobs.configuration import loader

ANN, BOB = Grantee("ann", GranteeKind.USER), Grantee("bob", GranteeKind.USER)
R, S = Grantee("r", GranteeKind.ROLE), Grantee("s", GranteeKind.ROLE)
STAFF = Grantee("staff", GranteeKind.GROUP)
SAME = (
    CarryingRule(kind=GranteeKind.ROLE, role="{name}"),
    CarryingRule(kind=GranteeKind.USER, member="{name}"),
)


def on_view(who: Grantee, name: str = "v", **more: Any) -> Grant:
    return Grant(("d",), name, who, more.pop("privilege", Privilege.SELECT), "SELECT", **more)


def access(*told: Grant | Membership) -> Access:
    grants = [one for one in told if isinstance(one, Grant)]
    members = [one for one in told if isinstance(one, Membership)]
    return Access(RightsModel.HIVE, grants, members)


def origin(source: str = "a", name: str = "v") -> Origin:
    return source, (("d",), name)


def why(carrying: Carrying, *origins: Origin) -> dict[str, str]:
    return {lost_right.grantee.name: lost_right.why for lost_right in carrying.view(origins).lost}


def test_a_role_with_its_members_reads_what_it_read() -> None:
    told = access(on_view(R), Membership(R, S), Membership(S, ANN), on_view(BOB, "w"))
    carrying = Carrying({"a": told}, SAME)
    carried_view = carrying.view([origin()])
    assert (carried_view.roles, carried_view.readers, carried_view.lost) == (("r", "s"), (ANN,), ())
    assert (carrying.members("r"), carrying.members("s")) == ((ANN,), (ANN,))
    assert carrying.view([origin(name="w")]).roles == ()
    lost = "none of its roles has the view, and no rule gives it a role of its own"
    assert why(carrying, origin(name="w")) == {"bob": lost}
    own = (CarryingRule("bob", role="of {name}", member="{name}"), *SAME)
    carried_view = Carrying({"a": told}, own).view([origin(name="w")])
    assert (carried_view.roles, carried_view.readers, carried_view.lost) == (
        ("of bob",),
        (BOB,),
        (),
    )


def test_what_cannot_be_said_is_listed_with_its_reason() -> None:
    told = access(
        on_view(R, grantable=True),
        on_view(R, privilege=Privilege.OWN, basis=Basis.OWNER),
        on_view(BOB, column="c"),
        on_view(STAFF, privilege=Privilege.MODIFY),
        on_view(EVERYBODY, "w"),
        Membership(R, ANN, Basis.ON_DEMAND),
    )
    carrying = Carrying({"a": told}, SAME)
    lost = {(lost_right.grantee, lost_right.why) for lost_right in carrying.view([origin()]).lost}
    assert lost == {
        (ANN, "only once a role is set: roles of Gravitino are not set"),
        (BOB, "columns c only: Gravitino has no rights on columns"),
        (R, "owns it: there it is not one user or group, or may not read all of it"),
        (R, "SELECT to hand on: it may read only"),
        (STAFF, "SELECT: only SELECT is carried over"),
    }
    assert why(carrying, origin(name="w")) == {"": "no rule says what it is there"}


def test_who_reads_more_once_a_role_is_set_is_one_line_of_before_and_after() -> None:
    held = Membership(R, ANN, Basis.ON_DEMAND)
    carrying = Carrying({"a": access(on_view(R), on_view(ANN, column="c"), held)}, SAME)
    lines = carrying.access(Identifier(("n",), "v"), [origin()], {"r"})
    assert [(line.grantee, line.before, line.after) for line in lines] == [
        (ANN, "columns", False),
        (R, "all", True),
    ]


def test_names_are_made_of_those_of_the_sources_braces_and_all() -> None:
    odd = Grantee("o{user}d{name}@h.x", GranteeKind.USER)
    rule = CarryingRule(role="u-{user}", member="<{name}>")
    carried_view = Carrying({"a": access(on_view(odd))}, (rule,)).view([origin()])
    assert carried_view.roles == ("u-o{user}d{name}",)
    assert [reader.name for reader in carried_view.readers] == ["<o{user}d{name}@h.x>"]


def test_what_has_no_name_there_is_nobody() -> None:
    rules = (CarryingRule(role="{name}", member="{user}"),)
    carrying = Carrying({"a": access(on_view(EVERYBODY), on_view(Grantee("", R.kind)))}, rules)
    carried_view = carrying.view([origin()])
    assert (carried_view.roles, carried_view.readers) == ((), ())
    assert set(why(carrying, origin()).values()) == {"no rule says what it is there"}


def test_two_users_who_become_one_read_what_both_read() -> None:
    here, grantee = (Grantee(f"ann@{host}", GranteeKind.USER) for host in ("h", "%"))
    told = access(on_view(R), on_view(R, "w"), Membership(R, here), on_view(grantee, "w"))
    rules = (SAME[0], CarryingRule(member="{user}"))
    carrying = Carrying({"a": told}, rules)
    held = "role r: its member ann may not read all that the view is made of"
    assert why(carrying, origin()) == {
        "r": held,
        "ann@h": "none of its roles has the view, and no rule gives it a role of its own",
    }
    carried_view = carrying.view([origin(name="w")])
    assert (carried_view.roles, carried_view.readers) == (("r",), (ANN,))


def test_a_view_made_of_two_is_for_those_who_read_both() -> None:
    both, one = (
        access(on_view(R), on_view(S), Membership(R, ANN), Membership(S, ANN)),
        access(on_view(R), Membership(R, ANN)),
    )
    carried_view = Carrying({"a": both, "b": one}, SAME).view([origin("a"), origin("b")])
    assert (carried_view.roles, carried_view.readers) == (("r",), (ANN,))
    assert [(lost.source, lost.grantee) for lost in carried_view.lost] == [("a", S)]


USERS = [Grantee(f"{name}@{host}", GranteeKind.USER) for name in "ab" for host in "xy"]
ROLES = [Grantee(name, GranteeKind.ROLE) for name in "rst"]
ANYBODY = st.sampled_from([*USERS, *ROLES, STAFF, EVERYBODY])
GRANTS = st.builds(
    Grant,
    st.just(("d",)),
    st.sampled_from("vw"),
    ANYBODY,
    st.sampled_from([Privilege.SELECT, Privilege.OWN, Privilege.MODIFY]),
    st.just("x"),
    st.sampled_from([None, None, None, "c"]),
)
MEMBERS = st.builds(
    Membership,
    st.sampled_from(ROLES),
    st.sampled_from([*USERS, *ROLES, STAFF]),
    st.sampled_from([Basis.ACTIVE, Basis.ACTIVE, Basis.ON_DEMAND]),
)
ANY_RULE = st.builds(
    CarryingRule,
    st.sampled_from(["*", "a@*", "r", "", "staff"]),
    st.sampled_from([None, "a", "b"]),
    st.sampled_from([None, *GranteeKind]),
    st.sampled_from([None, "{name}", "{user}", "all"]),
    st.sampled_from([None, "{name}", "{user}", "all"]),
)
USUAL_RULES = st.permutations(
    [
        CarryingRule(kind=GranteeKind.ROLE, role="{name}"),
        CarryingRule(kind=GranteeKind.USER, member="{user}"),
        CarryingRule("a@*", role="of {user}", member="{name}"),
        CarryingRule("", role="everybody"),
        CarryingRule("staff", role="all", member="{name}"),
    ]
)
RULES = st.one_of(USUAL_RULES, USUAL_RULES, st.lists(ANY_RULE, max_size=4))
SOURCE = st.tuples(
    st.lists(GRANTS, min_size=1, max_size=8), st.lists(MEMBERS, min_size=1, max_size=6)
)


def reads(told: tuple[list[Grant], list[Membership]], who: Grantee, name: str) -> bool:
    """Whether somebody reads a view by itself: counted anew, from the member up."""
    grants, members = told
    identities, new = {who, EVERYBODY}, {who}
    while new:
        up = {m.role for m in members if m.member in new and m.basis is Basis.ACTIVE}
        new = up - identities
        identities |= new
    return any(
        grant.grantee in identities
        and grant.name == name
        and grant.column is None
        and grant.privilege is not Privilege.MODIFY
        for grant in grants
    )


@pytest.mark.slow
@settings(max_examples=500)
@given(SOURCE, SOURCE, RULES, st.sampled_from(["v", "w"]), st.booleans())
def test_whatever_the_rules_say_nobody_reads_who_did_not(
    one: tuple[list[Grant], list[Membership]],
    other: tuple[list[Grant], list[Membership]],
    rules: list[CarryingRule],
    name: str,
    both: bool,
) -> None:
    told = {"a": one, "b": other} if both else {"a": one}
    sources = {place: access(*grants, *members) for place, (grants, members) in told.items()}
    carrying = Carrying(sources, rules)
    found = carrying.view([origin(place, name) for place in told])
    assert set(found.readers) == {who for role in found.roles for who in carrying.members(role)}

    def named(pattern: str | None, who: Grantee) -> str | None:
        user = who.name.rpartition("@")[0] or who.name
        return pattern and pattern.replace("{name}", who.name).replace("{user}", user)

    def ruled(place: str) -> list[tuple[Grantee, CarryingRule]]:
        first = (
            (who, next((one for one in rules if one.fits(place, who)), CarryingRule()))
            for who in sources[place].grantees
        )
        return list(first)

    for role in found.roles:
        for place, stated in told.items():
            was = [who for who, rule in ruled(place) if named(rule.role, who) == role]
            assert was, "what a role stands for is in each source of the view"
            assert all(reads(stated, who, name) for who in was)
    for reader in found.readers:
        for place, stated in told.items():
            same = [one for one in ruled(place) if one[0].kind is reader.kind]
            was = [who for who, rule in same if named(rule.member, who) == reader.name]
            assert was
            assert all(reads(stated, who, name) for who in was)


def test_rules_stand_in_the_configuration(tmp_path: Path) -> None:
    path = tmp_path / "estate.yaml"
    rule = {"source": "a", "kind": "role", "grantee": "bi_*", "role": "{name}"}
    said = {"warehouse": "w", "sources": {"a": {"kind": "archive", "path": "x"}}, "rights": [rule]}
    path.write_text(json.dumps(said), encoding="utf-8")
    wanted = CarryingRule("bi_*", "a", GranteeKind.ROLE, "{name}")
    assert loader.load(path).carrying == (wanted,)
    said["rights"] = [{**rule, "source": "b", "kind": "king"}]
    path.write_text(json.dumps(said), encoding="utf-8")
    with pytest.raises(ConfigurationError, match="'b' is no source") as raised:
        loader.load(path)
    assert "kind" in str(raised.value)
