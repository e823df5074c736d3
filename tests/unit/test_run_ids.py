"""What can be the id of a run: it names folders, and schedulers hand it in."""

from typing import Any

import pytest

from discovery.errors import ConfigurationError
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate, estimate_crawl, recrawl

CONFIG = RunConfig("/nowhere", archive=False, sources={})


@pytest.mark.parametrize("run_id", ["", " ", "../up", "a/b", "é", "a\nb", "-x", "x" * 101])
def test_what_no_folder_is_to_be_called_is_refused(run_id: str) -> None:
    spark: Any = None  # nothing is asked of it
    for crawl in (crawl_estate, estimate_crawl):
        with pytest.raises(ConfigurationError, match="cannot be the id of a run"):
            crawl(spark, CONFIG, run_id)
    with pytest.raises(ConfigurationError, match="cannot be the id of a run"):
        recrawl(spark, CONFIG, "before", run_id)
