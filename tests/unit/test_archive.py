import base64
import gzip
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from connectors.archive import Archive, Options
from connectors.clients import archived
from connectors.clients.lines import CrawlOrigin
from discovery import folds
from discovery.crawl import crawl
from discovery.errors import ListingError
from discovery.outcomes import Failure, Kind, Listed, RawObject
from discovery.ports import CrawlTask
from jobs.configuration import loader


def line(name: str, **more: Any) -> str:
    return json.dumps(
        {"kind": "hive_table", "payload": {"dbName": "db", "tableName": name}, **more}
    )


def replayed(path: Path, **options: Any) -> list[RawObject | Failure]:
    with Archive(Options(path=str(path), **options)) as archive:
        listing = list(archive.listing())
        listed = [item for item in listing if isinstance(item, Listed)]
        failed = [item for item in listing if isinstance(item, Failure)]
        return [*failed, *archive.load(CrawlTask("a", tuple(listed)))]


def names(found: list[RawObject | Failure]) -> list[str]:
    return [outcome.listed.name for outcome in found]


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


@pytest.mark.parametrize("stated", ["arch", "arch/a.jsonl", "arch/*.jsonl", "../*/arch/?.jsonl"])
def test_a_folder_with_the_signs_of_a_glob_holds_an_archive_as_any_other(
    tmp_path: Path, stated: str
) -> None:
    folder = tmp_path / "st*r[x]?{a,b} %41#"
    (folder / "arch").mkdir(parents=True)
    (folder / "arch" / "a.jsonl").write_text(f"{line('v')}\n", encoding="utf-8")
    estate = {"warehouse": "w", "sources": {"a": {"kind": "archive", "path": stated}}}
    (folder / "estate.yaml").write_text(json.dumps(estate), encoding="utf-8")
    path = loader.load(folder / "estate.yaml").sources["a"].options.path
    assert names(replayed(path)) == ["v"]


def test_what_has_changed_since_it_was_listed_is_not_taken_for_another_object(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{line('a')}\n{line('b')}\n{line('c')}\n", encoding="utf-8")
    with Archive(Options(path=str(path))) as archive:
        listed = tuple(item for item in archive.listing() if isinstance(item, Listed))
        path.write_text(f"{line('b')}\n{line('a')}\n{line('c')}\n", encoding="utf-8")
        found = list(archive.load(CrawlTask("a", listed)))
    failed = [outcome for outcome in found if isinstance(outcome, Failure)]
    assert [failure.listed.name for failure in failed] == ["a", "b"]
    assert "another object than was listed: the file has changed since" in failed[0].message
    assert names(found) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("nope://x/y", "nope://x/y: Unrecognized filesystem type in URI"),
        ("file://elsewhere/x", "file://elsewhere/x: Unsupported hostname in non-Windows local URI"),
    ],
)
def test_a_place_that_nobody_can_look_into_is_no_bug(place: str, told: str) -> None:
    with Archive(Options(path=place)) as archive, pytest.raises(ListingError, match=told):
        list(archive.listing())


def test_a_file_whose_name_is_no_text_is_named(tmp_path: Path) -> None:
    Path(os.fsdecode(bytes(tmp_path) + b"/\xff.jsonl")).write_text(line("a"), encoding="utf-8")
    with pytest.raises(
        ListingError, match=r"the name of a file there is no UTF-8: b'.*\\xff.jsonl'"
    ):
        replayed(tmp_path)


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
        listed = [item for item in archive.listing() if isinstance(item, Listed)]
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


