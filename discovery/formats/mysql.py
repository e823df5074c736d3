"""Views of MySQL and of what speaks its protocol, as the connectors read them.

The text is `view_definition` of `information_schema.views`: MySQL and MariaDB qualify every table
in it, and functions where the statement did. MySQL knows no catalogs; Doris and StarRocks do, and
the connector says which is theirs.

A JSON duality view is among them, and `json_duality_object`, by which its text begins, is refused
in any other (6484 in MySQL 9.7.4, 2026-12-01); a function of a user would have its database's name.
"""

from collections.abc import Callable
from typing import Final

from discovery.formats import database, fields
from discovery.formats.not_views import NotAView
from discovery.model import DataType, Security, SecurityMode
from discovery.outcomes import JSON_DUALITY_VIEW, Decoded, RawObject

_PROPERTIES: Final = (
    "algorithm",
    "character_set_client",
    "check_option",
    "collation_connection",
    "is_updatable",
)
_MODES: Final = frozenset(SecurityMode)


def _is_duality_view(raw: RawObject) -> bool:
    definition = fields.text(raw.payload, "definition") or ""
    return definition.startswith("select json_duality_object(")


MYSQL_NOT_VIEWS: Final = (NotAView("mysql", _is_duality_view, JSON_DUALITY_VIEW),)


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
