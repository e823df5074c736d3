"""A dialect, the one that a text of it is for, and what rules of meaning ask of both."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlglot import ErrorLevel, exp

from discovery.display import EXPRESSION, abridged
from discovery.engines import Engine, engine
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.model import TRINO


class OtherMeaningError(Exception):
    """A text would mean something else in the other dialect."""


@dataclass(frozen=True, slots=True)
class DialectPair:
    """What a rule decides by.

    Attributes:
        dialect: Of the statement.
        into: That it is for.
        kinds: Of the values in it.
    """

    dialect: str
    into: str
    kinds: ValueKinds

    @property
    def source(self) -> Engine:
        """The engine of the statement."""
        return engine(self.dialect)

    @property
    def target(self) -> Engine:
        """The engine that it is for."""
        return engine(self.into)

    @property
    def share_functions(self) -> bool:
        """Whether both have Hive's functions, or neither: Spark has them, Trino has its own."""
        return self.source.hive_functions == self.target.hive_functions

    @property
    def of_trino(self) -> bool:
        """Whether the statement is Trino's."""
        return self.dialect == TRINO

    @property
    def to_trino(self) -> bool:
        """Whether it is for Trino."""
        return self.into == TRINO

    @property
    def beside_trino(self) -> bool:
        """Whether one of the two is Trino's."""
        return self.of_trino or self.to_trino

    def lost(self, node: exp.Expr) -> exp.Expr:
        """Where the meaning is lost.

        Raises:
            OtherMeaningError: Always; it tells of what.
        """
        shown = self.shown(node)
        raise OtherMeaningError(f"{shown} would mean something else in {self.target.title}")

    def unknown(self, node: exp.Expr) -> exp.Expr:
        """The node, where a kind is not known on which its meaning depends, if rows are compared.

        Raises:
            OtherMeaningError: They are not, as one of the engines does not run here.
        """
        if self.source.runs_here and self.target.runs_here:
            return node
        what = f"what {self.shown(node)} means in {self.target.title}"
        raise OtherMeaningError(f"{what} depends on a type that is not known")

    def shown(self, node: exp.Expr) -> str:
        """An expression as its own dialect writes it, cut where it is long."""
        return written(node, self.dialect)


def written(node: exp.Expr, dialect: str) -> str:
    """An expression as a dialect writes it, as well as may be, cut where it is long: to be shown.

    Without a word of sqlglot, which would stand among what a command prints.
    """
    text = node.sql(engine(dialect).sqlglot, unsupported_level=ErrorLevel.IGNORE)
    return abridged(text, EXPRESSION)


Rules = Mapping[type[exp.Expr], Callable[..., exp.Expr]]
"""What stands for a node of a class, or the node itself where nothing is to be changed."""
