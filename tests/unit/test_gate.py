"""The gate for output: nothing of a stranger steers a terminal, no secret passes."""

import base64
import csv
import errno
import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.clients.credentials import Secret, insist_on_references, redacted
from discovery.display import on_one_line, visible
from discovery.errors import ConfigurationError
from jobs.console import command, terminal
from jobs.console.gate import Gate, gate_output
from reports import markdown, plan_summary, to_csv

STEERING = "\x1b]0;title\x07\x1b[8mhidden\x9b31m\u202egnp.exe\u2028\x00\r"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def steers(text: str) -> bool:
    return any(ord(one) < 32 and one not in "\n\t" for one in text) or any(
        one in text for one in "\x7f\x9b\u202e\u2028\u2029\u0085\u2066"
    )


@given(st.text())
def test_nothing_that_steers_is_left_and_the_rest_is_as_it_was(text: str) -> None:
    shown = visible(text)
    assert not steers(shown)
    assert "".join(one for one in shown if one.isalnum()).startswith(
        "".join(one for one in text[:1] if one.isalnum())
    )
    assert visible(shown) == shown


def test_a_line_of_json_stays_the_same_json() -> None:
    line = json.dumps({"name": STEERING}, ensure_ascii=False)
    assert json.loads(visible(line)) == {"name": STEERING}
    assert not steers(visible(line))


