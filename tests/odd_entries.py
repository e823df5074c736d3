"""What a metastore's own database can hold that no client writes, and what each must end as."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from discovery.crawl import crawl
from discovery.outcomes import Failure, Kind, Listed, Reason, Skipped, Stage
from discovery.ports import CrawlTask, ViewSource
from jobs.embedded.thrift_writer import writer

_ENTRY: Final = """(SELECT "TBL_ID" FROM "TBLS" WHERE "TBL_NAME" = '{name}')"""
_SD: Final = """(SELECT "SD_ID" FROM "TBLS" WHERE "TBL_NAME" = '{name}')"""
_CD: Final = f"""(SELECT "CD_ID" FROM "SDS" WHERE "SD_ID" = {_SD})"""
_DB: Final = """(SELECT "DB_ID" FROM "DBS" WHERE "NAME" = '{name}')"""
VIEW, TABLE, SCHEMA, UNREAD, UNDECODED = "View", "TABLE", "Schema", "READ_FAILED", "INVALID_ENTRY"


class Oddity(NamedTuple):
    """A change of an entry, or of its database, whose name is `{name}`, too.

    Attributes:
        sql: The statement.
        entry: What becomes of the entry; empty: it cannot be listed.
        database: What becomes of its database.
        since: The first major version whose tables have it.
        on_4: What becomes of the entry there, if that is something else.
    """

    sql: str
    entry: str = VIEW
    database: str = SCHEMA
    since: int = 2
    on_4: str = ""


def _entry(change: str, *fate: Any, **others: Any) -> Oddity:
    return Oddity(f"""UPDATE "TBLS" SET {change} WHERE "TBL_NAME" = '{{name}}'""", *fate, **others)


def _database(change: str, *fate: Any, **others: Any) -> Oddity:
    return Oddity(f"""UPDATE "DBS" SET {change} WHERE "NAME" = '{{name}}'""", *fate, **others)


ODDITIES: Final[Mapping[str, Oddity]] = {
    "o_type": _entry('"TBL_TYPE" = NULL', on_4=UNDECODED),  # Hive 4 keeps its texts to itself
    "o_type_text": _entry('"TBL_TYPE" = NULL, "VIEW_ORIGINAL_TEXT" = NULL', TABLE),
    "o_other_type": _entry("\"TBL_TYPE\" = 'STRANGE'", on_4=TABLE),
    "o_owner": _entry('"OWNER" = NULL'),
    "o_owner_type": _entry('"OWNER_TYPE" = NULL', since=3),
    "o_other_owner": _entry("\"OWNER_TYPE\" = 'STRANGE'", UNREAD, since=3),
    "o_original": _entry('"VIEW_ORIGINAL_TEXT" = NULL'),
    "o_expanded": _entry('"VIEW_EXPANDED_TEXT" = NULL'),
    "o_texts": _entry('"VIEW_ORIGINAL_TEXT" = NULL, "VIEW_EXPANDED_TEXT" = NULL', UNDECODED),
    "o_times": _entry('"CREATE_TIME" = 0, "LAST_ACCESS_TIME" = -1'),
    "o_bare": _entry('"SD_ID" = NULL'),
    "o_serde": Oddity(
        f'UPDATE "SDS" SET "SERDE_ID" = NULL WHERE "SD_ID" = {_SD}', UNREAD, on_4=VIEW
    ),
    "o_no_columns": Oddity(f'DELETE FROM "COLUMNS_V2" WHERE "CD_ID" = {_CD}'),
    "o_columns": Oddity(f'UPDATE "SDS" SET "CD_ID" = NULL WHERE "SD_ID" = {_SD}'),
    "o_hole": Oddity(f'UPDATE "COLUMNS_V2" SET "INTEGER_IDX" = 5 WHERE "CD_ID" = {_CD}'),
    "o_values": Oddity(f'UPDATE "TABLE_PARAMS" SET "PARAM_VALUE" = NULL WHERE "TBL_ID" = {_ENTRY}'),
    "o_parameters": Oddity(f'DELETE FROM "TABLE_PARAMS" WHERE "TBL_ID" = {_ENTRY}'),
    "o_upper": _entry("\"TBL_NAME\" = 'O_UPPER'", UNREAD),
    "o_no_name": _entry('"TBL_NAME" = NULL', "", UNREAD),
    "o_empty_name": _entry("\"TBL_NAME\" = ''", UNDECODED),
    "o_of_nobody": _database('"OWNER_NAME" = NULL, "OWNER_TYPE" = NULL'),
    "o_of_strange": _database("\"OWNER_TYPE\" = 'STRANGE'", VIEW, UNREAD),
    "o_untold": _database('"DESC" = NULL'),
    "o_value": Oddity(
        f'INSERT INTO "DATABASE_PARAMS" ("DB_ID", "PARAM_KEY", "PARAM_VALUE") '
        f"VALUES ({_DB}, 'k', NULL)"
    ),
}


def plant(uri: str, place: str, execute: Callable[[str], object], version: int) -> None:
    """A database for each oddity: the odd entry between two that are whole."""
    with writer(uri) as writing:
        for name in _of(version):
            writing.create_database(name, f"{place}/{name}.db", "the comment")
            for view_name in ("a_good", name, "z_good"):
                writing.create_table(_view(name, view_name))
    for name, oddity in _of(version).items():
        execute(oddity.sql.format(name=name))


def _of(version: int) -> dict[str, Oddity]:
    return {name: oddity for name, oddity in ODDITIES.items() if oddity.since <= version}


def _view(database: str, name: str) -> dict[str, Any]:
    return {
        "dbName": database,
        "tableName": name,
        "tableType": "VIRTUAL_VIEW",
        "owner": "o",
        "parameters": {"k": "v"},
        "partitionKeys": [],
        "viewOriginalText": "select 1 as x",
        "viewExpandedText": "select 1 as `x`",
        "sd": {
            "cols": [{"name": "x", "type": "int"}],
            "serdeInfo": {"name": "s", "parameters": {}},
            "parameters": {},
        },
    }


def wanted(version: int) -> dict[str, dict[str, str]]:
    """What becomes of each database, under its name with a slash, and of what it holds."""
    fates = {}
    for name, oddity in _of(version).items():
        fate = oddity.on_4 if version >= 4 and oddity.on_4 else oddity.entry
        odd = {"o_upper": "O_UPPER", "o_empty_name": ""}.get(name, name)
        fates[name] = {"a_good": VIEW, "z_good": VIEW, f"{name}/": oddity.database}
        if fate:
            fates[name][odd] = fate
    return fates


def became(source: ViewSource) -> dict[str, dict[str, str]]:
    """The same of what a source says: one thing of each."""
    fates: dict[str, dict[str, str]] = {}

    def note(listed: Listed, fate: str) -> None:
        place = listed.namespace[0] if listed.namespace else ""
        is_object = listed.kind not in {Kind.NAMESPACE, Kind.SOURCE}
        noted = fates.setdefault(place, {})
        key = listed.name if is_object else f"{place}/"
        assert key not in noted, "one row of each"
        noted[key] = fate

    with source:
        answers = list(source.listing())
        for answer in answers:
            if isinstance(answer, Failure):
                assert answer.stage is Stage.LIST
                note(answer.listed, answer.code)
        listed = tuple(item for item in answers if isinstance(item, Listed))
        for outcome in crawl(CrawlTask("s", listed), source):
            match outcome.result:
                case Failure(code=fate) | Skipped(reason=Reason(code=fate)):
                    note(outcome.listed, fate)
                case result:
                    note(outcome.listed, type(result).__name__)
    return fates
