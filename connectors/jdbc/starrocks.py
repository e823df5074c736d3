"""Source `starrocks`: the views of StarRocks (3.1 and later), which speaks MySQL's protocol.

Built after its documentation; no real server was met. Only statements that read are sent: StarRocks
has no read-only session.
"""

from collections.abc import Sequence
from typing import ClassVar, Final

from sqlalchemy import text

from connectors.jdbc import front_end, mysql
from discovery.datatypes import starrocks
from discovery.engines import ENGINES
from discovery.model import STARROCKS
from discovery.outcomes import Kind

_MATERIALIZED: Final = text("""
    SELECT table_name AS name FROM information_schema.materialized_views
    WHERE table_schema = :schema
""")


class Options(mysql.Options):
    """How to reach and crawl StarRocks.

    Attributes:
        url: `starrocks://host:port/`, an FE's query port, without user and password.
    """

    schemes: ClassVar[tuple[str, ...]] = ENGINES[STARROCKS].schemes


class StarRocks(front_end.FrontEnd):
    """A StarRocks cluster as a source of views: those of its default catalog."""

    kind = "starrocks"
    parse = staticmethod(starrocks.parse)
    catalog = "default_catalog"
    system_schemas = ENGINES[STARROCKS].provides.schemas

    def objects(self, schema: str) -> Sequence[tuple[str, Kind]]:
        """Views and tables; materialized views are listed as views and named in a table apart."""
        apart = {row["name"] for row in self.rows(_MATERIALIZED, {"schema": schema})}
        return [
            (name, Kind.MATERIALIZED_VIEW if name in apart else kind)
            for name, kind in super().objects(schema)
        ]
