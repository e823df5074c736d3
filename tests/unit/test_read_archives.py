"""A target that writes where a source reads is told, before views are there twice."""

from pathlib import Path

import pytest

from jobs.configuration import loader
from jobs.configuration.archives import tell_read_archives
from jobs.configuration.loader import RunConfig
from jobs.doctor import examine
from jobs.plan import _remarks

TOLD = (
    "The target t writes into a folder that the source s reads: its next crawl finds what is"
    " written there, too."
)


def config_of(folder: Path, source: str, target: str) -> RunConfig:
    text = f"""warehouse: w
sources: {{s: {{kind: archive, path: "{source}"}}}}
targets: {{t: {{kind: archive, path: "{target}"}}}}
"""
    (folder / "estate.yaml").write_text(text, encoding="utf-8")
    return loader.load(folder / "estate.yaml")


@pytest.mark.parametrize(
    ("source", "target", "is_told"),
    [
        ("a", "a", True),
        ("a", "a/b", True),
        ("a", "link/b", True),
        ("a/*.json", "a", True),
        ("a/b", "a", False),
        ("a", "ab", False),
        ("a/views.jsonl", "a", False),
        ("s3://a", "s3", False),
    ],
)
def test_a_folder_that_is_written_and_read_is_told(
    tmp_path: Path, source: str, target: str, is_told: bool
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to("a")
    config = config_of(tmp_path, source, target)
    assert list(tell_read_archives(config)) == ([TOLD] if is_told else [])


def test_doctor_and_plan_say_it(tmp_path: Path) -> None:
    config = config_of(tmp_path, "a", "a/b")
    assert TOLD in [diagnosis.told for diagnosis in examine(config, quick=True)]
    assert TOLD in _remarks(config)
