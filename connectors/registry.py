"""The table of connectors: where each one's class and options are. Imports nothing until asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from discovery.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Kind:
    """Where a connector is: `module:Class`, with its `Options` in the same module."""

    path: str

    def connector(self) -> type[Any]:
        """Its class.

        Raises:
            ConfigurationError: A package that it needs is not installed.
        """
        found: type[Any] = getattr(self._module(), self.path.partition(":")[2])
        return found

    def options(self) -> type[Any]:
        """The class of its options.

        Raises:
            ConfigurationError: A package that it needs is not installed.
        """
        found: type[Any] = self._module().Options
        return found

    def _module(self) -> Any:  # noqa: ANN401 - a module
        module = self.path.partition(":")[0]
        try:
            return import_module(module)
        except ModuleNotFoundError as error:
            hint = f"pip install {error.name}"
            why = f"{module} needs the package {error.name}"
            raise ConfigurationError(why, hint=hint) from error


SOURCES: Final[Mapping[str, Kind]] = {
    "archive": Kind("connectors.archive:Archive"),
    "glue": Kind("connectors.glue:Glue"),
    "hms": Kind("connectors.hms:HiveMetastore"),
    "paimon": Kind("connectors.paimon:Paimon"),
    "postgresql": Kind("connectors.jdbc.postgresql:PostgreSQL"),
}
STORES: Final[Mapping[str, Kind]] = {
    "gravitino-store": Kind("connectors.gravitino.entity_store:EntityStore"),
}
JUDGES: Final[Mapping[str, Kind]] = {
    "hive": Kind("connectors.judges.hive:Hive"),
    "spark": Kind("connectors.judges.spark:Spark"),
}
