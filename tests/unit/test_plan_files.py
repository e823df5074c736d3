import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from discovery.errors import ConfigurationError
from discovery.migration.lines import Line
from discovery.migration.namespaces import FieldEdit, NamespaceEdit
from discovery.migration.routes import ChosenRoute
from discovery.model import Identifier
from discovery.ports import Action
from discovery.rights.changes import RightsChange
from discovery.rights.granting import GivenRights
from discovery.rights.outcome import AccessMatrix
from discovery.tags import GivenTags, TagChange
from jobs.migrating import plan_folder
from jobs.migrating.plan_folder import Destination, PlanHead
from jobs.plan import aside
from reports import plan_summary

HEAD = PlanHead(
    "p",
    "r",
    "2026-11-21T00:00:00+00:00",
    "0",
    "estate.yaml",
    "settings",
    {"t": Destination("gravitino-store", "why", False, ((("a", "b"), "{}"),), {"create": 1})},
)


def row(name: str, *drafts: str) -> Line:
    return Line(
        target="t",
        action="create",
        namespace=("db",),
        name=name,
        wave=0,
        reason="it is not there yet",
        losses=(),
        origins=("s/db.é",),
        before=None,
        after="1:x",
        drafts=drafts,
    )


def written(folder: Path, *lines: Line) -> list[str]:
    plan_folder.write_lines(folder / plan_folder.CHANGES, lines)
    return (folder / plan_folder.CHANGES).read_text(encoding="utf-8").splitlines()


def test_a_head_reads_back(tmp_path: Path) -> None:
    text = json.dumps(HEAD.to_json())
    (tmp_path / plan_folder.HEAD).write_text(text, encoding="utf-8")
    assert plan_folder.read_head(tmp_path) == HEAD


def test_the_route_of_a_target_that_is_no_catalog_is_a_sentence() -> None:
    stated = Destination("hms", ChosenRoute.of_store("hms").why, True, (), {})
    told = plan_summary.render(replace(HEAD, targets={"t": stated}).to_json(), 0, [])
    assert "Route: hms, as configured." in told


def test_what_is_to_be_known_of_sources_stands_in_the_head_and_above_all_targets(
    tmp_path: Path,
) -> None:
    remark = "The source lake bypasses *all*."
    head = replace(HEAD, remarks=(remark,))
    (tmp_path / plan_folder.HEAD).write_text(json.dumps(head.to_json()), encoding="utf-8")
    assert plan_folder.read_head(tmp_path) == head
    assert "remarks" not in HEAD.to_json(), "plans of before are as they were"
    lines = plan_summary.render(head.to_json(), 0, []).splitlines()
    assert lines[2] == "**The source lake bypasses \\*all\\*.**"


def test_tags_stand_in_the_head_a_file_and_the_summary(tmp_path: Path) -> None:
    view = TagChange("t", Identifier(("s",), "v"), ("w1",), ("w2",))
    changes = (TagChange("t", None, (), ("w2",)), view, replace(view, before=("w2",)))
    given = GivenTags(changes, ("1 view: no wave",), 1)
    head = replace(HEAD, targets={"t": replace(HEAD.targets["t"], tags=given)})
    (tmp_path / plan_folder.HEAD).write_text(json.dumps(head.to_json()), encoding="utf-8")
    plan_folder.write_edits(tmp_path, head.targets)
    assert plan_folder.with_chosen_edits(plan_folder.read_head(tmp_path), tmp_path) == head
    assert "tags" not in HEAD.targets["t"].to_json()
    told = plan_summary.render(head.to_json(), 0, [])
    start = (
        "Tags: 1 to be made, 1 view gets its own, 1 of them instead of another; there already: 1."
    )
    assert f"{start}\n- none: 1 view: no wave\n" in told
    (reason,) = aside(head, tmp_path, {})
    assert reason.sentence == "t: tags are not given, 1 reasons"


