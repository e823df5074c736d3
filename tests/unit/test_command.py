"""The last boundary of every command: a code for each end, and no secret in what is told."""

import argparse
import errno
import os
import shlex
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, cast

import pytest
from py4j.java_gateway import GatewayClient
from py4j.protocol import Py4JNetworkError
from pyspark.errors import PySparkException

from connectors.clients.credentials import Secret
from discovery.errors import ConfigurationError, UnreachableError
from jobs.console import command
from jobs.console.ending import _hush, ending, trace_of
from jobs.warehouse.locks import hold_lock
from jobs.warehouse.placing import note_written

CANARY = "canary-51ab0c"
DOCUMENT = "belvedere test: ends as it is told to."


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], int]:
    """The exit code of a command that ends with an error; its configuration has a secret."""
    monkeypatch.setenv("THE_SECRET", CANARY)
    estate = tmp_path / "estate.yaml"
    text = (
        "warehouse: w\nsources: {s: {kind: hms, uri: 'thrift://h:1', io: {k: '${env:THE_SECRET}'}}}"
    )
    estate.write_text(text, encoding="utf-8")

    def end(error: BaseException) -> int:
        def run(args: argparse.Namespace) -> int:
            raise error

        return command.execute(DOCUMENT, command.with_config, run, ["--config", str(estate)])

    return end


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigurationError(f"not {CANARY}", hint=f"{CANARY}?"), command.USAGE),
        (UnreachableError(f"{CANARY} refused"), command.CRASHED),
    ],
)
def test_an_error_of_ours_is_a_line_without_the_secret(
    ended: Callable[[BaseException], int],
    error: Exception,
    code: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ended(error) == code
    told = capsys.readouterr()
    assert CANARY not in told.out + told.err
    assert "belvedere test: " in told.err
    assert "***" in told.err
    assert "Traceback" not in told.err


def test_a_traceback_has_everything_but_the_secret(
    ended: Callable[[BaseException], int], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        raise OSError(f"cause {CANARY}")
    except OSError as cause:
        error = ValueError(f"password={CANARY}")
        error.__cause__ = cause
        error.add_note(f"note {CANARY}")
    assert ended(error) == command.CRASHED
    told = capsys.readouterr()
    assert CANARY not in told.out + told.err
    sentence, hint, trace = told.err.splitlines()
    assert sentence == "belvedere test: ValueError: password=***"
    assert "please report it with the trace" in hint
    path = Path(trace.removeprefix("trace: "))
    text = path.read_text(encoding="utf-8")
    assert path.stat().st_mode & 0o077 == 0, "it is nobody else's"
    path.unlink()
    for line in ("Traceback", "OSError: cause ***", "ValueError: password=***", "note ***"):
        assert line in text
    assert CANARY not in text


def test_each_reason_is_told_the_gravest_first(capsys: pytest.CaptureFixture[str]) -> None:
    reasons = [
        command.ExitReason(3, "two are blocked", "look"),
        command.ExitReason(4, "one is away", "ask"),
    ]
    assert command.end(reasons) == 4
    assert capsys.readouterr().err.splitlines() == [
        "exit code 4: one is away",
        "  next: ask",
        "exit code 3: two are blocked",
        "  next: look",
    ]
    assert command.end([]) == command.FINE
    assert capsys.readouterr().err == ""


def test_what_a_command_suggests_is_of_the_configuration_that_it_reads(tmp_path: Path) -> None:
    file = tmp_path / "my estate.yaml"
    file.write_text("warehouse: w\nsources: {s: {kind: archive, path: a}}\n", encoding="utf-8")
    suggested: list[str] = []

    def run(_: argparse.Namespace) -> int:
        suggested.append(command.next_command(None, "undo", "r1"))
        return command.FINE

    ended = command.execute("belvedere x: y.", command.with_config, run, ["--config", str(file)])
    assert ended == command.FINE
    assert [shlex.split(line) for line in suggested] == [
        ["belvedere", "undo", "r1", "--config", str(file)]
    ]


def test_a_command_that_ends_well_says_what_comes_next(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(command.CONFIG_VARIABLE, raising=False)
    usual = command.next_command(Path("estate.yaml"), "assess")
    assert usual == "belvedere assess", "it is the default"
    named = command.next_command(Path("my estate.yaml"), "apply", Path("a plan"))
    assert shlex.split(named) == ["belvedere", "apply", "a plan", "--config", "my estate.yaml"]
    assert command.next_command(None, "assess") == "belvedere assess", "nothing has read one"
    assert command.end([], usual) == command.FINE
    assert capsys.readouterr().err.splitlines() == ["next: belvedere assess"]
    assert command.end([command.ExitReason(3, "one is blocked", "look")], usual) == 3
    assert "assess" not in capsys.readouterr().err, "what is wrong comes first"


def test_an_interruption_ends_with_130(
    ended: Callable[[BaseException], int],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends: list[str] = []  # the Java of this process is that of other tests
    monkeypatch.setattr(command, "end_children", lambda: ends.append("children"))
    assert ended(KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == "belvedere test: interrupted\n"
    assert ends == ["children"]


def test_an_error_of_what_an_interruption_undoes_is_an_interruption(
    ended: Callable[[BaseException], int],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "end_children", lambda: None)
    error, above = PySparkException("Answer from Java side is empty"), ValueError("above")
    above.__context__, error.__context__ = error, KeyboardInterrupt()
    assert ended(above) == 130
    assert capsys.readouterr().err == "belvedere test: interrupted\n"


@pytest.mark.parametrize(
    ("error", "sentence", "hint"),
    [
        (OSError(errno.ENOSPC, "", "/w/x"), "/w/x: No space left on device", "free some space"),
        (OSError(errno.EROFS, "", "/w/x"), "/w/x: Read-only file system", "name another place"),
        (PermissionError(errno.EACCES, "", "/w"), "/w: Permission denied", "write and read there"),
        (
            PySparkException("Job aborted: java.io.IOException: No space left on device\n\tat x"),
            "No space left on device",
            "free some space",
        ),
        (
            PySparkException(
                "Job aborted: java.io.IOException: No space left on device\n"
                "\tat org.apache.spark.storage.DiskBlockObjectWriter.commitAndGet(x.scala:239)"
            ),
            "the folder of Spark's working files (spark.local.dir): No space left on device",
            "free some space there",
        ),
        (
            PySparkException("java.io.IOException: Failed to get a temp directory under [/full]."),
            "/full: Spark cannot make its working files there",
            "spark.local.dir=",
        ),
        (
            PySparkException(
                "writing rows to file:/w/out/run_id=r. SQLSTATE: 5\nNo space left on device"
            ),
            "/w/out/run_id=r: No space left on device",
            "free some space",
        ),
        (
            PySparkException(
                "OSError: [Errno 28] Error writing bytes. Detail: [errno 28] No space left on "
                "device: '/w/outcomes/run_id=r'"
            ),
            "/w/outcomes/run_id=r: No space left on device",
            "free some space",
        ),
        (
            PySparkException("Mkdirs failed to create file:/w/outcomes/_temporary/0 (exists=false"),
            "/w/outcomes/_temporary/0: Permission denied",
            "name another place",
        ),
        (PySparkException("java.lang.OutOfMemoryError: heap"), "Java has not", "driver.memory"),
        (
            PySparkException("Traceback\n  File x\ndiscovery.errors.ReadError: h is away\n\tat y"),
            "h is away",
            "",
        ),
        (
            PySparkException(
                "An error occurred while calling o1.x.\n: org.apache.hadoop.fs."
                'UnsupportedFileSystemException: No FileSystem for scheme "s3"\n\tat y'
            ),
            "Spark has no file system for s3://",
            "s3a:// of hadoop-aws",
        ),
        (
            PySparkException("[JAVA_GATEWAY_EXITED] Java gateway process exited before sending"),
            "Spark's Java did not start",
            "ulimit -n",
        ),
        (
            PySparkException("x: [INVALID_DRIVER_MEMORY.SYSTEM_MEMORY] Insufficient\n\tat y"),
            "Spark's Java has not enough memory to begin with",
            "spark.driver.memory",
        ),
        (OSError(errno.EIO, "Input/output error", "/w/a"), "/w/a: Input/output error", "disk"),
        (OSError(errno.EFBIG, "File too large", "/w/a"), "/w/a: File too large", "ulimit -f"),
        (
            PySparkException(
                "ExceptionInInitializerError: Cannot unpack libzstd-jni: File too large"
            ),
            "File too large",
            "ulimit -f",
        ),
        (
            PySparkException(
                "(localhost executor driver): java.io.EOFException\n"
                "\tat java.base/java.io.DataInputStream.readInt(DataInputStream.java:386)\n"
                "\tat org.apache.spark.api.python.PythonWorkerFactory.createWorker$1(X.scala:213)"
            ),
            "a Python of Spark's executors has ended unexpectedly",
            "killed it",
        ),
        (
            PySparkException("SparkException: Python worker exited unexpectedly (crashed)\n\tat x"),
            "a Python of Spark's executors has ended unexpectedly",
            "killed it",
        ),
        (
            PySparkException("Traceback\nx\n: java.net.UnknownHostException: far.example\n\tat y"),
            "far.example: there is no such host",
            "address of the warehouse",
        ),
        (
            PySparkException(
                ": java.net.ConnectException: Call From vm/127.0.0.1 to localhost:1 failed on "
                "connection exception: java.net.ConnectException: Connection refused; For more"
            ),
            "localhost:1: nobody answers there",
            "address of the warehouse",
        ),
        (
            PySparkException(
                "java.lang.RuntimeException: java.lang.ClassNotFoundException: Class "
                "org.apache.hadoop.fs.s3a.S3AFileSystem not found"
            ),
            "Spark has no org.apache.hadoop.fs.s3a.S3AFileSystem",
            "hadoop-aws",
        ),
        (
            PySparkException(
                "[INVALID_CONF_VALUE.TYPE_MISMATCH] The value 'x' in the config \"spark.a\" is "
                "invalid. It should be a/an 'int' value. SQLSTATE: 22022"
            ),
            "Spark refuses a setting: The value 'x' in the config \"spark.a\" is invalid. It",
            "BELVEDERE_SPARK_CONF",
        ),
        (Py4JNetworkError("Answer from Java side is empty"), "Spark's Java has ended", "killed it"),
        (MemoryError(), "there is not enough memory", "where there is more"),
    ],
)
def test_what_the_world_does_is_one_sentence(error: Exception, sentence: str, hint: str) -> None:
    told = ending(error)
    assert told.foreseen
    assert told.sentence.startswith(sentence)
    assert hint in told.hint
    assert "\n" not in told.sentence


def test_a_full_disk_that_java_does_not_name_is_told_with_what_was_written() -> None:
    with pytest.raises(PySparkException) as raised, note_written("file:/w/waves/run_id=r"):
        raise PySparkException("java.io.IOException: No space left on device")
    assert ending(raised.value).sentence == (
        "No space left on device, while file:/w/waves/run_id=r was written"
    )
    with pytest.raises(PySparkException) as raised, note_written("file:/w/waves/run_id=r"):
        raise PySparkException("writing rows to file:/d/x. SQLSTATE: 5\nNo space left on device")
    assert ending(raised.value).sentence == "/d/x: No space left on device"
    of_tasks = BaseExceptionGroup("of tasks", [ExceptionGroup("within", [raised.value])])
    assert ending(of_tasks).sentence == "/d/x: No space left on device"


def test_what_cannot_ask_a_java_that_is_gone_says_that_it_is_gone() -> None:
    refused = ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")
    refused.__context__ = Py4JNetworkError("Answer from Java side is empty")
    assert ending(refused).sentence == "Spark's Java has ended unexpectedly"


def test_a_java_that_was_gone_before_it_was_asked_is_told_as_that_and_another_server_is_not() -> (
    None
):
    def ask() -> None:
        raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")

    def refusing(module: str) -> ConnectionRefusedError:
        with pytest.raises(ConnectionRefusedError) as raised:
            FunctionType(ask.__code__, {**globals(), "__name__": module})()
        return raised.value

    assert ending(refusing("py4j.clientserver")).sentence == "Spark's Java has ended unexpectedly"
    assert "Spark" not in ending(refusing("http.client")).sentence


def test_a_folder_that_stands_where_a_file_gets_its_name_is_named(tmp_path: Path) -> None:
    (part := tmp_path / ".page.part").touch()
    (there := tmp_path / "page").mkdir()
    with pytest.raises(IsADirectoryError) as raised:
        part.replace(there)
    told = ending(raised.value)
    assert told.sentence == f"{there}: Is a directory"
    assert "move the folder" in told.hint


def test_a_current_folder_that_was_removed_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (gone := tmp_path / "gone").mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for look in (Path.cwd, Path("there").mkdir):
        with pytest.raises(FileNotFoundError) as raised:
            look()
        assert ending(raised.value).sentence == "the current folder is not there any more"
    with pytest.raises(FileNotFoundError) as raised:
        (gone / "x").read_bytes()
    assert ending(raised.value).sentence == f"{gone}/x: No such file or directory"


def test_a_trace_that_no_disk_takes_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("tempfile.mkstemp", full)
    told = trace_of(ValueError(f"x {CANARY}"), "belvedere test", [Secret(CANARY)])
    assert told.startswith("the trace could not be written to a file:\n")
    assert "ValueError: x ***" in told


def test_what_reads_from_java_prints_nothing_once_it_is_ended(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Summing(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            raise EOFError

    spark: Any = SimpleNamespace(setLogLevel=lambda _: None)
    with socketserver.TCPServer(("127.0.0.1", 0), Summing) as server:
        spark._accumulatorServer = server
        _hush(spark)
        with socket.create_connection(("127.0.0.1", server.server_address[1])):
            server.handle_request()
    assert capsys.readouterr().err == ""


def test_a_call_that_java_does_not_answer_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Py4J's own client, which logs whatever its threads still tell a Java that is gone."""

    class Gone(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.rfile.readline()

    _hush(cast("Any", SimpleNamespace(setLogLevel=lambda _: None)))
    with socketserver.TCPServer(("127.0.0.1", 0), Gone) as server:
        client = GatewayClient(port=server.server_address[1])
        asked = threading.Thread(target=client.send_command, args=("m\nd\no1\ne\n", False))
        asked.start()
        server.handle_request()
        asked.join(10)
    assert not asked.is_alive()
    assert [record.message for record in caplog.records if record.name == "root"] == []


HANGING = """
import sys
from jobs.console import command
from jobs.console.session import spark_session

def run(args):
    spark = spark_session("hang")
    print(spark.sparkContext._gateway.proc.pid, flush=True)
    spark.range(1).mapInPandas(hang, "id long").collect()

def hang(frames):
    import pathlib, time
    pathlib.Path(BEGUN).touch()
    time.sleep(300)
    yield from frames

sys.exit(command.execute("belvedere hang: hangs.", lambda parser: None, run, []))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_who_is_asked_to_end_lets_go_of_what_it_holds(
    number: signal.Signals,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "end_children", lambda: None)
    monkeypatch.setattr("logging.disable", lambda: None)

    def run(_: argparse.Namespace) -> int:
        with hold_lock(str(tmp_path), "plan p", "apply"):
            os.kill(os.getpid(), number)
            time.sleep(60)
        return command.FINE

    before = signal.signal(number, signal.SIG_DFL)  # who runs the tests may have said nohup
    try:
        assert command.execute(DOCUMENT, lambda _: None, run, []) == 128 + number
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, before)
    assert capsys.readouterr().err == f"belvedere test: interrupted by {number.name}\n"
    assert not [*(tmp_path / "locks").iterdir()]


def test_under_nohup_a_closed_terminal_ends_nothing() -> None:
    def run(_: argparse.Namespace) -> int:
        os.kill(os.getpid(), signal.SIGHUP)
        return command.FINE

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert command.execute(DOCUMENT, lambda _: None, run, []) == command.FINE
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.parametrize(
    ("ask", "number", "told"),
    [
        pytest.param(os.killpg, signal.SIGINT, "interrupted", id="Ctrl-C"),
        pytest.param(os.killpg, signal.SIGTERM, "interrupted by SIGTERM", id="systemd"),
        pytest.param(os.kill, signal.SIGTERM, "interrupted by SIGTERM", id="container"),
    ],
)
def test_an_interruption_is_one_line_and_java_is_gone(
    tmp_path: Path, ask: Callable[[int, int], None], number: signal.Signals, told: str
) -> None:
    begun = tmp_path / "begun"
    with subprocess.Popen(
        [sys.executable, "-c", f"BEGUN = {str(begun)!r}\n{HANGING}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        java = int(process.stdout.readline())
        while not begun.exists() and process.poll() is None:
            time.sleep(0.05)
        ask(process.pid, number)
        _, heard = process.communicate(timeout=60)
    assert process.returncode == 128 + number, heard
    lines = [line for line in heard.splitlines() if not line.startswith("WARNING: ")]  # of Java
    assert lines == [f"belvedere hang: {told}"]
    assert not Path(f"/proc/{java}").exists()


def test_the_configuration_is_that_of_the_line_the_variable_or_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Path] = []

    def run(args: argparse.Namespace) -> int:
        found.append(args.config_file)
        return command.FINE

    for name in ("estate.yaml", "other.yaml", "third.yaml"):
        text = "warehouse: w\nsources: {s: {kind: hms, uri: 'thrift://h:1'}}"
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(command.CONFIG_VARIABLE, raising=False)
    assert command.execute(DOCUMENT, command.with_config, run, []) == command.FINE
    monkeypatch.setenv(command.CONFIG_VARIABLE, "other.yaml")
    assert command.execute(DOCUMENT, command.with_config, run, []) == command.FINE
    line = ["--config", "third.yaml"]
    assert command.execute(DOCUMENT, command.with_config, run, line) == command.FINE
    assert [path.name for path in found] == ["estate.yaml", "other.yaml", "third.yaml"]


def test_a_folder_without_a_configuration_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(command.CONFIG_VARIABLE, raising=False)
    assert command.execute(DOCUMENT, command.with_config, lambda _: 0, []) == command.USAGE
    assert "estate.yaml" in capsys.readouterr().err
