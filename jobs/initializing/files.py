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
from jobs.initializing import hive
from jobs.initializing.iceberg import (
    catalog_in_database,
    files_of,
    iceberg_catalog,
    kind_of,
    rest_catalog,
)
from jobs.initializing.sources import FoundSource, LeftOut, glue_catalog, source_of, source_of_url

_LARGEST: Final = 4 * 1024 * 1024  # bytes; no such file has a hundredth of it
_CATALOG: Final = "spark.sql.catalog."
_CONTINUED: Final = re.compile(r"(?<!\\)((?:\\\\)*)\\\r?\n[ \t\f]*")
_COMMENT: Final = re.compile(r"(?m)(?<!\\\n)^[ \t\f]*[#!].*$")
_LINE: Final = re.compile(r"\s*((?:\\.|[^\s=:#!\\])(?:\\.|[^\s=:\\])*)\s*[=:\s]\s*(.*?)\s*")
_ESCAPED: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_SIGNS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_SESSION: Final = "spark_catalog"
_GLUE: Final = {
    "aws-region": ("hive.metastore.glue.region",),
    "aws-access-key-id": ("hive.metastore.glue.aws-access-key",),
    "aws-secret-access-key": ("hive.metastore.glue.aws-secret-key",),
    "aws-glue-catalog-id": ("hive.metastore.glue.catalogid",),
    "aws-glue-endpoint": ("hive.metastore.glue.endpoint-url",),
}
"""Options of a source of Glue, to the properties of Trino."""
_LOGIN: Final = {"user": "connection-user", "password": "connection-password"}


def read(place: str) -> list[FoundSource | LeftOut]:
    """The sources that a URL or a file names; of a folder, those of all its properties files.

    What is named there and is no source stands among them.

    Raises:
        ConfigurationError: It is neither, or names none.
    """
    path = Path(place)
    if "://" in place and not path.exists():
        return [source_of_url(place)]
    named = _read_folder(path) if path.is_dir() else _read_file(path)
    if not any(isinstance(entry, FoundSource) for entry in named):
        hint = "what is read: hive-site.xml, Spark's or Trino's properties, pyiceberg.yaml, a URL"
        reasons = [f"{entry.name}: {entry.why}" for entry in named if isinstance(entry, LeftOut)]
        what = "; ".join((f"{place} names no source that is known", *reasons))
        raise ConfigurationError(what, hint=hint)
    return named


def _read_folder(folder: Path) -> list[FoundSource | LeftOut]:
    """What all properties files of a folder name; one that cannot be read costs no other."""
    named: list[FoundSource | LeftOut] = []
    for path in sorted(folder.glob("*.properties")):
        try:
            named += _read_file(path)
        except ConfigurationError as error:
            named.append(LeftOut(path.name, error.message))
    return named


def _read_file(path: Path) -> list[FoundSource | LeftOut]:
    with readable(path):
        text = read_user_text(path, _LARGEST)
    try:
        return list(_sources_in(text, path))
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: {error.message}", hint=error.hint) from error


def _sources_in(text: str, path: Path) -> Iterator[FoundSource | LeftOut]:
    if text.lstrip().startswith("<"):
        return hive_site(text)
    if path.suffix in {".yaml", ".yml"}:
        return pyiceberg(text)
    settings = properties(text)
    return trino(settings, path.stem) if "connector.name" in settings else spark(settings)


def properties(text: str) -> dict[str, str]:
    r"""Lines of a Java properties file, or of Spark's defaults, where a blank parts the two.

    Escapes mean what `java.util.Properties` reads in them, which writes a URL as `http\://h`.
    """
    joined = _CONTINUED.sub(r"\1", _COMMENT.sub("", text))
    matches = (_LINE.fullmatch(line) for line in joined.splitlines())
    return {_unescaped(match[1]): _unescaped(match[2]) for match in matches if match}


def _unescaped(text: str) -> str:
    plain = _ESCAPED.sub(
        lambda match: chr(int(match[1], 16)) if match[1] else _SIGNS.get(match[2], match[2]), text
    )
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # as Java joins two


def hive_site(text: str) -> Iterator[FoundSource | LeftOut]:
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
    yield from hive.metastore(settings)


def spark(settings: Mapping[str, str]) -> Iterator[FoundSource | LeftOut]:
    """The catalogs of Spark's settings."""
    plain = {key.removeprefix("spark.hadoop."): setting for key, setting in settings.items()}
    plain |= {key.removeprefix("spark."): setting for key, setting in plain.items()}
    yield from hive.metastore(plain)
    for key, implementation in settings.items():
        name = key.removeprefix(_CATALOG)
        if name == key or "." in name:
            continue
        own = f"{key}."
        given = {
            setting.removeprefix(own): settings[setting]
            for setting in settings
            if setting.startswith(own)
        }
        try:
            yield from _catalog_of_spark(name, implementation, given, plain)
        except ConfigurationError as error:
            yield LeftOut(name, error.message)


