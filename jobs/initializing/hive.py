"""The metastore that Hive's settings name: in `hive-site.xml`, and among Spark's own.

The properties are those of Hive's AdminManual, and of `MetastoreConf` of Hive 3 and 4, which calls
the same without `hive.` before it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from discovery.secrets_in_texts import without_logins
from jobs.initializing.sources import FoundSource, LeftOut, glue_catalog, source_of

NAME: Final = "lake"
NO_ADDRESS: Final = "its metastore has no address here: name hive-site.xml, too"
UNNAMED_SERVICE: Final = "hive/_HOST"
"""As most sites call the metastore's own principal, in the default realm."""
_KERBEROS: Final = (
    "it wants Kerberos: run kinit, or name a keytab and its principal; service_principal is the "
    "metastore's own"
)
_PLAIN: Final = "it wants a user and a password"
_VARIABLE: Final = f"${{env:{NAME.upper()}_%s}}"
_OF_ENVIRONMENT: Final = re.compile(r"\$\{env[.:](\w+)\}")
_OF_SETTINGS: Final = re.compile(r"\$\{([^${}\s]+)\}")
_DEPTH: Final = 20  # as Hadoop's Configuration substitutes
_LONGEST: Final = 10_000  # characters; what stands for itself twice doubles each time
_SERVER: Final = re.compile(r"(thrift|https?)://|\$\{env:")
_HTTP_PATH: Final = "metastore.server.thrift.http.path"
_BY_USER: Final = frozenset({"PLAIN", "LDAP", "CONFIG", "CUSTOM"})
_NONE: Final[Mapping[str, str]] = {}
_GLUE_CLIENT: Final = "AWSGlueDataCatalog"
_CLIENTS: Final = ("hive.metastore.client.factory.class", "hive.imetastoreclient.factory.class")
_GLUE: Final = {
    "aws-region": ("aws.region",),
    "aws-glue-catalog-id": ("hive.metastore.glue.catalogid",),
    "aws-glue-endpoint": ("aws.glue.endpoint",),
}
"""Options of a source of Glue, to the properties of AWS's client for Hive and Spark."""


def _uris_of(settings: Mapping[str, str]) -> str:
    """The addresses of the metastore, references to other settings resolved; empty: there is none.

    What comes from the environment becomes a reference of ours.
    """
    uris = settings.get("metastore.thrift.uris") or settings.get("hive.metastore.uris", "")
    for _ in range(_DEPTH):
        if len(uris) > _LONGEST:
            break
        uris = _OF_ENVIRONMENT.sub(r"${env:\1}", uris)
        uris = _OF_SETTINGS.sub(lambda match: settings.get(match[1], match[0]), uris)
    return uris


def addressed(uris: str) -> dict[str, str]:
    """The settings of a metastore at other addresses than the usual; empty: at none."""
    return {"metastore.thrift.uris": uris} if uris else {}


def metastore(
    settings: Mapping[str, str], name: str = NAME, files: Mapping[str, str] = _NONE
) -> Iterator[FoundSource | LeftOut]:
    """The metastore of Hive's properties; Glue, where its client is in the metastore's place.

    Args:
        settings: Hive's properties.
        name: What the source is called.
        files: By which settings files are read.
    """
    if any(_GLUE_CLIENT in settings.get(client, "") for client in _CLIENTS):
        yield glue_catalog(name, settings, _GLUE, io=files)
        return
    uris = [uri.strip() for uri in _uris_of(settings).split(",") if uri.strip()]
    if why := _why_not(settings, uris):
        yield LeftOut("the metastore" if name == NAME else name, why)
    elif not uris and name != NAME:
        yield LeftOut(name, NO_ADDRESS)
    if not uris or why:
        return
    is_secured = _is_on(settings, "metastore.use.SSL")
    if _setting(settings, "metastore.client.thrift.transport.mode").lower() == "http":
        uris = [_over_http(uri, is_secured, _setting(settings, _HTTP_PATH)) for uri in uris]
    options: dict[str, object] = {
        "uri": ",".join(uris),
        "catalog": _setting(settings, "metastore.catalog.default"),
        "tls": is_secured and not uris[0].startswith("http"),
        "io": files,
    }
    login, notes = _login(settings)
    yield source_of(name, "hms", {**options, **login}, *notes)


def _why_not(settings: Mapping[str, str], uris: list[str]) -> str:
    """Why the metastore is no source; empty: it is one, or there is none."""
    if _setting(settings, "metastore.service.discovery.mode").lower() == "zookeeper":
        return "ZooKeeper knows its addresses, which is not asked; name it as thrift://host:9083"
    if not uris and settings.get("javax.jdo.option.ConnectionURL"):
        return "it has no URIs, only a database: the source hms-database reads that; see the docs"
    strange = next((uri for uri in uris if not _SERVER.match(uri)), None)
    if strange is not None:
        return (
            f"{without_logins(strange)!r:.200} is no address of one; name it as thrift://host:9083"
        )
    unknown = next((match[0] for uri in uris for match in _OF_SETTINGS.finditer(uri)), "")
    if unknown and not unknown.startswith("${env:"):
        return f"only Hive knows what {unknown} in its URIs stands for"
    return ""


def _over_http(uri: str, is_secured: bool, path: str) -> str:
    """The address that Hive 4's client asks in HTTP mode: host and port of the URI, and a path."""
    scheme = "https" if is_secured else "http"
    place = uri.partition("://")[2].partition("/")[0]
    return f"{scheme}://{place}/{path.strip('/') or 'metastore'}"


def _login(settings: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Options of the login, and what is to be said of it."""
    if _is_on(settings, "metastore.sasl.enabled"):
        service = _setting(settings, "metastore.kerberos.principal") or UNNAMED_SERVICE
        return {"authentication": "kerberos", "service_principal": service}, (_KERBEROS,)
    modes = ("metastore.client.auth.mode", "metastore.authentication")
    if not _BY_USER.isdisjoint(_setting(settings, mode).upper() for mode in modes):
        user = _setting(settings, "metastore.client.plain.username") or _VARIABLE % "USER"
        login = {"authentication": "plain", "user": user, "password": _VARIABLE % "PASSWORD"}
        return login, (_PLAIN,)
    return {}, ()


def _setting(settings: Mapping[str, str], name: str) -> str:
    """A setting by either of its names; that without `hive.` wins, as `MetastoreConf` has it."""
    return settings.get(name) or settings.get(f"hive.{name}", "")


def _is_on(settings: Mapping[str, str], name: str) -> bool:
    return _setting(settings, name).strip().lower() == "true"
