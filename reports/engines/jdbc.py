"""How engines see a SQL database: each shows its views as tables."""

from urllib.parse import urlsplit

from reports.engines.stated import DRIVERS, EngineConfig, Stated, jdbc_url, made, setting, within


def trino(source: Stated) -> EngineConfig:
    """Trino's connector of the database."""
    return made(
        [
            ("connector.name", source.kind),
            ("connection-url", _trino_url(source)),
            ("connection-user", source.option("user")),
            ("connection-password", source.option("password")),
        ]
    )


def spark(source: Stated) -> EngineConfig:
    """Spark's JDBC catalog."""
    catalog, driver = f"spark.sql.catalog.{source.name}", DRIVERS[source.kind]
    options = [
        ("url", jdbc_url(source.option("url"))),
        ("driver", driver),
        ("user", source.option("user")),
        ("password", source.option("password")),
    ]
    implementation = "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog"
    return made(
        [(catalog, implementation), *within(catalog, options)],
        setting(f"Spark needs the driver {driver} on its class path"),
    )


def flink(source: Stated) -> EngineConfig:
    """Flink's JDBC catalog."""
    parts = urlsplit(jdbc_url(source.option("url")).removeprefix("jdbc:"))
    return made(
        [
            ("type", "jdbc"),
            ("base-url", f"jdbc:{parts.scheme}://{parts.netloc}"),
            ("default-database", parts.path.strip("/")),
            ("username", source.option("user")),
            ("password", source.option("password")),
        ],
        setting(f"Flink needs flink-connector-jdbc and the driver {DRIVERS[source.kind]}"),
    )


def _trino_url(source: Stated) -> str:
    """Trino's connectors of MySQL and MariaDB refuse a database in the URL: each is a schema."""
    url = jdbc_url(source.option("url"))
    if source.kind == "postgresql":
        return url
    parts = urlsplit(url.removeprefix("jdbc:"))
    return f"jdbc:{parts.scheme}://{parts.netloc}"
