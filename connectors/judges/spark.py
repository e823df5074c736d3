"""Judge `spark`: Spark's own parser, from the jars that run us, or that of an older Spark."""

import re
from collections.abc import Mapping
from typing import ClassVar, Final

from connectors.judges.host import ParserHost, Release
from connectors.judges.jars import Jar

_JARS_3_5: Final = (
    Jar(
        "org.apache.spark:spark-catalyst_2.13:3.5.8",
        "86be0e1914924748c5f5252760f7068aa551f4ff82b63423d6da7fe33aedf598",
    ),
    Jar(
        "org.apache.spark:spark-sql_2.13:3.5.8",
        "4a4474d075d977d07a25679dd360b7191a11b950b263d84b4014b151e2c75194",
    ),
    Jar(
        "org.apache.spark:spark-sql-api_2.13:3.5.8",
        "0d5a811ae86da2f3a8a4c6dc09dba16fdb41a32f82fe460ba8731d867dbd58d6",
    ),
    Jar(
        "org.apache.spark:spark-core_2.13:3.5.8",
        "ebb5014a05d5477125e4e942e3ffed6586e2fb9320cd4162bc4065999ddee72c",
    ),
    Jar(
        "org.apache.spark:spark-common-utils_2.13:3.5.8",
        "e847e025e925f3f99cf33655e462f0593fe99322fa3164600ec3739c50ad7e94",
    ),
    Jar(
        "org.apache.spark:spark-network-common_2.13:3.5.8",
        "a7b4d45ce137f44e5e5aa2d6616cf7c872cb9130f87ae7d9cb25121e6f3b06cd",
    ),
    Jar(
        "org.apache.spark:spark-unsafe_2.13:3.5.8",
        "7891a9e37f84d53675622624d29bc6cde6ea308f25717bd05baf9c3c4d46c550",
    ),
    Jar(
        "org.antlr:antlr4-runtime:4.9.3",
        "131a6594969bc4f321d652ea2a33bc0e378ca312685ef87791b2c60b29d01ea5",
    ),
    Jar(
        "org.json4s:json4s-ast_2.13:3.7.0-M11",
        "c694b60c77ddc9e33a849f156ff25ac77c052a64d5cce5fd180c2c160d7ac923",
    ),
)
_LIBRARIES: Final = (
    "commons-*.jar",
    "hadoop-client-*.jar",
    "jackson-*.jar",
    "javax.servlet-api-*.jar",
    "kryo-*.jar",
    "log4j-*.jar",
    "paranamer-*.jar",
    "scala-library-*.jar",
    "scala-reflect-*.jar",
    "slf4j-api-*.jar",
)
"""What Spark's classes stand on, none of them Spark's own."""


class Spark(ParserHost):
    """Accepts what Spark's parser accepts; names and types are not looked at."""

    engine = "spark"
    program = "Spark"
    among_sparks = re.compile(r"spark-catalyst_[\d.]+-(.+)\.jar")
    others: ClassVar[Mapping[str, Release]] = {"3.5": Release(17, _JARS_3_5, _LIBRARIES)}
