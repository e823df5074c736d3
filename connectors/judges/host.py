"""A judge's parser in a process of its own beside the worker: a JVM with the engine's jars.

Hostile SQL can exhaust a parser's stack, its memory or our patience; a process can be killed. Each
engine has one, so no two engines' jars ever meet. What runs in it is `java/Child.java` and the
engine's own file beside it, compiled when it starts by Janino, which is among Spark's jars: the
loop over the statements and the walk through the trees are the JVM's, not ours.
"""

import os
import re
import struct
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import ClassVar, Final, NamedTuple

from connectors.clients.java import LATE_OPTIMIZER, java
from connectors.judges.jars import Jar
from connectors.judges.waiting import speaks
from discovery.errors import JudgeUnavailableError
from discovery.ports import Name, SqlJudge, Statement, Verdict

NEWER_JAVA: Final = "BELVEDERE_JAVA_HOME"
"""The variable with the home of a Java for parsers that need a newer one than Spark's."""

_OLDEST: Final = 17  # the Java that runs whatever does not ask for a newer one
_MOST: Final = 200  # statements a batch
_LARGEST: Final = 2 << 20  # characters a batch
_COLD: Final = 3  # times as long may the first answer of a process take: it loads its classes
_JVM: Final = ("-Xmx512m", "-XX:+UseSerialGC", "-Xshare:auto", *LATE_OPTIMIZER)
_OFFLINE: Final = ("-Djavax.xml.accessExternalDTD=", "-Djavax.xml.accessExternalSchema=")
"""Engines fold constants while they analyze: `xpath_string` fetched what a DOCTYPE named."""
_KEPT: Final = ("LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "SYSTEMROOT", "TZ")
"""Of the environment, what Java needs. A text may ask for any of it: Spark puts the variable `X` in
the place of `${env:X}` before it parses, and a message shows the text."""
_COMPILER: Final = ("janino-*.jar", "commons-compiler-*.jar")
_INTEGER: Final = struct.Struct(">i")
_BEFORE: Final = struct.Struct(">bi")  # whether it reads, number of its settings
_HEAD: Final = struct.Struct(">bii")  # verdict, line, column
Before = tuple[str, ...]
"""What a program is told before a statement."""
_ACCEPTED: Final = 1
_REFUSED: Final = 2


class Release(NamedTuple):
    """A release of a parser.

    Attributes:
        java: The first version of Java that runs it.
        jars: Its own first: that has its version.
        beside: The libraries among Spark's jars that it runs with, as patterns of their names.
        program: The class in `java/` that calls it, where that is another one.
    """

    java: int
    jars: tuple[Jar, ...]
    beside: tuple[str, ...] = ()
    program: str = ""


class ParserHost(SqlJudge):
    """Base of the judges whose parser is in a jar; a judge is the constants below.

    Attributes:
        engine: The engine whose parser speaks.
        program: The class in `java/` that calls the parser and walks its trees.
        part: What of the engine it is.
        jars: The jars of the parser, its own first; empty if it is among Spark's.
        among_sparks: The jar among Spark's that holds the parser, where it needs Spark's jars; its
            first group is the version.
        newer: A newer parser, where there is one that not every Java runs.
        others: Other releases that an estate may run, by what it calls them in `engines`. Each has
            a first jar that no other has.
        opened: Packages of Java's own that the engine looks into.

    Args:
        places: Where the jars are, in the order of `jars`, or of those of another release.
        java_home: Of the Java that runs the newer parser, where the machine's environment does not
            say (`NEWER_JAVA`).
    """

    engine: ClassVar[str]
    program: ClassVar[str]
    part: ClassVar[str] = "parser"
    jars: ClassVar[tuple[Jar, ...]] = ()
    among_sparks: ClassVar[re.Pattern[str] | None] = None
    newer: ClassVar[Release | None] = None
    others: ClassVar[Mapping[str, Release]] = MappingProxyType({})
    opened: ClassVar[tuple[str, ...]] = ()
    start_within: ClassVar[float] = 120.0  # seconds
    answer_within: ClassVar[float] = 20.0  # seconds for a statement

    def __init__(self, places: Sequence[str] = (), java_home: str | None = None) -> None:
        self._places, self._java_home = places, java_home
        self._process: subprocess.Popen[bytes] | None = None
        self._sources: TemporaryDirectory[str] | None = None
        self._received = bytearray()
        self._is_warm = False
        self._unavailable: JudgeUnavailableError | None = None  # one start is tried, not more

    @property
    def version(self) -> str:
        """The version of the parser, from the name of its jar."""
        if self.among_sparks is None or self._release() in self.others.values():
            return self._release().jars[0].coordinate.rpartition(":")[2]
        matches = [self.among_sparks.fullmatch(path.name) for path in spark_jars().glob("*.jar")]
        versions = [match[1] for match in matches if match]
        if not versions:
            raise JudgeUnavailableError(
                f"no jar of the {self.engine} {self.part} in {spark_jars()}",
                hint="the judge needs the jars that come with PySpark",
            )
        return versions[0]

    @classmethod
    def versions(cls) -> tuple[str, ...]:
        """What an estate may say that it runs: the first is what judges if it says nothing.

        Raises:
            JudgeUnavailableError: Spark's jars are not there.
        """
        return (".".join(cls().version.split(".")[:2]), *cls.others)

    @property
    def is_running(self) -> bool:
        """Whether there is a process, and it has not ended."""
        return self._process is not None and self._process.poll() is None

    def close(self) -> None:
        """Stop the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        if self._sources is not None:
            self._sources.cleanup()
        self._process, self._sources = None, None
        self._is_warm = False
        self._received.clear()

    def judge(self, statements: Sequence[Statement]) -> Iterator[Verdict]:
        """One verdict per statement; one that the parser does not survive costs no other.

        Raises:
            JudgeUnavailableError: The parser cannot be started.
        """
        left = list(statements)
        while left:
            batch = self._next_batch(left)
            answered = 0
            for verdict in self._judge_batch(batch):
                yield verdict
                answered += 1
            if answered < len(batch):
                self.close()
                yield Verdict(
                    None, f"the {self.part} did not survive the statement, or not in time"
                )
                answered += 1
            del left[:answered]

    def before(self, statement: Statement) -> Before:
        """What the program is told before the statement: its settings, as keys and values."""
        return tuple(text for pair in statement.settings for text in pair)

    def _next_batch(self, statements: Sequence[Statement]) -> list[tuple[Statement, Before]]:
        """The first statements, at least one, each with what the program is told before it."""
        batch: list[tuple[Statement, Before]] = []
        size, sent = 0, set[Before]()
        for statement in statements[:_MOST]:
            before = self.before(statement)
            size += len(statement.sql)
            if before not in sent:  # several may share it
                sent.add(before)
                size += sum(map(len, before))
            if size > _LARGEST and batch:
                break
            batch.append((statement, before))
        return batch

    def _judge_batch(self, batch: Sequence[tuple[Statement, Before]]) -> Iterator[Verdict]:
        """The verdicts of a batch, up to the statement that stops or kills the parser."""
        if not self.is_running:
            self.close()  # what ended while nobody asked it says nothing of a statement
        process = self._process or self._start()
        assert process.stdin is not None  # noqa: S101 - a pipe
        try:
            process.stdin.write(b"".join(_framed(batch)))
            process.stdin.flush()
            for _ in batch:
                yield self._read_verdict()
        except (OSError, EOFError, TimeoutError):
            return

    def _read_verdict(self) -> Verdict:
        seconds = self.answer_within * (1 if self._is_warm else _COLD)
        verdict, line, column = _HEAD.unpack(self._read(_HEAD.size, seconds))
        self._is_warm = True
        message = " ".join(self._read_text().split())
        names: tuple[list[Name], ...] = ([], [], [], [])
        for _ in range(self._read_integer()):
            kind = self._read_integer()
            names[kind].append(tuple(self._read_text() for _ in range(self._read_integer())))
        tables, called, returned, computed = names
        functions, (returns, translation) = tuple(called), (*(returned or [()])[0], None, None)[:2]
        answer = Verdict(None, functions=functions, returns=returns, translation=translation)
        if verdict == _ACCEPTED:
            tells_tables = not computed
            return replace(answer, accepted=True, tables=tuple(tables), tells_tables=tells_tables)
        if verdict == _REFUSED:
            answer = replace(answer, line=line or None, column=column or None)
            return replace(answer, accepted=False, message=message)
        return replace(answer, message=f"the {self.part} gave up: {message}")

    def _read_text(self) -> str:
        return self._read(self._read_integer(), self.answer_within).decode()

    def _read_integer(self) -> int:
        number: int = _INTEGER.unpack(self._read(_INTEGER.size, self.answer_within))[0]
        return number

    def _read(self, size: int, seconds: float) -> bytes:
        """The next bytes of the process.

        Raises:
            EOFError: It has ended.
            TimeoutError: It has said nothing for that long.
        """
        assert self._process is not None  # noqa: S101 - it has been started
        assert self._process.stdout is not None  # noqa: S101 - a pipe
        pipe = self._process.stdout.fileno()
        while len(self._received) < size:
            if not speaks(pipe, seconds):
                raise TimeoutError
            chunk = os.read(pipe, 1 << 16)
            if not chunk:
                raise EOFError
            self._received += chunk
        data = bytes(self._received[:size])
        del self._received[:size]
        return data

    def command(self, sources: Path) -> list[str]:
        """The command line that starts the parser; the program's sources are put into a folder."""
        for source in resources.files("connectors.judges").joinpath("java").iterdir():
            (sources / source.name).write_bytes(source.read_bytes())
        jars = spark_jars()
        release = self._release()
        beside = (*_COMPILER, *release.beside)
        paths = [str(path) for pattern in beside for path in sorted(jars.glob(pattern))]
        alone = self.among_sparks is None or release in self.others.values()
        rest = paths if alone else [str(jars / "*")]
        classes = os.pathsep.join([*self._places, *rest])
        compile_and_run = ["org.codehaus.janino.JavaSourceClassLoader", "-sourcepath", str(sources)]
        opened = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in self.opened]
        temporary = [f"-D{name}={sources}" for name in ("java.io.tmpdir", "belvedere.folder")]
        options = [*_JVM, *_OFFLINE, *temporary, *opened, "-classpath", classes]
        return [self._java(), *options, *compile_and_run, release.program or self.program]

    def _release(self) -> Release:
        """Which parser the jars are of."""
        first = Path(self._places[0]).name if self._places else ""
        releases = (*([self.newer] if self.newer else ()), *self.others.values())
        matching = (release for release in releases if release.jars[0].file == first)
        return next(matching, Release(_OLDEST, self.jars))

    def _java(self) -> str:
        """The newer Java is for the parsers that need it: others were not tried with it."""
        if self._release().java == _OLDEST:
            return java()
        return java(os.environ.get(NEWER_JAVA) or self._java_home)

    def _start(self) -> subprocess.Popen[bytes]:
        if self._unavailable is not None:
            raise self._unavailable
        version = self.version
        self._sources = TemporaryDirectory(prefix="belvedere-judge-")
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own words only
                self.command(Path(self._sources.name)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={name: os.environ[name] for name in _KEPT if name in os.environ},
            )
            self._read(1, self.start_within)
        except (OSError, EOFError, TimeoutError) as error:
            self.close()
            self._unavailable = JudgeUnavailableError(
                f"the {self.part} of {self.engine} {version} did not start",
                hint=f"is {self._java()} a Java {self._release().java} or later, with 512 MB free?",
            )
            raise self._unavailable from error
        return self._process


def _framed(batch: Sequence[tuple[Statement, Before]]) -> Iterator[bytes]:
    """A batch as `java/Child.java` takes it: the sets of settings, then the statements."""
    settings = {
        texts: number for number, texts in enumerate(dict.fromkeys(before for _, before in batch))
    }
    yield _INTEGER.pack(len(settings))
    for texts in settings:
        yield _INTEGER.pack(len(texts))
        for text in texts:
            yield from _packed(text)
    yield _INTEGER.pack(len(batch))
    for statement, before in batch:
        yield _BEFORE.pack(statement.reads, settings[before])
        yield from _packed(statement.sql)


def _packed(text: str) -> Iterator[bytes]:
    encoded = text.encode("utf-8", "surrogatepass")
    yield _INTEGER.pack(len(encoded))
    yield encoded


def spark_jars() -> Path:
    """The jars of PySpark, or of the Spark that runs us, without importing either."""
    spec = find_spec("pyspark")
    if spec is not None and spec.origin is not None:
        jars = Path(spec.origin).parent / "jars"
        if jars.is_dir():
            return jars
    return Path(os.environ.get("SPARK_HOME", "/")) / "jars"
