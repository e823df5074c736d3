"""What executors run for a plan: rules, merging, what targets list and hold, the decision.

Imports neither pydantic nor the configuration.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

import pyarrow as pa

from connectors.clients.credentials import redacted
from connectors.registry import Connector
from discovery import wire
from discovery.errors import BelvedereError, CollisionError
from discovery.lineage.scopes import dotted_names
from discovery.migration.changes import THERE, Blocked, decide
from discovery.migration.drafts import drafted
from discovery.migration.mapping import Collisions, Rule, merge
from discovery.model import Identifier, View, encoded
from discovery.outcomes import Kind
from discovery.ports import Action, ViewStore
from jobs.crawling import tables as rows
from jobs.migrating.plan_folder import change_name, line_of
from jobs.migrating.tables import CANDIDATES, CHANGES, PLACE, PRESENT, WANTED, WRITES
from jobs.warehouse.rows import ArrowFunction, to_batches

FAILED: Final = "failed"
"""What stands for a target that cannot be listed."""
_NO_DRAFT: Final[tuple[Any, ...]] = ([], None, None)


@dataclass(frozen=True, slots=True)
class Goal:
    """A target as executors need it.

    Attributes:
        connector: Of its store.
        stays: Why nothing is written into it; empty: views are.
        refused: Why nothing may be written into it; empty: it may.
    """

    connector: Connector
    stays: str = ""
    refused: str = ""


def map_views(rules: Sequence[Rule], goals: Mapping[str, Goal]) -> ArrowFunction:
    """What maps: views with their waves and what they read in, candidates for targets out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            extra = [batch.column(name).to_pylist() for name in _BESIDE]
            mapped = (
                _candidate(rules, goals, place, view, dict(zip(_BESIDE, beside, strict=True)))
                for (place, view), *beside in zip(rows.views(batch), *extra, strict=True)
            )
            yield from to_batches(mapped, CANDIDATES)

    return run


_BESIDE: Final = ("model", "fingerprint", "wave", "aside", "because", "reads")


def _candidate(
    rules: Sequence[Rule],
    goals: Mapping[str, Goal],
    place: tuple[Any, ...],
    view: View,
    beside: Mapping[str, Any],
) -> tuple[Any, ...]:
    """A row of `CANDIDATES`."""
    source, _, _, key = place
    rank, rule = next(
        (found for found in enumerate(rules) if found[1].names(source, view.identifier)),
        (len(rules), None),
    )
    wanted = rule.at_target(view) if rule is not None else None
    target = (rule.target if rule is not None and wanted is not None else None) or ""
    code: str | None = None
    why = _why_not(rule, target, wanted, goals)
    losses = []
    if target and beside["aside"]:
        told = ": ".join(filter(None, (beside["aside"], ", ".join(beside["because"] or ()))))
        if rule is not None and beside["aside"] in rule.despite:
            losses.append(f"its place in the order, {told}: it is written last")
        else:
            code, why = Blocked.SET_ASIDE, told
    shown = wanted or view
    at, catalogs = shown.identifier, dict(rule.catalogs) if rule is not None else {}
    draft = _drafted(shown, beside["reads"] or (), catalogs) if target and catalogs else _NO_DRAFT
    origin = rank, source, key, beside["fingerprint"]
    text, print_ = beside["model"], beside["fingerprint"]
    if (at.name, shown.representations) != (view.identifier.name, view.representations):
        text, print_ = wire.view_text(shown)
    policy = rule.collisions.value if rule is not None else None
    fate: tuple[Any, ...] = beside["wave"], code, why, losses, print_, text
    return (target, at.namespace, at.name, _key(at), *origin, policy, *fate, *draft)


def _why_not(
    rule: Rule | None, target: str, wanted: View | None, goals: Mapping[str, Goal]
) -> str | None:
    """Why a view is not to be written; None if it is."""
    if rule is None:
        return "no rule of `mapping` is about it: it stays where it is"
    if wanted is None:
        return f"it has none of the dialects {', '.join(rule.dialects)} that its rule takes"
    if not target:
        return "its rule of `mapping` leaves it out"
    return goals[target].stays or None


def _drafted(
    view: View, reads: Iterable[Mapping[str, Any]], catalogs: Mapping[str, str]
) -> tuple[Any, ...]:
    """Dialects, fingerprint and text of the drafts."""
    names: dict[str, list[tuple[str, ...]]] = {}
    for one in reads:
        names.setdefault(one["dialect"], []).append(tuple(one["written"]))
    whole, dialects = drafted(view, names, catalogs, dotted_names)
    text, print_ = wire.view_text(whole)
    return (dialects, print_, text) if dialects else _NO_DRAFT