MALFORMED = {
    "files that are no base64": line("v", files={"file:/m": "not base64!"}),
    "files that are no map": line("v", files=["file:/m"]),
    "a file that is no text": line("v", files={"file:/m": 7}),
    "a table that is none": '{"hms_table": 5}',
    "a table that is a text": '{"hms_table": "tableName"}',
    "deep nesting": "[" * 100_000,
    "a deep payload": '{"kind": "hive_table", "payload": {"a": '
    + '{"a":' * 100_000
    + "1"
    + "}" * 100_002,
    "half a line": line("v")[:-9],
    "NUL": "\0\0",
    "half of a surrogate pair in a name": line("\ud800"),
    "a line of another version": '{"v": 3, "kind": "hive_table", "payload": {}}',
    "a fold that is none": '{"v": 2, "source": "s", "source_kind": "k", "fold": "x", '
    '"kind": "hive_table", "payload": {}}',
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_line_costs_itself(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f"{line('before')}\n{text}\n{line('behind')}\n", encoding="utf-8")
    found = replayed(path)
    assert [outcome.listed.name for outcome in found if isinstance(outcome, RawObject)] == [
        "before",
        "behind",
    ]
    (failure,) = [outcome for outcome in found if isinstance(outcome, Failure)]
    assert failure.code == "UNKNOWN_KIND" or "surrogate" in text or "\\ud800" in text
    assert f"{path}:2: " in failure.message


def test_invalid_utf_8_costs_one_line(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(
        line("a").encode() + b'\n{"kind": "\xff"}\n\xed\xa0\x80\n' + line("b").encode()
    )
    found = replayed(path)
    assert [outcome.listed.name for outcome in found if isinstance(outcome, RawObject)] == [
        "a",
        "b",
    ]
    assert len(found) == 4


def mutated(text: bytes, chance: random.Random) -> bytes:
    """A line with up to three changes, still one line and not empty."""
    changed = bytearray(text)
    for _ in range(chance.randint(0, 3)):
        place = chance.randrange(len(changed))
        match chance.randrange(4):
            case 0:
                changed[place] = chance.randrange(256)
            case 1:
                del changed[place + 1 :]
            case 2:
                more = [
                    b'"',
                    b"{",
                    b"[[",
                    b"\0",
                    b"\\u",
                    b"\\ud800",
                    b"7",
                    b"\xff",
                    b"\xed\xa0\x80",
                ]
                changed[place:place] = chance.choice(more)
            case _:
                del changed[place : place + chance.randint(1, 9)]
        changed = changed or bytearray(b"x")
    one_line = bytes(changed).replace(b"\n", b" ").replace(b"\r", b" ")
    return one_line if one_line.strip() else b"x"


@pytest.mark.parametrize("head", ["{", CrawlOrigin("lake", "hms", "lower").head()])
def test_thousands_of_mutated_lines_have_one_outcome_each(tmp_path: Path, head: str) -> None:
    chance = random.Random(7)  # noqa: S311 - data, not a secret
    made = [line(f"v{number}", files={"f": "eA=="})[1:] for number in range(3_000)]
    whole = [mutated(text.encode(), chance) for text in made]
    (tmp_path / "x.jsonl").write_bytes(b"\n".join(head.encode() + text for text in whole))
    with Archive(Options(path=str(tmp_path))) as archive:
        listing = list(archive.listing())
        listed = tuple(item for item in listing if isinstance(item, Listed))
        failed = {item.listed for item in listing if isinstance(item, Failure)}
        outcomes = list(crawl(CrawlTask("a", listed), archive))
    assert len(listing) == len(whole)
    assert len(failed) + len(listed) == len(whole), "each has a place of its own"
    assert sorted(map(str, listed)) == sorted(str(outcome.listed) for outcome in outcomes)
    codes = {outcome.result.code for outcome in outcomes if isinstance(outcome.result, Failure)}
    assert "INTERNAL" not in codes, "no error is one that nobody raised on purpose"


def test_an_object_that_is_too_long_costs_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archived, "LONGEST", 1_000)
    long = line("long", files={"f": "A" * 4_000})
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(f"{line('a')}\n{long}\n{line('b')}\n".encode()))
    found = replayed(tmp_path)
    assert names([outcome for outcome in found if isinstance(outcome, RawObject)]) == ["a", "b"]
    assert isinstance(found[0], Failure)
    assert f"{path}:2: longer than" in found[0].message


def test_a_bomb_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archived, "_UNPACKED", 1_000)
    bomb = gzip.compress(f"{line('a')}\n".encode() + b" " * 5_000_000)
    (tmp_path / "x.jsonl.gz").write_bytes(bomb)
    (tmp_path / "y.jsonl").write_text(line("b"), encoding="utf-8")
    found = replayed(tmp_path)
    assert isinstance(found[0], Failure)
    assert "unpacks to more than 200 times" in found[0].message
    assert names(found[1:]) == ["a", "b"]


