"""What is true of an engine: one row each, and nobody else lists engines.

An engine is what reads a text, so it is called like the text's dialect. What depends on the place
of a view instead of the reader of its text, such as how names fold, is asked of the source
(`discovery.ports.ViewSource.fold`); how a format stores a view stands in `discovery.formats`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from discovery import systems
from discovery.model import DORIS, FLINK, HIVE, MYSQL, POSTGRESQL, SPARK, STARROCKS, TRINO
from discovery.systems import Systems

BACKTICK: Final = "`"
USER: Final = "$user"
"""In PostgreSQL's `search_path`: the schema that is called as the user is."""


class Completion(StrEnum):
    """From where the missing levels of a name in a stored text come."""

    CONTEXT = "the catalog and schema that were current, kept beside the text"
    OWN_PLACE = "the namespace of the view, if what is current in the session has no such object"
    NONE = "nowhere, unless the view states a default: the server qualifies names when it stores"


class Nesting(StrEnum):
    """How a namespace of several levels is spelled."""

    LEVELS = "each level a name of its own, joined by dots"
    ONE_NAME = "one quoted name, cut at each dot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """An engine, as everything else derives it from here.

    Attributes:
        name: Of the engine and of its dialect, in lower case.
        title: As people write it.
        quote: The mark around an identifier, doubled inside; standard SQL's if nothing is said.
        sqlglot: sqlglot's name of the dialect; None: sqlglot does not read it.
        completes: Where the missing levels of a name come from.
        catalog_leads: Whether the first of three and more parts of a name is a catalog, always.
            Elsewhere it may be a level of a nested namespace.
        one_catalog: Whether a catalog in a name can only be the one in which the view is.
        lowers_names: Whether it looks for all names in lower case, however a text spells them.
        session_catalog: The catalog that each session has, called so in any case.
        also_writes: The dialect, beside its own, in which its sessions make views; empty: none.
        exact_ctes: Whether the names of WITH clauses differ by their case.
        forward_ctes: Whether a query of a WITH RECURSIVE sees the later names of the clause, too.
        mutual_ctes: Whether one of any WITH sees all names but its own; elsewhere the earlier ones.
        cuts_names: Whether a quoted name of a table is cut at its dots: `db.t` is `db`.`t`.
        bracket_hints: Whether hints stand in brackets behind JOIN, which sqlglot does not read.
        regex_columns: Whether a quoted name of a column may be a regular expression, by a setting.
        folds_unquoted: Whether a name without quotes is the same name in lower case.
        provides: What it provides itself: names that are no object of the estate.
        nesting: How it spells nested namespaces; None: it has none.
        qualifies_functions: Whether a stored text qualifies every function that a user made.
        schemes: What the URL of such a database may begin with, the usual one first.
        reached_as: The engine whose protocol it speaks, and whose connectors reach it where other
            engines have none for it; empty: they have.
        java_driver: The class of its JDBC driver.
        python_driver: Of SQLAlchemy, as its URL begins, with which catalogs in it are read.
        port: On which it listens if nobody says otherwise, and which its driver takes then.
        called: What OpenLineage calls a place of it; empty: by its name.
        database_is_schema: Whether a database in a URL is one of its schemas.
        has_log: Whether its log is read, which says what is used.
        begins_in: The schemas in which a session looks for a short name, if nobody says otherwise;
            `USER` stands for that of the user's own name.
        names_metastore: Whether what a session names without a catalog is in a metastore.
        judges_drafts: Whether its analyzer says which columns a text returns that is in no store.
        runs_here: Whether its texts are run over made-up rows, by an engine beside an executor.
        divides_whole: Whether the quotient of two whole numbers is one.
        hive_functions: Whether its casts and functions are those of Hive: a cast to a whole number
            leaves out what is behind the point, one to a varchar cuts nothing, a group collects no
            NULLs, place 0 of a text is its first, and DATE_ADD gives a date.
        halves_to_even: Whether halves of floating numbers round to even ones, not away from zero.
        skips_nulls: Whether GREATEST and LEAST pass over NULLs, instead of being NULL.
        trims_chars: Whether what takes a char sees none of the blanks at its end: a cast to a text,
            its length, and `||`.
        fills_with_null: Whether a text that is filled up with nothing is NULL.
        null_by_zero: Whether what is divided by 0, and what is left of it, may be NULL.
        java_regexes: Whether regular expressions, and what replaces a match, are Java's.
        letters_of_times: Whether a format of a time is made of letters, without a mark before each.
        bare_types: What the name of a type alone means, where other engines take it for another
            one: sqlglot's words for both.
        meaning_asked: Whether it was asked what its texts mean: no other's are translated.
        unread_of_iceberg: A pattern of types that it does not know where a view of Iceberg has
            them, spelled as Gravitino spells them.
        loses_spark_names: Whether it shows a view of Spark in a metastore with the names of the
            query, whatever Spark has noted beside it.
        left_out_by_trino: A pattern of types of a database, as the model has them and `array`, of
            which Trino's connector shows no column; empty: it was not asked.
        perhaps_left_out_by_trino: The same of names of types of which it shows some: a name does
            not say which.
        refused_by_trino: The same of types for which it refuses all that has such a column.
        shown_unread_by: Engine to the same of types, `x[]` for arrays, of which its connector shows
            a column and fails on its values.
        shows_every_column: Whether a view of it without columns has none, and is not broken.
    """

    name: str = ""
    title: str = ""
    quote: str = '"'
    sqlglot: str | None = None
    completes: Completion = Completion.NONE
    catalog_leads: bool = False
    one_catalog: bool = False
    lowers_names: bool = False
    session_catalog: str = ""
    also_writes: str = ""
    exact_ctes: bool = False
    forward_ctes: bool = False
    mutual_ctes: bool = False
    cuts_names: bool = False
    bracket_hints: bool = False
    regex_columns: bool = False
    folds_unquoted: bool = False
    provides: Systems = systems.NONE
    nesting: Nesting | None = None
    qualifies_functions: bool = False
    schemes: tuple[str, ...] = ()
    reached_as: str = ""
    java_driver: str = ""
    python_driver: str = ""
    port: int = 0
    called: str = ""
    database_is_schema: bool = False
    has_log: bool = False
    begins_in: tuple[str, ...] = ()
    names_metastore: bool = False
    judges_drafts: bool = False
    runs_here: bool = False
    divides_whole: bool = False
    hive_functions: bool = False
    halves_to_even: bool = False
    skips_nulls: bool = False
    trims_chars: bool = False
    fills_with_null: bool = False
    null_by_zero: bool = False
    java_regexes: bool = False
    letters_of_times: bool = False
    bare_types: Mapping[str, str] = field(default_factory=dict)
    meaning_asked: bool = False
    unread_of_iceberg: str = ""
    loses_spark_names: bool = False
    left_out_by_trino: str = ""
    perhaps_left_out_by_trino: str = ""
    refused_by_trino: str = ""
    shown_unread_by: Mapping[str, str] = field(default_factory=dict)
    shows_every_column: bool = False

    def catalog(self, spelled: str) -> str:
        """A catalog's name, of any spelling that leads to it."""
        lower = spelled.lower()
        return lower if self.lowers_names or lower == self.session_catalog else spelled

    def parted(self, name: tuple[str, ...]) -> tuple[str, ...]:
        """The parts of a table's name, of those that a text spells."""
        if not self.cuts_names:
            return name
        return tuple(part for level in name for part in level.split("."))

    def quoted(self, name: str) -> str:
        """A name between its marks."""
        return f"{self.quote}{name.replace(self.quote, self.quote * 2)}{self.quote}"


