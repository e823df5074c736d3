"""The baseline: what is accepted counts nowhere, until its day has passed."""

import errno
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.acceptance import Acceptance, Baseline, Fault
from discovery.display import visible
from discovery.errors import ConfigurationError
from discovery.limits import CrawlLimits, Lack
from discovery.limits import Limit as Bound
from jobs.configuration import loader
from jobs.configuration.baselines import amend_baseline, read_baseline
from jobs.crawling.reconciliation import Counts, accept, beyond
from jobs.migrating.accepting import AsideChange, excused
from jobs.reporting.accepting import marked
from reports.thresholds import Excused, Limits, Marked, exceeded
from tests.made_up import HEAD

DAY = date(2027, 1, 31)
NEXT = date(2027, 2, 1)


def accepted(source: str, key: str, code: str, until: date = DAY) -> Acceptance:
    return Acceptance(fault=Fault(source, key, code), reason="why", owner="anna", until=until)


def line(**more: object) -> str:
    said = {"source": "s", "object": "o", "code": "C", "reason": "r", "owner": "w"}
    return json.dumps({**said, "until": "2027-01-31", **more})


texts = st.text(min_size=1).filter(str.strip)


@given(st.dictionaries(st.tuples(texts, st.text(), texts), st.tuples(texts, texts, st.dates())))
def test_what_is_written_is_read_again_and_is_the_same_bytes_in_any_order(
    found: dict[tuple[str, str, str], tuple[str, str, date]],
) -> None:
    every = [
        Acceptance(fault=Fault(*fault), reason=reason, owner=owner, until=until)
        for fault, (reason, owner, until) in found.items()
    ]
    made = Baseline("b").with_more(every)
    text = made.to_text()
    assert text == Baseline("b").with_more(reversed(every)).to_text()
    assert visible(text) == text, "nothing in it hides in a review"
    assert Baseline.parse("b", text).acceptances == made.acceptances


