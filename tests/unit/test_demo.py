"""The demo clears its folder, never one that holds something else, and adopts drafts as we do."""

from pathlib import Path

import pytest

import belvedere
from discovery.migration.lines import Line
from jobs import demo
from jobs.embedded import estate
from jobs.embedded.selecting import adopt_drafts
from jobs.migrating import plan_folder


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


@pytest.mark.parametrize("name", ["precious.txt", "estate.yaml"])
def test_a_folder_that_holds_something_else_is_refused_and_kept(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text("warehouse: mine\n", encoding="utf-8")
    assert demo.main(["--out", str(tmp_path)]) == 2
    assert contents(tmp_path) == {name: "warehouse: mine\n"}
    told = capsys.readouterr().err
    assert f"{tmp_path} is not empty and not a demo's" in told
    assert "hint: the demo clears its folder" in told


def test_a_file_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        demo.main(["--out", str(tmp_path / "file")])
    assert ended.value.code == 2
    assert contents(tmp_path) == {"file": "mine"}


def test_what_its_entries_are_noted_for_is_what_it_says_was_planted(tmp_path: Path) -> None:
    """Only the demo itself counts them: it asks a metastore, and reads files."""
    entries = list(estate._copy_recorded(tmp_path))
    assert len(entries) > 30
    noted = {note.code for entry in entries for note in belvedere.decode(entry).notes}
    assert noted <= demo._PLANTED.keys()
    assert noted >= {"TEXT_OF_TWO", "NOT_IN_MODEL"}


def test_a_folder_of_an_earlier_demo_is_cleared(tmp_path: Path) -> None:
    (tmp_path / "estate.yaml").write_text(demo._HEADER + demo._ESTATE, encoding="utf-8")
    (tmp_path / "report").mkdir()
    demo.make_room(tmp_path)
    assert contents(tmp_path) == {}


def test_a_folder_that_is_new_or_empty_is_taken(tmp_path: Path) -> None:
    demo.make_room(tmp_path)
    demo.make_room(tmp_path / "new" / "one")
    assert contents(tmp_path / "new" / "one") == {}


def test_the_drafts_for_one_target_are_adopted_and_the_lines_stay_as_they_are(
    tmp_path: Path,
) -> None:
    lines = [made_line("t", ("spark",)), made_line("t", ()), made_line("other", ("spark",))]
    plan_folder.write_lines(tmp_path / plan_folder.CHANGES, lines)
    adopt_drafts(tmp_path, "t")
    assert [adopted for _, adopted in plan_folder.read_changes(tmp_path)] == [True, False, False]


def made_line(target: str, drafts: tuple[str, ...]) -> Line:
    return Line(
        target=target,
        action="blocked",
        namespace=("a\u2028b",),
        name="v",
        wave=1,
        reason=None,
        losses=(),
        origins=("shop/a.v",),
        before=None,
        after="f",
        drafts=drafts,
    )
