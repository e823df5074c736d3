"""A Java that is none, or that says nothing, is told of in a sentence, and waited for by nobody."""

from pathlib import Path

import pytest
from pyspark import java_gateway
from pyspark.errors import PySparkRuntimeError

from discovery.errors import ConfigurationError
from jobs.console import java_process, session
from jobs.console.java_process import KnownPopen, know_java, started_java
from jobs.console.session import java_in_use


@pytest.fixture
def java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that stands where Java should; there is none yet."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    return tmp_path / "bin" / "java"


def write_script(place: Path, script: bytes) -> None:
    place.write_bytes(b"#!/bin/sh\n" + script)
    place.chmod(0o755)


def test_a_java_that_ends_well_without_an_answer_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    write_script(tmp_path / "bin" / "spark-submit", b"exit 0")
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    with know_java(), pytest.raises(PySparkRuntimeError, match="JAVA_GATEWAY_EXITED"):
        vars(java_gateway)["launch_gateway"]()  # it has no types
    java = started_java()
    assert java is not None
    assert java.returncode == 0
    assert java.stdin is not None
    java.stdin.close()  # PySpark leaves it


def test_a_java_that_neither_answers_nor_ends_is_told_and_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bin").mkdir()
    write_script(tmp_path / "bin" / "spark-submit", b"exec sleep 600")
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    monkeypatch.setattr(java_process, "_TOLD_AFTER", 0.0)
    monkeypatch.setattr(java_process, "_WAITED_FOR", 0.3)
    with know_java(), pytest.raises(ConfigurationError, match=r"answered within 0\.005 min"):
        vars(java_gateway)["launch_gateway"]()  # it has no types
    java = started_java()
    assert java is not None
    assert java.returncode == -9, "it is there no more"
    told = capsys.readouterr().err
    assert told.count(f"Spark's Java, process {java.pid}, has not answered") == 1
    assert java.stdin is not None
    java.stdin.close()  # PySpark leaves it


def test_a_java_that_has_answered_may_run_for_as_long_as_it_likes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(java_process, "_WAITED_FOR", 0.0)
    with know_java():
        process = KnownPopen(["sleep", "600"])
    assert process.poll() is None
    process.kill()
    assert process.wait() == -9


@pytest.mark.parametrize(("code", "polled"), [(0, 256), (3, 3)])
def test_a_java_that_has_ended_is_never_taken_for_one_that_runs(code: int, polled: int) -> None:
    process = KnownPopen(["sh", "-c", f"exit {code}"])
    process.wait()
    assert process.poll() == polled


def test_what_is_no_program_is_no_java(java: Path) -> None:
    java.write_bytes(b"no program")
    java.chmod(0o755)
    with pytest.raises(ConfigurationError, match=r"bin/java: Exec format error"):
        java_in_use()


def test_what_may_not_be_run_is_no_java(java: Path) -> None:
    java.write_bytes(b"")
    with pytest.raises(ConfigurationError, match=r"bin/java: Permission denied"):
        java_in_use()


def test_a_java_that_says_what_is_no_text_is_one(java: Path) -> None:
    write_script(java, b"printf '\\377 17\\nmore\\n' >&2")
    assert java_in_use() == "\ufffd 17"


def test_a_java_that_never_says_its_version_is_left(
    java: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_script(java, b"exec sleep 60")
    monkeypatch.setattr(session, "_ANSWERS_WITHIN", 0.2)
    with pytest.raises(ConfigurationError, match=r"-version has not ended within 0\.2 s"):
        java_in_use()
