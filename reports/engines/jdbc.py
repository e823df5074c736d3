"""How engines see a SQL database: each shows its views as tables.

Doris and StarRocks speak MySQL's protocol, so their connectors are MySQL's.
"""

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from discovery.engines import ENGINES
from discovery.model import MYSQL, POSTGRESQL
from discovery.outcomes import Note
from reports.engines.shared import (
    EngineConfig,
    StatedSource,
    blind,
    config_of,
    jdbc_url,
    setting,
    within,
)

_MARIADB: Final = "mariadb"
_SPARK_MARIADB: Final = "permitMysqlScheme"
"""MariaDB's driver (3.0 and later) takes `jdbc:mysql:` only with this."""


def trino(source: StatedSource) -> EngineConfig:
    """Trino's connector of the database."""
    connector = _connector(source)
    return config_of(
        [
            ("connector.name", connector),
            ("connection-url", _url(source, connector, with_database=connector == POSTGRESQL)),
            ("connection-user", source.option("user")),
            ("connection-password", source.option("password")),
        ],
        *_findings(source, "Trino", "mysql connector"),
    )


def spark(source: StatedSource) -> EngineConfig:
    """Spark's JDBC catalog.

    Spark 4.3 has no dialect for `jdbc:mariadb:`: it would quote names as `"name"`, which MariaDB
    takes for texts.
    """
    scheme = _connector(source)
    driver = ENGINES[scheme].java_driver
    url = _url(source, MYSQL if scheme == _MARIADB else scheme, with_database=True)
    if scheme == _MARIADB:
        url += f"{'&' if '?' in url else '?'}{_SPARK_MARIADB}"
    catalog = f"spark.sql.catalog.{source.name}"
    options = [
        ("url", url),
        ("driver", driver),
        ("user", source.option("user")),
        ("password", source.option("password")),
    ]
    implementation = "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog"
    return config_of(
        [(catalog, implementation), *within(catalog, options)],
        setting(f"Spark needs the driver {driver} on its class path"),
        *_findings(source, "Spark", "JDBC catalog"),
    )


def flink(source: StatedSource) -> EngineConfig:
    """Flink's JDBC catalog, which knows PostgreSQL and MySQL by their URLs, and no other."""
    scheme = POSTGRESQL if source.kind == POSTGRESQL else MYSQL
    database = urlsplit(source.option("url")).path.strip("/")
    findings = [
        setting(f"Flink needs flink-connector-jdbc and the driver {ENGINES[scheme].java_driver}"),
        *_findings(source, "Flink", "JDBC catalog for MySQL"),
    ]
    if not database:
        findings.append(setting("Flink wants default-database: any database of the server"))
    return config_of(
        [
            ("type", "jdbc"),
            ("base-url", _url(source, scheme, with_database=False)),
            ("default-database", database),
            ("username", source.option("user")),
            ("password", source.option("password")),
        ],
        *findings,
    )


def _connector(source: StatedSource) -> str:
    """The database whose connector reaches the source: its kind, but for those that have none.

    The source `mysql` crawls MariaDB, too; its URL says so. Java's driver for MySQL asks before
    MariaDB 11.1 for variables that the server does not know.
    """
    scheme = urlsplit(source.option("url")).scheme.partition("+")[0]
    if (source.kind, scheme) == (MYSQL, _MARIADB):
        return _MARIADB
    return ENGINES[source.kind].reached_as or source.kind


def _url(source: StatedSource, scheme: str, *, with_database: bool) -> str:
    """The URL for a Java driver; with database: and parameters, which not all engines take.

    Trino's connectors of MySQL and MariaDB refuse a database in the URL: each is a schema.
    """
    parts = urlsplit(jdbc_url(source.option("url")).removeprefix("jdbc:"))
    parts = parts._replace(scheme=scheme)
    return f"jdbc:{parts.geturl()}" if with_database else f"jdbc:{scheme}://{parts.netloc}"


def _findings(source: StatedSource, engine: str, connector: str) -> Iterator[Note]:
    facts = ENGINES[source.kind]
    if facts.reached_as:
        yield blind(
            f"{engine} has no connector of its own for {facts.title}; its {connector} is not made "
            "for it and shows the internal catalog only, types that MySQL lacks as text or not at "
            "all"
        )
    if not urlsplit(source.option("url")).netloc:
        yield setting(f"{engine} needs a host and a port in the URL: Java's drivers know no socket")
    if source.option("tls").lower() == "true":
        yield setting(f"{engine} is told of TLS in the URL, as the driver names it")
