"""What entries point to: read only where it may lie, kept only if it is a view's metadata."""

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, select

from connectors.clients.files import FileAccess, of_each
from connectors.iceberg.jdbc import JdbcCatalog, Options
from connectors.iceberg.pointers import OBJECTS, at
from discovery.crawl import crawl
from discovery.errors import FileOutsideError, FileUnreadableError
from discovery.locations import Bounds
from discovery.model import View
from discovery.outcomes import Failure, Listed, Outcome
from discovery.ports import CrawlTask
from jobs.embedded.iceberg import EmbeddedCatalog, NewView

VIEW = NewView([{"id": 1, "name": "x", "required": False, "type": "int"}], {"spark": "SELECT 1"})
SECRET = "the password is tr0ub4dor"
NOT_VIEWS = {
    "a text": SECRET,
    "JSON": json.dumps({"password": SECRET}),
    "a number for a document": "17",
    "cut JSON": '{"view-uuid": "' + SECRET,
    "with a version": json.dumps({"format-version": SECRET}),
    "a table": json.dumps({"format-version": 2, "table-uuid": SECRET, "location": "s3://b"}),
}


def pointed(catalog: EmbeddedCatalog, uri: str, **options: Any) -> Outcome:
    """What a crawl makes of a view whose row points there."""
    catalog.create_view(("db",), "v", VIEW)
    catalog.execute("UPDATE iceberg_tables SET metadata_location = ?", (uri,))
    with JdbcCatalog(Options(url=catalog.url, **options)) as source:
        (outcome,) = crawl(CrawlTask("ice", (Listed(("db",), "v"),)), source)
    return outcome


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "elsewhere" / "secret.json"
    path.parent.mkdir()
    path.write_text(SECRET, encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["file://{}", "file:{}", "{}", "FILE://localhost{}"])
def test_a_file_of_the_machine_is_not_opened(
    iceberg: EmbeddedCatalog, secret: Path, form: str
) -> None:
    outcome = pointed(iceberg, form.format(secret))
    assert isinstance(outcome.result, Failure)
    assert outcome.result.code == "FILE_OUTSIDE"
    assert outcome.result.message.count(str(secret)) == 1
    assert SECRET not in f"{outcome.raw} {outcome.result}"
    assert "files" not in json.loads(outcome.raw)


def test_a_link_leads_nowhere_else(iceberg: EmbeddedCatalog, secret: Path) -> None:
    iceberg.warehouse.mkdir(exist_ok=True)
    link = iceberg.warehouse / "v.metadata.json"
    link.symlink_to(secret)
    outcome = pointed(iceberg, link.as_uri())
    assert isinstance(outcome.result, Failure)
    assert "is a link that leads out" in outcome.result.message
    opened = pointed_again(iceberg, locations=(iceberg.warehouse.as_uri(), str(secret.parent)))
    assert isinstance(opened.result, Failure)
    assert opened.result.code == "INVALID_ENTRY", "the locations hold what it leads to"


def pointed_again(catalog: EmbeddedCatalog, **options: Any) -> Outcome:
    with JdbcCatalog(Options(url=catalog.url, **options)) as source:
        (outcome,) = crawl(CrawlTask("ice", (Listed(("db",), "v"),)), source)
    return outcome


@pytest.mark.parametrize("content", NOT_VIEWS.values(), ids=NOT_VIEWS)
def test_what_is_no_metadata_of_a_view_is_not_kept(iceberg: EmbeddedCatalog, content: str) -> None:
    path = iceberg.database.parent / "it.json"
    path.write_text(content, encoding="utf-8")
    outcome = pointed(iceberg, path.as_uri())
    assert isinstance(outcome.result, Failure)
    assert outcome.result.code == "INVALID_ENTRY"
    assert str(path) in outcome.result.message
    assert SECRET not in f"{outcome.raw} {outcome.result}"
    assert "files" not in json.loads(outcome.raw)


def test_metadata_of_a_version_to_come_are_kept(iceberg: EmbeddedCatalog) -> None:
    path = iceberg.database.parent / "it.json"
    text = json.dumps(VIEW.metadata("s3://b") | {"format-version": 9})
    path.write_text(text, encoding="utf-8")
    outcome = pointed(iceberg, path.as_uri())
    assert isinstance(outcome.result, Failure)
    assert "files" in json.loads(outcome.raw)