def of(source: str, name: str, fold: str = "none", region: str | None = None) -> str:
    """A line as a crawl writes it."""
    return CrawlOrigin(source, "hms", fold, region).head() + line(name)[1:]


def test_a_line_says_where_it_comes_from(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(of("lake", "V", "lower", "eu-west-1"), encoding="utf-8")
    with Archive(Options(path=str(tmp_path))) as archive:
        assert (archive.fold("ÄB"), archive.region, archive.lacks()) == ("äb", "eu-west-1", "")
        assert archive.probe().problems == ()
        (found,) = replayed(tmp_path)
    assert isinstance(found, RawObject)
    assert found.text == line("V"), "the raw object is the one of the crawl"


def test_an_old_archive_says_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(line("V"), encoding="utf-8")
    with Archive(Options(path=str(tmp_path))) as archive:
        assert archive.fold("V") == "V"
        assert "does not say which source" in archive.lacks()
        assert archive.probe().problems == (archive.lacks(),)
    assert names(replayed(tmp_path)) == ["V"]
    with Archive(Options(path=str(tmp_path / "nowhere"))) as archive:
        assert archive.lacks() == ""


@pytest.mark.parametrize("files", [1, 2])
def test_an_archive_of_several_sources_wants_one_named(tmp_path: Path, files: int) -> None:
    text = [of("lake", "v", "lower"), of("shop", "v"), of("shop", "w")]
    parts = [text] if files == 1 else [text[:1], text[1:]]
    for number, part in enumerate(parts):
        (tmp_path / f"{number}.jsonl").write_text("\n".join(part), encoding="utf-8")
    with pytest.raises(ListingError, match="several sources") as raised:
        replayed(tmp_path)
    assert raised.value.hint == "set source to one of lake, shop"
    assert names(replayed(tmp_path, source="lake")) == ["v"]
    assert names(replayed(tmp_path, source="shop")) == ["v", "w"]
    with Archive(Options(path=str(tmp_path), source="shop")) as archive:
        assert archive.fold("V") == "V"
    with pytest.raises(ListingError, match="no source 'other'"):
        replayed(tmp_path, source="other")


def test_a_line_that_others_have_written_anew_says_the_same(tmp_path: Path) -> None:
    lines = [of("lake", "v", "lower"), of("lake", "V", "lower")]
    anew = [json.dumps(dict(sorted(json.loads(text).items()))) for text in lines]
    (tmp_path / "x.jsonl").write_text("\n".join(anew), encoding="utf-8")
    with Archive(Options(path=str(tmp_path))) as archive:
        assert (archive.fold("V"), archive.lacks()) == ("v", "")
    twice, *others = replayed(tmp_path)
    assert isinstance(twice, Failure)
    assert (twice.code, names(others)) == ("DUPLICATE_KEY", ["v"])
    with (tmp_path / "x.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"\n{of('shop', 'w')}")
    with pytest.raises(ListingError, match="several sources"):
        replayed(tmp_path)


def test_sources_are_told_apart_behind_lines_that_name_none(tmp_path: Path) -> None:
    text = [line("old"), of("lake", "v"), of("shop", "v")]
    (tmp_path / "x.jsonl").write_text("\n".join(text[:2]), encoding="utf-8")
    assert names(replayed(tmp_path)) == ["old", "v"]
    (tmp_path / "x.jsonl").write_text("\n".join(text), encoding="utf-8")
    with pytest.raises(ListingError, match="several sources"):
        replayed(tmp_path)


def test_each_file_is_read_once_whatever_links_lead_to_it(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.jsonl").write_text(line("linked"), encoding="utf-8")
    root = tmp_path / "archive"
    (root / "z").mkdir(parents=True)
    (root / "z" / "a.jsonl").write_text(line("a"), encoding="utf-8")
    for number in range(40):  # each way round twice as many as the one before
        (root / f"round-{number}").symlink_to(root)
    (root / "a-link").symlink_to(root / "z")
    (root / "b.jsonl").symlink_to(root / "z" / "a.jsonl")
    for name in ("c.jsonl", "d.jsonl"):
        (root / name).symlink_to(tmp_path / "elsewhere" / "x.jsonl")
    assert names(replayed(root)) == ["linked", "a"]
    assert names(replayed(root / "b*.jsonl")) == ["a"], "a link that is named is one way, too"
    assert names(replayed(root / "a-link" / "*.jsonl")) == ["a"]


def test_what_an_archive_names_and_does_not_have_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(line("a"), encoding="utf-8")
    for name in ("gone.jsonl", "unmounted", "README.md"):
        (tmp_path / name).symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "cut.jsonl.gz").write_bytes(b"")
    *failures, found = replayed(tmp_path)
    told = {
        Path(failure.listed.name).name: f"{failure.code}: {failure.message}"
        for failure in failures
        if isinstance(failure, Failure)
    }
    assert told.keys() == {"gone.jsonl", "unmounted", "pipe.jsonl", "cut.jsonl.gz"}
    assert all(message.startswith("READ_FAILED: ") for message in told.values())
    assert "is not read: No such file" in told["gone.jsonl"]
    assert "a pipe" in told["pipe.jsonl"]
    assert "it was cut off" in told["cut.jsonl.gz"]
    assert found.listed.name == "a"


def test_a_folder_that_may_not_be_entered_costs_what_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.jsonl").write_text(line("a"), encoding="utf-8")
    (tmp_path / "closed.d").mkdir()
    real = os.scandir

    def scandir(folder: str) -> Any:
        if folder.endswith("closed.d"):
            raise PermissionError(13, "Permission denied", folder)
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    failure, found = replayed(tmp_path)
    assert isinstance(failure, Failure)
    assert failure.message.endswith("closed.d: it is not read: Permission denied")
    assert found.listed.name == "a"
    with pytest.raises(ListingError, match="Permission denied"):
        replayed(tmp_path / "closed.d")


def test_a_key_that_is_there_twice_is_a_failure_with_both_places(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(
        "\n".join([of("lake", "v", "lower"), of("lake", "w", "lower")]), encoding="utf-8"
    )
    (tmp_path / "y.jsonl").write_text(of("lake", "V", "lower"), encoding="utf-8")
    failure, *others = replayed(tmp_path)
    assert isinstance(failure, Failure)
    assert failure.code == "DUPLICATE_KEY"
    assert f"{tmp_path}/x.jsonl:1" in failure.message
    assert f"{tmp_path}/y.jsonl:1" in failure.message
    assert names(others) == ["v", "w"]


def test_what_could_not_be_had_is_told_again(tmp_path: Path) -> None:
    entry = {
        "dbName": "db",
        "tableName": "v",
        "tableType": "VIRTUAL_VIEW",
        "parameters": {"table_type": "iceberg-view", "metadata_location": "file:/etc/passwd"},
        "sd": {"cols": [], "serdeInfo": {}},
    }
    unread = {"file:/etc/passwd": {"code": "FILE_OUTSIDE", "message": "it was not read"}}
    text = json.dumps({"kind": "hive_table", "payload": entry, "unread": unread})
    (tmp_path / "x.jsonl").write_text(text, encoding="utf-8")
    with Archive(Options(path=str(tmp_path))) as archive:
        (listed,) = archive.listing()
        assert isinstance(listed, Listed)
        (outcome,) = crawl(CrawlTask("a", (listed,)), archive)
    assert isinstance(outcome.result, Failure)
    assert outcome.result.code == "FILE_OUTSIDE"


def test_every_fold_has_a_name_and_is_one() -> None:
    for name, fold in folds.FOLDS.items():
        assert folds.name_of(fold) == name
        for probe in ("aB", "Straße", "İI"):
            assert fold(fold(probe)) == fold(probe)
    with pytest.raises(ValueError, match="without a name"):
        folds.name_of(str.title)


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_file_of_one_object_that_holds_none_is_a_failure(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(line("a"), encoding="utf-8")
    (tmp_path / "b.json").write_text(text, encoding="utf-8")
    (tmp_path / "none.jsonl").write_text(text, encoding="utf-8")
    failure, *views = replayed(tmp_path)
    assert isinstance(failure, Failure)
    assert "b.json: it holds no object" in failure.message
    assert names(views) == ["a"]