_NO_ZONE: Final = "TIMESTAMPNTZ"
_NANOSECONDS: Final = r"timestamp(_tz)?\([7-9]\)"
_OF_HIVE: Final = {"DECIMAL": "DECIMAL(10, 0)"}
_ROWS: Final = (
    Engine(  # the JSON of a view has catalog and schema (ConnectorViewDefinition)
        name=TRINO,
        provides=systems.OF_TRINO,
        title="Trino",
        sqlglot="trino",
        completes=Completion.CONTEXT,
        catalog_leads=True,
        loses_spark_names=True,
        lowers_names=True,  # all identifiers, quoted or not (`MetadataUtil.create…Name`)
        nesting=Nesting.ONE_NAME,
        has_log=True,
        judges_drafts=True,
        divides_whole=True,
        java_regexes=True,
        meaning_asked=True,
        bare_types={"DECIMAL": "DECIMAL(38, 0)", "TIMESTAMP": _NO_ZONE},
        # 476 with Iceberg 1.9.1, asked on 2026-11-26
        unread_of_iceberg=rf"{_NANOSECONDS}|null|struct<>|(variant|geometry|geography).*",
    ),
    Engine(  # view.catalogAndNamespace.* in the properties of a view
        name=SPARK,
        provides=systems.OF_SPARK,
        title="Spark",
        quote=BACKTICK,
        sqlglot="spark",
        completes=Completion.CONTEXT,
        regex_columns=True,  # `spark.sql.parser.quotedRegexColumnNames`
        session_catalog="spark_catalog",  # `CatalogManager.catalog` compares it so, others exactly
        has_log=True,
        begins_in=("default",),
        names_metastore=True,
        nesting=Nesting.LEVELS,
        judges_drafts=True,
        runs_here=True,
        hive_functions=True,
        null_by_zero=True,
        skips_nulls=True,
        java_regexes=True,
        letters_of_times=True,
        meaning_asked=True,
        bare_types=_OF_HIVE,
        unread_of_iceberg=rf"{_NANOSECONDS}|time(\([0-6]\))?",  # 4.1.4 with 1.12.0, asked then, too
    ),
    # Its entry keeps no context. Up to 1.19 the place of the view completes a short name; from 1.20
    # on (1.18.1, 1.19.3, 1.20.5, 2.1.1, 2.3.0 were asked) catalog and database of the session go
    # before it, with names of two parts, too. sqlglot has no dialect of it.
    Engine(
        name=FLINK,
        provides=systems.OF_FLINK,
        title="Flink",
        quote=BACKTICK,
        completes=Completion.OWN_PLACE,
        also_writes=HIVE,  # `table.sql-dialect`
        exact_ctes=True,
        nesting=Nesting.LEVELS,
    ),
    # viewExpandedText is qualified with the view's own database as the current one; what is short
    # in it, which Hive leaves nowhere, is completed by the session alone
    Engine(
        name=HIVE,
        provides=systems.OF_HIVE,
        cuts_names=True,  # `Utilities.getDbTableName`
        mutual_ctes=True,  # `SemanticAnalyzer.findCTEFromName`; 2.3.10, asked on 2026-12-01
        loses_spark_names=True,
        regex_columns=True,  # `hive.support.quoted.identifiers=none`
        title="Hive",
        quote=BACKTICK,
        sqlglot="hive",
        completes=Completion.OWN_PLACE,
        has_log=True,
        begins_in=("default",),
        names_metastore=True,
        runs_here=True,
        hive_functions=True,
        java_regexes=True,
        trims_chars=True,
        fills_with_null=True,
        null_by_zero=True,
        letters_of_times=True,
        meaning_asked=True,
        bare_types=_OF_HIVE,
    ),
    Engine(  # pg_get_viewdef qualifies whatever the search path does not find
        name=POSTGRESQL,
        provides=systems.OF_POSTGRESQL,
        title="PostgreSQL",
        sqlglot="postgres",
        catalog_leads=True,
        one_catalog=True,  # "cross-database references are not implemented"
        exact_ctes=True,
        forward_ctes=True,
        folds_unquoted=True,
        qualifies_functions=True,
        schemes=("postgresql", "postgres"),
        java_driver="org.postgresql.Driver",
        python_driver="postgresql+psycopg",
        port=5432,
        called="postgres",
        has_log=True,
        begins_in=(USER, "public"),
        runs_here=True,
        divides_whole=True,
        halves_to_even=True,
        skips_nulls=True,
        trims_chars=True,
        letters_of_times=True,
        meaning_asked=True,
        # without a limit: as Spark's own dialect of it reads a column, which `datatypes` follows
        bare_types={"DECIMAL": "DECIMAL(38, 18)", "TIMESTAMP": _NO_ZONE},
        left_out_by_trino=(  # `decimal(38,18)` stands for `numeric` without digits
            r"decimal\(38,18\)|numeric\(.*|array|interval.*|bit varying.*|jsonpath|inet|cidr"
            r"|macaddr8?|g?tsvector|tsquery|xml|point|line|lseg|box|path|polygon|circle|\w+range"
            r"|reg\w+|xid8?|cid|tid|pg_lsn|refcursor|txid_snapshot|pg_snapshot|aclitem"
            r"|(?:int2|oid)vector|pg_node_tree"
        ),
        perhaps_left_out_by_trino=r"[^.]+\..+",  # types that people have made: enums it shows
        refused_by_trino=r"numeric\((?:\d|[12]\d|3[0-8]),.*",  # with more decimals than digits
        shown_unread_by={
            TRINO: r"bit\((?!1\))\d+\)|time(?:\(\d\))? with time zone",
            SPARK: r"numeric\(\d+,-\d+\)|time\(\d\)\[\]|refcursor",
        },
        shows_every_column=True,
    ),
    # VIEW_DEFINITION qualifies tables, and functions where the statement did (`Item_func_sp`):
    # others are looked for in the view's database. MariaDB sees later names of a WITH RECURSIVE.
    Engine(
        name=MYSQL,
        provides=systems.OF_MYSQL,
        title="MySQL",
        quote=BACKTICK,
        sqlglot="mysql",
        forward_ctes=True,
        schemes=("mysql", "mariadb"),
        java_driver="com.mysql.cj.jdbc.Driver",
        python_driver="mysql+pymysql",
        port=3306,
        database_is_schema=True,
        halves_to_even=True,
        trims_chars=True,
        fills_with_null=True,
        null_by_zero=True,
        meaning_asked=True,
        bare_types={"CHAR": "TEXT", "DATETIME": _NO_ZONE, "DECIMAL": "DECIMAL(10, 0)"},
        left_out_by_trino=(  # of MariaDB; `boolean` stands for `bit(1)`, and for nothing else
            r"decimal\((39|[4-6]\d),.*|uuid|inet[46]|boolean|geometry|point|linestring|polygon"
            r"|multi(?:point|linestring|polygon)|geometrycollection"
        ),
    ),
    Engine(  # its views' dialect is MySQL's: only its drivers are its own
        name="mariadb",
        title="MariaDB",
        quote=BACKTICK,
        schemes=("mariadb",),
        java_driver="org.mariadb.jdbc.Driver",
        python_driver="mariadb+pymysql",
        port=3306,
        called=MYSQL,
        database_is_schema=True,
    ),
    Engine(
        name=DORIS,
        provides=systems.OF_DORIS,
        title="Doris",
        quote=BACKTICK,
        sqlglot="doris",
        bracket_hints=True,  # `distributeType` of DorisParser.g4
        schemes=("doris", "mysql"),
        reached_as=MYSQL,
        port=3306,  # of the driver: a front end's own is 9030
        database_is_schema=True,
    ),
    Engine(
        name=STARROCKS,
        provides=systems.OF_STARROCKS,
        title="StarRocks",
        quote=BACKTICK,
        sqlglot="starrocks",
        bracket_hints=True,  # `bracketHint` of StarRocks.g4
        schemes=("starrocks", "mysql"),
        reached_as=MYSQL,
        port=3306,  # of the driver: a front end's own is 9030
        database_is_schema=True,
    ),
    Engine(
        name="sqlite",
        title="SQLite",
        schemes=("sqlite",),
        java_driver="org.sqlite.JDBC",
        python_driver="sqlite",
    ),
    Engine(
        name="athena",
        title="Athena",
        sqlglot="athena",
        lowers_names=True,
        provides=systems.OF_TRINO,
    ),
    Engine(name="bigquery", title="BigQuery", quote=BACKTICK, sqlglot="bigquery"),
    Engine(name="clickhouse", title="ClickHouse", sqlglot="clickhouse"),
    Engine(
        name="presto",
        title="Presto",
        sqlglot="presto",
        lowers_names=True,
        provides=systems.OF_TRINO,
    ),
    Engine(name="redshift", title="Redshift", sqlglot="redshift", provides=systems.OF_POSTGRESQL),
    Engine(name="snowflake", title="Snowflake", sqlglot="snowflake"),
)
ENGINES: Final[Mapping[str, Engine]] = {row.name: row for row in _ROWS}
"""Name to row. The last ones are known by their dialects alone: texts of Iceberg name any."""
_ANY: Final = Engine()


def engine(name: str) -> Engine:
    """The row of an engine by its name or dialect in any case; standard SQL's if there is none."""
    return ENGINES.get(name.casefold(), _ANY)


WITH_HIVES_FUNCTIONS: Final = tuple(row.name for row in _ROWS if row.hive_functions)
"""Those whose views, in a metastore, others read by the text as it is."""
LOGGED: Final = tuple(row.name for row in _ROWS if row.has_log)
"""Those whose logs say what is used."""