def _catalog_of_spark(
    name: str, implementation: str, given: Mapping[str, str], plain: Mapping[str, str]
) -> Iterator[FoundSource | LeftOut]:
    """One catalog; one in a metastore is logged in to as all of Spark is.

    Args:
        name: What Spark calls it.
        implementation: Its class.
        given: Its own settings.
        plain: All settings, as Hive calls them.
    """
    of_metastore = {**plain, **hive.addressed(given.get("uri", ""))}
    if ".iceberg." in implementation and ".gravitino." not in implementation:
        if kind_of(given) in {"", "hive"}:  # Spark's default
            yield from hive.metastore(of_metastore, name, files_of(given))
        else:
            yield iceberg_catalog(name, given)
    elif ".paimon." in implementation and given.get("metastore") == "hive":
        yield from hive.metastore(of_metastore, name)  # its views are entries there
    elif ".paimon." in implementation:
        options = _picked(given, "uri", "warehouse", "token")
        kept_in = given.get("metastore", "filesystem")  # as Paimon has it
        yield source_of(name, "paimon", {"metastore": kept_in, **options})
    elif implementation.endswith("JDBCTableCatalog") and "url" in given:
        yield source_of_url(given["url"], name, **_picked(given, "user", "password"))
    elif name != _SESSION:  # its entries are those of the metastore
        yield LeftOut(name, f"no source reads what {implementation} does")


def trino(settings: Mapping[str, str], name: str) -> Iterator[FoundSource | LeftOut]:
    """The source of a catalog of Trino."""
    connector = settings["connector.name"]
    kind = settings.get("iceberg.catalog.type", "hive_metastore").lower()
    if settings.get("hive.metastore") == "glue" or (connector == "iceberg" and kind == "glue"):
        yield glue_catalog(name, settings, _GLUE)
    elif connector == "iceberg" and kind == "rest":
        yield _rest_of_trino(settings, name)
    elif connector == "iceberg" and kind == "jdbc":
        yield _database_of_trino(settings, name)
    elif uri := settings.get("hive.metastore.uri"):
        options = {
            "uri": uri,
            "catalog": settings.get("hive.metastore.catalog", ""),
            "tls": settings.get("hive.metastore.thrift.client.ssl.enabled", "").lower() == "true",
        }
        yield source_of(name, "hms", {**options, **_login_of_trino(settings)})
    elif url := settings.get("connection-url"):
        account = {key: settings[field] for key, field in _LOGIN.items() if field in settings}
        yield source_of_url(url, name, **account)
    else:
        which = f"{connector} with {kind}" if connector == "iceberg" else connector
        yield LeftOut(name, f"no source reads what Trino's connector {which} does")


def _rest_of_trino(settings: Mapping[str, str], name: str) -> FoundSource:
    own = "iceberg.rest-catalog."
    fields = {
        **{word: f"oauth2.{word}" for word in ("credential", "token", "scope")},
        "oauth2-server-uri": "oauth2.server-uri",
        "prefix": "prefix",
    }
    given = {key: settings.get(f"{own}{field}", "") for key, field in fields.items()}
    uri, warehouse = (settings.get(f"{own}{field}", "") for field in ("uri", "warehouse"))
    return rest_catalog(name, uri, warehouse, given)


def _database_of_trino(settings: Mapping[str, str], name: str) -> FoundSource:
    own = "iceberg.jdbc-catalog."
    given = {key.removeprefix(own): value for key, value in settings.items() if key.startswith(own)}
    account = {key: given[field] for key, field in _LOGIN.items() if field in given}
    below = [place] if (place := given.get("default-warehouse-dir")) else []
    url, catalog = given.get("connection-url", ""), given.get("catalog-name", "")
    return catalog_in_database(name, url, catalog, account, locations=below)


def pyiceberg(text: str) -> Iterator[FoundSource | LeftOut]:
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
        if not isinstance(settings, dict):
            yield LeftOut(str(name), "its settings are no map")
            continue
        try:
            yield iceberg_catalog(
                str(name), {str(key): str(setting) for key, setting in settings.items()}
            )
        except ConfigurationError as error:
            yield LeftOut(str(name), error.message)


def _login_of_trino(settings: Mapping[str, str]) -> dict[str, str]:
    """The login of a metastore, by the properties of Trino's page "Metastores"."""
    if settings.get("hive.metastore.authentication.type", "").upper() != "KERBEROS":
        return {}
    return {
        "authentication": "kerberos",
        "service_principal": settings.get("hive.metastore.service.principal", "")
        or hive.UNNAMED_SERVICE,
        "principal": settings.get("hive.metastore.client.principal", ""),
        "keytab": settings.get("hive.metastore.client.keytab", ""),
    }


def _picked(settings: Mapping[str, str], *keys: str) -> dict[str, str]:
    return {key: settings[key] for key in keys if key in settings}
