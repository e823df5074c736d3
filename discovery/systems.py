"""What engines provide themselves, by its names: no table or view of the estate, and never missing.

The rows of `discovery.engines` have them; an engine without has nothing of the kind, or keeps it
where it keeps all else (Hive's databases `sys` and `information_schema` are entries of the
metastore like any other).
Sources, by the versions that they were looked up for:

- Trino 435 to 484: each catalog has an `information_schema`; the catalog `system` is in every
  cluster (System connector). `$partitions` and `$properties` are the Hive connector's; the others
  the Iceberg (`TableType`), Delta Lake, Hudi (`$timeline`) and Paimon connectors'.
- Spark 4: file formats by their short names (`DataSourceRegister`; SQL reference, "Query files
  directly"), with Delta's and Iceberg's. Iceberg's metadata tables are a level below the table
  (`MetadataTableType`, `changes` of `SparkChangelogTable`), and so are branches and tags
  (`branch_x`, `tag_x`), snapshots and times (`snapshot_id_1`, `at_timestamp_1`): the table itself.
  Hive 4 reads the same (HIVE-25700 and later). Paimon marks them by `$` in Spark and Flink.
- PostgreSQL 13 to 18: schemas that begin with `pg_` are the system's (Schemas, "The System Catalog
  Schema"), and `pg_catalog` is searched before all others, so a short name in it needs no schema.
- Columns: Trino's connectors hide those that begin with `$` (Hive connector, "Special columns");
  Spark's are of files, of Iceberg (`MetadataColumns`) and words (`LiteralFunctionResolution`);
  Hive's `VirtualColumn`; PostgreSQL's "System Columns"; InnoDB's `_rowid`, and the periods of
  MariaDB's versioned tables.
- MySQL 8 and 9, MariaDB 10 and 11: four databases are the server's; `DUAL` is no table at all.
"""

from dataclasses import dataclass
from typing import Final

