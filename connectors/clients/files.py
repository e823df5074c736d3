"""Files that entries point to, read through pyiceberg's FileIO: local, HDFS, object stores."""

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any, Final

from connectors.clients.credentials import Secret, revealed
from discovery.errors import FileUnreadableError

MAX_BYTES: Final = 64 * 1024 * 1024
_AT_ONCE: Final = 8


class Files:
    """Reads whole files.

    Args:
        properties: Of pyiceberg's FileIO: `s3.endpoint`, `s3.access-key-id`, …
    """

    def __init__(self, properties: Mapping[str, str | Secret]) -> None:
        self._properties = revealed(properties)
        self._ios: dict[str, Any] = {}  # pyiceberg's FileIO, by scheme

    def read(self, uri: str) -> bytes:
        """The bytes of a file.

        Raises:
            FileUnreadableError: It is missing, refused, or larger than 64 MiB.
        """
        try:
            file = self._io(uri).new_input(uri)
            if (size := len(file)) > MAX_BYTES:
                raise FileUnreadableError(f"{size} bytes are more than {MAX_BYTES >> 20} MiB")
            with file.open() as stream:
                content: bytes = stream.read()
                return content
        except FileUnreadableError:
            raise
        except Exception as error:
            raise FileUnreadableError(f"{type(error).__name__}: {error}") from error

    def _io(self, uri: str) -> Any:  # noqa: ANN401 - pyiceberg's FileIO
        from pyiceberg.io import load_file_io  # noqa: PLC0415 - 0.2 s that few metastores need

        scheme = uri.partition(":")[0]
        if scheme not in self._ios:
            self._ios[scheme] = load_file_io(self._properties, uri)
        return self._ios[scheme]

    def read_all(self, uris: Iterable[str]) -> dict[str, bytes | FileUnreadableError]:
        """The bytes of several files, read side by side, or why one could not be read."""
        wanted = list(dict.fromkeys(uris))
        if not wanted:
            return {}
        shares = [wanted[start::_AT_ONCE] for start in range(min(_AT_ONCE, len(wanted)))]
        with ThreadPoolExecutor(len(shares)) as threads:  # a future per file costs more than a file
            found = threads.map(lambda share: [(uri, self._attempt(uri)) for uri in share], shares)
            return dict(chain.from_iterable(found))

    def _attempt(self, uri: str) -> bytes | FileUnreadableError:
        try:
            return self.read(uri)
        except FileUnreadableError as error:
            return error
