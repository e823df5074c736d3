"""What `estate.yaml` says of reports: thresholds, and where events go."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from connectors.clients.credentials import Secret
from discovery.limits import CrawlLimits, Limit
from reports.thresholds import Limits

SecretText: TypeAlias = Annotated[
    Secret, WithJsonSchema({"type": "string", "pattern": r"^\$\{(env|file):[^}]+\}$"})
]
"""A text that stands in the file as a reference only."""


class Strict(BaseModel):
    """A part of the configuration: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True, frozen=True)


PERCENT: Final = r"^(100(\.0+)?|\d{1,2}(\.\d+)?)%$"
"""A part of all."""
_Limit: TypeAlias = Annotated[int, Field(ge=0)] | Annotated[str, Field(pattern=PERCENT)]
_LIMITED: Final = "A number, or a part of all of them, such as 5%."


class FailOn(Strict):
    """Thresholds: what is over ends a crawl with 4 or 3, a report with 3."""

    unlisted: _Limit = Field(
        default=0,
        description=f"How many namespaces may not be listed; a source is one. {_LIMITED}",
    )
    unread: _Limit = Field(default=0, description=f"How many objects may not be read. {_LIMITED}")
    undecoded: _Limit = Field(
        default=0, description=f"How many objects may be read and not decoded. {_LIMITED}"
    )
    codes: dict[str, _Limit] = Field(
        default={},
        description="By code, how many it may stand at; failures of a crawl that are within it "
        f"count nowhere else. {_LIMITED}",
    )
    severity: dict[Literal["error", "warning"], _Limit] = Field(
        default={}, description=f"By severity, how many views may have such findings. {_LIMITED}"
    )
    standing: dict[Literal["needs review", "blocked", "not judged"], _Limit] = Field(
        default={}, description=f"How many views may be blocked, and so on. {_LIMITED}"
    )

    def limits(self) -> Limits:
        """Those that a report looks at."""
        severity = {str(name): limit for name, limit in self.severity.items()}
        standing = {str(word): limit for word, limit in self.standing.items()}
        return Limits(_limits(self.codes), _limits(severity), _limits(standing))

    def crawl_limits(self) -> CrawlLimits:
        """Those that a crawl looks at."""
        unlisted, unread, undecoded = map(Limit.of, (self.unlisted, self.unread, self.undecoded))
        return CrawlLimits(unlisted, unread, undecoded, _limits(self.codes))


def _limits(stated: Mapping[str, int | str]) -> dict[str, Limit]:
    return {key: Limit.of(one) for key, one in stated.items()}


def _revealed(value: object) -> object:
    """A text that may come by reference and is no secret."""
    return value.reveal() if isinstance(value, Secret) else value


class OpenLineage(Strict):
    """Where events of OpenLineage are sent, beside the file."""

    url: Annotated[str, BeforeValidator(_revealed)] = Field(
        pattern=r"^https?://", description="Of the server; /api/v1/lineage is appended."
    )
    api_key: SecretText | None = Field(default=None, description="Sent as a bearer token.")
