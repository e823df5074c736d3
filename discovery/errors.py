"""Every error that is raised on purpose: a stable code, a hint, a place, safe to pickle.

A class docstring is the page of its code: the first line says what happened, the rest what it
means.
"""

from enum import StrEnum
from functools import partial
from typing import Any, ClassVar, Self


class Coded(StrEnum):
    """Codes that are no errors, each with its page."""

    meaning: str

    def __new__(cls, code: str, meaning: str) -> Self:
        """A code with its page."""
        member = str.__new__(cls, code)
        member._value_, member.meaning = code, meaning
        return member


class BelvedereError(Exception):
    """Base of every error raised on purpose.

    Args:
        message: What was wrong.
        hint: What would be right, for the reader.
        **where: The place as data, for example `field="sd.cols[2].type"`.
    """

    code: ClassVar[str]
    advice: ClassVar[str] = ""  # the hint, where none is given
    transient: ClassVar[bool] = False

    def __init__(self, message: str, *, hint: str = "", **where: str) -> None:
        super().__init__(message)
        self.message, self.hint, self.where = message, hint or self.advice, where

    def __reduce__(self) -> tuple[Any, ...]:  # keyword arguments do not survive the default one
        return partial(type(self), self.message, hint=self.hint, **self.where), ()

    def __str__(self) -> str:
        if not self.where:
            return self.message
        place = ", ".join(f"{key} {value}" for key, value in self.where.items())
        return f"{place}: {self.message}"


class ConfigurationError(BelvedereError):
    """The configuration or the command line is wrong.

    Every problem is listed with its file, line and column. Nothing was crawled or written.
    """

    code = "CONFIGURATION"


class SeparatorError(ConfigurationError):
    """A character cannot separate the levels of nested namespaces.

    It is one character; not the dot, which joins levels in storage; not one that breaks routes or
    quoting, such as `/`; and one of the allowed ones unless the choice is free.
    """

    code = "INVALID_SEPARATOR"


class NamespaceError(BelvedereError):
    """A namespace has no name in the form that was asked for.

    A level is empty or contains what separates levels, or the name could not be parted again into
    the same levels.
    """

    code = "INVALID_NAMESPACE"


class NamespaceConflictError(BelvedereError):
    """A schema that is there already would be taken for nested levels.

    Its name contains the separator. Nothing was written: rename the schema, or take one of the
    separators that the hint names.
    """

    code = "NAMESPACE_CONFLICT"


class UnreachableError(BelvedereError):
    """A source, target or engine did not answer.

    The host refused or dropped the connection, or did not answer within the timeout. What was not
    read because of it is listed object by object; a later run reads it again.
    """

    code = "UNREACHABLE"
    advice = "is it running, and do host, port and TLS fit?"
    transient = True


class ListingError(BelvedereError):
    """The objects of a source or namespace could not be listed.

    What it holds is unknown, so nothing of it is counted as absent. The message is the system's
    own.
    """

    code = "LISTING_FAILED"


class ReadError(BelvedereError):
    """The source refused to return this one object.

    Batches that fail are halved until the object that causes it stands alone, so its neighbours are
    not lost. The message is the system's own; the entry needs repair at the source.
    """

    code = "READ_FAILED"
    advice = "repair or drop the entry at the source, or exclude it"


class DeniedError(BelvedereError):
    """The crawling principal lacks a right.

    The message is the system's own and names the right. Grant it, or exclude the object.
    """

    code = "DENIED"
    advice = "grant the right, or exclude the object"


class GrantsNotToldError(BelvedereError):
    """A source does not say who may do what, or belvedere does not ask it.

    Who may read its views is unknown, which is not the same as that nobody may.
    """

    code = "GRANTS_NOT_TOLD"


class FileUnreadableError(BelvedereError):
    """A file that an entry points to is missing or cannot be read.

    An Iceberg view lives in its metadata file; the entry in the metastore is only a pointer and its
    text can be out of date, so nothing is decoded from it alone.
    """

    code = "FILE_UNREADABLE"
    advice = "restore the file, or give the source's io properties that may read it"


class FileOutsideError(FileUnreadableError):
    """An entry points to a file outside of where the views of its source lie.

    Whoever may write an entry chooses the file, so a crawl reads below the source's `locations`
    only; where none are configured, below those that the source states of its warehouse. Files of
    the executor's machine (`file:`, or no scheme) are read only where the configuration says so.
    The file was not opened.
    """

    code = "FILE_OUTSIDE"
    advice = "if the file is meant, add the folder of the warehouse to the source's `locations`"


class DecodeError(BelvedereError):
    """An entry cannot be decoded exactly.

    The field that is missing or wrong is named. belvedere never guesses: half a view would be
    loaded as if it were the whole. The verbatim entry is in the table `raw`.
    """

    code = "INVALID_ENTRY"
    advice = "recreate the view with its engine, or exclude it"


class ForeignFormatError(DecodeError):
    """A view is stored in a format that belvedere does not read.

    The message names its engine, where a mark does, and the field that tells. Nothing is taken from
    the entry: what its engine means by it may be elsewhere, in a file or in a text that is no SQL.
    """

    code = "FOREIGN_FORMAT"
    advice = "move it with its engine, or create it again with an engine whose views are read"


