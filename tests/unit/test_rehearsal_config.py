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


@pytest.mark.parametrize(
    ("warehouse", "is_refused"),
    [
        ("s3a://lake", True),
        ("s3a://lake/", True),
        ("hdfs://node.example:8020/", True),
        ("/", True),
        ("s3a://lake/belvedere", False),
        ("file:///var/belvedere", False),
        ("belvedere", False),
    ],
)
def test_beside_a_whole_bucket_there_is_only_another_bucket(
    tmp_path: Path, warehouse: str, is_refused: bool
) -> None:
    path = tmp_path / "estate.yaml"
    text = ESTATE.format(shows="timeout: 1").replace("warehouse: w", f'warehouse: "{warehouse}"')
    path.write_text(text, encoding="utf-8")
    config = loader.load(path)
    if is_refused:
        with pytest.raises(ConfigurationError, match="is no folder"):
            rehearsal.insist_on_copies(config)
    else:
        rehearsal.insist_on_copies(config)
