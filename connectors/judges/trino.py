"""Judge `trino`: Trino's own parser; 435 is the last release that runs on Java 17.

Where a Java 25 is at hand, 484 judges. Its jars are fetched one by one, without POMs: Maven cannot
resolve its parent.
"""

from typing import ClassVar

from connectors.judges.host import ParserHost, Release
from connectors.judges.jars import GUAVA, Jar


class Trino(ParserHost):
    """Accepts what Trino's parser accepts; names and types are not looked at."""

    engine = "trino"
    program = "Trino"
    jars: ClassVar[tuple[Jar, ...]] = (
        Jar(
            "io.trino:trino-parser:435",
            "bc705edea09b31f103193d44bce56db2a18d376d173655198bde389d9c7289db",
        ),
        Jar(
            "io.trino:trino-grammar:435",
            "3abe188ab9d2f5920a8437e4ae16d923c1f2b4798200faec183c3688ddd41d1f",
        ),
        Jar(
            "org.antlr:antlr4-runtime:4.13.1",
            "54665d2838cc66458343468efc539e454fc95b46a8a04b13c6ac43fc9be63505",
        ),
        Jar(
            "com.google.guava:guava:32.1.2-jre",
            "bc65dea7cfd9e4dacf8419d8af0e741655857d27885bb35d943d7187fc3a8fce",
        ),
        Jar(
            "com.google.guava:failureaccess:1.0.1",
            "a171ee4c734dd2da837e4b16be9df4661afab72a41adaf31eb84dfdaf936ca26",
        ),
    )
    newer = Release(
        25,
        (
            Jar(
                "io.trino:trino-parser:484",
                "aa221f5100092f54cfee2c6db59a5b67b83b003e4da88b587cafb120b4829de8",
            ),
            Jar(
                "io.trino:trino-grammar:484",
                "a349244944289ade63fc5164aa4889e55cb0e0f3fc17102a6685c1b215ced0ab",
            ),
            Jar(
                "org.antlr:antlr4-runtime:4.13.2",
                "dd3e8a13a2d669bf84fb8d834de35ce4875f27157698d206241ec8488aadcaf7",
            ),
            *GUAVA,
        ),
    )
