"""What of a configuration a plan depends on, as one short text that gives nothing away."""

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

from connectors.clients.credentials import Secret
from connectors.clients.sql import DatabaseLogin
from connectors.clients.thrift.login import DEFAULT_CATALOG, MetastoreLogin
from connectors.registry import Connector
from discovery.addresses import SourceAddress
from jobs.configuration.loader import RunConfig


@dataclasses.dataclass(frozen=True, slots=True)
class _Free:
    """What decides nothing in a digest.

    Attributes:
        fields: By their names; `reader` and `why` are our words for a route.
        references: Whether no property that comes by reference does, wherever it leads.
    """

    fields: frozenset[str]
    references: bool = False


_FIELDS_BEFORE: Final = frozenset(
    {"user", "ca_file", "connections", "threads", "timeout", "batch", "reader"}
)
_FREE: Final = _Free(_FIELDS_BEFORE | {"why"})
_BEFORE: Final = (
    _Free(_FREE.fields, references=True),
    _Free(_FIELDS_BEFORE, references=True),
)
"""Before properties by reference counted, and before our words for a route were left out."""
_UNTOLD: Final = frozenset({"login", "derived"})
"""Marks of fields that are of a login, or follow from others."""
SYSTEM_OPTIONS: Final = (
    *("uri", "url", "catalog", "schema_name", "warehouse", "metastore"),
    *("aws_region", "aws_glue_catalog_id", "aws_glue_endpoint"),
)
"""Options that say which system a source is, whatever is asked of it."""
_LOGIN: Final = re.compile(r"(?:\+\w+)?(://)(?:[^/?#]*@)?")
_WHO: Final = re.compile(r"(?i)(?:pwd|pass\w*|uid|user)(?:=|%3D)[^&;%]*")
_LEADS: Final = re.compile(
    r"(?:account-name|authority|endpoint|glue\.id|host|port|project-id|region|ur[il]|warehouse)$"
)
"""Names of properties of clients, as `s3.endpoint` and `oauth2-server-uri`, that lead somewhere."""
_PASSWORD: Final = re.compile(r"(://[^/?#@:]*):[^/?#@]*@")


def of_target(config: RunConfig, name: str, free: _Free = _FREE) -> str:
    """A digest of where a target is, and on which terms it is loaded, references resolved.

    Kind, route, terms and all options but those of login and pace: a plan may be applied by another
    user than it was made by, and slower. No secret goes into it, so a new one changes nothing; a
    property by reference does where its name says that it leads somewhere (`_LEADS`).
    """
    connector = config.targets[name]
    rows = [] if connector.rows is None else [_plain_json(connector.rows, free)]
    terms = _plain_json(config.terms.get(name), free)
    return _digest([connector.kind, _plain_json(connector.options, free), terms, *rows])


def is_of_target(digest: str, config: RunConfig, name: str) -> bool:
    """Whether a digest is that of a target, or was of an earlier belvedere."""
    return any(digest == of_target(config, name, free) for free in (_FREE, *_BEFORE))


def of_source(config: RunConfig, name: str) -> str:
    """A digest of where a source is and what of it is crawled, as `of_target` has one."""
    connector = config.sources[name]
    return _digest([connector.kind, _plain_json(connector.options)])


def of_system(config: RunConfig, name: str) -> list[str]:
    """A digest for each place at which the system of a source is reached; of a folder, none.

    However it is asked, by whom, and for which of its objects: two crawls that have one of them in
    common have seen one system. A metastore's servers are such places.
    """
    connector = config.sources[name]
    options = connector.options
    stated = {field: getattr(options, field, None) for field in SYSTEM_OPTIONS}
    if not any(stated.values()):
        return []
    if stated["catalog"] == DEFAULT_CATALOG:
        stated["catalog"] = None
    if addresses := _addresses(connector):
        stated["uri"] = None
    if isinstance(options, DatabaseLogin):
        stated["url"] = options.complete_url().database if addresses else _asked_at(options.url)
    within = [connector.kind, _plain_json(stated)]
    places = [source_address.canonical().to_json() for source_address in addresses] or [{}]
    return sorted(_digest([place, *within]) for place in places)


def _addresses(connector: Connector) -> Sequence[SourceAddress]:
    """Where a system is reached, as far as that has a name."""
    options = connector.options
    if isinstance(options, MetastoreLogin):
        return [*options.addresses()]
    if isinstance(options, DatabaseLogin):  # some kinds do not tell theirs to others
        source_address = DatabaseLogin.address(options)
    else:
        source_address = connector.address()
    return [source_address] if source_address is not None else []


def _asked_at(url: str) -> str:
    """A URL without a driver, and without who logs in: its query may say where it leads."""
    return _WHO.sub("", _LOGIN.sub(r"\1", url))


def of_mapping(config: RunConfig) -> str:
    """A digest of the targets' names and the rules of `mapping`, in order."""
    return _digest([sorted(config.targets), _plain_json(config.rules)])


def of_assessing(config: RunConfig, *inputs: object) -> str:
    """A digest of what `assess` is told of the estate beside its views, and of whatever else.

    Raises:
        TypeError: Something of that has no lasting text.
    """
    sources = {name: of_source(config, name) for name in config.sources}
    engines = [list(config.engines), _plain_json(config.settings), _plain_json(config.catalogs)]
    return _digest([sources, engines, sorted(config.target_catalogs), _plain_json(inputs)])


def _digest(content: object) -> str:
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _plain_json(value: object, free: _Free = _FREE) -> object:
    """A value as JSON has it, without secrets.

    Raises:
        TypeError: It is of a kind that has no lasting text.
    """
    match value:
        case None | bool() | int() | float():
            return value
        case Secret():
            return None
        case Enum():
            return _plain_json(value.value, free)
        case str():
            return _PASSWORD.sub(r"\1@", value)
        case Mapping():
            shown = {
                str(key): item if free.references else _of_property(str(key), item)
                for key, item in value.items()
            }
            return {key: _plain_json(item, free) for key, item in shown.items()}
        case tuple() | list():
            return [_plain_json(item, free) for item in value]
    if not dataclasses.is_dataclass(value):
        raise TypeError(f"{type(value).__name__} has no lasting text")
    names = (
        field.name
        for field in dataclasses.fields(value)
        if field.name not in free.fields
        and not field.metadata.keys() & _UNTOLD
        and not _is_new(value, field)
    )
    return {name: _plain_json(getattr(value, name), free) for name in names}


def _of_property(name: str, value: object) -> object:
    """The value of a property; of one that came by reference, only if its name is of a place."""
    return value.reveal() if isinstance(value, Secret) and _LEADS.search(name) else value


def _is_new(value: object, field: dataclasses.Field[object]) -> bool:
    """Whether a setting came later and is not said: the digests of before are right still."""
    return "later" in field.metadata and bool(getattr(value, field.name) == field.default)
