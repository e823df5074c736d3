"""`belvedere store init` on a real database."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jobs import store
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.embedded.postgres import EmbeddedPostgreSQL


def test_tables_are_made_once_and_named(
    tmp_path: Path,
    estate: Callable[..., RunConfig],
    postgresql: EmbeddedPostgreSQL,
    capsys: pytest.CaptureFixture[str],
) -> None:
    postgresql.execute(("DROP DATABASE IF EXISTS store_init", "CREATE DATABASE store_init"))
    target = {
        "kind": "gravitino-store",
        "url": postgresql.url("store_init"),
        "user": "postgres",
        "metalake": "m",
        "catalog": "c",
    }
    source = {"kind": "archive", "path": "nothing.jsonl"}
    estate({"a": source}, targets={"up": target})
    given = ["init", "--config", str(tmp_path / "estate.yaml"), "--target", "up"]
    assert store.main(given) == command.FINE
    assert capsys.readouterr().out.startswith("up: made metalake_meta, catalog_meta, schema_meta")
    assert store.main(given) == command.FINE
    assert capsys.readouterr().out == "up: all tables are there\n"
    assert store.main([*given, "--json"]) == command.FINE
    assert json.loads(capsys.readouterr().out) == {"target": "up", "made": []}
    postgresql.execute(("ALTER TABLE view_meta DROP COLUMN audit_info",), "store_init")
    assert store.main(given) == command.CRASHED
    assert "1.2.0" in capsys.readouterr().err
    assert store.main([*given[:-1], "down"]) == command.USAGE
    assert "targets: up" in capsys.readouterr().err
