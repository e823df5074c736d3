"""Events of OpenLineage over HTTP, where the configuration says so."""

from pathlib import Path
from typing import Final

from discovery.errors import UnreachableError
from jobs.configuration.gates import OpenLineage

_PATH: Final = "/api/v1/lineage"
_TIMEOUT: Final = 30.0  # seconds


def send(events: Path, where: OpenLineage) -> int:
    """Send the events of a file, one by one and in order; how many there were.

    Raises:
        UnreachableError: The server did not take one; those after it were not sent.
    """
    import requests  # noqa: PLC0415 - only those wait for it who have a server of events
    from requests.adapters import HTTPAdapter  # noqa: PLC0415 - the same

    from connectors.clients.bounds import bound_times  # noqa: PLC0415 - the same
    from connectors.clients.rest import (  # noqa: PLC0415 - the same
        OnlyStated,
        Patient,
        keep_requests,
    )

    url = where.url.rstrip("/") + _PATH
    headers = {"Content-Type": "application/json"}
    if where.api_key is not None:
        headers["Authorization"] = f"Bearer {where.api_key.reveal()}"
    number, once = 0, Patient(total=0, raise_on_status=False)
    with requests.Session() as session, events.open(encoding="utf-8") as lines:
        session.auth = OnlyStated()
        for scheme in ("https://", "http://"):
            session.mount(scheme, HTTPAdapter(max_retries=once))
        bound_times(session)
        keep_requests(session)
        for number, line in enumerate(lines, 1):
            try:
                answer = session.post(url, line.encode(), headers=headers, timeout=_TIMEOUT)
                answer.raise_for_status()
            except requests.RequestException as error:
                sent = f"event {number} of {events.name} was not taken: {type(error).__name__}"
                raise UnreachableError(f"{sent} {error}", url=url) from error
    return number
