"""Judges `mysql`, `doris`, `starrocks`: no parser of these engines is known, so sqlglot's opinion.

sqlglot reads generously. Where engines have parsers it catches 38 % of what they reject and rejects
some of what they accept (measured on 60 views). So what it says proves nothing.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from connectors.judges.bounded import Bounded
from connectors.judges.jars import Jar
from discovery.lineage import scopes
from discovery.model import DORIS, MYSQL, STARROCKS
from discovery.ports import OPINION, SqlJudge, Statement, Verdict


class Opinion(SqlJudge):
    """What sqlglot thinks of a statement; a judge is the dialect below."""

    grade = OPINION
    jars: ClassVar[tuple[Jar, ...]] = ()

    def __init__(self, *_: object) -> None:
        self._sqlglot = Bounded()

    @property
    def version(self) -> str:
        """Not the engine's: whose opinion it is."""
        return scopes.VERSION

    @property
    def is_running(self) -> bool:
        """Whether sqlglot's process is there."""
        return self._sqlglot.is_running

    def close(self) -> None:
        """Stop its process."""
        self._sqlglot.close()

    def judge(self, statements: Sequence[Statement]) -> Iterator[Verdict]:
        """One opinion per statement; none of one that takes too long."""
        for statement in statements:
            opinion = self._sqlglot.ask("opinion", statement.sql, self.engine)
            yield opinion or Verdict(None, "sqlglot did not answer in time, or in its memory")


class MySQLOpinion(Opinion):
    """Of statements for MySQL and MariaDB."""

    engine = MYSQL


class DorisOpinion(Opinion):
    """Of statements for Apache Doris."""

    engine = DORIS


class StarRocksOpinion(Opinion):
    """Of statements for StarRocks."""

    engine = STARROCKS
