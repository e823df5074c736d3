"""What can be the id of a run: it names folders, and schedulers hand it in."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from discovery.errors import ConfigurationError
from jobs import crawl, recrawl, run
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.crawl import crawl_estate, estimate_crawl

CONFIG = RunConfig("/nowhere", archive=False, sources={})


@pytest.mark.parametrize("run_id", ["", " ", "../up", "a/b", "é", "a\nb", "-x", "x" * 101])
def test_what_no_folder_is_to_be_called_is_refused(run_id: str) -> None:
    spark: Any = None  # nothing is asked of it
    for begin in (crawl_estate, estimate_crawl):
        with pytest.raises(ConfigurationError, match="cannot be the id of a run"):
            begin(spark, CONFIG, run_id)
    with pytest.raises(ConfigurationError, match="cannot be the id of a run"):
        recrawl.recrawl(spark, CONFIG, "before", run_id)


@pytest.mark.parametrize(
    "main",
    [
        lambda words: crawl.main([*words, "--run-id", "../up"]),
        lambda words: crawl.main([*words, "--run-id", ""]),
        lambda words: run.main([*words, "--run-id", "../up"]),
        lambda words: recrawl.main([*words, "--failures", "r", "--run-id", "../up"]),
    ],
)
def test_such_a_name_is_refused_before_spark_starts(
    main: Callable[[list[str]], int],
    estate: Callable[..., RunConfig],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for module in (crawl, run, recrawl):
        monkeypatch.setattr(module, "spark_session", None)
    estate({"lake": {"kind": "archive", "path": "a"}})
    assert main(["--config", str(tmp_path / "estate.yaml")]) == command.USAGE
    assert "cannot be the id of a run" in capsys.readouterr().err
