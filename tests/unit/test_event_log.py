"""When a record of changes is believed: what cannot be told from a loss is one."""

import gzip
import json
from base64 import b64encode
from types import SimpleNamespace

import pytest

from connectors.clients.metastore_events import logged_event, message_of
from discovery.errors import ReadError
from discovery.event_log import MOST, LoggedEvent, changed_names, read_after


def event(number: int, name: str = "v", time: int = 7) -> LoggedEvent:
    return LoggedEvent(number, time, "ALTER_TABLE", (("s", name),))


def names(mark: LoggedEvent, kept: list[LoggedEvent], current: int) -> list[str]:
    """What a reader comes to, of a record that keeps these events."""
    after = read_after(mark, kept[0] if kept else None, current)
    if after is None:
        return []
    left = (one for one in kept if one.id > after)
    return [place[-1] for place in changed_names(mark, after, left, current)]


def test_a_mark_is_read_as_it_was_kept() -> None:
    mark = LoggedEvent(3, 1_795_370_418, "ALTER_TABLE", (("s", 'a"b'), ("s", "é\ud800")))
    assert LoggedEvent.of_text(mark.to_text()) == mark


@pytest.mark.parametrize(
    ("kept", "current", "wanted"),
    [
        ((1, 2, 3), 3, []),
        ((2, 3, 4, 5), 5, ["v4", "v5"]),
        ((3, 4), 4, ["v4"]),
        ((4, 5), 5, ["v4", "v5"]),  # the mark itself is not kept any more
        ((), 3, []),
        ((3, 4, 5), 4, ["v4", "v5"]),  # one has come since the last was asked for
    ],
)
def test_what_came_behind_the_mark_has_changed(
    kept: tuple[int, ...], current: int, wanted: list[str]
) -> None:
    assert names(event(3, "v3"), [event(one, f"v{one}") for one in kept], current) == wanted


@pytest.mark.parametrize(
    ("kept", "current", "why"),
    [
        ([event(1), event(2)], 2, "end at 2, and 3 was seen: it was restored"),
        ([], 0, "end at 0, and 3 was seen"),
        ([], 5, "does not keep its events from 4 on"),
        ([event(5)], 5, "does not keep its events from 4 on"),
        ([event(3), event(5)], 5, "jump from 3 to 5"),
        ([event(3), event(4), event(4)], 4, "jump from 4 to 4"),
        ([event(3), event(4)], 5, "end at 4, before 5"),
        ([event(2)], 3, "end at 2, before 3"),
        ([event(2), event(3, "other"), event(4)], 4, "event 3 is another one than was seen"),
        ([event(2), event(3, time=8), event(4)], 4, "event 3 is another one than was seen"),
        ([event(3)], 4 + MOST, "200,001 events since"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_record_that_may_have_lost_something_is_not_believed(
    kept: list[LoggedEvent], current: int, why: str
) -> None:
    with pytest.raises(ReadError, match=why) as told:
        names(event(3), kept, current)
    assert "entry" not in told.value.hint  # no entry is to be repaired


def of_thrift(kind: str, message: str, form: str = "json-0.2") -> SimpleNamespace:
    """An event as Thrift has it, about `New`."""
    return SimpleNamespace(
        eventId=9,
        eventTime=8,
        eventType=kind,
        dbName="S",
        tableName="New",
        message=message,
        messageFormat=form,
    )


RENAMED = json.dumps({"db": "s", "table": "old", "tableObjBeforeJson": "{}"})


def test_a_renamed_view_is_under_both_names() -> None:
    found = logged_event(of_thrift("ALTER_TABLE", RENAMED))
    assert found == LoggedEvent(9, 8, "ALTER_TABLE", (("s", "new"), ("s", "old")))
    packed = b64encode(gzip.compress(RENAMED.encode())).decode()
    assert logged_event(of_thrift("ALTER_TABLE", packed, "gzip(json-2.0)")) == found


def test_other_events_say_it_without_their_message() -> None:
    assert logged_event(of_thrift("DROP_TABLE", "{")).names == (("s", "new"),)
    database = of_thrift("CREATE_DATABASE", "{")
    database.tableName = None
    assert logged_event(database).names == (("s", ""),)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("{", "json-0.2"),
        ("[]", "json-0.2"),
        ("[" * 100_000, "json-0.2"),
        ("?", "gzip(json-2.0)"),
        (b64encode(b"no gzip").decode(), "gzip(json-2.0)"),
        (b64encode(gzip.compress(b" " * (65 << 20), compresslevel=1)).decode(), "gzip(json-2.0)"),
        ("\ud800", "json-0.2"),
    ],
    ids=["cut", "list", "deep", "no base64", "no gzip", "too large", "half a pair"],
)
def test_a_message_that_cannot_be_read_is_told(text: str, form: str) -> None:
    with pytest.raises(ReadError, match="message of an event"):
        message_of(text, form)
