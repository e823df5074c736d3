"""How a connection to a metastore's own database is opened: at once, and again after a while."""

import pytest

from connectors.hms_database import session
from connectors.hms_database.options import Options
from discovery.errors import UnreachableError
from tests.waiting import waits_of


class Door:
    """What a session opens a connection with; the first attempts are refused."""

    def __init__(self, refused: int) -> None:
        self._refused = refused

    def __call__(self) -> object:
        self._refused -= 1
        if self._refused >= 0:
            raise UnreachableError("connection refused")
        return self


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    return waits_of(session, monkeypatch)


def opened(refused: int, monkeypatch: pytest.MonkeyPatch, times: int = 1) -> None:
    backing_session = session.BackingSession(Options(url="postgresql://h/metastore"))
    monkeypatch.setattr(backing_session, "_connect", Door(refused))
    with backing_session.task():
        for _ in range(times):
            backing_session.open()


def test_what_answers_at_once_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, slept: list[float]
) -> None:
    opened(0, monkeypatch, times=3)
    assert sum(slept) == 0


def test_a_server_that_starts_again_is_given_time(
    monkeypatch: pytest.MonkeyPatch, slept: list[float]
) -> None:
    opened(3, monkeypatch)
    assert [one for one in slept if one] == [0.5, 1.0, 2.0]


def test_one_that_stays_away_is_given_up(
    monkeypatch: pytest.MonkeyPatch, slept: list[float]
) -> None:
    with pytest.raises(UnreachableError):
        opened(99, monkeypatch)
    assert slept == list(session._RESTART)
