"""Judge `flink`: Flink's own parser, which is Calcite's with Flink's grammar; no planner."""

from collections.abc import Mapping
from typing import ClassVar, Final

from connectors.judges.host import ParserHost, Release
from connectors.judges.jars import COMMONS_MATH, GUAVA, SLF4J, Jar

PLANNER_1_20: Final = Jar(
    "org.apache.flink:flink-table-planner_2.12:1.20.4",
    "62ee9e58a9f1959bdbb18e6ffb31d4843b01fc8100178c3f6d115a6abaac9f02",
)
"""It holds the parser and Calcite, too."""


class Flink(ParserHost):
    """Accepts what Flink's parser accepts; names and types are not looked at."""

    engine = "flink"
    program = "Flink"
    jars: ClassVar[tuple[Jar, ...]] = (
        Jar(
            "org.apache.flink:flink-sql-parser:2.3.0",
            "2210424a83fff71a3653179b8447914cec6a118919cf9b61d3ed2e994b05b5ae",
        ),
        Jar(
            "org.apache.flink:flink-annotations:2.3.0",
            "43eef36e172f5bc727a63c75347ba5cc4ceeb569f5daaf64421da248c224308a",
        ),
        Jar(
            "org.apache.calcite:calcite-core:1.36.0",
            "1322396c24f0c80c03fc4ac8ed4f35e61d97d6717b74a6da866502c8e59827b7",
        ),
        Jar(
            "org.apache.calcite:calcite-linq4j:1.36.0",
            "8e5a76cbfb997157a4abe9de52a6d92515a6e611f13c8b46312982d46ea6ff3f",
        ),
        Jar(
            "org.apache.calcite.avatica:avatica-core:1.23.0",
            "9e138b51f28da396fec4e29574f05d60c8ea56551c2a6213fdb90f269e63ed7f",
        ),
        COMMONS_MATH,
        *GUAVA,
        SLF4J,
    )
    others: ClassVar[Mapping[str, Release]] = {"1.20": Release(17, (PLANNER_1_20, SLF4J))}
