"""How views get the tags of their waves: planned, put on and taken off again, noted as it is done.

All of it comes after the views, also where a run is taken back: a view that is dropped loses its
tags at the server, and one that stays keeps them. Tags are made first of all and removed last, as
targets may share them.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from connectors.clients.credentials import redacted
from discovery.display import quantity
from discovery.errors import BelvedereError, MovedError, NotHeldError, StoreError
from discovery.model import Identifier
from discovery.ports import ViewStore
from discovery.tags import GivenTags, TagChange, TagPattern, TagStore, give_tags, tags_text
from jobs.configuration.loader import RunConfig
from jobs.migrating import amending
from jobs.migrating.giving import Unready
from jobs.migrating.journal import Journal
from jobs.migrating.plan_folder import PlanHead
from jobs.migrating.rights import THERE
from jobs.migrating.tables import CHANGES
from jobs.warehouse.warehouse import Warehouse

_STEPS: Final = (0, 1, 2)


def plan_given_tags(config: RunConfig, warehouse: Warehouse, plan: str) -> dict[str, GivenTags]:
    """What becomes of tags at the targets whose views are to have them, which are asked.

    Args:
        config: The configuration.
        warehouse: Where the plan is.
        plan: Its name.
    """
    by_target = {}
    for name, terms in config.terms.items():
        if terms.tags is not None:
            connector, waves = config.targets[name], _read_waves(warehouse, plan, name)
            try:
                with connector.store() as store:
                    by_target[name] = _plan_tags(store, connector.kind, name, terms.tags, waves)
            except BelvedereError as error:
                why = redacted(str(error), connector.secrets)
                by_target[name] = GivenTags(left=(f"its tags could not be read: {why}",), blocked=1)
    return by_target


def settle(
    journal: Journal, configured: RunConfig, head: PlanHead, unready: Unready
) -> set[TagChange]:
    """Do with tags what a plan says; what could not be done, which is said."""
    failed: set[TagChange] = set()
    for step in _STEPS:
        for target, destination in head.targets.items():
            if changes := [change for change in destination.tags.made if _step(change) == step]:
                hand = _Tagger(_pattern(configured, target), unready.get(target, ()))
                connector = configured.targets[target]
                failed |= amending.carry_out(
                    journal.tags, connector, changes, hand.ask, hand.change
                )
    return failed


def not_as_planned(configured: RunConfig, head: PlanHead, target: str) -> list[str]:
    """What of tags is not as planned at a target, for people.

    Raises:
        BelvedereError: It cannot be read.
    """
    with configured.targets[target].store() as store:
        kept = _tag_store(store).present(_pattern(configured, target).fits)
    states = ((change, change.now(kept)) for change in head.targets[target].tags.changes)
    return [
        f"{tag_change.what}: there is {tags_text(now)}"
        for tag_change, now in states
        if now != tag_change.after
    ]


class _Tagger:
    """What changes the tags of one target.

    Args:
        pattern: How they are named.
        unready: The views that are not as planned.
    """

    def __init__(self, pattern: TagPattern, unready: Collection[Identifier]) -> None:
        self._pattern, self._unready = pattern, set(unready)

    def ask(
        self, store: ViewStore, changes: Sequence[TagChange]
    ) -> dict[TagChange, amending.Answer]:
        """Whether each is still to be made; an error: it must not be."""
        kept = _tag_store(store).present(self._pattern.fits)
        answers: dict[TagChange, amending.Answer] = {}
        for change in changes:
            answers[change] = amending.answer_of(change.is_to_do, kept)
            if answers[change] is True and change.view in self._unready:
                answers[change] = MovedError("its view is not as planned")
        return answers

    def change(self, store: ViewStore, change: TagChange) -> bool:
        """Do it; whether this has."""
        tags = _tag_store(store)
        if change.view is not None:
            tags.change(change.view, change.after, change.before)
            return True
        if change.after:
            return tags.create(*change.after)
        tags.drop(*change.before)
        return True


def _plan_tags(
    store: ViewStore,
    kind: str,
    target: str,
    pattern: TagPattern,
    waves: dict[Identifier, int | None],
) -> GivenTags:
    """What becomes of tags at one target."""
    if store.tags is None:
        return GivenTags(remark=f"{kind} puts no tags on views: only gravitino-rest does")
    if why := store.tags.refuses():
        return GivenTags(remark=why)
    why_not, wanted = Counter[str](), {}
    for view, wave in waves.items():
        try:
            store.tags.name(view)
        except NotHeldError as error:
            why_not[error.message] += 1
            continue
        if wave is None:
            why_not["no wave"] += 1
        else:
            wanted[view] = wave
    left = tuple(f"{quantity(number, 'view')}: {why}" for why, number in sorted(why_not.items()))
    return GivenTags(give_tags(target, pattern, wanted, store.tags.present(pattern.fits)), left)


def _read_waves(warehouse: Warehouse, plan: str, target: str) -> dict[Identifier, int | None]:
    """The views that are at a target once a plan is applied, with their waves."""
    where: dict[str, Sequence[str]] = {"action": [*THERE], "target": [target]}
    rows = warehouse.table(CHANGES, plan, where=where, columns=["namespace", "name", "wave"])
    return {Identifier(tuple(row["namespace"]), row["name"]): row["wave"] for row in rows}


def _tag_store(store: ViewStore) -> TagStore:
    if store.tags is None:
        raise StoreError("the target keeps no tags of views")
    return store.tags


def _pattern(configured: RunConfig, target: str) -> TagPattern:
    tag_pattern = configured.terms[target].tags
    if tag_pattern is None:  # the plan was made with another configuration, which was looked at
        raise StoreError("the target says no pattern of tags")
    return tag_pattern


def _step(change: TagChange) -> int:
    """When it is done: tags are made, then put on views, then removed."""
    if change.view is not None:
        return 1
    return 0 if change.after else 2
