"""How engines see the AWS Glue Data Catalog; as Gravitino's design (Glue catalog, section 6) maps.

Iceberg has no property for Glue's keys: it takes them from AWS's default chain.
"""

from collections.abc import Iterator

from discovery.outcomes import Note
from reports.engines.shared import EngineConfig, StatedSource, blind, config_of, setting, within

_LAKEHOUSE_SINCE = 477
_ICEBERG_CATALOG = "org.apache.iceberg.aws.glue.GlueCatalog"
_HIVE_FACTORY = "com.amazonaws.glue.catalog.metastore.AWSGlueDataCatalogHiveClientFactory"


def trino(source: StatedSource) -> EngineConfig:
    """The lakehouse connector, which sees every format; before it was there, the hive connector."""
    lakehouse = not source.version or source.version >= (_LAKEHOUSE_SINCE,)
    findings = []
    if not lakehouse:
        findings.append(
            blind(
                f"Trino before {_LAKEHOUSE_SINCE} has no lakehouse connector; its hive connector "
                "reads no Iceberg, Delta Lake and Hudi tables, no Iceberg and multi-dialect views"
            )
        )
    region = source.option("aws-region")
    return config_of(
        [
            ("connector.name", "lakehouse" if lakehouse else "hive"),
            ("hive.metastore", "glue"),
            ("hive.metastore.glue.region", region),
            ("hive.metastore.glue.catalogid", source.option("aws-glue-catalog-id")),
            ("hive.metastore.glue.endpoint-url", source.option("aws-glue-endpoint")),
            ("hive.metastore.glue.aws-access-key", source.option("aws-access-key-id")),
            ("hive.metastore.glue.aws-secret-key", source.option("aws-secret-access-key")),
            ("hive.metastore.glue.default-warehouse-dir", source.option("warehouse")),
            ("hive.hive-views.enabled", "true"),
            ("fs.native-s3.enabled", "true"),
            ("s3.region", region),
        ],
        *findings,
    )


def spark(source: StatedSource) -> EngineConfig:
    """Two catalogs: Iceberg's on Glue, and Hive's with Glue behind it as Spark's own."""
    catalog = f"spark.sql.catalog.{source.name}"
    hadoop = [
        ("hive.metastore.client.factory.class", _HIVE_FACTORY),
        ("hive.metastore.glue.catalogid", source.option("aws-glue-catalog-id")),
        ("aws.region", source.option("aws-region")),
        ("aws.glue.endpoint", source.option("aws-glue-endpoint")),
    ]
    return config_of(
        [
            (catalog, "org.apache.iceberg.spark.SparkCatalog"),
            *within(catalog, _iceberg(source)),
            ("spark.sql.catalogImplementation", "hive"),
            *within("spark.hadoop", hadoop),
        ],
        *_keys(source),
        setting(
            "Spark needs iceberg-spark-runtime and iceberg-aws-bundle, and AWS's Glue client for "
            "Hive, which comes with EMR and Glue or is built from awslabs' sources"
        ),
        blind(
            f"{source.name} holds Iceberg tables only; spark_catalog reads Hive's and Spark's "
            "views, and shows Athena's and Trino's without reading them"
        ),
    )


def flink(source: StatedSource) -> EngineConfig:
    """Iceberg's catalog on Glue."""
    return config_of(
        [("type", "iceberg"), *_iceberg(source)],
        *_keys(source),
        setting("Flink needs iceberg-flink-runtime and iceberg-aws-bundle"),
        blind("Flink sees the Iceberg tables of Glue only: no table of another format and no view"),
    )


def _iceberg(source: StatedSource) -> list[tuple[str, str]]:
    return [
        ("catalog-impl", _ICEBERG_CATALOG),
        ("io-impl", "org.apache.iceberg.aws.s3.S3FileIO"),
        ("client.region", source.option("aws-region")),
        ("glue.id", source.option("aws-glue-catalog-id")),
        ("glue.endpoint", source.option("aws-glue-endpoint")),
        ("warehouse", source.option("warehouse")),
    ]


def _keys(source: StatedSource) -> Iterator[Note]:
    """Where Iceberg and AWS's client for Hive find the static credentials."""
    key = source.option("aws-access-key-id")
    if key:
        secret = source.option("aws-secret-access-key")
        yield setting(
            "the keys come from AWS's default chain: set AWS_ACCESS_KEY_ID to "
            f"{key} and AWS_SECRET_ACCESS_KEY to {secret} where the engine runs"
        )
