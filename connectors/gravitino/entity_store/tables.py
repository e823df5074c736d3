"""The tables of Gravitino's relational store, layout of release 1.3.0, as far as views need them.

Our own words for measured facts. There are no foreign keys and no JSON types: JSON is text, and a
cell that cannot be parsed breaks the list of its parent. `deleted_at` is 0 for a live row, else
milliseconds since the epoch, and part of every unique key. The design's `latest_version` is
`last_version`; its `security_mode` is no column; default catalog and schema stand per version, not
per representation.
"""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Identity,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects import mysql
from sqlalchemy.schema import SchemaItem

METADATA: Final = MetaData()
SCHEMA_VERSION: Final = '"v_0_1"'  # a JSON string, quotes included
ALTERED: Final = 1  # of operate_type; a server throws on any other
DROPPED: Final = 2

_LONG: Final = BigInteger().with_variant(mysql.BIGINT(unsigned=True), "mysql")
_INT: Final = Integer().with_variant(mysql.INTEGER(unsigned=True), "mysql")
_JSON: Final = Text().with_variant(mysql.MEDIUMTEXT(), "mysql")
_SMALL: Final = SmallInteger().with_variant(mysql.TINYINT(), "mysql")


def _table(name: str, *parts: SchemaItem) -> Table:
    return Table(
        name,
        METADATA,
        *parts,
        mysql_engine="InnoDB",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )


def _tail() -> Iterator[Column[int]]:
    """What every `*_meta` table ends with."""
    yield Column("current_version", _INT, nullable=False, server_default=text("1"))
    yield Column("last_version", _INT, nullable=False, server_default=text("1"))
    yield _deleted()


def _id(name: str, *, key: bool = False) -> Column[int]:
    return Column(name, _LONG, nullable=False, primary_key=key, autoincrement=False)


def _number() -> Column[int]:
    """The number of a row, which the database gives."""
    return Column("id", _LONG, Identity(), primary_key=True, autoincrement=True)


def _name(name: str, length: int = 128) -> Column[str]:
    return Column(name, String(length), nullable=False)


def _comment(name: str) -> Column[str]:
    return Column(name, String(256), server_default="")


def _json(name: str, *, nullable: bool = False) -> Column[str]:
    return Column(name, _JSON, nullable=nullable)


def _deleted() -> Column[int]:
    return Column("deleted_at", _LONG, nullable=False, server_default=text("0"))


def _updated() -> Column[int]:
    """When it changed, for the server's cache of owners: milliseconds since the epoch."""
    return Column("updated_at", _LONG, nullable=False, server_default=text("0"))


def _unique(name: str, *columns: str) -> Iterator[UniqueConstraint]:
    """Unique among live rows; MySQL's scripts name it, PostgreSQL's do not."""
    yield UniqueConstraint(*columns, "deleted_at", name=name).ddl_if(dialect="mysql")
    yield UniqueConstraint(*columns, "deleted_at").ddl_if(dialect="postgresql")


def _indexes(table: str, **columns: str) -> Iterator[Index]:
    """An index for each column, by MySQL's name for it."""
    for name, column in columns.items():
        yield Index(name, column).ddl_if(dialect="mysql")
        yield Index(f"{table}_idx_{column}", column).ddl_if(dialect="postgresql")


