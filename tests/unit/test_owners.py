"""What an owner is, user, role or group, comes through from a metastore to tables and archives."""

import json
from pathlib import Path
from typing import Any

import pytest

from discovery import wire
from discovery.crawl import normalize
from discovery.model import OwnerKind, Schema, View, owner_text
from discovery.outcomes import Listed, Outcome, RawObject

GOLDEN = Path(__file__).parents[1] / "golden" / "hms"


def view(**more: Any) -> Outcome:
    case: dict[str, Any] = json.loads((GOLDEN / "hive401-v_simple.json").read_text("utf-8"))
    payload = case["raw"]["payload"] | {"owner": "analysts"} | more
    return normalize(RawObject(Listed(("d",), "v"), "hive_table", payload))


@pytest.mark.parametrize(
    ("stated", "kind"),
    [
        (1, OwnerKind.USER),
        (2, OwnerKind.ROLE),
        (3, OwnerKind.GROUP),
        ("ROLE", OwnerKind.ROLE),
        (None, OwnerKind.USER),
        (9, OwnerKind.USER),
        ([2], OwnerKind.USER),
    ],
)
def test_the_owner_of_a_view_has_a_kind(stated: object, kind: OwnerKind) -> None:
    outcome = view(ownerType=stated)
    assert isinstance(outcome.result, View)
    assert (outcome.result.audit.creator, outcome.result.audit.creator_kind) == ("analysts", kind)
    again = wire.view_from_json(json.loads(outcome.text), outcome.result.identifier.namespace)
    assert again == outcome.result
    said = json.loads(outcome.text)["audit"].get("creatorKind")
    assert said == (None if kind is OwnerKind.USER else kind.value)


def test_who_owns_a_view_is_no_part_of_its_fingerprint() -> None:
    assert view(ownerType=2).fingerprint == view(ownerType=1).fingerprint


def test_nobody_is_no_role() -> None:
    outcome = view(ownerType=2, owner="")
    assert isinstance(outcome.result, View)
    assert outcome.result.audit.creator_kind is OwnerKind.USER


def test_the_owner_of_a_database_has_a_kind() -> None:
    payload = {"name": "sales", "ownerName": "staff", "ownerType": 3}
    outcome = normalize(RawObject(Listed(("sales",), ""), "hive_database", payload))
    assert isinstance(outcome.result, Schema)
    assert (outcome.result.owner, outcome.result.owner_kind) == ("staff", OwnerKind.GROUP)
    assert wire.schema_from_text(outcome.text, ("sales",)) == outcome.result
    user = normalize(RawObject(Listed(("sales",), ""), "hive_database", payload | {"ownerType": 1}))
    assert "Kind" not in user.text


def test_a_role_is_told_from_a_user_of_its_name() -> None:
    shown = [owner_text("analysts", kind) for kind in OwnerKind]
    assert shown == ["analysts", "role:analysts", "group:analysts"]
    assert owner_text(None, OwnerKind.ROLE) is None
