"""How each engine comes to a view where it is stored: what of the entry it will parse, if any.

A row says it for formats of entries and an engine, where it matters for some kinds of sources or a
setting only. Each names its source; `proof` is what a live engine answered, where one was asked.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from discovery.judging.entries import ANSI
from discovery.judging.ways import (
    ANY,
    CORAL,
    ENTRY_REFUSED,
    HIVE_DIALECT,
    HIVE_VIEWS_OFF,
    ONLY_AS_TABLE,
    UNREACHABLE,
    Path,
    Way,
)
from discovery.model import DORIS, FLINK, HIVE, MYSQL, POSTGRESQL, SPARK, STARROCKS, TRINO

SQLALCHEMY: Final = "sqlalchemy"
DATABASES: Final = (DORIS, MYSQL, POSTGRESQL, SQLALCHEMY, STARROCKS)
"""Formats of views in databases: each is that of its own engine, but for SQLAlchemy's."""
METASTORES: Final = ("hms", "hms-database", "iceberg-hive", "glue")
"""Kinds of sources whose entries are those of a Hive Metastore."""
HIVE_VIEWS: Final = "hive_views"
"""The setting of Trino: whether it translates Hive's views; `legacy`: with its older translator."""
DIALECT: Final = "dialect"
"""The setting of Flink: `table.sql-dialect` of its sessions."""

