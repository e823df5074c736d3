"""Judge `spark`: Spark's own parser, from the jars that run us."""

import re

from connectors.judges.host import ParserHost


class Spark(ParserHost):
    """Accepts what Spark's parser accepts; names and types are not looked at."""

    engine = "spark"
    program = "Spark"
    among_sparks = re.compile(r"spark-catalyst_[\d.]+-(.+)\.jar")
