"""Listings that come page by page, of which some servers find no end.

A server, or a proxy before it, that does not heed the token gives its first page for ever, each
time with a token that may be another one. Nobody would see that but by the pages themselves.
"""

from collections.abc import Collection
from hashlib import blake2b
from typing import Final

from discovery.errors import ReadError

_EMPTY: Final = 1_000  # pages in a row: AWS gives empty ones where it filters


class Pages:
    """The pages of one listing, as they come.

    Args:
        what: Is listed, for people.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._tokens: set[str] = set()
        self._pages: set[bytes] = set()
        self._empty = 0

    def token_behind(self, page: Collection[object], token: str | None) -> str | None:
        """The token with which the page behind one is asked for; None: it was the last.

        Args:
            page: What is on it.
            token: As the server gave it.

        Raises:
            ReadError: The listing does not end: a token or a page comes again, or none has
                anything on it.
        """
        if not token:
            return None
        content = blake2b(repr(page).encode("utf-8", "surrogatepass")).digest()
        self._empty = 0 if page else self._empty + 1
        if token in self._tokens or (page and content in self._pages):
            raise ReadError(f"{self._what}: the server gives the page {token!r} for ever")
        if self._empty > _EMPTY:
            raise ReadError(f"{self._what}: the server gives empty pages for ever")
        self._tokens.add(token)
        self._pages.add(content)
        return token
