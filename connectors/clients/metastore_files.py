"""The metadata files that entries of Iceberg views in a metastore point to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from connectors.clients.credentials import Secret
from connectors.clients.files import FileAccess, stated_warehouse
from connectors.clients.metastore_options import MetastoreOptions
from discovery.errors import BelvedereError
from discovery.locations import Bounds
from discovery.rewriting import Rewriting


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataFileOptions(MetastoreOptions):
    """How to reach a Hive Metastore and the files that its entries point to.

    Attributes:
        io: Properties of pyiceberg's FileIO, for the metadata files of Iceberg views.
        locations: Below which these files may lie; left out, the locations that the metastore
            states of the view's database and of its warehouse, but no files of this machine.
    """

    io: Mapping[str, str | Secret] = field(default_factory=dict)
    locations: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        MetastoreOptions.__post_init__(self)
        self.bounds()

    def bounds(self) -> Bounds:
        """Where metadata files may lie, as far as the configuration says.

        Raises:
            ConfigurationError: A location is none.
        """
        return Bounds.of(self.locations, stated_warehouse(self.io))


class FileOptions(Protocol):
    """How the files that entries point to are reached."""

    @property
    def io(self) -> Mapping[str, str | Secret]:
        """Properties of pyiceberg's FileIO."""

    def bounds(self) -> Bounds:
        """Where they may lie, as far as the configuration says."""


class StatedPlaces(Protocol):
    """What says where a metastore puts databases."""

    def database(self, name: str) -> dict[str, Any] | None:
        """A database by the field names of the Thrift IDL; None if it is gone."""

    def warehouse(self) -> tuple[str, ...]:
        """The folders in which it puts databases, as far as it tells."""


class MetadataFiles:
    """The metadata files of views in a metastore.

    Args:
        options: Where they may lie.
        client: The metastore, which says the rest.
        rewriting: Where files are read that are no longer where entries say.
    """

    def __init__(
        self, options: FileOptions, client: StatedPlaces, rewriting: Rewriting | None = None
    ) -> None:
        self._client, self._bounds = client, options.bounds()
        self._access = FileAccess(options.io, rewriting)
        self._warehouse: tuple[str, ...] | None = None  # once it was asked for

    def read(self, uris: Mapping[str, str]) -> dict[str, bytes | BelvedereError]:
        """Files, read side by side, or why one could not be read.

        Args:
            uris: Each with the database of its view.
        """
        stated = {database: self._look_up_locations(database) for database in set(uris.values())}
        wanted = {uri: stated[database] for uri, database in uris.items()}
        return self._access.read_below(wanted, self._bounds)

    def admit(self, uri: str, database: str) -> bool:
        """Whether a file of a view may lie there."""
        return self._access.lies_below(uri, self._bounds, self._look_up_locations(database))

    def write(self, uri: str, content: bytes) -> None:
        """Write a file, whole or not at all.

        Raises:
            StoreError: It could not be written.
        """
        if (refused := self._access.write_all({uri: content})[uri]) is not None:
            self.remove(uri)  # half a file
            raise refused

    def remove(self, uri: str) -> None:
        """Remove a file, if that can be."""
        self._access.remove_all([uri])

    def _look_up_locations(self, database: str) -> tuple[str, ...]:
        """Where the metastore says that views of a database lie; nothing if that is configured."""
        if self._bounds.closed:
            return ()
        if self._warehouse is None:
            self._warehouse = self._client.warehouse()
        own = (self._client.database(database) or {}).get("locationUri")
        return (own, *self._warehouse) if own else self._warehouse
