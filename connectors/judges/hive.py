"""Judge `hive`: Hive's own parser: that among Spark's jars (Hive 2.3), or that of a newer Hive."""

import re
from collections.abc import Mapping
from typing import ClassVar, Final

from connectors.judges.host import ParserHost, Release
from connectors.judges.jars import Jar

_EXEC_3_1: Final = Jar(
    "org.apache.hive:hive-exec:3.1.3",
    "de86f70a73d05070c01f902ed1293b5dfbc4c0fb4d2232d9e218dc7d13ff8d6a",
)
_EXEC_4_0: Final = Jar(
    "org.apache.hive:hive-exec:4.0.1",
    "dd5e22aed78a7e62d8351e314fb438d90219f5c10014391448d30878c3ed3b03",
)
_LIBRARIES: Final = (
    "antlr-runtime-*.jar",
    "commons-*.jar",
    "hadoop-client-*.jar",
    "jcl-over-slf4j-*.jar",
    "log4j-*.jar",
    "slf4j-api-*.jar",
)
"""What Hive's classes stand on, none of them Hive's own."""


class Hive(ParserHost):
    """Accepts what Hive's parser accepts; names and types are not looked at."""

    engine = "hive"
    program = "Hive"
    among_sparks = re.compile(r"hive-exec-([\d.]+)(?:-core)?\.jar")
    opened: ClassVar[tuple[str, ...]] = ("java.net",)  # for what Hive 4 loads beside its parser
    others: ClassVar[Mapping[str, Release]] = {
        "3.1": Release(17, (_EXEC_3_1,), _LIBRARIES),
        "4.0": Release(17, (_EXEC_4_0,), _LIBRARIES, program="Hive4"),
    }