@pytest.mark.parametrize("name", ["tags", "rights"])
@pytest.mark.parametrize("place", [[], ""])
def test_a_line_about_a_view_without_a_name_is_told(
    tmp_path: Path, name: str, place: object
) -> None:
    view = Identifier(("s",), "v")
    tag, right = TagChange("t", view, (), ("w",)), RightsChange("t", Action.CREATE, view=view)
    given = replace(HEAD.targets["t"], tags=GivenTags((tag,)), rights=GivenRights((right,)))
    head = replace(HEAD, targets={"t": given})
    plan_folder.write_edits(tmp_path, head.targets)
    path = tmp_path / f"{name}.jsonl"
    line = {**json.loads(path.read_text(encoding="utf-8")), "view": place}
    path.write_text(f"\n{json.dumps(line)}", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=rf"{name}\.jsonl:2: is no .* of another kind"):
        plan_folder.with_chosen_edits(head, tmp_path)


@pytest.mark.parametrize("number", [2, 6])
def test_a_plan_of_a_format_before_is_still_applied(tmp_path: Path, number: int) -> None:
    older = replace(HEAD, format=number)
    (tmp_path / plan_folder.HEAD).write_text(json.dumps(older.to_json()), encoding="utf-8")
    assert plan_folder.read_head(tmp_path) == older
    assert plan_folder.read_head(tmp_path).digest == older.digest != HEAD.digest


DEEP = "[" * 100_000
NO_PLAN = ["", "[]", "{}", "5", DEEP, f'{{"format": {DEEP}', '{"format": 1}', '{"format": 2}']


@pytest.mark.parametrize("text", NO_PLAN)
def test_what_is_no_plan_is_refused_with_its_place(tmp_path: Path, text: str) -> None:
    (tmp_path / plan_folder.HEAD).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"plan\.json: "):
        plan_folder.read_head(tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("estate.yaml", "other.yaml"),
        ('"settings": "settings"', '"settings": "other"'),
        ('"t": {', '"u": {'),
        ("[[", '[[[["c"], "{}"], ['),
        ('"undoes": null, ', ""),
        ('"plan"', '"plam"'),
    ],
)
def test_a_head_that_was_edited_is_refused(tmp_path: Path, old: str, new: str) -> None:
    text = json.dumps(HEAD.to_json())
    assert old in text
    (tmp_path / plan_folder.HEAD).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"plan\.json: ") as raised:
        plan_folder.read_head(tmp_path)
    assert "plan again" in raised.value.hint


def test_a_comment_may_be_added_and_the_file_laid_out_otherwise(tmp_path: Path) -> None:
    said = {"comment": ["approved", {"by": "anna"}], **HEAD.to_json()}
    text = json.dumps(dict(reversed(said.items())), indent=4)
    (tmp_path / plan_folder.HEAD).write_text(text, encoding="utf-8")
    assert plan_folder.read_head(tmp_path) == HEAD


def test_garbage_behind_a_right_digest_is_no_trace(tmp_path: Path) -> None:
    wrong: dict[str, Any]
    for wrong in ({"plan": 5}, {"targets": []}, {"targets": {"t": {}}}, {"more": 1}):
        said = {**HEAD.to_json(), **wrong}
        del said["digest"]
        text = json.dumps(said, sort_keys=True)
        said["digest"] = hashlib.sha256(text.encode()).hexdigest()[:16]
        (tmp_path / plan_folder.HEAD).write_text(json.dumps(said), encoding="utf-8")
        with pytest.raises(ConfigurationError, match=r"plan\.json: is no plan"):
            plan_folder.read_head(tmp_path)


def otherwise(value: Any) -> Iterator[Any]:
    """The same with one member at a time that is something else, or missing."""
    yield from (None, 7, True, "x", ["x"], [[]], [None], {"a": 1})
    if isinstance(value, dict):
        for key in value:
            yield {name: member for name, member in value.items() if name != key}
            yield from ({**value, key: other} for other in otherwise(value[key]))
    elif isinstance(value, list):
        for place, member in enumerate(value):
            yield from ([*value[:place], o, *value[place + 1 :]] for o in otherwise(member))


