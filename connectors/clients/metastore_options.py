"""The options that every connector on a Hive Metastore has."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Self

from connectors.clients import metastore_tokens
from connectors.clients.credentials import Secret
from connectors.clients.metastore import Metastore
from connectors.clients.thrift.login import MetastoreLogin
from discovery.display import quantity
from discovery.ports import Probe


@dataclass(frozen=True, slots=True, kw_only=True)
class MetastoreOptions(MetastoreLogin):
    """How to reach a Hive Metastore from a cluster.

    Attributes:
        connections: How many at a time, over all executors.
    """

    connections: int = 4

    @contextmanager
    def for_executors(self) -> Iterator[tuple[Self, tuple[Secret, ...]]]:
        """These options as executors get them, and the secrets in them beside the configured ones.

        With Kerberos they have a delegation token, which is cancelled at the end.
        """
        if not self.lends:
            yield self, ()
            return
        with metastore_tokens.lent(self) as login:
            secrets = (login.token,) if login.token is not None else ()
            yield replace(self, lent=login), secrets


def probe_metastore(client: Metastore, options: MetastoreOptions) -> Probe:
    """What a metastore says of itself, and how we log in to it: as the driver, and as executors.

    Raises:
        BelvedereError: One of both it does not let in, or it does not answer.
    """
    summary = f"protocol {client.version()}, {quantity(len(client.databases()), 'database')}"
    if client.login:
        summary += f", {client.login}"
    if options.lends:
        with options.for_executors() as (lent, _), closing(Metastore(lent)) as executor:
            executor.version()
            summary += f"; executors by {executor.login}"
    return Probe(summary, tuple(_risks(options)))


def _risks(options: MetastoreOptions) -> Iterator[str]:
    in_clear = not options.tls and not all(endpoint.tls for endpoint in options.endpoints())
    if in_clear and options.authentication == "plain":
        yield "the password goes over the network in the clear: set tls: true, if the server has it"
    if options.authentication == "kerberos" and not options.delegation_tokens:
        yield "each executor logs in itself: the keytab or a ticket must be there, and krb5.conf"
