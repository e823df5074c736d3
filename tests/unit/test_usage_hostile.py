"""Lines of logs that are not as any engine writes them: told or passed over, and never an error."""

import json
import os
import random
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson
import pytest

from connectors.clients.log_files import lines_of, list_files
from discovery.errors import ConfigurationError, FileUnreadableError
from discovery.usage import hive, postgresql, spark, trino
from discovery.usage.model import Query, Reader, StatedLog, Unreadable
from jobs.configuration import loader
from jobs.using.files import engines_at_home, groups_of, meaning

RECORDED: Final = Path(__file__).parents[1] / "recorded" / "usage"
_ZONE: Final = ZoneInfo("UTC")
_READERS: Final[dict[str, Callable[[], Reader]]] = {
    "trino.jsonl": lambda: lambda lines: trino.read(lines, orjson.loads),
    "spark-extended.jsonl": lambda: spark.EventLog(orjson.loads).read,
    "spark-sql.jsonl": lambda: spark.EventLog(orjson.loads).read,
    "hive.log": lambda: lambda lines: hive.read(lines, _ZONE),
    **{
        f"postgresql.{form}": lambda form=form: postgresql.reader(  # type: ignore[misc] # a default of its own
            f"x.{form}", "%m [%p] %q%u@%d app=%a ", _ZONE, orjson.loads
        )
        for form in ("log", "csv", "json")
    },
}
_OTHERS: Final[tuple[Any, ...]] = (None, 1, -1e300, "x", [], ["x"], [[]], {}, {"a": 1}, True)


def counted(name: str, lines: list[bytes]) -> int:
    return sum(logged.lines for logged in _READERS[name]()(iter([*enumerate(lines, 1)])))


def otherwise(value: Any) -> Iterator[Any]:
    """The same with one member at a time that is something else."""
    yield from _OTHERS
    if isinstance(value, dict):
        for key in value:
            for other in otherwise(value[key]):
                yield {**value, key: other}
    elif isinstance(value, list) and value:
        for other in otherwise(value[0]):
            yield [other, *value[1:]]


@pytest.mark.parametrize("name", [reader for reader in _READERS if "json" in reader])
def test_a_member_of_another_type_is_no_error(name: str) -> None:
    events = [json.loads(line) for line in (RECORDED / name).read_bytes().splitlines()]
    longest = sorted(events, key=lambda event: len(str(event)))[-3:]
    lines = [
        json.dumps(other, separators=(",", ":")).encode()
        for one in longest
        for other in otherwise(one)
    ]
    assert counted(name, lines) == len(lines)


_READS_NOTHING: Final = {
    "trino.jsonl": {
        ("queryType", "None"),  # so is one that has failed, as its text cannot be parsed
        ("queryType", "left out"),
        ("context", "{}"),
        ("context", "{'a': 1}"),
        ("endTime", "left out"),  # it has begun
    },
    "spark.jsonl": {
        ("Event", "x"),
        ("physicalPlanDescription", ""),  # its analysis has failed
        ("rootExecutionId", "77"),
        ("executionId", "77"),
    },
    "postgresql.json": {("message", "x")},
}


def spoiled(value: object) -> Iterator[tuple[str, object, object]]:
    """An object with one member, at any depth, left out or something else: its name, and what."""
    if not isinstance(value, dict):
        return
    for key, member in value.items():
        yield key, "left out", {name: one for name, one in value.items() if name != key}
        for other in (None, 77, -1e300, True, "", "x", ["x"], {}, {"a": 1}):
            yield key, other, {**value, key: other}
        below = member[0] if isinstance(member, list) and member else member
        for name, what, made in spoiled(below):
            yield name, what, {**value, key: [made, *member[1:]] if below is not member else made}


