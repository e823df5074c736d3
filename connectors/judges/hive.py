"""Judge `hive`: Hive's own parser, from the jars that come with Spark (Hive 2.3)."""

import re

from connectors.judges.host import ParserHost


class Hive(ParserHost):
    """Accepts what Hive's parser accepts; names and types are not looked at."""

    engine = "hive"
    program = "Hive"
    among_sparks = re.compile(r"hive-exec-([\d.]+)(?:-core)?\.jar")
