"""The formats of a report, each read back by a parser or held against its published schema."""

import base64
import csv
import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from junitparser import Error, Failure, JUnitXml, Skipped
from openlineage.client import event_v2
from openlineage.client.generated.column_lineage_dataset import ColumnLineageDatasetFacet, Fields
from openlineage.client.generated.dataset_type_dataset import DatasetTypeDatasetFacet
from openlineage.client.generated.schema_dataset import SchemaDatasetFacet, SchemaDatasetFacetFields
from openlineage.client.generated.sql_job import SQLJobFacet
from prometheus_client.parser import text_string_to_metric_families
from pydantic import BaseModel
from sarif_pydantic import Sarif

from discovery.display import visible
from discovery.judging.drift import SORTS
from discovery.judging.matrix import Reading
from discovery.limits import Limit
from jobs.reporting import drift
from jobs.reporting.files import ReportFiles
from jobs.reporting.workers import rendered
from jobs.warehouse.runs import Run
from reports import page, to_csv, to_json, to_markdown, to_sarif
from reports.formats import FORMATS
from reports.head import Cause, ReportHead, TargetPlan
from reports.headline import destinations, percent_text, title
from reports.lines import masked, remarks
from reports.overview import Overviewed, tally
from reports.tallies import tally_losses
from reports.thresholds import Limits, exceeded
from tests.made_up import HEAD, HOSTILE, SEPARATOR, SQL, row, rows

REPOSITORY = Path(__file__).parents[2]


def written(name: str, head: ReportHead = HEAD) -> str:
    kind = FORMATS[name]
    texts = kind.between.join(text for row in rows() for text in kind.texts(row))
    return kind.begin(head) + texts + kind.end(head)


def test_json_fits_its_schema_and_has_every_view() -> None:
    data = json.loads(written("json"))
    schema = json.loads((REPOSITORY / "docs" / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(data, schema, cls=jsonschema.Draft202012Validator)
    assert [view["name"] for view in data["views"]] == [one["name"] for one in rows()]
    bare = json.loads(written("json", replace(HEAD, plan=None, quality=None)))
    jsonschema.validate(bare, schema, cls=jsonschema.Draft202012Validator)
    assert (bare["plan"], bare["quality"]) == (None, None), "what was not run is null, not zero"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "more": 1}, schema)


def test_lines_of_json_are_the_views_of_the_object() -> None:
    lines = written("jsonl").splitlines()  # which breaks at U+2028, too
    assert [json.loads(line) for line in lines] == json.loads(written("json"))["views"]
    assert len(lines) == len(rows())


def test_csv_has_a_line_for_each_view_and_no_formula() -> None:
    lines = list(csv.DictReader(io.StringIO(written("csv"), newline="")))
    names = [visible(one["name"]) for one in rows()[1:]]
    assert [line["name"] for line in lines] == ["'=cmd()", *names]
    assert lines[3]["reason"] == "MISSING_BASE"
    assert lines[3]["what to know"] == "MISSING_BASE: lake/db.t"
    (used,) = to_csv.texts({**rows()[1], "use": "used", "uses": 7})
    assert next(csv.reader([used]))[10:12] == ["used", "7"]


def test_junit_fails_what_is_blocked_and_skips_what_is_not_judged() -> None:
    (suite,) = JUnitXml.fromstring(written("junit").encode())
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (6, 2, 1, 1)
    found = [type(case.result[0]) if case.result else None for case in suite]
    assert found == [None, None, Failure, Failure, Error, Skipped]
    cases = list(suite)
    assert cases[1].name == HOSTILE
    assert cases[1].classname == "lake.db"
    assert "rejects the spark text at 2:5: mismatched input 'FRM'" in cases[2].result[0].message


STEERING = tuple(map(chr, (*range(32), *range(127, 160), 0x2028, 0x202E, 0xFEFF, 0xFFFE)))
"""What steers a terminal or a reader of lines, and what XML cannot say."""


