"""A local server that gives recorded answers of a real one, and records them if it is told where.

No part of a client is replaced: what is asked goes through the real client and a real socket. The
answers are those of Iceberg's REST test server (tests/live/iceberg); the live tests ask it itself.
"""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.loopback import Request, serving


@dataclass
class Answers:
    """What a server said, by path and query: status and body.

    Attributes:
        said: The answers.
        upstream: Where to ask what is not known yet; None where nothing is recorded.
        seen: Paths that were asked for, in order, with their `Authorization`.
        uri: Of this server.
    """

    said: dict[str, tuple[int, str]]
    upstream: str | None = None
    seen: list[tuple[str, str]] = field(default_factory=list)
    uri: str = ""

    @classmethod
    def of(cls, path: Path) -> "Answers":
        """Answers from a file."""
        recorded = json.loads(path.read_text(encoding="utf-8"))["answers"]
        return cls({key: (status, body) for key, (status, body) in recorded.items()})

    def answer(self, path: str) -> tuple[int, str]:
        """Status and body; 501 for what was not recorded."""
        if path not in self.said and self.upstream is not None:
            try:
                with urllib.request.urlopen(self.upstream + path, timeout=30) as response:  # noqa: S310 - loopback
                    self.said[path] = response.status, response.read().decode()
            except urllib.error.HTTPError as error:
                self.said[path] = error.code, error.read().decode()
        return self.said.get(path, (501, "not recorded"))

    def forget(self, part: str, status: int, body: str) -> None:
        """From now on, answer so for every path that contains a part."""
        for path in self.said:
            if part in path:
                self.said[path] = status, body


@contextmanager
def served(answers: Answers) -> Iterator[Answers]:
    """Serve on loopback as long as the context lasts."""

    def answer(request: Request) -> tuple[int, bytes]:
        answers.seen.append((request.path, request.headers.get("Authorization", "")))
        status, body = answers.answer(request.path)
        return status, body.encode()

    with serving(answer, "application/json") as answers.uri:
        yield answers
