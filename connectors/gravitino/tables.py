"""The tables of Gravitino's relational store, layout of release 1.3.0, as far as views need them.

Our own words for measured facts. There are no foreign keys and no JSON types: JSON is text, and a
cell that cannot be parsed breaks the list of its parent. `deleted_at` is 0 for a live row, else
milliseconds since the epoch, and part of every unique key. The design's `latest_version` is
`last_version`; its `security_mode` is no column; default catalog and schema stand per version, not
per representation.
"""

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

METADATA: Final = MetaData()
SCHEMA_VERSION: Final = '"v_0_1"'  # a JSON string, quotes included


def _tail() -> list[Column[int]]:
    """What every `*_meta` table ends with."""
    return [
        Column("current_version", Integer, nullable=False, server_default=text("1")),
        Column("last_version", Integer, nullable=False, server_default=text("1")),
        _deleted(),
    ]


def _id(name: str, *, key: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=False, primary_key=key, autoincrement=False)


def _json(name: str, *, nullable: bool = False) -> Column[str]:
    return Column(name, Text, nullable=nullable)


def _deleted() -> Column[int]:
    return Column("deleted_at", BigInteger, nullable=False, server_default=text("0"))


METALAKE: Final = Table(
    "metalake_meta",
    METADATA,
    _id("metalake_id", key=True),
    Column("metalake_name", String(128), nullable=False),
    Column("metalake_comment", String(256), server_default=""),
    _json("properties", nullable=True),
    _json("audit_info"),
    _json("schema_version"),
    *_tail(),
    UniqueConstraint("metalake_name", "deleted_at"),
)
CATALOG: Final = Table(
    "catalog_meta",
    METADATA,
    _id("catalog_id", key=True),
    Column("catalog_name", String(128), nullable=False),
    _id("metalake_id"),
    Column("type", String(64), nullable=False),
    Column("provider", String(64), nullable=False),
    Column("catalog_comment", String(256), server_default=""),
    _json("properties", nullable=True),
    _json("audit_info"),
    *_tail(),
    UniqueConstraint("metalake_id", "catalog_name", "deleted_at"),
)
SCHEMA: Final = Table(
    "schema_meta",
    METADATA,
    _id("schema_id", key=True),
    Column("schema_name", String(128), nullable=False),
    _id("metalake_id"),
    _id("catalog_id"),
    Column("schema_comment", String(256), server_default=""),
    _json("properties", nullable=True),
    _json("audit_info"),
    *_tail(),
    UniqueConstraint("catalog_id", "schema_name", "deleted_at"),
    Index("schema_meta_idx_metalake_id", "metalake_id"),
)
VIEW: Final = Table(
    "view_meta",
    METADATA,
    _id("view_id", key=True),
    Column("view_name", String(128), nullable=False),
    _id("metalake_id"),
    _id("catalog_id"),
    _id("schema_id"),
    _json("audit_info"),
    *_tail(),
    UniqueConstraint("schema_id", "view_name", "deleted_at"),
    Index("view_meta_idx_metalake_id", "metalake_id"),
    Index("view_meta_idx_catalog_id", "catalog_id"),
)
VERSION: Final = Table(
    "view_version_info",
    METADATA,
    Column("id", BigInteger, Identity(), primary_key=True),
    _id("metalake_id"),
    _id("catalog_id"),
    _id("schema_id"),
    _id("view_id"),
    Column("version", Integer, nullable=False),
    Column("view_comment", Text),
    _json("columns"),
    _json("properties", nullable=True),
    Column("default_catalog", String(128)),
    Column("default_schema", String(128)),
    _json("representations"),
    _json("audit_info"),
    _deleted(),
    UniqueConstraint("view_id", "version", "deleted_at"),
    *(
        Index(f"view_version_info_idx_{name}", name)
        for name in ("metalake_id", "catalog_id", "schema_id")
    ),
)
CHANGE_LOG: Final = Table(
    "entity_change_log",
    METADATA,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("metalake_name", String(128), nullable=False),
    Column("entity_type", String(32), nullable=False),
    Column("entity_full_name", String(512), nullable=False),
    Column("operate_type", SmallInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)
ALTERED: Final = 1  # of operate_type; a server throws on any other
DROPPED: Final = 2
