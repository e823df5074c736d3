"""Rows of a metastore's database as the objects that it answers with over Thrift.

Fields are those of the Thrift IDL that `hms` has: without a catalog those of Hive 2, with one a few
of Hive 3 and 4, too (3.1.3 and 4.0.1 were compared). What the server
makes of NULLs is that of Hive's `ObjectStore` (2.3.10): values of maps that are NULL are left
out (`trimMapNulls`), lists and maps without rows are empty, and a field that is NULL is not set.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from discovery.errors import ReadError

_TRUE: Final = (True, 1, "Y", "y", "1", "t", "T", "true", b"\x01", b"1")
_TEXTS: Final = ("viewOriginalText", "viewExpandedText")
_DATABASES: Final = {"NATIVE": 1, "REMOTE": 2}
_PRINCIPALS: Final = {"USER": 1, "ROLE": 2, "GROUP": 3}

ById = Mapping[int, Sequence[Sequence[Any]]]


class Row(Protocol):
    """A row by the names of its columns."""

    def __getitem__(self, name: str, /) -> Any: ...  # noqa: ANN401 - of any type


class Parts(NamedTuple):
    """What belongs to rows of TBLS, by the ids of what it belongs to; lists in their order."""

    parameters: ById  # key, value; by table
    partition_keys: ById  # name, type, comment; by table
    columns: ById  # name, type, comment; by CD_ID
    of_descriptors: ById  # key, value; by SD_ID
    bucketed: ById  # name; by SD_ID
    sorted_by: ById  # name, order; by SD_ID
    skewed: ById  # name; by SD_ID
    skewed_values: ById  # number of a list, value; by SD_ID
    of_serdes: ById  # key, value; by SERDE_ID


def table(row: Row, database: str, parts: Parts) -> dict[str, Any]:
    """An entry.

    Args:
        row: Of TBLS, joined with SDS and SERDES; their ids are named after the tables.
        database: Its name.
        parts: Of this row and of others.

    Raises:
        ReadError: A row that it refers to is missing; says which.
    """
    number, rewrites = row["TBL_ID"], row["IS_REWRITE_ENABLED"]
    stated = parameters(parts.parameters.get(number, ()))
    return set_only(
        tableName=row["TBL_NAME"],
        dbName=database,
        owner=row["OWNER"],
        createTime=row["CREATE_TIME"] or 0,
        lastAccessTime=row["LAST_ACCESS_TIME"] or 0,
        retention=row["RETENTION"] or 0,
        sd=_descriptor(row, parts),
        partitionKeys=_columns(parts.partition_keys.get(number, ())),
        parameters=stated,
        viewOriginalText=row["VIEW_ORIGINAL_TEXT"],
        viewExpandedText=row["VIEW_EXPANDED_TEXT"],
        tableType=row["TBL_TYPE"] or _type(row, stated),
        temporary=False,
        rewriteEnabled=None if rewrites is None else truth(rewrites),
    )


def table_of_catalog(row: Row, catalog: str, *, is_hive_4: bool) -> dict[str, Any]:
    """What an entry has beside that where a catalog is named."""
    ids = {"writeId": row["WRITE_ID"] or 0, "id": row["TBL_ID"]} if is_hive_4 else {"writeId": -1}
    return {"catName": catalog, "ownerType": principal(row["OWNER_TYPE"]) or 1, **ids}


def without_texts(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry as Hive 4 has it: what is no view has no texts (`ObjectStore.convertToTable`)."""
    if entry["tableType"] in {"VIRTUAL_VIEW", "MATERIALIZED_VIEW"}:
        return entry
    return {key: value for key, value in entry.items() if key not in _TEXTS}


def database_of_catalog(row: Row, catalog: str, *, is_hive_4: bool) -> dict[str, Any]:
    """What a database has beside that where a catalog is named."""
    if not is_hive_4:
        return {"catalogName": catalog}
    kind = _DATABASES.get(row["TYPE"])
    return set_only(catalogName=catalog, createTime=row["CREATE_TIME"], type=kind)


def _type(row: Row, stated: Mapping[str, str]) -> str:
    """What the server makes of an entry without a type (`ObjectStore.convertToTable`)."""
    if row["VIEW_ORIGINAL_TEXT"] is not None:
        return "VIRTUAL_VIEW"
    return "EXTERNAL_TABLE" if stated.get("EXTERNAL") == "TRUE" else "MANAGED_TABLE"