def bring_together(goals: Mapping[str, Goal]) -> ArrowFunction:
    """What merges: candidates sorted by target, key and rank in, rows of `WANTED` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        found = (row for batch in batches for row in batch.to_pylist())
        groups = groupby(found, key=lambda row: (row["target"], row["key"]))
        with ExitStack() as stack:
            stores: dict[str, ViewStore] = {}
            yield from to_batches(
                (
                    one
                    for (target, _), group in groups
                    for one in _wanted(goals.get(target), list(group), stores, stack)
                ),
                WANTED,
            )

    return run


def _wanted(
    goal: Goal | None,
    group: list[dict[str, Any]],
    stores: dict[str, ViewStore],
    stack: ExitStack,
) -> Iterator[tuple[Any, ...]]:
    """The rows that candidates for one name come to; those that go nowhere stay as they are."""
    target = group[0]["target"]
    if goal is None or goal.stays:
        yield from (_wanted_row(one, [one]) for one in group)
        return
    if target not in stores:
        stores[target] = stack.enter_context(goal.connector.store())
    aside = [one for one in group if one["code"]]
    left = [one for one in group if not one["code"]]
    yield from (_wanted_row(one, [one]) for one in (aside if left else aside[1:]))
    head = (left or aside)[0]
    taken, whole, lost = _merged(head, left or aside[:1])
    for one in left[len(taken) :] if not whole["code"] else ():
        why = f"the view of {head['source']} goes first"
        yield _wanted_row({**one, "code": CollisionError.code, "reason": why}, [one])
    known = [loss for one in taken for loss in one["losses"]]
    held = _held(stores[target], whole, [*known, *lost])
    if not held["code"] and goal.refused:
        held = {**held, "code": Blocked.NOT_SERVED, "reason": goal.refused}
    yield _wanted_row(held, taken)


def _merged(
    head: dict[str, Any], group: list[dict[str, Any]]
) -> tuple[list[dict[str, Any]], dict[str, Any], tuple[str, ...]]:
    """The candidates that are taken, the row that they come to, and what is lost of them."""
    if len(group) == 1:
        return group, head, ()
    sources = [one["source"] for one in group]
    merged = merge([_view(one) for one in group], sources, Collisions(head["collisions"]))
    if merged.conflict:
        return group, {**head, "code": CollisionError.code, "reason": merged.conflict}, ()
    taken = group[: merged.taken]
    text, print_ = wire.view_text(merged.view)
    whole = {**head, "fingerprint": print_, "model": text}
    waves = [one["wave"] for one in taken]
    whole["wave"] = None if None in waves else max(waves)  # None is last
    if any(one["drafts"] for one in taken):
        drafts = merge([_view(one, "draft") for one in taken], sources, Collisions.MERGE).view
        text, print_ = wire.view_text(drafts)
        dialects = [name for one in taken for name in one["drafts"]]
        whole.update(drafts=dialects, draft_fingerprint=print_, draft=text)
    return taken, whole, merged.losses


def _held(store: ViewStore, row: dict[str, Any], lost: Sequence[str]) -> dict[str, Any]:
    """The row with the view as the store will hold it, or with the reason why it cannot."""
    if row["code"]:
        return row
    try:
        view = _view(row)
        held = store.hold(view)
        text, print_ = row["model"], row["fingerprint"]
        if held.view != view:
            text, print_ = wire.view_text(held.view)
        told = {**row, "losses": [*lost, *held.losses], "fingerprint": print_, "model": text}
        if row["draft"]:
            text, print_ = wire.view_text(store.hold(_view(row, "draft")).view)
            told.update(draft_fingerprint=print_, draft=text)
    except BelvedereError as error:
        return {**row, "code": error.code, "reason": _told(error)}
    return told


def _wanted_row(row: Mapping[str, Any], taken: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
    origins = [
        {"source": one["source"], "key": one["source_key"], "at": one["at"]} for one in taken
    ]
    return tuple(origins if name == "origins" else row[name] for name in WANTED.names)


def list_targets(goals: Mapping[str, Goal]) -> ArrowFunction:
    """What lists targets: their names in, rows of `PRESENT` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for name in batch.column("target").to_pylist():
                yield from to_batches(_listed(name, goals[name].connector), PRESENT.schema)

    return run


def _listed(target: str, connector: Connector) -> Iterator[tuple[Any, ...]]:
    try:
        with connector.store() as store:
            for one in store.listing():
                yield target, one.namespace, _key(one.identifier), one.kind.value, None
    except BelvedereError as error:
        told = redacted(_told(error), connector.secrets)
        yield target, [], "", FAILED, told


