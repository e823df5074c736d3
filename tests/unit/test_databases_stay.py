"""Views of databases stay where they are: the base class says so, for those to come as well."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from connectors import registry
from connectors.jdbc import any_database, base
from connectors.registry import ConnectorKind
from discovery.errors import ConfigurationError
from jobs.configuration import loader

TARGET = "{kind: gravitino-store, url: 'postgresql://h/d', metalake: m, catalog: c}"


class Oracle(any_database.AnyDatabase):
    """A database as docs/architecture.md says one is added: a class on the base, and a line."""


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> str:
    module = ModuleType("connectors_jdbc_oracle")
    module.Oracle = Oracle  # type: ignore[attr-defined]  # a module made here
    module.Options = any_database.Options  # type: ignore[attr-defined]  # the same
    monkeypatch.setitem(sys.modules, module.__name__, module)
    kind = ConnectorKind(f"{module.__name__}:Oracle")
    monkeypatch.setitem(registry.SOURCES, "oracle", kind)
    return "oracle"


def written(sources: dict[str, ConnectorKind]) -> list[str]:
    """A sentence per source that is a database and could be written."""
    return [
        f"{kind} is a database that would be written: derive it from connectors.jdbc.base.Database"
        for kind, source in sources.items()
        if (issubclass(source.connector(), base.Database) or ".jdbc." in source.path)
        and not source.connector().read_only
    ]


def test_no_database_can_be_written() -> None:
    assert not written(dict(registry.SOURCES))
    databases = {kind for kind in registry.SOURCES if registry.read_only(kind)}
    assert databases == {"doris", "mysql", "postgresql", "sqlalchemy", "starrocks"}


def test_a_database_that_could_be_written_is_told(
    oracle: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not written({oracle: registry.SOURCES[oracle]})
    monkeypatch.setattr(Oracle, "read_only", False)
    (sentence,) = written({oracle: registry.SOURCES[oracle]})
    assert sentence.startswith("oracle is a database that would be written: derive it from")


def test_what_is_no_source_or_cannot_be_imported_is_not_read_only() -> None:
    assert not registry.read_only("gravitino-store")
    assert not registry.read_only("hms")
    assert not registry.read_only("")


def test_a_new_database_is_no_target_and_moves_only_by_a_rule(oracle: str, tmp_path: Path) -> None:
    path = tmp_path / "estate.yaml"
    sources = f"sources: {{a: {{kind: archive, path: x}}, o: {{kind: {oracle}, url: 'x://h/d'}}}}\n"
    path.write_text(f"warehouse: w\n{sources}targets: {{t: {TARGET}}}", encoding="utf-8")
    assert [rule.source for rule in loader.load(path).rules] == ["a"]
    target = f"targets: {{t: {{kind: {oracle}, url: 'x://h/d'}}}}"
    path.write_text(f"warehouse: w\n{sources}{target}", encoding="utf-8")
    with pytest.raises(
        ConfigurationError, match="'oracle' is no target: CREATE VIEW not supported"
    ):
        loader.load(path)
