"""Rights of a Gravitino server: what real ones have answered, and what the store makes of that."""

import json
from collections.abc import Iterator

import pytest

from discovery.errors import DeniedError, NotHeldError, ReadError
from discovery.model import Identifier
from discovery.rights.model import Grantee, GranteeKind
from discovery.rights.roles import KeptRights, KeptRole, Right, RightsStore
from jobs.migrating.giving import require_rights
from tests.contract.gravitino_rest import opened
from tests.gravitino_double import Double, Fault, gravitino
from tests.recorded.gravitino_rights import RECORDED, asked, played, shown

ANN, STAFF = Grantee("ann", GranteeKind.USER), Grantee("staff", GranteeKind.GROUP)
V, W = Identifier(("s",), "v"), Identifier(("s",), "w")
DIALOGUES = json.loads(RECORDED.read_text(encoding="utf-8"))


@pytest.fixture
def double() -> Iterator[Double]:
    with gravitino("lakehouse-iceberg") as found:
        found.rights.on = True
        found.schema("s")
        found.things["m", "c", "s", "views", "v"] = {"name": "v"}
        yield found


def rights_of(double: Double, **more: str) -> RightsStore:
    return require_rights(opened(double, "lakehouse-iceberg", **{"user": "admin", **more}))


@pytest.mark.parametrize("version", list(DIALOGUES))
def test_the_stand_in_answers_as_real_servers_did(double: Double, version: str) -> None:
    double.rights.groups_shown = version.startswith("1.3.0 ")
    for real, ours in zip(DIALOGUES[version], played(asked(f"{double.uri}/api")), strict=True):
        assert ours["status"] == real["status"], real["asked"]
        assert told(ours["answer"]) == told(real["answer"]), real["asked"]


def told(answer: dict[str, object]) -> dict[str, object]:
    """An answer without its message, and without what only 2.0 says of a user."""
    left = {name: one for name, one in answer.items() if name != "message"}
    return dict(shown(json.loads(json.dumps(left).replace('"enabled": true, ', ""))))


def test_what_is_given_is_there_and_is_gone_once_it_is_taken(double: Double) -> None:
    double.rights.members = {"users": {"admin": [], "ann": []}, "groups": {"staff": []}}
    rights, needed = rights_of(double), rights_of(double).rights_to_read(V)
    rights.create_role("r")
    for right in needed:
        rights.change_right("r", right, given=True)
    for grantee in (ANN, STAFF):
        rights.change_member("r", grantee, given=True)
    rights.set_owner(V, ANN)
    admin = Grantee("admin", GranteeKind.USER)
    r = frozenset({"r"})
    members = {admin: frozenset[str](), ANN: r, STAFF: r}
    assert rights.present() == KeptRights({"r": KeptRole(frozenset(needed))}, members)
    assert rights.owners([V, W]) == {V: ANN}, "what is not there is left out"
    for right in needed:
        rights.change_right("r", right, given=False)
    for grantee in (ANN, STAFF):
        rights.change_member("r", grantee, given=False)
    rights.drop_role("r")
    rights.drop_role("r")
    assert rights.present() == KeptRights({}, dict.fromkeys(members, frozenset()))


def test_what_is_denied_and_what_is_on_other_things_is_read(double: Double) -> None:
    double.rights.roles = {
        "r": [("TABLE", "c.s.t", "SELECT_TABLE", "ALLOW"), ("METALAKE", "m", "USE_SCHEMA", "DENY")]
    }
    allowed = frozenset({Right("TABLE", "c.s.t", "SELECT_TABLE")})
    denied = frozenset({Right("METALAKE", "m", "USE_SCHEMA")})
    assert rights_of(double).present().roles == {"r": KeptRole(allowed, denied)}


def test_nested_schemas_have_one_name_and_dots_none(double: Double) -> None:
    rights = rights_of(double)
    places = [right.place for right in rights.rights_to_read(Identifier(("a", "b"), "v"))]
    assert places == ["c", "c.a:b", "c.a:b.v"]
    with pytest.raises(NotHeldError, match="a name with a dot has no full name"):
        rights.rights_to_read(Identifier(("a.b",), "v"))


def test_a_name_that_would_lead_elsewhere_is_not_sent(double: Double) -> None:
    rights, metalakes = rights_of(double), [thing for thing in double.things if len(thing) == 1]
    for name in (".", "..", ""):
        for write in (rights.create_role, rights.drop_role):
            with pytest.raises(NotHeldError, match="cannot stand in a path"):
                write(name)
        with pytest.raises(NotHeldError, match="cannot stand in a path"):
            rights.change_member("r", Grantee(name, GranteeKind.USER), given=True)
    assert double.writes() == []
    assert [thing for thing in double.things if len(thing) == 1] == metalakes
    for name in ("a/b", "ä %2e", "..x", "q\"'", "r;s?t#u"):
        rights.create_role(name)
        assert name in rights.present().roles
        rights.drop_role(name)
        assert rights.present().roles == {}


@pytest.mark.parametrize("lost", [True, False])
def test_what_got_no_answer_is_sent_again(double: Double, lost: bool) -> None:
    double.rights.members["users"]["ann"] = []
    rights = rights_of(double)
    for method, part in (("POST", "roles"), ("PUT", "permissions"), ("PUT", "permissions")):
        double.faults.append(Fault(method, part, before=not lost))
    rights.create_role("r")
    rights.change_member("r", ANN, given=True)
    assert rights.present().members[ANN] == {"r"}
    assert [fault for fault in double.faults if fault.times] == []


def test_who_may_not_see_all_is_told_and_so_is_where_authorization_is_off(double: Double) -> None:
    double.rights.members["users"]["ann"] = []
    with pytest.raises(DeniedError, match="not known which users there are") as raised:
        rights_of(double, user="ann").present()
    assert "owner of the metalake" in raised.value.hint
    double.rights.on = False
    with pytest.raises(NotHeldError, match="You should set 'gravitino"):
        rights_of(double).present()


@pytest.mark.parametrize(
    "body", [{"users": [{}]}, {"users": 1}, {"users": [1]}, {"users": {"name": "x"}}]
)
def test_an_answer_without_sense_is_none(double: Double, body: dict[str, object]) -> None:
    said = json.dumps({"code": 0, **body}).encode()
    double.faults.append(Fault("GET", "users?details", status=200, body=said))
    with pytest.raises(ReadError, match="the server's answer about rights makes no sense"):
        rights_of(double).present()
