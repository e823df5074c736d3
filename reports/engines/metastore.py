"""How engines log in to a Hive Metastore, as far as their properties say it.

From the documents of Trino 476 (`hive.metastore.*`) and Spark 4.1 (Hive's own properties); not run
against a metastore with a login.
"""

from collections.abc import Collection
from typing import Final

from discovery.outcomes import Note
from reports.engines.shared import StatedSource, setting

_KERBEROS: Final = "kerberos"
_LOGIN: Final = (
    *("tls", "ca_file", "certificate_file", "key_file", "key_password"),
    *("authentication", "user", "password", "token", "token_file", "headers"),
    *("service_principal", "principal", "keytab", "ticket_cache", "qop"),
)
"""Options of a source that say how a metastore is reached by whom."""


def trino_metastore(source: StatedSource) -> list[tuple[str, str]]:
    """The metastore and the login, for Trino's connectors."""
    by_kerberos = source.option("authentication") == _KERBEROS
    login = {
        "hive.metastore.authentication.type": "KERBEROS",
        "hive.metastore.service.principal": source.option("service_principal"),
        "hive.metastore.client.principal": source.option("principal"),
        "hive.metastore.client.keytab": source.option("keytab"),
    }
    return [
        ("hive.metastore.uri", source.option("uri")),
        ("hive.metastore.thrift.client.ssl.enabled", "true" if has_tls(source) else ""),
        ("hive.metastore.thrift.client.ssl.trust-certificate", source.option("ca_file")),
        *(login.items() if by_kerberos else ()),
    ]


def spark_metastore(source: StatedSource) -> list[tuple[str, str]]:
    """The metastore and the login, for Spark's own catalog."""
    by_kerberos = source.option("authentication") == _KERBEROS
    login = {
        "spark.hadoop.hive.metastore.sasl.enabled": "true",
        "spark.hadoop.hive.metastore.kerberos.principal": source.option("service_principal"),
        "spark.kerberos.principal": source.option("principal"),
        "spark.kerberos.keytab": source.option("keytab"),
    }
    return [
        ("spark.hadoop.hive.metastore.uris", source.option("uri")),
        ("spark.hadoop.hive.metastore.use.SSL", "true" if has_tls(source) else ""),
        *(login.items() if by_kerberos else ()),
    ]


def login_left_out(source: StatedSource, properties: Collection[tuple[str, str]]) -> list[Note]:
    """What of the source's login the engine's properties do not say."""
    said = {value for _, value in properties}
    by_kerberos = source.option("authentication") == _KERBEROS and "KERBEROS" in said
    sasl = any(key.endswith("sasl.enabled") for key, _ in properties)
    ssl = any("ssl" in key.lower() for key, value in properties if value == "true")
    handled = {
        "tls": ssl or not has_tls(source),
        "authentication": by_kerberos or sasl,
    }
    left = [
        name
        for name in _LOGIN
        if (value := source.option(name)) and value not in said and not handled.get(name, False)
    ]
    if not left:
        return []
    names = ", ".join(left)
    return [setting(f"the engine is to log in by itself: what the source says of {names}")]


def has_tls(source: StatedSource) -> bool:
    """Whether the source says that the metastore speaks TLS."""
    return source.option("tls").lower() == "true"
