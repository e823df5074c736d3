"""A catalog of which both the views' own route and Gravitino's store are named: one target."""

import pickle
from pathlib import Path

import pytest

from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.paired import PairedStore
from connectors.hms_stores.native import MetastoreStore
from discovery.errors import ConfigurationError
from jobs.configuration import identity, loader
from jobs.configuration.loader import RunConfig

ROWS = "gravitino-store: {url: 'postgresql://h/d', password: '${env:SECRET}', user: u}"


def estate(folder: Path, target: str) -> RunConfig:
    path = folder / "estate.yaml"
    path.write_text(
        f"warehouse: w\nsources: {{a: {{kind: archive, path: a}}}}\ntargets: {{t: {target}}}\n",
        encoding="utf-8",
    )
    return loader.load(path)


def catalog(provider: str, *stores: str) -> str:
    parts = ", ".join((f"provider: {provider}", "metalake: m", "catalog: c", *stores))
    return f"{{kind: gravitino, {parts}}}"


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "hidden-word")


@pytest.mark.parametrize(
    ("provider", "kind", "options"),
    [
        ("hive", "hms", "hms: {uri: 'thrift://h:9083'}"),
        ("hive", "gravitino-rest", "gravitino-rest: {uri: 'http://h:8090'}"),
        ("lakehouse-iceberg", "iceberg-rest", "iceberg-rest: {uri: 'http://h:1'}"),
        ("lakehouse-iceberg", "iceberg-hive", "iceberg-hive: {uri: 'thrift://h:9083'}"),
        ("lakehouse-paimon", "paimon", "paimon: {uri: 'http://h:1', warehouse: w}"),
    ],
)
def test_a_route_and_the_store_of_rows_make_a_pair(
    tmp_path: Path, provider: str, kind: str, options: str
) -> None:
    config = estate(tmp_path, catalog(provider, options, ROWS))
    target, terms = config.targets["t"], config.terms["t"]
    assert (target.kind, terms.route.store, terms.route.served) == (kind, kind, True)
    assert terms.route.why.endswith("; who made each and when, as its row by gravitino-store")
    assert isinstance(target.rows, Options)
    assert (target.rows.metalake, target.rows.catalog, target.rows.provider) == ("m", "c", provider)
    assert isinstance(pickle.loads(pickle.dumps(target)).store(), PairedStore)  # noqa: S301 - ours
    assert [one.reveal() for one in target.secrets] == ["hidden-word"]
    assert "hidden-word" not in repr(target)


def test_what_a_catalog_is_called_is_not_what_a_metastore_calls_its_own(tmp_path: Path) -> None:
    config = estate(tmp_path, catalog("hive", "hms: {uri: 'thrift://h:9083'}", ROWS))
    assert config.targets["t"].options.catalog is None


def test_a_route_that_is_asked_for_is_taken_alone(tmp_path: Path) -> None:
    stores = ("hms: {uri: 'thrift://h:9083'}", ROWS)
    alone = estate(tmp_path, catalog("hive", "route: hms", *stores)).targets["t"]
    assert isinstance(alone.store(), MetastoreStore)
    asked = estate(tmp_path, catalog("hive", "route: gravitino-store", *stores)).targets["t"]
    assert (asked.kind, asked.rows) == ("gravitino-store", None)


def test_a_plan_is_made_for_the_rows_too(tmp_path: Path) -> None:
    hms = "hms: {uri: 'thrift://h:9083'}"
    said = {
        identity.of_target(estate(tmp_path, catalog("hive", hms, rows)), "t")
        for rows in (ROWS, ROWS.replace("user: u", "user: v"), ROWS.replace("h/d", "h/other"))
    }
    assert len(said) == 2, "another user is none of it"


def test_what_is_wrong_with_either_is_told_at_its_place(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as raised:
        estate(tmp_path, catalog("hive", "hms: {ur: x}", "gravitino-store: {url: 5, userr: u}"))
    for part in ("targets.t.hms.uri: is missing", "targets.t.gravitino-store.userr: is unknown"):
        assert part in raised.value.message


@pytest.mark.parametrize(
    ("stores", "asked"),
    [
        (("iceberg-rest: {uri: 'http://h:1'}",), False),
        (("iceberg-rest: {uri: 'http://h:1'}", "REST"), True),
        (("route: iceberg-rest", "iceberg-rest: {uri: 'http://h:1'}", "REST", ROWS), True),
        (("REST",), False),
        (("REST", ROWS), True),
        (("route: gravitino-store", "REST", ROWS), False),
    ],
)
def test_a_server_that_is_named_beside_a_route_is_asked_what_it_shows(
    tmp_path: Path, stores: tuple[str, ...], asked: bool
) -> None:
    named = [store.replace("REST", "gravitino-rest: {uri: 'http://h:8090'}") for store in stores]
    connector = estate(tmp_path, catalog("lakehouse-iceberg", *named)).targets["t"]
    assert (connector.server is not None) == asked
    with connector.showing_server() as server:
        assert (server is not None) == asked