def test_no_member_of_a_target_in_a_plan_is_a_trace_whatever_it_is() -> None:
    access = AccessMatrix({"gains": 1}, ({"view": "a.v", "grantee": "x"},))
    rights = GivenRights((RightsChange("t", Action.CREATE, role="r"),), ("why",), access=access)
    tags = GivenTags((TagChange("t", Identifier(("s",), "v"), ("w1",), ("w2",)),))
    edit = NamespaceEdit("t", ("a",), (FieldEdit("comment", "x", "y"),), ("p",))
    stated = replace(HEAD.targets["t"], edits=(edit,), rights=rights, tags=tags)
    said = json.loads(json.dumps(replace(HEAD, targets={"t": stated}).to_json()["targets"]))
    assert plan_folder.targets_of(said) == {"t": stated}
    told = 0
    for other in otherwise(said["t"]):
        try:
            read = plan_folder.targets_of({"t": other})
        except (ValueError, LookupError, TypeError, AttributeError):  # what `read_head` tells of
            told += 1
        else:
            replace(HEAD, targets=read).to_json()
    assert told > 100


ENDS = "\n\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"


@pytest.mark.parametrize("end", ENDS)
def test_no_name_ends_a_line(tmp_path: Path, end: str) -> None:
    plan_folder.write_lines(tmp_path / plan_folder.CHANGES, [row(f"a{end}b"), row(end)])
    assert len(list(plan_folder.read_changes(tmp_path))) == 2


def test_lines_may_end_as_in_windows(tmp_path: Path) -> None:
    lines = written(tmp_path, row("a"), row("b"))
    (tmp_path / plan_folder.CHANGES).write_bytes("\r\n".join([*lines, ""]).encode())
    assert len(list(plan_folder.read_changes(tmp_path))) == 2


def test_a_folder_without_a_plan_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"plan\.json: No such file"):
        plan_folder.read_head(tmp_path)


def test_a_file_of_changes_that_is_not_there_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"changes\.jsonl: No such file") as raised:
        list(plan_folder.read_changes(tmp_path))
    assert str(raised.value).count(str(tmp_path)) == 1


def test_a_line_may_stand_twice_but_not_with_two_answers(tmp_path: Path) -> None:
    (line,) = written(tmp_path, row("a", "spark"))
    adopted = line.replace('"adopt": false', '"adopt": true')
    path = tmp_path / plan_folder.CHANGES
    path.write_text(f"{line}\n{line}\n", encoding="utf-8")
    assert len(set(plan_folder.read_changes(tmp_path))) == 1
    path.write_text(f"{line}\n{adopted}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r":2: the change \w+ stands twice, with its dra"):
        list(plan_folder.read_changes(tmp_path))


def test_lines_may_be_deleted_and_drafts_adopted(tmp_path: Path) -> None:
    lines = written(tmp_path, row("a"), row("b", "trino"), row("c"))
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
        ("{", '{"adopt": true, "adopt": false,', "is no change: adopt stands twice"),
        ("{", '{"x": ' + DEEP + ",", "is no change: it is nested too deeply"),
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


@pytest.mark.parametrize("name", ["namespaces", "functions", "rights", "tags"])
def test_what_is_added_to_a_plan_that_has_nothing_of_it_is_refused(
    tmp_path: Path, name: str
) -> None:
    file = tmp_path / f"{name}.jsonl"
    file.write_text("\n", encoding="utf-8")
    assert plan_folder.with_chosen_edits(HEAD, tmp_path) == HEAD
    file.write_text("{}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=f"{name}.jsonl:1"):
        plan_folder.with_chosen_edits(HEAD, tmp_path)
