"""A judge's parser in a process of its own beside the worker.

A JVM can neither be stopped nor replaced inside a Python process, and hostile SQL can exhaust its
stack or its time; a child process can be killed. Its errors go nowhere: Hive's parser prints a
stack trace per reject.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from typing import Any, ClassVar

from connectors.judges.child import GAVE_UP, read_frame, write_frame
from discovery.errors import JudgeUnavailableError
from discovery.ports import SqlJudge, Verdict


class ParserHost(SqlJudge):
    """Base of the judges whose parser is in a jar; a judge is the constants below.

    Attributes:
        engine: The engine whose parser speaks.
        jar: The jar that holds the parser; its first group is the version.
        parser: `package.Class.method` that takes the SQL and raises if it refuses.
        position: Where the parser's message has line and column, counted from 1 and 0.
    """

    engine: ClassVar[str]
    jar: ClassVar[re.Pattern[str]]
    parser: ClassVar[str]
    position: ClassVar[re.Pattern[str]]
    start_within: ClassVar[float] = 60.0  # seconds
    answer_within: ClassVar[float] = 60.0  # seconds for a batch

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def version(self) -> str:
        """The version of the parser, from the name of its jar."""
        found = [self.jar.fullmatch(path.name) for path in _jars().glob("*.jar")]
        versions = [one[1] for one in found if one]
        if not versions:
            raise JudgeUnavailableError(
                f"no jar of the {self.engine} parser in {_jars()}",
                hint="the judge needs the jars that come with PySpark",
            )
        return versions[0]

    def close(self) -> None:
        """Stop the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        self._process = None

    def judge(self, statements: Sequence[str]) -> Iterator[Verdict]:
        """One verdict per statement; a batch that the parser does not survive is judged one by one.

        Raises:
            JudgeUnavailableError: The parser cannot be started.
        """
        answers = self._ask(statements)
        if answers is not None:
            yield from (self._verdict(answer) for answer in answers)
        elif len(statements) == 1:
            yield Verdict(None, "the parser did not survive the statement, or not in time")
        else:
            for statement in statements:
                yield from self.judge([statement])

    def _verdict(self, message: str | None) -> Verdict:
        if message is None:
            return Verdict(True)
        if message.startswith(GAVE_UP):
            return Verdict(None, message)
        found = self.position.search(message)
        line, column = (int(found[1]), int(found[2]) + 1) if found else (None, None)
        return Verdict(False, " ".join(message.split()), line, column)

    def _ask(self, statements: Sequence[str]) -> list[str | None] | None:
        """The parser's messages; None if it died or was too slow, and had to be stopped."""
        if self._process is None:
            self._start()
        answers: list[str | None] | None = self._exchange(list(statements), self.answer_within)
        return answers

    def _start(self) -> None:
        version = self.version
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "connectors.judges.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        start = {"classpath": [str(_jars() / "*")], "parser": self.parser}
        if self._exchange(start, self.start_within) != "ready":
            raise JudgeUnavailableError(
                f"the parser of {self.engine} {version} did not start",
                hint="is there a Java 17 or later, with 512 MB to spare?",
            )

    def _exchange(self, data: object, seconds: float) -> Any:  # noqa: ANN401 - JSON
        process = self._process
        assert process is not None  # noqa: S101 - _ask has started it
        assert process.stdin is not None  # noqa: S101 - a pipe
        assert process.stdout is not None  # noqa: S101 - a pipe
        late = Timer(seconds, process.kill)
        late.start()
        try:
            write_frame(process.stdin, data)
            answer = read_frame(process.stdout)
        except (OSError, ValueError):
            answer = None
        finally:
            late.cancel()
        if answer is None:
            self.close()
        return answer


def _jars() -> Path:
    """The jars of PySpark, or of the Spark that runs us, without importing either."""
    found = find_spec("pyspark")
    if found is not None and found.origin is not None:
        jars = Path(found.origin).parent / "jars"
        if jars.is_dir():
            return jars
    return Path(os.environ.get("SPARK_HOME", "/")) / "jars"
