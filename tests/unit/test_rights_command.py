"""`belvedere rights`: what it prints of a run, and what it says where rights are not known."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.model import decoded, encoded
from jobs import rights
from jobs.console import command
from jobs.crawling.tables import GRANTING, GRANTS
from jobs.warehouse.warehouse import Warehouse
from tests.answered import crawl, note, seen

ODD = 'v"1.%2E'


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """A run of a view with a hostile name, and two in a namespace that would not tell."""
    found = Warehouse(str(tmp_path))
    crawl(found, "r", [], 1, *(view(*place) for place in ((ODD, "open"), ("v", "shut"))))
    return found


def view(name: str, schema: str) -> dict[str, Any]:
    place = {"namespace": [schema], "name": name, "key": encoded([schema, name])}
    return {**seen("daily"), "source": "lake", **place}


def grant(warehouse: Warehouse, *rows: dict[str, Any]) -> None:
    model = {"source": "lake", "entity": "model", "key": "", "word": "hive"}
    warehouse.begin(GRANTING, "r")
    note(warehouse, GRANTS, "r", [model, *({"source": "lake", **row} for row in rows)])
    warehouse.seal(GRANTING, "r")


def on_object(grantee: str, **more: Any) -> dict[str, Any]:
    what = {"privilege": "SELECT", "word": "SELECT", "basis": "granted", "grantable": False}
    who = {"grantee": grantee, "grantee_kind": "user"}
    return {"entity": "object", "key": encoded(["open", ODD]), **who, **what, **more}


def printed(
    warehouse: Warehouse, capsys: pytest.CaptureFixture[str], *more: str
) -> list[dict[str, Any]]:
    place = warehouse._place
    assert rights.main(["--warehouse", place, "--source", "lake", *more]) == command.FINE
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_view_has_a_line_with_its_readers_or_why_they_are_not_known(
    warehouse: Warehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    gap = {"entity": "namespace", "key": "shut", "code": "DENIED", "message": "no right"}
    role = {"entity": "role", "name": "r", "key": "", "role_kind": "role", "grantee": "bob"}
    held = {**role, "grantee_kind": "user", "privilege": "MEMBER", "basis": "active"}
    grant(
        warehouse,
        on_object("ann", column="a"),
        on_object("r", grantee_kind="role"),
        {**held, "word": "MEMBER", "grantable": False},
        gap,
    )
    ann = {"name": "ann", "kind": "user", "through": [], "on_demand": False, "columns": ["a"]}
    bob = {"name": "bob", "kind": "user", "through": ["r"], "on_demand": False, "columns": []}
    r = {"name": "r", "kind": "role", "through": [], "on_demand": False, "columns": []}
    known, unknown = printed(warehouse, capsys)
    place = {"source": "lake", "namespace": ["open"], "name": ODD}
    assert known == {**place, "readers": [ann, bob, r], "unknown": None}
    assert (unknown["readers"], unknown["unknown"]) == (None, "DENIED: no right")
    of_ann = printed(warehouse, capsys, "--grantee", "ann")
    assert [one["readers"] for one in of_ann] == [[ann], None], "what is not known may be hers"
    assert printed(warehouse, capsys, "--grantee", "cyd") == [unknown]
    assert printed(warehouse, capsys, "--view", "open.*") == [known]


def test_a_source_that_told_nothing_has_no_view_without_readers(
    warehouse: Warehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    why = {"source": "lake", "entity": "source", "key": "", "code": "GRANTS_NOT_TOLD"}
    warehouse.begin(GRANTING, "r")
    note(warehouse, GRANTS, "r", [{**why, "message": "not read"}])
    warehouse.seal(GRANTING, "r")
    told = printed(warehouse, capsys)
    assert [one["unknown"] for one in told] == ["GRANTS_NOT_TOLD: not read"] * 2


def test_a_run_that_asked_for_no_rights_says_so(
    warehouse: Warehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rights.main(["--warehouse", warehouse._place]) == command.USAGE
    assert "run r has not asked who may do what" in capsys.readouterr().err


@given(st.lists(st.text(), min_size=1))
def test_keys_lead_back_to_levels(levels: list[str]) -> None:
    if levels != [""]:
        assert list(decoded(encoded(levels))) == levels
