"""How changes beside the views are made, of namespaces and functions: noted before and after."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Final, TypeVar

from connectors.clients.credentials import redacted
from connectors.registry import Connector
from discovery.errors import BelvedereError, MovedError
from discovery.migration.functions import FunctionChange
from discovery.migration.namespaces import NamespaceEdit
from discovery.namespaces import Levels
from discovery.ports import Action, ViewStore
from discovery.rights.changes import RightsChange
from discovery.tags import TagChange
from jobs.console import command
from jobs.migrating.journal import Journal

Answer = bool | BelvedereError
"""Whether something is to be made, or was; an error: why not."""
_SHOWN: Final = 10  # of what fails, on the terminal
_Edit = TypeVar("_Edit", NamespaceEdit, FunctionChange, RightsChange, TagChange)
_There = TypeVar("_There")
_Ask = Callable[[ViewStore, Sequence[_Edit]], Mapping[_Edit, Answer]]
_Make = Callable[[ViewStore, _Edit], bool]


def amend(
    journal: Journal, connector: Connector, edits: Sequence[NamespaceEdit]
) -> set[NamespaceEdit]:
    """Change namespaces of one target; those that are not as they were to be, which is said.

    A change whose answer was lost stays noted as begun: whoever takes it back looks first.
    """

    def amend_namespace(store: ViewStore, edit: NamespaceEdit) -> bool:
        return store.amend(edit)

    return carry_out(journal.amends, connector, edits, _check_edits, amend_namespace)


def make_functions(
    journal: Journal, connector: Connector, changes: Sequence[FunctionChange]
) -> set[FunctionChange]:
    """Make or drop functions of one target; those that are not as they were to be, which is said.

    What is noted is as above.
    """
    return carry_out(journal.makes, connector, changes, _check_functions, _change_function)


def carry_out(
    note: Callable[..., None],
    connector: Connector,
    edits: Sequence[_Edit],
    ask: _Ask[_Edit],
    make: _Make[_Edit],
) -> set[_Edit]:
    """Make what is still to be made; what could not be, of which some is said.

    Args:
        note: Notes edits: before they are made, and whether they were.
        connector: Of their target.
        edits: What is to be made.
        ask: Whether each is still to be made; an error: what is there is not as it was.
        make: Makes one; whether this has.
    """
    answers: dict[_Edit, Answer]
    try:
        with connector.store() as store:
            answers = dict(ask(store, edits))
            to_do = [edit for edit, answer in answers.items() if answer is True]
            note(to_do)
            answers |= {edit: _try_to_make(make, store, edit) for edit in to_do}
    except BelvedereError as error:
        answers = dict.fromkeys(edits, error)
    for made in (True, False):
        note([edit for edit, answer in answers.items() if answer is made], made=made)
    failed = {
        edit: answer for edit, answer in answers.items() if isinstance(answer, BelvedereError)
    }
    for edit, why in islice(failed.items(), _SHOWN):
        command.say(redacted(f"{edit.place} stays as it is: {why}", connector.secrets))
    if (unshown := len(failed) - _SHOWN) > 0:
        command.say(f"and {unshown:,} more")
    return set(failed)


def _try_to_make(make: _Make[_Edit], store: ViewStore, edit: _Edit) -> Answer:
    """Whether something was made by this; an error: it was not, or nobody knows."""
    try:
        return make(store, edit)
    except BelvedereError as error:
        return error


def answer_of(is_to_do: Callable[[_There], bool], present: _There) -> Answer:
    """Whether something is still to be made; an error: what is there is not as it was."""
    try:
        return is_to_do(present)
    except MovedError as error:
        return error


def _check_edits(store: ViewStore, edits: Sequence[NamespaceEdit]) -> dict[NamespaceEdit, Answer]:
    present = {
        namespace.levels: namespace
        for namespace in store.namespaces([edit.levels for edit in edits])
    }
    return {edit: answer_of(edit.is_to_do, present.get(edit.levels)) for edit in edits}


def _check_functions(
    store: ViewStore, changes: Sequence[FunctionChange]
) -> dict[FunctionChange, Answer]:
    functions = store.kept_functions.present([change.function.place for change in changes])
    present = {function.place: function for function in functions}
    return {
        change: answer_of(change.is_to_do, present.get(change.function.place)) for change in changes
    }


def _change_function(store: ViewStore, change: FunctionChange) -> bool:
    functions = store.kept_functions
    if change.action is Action.DROP:
        return functions.drop(change.function)
    return functions.make(change.function)


def still_lacking(connector: Connector, namespaces: Sequence[Levels]) -> tuple[Levels, ...]:
    """Those of the namespaces that are known not to have been made, though that was tried.

    Of others a write whose answer was lost may have made one: like what was about to be made when
    an attempt was killed, it counts as made by it.
    """
    try:
        with connector.store() as store:
            return store.lacking(namespaces) if namespaces else ()
    except BelvedereError:
        return ()
