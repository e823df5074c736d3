"""Who is told of an end: the true one, once, and nothing that is nobody's business."""

import argparse
import email
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import policy
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from discovery.errors import ConfigurationError, UnreachableError
from jobs.configuration import loader
from jobs.console import command

CANARY = "canary-9c1f44"
DOCUMENT = "belvedere crawl: ends as it is told to."


class Posted:
    """What a server was sent, with its headers."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.status = 200


@contextmanager
def serving(posted: Posted) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            posted.bodies.append(json.loads(body))
            posted.headers.append(dict(self.headers))
            self.send_response(posted.status)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/hook/{CANARY}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Posted]:
    found = Posted()
    with serving(found) as url:
        monkeypatch.setenv("THE_HOOK", url)
        monkeypatch.setenv("THE_TOKEN", CANARY)
        yield found


def ended(
    folder: Path,
    run: Callable[[argparse.Namespace], int],
    document: str = DOCUMENT,
    when: str = "always",
) -> int:
    """The exit code of a command; a webhook and a folder are told of its end."""
    hook = "{url: '${env:THE_HOOK}', token: '${env:THE_TOKEN}'}"
    mail = "{folder: spool, to: [a@example.org, b@example.org]}"
    text = "warehouse: w\nsources: {s: {kind: archive, path: a}}\n"
    text += f"notify: {{when: {when}, webhook: {hook}, mail: {mail}}}\n"
    (folder / "estate.yaml").write_text(text, encoding="utf-8")
    arguments = ["--config", str(folder / "estate.yaml")]
    return command.execute(document, command.with_config, run, arguments)


def mails(folder: Path) -> list[Any]:
    files = sorted((folder / "spool").glob("*")) if (folder / "spool").exists() else []
    assert all(file.suffix == ".eml" for file in files)
    return [email.message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]


def with_reasons(_: argparse.Namespace) -> int:
    command.about("r1")
    reasons = [
        command.ExitReason(3, f"two \x1b[31m of {CANARY} are blocked\nso", "look"),
        command.ExitReason(4, "one is away", "ask"),
    ]
    return command.end(reasons)


def test_both_are_told_the_true_end_with_its_reasons(tmp_path: Path, posted: Posted) -> None:
    assert ended(tmp_path, with_reasons) == 4
    (said,) = posted.bodies
    assert posted.headers[0]["Authorization"] == f"Bearer {CANARY}"
    assert (said["command"], said["run_id"], said["exit_code"]) == ("crawl", "r1", 4)
    assert said["meaning"] == command.EXIT_CODES[4]
    assert [reason["exit_code"] for reason in said["reasons"]] == [4, 3]
    assert said["reasons"][0] == {"exit_code": 4, "sentence": "one is away", "next": "ask"}
    assert said["reasons"][1]["sentence"] == "two \\u001b[31m of *** are blocked\nso"
    (mail,) = mails(tmp_path)
    assert mail["Subject"] == "belvedere crawl: exit code 4"
    assert mail["To"] == "a@example.org, b@example.org"
    text = mail.get_content()
    assert "exit code 4: one is away\n  next: ask" in text
    assert CANARY not in json.dumps(said) + text
    assert "\x1b" not in text


def test_a_netrc_of_the_machine_does_not_replace_the_token(
    tmp_path: Path, posted: Posted, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("default login somebody password else\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    assert ended(tmp_path, lambda _: 0) == 0
    assert posted.headers[0]["Authorization"] == f"Bearer {CANARY}"


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (UnreachableError(f"{CANARY} is away"), 1, "*** is away"),
        (ConfigurationError("no such run", hint="name another"), 2, "no such run"),
        (ValueError("a bug"), 1, "ValueError: a bug"),
    ],
)
def test_an_error_is_told_too(
    tmp_path: Path, posted: Posted, error: Exception, code: int, sentence: str
) -> None:
    def run(_: argparse.Namespace) -> int:
        raise error

    assert ended(tmp_path, run) == code
    (said,) = posted.bodies
    assert said["exit_code"] == code
    assert said["reasons"][0]["sentence"] == sentence
    assert len(mails(tmp_path)) == 1


def test_a_good_end_is_told_unless_only_failures_are(tmp_path: Path, posted: Posted) -> None:
    assert ended(tmp_path, lambda _: 0, when="failure") == 0
    assert posted.bodies == []
    assert mails(tmp_path) == []
    assert ended(tmp_path, lambda _: 0) == 0
    assert posted.bodies[0]["reasons"] == []


def test_a_turn_of_a_schedule_is_told(tmp_path: Path, posted: Posted) -> None:
    assert ended(tmp_path, with_reasons, "belvedere sync: follow.") == 4
    assert posted.bodies[0]["command"] == "sync"


def test_what_only_prints_tells_nobody(tmp_path: Path, posted: Posted) -> None:
    assert ended(tmp_path, with_reasons, "belvedere doctor: looks.") == 4
    assert posted.bodies == []
    assert mails(tmp_path) == []


@pytest.mark.parametrize("status", [302, 404, 500])
def test_what_is_not_taken_is_said_and_the_exit_code_stays(
    tmp_path: Path, posted: Posted, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    posted.status = status
    (tmp_path / "spool").write_text("no folder", encoding="utf-8")
    assert ended(tmp_path, lambda _: 0) == 0
    said = capsys.readouterr().err
    assert f"no notification was sent by the webhook: status {status}" in said
    assert "no notification was sent by mail: " in said
    assert len(posted.bodies) == 1, "a redirect is not followed"
    assert CANARY not in said


def test_a_server_that_is_away_is_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THE_HOOK", f"http://127.0.0.1:1/{CANARY}")
    monkeypatch.setenv("THE_TOKEN", CANARY)
    assert ended(tmp_path, lambda _: 3) == 3
    said = capsys.readouterr().err
    assert "by the webhook: ConnectionError" in said
    assert CANARY not in said


@pytest.mark.parametrize(
    ("notify", "why"),
    [
        ("{webhook: {url: 'ftp://h'}}", "must begin with http:// or https://"),
        ("{webhook: {url: 'http://[::1'}}", "must name a host"),
        ("{webhook: {url: 'https:///hook'}}", "must name a host"),
        ("{webhook: {url: 'https://h:99999/'}}", "must name a host"),
        ("{webhook: {url: 'https://u:hunter22@h/x'}}", "has a secret in it"),
        ("{webhook: {url: 'https://h', token: hunter22}}", "must be a reference"),
        ("{mail: {folder: f, to: []}}", "must not be empty"),
        (
            "{mail: {folder: f, to: ['a@b\\nBcc: c@d']}}",
            "must be one address, such as someone@example.org",
        ),
        ("{when: never}", "is 'never'; it may be 'always' or 'failure'"),
    ],
)
def test_who_is_told_is_checked_first(tmp_path: Path, notify: str, why: str) -> None:
    path = tmp_path / "estate.yaml"
    sources = "sources: {s: {kind: archive, path: a}}"
    path.write_text(f"warehouse: w\n{sources}\nnotify: {notify}", encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        loader.load(path)
    assert why in raised.value.message
    assert "hunter22" not in raised.value.message
