"""What people name is read whole or refused: pipes hold no command, devices fill no memory."""

import json
import os
import threading
import time
from pathlib import Path

import pytest

from connectors.clients.bounded_files import read_bounded
from discovery.acceptance import Baseline
from discovery.errors import ConfigurationError
from jobs.configuration import loader
from jobs.configuration.problems import file_error
from jobs.configuration.reading import read_tree, resolve_reference
from jobs.configuration.user_files import read_user_text
from jobs.initializing.files import read
from jobs.migrating.plan_folder import read_head

AN_ESTATE = {"warehouse": "w", "sources": {"a": {"kind": "archive", "path": "views.jsonl"}}}


def test_a_pipe_into_which_nobody_writes_is_left_after_a_while(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(TimeoutError, match=r"nobody has written into it for 0\.1 s"):
        read_bounded(pipe, 100, patience=0.1)


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "estate"
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("w", encoding="utf-8") as stream:
            stream.write(json.dumps(AN_ESTATE)[:20])
            stream.flush()
            time.sleep(0.2)
            stream.write(json.dumps(AN_ESTATE)[20:])

    writer = threading.Thread(target=write)
    writer.start()
    assert list(loader.load(pipe).sources) == ["a"]
    writer.join()


def test_an_empty_pipe_whose_writer_has_gone_has_no_bytes() -> None:
    reading, writing = os.pipe()
    os.close(writing)
    assert read_bounded(f"/dev/fd/{reading}", 100) == b""
    os.close(reading)


def test_a_device_without_an_end_is_too_long(tmp_path: Path) -> None:
    for place, tell in (
        (tmp_path / "secret", lambda: resolve_reference(tmp_path, "file", "secret")),
        (tmp_path / "cat.properties", lambda: read(str(tmp_path / "cat.properties"))),
        (tmp_path / "estate.yaml", lambda: read_tree(tmp_path / "estate.yaml")),
    ):
        place.symlink_to("/dev/zero")
        with pytest.raises(ConfigurationError, match=r"is longer than [\d,]+ bytes"):
            tell()


def test_a_file_may_have_as_many_bytes_as_are_said_and_no_more(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * 100)
    assert read_bounded(file, 100) == b"x" * 100
    with pytest.raises(OSError, match="is longer than 99 bytes"):
        read_bounded(file, 99)


def test_an_editors_mark_is_no_part_of_a_text(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"\xef\xbb\xbfpassword\r\n")
    assert resolve_reference(tmp_path, "file", "secret") == "password"
    properties = tmp_path / "cat.properties"
    properties.write_bytes(
        b"\xef\xbb\xbfconnector.name=hive\r\nhive.metastore.uri=thrift://h:9083\r\n"
    )
    assert [source.name for source in read(str(properties))] == ["cat"]


def test_a_secret_with_a_nul_is_refused_as_drivers_end_there(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"pass\0word")
    with pytest.raises(ConfigurationError, match="the file secret has a NUL character"):
        resolve_reference(tmp_path, "file", "secret")


def test_a_line_that_is_no_text_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"a\nb\n\xff\n")
    with pytest.raises(UnicodeDecodeError) as told:
        read_user_text(file, 100)
    assert told.value.object[: told.value.start].count(b"\n") == 2


def test_a_plan_that_is_a_folder_or_a_device_is_told(tmp_path: Path) -> None:
    (tmp_path / "plan.json").mkdir()
    with pytest.raises(ConfigurationError, match=r"plan\.json: Is a directory"):
        read_head(tmp_path)


def test_of_a_baseline_that_is_none_the_first_lines_are_told_at_once() -> None:
    with pytest.raises(ConfigurationError) as told:
        Baseline.parse("accepted.json", "a: b\n" * 2_000_000)
    lines = told.value.message.splitlines()
    assert lines[0].startswith("accepted.json:1: is no JSON")
    assert lines[19].startswith("accepted.json:20: ")
    assert lines[20:] == ["accepted.json: what follows has not been looked at"]


@pytest.mark.parametrize("text", ["[" * 1000, '{"a":' * 1000, "- " * 1000])
def test_a_configuration_of_many_levels_is_refused_where_they_are_too_many(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "estate.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"estate\.yaml:1:\d\d+: is nested too deeply"):
        read_tree(tmp_path / "estate.yaml")


def test_what_is_wrong_with_a_pipe_is_told_without_another_look_at_it(tmp_path: Path) -> None:
    pipe = tmp_path / "estate"
    os.mkfifo(pipe)
    assert file_error(pipe, [(1, 1, "is wrong")], ()).message == f"{pipe}:1:1: is wrong"
