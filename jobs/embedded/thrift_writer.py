"""Writing recorded entries into the embedded metastore: JSON by the Thrift IDL's names to structs.

Only the demo and the tests write entries that others have made; what crawls cannot write at all.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import urlsplit

from hmsclient.genthrift.hive_metastore import ThriftHiveMetastore, ttypes
from thrift.protocol import TBinaryProtocol
from thrift.transport import TSocket, TTransport

from connectors.clients.metastore_writer import struct


class Writer:
    """A connection that may write."""

    def __init__(self, client: ThriftHiveMetastore.Client) -> None:
        self._client = client

    def create_database(self, name: str, location: str, comment: str = "") -> None:
        """Make a database; one that is there already is left as it is."""
        database = ttypes.Database(name=name, description=comment, locationUri=location)
        try:
            self._client.create_database(database)
        except ttypes.AlreadyExistsException:
            return

    def create_table(self, payload: Mapping[str, object]) -> None:
        """Make the entry of a table or view."""
        self._client.create_table(struct(ttypes.Table, payload))

    def create_function(
        self, database: str, name: str, implementation: str, owner: str, *jars: str
    ) -> None:
        """Make a function that is a class of Java."""
        function = ttypes.Function(
            functionName=name,
            dbName=database,
            className=implementation,
            ownerName=owner,
            ownerType=ttypes.PrincipalType.USER,
            functionType=ttypes.FunctionType.JAVA,
            resourceUris=[ttypes.ResourceUri(ttypes.ResourceType.JAR, uri) for uri in jars],
        )
        self._client.create_function(function)

    def drop_function(self, database: str, name: str) -> None:
        """Drop a function."""
        self._client.drop_function(database, name)

    def drop_table(self, database: str, name: str, *, missing_ok: bool = False) -> None:
        """Drop an entry."""
        try:
            self._client.drop_table(database, name, False)
        except ttypes.NoSuchObjectException:
            if not missing_ok:
                raise


@contextmanager
def writer(uri: str) -> Iterator[Writer]:
    """A connection to a metastore that may write."""
    place = urlsplit(uri)
    socket = TSocket.TSocket(place.hostname, place.port)
    socket.setTimeout(60_000)
    transport = TTransport.TBufferedTransport(socket)
    transport.open()
    try:
        yield Writer(ThriftHiveMetastore.Client(TBinaryProtocol.TBinaryProtocol(transport)))
    finally:
        transport.close()
