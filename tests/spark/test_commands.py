"""The commands as their users call them, each in a process of its own."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import Writer
from tests.conftest import QUICK
from tests.servers import MariaDB

REPOSITORY = Path(__file__).parents[2]
CANARY = "canary-7d1f9e"
RUN_AND_LOOK = """
import sys, urllib.request
from pathlib import Path
from jobs import run
from jobs.console.session import spark_session

code = run.main(sys.argv[2:])
context = spark_session("the one that is running").sparkContext
api = f"api/v1/applications/{context.applicationId}"
pages = {name: f"{name}/" for name in ("jobs", "stages", "environment", "executors", "SQL")}
pages |= {f"api_{name}": f"{api}/{name}" for name in ("jobs", "stages", "environment")}
pages["api_sql"] = f"{api}/sql?details=true&planDescription=true&length=1000"
for name, page in pages.items():
    with urllib.request.urlopen(f"{context.uiWebUrl}/{page}") as answer:
        Path(sys.argv[1], name).write_bytes(answer.read())
sys.exit(code)
"""
VIEW = {
    "dbName": "db",
    "tableName": "v",
    "tableType": "VIRTUAL_VIEW",
    "viewExpandedText": "select 1 as `x`",
    "sd": {"cols": [{"name": "x", "type": "int"}], "serdeInfo": {"parameters": {}}},
}


def belvedere(
    *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return python("-m", "jobs.cli", *arguments, env=env)


def python(
    *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=REPOSITORY,
        env={**os.environ, **(env or {})},
        timeout=600,
    )


@pytest.fixture
def estate(tmp_path: Path) -> Path:
    lines = [
        {"kind": "hive_table", "payload": VIEW},
        {"kind": "hive_table", "payload": {**VIEW, "tableName": "<script>alert(1)</script>"}},
        {"kind": "hive_table", "payload": {**VIEW, "tableName": "t", "tableType": "MANAGED_TABLE"}},
        {"kind": "hive_table", "payload": {**VIEW, "tableName": "bad", "parameters": {"k": 1}}},
    ]
    text = "\n".join(map(json.dumps, lines))
    (tmp_path / "a.jsonl").write_text(text, encoding="utf-8")
    path = tmp_path / "estate.yaml"
    path.write_text("warehouse: w\nsources: {a: {kind: archive, path: a.jsonl}}", encoding="utf-8")
    return path


@pytest.mark.timeout(900)  # five processes, of which two start Spark
def test_crawl_views_failures_report(estate: Path, tmp_path: Path) -> None:
    done = belvedere("crawl", "--config", str(estate), "--json", "--run-id", "r1")
    assert done.returncode == 3, done.stderr
    told = json.loads(done.stdout)
    assert told["run_id"] == "r1"
    assert told["exit_code"] == 3
    assert told["sources"]["a"]["listed"] == 4
    assert told["sources"]["a"]["codes"] == {"INVALID_ENTRY": 1, "TABLE": 1}
    assert "a: 4 listed = 2 views + 1 failure + 1 skipped" in done.stderr

    warehouse = str(tmp_path / "w")
    views = [
        json.loads(line)
        for line in belvedere("views", "--warehouse", warehouse).stdout.splitlines()
    ]
    assert [view["name"] for view in views] == ["v", "<script>alert(1)</script>"]
    assert views[0] == {
        "source": "a",
        "namespace": ["db"],
        "name": "v",
        "format": "hive",
        "view": {
            "name": "v",
            "columns": [{"name": "x", "type": "integer", "nullable": True}],
            "representations": [{"type": "sql", "dialect": "hive", "sql": "select 1 as `x`"}],
            "properties": {},
        },
    }

    named = ("--names", "trino", "--namespace", '"db"')
    for line in belvedere("views", "--warehouse", warehouse, *named).stdout.splitlines():
        assert json.loads(line)["spelled"] == '"db"'
    assert belvedere("views", "--warehouse", warehouse, "--namespace", "db:x").stdout == ""
    assert belvedere("views", "--warehouse", warehouse, "--namespace", "db:").returncode == 2

    text = belvedere("failures", "--warehouse", warehouse, "--run-id", "r1", "--source", "a").stdout
    failures = [json.loads(line) for line in text.splitlines()]
    assert failures == [
        {
            "source": "a",
            "namespace": ["db"],
            "name": "t",
            "outcome": "skipped",
            "stage": "",
            "code": "TABLE",
            "message": "A table: listed and counted, not a view.",
            "hint": "",
            "key": "db.t",
        },
        {
            "source": "a",
            "namespace": ["db"],
            "name": "bad",
            "outcome": "failure",
            "stage": "decode",
            "code": "INVALID_ENTRY",
            "message": "field parameters.k: must be a string",
            "hint": "recreate the view with its engine, or exclude it",
            "key": "db.bad",
        },
    ]

    done = belvedere("report", "--warehouse", warehouse, "--out", str(tmp_path / "report"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 views, not judged yet  run r1\n")
    page = (tmp_path / "report" / "belvedere.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    known = page.replace("http://www.w3.org/2000/svg", "the name of SVG's elements")
    assert not re.search(r"https?://", known), "the page needs no network"
    data = json.loads((tmp_path / "report" / "belvedere.json").read_text(encoding="utf-8"))
    assert [view["name"] for view in data["views"]] == ["<script>alert(1)</script>", "bad", "v"]
    assert data["engines"] is None, "nothing was judged, which is not zero"


def test_mistakes_end_with_2_and_say_what_would_be_right(estate: Path, tmp_path: Path) -> None:
    estate.write_text("warehouse: w\nsources: {a: {kind: archiv, path: x}}", encoding="utf-8")
    done = belvedere("crawl", "--config", str(estate))
    assert done.returncode == 2
    assert f"{estate}:2:15: kind 'archiv' is unknown; did you mean 'archive'?" in done.stderr
    done = belvedere("views", "--warehouse", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert "no committed run" in done.stderr
    assert belvedere("crawl").returncode == 2
    done = belvedere("crow")
    assert done.returncode == 2
    assert "there is no command 'crow'; did you mean crawl?" in done.stderr


def test_without_java_the_package_is_named(estate: Path) -> None:
    done = belvedere("crawl", "--config", str(estate), env={"JAVA_HOME": "/nowhere"})
    assert done.returncode == 2
    assert "openjdk-17-jre-headless" in done.stderr


def test_doctor_says_what_is_wrong_and_what_to_do(estate: Path) -> None:
    done = belvedere("doctor", "--config", str(estate))
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"note +source a +1 file", done.stdout)
    assert re.search(r"ok +judge spark +4\.", done.stdout)
    text = "warehouse: w\nsources: {lake: {kind: hms, uri: 'thrift://127.0.0.1:1', timeout: 1}}"
    estate.write_text(text, encoding="utf-8")
    done = belvedere("doctor", "--config", str(estate))
    assert done.returncode == 4
    assert re.search(r"FAULT +source lake +metastore 127\.0\.0\.1:1", done.stdout)
    assert "-> is it running, and do host, port and TLS fit?" in done.stdout


def test_no_output_shows_a_secret(
    tmp_path: Path,
    metastore: EmbeddedMetastore,
    hms: Writer,
    postgresql: EmbeddedPostgreSQL,
    maria: MariaDB,
) -> None:
    events, pages = tmp_path / "events", tmp_path / "pages"
    events.mkdir()
    pages.mkdir()
    estate = tmp_path / "estate.yaml"
    estate.write_text(
        f"""\
