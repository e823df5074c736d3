"""A baseline end to end: every gate counts what is not accepted, and nothing else."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from discovery.acceptance import Baseline
from jobs import accept
from jobs.assess import assess_run
from jobs.configuration import loader
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.plan import Paper, plan_run
from jobs.plan import reasons as why_planned
from jobs.report import ReportScope, write_report
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry

RUN = "r1"


def entries() -> list[dict[str, object]]:
    return [
        hive_entry("good", "SELECT 1 AS `id`"),
        hive_entry("low", "SELECT `id` FROM `rel`.`low`"),
        {**hive_entry("bad", "SELECT 1 AS `id`"), "parameters": {"k": 1}},
    ]


@pytest.mark.timeout(600)
def test_the_gates_of_all_stages_honour_it_until_its_day_has_passed(
    spark: SparkSession,
    tmp_path: Path,
    estate: Callable[..., RunConfig],
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = [json.dumps({"kind": "hive_table", "payload": entry}) for entry in entries()]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    made = {
        "targets": {"out": {"kind": "archive", "path": "out"}},
        "engines": ["hive"],
        "fail_on": {"standing": {"blocked": 0}, "codes": {"INVALID_ENTRY": 0, "SELF_REFERENCE": 0}},
        "accepted": "accepted.jsonl",
    }
    config = estate({"a": {"kind": "archive", "path": "a.jsonl"}}, **made)
    path = tmp_path / "estate.yaml"
    paper = Paper(tmp_path / "plan", path)

    def codes(now: RunConfig) -> list[set[int]]:
        """Of what plan and report say."""
        planned = why_planned(spark, now, head, paper)
        scope = ReportScope(("json",), None, now.limits, now.accepted)
        report_head = write_report(
            lambda: spark, Warehouse(now.warehouse, spark), RUN, tmp_path / "r", scope
        )
        return [{exit_reason.code for exit_reason in planned}, {3 for _ in report_head.over}]

    crawled = crawl_estate(spark, config, RUN)
    assert crawled.exit_code == 3
    assess_run(spark, config, RUN)
    head = plan_run(spark, config, RUN, paper)
    assert codes(config) == [{3}, {3}]

    named = ["--config", str(path), "--reason", "known", "--owner", "anna"]
    assert accept.main([*named, "--all", "--until", "2020-01-01"]) == 2, "that day has passed"
    assert accept.main([*named, "--until", "2999-01-01"]) == 2, "nothing says what"
    assert accept.main([*named, "--code", "NO_SUCH", "--until", "2999-01-01"]) == 2
    assert accept.main([*named, "--all", "--until", "2999-01-01", "--dry-run"]) == 0
    assert not (tmp_path / "accepted.jsonl").exists()
    assert accept.main([*named, "--all", "--until", "2999-01-01"]) == 0
    written = [
        json.loads(line) for line in (tmp_path / "accepted.jsonl").read_text("utf-8").splitlines()
    ]
    assert [(one["object"], one["code"]) for one in written] == [
        ("rel.bad", "INVALID_ENTRY"),
        ("rel.low", "SELF_REFERENCE"),
        ("rel.low", "SET_ASIDE"),
    ], "the last is what the plan says of it"
    assert accept.main(["--config", str(path), "--check"]) == 0

    now = loader.load(path)
    again = crawl_estate(spark, now, "r2")
    assert again.exit_code == 0
    assert again.counts["sources"]["a"]["accepted"] == 1
    assert codes(now) == [set(), set()]

    gone = [
        replace(acceptance, until=acceptance.until.replace(year=2020))
        for acceptance in now.accepted.acceptances
    ]
    late = replace(now, accepted=Baseline(now.accepted.place).with_more(gone))
    capsys.readouterr()
    assert codes(late) == [{3}, {3}]
    assert "was accepted until 2020-01-01 by anna, and counts again" in capsys.readouterr().err
    assert crawl_estate(spark, late, "r3").exit_code == 3

    more = json.dumps({**written[0], "object": "rel.no_more"})
    with (tmp_path / "accepted.jsonl").open("a", encoding="utf-8") as file:
        file.write(more + "\n")
    assert accept.main(["--config", str(path), "--check"]) == 3
    assert "INVALID_ENTRY at rel.no_more of a is accepted, and is not in" in capsys.readouterr().out
    assert accept.main(["--config", str(path), "--clean"]) == 0
    assert loader.load(path).accepted == now.accepted
