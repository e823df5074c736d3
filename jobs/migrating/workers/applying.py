"""What executors run to write changes and to read them back.

Imports neither pydantic nor the configuration.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import pyarrow as pa

from connectors.clients.credentials import Secret, redacted
from connectors.registry import Connector
from discovery.errors import BelvedereError, MovedError, StoreError, UnreachableError
from discovery.migration.changes import Blocked, fingerprint
from discovery.migration.diff import differences
from discovery.migration.execution import EventResult, FoundState, Intent
from discovery.migration.pairing import AUDIT, is_other_maker
from discovery.migration.serving import SERVED, unlike_served
from discovery.model import Identifier, View
from discovery.ports import Action, Applied, Change, ViewStore
from jobs.migrating.rows import DueChange, due, is_of_others
from jobs.migrating.tables import EVENTS, KEY, VERIFIED
from jobs.warehouse.rows import ArrowFunction, to_batches

KEYS: Final = pa.schema([(name, pa.string()) for name in KEY])


@dataclass(frozen=True, slots=True)
class Attempt:
    """An execution of `apply`.

    Attributes:
        run: Its name.
        principal: Who applies.
        name: Of this attempt at it.
        resumed: Whether an earlier attempt at it may have written without saying so.
        ahead: What is added to the clock, where that is behind what was noted before.
    """

    run: str
    principal: str
    name: str
    resumed: bool = False
    ahead: timedelta = timedelta()

    def moment(self) -> datetime:
        """The time that is noted now."""
        return datetime.now(UTC) + self.ahead


def find_written(connector: Connector, attempt: Attempt, *, mends: bool) -> ArrowFunction:
    """What looks for writes that nobody noted: rows of `changes` in, rows of `events` out.

    What is there as it was to be written is `recovered`; what is neither so nor as the plan saw it
    is refused, as nobody can tell whether it was ever written. The rest has no event.

    Args:
        connector: The target.
        attempt: That looks.
        mends: Whether what was left half-way is brought to an end first; else nothing is written.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with connector.store() as store:
            for batch in batches:
                wanted = {due_change.identifier: due_change for due_change in due(batch)}
                table = (
                    _event(attempt, wanted[applied.identifier], applied, connector.secrets)
                    for applied in _look_up(store, wanted, attempt.run, mends=mends)
                )
                yield from to_batches(table, EVENTS.schema)

    return run