warehouse: w
archive: true
engines: [trino]
sources:
  lake:
    kind: hms
    uri: {metastore.uri}
    io: {{s3.secret-access-key: "${{env:THE_SECRET}}"}}
  shop:
    kind: postgresql
    url: "{postgresql.url()}"
    user: postgres
    password: ${{env:THE_SECRET}}
  till:
    kind: mysql
    url: "{maria.url()}"
    user: ${{env:THE_SECRET}}
    password: ${{env:THE_SECRET}}
  refused:
    kind: postgresql
    url: "{postgresql.url()}"
    user: ${{env:THE_SECRET}}
    password: ${{env:THE_SECRET}}
targets:
  broken:
    kind: gravitino-store
    url: "{postgresql.url("nowhere")}"
    user: ${{env:THE_SECRET}}
    password: ${{env:THE_SECRET}}
    metalake: m
    catalog: c
""",
        encoding="utf-8",
    )
    settings = {
        "THE_SECRET": CANARY,
        "BELVEDERE_SPARK_CONF": f"{QUICK} spark.eventLog.enabled=true"
        f" spark.eventLog.dir={events.as_uri()}"
        " spark.eventLog.rolling.enabled=false spark.eventLog.compress=false"
        " spark.ui.enabled=true",
    }
    run = ("--config", str(estate), "--out", str(tmp_path / "report"))
    ran = python("-c", RUN_AND_LOOK, str(pages), *run, env=settings)
    doctored = belvedere("doctor", "--config", str(estate), env=settings)
    assert ran.returncode == 4, ran.stdout + ran.stderr
    assert doctored.returncode == 4
    for done in (ran, doctored):
        assert CANARY not in done.stdout + done.stderr
        assert "***" in done.stdout + done.stderr, "the message that held it was shown"
    assert list(events.iterdir()), "the event log was written"
    shown = {path.name: path.read_text(encoding="utf-8") for path in pages.iterdir()}
    assert "spark.eventLog.dir" in shown["environment"]
    assert "spark.eventLog.dir" in shown["api_environment"]
    assert "MapInArrow" in shown["api_sql"]
    warehouse = tmp_path / "w"
    assert any(warehouse.glob("archive/*/*.gz"))
    for path in tmp_path.rglob("*"):
        if path.is_file() and path != estate:
            assert CANARY.encode() not in content(path), path
    text = belvedere("failures", "--warehouse", str(warehouse), "--outcome", "failure").stdout
    assert "***" in text
    assert CANARY not in text


def content(path: Path) -> bytes:
    """The bytes of a file, unpacked: Parquet is read, gzip is unzipped."""
    import gzip  # noqa: PLC0415 - only here

    import pyarrow.parquet as pq  # noqa: PLC0415 - only here

    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".parquet" and path.stat().st_size:
        return str(pq.read_table(path, partitioning=None).to_pylist()).encode()
    return path.read_bytes()
