"""The options of a metastore's own database."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from connectors.clients import sql
from connectors.clients.credentials import Secret
from connectors.clients.files import stated_warehouse
from discovery.engines import ENGINES
from discovery.locations import Bounds
from discovery.model import MYSQL, POSTGRESQL
from discovery.rewriting import Rewriting


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(sql.DatabaseLogin):
    """How to reach and crawl the database of a Hive Metastore.

    Attributes:
        url: `postgresql://host:port/database`, `mysql://…` or `mariadb://…`, without user and
            password.
        schema_name: Of PostgreSQL, in which its tables are; left out, where the user's search path
            leads.
        catalog: Catalog of a metastore since Hive 3; left out, its default one. `*`: every catalog,
            each as a source of its own, whose name has the catalog's behind a dot.
        include: Globs over `database` and `database.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        connections: How many at a time, over all executors.
        batch: How many entries are read in one snapshot.
        timeout: Seconds for connecting and for each statement; a task of a crawl has ten times as
            many.
        io: Properties of pyiceberg's FileIO, for the metadata files of Iceberg views.
        locations: Below which these files may lie; left out, the locations that the metastore
            has of the view's database and of `default`, but no files of this machine.
        rewrite: Folders from which files have moved, each with the folder below which to read them
            now: the longest that an entry's location lies below counts.
    """

    schemes: ClassVar[tuple[str, ...]] = (*ENGINES[POSTGRESQL].schemes, *ENGINES[MYSQL].schemes)

    schema_name: str | None = None
    catalog: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    connections: int = 4
    batch: int = 250
    timeout: float = 60.0
    io: Mapping[str, str | Secret] = field(default_factory=dict)
    locations: tuple[str, ...] = ()
    rewrite: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sql.DatabaseLogin.__post_init__(self)
        self.bounds()
        Rewriting.of(self.rewrite)

    def address(self) -> None:
        """Not told: others name what is in a metastore by its Thrift address."""

    def bounds(self) -> Bounds:
        """Where metadata files may lie, as far as the configuration says.

        Raises:
            ConfigurationError: A location is none.
        """
        return Bounds.of(self.locations, stated_warehouse(self.io))
