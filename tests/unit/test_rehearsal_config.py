"""What of a configuration is otherwise at the copies of its targets."""

from pathlib import Path

import pytest

from discovery.errors import ConfigurationError
from jobs.configuration import loader
from jobs.migrating import rehearsal

ESTATE = """warehouse: w
sources: {{s: {{kind: archive, path: a.jsonl}}}}
targets: {{t: {{kind: archive, path: here, rehearsal: {{path: copy}}}}}}
engines: {{trino: {{url: "http://localhost:9", {shows}}}}}
"""


def at_copies(folder: Path, shows: str) -> loader.RunConfig:
    path = folder / "estate.yaml"
    path.write_text(ESTATE.format(shows=shows), encoding="utf-8")
    return rehearsal.at_copies(loader.load(path))


def test_an_engine_is_asked_where_it_shows_the_copy_and_not_the_target(tmp_path: Path) -> None:
    config = at_copies(tmp_path, "targets: {ice: t}, copies: {ice_copy: t}")
    rehearsal.insist_on_engines(config)
    options = config.running["trino"].options
    assert (options.targets, options.url) == ({"ice_copy": "t"}, "http://localhost:9")


def test_an_engine_that_shows_the_target_shows_no_copy(tmp_path: Path) -> None:
    config = at_copies(tmp_path, "targets: {ice: t}")
    with pytest.raises(ConfigurationError, match="no engine is said to show the copy") as refused:
        rehearsal.insist_on_engines(config)
    assert "copies: {CATALOG: t}" in str(refused.value.hint)


def test_a_copy_of_no_target_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="'u' is no target"):
        at_copies(tmp_path, "copies: {ice_copy: u}")
