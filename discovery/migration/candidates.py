"""What the rules of `mapping` make of each view, and what those come to that meet at a name."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from discovery.datatypes.widening import Widening, for_texts, widen
from discovery.errors import BelvedereError, CollisionError, NotHeldError, QueryUnnamedError
from discovery.formats.paimon import QUERY
from discovery.lineage.order import Aside
from discovery.migration import forgotten
from discovery.migration.changes import Blocked
from discovery.migration.closure import Closed, Closure
from discovery.migration.mapping import Collisions, Qualify, Rule, ViewKey, merge
from discovery.migration.text_reader import TextReader
from discovery.migration.wanted import (
    Address,
    Barred,
    Candidate,
    Canonical,
    Code,
    Draft,
    Move,
    Origin,
    SourceView,
    Wanted,
)
from discovery.model import Identifier, View
from discovery.ports import Held

Hold = Callable[[View], Held]
"""How a store will hold a view: `ViewStore.hold`."""

NO_RULE: Final = "no rule of `mapping` is about it: it stays where it is"
LEFT_OUT: Final = "its rule of `mapping` leaves it out"
_COLLISION: Final = Code(CollisionError.code)


@dataclass(frozen=True, slots=True)
class Terms:
    """What the rules of a plan are applied with.

    Attributes:
        rules: In their order.
        closed: Targets that nothing is written into, and why.
        closure: Where names lead; None: the rules leave all names as they are.
        forgetting: Targets that drop what engines note beside a text: `contexts.forgets`.
    """

    rules: tuple[Rule, ...]
    closed: Mapping[str, str] = field(default_factory=dict)
    closure: Closure | None = None
    forgetting: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        rules: Sequence[Rule],
        closed: Mapping[str, str],
        dropped: Mapping[str, frozenset[str]] | None = None,
        forgetting: frozenset[str] = frozenset(),
        bare: Mapping[str, str] | None = None,
    ) -> "Terms":
        """The terms of these rules.

        Names are asked for if one is moved, if there are several targets, if one drops contexts, or
        if Gravitino's connector for Spark reads there.

        Args:
            rules: In their order.
            closed: Targets that nothing is written into, and why.
            dropped: Target to the dialects whose contexts it drops: `contexts.dropped_dialects`.
            forgetting: Targets that drop what engines note beside a text: `contexts.forgets`.
            bare: Target to the kind of its store, where that connector reads: `Closure.bare`.
        """
        targets = {rule.target for rule in rules if rule.target is not None}
        loses = any((dropped or {}).get(target) or target in (bare or {}) for target in targets)
        keeps = len(targets) <= 1 and all(rule.keeps_names for rule in rules) and not loses
        closure = None if keeps else Closure.of(rules, dropped, bare)
        return cls(tuple(rules), closed, closure, forgetting)


def move_of(origin: Origin, identifier: Identifier, terms: Terms) -> Move | None:
    """Where a view goes; None: it stays where it is."""
    _, rule = _rule_of(origin.source, identifier, terms.rules)
    if rule is None or rule.target is None or rule.target in terms.closed:
        return None
    return Move(identifier, Address(rule.target, rule.image_of(identifier)))


def map_view(source_view: SourceView, terms: Terms, reader: TextReader) -> Candidate:
    """What the first rule that names a view makes of it.

    Args:
        source_view: The view.
        terms: The rules, and what they do to names.
        reader: What reads their texts.
    """
    rank, rule = _rule_of(source_view.origin.source, source_view.identifier, terms.rules)
    if rule is None:
        return Candidate(_staying(source_view, NO_RULE), rank)
    if rule.target is None:
        return Candidate(_staying(source_view, LEFT_OUT), rank)
    closed, closure = terms.closed.get(rule.target, ""), terms.closure
    own = source_view.view() if closure or rule.looks_inside(source_view.identifier) else None
    view = own and rule.at_target(own)
    if own is not None and view is None and _with_drafts(source_view, rule) is None:
        return Candidate(_staying(source_view, _none_of(rule)), rank)
    barred, losses = _in_order(source_view.aside, rule)
    wanted = Wanted(
        address=Address(rule.target, rule.image_of(source_view.identifier)),
        origins=(source_view.origin,),
        model=source_view.model if view is None or _is_same_text(view, own) else Canonical.of(view),
        wave=source_view.wave,
        barred=barred,
        stays=closed,
        losses=losses,
    )
    if barred is None and not closed:

        def close(moved: View) -> Closed:
            return closure.close(moved, rule, source_view.reads, reader) if closure else Closed()

        if view is not None:
            wanted = _closed(wanted, close(view), rule.qualify)
        wanted = _with_proposed(wanted, source_view, rule, close)
        if rule.target in terms.forgetting:
            wanted = replace(wanted, losses=(*wanted.losses, *forgotten.losses(wanted)))
    return Candidate(wanted, rank, rule.collisions, rule.widen, rule.query)


def _with_drafts(source_view: SourceView, rule: Rule) -> View | None:
    """The view with what a translator has proposed, as its rule takes it; None: it takes none."""
    drafted = source_view.drafted()
    view = drafted and rule.at_target(drafted)
    return view if view is not None and _proposed(source_view, view) else None


def _proposed(source_view: SourceView, view: View) -> tuple[str, ...]:
    """The dialects of a view whose texts a translator has proposed."""
    drafts = {draft.dialect for draft in source_view.drafts}
    return tuple(
        representation.dialect
        for representation in view.representations
        if representation.dialect in drafts
    )


def _none_of(rule: Rule) -> str:
    return f"it has none of the dialects {', '.join(rule.dialects)} that its rule takes"


def _with_proposed(
    wanted: Wanted, source_view: SourceView, rule: Rule, close: Callable[[View], Closed]
) -> Wanted:
    """The view with a draft of what a translator has proposed, as far as its rule takes that.

    Where the rule takes nothing else of it, it waits for that draft.
    """
    view = _with_drafts(source_view, rule)
    if view is None:
        return wanted
    own = source_view.view()
    if rule.at_target(own) is None:
        moved = Canonical.of(replace(own, identifier=wanted.address.identifier))
        unsafe = Barred.as_coded(Blocked.NOT_ADOPTED, _none_of(rule))
        wanted = replace(wanted, unsafe=unsafe, model=moved)
    return _drafted(wanted, view, _proposed(source_view, view), close(view))


def _drafted(wanted: Wanted, view: View, dialects: tuple[str, ...], closed: Closed) -> Wanted:
    """The view with a draft that has what a translator has proposed, if that means the same there.

    Args:
        wanted: As it is without.
        view: The view with the proposals.
        dialects: Of these.
        closed: What becomes of its meaning.
    """
    if closed.draft is not None:
        every = tuple(dict.fromkeys((*closed.draft.dialects, *dialects)))
        return replace(wanted, draft=Draft(every, closed.draft.model))
    if closed.unsafe is not None:
        return wanted
    return replace(wanted, draft=Draft(dialects, Canonical.of(view)))


def bring_together(group: Sequence[Candidate], hold: Hold, refused: str = "") -> Iterator[Wanted]:
    """What the candidates for one address come to; each origin is in exactly one of them.

    Those that are barred already stand aside, and the others do not meet them.

    Args:
        group: In the order of their rules.
        hold: How the target holds a view.
        refused: Why the target may not be written; empty: it may.
    """
    free = [candidate for candidate in group if candidate.wanted.barred is None]
    yield from (candidate.wanted for candidate in group if candidate.wanted.barred is not None)
    if not free:
        return
    taken, wanted = _merged(free)
    for candidate in free[taken:]:
        why = f"the view of {wanted.origins[0].source} goes first"
        yield replace(candidate.wanted, barred=Barred(_COLLISION, why))
    query = next((candidate.query for candidate in free[:taken] if candidate.query), "")
    wanted = _held(wanted, _widening(with_query(hold, query), free[0].widen))
    if wanted.barred is None and refused:
        wanted = replace(wanted, barred=Barred.as_coded(Blocked.NOT_SERVED, refused))
    yield wanted


def _rule_of(source: str, identifier: Identifier, rules: Sequence[Rule]) -> tuple[int, Rule | None]:
    """The first rule that names a view, with its number."""
    for rank, rule in enumerate(rules):
        if rule.names(source, identifier):
            return rank, rule
    return len(rules), None


def _staying(source_view: SourceView, why: str) -> Wanted:
    """A view that goes to no target."""
    return Wanted(
        address=Address("", source_view.identifier),
        origins=(source_view.origin,),
        model=source_view.model,
        wave=source_view.wave,
        stays=why,
    )


def _in_order(aside: Aside[str] | None, rule: Rule) -> tuple[Barred | None, tuple[str, ...]]:
    """What it means that a view has no place in the order: it is barred, or that is a loss."""
    if aside is None:
        return None, ()
    reason = ": ".join(filter(None, (aside.why.value, ", ".join(aside.because))))
    if aside.why in rule.despite:
        return None, (f"its place in the order, {reason}: it is written last",)
    return Barred.as_coded(Blocked.SET_ASIDE, reason), ()


def _is_same_text(view: View, own: View | None) -> bool:
    """Whether two views have one canonical JSON: namespaces are not part of it."""
    return (
        own is not None
        and view == replace(own, identifier=view.identifier)
        and (view.identifier.name == own.identifier.name)
    )


def _closed(wanted: Wanted, closed: Closed, qualify: Qualify) -> Wanted:
    """The view with what became of its meaning; a draft is taken at once if its rule says so."""
    losses = (*wanted.losses, *closed.losses)
    if qualify is Qualify.ADOPT and closed.draft is not None:
        losses = (
            *losses,
            f"its spelling in {', '.join(closed.draft.dialects)}: drafts are written",
        )
        return replace(wanted, model=closed.draft.model, losses=losses)
    return replace(wanted, unsafe=closed.unsafe, draft=closed.draft, losses=losses)


def _merged(group: Sequence[Candidate]) -> tuple[int, Wanted]:
    """How many candidates are taken, and what they come to."""
    wanted = [candidate.wanted for candidate in group]
    first = wanted[0]
    if len(group) == 1:
        return 1, first
    places = [(view.origins[0].source, view.origins[0].key) for view in wanted]
    merged = merge([item.view() for item in wanted], places, group[0].collisions)
    if merged.conflict:
        barred = Barred(_COLLISION, merged.conflict)
        return len(group), replace(first, origins=_origins(wanted), barred=barred)
    taken = wanted[: merged.taken]
    waves = [view.wave for view in taken if view.wave is not None]
    joined = replace(
        first,
        origins=_origins(taken),
        model=Canonical.of(merged.view),
        wave=max(waves) if len(waves) == len(taken) else None,  # None is last
        losses=(*(loss for view in taken for loss in view.losses), *merged.losses),
        unsafe=next((view.unsafe for view in taken if view.unsafe is not None), None),
        draft=_merged_drafts(taken, places),
    )
    return merged.taken, joined


def _merged_drafts(taken: Sequence[Wanted], places: Sequence[ViewKey]) -> Draft | None:
    """One draft out of those of the views that are taken; their dialects differ."""
    dialects = tuple(
        name for wanted in taken if wanted.draft is not None for name in wanted.draft.dialects
    )
    if not dialects or any(wanted.unsafe and wanted.draft is None for wanted in taken):
        return None
    met = merge([wanted.drafted() for wanted in taken], places, Collisions.MERGE)
    return None if met.conflict else Draft(dialects, Canonical.of(met.view))


def _origins(group: Sequence[Wanted]) -> tuple[Origin, ...]:
    return tuple(origin for wanted in group for origin in wanted.origins)


def _held(wanted: Wanted, hold: Hold) -> Wanted:
    """The view as the store will hold it, or the reason why it cannot.

    What it holds with its draft alone waits for that to be adopted. A draft that it does not hold,
    or without its texts, is none.
    """
    if wanted.barred is not None or wanted.stays:
        return wanted
    draft, lost = _held_draft(wanted, hold)
    try:
        view = wanted.view()
        held = hold(view)
    except BelvedereError as error:
        barred = Barred.by(error)
        if draft is None:
            return replace(wanted, barred=barred, draft=None)
        unsafe = wanted.unsafe or Barred.as_coded(Blocked.NOT_ADOPTED, barred.reason)
        return replace(wanted, unsafe=unsafe, draft=draft, losses=(*wanted.losses, *lost))
    model = wanted.model if held.view == view else Canonical.of(held.view)
    if wanted.unsafe is not None and draft is not None:  # no other is written
        return replace(wanted, model=model, losses=(*wanted.losses, *lost), draft=draft)
    only = [f"with its drafts: {loss}" for loss in lost if loss not in held.losses]
    losses = (*wanted.losses, *held.losses, *only)
    return replace(wanted, model=model, losses=losses, draft=draft)


def with_query(hold: Hold, dialect: str) -> Hold:
    """A store that is offered the text of a dialect as `query`, too, where it demands one."""

    def hold_with_query(view: View) -> Held:
        try:
            return hold(view)
        except QueryUnnamedError as error:
            texts = view.by_dialect
            named = texts.get(dialect.casefold())
            if named is None:
                dialects = ", ".join(texts)
                why = f"its rule takes the text `query` from {dialect}, and it has {dialects}"
                raise QueryUnnamedError(why, view=str(view.identifier)) from error
        query = replace(named, dialect=QUERY)
        return hold(replace(view, representations=(query, *view.representations)))

    return hold_with_query if dialect else hold


def _widening(hold: Hold, allowed: tuple[Widening, ...]) -> Hold:
    """A store that is offered wider types where it refuses a view; of the allowed, as few as do."""

    def hold_wider(view: View) -> Held:
        try:
            return hold(view)
        except NotHeldError:
            needed = for_texts(view, allowed)
            wider = _wider(view, needed, hold)
            if wider is None:
                raise
        for widening in needed:
            fewer = tuple(kind for kind in needed if kind is not widening)
            if (less := _wider(view, fewer, hold)) is not None:
                needed, wider = fewer, less
        return wider

    return hold_wider if allowed else hold


def _wider(view: View, allowed: tuple[Widening, ...], hold: Hold) -> Held | None:
    """How a store holds a view with wider types; None: not even so."""
    wider, losses = widen(view, allowed)
    try:
        held = hold(wider) if losses else None
    except NotHeldError:
        return None
    return held and Held(held.view, (*losses, *held.losses))


def _held_draft(wanted: Wanted, hold: Hold) -> tuple[Draft | None, tuple[str, ...]]:
    """The draft as the store will hold it, and what of it is lost; None: it is none, and why."""
    draft = wanted.draft
    if draft is None:
        return None, ()
    try:
        held = hold(wanted.drafted())
    except BelvedereError as error:
        return None, (str(error),)
    dialects = held.view.by_dialect.keys()
    kept = tuple(dialect for dialect in draft.dialects if dialect.casefold() in dialects)
    if not kept:
        return None, held.losses
    return Draft(kept, Canonical.of(held.view)), held.losses
