"""Files of other tools that say where an estate is: Hive's, Spark's, Trino's and pyiceberg's.

The names of the properties are those of the tools' own pages: Hive's AdminManual for the metastore,
Iceberg's "Catalogs" and Paimon's "Spark" for Spark, Trino's "Metastores" and "Iceberg connector",
pyiceberg's "Configuration".
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from discovery.errors import ConfigurationError
from jobs.configuration.user_files import read_user_text, readable
from jobs.initializing.sources import FoundSource, source_of, source_of_url

_LARGEST: Final = 4 * 1024 * 1024  # bytes; no such file has a hundredth of it
_URIS: Final = ("hive.metastore.uris", "metastore.thrift.uris")
_CATALOG: Final = "spark.sql.catalog."
_LINE: Final = re.compile(r"\s*([^\s=:#!][^\s=:]*)\s*[=:\s]\s*(.*?)\s*")
_KERBEROS: Final = (
    "it wants Kerberos: run kinit, or name a keytab and its principal; service_principal is the "
    "metastore's own"
)
_UNNAMED: Final = "hive/_HOST"  # as most sites call it, in the default realm
_SERVICE: Final = ("hive.metastore.kerberos.principal", "metastore.kerberos.principal")
_IO: Final = re.compile(r"(s3|gcs|adls|hdfs)\.")


def read(place: str) -> list[FoundSource]:
    """The sources that a URL or a file names; of a folder, those of all its properties files.

    Raises:
        ConfigurationError: It is neither, or names none.
    """
    path = Path(place)
    if "://" in place and not path.exists():
        return [source_of_url(place)]
    paths = sorted(path.glob("*.properties")) if path.is_dir() else [path]
    sources = [found_source for file in paths for found_source in _read_file(file)]
    if not sources:
        hint = "what is read: hive-site.xml, Spark's or Trino's properties, pyiceberg.yaml, a URL"
        raise ConfigurationError(f"{place} names no source that is known", hint=hint)
    return sources


def _read_file(path: Path) -> list[FoundSource]:
    with readable(path):
        text = read_user_text(path, _LARGEST)
    try:
        return list(_sources_in(text, path))
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: {error.message}", hint=error.hint) from error


def _sources_in(text: str, path: Path) -> Iterator[FoundSource]:
    if text.lstrip().startswith("<"):
        return hive_site(text)
    if path.suffix in {".yaml", ".yml"}:
        return pyiceberg(text)
    settings = properties(text)
    return trino(settings, path.stem) if "connector.name" in settings else spark(settings)


def properties(text: str) -> dict[str, str]:
    """Lines of a Java properties file, or of Spark's defaults, where a blank parts the two."""
    matches = (_LINE.fullmatch(line) for line in text.replace("\\\n", "").splitlines())
    return {match[1]: match[2] for match in matches if match}


def hive_site(text: str) -> Iterator[FoundSource]:
    """The metastore of a `hive-site.xml`.

    Raises:
        ConfigurationError: It is no XML, or has entities, which such a file never needs.
    """
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ConfigurationError("has a document type, which is not read")
    try:
        root = ET.fromstring(text)  # noqa: S314 - without a document type there are no entities
    except ET.ParseError as error:
        raise ConfigurationError(f"is no XML: {error}") from error
    settings = {
        (element.findtext("name") or "").strip(): (element.findtext("value") or "").strip()
        for element in root.iter("property")
    }
    yield from _metastore(settings)


def spark(settings: Mapping[str, str]) -> Iterator[FoundSource]:
    """The catalogs of Spark's settings."""
    plain = {key.removeprefix("spark.hadoop."): setting for key, setting in settings.items()}
    plain |= {key.removeprefix("spark."): setting for key, setting in plain.items()}
    yield from _metastore(plain)
    for key, kind in settings.items():
        name = key.removeprefix(_CATALOG)
        if name == key or "." in name:
            continue
        own = f"{key}."
        given = {
            setting.removeprefix(own): settings[setting]
            for setting in settings
            if setting.startswith(own)
        }
        if ".iceberg." in kind:
            yield from _iceberg(name, {"uri": _first_of(plain, *_URIS), **given})
        elif ".paimon." in kind:
            on_hive = given.get("metastore") == "hive"  # its views are entries of the metastore
            wanted = ("uri",) if on_hive else ("metastore", "uri", "warehouse", "token")
            yield source_of(name, "hms" if on_hive else "paimon", _picked(given, *wanted))
        elif kind.endswith("JDBCTableCatalog") and "url" in given:
            yield source_of_url(given["url"], name, **_picked(given, "user", "password"))


def trino(settings: Mapping[str, str], name: str) -> Iterator[FoundSource]:
    """The source of a catalog of Trino."""
    connector = settings["connector.name"]
    kind = settings.get("iceberg.catalog.type", "hive_metastore").lower()
    if settings.get("hive.metastore") == "glue" or (connector == "iceberg" and kind == "glue"):
        yield source_of(
            name, "glue", {"aws-region": settings.get("hive.metastore.glue.region", "")}
        )
    elif connector == "iceberg" and kind == "rest":
        oauth = "iceberg.rest-catalog.oauth2"
        login = {
            word: settings.get(f"{oauth}.{word}", "") for word in ("credential", "token", "scope")
        }
        yield _iceberg_rest(
            name,
            settings.get("iceberg.rest-catalog.uri", ""),
            settings.get("iceberg.rest-catalog.warehouse", ""),
            login,
        )
    elif connector == "iceberg" and kind == "jdbc":
        own = "iceberg.jdbc-catalog."
        given = {
            key.removeprefix(own): value for key, value in settings.items() if key.startswith(own)
        }
        login = {"user": "connection-user", "password": "connection-password"}
        account = {key: given[field] for key, field in login.items() if field in given}
        yield _jdbc(name, given.get("connection-url", ""), given.get("catalog-name", ""), account)
    elif uri := settings.get("hive.metastore.uri"):
        options = {
            "uri": uri,
            "catalog": settings.get("hive.metastore.catalog", ""),
            "tls": settings.get("hive.metastore.thrift.client.ssl.enabled") == "true",
        }
        yield source_of(name, "hms", {**options, **_login_of_trino(settings)})
    elif url := settings.get("connection-url"):
        login = {"user": "connection-user", "password": "connection-password"}
        yield source_of_url(
            url, name, **{key: settings[field] for key, field in login.items() if field in settings}
        )


