"""Views of Hive itself, and of whoever writes like Hive (Hive 2 to 4, Paimon, Spark before 2.2).

The design allows either text; Hive's original text does not parse back (backticks and the view's
column aliases are gone, names are unqualified, the current database is recorded nowhere), so the
expanded text is the representation. It needs no default catalog or schema.
"""

from discovery.errors import DecodeError
from discovery.formats import foreign, hive_table, paimon
from discovery.formats.hive_table import VIRTUAL_VIEW, HiveTable
from discovery.model import HIVE, Representation, View
from discovery.outcomes import Decoded


def matches(table: HiveTable) -> bool:
    """A view text that no other format has claimed."""
    return True if table.expanded or table.original else table.type == VIRTUAL_VIEW


def decode(table: HiveTable) -> Decoded:
    """The expanded text and the entry's own columns.

    Raises:
        DecodeError: There is no text, or a column cannot be read.
    """
    sql = table.expanded or table.original
    if sql is None:
        raise DecodeError("is missing", field="viewExpandedText")
    view = View(
        identifier=table.identifier,
        columns=hive_table.columns(table),
        representations=(Representation(dialect=HIVE, sql=sql),),
        comment=table.parameters.get("comment"),
        properties=hive_table.properties(table.parameters, ("comment",)),
        audit=hive_table.audit(table),
    )
    return Decoded(view, (*paimon.notes_in_hive(table), *foreign.notes(table)))