def decide_changes(connector: Connector) -> ArrowFunction:
    """What decides: rows of `WANTED` with what is listed in their place in, `CHANGES` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with connector.store() as store:
            for batch in batches:
                found = batch.to_pylist()
                there = _present(store, found, connector)
                yield from to_batches((_change(row, there, store) for row in found), CHANGES.schema)

    return run


def decide_drops(connector: Connector) -> ArrowFunction:
    """What decides of views that we wrote and nobody wants: their places in, `CHANGES` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with connector.store() as store:
            for batch in batches:
                found = [{**row, "kind": Kind.VIEW, "code": None} for row in batch.to_pylist()]
                there = _present(store, found, connector)
                if not isinstance(there, str):  # what cannot be read is not dropped
                    yield from to_batches(_drops(found, there), CHANGES.schema)

    return run


def _drops(
    found: Iterable[Mapping[str, Any]], there: Mapping[Identifier, View]
) -> Iterator[tuple[Any, ...]]:
    """Rows for those that are as we wrote them; what somebody else has changed since is his."""
    for row in found:
        present = there.get(_place(row))
        if present is None:
            continue
        text, print_ = wire.view_text(present)
        if print_ != row["after"]:
            continue
        model = {"fingerprint": print_, "model": text, "expected": print_, "before": text}
        told = dict.fromkeys(CHANGES.names) | {name: row[name] for name in PLACE} | model
        told |= {"action": Action.DROP.value, "reason": "its source has it no more"}
        told["change"] = change_name(line_of(told))
        yield tuple(told[name] for name in CHANGES.names)


def leave_in_place(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The changes of what goes to no target: rows of `WANTED` in, rows of `CHANGES` out."""
    for batch in batches:
        yield from to_batches((_change(row, {}, None) for row in batch.to_pylist()), CHANGES.schema)


def _present(
    store: ViewStore, found: Iterable[Mapping[str, Any]], connector: Connector
) -> dict[Identifier, View] | str:
    """The views that are in the place of those that are to be written; or why nobody can tell."""
    asked = [_place(row) for row in found if row["kind"] == Kind.VIEW and not row["code"]]
    if not asked:
        return {}
    try:
        return {view.identifier: view for view in store.present(asked)}
    except BelvedereError as error:
        return redacted(f"the target cannot be read: {error}", connector.secrets)


def _change(
    row: dict[str, Any], there: dict[Identifier, View] | str, store: ViewStore | None
) -> tuple[Any, ...]:
    """A row of `CHANGES`."""
    told: dict[str, Any] = {"kind": None, **row, "expected": None, "before": None}
    if row["code"]:
        action = Action.CONFLICT if row["code"] == CollisionError.code else Action.BLOCKED
    elif store is None or row["reason"]:
        action = Action.KEEP
    elif told["kind"] == FAILED or isinstance(there, str):
        action = Action.BLOCKED
        told.update(code=Blocked.TARGET_UNREAD, reason=row["message"] or str(there))
    elif told["kind"] not in {None, Kind.VIEW}:
        action = Action.CONFLICT
        why = f"the target has a {row['kind']} of this name"
        told.update(code=CollisionError.code, reason=why)
    else:
        action = _decided(told, there.get(_place(row)), store)
    told["action"] = action.value
    told["change"] = change_name(line_of(told)) if action in WRITES else None
    return tuple(told[name] for name in CHANGES.names)


def _decided(row: dict[str, Any], present: View | None, store: ViewStore) -> Action:
    """The action; the row gets what is to be written, and what is there."""
    if present is not None:
        row["before"], row["expected"] = wire.view_text(present)
        if row["expected"] == row["fingerprint"]:  # most of a later plan: nothing is parsed
            row["reason"] = THERE
            return Action.KEEP
    wanted = _view(row)
    decision = decide(wanted, present)
    row["reason"] = decision.reason
    if decision.action is Action.CONFLICT:
        row["code"] = CollisionError.code
        return decision.action
    if present is None:
        return decision.action
    if decision.view != wanted:  # it has the target's other dialects, too
        try:
            store.hold(decision.view)
        except BelvedereError as error:
            row.update(code=error.code, reason=_told(error))
            return Action.BLOCKED
        row["model"], row["fingerprint"] = wire.view_text(decision.view)
    if row["draft"]:
        whole = decide(_view(row, "draft"), present).view
        row["draft"], row["draft_fingerprint"] = wire.view_text(whole)
    return decision.action


def _told(error: BelvedereError) -> str:
    """An error with what to do, in one line."""
    return f"{error}; {error.hint}".removesuffix("; ")


def _view(row: Mapping[str, Any], column: str = "model") -> View:
    return wire.view_from_json(json.loads(row[column] or row["model"]), tuple(row["namespace"]))


def _place(row: Mapping[str, Any]) -> Identifier:
    return Identifier(tuple(row["namespace"]), row["name"])


def _key(place: Identifier) -> str:
    levels = (*place.namespace, place.name) if place.name else place.namespace
    return encoded(levels)
