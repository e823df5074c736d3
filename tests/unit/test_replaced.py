"""A view of Spark or Flink that Hive has replaced: read as its engine reads it, and told.

Hive's `ALTER VIEW … AS` and `CREATE OR REPLACE VIEW` set texts and columns and leave parameters.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from discovery.crawl import normalize
from discovery.model import View
from discovery.outcomes import Listed, Outcome, RawObject

GOLDEN = Path(__file__).parents[1] / "golden" / "hms"
ORIGINAL = "select id, 2 note from src"
EXPANDED = "select `src`.`id`, 2 `note` from `sales`.`src`"


def payload(name: str) -> dict[str, Any]:
    case: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    entry: dict[str, Any] = case["raw"]["payload"]
    return entry


def read(entry: dict[str, Any]) -> Outcome:
    return normalize(RawObject(Listed(("d",), "v"), "hive_table", entry))


def view(outcome: Outcome) -> View:
    assert isinstance(outcome.result, View), outcome.result
    return outcome.result


def by_hive(entry: dict[str, Any], **columns: str) -> dict[str, Any]:
    """The entry after Hive has replaced the view."""
    cols = [{"name": name, "type": kind, "comment": None} for name, kind in columns.items()]
    return entry | {
        "viewOriginalText": ORIGINAL,
        "viewExpandedText": EXPANDED,
        "sd": entry["sd"] | {"cols": cols},
    }


def spark_view(*names: str, shown: tuple[str, ...] = (), mode: str = "") -> dict[str, Any]:
    entry = payload("spark43-v_simple")
    fields = [
        {"name": name, "type": "long", "nullable": True, "metadata": {}} for name in shown or names
    ]
    kept = {
        key: value
        for key, value in entry["parameters"].items()
        if not key.startswith("view.query.out") and key != "view.schemaMode"
    }
    entry["parameters"] = {
        **kept,
        "spark.sql.sources.schema": json.dumps({"type": "struct", "fields": fields}),
        "view.query.out.numCols": f"{len(names)}",
        **{f"view.query.out.col.{index}": name for index, name in enumerate(names)},
        **({"view.schemaMode": mode} if mode else {}),
        "mine": "kept",
    }
    return entry


def told(outcome: Outcome) -> str:
    (note,) = outcome.notes
    assert note.code == "STALE_PARAMETERS"
    return note.message


def test_spark_finds_its_columns_in_the_text_of_hive() -> None:
    outcome = read(by_hive(spark_view("ID", shown=("Key",)), id="int", note="int"))
    (text,) = view(outcome).representations
    assert (text.dialect, text.sql) == ("spark", EXPANDED)
    assert text.default_catalog == "spark_catalog"
    assert [column.name for column in view(outcome).columns] == ["Key"]
    assert "Read as Spark reads it" in told(outcome)
    assert "with the columns Key of the parameters" in told(outcome)
    assert "with the columns id, note of sd.cols" in told(outcome)


def test_spark_refuses_a_text_without_its_columns_and_hive_reads_it() -> None:
    outcome = read(by_hive(spark_view("id", "gone"), id="int", note="string"))
    found = view(outcome)
    (text,) = found.representations
    assert (text.dialect, text.sql, text.default_catalog) == ("hive", EXPANDED, None)
    assert [column.name for column in found.columns] == ["id", "note"]
    assert ("mine", "kept") in found.properties
    assert not [key for key, _ in found.properties if key.startswith(("view.", "spark.sql."))]
    assert "Read as Hive reads it" in told(outcome)
    assert "Spark refuses the view: its parameters have the columns id, gone" in told(outcome)


def test_spark_refuses_a_name_that_the_text_returns_more_often() -> None:
    """It counts the columns of each name (`GetViewColumnByNameAndOrdinal`, Spark 3.1 to 4.3)."""
    entry = by_hive(spark_view("id", "id", shown=("a", "b")), id="int", note="int")
    assert view(read(entry)).representations[0].dialect == "hive"


def test_a_view_that_evolves_has_the_columns_of_its_text() -> None:
    entry = by_hive(spark_view("id", "gone", mode="EVOLUTION"), id="int", note="timestamp")
    outcome = read(entry)
    shown = [(column.name, str(column.type)) for column in view(outcome).columns]
    assert [name for name, _ in shown] == ["id", "note"]
    assert "timestamp_tz" in shown[1][1]  # Spark's
    assert view(outcome).representations[0].dialect == "spark"
    assert told(outcome)


def test_equal_texts_beside_other_columns_are_read_as_spark_reads_them() -> None:
    entry = spark_view("id", "gone")
    entry["sd"]["cols"] = [{"name": "other", "type": "int"}]
    outcome = read(entry)
    assert [column.name for column in view(outcome).columns] == ["id", "gone"]
    assert "columns other of sd.cols" in told(outcome)


@pytest.mark.parametrize(
    "cols",
    [
        [],
        [{"name": "ID", "type": "bigint"}],
        [{"name": "col", "type": "array<string>", "comment": "from deserializer"}],
    ],
)
def test_spark_s_own_columns_in_the_entry_are_no_contradiction(cols: list[Any]) -> None:
    entry = spark_view("id")
    entry["sd"]["cols"] = cols
    assert read(entry).notes == ()


def test_a_view_replaced_with_the_same_columns_has_the_new_text() -> None:
    outcome = read(by_hive(spark_view("id"), id="bigint"))
    assert view(outcome).representations[0].sql == EXPANDED
    assert told(outcome)


def test_flink_renames_the_columns_of_hive_s_text_by_position() -> None:
    outcome = read(by_hive(payload("flink120-v_plain"), key="int", note="int"))
    (text,) = view(outcome).representations
    assert (text.dialect, text.sql) == ("flink", EXPANDED)
    assert [column.name for column in view(outcome).columns] == ["id", "name"]
    assert "columns key, note of sd.cols" in told(outcome)


def test_flink_refuses_a_text_with_more_columns_and_hive_reads_it() -> None:
    entry = by_hive(payload("flink120-v_plain"), key="int", note="int", more="int")
    entry["parameters"]["mine"] = "kept"
    outcome = read(entry)
    found = view(outcome)
    assert (found.representations[0].dialect, found.representations[0].sql) == ("hive", EXPANDED)
    assert [column.name for column in found.columns] == ["key", "note", "more"]
    assert found.properties == (("mine", "kept"),)
    assert "Flink refuses the view" in told(outcome)


def test_no_entry_of_a_real_engine_is_called_stale() -> None:
    for path in GOLDEN.glob("*.json"):
        codes = {note.code for note in read(payload(path.stem)).notes}
        assert "STALE_PARAMETERS" not in codes, path.stem
