"""The types of a Hive Metastore's objects, and what they say of these."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

from discovery.errors import UnreachableError
from discovery.outcomes import Kind

KINDS: Final[Mapping[str, Kind]] = {
    "VIRTUAL_VIEW": Kind.VIEW,
    "MATERIALIZED_VIEW": Kind.MATERIALIZED_VIEW,
    "MANAGED_TABLE": Kind.TABLE,
    "EXTERNAL_TABLE": Kind.TABLE,
    "INDEX_TABLE": Kind.TABLE,
}
"""`tableType` to what it is; of any other only the entry tells."""


class TypedNames(Protocol):
    """What says which objects a metastore has."""

    def table_types(
        self, databases: Sequence[str], types: Sequence[str] = ()
    ) -> Iterable[tuple[str, str, str | None]]:
        """Database, name and type of every object, of some types only if they are given."""

    def table_names(self, database: str) -> list[str]:
        """The names of all objects of a database."""


def typed_names(client: TypedNames, database: str) -> list[tuple[str, str | None]]:
    """Name and type of every object of a database, by name; the type is None where it is NULL.

    A server cannot answer for an object without a type: then names, and type by type.
    """
    try:
        return [(name, kind) for _, name, kind in sorted(client.table_types([database]))]
    except UnreachableError:
        asked = (client.table_types([database], [kind]) for kind in KINDS)
        types = {name: kind for answer in asked for _, name, kind in answer}
        return [(name, types.get(name)) for name in sorted(client.table_names(database))]