@pytest.mark.parametrize("kind", [io.StringIO, Terminal])
def test_what_a_command_prints_passes_the_gate(
    kind: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, err = kind(), kind()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with gate_output() as gates:
        gates.keep((Secret("hunter22"),))
        print(f"view {STEERING} of hunter22")
        print(terminal.red(f"view {STEERING}"), file=sys.stderr)
    assert sys.stdout is out
    assert not steers(out.getvalue())
    assert "\\u001b[8mhidden" in out.getvalue()
    assert "hunter22" not in out.getvalue()
    styled = kind is Terminal
    assert err.getvalue().startswith("\x1b[31m") is styled, "our own style, on a terminal only"
    assert not steers(err.getvalue().removeprefix("\x1b[31m").replace("\x1b[0m", ""))


def test_a_gate_within_a_gate_is_the_same_gate() -> None:
    with gate_output(), gate_output():
        assert isinstance(sys.stdout, Gate)
        assert not isinstance(sys.stdout._stream, Gate)


@given(st.text(min_size=6, max_size=40), st.text(max_size=9), st.text(max_size=9))
def test_a_secret_is_not_shown_in_any_form(value: str, before: str, after: str) -> None:
    try:
        data = value.encode()
        around = (before.encode(), after.encode())
    except UnicodeEncodeError:
        return
    for form in (value, quote(value), quote(value, safe=""), quote_plus(value), json.dumps(value)):
        shown = redacted(f"<{form}>", [Secret(value)])
        assert form.strip('"') not in shown
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        text = encode(around[0] + data + around[1]).decode()
        shown = redacted(text, [Secret(value)])
        assert "***" in shown
        assert text not in shown


def test_percent_signs_may_be_spelled_in_any_case() -> None:
    assert redacted("p%2fq%3Dr", [Secret("p/q=r")]) == "***"


@pytest.mark.parametrize(
    "given",
    [
        {"io": {"s3.secret-access-key": "x"}},
        {"io": {"adls.account-key": "x"}},
        {"properties": {"token": "x"}},
        {"uri": "http://user:pw@host/"},
        {"uris": {"a": "thrift://user:pw@host:9083"}},
    ],
)
def test_a_secret_in_the_configuration_is_refused_unseen(given: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError) as refused:
        insist_on_references(given)
    assert "pw" not in str(refused.value)
    assert "${env:NAME}" in refused.value.hint


def test_a_reference_and_what_is_no_secret_are_taken() -> None:
    insist_on_references(
        {
            "io": {"s3.secret-access-key": Secret("x"), "s3.access-key-id": "id", "s3.region": "r"},
            "uri": "http://host:80/a@b",
            "url": "postgresql://crawler@db:5432/shop",
        }
    )


HOSTILE = "a|b`c`<script>alert(1)</script>[x](javascript:y) \x1b[31m\n# head"


def test_markdown_has_nothing_of_a_stranger_that_is_markup() -> None:
    for shown in (markdown.text(HOSTILE), markdown.code(HOSTILE), markdown.code("`" + HOSTILE)):
        assert "<script" not in shown
        assert "\n" not in shown
        assert not steers(shown)
        assert "](" not in shown
        assert "|" not in shown.replace("\\|", "")
    assert markdown.code("rel.v") == "`rel.v`"
    assert markdown.plain(markdown.text(HOSTILE)) == on_one_line(HOSTILE)
    assert markdown.plain(f"- {markdown.code('a_b`c')}: {markdown.text('1 < 2 & *')}") == (
        "- a_b`c: 1 < 2 & *"
    )


def test_the_summary_of_a_plan_passes_no_markup() -> None:
    target = {"store": HOSTILE, "route": HOSTILE, "served": True, "counts": {"create": 1}}
    targets = {HOSTILE: {**target, "namespaces": [[[HOSTILE], ""]]}}
    head = {"plan": "p", "crawl": "c", "targets": targets}
    why = {"target": HOSTILE, "code": HOSTILE, "views": 1, "key": HOSTILE, "reason": HOSTILE}
    reasons = [{**why, "action": action} for action in ("loss", "blocked")]
    shown = plan_summary.render(head, 0, reasons)
    assert "<script" not in shown
    assert not steers(shown)


def test_the_summary_of_a_plan_tells_levels_apart() -> None:
    target = {"store": "s", "route": "r", "served": True, "counts": {"create": 1}}
    targets = {"t": {**target, "namespaces": [[["my.schema", "sales"], ""], [["a", "b"], ""]]}}
    shown = plan_summary.render({"plan": "p", "crawl": "c", "targets": targets}, 0, [])
    assert "to be made first: `my%2Eschema.sales`, `a.b`." in shown


def test_csv_has_no_control_character() -> None:
    line = to_csv._line([STEERING, "\t=1", "plain"])
    assert not steers(line.replace("\r\n", ""))
    assert next(csv.reader([line]))[2] == "plain"


def test_a_text_on_one_line_has_one_line() -> None:
    assert on_one_line("a\n\t b\x1b") == "a b\\u001b"


TELLING = """
import sys
from jobs.console import command

def run(args):
    command.say("at work")
    command.show("what it came to")
    command.say("done")
    return command.end([command.ExitReason(3, "one is blocked", "look")])

sys.exit(command.execute("belvedere telling: tells.", lambda parser: None, run, []))
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["buffered", "unbuffered"])
@pytest.mark.parametrize(
    ("where", "code", "said"),
    [
        ("", 3, "one is blocked"),
        (">&-", 3, "one is blocked"),
        ("2>&-", 3, ""),
        ("<&- >&- 2>&-", 3, ""),
        (">/dev/full", 1, "<stdout>: No space left on device"),
        ("2>/dev/full", 3, ""),
        ("| true", 3, "one is blocked"),
        ("2>&1 | true", 3, ""),
    ],
)
def test_how_a_command_ends_does_not_hang_on_who_listens(
    where: str, code: int, said: str, how: str
) -> None:
    """But for its output that a disk does not take: that is lost, and a failure."""
    line = f"set -o pipefail; {shlex.join([sys.executable, '-c', TELLING])} {where}"
    done = subprocess.run(
        ["bash", "-c", line.replace("| true", "| (exec <&-; sleep 0)")],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONUNBUFFERED": "1" if how == "unbuffered" else ""},
    )
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    for one in ("Traceback", "Exception ignored", "a bug"):
        assert one not in done.stderr


def test_a_pipe_that_is_not_the_output_is_no_reader_who_has_seen_enough(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(_: object) -> int:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    assert command.execute("belvedere test: ends.", lambda _: None, run, []) == command.CRASHED
    assert "has ended" in capsys.readouterr().err


def test_what_an_encoding_does_not_have_is_an_escape() -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    print('{"name": "ä𝄞"} …', file=Gate(out))
    out.flush()
    told = out.buffer.getvalue()
    assert told == b'{"name": "\\u00e4\\ud834\\udd1e"} \\u2026\n'
    assert json.loads(told.partition(b" \\u2026")[0]) == {"name": "ä𝄞"}


def test_a_command_may_leave_its_output_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(_: object) -> int:
        sys.stdout.close()
        return command.FINDINGS

    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert command.execute("belvedere test: ends.", lambda _: None, run, []) == command.FINDINGS
