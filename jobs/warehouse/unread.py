"""What of a warehouse cannot be read: the damage of the run that has it, and of no other."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from discovery.errors import EvidenceError
from jobs.warehouse.storage import Storage

_OF_ONE_FILE: Final = (errno.EACCES, errno.EPERM, errno.EIO, errno.ELOOP, errno.ENODATA)
"""What a system says of a file that is there: another's, on a bad part of a disk, or a link that
leads round. All else, as too many open files or a mount that is gone, is so of all files."""
_PASSES: Final = "let the user who runs this read it, or look at its disk"


@contextmanager
def reading_of(subject: str) -> Iterator[None]:
    """Read something of a run.

    Args:
        subject: Of what.

    Raises:
        EvidenceError: The system does not give a file; the reason may pass, and its cause says it.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _OF_ONE_FILE:
            raise
        place = "" if error.filename is None else f"{error.filename}: "
        why = f"{subject}: {place}{error.strerror}"
        raise EvidenceError(why, hint=_PASSES) from error


def why_changed(storage: Storage, path: str, size: int, content: str | None) -> str:
    """Why the content of a file is not proven to be what was written; empty: it is.

    Args:
        storage: Where it is.
        path: Of the file.
        size: Of it, in bytes.
        content: Its digest when it was written; None: it was not computed.
    """
    try:
        with reading_of(path):
            changed = content is not None and storage.digest(path, size) != content
    except EvidenceError as error:
        return str(error)
    return f"{path}: its content has changed" if changed else ""


def is_unread(error: EvidenceError) -> bool:
    """Whether something is damaged only so far as the system does not give a file."""
    return isinstance(error.__cause__, OSError) and error.__cause__.errno in _OF_ONE_FILE


def unread_counts(run_id: str) -> EvidenceError:
    """That the counts of a run are not what a crawl writes."""
    why = f"run {run_id}: what it counted cannot be read"
    return EvidenceError(why, hint="restore its row in `runs`, or take the run away")
