import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from connectors.archive import Archive, Options
from discovery.errors import ListingError
from discovery.outcomes import Failure, Kind, Listed, RawObject
from discovery.ports import CrawlTask


def line(name: str, **more: Any) -> str:
    return json.dumps(
        {"kind": "hive_table", "payload": {"dbName": "db", "tableName": name}, **more}
    )


def replayed(path: Path, **options: Any) -> list[RawObject | Failure]:
    with Archive(Options(path=str(path), **options)) as archive:
        listing = list(archive.listing())
        listed = [one for one in listing if isinstance(one, Listed)]
        failed = [one for one in listing if isinstance(one, Failure)]
        return [*failed, *archive.load(CrawlTask("a", tuple(listed)))]


def names(found: list[RawObject | Failure]) -> list[str]:
    return [one.listed.name for one in found]


def test_one_object_a_file_one_a_line_zipped_or_not(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(
        json.dumps(json.loads(line("a")), indent=1), encoding="utf-8"
    )
    (tmp_path / "two.json.gz").write_bytes(gzip.compress(line("b").encode()))
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "x.jsonl").write_text(f"{line('c')}\n\n{line('d')}\n", encoding="utf-8")
    (tmp_path / "more" / "y.jsonl.gz").write_bytes(
        gzip.compress(f"{line('e')}\n".encode()) + gzip.compress(line("f").encode())
    )
    (tmp_path / "README.txt").write_text("not an archive", encoding="utf-8")
    assert sorted(names(replayed(tmp_path))) == ["a", "b", "c", "d", "e", "f"]


def test_a_glob_and_a_single_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text(line(name), encoding="utf-8")
    assert names(replayed(tmp_path / "a.json")) == ["a"]
    assert names(replayed(tmp_path / "[b-z].json")) == ["b"]


def test_the_line_is_kept_as_it_was(tmp_path: Path) -> None:
    text = '{"kind":  "hive_table", "payload": {"tableName": "\\u00e9"}}'
    (tmp_path / "x.jsonl").write_text(f"{text}\n", encoding="utf-8")
    (found,) = replayed(tmp_path)
    assert isinstance(found, RawObject)
    assert found.text == text


def test_files_come_with_their_bytes(tmp_path: Path) -> None:
    content = base64.b64encode(b"\x1f\x8b\x00").decode()
    (tmp_path / "x.jsonl").write_text(line("v", files={"file:/m": content}), encoding="utf-8")
    (found,) = replayed(tmp_path)
    assert isinstance(found, RawObject)
    assert found.files == {"file:/m": b"\x1f\x8b\x00"}


def test_a_dump_of_a_metastore_is_taken_for_what_it_is(tmp_path: Path) -> None:
    table = {"dbName": "db", "tableName": "v"}
    (tmp_path / "bare.json").write_text(json.dumps(table), encoding="utf-8")
    (tmp_path / "under.json").write_text(json.dumps({"hms_table": table}), encoding="utf-8")
    assert names(replayed(tmp_path)) == ["v", "v"]


@pytest.mark.parametrize(
    "text", ["[]", "{}", "nonsense", '{"kind": 7, "payload": {}}', '{"kind": "hive_table"}', "\xff"]
)
def test_what_is_no_object_is_a_failure_with_its_place(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(f"{line('good')}\n{text}\n".encode("latin-1"))
    bad, good = replayed(path)
    assert isinstance(bad, Failure)
    assert bad.listed.name == f"{path}:2"
    assert bad.code == "UNKNOWN_KIND"
    assert good.listed.name == "good"


def test_a_file_that_is_cut_off_loses_only_its_end(tmp_path: Path) -> None:
    whole = gzip.compress("".join(f"{line(f'v{n}')}\n" for n in range(2_000)).encode())
    (tmp_path / "x.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    found = replayed(tmp_path)
    assert isinstance(found[0], Failure)
    assert found[0].listed.name.endswith("x.jsonl.gz")
    assert "v1" in names(found)


def test_objects_can_be_read_in_any_order(tmp_path: Path) -> None:
    text = "".join(f"{line(f'v{number}')}\n" for number in range(50))
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    with Archive(Options(path=str(tmp_path))) as archive:
        listed = [one for one in archive.listing() if isinstance(one, Listed)]
        for part in (listed[40:], listed[:3], listed[20:25][::-1]):
            found = list(archive.load(CrawlTask("a", tuple(part))))
            assert sorted(names(found)) == sorted(one.name for one in part)


def test_patterns_choose(tmp_path: Path) -> None:
    text = "\n".join(line(name) for name in ("v_a", "v_b", "t"))
    (tmp_path / "x.jsonl").write_text(text, encoding="utf-8")
    assert names(replayed(tmp_path, include=("db.v_*",), exclude=("*.v_b",))) == ["v_a"]
    assert names(replayed(tmp_path, exclude=("db",))) == []


def test_databases_are_namespaces(tmp_path: Path) -> None:
    text = json.dumps({"kind": "hive_database", "payload": {"name": "db"}})
    (tmp_path / "x.json").write_text(text, encoding="utf-8")
    (found,) = replayed(tmp_path)
    assert (found.listed.namespace, found.listed.kind) == (("db",), Kind.NAMESPACE)


def test_an_archive_that_is_not_there_says_what_would_do(tmp_path: Path) -> None:
    with pytest.raises(ListingError) as raised:
        list(Archive(Options(path=str(tmp_path / "nowhere"))).listing())
    assert "nowhere" in raised.value.message
    assert "*.jsonl.gz" in raised.value.hint
