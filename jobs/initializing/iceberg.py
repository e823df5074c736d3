"""An Iceberg catalog, as the properties that all of Iceberg's clients share describe it.

Those of Iceberg's "Catalogs" and "AWS" for Java, and of pyiceberg's "Configuration"; what either
takes and we do not is told.
"""

import re
from collections.abc import Mapping
from typing import Final

from jobs.initializing import hive
from jobs.initializing.sources import FoundSource, LeftOut, glue_catalog, source_of, source_of_url

_IO: Final = re.compile(r"(s3|gcs|adls|hdfs)\.")
_OF_REST: Final = ("type", "uri", "warehouse", "catalog-impl", "io-impl", "auth")
_GLUE: Final = {
    "aws-region": ("client.region", "glue.region", "region_name", "s3.region"),
    "aws-access-key-id": ("client.access-key-id", "glue.access-key-id"),
    "aws-secret-access-key": ("client.secret-access-key", "glue.secret-access-key"),
    "aws-glue-catalog-id": ("glue.id",),
    "aws-glue-endpoint": ("glue.endpoint",),
}
_AUTH_LEFT_OUT: Final = "auth is left out: a login is token or credential, among the properties"


def iceberg_catalog(name: str, settings: Mapping[str, str]) -> FoundSource | LeftOut:
    """The source that an Iceberg catalog is."""
    uri, warehouse = settings.get("uri", ""), settings.get("warehouse", "")
    kind = kind_of(settings)
    io = files_of(settings)
    match kind:
        case "rest":
            remaining = {key: settings[key] for key in settings if key not in _OF_REST}
            notes = (_AUTH_LEFT_OUT,) if "auth" in settings else ()
            return rest_catalog(name, uri, warehouse, remaining, *notes)
        case "glue":
            return glue_catalog(name, settings, _GLUE, warehouse=warehouse, io=io)
        case "jdbc" | "sql":
            login = {key: settings.get(f"jdbc.{key}", "") for key in ("user", "password")}
            below = [warehouse] if warehouse else []
            return catalog_in_database(name, uri, name, login, io=io, locations=below)
        case "hive" if uri:
            return source_of(name, "hms", {"uri": uri, **_login(settings), "io": io})
        case "hive":
            return LeftOut(name, hive.NO_ADDRESS)
        case other:
            return LeftOut(name, f"no source reads an Iceberg catalog of type {other or 'unknown'}")


def files_of(settings: Mapping[str, str]) -> dict[str, str]:
    """The settings by which a catalog reads its files."""
    return {key: setting for key, setting in settings.items() if _IO.match(key)}


def rest_catalog(
    name: str, uri: str, warehouse: str, settings: Mapping[str, str], *notes: str
) -> FoundSource:
    """The source of a catalog that speaks Iceberg's REST protocol."""
    given = {key: setting for key, setting in settings.items() if setting}
    options = {"uri": uri, "warehouse": warehouse, "properties": given}
    return source_of(name, "iceberg-rest", options, *notes)


def catalog_in_database(
    name: str, url: str, catalog: str, login: Mapping[str, str], **extras: object
) -> FoundSource:
    """A catalog of Iceberg in a database; its files lie below its warehouse."""
    given = {key: value for key, value in login.items() if value}
    options = {**source_of_url(url, name, **given).options, "catalog": catalog, **extras}
    return source_of(name, "iceberg-jdbc", options)


def _login(settings: Mapping[str, str]) -> dict[str, str]:
    """The login of pyiceberg's Hive catalog; the host of the service is that of the URI."""
    if settings.get("hive.kerberos-authentication", "").lower() != "true":
        return {}
    service = settings.get("hive.kerberos-service-name")
    return {
        "authentication": "kerberos",
        "service_principal": f"{service}/_HOST" if service else hive.UNNAMED_SERVICE,
    }


def kind_of(settings: Mapping[str, str]) -> str:
    """The type of a catalog, in one word; empty: it states none."""
    uri = settings.get("uri", "")
    kind = settings.get("type") or settings.get("catalog-impl") or _type_by_scheme(uri)
    return kind.lower().rpartition(".")[2].removesuffix("catalog")


def _type_by_scheme(uri: str) -> str:
    """The type of a catalog of pyiceberg that states none."""
    scheme = uri.partition(":")[0].partition("+")[0]
    return {"thrift": "hive", "http": "rest", "https": "rest"}.get(scheme, "sql" if uri else "")
