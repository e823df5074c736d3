"""The tables in which a Hive Metastore keeps what it knows, as far as they are read.

They are those of Hive's own scripts (`hive-schema-<version>.<database>.sql`, 1.2.0 to 4.0.0) and of
its mapping (`package.jdo`): names in upper case. Older ones lack some of the columns.
"""

from typing import Final

from sqlalchemy import Column, MetaData, Table

METADATA: Final = MetaData()


def _table(name: str, *columns: str) -> Table:
    return Table(name, METADATA, *map(Column, columns))


_DESCRIPTOR: Final = ("SD_ID", "CD_ID", "SERDE_ID", "LOCATION", "INPUT_FORMAT", "OUTPUT_FORMAT")
_GRANT: Final = ("PRINCIPAL_NAME", "PRINCIPAL_TYPE", "GRANT_OPTION", "GRANTOR")

VERSION: Final = _table("VERSION", "SCHEMA_VERSION")
CTLGS: Final = _table("CTLGS", "NAME")
DBS: Final = _table(
    "DBS",
    *("DB_ID", "NAME", "DESC", "DB_LOCATION_URI", "OWNER_NAME", "OWNER_TYPE", "CTLG_NAME"),
    *("CREATE_TIME", "TYPE"),
)
DATABASE_PARAMS: Final = _table("DATABASE_PARAMS", "DB_ID", "PARAM_KEY", "PARAM_VALUE")
TBLS: Final = _table(
    "TBLS",
    *("TBL_ID", "DB_ID", "SD_ID", "TBL_NAME", "TBL_TYPE", "OWNER", "CREATE_TIME"),
    *("LAST_ACCESS_TIME", "RETENTION", "VIEW_ORIGINAL_TEXT", "VIEW_EXPANDED_TEXT"),
    *("IS_REWRITE_ENABLED", "OWNER_TYPE", "WRITE_ID"),
)
TABLE_PARAMS: Final = _table("TABLE_PARAMS", "TBL_ID", "PARAM_KEY", "PARAM_VALUE")
PARTITION_KEYS: Final = _table(
    "PARTITION_KEYS", "TBL_ID", "PKEY_NAME", "PKEY_TYPE", "PKEY_COMMENT", "INTEGER_IDX"
)
SDS: Final = _table(
    "SDS", *_DESCRIPTOR, "IS_COMPRESSED", "NUM_BUCKETS", "IS_STOREDASSUBDIRECTORIES"
)
SD_PARAMS: Final = _table("SD_PARAMS", "SD_ID", "PARAM_KEY", "PARAM_VALUE")
BUCKETING_COLS: Final = _table("BUCKETING_COLS", "SD_ID", "BUCKET_COL_NAME", "INTEGER_IDX")
SORT_COLS: Final = _table("SORT_COLS", "SD_ID", "COLUMN_NAME", "ORDER", "INTEGER_IDX")
SKEWED_COL_NAMES: Final = _table("SKEWED_COL_NAMES", "SD_ID", "SKEWED_COL_NAME", "INTEGER_IDX")
SKEWED_VALUES: Final = _table("SKEWED_VALUES", "SD_ID_OID", "STRING_LIST_ID_EID", "INTEGER_IDX")
SKEWED_STRING_LIST_VALUES: Final = _table(
    "SKEWED_STRING_LIST_VALUES", "STRING_LIST_ID", "STRING_LIST_VALUE", "INTEGER_IDX"
)
CDS: Final = _table("CDS", "CD_ID")
COLUMNS_V2: Final = _table(
    "COLUMNS_V2", "CD_ID", "COLUMN_NAME", "TYPE_NAME", "COMMENT", "INTEGER_IDX"
)
SERDES: Final = _table("SERDES", "SERDE_ID", "NAME", "SLIB")
SERDE_PARAMS: Final = _table("SERDE_PARAMS", "SERDE_ID", "PARAM_KEY", "PARAM_VALUE")
FUNCS: Final = _table(
    "FUNCS",
    *("FUNC_ID", "DB_ID", "FUNC_NAME", "CLASS_NAME", "OWNER_NAME", "OWNER_TYPE"),
    *("FUNC_TYPE", "CREATE_TIME"),
)
FUNC_RU: Final = _table("FUNC_RU", "FUNC_ID", "RESOURCE_TYPE", "RESOURCE_URI", "INTEGER_IDX")
GLOBAL_PRIVS: Final = _table("GLOBAL_PRIVS", "USER_PRIV", *_GRANT)
DB_PRIVS: Final = _table("DB_PRIVS", "DB_ID", "DB_PRIV", *_GRANT)
TBL_PRIVS: Final = _table("TBL_PRIVS", "TBL_ID", "TBL_PRIV", *_GRANT)
TBL_COL_PRIVS: Final = _table("TBL_COL_PRIVS", "TBL_ID", "TBL_COL_PRIV", "COLUMN_NAME", *_GRANT)
ROLES: Final = _table("ROLES", "ROLE_ID", "ROLE_NAME")
ROLE_MAP: Final = _table(
    "ROLE_MAP", "ROLE_ID", "PRINCIPAL_NAME", "PRINCIPAL_TYPE", "GRANT_OPTION", "GRANTOR"
)

OF_RIGHTS: Final = (GLOBAL_PRIVS, DB_PRIVS, TBL_PRIVS, TBL_COL_PRIVS, ROLES, ROLE_MAP)
"""Read only where rights are asked for."""
OF_CATALOGS: Final = (CTLGS,)
"""There since Hive 3."""
OF_VIEWS: Final = tuple(
    sorted_table
    for sorted_table in METADATA.sorted_tables
    if sorted_table not in {*OF_RIGHTS, *OF_CATALOGS}
)
"""Read of every metastore."""
