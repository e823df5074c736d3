"""Entries of views in a Hive Metastore, as the store `hms` finds and writes them."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from uuid import uuid4

from connectors.clients.table_types import KINDS
from discovery.crawl import normalize
from discovery.errors import (
    BelvedereError,
    CollisionError,
    DecodeError,
    NotHeldError,
    StoreError,
)
from discovery.formats import metastore_writing
from discovery.formats.hive_table import MADE
from discovery.migration.providers import IDENTIFIER, without_identifier
from discovery.model import Identifier, View
from discovery.outcomes import Failure, Kind, Listed, RawObject
from discovery.ports import Action, Change

CREATED: Final = "created"
"""What the mark of an entry says that belvedere has made, of which nobody else had one."""

_TAKEN: Final = "taken over"
_SECONDS: Final = "transient_lastDdlTime"
_SHOWN: Final = 3  # names of columns
_OF_THE_ENTRY: Final = ("createTime", "lastAccessTime", "retention")


class Occupied(NamedTuple):
    """What stands at a place of a metastore.

    Attributes:
        payload: The entry.
        view: What it is as a view of ours; None: something else, or it cannot be read.
        why: What it is otherwise, or why it cannot be read.
    """

    payload: Mapping[str, Any]
    view: View | None
    why: BelvedereError | None = None

    @property
    def parameters(self) -> Mapping[str, str]:
        """Its parameters."""
        return self.payload.get("parameters") or {}

    @property
    def is_ours(self) -> bool:
        """Whether belvedere or Gravitino has made it."""
        return self.parameters.get(MADE, "").startswith(CREATED) or IDENTIFIER in self.parameters

    @property
    def state(self) -> tuple[str, str]:
        """A parameter that is another one after the next write, and its value.

        Engines keep our mark when they alter a view (Spark 4.1.1). The second of the last write,
        which the metastore sets where the writer states none, tells of them, too.
        """
        seconds = self.parameters.get(_SECONDS, "")
        if seconds.isdigit() or MADE not in self.parameters:
            return _SECONDS, seconds
        return MADE, self.parameters[MADE]


def entry_as_view(place: Identifier, payload: Mapping[str, Any]) -> Occupied:
    """An entry as a view of ours, or as what it is."""
    outcome = normalize(RawObject(Listed(place.namespace, place.name), "hive_table", payload))
    result = outcome.result
    if isinstance(result, View) and outcome.format in metastore_writing.ENCODERS:
        return Occupied(payload, without_identifier(result))
    if isinstance(result, Failure) and outcome.format in metastore_writing.ENCODERS:
        return Occupied(payload, None, DecodeError(result.message, view=str(place)))
    kind = KINDS.get(payload.get("tableType") or "", Kind.UNDECIDED)
    holder = f"a view of {outcome.format or 'another format'}" if kind is Kind.VIEW else kind.value
    hint = "Rename one of them, or map the view to another name."
    why = CollisionError(f"{holder} has this name", hint=hint, view=str(place))
    return Occupied(payload, None, why)


def entry_of(view: View) -> dict[str, Any]:
    """The entry of a view that a plan has as the store holds it.

    Raises:
        NotHeldError: It has other dialects beside: an entry has one text.
    """
    if len(view.representations) > 1:
        dialects = ", ".join(representation.dialect for representation in view.representations)
        hint = "name one in the rule's `dialects`, or map it elsewhere"
        raise NotHeldError(f"an entry has one text, not {dialects}", hint=hint)
    return metastore_writing.encode(view).entry.payload()


def successor_of(change: Change, occupant: Occupied) -> dict[str, Any]:
    """The entry that takes the place of another one."""
    if change.action is Action.RENAME:
        payload = {**occupant.payload, "tableName": change.new_name}
    else:
        kept = {key: occupant.payload[key] for key in _OF_THE_ENTRY if key in occupant.payload}
        payload = {**entry_of(change.view), **kept}
    parameters = {
        key: value
        for key, value in occupant.parameters.items()
        if key == IDENTIFIER or (change.action is Action.RENAME and key != MADE)
    }
    payload["parameters"] = {**payload["parameters"], **parameters}
    successor = marked(payload, CREATED if occupant.is_ours else _TAKEN)
    key, value = occupant.state
    if key == _SECONDS and value.isdigit():  # the server compares it, and wants a new one
        successor["parameters"][key] = str(int(value) + 1)
    return successor


def explain_refusal(error: BelvedereError, payload: Mapping[str, Any]) -> BelvedereError | None:
    """An error of a metastore with what may be the matter with the entry; None: nothing is known.

    It says which statement failed, and neither of which value nor why.
    """
    columns = metastore_writing.find_doubtful_comments(payload)
    if not columns or not isinstance(error, StoreError):
        return None
    hint = (
        f"on MySQL and SQL Server a metastore has room for 256 characters of a column's comment: "
        f"shorten that of {', '.join(columns[:_SHOWN])} at the source, or widen COLUMNS_V2.COMMENT"
    )
    return StoreError(error.message, hint=hint, **error.where)


def marked(payload: dict[str, Any], how: str) -> dict[str, Any]:
    """The entry with the parameter by which we know it again."""
    parameters = {**payload["parameters"], MADE: f"{how} {uuid4()}"}
    return {**payload, "parameters": parameters}