def find_made_by_others(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Which changes others have made: those with others' `writes` in, target and key out."""
    for batch in batches:
        keys = ((row["target"], row["key"]) for row in batch.to_pylist() if is_of_others(row))
        yield from to_batches(keys, KEYS)


def apply_changes(connector: Connector, attempt: Attempt) -> ArrowFunction:
    """What writes: rows of `changes` in, with whether they are `noted`, rows of `events` out.

    What is there as wanted already has no event, unless an interrupted attempt may have written it.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with connector.store() as store:
            for batch in batches:
                wanted = {due_change.identifier: due_change for due_change in due(batch)}
                answers = _apply_changes(
                    store, [due_change.change for due_change in wanted.values()]
                )
                table = (
                    _event(attempt, wanted[answer.identifier], answer, connector.secrets)
                    for answer in answers
                    if answer.action is not Action.KEEP
                    or (attempt.resumed and not wanted[answer.identifier].is_noted)
                )
                yield from to_batches(table, EVENTS.schema)

    return run


def refuse_changes(attempt: Attempt, secrets: Sequence[Secret]) -> ArrowFunction:
    """What refuses: rows of `changes` with code, message and hint in, rows of `events` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            columns = (batch.column(name).to_pylist() for name in ("code", "message", "hint"))
            table = (
                _event(
                    attempt,
                    due_change,
                    Applied(due_change.identifier, Action.FAILED, failure),
                    secrets,
                )
                for due_change, failure in zip(due(batch), zip(*columns, strict=True), strict=True)
            )
            yield from to_batches(table, EVENTS.schema)

    return run


def read_back(connector: Connector) -> ArrowFunction:
    """What verifies: rows of `changes` in, rows of `verified` out, field by field.

    A server that is named beside the store is asked what it shows, too.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with connector.store() as store, connector.showing_server() as server:
            for batch in batches:
                wanted = list(due(batch))
                compared = _compare_views(store, wanted, connector.secrets)
                shown = _compare_served(
                    server, wanted, connector.secrets, audited=store.keeps_audit
                )
                table = (
                    (*due_change.place, [*unlike, *other])
                    for due_change, unlike, other in zip(wanted, compared, shown, strict=True)
                )
                yield from to_batches(table, VERIFIED.schema)

    return run


def _look_up(
    store: ViewStore, wanted: Mapping[Identifier, DueChange], run: str, *, mends: bool
) -> Iterator[Applied]:
    """What a target says of changes that have no event."""
    try:
        if mends:
            store.recover([line.change for line in wanted.values()])
        fingerprints = {view.identifier: fingerprint(view) for view in store.present(list(wanted))}
    except UnreachableError as error:
        yield from (Applied.failed(place, error) for place in wanted)
        return
    except BelvedereError as error:
        if len(wanted) == 1:
            yield from (Applied.failed(place, error) for place in wanted)
        else:  # one that cannot be read costs no other
            for place, due_change in wanted.items():
                yield from _look_up(store, {place: due_change}, run, mends=mends)
    else:
        yield from _answers(wanted, fingerprints, run)


def _answers(
    wanted: Mapping[Identifier, DueChange], fingerprints: Mapping[Identifier, str | None], run: str
) -> Iterator[Applied]:
    """What became of changes, by the fingerprints of what is at their places."""
    for place, due_change in wanted.items():
        intent = Intent.of(due_change.action, due_change.fingerprint, due_change.expected)
        match intent.state_of(fingerprints.get(place)):
            case FoundState.WRITTEN:
                yield Applied(place, Action.KEEP)
            case FoundState.OTHER:
                why = f"it is neither as run {run} was to write it nor as it was before"
                yield Applied.failed(place, MovedError(why, view=str(place)))


def _apply_changes(store: ViewStore, changes: Sequence[Change]) -> Iterator[Applied]:
    """Exactly one answer for each change, whatever the store does."""
    left = {change.view.identifier: change for change in changes}
    why: BelvedereError = StoreError("it gave no answer")
    try:
        for answer in store.apply(changes):
            if left.pop(answer.identifier, None) is not None:
                yield answer
    except BelvedereError as error:
        why = error
    for place in left:
        yield Applied.failed(place, why)


def _event(
    attempt: Attempt, row: DueChange, applied: Applied, secrets: Sequence[Secret]
) -> tuple[object, ...]:
    code, message, hint = applied.failure or (None, None, None)
    if applied.action is Action.KEEP:
        result = EventResult.RECOVERED
    elif applied.failure is None:
        result = EventResult.DONE
    else:
        refused = code in {MovedError.code, Blocked.BLOCKED_BY}
        result = EventResult.REFUSED if refused else EventResult.FAILED
    after = None if row.action is Action.DROP else row.fingerprint
    return (
        attempt.moment(),
        attempt.principal,
        attempt.run,
        attempt.name,
        *row.place,
        row.action.value,
        row.expected,
        after if applied.failure is None else row.expected,
        result,
        code,
        message and redacted(message, secrets),
        hint and redacted(hint, secrets),
        list(applied.remains),
        row.origins,
    )


def _read_present(
    store: ViewStore, wanted: Sequence[Identifier]
) -> dict[Identifier, View | BelvedereError]:
    """The views that are there, or why one cannot be read: it costs no other."""
    try:
        return {view.identifier: view for view in store.present(wanted)}
    except BelvedereError as error:
        if len(wanted) <= 1 or isinstance(error, UnreachableError):
            return dict.fromkeys(wanted, error)
    middle = len(wanted) // 2
    return _read_present(store, wanted[:middle]) | _read_present(store, wanted[middle:])


def _compare_views(
    store: ViewStore, wanted: Sequence[DueChange], secrets: Sequence[Secret]
) -> Iterator[Sequence[str]]:
    """The differences of each view; if it cannot be read, that is the difference."""
    views = _read_present(store, [due_change.identifier for due_change in wanted])
    for row in wanted:
        present = views.get(row.identifier)
        if isinstance(present, BelvedereError):
            yield [redacted(f"not read back: {present}", secrets)]
        elif row.action is Action.DROP:
            yield ["view"] if present is not None else []
        else:
            wanted_view = row.view
            other = store.keeps_audit and is_other_maker(wanted_view, present)
            yield (*differences(wanted_view, present), *([AUDIT] if other else []))


def _compare_served(
    server: ViewStore | None,
    wanted: Sequence[DueChange],
    secrets: Sequence[Secret],
    *,
    audited: bool,
) -> Iterator[Sequence[str]]:
    """How each view differs from what a server shows; if it does not say, that is it."""
    places = [due_change.identifier for due_change in wanted]
    views = {} if server is None else _read_present(server, places)
    for row in wanted:
        shown = views.get(row.identifier)
        if server is None:
            yield ()
        elif isinstance(shown, BelvedereError):
            yield [redacted(f"{SERVED}view not read: {shown}", secrets)]
        elif row.action is Action.DROP:
            yield [f"{SERVED}view"] if shown is not None else []
        else:
            yield unlike_served(row.view, shown, audited=audited)
