"""What the driver itself does with files of a warehouse: list, read small ones, write.

On this machine with the operating system; elsewhere with the file system that Spark has for the
place, through the gateway to its JVM.
"""

import errno
import hashlib
import os
import shutil
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, Protocol, cast
from uuid import uuid4

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError
from jobs.warehouse.placing import replace_file

_WHOLE: Final = 64 * 1024 * 1024  # bytes that are read to be digested: 0.2 s of one core


@dataclass(frozen=True, slots=True, order=True)
class StoredFile:
    """A file of a folder.

    Attributes:
        path: Below the folder.
        size: In bytes.
    """

    path: str
    size: int

    @property
    def is_hidden(self) -> bool:
        """Whether it is a mark of Spark's, or of a job that has not ended."""
        return any(part.startswith(("_", ".")) for part in PurePosixPath(self.path).parts)

    @property
    def is_data(self) -> bool:
        """Whether it has rows."""
        return self.path.endswith(".parquet") and not self.is_hidden


class Storage(Protocol):
    """A file system, as far as the driver needs it. Paths are absolute, or whole URIs."""

    def files(self, folder: str) -> list[StoredFile]:
        """All files below a folder, by path; none if there is no such folder.

        Raises:
            OSError: It, or a folder in it, cannot be looked into.
        """

    def folders(self, folder: str) -> list[str]:
        """The names of the folders in a folder; none if there is no such folder."""

    def read(self, path: str) -> bytes:
        """A small file.

        Raises:
            OSError: It cannot be read.
        """

    def tail(self, path: str, size: int, count: int) -> bytes:
        """The last bytes of a file of that size."""

    def digest(self, path: str, size: int) -> str | None:
        """BLAKE2b, half the cost of SHA-256, of a file; None where it is too large for that."""

    def replace(self, path: str, data: bytes) -> None:
        """Write a small file, whole or not at all; one that is there is replaced."""

    def remove(self, path: str) -> None:
        """Remove a file, if it is there."""

    def clear(self, folder: str) -> None:
        """Remove a folder with all that is in it, if it is there.

        Raises:
            OSError: Something of it could not be removed.
        """

    def copy(self, folder: str, place: str) -> None:
        """Copy a folder with all that is in it to a place where nothing is.

        Raises:
            OSError: Something of it could not be copied.
        """


class LocalStorage:
    """Files on this machine."""

    def files(self, folder: str) -> list[StoredFile]:
        """See `Storage`."""
        stored_files = []
        for top in (folder, *_linked_folders(folder)):
            for place, _, names in os.walk(top, onerror=_raise_unless_missing):
                for name in names:
                    path = Path(place, name)
                    status = _status_of(path)
                    if status and stat.S_ISREG(status.st_mode):  # a pipe would be waited for
                        stored_files.append(
                            StoredFile(str(path.relative_to(folder)), status.st_size)
                        )
        return sorted(stored_files)

    def folders(self, folder: str) -> list[str]:
        """See `Storage`."""
        try:
            with os.scandir(folder) as entries:
                return sorted(entry.name for entry in entries if entry.is_dir())
        except (FileNotFoundError, NotADirectoryError):
            return []

    def read(self, path: str) -> bytes:
        """See `Storage`."""
        return Path(path).read_bytes()

    def tail(self, path: str, size: int, count: int) -> bytes:
        """See `Storage`."""
        with Path(path).open("rb") as file:
            file.seek(max(0, size - count))
            return file.read(count)

    def digest(self, path: str, size: int) -> str | None:
        """See `Storage`."""
        if size > _WHOLE:
            return None
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "blake2b").hexdigest()

    def replace(self, path: str, data: bytes) -> None:
        """See `Storage`."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, data)

    def remove(self, path: str) -> None:
        """See `Storage`."""
        Path(path).unlink(missing_ok=True)

    def clear(self, folder: str) -> None:
        """See `Storage`; of a link that goes, as what it leads to is not the warehouse's alone."""
        with suppress(FileNotFoundError):
            if Path(folder).is_symlink():
                Path(folder).unlink()
            else:
                shutil.rmtree(folder)

    def copy(self, folder: str, place: str) -> None:
        """See `Storage`; what fails names one file, where `copytree` lists all that it tried."""
        for file in self.files(folder):
            target = Path(place, file.path)
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                shutil.copy2(Path(folder, file.path), target)
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(target)) from error


