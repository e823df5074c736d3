"""Judge `hive`: Hive's own parser, from the jars that come with Spark (Hive 2.3)."""

import re

from connectors.judges.host import ParserHost


class Hive(ParserHost):
    """Accepts what Hive's parser accepts; names and types are not looked at."""

    engine = "hive"
    jar = re.compile(r"hive-exec-([\d.]+)(?:-core)?\.jar")
    parser = "org.apache.hadoop.hive.ql.parse.ParseUtils.parse"
    position = re.compile(r"line (\d+):(\d+)")