def pyiceberg(text: str) -> Iterator[FoundSource]:
    """The catalogs of a `.pyiceberg.yaml`.

    Each value is a text, as it stands: pyiceberg 0.12 reads it with strictyaml (`config.py`).

    Raises:
        ConfigurationError: It is no YAML.
    """
    try:
        tree: Any = YAML(typ="base", pure=True).load(text)
    except (YAMLError, RecursionError) as error:
        raise ConfigurationError("is no YAML") from error
    catalogs = tree.get("catalog") if isinstance(tree, dict) else None
    for name, settings in catalogs.items() if isinstance(catalogs, dict) else ():
        if isinstance(settings, dict):
            yield from _iceberg(
                str(name), {str(key): str(setting) for key, setting in settings.items()}
            )


def _metastore(settings: Mapping[str, str]) -> Iterator[FoundSource]:
    """The metastore of Hive's properties."""
    uris = _first_of(settings, *_URIS)
    if not uris:
        return
    options = {
        "uri": ",".join(uri.strip() for uri in uris.split(",")),
        "catalog": settings.get("metastore.catalog.default", ""),
        "tls": settings.get("hive.metastore.use.SSL") == "true",
    }
    if settings.get("hive.metastore.sasl.enabled") != "true":
        yield source_of("lake", "hms", options)
        return
    login = {
        "authentication": "kerberos",
        "service_principal": _first_of(settings, *_SERVICE) or _UNNAMED,
    }
    yield source_of("lake", "hms", {**options, **login}, _KERBEROS)


def _login_of_trino(settings: Mapping[str, str]) -> dict[str, str]:
    """The login of a metastore, by the properties of Trino's page "Metastores"."""
    if settings.get("hive.metastore.authentication.type", "").upper() != "KERBEROS":
        return {}
    return {
        "authentication": "kerberos",
        "service_principal": settings.get("hive.metastore.service.principal", "") or _UNNAMED,
        "principal": settings.get("hive.metastore.client.principal", ""),
        "keytab": settings.get("hive.metastore.client.keytab", ""),
    }


def _iceberg(name: str, settings: Mapping[str, str]) -> Iterator[FoundSource]:
    """An Iceberg catalog, by the properties that all of Iceberg's clients share."""
    uri, warehouse = settings.get("uri", ""), settings.get("warehouse", "")
    kind = (settings.get("type") or settings.get("catalog-impl") or _type_by_scheme(uri)).lower()
    io = {key: setting for key, setting in settings.items() if _IO.match(key)}
    if kind.endswith(("rest", "restcatalog")):
        remaining = {key: settings[key] for key in settings if key not in _OF_REST}
        yield _iceberg_rest(name, uri, warehouse, remaining)
    elif kind.endswith(("glue", "gluecatalog")):
        region = _first_of(settings, "client.region", "glue.region", "region_name", "s3.region")
        yield source_of(name, "glue", {"aws-region": region, "io": io})
    elif kind.endswith(("jdbc", "sql", "jdbccatalog")):
        login = {
            "user": settings.get("jdbc.user", ""),
            "password": settings.get("jdbc.password", ""),
        }
        below = [warehouse] if warehouse else []
        yield _jdbc(name, uri, name, login, io=io, locations=below)
    elif kind.endswith(("hive", "hivecatalog")) and uri:
        yield source_of(name, "hms", {"uri": uri, "io": io})


_OF_REST: Final = ("type", "uri", "warehouse", "catalog-impl", "io-impl")


def _iceberg_rest(name: str, uri: str, warehouse: str, settings: Mapping[str, str]) -> FoundSource:
    given = {key: setting for key, setting in settings.items() if setting}
    return source_of(
        name, "iceberg-rest", {"uri": uri, "warehouse": warehouse, "properties": given}
    )


def _jdbc(
    name: str, url: str, catalog: str, login: Mapping[str, str], **extras: object
) -> FoundSource:
    """A catalog of Iceberg in a database; its files lie below its warehouse."""
    given = {key: value for key, value in login.items() if value}
    options = {**source_of_url(url, name, **given).options, "catalog": catalog, **extras}
    return source_of(name, "iceberg-jdbc", options)


def _type_by_scheme(uri: str) -> str:
    """The type of a catalog of pyiceberg that states none."""
    scheme = uri.partition(":")[0].partition("+")[0]
    return {"thrift": "hive", "http": "rest", "https": "rest"}.get(scheme, "sql" if uri else "")


def _first_of(settings: Mapping[str, str], *keys: str) -> str:
    return next((settings[key] for key in keys if settings.get(key)), "")


def _picked(settings: Mapping[str, str], *keys: str) -> dict[str, str]:
    return {key: settings[key] for key in keys if key in settings}