def test_names_that_differ_by_what_is_not_seen_stay_two_test_cases() -> None:
    names = [f"a{steering}b" for steering in STEERING]
    texts = FORMATS["junit"].texts
    cases = "".join(text for number, name in enumerate(names) for text in texts(row(number, name)))
    (suite,) = JUnitXml.fromstring(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    assert len({case.name for case in suite}) == len(names)


def test_junit_keeps_apart_what_differs_in_where_a_level_ends() -> None:
    first = next(iter(rows()))
    spaces = (["a", "b"], ["a.b"], ["a%2Eb"])
    cases = ["".join(FORMATS["junit"].texts({**first, "namespace": space})) for space in spaces]
    assert len(set(cases)) == len(spaces)


@pytest.mark.parametrize("name", ["json", "junit", "sarif", "markdown", "csv"])
def test_nothing_in_a_file_for_people_and_programs_steers_a_terminal(name: str) -> None:
    hostile = {**rows()[2], "name": "".join(STEERING), "owner": "".join(STEERING)}
    texts = "".join(FORMATS[name].texts(hostile))
    assert not set(texts) & set(STEERING) - set("\t\r\n\ufffe")


def unknown(model: BaseModel) -> list[str]:
    """Members anywhere in a document that its standard does not know."""
    found = list(model.model_extra or ())
    for value in model.__dict__.values():
        for one in value if isinstance(value, list) else [value]:
            found += unknown(one) if isinstance(one, BaseModel) else []
    return found


def test_sarif_is_read_by_a_model_of_the_standard_and_has_the_position_in_the_sql() -> None:
    data = json.loads(written("sarif"))
    assert unknown(Sarif.model_validate(data)) == ["columnKind"], "SARIF 2.1.0, 3.14.17"
    (run,) = data["runs"]
    assert {result["ruleId"] for result in run["results"]} <= {
        rule["id"] for rule in run["tool"]["driver"]["rules"]
    }
    (rejected,) = [result for result in run["results"] if result["ruleId"] == "SYNTAX_AT_TOKEN"]
    place = rejected["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "views/lake/db/rejected.spark.sql"
    assert place["region"] == {
        "startLine": 2,
        "endLine": 2,
        "startColumn": 5,
        "endColumn": 8,
        "snippet": {"text": SQL.split("\n")[1]},
    }
    token = place["region"]["snippet"]["text"][4:7]
    assert token == "FRM", "the end is the column after the token (3.30.8)"


def test_prometheus_reads_the_gauges() -> None:
    found = {
        metric.name: metric for metric in text_string_to_metric_families(written("prometheus"))
    }
    listed = found["belvedere_objects_listed"].samples[0]
    assert listed.labels == {"source": 'la"ke'}
    assert listed.value == 8
    standings = found["belvedere_views_by_standing"].samples
    assert {standing.labels["standing"]: standing.value for standing in standings} == HEAD.standing
    (planned,) = found["belvedere_views_by_action"].samples
    assert (planned.labels, planned.value) == ({"target": "t", "action": "create"}, 4)
    assert "belvedere_views_by_action" not in written("prometheus", replace(HEAD, plan=None))
    assert all(metric.type == "gauge" and metric.documentation for metric in found.values())


def facets(kind: type[Any], given: dict[str, Any], **members: Any) -> Any:
    """A facet of OpenLineage's own client, which checks its URIs and members."""
    made = kind(**members)
    assert {"_producer", "_schemaURL", *members} <= given.keys()
    assert given["_schemaURL"].rpartition("/")[2] == made._schemaURL.rpartition("/")[2]
    return made


def test_openlineages_own_client_takes_every_event() -> None:
    start, end, *jobs = map(json.loads, written("openlineage").splitlines())
    for one, sort in ((start, "START"), (end, "FAIL")):
        event_v2.RunEvent(
            eventType=event_v2.RunState[sort],
            eventTime=one["eventTime"],
            run=event_v2.Run(**one["run"]),
            job=event_v2.Job(**one["job"]),
            producer=one["producer"],
        )
        assert one["eventType"] == sort
    assert len(jobs) == 5, "an object that could not be read has no event"
    for one in jobs:
        (output,) = one["outputs"]
        job = event_v2.JobEvent(
            eventTime=one["eventTime"],
            producer=one["producer"],
            job=event_v2.Job(one["job"]["namespace"], one["job"]["name"]),
            inputs=[event_v2.InputDataset(**input_) for input_ in one["inputs"]],
            outputs=[event_v2.OutputDataset(output["namespace"], output["name"])],
        )
        assert one.keys() == {"schemaURL", "eventTime", "producer", "job", "inputs", "outputs"}
        assert job.schemaURL == one["schemaURL"]
        fields = output["facets"]["schema"]["fields"]
        shapes = [SchemaDatasetFacetFields(**field) for field in fields]
        facets(SchemaDatasetFacet, output["facets"]["schema"], fields=shapes)
        facets(SQLJobFacet, one["job"]["facets"]["sql"], query=SQL)
    first = jobs[0]
    assert first["inputs"] == [
        {"namespace": "hive://metastore.example:9083", "name": "db.t"},
        {"namespace": "outside", "name": "far.away"},
    ]
    (made,) = first["outputs"]
    assert (made["namespace"], made["name"]) == ("hive://metastore.example:9083", "db.=cmd()")
    facets(DatasetTypeDatasetFacet, made["facets"]["datasetType"], datasetType="VIEW")
    lineage = first["outputs"][0]["facets"]["columnLineage"]
    origins = {name: Fields(**field) for name, field in lineage["fields"].items()}
    facets(ColumnLineageDatasetFacet, lineage, fields=origins)
    assert lineage["fields"]["a"]["inputFields"][0] == {**first["inputs"][0], "field": "x"}


def test_a_source_whose_place_is_not_known_gives_its_own_name_to_datasets() -> None:
    (first, *_) = (one for one in rows() if one["references"])
    (event,) = FORMATS["openlineage"].texts({**first, "addresses": {}})
    made = json.loads(event)
    assert made["outputs"][0]["namespace"] == "lake"
    assert {input_["namespace"] for input_ in made["inputs"]} == {"lake", "outside"}


def test_markdown_keeps_tables_whole_and_markup_out() -> None:
    text = written("markdown")
    assert "<script>" not in text
    assert "17% of 6 views can move as they are" in text
    assert "- not read by trino: 3 `HIVE_VIEWS_OFF`, 1 `ENTRY_REFUSED`\n" in text
    tables = re.findall(r"(?m)^\|.*\|$", text)
    widths = {
        len(re.findall(r"(?<!\\)\|", table))
        for table in tables
        if "Example" in table or "`" in table
    }
    assert widths == {7}
    assert "Not run" in written("markdown", replace(HEAD, engines=None))
    told = "Data quality: 4 passed, 1 not evaluated, 1 failed: completeness.read."
    assert told in text
    assert "Data quality: not checked." in written("markdown", replace(HEAD, quality=None))


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_rows_give_the_same_bytes(name: str) -> None:
    assert written(name) == written(name)


def unpacked(text: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(text)))


def test_the_page_counts_why_engines_do_not_read_views_most_first() -> None:
    before, _ = page.frame(HEAD, single=True, parts=1, part=64)
    told = [before.index(one) for one in ("HIVE_VIEWS_OFF</td>", "ENTRY_REFUSED</td>")]
    assert told == sorted(told)
    assert '<td class="number">5</td>' in before[before.index("OUT_OF_REACH</td>") :]
    before, _ = page.frame(replace(HEAD, rejections={}), single=True, parts=1, part=64)
    assert "Why they reject views" not in before


def test_a_view_that_an_engine_cannot_reach_has_a_mark_of_its_own() -> None:
    cell = {"engine": "mysql", "status": "unreachable", "grade": None, "reason": "OUT_OF_REACH"}
    (one,) = [row for row in rows() if row["name"] == "nobody"]
    entry = json.loads(page.entry({**one, "engines": [cell]}))
    assert entry[7] == str(list(Reading).index(Reading.UNREACHABLE))
    before, after = page.frame(HEAD, single=True, parts=1, part=64)
    assert '"unreachable"' in after
    assert ".unreachable {" in before


def test_the_page_holds_hostile_names_as_data_only() -> None:
    before, after = page.frame(HEAD, single=True, parts=1, part=64)
    index = page.Index()
    for one in rows():
        index.add(page.entry(one))
    whole = before + index.inline() + after
    assert HOSTILE not in whole
    assert "&lt;script&gt;alert(1)" in whole
    assert len(re.findall("(?i)<script", whole)) == 2, "the data and the page's own script"
    known = whole.replace("http://www.w3.org/2000/svg", "the name of SVG's elements")
    assert not re.search(r"https?://", known), "nothing is loaded from a network"
    (packed,) = re.findall(r'id="index-0">([^<]*)<', whole)
    assert [one[2] for one in unpacked(packed)] == [one["name"] for one in rows()]


def test_no_owner_namespace_source_target_or_run_becomes_markup() -> None:
    name = "</script><img src=x onerror=alert(1)>"
    assert HEAD.plan
    assert HEAD.drift
    head = replace(
        HEAD,
        plan=(replace(HEAD.plan[0], target=name, actions={name: 1}),),
        drift=replace(HEAD.drift, against=name, counts={name: 1}),
        sources={name: {}},
        formats={name: 1},
        engines={name: {"native": 1}},
        causes=(replace(HEAD.causes[0], code=name),),
        course=(replace(HEAD.course[0], run_id=name),),
        left_out=(name,),
    )
    before, after = page.frame(head, single=True, parts=1, part=64)
    plan = [{"target": name, "action": name, "code": None, "reason": None}]
    view = row(0, name, source=name, namespace=[name], owner=name, plan=plan)
    overviewed = Overviewed(head.engines or ())
    overviewed.add(tally([view]))
    index = page.Index()
    index.add(page.entry(view))
    text = before + index.inline()
    text += page.inlined("overview", page.pictures(overviewed.overview())) + after
    assert "<img" not in text
    assert "src=x" not in re.sub("&lt;img src=x|u003cimg src=x", "", text)
    assert text.count("</script>") == 3, "the index, the overview, the page's own script"
    (packed,) = re.findall(r'id="overview">([^<]*)<', text)
    assert unpacked(packed)["heat"][0]["name"] == name


@pytest.mark.parametrize("steering", sorted(set(STEERING) - set("\t\r\n\ufffe")))
def test_nothing_that_the_page_says_of_a_run_steers_what_shows_it(steering: str) -> None:
    name = f"a{steering}b"
    assert HEAD.waves
    blocker = replace(HEAD.waves.blockers[0], row=None, name=name)
    head = replace(
        HEAD,
        causes=(replace(HEAD.causes[0], example=name, message=name),),
        waves=replace(HEAD.waves, blockers=(blocker,), bases=()),
        left_out=(name,),
    )
    page_text = "".join(page.frame(head, single=True, parts=1, part=64))
    known = re.sub(r'data-(graph|first)="[^"]*"', "", page_text)
    assert steering not in known
    assert visible(name) in known
    assert page_text.count(f'data-graph="{name}"') == 1, "the script looks the view up by that"


def test_page_and_summary_say_which_damaged_run_is_left_out_of_the_comparison() -> None:
    why = "run run-0 is left out: outcomes of run-0: the file part-1 is missing"
    head = replace(HEAD, left_out=(why,))
    before, _ = page.frame(head, single=True, parts=1, part=64)
    for text in (before, to_markdown.begin(head), to_json.begin(head)):
        assert why in text
    assert "is left out" not in page.frame(HEAD, single=True, parts=1, part=64)[0]


def test_the_page_tells_what_failed_from_what_was_not_evaluated() -> None:
    before, _ = page.frame(HEAD, single=True, parts=1, part=64)
    _, _, section = before.partition('<h2 id="quality-title">')
    section = " ".join(re.sub("<[^>]*>", " ", section.partition("</section>")[0]).split())
    assert "2026-11-21 05:02:00 UTC: 4 passed, 1 failed, 1 not evaluated" in section
    assert "completeness 4 1 0 your own 0 0 1" in section
    assert (
        "failed error Everything could be read. 1 of 8 rows fail, 0 % may such as lake/db"
        in section
    )
    assert "owned table outcomes not evaluated an expectation of your own no column" in section


def test_what_opens_below_a_view_is_whole() -> None:
    details = unpacked(page.detail(rows()))
    assert details[0]["view"]["representations"][0]["sql"] == SQL
    assert details[2]["verdicts"][0]["line"] == 2
    assert details[4]["view"] is None
    assert details[4]["failure"] == ["decode", "INVALID_ENTRY", SEPARATOR, "recreate"]


def test_stages_that_have_not_run_are_not_shown_as_zero() -> None:
    bare = replace(HEAD, engines=None, waves=None, plan=None, judges=(), drift=None, quality=None)
    before, _ = page.frame(bare, single=True, parts=1, part=64)
    assert before.count("Not run") == 3
    assert "Not checked" in before
    assert "no earlier run" in before


@pytest.mark.parametrize(
    ("limits", "over"),
    [
        (Limits(standing={"blocked": Limit.of(3)}), []),
        (
            Limits(standing={"blocked": Limit.of("49.9%")}),
            ["blocked: 3 of 6 views (50.0%), limit 49.9%"],
        ),
        (Limits(standing={"blocked": Limit.of("50%")}), []),
        (
            Limits(severity={"warning": Limit.of(0)}),
            ["warning: 1 of 6 views (16.7%), limit 0"],
        ),
        (Limits(codes={"TABLE": Limit.of(1)}), ["TABLE: 2 objects and namespaces, limit 1"]),
        (Limits(codes={"RING": Limit.of(0)}), []),
        (
            Limits(codes={"INVALID_ENTRY": Limit.of("0.1%")}),
            ["INVALID_ENTRY: 1 of 6 views (16.7%), limit 0.1%"],
        ),
        (Limits(codes={"NAME": Limit.of(0)}), ["NAME: 1 of 6 views (16.7%), limit 0"]),
    ],
)
def test_a_threshold_is_a_number_or_a_part_of_all_views(limits: Limits, over: list[str]) -> None:
    assert list(exceeded(HEAD, limits)) == over


@pytest.mark.parametrize(
    ("number", "total", "limit", "shown"),
    [
        (2_001, 40_000, "5%", "(5.003%), limit 5%"),
        (3, 1_000_000, 0, "(0.0003%), limit 0"),
        (3, 6, "49.9%", "(50.0%), limit 49.9%"),
    ],
)
def test_a_part_that_is_over_its_limit_shows_it(
    number: int, total: int, limit: int | str, shown: str
) -> None:
    head = replace(HEAD, total=total, standing={"blocked": number})
    (line,) = exceeded(head, Limits(standing={"blocked": Limit.of(limit)}))
    assert line.endswith(shown)


def test_a_part_that_is_stated_is_exact() -> None:
    for percent, number, total in (("9.2%", 69, 750), ("4.6%", 69, 1_500), ("32.3%", 323, 1_000)):
        assert Limit.of(percent).allows(number, total)
        assert not Limit.of(percent).allows(number + 1, total)


def test_lost_namespaces_and_objects_of_a_code_add_up() -> None:
    sorts = (("failure", 3), ("unlisted", 4))
    losses = tuple(Cause("UNREACHABLE", sort, n, 0, (), "", "", "") for sort, n in sorts)
    head = replace(HEAD, losses=losses, causes=(losses[0],))
    limits = Limits(codes={"UNREACHABLE": Limit.of(5)})
    assert list(exceeded(head, limits)) == ["UNREACHABLE: 7 objects and namespaces, limit 5"]


def test_what_only_an_assessment_tells_is_over_without_one() -> None:
    limits = Limits(
        codes={"STALE_COLUMNS": Limit.of(9), "INVALID_ENTRY": Limit.of(9)},
        standing={"blocked": Limit.of("100%"), "not judged": Limit.of("100%")},
    )
    assert list(exceeded(replace(HEAD, engines=None), limits)) == [
        "STALE_COLUMNS: not assessed, limit 9",
        "blocked: not assessed, limit 100%",
    ]


def test_none_and_all_are_the_only_whole_parts() -> None:
    parts = [percent_text(number, 10_000) for number in (0, 3, 5_000, 9_996, 10_000)]
    assert parts == ["0%", "1%", "50%", "99%", "100%"]
    assert title(replace(HEAD, total=0, standing={})) == "no views"


def test_a_threshold_on_what_was_not_looked_for_is_over() -> None:
    bare = replace(HEAD, severities=None)
    limits = Limits(severity={"error": Limit.of("100%")})
    assert list(exceeded(bare, limits)) == ["error: not assessed, limit 100%"]


def test_only_what_a_report_wrote_is_replaced(tmp_path: Path) -> None:
    gone = rendered(["csv"], 0, [row(0, "v", owner="gone")])
    ReportFiles(tmp_path, ["csv"], HEAD, parts=1, part=64).write([gone])
    assert (tmp_path / "owners" / "gone.csv").exists()
    for name in ("owners/anna signed.csv", "details/of_mine.txt", "details/9.js"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("before", encoding="utf-8")
    parts = [rendered(["html", "csv"], part, rows()) for part in range(2)]
    files = ReportFiles(tmp_path, ["html", "csv"], HEAD, parts=2, part=64)
    files.write(parts)
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {
        "belvedere.html",
        "views.csv",
        "owners/index.jsonl",
        "owners/anna signed.csv",
        "owners/anna.csv",
        "owners/(nobody).csv",
        "owners/%5Ao%C3%AB%2F..%2Fx.csv",
        "details/of_mine.txt",
    }
    sheet = (tmp_path / "owners" / "anna.csv").read_text(encoding="utf-8")
    lines = list(csv.DictReader(io.StringIO(sheet)))
    assert [line["owner"] for line in lines] == ["anna"] * 8, "a header, and each view once"


def test_a_report_that_breaks_off_leaves_the_page_and_its_details_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "SINGLE", 0)
    parts = [rendered(["html"], part, rows()) for part in range(2)]
    ReportFiles(tmp_path, ["html"], HEAD, parts=2, part=64).write(parts)

    def breaking_off() -> Iterator[dict[str, Any]]:
        yield {**parts[0], "detail": "another"}
        raise OSError("no space left")

    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(OSError, match="no space"):
        ReportFiles(tmp_path, ["html"], HEAD, parts=2, part=64).write(breaking_off())
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before, "nothing unfinished keeps the disk full"
    ReportFiles(tmp_path, ["csv"], HEAD, parts=1, part=64).write([rendered(["csv"], 0, rows())])
    assert {path: path.read_bytes() for path in before} == before, "a report of other files"
    ReportFiles(tmp_path, ["html"], HEAD, parts=1, part=64).write(parts[:1])
    assert [path.name for path in (tmp_path / "details").iterdir()] == ["0.js"]


def test_changes_that_break_off_leave_no_part_of_their_file(tmp_path: Path) -> None:
    def breaking_off() -> Iterator[dict[str, Any]]:
        yield {**dict.fromkeys(drift.SCHEMA.names, ""), "namespace": [], "detail": [], "sort": sort}
        raise OSError("no space left")

    sort, began = SORTS[0], datetime(2026, 11, 21, tzinfo=UTC)
    against = Run("one", began, began, "0", 0, "{}")
    with pytest.raises(OSError, match="no space"):
        drift.write(breaking_off(), tmp_path, against, None)
    assert list(tmp_path.iterdir()) == []


def test_the_headline_says_to_where_and_who_sees_it_there() -> None:
    assert title(HEAD) == "17% of 6 views can move as they are, 1 could not be judged"
    assert list(destinations(HEAD)) == [
        ("t: 4 views to write, by gravitino-store; stored as rows that no Gravitino serves", False)
    ]
    counts = {"create": 1, "replace": 2, "keep": 3, "blocked": 4, "conflict": 5}
    plan = (
        TargetPlan("ice", "iceberg-rest", "why", served=True, actions=counts),
        TargetPlan("stay", "", "left out", served=True, actions={"blocked": 1}),
    )
    assert list(destinations(replace(HEAD, plan=plan))) == [
        ("ice: 3 views to write, 3 there already, 9 set aside, by iceberg-rest", True)
    ]
    waiting = replace(plan[0], actions={"blocked": 4}, waiting=4)
    told = "ice: 0 views to write, 4 by drafts, once adopted, by iceberg-rest"
    assert list(destinations(replace(HEAD, plan=(waiting,)))) == [(told, True)]


@pytest.mark.parametrize(
    ("actions", "written", "waiting", "expected"),
    [
        ({"create": 1}, {}, 0, "1 view to write"),
        ({"create": 3, "keep": 2}, {"create": 3}, 0, "3 views written, 2 there already"),
        ({"create": 3, "replace": 1}, {"create": 1}, 0, "1 of 4 views written"),
        ({"create": 3, "drop": 2}, {}, 0, "3 views to write, 2 views to drop"),
        (
            {"create": 3, "drop": 2},
            {"create": 3, "drop": 1},
            0,
            "3 views written, 1 of 2 views dropped",
        ),
        (
            {"blocked": 5},
            {"blocked": 3},
            4,
            "3 views written, 1 by drafts, once adopted, 1 set aside",
        ),
        (
            {"create": 9, "blocked": 3},
            {"create": 6, "blocked": 2},
            3,
            "8 of 11 views written, 1 by drafts, once adopted",
        ),
    ],
)
def test_the_headline_says_what_has_been_written_of_the_plan(
    actions: dict[str, int], written: dict[str, int], waiting: int, expected: str
) -> None:
    target = TargetPlan(
        "t", "hms", "", served=True, actions=actions, waiting=waiting, written=written
    )
    assert list(destinations(replace(HEAD, plan=(target,)))) == [(f"t: {expected}, by hms", True)]


def test_one_view_is_one_view() -> None:
    one = replace(HEAD, total=1, standing={"ready": 1})
    assert title(one) == "100% of 1 view can move as they are"


def test_that_nobody_was_asked_is_no_share() -> None:
    bare = replace(HEAD, engines=None, plan=None)
    assert title(bare) == "6 views, not judged yet"
    assert list(destinations(bare)) == []
    assert "# Can we move? 6 views, not judged yet" in written("markdown", bare)
    asked = replace(HEAD, standing={"not judged": 6})
    assert title(asked) == "6 views, none of which could be judged"
    assert title(replace(HEAD, standing={"ready": 6})) == "100% of 6 views can move as they are"


def test_what_is_said_in_sarif_has_no_places_and_links_of_its_own() -> None:
    finding = {
        "code": "ODD",
        "severity": "error",
        "message": "expecting {<EOF>, ','} [x](http://evil) [0]",
        "hint": "mend it.",
        "engine": None,
        "dialect": None,
    }
    (text,) = to_sarif.texts({**next(iter(rows())), "findings": [finding]})
    assert json.loads(text)["message"]["text"] == (
        "expecting {{<EOF>, ','}} \\[x](http://evil) [0]. What to do: mend it."
    )


def test_what_a_plan_and_a_loss_say_is_masked() -> None:
    secret = "OPTIONS ('password' = 'hunter22')"
    change = {"target": "t", "action": "blocked", "code": "NAME", "reason": secret}
    row = {**next(iter(rows())), "plan": [change], "hint": secret}
    shown = masked(row)
    assert "hunter22" not in repr(shown)
    assert remarks(shown)[-1].startswith("NAME: OPTIONS ('password' = '***')")
    loss = {**row, "outcome": "failure", "entity": "object", "code": "X", "message": secret}
    assert "hunter22" not in tally_losses([loss], frozenset())