@pytest.mark.parametrize("name", [reader for reader in _READERS if "json" in reader])
def test_a_spoiled_query_is_told_or_read_and_never_passed_over(name: str) -> None:
    """Who passes it over proposes views to be left behind that it may have read."""
    lines = [*enumerate((RECORDED / name).read_bytes().splitlines(), 1)]
    found = [
        json.loads(lines[logged.line - 1][1])
        for logged in _READERS[name]()(iter(lines))
        if isinstance(logged.found, Query)
    ]
    passed_over = set()
    for query in found:
        for member, what, other in spoiled(query):
            line = json.dumps(other, separators=(",", ":")).encode()
            (logged,) = _READERS[name]()(iter([(1, line)]))
            if logged.found is None:
                passed_over.add((member, str(what)))
    engine = name.replace("-extended", "").replace("-sql", "")
    assert passed_over == _READS_NOTHING[engine]


def test_of_trino_a_spoiled_table_is_told_and_a_query_of_unknown_state_or_kind_is_read() -> None:
    table = {"catalog": "c", "schema": "s", "table": "v", "directlyReferenced": True}
    context = {"queryType": "SELECT"}
    time = "2026-11-23T04:39:38.179Z"

    def found(context: object, **metadata: object) -> Query | Unreadable | None:
        event = {"context": context, "metadata": metadata, "createTime": time, "endTime": time}
        (logged,) = _READERS["trino.jsonl"]()(iter([(1, json.dumps(event).encode())]))
        return logged.found

    for key in table:
        for json_text in ("7", "null", '["x"]', "{}"):
            spoiled_table = {**table, key: json.loads(json_text)}
            assert isinstance(found(context, tables=[spoiled_table]), Unreadable)
    for state in ("FAILED", 7, None):
        failed = found(context, tables=[], query="select 1 from s.v", queryState=state)
        assert isinstance(failed, Query)
        assert failed.sql == "select 1 from s.v"
    later = found({"queryType": "READ_OF_LATER_TRINO"}, tables=[table], queryState="FINISHED")
    assert isinstance(later, Query)
    assert later.named == (("c", "s", "v"),)


@pytest.mark.parametrize("name", _READERS)
def test_a_damaged_byte_costs_no_line_that_is_not_counted(name: str) -> None:
    lines, chance = (RECORDED / name).read_bytes().splitlines(), random.Random(name)  # noqa: S311 - no secret
    for _ in range(40):
        damaged = list(lines)
        number = chance.randrange(len(lines))
        line = bytearray(damaged[number])
        at = chance.randrange(len(line) + 1)
        line[at : at + chance.randrange(3)] = bytes(
            chance.choices(range(256), k=chance.randrange(3))
        )
        damaged[number] = bytes(line[: chance.choice((at, len(line)))])
        assert counted(name, damaged) == len(lines)


@pytest.mark.parametrize("pattern", ["local-*.lz4", "local-*.snappy"])
def test_a_file_that_breaks_off_is_told(pattern: str, tmp_path: Path) -> None:
    (whole,) = RECORDED.glob(pattern)
    cut = tmp_path / whole.name
    cut.write_bytes(whole.read_bytes()[:-1000])
    with pytest.raises(FileUnreadableError, match="ends within a block"):
        read(cut)


@pytest.mark.parametrize("ending", ["lz4", "snappy", "zstd", "gz", "bz2", "lzf"])
def test_what_is_no_such_file_is_told(ending: str, tmp_path: Path) -> None:
    (path := tmp_path / f"x.{ending}").write_bytes(b"nothing of the kind\n" * 9)
    with pytest.raises(FileUnreadableError):
        read(path)


def read(path: Path) -> int:
    with lines_of(str(path)) as lines:
        return sum(1 for _ in lines)


