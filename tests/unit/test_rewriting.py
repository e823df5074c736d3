"""Rules for files that have moved: whole steps, the longest folder, once."""

import json
from pathlib import Path

import pytest

from connectors.clients.files import FileAccess
from discovery.errors import ConfigurationError, FileOutsideError, FileUnreadableError
from discovery.locations import Bounds
from discovery.rewriting import Rewriting
from jobs.configuration import loader

RULES = Rewriting.of(
    {
        "hdfs://nn1:8020/": "s3a://lake/all/",
        "hdfs://nn1:8020/wh": "s3a://lake/wh/",
        "hdfs://nn1:8020/wh/kept/": "hdfs://nn1:8020/wh/kept/",
        "s3n://old": "gs://new/from-s3",
        "file:/mnt/old": "file:///mnt/new",
        "viewfs://old/": "hdfs:///",
    }
)


@pytest.mark.parametrize(
    ("named", "read"),
    [
        ("hdfs://nn1:8020/wh/db/v/0.json", "s3a://lake/wh/db/v/0.json"),
        ("HDFS://NN1:8020//./wh/db/v", "s3a://lake/wh/db/v"),
        ("hdfs://nn1:8020/wh2/v", "s3a://lake/all/wh2/v"),
        ("hdfs://nn1:8020/WH/v", "s3a://lake/all/WH/v"),
        ("hdfs://nn1:8020/wh", "s3a://lake/wh/"),
        ("hdfs://nn1:8020/wh/kept/v", "hdfs://nn1:8020/wh/kept/v"),
        ("hdfs://nn1:8020/wh/kept2/v", "s3a://lake/wh/kept2/v"),
        ("s3a://old/a//b%20c/d#e?f", "gs://new/from-s3/a//b%20c/d#e?f"),
        ("s3://old", "gs://new/from-s3"),
        ("s3://older/v", "s3://older/v"),
        ("viewfs://old//a/b", "hdfs:////a/b"),
        ("viewfs://old/a/b", "hdfs:///a/b"),
        ("/mnt/old/v", "file:///mnt/new/v"),
        ("hdfs://nn1/wh/v", "hdfs://nn1/wh/v"),
        ("hdfs://nn2:8020/wh/v", "hdfs://nn2:8020/wh/v"),
        ("hdfs://nn1:8020/wh/../etc/v", "hdfs://nn1:8020/wh/../etc/v"),
        ("hdfs://nn1:8020/wh/%2e%2e/v", "hdfs://nn1:8020/wh/%2e%2e/v"),
        ("hdfs://me@nn1:8020/wh/v", "hdfs://me@nn1:8020/wh/v"),
        ("no location", "no location"),
        ("", ""),
    ],
)
def test_the_rule_of_the_longest_folder_counts_once(named: str, read: str) -> None:
    assert RULES.place(named) == read


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({"": "s3://b/x"}, "'' has no scheme"),
        ({"/wh": "s3://b/x"}, "'/wh' has no scheme"),
        ({"/a:/wh": "s3://b/x"}, "'/a:/wh' has no scheme"),
        ({"s3:b/wh": "s3://b/x"}, "is no absolute location"),
        ({"hdfs://nn/wh": "b/x"}, "'b/x' has no scheme"),
        ({"hdfs://nn/wh": ""}, "'' has no scheme"),
        ({"hdfs://nn/../wh": "s3://b"}, "climbs with '..'"),
        ({"hdfs://me:word@nn/wh": "s3://b"}, "has a user in it"),
        ({"s3://b/wh": "gs://a", "s3a://b//wh/": "gs://c"}, "s3a://b//wh/ are one folder"),
        ({"s3://a": "s3://b", "s3://b": "gs://c"}, "files read at s3://b would be moved on to gs:"),
        ({"s3://a": "s3://b", "s3://b": "s3://a"}, "would be moved on to"),
        ({"s3://a": "s3://b", "s3://b/old": "gs://c"}, "would be moved on to gs://c"),
        ({"s3://a/wh": "s3://a/wh/moved"}, "would be moved on to s3://a/wh/moved"),
    ],
)
def test_rules_that_leave_open_what_is_meant_are_refused(rules: dict[str, str], told: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Rewriting.of(rules)
    assert told in raised.value.message
    assert raised.value.hint
    assert "word" not in str(raised.value)


@pytest.mark.parametrize(
    "source",
    [
        "{kind: hms, uri: 'thrift://a:1', rewrite: {wh: 's3://b'}}",
        "{kind: iceberg-hive, uri: 'thrift://a:1', rewrite: {wh: 's3://b'}}",
        "{kind: hms-database, url: 'postgresql://h/d', user: u, rewrite: {wh: 's3://b'}}",
        "{kind: iceberg-jdbc, url: 'postgresql://h/d', user: u, rewrite: {wh: 's3://b'}}",
        "{kind: glue, aws-region: eu-west-1, rewrite: {wh: 's3://b'}}",
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, source: str) -> None:
    path = tmp_path / "estate.yaml"
    path.write_text(f"warehouse: w\nsources:\n  a: {source}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"estate\.yaml:3:\d+: rewrite: 'wh' has no sch"):
        loader.load(path)


def test_bounds_are_those_of_what_is_read(tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.mkdir()
    (new / "v.json").write_text(json.dumps({}), encoding="utf-8")
    named, gone = "hdfs://nn/wh/v.json", "hdfs://nn/wh/gone.json"
    rewriting = Rewriting.of({"hdfs://nn/wh": new.as_uri()})
    files = FileAccess({}, rewriting)
    stated = {named: ["hdfs://nn/wh"], gone: []}
    refused = files.read_below(stated, Bounds.of([]))[named]
    assert isinstance(refused, FileOutsideError), "a rule does not open files of this machine"
    found = files.read_below(stated, Bounds.of([str(new)]))
    assert found[named] == b"{}"
    assert isinstance(missing := found[gone], FileUnreadableError)
    assert missing.message.startswith(f"read at {new.as_uri()}/gone.json: FileNotFoundError")
    with_old = Bounds.of(["hdfs://nn/wh"])
    assert isinstance(files.read_below(stated, with_old)[named], FileOutsideError)


def test_what_a_source_states_of_its_places_moves_along() -> None:
    rewriting = Rewriting.of({"hdfs://nn/wh": "s3://127.0.0.1.invalid/wh"})
    named = "hdfs://nn/wh/a.db/v.json"
    files = FileAccess({"s3.endpoint": "http://127.0.0.1:9", "s3.region": "x"}, rewriting)
    below, beside = ({named: [place]} for place in ("hdfs://nn/wh/a.db", "hdfs://nn/wh/b.db"))
    asked = files.read_below(below, Bounds.of([]))[named]
    assert not isinstance(asked, FileOutsideError), "it was asked for, where nothing listens"
    assert isinstance(files.read_below(beside, Bounds.of([]))[named], FileOutsideError)
