"""What becomes of each listed object: exactly one View (or Schema), Failure or Skipped."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from discovery.errors import BelvedereError, described
from discovery.model import Identifier, Schema, View


class Kind(StrEnum):
    """What the listing says an object is."""

    VIEW = "view"
    MATERIALIZED_VIEW = "materialized view"
    TABLE = "table"
    NAMESPACE = "namespace"
    SOURCE = "source"  # stands for the whole source where it could not be listed
    UNDECIDED = "undecided"  # the listing cannot tell; it is fetched and decided


READ_KINDS: Final = frozenset({Kind.VIEW, Kind.UNDECIDED, Kind.NAMESPACE})


class Stage(StrEnum):
    """Where on its way an object was lost."""

    LIST = "list"
    READ = "read"
    DECODE = "decode"


@dataclass(frozen=True, slots=True)
class Listed:
    """An object as the listing shows it.

    Attributes:
        namespace: Levels, outermost first.
        name: Empty for a namespace.
        kind: What the listing says it is.
        handle: What the source needs to find it again, or what the listing already knows.
        signal: What is another text whenever its entry is another; empty: the listing cannot tell.
    """

    namespace: tuple[str, ...]
    name: str
    kind: Kind = Kind.VIEW
    handle: str = ""
    signal: str = field(default="", compare=False)

    @property
    def identifier(self) -> Identifier:
        """Its place."""
        return Identifier(self.namespace, self.name)

    @property
    def is_read(self) -> bool:
        """Whether its entry is read, or it is only counted: a table whose entry costs a call."""
        return bool(self.handle) or self.kind in READ_KINDS


@dataclass(frozen=True, slots=True)
class RawObject:
    """What the source said of an object, verbatim.

    Attributes:
        listed: The object that was asked for.
        kind: How to read the payload, for example `hive_table`.
        payload: The source's own fields, JSON-able.
        files: What the entry points to: URI to bytes as read.
        unread: What it points to and is not among them: URI to the error.
        text: All of this as one line of JSON, to be kept; empty if it need not be.
    """

    listed: Listed
    kind: str
    payload: Mapping[str, object]
    files: Mapping[str, bytes] = field(default_factory=dict)
    unread: Mapping[str, BelvedereError] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """An object that could not be listed, read or decoded, and why."""

    listed: Listed
    stage: Stage
    code: str
    message: str
    hint: str = ""

    @classmethod
    def of(cls, listed: Listed, stage: Stage, error: BaseException) -> "Failure":
        """The row that an error becomes."""
        problem = described(error)
        return cls(listed, stage, problem.code, str(problem), problem.hint)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an object is not carried over, or what to know of it; the text is its code's page."""

    code: str
    text: str

    def note(self, message: str) -> "Note":
        """This, said of one object."""
        return Note(self.code, message)


