"""Sessions with a server of Iceberg's REST protocol: patient, and bounded in time."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from pyiceberg.catalog import rest
from requests import Session

from connectors.clients.bounds import bound_answers, bound_times
from connectors.clients.rest import AWAY, BUSY, Patient, keep_requests
from discovery.errors import ConfigurationError

_RETRY: Final = Patient(
    total=3,
    backoff_factor=0.3,
    status_forcelist=(BUSY, *AWAY),
    allowed_methods=None,  # the POST for a token may come twice; those that write have `ONCE`
    raise_on_status=False,  # the last answer has the server's message
)
ONCE: Final = Patient(total=0, raise_on_status=False)
"""How often a write is sent: whether one was done is unknown where no answer came."""


def bound(session: Session, timeout: float) -> Session:
    """The session with retries and a timeout: requests itself waits for ever."""
    adapter: Any
    for adapter in session.adapters.values():
        adapter.max_retries = _RETRY
    if session.hooks["response"]:  # it is bounded already, but for an adapter of SigV4
        bound_times(session)
    else:
        bound_answers(session)
        keep_requests(session)
    limited: Any = partial(Session.request, session, timeout=timeout)
    session.request = limited  # type: ignore[method-assign]
    return session


def check_aws(session: Any, properties: Mapping[str, str]) -> None:  # noqa: ANN401 - boto3
    """What pyiceberg's SigV4 fails without, and does not name.

    Raises:
        ConfigurationError: There are no keys, or no region.
    """
    if session is None:
        return
    if session.get_credentials() is None:
        hint = "set client.access-key-id and client.secret-access-key, or AWS's environment"
        raise ConfigurationError("SigV4 has no keys to sign with", hint=hint)
    if not properties.get(rest.SIGV4_REGION, session.region_name):
        hint = "set rest.signing-region"
        raise ConfigurationError("SigV4 has no region to sign for", hint=hint)
