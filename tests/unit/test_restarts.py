"""A server that has been there, and is started again while it is listed or read."""

import pytest

from connectors.clients import restarts
from connectors.clients.bounds import RESTART
from connectors.clients.rest import GatewayFailedError, ServerFailedError
from connectors.clients.restarts import RestartPatience
from connectors.iceberg.rest import Options, RestCatalog
from connectors.iceberg.server import FailedError, GatewayError
from discovery.crawl import crawl
from discovery.errors import ReadError, UnreachableError
from discovery.outcomes import Listed
from discovery.ports import CrawlTask
from tests.waiting import waits_of


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    return waits_of(restarts, monkeypatch)


class Door:
    """Answers, but for the first questions."""

    def __init__(self, refused: int, error: type[Exception] = UnreachableError) -> None:
        self.left, self._error = refused, error

    def ask(self) -> str:
        self.left -= 1
        if self.left >= 0:
            raise self._error("no answer")
        return "here"


def test_what_comes_back_has_answered(waited: list[float]) -> None:
    patience = RestartPatience()
    with pytest.raises(UnreachableError):
        patience.ask(Door(1).ask)
    assert waited == [], "it may never have been there"
    assert [patience.ask(Door(refused).ask) for refused in (0, 2, 1)] == ["here"] * 3
    assert waited == [*RESTART[:2], *RESTART[:1]], "each time anew"


def test_what_stays_away_is_waited_for_once(waited: list[float]) -> None:
    patience = RestartPatience()
    patience.expect()
    for _ in range(3):
        with pytest.raises(UnreachableError):
            patience.ask(Door(99).ask)
        assert waited == list(RESTART)
    assert patience.ask(Door(0).ask) == "here"
    assert patience.ask(Door(1).ask) == "here", "it is there again"


def test_what_refuses_is_not_asked_again(waited: list[float]) -> None:
    patience = RestartPatience()
    patience.expect()
    for error in (ReadError, FailedError, ServerFailedError):
        with pytest.raises(error):
            patience.ask(Door(1, error).ask)
    assert waited == []


def test_what_fails_like_a_restart_and_is_none_is_waited_for_three_times(
    waited: list[float],
) -> None:
    patience = RestartPatience()
    patience.expect()
    for _ in range(5):
        for error in (GatewayError, GatewayFailedError):
            with pytest.raises(error):
                patience.ask(Door(99, error).ask)
            assert patience.ask(Door(0).ask) == "here", "as all but that object"
    assert waited == list(RESTART) * 3


def test_what_hangs_has_had_its_time_behind_one_answer(
    waited: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter([0.0, 61.0])
    monkeypatch.setattr("connectors.clients.restarts.time.monotonic", lambda: next(moments))
    patience = RestartPatience()
    patience.expect()
    with pytest.raises(UnreachableError):
        patience.ask(Door(99).ask)
    assert waited == []


def test_an_iceberg_catalog_that_is_started_again_costs_no_object(
    waited: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    task = CrawlTask("c", (Listed(("n",), "v"), Listed(("n",), "w")))
    source = RestCatalog(Options(uri="http://127.0.0.1:1"))
    door = Door(3)

    def answer(_: object) -> bytes:
        door.ask()
        return b'{"metadata": {}}'

    monkeypatch.setattr(source.server, "ask", answer)
    assert [outcome.raw is not None for outcome in crawl(task, source)] == [True, True]
    assert waited == list(RESTART[:3])
    door.left = 99
    codes = [getattr(outcome.result, "code", "") for outcome in crawl(task, source)]
    assert codes == ["UNREACHABLE"] * 2
