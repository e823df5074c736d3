"""Where the files of a source may lie: what is below a location, whatever it is called."""

import pytest

from discovery.errors import ConfigurationError, FileOutsideError
from discovery.locations import Bounds, parse, safe_location

WAREHOUSE = "s3://bucket/wh"


@pytest.mark.parametrize(
    ("place", "prefix"),
    [
        ("s3://bucket/wh/db/v/metadata/0.json", WAREHOUSE),
        ("s3a://bucket/wh/v", WAREHOUSE),
        ("S3N://bucket//wh/./v", "s3://bucket/wh/"),
        ("s3://bucket/wh/a%20b/c d#e?f", WAREHOUSE),
        ("s3://bucket/any", "s3://bucket"),
        ("hdfs://NameNode:8020/wh/v", "hdfs://namenode:8020/wh"),
        (
            "abfss://box@account.dfs.core.windows.net/wh/v",
            "abfs://box@account.dfs.core.windows.net",
        ),
        ("file:/wh/v", "file:///wh"),
        ("/wh/v", "FILE://localhost/wh"),
        ("file:///wh", "/wh"),
    ],
)
def test_a_file_below_a_location_may_be_read(place: str, prefix: str) -> None:
    assert Bounds.of([prefix]).admit(place, ()) == parse(place)


@pytest.mark.parametrize(
    "place",
    [
        "s3://bucket/wh2/v",
        "s3://bucket/WH/v",
        "s3://other/wh/v",
        "s3://bucket.evil.example/wh/v",
        "gs://bucket/wh/v",
        "https://bucket/wh/v",
        "s3://bucket/wh/../secrets/v",
        "s3://bucket/wh/%2e%2e/secrets/v",
        "s3://bucket/wh/%252E%252e/secrets/v",
        "s3://bucket/wh/x%2f..%2f..%2fsecrets",
        "s3://bucket/wh/..\\secrets",
        "s3://bucket/wh/x/..",
        "s3://user:word@bucket/wh/v",
        "s3://user@bucket/wh/v",
        "s3://bucket/wh\n/v",
        "s3:bucket/wh/v",
        "wh/v",
        "",
        "file:///etc/passwd",
        "/etc/passwd",
    ],
)
def test_a_file_anywhere_else_may_not(place: str) -> None:
    with pytest.raises(FileOutsideError) as raised:
        Bounds.of([WAREHOUSE]).admit(place, [])
    assert raised.value.code == "FILE_OUTSIDE"
    assert "word" not in str(raised.value)
    assert raised.value.hint


@pytest.mark.parametrize("place", ["file://host/wh/v", "file:wh/v", "file:/wh/../etc/passwd"])
def test_files_of_the_machine_are_named_in_full(place: str) -> None:
    with pytest.raises(FileOutsideError):
        Bounds.of(["file:///wh"]).admit(place, [])


def test_what_a_source_states_counts_unless_the_configuration_says_where() -> None:
    stated = ["no location", "", "s3://stated/wh"]
    assert Bounds.of(()).admit("s3a://stated/wh/v", stated).scheme == "s3"
    open_too = Bounds.of((), WAREHOUSE, None)
    assert open_too.admit("s3://stated/wh/v", stated).authority == "stated"
    assert open_too.admit("s3://bucket/wh/v", stated).authority == "bucket"
    with pytest.raises(FileOutsideError):
        Bounds.of([WAREHOUSE], "s3://stated").admit("s3://stated/wh/v", stated)


@pytest.mark.parametrize("stated", ["file:///", "/", "FILE:/etc", "file://localhost/etc"])
def test_no_source_opens_the_files_of_the_machine(stated: str) -> None:
    with pytest.raises(FileOutsideError):
        Bounds.of(()).admit("file:///etc/passwd", [stated])


def test_a_location_that_is_none_is_a_mistake_of_the_configuration() -> None:
    with pytest.raises(ConfigurationError, match="locations: wh: is no absolute location"):
        Bounds.of(["wh"])


def test_a_location_is_shown_without_what_it_must_not_show() -> None:
    assert (
        safe_location("s3://me:word@bucket/\x1b[2J")
        == "s3://***@bucket/\N{REPLACEMENT CHARACTER}[2J"
    )
