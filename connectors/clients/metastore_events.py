"""The events of a Hive Metastore that has a listener for them, from Hive 3 on.

`DbNotificationListener` writes them into the metastore's own database. Hive 4's bindings ask: the
older ones cannot ask for catalogs, by which a server before Hive 3 is known.
"""

import json
import zlib
from base64 import b64decode
from collections.abc import Iterator
from typing import Any, Final

from connectors.clients.metastore import Metastore
from connectors.clients.thrift.login import MetastoreLogin
from discovery.errors import ReadError
from discovery.event_log import LoggedEvent, Path, RecordError, changed_names, read_after

_BINDINGS: Final = "hive"  # of a catalog, which are Hive 4's
_CALL: Final = 250  # events: each holds the whole entry, an altered one twice
_LARGEST: Final = 64 << 20  # bytes of a message
_ALTERED: Final = "ALTER_TABLE"
_LISTENER: Final = "org.apache.hive.hcatalog.listener.DbNotificationListener"


class MetastoreEvents(Metastore):
    """A connection that reads the events of a metastore.

    Args:
        login: Where it is, and who we are there.
    """

    def __init__(self, login: MetastoreLogin) -> None:
        super().__init__(login, bindings=_BINDINGS)

    def last(self) -> LoggedEvent:
        """The last event.

        Raises:
            RecordError: There are none that can be followed.
        """
        current = self._read_current_id()
        if not current:
            hint = f"metastore.transactional.event.listeners={_LISTENER}"
            raise RecordError("it has recorded no event", hint=hint)
        event = next(self._read_after(current - 1), None)
        if event is None or event.id != current:
            raise RecordError(f"it does not keep its last event, {current:,}, any more")
        return event

    def read_changes(self, mark: LoggedEvent) -> Iterator[Path]:
        """Database and name of what has changed since a mark; one may come more than once.

        Raises:
            RecordError: They cannot be known.
        """
        current = self._read_current_id()
        oldest = next(self._read_after(0, 1), None)
        after = read_after(mark, oldest, current)
        if after is not None:
            yield from changed_names(mark, after, self._read_after(after), current)

    def _read_current_id(self) -> int:
        """The id of the last event; 0: there never was one, or nobody listens.

        Raises:
            RecordError: The events of this server cannot be followed, or it does not tell them.
        """
        try:
            self._call("get_catalogs")
        except ReadError as error:
            why = f"before Hive 3 a metastore gives one id to several events ({error.message})"
            hint = "a source of the kind hms-database is followed, whatever the version"
            raise RecordError(why, hint=hint) from error
        try:
            return int(self._call("get_current_notificationEventId").eventId)
        except ReadError as error:  # as a server words it that does not let us see them
            hint = "see metastore.event.db.notification.api.auth of the server"
            raise RecordError(f"it does not tell its events: {error.message}", hint=hint) from error

    def _read_after(self, number: int, most: int = _CALL) -> Iterator[LoggedEvent]:
        """The events with a higher id, in their order."""
        while True:
            request = self._types.NotificationEventRequest(lastEvent=number, maxEvents=most)
            events = self._call("get_next_notification", request).events
            yield from map(logged_event, events)
            if not events:
                return
            number = events[-1].eventId


def logged_event(event: Any) -> LoggedEvent:  # noqa: ANN401 - Thrift is untyped
    """An event as the core has it.

    One that alters a table is filed under the new name; the old one is in its message alone.
    """
    names = [(event.dbName or "", event.tableName or "")]
    if event.eventType == _ALTERED:
        message = message_of(event.message, event.messageFormat)
        names.append((str(message.get("db", "")), str(message.get("table", ""))))
    places = sorted({(space.lower(), name.lower()) for space, name in names})
    return LoggedEvent(event.eventId, event.eventTime, event.eventType, tuple(places))


def message_of(text: str, form: str | None) -> dict[str, Any]:
    """What a message says: JSON (`json-0.2`), since Hive 4 compressed (`gzip(json-2.0)`).

    Raises:
        RecordError: It is neither, or too large.
    """
    try:
        content = text.encode()
        if (form or "").startswith("gzip"):
            unzip = zlib.decompressobj(wbits=31)
            content = unzip.decompress(b64decode(content, validate=True), _LARGEST)
            if unzip.unconsumed_tail:
                raise ValueError("it is too large")
        message = json.loads(content)
    except (ValueError, RecursionError, zlib.error) as error:
        raise RecordError(f"the message of an event cannot be read: {error}") from error
    if not isinstance(message, dict):
        raise RecordError("the message of an event is no object")
    return message
