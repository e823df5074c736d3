"""Stores whose protocol writes one view at a time, and answers that may be lost."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import ClassVar, Final, Generic, Protocol, TypeVar

from connectors.clients.rest import ServerFailedError
from discovery.errors import (
    BelvedereError,
    CollisionError,
    MovedError,
    ReadError,
    StoreError,
    UnreachableError,
)
from discovery.migration.changes import settle, touched
from discovery.model import Identifier, Schema, View
from discovery.namespaces import Levels
from discovery.ports import Action, Applied, Change, ViewStore

_ATTEMPTS: Final = 3
_PAUSE: Final = 0.3  # seconds, doubled each time


class FoundView(Protocol):
    """A view that a server has, with what its store needs to write it again."""

    @property
    def view(self) -> View:
        """The view."""


_Found = TypeVar("_Found", bound=FoundView)


class SingleWrites(ViewStore, Generic[_Found]):
    """Writes view by view: reads, decides, sends; reads again where an answer was lost.

    What a request did whose answer was lost is read before it is sent again, so nothing is done
    twice.

    Attributes:
        unknown: Errors after which nobody knows whether a request was done.
    """

    unknown: ClassVar[tuple[type[BelvedereError], ...]] = (UnreachableError,)

    def read_at(self, place: Identifier) -> _Found | None:
        """What the server has at a place.

        Raises:
            BelvedereError: It refused, failed, or has something that is no view.
        """
        raise NotImplementedError

    def read_touched(self, change: Change) -> list[_Found | None]:
        """What the server has at the places of a change.

        Raises:
            BelvedereError: It cannot be read.
        """
        return [self.read_at(identifier) for identifier in touched(change)]

    def write(self, change: Change, stored: _Found | None) -> None:
        """Send a change; one that is dropped already is as it shall be.

        Raises:
            BelvedereError: The server refused it, failed, or did not answer.
        """
        raise NotImplementedError

    def is_half_done(self, change: Change, stored: _Found) -> bool:  # noqa: ARG002 - most send a change in one
        """Whether a change was begun and not ended: it is to be sent once more."""
        return False

    def make(self, schema: Schema, made: list[Levels]) -> None:
        """Make a namespace, if it is missing, and note that it was.

        Raises:
            BelvedereError: It cannot be made.
        """
        raise NotImplementedError

    def present(self, wanted: Sequence[Identifier]) -> Iterator[View]:
        """Those of the wanted views that the server has; one request each."""
        for place in wanted:
            stored = self.read_at(place)
            if stored is not None:
                yield stored.view

    def may_create(self, namespace: tuple[str, ...]) -> bool:  # noqa: ARG002 - the same for all
        """The protocols have no way to ask: the server says so when one is made."""
        return True

    def prepare(self, schemas: Sequence[Schema]) -> tuple[tuple[str, ...], ...]:
        """Make the namespaces that are missing; none, if one is refused."""
        made: list[Levels] = []
        try:
            for schema in schemas:
                self.make(schema, made)
        except BelvedereError:
            self.remove(made)
            raise
        return tuple(made)

    def make_once(self, levels: Levels, made: list[Levels], send: Callable[[], None]) -> None:
        """Send what makes a namespace that is missing; look before it is sent again.

        Raises:
            BelvedereError: It was refused, or failed each time.
        """
        for attempt in count(1):
            try:
                send()
            except self.unknown:
                time.sleep(_PAUSE * 2**attempt)
                if not self.lacking((levels,)):
                    break
                if attempt == _ATTEMPTS:
                    raise
            else:
                break
        made.append(levels)

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        """Write one view after the other: the protocol has no transactions of views."""
        gone: Applied | None = None
        for change in changes:
            place = change.view.identifier
            answer = replace(gone, identifier=place) if gone else self._apply(change)
            if answer.failure and answer.failure[0] == UnreachableError.code:
                gone = answer
            yield answer

    def _apply(self, change: Change) -> Applied:
        place = change.view.identifier
        try:
            return self._carry_out(change)
        except (ReadError, ServerFailedError) as error:  # of this view, and not of the next
            return Applied.failed(place, StoreError(error.message, view=str(place)))
        except BelvedereError as error:
            return Applied.failed(place, error)

    def _carry_out(self, change: Change) -> Applied:
        """Read, decide, write; after a lost answer, all of it again.

        Raises:
            BelvedereError: The server refused it, or failed each time.
        """
        done = Applied(change.view.identifier, change.action)
        lost: BelvedereError | None = None
        for attempt in count():
            current = self.read_touched(change)
            answer = self._settled(change, current)
            if answer is not None:
                return done if lost and answer.action is Action.KEEP else answer
            if lost is not None and attempt == _ATTEMPTS:
                raise lost
            try:
                self.write(change, current[0])
            except self.unknown as error:
                lost = error
                time.sleep(_PAUSE * 2**attempt)
            except (CollisionError, MovedError):  # the second answer to what came there twice
                again = self._settled(change, self.read_touched(change))
                if again is None or again.action is not Action.KEEP:
                    raise
                break
            else:
                break
        return done

    def _settled(self, change: Change, current: Sequence[_Found | None]) -> Applied | None:
        """The answer to a change that is not to be sent; None: it is."""
        first = current[0]
        if first is not None and self.is_half_done(change, first):
            return None
        return settle(change, *(None if stored is None else stored.view for stored in current))
