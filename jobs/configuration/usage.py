"""What `usage` of the configuration may say: the logs in which the use of views stands."""

from collections.abc import Callable
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from discovery.engines import LOGGED
from discovery.errors import ConfigurationError
from discovery.usage.model import StatedLog
from discovery.usage.postgresql import prefix_pattern
from jobs.configuration.gates import PathText, Strict
from jobs.configuration.wording import suggestion


def check_kind(name: str) -> str:
    """An engine whose log is read.

    Raises:
        ValueError: It is none.
    """
    if name not in LOGGED:
        raise ValueError(f"no log of {name!r} is read; {suggestion(name, LOGGED)}")
    return name


def check_zone(name: str) -> str:
    """A time zone that is known.

    Raises:
        ValueError: It is none.
    """
    try:
        ZoneInfo(name)
    except (KeyError, OSError, ValueError) as error:
        raise ValueError(f"{name!r} is no time zone, such as Europe/Berlin") from error
    return name


def check_prefix(prefix: str) -> str:
    """A `log_line_prefix` that has a time.

    Raises:
        ValueError: It has none.
    """
    try:
        prefix_pattern(prefix)
    except ConfigurationError as error:
        raise ValueError(f"{error}; {error.hint}") from error
    return prefix


def _as_list(value: object) -> object:
    return (value,) if isinstance(value, str) else value


class UsageLog(Strict):
    """A log of an engine, from which `belvedere usage` learns which views are used."""

    kind: Annotated[
        str,
        AfterValidator(check_kind),
        WithJsonSchema({"type": "string", "enum": list(LOGGED)}),
    ] = Field(description="The engine whose log it is.")
    path: Annotated[
        tuple[PathText, ...],
        BeforeValidator(_as_list),
        WithJsonSchema(
            {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
        ),
    ] = Field(min_length=1, description="Its files, or folders of them; may have wildcards.")
    source: str | None = Field(
        default=None,
        description="The source that its names are of, where `catalogs` does not say so; of "
        "PostgreSQL, where several sources have a database of the same name.",
    )
    zone: Annotated[str, AfterValidator(check_zone)] = Field(
        default="UTC", description="Time zone of times that do not say theirs."
    )
    prefix: Annotated[str, AfterValidator(check_prefix)] = Field(
        default="%m [%p] ", description="`log_line_prefix` of PostgreSQL."
    )
    ignore_users: tuple[str, ...] = Field(
        default=(), description="Users whose queries are no use, such as one that only crawls."
    )

    def to_stated(self, placed: Callable[[str], str]) -> StatedLog:
        """The log, its paths made absolute."""
        paths = tuple(map(placed, self.path))
        return StatedLog(self.kind, paths, self.source, self.zone, self.prefix, self.ignore_users)
