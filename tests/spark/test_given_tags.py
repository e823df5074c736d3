"""Tags of waves, put on views of a Gravitino server with a plan, verified, and taken off again."""

import copy
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError
from jobs.console import command
from tests.conftest import hive_entry
from tests.gravitino_double import Double, gravitino
from tests.migrated import BASE, TABLE, TOP, Estate, Migration, killed_at, latest

W1, W2 = "belvedere:wave-1", "belvedere:wave-2"
BASES, TOPS = [("VIEW", "c.rel.base")], [("VIEW", "c.rel.top")]
LATER = hive_entry("top", "select `t`.`id` from `rel`.`t`")


@pytest.fixture
def double() -> Iterator[Double]:
    with gravitino("hive", version="2.0.0") as found:
        yield found


@pytest.fixture
def migration(spark: SparkSession, estate: Estate, double: Double, tmp_path: Path) -> Migration:
    target = {
        "kind": "gravitino-rest",
        "uri": double.uri,
        "metalake": "m",
        "catalog": "c",
        "provider": "hive",
        "server_version": "2.0.0",
        "tags": "belvedere:wave-{wave}",
    }
    made = Migration(spark, estate, tmp_path, {"targets": {"t": target}, "engines": []})
    made.crawl(TABLE, BASE, TOP)
    return made


def test_each_view_has_the_tag_of_its_wave_also_once_that_is_another(
    migration: Migration, double: Double, capsys: pytest.CaptureFixture[str]
) -> None:
    double.tags.on["mine"] = []
    head = migration.plan()
    assert double.tags.on == {"mine": []}, "a plan writes nothing"
    assert migration.why_planned(head) == []
    told = (migration.folder / "plan" / "summary.md").read_text(encoding="utf-8")
    assert "Tags: 2 to be made, 2 views get theirs; there already: 0." in told
    assert [line["after"] for line in migration.lines("tags")] == [[W1], [W2], [W1], [W2]]
    first = migration.apply()
    assert (first.written, first.tags, first.untagged) == (2, 4, 0)
    assert double.tags.on == {"mine": [], W1: BASES, W2: TOPS}
    assert migration.verify().exit_code == command.FINE
    assert migration.apply().tags == 0
    migration.crawl(TABLE, BASE, LATER)
    migration.plan()
    told = (migration.folder / "plan" / "summary.md").read_text(encoding="utf-8")
    assert (
        "Tags: 0 to be made, 1 view gets its own, 1 of them instead of another; there already: 1"
        in told
    )
    second = migration.apply()
    assert (second.written, second.tags) == (1, 1)
    assert double.tags.on == {"mine": [], W1: [*BASES, *TOPS], W2: []}
    assert migration.verify().exit_code == command.FINE
    double.tags.on[W1] = TOPS
    verified = migration.verify()
    assert verified.tags == {"t": [f"{W1} as the tag of rel.base: there is no tag"]}
    assert verified.exit_code == command.FINDINGS
    double.tags.on[W1] = [*BASES, *TOPS]
    assert migration.undo(second.run).tags == 1
    assert double.tags.on == {"mine": [], W1: BASES, W2: TOPS}
    back = migration.undo(first.run)
    assert (back.written, back.untagged, double.tags.on) == (2, 0, {"mine": []})
    assert "tags: 2 changed, 0 not" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("note", "undo_note", "goes_on"),
    [(3, 1, True), pytest.param(6, 3, False, marks=pytest.mark.deep)],
)
def test_killed_before_and_after_tags_it_is_gone_on_with_and_undone(
    migration: Migration, double: Double, note: int, undo_note: int, goes_on: bool
) -> None:
    before = copy.deepcopy(double.tags)
    migration.plan()
    with killed_at("prepared", note):
        migration.apply()
    if goes_on:
        migration.apply()
        assert double.tags.on == {W1: BASES, W2: TOPS}
        assert migration.verify().exit_code == command.FINE
    run = latest(migration)
    with killed_at("prepared", undo_note):
        migration.undo(run)
    migration.undo(run)
    assert double.tags == before


def test_of_views_that_are_not_written_and_lines_that_are_deleted_no_tag_is_put_on(
    migration: Migration, double: Double
) -> None:
    migration.plan()
    for name, left in (("changes", '"top"'), ("tags", '"base"')):
        path = migration.folder / "plan" / f"{name}.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(line for line in lines if left not in line), encoding="utf-8")
    execution_result = migration.apply()
    assert (execution_result.written, execution_result.tags, execution_result.untagged) == (
        1,
        2,
        1,
    ), "there is no top"
    assert double.tags.on == {W1: [], W2: []}
    (migration.folder / "plan" / "tags.jsonl").write_text('{"view": null}', encoding="utf-8")
    with pytest.raises(ConfigurationError, match="is no change of a tag"):
        migration.apply()


def test_where_a_server_puts_no_tags_on_views_the_summary_says_so(
    migration: Migration, double: Double
) -> None:
    double.version = "1.3.0"
    head = migration.plan()
    assert head.targets["t"].tags.changes == ()
    assert migration.why_planned(head) == []
    told = (migration.folder / "plan" / "summary.md").read_text(encoding="utf-8")
    assert "Tags: none, as the server puts no tags on views: " in told
    assert (migration.apply().exit_code, double.tags.on) == (command.FINE, {})
    double.version = "2.0.0"
    migration.plan()
    told_of = migration.apply()
    assert (told_of.written, told_of.tags) == (0, 4), "of views that were there"
    assert double.tags.on == {W1: BASES, W2: TOPS}
    assert migration.undo(told_of.run).tags == 4
    assert double.tags.on == {}
    double.rights.on = True
    head = migration.plan()
    (exit_reason,) = migration.why_planned(head)
    assert exit_reason.sentence == "t: tags are not given, 1 reasons"
    archive = {"kind": "archive", "path": str(migration.folder / "moved"), "tags": "w{wave}"}
    migration.more |= {"targets": {"t": archive}}
    migration.crawl(TABLE, BASE, TOP)
    head = migration.plan()
    assert head.targets["t"].tags.remark == (
        "archive puts no tags on views: only gravitino-rest does"
    )
