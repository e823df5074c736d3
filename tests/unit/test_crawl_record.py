"""What a run says of its crawl comes back as it was, from whichever belvedere has written it."""

import json
from dataclasses import fields
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery import __version__
from discovery.addresses import SourceAddress
from discovery.crawl_record import CrawlRecord, Fetching, Listing, SourceCounts
from discovery.errors import EvidenceError
from discovery.patterns import Patterns
from jobs.crawling.estimating import experiences
from jobs.warehouse.runs import Run

NIGHT = datetime(2026, 11, 26, 2, tzinfo=UTC)
NUMBERS = st.integers(0, 10**6)
NAMES = st.dictionaries(st.text(max_size=8), NUMBERS, max_size=3)
COUNTS = st.builds(
    SourceCounts, *[NUMBERS] * 9, formats=NAMES, codes=NAMES, reconciled=st.booleans()
)
RECORD = CrawlRecord(
    {"lake": SourceCounts(3, 2, 1, codes={"BAD": 1})},
    1.5,
    [(3, "1 view", "look")],
    {"lake": "digest"},
    {"lake": SourceAddress("hive", "h", 9083)},
    "r1",
    Fetching({"lake": 3}, 0.5),
    {"lake": "7"},
    Listing("r0", NIGHT),
    {"lake": Patterns(("sales",), ("sales.tmp_*",)), "shop": Patterns()},
    {"lake": ["a", "b"]},
)


def run(counts: str) -> Run:
    return Run("r2", NIGHT, NIGHT, __version__, 0, counts)


@given(COUNTS)
def test_counts_come_back_as_they_were(counts: SourceCounts) -> None:
    record = CrawlRecord({"lake": counts})
    assert run(json.dumps(record.to_json())).record == record


def test_a_run_that_nobody_understands_costs_no_estimate_of_another() -> None:
    (known,) = experiences([run("{}"), run(json.dumps(RECORD.to_json())), run("[]")])
    assert known.what.startswith("run r2 fetched 3 ")


def test_every_member_comes_back_as_it_was() -> None:
    assert all(getattr(RECORD, field.name) for field in fields(RECORD)), "none is left out here"
    assert run(json.dumps(RECORD.to_json())).record == RECORD


def test_what_an_earlier_belvedere_did_not_write_is_not_known() -> None:
    record = run('{"sources": {"lake": {"listed": 3, "views": 2}}}').record
    assert record == CrawlRecord({"lake": SourceCounts(3, 2)})
    assert record.sources["lake"].complete
    assert (record.reasons, record.places, record.fetching) == (None, None, None)


@pytest.mark.parametrize(
    "counts",
    [
        *("", "[]", "null", "{}", '{"sources": []}', '{"sources": {"lake": 1}}'),
        '{"sources": {"lake": {"views": "many"}}}',
        '{"sources": {}, "seconds": []}',
        '{"sources": {}, "listing": {"run_id": "r"}}',
        '{"sources": {}, "fetching": 7}',
    ],
)
def test_what_nobody_understands_names_its_run(counts: str) -> None:
    with pytest.raises(EvidenceError, match="run r2: what it counted cannot be read"):
        _ = run(counts).record
