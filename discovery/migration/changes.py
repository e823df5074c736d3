"""What a plan makes of a wanted view and what is there, and when a store may still write it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from discovery import wire
from discovery.errors import BelvedereError, Coded, CollisionError, MovedError
from discovery.migration.diff import differences
from discovery.model import Column, Identifier, Representation, View
from discovery.ports import Action, Applied, Change

NOT_THERE: Final = "it is not there yet"
"""Why a view is created."""
THERE: Final = "it is there already"
"""Why a view is kept."""


class Blocked(Coded):
    """Why a view is not written, where no error says so."""

    SET_ASIDE = "SET_ASIDE", "It has no place in the order: see `belvedere waves` for why."
    BLOCKED_BY = "BLOCKED_BY", "It stands on a view that the plan cannot write."
    MEANING_CHANGES = (
        "MEANING_CHANGES",
        (
            "At the target, names in its text would lead to something else than they do now: the "
            "reason has each with where it has to lead and where it would. It is not written as it "
            "is. If there is a draft, adopt it in `changes.jsonl`, or say `qualify: adopt` in its "
            "rule; else change the text at the source, or the rule."
        ),
    )
    NOT_ADOPTED = (
        "DRAFT_NOT_ADOPTED",
        (
            "The target takes the view only with a text that a translator has proposed: the "
            "reason says why. Look at it with `belvedere drafts`; it is written once a person "
            "sets `adopt` to true in its line of `changes.jsonl`."
        ),
    )
    NOT_SERVED = (
        "NOT_SERVED",
        (
            "No stock Gravitino server of the declared version shows such rows: say "
            "`accept_unserved: true` at the target to store them nevertheless."
        ),
    )
    TARGET_UNREAD = (
        "TARGET_UNREAD",
        "The target could not be listed or read, or hides things: what is there is unknown.",
    )
    TARGET_CHANGED = (
        "TARGET_CHANGED",
        (
            "What stands at the target is not as belvedere has left it: somebody else has made or "
            "changed it. `sync` never overwrites that. Change it back, leave the view out by a "
            "rule, or look at it with `belvedere plan`, and apply what is right."
        ),
    )
    UNDONE = (
        "UNDONE",
        (
            "An `undo` has taken this very change back: `sync` does not make it again by itself. "
            "It does once the view changes at its source; else leave the view out by a rule, or "
            "look at it with `belvedere plan`, and apply it."
        ),
    )
    MAY_BE_OLD = (
        "MAY_BE_OLD",
        (
            "Its text has changed, and the target has texts in other dialects, too, that belvedere "
            "has written and the run did not find: as it has not seen all of its sources, or was "
            "not asked for a view that they are of (`include`, `exclude`, a source that is no "
            "longer in the configuration), nobody can tell whether they are old. Nothing of the "
            "view is written, so that it stays of one piece, until a run has seen all. If what the "
            "run lacks is lost, `plan --allow-shrink` says so, and such a text goes."
        ),
    )
    FUNCTION_DIFFERS = (
        "FUNCTION_DIFFERS",
        (
            "It calls a function, and the target has, or gets, another one of the same name: the "
            "view would compute something else. No function is replaced. Drop or rename one of the "
            "two, or map the view to another target."
        ),
    )
    FUNCTION_NOT_MOVABLE = (
        "FUNCTION_NOT_MOVABLE",
        (
            "It calls a function that the target does not get: the reason has its name and why. "
            "In a Hive Metastore the view is not written; elsewhere that is a loss, as "
            "its engines may have the function nevertheless. Make it there by hand, or leave the "
            "view where it is."
        ),
    )
    NO_PARENT = (
        "NO_PARENT",
        (
            "A namespace above its own is missing and may not be made: make it, or say "
            "`bootstrap_parents: true` at the target."
        ),
    )


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be done with a view at its target.

    Attributes:
        action: `create`, `replace`, `add-dialect`, `keep` or `conflict`.
        view: What is to be there afterwards: the wanted view with the dialects that only the
            target has.
        reason: Why, for people.
    """

    action: Action
    view: View
    reason: str


