"""Views of MySQL and of what speaks its protocol, as the connectors read them.

The text is `view_definition` of `information_schema.views`: MySQL and MariaDB qualify every table
in it, and functions where the statement did. MySQL knows no catalogs; Doris and StarRocks do, and
the connector says which is theirs.
"""

from collections.abc import Callable
from typing import Final

from discovery.formats import database, fields
from discovery.model import DataType, Security, SecurityMode
from discovery.outcomes import Decoded, RawObject

_PROPERTIES: Final = (
    "algorithm",
    "character_set_client",
    "check_option",
    "collation_connection",
    "is_updatable",
)
_MODES: Final = frozenset(SecurityMode)


def reader(dialect: str, parse: Callable[[str], DataType]) -> Callable[[RawObject], Decoded]:
    """What decodes the views of a database of this family.

    `SQL SECURITY` and the definer are the view's security; check option, algorithm, whether it is
    updatable, and the character set and collation in which its literals are read are properties.
    """

    def decode_view(raw: RawObject) -> Decoded:
        texts = {key: fields.text(raw.payload, key) for key in _PROPERTIES}
        mode = (fields.text(raw.payload, "security_type") or "").upper()
        definer = fields.text(raw.payload, "definer") or None
        security = Security(SecurityMode(mode), definer) if mode in _MODES else None
        stated = database.DatabaseFacts(
            catalog=fields.text(raw.payload, "catalog"),
            security=security,
            properties={key: text for key, text in texts.items() if text and text != "NONE"},
        )
        return database.decode_view(raw, dialect, parse, stated)

    return decode_view
