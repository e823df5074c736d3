"""The store `iceberg-jdbc` reads and writes below its warehouse, whatever rows and views say."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from connectors.iceberg.jdbc_store import JdbcStore, Options
from discovery.errors import ConfigurationError, FileOutsideError, NotHeldError
from discovery.ports import Action, Applied
from tests.contract.iceberg import CHANGED, PLACE, SALES, VIEW, only
from tests.contract.stores import apply, change, create, failure, present

SET = "UPDATE iceberg_tables SET metadata_location = "


@pytest.fixture
def options(tmp_path: Path) -> Options:
    warehouse = (tmp_path / "warehouse").as_uri()
    return Options(url=f"sqlite:///{tmp_path / 'catalog.db'}", warehouse=warehouse)


@pytest.fixture
def store(options: Options) -> Iterator[JdbcStore]:
    with JdbcStore(options) as made:
        made.prepare([SALES])
        apply(made, *create(VIEW))
        yield made


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def file_of(store: JdbcStore) -> Path:
    (_, uri) = store._commits.rows([PLACE])[PLACE]
    return Path(str(uri).removeprefix("file://"))


def point(store: JdbcStore, uri: str) -> None:
    with store._pointers.transaction() as connection:
        connection.exec_driver_sql(f"{SET}'{uri}'")


@pytest.mark.parametrize("form", ["file://{}", "{}", "file://{}/../elsewhere/x.json"])
def test_a_row_that_names_a_file_elsewhere_is_not_followed(
    store: JdbcStore, elsewhere: Path, form: str
) -> None:
    copy = elsewhere / "x.json"
    copy.write_bytes(file_of(store).read_bytes())
    point(store, form.format(copy if ".." not in form else elsewhere))
    with pytest.raises(FileOutsideError):
        list(store.present([PLACE]))
    for wanted in (change(Action.REPLACE, CHANGED, VIEW), change(Action.DROP, VIEW, VIEW)):
        assert failure(only(store, wanted)) == "FILE_OUTSIDE"
    assert store._commits.rows([PLACE]), "the row is left as it is"


def test_a_link_in_the_warehouse_does_not_lead_out_of_it(store: JdbcStore, elsewhere: Path) -> None:
    here = file_of(store)
    here.rename(elsewhere / "x.json")
    here.symlink_to(elsewhere / "x.json")
    assert failure(only(store, change(Action.REPLACE, CHANGED, VIEW))) == "FILE_OUTSIDE"


def written_elsewhere(store: JdbcStore, elsewhere: Path) -> Applied:
    """What a replacement answers where the metadata that are there name another folder."""
    here = file_of(store)
    metadata = json.loads(here.read_text(encoding="utf-8"))
    metadata["location"] = elsewhere.as_uri()
    here.write_text(json.dumps(metadata), encoding="utf-8")
    return only(store, change(Action.REPLACE, CHANGED, VIEW))


def test_metadata_do_not_say_where_the_next_file_goes(store: JdbcStore, elsewhere: Path) -> None:
    answer = written_elsewhere(store, elsewhere)
    assert failure(answer) == "STORE_FAILED"
    assert "would not lie below the target's warehouse" in (answer.failure or ("", ""))[1]
    assert list(elsewhere.iterdir()) == []
    assert present(store, VIEW).keys() == {PLACE}, "it is what it was"


def test_locations_allow_more_than_the_warehouse(
    store: JdbcStore, options: Options, elsewhere: Path
) -> None:
    with JdbcStore(replace(options, locations=(elsewhere.as_uri(),))) as allowed:
        assert written_elsewhere(allowed, elsewhere).action is Action.REPLACE
        assert len(list((elsewhere / "metadata").iterdir())) == 1
        assert present(allowed, CHANGED)[PLACE].comment == CHANGED.comment


def test_a_view_that_would_have_its_file_elsewhere_is_not_held(
    store: JdbcStore, elsewhere: Path
) -> None:
    away = replace(VIEW, properties=(("write.metadata.path", elsewhere.as_uri()),))
    with pytest.raises(NotHeldError, match="would not lie below"):
        store.hold(away)
    changed = change(Action.REPLACE, away, VIEW)
    assert failure(only(store, changed)) == "STORE_FAILED"
    assert list(elsewhere.iterdir()) == []


def test_a_location_that_is_none_is_refused_with_the_configuration(options: Options) -> None:
    with pytest.raises(ConfigurationError, match="locations: a/b"):
        replace(options, locations=("a/b",))
