import json
from pathlib import Path
from typing import Any

import pytest

from discovery.errors import ConfigurationError
from jobs.migrating import plan_folder
from jobs.migrating.plan_folder import Destination, PlanHead

HEAD = PlanHead(
    "p",
    "r",
    "2026-11-21T00:00:00+00:00",
    "0",
    "estate.yaml",
    {"t": Destination("gravitino-store", "why", False, ((("a", "b"), "{}"),), {"create": 1})},
)


def row(name: str, **more: Any) -> dict[str, Any]:
    place = {"target": "t", "namespace": ["db"], "name": name, "action": "create", "wave": 0}
    rest: dict[str, Any] = {
        "reason": "it is not there yet",
        "losses": [],
        "fingerprint": "1:x",
        "expected": None,
    }
    return {**place, **rest, "origins": [{"source": "s", "key": "db.é"}], "drafts": [], **more}


def written(folder: Path, *rows: dict[str, Any]) -> list[str]:
    plan_folder.write_lines(folder / plan_folder.CHANGES, rows)
    return (folder / plan_folder.CHANGES).read_text(encoding="utf-8").splitlines()


def test_a_head_reads_back(tmp_path: Path) -> None:
    text = json.dumps(HEAD.to_json())
    (tmp_path / plan_folder.HEAD).write_text(text, encoding="utf-8")
    assert plan_folder.read_head(tmp_path) == HEAD


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"format": 7}'])
def test_what_is_no_plan_is_refused_with_its_place(tmp_path: Path, text: str) -> None:
    (tmp_path / plan_folder.HEAD).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"plan\.json: "):
        plan_folder.read_head(tmp_path)


def test_a_folder_without_a_plan_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"plan\.json: No such file"):
        plan_folder.read_head(tmp_path)


def test_lines_may_be_deleted_and_drafts_adopted(tmp_path: Path) -> None:
    lines = written(tmp_path, row("a"), row("b", drafts=["trino"]), row("c"))
    adopted = lines[1].replace('"adopt": false', '"adopt": true')
    (tmp_path / plan_folder.CHANGES).write_text(f"{adopted}\n\n{lines[2]}\n", encoding="utf-8")
    names = [json.loads(line)["change"] for line in lines]
    assert list(plan_folder.read_changes(tmp_path)) == [(names[1], True), (names[2], False)]


def test_equal_views_at_other_places_are_other_changes(tmp_path: Path) -> None:
    names = {json.loads(line)["change"] for line in written(tmp_path, row("a"), row("b"))}
    assert len(names) == 2


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"db"', '"other"', "has been edited"),
        ('"action": "create"', '"action": "drop"', "has been edited"),
        ('"wave": 0', '"wave": 1', "has been edited"),
        ("}", ', "adopt": true}', "there is no draft to adopt"),
        ("{", "", "is no change"),
        ('"change"', '"chance"', "is no change"),
    ],
)
def test_any_other_edit_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    first, second = written(tmp_path, row("a"), row("b"))
    (tmp_path / plan_folder.CHANGES).write_text(
        f"{first}\n{second.replace(old, new, 1)}\n", encoding="utf-8"
    )
    with pytest.raises(ConfigurationError, match=rf"changes\.jsonl:2: .*{told}") as raised:
        list(plan_folder.read_changes(tmp_path))
    assert "delete a line" in raised.value.hint
