"""Options of the target `gravitino-store`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from sqlalchemy import Engine, make_url

from connectors.clients import sql
from discovery.engines import ENGINES
from discovery.errors import ConfigurationError
from discovery.migration.providers import ANY_NAME
from discovery.model import MYSQL, POSTGRESQL
from discovery.namespaces import Separator

_MYSQL: Final = ENGINES[MYSQL].schemes
_STRICT: Final = "SET SESSION sql_mode = 'STRICT_ALL_TABLES'"  # what does not fit is no warning


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(sql.DatabaseLogin):
    """How to reach and fill a store.

    Attributes:
        url: `postgresql://host:port/database` or `mysql://…` (`mariadb://…`), without user and
            password.
        metalake: Name of the metalake.
        catalog: Name of the catalog that receives the views.
        provider: The catalog's provider, such as `hive` or `lakehouse-generic`.
        catalog_properties: Of the catalog, where it is made.
        schema_separator: The server's `gravitino.schema.separator`: one character of `:;$|~@`.
        free_separator: Whether any other character will do that breaks no route, and schemas
            without levels may have it in their names.
        owners: Whether the creator of a view or schema becomes its owner in the store, as a user
            of the metalake, who is made where he is missing.
        connections: How many at a time, over all executors.
        timeout: Seconds for connecting and for each statement.
    """

    schemes: ClassVar[tuple[str, ...]] = (*ENGINES[POSTGRESQL].schemes, *_MYSQL)

    metalake: str
    catalog: str
    provider: str = "lakehouse-generic"
    catalog_properties: Mapping[str, str] = field(default_factory=dict)
    schema_separator: str = ":"
    free_separator: bool = False
    owners: bool = False
    connections: int = 2
    timeout: float = 60.0

    def __post_init__(self) -> None:
        sql.DatabaseLogin.__post_init__(self)
        self.separator()
        for kind, name in (("metalake", self.metalake), ("catalog", self.catalog)):
            if not ANY_NAME.fullmatch(name):
                hint = "ASCII letters, digits, _, and after the first also / = -; 64 at most"
                raise ConfigurationError(f"Gravitino takes no {kind} named {name!r}", hint=hint)

    def engine(self) -> Engine:
        """Of the database that the URL names; statements end after the timeout."""
        if make_url(self.url).get_backend_name() in _MYSQL:
            return sql.mysql(
                self, timeout=self.timeout, isolation="READ COMMITTED", init_command=_STRICT
            )
        limit = f"-c statement_timeout={round(self.timeout * 1000)}"
        return sql.postgresql(self, options=limit, timeout=self.timeout)

    def separator(self) -> Separator:
        """What joins the levels of nested schemas in the server's names.

        Raises:
            SeparatorError: It cannot.
        """
        return Separator(self.schema_separator, self.free_separator)
