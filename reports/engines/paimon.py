"""How engines see a Paimon REST catalog. Trino has no connector of its own for Paimon."""

from reports.engines.stated import EngineConfig, Stated, made, setting, within


def spark(source: Stated) -> EngineConfig:
    """Paimon's catalog for Spark."""
    catalog = f"spark.sql.catalog.{source.name}"
    extensions = "org.apache.paimon.spark.extensions.PaimonSparkSessionExtensions"
    return made(
        [
            (catalog, "org.apache.paimon.spark.SparkCatalog"),
            *within(catalog, _catalog(source)),
            ("spark.sql.extensions", extensions),
        ],
        setting("Spark needs paimon-spark of its own version"),
    )


def flink(source: Stated) -> EngineConfig:
    """Paimon's catalog for Flink."""
    return made(
        [("type", "paimon"), *_catalog(source)],
        setting("Flink needs paimon-flink of its own version"),
    )


def _catalog(source: Stated) -> list[tuple[str, str]]:
    token = source.option("token")
    return [
        ("metastore", "rest"),
        ("uri", source.option("uri")),
        ("warehouse", source.option("warehouse")),
        ("token.provider", "bear" if token else ""),
        ("token", token),
    ]