_ICEBERG: Final = frozenset({
    "all_data_files",
    "all_delete_files",
    "all_entries",
    "all_files",
    "all_manifests",
    "changes",
    "data_files",
    "delete_files",
    "entries",
    "files",
    "history",
    "manifests",
    "metadata_log_entries",
    "partitions",
    "position_deletes",
    "refs",
    "snapshots",
})  # fmt: skip
_PAIMON: Final = frozenset({
    "aggregation_fields",
    "audit_log",
    "binlog",
    "branches",
    "buckets",
    "consumers",
    "file_key_ranges",
    "files",
    "manifests",
    "options",
    "partitions",
    "physical_files_size",
    "read_optimized",
    "ro",
    "row_tracking",
    "schemas",
    "snapshots",
    "statistics",
    "table_indexes",
    "tags",
})  # fmt: skip
_FORMATS: Final = frozenset({
    "avro",
    "binaryfile",
    "csv",
    "delta",
    "hudi",
    "iceberg",
    "image",
    "json",
    "libsvm",
    "orc",
    "parquet",
    "text",
    "xml",
})  # fmt: skip
_OF_SPARK: Final = frozenset({
    "_deleted",
    "_file",
    "_last_updated_sequence_number",
    "_metadata",
    "_partition",
    "_pos",
    "_row_id",
    "_spec_id",
    "grouping__id",
    "session_user",
    "user",
})  # fmt: skip
_OF_HIVE: Final = frozenset({
    "block__offset__inside__file",
    "file__path",
    "grouping__id",
    "input__file__name",
    "partition__hash",
    "partition__spec__id",
    "raw__data__size",
    "row__id",
    "row__is__deleted",
    "row__offset__inside__block",
    "row__position",
    "snapshot__id",
})  # fmt: skip
_SELECTED: Final = ("branch_", "tag_", "snapshot_id_", "at_timestamp_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Systems:
    """What an engine provides itself; all names in lower case.

    Attributes:
        schemas: Namespaces of the system's own objects, in each catalog.
        reserved: What the name of such a namespace, or a short name of its objects, begins with.
        catalogs: Catalogs of the system's own objects.
        generators: Catalogs that by their documentation's name hold made up rows: if no source is
            called so, the view's own is not meant.
        no_tables: Short names that stand where a table stands and mean none.
        formats: File formats that can stand before a path, in place of a namespace.
        marked: Metadata tables, named in the table's own name after a `$`.
        below: Metadata tables, named by a level below the table.
        selected: What a level below the table begins with that chooses a state of the table.
        columns: Columns that a table has besides its own, and words that stand for one.
        hidden: What the name of such a column begins with.
    """

    schemas: frozenset[str] = frozenset()
    reserved: str = ""
    catalogs: frozenset[str] = frozenset()
    generators: frozenset[str] = frozenset()
    no_tables: frozenset[str] = frozenset()
    formats: frozenset[str] = frozenset()
    marked: frozenset[str] = frozenset()
    below: frozenset[str] = frozenset()
    selected: tuple[str, ...] = ()
    columns: frozenset[str] = frozenset()
    hidden: str = ""

    def owns(self, catalog: str | None, namespace: tuple[str, ...], name: str) -> bool:
        """Whether something is the system's own.

        Args:
            catalog: As the text names it.
            namespace: As the text names it; empty of a short name.
            name: The last part.
        """
        if catalog is not None and catalog.casefold() in self.catalogs:
            return True
        first = (namespace or (name,))[0].casefold()
        if self.reserved and first.startswith(self.reserved):
            return True
        return bool(namespace) and len(namespace) == 1 and first in self.schemas

    def reads_file(self, parts: tuple[str, ...]) -> bool:
        """Whether a name is that of a format, or of its class, before a path.

        Spark looks for a table of the name first. What could be the name of one is taken for one:
        a path is told by the signs that no metastore takes in names.
        """
        if len(parts) != 2 or parts[1].replace("_", "").isalnum():
            return False
        return parts[0].casefold() in self.formats or (bool(self.formats) and "." in parts[0])

    def table_of(self, name: str) -> str | None:
        """The table of a metadata table that is marked in its name; None: it is none."""
        table, _, kind = name.rpartition("$")
        if not table or kind.casefold() not in self.marked:
            return None
        return table

    def is_below(self, name: str) -> bool:
        """Whether a last part names a metadata table of the part before it."""
        return name.casefold() in self.below

    def selects(self, name: str) -> bool:
        """Whether a last part chooses a state of the table before it."""
        return bool(self.selected) and name.casefold().startswith(self.selected)

    def has_column(self, name: str) -> bool:
        """Whether a table has a column of this name that is none of its own."""
        lower = name.casefold()
        return lower in self.columns or (bool(self.hidden) and lower.startswith(self.hidden))


OF_TRINO: Final = Systems(
    schemas=frozenset({"information_schema"}),
    catalogs=frozenset({"system"}),
    generators=frozenset({"jmx", "tpcds", "tpch"}),
    marked=_ICEBERG | _PAIMON | {"data", "properties", "timeline", "transactions"},
    hidden="$",
)
OF_SPARK: Final = Systems(
    formats=_FORMATS,
    marked=_PAIMON | _ICEBERG,
    below=_ICEBERG,
    selected=_SELECTED,
    columns=_OF_SPARK,
)
OF_HIVE: Final = Systems(below=_ICEBERG, selected=_SELECTED, columns=_OF_HIVE)
OF_FLINK: Final = Systems(marked=_PAIMON | _ICEBERG)
OF_POSTGRESQL: Final = Systems(
    schemas=frozenset({"information_schema"}),
    reserved="pg_",
    columns=frozenset({"cmax", "cmin", "ctid", "oid", "tableoid", "xmax", "xmin"}),
)
OF_MYSQL: Final = Systems(
    schemas=frozenset({"information_schema", "mysql", "performance_schema", "sys"}),
    no_tables=frozenset({"dual"}),
    columns=frozenset({"_rowid", "row_end", "row_start"}),
)
OF_DORIS: Final = Systems(
    schemas=frozenset({"__internal_schema", "information_schema", "mysql"}),
    no_tables=frozenset({"dual"}),
)
OF_STARROCKS: Final = Systems(
    schemas=frozenset({"_statistics_", "information_schema", "sys"}),
    no_tables=frozenset({"dual"}),
)
NONE: Final = Systems()