TABLE: Final = Reason("TABLE", "A table: listed and counted, not a view.")
MATERIALIZED_VIEW: Final = Reason(
    "MATERIALIZED_VIEW",
    "A materialized view: it has storage of its own and is out of scope; move it with its engine.",
)
METRIC_VIEW: Final = Reason(
    "METRIC_VIEW",
    "A Spark metric view: its text is YAML, not SQL. No other engine reads it.",
)
TEMPORARY_VIEW: Final = Reason(
    "TEMPORARY_VIEW", "A temporary view: it belongs to a session and ends with it."
)
JSON_DUALITY_VIEW: Final = Reason(
    "JSON_DUALITY_VIEW",
    "A JSON duality view of MySQL: its text calls a function that stands in such views alone, so "
    "no engine runs it as a view, MySQL included. Move it with MySQL.",
)
VANISHED: Final = Reason(
    "VANISHED",
    "The object was gone when it was fetched; it was dropped or renamed after the listing.",
)
READ_AS_ICEBERG: Final = Reason(
    "READ_AS_ICEBERG",
    "An Iceberg view in a Hive Metastore that another source of this run reads as an Iceberg "
    "catalog: it counts there, once.",
)
NOT_ICEBERG: Final = Reason(
    "NOT_ICEBERG",
    "A view of another format, which Iceberg's catalog on a Hive Metastore does not show; a source "
    "of the kind `hms` reads it.",
)
RESOURCE_LINK: Final = Reason(
    "RESOURCE_LINK",
    "A resource link of Glue: another name for a database or object of some catalog, which is read "
    "where it is, not through the link.",
)
FEDERATED: Final = Reason(
    "FEDERATED",
    "A federated object of Glue: a connection answers for it (Redshift, S3 Tables, a metastore …). "
    "Its definition is not Glue's own; crawl the system itself.",
)
NOT_CREATED: Final = Reason(
    "NOT_CREATED",
    "A view that Glue has not created: its engines have yet to validate it, or have refused it. "
    "Its entry has no definition and nobody can query it. Wait, or drop it and create it again.",
)
NO_VIEWS: Final = Reason(
    "NO_VIEWS",
    "A Paimon catalog on a file system or a database: Paimon keeps no views there. Nothing was "
    "asked.",
)
SKIP_REASONS: Final = (
    TABLE,
    MATERIALIZED_VIEW,
    METRIC_VIEW,
    JSON_DUALITY_VIEW,
    TEMPORARY_VIEW,
    VANISHED,
    READ_AS_ICEBERG,
    NOT_ICEBERG,
    RESOURCE_LINK,
    FEDERATED,
    NOT_CREATED,
    NO_VIEWS,
)
LOG_DISAGREES: Final = Reason(
    "VERSION_LOG_DISAGREES",
    "The version log of an Iceberg view ends with another version than `current-version-id` names. "
    "The latter is followed, as the spec says.",
)
OLDER_VERSIONS: Final = Reason(
    "OLDER_VERSIONS",
    "An Iceberg view has older versions, to which its engine could roll back. The current one is "
    "carried over. The others stay in the raw object and at the source, and go with it into "
    "Iceberg catalogs whose metadata we write.",
)
OTHER_REPRESENTATION: Final = Reason(
    "OTHER_REPRESENTATION",
    "The current version of an Iceberg view has a representation that is no SQL. All of them mean "
    "the same, as the spec demands; those in SQL are carried over, this one stays in the raw "
    "object.",
)
COLUMNS_RENAMED: Final = Reason(
    "COLUMNS_RENAMED",
    "The columns of a view have other names than its query returns: Spark keeps both. An engine "
    "that runs the SQL alone shows the query's names.",
)
COLUMNS_FROM_CATALOG: Final = Reason(
    "COLUMNS_FROM_CATALOG",
    "The columns of a database's view come from the database's catalog, not from the answer to "
    "`SELECT * FROM <view> WHERE 1=0`: that was refused, with the message that is given, and the "
    "view may be broken or forbidden; or the database names no columns of a query that it does not "
    "run; or the configuration says `introspection: catalog`.",
)
COLUMNS_UNKNOWN: Final = Reason(
    "COLUMNS_UNKNOWN",
    "The database has the text of a view and states no columns of it: it calls the view invalid, "
    "with the message that is given. The text is kept, and the view has no columns.",
)
COLUMNS_DIFFER: Final = Reason(
    "COLUMNS_DIFFER",
    "With `introspection: both`: the answer to `SELECT * FROM <view> WHERE 1=0` and the database's "
    "catalog state the columns of a view differently. Each difference is given.",
)
STALE_REPRESENTATION: Final = Reason(
    "STALE_REPRESENTATION",
    "Glue calls one dialect of a view stale: the view changed in another one, or what it reads "
    "did. Its text is kept; its engine refuses the view until it is updated.",
)
MAYBE_PAIMON: Final = Reason(
    "MAYBE_PAIMON",
    "An entry of a Hive Metastore that looks as Paimon's catalog leaves it, and cannot be told for "
    "certain from Hive's own. Paimon keeps one text there: other dialects, `NOT NULL` and the case "
    "of names are lost. Its REST catalog has them.",
)
TYPE_NARROWED: Final = Reason(
    "TYPE_NARROWED",
    "The engine's type of a column says more than Gravitino's type can: a length, a unit, a "
    "precision. The column has the nearest type; what it does not say is named, and stays in the "
    "raw object.",
)
NOT_IN_MODEL: Final = Reason(
    "NOT_IN_MODEL",
    "An entry states something that the standard model has no place for, such as metadata of a "
    "field in Spark's schema or an unknown member of Trino's JSON. It is named; only the raw "
    "object keeps it.",
)
STALE_PARAMETERS: Final = Reason(
    "STALE_PARAMETERS",
    "Hive has replaced a view that Spark or Flink had made: its texts and columns are Hive's, the "
    "engine's parameters are still those of the old view. The view is read as its engine reads it "
    "now, or, where that refuses it, as Hive does; the note names both readings. Create the view "
    "again with the engine that shall own it.",
)
FOREIGN_WRITER: Final = Reason(
    "FOREIGN_WRITER",
    "A view that is stored as Hive's views are has a property of another engine, such as Impala, "
    "which probably made it. It is read as Hive's; its text is in that engine's SQL, which is "
    "Hive's in most, not in all.",
)
TEXT_OF_TWO: Final = Reason(
    "TEXT_OF_TWO",
    "Flink keeps a view's text as it was given and as its validator has qualified it, and nowhere "
    "says where short names lead. The given text is taken, with the catalog and database that the "
    "other one gives to its short names; where the two do not fit together, the qualified text. "
    "The catalog is called as the session that made the view called it.",
)
NOT_SHOWN_BY_TRINO: Final = Reason(
    "NOT_SHOWN_BY_TRINO",
    "A view in Glue that Athena reads and Trino does not show: Trino looks for the parameter "
    "`comment` = `Presto View` beside the flag. Set that parameter if Trino shall read it.",
)
NOTES: Final = (
    LOG_DISAGREES,
    OLDER_VERSIONS,
    OTHER_REPRESENTATION,
    COLUMNS_RENAMED,
    COLUMNS_FROM_CATALOG,
    COLUMNS_UNKNOWN,
    COLUMNS_DIFFER,
    STALE_REPRESENTATION,
    MAYBE_PAIMON,
    TYPE_NARROWED,
    NOT_IN_MODEL,
    STALE_PARAMETERS,
    FOREIGN_WRITER,
    NOT_SHOWN_BY_TRINO,
    TEXT_OF_TWO,
)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A recognised object that is no view to carry over, and why."""

    listed: Listed
    reason: Reason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a decoded object that a reader must know, with the code of its page."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a format read out of an entry."""

    result: View | Schema
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one listed object.

    Attributes:
        listed: The object.
        result: Its view, schema, failure or the reason why it was skipped.
        format: How the entry is stored: `iceberg`, `trino`, `spark`, `flink`, `hive`, …; empty if
            unknown.
        text: The view or schema as one line of canonical JSON.
        fingerprint: Of that text, without audit data.
        raw: The raw object as one line of JSON; empty if it was not fetched.
        notes: What a reader must know of it.
    """

    listed: Listed
    result: View | Schema | Failure | Skipped
    format: str = ""
    text: str = ""
    fingerprint: str = ""
    raw: str = ""
    notes: tuple[Note, ...] = ()