def test_a_path_may_have_wildcards_at_each_level(tmp_path: Path) -> None:
    for name in ("a/x.log", "a/b/y.log", "c/z.log", "c/z.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    def names(pattern: str) -> list[str]:
        return [
            path.removeprefix(f"{tmp_path}/") for path, _ in list_files(f"{tmp_path}/{pattern}")
        ]

    assert names("*/*.log") == ["a/x.log", "c/z.log"]
    assert names("**/*.log") == ["a/b/y.log", "a/x.log", "c/z.log"]
    assert names("a") == ["a/b/y.log", "a/x.log"]
    assert names("c/z.???") == ["c/z.log", "c/z.txt"]
    assert names("nowhere/*") == []
    with pytest.raises(ConfigurationError):
        list_files("nosuchscheme://x/y")


def test_a_log_to_which_links_lead_counts_once(tmp_path: Path) -> None:
    (tmp_path / "november").mkdir()
    log = tmp_path / "november" / "x.log"
    log.touch()
    (tmp_path / "round").symlink_to(tmp_path)
    (tmp_path / "current").symlink_to(tmp_path / "november")
    (tmp_path / "latest.log").symlink_to(log)
    assert list_files(str(tmp_path)) == [(str(log), 0)]
    assert list_files(f"{tmp_path}/lat*.log") == [(str(tmp_path / "latest.log"), 0)]
    assert list_files(f"{tmp_path}/cur*/*.log") == [(str(tmp_path / "current" / "x.log"), 0)]


@pytest.mark.parametrize("stated", ["", "/*.log", "/{}.log"])
@pytest.mark.parametrize("name", ["nowhere", "itself", "pipe", "socket"])
def test_what_has_the_name_of_a_log_and_is_none_is_told(
    name: str, stated: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{name}.log"
    with socket.socket(socket.AF_UNIX) as unix:
        if name == "socket":
            unix.bind(str(path))
        elif name == "pipe":
            os.mkfifo(path)
        else:
            path.symlink_to(tmp_path / f"{name.removeprefix('no')}.log")
        assert list_files(f"{tmp_path}{stated.format(name)}") == [(str(path), 0)]
        with pytest.raises(FileUnreadableError, match=r"no file|No such file|Too many levels"):
            read(path)


def test_what_cannot_be_looked_into_matters_only_where_a_log_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("private", "node-1", "node-2/old"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "x.log").touch()
    scandir = os.scandir
    closed: set[Path] = set()

    def look(path: str) -> Any:
        if Path(path) in closed:
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", look)
    closed |= {tmp_path / "private"}
    assert list_files(f"{tmp_path}/*.log") == [(str(tmp_path / "x.log"), 0)]
    assert list_files(f"{tmp_path}/node-*/*.log") == []
    for pattern, folder in (
        ("node-*/*.log", "node-1"),
        ("**/*.log", "node-2/old"),
        ("node-2", "node-2/old"),
    ):
        closed = {tmp_path / folder}
        with pytest.raises(ConfigurationError, match=f"{folder}: Permission denied"):
            list_files(f"{tmp_path}/{pattern}")


@pytest.mark.parametrize(
    ("pattern", "folders"),
    [
        ("*.log", ["", "c.log", "c.log/d"]),
        ("a/*.log", ["a"]),
        ("*/b/*", ["", "a", "a/b", "a/b/e", "c.log", "link"]),
        ("**/e/*.log", ["", "a", "a/b", "a/b/e", "c.log", "c.log/d", "link"]),
        ("l*k/*.log", ["", "link"]),
        ("", ["", "a", "a/b", "a/b/e", "c.log", "c.log/d", "link"]),
    ],
)
def test_no_folder_is_looked_into_in_which_no_log_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str, folders: list[str]
) -> None:
    for folder in ("below/a/b/e", "below/c.log/d", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "below" / "link").symlink_to(tmp_path / "elsewhere")
    scandir, looked = os.scandir, []

    def look(path: str) -> Any:
        looked.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", look)
    list_files(f"{tmp_path}/below/{pattern}".rstrip("/"))
    assert sorted(looked) == [f"{tmp_path}/below/{folder}".rstrip("/") for folder in folders]


@pytest.mark.parametrize("stated", ["logs", "logs/x.log", "lo*/*.log"])
def test_a_folder_with_the_signs_of_a_glob_holds_logs_as_any_other(
    tmp_path: Path, stated: str
) -> None:
    folder = tmp_path / "st*r[x]?{a,b} %41#"
    (folder / "logs").mkdir(parents=True)
    (folder / "logs" / "x.log").touch()
    (file := folder / "estate.yaml").write_text(
        "warehouse: w\nsources: {a: {kind: archive, path: a}}\n"
        f"usage: [{{kind: trino, path: {stated!r}}}]\n",
        encoding="utf-8",
    )
    (log,) = loader.load(file).usage
    assert list_files(log.paths[0]) == [(str(folder / "logs" / "x.log"), 0)]


def test_an_empty_folder_of_logs_and_a_log_of_no_source_are_told(tmp_path: Path) -> None:
    log = StatedLog("postgresql", (str(tmp_path),))
    with pytest.raises(ConfigurationError, match="there is no file"):
        groups_of(log)
    estate = tmp_path / "estate.yaml"
    estate.write_text("warehouse: w\nsources: {a: {kind: archive, path: a}}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="no source is of the kind postgresql"):
        meaning(log, loader.load(estate))
    with pytest.raises(ConfigurationError, match="'a' is of the kind archive"):
        meaning(replace(log, source="a"), loader.load(estate))


@pytest.mark.parametrize(
    ("sources", "wanted"),
    [
        ("a: {kind: hms, uri: 'thrift://h:1'}", {"a": {"spark", "hive"}}),
        ("a: {kind: hms, uri: 'thrift://h:1'}, b: {kind: hms, uri: 'thrift://i:1'}", {}),
        ("a: {kind: archive, path: a}", {}),
    ],
)
def test_sessions_of_spark_and_hive_begin_in_the_only_metastore(
    tmp_path: Path, sources: str, wanted: dict[str, set[str]]
) -> None:
    estate = tmp_path / "estate.yaml"
    estate.write_text(f"warehouse: w\nsources: {{{sources}}}\n", encoding="utf-8")
    assert engines_at_home(loader.load(estate).sources) == wanted


def test_every_file_of_a_log_of_postgresql_is_read_and_its_forms_by_one_worker(
    tmp_path: Path,
) -> None:
    groups = [
        ["mon.csv", "mon.json", "mon.log", "mon.log.gz"],
        ["tue.log.csv", "tue.log"],
        ["wed.log"],
        ["wed.log.1"],
    ]
    for name in (name for group in groups for name in group):
        (tmp_path / name).write_bytes(b"x")
    read = groups_of(StatedLog("postgresql", (str(tmp_path),)))
    names = [[Path(file).name for file in files] for files, _ in read]
    assert sorted(names) == [sorted(group) for group in groups]
    assert sum(size for _, size in read) == 8


_HIVE: Final = (
    b"2026-11-20T08:00:01,901  INFO [x] ql.Driver: Executing command(queryId=h): select 1"
)
_BEFORE: Final = b"2026-11-20T08:00:01,900  INFO [x] ql.Driver: Concurrency mode is disabled"


@pytest.mark.parametrize(
    "spoiled_line",
    [
        _HIVE.replace(b"2026", b"2x26"),
        b"\xef\xbb\xbf" + _HIVE,
        b"\0" * 99 + _HIVE,
        _HIVE + b"\0",
        _HIVE.decode().encode("utf-16"),
        _HIVE[24:],
        _HIVE.replace(b"Executing", b"Exec ting"),
        b"select 2" + _HIVE,
    ],
)
def test_a_spoiled_statement_of_hive_is_told_and_belongs_to_no_other(spoiled_line: bytes) -> None:
    lines = [_BEFORE, spoiled_line, b"from sales.eu", _BEFORE, _HIVE, spoiled_line, _HIVE]
    read = list(hive.read(iter([*enumerate(lines, 1)]), _ZONE))
    found = [(logged.line, logged.lines, type(logged.found)) for logged in read]
    assert found == [
        (1, 1, type(None)),
        (2, 2, Unreadable),
        (4, 1, type(None)),
        (5, 1, Query),
        (6, 1, Unreadable),
        (7, 1, Query),
    ]


@pytest.mark.parametrize(
    "line",
    [
        b"INFO 2026-11-20T08:00:01,901 [x] ql.Driver: Starting",  # the time is not its begin
        (RECORDED / "hive.log").read_bytes().replace(b"\n", b"\r").decode().encode("cp037"),
    ],
)
def test_a_log_of_hive_in_which_no_line_has_a_time_is_told(line: bytes) -> None:
    (logged,) = hive.read(iter([(1, line)]), _ZONE)
    assert isinstance(logged.found, Unreadable)


@pytest.mark.parametrize(
    "message",
    [
        b"LOG:  Anweisung: select * from sales.eu",
        b"LOG:  instruction : SELECT * from sales.eu",
        b"LOG:  ausf\xc3\xbchren <unnamed>: select * from sales.eu",
        b"L0G:  statement: select * from sales.eu",
        b"LUG:  statement: select * from sales.eu",
        b"FEHLER:  Syntaxfehler",
        b"LOG:  st\xc2\xb2tement: select * from sales.eu",
        b"LOG:  select * from sales.eu",
        b"LOG:  execute select * from sales.eu",
        b"LOG:  duration: 1.0 1.0 ms  statement: select * from sales.eu",
        b"LOG:  checkpoint starting: time2026-11-23 05:39:54.747 UTC [1] LOG:  statement: select 1",
        b"LOG:  statement: select 12026-11-23 05:39:54.747 UTC [1] LOG:  statement: select 1",
    ],
)
def test_a_message_of_postgresql_that_may_hide_a_statement_is_told(message: bytes) -> None:
    line = b"2026-11-23 05:39:54.747 UTC [1] " + message
    (logged,) = postgresql.reader("x.log", "%m [%p] ", _ZONE, orjson.loads)(iter([(1, line)]))
    assert isinstance(logged.found, Unreadable)


@pytest.mark.parametrize(
    "message",
    [
        b"LOG:  checkpoint starting: time",
        b"LOG:  duration: 0.042 ms  parse <unnamed>: select * from sales.eu",
        b"LOG:  duration: 0.042 ms  bind <unnamed>: select * from sales.eu",
        b"LOG:  execute fetch from c1: select * from sales.eu",
        b'LOG:  automatic vacuum of table "shop.sales.eu": index scans: 0',
        b"LOG:  connection authorized: user=ann database=shop",
        b'ERROR:  relation "eu" does not exist at character 15',
        b"STATEMENT:  select * from eu",
    ],
)
def test_a_message_of_postgresql_about_anything_else_is_passed_over(message: bytes) -> None:
    line = b"2026-11-23 05:39:54.747 UTC [1] " + message
    (logged,) = postgresql.reader("x.log", "%m [%p] ", _ZONE, orjson.loads)(iter([(1, line)]))
    assert logged.found is None


def test_a_record_of_csv_with_a_column_too_few_or_too_many_before_its_message_is_told() -> None:
    (line,) = (
        line
        for line in (RECORDED / "postgresql.csv").read_bytes().splitlines()
        if line.endswith(
            b'"statement: select count(*) from sales.big",,,,,,,,,"tableau","client backend",,0'
        )
    )
    columns = line.split(b",")
    spoiled_lines = [b",".join(columns[:at] + columns[at + 1 :]) for at in range(14)]
    spoiled_lines += [b",".join(columns[: at + 1] + columns[at:]) for at in range(13)]
    spoiled_lines += [line + line, line.replace(b"2026", "²".encode()), "²".encode() + line[27:]]
    for spoiled_line in spoiled_lines:
        (logged,) = _READERS["postgresql.csv"]()(iter([(1, spoiled_line)]))
        assert isinstance(logged.found, Unreadable), spoiled_line
