"""`belvedere explain`, and what a terminal shows: a page for each code, colours if wanted."""

import io
import json
from pathlib import Path

import pytest

from jobs import explain
from jobs.console import command, terminal
from jobs.reporting import terminal_summary
from reports.codes import GROUPS, pages
from tests.made_up import HEAD


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("code", pages())
def test_every_code_is_explained_with_a_way_out(
    code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain.main([code]) == command.FINE
    text = capsys.readouterr().out
    assert text.startswith(f"{code}  {pages()[code].group}\n\n{pages()[code].text}")
    assert pages()[code].group in GROUPS
    if pages()[code].group in {"Findings", "Set aside"}:
        assert "What to do: " in text


def test_codes_are_found_however_they_are_spelled(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain.main(["stale-columns", "--json"]) == command.FINE
    page = json.loads(capsys.readouterr().out)
    assert page["code"] == "STALE_COLUMNS"
    assert page["advice"] == "name the columns in the view's query, or recreate the view"


def test_a_code_that_is_not_there_is_met_with_those_like_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert explain.main(["STALE_COLUMN"]) == command.USAGE
    assert "did you mean STALE_COLUMNS" in capsys.readouterr().err


def test_without_a_code_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain.main([]) == command.FINE
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(pages())


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert terminal.red("x", Terminal()) == "\x1b[31mx\x1b[0m"
    assert terminal.red("x", io.StringIO()) == "x", "a pipe"
    monkeypatch.setenv("NO_COLOR", "1")
    assert terminal.red("x", Terminal()) == "x"


def test_the_summary_says_whether_the_estate_can_move(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    terminal_summary.print_summary(HEAD, tmp_path)
    text = capsys.readouterr().out
    assert text.startswith(
        "17% of 6 views can move as they are, 1 could not be judged  run run-1\n"
    )
    assert "       3 blocked" in text
    assert "since run-0: 1 newly broken" in text
    assert "not read by trino: 3 HIVE_VIEWS_OFF, 1 ENTRY_REFUSED\n" in text
    assert "not read by mysql: 5 OUT_OF_REACH\n" in text
    assert "over the threshold: blocked: 3 of 6 views (50.0%), limit 0" in text
    assert "\x1b" not in text


def test_quiet_commands_say_no_milestones(capsys: pytest.CaptureFixture[str]) -> None:
    def run(_: object) -> int:
        command.say("half way")
        return command.FINE

    for argv, said in (([], "half way\n"), (["--quiet"], "")):
        command.execute("belvedere test: says something.", lambda _: None, run, argv)
        assert capsys.readouterr().err == said
    command.say("of the next")
    assert capsys.readouterr().err == "of the next\n", "quiet is over with its command"