def _status_of(path: Path) -> os.stat_result | None:
    """What is known of a file; None: it was removed meanwhile, or is a link that leads nowhere."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        return None


def _linked_folders(folder: str) -> list[str]:
    """The links in a folder that lead to folders, as to a run on another disk.

    Of what is further below none is followed: it might lead round in a circle.
    """
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.is_symlink() and entry.is_dir()]
    except OSError:  # whoever walks through it says so
        return []


def _raise_unless_missing(error: OSError) -> None:
    """Raise what a folder that is there does not tell: it would be taken for an empty one."""
    if not isinstance(error, (FileNotFoundError, NotADirectoryError)):
        raise error


class HadoopStorage:
    """Files of a place that only Spark knows.

    No file is read whole to be digested: it would come over the network once more.

    Args:
        spark: The session.
        place: A URI of the file system.
    """

    def __init__(self, spark: SparkSession, place: str) -> None:
        self._jvm = cast("Any", spark._jvm)  # noqa: SLF001 - PySpark shows Hadoop nowhere else
        self._path: Any = self._jvm.org.apache.hadoop.fs.Path
        configuration: Any = spark._jsc.hadoopConfiguration()  # noqa: SLF001 - the same
        self._files = self._path(place).getFileSystem(configuration)

    def files(self, folder: str) -> list[StoredFile]:
        """See `Storage`."""
        root = self._files.makeQualified(self._path(folder))
        if not self._files.exists(root):
            return []
        stored_files, start = [], len(root.toString()) + 1
        entries = self._files.listFiles(root, True)
        while entries.hasNext():
            entry = entries.next()
            stored_files.append(StoredFile(entry.getPath().toString()[start:], entry.getLen()))
        return sorted(stored_files)

    def folders(self, folder: str) -> list[str]:
        """See `Storage`."""
        root = self._path(folder)
        if not self._files.exists(root):
            return []
        entries = self._files.listStatus(root)
        return sorted(entry.getPath().getName() for entry in entries if entry.isDirectory())

    def read(self, path: str) -> bytes:
        """See `Storage`."""
        return self._read_from(path, 0)

    def tail(self, path: str, size: int, count: int) -> bytes:
        """See `Storage`."""
        return self._read_from(path, max(0, size - count))

    def digest(self, path: str, size: int) -> str | None:  # noqa: ARG002 - see `Storage`
        """None: the file would come over the network once more."""
        return None

    def replace(self, path: str, data: bytes) -> None:
        """See `Storage`; between the old file and the new one there may be none."""
        folder, _, name = path.rpartition("/")
        unseen = f"{folder}/.{name}.{uuid4().hex}"
        try:
            stream = self._files.create(self._path(unseen), False)
            stream.write(bytearray(data))
            stream.close()
        except Py4JJavaError as error:
            raise _os_error(path, error) from error
        self.remove(path)
        self._files.rename(self._path(unseen), self._path(path))

    def remove(self, path: str) -> None:
        """See `Storage`."""
        self._files.delete(self._path(path), False)

    def clear(self, folder: str) -> None:
        """See `Storage`."""
        root = self._path(folder)
        if self._files.exists(root) and not self._files.delete(root, True):
            raise OSError(errno.EIO, "could not be removed", folder)

    def copy(self, folder: str, place: str) -> None:
        """See `Storage`."""
        source, target, files = self._path(folder), self._path(place), self._files
        files.mkdirs(target.getParent())
        copier = self._jvm.org.apache.hadoop.fs.FileUtil
        try:
            done = copier.copy(files, source, files, target, False, files.getConf())
        except Py4JJavaError as error:
            raise _os_error(folder, error) from error
        if not done:
            raise OSError(errno.EIO, "could not be copied", folder)

    def _read_from(self, path: str, offset: int) -> bytes:
        try:
            stream = self._files.open(self._path(path))
        except Py4JJavaError as error:
            raise _os_error(path, error) from error
        try:
            stream.seek(offset)
            return bytes(self._jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
        finally:
            stream.close()


def root_of(warehouse: str) -> str:
    """The folder of a warehouse as `storage_of` takes it, however a configuration writes it."""
    return warehouse.removeprefix("file://").rstrip("/")


def storage_of(place: str, spark: SparkSession | None) -> Storage:
    """The file system of a place: this machine's own, unless the place is a URI of Spark's.

    Raises:
        ConfigurationError: It is a file, or below one, where a reader would find just nothing.
        ValueError: It is a URI, and there is no Spark to reach it: a folder of that name on this
            machine is never what is meant.
    """
    if "://" not in place:
        if _is_no_folder(place):
            hint = "name a folder whose path has no file in it, nor a link that leads round"
            raise ConfigurationError(f"{place}: is no folder", hint=hint)
        return LocalStorage()
    if spark is None:
        raise ValueError(f"{place} is reached by Spark alone")
    return HadoopStorage(spark, place)


def _is_no_folder(place: str) -> bool:
    """Whether something else is there, or above it, so that there can be no folder."""
    try:
        return not stat.S_ISDIR(Path(place).stat().st_mode)
    except NotADirectoryError:
        return True
    except OSError as error:  # of what else it is, whoever opens it says so
        return error.errno == errno.ELOOP


def _os_error(path: str, error: Py4JJavaError) -> OSError:
    """What Java says, as Python does."""
    message = str(error.java_exception.getMessage())
    if "FileNotFound" in str(error.java_exception):
        return FileNotFoundError(f"{path}: {message}")
    return OSError(f"{path}: {message}")
