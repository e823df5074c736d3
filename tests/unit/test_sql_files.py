"""Views as files: every name has a place of its own, and SARIF points at what is there."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.reporting.export_folder import INDEX
from jobs.reporting.files import ReportFiles
from jobs.reporting.workers import rendered
from reports import sql_files
from reports.formats import FORMATS
from tests.made_up import HEAD, SQL, row, rows


def placed(name: str, *namespace: str, source: str = "lake", dialect: str = "spark") -> str:
    one = row(0, name, namespace=list(namespace), source=source)
    return sql_files.path_of(one, dialect)


def written(folder: Path, formats: list[str], some: list[dict[str, Any]]) -> set[str]:
    parts = [rendered(formats, 0, some)]
    ReportFiles(folder, formats, HEAD, parts=1, part=64).write(parts)
    place = folder / sql_files.FOLDER
    return {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (placed("v", "db"), "lake/db/v.spark.sql"),
        (placed("Orders", "db"), "lake/db/%4Frders.spark.sql"),
        (placed("a.b", "x.y"), "lake/x%2Ey/a.b.spark.sql"),
        (placed("..", "..", ".git"), "lake/%2E%2E/%2Egit/%2E..spark.sql"),
        (placed("/etc/passwd", "\\"), "lake/%5C/%2Fetc%2Fpasswd.spark.sql"),
        (placed("con", "nul"), "lake/%6Eul/%63on.spark.sql"),
        (placed("", ""), "lake/%/%.spark.sql"),
        (placed("v"), "lake/v.spark.sql"),
        (placed("ü\n\u202e", "db"), "lake/db/%C3%BC%0A%E2%80%AE.spark.sql"),
        (placed("\ud800", "db"), "lake/db/%ED%A0%80.spark.sql"),
    ],
)
def test_a_place_is_one_that_every_file_system_takes(path: str, expected: str) -> None:
    assert path == expected


NAMES = st.text(alphabet=st.sampled_from("aA.%~/\\ é\u0130\u0131:x1_-"), max_size=6) | st.text()


@given(st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=2, max_size=5, unique=True))
def test_no_two_texts_are_at_one_place_wherever_case_counts(
    found: list[tuple[str, str, str]],
) -> None:
    paths = [placed(name, space, dialect=dialect) for space, name, dialect in found]
    assert len({one.casefold() for one in paths}) == len(paths)
    for path in paths:
        parts = path.split("/")
        assert len(parts) == 3
        assert all(part.isascii() and part.isprintable() and len(part) < 230 for part in parts)
        assert not any(part.startswith(".") or part.endswith((".", " ")) for part in parts)


def test_a_folder_is_never_where_a_file_is() -> None:
    assert placed("v", "db") != placed("x", "db", "v.spark.sql").rpartition("/")[0]
    assert placed("v.x", "db", dialect="y") != placed("v", "db", dialect="x.y")


def test_a_namespace_that_no_path_can_hold_has_a_digest_for_its_levels(tmp_path: Path) -> None:
    deep = ["level" * 20] * 60
    one, other = (row(n, "v", namespace=[*deep, end]) for n, end in enumerate("ab"))
    found = written(tmp_path, ["sql", "dbt"], [one, other])
    assert len([path for path in found if path.endswith("/v.spark.sql")]) == 2
    assert all(len(path) < 1_500 for path in found)
    assert placed("v", *["level"] * 60).count("/level") == 60, "what a path can hold stays"


def test_long_names_that_differ_at_their_end_are_apart() -> None:
    one, other = placed("v" * 400 + "1", "db"), placed("v" * 400 + "2", "db")
    assert one != other
    assert len(one.rpartition("/")[2].encode()) < 230


def test_each_text_is_a_file_and_each_unread_object_says_why(tmp_path: Path) -> None:
    found = written(tmp_path, ["sql"], rows())
    assert "lake/db/%3Dcmd%28%29.spark.sql" in found
    assert len(found) == len(rows()) + 1, "and the index"
    text = (tmp_path / "views" / "lake" / "db" / "rejected.spark.sql").read_bytes()
    assert text == f"{SQL}\n".encode()
    (unread,) = (one for one in found if one.endswith(".unread.txt"))
    told = (tmp_path / "views" / unread).read_text(encoding="utf-8")
    assert told.startswith("INVALID_ENTRY\n")
    lines = (tmp_path / "views" / INDEX).read_text(encoding="utf-8").split("\n")[:-1]
    index = [json.loads(line) for line in lines]
    assert {one["file"] for one in index} == found - {INDEX}
    assert [one["name"] for one in index] == [one["name"] for one in rows()]


def test_what_an_earlier_report_wrote_goes_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "views").mkdir()
    (tmp_path / "mine.sql").write_text("mine", encoding="utf-8")
    (tmp_path / "views" / "mine.sql").write_text("mine", encoding="utf-8")
    written(tmp_path, ["sql"], rows())
    with (tmp_path / "views" / INDEX).open("a", encoding="utf-8") as index:
        index.write('{"file": "../mine.sql"}\n{"file": 3}\n{"fi')
    left = written(tmp_path, ["sql"], rows()[:1])
    assert left == {"lake/db/%3Dcmd%28%29.spark.sql", "mine.sql", INDEX}
    assert (tmp_path / "mine.sql").exists()


def test_sarif_points_at_files_that_are_there_and_at_lines_in_them(tmp_path: Path) -> None:
    (view,) = (one for one in rows() if one["name"] == "rejected")
    finding = {"code": "X", "severity": "error", "engine": None, "message": "m", "hint": "h"}
    cases = [
        row(10, "Windows", verdicts=view["verdicts"], model=view["model"].replace("\\n", "\\r\\n")),
        row(11, "late", verdicts=[{**view["verdicts"][0], "line": 99}]),
        row(12, "wide", verdicts=[{**view["verdicts"][0], "column": 999}]),
        row(13, "nowhere", verdicts=[{**view["verdicts"][0], "line": None, "column": None}]),
        row(14, "other", findings=[{**finding, "dialect": "trino"}]),
        row(15, "whole", findings=[{**finding, "dialect": None}]),
    ]
    written(tmp_path, ["sarif"], [*rows(), *cases])
    (run,) = json.loads((tmp_path / FORMATS["sarif"].file).read_text("utf-8"))["runs"]
    regions = {}
    for result in run["results"]:
        (location,) = result["locations"]
        place = location["physicalLocation"]
        file = tmp_path / unquote(place["artifactLocation"]["uri"])
        lines = file.read_text("utf-8").split("\n")
        regions[location["logicalLocations"][0]["fullyQualifiedName"]] = region = place.get(
            "region"
        )
        if region is None:
            assert file.name.endswith(".unread.txt")
            continue
        assert 1 <= region["startLine"] <= region["endLine"] <= len(lines)
        if "startColumn" in region:
            line = lines[region["startLine"] - 1]
            assert 1 <= region["startColumn"] <= region["endColumn"] <= len(line) + 1
            assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "FRM"
    whole = {"startLine": 1, "endLine": 2}
    assert [regions[f"lake.db.{name}"] for name in ("late", "nowhere", "other", "whole")] == [
        whole
    ] * 4
    assert regions["lake.db.Windows"]["snippet"]["text"] == SQL.split("\n")[1]
    assert regions["lake.db.wide"].keys() == {"startLine", "endLine", "snippet"}
