"""A read-only client of the AWS Glue Data Catalog, through boto3: pages, retries, our errors.

Lake Formation is asked who may do what there, and STS who asks.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import boto3
import botocore.session
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConfigNotFound,
    ConfigParseError,
    ConnectionError,  # noqa: A004 - botocore's own, and the built-in one is not meant
    CredentialRetrievalError,
    HTTPClientError,
    InvalidConfigError,
    LoginError,
    MetadataRetrievalError,
    MissingDependencyException,
    NoCredentialsError,
    PartialCredentialsError,
    ProfileNotFound,
    RefreshWithMFAUnsupportedError,
    SSOError,
    TokenRetrievalError,
)
from botocore.utils import parse_timestamp

from connectors.clients.bounds import answering_in_time
from connectors.clients.credentials import Secret
from connectors.clients.json_texts import dumped, loaded
from connectors.clients.paging import Pages
from connectors.clients.rest import RETRY
from connectors.clients.restarts import RestartPatience
from discovery.errors import BelvedereError, DeniedError, ReadError, UnreachableError

_PAGES: Final = {"glue": 100, "lakeformation": 1000}
"""The most that each gives at a time."""
_NAMED: Final = {
    "get_databases": "Name",
    "get_tables": "Name",
    "get_user_defined_functions": "FunctionName",
}
"""What each of an answer's entries is asked for by."""
_NO_CREDENTIALS: Final = (
    *(ConfigNotFound, ConfigParseError, CredentialRetrievalError, InvalidConfigError, LoginError),
    *(MetadataRetrievalError, MissingDependencyException, NoCredentialsError),
    *(PartialCredentialsError, ProfileNotFound, RefreshWithMFAUnsupportedError, SSOError),
    *(TokenRetrievalError, OSError),  # of a token's file, or of a process that gives them
)
"""What AWS's default chain raises where it has no credentials, or none that are valid any more."""
_EXPIRED: Final = frozenset({"ExpiredToken", "ExpiredTokenException", "RequestExpired"})
_DENIED: Final = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "IncompleteSignature",
        "InvalidClientTokenId",
        "InvalidSignatureException",
        "MissingAuthenticationToken",
        "NotAuthorized",
        "OptInRequired",
        "SignatureDoesNotMatch",
        "UnrecognizedClientException",
    }
)
_DECRYPT: Final = "kms:Decrypt"
"""The right that AWS names where the key of an encrypted catalog is refused to who asks (its answer
in issue 1436 of data-dot-all/dataall)."""
_BUSY: Final = frozenset(
    {
        "FederationSourceRetryableException",
        "InternalFailure",
        "InternalServiceException",
        "OperationTimeoutException",
        "RequestLimitExceeded",
        "ServiceUnavailable",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        # statuses, which botocore takes for the code where a server, or a proxy, gives no other
        *("429", "500", "502", "503", "504"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GlueLogin:
    """How to reach Glue.

    Attributes:
        region: AWS region.
        access_key_id: With `secret_access_key` the static credentials; None means the default chain
            (environment, files, container, instance).
        secret_access_key: See above.
        endpoint: URL instead of the region's own.
        catalog_id: Of another account or a catalog inside one; None is the caller's account.
        timeout: Seconds for connecting and for each answer.
        attempts: How often a call is tried when AWS is busy; a server that does not answer is asked
            four times at most, as any other.
    """

    region: str
    access_key_id: Secret | None
    secret_access_key: Secret | None
    endpoint: str | None
    catalog_id: str | None
    timeout: float
    attempts: int


class GlueClient:
    """The calls that a crawl needs; none of them changes anything.

    Entries are plain JSON-able data by the API's own field names, times as text in UTC.
    """

    def __init__(self, login: GlueLogin) -> None:
        self._login = login
        self._catalog = {"CatalogId": login.catalog_id} if login.catalog_id else {}
        self._opened: dict[str, Any] = {}
        self._patience = RestartPatience()

    def expect(self) -> None:
        """Wait from the first call on where there is no answer: what Glue has was listed."""
        self._patience.expect()

    def close(self) -> None:
        """Close the connections; the next call opens others."""
        for client in self._opened.values():
            client.close()
        self._opened.clear()

    def databases(self) -> Iterator[dict[str, Any]]:
        """Every database, page by page.

        Raises:
            BelvedereError: A page could not be had; those before it have been given.
        """
        return self._read_pages("glue", "get_databases", "DatabaseList", self._catalog)

    def tables(self, database: str) -> Iterator[dict[str, Any]]:
        """Every entry of a database whole, page by page: 100 a call.

        Raises:
            BelvedereError: A page could not be had; those before it have been given.
        """
        arguments = {**self._catalog, "DatabaseName": database}
        return self._read_pages("glue", "get_tables", "TableList", arguments)

    def table(self, database: str, name: str) -> dict[str, Any] | None:
        """One entry; None if there is no such."""
        arguments = {**self._catalog, "DatabaseName": database, "Name": name}
        try:
            answer = self._ask("glue", "get_table", "Table", arguments)
        except EntityNotFoundError:
            return None
        entry: dict[str, Any] = answer["Table"]
        return entry

    def functions(self) -> Iterator[dict[str, Any]]:
        """Every function of all databases, page by page.

        Raises:
            BelvedereError: A page could not be had; those before it have been given.
        """
        method = "get_user_defined_functions"
        arguments = {**self._catalog, "Pattern": ".*"}
        return self._read_pages("glue", method, "UserDefinedFunctions", arguments)

    def caller(self) -> tuple[str, str]:
        """Who we are: account and ARN. It takes no right.

        Raises:
            BelvedereError: STS does not say.
        """
        answer = self._ask("sts", "get_caller_identity", "Arn", {})
        return str(answer["Account"]), str(answer["Arn"])

    def data_lake_settings(self, account: str) -> dict[str, Any]:
        """Lake Formation's settings of an account, with its administrators.

        Raises:
            BelvedereError: They may not be read.
        """
        arguments = {"CatalogId": account}
        method, member = "get_data_lake_settings", "DataLakeSettings"
        settings: dict[str, Any] = self._ask("lakeformation", method, member, arguments)[member]
        return settings

    def permissions(self, catalog: str) -> Iterator[dict[str, Any]]:
        """Every permission in a catalog that we are shown, page by page.

        Raises:
            BelvedereError: A page could not be had; those before it have been given.
        """
        arguments = {"CatalogId": catalog}
        member = "PrincipalResourcePermissions"
        return self._read_pages("lakeformation", "list_permissions", member, arguments)

    def _read_pages(
        self, service: str, method: str, member: str, arguments: Mapping[str, object]
    ) -> Iterator[dict[str, Any]]:
        token: str | None = ""
        pages = Pages(method)
        while token is not None:
            place = {"NextToken": token} if token else {}
            request = {**arguments, **place, "MaxResults": _PAGES[service]}
            answer = self._ask(service, method, member, request)
            token = pages.token_behind(answer[member], answer.get("NextToken"))
            nameless = 0
            for entry in answer[member]:
                if method not in _NAMED or (entry is not None and entry.get(_NAMED[method])):
                    yield entry
                else:
                    nameless += 1
            if nameless:
                raise ReadError(f"{method}: an entry has no name: nobody can ask for it")

    def _ask(
        self, service: str, method: str, member: str, arguments: Mapping[str, object]
    ) -> dict[str, Any]:
        return self._patience.ask(lambda: self._call(service, method, member, arguments))

    def _call(
        self, service: str, method: str, member: str, arguments: Mapping[str, object]
    ) -> dict[str, Any]:
        try:
            answer = getattr(self._open_client(service), method)(**arguments)
        except ClientError as error:
            raise _our_error(method, error) from None
        except (ConnectionError, HTTPClientError) as error:  # some of these are OSErrors, too
            raise UnreachableError(f"{method}: {error}") from error
        except _NO_CREDENTIALS as error:
            hint = "set the keys of the source, or log in where AWS's default chain looks"
            raise DeniedError(f"{method}: {error}", hint=hint) from error
        except BotoCoreError as error:
            raise ReadError(f"{method}: {error}") from error
        except (LookupError, AttributeError, TypeError, ValueError):
            answer = {}  # of botocore's parser, for XML, JSON or bytes that are no answer
        if answer.get(member) is None:  # boto3 takes any text for an empty answer
            hint = f"does the endpoint belong to {service}?"
            raise ReadError(f"{method}: the answer has no {member}", hint=hint)
        plain: dict[str, Any] = loaded(dumped(answer, _text))
        return plain

    def _open_client(self, service: str) -> Any:  # noqa: ANN401 - boto3 is untyped
        if service not in self._opened:
            login = self._login
            key, secret = login.access_key_id, login.secret_access_key
            client = _session().client(
                service,
                region_name=login.region,
                endpoint_url=login.endpoint,
                aws_access_key_id=key and key.reveal(),
                aws_secret_access_key=secret and secret.reveal(),
                config=Config(
                    connect_timeout=login.timeout,
                    read_timeout=login.timeout,
                    retries={"mode": "adaptive", "total_max_attempts": login.attempts},
                    user_agent_extra="belvedere",
                ),
            )
            _bound(client, service)
            self._opened[service] = client
        return self._opened[service]


def _session() -> boto3.Session:
    """A session of its own: the default one is shared and not safe between threads.

    A time that is none, or of a year beyond 9999, stays as it is written: botocore's parser lets
    it cost the whole page, which is a hundred entries.
    """
    core = botocore.session.Session()
    core.get_component("response_parser_factory").set_parser_defaults(timestamp_parser=_time)
    return boto3.Session(botocore_session=core)


def _time(value: object) -> datetime | str:
    try:
        time: datetime = parse_timestamp(value)
    except (RuntimeError, ValueError):
        return str(value)
    return time


def _bound(client: Any, service: str) -> None:  # noqa: ANN401 - boto3 is untyped
    """Let each answer end in time, and a server that gives none be asked no more than others.

    botocore 1.44 has no option for either: its pools are its own, and it counts attempts without
    an answer like those at a service that is busy.
    """
    pools = client._endpoint.http_session._pool_classes_by_scheme  # noqa: SLF001 - there is no other
    for scheme, pool in pools.items():
        connection = answering_in_time(pool.ConnectionCls)
        pools[scheme] = type(pool.__name__, (pool,), {"ConnectionCls": connection})
    client.meta.events.register_first(f"needs-retry.{service}", _end_silence)


def _end_silence(attempts: int, caught_exception: Exception | None, **_: object) -> None:
    """Raise what came in place of an answer, after as many attempts as at any other server."""
    silent = isinstance(caught_exception, ConnectionError | HTTPClientError)
    if caught_exception is not None and silent and attempts > (RETRY.total or 0):
        raise caught_exception


class StillBusyError(UnreachableError):
    """AWS has answered each attempt that it is busy: asked on, it is for longer."""

    transient = False


class EntityNotFoundError(ReadError):
    """Glue has no such database or entry."""


def _our_error(method: str, error: ClientError) -> BelvedereError:
    """Our error for one of Glue, with its code and message."""
    details = error.response.get("Error", {})
    code = str(details.get("Code", ""))
    message = f"{method}: {code}: {details.get('Message', '')}"
    if code == "EntityNotFoundException":
        return EntityNotFoundError(message)
    if code in _EXPIRED:
        return DeniedError(message, hint="the credentials have expired: log in again")
    if code == "GlueEncryptionException" and _DECRYPT in message:
        hint = f"the catalog is encrypted: {_DECRYPT} on its key is needed, too"
        return DeniedError(message, hint=hint)
    if code in _DENIED:
        return DeniedError(message)
    if code in _BUSY:
        hint = "AWS stayed busy: crawl with fewer runs at a time, or ask AWS for a higher quota"
        return StillBusyError(message, hint=hint)
    return ReadError(message)


def _text(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return str(value)
