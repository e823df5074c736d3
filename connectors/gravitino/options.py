"""Options of the target `gravitino-store`."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from connectors.clients import sql
from connectors.gravitino import names
from discovery.errors import ConfigurationError
from discovery.namespaces import Separator


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(sql.Login):
    """How to reach and fill a store.

    Attributes:
        metalake: Name of the metalake.
        catalog: Name of the catalog that receives the views.
        provider: The catalog's provider, such as `hive` or `lakehouse-generic`.
        catalog_properties: Of the catalog, where it is made.
        schema_separator: The server's `gravitino.schema.separator`: one character of `:;$|~@`.
        free_separator: Whether any other character will do that breaks no route, and schemas
            without levels may have it in their names.
        connections: How many at a time, over all executors.
        timeout: Seconds for connecting and for each statement.
    """

    metalake: str
    catalog: str
    provider: str = "lakehouse-generic"
    catalog_properties: Mapping[str, str] = field(default_factory=dict)
    schema_separator: str = ":"
    free_separator: bool = False
    connections: int = 2
    timeout: float = 60.0

    def __post_init__(self) -> None:
        sql.Login.__post_init__(self)
        self.separator()
        for what, name in (("metalake", self.metalake), ("catalog", self.catalog)):
            if not names.DEFAULT.fullmatch(name):
                hint = "ASCII letters, digits, _, and after the first also / = -; 64 at most"
                raise ConfigurationError(f"Gravitino takes no {what} named {name!r}", hint=hint)

    def separator(self) -> Separator:
        """What joins the levels of nested schemas in the server's names.

        Raises:
            SeparatorError: It cannot.
        """
        return Separator(self.schema_separator, self.free_separator)