def test_the_warehouse_of_the_configuration_opens_its_files(
    iceberg: EmbeddedCatalog, tmp_path: Path
) -> None:
    path = tmp_path / "far" / "it.json"
    path.parent.mkdir()
    path.write_text(json.dumps(VIEW.metadata("s3://b")), encoding="utf-8")
    outcome = pointed(iceberg, path.as_uri(), io={"warehouse": path.parent.as_uri()})
    assert isinstance(outcome.result, View)
    assert isinstance(pointed_again(iceberg, locations=(str(tmp_path),)).result, View)


def test_a_namespace_states_where_its_views_lie(iceberg: EmbeddedCatalog) -> None:
    iceberg.create_namespace(("db",), {"location": "s3://stated/wh"})
    outside = pointed(iceberg, "s3://elsewhere/wh/it.json")
    assert isinstance(outside.result, Failure)
    assert outside.result.code == "FILE_OUTSIDE"
    iceberg.execute("UPDATE iceberg_tables SET metadata_location = 's3://stated/wh/it.json'")
    inside = pointed_again(iceberg, io={"s3.endpoint": "http://127.0.0.1:1", "s3.region": "x"})
    assert isinstance(inside.result, Failure)
    assert inside.result.code == "FILE_UNREADABLE", "it was asked for"


def test_what_would_wait_or_never_end_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    files = FileAccess({})
    for place in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(FileUnreadableError, match="is no file"):
            files.read(place.as_uri())


def test_each_file_is_refused_for_itself(tmp_path: Path) -> None:
    (tmp_path / "good").write_bytes(b"x")
    uris = [f"{tmp_path.as_uri()}/good", "file:///etc/passwd", f"{tmp_path.as_uri()}/gone"]
    found = FileAccess({}).read_below(dict.fromkeys(uris, ()), Bounds.of([str(tmp_path)]))
    good, outside, gone = (found[uri] for uri in uris)
    assert good == b"x"
    assert isinstance(outside, FileOutsideError)
    assert isinstance(gone, FileUnreadableError)


@pytest.mark.parametrize(("seconds", "threads"), [(0.0004, 1), (0.02, 1 + 8)])
def test_files_that_have_to_be_waited_for_are_read_side_by_side(
    monkeypatch: pytest.MonkeyPatch, seconds: float, threads: int
) -> None:
    now, seen = [0.0], set()
    together = threading.Barrier(threads - 1) if threads > 1 else None

    def read(uri: str) -> str:
        if together is not None and uri != "0":
            together.wait(timeout=30)  # all of them are at it, or this breaks
        now[0] += seconds
        seen.add(threading.get_ident())
        return uri

    monkeypatch.setattr("connectors.clients.files.time.monotonic", lambda: now[0])
    uris = [str(number) for number in range(1 + 8 * 3)]
    assert list(of_each(uris, read).items()) == [(uri, uri) for uri in uris]
    assert len(seen) == threads


def test_a_folder_that_is_a_link_leads_nowhere_else(tmp_path: Path, secret: Path) -> None:
    inside = tmp_path / "wh"
    inside.mkdir()
    (inside / "linked").symlink_to(secret.parent)
    (inside / "good").write_bytes(b"x")
    (inside / "alias").symlink_to("good")
    names = ("linked/secret.json", "alias", "good")
    uris = [f"{inside.as_uri()}/{name}" for name in names]
    found = FileAccess({}).read_below(dict.fromkeys(uris, ()), Bounds.of([str(inside)]))
    outside, alias, good = (found[uri] for uri in uris)
    assert isinstance(outside, FileOutsideError)
    assert (alias, good) == (b"x", b"x")


def test_a_catalog_on_sqlite_is_asked_by_its_index(iceberg: EmbeddedCatalog) -> None:
    """The whole catalog for each task would grow with the square of it."""
    engine = create_engine(iceberg.url)
    with engine.connect() as connection:
        asked = select(OBJECTS.c.table_name).where(at("c", [("a", "x"), ("b", "y")]))
        text = asked.compile(engine, compile_kwargs={"literal_binds": True})
        steps = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}").all()
    engine.dispose()
    index = "(catalog_name=? AND table_namespace=? AND table_name=?)"
    assert any(index in step[-1] for step in steps), steps
