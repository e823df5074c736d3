"""A source as another tool's settings describe it; secrets become references on the way."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

from connectors import registry
from discovery import locations
from discovery.errors import ConfigurationError
from discovery.secrets_in_texts import find, is_sensitive, without_logins
from jobs.initializing.jdbc import url_of

_REFERENCE: Final = re.compile(r"^\$\{(env|file):[^}]+\}$")
_OF_TRINO: Final = re.compile(r"\$\{ENV:([^}]+)\}")
_SCHEMES: Final = {
    "thrift": "hms",
    "http": "iceberg-rest",
    "https": "iceberg-rest",
    "postgres": "postgresql",
}
_SAME: Final = frozenset(
    kind
    for kind, source in registry.SOURCES.items()
    if source.path.startswith("connectors.jdbc.")
    and source.path.partition(":")[0].endswith(f".{kind}")
)
"""Databases with a connector of their own; another one is read through SQLAlchemy."""
_OF_MYSQL: Final = "mariadb"
_LOGIN: Final = ("user", "username", "password")
_SUCH: Final = "such as thrift://metastore:9083, postgresql://db/shop, https://catalog/iceberg"
_WITHOUT_LOGIN: Final = {"hms": "lake", "iceberg-rest": "iceberg"}
"""Kinds whose URI takes no login, and what a source is called that has no name."""
_REGION: Final = "${env:AWS_REGION}"
_LOGIN_LEFT_OUT: Final = "the login of the URL is left out: it is options of its own, see the docs"
_LEFT_OUT: Final = "options of the URL that may hold a secret are left out"


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A source to be written into a configuration.

    Attributes:
        name: What it is called there.
        kind: Of the source.
        options: As `estate.yaml` spells them; a secret is a reference.
        variables: The environment variables that these name.
        notes: What its reader should know, a sentence each.
    """

    name: str
    kind: str
    options: Mapping[str, object]
    variables: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a file names that becomes no source.

    Attributes:
        name: What it is called there.
        why: It is left out.
    """

    name: str
    why: str


def source_of(name: str, kind: str, options: Mapping[str, object], *notes: str) -> FoundSource:
    """A source; what is empty is left out, what is secret becomes a reference.

    Args:
        name: What it is called elsewhere.
        kind: Of the source.
        options: Perhaps with secrets, as the other tool has them.
        notes: What its reader should know.
    """
    plain = re.sub(r"[^a-z0-9_]+", "_", name.lower()).strip("_") or kind
    sealed = _sealed(plain.upper(), {key: option for key, option in options.items() if option})
    return FoundSource(plain, kind, sealed, tuple(dict.fromkeys(_variables(sealed))), notes)


def glue_catalog(
    name: str, settings: Mapping[str, str], words: Mapping[str, Sequence[str]], **more: object
) -> FoundSource:
    """The source of AWS Glue; without a region, that of the environment, as AWS's clients do.

    Args:
        name: What it is called.
        settings: Of another tool.
        words: Options of the source, each to what the tool calls it: the first that is set counts.
        more: Other options.
    """
    stated = {
        option: next((settings[key] for key in keys if settings.get(key)), "")
        for option, keys in words.items()
    }
    stated["aws-region"] = stated["aws-region"] or _REGION
    return source_of(name, "glue", {**stated, **more})


def source_of_url(url: str, name: str = "", **extras: str) -> FoundSource:
    """The source that a URL leads to: a metastore, a REST catalog, or a database.

    Args:
        url: Of any tool: with a driver as SQLAlchemy has it, with `jdbc:` before it, with a login.
        name: What it is called; by default as the database, or as the kind.
        extras: Options that stand beside the URL, such as `user`.

    Raises:
        ConfigurationError: It is none, or one of files.
    """
    spelled = url_of(url) if url.startswith("jdbc:") else url
    parts = _split(spelled)
    scheme = parts.scheme.partition("+")[0]
    kind = "mysql" if scheme == _OF_MYSQL else _SCHEMES.get(scheme, scheme)
    if not parts.scheme or not (parts.hostname or parts.path):
        raise ConfigurationError(f"{without_logins(url)!r} is no URL", hint=_SUCH)
    if kind in _WITHOUT_LOGIN:
        return _of_uri(parts, name or _WITHOUT_LOGIN[kind], kind, extras)
    if kind not in _SAME:
        _insist_on_database(kind)
        kind, scheme = "sqlalchemy", parts.scheme
    _insist_on_login(spelled, parts)
    parameters = dict(parse_qsl(parts.query))
    user = unquote(parts.username or "") or parameters.get("user") or parameters.get("username")
    password = unquote(parts.password or "") or parameters.get("password")
    place = parts.netloc.rpartition("@")[2]
    # what stands behind `jdbc:` are options of Java's drivers
    query, notes = ("", ()) if url == f"jdbc:{spelled}" else _public(parts.query)
    keeps = scheme if kind == "sqlalchemy" or scheme in _SAME else kind
    # put together by hand, as urlunsplit takes `//` from a URL without a host, such as SQLite's
    bare = f"{keeps}://{place}{parts.path}{f'?{query}' if query else ''}"
    login = {"user": user or "", "password": password or ""}
    return source_of(
        name or parts.path.strip("/") or kind, kind, {"url": bare, **login, **extras}, *notes
    )


def _of_uri(parts: SplitResult, name: str, kind: str, extras: Mapping[str, str]) -> FoundSource:
    """A source whose URI takes neither login nor secrets: these are left out, and that is told."""
    notes: list[str] = []
    if "@" in parts.netloc:
        parts = parts._replace(netloc=parts.netloc.rpartition("@")[2])
        notes.append(_LOGIN_LEFT_OUT)
    if any(_is_secret(*pair) for pair in parse_qsl(parts.query)):
        parts = parts._replace(query=_public(parts.query)[0])
        notes.append(_LEFT_OUT)
    return source_of(name, kind, {"uri": parts.geturl(), **extras}, *notes)


def _insist_on_login(url: str, parts: SplitResult) -> None:
    """Refuse a URL whose password has a sign that is none of a login.

    Raises:
        ConfigurationError: It is so.
    """
    if "@" not in parts.netloc and any(find(url.partition("?")[0])):
        hint = "a slash in a password is written as %2F, and any other sign of a URL likewise"
        raise ConfigurationError("what stands before the @ of the URL is no login", hint=hint)


def _insist_on_database(scheme: str) -> None:
    """Refuse what looks like a URL and names a kind of source that has none.

    Raises:
        ConfigurationError: It is so.
    """
    if scheme in registry.SOURCES:
        hint = f"write the source by hand: docs/connectors/{scheme}.md has an example"
        raise ConfigurationError(f"a source of kind {scheme} has no URL", hint=hint)


def _split(url: str) -> SplitResult:
    """The parts of a URL.

    Raises:
        ConfigurationError: It is none, or one of files.
    """
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise ConfigurationError(f"{without_logins(url)!r}: {error}", hint=_SUCH) from error
    if parts.scheme in locations.SCHEMES:
        hint = f"name a file of this machine by its path, or a server, {_SUCH}"
        raise ConfigurationError(
            f"{without_logins(url)!r} leads to files, and is no source", hint=hint
        )
    return parts


def _public(query: str) -> tuple[str, tuple[str, ...]]:
    """What stands behind `?` in a URL without login and secrets, and what is to be said of that."""
    rest = [(key, value) for key, value in parse_qsl(query) if key not in _LOGIN]
    kept = [(key, value) for key, value in rest if not _is_secret(key, value)]
    return urlencode(kept, safe="/"), () if kept == rest else (_LEFT_OUT,)


def _sealed(prefix: str, options: Mapping[str, object]) -> dict[str, object]:
    """The options with references for secrets, named by what they are of."""
    sealed: dict[str, object] = {}
    for key, value in options.items():
        if isinstance(value, Mapping):
            sealed[key] = _sealed(prefix, value)
        elif isinstance(value, str) and _OF_TRINO.search(value):
            sealed[key] = _OF_TRINO.sub(r"${env:\1}", value)
        elif isinstance(value, str) and not _REFERENCE.match(value) and _is_secret(key, value):
            variable = re.sub(r"[^A-Z0-9]+", "_", f"{prefix}_{key}".upper())
            sealed[key] = f"${{env:{variable}}}"
        else:
            sealed[key] = value
    return sealed


def _is_secret(key: str, value: str) -> bool:
    return is_sensitive(key) or any(find(value))


def _variables(options: Mapping[str, object]) -> Iterator[str]:
    for value in options.values():
        if isinstance(value, Mapping):
            yield from _variables(value)
        elif isinstance(value, str):
            yield from re.findall(r"\$\{env:([^}]+)\}", value)
