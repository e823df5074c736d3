"""Databases that are reached through SQLAlchemy's connections."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Engine, TextClause
from sqlalchemy.exc import DBAPIError

from connectors.clients import sql
from connectors.jdbc import base


class AlchemyDatabase(base.Database):
    """A database behind one of SQLAlchemy's dialects."""

    def __init__(self, options: base.Options) -> None:
        super().__init__(options)
        self._engine = self.engine(options)

    @abstractmethod
    def engine(self, options: Any) -> Engine:  # noqa: ANN401 - each has Options of its own
        """What opens connections, each statement of which is its own transaction."""

    def set_up_session(self, connection: Connection) -> None:
        """What a new connection must be told."""

    def connect(self) -> Connection:
        """A new connection, told what it must know."""
        try:
            connection = self._engine.connect()
            self.set_up_session(connection)
        except DBAPIError as error:
            raise sql.our_error(error) from None
        return connection

    def disconnect(self, connection: Connection) -> None:
        """Close without a word: a lost connection would wait."""
        connection.invalidate()
        connection.close()

    def rows(
        self, statement: TextClause, values: Mapping[str, object] | None = None
    ) -> list[dict[str, Any]]:
        """All rows that a statement of ours returns.

        Raises:
            BelvedereError: The database's own, in our words.
        """
        connection = self.open_session()
        try:
            result = connection.execute(statement, values or {})
            names = tuple(result.keys())
            return [dict(zip(names, row, strict=True)) for row in result]
        except DBAPIError as error:
            raise sql.our_error(error, connected=True) from None

    def quoted(self, *names: str) -> str:
        """A name as the dialect quotes it.

        SQLAlchemy's own function doubles percent signs for drivers that format their statements.
        """
        quote = self._engine.dialect.identifier_preparer
        double = quote.escape_quote * 2
        return ".".join(
            f"{quote.initial_quote}{name.replace(quote.escape_quote, double)}{quote.final_quote}"
            for name in names
        )
