"""How engines see a Hive Metastore.

What each reads of the others' views was measured: Trino 476, Spark 4.3, Flink 1.20.
"""

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
    tls = source.option("tls").lower() == "true"
    return config_of(
        [
            ("connector.name", "hive"),
            ("hive.metastore.uri", source.option("uri")),
            ("hive.metastore.thrift.catalog-name", catalog),
            ("hive.metastore.thrift.client.ssl.enabled", "true" if tls else ""),
            ("hive.metastore.thrift.client.ssl.trust-certificate", source.option("ca_file")),
            ("hive.hive-views.enabled", "true"),
            ("fs.hadoop.enabled", "true"),
        ],
        *findings,
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
    tls = source.option("tls").lower() == "true"
    if tls:
        findings.append(
            setting("the server's authority goes into Java's trust store on driver and executors")
        )
    return config_of(
        [
            ("spark.sql.catalogImplementation", "hive"),
            ("spark.hadoop.hive.metastore.uris", source.option("uri")),
            ("spark.hadoop.hive.metastore.use.SSL", "true" if tls else ""),
        ],
        *findings,
    )


def flink(source: StatedSource) -> EngineConfig:
    """Flink's HiveCatalog, which takes the address from Hive's own file."""
    return config_of(
        [("type", "hive"), ("hive-conf-dir", "/etc/hive/conf")],
        setting(
            f"hive-site.xml in hive-conf-dir must hold hive.metastore.uris = {source.option('uri')}"
        ),
        blind("Flink does not read Trino's and Iceberg's views"),
    )
