"""What belvedere crawls out of a source, for live tests to compare."""

import json
from typing import Any

from discovery.crawl import crawl
from discovery.model import View
from discovery.outcomes import Failure
from discovery.ports import CrawlTask, ViewSource


def crawled(source: ViewSource) -> dict[str, dict[str, Any]]:
    """The views as JSON, by dotted name; nothing may fail."""
    found = {}
    with source:
        listing = list(source.listing())
        assert not [item for item in listing if isinstance(item, Failure)]
        for outcome in crawl(CrawlTask("s", tuple(listing)), source):  # type: ignore[arg-type]
            assert not isinstance(outcome.result, Failure), outcome.result
            if isinstance(outcome.result, View):
                found[str(outcome.listed.identifier)] = json.loads(outcome.text)
    return found
