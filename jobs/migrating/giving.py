"""How rights are given and taken back, noted before and after.

They are given once the views are written, and taken back before views are. What the server has by
then is looked at again: what would let anybody read more is not given, though the plan has it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from discovery.errors import BelvedereError, CollisionError, MovedError, StoreError
from discovery.model import Identifier
from discovery.ports import Action, ViewStore
from discovery.rights.changes import Owners, RightsChange, aims_of
from discovery.rights.guard import RightsGuard
from discovery.rights.model import Grantee
from discovery.rights.roles import KeptRights, RightsStore, RoleAim
from jobs.configuration.loader import RunConfig
from jobs.migrating import amending
from jobs.migrating.journal import Journal
from jobs.migrating.plan_folder import PlanHead

Unready = Mapping[str, Collection[Identifier]]
"""Target to the views that are not as planned: nobody gets a right on them."""


def give(
    journal: Journal, configured: RunConfig, head: PlanHead, unready: Unready
) -> set[RightsChange]:
    """Give what a plan gives; what could not be given, which is said."""
    failed: set[RightsChange] = set()
    aims = _aims(configured, head)
    for target, destination in head.targets.items():
        if destination.rights.made:
            hand = _Hand(aims[target], unready.get(target, ()))
            connector = configured.targets[target]
            failed |= amending.carry_out(
                journal.gives, connector, destination.rights.made, hand.ask, hand.give
            )
    return failed


def take_back(journal: Journal, configured: RunConfig, head: PlanHead) -> set[RightsChange]:
    """Take back what a plan takes back: roles last, as targets may share them; what stays."""
    failed: set[RightsChange] = set()
    for last in (False, True):
        for target, destination in head.targets.items():
            back = [
                change
                for change in reversed(destination.rights.changes)
                if change.action is Action.DROP and (change.step == 0) is last
            ]
            if back:
                hand, connector = _Hand({}, ()), configured.targets[target]
                failed |= amending.carry_out(journal.gives, connector, back, hand.ask, hand.give)
    return failed


def not_as_planned(configured: RunConfig, head: PlanHead, target: str) -> list[str]:
    """What of rights is not as planned at a target, for people.

    Raises:
        BelvedereError: It cannot be read.
    """
    changes, aims = head.targets[target].rights.changes, _aims(configured, head)[target]
    with configured.targets[target].store() as store:
        kept, owners = _read_rights(require_rights(store), changes)
    lacking = [
        f"{change.what}: it is not there" for change in changes if not change.is_there(kept, owners)
    ]
    guard = RightsGuard(kept, aims)
    return [*lacking, *(f"the role {role}: {why}" for role, why in guard.strange.items())]


def require_rights(store: ViewStore) -> RightsStore:
    """What a target keeps rights in, where a plan has some for it.

    Raises:
        StoreError: It keeps none.
    """
    if store.rights is None:
        raise StoreError("the target keeps no rights")
    return store.rights


class _Hand:
    """What gives rights to one target.

    Args:
        aims: What its roles are to have.
        unready: The views that are not as planned.
    """

    def __init__(self, aims: Mapping[str, RoleAim], unready: Collection[Identifier]) -> None:
        self._aims, self._unready = aims, set(unready)
        self._unmade: set[str] = set()

    def ask(
        self, store: ViewStore, changes: Sequence[RightsChange]
    ) -> dict[RightsChange, amending.Answer]:
        """Whether each is still to be made; an error: it must not be."""
        kept, owners = _read_rights(require_rights(store), changes)
        guard, answers = RightsGuard(kept, self._aims), {}
        for change in changes:
            rights_change, answer = self._answer_for(change, kept, owners, guard)
            answers[rights_change] = answer
        return answers

    def _answer_for(
        self, change: RightsChange, kept: KeptRights, owners: Owners, guard: RightsGuard
    ) -> tuple[RightsChange, amending.Answer]:
        try:
            if change.action is Action.DROP:
                return change, change.is_to_drop(kept, owners)
            to_do = change.as_it_is_to_do(kept, owners)
        except MovedError as error:
            return change, error
        if to_do is None:
            return change, False
        why = guard.why_absent(change) or guard.why_not(change)
        if change.view in self._unready:
            why = "its view is not as planned"
        return to_do, MovedError(why) if why else True

    def give(self, store: ViewStore, change: RightsChange) -> bool:
        """Give a right, or take it back; nothing is given to a role that somebody else has made."""
        rights, given = require_rights(store), change.action is Action.CREATE
        if given and change.role in self._unmade:
            raise MovedError("its role could not be made")
        if change.right is not None:
            rights.change_right(change.role, change.right, given=given)
        elif change.role and change.member is not None:
            rights.change_member(change.role, change.member, given=given)
        elif change.role:
            self._give_role(rights, change.role, given=given)
        else:
            _give_owner(rights, change, change.member if given else change.before)
        return True

    def _give_role(self, rights: RightsStore, role: str, *, given: bool) -> None:
        if not given:
            rights.drop_role(role)
            return
        try:
            rights.create_role(role)
        except BelvedereError as error:
            self._unmade.add(role)
            if isinstance(error, CollisionError):
                raise MovedError("somebody else has made it by now") from error
            raise


def _give_owner(rights: RightsStore, change: RightsChange, owner: Grantee | None) -> None:
    if change.view is None or owner is None:  # such a change is never made
        raise MovedError("there is no owner to be set")
    rights.set_owner(change.view, owner)


def _read_rights(
    rights: RightsStore, changes: Iterable[RightsChange]
) -> tuple[KeptRights, dict[Identifier, Grantee | None]]:
    owned = [change.view for change in changes if not change.role and change.view is not None]
    return rights.present(), rights.owners(owned) if owned else {}


def _aims(configured: RunConfig, head: PlanHead) -> dict[str, Mapping[str, RoleAim]]:
    """What the roles of each target are to have, by what the plan gives and keeps of them."""
    shared: dict[str, list[RightsChange]] = {}
    places = {}
    for target, destination in head.targets.items():
        if destination.rights.changes:
            with configured.targets[target].store() as store:
                places[target] = require_rights(store).shared
            shared.setdefault(places[target], []).extend(destination.rights.changes)
    return {target: aims_of(shared[place]) for target, place in places.items()}
