"""How engines see a SQL database: each shows its views as tables.

Doris and StarRocks speak MySQL's protocol, so their connectors are MySQL's.
"""

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from discovery.outcomes import Note
from reports.engines.stated import (
    DRIVERS,
    EngineConfig,
    StatedSource,
    blind,
    jdbc_url,
    made,
    setting,
    within,
)

_LIKE_MYSQL: Final = {"doris": "Doris", "starrocks": "StarRocks"}
_SPARK_MARIADB: Final = "permitMysqlScheme"
"""MariaDB's driver (3.0 and later) takes `jdbc:mysql:` only with this."""


def trino(source: StatedSource) -> EngineConfig:
    """Trino's connector of the database."""
    connector = _scheme(source)
    return made(
        [
            ("connector.name", connector),
            ("connection-url", _url(source, connector, whole=connector == "postgresql")),
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
    scheme, mariadb = _scheme(source), source.kind == "mariadb"
    driver = DRIVERS[scheme]
    url = _url(source, "mysql" if mariadb else scheme, whole=True)
    if mariadb:
        url += f"{'&' if '?' in url else '?'}{_SPARK_MARIADB}"
    catalog = f"spark.sql.catalog.{source.name}"
    options = [
        ("url", url),
        ("driver", driver),
        ("user", source.option("user")),
        ("password", source.option("password")),
    ]
    implementation = "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog"
    return made(
        [(catalog, implementation), *within(catalog, options)],
        setting(f"Spark needs the driver {driver} on its class path"),
        *_findings(source, "Spark", "JDBC catalog"),
    )


def flink(source: StatedSource) -> EngineConfig:
    """Flink's JDBC catalog, which knows PostgreSQL and MySQL by their URLs, and no other."""
    scheme = "postgresql" if source.kind == "postgresql" else "mysql"
    database = urlsplit(source.option("url")).path.strip("/")
    findings = [
        setting(f"Flink needs flink-connector-jdbc and the driver {DRIVERS[scheme]}"),
        *_findings(source, "Flink", "JDBC catalog for MySQL"),
    ]
    if not database:
        findings.append(setting("Flink wants default-database: any database of the server"))
    return made(
        [
            ("type", "jdbc"),
            ("base-url", _url(source, scheme, whole=False)),
            ("default-database", database),
            ("username", source.option("user")),
            ("password", source.option("password")),
        ],
        *findings,
    )


def _scheme(source: StatedSource) -> str:
    return "mysql" if source.kind in _LIKE_MYSQL else source.kind


def _url(source: StatedSource, scheme: str, *, whole: bool) -> str:
    """The URL for a Java driver; whole: with database and parameters, which not all engines take.

    Trino's connectors of MySQL and MariaDB refuse a database in the URL: each is a schema.
    """
    parts = urlsplit(jdbc_url(source.option("url")).removeprefix("jdbc:"))
    parts = parts._replace(scheme=scheme)
    return f"jdbc:{parts.geturl()}" if whole else f"jdbc:{scheme}://{parts.netloc}"


def _findings(source: StatedSource, engine: str, connector: str) -> Iterator[Note]:
    if source.kind in _LIKE_MYSQL:
        name = _LIKE_MYSQL[source.kind]
        yield blind(
            f"{engine} has no connector of its own for {name}; its {connector} is not made for it "
            "and shows the internal catalog only, types that MySQL lacks as text or not at all"
        )
    if source.option("tls").lower() == "true":
        yield setting(f"{engine} is told of TLS in the URL, as the driver names it")
