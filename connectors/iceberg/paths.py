"""Names in the paths of Iceberg's REST protocol: nobody asks for what would lead elsewhere."""

from typing import Final

from pyiceberg.catalog import rest
from pyiceberg.table import TableIdentifier
from pyiceberg.typedef import Identifier, Properties

from connectors.clients.rest import LEADING_ELSEWHERE
from discovery.errors import ReadError
from discovery.namespaces import Levels

_SEPARATOR: Final = rest.DEFAULT_NAMESPACE_SEPARATOR


def no_place(levels: Levels, name: str | None = None) -> str | None:
    """Why the paths of the protocol have no place for a namespace, or for what is in it.

    Args:
        levels: Of the namespace; they are one part of a path, joined by a separator.
        name: In it.
    """
    if any(_SEPARATOR in level for level in levels):
        return (
            "a level of its namespace has U+001F in it, which separates levels in Iceberg's paths"
        )
    parts = {*levels} if len(levels) == 1 else set()
    odd = LEADING_ELSEWHERE & (parts if name is None else {*parts, name})
    return f"the name {min(odd)!r} cannot stand in Iceberg's paths" if odd else None


class CarefulPaths(rest.RestCatalog):
    """pyiceberg's client, which sends any name, and requests takes `..` out of the path."""

    def _encode_namespace_path(self, namespace: Levels) -> str:
        """A namespace as one part of a path.

        Raises:
            ReadError: It would be another one's.
        """
        if (why := no_place(namespace)) is not None:
            raise ReadError(why)
        return super()._encode_namespace_path(namespace)

    def _split_identifier_for_path(
        self,
        identifier: str | Identifier | TableIdentifier,
        kind: rest.IdentifierKind = rest.IdentifierKind.TABLE,
    ) -> Properties:
        """What stands in a path for what is in a namespace.

        Raises:
            ReadError: It would lead elsewhere.
        """
        path = super()._split_identifier_for_path(identifier, kind)
        if (why := no_place((), path[kind.value])) is not None:
            raise ReadError(why)
        return path
