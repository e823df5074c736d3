"""Views of databases that are not known more closely, as SQLAlchemy's inspector reads them.

The dialect of the text is SQLAlchemy's name for the database.
"""

from discovery.datatypes import sql
from discovery.formats import database, fields
from discovery.outcomes import Decoded, RawObject


def decode_view(raw: RawObject) -> Decoded:
    """A view; nothing is known of its rights.

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    dialect = fields.required(raw.payload, "dialect")
    facts = database.DatabaseFacts(None, None, {})
    return database.decode_view(raw, dialect, sql.reader(dialect), facts)