def decide(wanted: View, present: View | None, *, ours: bool = False) -> Decision:
    """Compare a wanted view, as the target would hold it, with what is there.

    Dialects that only the target has stay: they are somebody's. That takes equal columns, as all
    dialects of a view share them; otherwise it is a conflict. Where all of the view is ours, they
    stay as long as no other text of it has changed: an engine that reads an old one, such as that
    of a view which its owner has made anew with another engine, would return other rows.

    Args:
        wanted: The view.
        present: What is there.
        ours: Whether belvedere alone has written what is there.
    """
    if present is None:
        return Decision(Action.CREATE, wanted, NOT_THERE)
    wanted_texts = wanted.by_dialect
    theirs = [
        representation
        for representation in present.representations
        if representation.dialect.casefold() not in wanted_texts
    ]
    if ours and outdated_dialects(wanted, present):
        theirs = []
    if theirs and (difference := unlike_columns(wanted, present)):
        names = ", ".join(representation.dialect for representation in theirs)
        return Decision(Action.CONFLICT, wanted, f"it is there in {names}, and {difference}")
    view = replace(wanted, representations=_in_their_order(wanted_texts, present, theirs))
    fields = differences(view, present)
    if not fields:
        return Decision(Action.KEEP, view, THERE)
    added = wanted_texts.keys() - present.by_dialect.keys()
    if {f"representations.{dialect}" for dialect in added} == set(fields):
        return Decision(Action.ADD_DIALECT, view, f"adds {', '.join(sorted(added))}")
    return Decision(Action.REPLACE, view, f"differs in {', '.join(fields)}")


def outdated_dialects(wanted: View, present: View) -> tuple[str, ...]:
    """The dialects that only the target has, if no text of the view is wanted as it is there.

    One that is shows that the view has not changed: then they are no older than it, such as a draft
    that was adopted.
    """
    wanted_texts = wanted.by_dialect
    shared = [
        representation
        for representation in present.representations
        if representation.dialect.casefold() in wanted_texts
    ]
    if shared and all(
        wanted_texts[representation.dialect.casefold()] == representation
        for representation in shared
    ):
        return ()
    return tuple(
        representation.dialect
        for representation in present.representations
        if representation.dialect.casefold() not in wanted_texts
    )


def _in_their_order(
    wanted_texts: Mapping[str, Representation], present: View, theirs: Sequence[Representation]
) -> tuple[Representation, ...]:
    """The representations of the target that stay, those that are wanted put in, new ones last."""
    left = dict(wanted_texts)
    kept = (
        left.pop(representation.dialect.casefold(), representation)
        for representation in present.representations
    )
    stay = [
        representation
        for representation in kept
        if representation.dialect.casefold() in wanted_texts or representation in theirs
    ]
    return (*stay, *left.values())


def unlike_columns(view: View, other: View) -> str:
    """How the columns of two views differ in number, name or type; empty if they do not."""
    if len(view.columns) != len(other.columns):
        return f"one has {len(view.columns)} columns, the other {len(other.columns)}"
    for number, (column, its) in enumerate(zip(view.columns, other.columns, strict=True), 1):
        if (text := _column_text(column)) != (other_text := _column_text(its)):
            return f"column {number} is {text} in one and {other_text} in the other"
    return ""


def _column_text(column: Column) -> str:
    return f"{column.name} {wire.type_text(column.type)}"


def fingerprint(view: View | None) -> str | None:
    """The fingerprint of a view; None for none."""
    return None if view is None else wire.view_text(view)[1]


def settle(change: Change, present: View | None, at_new_name: View | None = None) -> Applied | None:
    """The answer to a change that needs no write, or must not be written; None: write it.

    Every store asks this of what it reads in the transaction that writes: a plan is pinned to what
    it saw, and a second attempt at a change finds it done.

    Args:
        change: What was planned.
        present: The live view at its place.
        at_new_name: For `rename`: the live view at the new name.
    """
    place, current = change.view.identifier, fingerprint(present)
    if change.action is Action.DROP and present is None:
        return Applied(place, Action.KEEP)
    if change.action is Action.RENAME:
        if present is None and at_new_name is not None:
            return Applied(place, Action.KEEP)
        if at_new_name is not None:
            why = f"the target has a view {change.new_name} already"
            return Applied.failed(place, CollisionError(why, view=str(place)))
    elif change.action is not Action.DROP and current == change.fingerprint:
        return Applied(place, Action.KEEP)
    if current != change.expected:
        return Applied.failed(place, moved_error(place, present))
    return None


def moved_error(place: Identifier, present: View | None) -> BelvedereError:
    """The error of a change that finds something else than was planned against."""
    reason = "it is gone from the target" if present is None else "it has changed at the target"
    return MovedError(f"{reason} since the plan was made", view=str(place))


def touched(change: Change) -> tuple[Identifier, ...]:
    """The places that a change reads or writes."""
    place = change.view.identifier
    if change.action is not Action.RENAME:
        return (place,)
    return place, Identifier(place.namespace, change.new_name)


def apart(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """The changes in runs of which none touches a place twice: what follows must see it written."""
    run: list[Change] = []
    places: set[Identifier] = set()
    for change in changes:
        if not places.isdisjoint(touched(change)):
            yield run
            run, places = [], set()
        run.append(change)
        places.update(touched(change))
    if run:
        yield run
