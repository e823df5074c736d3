"""What executors run for a plan: they read rows, ask stores, and let the core decide.

Imports neither pydantic nor the configuration.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Final

import pyarrow as pa

from connectors.clients.credentials import redacted
from connectors.judges.bounded import Bounded
from connectors.judges.kept import lend
from connectors.registry import Connector
from discovery.errors import BelvedereError
from discovery.migration.candidates import Terms, bring_together, map_view, move_of
from discovery.migration.deletion import Unseen
from discovery.migration.heeding import Tried, heed, heed_step
from discovery.migration.hiding import HidingStore
from discovery.migration.plan import (
    Planned,
    is_asked,
    leave_in_place,
    lose,
    plan_change,
    plan_drop,
    set_aside,
    take_back,
)
from discovery.migration.text_reader import TextReader
from discovery.migration.wanted import Address, Barred, Candidate, Code, Wanted
from discovery.model import Identifier, View
from discovery.patterns import Patterns
from discovery.ports import Name, ViewStore
from jobs.migrating import rows
from jobs.migrating.tables import PRESENT
from jobs.warehouse.rows import ArrowFunction, to_batches

FAILED: Final = "failed"
"""What stands for a target that cannot be listed."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A target as executors need it.

    Attributes:
        connector: Of its store.
        unseen: What is made of what the run did not see.
        stays: Why nothing is written into it; empty: views are.
        refused: Why nothing may be written into it; empty: it may.
        tried: What it answered when it was tried; None: that is not known.
    """

    connector: Connector
    unseen: Unseen
    stays: str = ""
    refused: str = ""
    tried: Tried | None = None


DOUBTS: Final = pa.schema([(name, pa.string()) for name in ("target", "key", "why_code", "why")])
"""What speaks against changes that nobody looks at."""


def map_views(terms: Terms) -> ArrowFunction:
    """What maps: views with their waves and what they read in, candidates for targets out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        source_views = map(rows.source_view, rows.rows(batches))
        with lend(Bounded, Bounded) as sqlglot:

            def respell(sql: str, dialect: str, spelled: Mapping[Name, Name]) -> str | None:
                text: str | None = sqlglot.ask("respelled", sql, dialect, spelled)
                return text

            reader = TextReader(respell, partial(sqlglot.ask, "names"))
            mapped = (map_view(source_view, terms, reader) for source_view in source_views)
            yield from rows.CANDIDATE_CELLS.batches(mapped)

    return run


def move_views(terms: Terms) -> ArrowFunction:
    """What makes the closure: places of views in, rows of `MOVES` of those that move out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        mapped = (
            (origin, move_of(origin, identifier, terms))
            for origin, identifier in map(rows.origin, rows.rows(batches))
        )
        moves = ((origin, move) for origin, move in mapped if move is not None)
        yield from rows.MOVE_CELLS.batches(moves)

    return run


def merge_candidates(goals: Mapping[str, Goal]) -> ArrowFunction:
    """What merges: candidates sorted by target, key and rank in, rows of `WANTED` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        candidates = map(rows.candidate, rows.rows(batches))
        with ExitStack() as stack:
            stores: dict[str, ViewStore] = {}
            yield from rows.WANTED_CELLS.batches(
                wanted
                for address, group in groupby(candidates, key=_address)
                for wanted in _merge_at(address, list(group), goals, stores, stack)
            )

    return run


def _address(candidate: Candidate) -> Address:
    return candidate.wanted.address


def _merge_at(
    address: Address,
    group: Sequence[Candidate],
    goals: Mapping[str, Goal],
    stores: dict[str, ViewStore],
    stack: ExitStack,
) -> Iterator[Wanted]:
    """What candidates for one address come to; a store is opened where views may go into it."""
    goal = goals.get(address.target)
    if goal is None or goal.stays:
        return (candidate.wanted for candidate in group)
    if address.target not in stores:
        stores[address.target] = stack.enter_context(goal.connector.store())
    hold = heed(stores[address.target].hold, goal.tried)
    return bring_together(group, hold, goal.refused)


def list_targets(goals: Mapping[str, Goal]) -> ArrowFunction:
    """What lists targets: their names in, rows of `PRESENT` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for name in batch.column("target").to_pylist():
                yield from to_batches(_list_target(name, goals[name].connector), PRESENT.schema)

    return run


def _list_target(target: str, connector: Connector) -> Iterator[tuple[object, ...]]:
    """Rows of `PRESENT`, in the order of its columns."""
    try:
        with connector.store() as store:
            for listed in store.listing():
                key = Address(target, listed.identifier).key
                yield target, listed.namespace, key, listed.kind.value, None
    except BelvedereError as error:
        yield target, [], "", FAILED, redacted(Barred.by(error).reason, connector.secrets)


def decide_changes(goal: Goal) -> ArrowFunction:
    """What decides: rows of `WANTED` with what is listed in their place in, `CHANGES` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with goal.connector.store() as store:
            hidden = _ask_hidden(store, goal.connector)
            for batch in batches:
                yield from rows.CHANGE_CELLS.batches(_plan_batch(batch, store, goal, hidden))

    return run


