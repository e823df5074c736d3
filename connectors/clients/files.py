"""Files that entries point to, through pyiceberg's FileIO: local, HDFS, object stores."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any, Final, TypeVar

from connectors.clients.credentials import Secret, revealed
from discovery.errors import FileUnreadableError, StoreError

Answer = TypeVar("Answer")

MAX_BYTES: Final = 64 * 1024 * 1024
_AT_ONCE: Final = 8


class FileAccess:
    """Reads and writes whole files.

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
        return _side_by_side(list(dict.fromkeys(uris)), self._attempt)

    def _attempt(self, uri: str) -> bytes | FileUnreadableError:
        try:
            return self.read(uri)
        except FileUnreadableError as error:
            return error

    def write_all(self, contents: Mapping[str, bytes]) -> dict[str, StoreError | None]:
        """Write several files side by side; why one could not be written, and None for the others.

        Args:
            contents: By URI. A file that is there is overwritten: give each a name of its own.
        """
        return _side_by_side(list(contents), lambda uri: self._refusal(uri, contents[uri]))

    def remove_all(self, uris: Iterable[str]) -> tuple[str, ...]:
        """Remove files side by side; those that stay."""
        refusals = _side_by_side(list(uris), lambda uri: self._refusal(uri, None))
        return tuple(uri for uri, refusal in refusals.items() if refusal)

    def _refusal(self, uri: str, content: bytes | None) -> StoreError | None:
        try:
            self._put(uri, content)
        except StoreError as error:
            return error
        return None

    def _put(self, uri: str, content: bytes | None) -> None:
        """Write a file; None removes it."""
        try:
            if content is None:
                self._io(uri).delete(uri)
                return
            with self._io(uri).new_output(uri).create(overwrite=True) as stream:
                stream.write(content)
        except Exception as error:
            hint = "give the io properties that may write there"
            raise StoreError(f"{uri}: {type(error).__name__}: {error}", hint=hint) from error


def _side_by_side(uris: Sequence[str], do: Callable[[str], Answer]) -> dict[str, Answer]:
    """What became of each file, in their order."""
    if not uris:
        return {}
    shares = [uris[start::_AT_ONCE] for start in range(min(_AT_ONCE, len(uris)))]
    with ThreadPoolExecutor(len(shares)) as threads:  # a future per file costs more than a file
        done = threads.map(lambda share: [(uri, do(uri)) for uri in share], shares)
        return dict(chain.from_iterable(done))
