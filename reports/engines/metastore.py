"""How engines log in to a Hive Metastore, as far as their properties say it.

From the documents of Trino 476 (`hive.metastore.*`) and Spark 4.1 (Hive's own properties); not run
against a metastore with a login.
"""

from typing import Final

from discovery.outcomes import Note
from reports.engines.shared import StatedSource, setting

_KERBEROS: Final = "kerberos"
_LOGIN: Final = (
    *("tls", "ca_file", "certificate_file", "key_file", "key_password"),
    *("authentication", "user", "password", "token", "token_file", "headers"),
    *("service_principal", "principal", "keytab", "ticket_cache", "qop"),
)
"""Options of a source that say how a metastore is reached, and by whom."""
_NONE: Final = frozenset({"", "none", "false"})
_BY_KERBEROS: Final = frozenset({"authentication", "service_principal", "principal", "keytab"})


def trino_metastore(source: StatedSource) -> list[tuple[str, str]]:
    """The metastore and the login, for Trino's connectors."""
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
        *(login.items() if _is_by_kerberos(source) else ()),
    ]


def spark_metastore(source: StatedSource) -> list[tuple[str, str]]:
    """The metastore and the login, for Spark's own catalog."""
    login = {
        "spark.hadoop.hive.metastore.sasl.enabled": "true",
        "spark.hadoop.hive.metastore.kerberos.principal": source.option("service_principal"),
        "spark.kerberos.principal": source.option("principal"),
        "spark.kerberos.keytab": source.option("keytab"),
    }
    return [
        ("spark.hadoop.hive.metastore.uris", source.option("uri")),
        ("spark.hadoop.hive.metastore.use.SSL", "true" if has_tls(source) else ""),
        *(login.items() if _is_by_kerberos(source) else ()),
    ]


def login_left_out(source: StatedSource, *, is_said: bool) -> list[Note]:
    """What of the way to a metastore an engine's properties do not say.

    Args:
        source: The source.
        is_said: Whether they are those of `trino_metastore` or `spark_metastore`.
    """
    said = {"tls", "ca_file"} if is_said else set()
    said |= _BY_KERBEROS if is_said and _is_by_kerberos(source) else set()
    stated = (name for name in _LOGIN if source.option(name).lower() not in _NONE)
    left = [name for name in stated if name not in said]
    if not left:
        return []
    names = ", ".join(left)
    return [setting(f"the engine takes from elsewhere what the source says of {names}")]


def has_tls(source: StatedSource) -> bool:
    """Whether the source says that the metastore speaks TLS."""
    return source.option("tls").lower() == "true"


def _is_by_kerberos(source: StatedSource) -> bool:
    return source.option("authentication") == _KERBEROS