def test_a_line_is_as_the_page_shows_it() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operating.md").read_text(encoding="utf-8")
    (shown,) = [one for one in page.splitlines() if one.startswith('{"source"')]
    assert Baseline.parse("b", shown).to_text() == shown + "\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "b:1: is no JSON: "),
        (line()[:-1] + ', "until": "2099-01-01"}', "b:1: until stands twice"),
        ("5", "b:1: source is missing"),
        (line(code=5), "b:1: code must be a text"),
        (line(owner=" "), "b:1: owner must be a text"),
        (line(more=1), "b:1: more is unknown"),
        (line(until="20270131"), "b:1: until must be a day such as 2027-01-31"),
        (line(until="for ever"), "b:1: until must be a day such as 2027-01-31"),
        (line(until="2027-02-29"), "b:1: until must be a day such as 2027-01-31, and is '2027-02-"),
        (line(until="0000-01-01"), "b:1: until must be a day such as 2027-01-31"),
        (
            line(until="9" * 999),
            f"b:1: until must be a day such as 2027-01-31, and is '{'9' * 36}...",
        ),
        ("[" * 99_999, "b:1: it is nested too deeply"),
        ("9" * 5000, "b:1: it has a number of 5,000 digits"),
        (f"{line()}\n\n{line(reason='again')}", "b:3: C at o of s stands in line 1, too"),
    ],
)
def test_a_line_that_is_none_is_told_with_its_place(text: str, why: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Baseline.parse("b", text)
    assert raised.value.message.startswith(why)


def test_every_line_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(ConfigurationError) as raised:
        Baseline.parse("b", f"x\n{line()}\ny")
    assert [one[:4] for one in raised.value.message.splitlines()] == ["b:1:", "b:3:"]


def test_an_acceptance_holds_through_its_last_day() -> None:
    acceptance = accepted("s", "o", "C")
    baseline = Baseline("b", (acceptance,))
    assert baseline.valid(DAY) == {acceptance.fault}
    assert not baseline.valid(NEXT)
    assert baseline.expired(DAY) == []
    assert baseline.expired(NEXT) == [acceptance]
    assert baseline.stale(DAY, ()) == [acceptance]
    assert baseline.stale(DAY, [acceptance.fault]) == []
    assert baseline.stale(NEXT, ()) == [], "it has expired: that is said of it"


def test_a_line_about_what_there_is_not_is_told() -> None:
    baseline = Baseline.parse("b", f"{line()}\n{line(source='t', code='DENIED')}")
    assert list(baseline.unknown(["s"], ["DENIED"])) == [
        "b:1: 'C' is no code",
        "b:2: 't' is no source or target",
    ]


def test_what_is_accepted_again_takes_the_place_of_what_was() -> None:
    old, new = accepted("s", "o", "C"), accepted("s", "o", "C", date(2028, 1, 1))
    other = accepted("a", "o", "C")
    baseline = Baseline("b", (old,)).with_more([new, other])
    assert baseline.acceptances == (other, new)
    assert baseline.without([other]).acceptances == (new,)


def test_a_file_is_written_whole_and_read_again(tmp_path: Path) -> None:
    empty = read_baseline(tmp_path, "accepted.jsonl")
    assert empty.acceptances == ()
    amend_baseline(empty, lambda baseline: baseline.with_more([accepted("s", "o", "C")]))
    assert len(read_baseline(tmp_path, "accepted.jsonl").acceptances) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["accepted.jsonl"]
    assert read_baseline(tmp_path, None) == Baseline()


def test_what_a_writer_that_was_killed_has_left_does_not_stay(tmp_path: Path) -> None:
    kills = "import os; os.replace = lambda *_: os.kill(os.getpid(), 9)"
    ours = "from pathlib import Path; from jobs.configuration.baselines import *"
    amends = f"amend_baseline(read_baseline(Path({str(tmp_path)!r}), 'b'), lambda one: one)"
    text = f"{kills}; {ours}; {amends}"
    killed = subprocess.run([sys.executable, "-c", text], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    amend_baseline(read_baseline(tmp_path, "b"), lambda baseline: baseline)
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_of_two_that_write_at_once_neither_takes_away_what_the_other_has_written(
    tmp_path: Path,
) -> None:
    old, renewed = accepted("s", "o", "C"), accepted("s", "o", "C", NEXT)
    amend_baseline(read_baseline(tmp_path, "b"), lambda baseline: baseline.with_more([old]))
    here, there = (read_baseline(tmp_path, "b") for _ in range(2))
    amend_baseline(here, lambda baseline: baseline.with_more([accepted("s", "p", "C"), renewed]))
    amend_baseline(there, lambda baseline: baseline.with_more([accepted("s", "q", "C")]))
    amend_baseline(there, lambda baseline: baseline.without([old]))
    left = {
        (acceptance.fault.object, acceptance.until)
        for acceptance in read_baseline(tmp_path, "b").acceptances
    }
    assert left == {("o", NEXT), ("p", DAY), ("q", DAY)}


def test_a_disk_that_is_full_is_told_with_the_file_which_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = read_baseline(tmp_path, "accepted.jsonl")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as raised:
        amend_baseline(before, lambda baseline: baseline.with_more([accepted("s", "o", "C")]))
    assert raised.value.filename == str(tmp_path / "accepted.jsonl")
    assert not list(tmp_path.iterdir())


def test_a_damaged_baseline_is_refused_before_anything_is_crawled(tmp_path: Path) -> None:
    estate = tmp_path / "estate.yaml"
    sources = "sources: {a: {kind: archive, path: a}}"
    estate.write_text(f"warehouse: w\naccepted: x.jsonl\n{sources}", encoding="utf-8")
    assert loader.load(estate).accepted.place == str(tmp_path / "x.jsonl")
    (tmp_path / "x.jsonl").write_bytes(b"\xff")
    with pytest.raises(ConfigurationError, match="is no text in UTF-8"):
        loader.load(estate)


FAILURES = [
    {"source": "lake", "key": "db.a", "entity": "object", "stage": "read", "code": "DENIED"},
    {"source": "lake", "key": "db.b", "entity": "object", "stage": "decode", "code": "BAD"},
    {"source": "lake", "key": "db", "entity": "namespace", "stage": "list", "code": "DENIED"},
]


def lacking() -> dict[str, Counts]:
    failed = {(Lack.UNREAD, "DENIED"): 2, (Lack.UNDECODED, "BAD"): 1, (Lack.UNLISTED, "DENIED"): 1}
    return {"lake": Counts(listed=9, failures=3, namespaces=2, failed=Counter(failed))}


def test_a_crawl_counts_what_is_not_accepted() -> None:
    counts = lacking()
    accept(counts, FAILURES, frozenset({Fault("lake", "db.a", "DENIED")}))
    left = {excess.lack: excess.number for excess in beyond(counts, CrawlLimits())}
    assert left == {Lack.UNREAD: 1, Lack.UNDECODED: 1, Lack.UNLISTED: 1}
    said = counts["lake"].total
    assert (said.accepted, said.failures, said.unread) == (1, 3, 3), "all are still there"


def test_what_is_accepted_elsewhere_or_of_another_code_counts() -> None:
    counts = lacking()
    others = {("shop", "db.a", "DENIED"), ("lake", "db.b", "DENIED"), ("lake", "db.c", "BAD")}
    accept(counts, FAILURES, frozenset(Fault(*one) for one in others))
    assert sum(excess.number for excess in beyond(counts, CrawlLimits())) == 4


def test_a_limit_of_a_code_looks_at_what_is_left() -> None:
    counts = lacking()
    accept(counts, FAILURES, frozenset({Fault("lake", "db", "DENIED")}))
    limits = CrawlLimits(undecoded=Bound(1), codes={"DENIED": Bound(2)})
    assert beyond(counts, limits) == []


def test_a_source_that_could_not_be_listed_is_one_of_those_that_were_tried() -> None:
    counts = {"lake": Counts(is_unlisted=True, failed=Counter({(Lack.UNLISTED, "DENIED"): 1}))}
    assert beyond(counts, CrawlLimits(unlisted=Bound.of("100%"))) == []
    (excess,) = beyond(counts, CrawlLimits(unlisted=Bound.of("99%")))
    assert str(excess).startswith("1 of 1 namespaces could not be listed (1 DENIED;")


def test_what_no_source_has_any_more_is_excused_at_its_place_in_the_target() -> None:
    row = {"target": "t", "key": "db.v", "action": "blocked", "code": "C", "origins": []}
    assert AsideChange.of(row).faults == (Fault("t", "db.v", "C"),)
    assert AsideChange.of({**row, "code": None}).faults == ()
    origins = [{"source": "s", "key": "d.w"}, {"source": "r", "key": "d.w"}]
    of_views = AsideChange.of({**row, "origins": origins}).faults
    assert of_views == (Fault("s", "d.w", "C"), Fault("r", "d.w", "C"))


def test_a_plan_is_excused_where_every_view_behind_a_change_is() -> None:
    faults = (Fault("a", "v", "C"),)
    two = (*faults, Fault("b", "v", "C"))
    changes = [
        AsideChange("t", "conflict", two),
        AsideChange("t", "blocked", faults),
        AsideChange("t", "blocked", ()),
    ]
    assert excused(changes, frozenset(faults)) == {("t", "blocked"): 1}
    assert excused(changes, frozenset(two)) == {("t", "blocked"): 1, ("t", "conflict"): 1}


def row(**more: object) -> dict[str, object]:
    plain = {"source": "lake", "key": "db.v", "outcome": "view", "code": None, "aside": None}
    return {
        **plain,
        "findings": None,
        "notes": None,
        "plan": None,
        "standing": "ready",
        "reason": None,
        **more,
    }


def finding(code: str, severity: str, engine: str | None = None) -> dict[str, object]:
    return {"code": code, "severity": severity, "engine": engine}


@pytest.mark.parametrize(
    ("found", "codes", "standing"),
    [
        (row(outcome="failure", code="BAD", standing="blocked", reason="BAD"), ["BAD"], 1),
        (row(standing="blocked", reason="RING", aside="RING"), ["RING"], 1),
        (row(standing="blocked", reason="RING", aside="RING"), ["BAD"], 0),
        (
            row(standing="blocked", reason="RING", aside="RING", findings=[finding("E", "error")]),
            ["RING"],
            0,
        ),
        (
            row(standing="blocked", reason="RING", aside="RING", findings=[finding("E", "error")]),
            ["RING", "E"],
            1,
        ),
        (
            row(
                standing="blocked",
                reason="RING",
                aside="RING",
                findings=[finding("E", "error", "trino")],
                plan=[{"action": "blocked", "code": "P"}, {"action": "keep", "code": None}],
            ),
            ["RING", "P"],
            1,
        ),
        (row(standing="needs review", reason="W", findings=[finding("W", "warning")]), ["W"], 1),
    ],
)
def test_a_standing_is_excused_with_all_that_would_block_the_view(
    found: dict[str, object], codes: list[str], standing: int
) -> None:
    faults = frozenset(Fault("lake", "db.v", code) for code in codes)
    told = Excused.of([marked(found)], faults)
    assert told.standing.total() == standing
    assert told.met <= faults


def test_a_severity_is_excused_only_where_all_its_findings_are() -> None:
    view = marked(row(findings=[finding("A", "error"), finding("B", "error", "trino")]))
    faults = frozenset({Fault("lake", "db.v", "A")})
    assert Excused.of([view], faults).severity["error"] == 0
    two = faults | {Fault("lake", "db.v", "B")}
    assert Excused.of([view], two).severity["error"] == 1


def test_thresholds_do_not_count_what_is_excused() -> None:
    cause = HEAD.causes[0]
    limits = Limits({cause.code: Bound(cause.number - 1)}, {}, {"blocked": Bound(0)})
    before = list(exceeded(HEAD, limits))
    assert len(before) == 1 + (HEAD.standing["blocked"] > 0)
    blocked = [
        Marked(source="lake", key=str(n), standing="blocked", reason="R")
        for n in range(HEAD.standing["blocked"])
    ]
    marks = [Marked(source="lake", key="x", codes=frozenset({(cause.sort, cause.code)})), *blocked]
    faults = {Fault("lake", "x", cause.code), *(Fault("lake", one.key, "R") for one in blocked)}
    assert list(exceeded(HEAD, limits, Excused.of(marks, frozenset(faults)))) == []


def test_what_a_link_leads_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "real.jsonl").write_text("", encoding="utf-8")
    link = tmp_path / "accepted.jsonl"
    link.symlink_to("real.jsonl")
    baseline = read_baseline(tmp_path, "accepted.jsonl")
    amend_baseline(baseline, lambda _: Baseline.parse("b", line()))
    assert link.is_symlink()
    assert (tmp_path / "real.jsonl").read_text(encoding="utf-8").count("\n") == 1


@pytest.mark.parametrize(
    ("source", "key", "is_below"),
    [
        ("lake", "", True),
        ("lake", "db", True),
        ("lake", "db.a", True),
        ("lake", "d", False),
        ("lake", "db.a.b", False),
        ("shop", "", False),
    ],
)
def test_what_could_not_be_looked_at_may_have_its_fault_still(
    source: str, key: str, is_below: bool
) -> None:
    assert Fault("lake", "db.a", "BAD").is_below(source, key) is is_below
