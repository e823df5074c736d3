"""What a worker keeps of its judges between two tasks."""

import pickle

import pytest

from connectors.judges.kept import Keeper, lend, stated
from discovery.ports import Resource


class Process(Resource):
    """What is lent here."""

    is_running = True

    def close(self) -> None:
        self.is_running = False


def test_the_next_task_gets_what_the_last_has_left() -> None:
    keeper = Keeper(2)
    with keeper.lend("a", Process) as first:
        pass
    with keeper.lend("b", Process) as other, keeper.lend("a", Process) as again:
        assert again is first
        assert other is not first


def test_two_at_a_time_are_two_and_one_of_them_is_kept() -> None:
    keeper = Keeper(4)
    with keeper.lend("a", Process) as first, keeper.lend("a", Process) as second:
        assert first is not second
    assert [first.is_running, second.is_running] == [False, True]
    with keeper.lend("a", Process) as again:
        assert again is second


def test_what_has_been_idle_longest_makes_room_before_a_new_one_is_at_work() -> None:
    keeper = Keeper(2)
    with keeper.lend("a", Process) as first, keeper.lend("b", Process) as second:
        pass  # b is given back first
    with keeper.lend("c", Process):
        assert [first.is_running, second.is_running] == [True, False]


def test_where_there_is_no_room_nothing_is_kept() -> None:
    keeper = Keeper(0)
    with keeper.lend("a", Process) as first:
        assert first.is_running
    assert not first.is_running


def test_what_was_left_in_the_middle_of_an_answer_is_ended() -> None:
    keeper = Keeper(2)
    with pytest.raises(RuntimeError), keeper.lend("a", Process) as first:
        raise RuntimeError
    assert not first.is_running
    with keeper.lend("a", Process) as again:
        assert again is not first


def test_what_has_ended_is_not_kept() -> None:
    keeper = Keeper(2)
    with keeper.lend("a", Process) as first:
        first.close()
    with keeper.lend("a", Process) as again:
        assert again is not first


@pytest.mark.parametrize(
    ("text", "number", "warned"),
    [("0", 0, False), ("12", 12, False), ("", 5, False), ("-1", 5, True)],
)
def test_the_number_that_stays_is_stated(
    text: str, number: int, warned: bool, caplog: pytest.LogCaptureFixture
) -> None:
    assert stated(text) == number
    assert bool(caplog.records) is warned


def test_spark_carries_to_a_worker_the_name_of_what_lends_and_nothing_that_is_kept_here() -> None:
    with lend("a", Process):
        pass
    assert b"Keeper" not in pickle.dumps(lend)
