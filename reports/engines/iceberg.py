"""How engines see an Iceberg catalog: a REST server, a JDBC catalog, or a Hive Metastore."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from discovery.engines import ENGINES
from discovery.model import POSTGRESQL
from discovery.outcomes import Note
from reports.engines.metastore import login_left_out, trino_metastore
from reports.engines.shared import (
    S3,
    EngineConfig,
    StatedSource,
    blind,
    config_of,
    database,
    jdbc_url,
    setting,
    spark_catalog,
    trino_files,
)

Properties = list[tuple[str, str]]

_OAUTH: Final = {
    "credential": "credential",
    "oauth2-server-uri": "server-uri",
    "scope": "scope",
    "token": "token",
}
"""Properties of a REST catalog that Trino has by another name."""


def _rest(source: StatedSource) -> Properties:
    properties = source.nested("properties")
    place = [("uri", source.option("uri")), ("warehouse", source.option("warehouse"))]
    return [("type", "rest"), *place, *properties.items()]


def _jdbc(source: StatedSource) -> Properties:
    return [
        ("type", "jdbc"),
        ("uri", jdbc_url(source.option("url"))),
        ("jdbc.user", source.option("user")),
        ("jdbc.password", source.option("password")),
        ("jdbc.schema-version", "V1"),  # without it, views are refused
        ("warehouse", source.nested("io").get("warehouse", "")),
    ]


def _hive(source: StatedSource) -> Properties:
    return [("type", "hive"), ("uri", source.option("uri"))]


def _spark(iceberg: Callable[[StatedSource], Properties], source: StatedSource) -> EngineConfig:
    """Iceberg's catalog for Spark."""
    name = source.option("catalog") if source.kind == "iceberg-jdbc" else ""
    return config_of(
        spark_catalog(
            name or source.name,
            "org.apache.iceberg.spark.SparkCatalog",
            "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
            iceberg(source),
        ),
        setting(f"Spark needs {_packages('iceberg-spark-runtime', source)}"),
        *_login(source),
        *_named_alike(source),
        *_warehouse(source),
    )


def _flink(iceberg: Callable[[StatedSource], Properties], source: StatedSource) -> EngineConfig:
    """Iceberg's catalog for Flink, which has other words for the type."""
    kinds = {
        "jdbc": ("catalog-impl", "org.apache.iceberg.jdbc.JdbcCatalog"),
        "hive": ("catalog-type", "hive"),
        "rest": ("catalog-type", "rest"),
    }
    (_, kind), *rest = iceberg(source)
    return config_of(
        [("type", "iceberg"), kinds[kind], *rest],
        setting(f"Flink needs {_packages('iceberg-flink-runtime', source)}"),
        blind("Flink sees the tables of an Iceberg catalog and none of its views"),
        *_login(source),
        *_named_alike(source),
        *_warehouse(source),
    )


def _trino_rest(source: StatedSource) -> EngineConfig:
    properties = source.nested("properties")
    prefix = "iceberg.rest-catalog"
    given = [(f"{prefix}.oauth2.{_OAUTH[k]}", properties[k]) for k in _OAUTH if k in properties]
    files = trino_files(properties)
    others = sorted(properties.keys() - _OAUTH.keys() - S3.keys())
    findings = [_other_dialects()]
    if others:
        names = ", ".join(others)
        findings.append(setting(f"Trino has these by other names, or not at all: {names}"))
    return config_of(
        [
            ("connector.name", "iceberg"),
            ("iceberg.catalog.type", "rest"),
            (f"{prefix}.uri", source.option("uri")),
            (f"{prefix}.warehouse", source.option("warehouse")),
            (f"{prefix}.security", "OAUTH2" if given else ""),
            *given,
            (f"{prefix}.nested-namespace-enabled", "true"),
            *files,
        ],
        *findings,
    )


def _trino_jdbc(source: StatedSource) -> EngineConfig:
    url, prefix = jdbc_url(source.option("url")), "iceberg.jdbc-catalog"
    driver, io = _driver(source), source.nested("io")
    findings = [_other_dialects(), *_named_alike(source), *_warehouse(source)]
    if driver != ENGINES[POSTGRESQL].java_driver:
        findings.append(setting(f"the driver {driver} goes into plugin/iceberg of Trino"))
    return config_of(
        [
            ("connector.name", "iceberg"),
            ("iceberg.catalog.type", "jdbc"),
            (f"{prefix}.driver-class", driver),
            (f"{prefix}.connection-url", url),
            (f"{prefix}.connection-user", source.option("user")),
            (f"{prefix}.connection-password", source.option("password")),
            (f"{prefix}.catalog-name", source.option("catalog") or source.name),
            (f"{prefix}.schema-version", "V1"),
            (f"{prefix}.default-warehouse-dir", io.get("warehouse", "")),
            *trino_files(io),
        ],
        *findings,
    )


def _trino_hive(source: StatedSource) -> EngineConfig:
    metastore = trino_metastore(source)
    return config_of(
        [
            ("connector.name", "iceberg"),
            ("iceberg.catalog.type", "hive_metastore"),
            *metastore,
            ("fs.hadoop.enabled", "true"),
        ],
        blind("Trino's iceberg connector reads no Iceberg view in a metastore, only Trino's own"),
        *login_left_out(source, is_said=True),
    )


def _other_dialects() -> Note:
    return blind("Trino reads the SQL of the dialect trino only; it lists other views as broken")


def _login(source: StatedSource) -> list[Note]:
    return login_left_out(source, is_said=False) if source.kind == "iceberg-hive" else []


def _named_alike(source: StatedSource) -> tuple[Note, ...]:
    """A JDBC catalog keeps its own name in its tables: an engine must call it so."""
    if source.kind != "iceberg-jdbc" or source.option("catalog"):
        return ()
    return (setting(f"{source.name} must be the catalog's name in the column catalog_name"),)


def _warehouse(source: StatedSource) -> tuple[Note, ...]:
    """Iceberg's JdbcCatalog and Trino refuse to start without a place for new tables."""
    if source.kind != "iceberg-jdbc" or source.nested("io").get("warehouse"):
        return ()
    why = "the engine refuses a JDBC catalog without a place for new tables"
    return (setting(f"{why}: say io: {{warehouse: …}} in the source"),)


def _packages(runtime: str, source: StatedSource) -> str:
    """What the engine needs on its class path."""
    if source.kind != "iceberg-jdbc":
        return runtime
    return f"{runtime} and the driver {_driver(source)}"


def _driver(source: StatedSource) -> str:
    return database(source.option("url")).java_driver


Engines = Mapping[str, Callable[[StatedSource], EngineConfig]]
ON_REST: Final[Engines] = {
    "trino": _trino_rest,
    "spark": partial(_spark, _rest),
    "flink": partial(_flink, _rest),
}
ON_JDBC: Final[Engines] = {
    "trino": _trino_jdbc,
    "spark": partial(_spark, _jdbc),
    "flink": partial(_flink, _jdbc),
}
ON_HIVE: Final[Engines] = {
    "trino": _trino_hive,
    "spark": partial(_spark, _hive),
    "flink": partial(_flink, _hive),
}