_ENTRY: Final = "what engines leave in entries of a Hive Metastore: docs/formats.md"
_LIVE: Final = "asked live on entries of Trino 476, Spark 4.3, Flink 1.20, Hive 2.3: one metastore"
_AWS: Final = "AWS Glue API, ViewDefinition: each engine runs the text of its own dialect"
_NOT_TRIED: Final = "nobody has tried it, and no document says it"
_NO_CATALOG: Final = "the engine has no catalog of others' metadata; foreign tables are tables"
_JDBC: Final = "the engine's documents on its JDBC catalog or connector: views are read as tables"
_HIVE: Final = (
    Path(
        engine=HIVE,
        formats=(HIVE,),
        way=Way.PARSES,
        dialects=(ANY,),
        source=_ENTRY,
        proof="Hive 2.3.10 explains its own views: 3 of 3",
    ),
    Path(
        engine=HIVE,
        formats=(SPARK,),
        way=Way.PARSES,
        dialects=(ANY,),
        source=_ENTRY,
        proof="Hive 2.3.10 explains 67 of 102 foreign texts that its parser accepts",
    ),
    Path(
        engine=HIVE,
        formats=(FLINK,),
        way=Way.PARSES,
        dialects=(ANY,),
        source="the expanded text, which Hive reads: names of three parts only in Flink's dialect",
        proof="Hive 2.3.10 reads 155 of 198 views that Flink 1.20.5 made in Hive's dialect",
    ),
    Path(
        engine=HIVE,
        formats=(TRINO,),
        way=Way.REFUSES,
        reason=ENTRY_REFUSED.code,
        source="the entry's text is the comment `/* Presto View */`, no query",
    ),
    Path(
        engine=HIVE,
        formats=("iceberg",),
        way=Way.PARSES,
        dialects=(HIVE, ANY),
        kinds=(*METASTORES, "archive"),
        source="Iceberg's HiveCatalog puts the text for `hive` into the entry, else the first",
    ),
    Path(
        engine=HIVE,
        formats=("iceberg", "paimon"),
        way=Way.UNREACHABLE,
        reason=UNREACHABLE.code,
        source="Hive 2.3 has one metastore and no catalog beside it",
    ),
    Path(engine=HIVE, formats=("glue",), way=Way.UNKNOWN, source=_NOT_TRIED),
)
_SPARK: Final = (
    Path(
        engine=SPARK,
        formats=(SPARK, HIVE, FLINK),
        way=Way.PARSES,
        dialects=(ANY,),
        source=_ENTRY,
        proof="Spark 4.3.0 reads views of Hive 2.3; Flink's names stop it",
    ),
    Path(
        engine=SPARK,
        formats=(TRINO,),
        way=Way.REFUSES,
        reason=ENTRY_REFUSED.code,
        source=_ENTRY,
        proof="Spark 4.3.0 shows a column `dummy` and fails when it is selected",
    ),
    Path(
        engine=SPARK,
        formats=("iceberg",),
        way=Way.PARSES,
        dialects=(SPARK, ANY),
        setting=(ANSI, "false"),
        under="with spark.sql.ansi.enabled=false",
        source="Iceberg's ViewCatalog keeps no settings: those of the session count",
        proof="Spark 4.1.4 reads 16 of 86 views in one mode alone: tests/golden/ansi_views.json",
    ),
    Path(
        engine=SPARK,
        formats=("iceberg",),
        way=Way.PARSES,
        dialects=(SPARK, ANY),
        source="Iceberg's View.sqlFor: the dialect, else the first text",
        proof="Spark 4.0.5 reads a view with a text for Trino alone",
    ),
    Path(
        engine=SPARK,
        formats=("paimon",),
        way=Way.PARSES,
        dialects=(SPARK, "query"),
        source="Paimon's View.query(dialect): the dialect, else the default",
    ),
    Path(engine=SPARK, formats=("glue",), way=Way.PARSES, dialects=(SPARK,), source=_AWS),
)
_TRINO: Final = (
    Path(
        engine=TRINO,
        formats=(TRINO,),
        way=Way.PARSES,
        dialects=(TRINO,),
        source=_ENTRY,
        proof="Trino 476 reads its own entries and ours in its format",
    ),
    Path(
        engine=TRINO,
        formats=(HIVE, SPARK),
        way=Way.TRANSLATES,
        dialects=(ANY,),
        setting=(HIVE_VIEWS, "true"),
        under="with hive.hive-views.enabled",
        judge=CORAL,
        reason="translated by Coral, over what is not all known",
        source="Trino's documents, Hive connector, Hive views",
        proof="Trino 476 reads 126 of the 242 views of tests/golden/hive_views.json",
    ),
    Path(
        engine=TRINO,
        formats=(HIVE, SPARK),
        way=Way.TRANSLATES,
        setting=(HIVE_VIEWS, "legacy"),
        under="with hive.hive-views.legacy-translation",
        reason="translated by Trino, not judged",
        source="Trino's documents, Hive connector, Hive views",
        proof="Trino 476 fails on LATERAL VIEW and on current_timestamp()",
    ),
    Path(
        engine=TRINO,
        formats=(HIVE, SPARK),
        way=Way.REFUSES,
        reason=HIVE_VIEWS_OFF.code,
        source="Trino's documents, Hive connector: hive.hive-views.enabled is false by default",
        proof="Trino 476: Hive views are not supported",
    ),
    Path(
        engine=TRINO,
        formats=(FLINK,),
        way=Way.REFUSES,
        reason=ENTRY_REFUSED.code,
        source=_LIVE,
        proof="Trino 476 does not read entries of Flink 1.20, with Hive views enabled either",
    ),
    Path(
        engine=TRINO,
        formats=("iceberg",),
        way=Way.REFUSES,
        reason=ENTRY_REFUSED.code,
        kinds=METASTORES,
        source=_LIVE,
        proof="Trino 476 does not read Iceberg's entries there",
    ),
    Path(
        engine=TRINO,
        formats=("iceberg",),
        way=Way.PARSES,
        dialects=(TRINO,),
        source="Iceberg REST and JDBC catalogs: the text for `trino` and no other",
        proof="Trino 476: Cannot read unsupported dialect 'spark'",
    ),
    Path(
        engine=TRINO,
        formats=("paimon",),
        way=Way.UNREACHABLE,
        reason=UNREACHABLE.code,
        source="Trino ships no connector for Paimon",
    ),
    Path(engine=TRINO, formats=("glue",), way=Way.UNKNOWN, source=_NOT_TRIED),
)
_FLINK: Final = (
    *(
        Path(
            engine=FLINK,
            formats=formats,
            way=Way.PARSES,
            dialects=(HIVE, ANY),
            kinds=kinds,
            setting=(DIALECT, "hive"),
            under="with table.sql-dialect=hive",
            judge=HIVE_DIALECT,
            reason="planned by Flink's connector of Hive, by modules of the session, not judged",
            source="apache/flink, HiveParserSemanticAnalyzer: views are parsed in Hive's dialect",
            proof="Flink 1.20.5: 225 of 1,197 views are read in one dialect alone, 21 of 198 only"
            " where the session has loaded Hive's module",
        )
        for formats, kinds in (((FLINK, HIVE, SPARK, "paimon"), ()), (("iceberg",), METASTORES))
    ),
    Path(
        engine=FLINK,
        formats=(FLINK, HIVE, SPARK),
        way=Way.PARSES,
        dialects=(ANY,),
        source=_ENTRY,
        proof="Flink 1.20.5 reads entries of Hive 2.3 and Spark 4.3",
    ),
    Path(
        engine=FLINK,
        formats=(TRINO,),
        way=Way.REFUSES,
        reason=ENTRY_REFUSED.code,
        source=_ENTRY,
        proof="Flink 1.20.5 does not read entries of Trino 476",
    ),
    Path(
        engine=FLINK,
        formats=("iceberg",),
        way=Way.PARSES,
        dialects=(HIVE, ANY),
        kinds=METASTORES,
        source="Flink's HiveCatalog takes the text of any VIRTUAL_VIEW",
    ),
    Path(
        engine=FLINK,
        formats=("iceberg",),
        way=Way.UNREACHABLE,
        reason=UNREACHABLE.code,
        source="apache/iceberg, FlinkCatalog.java: views are among the unsupported methods",
    ),
    Path(
        engine=FLINK,
        formats=("paimon",),
        way=Way.PARSES,
        dialects=(FLINK, "query"),
        source="Paimon's View.query(dialect): the dialect, else the default",
    ),
    Path(engine=FLINK, formats=("glue",), way=Way.UNKNOWN, source=_NOT_TRIED),
)
_LAKES: Final = (HIVE, SPARK, FLINK, TRINO, "iceberg", "paimon", "glue")
_SERVERS: Final = tuple(
    Path(
        engine=engine,
        formats=_LAKES,
        way=Way.UNREACHABLE,
        reason=UNREACHABLE.code,
        source=_NO_CATALOG,
    )
    for engine in (POSTGRESQL, MYSQL)
)
_READERS: Final = (
    Path(
        engine=DORIS,
        formats=(HIVE, SPARK),
        way=Way.PARSES,
        dialects=(ANY,),
        source="apache/doris, Config.java: enable_query_hive_views has the text parsed",
    ),
    Path(
        engine=STARROCKS,
        formats=(HIVE, SPARK),
        way=Way.PARSES,
        dialects=(ANY,),
        source="StarRocks' documents, Hive catalog: views are read since 3.1",
    ),
    *(
        Path(engine=engine, formats=_LAKES, way=Way.UNKNOWN, source=_NOT_TRIED)
        for engine in (DORIS, STARROCKS)
    ),
)


