"""Options of the target `gravitino-rest`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from connectors.clients.credentials import Secret, insist_on_references
from discovery.errors import ConfigurationError
from discovery.migration import routes
from discovery.namespaces import Separator


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to reach and fill a Gravitino server.

    Attributes:
        uri: `http://host:port` of the server.
        user: Who writes; with no password, as the authenticator `simple` wants it; left out,
            `anonymous`.
        password: Of the user, for the authenticator `basic`, by reference.
        token: Bearer token for the authenticator `oauth`, by reference; instead of `user`.
        ca_file: PEM file of the authority that signed the certificate; without it, those that come
            with `requests`.
        metalake: Name of the metalake.
        catalog: Name of the catalog that receives the views.
        provider: The catalog's provider: `hive`, `lakehouse-iceberg` or `lakehouse-paimon`.
        catalog_properties: Of the catalog, where it is made; those that are secret by reference.
        create_metalake: Whether to make the metalake if it is missing.
        create_catalog: Whether to make the catalog if it is missing.
        schema_separator: The server's `gravitino.schema.separator`: one character of `:;$|~@`.
        server_version: The server's version, which decides what its catalogs take.
        trust_absent: Whether a view that a server with authorization does not list is taken for
            absent, though the user may not see all.
        connections: How many at a time, over all executors.
        threads: How many of them one task uses.
        timeout: Seconds for connecting and for each answer.
    """

    uri: str
    user: str | None = None
    password: Secret | None = None
    token: Secret | None = None
    ca_file: str | None = field(default=None, metadata={"path": True})
    metalake: str
    catalog: str
    provider: str
    catalog_properties: Mapping[str, str | Secret] = field(default_factory=dict)
    create_metalake: bool = False
    create_catalog: bool = False
    schema_separator: str = ":"
    server_version: str = routes.SERVER_VERSION
    trust_absent: bool = False
    connections: int = 8
    threads: int = 4
    timeout: float = 30.0

    def __post_init__(self) -> None:
        if not re.match(r"https?://[^/@]+(/|$)", self.uri):
            hint = "write uri: http://host:port, and user and password beside it"
            raise ConfigurationError("the uri is not of the form http://host:port", hint=hint)
        if self.token is not None and self.user is not None:
            raise ConfigurationError("both a token and a user are given", hint="take one of them")
        if self.password is not None and self.user is None:
            raise ConfigurationError("a password without a user", hint="write user: NAME")
        if self.version < (1, 3):
            hint = "views came with 1.3: write server_version: 1.3.0 or later"
            raise ConfigurationError(f"server_version: {self.server_version!r}", hint=hint)
        insist_on_references(self.catalog_properties)
        self.separator()

    @property
    def version(self) -> tuple[int, int]:
        """Major and minor number of the server's version."""
        return routes.release(self.server_version)

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """What no output may show."""
        given = (self.password, self.token, *self.catalog_properties.values())
        return tuple(secret for secret in given if isinstance(secret, Secret))

    @property
    def writer(self) -> str | None:
        """Whom the server will name as the creator, as far as that is known."""
        return self.user if self.user or self.token else "anonymous"

    def separator(self) -> Separator:
        """What joins the levels of nested schemas in the server's names.

        Raises:
            SeparatorError: It cannot.
        """
        return Separator(self.schema_separator)

    def place(self, *parts: str) -> tuple[str, ...]:
        """The path of something in the catalog; of the catalog itself."""
        return ("metalakes", self.metalake, "catalogs", self.catalog, *parts)

    def schema(self, levels: Sequence[str], *parts: str) -> tuple[str, ...]:
        """The path of a schema, or of something in it."""
        return self.place("schemas", self.schema_separator.join(levels), *parts)
