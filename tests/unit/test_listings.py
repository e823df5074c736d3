"""What runs of a warehouse saw, and which of them is believed."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from discovery.errors import ConfigurationError, EvidenceError
from jobs import recrawl
from jobs.configuration import identity
from jobs.configuration.loader import RunConfig
from jobs.crawling.tables import STAGE
from jobs.keeping.stock import stock
from jobs.migrating.listings import seen_by, why_doubted, why_outdated
from jobs.migrating.tables import PLANS
from jobs.plan import Paper, doubts
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def nights(tmp_path: Path) -> Warehouse:
    """Three nights; from the second on the source shows half of what it had."""
    warehouse = Warehouse(str(tmp_path / "w"))
    for number, listed in enumerate((100, 50, 50)):
        _night(warehouse, number, json.dumps({"sources": {"lake": {"listed": listed}}}))
    return warehouse


def _night(warehouse: Warehouse, number: int, counts: str) -> None:
    run, at = f"r{number}", BEGIN + timedelta(days=number)
    warehouse.begin(STAGE, run)
    manifest = warehouse.seal(STAGE, run)
    warehouse.commit(Run(run, at, at, "1", 0, counts, manifest=manifest))


def _planned(warehouse: Warehouse, plan: str, run: str, *, allow_shrink: bool | None) -> None:
    warehouse.note(PLANS, plan, (plan, run, BEGIN, None, "{}", None, allow_shrink))


def _believed(warehouse: Warehouse, tmp_path: Path) -> str:
    (run,) = stock(str(tmp_path / "w"), warehouse, None).believed
    return run


def test_a_word_about_one_night_holds_for_those_behind_it(
    nights: Warehouse, tmp_path: Path
) -> None:
    for run in ("r1", "r2"):
        assert "lake has 50 objects, and had 100 in run r0" in why_doubted(nights, run)
    assert _believed(nights, tmp_path) == "r0"
    _planned(nights, "old", "r1", allow_shrink=None)  # of a belvedere that did not note it
    _planned(nights, "p", "r1", allow_shrink=False)
    assert why_doubted(nights, "r2")
    _planned(nights, "q", "r1", allow_shrink=True)
    assert [why_doubted(nights, run) for run in ("r0", "r1", "r2")] == ["", "", ""]
    assert _believed(nights, tmp_path) == "r2"


def test_a_night_after_the_clock_was_set_back_is_compared_with_those_that_began_later_by_it(
    nights: Warehouse,
) -> None:
    _night(nights, -1, json.dumps({"sources": {"lake": {"listed": 10}}}))
    assert "lake has 10 objects, and had 100 in run r0" in why_doubted(nights, "r-1")


def test_a_night_is_compared_with_later_ones_that_saw_more(nights: Warehouse) -> None:
    _night(nights, 3, json.dumps({"sources": {"lake": {"listed": 200}}}))
    assert "lake has 100 objects, and had 200 in run r3" in why_doubted(nights, "r0")


def test_what_a_run_with_an_older_listing_has_not_seen_may_have_come_since(
    nights: Warehouse,
) -> None:
    assert why_outdated(nights, "r2") == ""
    why = "it has what run r1 has listed, and run r2 has listed since"
    assert why_outdated(nights, "r1") == why
    listing = {"run_id": "r1", "started": (BEGIN + timedelta(days=1)).isoformat()}
    said = {"sources": {"lake": {"listed": 50}}, "listing": listing}
    _night(nights, 3, json.dumps(said))  # the failures of r1, asked again
    assert why_outdated(nights, "r3") == why
    assert why_outdated(nights, "r2") == "", "who asks again lists nothing"
    (reason,) = doubts(nights, "r3", Paper(Path("plan"), Path("estate.yaml"), delete=True))
    assert reason.sentence == f"nothing is dropped: {why}"
    _night(nights, 4, json.dumps({**said, "listing": {**listing, "run_id": "r2", "started": "x"}}))
    with pytest.raises(EvidenceError, match="run r4: what it counted cannot be read"):
        why_outdated(nights, "r4")


def test_of_a_night_that_has_not_seen_all_no_word_is_asked_for(nights: Warehouse) -> None:
    paper = Paper(Path("plan"), Path("estate.yaml"), delete=True)
    (reason,) = doubts(nights, "r2", paper)
    assert "--allow-shrink" in reason.then
    assert doubts(nights, "r2", replace(paper, shrunk=True)) == []
    assert doubts(nights, "r2", replace(paper, delete=False)) == []
    lost = {"sources": {"lake": {"listed": 0, "unread": 1}}}
    _night(nights, 3, json.dumps(lost))
    assert doubts(nights, "r3", paper) == [], "the word would not help, and the crawl has said why"


@pytest.mark.parametrize("how", ["lost", "junk"])
def test_a_run_whose_row_is_lost_or_junk_may_have_seen_what_is_not_gone(
    nights: Warehouse, tmp_path: Path, how: str
) -> None:
    (row,) = (tmp_path / "w" / "runs" / "run_id=r2").iterdir()
    row.write_bytes(b"junk") if how == "junk" else row.unlink()
    as_others_see = Warehouse(str(tmp_path / "w"))
    assert as_others_see.run(None).run_id == "r1"
    assert why_doubted(as_others_see, "r0").startswith("what run r2 saw is not known")
    paper = Paper(Path("plan"), Path("estate.yaml"), delete=True)
    (reason,) = doubts(as_others_see, "r1", paper)
    assert reason.sentence.startswith("nothing is dropped: what run r2 saw is not known")
    _planned(as_others_see, "p", "r1", allow_shrink=True)
    assert why_doubted(as_others_see, "r1") == "", "a person has looked"


@pytest.mark.parametrize("counts", ["", "[]", "{}", '{"sources": {"lake": 3}}'])
def test_counts_that_nobody_understands_prove_nothing(
    nights: Warehouse, tmp_path: Path, counts: str
) -> None:
    _night(nights, 3, counts)
    with pytest.raises(EvidenceError, match="run r3: what it counted cannot be read"):
        seen_by(nights.run("r3"))
    assert _believed(nights, tmp_path) == "r0"
    _night(nights, 4, json.dumps({"sources": {"lake": {"listed": 100}}}))
    with pytest.raises(EvidenceError, match="run r3"):
        why_doubted(nights, "r4")


def test_what_failed_is_not_asked_again_at_another_place(
    nights: Warehouse, estate: Callable[..., RunConfig]
) -> None:
    config = estate({"lake": {"kind": "hms", "uri": "thrift://h:1"}})
    counts = {"sources": {"lake": {"listed": 1}}}
    here = {"systems": {"lake": identity.of_system(config, "lake")}}
    for number, stated in ((7, here), (8, {"systems": {"lake": ["elsewhere"]}}), (9, {})):
        _night(nights, number, json.dumps({**counts, **stated}))
    recrawl._check(config, nights, nights.run("r7"), "new")
    recrawl._check(config, nights, nights.run("r9"), "new")
    with pytest.raises(ConfigurationError, match="lake is at another place than run r8") as raised:
        recrawl._check(config, nights, nights.run("r8"), "new")
    assert "crawl anew" in raised.value.hint
