"""What `estate.yaml` says of ends: thresholds, where events go, and who is told."""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)

from connectors.clients.credentials import Secret
from discovery.limits import CrawlLimits, Limit
from discovery.secrets_in_texts import find
from reports.thresholds import Limits

SecretText: TypeAlias = Annotated[
    Secret, WithJsonSchema({"type": "string", "pattern": r"^\$\{(env|file):[^}]+\}$"})
]
"""A text that stands in the file as a reference only."""


def is_unicode(path: str) -> bool:
    """Whether a path is a text; Python keeps bytes that are none as halves of surrogate pairs."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


_HALF_A_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/(?!/)")


def check_path(path: str | None) -> str | None:
    """A path or URI that leads where whoever wrote it means.

    Raises:
        ValueError: It does not: an empty one, as of a variable that is empty, would be this folder
            itself, `~` a folder of that name, `file:/x` a folder `file:`, and for bytes that are no
            UTF-8 Java has no name.
    """
    if path is None:
        return None
    if not path.strip():
        raise ValueError("is empty; `.` is this folder itself")
    if not is_unicode(path):
        raise ValueError("has bytes that are no UTF-8, which Spark cannot name")
    if path.startswith("~"):
        raise ValueError("begins with ~, which only shells know: write ${env:HOME}, or all of it")
    if match := _HALF_A_URI.match(path):
        raise ValueError(f"is neither a path nor a URI: URIs begin with {match[0]}/")
    return path


def _refuse_secret(address: str) -> str:
    """An address that outputs show, so that none may hold a secret, by reference neither.

    Raises:
        ValueError: It does.
    """
    if any(find(address)):
        raise ValueError("has a secret in it, and is shown: take it out")
    return address


PathText: TypeAlias = Annotated[str, AfterValidator(check_path), AfterValidator(_refuse_secret)]
"""A path as seen from the folder of the file, or a URI."""


class Strict(BaseModel):
    """A part of the configuration: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True, frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def refuse_truth(cls, value: object, info: ValidationInfo) -> object:
        """Refuse `true` and `false` where a number stands: pydantic takes them for 1 and 0.

        Raises:
            ValueError: It is one of them.
        """
        hint = cls.model_fields[str(info.field_name)].annotation
        counts = (_has(hint, int) or _has(hint, float)) and not _has(hint, bool)
        of_map = get_origin(hint) is dict and isinstance(value, bool)  # who wants a map says so
        wrong = [key for key, part in _parts(value) if isinstance(part, bool)]
        if counts and wrong and not of_map:
            raise ValueError(f"{wrong[0]}must be a number, and is true or false")
        return value


def _parts(value: object) -> Iterable[tuple[str, object]]:
    """What is to be called by which name: the values of a map, else the value itself."""
    if isinstance(value, dict):
        return ((f"{key} ", part) for key, part in value.items())
    return (("", value),)


def _has(hint: object, sort: type) -> bool:
    """Whether a type is, or is made of, another one."""
    return hint is sort or any(_has(part, sort) for part in get_args(hint))


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

    quality: _Limit = Field(
        default=0,
        description="How many expectations of quality may fail in a `run`, beside those of what "
        f"the crawl could not read or decode, which are its own. {_LIMITED}",
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
    return {key: Limit.of(limit) for key, limit in stated.items()}


def _revealed(value: object) -> object:
    """A text that may come by reference and is no secret."""
    return value.reveal() if isinstance(value, Secret) else value


def _check_host(url: str) -> str:
    """A URL with a host, and with a port, if any, that can be one.

    Raises:
        ValueError: It has none; what is there is not said, as it may be a key.
    """
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        has_host = False
    if not has_host:
        raise ValueError("must name a host, as https://host:port/path does")
    return url


class OpenLineage(Strict):
    """Where events of OpenLineage are sent, beside the file."""

    url: Annotated[
        str, BeforeValidator(_revealed), AfterValidator(_check_host), AfterValidator(_refuse_secret)
    ] = Field(pattern=r"^https?://", description="Of the server; /api/v1/lineage is appended.")
    api_key: SecretText | None = Field(default=None, description="Sent as a bearer token.")


def _parse_address(value: object) -> Secret:
    """A URL that may hold a key, and then comes by reference; it is never shown.

    Raises:
        ValueError: It is none, or has a key that stands in the file.
    """
    text = value.reveal() if isinstance(value, Secret) else value
    if not isinstance(text, str) or not text.startswith(("http://", "https://")):
        raise ValueError("must begin with http:// or https://")
    if not isinstance(value, Secret) and any(find(text)):
        raise ValueError("has a secret in it: write it by reference, ${env:NAME}")
    return Secret(_check_host(text))


class Webhook(Strict):
    """A server that gets a JSON object by POST."""

    url: Annotated[Secret, BeforeValidator(_parse_address), WithJsonSchema({"type": "string"})] = (
        Field(description="Where it is posted, as a text or by reference; it is shown nowhere.")
    )
    token: SecretText | None = Field(default=None, description="Sent as a bearer token.")


_Mailbox: TypeAlias = Annotated[str, Field(pattern=r"^[^\s<>@,;]+@[^\s<>@,;]+$")]


class MailFolder(Strict):
    """A folder that gets each message as a file, `.eml`: what sends mail takes it from there."""

    folder: PathText = Field(min_length=1, description="From the folder of `estate.yaml`.")
    to: tuple[_Mailbox, ...] = Field(min_length=1, description="Whom it is for.")
    sender: _Mailbox = Field(default="belvedere@localhost", description="Whom it is from.")


class Notify(Strict):
    """Who is told how a stage, or a run of all of them, has ended."""

    webhook: Webhook | None = None
    mail: MailFolder | None = None
    when: Literal["always", "failure"] = Field(
        default="always", description="`failure`: only if the exit code is not 0."
    )

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """Values that no output may show."""
        if self.webhook is None:
            return ()
        return tuple(
            secret for secret in (self.webhook.url, self.webhook.token) if secret is not None
        )

    def beside(self, folder: Path) -> "Notify":
        """The same, its paths seen from a folder."""
        if self.mail is None:
            return self
        mail = self.mail.model_copy(update={"folder": os.path.realpath(folder / self.mail.folder)})
        return self.model_copy(update={"mail": mail})
