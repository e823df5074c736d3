"""What executors run to write changes and to read them back.

Imports neither pydantic nor the configuration.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from connectors.clients import lines
from connectors.clients.credentials import Secret, redacted
from connectors.registry import Connector
from discovery import wire
from discovery.errors import BelvedereError, MovedError, StoreError, UnreachableError
from discovery.migration.changes import Blocked, fingerprint
from discovery.migration.diff import differences
from discovery.migration.execution import EventResult, Found, Intent
from discovery.migration.pairing import AUDIT, is_other_maker
from discovery.migration.serving import SERVED, unlike_served
from discovery.model import Identifier, View
from discovery.ports import Action, Applied, Change, ViewStore
from jobs.migrating.tables import EVENTS, PLACE, VERIFIED
from jobs.warehouse.rows import ArrowFunction, to_batches


@dataclass(frozen=True, slots=True)
class Attempt:
    """An execution of `apply`.

    Attributes:
        run: Its name.
        principal: Who applies.
        name: Of this attempt at it.
        resumed: Whether an earlier attempt at it may have written without saying so.
    """

    run: str
    principal: str
    name: str
    resumed: bool = False


def find_written(connector: Connector, attempt: Attempt) -> ArrowFunction:
    """What looks for writes that nobody noted: rows of `changes` in, rows of `events` out.

    What is there as it was to be written is `recovered`; what is neither so nor as the plan saw it
    is refused, as nobody can tell whether it was ever written. The rest has no event.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with connector.store() as store:
            for batch in batches:
                wanted = {_place(row): row for row in batch.to_pylist()}
                table = (
                    _event(attempt, wanted[one.identifier], one, connector.secrets)
                    for one in _found(store, wanted, attempt.run)
                )
                yield from to_batches(table, EVENTS.schema)

    return run


def apply_changes(connector: Connector, attempt: Attempt) -> ArrowFunction:
    """What writes: rows of `changes` in, with whether they are `noted`, rows of `events` out.

    What is there as wanted already has no event, unless an interrupted attempt may have written it.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with connector.store() as store:
            for batch in batches:
                wanted = {_place(row): row for row in batch.to_pylist()}
                answers = _applied(store, [_change(row) for row in wanted.values()])
                table = (
                    _event(attempt, wanted[one.identifier], one, connector.secrets)
                    for one in answers
                    if one.action is not Action.KEEP
                    or (attempt.resumed and not wanted[one.identifier]["noted"])
                )
                yield from to_batches(table, EVENTS.schema)

    return run


def refuse_changes(attempt: Attempt, secrets: Sequence[Secret]) -> ArrowFunction:
    """What refuses: rows of `changes` with code, message and hint in, rows of `events` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            table = (
                _event(
                    attempt,
                    row,
                    Applied(_place(row), Action.FAILED, (row["code"], row["message"], row["hint"])),
                    secrets,
                )
                for row in batch.to_pylist()
            )
            yield from to_batches(table, EVENTS.schema)

    return run