def _descriptor(row: Row, parts: Parts) -> dict[str, Any] | None:
    number, name = row["SD_ID"], row["TBL_NAME"]
    if number is None:
        return None
    if row["SDS_ID"] is None:
        raise ReadError(f"{name}: SDS has no row {number}, to which TBLS refers")
    return set_only(
        cols=_columns_of(row, parts),
        location=row["LOCATION"],
        inputFormat=row["INPUT_FORMAT"],
        outputFormat=row["OUTPUT_FORMAT"],
        compressed=truth(row["IS_COMPRESSED"]),
        numBuckets=row["NUM_BUCKETS"] or 0,
        serdeInfo=_serde(row, parts),
        bucketCols=[column for (column,) in parts.bucketed.get(number, ())],
        sortCols=[
            {"col": column, "order": order} for column, order in parts.sorted_by.get(number, ())
        ],
        parameters=parameters(parts.of_descriptors.get(number, ())),
        skewedInfo=_skewed(number, parts),
        storedAsSubDirectories=truth(row["IS_STOREDASSUBDIRECTORIES"]),
    )


def _columns_of(row: Row, parts: Parts) -> list[dict[str, Any]] | None:
    number = row["CD_ID"]
    if number is None:
        return None
    if row["CDS_ID"] is None:
        raise ReadError(f"{row['TBL_NAME']}: CDS has no row {number}, to which SDS refers")
    return _columns(parts.columns.get(number, ()))


def _serde(row: Row, parts: Parts) -> dict[str, Any]:
    number = row["SERDE_ID"]
    if number is None or row["SERDES_ID"] is None:
        missing = "no serde" if number is None else f"the serde {number}, which SERDES has not"
        raise ReadError(f"{row['TBL_NAME']}: its row {row['SD_ID']} of SDS has {missing}")
    return set_only(
        name=row["SERDE_NAME"],
        serializationLib=row["SLIB"],
        parameters=parameters(parts.of_serdes.get(number, ())),
    )


def _skewed(number: int, parts: Parts) -> dict[str, Any]:
    """What is skewed, without where it lies: Python's Thrift cannot read a map by lists."""
    lists: dict[int, list[Any]] = {}
    for key, value in parts.skewed_values.get(number, ()):
        lists.setdefault(key, []).append(value)
    return {
        "skewedColNames": [column for (column,) in parts.skewed.get(number, ())],
        "skewedColValues": list(lists.values()),
        "skewedColValueLocationMaps": {},
    }


def database(row: Row, rows: Iterable[Sequence[Any]]) -> dict[str, Any]:
    """A database, from its row of DBS and those of DATABASE_PARAMS."""
    return set_only(
        name=row["NAME"],
        description=row["DESC"],
        locationUri=row["DB_LOCATION_URI"],
        parameters=parameters(rows),
        ownerName=row["OWNER_NAME"],
        ownerType=principal(row["OWNER_TYPE"]),
    )


def function(row: Row, database: str, resources: Iterable[Sequence[Any]]) -> dict[str, Any]:
    """A function, from its row of FUNCS and those of FUNC_RU."""
    return set_only(
        functionName=row["FUNC_NAME"],
        dbName=database,
        className=row["CLASS_NAME"],
        ownerName=row["OWNER_NAME"],
        ownerType=principal(row["OWNER_TYPE"]),
        createTime=row["CREATE_TIME"] or 0,
        functionType=row["FUNC_TYPE"],
        resourceUris=[set_only(resourceType=kind, uri=uri) for kind, uri in resources],
    )


def object_privilege(row: Row, kind: int, **names: str) -> dict[str, Any]:
    """A HiveObjectPrivilege.

    Args:
        row: Of one of the tables of rights, its word as `PRIVILEGE`.
        kind: HiveObjectType.
        **names: Of the object, by the fields of HiveObjectRef.
    """
    return {
        "hiveObject": {"objectType": kind, **names},
        "principalName": row["PRINCIPAL_NAME"],
        "principalType": principal(row["PRINCIPAL_TYPE"]),
        "grantInfo": {
            "privilege": row["PRIVILEGE"],
            "grantOption": truth(row["GRANT_OPTION"]),
            "grantor": row["GRANTOR"],
        },
    }


def member(row: Row) -> dict[str, Any]:
    """A RolePrincipalGrant."""
    return {
        "roleName": row["ROLE_NAME"],
        "principalName": row["PRINCIPAL_NAME"],
        "principalType": principal(row["PRINCIPAL_TYPE"]),
        "grantOption": truth(row["GRANT_OPTION"]),
        "grantorName": row["GRANTOR"],
    }


def set_only(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 - as Thrift has them
    """The fields that are set."""
    return {key: value for key, value in fields.items() if value is not None}


def parameters(rows: Iterable[Sequence[Any]]) -> dict[str, str]:
    """A map, without what is NULL."""
    return {key: value for key, value in rows if value is not None}


def truth(value: object) -> bool:
    """A boolean as the databases keep it: as such, a bit, a character, a number."""
    return value in _TRUE


def principal(kind: str | None) -> int | None:
    """A `PrincipalType` by its name."""
    return _PRINCIPALS.get(kind or "")


def _columns(rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    return [set_only(name=name, type=kind, comment=comment) for name, kind, comment in rows]