class UnknownKindError(BelvedereError):
    """An archived object is of a kind that this version does not know, or is no archived object.

    Each object of an archive is a JSON object with `kind` and `payload`.
    """

    code = "UNKNOWN_KIND"


class DuplicateError(BelvedereError):
    """Two objects of one source have the same key.

    Names are compared as the source compares them. Both places are named; the former is taken, the
    latter is lost, so the crawl does not count as whole. An archive of several sources, or of two
    runs, replays one of them at a time.
    """

    code = "DUPLICATE_KEY"
    advice = "take one of them out of the archive, or name one run"


class InvalidTypeError(BelvedereError):
    """The text of a column type is malformed.

    A type that is well formed but unknown to Gravitino becomes `external`; this text is neither.
    """

    code = "INVALID_TYPE"


class InvalidViewError(BelvedereError):
    """What was decoded breaks a rule of the standard model.

    A view has at least one representation, and one per dialect, compared ignoring case.
    """

    code = "INVALID_VIEW"


class StoreError(BelvedereError):
    """The target refused or garbled a write.

    The message is the target's own. A store with transactions has written nothing; of another one,
    a write may have taken effect: `undo`, or `apply` of the same plan again, asks the target first.
    """

    code = "STORE_FAILED"


class NotHeldError(StoreError):
    """The target has no way to hold this view.

    The message says what it lacks. The view is blocked in the plan, before anything is written.
    """

    code = "NOT_HELD"


class QueryUnnamedError(NotHeldError):
    """A view of Paimon has a text `query`, and nothing says which dialect it is to be of.

    Engines run it where they find no text in their own dialect. A view that comes from Paimon has
    one; of any other, its rule of `mapping` names the dialect whose text it becomes, too:
    `query: spark`.
    """

    code = "QUERY_UNNAMED"


class MovedError(StoreError):
    """What was planned against has changed since.

    A plan is pinned to the fingerprints of source and target as it saw them. What somebody else has
    changed is not overwritten: plan again.
    """

    code = "MOVED"
    advice = "Plan again: what is there now was not seen by the plan."


class CollisionError(BelvedereError):
    """Views of one name would meet in the same target.

    None of them was loaded: which one is meant is not for belvedere to say. Map one of the sources
    to another target.
    """

    code = "COLLISION"


class NotOursError(StoreError):
    """What was to be replaced, renamed or dropped was made by somebody else.

    A metastore is shared with engines that make views in it. What neither belvedere nor Gravitino
    has made is changed only where both the plan and the target say so.
    """

    code = "NOT_OURS"
    advice = "Say `takes_over: true` at the target if such views may be changed, or map elsewhere."


class UnsupportedVersionError(BelvedereError):
    """The target or source has a layout that this version does not know.

    Nothing was written.
    """

    code = "UNSUPPORTED_VERSION"


class ReadOnlyCatalogError(NotHeldError):
    """A view was to be created, altered or dropped in a JDBC catalog.

    Views of databases are discovered, never written: the engines' dialects are not the database's.
    Views that are to be managed belong into a catalog that Iceberg REST serves.
    """

    code = "READ_ONLY_CATALOG"
    advice = "Use an IRC-backed catalog (served by Iceberg REST) for managed views."

    def __init__(
        self,
        message: str = "CREATE VIEW not supported for JDBC catalogs, nor are ALTER and DROP.",
        *,
        hint: str = "",
        **where: str,
    ) -> None:
        super().__init__(message, hint=hint, **where)


class EvidenceError(BelvedereError):
    """Something that a run, a plan or an assessment is made of is not as it was written.

    Each stage that ends says in a manifest which files it wrote. One of them is missing, cut or
    another, or the stage was interrupted, so no number can be said of it: it might be too small.
    """

    code = "EVIDENCE"


class UnknownLayoutError(BelvedereError):
    """Something was written by a later belvedere, in a layout that this one does not know."""

    code = "LAYOUT_UNKNOWN"


class WindowClosedError(BelvedereError):
    """The part of the day in which sources are crawled is over, and the crawl has stopped.

    What it has fetched is kept, where the warehouse is on a disk that driver and executors share,
    and a crawl that is resumed goes on from there.
    """

    code = "WINDOW_CLOSED"
    advice = "Go on when it is open again: belvedere crawl --resume."


class LockedError(BelvedereError):
    """Another process is working on the same run, plan or target.

    Two that crawl into one run, or write one plan, would undo each other's work. The message names
    the one that is at it; what a process has left that was killed is taken over.
    """

    code = "LOCKED"
    advice = "Wait for its end; if that machine is no more, delete the file of the lock."


class JudgeUnavailableError(BelvedereError):
    """A judge could not be started, so nothing was judged by it.

    The verdicts of its engine are "not judged", which is not "accepted".
    """

    code = "JUDGE_UNAVAILABLE"


class InternalError(BelvedereError):
    """A bug in belvedere.

    The object is listed as a failure and the run goes on. Please report it with the message.
    """

    code = "INTERNAL"


def described(error: BaseException) -> BelvedereError:
    """The error itself; for one that nobody raised on purpose, an `InternalError` naming it."""
    if isinstance(error, BelvedereError):
        return error
    hint = "a bug in belvedere: please report it with this message"
    return InternalError(f"{type(error).__name__}: {error}", hint=hint)