def read_back(connector: Connector) -> ArrowFunction:
    """What verifies: rows of `changes` in, rows of `verified` out, field by field.

    A server that is named beside the store is asked what it shows, too.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with connector.store() as store, connector.shown_by() as server:
            for batch in batches:
                wanted = batch.to_pylist()
                found = _compared(store, wanted, connector.secrets)
                shown = _shown(server, wanted, connector.secrets, audited=store.keeps_audit)
                table = (
                    (*(row[name] for name in PLACE), [*told, *other])
                    for row, told, other in zip(wanted, found, shown, strict=True)
                )
                yield from to_batches(table, VERIFIED.schema)

    return run


def _found(
    store: ViewStore, wanted: Mapping[Identifier, Mapping[str, Any]], run: str
) -> Iterator[Applied]:
    """What a target says of changes that have no event."""
    try:
        store.recover([_change(row) for row in wanted.values()])
        there = {one.identifier: fingerprint(one) for one in store.present(list(wanted))}
    except UnreachableError as error:
        yield from (Applied.failed(place, error) for place in wanted)
        return
    except BelvedereError as error:
        if len(wanted) == 1:
            yield from (Applied.failed(place, error) for place in wanted)
        else:  # one that cannot be read costs no other
            for place, row in wanted.items():
                yield from _found(store, {place: row}, run)
        return
    for place, row in wanted.items():
        intent = Intent.of(row["action"], row["fingerprint"], row["expected"])
        match intent.found(there.get(place)):
            case Found.WRITTEN:
                yield Applied(place, Action.KEEP)
            case Found.OTHER:
                why = f"it is neither as run {run} was to write it nor as it was before"
                yield Applied.failed(place, MovedError(why, view=str(place)))


def _applied(store: ViewStore, changes: Sequence[Change]) -> Iterator[Applied]:
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


def _change(row: Mapping[str, Any]) -> Change:
    action, before = Action(row["action"]), row.get("before")
    seen = wire.audit_from_json(json.loads(before).get("audit", {})) if before else None
    raw = lines.read(row["raw"].encode()).alone() if row.get("raw") else None
    return Change(action, _view(row), row["fingerprint"], row["expected"], seen=seen, raw=raw)


def _event(
    attempt: Attempt, row: Mapping[str, Any], applied: Applied, secrets: Sequence[Secret]
) -> tuple[object, ...]:
    code, message, hint = applied.failure or (None, None, None)
    if applied.action is Action.KEEP:
        result = EventResult.RECOVERED
    elif applied.failure is None:
        result = EventResult.DONE
    else:
        refused = code in {MovedError.code, Blocked.BLOCKED_BY}
        result = EventResult.REFUSED if refused else EventResult.FAILED
    after = None if row["action"] == Action.DROP else row["fingerprint"]
    return (
        datetime.now(UTC),
        attempt.principal,
        attempt.run,
        attempt.name,
        *(row[name] for name in PLACE),
        row["action"],
        row["expected"],
        after if applied.failure is None else row["expected"],
        result,
        code,
        message and redacted(message, secrets),
        hint and redacted(hint, secrets),
        list(applied.remains),
    )


def _compared(
    store: ViewStore, wanted: Sequence[Mapping[str, Any]], secrets: Sequence[Secret]
) -> Iterator[Sequence[str]]:
    """The differences of each view; if the store cannot be read, that is the difference."""
    try:
        there = {one.identifier: one for one in store.present([_place(row) for row in wanted])}
    except BelvedereError as error:
        yield from [[redacted(f"not read back: {error}", secrets)]] * len(wanted)
        return
    for row in wanted:
        present = there.get(_place(row))
        if row["action"] == Action.DROP:
            yield ["view"] if present is not None else []
        else:
            wanted_view = _view(row)
            other = store.keeps_audit and is_other_maker(wanted_view, present)
            yield (*differences(wanted_view, present), *([AUDIT] if other else []))


def _shown(
    server: ViewStore | None,
    wanted: Sequence[Mapping[str, Any]],
    secrets: Sequence[Secret],
    *,
    audited: bool,
) -> Iterator[Sequence[str]]:
    """How each view differs from what a server shows; if it does not answer, that is it."""
    try:
        places = [_place(row) for row in wanted] if server is not None else []
        there = {one.identifier: one for one in server.present(places)} if server else {}
    except BelvedereError as error:
        yield from [[redacted(f"{SERVED}view not read: {error}", secrets)]] * len(wanted)
        return
    for row in wanted:
        shown = there.get(_place(row))
        if server is None:
            yield ()
        elif row["action"] == Action.DROP:
            yield [f"{SERVED}view"] if shown is not None else []
        else:
            yield unlike_served(_view(row), shown, audited=audited)


def _view(row: Mapping[str, Any]) -> View:
    return wire.view_from_json(json.loads(row["model"]), tuple(row["namespace"]))


def _place(row: Mapping[str, Any]) -> Identifier:
    return Identifier(tuple(row["namespace"]), row["name"])
