"""Views of Hive itself, and of whoever writes like Hive (Hive 2 to 4, Paimon, Spark before 2.2).

The design allows either text; Hive's original text does not parse back (backticks and the view's
column aliases are gone, names are unqualified, the current database is recorded nowhere), so the
expanded text is the representation. It needs no default catalog or schema; Paimon's needs one.
"""

from typing import Final

from discovery.datatypes import hive as types
from discovery.errors import DecodeError, InvalidTypeError, NotHeldError
from discovery.formats import fields, foreign, hive_table, loss_notes, paimon, qualified
from discovery.formats.hive_table import VIRTUAL_VIEW, HiveTable, ViewEntry
from discovery.model import HIVE, Column, Representation, View
from discovery.outcomes import Decoded

_CONSUMED: Final = ("comment", paimon.CATALOG, paimon.SCHEMA)


def matches(table: HiveTable) -> bool:
    """A view text that no other format has claimed."""
    return True if table.expanded or table.original else table.type == VIRTUAL_VIEW


def decode(table: HiveTable) -> Decoded:
    """The expanded text and the entry's own columns.

    A view of Paimon that Gravitino has made says by its options where its short names lead.

    Raises:
        DecodeError: There is no text, or a column cannot be read.
    """
    sql = table.expanded or table.original
    if sql is None:
        raise DecodeError("is missing", field="viewExpandedText")
    parameters = table.parameters
    text = Representation(
        dialect=HIVE,
        sql=sql,
        default_catalog=parameters.get(paimon.CATALOG) or None,
        default_schema=parameters.get(paimon.SCHEMA) or None,
    )
    view = View(
        identifier=table.identifier,
        columns=hive_table.columns(table),
        representations=(text,),
        comment=parameters.get("comment"),
        properties=hive_table.properties(parameters, _CONSUMED),
        audit=hive_table.audit(table),
    )
    keys = fields.columns(table.payload, "partitionKeys", "", types.parse)
    partitioned = loss_notes.not_in_model(f"partitionKeys: {key.name}" for key in keys)
    return Decoded(view, (*partitioned, *paimon.notes_in_hive(table), *foreign.notes(table)))


def encode(view: View, text: Representation) -> ViewEntry:
    """The entry as Hive reads it: the text, qualified, and the entry's own columns.

    Hive resolves short names by the database of whoever asks: those of a text with a context are
    written out.

    Args:
        view: To be written.
        text: That of its representations which is taken.

    Raises:
        InvalidTypeError: Hive has no type for a column; says which.
        NotHeldError: Its short names cannot be written out for sure, or are in a nested schema; or
            two columns would be one.
    """
    _check_names(view)
    expanded = _qualified(view, text)
    comment = {} if view.comment is None else {"comment": view.comment}
    kept = {key: value for key, value in view.properties if key not in _CONSUMED}
    return ViewEntry(
        identifier=view.identifier,
        original=expanded,
        expanded=expanded,
        parameters={**kept, **comment},
        columns=tuple([_entry_column(column) for column in view.columns]),
        owner=view.audit.creator,
        owner_kind=view.audit.creator_kind,
    )


def _check_names(view: View) -> None:
    """Refuse columns whose names differ by case alone: a metastore has one row for each."""
    names = [column.name.lower() for column in view.columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        why = f"Hive has names of columns in lower case, and {twice:.80} would be there twice"
        raise NotHeldError(why, hint="rename one in the view", view=str(view.identifier))


def _qualified(view: View, text: Representation) -> str:
    if not text.default_levels:
        return text.sql
    expanded = qualified.qualify(text.sql, text.default_levels)
    if expanded is None or len(text.default_levels) > 1:
        why = (
            f"Hive keeps no default schema, here {text.default_schema}, and short names of the "
            "text cannot be written out for sure"
        )
        hint = "qualify the names in the view, or take a target that keeps the context"
        raise NotHeldError(why, hint=hint, view=str(view.identifier))
    return expanded


def _entry_column(column: Column) -> tuple[str, str, str | None]:
    try:
        return column.name.lower(), types.spell(column.type), column.comment
    except InvalidTypeError as error:
        raise InvalidTypeError(f"{column.name}: {error}") from error
