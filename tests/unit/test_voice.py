"""What a command says on stderr: quiet, with more, or as JSON lines; and what was meant."""

import argparse
import json
import logging

import pytest

from discovery.errors import UnreachableError
from jobs import cli
from jobs.console import command
from jobs.console.voice import LogFormat, Voice, quietly, speaking

DOCUMENT = "belvedere test: says something."


def run(args: argparse.Namespace) -> int:
    logging.getLogger("a.library").info("asked for %d", 5)
    command.say("half way")
    raise UnreachableError("gone", hint="look")


def called(*argv: str) -> int:
    return command.execute(DOCUMENT, lambda _: None, run, argv)


def test_a_name_with_an_end_of_line_begins_no_line_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    forged = "s.v\nexit code 0: fine"
    command.say(f"not written: {forged}", "  next: look")
    command.end([command.ExitReason(3, f"one is {forged}", "see\nit")])
    assert capsys.readouterr().err.splitlines() == [
        r"not written: s.v\u000aexit code 0: fine",
        "  next: look",
        r"exit code 3: one is s.v\u000aexit code 0: fine",
        r"  next: see\u000ait",
    ]
    with speaking(Voice(form=LogFormat.JSON)):
        command.say("one", "two")
    assert json.loads(capsys.readouterr().err)["message"] == "one\ntwo"


@pytest.mark.parametrize(
    ("argv", "wanted"),
    [
        ([], ["half way", "belvedere test: gone", "hint: look"]),
        (["-q"], ["belvedere test: gone", "hint: look"]),
    ],
)
def test_quiet_leaves_out_milestones_and_no_error(
    argv: list[str], wanted: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert called(*argv) == command.CRASHED
    assert capsys.readouterr().err.splitlines() == wanted


def test_verbose_has_times_and_what_libraries_log(capsys: pytest.CaptureFixture[str]) -> None:
    called("-v")
    logged, said, *_ = capsys.readouterr().err.splitlines()
    assert logged[8:] == " a.library: asked for 5"
    assert said[8:] == " half way"
    logging.getLogger("a.library").info("after its end")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["py4j.clientserver", "great_expectations._docs_decorators"])
def test_verbose_leaves_out_what_libraries_log_of_themselves(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with speaking(Voice(verbose=True)):
        logging.getLogger(name).info("of no use")
        logging.getLogger(name).warning("of use")
    assert [line[9:] for line in capsys.readouterr().err.splitlines()] == [f"{name}: of use"]


def test_a_verbose_command_shows_the_trace_of_a_bug(capsys: pytest.CaptureFixture[str]) -> None:
    def fail(_: object) -> int:
        raise ZeroDivisionError("oh")

    command.execute(DOCUMENT, lambda _: None, fail, ["--verbose"])
    told = capsys.readouterr().err
    assert "Traceback" in told
    assert "trace: /" not in told


def test_json_is_a_line_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    called("--log-format", "json")
    said, error = map(json.loads, capsys.readouterr().err.splitlines())
    assert said.pop("time") <= error.pop("time")
    assert said == {"level": "info", "command": "belvedere test", "message": "half way"}
    assert error == {
        "level": "error",
        "command": "belvedere test",
        "message": "gone",
        "hint": "look",
    }


def test_a_library_call_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with speaking(Voice(form=LogFormat.JSON)), quietly():
        command.say("half way")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["craw"], "there is no command 'craw'; did you mean crawl?"),
        (["zzz"], "there is no command 'zzz'; 'belvedere --help' lists them"),
        (["views", "--warehouse", "w", "--sorce", "a"], "--sorce a; did you mean --source?"),
        (["views", "--warehouse", "w", "--zzz"], "unrecognized arguments: --zzz"),
    ],
)
def test_a_wrong_command_line_says_what_was_meant(
    argv: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(argv)
    assert ended.value.code == command.USAGE
    assert capsys.readouterr().err.rstrip().endswith(told)