METALAKE: Final = _table(
    "metalake_meta",
    _id("metalake_id", key=True),
    _name("metalake_name"),
    _comment("metalake_comment"),
    _json("properties", nullable=True),
    _json("audit_info"),
    _json("schema_version"),
    *_tail(),
    *_unique("uk_mn_del", "metalake_name"),
)
CATALOG: Final = _table(
    "catalog_meta",
    _id("catalog_id", key=True),
    _name("catalog_name"),
    _id("metalake_id"),
    _name("type", 64),
    _name("provider", 64),
    _comment("catalog_comment"),
    _json("properties", nullable=True),
    _json("audit_info"),
    *_tail(),
    *_unique("uk_mid_cn_del", "metalake_id", "catalog_name"),
)
SCHEMA: Final = _table(
    "schema_meta",
    _id("schema_id", key=True),
    _name("schema_name"),
    _id("metalake_id"),
    _id("catalog_id"),
    _comment("schema_comment"),
    _json("properties", nullable=True),
    _json("audit_info"),
    *_tail(),
    *_unique("uk_cid_sn_del", "catalog_id", "schema_name"),
    *_indexes("schema_meta", idx_smid="metalake_id"),
)
VIEW: Final = _table(
    "view_meta",
    _id("view_id", key=True),
    _name("view_name"),
    _id("metalake_id"),
    _id("catalog_id"),
    _id("schema_id"),
    _json("audit_info"),
    *_tail(),
    *_unique("uk_sid_vn_del", "schema_id", "view_name"),
    *_indexes("view_meta", idx_vemid="metalake_id", idx_vecid="catalog_id"),
)
VERSION: Final = _table(
    "view_version_info",
    _number(),
    _id("metalake_id"),
    _id("catalog_id"),
    _id("schema_id"),
    _id("view_id"),
    Column("version", _INT, nullable=False),
    Column("view_comment", Text),
    _json("columns"),
    _json("properties", nullable=True),
    Column("default_catalog", String(128)),
    Column("default_schema", String(128)),
    _json("representations"),
    _json("audit_info"),
    _deleted(),
    *_unique("uk_vid_ver_del", "view_id", "version"),
    *_indexes(
        "view_version_info", idx_vvmid="metalake_id", idx_vvcid="catalog_id", idx_vvsid="schema_id"
    ),
)
FUNCTION: Final = _table(
    "function_meta",
    _id("function_id", key=True),
    _name("function_name"),
    _id("metalake_id"),
    _id("catalog_id"),
    _id("schema_id"),
    _name("function_type", 64),
    Column("deterministic", _SMALL, server_default=text("1")),
    Column("function_current_version", _INT, server_default=text("1")),
    Column("function_latest_version", _INT, server_default=text("1")),
    _json("audit_info"),
    _deleted(),
    *_unique("uk_sid_fn_del", "schema_id", "function_name"),
    *_indexes("function_meta", idx_mid="metalake_id", idx_cid="catalog_id"),
)
FUNCTION_VERSION: Final = _table(
    "function_version_info",
    _number(),
    _id("metalake_id"),
    _id("catalog_id"),
    _id("schema_id"),
    _id("function_id"),
    Column("version", _INT, nullable=False),
    Column("function_comment", Text),
    _json("definitions"),
    _json("audit_info"),
    _deleted(),
    *_unique("uk_fid_ver_del", "function_id", "version"),
    *_indexes(
        "function_version_info", idx_mid="metalake_id", idx_cid="catalog_id", idx_sid="schema_id"
    ),
)
OWNER: Final = _table(
    "owner_meta",
    _number(),
    _id("metalake_id"),
    _id("owner_id"),
    _name("owner_type", 64),
    _id("metadata_object_id"),
    _name("metadata_object_type", 64),
    _json("audit_info"),
    *_tail(),
    _updated(),
    *_unique("uk_ow_me_del", "owner_id", "metadata_object_id", "metadata_object_type"),
)
USER: Final = _table(
    "user_meta",
    _id("user_id", key=True),
    _name("user_name"),
    _id("metalake_id"),
    _json("audit_info"),
    *_tail(),
    _updated(),
    *_unique("uk_mid_us_del", "metalake_id", "user_name"),
)
GROUP: Final = _table(
    "group_meta",
    _id("group_id", key=True),
    _name("group_name"),
    _id("metalake_id"),
    _json("audit_info"),
    *_tail(),
    _updated(),
    *_unique("uk_mid_gr_del", "metalake_id", "group_name"),
)
ROLE: Final = _table(
    "role_meta",
    _id("role_id", key=True),
    _name("role_name"),
    _id("metalake_id"),
    _json("properties", nullable=True),
    _json("audit_info"),
    *_tail(),
    _updated(),
    *_unique("uk_mid_rn_del", "metalake_id", "role_name"),
)
SECURABLE: Final = _table(
    "role_meta_securable_object",
    _number(),
    _id("role_id"),
    _id("metadata_object_id"),
    _name("type"),
    _json("privilege_names"),
    _json("privilege_conditions"),
    *_tail(),
    *_indexes(
        "role_meta_securable_object", idx_obj_rid="role_id", idx_obj_eid="metadata_object_id"
    ),
)
USER_ROLE: Final = _table(
    "user_role_rel",
    _number(),
    _id("user_id"),
    _id("role_id"),
    _json("audit_info"),
    *_tail(),
    *_unique("uk_ui_ri_del", "user_id", "role_id"),
)
GROUP_ROLE: Final = _table(
    "group_role_rel",
    _number(),
    _id("group_id"),
    _id("role_id"),
    _json("audit_info"),
    *_tail(),
    *_unique("uk_gi_ri_del", "group_id", "role_id"),
)
CHANGE_LOG: Final = _table(
    "entity_change_log",
    _number(),
    _name("metalake_name"),
    _name("entity_type", 32),
    _name("entity_full_name", 512),
    Column("operate_type", _SMALL, nullable=False),
    _id("created_at"),
)
