"""How engines see a Hive Metastore.

What each reads of the others' views was measured: Trino 476, Spark 4.3, Flink 1.20.
"""

from reports.engines.metastore import (
    has_tls,
    login_left_out,
    spark_metastore,
    trino_metastore,
)
from reports.engines.shared import EngineConfig, StatedSource, blind, config_of, setting

_CATALOGS_SINCE = 469
"""Trino 469 was the first to name a catalog of the metastore."""


def trino(source: StatedSource) -> EngineConfig:
    """Trino's hive connector."""
    findings = [
        blind(
            "Trino's hive connector does not read Iceberg, Delta Lake and Hudi tables, Flink's "
            "views, Iceberg views, and those of Spark and Paimon whose SQL is not qualified or not "
            "Hive's"
        )
    ]
    catalog = source.option("catalog")
    if catalog and source.version and source.version < (_CATALOGS_SINCE,):
        findings.append(
            blind(f"Trino sees the metastore's default catalog only before {_CATALOGS_SINCE}")
        )
        catalog = ""
    metastore = trino_metastore(source)
    return config_of(
        [
            ("connector.name", "hive"),
            *metastore,
            ("hive.metastore.thrift.catalog-name", catalog),
            ("hive.hive-views.enabled", "true"),
            ("fs.hadoop.enabled", "true"),
        ],
        *findings,
        *login_left_out(source, is_said=True),
    )


def spark(source: StatedSource) -> EngineConfig:
    """Spark's own catalog, which is one metastore per session."""
    findings = [
        blind(
            "Spark shows Trino's views as one column `dummy` and reads neither them nor Flink's; "
            "Iceberg tables and views need Iceberg's SparkSessionCatalog as spark_catalog"
        )
    ]
    if source.option("catalog"):
        findings.append(blind("Spark's built-in client sees the metastore's default catalog only"))
    if has_tls(source):
        findings.append(
            setting("the server's authority goes into Java's trust store on driver and executors")
        )
    metastore = spark_metastore(source)
    return config_of(
        [("spark.sql.catalogImplementation", "hive"), *metastore],
        *findings,
        *login_left_out(source, is_said=True),
    )


def flink(source: StatedSource) -> EngineConfig:
    """Flink's HiveCatalog, which takes the address from Hive's own file."""
    return config_of(
        [("type", "hive"), ("hive-conf-dir", "/etc/hive/conf")],
        setting(
            f"hive-site.xml in hive-conf-dir must hold hive.metastore.uris = {source.option('uri')}"
        ),
        blind("Flink does not read Trino's and Iceberg's views"),
        *login_left_out(source, is_said=False),
    )
