"""Source `doris`: the views of Apache Doris (2.1 and later), which speaks MySQL's protocol.

Built after its documentation; no real server was met. Only statements that read are sent: Doris has
no read-only session.
"""

from typing import ClassVar

from connectors.jdbc import front_end, mysql
from discovery.datatypes import doris
from discovery.engines import ENGINES
from discovery.model import DORIS


class Options(mysql.Options):
    """How to reach and crawl Doris.

    Attributes:
        url: `doris://host:port/`, an FE's query port, without user and password.
    """

    schemes: ClassVar[tuple[str, ...]] = ENGINES[DORIS].schemes


class Doris(front_end.FrontEnd):
    """A Doris cluster as a source of views: those of its internal catalog."""

    kind = "doris"
    parse = staticmethod(doris.parse)
    catalog = "internal"
    system_schemas = ENGINES[DORIS].provides.schemas
