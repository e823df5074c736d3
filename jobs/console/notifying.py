"""How a command has ended, told to a webhook and as a mail, where the configuration says so.

What is told is what the command itself says at its end: no row of a view, and no secret. A message
that nobody takes is said on stderr; the exit code stays that of the command.
"""

import json
import os
import socket
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Final
from uuid import uuid4

from connectors.clients.credentials import Secret, redacted
from discovery import __version__
from discovery.display import unbroken, visible
from jobs.configuration.gates import MailFolder, Notify, Webhook

_TIMEOUT: Final = 30.0  # seconds
TOLD: Final = (
    "crawl",
    "recrawl",
    "assess",
    "plan",
    "apply",
    "verify",
    "undo",
    "quality",
    "report",
    "run",
    "sync",
    "rehearse",
    "cutover",
)
"""The commands whose ends are told: the others only print."""


@dataclass(frozen=True, slots=True)
class EndOfCommand:
    """How a command has ended.

    Attributes:
        command: Its name.
        run_id: The run that it was about; empty: it came to none.
        exit_code: As the scheduler sees it.
        meaning: What that code means.
        reasons: Exit code, what is so and what to do next, the gravest first.
        began: When the command began.
        ended: When it had ended.
    """

    command: str
    run_id: str
    exit_code: int
    meaning: str
    reasons: tuple[tuple[int, str, str], ...]
    began: datetime
    ended: datetime = field(default_factory=lambda: datetime.now(UTC))

    def to_json(self) -> dict[str, object]:
        """As a webhook gets it."""
        return {
            "version": 1,
            "belvedere": __version__,
            "host": socket.gethostname(),
            "command": self.command,
            "run_id": self.run_id,
            "exit_code": self.exit_code,
            "meaning": self.meaning,
            "reasons": [
                {"exit_code": code, "sentence": sentence, "next": then}
                for code, sentence, then in self.reasons
            ],
            "began": self.began.isoformat(timespec="seconds"),
            "ended": self.ended.isoformat(timespec="seconds"),
        }

    def to_text(self) -> str:
        """As a mail has it."""
        lines = [
            f"belvedere {self.command} has ended with exit code {self.exit_code}: {self.meaning}",
            "",
            f"run:   {self.run_id or '-'}",
            f"began: {self.began.isoformat(timespec='seconds')}",
            f"ended: {self.ended.isoformat(timespec='seconds')}",
            f"host:  {socket.gethostname()}",
        ]
        for code, sentence, then in self.reasons:
            lines += ["", unbroken(f"exit code {code}: {sentence}")]
            lines += [unbroken(f"  next: {then}")] if then else []
        return "\n".join([*lines, ""])


def notify(how: Notify, end: EndOfCommand, secrets: Sequence[Secret]) -> None:
    """Tell how a command has ended to whoever is to know it; what fails is said on stderr."""
    if end.command not in TOLD or (how.when == "failure" and end.exit_code == 0):
        return
    for why in _send(how, end, secrets):
        print(f"no notification was sent {why}", file=sys.stderr, flush=True)


def _send(how: Notify, end: EndOfCommand, secrets: Sequence[Secret]) -> Iterator[str]:
    """Tell it; a sentence for each way in which that failed."""
    if how.webhook is not None and (why := _post(how.webhook, _plain(end, secrets))):
        yield f"by the webhook: {why}"
    if how.mail is not None:
        try:
            _file(how.mail, end, secrets)
        except OSError as error:
            yield f"by mail: {error.filename or how.mail.folder}: {error.strerror}"


def _plain(end: EndOfCommand, secrets: Sequence[Secret]) -> dict[str, object]:
    """What is posted: each text without secrets, and with nothing in it that is not seen."""

    def shown(value: object) -> object:
        match value:
            case str():
                return visible(redacted(value, secrets))
            case list():
                return [shown(item) for item in value]
            case dict():
                return {key: shown(item) for key, item in value.items()}
        return value

    return {name: shown(value) for name, value in end.to_json().items()}


def _post(webhook: Webhook, body: dict[str, object]) -> str:
    """Post an object of JSON; why it was not taken, without the address, which may be a key."""
    import requests  # noqa: PLC0415 - a tenth of a second that only those pay who have a webhook

    from connectors.clients.bounds import bound_times  # noqa: PLC0415 - the same
    from connectors.clients.rest import OnlyStated  # noqa: PLC0415 - the same

    headers = {"Content-Type": "application/json"}
    if webhook.token is not None:
        headers["Authorization"] = f"Bearer {webhook.token.reveal()}"
    try:
        with requests.Session() as session:
            bound_times(session)
            answer = session.post(
                webhook.url.reveal(),
                json.dumps(body).encode(),
                headers=headers,
                auth=OnlyStated(),
                timeout=_TIMEOUT,
                allow_redirects=False,  # a token is for the server that is named, and for no other
            )
    except (requests.RequestException, ValueError) as error:
        return type(error).__name__
    return "" if answer.ok and not answer.is_redirect else f"status {answer.status_code}"


def _file(mail: MailFolder, end: EndOfCommand, secrets: Sequence[Secret]) -> None:
    """Write a message into a folder: it has its name when it is whole.

    Raises:
        OSError: It cannot be written there.
    """
    message = EmailMessage()
    message["Subject"] = f"belvedere {end.command}: exit code {end.exit_code}"
    message["From"], message["To"] = mail.sender, ", ".join(mail.to)
    message["Date"] = end.ended
    message["Message-ID"] = f"<{uuid4().hex}@belvedere>"
    message["X-Belvedere-Exit-Code"] = str(end.exit_code)
    message.set_content(visible(redacted(end.to_text(), secrets)))
    folder = Path(mail.folder)
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{end.ended:%Y%m%dT%H%M%SZ}-{end.command}-{end.exit_code}-{uuid4().hex[:8]}.eml"
    unseen = folder / f".{name}"
    try:
        with unseen.open("wb") as file:
            file.write(message.as_bytes())
            file.flush()
            os.fsync(file.fileno())
        unseen.replace(folder / name)
    finally:
        unseen.unlink(missing_ok=True)
