"""The columns that a running engine shows of a view, beside those that are declared or planned."""

import json
import re
from typing import Final

from discovery import checks
from discovery.checks.subject import Returned
from discovery.errors import InvalidTypeError
from discovery.judging.asking import Dialogue
from discovery.model import Column, DataType, Primitive, UnionOf, View, with_parts
from discovery.ports import Verdict

_SIZED: Final = re.compile(r"(timestamp|timestamp_tz|time)\(\d+\)|(varchar)\(\d+\)")
_AS: Final = {"byte": "integer", "short": "integer", "varchar": "string", "uuid": "uuid"}
"""Types of which connectors make another, to that; lengths and precisions are theirs, too."""


def compare_columns(
    dialogue: Dialogue, view: View, form: str, dialect: str, verdict: Verdict
) -> Returned | None:
    """The columns that the engine shows beside those that the view declares; None: it has not said.

    Types are compared where the entry is the engine's own: elsewhere its connector chooses them.
    """
    if not verdict.accepted or verdict.returns is None:
        return None
    declared = tuple(column._replace(name=column.name.lower()) for column in view.columns)
    declared_types = (
        {} if form == dialogue.engine else {column.name: column.type for column in declared}
    )
    try:
        shown = tuple(
            Column(
                name.lower(), declared_types.get(name.lower()) or dialogue.read(kind), None, False
            )
            for name, kind in json.loads(verdict.returns)
        )
    except InvalidTypeError:
        return None
    names = tuple(column.name for column in declared)
    return Returned(dialogue.engine, dialect, declared, shown, names)


def unlike_planned(dialogue: Dialogue, planned: View, verdict: Verdict) -> tuple[str, ...]:
    """What of the columns that the engine shows is not as a plan has them.

    Names in any case, in their order, and types: but for those of which the connectors of engines
    make wider ones, lengths and precisions.
    """
    subject = compare_columns(dialogue, planned, dialogue.engine, dialogue.engine, verdict)
    if subject is None:
        return () if verdict.returns is None else ("columns: a type that nobody can read",)
    declared, shown = (
        tuple(map(_loose, columns)) for columns in (subject.declared, subject.returned)
    )
    alike = Returned(subject.engine, subject.dialect, declared, shown, subject.sought)
    return tuple(f"columns: {finding.message}" for _, finding in checks.of_analyses(alike))


def _loose(column: Column) -> Column:
    return column._replace(type=_plain(column.type))


def _plain(kind: DataType) -> DataType:
    match kind:
        case Primitive(text):
            plain = _SIZED.sub(lambda match: match[1] or match[2], text)
            return Primitive(_AS.get(plain, plain))
        case UnionOf():
            return kind
        case _:
            return with_parts(kind, _plain)
