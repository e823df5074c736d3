"""What `engines` of the configuration may say: names, and settings that change what they read."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from discovery.judging.analyzers import ANALYZE, ANALYZERS
from discovery.judging.paths import HIVE_VIEWS
from discovery.model import TRINO
from jobs.configuration.gates import Strict

_OWNERS: Final = {
    HIVE_VIEWS: (TRINO,),
    ANALYZE: tuple(
        sorted({one.engine for one in ANALYZERS.values() if ANALYZE in one.named_settings})
    ),
}


class EngineSettings(Strict):
    """How an engine of the estate is set up, where that changes what it reads."""

    hive_views: bool | Literal["legacy"] = Field(
        default=False,
        description="Of Trino: whether it translates views of Hive and Spark in a metastore "
        "(`hive.hive-views.enabled`); `legacy`: with `hive.hive-views.legacy-translation`.",
    )

    analyze: bool = Field(
        default=True,
        description="Of Spark, Hive, Trino and Flink: whether their analyzers judge, too, where "
        "the columns of all that a view reads are known. Flink's does where this is `true`: its "
        "planner is 55 MB of jars more. The others do unless it is `false`.",
    )

    def stated(self) -> dict[str, str]:
        """The settings by name, as the table of reading paths spells them."""
        return {name: str(value).lower() for name, value in self if name in self.model_fields_set}


def _by_name(value: object) -> object:
    """A list of names as a map without settings; a name may stand there without a value."""
    if isinstance(value, list | tuple):
        return {str(name): {} for name in value}
    if isinstance(value, dict):
        return {name: {} if one is None else one for name, one in value.items()}
    return value


def _where_they_matter(engines: dict[str, EngineSettings]) -> dict[str, EngineSettings]:
    for name, one in engines.items():
        for setting, owners in _OWNERS.items():
            if setting in one.model_fields_set and name not in owners:
                raise ValueError(f"{setting} is a setting of {' and '.join(owners)}, not of {name}")
    return engines


_SETTINGS: Final[dict[str, Any]] = EngineSettings.model_json_schema()
Engines: TypeAlias = Annotated[
    dict[str, EngineSettings],
    BeforeValidator(_by_name),
    AfterValidator(_where_they_matter),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "items": {"type": "string"}},
                {
                    "type": "object",
                    "additionalProperties": {"anyOf": [_SETTINGS, {"type": "null"}]},
                },
            ]
        }
    ),
]
"""A list of names, or names with their settings."""


def settings_of(engines: Mapping[str, EngineSettings] | None) -> dict[str, dict[str, str]]:
    """The settings of each engine that has any."""
    stated = {name: one.stated() for name, one in (engines or {}).items()}
    return {name: one for name, one in stated.items() if one}
