"""What `engines` of the configuration may say: names, and settings that change what they read."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from connectors import registry
from discovery.checks.name_lowered import ANY_CASE
from discovery.judging.analyzers import ANALYZE_OPTION, ANALYZERS
from discovery.judging.entries import ANSI
from discovery.judging.paths import DIALECT, HIVE_VIEWS
from discovery.model import FLINK, SPARK, TRINO
from jobs.configuration.gates import Strict

VERSION: Final = "version"
"""The setting of an engine that says which of it the estate runs."""
_OWNERS: Final = {
    HIVE_VIEWS: (TRINO,),
    ANY_CASE: (TRINO,),
    ANSI: (SPARK,),
    DIALECT: (FLINK,),
    ANALYZE_OPTION: tuple(
        sorted(
            {
                analyzer.engine
                for analyzer in ANALYZERS.values()
                if ANALYZE_OPTION in analyzer.named_settings
            }
        )
    ),
}


def _is_version(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _version_text(value: object) -> object:
    """A version as text; YAML takes what is not in quotes for a number."""
    return str(value) if _is_version(value) else value


class EngineSettings(Strict):
    """How an engine of the estate is set up, where that changes what it reads."""

    hive_views: bool | Literal["legacy"] = Field(
        default=False,
        description="Of Trino: whether it translates views of Hive and Spark in a metastore "
        "(`hive.hive-views.enabled`); `legacy`: with `hive.hive-views.legacy-translation`.",
    )

    any_case: bool = Field(
        default=False,
        description="Of Trino: whether its catalogs of databases find names that have upper case "
        "(`case-insensitive-name-matching`).",
    )

    ansi: bool = Field(
        default=True,
        description="Of Spark: whether its sessions are in ANSI mode (`spark.sql.ansi.enabled`), "
        "as Spark 4 has it by default. It counts for Iceberg's views; those in a metastore have a "
        "mode of their own.",
    )

    dialect: Literal["default", "hive"] = Field(
        default="default",
        description="Of Flink: in which dialect its sessions are (`table.sql-dialect`). What Flink "
        "reads in Hive's is not judged.",
    )

    analyze: bool = Field(
        default=True,
        description="Of Spark, Hive, Trino, PostgreSQL and Flink: whether their analyzers judge, "
        "too, where the columns of all that a view reads are known. Flink's does where this is "
        "`true`: its planner is 56 MB of jars more. The others do unless it is `false`.",
    )

    version: Annotated[
        str | None, BeforeValidator(_version_text), WithJsonSchema({"type": ["string", "number"]})
    ] = Field(
        default=None,
        description="Which of the engine the estate runs, where several can be had "
        "(docs/judges.md): `1.20` in quotes, as YAML has it for the number 1.2. The engine's name "
        "with its version alone says the same.",
    )

    def named_settings(self) -> dict[str, str]:
        """The settings by name, as the table of reading paths spells them."""
        return {name: str(value).lower() for name, value in self if name in self.model_fields_set}


def _by_name(value: object) -> object:
    """A list of names as a map without settings.

    Raises:
        ValueError: It has something else.
    """
    if isinstance(value, list | tuple):
        if odd := [name for name in value if not isinstance(name, str)]:
            why = f"a list of engines has names alone, and {odd[0]!r} is none"
            raise ValueError(f"{why}; settings stand in a map: `{{trino: {{}}, spark: {{…}}}}`")
        return {name: {} for name in value}
    if isinstance(value, dict):
        return {name: _settings(settings) for name, settings in value.items()}
    return value


def _settings(value: object) -> object:
    """The settings of an engine; its version may stand there alone, or nothing."""
    if value is None:
        return {}
    return {VERSION: value} if _is_version(value) else value


def _check_owners(engines: dict[str, EngineSettings]) -> dict[str, EngineSettings]:
    for name, engine in engines.items():
        for setting, owners in _OWNERS.items():
            if setting in engine.model_fields_set and name not in owners:
                raise ValueError(f"{setting} is a setting of {' and '.join(owners)}, not of {name}")
        if engine.version is not None:
            _check_version(name, engine.version)
    return engines


def _check_version(engine: str, version: str) -> None:
    available = registry.versions(engine)
    if not available:
        owners = " and ".join(name for name in registry.JUDGES if registry.versions(name))
        raise ValueError(f"{VERSION} is a setting of {owners}, not of {engine}")
    if version not in available:
        quoted = " or ".join(f'"{name}"' for name in sorted(available))
        raise ValueError(f'there is no {engine} "{version}" here to judge, but {quoted}, in quotes')


_SETTINGS: Final[dict[str, Any]] = EngineSettings.model_json_schema()
Engines: TypeAlias = Annotated[
    dict[str, EngineSettings],
    BeforeValidator(_by_name),
    AfterValidator(_check_owners),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "items": {"type": "string"}},
                {
                    "type": "object",
                    "additionalProperties": {
                        "anyOf": [_SETTINGS, {"type": ["string", "number", "null"]}]
                    },
                },
            ]
        }
    ),
]
"""A list of names, or names with their settings."""


def settings_of(engines: Mapping[str, EngineSettings] | None) -> dict[str, dict[str, str]]:
    """The settings of each engine that has any."""
    stated = {name: engine.named_settings() for name, engine in (engines or {}).items()}
    return {name: settings for name, settings in stated.items() if settings}


def versions(settings: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """What the estate runs of its engines, where it says so."""
    return {name: setting[VERSION] for name, setting in settings.items() if VERSION in setting}
