"""A Paimon REST catalog, asked and written over its protocol (Paimon 1.4, `RESTApi`)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from connectors.clients.credentials import Secret
from connectors.clients.paging import Pages
from connectors.clients.rest import LEADING_ELSEWHERE, JsonClient
from connectors.clients.restarts import RestartPatience
from discovery.errors import ReadError
from discovery.model import Identifier

_WHOLE_PAGE: Final = 500


def address(path: str, *names: str) -> str:
    """A path below the catalog with names in it, which may be any other text.

    Raises:
        ReadError: One would lead elsewhere.
    """
    if odd := LEADING_ELSEWHERE & {*names}:
        raise ReadError(f"the name {min(odd)!r} cannot stand in a path")
    return path.format(*(quote(name, safe="") for name in names))


def view_path(place: Identifier) -> str:
    """The path of a view."""
    return address("/databases/{}/views/{}", *place.namespace, place.name)


class PaimonServer:
    """The server of a catalog; connects when it is first asked.

    Args:
        uri: Up to the `/v1` of the protocol.
        warehouse: Which of the server's.
        token: Sent as a bearer token.
        timeout: Seconds for connecting and for each answer.
        patience: With which it is asked for what it has; None: it is asked once.
    """

    def __init__(
        self,
        uri: str,
        warehouse: str,
        token: Secret | None,
        timeout: float,
        *,
        patience: RestartPatience | None = None,
    ) -> None:
        self._client = JsonClient(uri, token=token, timeout=timeout)
        self._warehouse = warehouse
        self._patience = patience or RestartPatience(times=0)
        self._prefix = ""  # of each path, once the server has told it

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def get(self, path: str, **parameters: str | int) -> Mapping[str, Any]:
        """What the server says at a path below the catalog.

        Raises:
            BelvedereError: Nothing is there, it refuses, or it does not answer.
        """
        return self._patience.ask(lambda: self._client.get(self._resolve(path), **parameters))

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> None:
        """Change something at a path below the catalog.

        Raises:
            BelvedereError: It is refused, or nobody knows whether it was done.
        """
        self._client.send(method, self._resolve(path), body)

    def pages(self, path: str, member: str, size: int = _WHOLE_PAGE) -> Iterator[Any]:
        """The entries of a list, page by page."""
        token: str | None = ""
        listed = Pages(path)
        while token is not None:
            place = {"pageToken": token} if token else {}
            answer = self.get(path, maxResults=size, **place)
            entries = answer.get(member)
            if not isinstance(entries, list):
                raise ReadError(f"{path}: the answer has no list {member!r}")
            stated = answer.get("nextPageToken")
            token = listed.token_behind(entries, str(stated) if stated else None)
            yield from entries

    def _resolve(self, path: str) -> str:
        if not self._prefix:
            config = self._client.get("/v1/config", warehouse=self._warehouse)
            parts = config.get("defaults") or {}, config.get("overrides") or {}
            if not all(isinstance(part, dict) for part in parts):
                raise ReadError("/v1/config: the answer has no maps `defaults` and `overrides`")
            stated = {**parts[0], **parts[1]}
            prefix = f"/{quote(str(stated['prefix']), safe='')}" if stated.get("prefix") else ""
            self._prefix = f"/v1{prefix}"
        return self._prefix + path
