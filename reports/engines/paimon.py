"""How engines see a Paimon REST catalog. Trino has no connector of its own for Paimon."""

from reports.engines.shared import EngineConfig, StatedSource, config_of, setting, spark_catalog


def spark(source: StatedSource) -> EngineConfig:
    """Paimon's catalog for Spark."""
    return config_of(
        spark_catalog(
            source.name,
            "org.apache.paimon.spark.SparkCatalog",
            "org.apache.paimon.spark.extensions.PaimonSparkSessionExtensions",
            _catalog(source),
        ),
        setting("Spark needs paimon-spark of its own version"),
    )


def flink(source: StatedSource) -> EngineConfig:
    """Paimon's catalog for Flink."""
    return config_of(
        [("type", "paimon"), *_catalog(source)],
        setting("Flink needs paimon-flink of its own version"),
    )


def _catalog(source: StatedSource) -> list[tuple[str, str]]:
    token = source.option("token")
    return [
        ("metastore", "rest"),
        ("uri", source.option("uri")),
        ("warehouse", source.option("warehouse")),
        ("token.provider", "bear" if token else ""),
        ("token", token),
    ]
