"""What `estate.yaml` says of reports: thresholds, and where events go."""

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from connectors.clients.credentials import Secret
from reports.thresholds import Limit, Limits

SecretText: TypeAlias = Annotated[
    Secret, WithJsonSchema({"type": "string", "pattern": r"^\$\{(env|file):[^}]+\}$"})
]
"""A text that stands in the file as a reference only."""


class Strict(BaseModel):
    """A part of the configuration: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True, frozen=True)


_PERCENT: Final = r"^(100(\.0+)?|\d{1,2}(\.\d+)?)%$"
_Limit: TypeAlias = Annotated[int, Field(ge=0)] | Annotated[str, Field(pattern=_PERCENT)]
_LIMITED: Final = "A number of views, or a part of all of them, such as 5%."


class FailOn(Strict):
    """Thresholds for exit code 3."""

    undecoded: int = Field(
        default=0, ge=0, description="How many views may be read and not decoded."
    )
    codes: dict[str, _Limit] = Field(
        default={}, description=f"By code, how many views it may stand at. {_LIMITED}"
    )
    severity: dict[Literal["error", "warning"], _Limit] = Field(
        default={}, description=f"By severity, how many views may have such findings. {_LIMITED}"
    )
    standing: dict[Literal["needs review", "blocked", "not judged"], _Limit] = Field(
        default={}, description=f"How many views may be blocked, and so on. {_LIMITED}"
    )

    def limits(self) -> Limits:
        """Those that a report looks at."""
        stated = (self.codes, self.severity, self.standing)
        return Limits(*({key: Limit.of(one) for key, one in some.items()} for some in stated))


def _revealed(value: object) -> object:
    """A text that may come by reference and is no secret."""
    return value.reveal() if isinstance(value, Secret) else value


class OpenLineage(Strict):
    """Where events of OpenLineage are sent, beside the file."""

    url: Annotated[str, BeforeValidator(_revealed)] = Field(
        pattern=r"^https?://", description="Of the server; /api/v1/lineage is appended."
    )
    api_key: SecretText | None = Field(default=None, description="Sent as a bearer token.")