def _in_databases(engine: str) -> Iterator[Path]:
    """Views of databases: their own engine parses them, others see tables, or nothing."""
    if engine in DATABASES:
        yield Path(
            engine=engine,
            formats=(engine,),
            way=Way.PARSES,
            dialects=(engine,),
            source="the database's own catalog",
        )
    alone = engine in {POSTGRESQL, MYSQL}
    yield Path(
        engine=engine,
        formats=tuple(database for database in DATABASES if database != engine),
        way=Way.UNREACHABLE if alone else Way.AS_TABLE,
        reason=UNREACHABLE.code if alone else ONLY_AS_TABLE.code,
        source=_NO_CATALOG if alone else _JDBC,
    )


_ENGINES: Final = (DORIS, FLINK, HIVE, MYSQL, POSTGRESQL, SPARK, STARROCKS, TRINO)
PATHS: Final[tuple[Path, ...]] = (
    *_HIVE,
    *_SPARK,
    *_TRINO,
    *_FLINK,
    *_SERVERS,
    *_READERS,
    *(
        Path(
            engine=engine,
            formats=("canonical",),
            way=Way.PARSES,
            dialects=(engine, ANY),
            source="a view in an archive is in no engine's store: as one with these texts would be",
        )
        for engine in _ENGINES
    ),
    *(
        Path(
            engine=engine,
            formats=("foreign",),
            way=Way.UNKNOWN,
            source="such an entry is a failure of the crawl, never a view",
        )
        for engine in _ENGINES
    ),
    *(row for engine in _ENGINES for row in _in_databases(engine)),
)
"""Every pair of a format and an engine has a row; the first that fits is meant."""


def path(engine: str, form: str, kind: str, settings: Mapping[str, str]) -> Path:
    """How an engine comes to an entry.

    Args:
        engine: The engine.
        form: How the entry is stored.
        kind: Of the source.
        settings: Of the engine, as the configuration has them.
    """
    for row in PATHS:
        if row.engine == engine and row.fits(form, kind, settings):
            return row
    return Path(engine=engine, formats=(form,), way=Way.UNKNOWN, source=_NOT_TRIED)


@dataclass(frozen=True, slots=True)
class Reach:
    """What an estate says of its engines.

    Attributes:
        engines: The engines.
        settings: Of each engine that has any, by name.
        kinds: Source to its kind.
        catalogs: Engine to the sources that it has as catalogs.
    """

    engines: tuple[str, ...]
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    catalogs: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def path(self, engine: str, source: str, form: str, dialects: Sequence[str]) -> Path:
        """How an engine comes to a view with texts in some dialects.

        Of a database that the engine has as a catalog, the database's own parser counts; SQLAlchemy
        may speak to the engine itself: the dialect says so. Who refuses an entry for Trino's text
        reads another that is beside it, as it would alone.
        """
        of, settings = self.kinds.get(source, ""), self.settings.get(engine, {})
        row = path(engine, form, of, settings)
        beside = next((dialect for dialect in map(str.casefold, dialects) if dialect != TRINO), "")
        if form == TRINO and beside and row.way is Way.REFUSES:
            other = path(engine, beside, of, settings)
            return replace(other, dialects=(beside,)) if other.way is Way.PARSES else row
        if form == SQLALCHEMY and any(dialect.casefold() == engine for dialect in dialects):
            return replace(row, way=Way.PARSES, dialects=(engine,), reason="")
        if row.way is not Way.AS_TABLE or source not in self.catalogs.get(engine, frozenset()):
            return row
        return replace(row, dialects=(ANY,), judge=dialects[0].casefold(), reason="")
