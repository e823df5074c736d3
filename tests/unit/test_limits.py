"""What a crawl may lack, and what is said when it lacks more."""

import pytest

from discovery.limits import CrawlLimits, Lack, Lacking, Limit, excesses
from jobs.console.command import ExitReason
from jobs.crawling.concluding import Crawled

FAILED = {
    Lacking("lake", Lack.UNLISTED, "DENIED"): 1,
    Lacking("lake", Lack.UNREAD, "UNREACHABLE"): 2,
    Lacking("shop", Lack.UNREAD, "UNREACHABLE"): 3,
    Lacking("shop", Lack.UNREAD, "DENIED"): 1,
    Lacking("lake", Lack.UNDECODED, "INVALID_ENTRY"): 4,
}
ALL = {Lack.UNLISTED: 1, Lack.UNREAD: 6, Lack.UNDECODED: 4}


def numbers(limits: CrawlLimits) -> dict[Lack, int]:
    return {excess.lack: excess.number for excess in excesses(FAILED, 100, 10, limits)}


def test_nothing_is_allowed_unless_it_is_said() -> None:
    assert numbers(CrawlLimits()) == ALL
    assert list(excesses({}, 0, 0, CrawlLimits())) == []


@pytest.mark.parametrize(
    ("limits", "within"),
    [
        (CrawlLimits(unlisted=Limit(1)), {Lack.UNLISTED}),
        (CrawlLimits(unlisted=Limit.of("10%")), {Lack.UNLISTED}),
        (CrawlLimits(unlisted=Limit.of("9%")), set()),
        (CrawlLimits(unread=Limit(6)), {Lack.UNREAD}),
        (CrawlLimits(unread=Limit(5)), set()),
        (CrawlLimits(unread=Limit.of("6%")), {Lack.UNREAD}),
        (CrawlLimits(undecoded=Limit(4)), {Lack.UNDECODED}),
        (CrawlLimits(codes={"INVALID_ENTRY": Limit(4)}), {Lack.UNDECODED}),
        (CrawlLimits(codes={"INVALID_ENTRY": Limit(3)}), set()),
    ],
)
def test_what_is_within_a_limit_is_no_finding(limits: CrawlLimits, within: set[Lack]) -> None:
    assert numbers(limits) == {lack: n for lack, n in ALL.items() if lack not in within}


def test_a_code_within_its_limit_counts_nowhere_else() -> None:
    found = numbers(CrawlLimits(codes={"UNREACHABLE": Limit(5)}))
    assert found[Lack.UNREAD] == 1, "the denied one"
    found = numbers(CrawlLimits(codes={"UNREACHABLE": Limit(4)}))
    assert found[Lack.UNREAD] == 6, "five are more than four, and all of them count"
    both = CrawlLimits(codes={"DENIED": Limit(2), "UNREACHABLE": Limit.of("5%")})
    assert numbers(both) == {Lack.UNDECODED: 4}
    assert numbers(CrawlLimits(codes={"DENIED": Limit(1)})) == ALL, "over all of the crawl"


def test_an_excess_says_how_many_of_what_and_where() -> None:
    told = [str(excess) for excess in excesses(FAILED, 100, 10, CrawlLimits())]
    assert told[:2] == [
        "1 of 10 namespaces could not be listed (1 DENIED; mostly from lake), limit 0",
        ("6 of 100 objects could not be read (5 UNREACHABLE, 1 DENIED; mostly from shop), limit 0"),
    ]


def test_a_run_of_before_there_were_reasons_does_not_end_with_0() -> None:
    (reason,) = Crawled("r", {"sources": {}}, 4).reasons
    assert (reason.code, "run r" in reason.then) == (4, True)
    assert Crawled("r", {"sources": {}}, 0).reasons == []
    noted = {"sources": {}, "reasons": [[3, "two are blocked", "look"]]}
    assert Crawled("r", noted, 3).reasons == [ExitReason(3, "two are blocked", "look")]
