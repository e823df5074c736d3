"""Functions in Gravitino's relational store, on PostgreSQL and MariaDB."""

import json
from dataclasses import replace

import pytest

from connectors.gravitino.entity_store.functions import StoredFunctions
from connectors.gravitino.paired import PairedStore
from connectors.hms_stores.functions import MetastoreFunctions
from discovery.errors import CollisionError, MovedError, NotHeldError, StoreError
from discovery.functions import Function
from discovery.model import Schema
from tests.contract import paired
from tests.contract.gravitino import Store
from tests.recorded.trino_functions import of_trino

WHISPER = replace(of_trino()["whisper"], namespace=("sales",))
META = "SELECT f.function_name, f.function_type, f.deterministic, f.audit_info FROM function_meta f"
LIVE = (
    "SELECT f.function_name, v.version FROM function_meta f JOIN function_version_info v"
    " ON f.function_id = v.function_id WHERE f.deleted_at = 0 AND v.deleted_at = 0 ORDER BY 1"
)


def kept(store: Store) -> StoredFunctions:
    assert isinstance(store.store.functions, StoredFunctions)
    return store.store.functions


def there(store: Store, function: Function = WHISPER) -> list[Function]:
    return list(kept(store).present([function.place]))


@pytest.mark.parametrize("name", ["whisper", "odd", "long"])
@pytest.mark.parametrize("levels", [("sales",), ("a", "b")])
def test_a_function_is_made_read_back_dropped_and_made_again(
    gravitino: Store, name: str, levels: tuple[str, ...]
) -> None:
    held = kept(gravitino).hold(replace(of_trino()[name], namespace=levels))
    for _ in range(2):
        assert there(gravitino, held) == []
        assert kept(gravitino).make(held)
        assert there(gravitino, held) == [held]
        assert not kept(gravitino).make(held), "it was there"
        assert gravitino.rows(LIVE) == [(name, 1)]
        assert kept(gravitino).drop(held)
        assert not kept(gravitino).drop(held)
        assert gravitino.rows(LIVE) == []
    assert len(gravitino.rows(META)) == 1, "the deleted row was taken up again"


def test_its_rows_are_those_of_a_server(gravitino: Store) -> None:
    """As a real 1.3.0 wrote the same function through its API, but for who made it and when."""
    held = kept(gravitino).hold(WHISPER)
    kept(gravitino).make(held)
    ((name, kind, deterministic, audit),) = gravitino.rows(META)
    assert (name, kind, int(deterministic)) == ("whisper", "SCALAR", 1)
    times = '"createTime":null,"lastModifier":null,"lastModifiedTime":null'
    assert audit == f'{{"creator":null,{times}}}'
    query = "SELECT version, function_comment, definitions FROM function_version_info"
    ((version, comment, definitions),) = gravitino.rows(query)
    text = json.dumps(str(held.sql), ensure_ascii=False)
    nothing = '"resources":{"jars":[],"files":[],"archives":[]},"properties":{}'
    assert (version, comment) == (1, None)
    assert definitions == (
        '[{"parameters":[{"name":"word","dataType":"string","comment":null}],'
        '"returnType":"string","returnColumns":null,'
        f'"impls":[{{"language":"SQL","runtime":"TRINO",{nothing},"sql":{text}}}]}}]'
    )


def test_another_one_of_that_name_is_told_and_left(gravitino: Store) -> None:
    held = kept(gravitino).hold(WHISPER)
    kept(gravitino).make(held)
    gravitino.execute("UPDATE function_meta SET function_type = 'AGGREGATE'")
    (function,) = there(gravitino)
    assert not held.does_as(function)
    with pytest.raises(CollisionError, match="another function"):
        kept(gravitino).make(held)
    with pytest.raises(MovedError):
        kept(gravitino).drop(held)
    gravitino.execute("UPDATE function_version_info SET definitions = '{'")
    with pytest.raises(StoreError, match="cannot be parsed"):
        there(gravitino)


def test_a_dropped_function_loses_its_owner_and_its_server_is_told(gravitino: Store) -> None:
    held = kept(gravitino).hold(WHISPER)
    kept(gravitino).make(held)
    ((key,),) = gravitino.rows("SELECT function_id FROM function_meta")
    gravitino.execute(
        "INSERT INTO owner_meta (metalake_id, owner_id, owner_type, metadata_object_id,"
        f" metadata_object_type, audit_info) VALUES (1, 2, 'USER', {key}, 'FUNCTION', '{{}}')"
    )
    kept(gravitino).drop(held)
    assert gravitino.rows("SELECT deleted_at > 0 FROM owner_meta") == [(True,)]
    told = "SELECT entity_type, entity_full_name, operate_type FROM entity_change_log"
    name = f"{gravitino.options.metalake}.{gravitino.options.catalog}.sales.whisper"
    assert gravitino.rows(told) == [("FUNCTION", name, 2)]


def test_what_it_stands_in_is_needed_and_stays_as_long(gravitino: Store) -> None:
    held = kept(gravitino).hold(WHISPER)
    with pytest.raises(StoreError, match="has not been made"):
        kept(gravitino).make(replace(held, namespace=("nowhere",)))
    assert not kept(gravitino).drop(replace(held, namespace=("nowhere",)))
    kept(gravitino).make(held)
    assert gravitino.store.remove([("sales",)]) == (("sales",),)
    with pytest.raises(NotHeldError):
        kept(gravitino).hold(replace(WHISPER, language="SQL", sql=None))


def test_a_store_that_an_older_version_has_made_gets_the_tables(gravitino: Store) -> None:
    gravitino.execute("DROP TABLE function_meta", "DROP TABLE function_version_info")
    held = kept(gravitino).hold(WHISPER)
    gravitino.store.init()
    gravitino.execute("DROP TABLE function_meta", "DROP TABLE function_version_info")
    assert there(gravitino) == []
    assert gravitino.store.init() == ("function_meta", "function_version_info")
    assert kept(gravitino).make(held)


def test_of_a_pair_the_store_keeps_functions_unless_the_route_does(
    request: pytest.FixtureRequest,
) -> None:
    made = paired.make_on_iceberg(request)
    with made.store as store:
        assert isinstance(store, PairedStore)
        store._views.prepare([Schema(levels=("sales",))])  # its row is made with the function's
        held = store.kept_functions.hold(WHISPER)
        assert store.kept_functions.make(held)
        assert list(store.kept_functions.present([held.place])) == [held]
        assert store.remove([("sales",)]) == (("sales",),), "the catalog would remove it"
        assert store.kept_functions.drop(held)
        assert store.remove([("sales",)]) == ()
    with paired.make_on_metastore(request).store as store:
        assert isinstance(store.kept_functions, MetastoreFunctions)


def test_without_any_table_there_is_no_function(empty: Store) -> None:
    assert there(empty) == []
    assert not kept(empty).drop(WHISPER)