def _plan_batch(
    batch: pa.RecordBatch, store: ViewStore, goal: Goal, hidden: str
) -> Iterator[Planned]:
    """What is to be done with the views of a batch; all that are there are read at once."""
    pairs = [(rows.wanted(row), row) for row in rows.rows([batch])]
    asked = [
        wanted.address.identifier for wanted, row in pairs if is_asked(wanted, rows.kinds(row))
    ]
    present, unread = _read_views(store, asked, goal.connector)
    hold = heed(store.hold, goal.tried)
    for wanted, row in pairs:
        unknown = unread or ("" if rows.kinds(row) else hidden)
        occupant = rows.occupant(
            row, present, unknown, audited=store.keeps_audit, unseen=goal.unseen
        )
        yield heed_step(plan_change(wanted, occupant, hold), goal.tried)


def _ask_hidden(store: ViewStore, connector: Connector) -> str:
    """Why what is not listed may be there nevertheless; empty: it is not."""
    try:
        return store.hides() if isinstance(store, HidingStore) else ""
    except BelvedereError as error:
        return redacted(f"the target does not say what it hides: {error}", connector.secrets)


def _read_views(
    store: ViewStore, asked: Sequence[Identifier], connector: Connector
) -> tuple[Mapping[Identifier, View], str]:
    """The views that are in these places; and why nobody can tell."""
    try:
        return {view.identifier: view for view in store.present(asked)} if asked else {}, ""
    except BelvedereError as error:
        return {}, redacted(f"the target cannot be read: {error}", connector.secrets)


def decide_drops(goal: Goal) -> ArrowFunction:
    """What decides of views that we wrote and nobody wants: their places in, `CHANGES` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with goal.connector.store() as store:
            for batch in batches:
                yield from rows.CHANGE_CELLS.batches(_plan_drops(batch, store, goal))

    return run


def _plan_drops(batch: pa.RecordBatch, store: ViewStore, goal: Goal) -> Iterator[Planned]:
    """The removals of a batch; what cannot be read is not dropped."""
    removals = list(map(rows.written, rows.rows([batch])))
    places = [written.address.identifier for written in removals]
    present, unread = _read_views(store, places, goal.connector)
    plans = (
        plan_drop(written, present.get(place), unread)
        for written, place in zip(removals, places, strict=True)
    )
    return (heed_step(plan, goal.tried) for plan in plans if plan is not None)


def say_why_kept(asked: Mapping[str, Patterns]) -> ArrowFunction:
    """What says why views stay: ours with `writes` and `is_at_source` in, `stays` beside, out.

    Args:
        asked: What of each source was asked for.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            stays = [rows.kept_because(row, asked) or None for row in rows.rows([batch])]
            yield batch.append_column("stays", pa.array(stays, pa.string()))

    return run


def leave_views(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The changes of what goes to no target: rows of `WANTED` in, rows of `CHANGES` out."""
    left = (leave_in_place(rows.wanted(row)) for row in rows.rows(batches))
    yield from rows.CHANGE_CELLS.batches(left)


def without_functions(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What is said of functions that a target does not get: rows of `CHANGES` in and out.

    Beside them stand the sentences in `why`, and in `why_code` the code by which they block.
    """
    yield from rows.CHANGE_CELLS.batches(
        lose(rows.planned(row), row["why"])
        if row["why_code"] is None
        else set_aside(rows.planned(row), Barred(Code(row["why_code"]), "; ".join(row["why"])))
        for row in rows.rows(batches)
    )


def doubt_changes(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What speaks against changes: those with our `writes` in; target, key, code and why out."""
    for batch in batches:
        doubts = (
            (row["target"], row["key"], against[0].value, against[1])
            for row in batch.to_pylist()
            if (against := rows.doubt_of(row))
        )
        yield from to_batches(doubts, DOUBTS)


def block_changes(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What is set aside: rows of `CHANGES` with `why_code` and `why` in, those rows blocked out."""
    yield from rows.CHANGE_CELLS.batches(
        set_aside(rows.planned(row), Barred(Code(row["why_code"]), row["why"]))
        for row in rows.rows(batches)
    )


def take_changes_back(run: str) -> ArrowFunction:
    """The changes that take back those that a run has written: rows of `CHANGES`."""

    def invert(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from rows.CHANGE_CELLS.batches(
            take_back(rows.planned(row), run) for row in rows.rows(batches)
        )

    return invert
