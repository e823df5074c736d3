from typing import Any

import pytest
from hypothesis import given

from discovery import wire
from discovery.crawl import normalize
from discovery.formats import canonical
from discovery.model import Audit, Identifier, Schema, View
from discovery.outcomes import Failure, Listed, Outcome, RawObject
from tests.unit.test_wire import times, views

VIEW: dict[str, Any] = {
    "formatVersion": 1,
    "namespace": ["a", "b"],
    "name": "v",
    "columns": [{"name": "id", "type": "long", "nullable": True}],
    "representations": [{"type": "sql", "dialect": "trino", "sql": "SELECT 1"}],
    "properties": {"k": "v"},
}
SCHEMA: dict[str, Any] = {
    "formatVersion": 1,
    "namespace": ["a", "b"],
    "name": "b",
    "properties": {},
}
COLUMN = {"name": "id", "type": "long", "nullable": True}


def read(kind: str, payload: dict[str, Any]) -> Outcome:
    return normalize(RawObject(Listed((), "x"), kind, payload))


@given(views)
def test_a_view_comes_back_with_its_audit_data(view: View) -> None:
    text, fingerprint = wire.view_text(view)
    outcome = read("view", canonical.payload(view.identifier.namespace, text))
    assert outcome.result == view
    assert (outcome.format, outcome.text, outcome.fingerprint) == ("canonical", text, fingerprint)


@given(times)
def test_a_namespace_comes_back_with_its_audit_data(time: Any) -> None:
    schema = Schema(
        levels=("a", "b.c"),
        comment="",
        properties=(("k", "v"),),
        location="file:///x",
        owner="alice",
        audit=Audit(creator="bob", create_time=time),
    )
    outcome = read("namespace", canonical.payload(schema.levels, wire.schema_text(schema)[0]))
    assert outcome.result == schema


def test_what_people_write_may_leave_nothing_out_but_order() -> None:
    shuffled = dict(reversed(VIEW.items()))
    result = read("view", shuffled).result
    assert isinstance(result, View)
    assert result.identifier == Identifier(("a", "b"), "v")


@pytest.mark.parametrize(
    ("kind", "change", "field"),
    [
        ("view", {"formatVersion": 2}, "formatVersion"),
        ("view", {"namespace": "a"}, "namespace"),
        ("view", {"namespace": []}, "namespace"),
        ("view", {"namespace": ["a", ""]}, "namespace"),
        ("view", {"name": 7}, "name"),
        ("view", {"name": None}, "name"),
        ("view", {"comment": 7}, "comment"),
        ("view", {"columns": [{"name": "id"}]}, "columns"),
        ("view", {"columns": [{**COLUMN, "position": 1}]}, "columns"),
        ("view", {"columns": [{**COLUMN, "type": {"type": "nested"}}]}, "columns"),
        ("view", {"columns": None}, "columns"),
        ("view", {"representations": []}, "representations"),
        ("view", {"representations": [{"dialect": "trino", "sql": "s"}]}, "representations"),
        ("view", {"securityConfig": {"securityMode": "OWNER"}}, "securityConfig"),
        ("view", {"properties": ["k"]}, "properties"),
        ("view", {"properties": {"k": 1}}, "properties"),
        ("view", {"audit": {"createTime": "yesterday"}}, "audit"),
        ("view", {"colour": "red"}, "colour"),
        ("namespace", {"name": "c"}, "name"),
        ("namespace", {"owner": 7}, "owner"),
        ("namespace", {"colour": "red"}, "colour"),
    ],
)
def test_what_is_not_as_we_write_it_is_refused_by_its_member(
    kind: str, change: dict[str, Any], field: str
) -> None:
    failure = read(kind, {**(VIEW if kind == "view" else SCHEMA), **change}).result
    assert isinstance(failure, Failure)
    assert failure.code == "INVALID_ENTRY", failure.message
    assert failure.message.startswith(f"field {field}: ")


@pytest.mark.parametrize("member", ["name", "columns", "representations", "properties"])
def test_a_member_that_is_missing_is_named(member: str) -> None:
    failure = read("view", {key: VIEW[key] for key in VIEW if key != member}).result
    assert isinstance(failure, Failure)
    assert failure.message == f"field {member}: is missing"


def test_a_type_without_end_is_refused() -> None:
    kind: Any = "long"
    for _ in range(5_000):
        kind = {"type": "list", "containsNull": True, "elementType": kind}
    failure = read("view", {**VIEW, "columns": [{**COLUMN, "type": kind}]}).result
    assert isinstance(failure, Failure)
    assert failure.message.startswith("field columns: ")
