"""Mistakes of a configuration as people see them: all in one pass, in English, with an excerpt."""

import re
from pathlib import Path

import pytest

from discovery.errors import ConfigurationError
from jobs.configuration import loader
from jobs.configuration.problems import excerpt
from jobs.configuration.wording import nearest_name, suggestion

ESTATE = """\
warehouse: w
sources:
  lake: {kind: hive, uri: "thrift://h:9083"}
  shop:
    kind: postgres
    url: postgresql://u:canary-11@h/d
    password: canary-22
    connections: many
  a: 5
  b: {kind: hms, uri: "thrift://h:1", batch: 0, include: nosuch, conections: 3}
targets:
  g: {kind: gravitino, provider: hivee, gravitino-store: {url: "postgresql://h/d", metalake: 5}}
  h:
    kind: gravitino-store
mapping:
  - {source: lak, target: gg, collisions: merg, qualifi: draft}
  - {target: g, include: v}
engines: {trno: {}, trino: {hive_view: true}}
fail_on:
  standing: {blocked: 500%, blockd: 3}
  unread: -1
  codes: {RIG: 1}
archive: maybe
openlineage: {url: "ftp://x", api_key: canary-33}
quality: {max_age_hours: soon, expectations: [{name: x}]}
"""
TOLD = """\
3:10: kind 'hive' is unknown; did you mean 'hms'?
5:5: kind 'postgres' is unknown; did you mean 'postgresql'?
6:5: a secret stands in url (take it out of url: it is an option of its own, ${env:NAME})
7:5: sources.shop.password: must be a reference, ${env:NAME} or ${file:PATH}: secrets do not \
stand in files
8:5: sources.shop.connections: must be a whole number, and is 'many'
9:3: sources.a: must be a map, `key: value`, and is 5
10:39: sources.b.batch: must be 1 or more, and is 0
10:49: sources.b.include: must be a list, such as [one, two], and is 'nosuch'
10:66: sources.b.conections: is unknown; did you mean 'connections'?
12:24: provider 'hivee' is unknown; did you mean 'hive'?
12:41: targets.g.gravitino-store.catalog: is missing
12:84: targets.g.gravitino-store.metalake: must be a text, and is 5
13:3: targets.h.catalog: is missing
13:3: targets.h.metalake: is missing
13:3: targets.h.url: is missing
16:6: 'lak' is no source; did you mean 'lake'?
16:19: 'gg' is no target; did you mean 'g'?
16:31: mapping.0.collisions: is 'merg'; did you mean 'merge'?
16:49: mapping.0.qualifi: is unknown; did you mean 'qualify'?
17:5: mapping.1.source: is missing
17:17: mapping.1.include: must be a list, such as [one, two], and is 'v'
18:11: 'trno' is no judge; did you mean 'trino'?
18:29: engines.trino.hive_view: is unknown; did you mean 'hive_views'?
20:14: fail_on.standing.blocked: must be a whole number, or a percentage from 0% to 100%, and \
is '500%'
20:29: fail_on.standing.blockd: is unknown; did you mean 'blocked'?
21:3: fail_on.unread: must be 0 or more, and is -1
22:11: 'RIG' is no code; did you mean 'RING'?
23:1: archive: must be true or false, and is 'maybe'
24:15: openlineage.url: must be a URL that begins with http:// or https://, and is 'ftp://x'
24:31: openlineage.api_key: must be a reference, ${env:NAME} or ${file:PATH}: secrets do not \
stand in files
25:11: quality.max_age_hours: must be a number, and is 'soon'
25:47: quality.expectations.0.table: is missing
25:47: quality.expectations.0.type: is missing
"""


def refused(folder: Path, text: str) -> str:
    path = folder / "estate.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        loader.load(path)
    return raised.value.message


def test_every_mistake_is_told_in_one_pass_in_plain_english(tmp_path: Path) -> None:
    told = refused(tmp_path, ESTATE)
    head = f"{tmp_path / 'estate.yaml'}:"
    lines = [line.removeprefix(head) for line in told.splitlines() if line.startswith(head)]
    assert lines == TOLD.splitlines()
    assert not re.search("Input should|pydantic|constrained|valid dictionary", told)
    assert "canary" not in told, "an excerpt shows no secret"


def test_an_excerpt_has_its_carets_below_what_is_meant(tmp_path: Path) -> None:
    told = refused(tmp_path, ESTATE)
    assert (
        "  20 |   standing: {blocked: 500%, blockd: 3}\n     |              ^^^^^^^^^^^^^\n"
    ) in told
    assert "   7 |     password: *********\n     |     ^^^^^^^^^^^^^^^^^^^\n" in told
    assert "   6 |     url: postgresql://u:*********@h/d\n" in told


def test_what_is_no_yaml_has_an_excerpt_too(tmp_path: Path) -> None:
    told = refused(tmp_path, "warehouse: w\nsources: [\n")
    assert told.splitlines()[0].endswith(", but found '<stream end>'")
    told = refused(tmp_path, "warehouse: w\nwarehouse: v\n")
    assert told.endswith("\n   2 | warehouse: v\n     | ^^^^^^^^^^^^")


def test_a_long_line_is_cut_around_what_is_meant() -> None:
    line = f"a: {'x' * 300}, wrong: 5, {'y' * 300}"
    column = line.index("wrong") + 1
    _, shown, carets = excerpt([line], 1, column).split("\n")
    assert len(shown) < 120
    begin = carets.index("^")
    assert shown[begin : carets.rindex("^") + 1] == "wrong: 5"


@pytest.mark.parametrize(("line", "column"), [(0, 1), (2, 1), (9, 4)])
def test_where_there_is_no_line_there_is_no_excerpt(line: int, column: int) -> None:
    assert excerpt(["a: b", "  "], line, column) == ""


@pytest.mark.parametrize(
    ("said", "known", "near"),
    [
        ("hive", ["hms", "archive"], "hms"),
        ("HMS", ["hms", "archive"], "hms"),
        ("iceberg_rest", ["iceberg-rest", "iceberg-jdbc"], "iceberg-rest"),
        ("hive", ["trino"], None),
        (5, ["trino"], None),
    ],
)
def test_what_was_meant_is_the_nearest_name(
    said: object, known: list[str], near: str | None
) -> None:
    assert nearest_name(said, known) == near
    assert suggestion(said, known).startswith("did you mean" if near else "known: ")


def test_a_file_that_is_not_there_says_what_writes_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="there is no such file") as raised:
        loader.load(tmp_path / "estate.yaml")
    assert "belvedere init" in raised.value.hint
