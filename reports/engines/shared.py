"""What the kinds of sources share: a source as it is stated, properties, findings."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

from discovery.engines import ENGINES, Engine
from discovery.errors import ConfigurationError
from discovery.outcomes import Note, Reason

ENGINE_BLIND: Final = Reason(
    "ENGINE_BLIND",
    "With these properties the engine reaches the catalog and does not see everything in it. The "
    "message names what it leaves out or cannot read.",
)
ENGINE_SETTING: Final = Reason(
    "ENGINE_SETTING",
    "The engine takes something from elsewhere than from these properties: a file, the "
    "environment, a package. The message says what to set where.",
)
ENGINE_REFERENCE: Final = Reason(
    "ENGINE_REFERENCE",
    "A value is a reference of belvedere, `${env:NAME}` or `${file:PATH}`, which the engine does "
    "not resolve. Put the value in where the engine is started, not into a file that is kept.",
)
FINDINGS: Final = (ENGINE_BLIND, ENGINE_SETTING, ENGINE_REFERENCE)

_REFERENCE: Final = re.compile(r"\$\{(?:env|file):[^}]+\}")
_VARIABLE: Final = re.compile(r"\$\{env:([^}]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedSource:
    """A source as the configuration states it.

    Attributes:
        name: Its name, which becomes the catalog's.
        kind: Its kind in the registry.
        options: As in the file: references unresolved, defaults left out.
        version: Of the engine, as numbers; empty means a current one.
    """

    name: str
    kind: str
    options: Mapping[str, object]
    version: tuple[int, ...] = ()

    def option(self, name: str) -> str:
        """An option as text; empty if it is not stated."""
        value = self.options.get(name)
        return "" if value is None else str(value)

    def nested(self, name: str) -> Mapping[str, str]:
        """An option that is a map of texts."""
        value = self.options.get(name)
        return {str(k): str(v) for k, v in value.items()} if isinstance(value, Mapping) else {}


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """Properties in the order in which people expect them, and findings."""

    properties: tuple[tuple[str, str], ...]
    findings: tuple[Note, ...] = ()


def config_of(properties: Iterable[tuple[str, str]], *findings: Note) -> EngineConfig:
    """A configuration without the properties that have no value."""
    return EngineConfig(tuple(property_ for property_ in properties if property_[1]), findings)


def within(prefix: str, properties: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Properties under a prefix, as Spark wants those of a catalog."""
    return [(f"{prefix}.{key}", value) for key, value in properties]


def spark_catalog(
    name: str, implementation: str, extensions: str, properties: Iterable[tuple[str, str]]
) -> list[tuple[str, str]]:
    """A catalog of Spark, with the extensions of its SQL that it comes with."""
    catalog = f"spark.sql.catalog.{name}"
    return [
        (catalog, implementation),
        *within(catalog, properties),
        ("spark.sql.extensions", extensions),
    ]


def blind(message: str) -> Note:
    """What the engine does not see."""
    return Note(ENGINE_BLIND.code, message)


def setting(message: str) -> Note:
    """What is to be set elsewhere."""
    return Note(ENGINE_SETTING.code, message)


def with_references(config: EngineConfig, engine: str) -> EngineConfig:
    """The configuration with references as the engine spells them, or a finding where it cannot.

    Trino's files resolve `${ENV:NAME}`; Spark's and Flink's properties resolve nothing.
    """
    if engine == "trino":
        spelled = tuple(
            (key, _VARIABLE.sub(r"${ENV:\1}", value)) for key, value in config.properties
        )
        config = replace(config, properties=spelled)
    left = [key for key, value in config.properties if _REFERENCE.search(value)]
    if not left:
        return config
    note = Note(
        ENGINE_REFERENCE.code, f"{engine} does not resolve the references in {', '.join(left)}"
    )
    return replace(config, findings=(*config.findings, note))


def jdbc_url(url: str) -> str:
    """The URL of a database for a Java driver.

    Raises:
        ConfigurationError: The URL comes wholly by reference, so its kind is unknown.
    """
    scheme, _, rest = url.partition(":")
    if not urlsplit(url).scheme:
        hint = "write the scheme and the host as text: postgresql://${env:HOST}/database"
        raise ConfigurationError(f"the URL {url} has no scheme", hint=hint)
    return f"jdbc:{scheme.partition('+')[0]}:{rest}"  # SQLAlchemy may name its driver there


def database(url: str) -> Engine:
    """The database that a URL names by its scheme, where SQLAlchemy may name its driver, too.

    Raises:
        ConfigurationError: No driver of Java is known for it.
    """
    scheme = urlsplit(url).scheme.partition("+")[0]
    engine = ENGINES.get(scheme)
    if engine is None or not engine.java_driver:
        schemes = ", ".join(
            f"{candidate.name}://" for candidate in ENGINES.values() if candidate.java_driver
        )
        hint = f"write one of {schemes}"
        raise ConfigurationError(f"no JDBC driver is known for {scheme or url}", hint=hint)
    return engine


S3: Final = {
    "s3.endpoint": "s3.endpoint",
    "s3.region": "s3.region",
    "s3.access-key-id": "s3.aws-access-key",
    "s3.secret-access-key": "s3.aws-secret-key",
}
"""Properties of pyiceberg's FileIO to Trino's."""


def trino_files(properties: Mapping[str, str]) -> list[tuple[str, str]]:
    """How Trino reads files: S3 with what pyiceberg has for it, anything else through Hadoop."""
    given = [(trino_key, properties[key]) for key, trino_key in S3.items() if key in properties]
    return [("fs.native-s3.enabled", "true"), *given] if given else [("fs.hadoop.enabled", "true")]
