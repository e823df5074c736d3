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
from jobs.migrating.plan_folder import HEAD, PlanHead
from jobs.migrating.tables import CHANGES
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


def grant(warehouse: Warehouse, *rows: dict[str, Any], model: str = "hive") -> None:
    by = {"source": "lake", "entity": "model", "key": "", "word": model}
    warehouse.begin(GRANTING, "r")
    note(warehouse, GRANTS, "r", [by, *({"source": "lake", **row} for row in rows)])
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


def test_a_name_that_nobody_has_is_refused_with_those_that_are_near(
    warehouse: Warehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    grant(warehouse, on_object("ann"), on_object("bob"), on_object("", grantee_kind="public"))
    place = ["--warehouse", warehouse._place]
    assert rights.main([*place, "--grantee", "anne"]) == command.USAGE
    said = capsys.readouterr()
    assert said.out == ""
    assert "nobody called 'anne' has a right or a role" in said.err
    assert "did you mean 'ann'?" in said.err
    assert rights.main([*place, "--grantee", "zoe"]) == command.USAGE
    assert "without --grantee, all readers are printed" in capsys.readouterr().err
    assert [one["name"] for one in printed(warehouse, capsys, "--grantee", "bob")] == [ODD]


def test_of_an_account_of_mysql_the_user_is_enough(
    warehouse: Warehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    grant(
        warehouse,
        *(on_object(name) for name in ("ann@%", "ann@localhost", "bob@h", "@h")),
        model="mysql",
    )
    for name, accounts in (
        ("ann", ["ann@%", "ann@localhost"]),
        ("ann@%", ["ann@%"]),
        ("bob", ["bob@h"]),
    ):
        (known,) = printed(warehouse, capsys, "--grantee", name)[:1]
        assert [reader["name"] for reader in known["readers"]] == accounts
    assert rights.main(["--warehouse", warehouse._place, "--grantee", "anna"]) == command.USAGE
    assert "did you mean 'ann@%', 'ann@localhost'?" in capsys.readouterr().err


def test_a_name_that_nobody_has_may_have_what_is_not_known(
    warehouse: Warehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    gap = {"entity": "namespace", "key": "shut", "code": "DENIED", "message": "no right"}
    grant(warehouse, on_object("ann"), gap)
    place = ["--warehouse", warehouse._place]
    assert rights.main([*place, "--grantee", "anne"]) == command.FINE
    said = capsys.readouterr()
    assert [json.loads(line)["name"] for line in said.out.splitlines()] == ["v"]
    assert "nobody called 'anne' has a right or a role that is known; did you mean" in said.err


def test_a_source_that_told_nothing_has_no_view_without_readers(
    warehouse: Warehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    why = {"source": "lake", "entity": "source", "key": "", "code": "GRANTS_NOT_TOLD"}
    warehouse.begin(GRANTING, "r")
    note(warehouse, GRANTS, "r", [{**why, "message": "not read"}])
    warehouse.seal(GRANTING, "r")
    told = printed(warehouse, capsys)
    assert [one["unknown"] for one in told] == ["GRANTS_NOT_TOLD: not read"] * 2


def test_a_right_that_leaves_open_what_it_is_on_leaves_every_reader_of_it_unknown(
    warehouse: Warehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    open_to = {"entity": "namespace", "key": "shut", "basis": "undecided"}
    grant(
        warehouse,
        on_object("ann"),
        {**on_object("IAM_ALLOWED_PRINCIPALS"), **open_to},
        model="lake formation",
    )
    known, unknown = printed(warehouse, capsys)
    assert [reader["name"] for reader in known["readers"]] == ["ann"]
    why = "GRANTS_NOT_TOLD: IAM decides who may read it: SELECT of IAM_ALLOWED_PRINCIPALS"
    assert (unknown["readers"], unknown["unknown"]) == (None, why)
    tags = {
        "entity": "source",
        "key": "",
        "basis": "undecided",
        "word": "SELECT on tables with a=b",
    }
    grant(warehouse, on_object("ann"), {**on_object("bob"), **tags}, model="lake formation")
    assert [one["readers"] for one in printed(warehouse, capsys)] == [None, None]


def test_a_run_that_asked_for_no_rights_says_so(
    warehouse: Warehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rights.main(["--warehouse", warehouse._place]) == command.USAGE
    assert "run r has not asked who may do what" in capsys.readouterr().err


def test_a_plan_says_what_becomes_of_rights_and_of_which_nothing_can_be_said(
    warehouse: Warehouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    member = {"entity": "role", "name": "r", "key": "", "role_kind": "role", "grantee": "bob"}
    held = {**member, "grantee_kind": "user", "privilege": "MEMBER", "basis": "active"}
    gap = {"entity": "namespace", "key": "shut", "code": "DENIED", "message": "no right"}
    grant(
        warehouse,
        on_object("ann", column="a"),
        on_object("r", grantee_kind="role"),
        {**held, "word": "MEMBER", "grantable": False},
        gap,
    )
    rules = [{"kind": "role", "role": "bi_{name}"}, {"kind": "user", "member": "{name}"}]
    sources = {"lake": {"kind": "archive", "path": "x"}}
    said = {"warehouse": str(tmp_path), "sources": sources, "rights": rules}
    (tmp_path / "estate.yaml").write_text(json.dumps(said), encoding="utf-8")
    config, folder = str(tmp_path / "estate.yaml"), tmp_path / "plan"
    folder.mkdir()
    head = PlanHead("p", "r", "2026-11-22T00:00:00Z", "0.1.0", config, "", {})
    (folder / HEAD).write_text(json.dumps(head.to_json()), encoding="utf-8")
    note(
        warehouse,
        CHANGES,
        "p",
        [
            change("one", "create", encoded(["open", ODD])),
            change("two", "keep", encoded(["shut", "v"])),
            change("three", "blocked", encoded(["open", ODD])),
            {**change("four", "keep", encoded(["open", ODD])), "target": ""},
        ],
    )
    assert rights.main(["--plan", str(folder)]) == command.FINE
    one, two, role = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    bob = {"name": "bob", "kind": "user"}
    why = "columns a only: Gravitino has no rights on columns"
    assert one == {
        "target": "t",
        "namespace": ["n"],
        "name": "one",
        "roles": ["bi_r"],
        "readers": [bob],
        "owner": None,
        "lost": [{"source": "lake", "name": "ann", "kind": "user", "why": why}],
        "access": [
            told("ann", "user", "columns", "lost", why),
            told("bob", "user", "all", "same"),
            told("r", "role", "all", "same"),
        ],
        "unknown": None,
    }
    assert (two["name"], two["roles"], two["readers"]) == ("two", [], None)
    assert two["unknown"] == "lake: DENIED: no right"
    assert role == {"target": "t", "role": "bi_r", "members": [bob]}


def told(name: str, kind: str, before: str, difference: str, why: str = "") -> dict[str, Any]:
    who = {"source": "lake", "grantee": name, "kind": kind, "before": before}
    return {**who, "after": difference == "same", "difference": difference, "why": why}


def change(name: str, action: str, key: str) -> dict[str, Any]:
    origins = [{"source": "lake", "key": key, "at": "1:x"}]
    place = {"target": "t", "namespace": ["n"], "name": name, "key": f"n.{name}"}
    return {**place, "action": action, "origins": origins}


@given(st.lists(st.text(), min_size=1))
def test_keys_lead_back_to_levels(levels: list[str]) -> None:
    if levels != [""]:
        assert list(decoded(encoded(levels))) == levels
