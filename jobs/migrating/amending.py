"""How the namespaces that a target has are changed, noted before and after."""

from collections.abc import Sequence

from connectors.clients.credentials import redacted
from connectors.registry import Connector
from discovery.errors import BelvedereError, MovedError
from discovery.migration.namespaces import NamespaceEdit
from discovery.model import Schema
from discovery.ports import ViewStore
from jobs.console import command
from jobs.migrating.journal import Journal

_Answer = bool | BelvedereError


def amend(
    journal: Journal, connector: Connector, edits: Sequence[NamespaceEdit]
) -> set[NamespaceEdit]:
    """Change namespaces of one target; those that are not as they were to be, which is said.

    A change whose answer was lost stays noted as begun: whoever takes it back looks first.
    """
    try:
        with connector.store() as store:
            there = {one.levels: one for one in store.namespaces([one.levels for one in edits])}
            answers = {edit: _asked(edit, there.get(edit.levels)) for edit in edits}
            to_do = [edit for edit, answer in answers.items() if answer is True]
            journal.amends(to_do)
            answers |= {edit: _amended(store, edit) for edit in to_do}
    except BelvedereError as error:
        answers = dict.fromkeys(edits, error)
    for made in (True, False):
        journal.amends([edit for edit, answer in answers.items() if answer is made], made=made)
    failed = {edit: one for edit, one in answers.items() if isinstance(one, BelvedereError)}
    for edit, why in failed.items():
        command.say(redacted(f"{edit.place} stays as it is: {why}", connector.secrets))
    return set(failed)


def _asked(edit: NamespaceEdit, there: Schema | None) -> _Answer:
    """Whether a namespace is still to be changed; an error: it is not as it was."""
    try:
        return edit.is_to_do(there)
    except MovedError as error:
        return error


def _amended(store: ViewStore, edit: NamespaceEdit) -> _Answer:
    """Whether a namespace was changed by this; an error: it was not, or nobody knows."""
    try:
        return store.amend(edit)
    except BelvedereError as error:
        return error
