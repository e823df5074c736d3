"""Rights at a target that has some already: nobody reads afterwards who did not before."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discovery.errors import MovedError
from discovery.model import Identifier
from discovery.ports import Action
from discovery.rights.carrying import Carrying, CarryingRule
from discovery.rights.changes import RightsChange, rights_change_of_json
from discovery.rights.granting import GivenRights, WantedRights, give_rights, given_rights_of_json
from discovery.rights.model import Grant, Grantee, GranteeKind, Membership
from discovery.rights.roles import KeptRights, KeptRole, Right, reads
from tests.unit import test_rights_carrying as sources

ANN, BOB = (Grantee(name, GranteeKind.USER) for name in ("ann", "bob"))
STAFF = Grantee("staff", GranteeKind.GROUP)
V, W = Identifier(("s",), "v"), Identifier(("u",), "w")
USE = Right("CATALOG", "c", "USE_CATALOG")


def in_schema(name: str) -> Right:
    return Right("SCHEMA", f"c.{name}", "USE_SCHEMA")


def select(place: str, kind: str = "VIEW") -> Right:
    return Right(kind, place, "SELECT_VIEW")


def needed(view: Identifier) -> tuple[Right, ...]:
    (schema,) = view.namespace
    return USE, in_schema(schema), select(f"c.{schema}.{view.name}")


def role(*rights: Right, denied: Iterable[Right] = ()) -> KeptRole:
    return KeptRole(frozenset(rights), frozenset(denied))


def kept(roles: dict[str, KeptRole], **members: set[str]) -> KeptRights:
    known = {"ann": ANN, "bob": BOB, "staff": STAFF}
    return KeptRights(roles, {known[name]: frozenset(has) for name, has in members.items()})


def wanted(owners: dict[Identifier, Grantee] | None = None, **views: Any) -> WantedRights:
    """Role `r` for what is named, of which ann is a member."""
    some = {V: ("r",), W: ("q",)} if views.get("both") else {V: ("r",)}
    members = {"r": (ANN,), "q": (BOB,)} if views.get("both") else {"r": (ANN,)}
    return WantedRights(some, members, owners or {}, {view: needed(view) for view in some})


def given_to(
    there: KeptRights,
    want: WantedRights | None = None,
    owners: dict[Identifier, Grantee | None] | None = None,
) -> GivenRights:
    want = want or wanted()
    return give_rights("t", want, there, owners or {}, want.aims)


def told(found: GivenRights) -> list[str]:
    return [f"{change.action} {change.what}" for change in found.changes]


def test_a_role_is_made_with_its_privileges_before_it_has_members() -> None:
    given_rights = given_to(kept({}, ann=set()))
    assert told(given_rights) == [
        "create the role r",
        "create USE_CATALOG on c of the role r",
        "create USE_SCHEMA on c.s of the role r",
        "create SELECT_VIEW on c.s.v of the role r",
        "create the role r of the user ann",
    ]
    assert (given_rights.left, given_rights.blocked) == ((), 0)
    assert [change.view for change in given_rights.changes if change.view] == [V]
    assert given_rights_of_json(given_rights.to_json()) == given_rights


def test_what_is_there_already_is_kept_and_what_is_not_there_is_named() -> None:
    found = given_to(kept({"r": role(USE, in_schema("s"))}))
    assert told(found)[:3] == [
        "keep the role r",
        "keep USE_CATALOG on c of the role r",
        "keep USE_SCHEMA on c.s of the role r",
    ]
    assert [rights_change.what for rights_change in found.made] == [
        "SELECT_VIEW on c.s.v of the role r"
    ]
    assert (found.left, found.blocked) == (("the target has no user ann",), 0)
    given_rights = given_to(kept({"r": role(*needed(V))}, ann={"r"}))
    assert (given_rights.made, given_rights.left) == ((), ())


@pytest.mark.parametrize(
    ("there", "why"),
    [
        (role(select("c.s.x")), "the role r is there, and it has SELECT_VIEW on c.s.x already"),
        (role(denied=[USE]), "the role r is there, and it denies USE_CATALOG on c"),
        (role(), "the role r is there, and the user bob is a member of it already"),
    ],
)
def test_a_role_of_somebody_else_is_left_alone(there: KeptRole, why: str) -> None:
    members = {"r"} if there == role() else set()
    given_rights = given_to(kept({"r": there}, ann=set(), bob=members))
    assert (told(given_rights), given_rights.left, given_rights.blocked) == (
        ["keep the role r"],
        (why,),
        1,
    )


@pytest.mark.parametrize(
    ("other", "woken"),
    [
        (role(Right("TABLE", "c.s.t", "SELECT_TABLE")), True),
        (role(Right("CATALOG", "c", "SELECT_TABLE")), True),
        (role(Right("METALAKE", "m", "MODIFY_TABLE")), True),
        (role(Right("TABLE", "c.z.t", "SELECT_TABLE"), in_schema("z")), True),
        (role(Right("TABLE", "c.s.t", "SELECT_TABLE"), in_schema("s"), USE), False),
        (role(Right("CATALOG", "c", "SELECT_TABLE"), in_schema("s"), USE), False),
        (role(Right("TABLE", "d.s.t", "SELECT_TABLE")), False),
        (role(Right("METALAKE", "m", "MANAGE_USERS")), False),
    ],
)
def test_nobody_gets_a_role_with_which_something_else_comes_into_force(
    other: KeptRole, woken: bool
) -> None:
    given_rights = given_to(kept({"o": other}, ann={"o"}))
    assert bool(given_rights.blocked) is woken
    assert ("create the role r of the user ann" in told(given_rights)) is not woken
    if woken:
        assert "by the role o is of no use now, and would come into force" in given_rights.left[0]
    held = given_to(kept({"o": other, "r": role()}, ann={"o", "r"}))
    assert [rights_change.what for rights_change in held.made] == (
        [] if woken else told_rights()
    ), "she is in it"
    assert given_to(kept({"o": other}, ann=set(), bob={"o"})).blocked == 0, "she is not bob"
    grouped = given_to(kept({"o": other}, ann=set(), staff={"o"}))
    assert bool(grouped.blocked) is woken, "she may be in the group"


def told_rights() -> list[str]:
    return [f"{right} of the role r" for right in sorted(needed(V))]


def test_owners_are_set_and_given_back() -> None:
    kept_rights, want = kept({}, ann=set(), bob=set()), wanted({V: ANN, W: BOB})
    given_rights = given_to(kept_rights, want, {V: BOB, W: BOB})
    of_views = [change for change in given_rights.changes if not change.role]
    assert [(rights_change.action, rights_change.before) for rights_change in of_views] == [
        (Action.CREATE, BOB),
        ("keep", None),
    ]
    back = of_views[0].inverse
    assert back.is_to_drop(kept_rights, {V: ANN}), "it is as we have set it"
    assert not back.is_to_drop(kept_rights, {V: BOB}), "it is as it was"
    with pytest.raises(MovedError, match="the group staff is it now"):
        back.is_to_drop(kept_rights, {V: STAFF})
    assert "s.v stays with its owner" in given_rights.alone().left[0]
    assert [
        rights_change.what for rights_change in given_rights.alone().made if not rights_change.role
    ] == []
    made = replace(of_views[0], before=None)
    assert not made.inverse.is_to_drop(kept_rights, {V: ANN}), "it goes with the view"
    assert made.as_it_is_to_do(kept_rights, {V: None}) == made
    assert made.as_it_is_to_do(kept_rights, {V: BOB}) == of_views[0], "whom the server has set"
    assert made.as_it_is_to_do(kept_rights, {V: ANN}) is None
    with pytest.raises(MovedError, match="the group staff is it now"):
        of_views[0].as_it_is_to_do(kept_rights, {V: STAFF})
    gone = given_to(kept({}), want, {V: None})
    assert gone.left[0] == "s.v has no owner, and could not be without one again"
    assert gone.left[1:] == ("the target has no user ann", "the target has no user bob")


def test_a_role_is_dropped_only_while_it_has_nothing() -> None:
    drop = RightsChange("t", Action.DROP, "r")
    assert drop.is_to_drop(kept({"r": role()}), {})
    assert not drop.is_to_drop(kept({}), {})
    for kept_rights in (kept({"r": role(USE)}), kept({"r": role()}, bob={"r"})):
        with pytest.raises(MovedError):
            drop.is_to_drop(kept_rights, {})


def test_a_line_that_was_edited_is_none() -> None:
    line = RightsChange("t", Action.CREATE, "r", select("c.s.v"), view=V).to_json()
    assert rights_change_of_json(line).to_json() == line
    with pytest.raises(ValueError, match="edited"):
        rights_change_of_json({**line, "role": "admin"})


PLACES = [
    ("METALAKE", "m"),
    ("CATALOG", "c"),
    *(("SCHEMA", f"c.{name}") for name in "dz"),
    *(("VIEW", f"c.{name}") for name in ("d.v", "d.w", "d.x", "z.x")),
]
USES = st.sampled_from([USE, in_schema("d"), in_schema("z"), Right("CATALOG", "c", "USE_SCHEMA")])
SOME = st.one_of(USES, st.sampled_from([Right(*place, "SELECT_VIEW") for place in PLACES]))
NAMES = ["r", "s", "r", "s", "o", "p", "all"]
HELD = st.builds(
    KeptRole,
    st.frozensets(SOME, max_size=4),
    st.one_of(st.just(frozenset()), st.just(frozenset()), st.frozensets(SOME, max_size=1)),
)
PEOPLE = [Grantee(name, GranteeKind.USER) for name in ("a", "b", "a@x", "all", "other")]
GROUPS = [Grantee(name, GranteeKind.GROUP) for name in ("staff", "all")]


@st.composite
def servers(draw: st.DrawFn) -> KeptRights:
    roles = draw(st.dictionaries(st.sampled_from(NAMES), HELD, max_size=4))
    mine = (
        st.frozensets(st.sampled_from(sorted(roles)), max_size=3) if roles else st.just(frozenset())
    )
    some = draw(st.lists(st.sampled_from([*PEOPLE, *GROUPS]), unique=True, min_size=2))
    return KeptRights(roles, {grantee: frozenset(draw(mine)) for grantee in some})


def after(there: KeptRights, changes: Iterable[RightsChange]) -> KeptRights:
    """What a server has once the changes are made."""
    roles, members = dict(there.roles), dict(there.members)
    for change in changes:
        if change.right is not None:
            before = roles[change.role]
            roles[change.role] = replace(before, allowed=before.allowed | {change.right})
        elif change.member is not None:
            members[change.member] |= {change.role}
        else:
            assert change.role not in roles, "a role is made where there is none"
            roles[change.role] = role()
    return KeptRights(roles, members)


ROLES = ("r", "s")
WANTED = st.builds(
    lambda views, members: WantedRights(
        {Identifier(("d",), name): tuple(sorted(roles)) for name, roles in views.items()},
        members,
        {},
        {Identifier(("d",), name): needed(Identifier(("d",), name)) for name in views},
    ),
    st.fixed_dictionaries(dict.fromkeys("vw", st.sets(st.sampled_from(ROLES), min_size=1))),
    st.fixed_dictionaries(
        dict.fromkeys(ROLES, st.lists(st.sampled_from([*PEOPLE[:2], GROUPS[0]]), unique=True))
    ),
)


def check(there: KeptRights, want: WantedRights, stopped: float) -> None:
    """See that nobody reads more, wherever the changes stopped and whoever is in which group."""
    made = give_rights("t", want, there, {}, want.aims).made
    then = after(there, made[: round(stopped * len(made))])
    others = [*want.views, *(Identifier((place,), "x") for place in "dz")]
    groups = [member for member in there.members if member.kind is GranteeKind.GROUP]
    for user in [None, *(member for member in there.members if member.kind is GranteeKind.USER)]:
        joined = chain.from_iterable(combinations(groups, n) for n in range(len(groups) + 1))
        for grantees in (one if user is None else (user, *one) for one in joined):
            for view in others:
                if reads(then.of(*grantees), needed(view)) and not reads(
                    there.of(*grantees), needed(view)
                ):
                    roles = want.views.get(view, ())
                    allowed = {member for name in roles for member in want.members[name]}
                    assert set(grantees) & allowed, f"{grantees} reads {view} now"


@pytest.mark.slow
@settings(max_examples=300)
@given(servers(), WANTED, st.sampled_from([0.3, 0.6, 1, 1, 1]))
def test_whatever_the_server_has_nobody_reads_who_did_not(
    there: KeptRights, want: WantedRights, stopped: float
) -> None:
    check(there, want, stopped)


@pytest.mark.slow
@settings(max_examples=100)
@given(sources.SOURCE, sources.RULES, servers())
def test_whatever_sources_and_server_have_nobody_reads_who_did_not(
    told: tuple[list[Grant], list[Membership]], rules: list[CarryingRule], there: KeptRights
) -> None:
    grants, members = told
    carrying = Carrying({"a": sources.access(*grants, *members)}, rules)
    views = {Identifier(("d",), name): carrying.view([sources.origin(name=name)]) for name in "vw"}
    roles = {name: carrying.members(name) for view in views.values() for name in view.roles}
    of_each = {view: carried_view.roles for view, carried_view in views.items()}
    check(there, WantedRights(of_each, roles, {}, {view: needed(view) for view in views}), 1)
