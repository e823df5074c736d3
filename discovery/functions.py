"""Functions that people have made: what sources tell of them, and what stores take of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Protocol, runtime_checkable

from discovery.model import Identifier
from discovery.outcomes import Failure

JAVA: Final = "JAVA"
"""The language of a function that is a class."""
TRINO_SQL: Final = "Trino SQL"
"""The language of a function that Trino keeps as a text, whole, from FUNCTION on."""


class FunctionFile(NamedTuple):
    """A file that an engine loads before it calls a function.

    Attributes:
        kind: `jar`, `file` or `archive`.
        uri: Where it is, as the source has it.
    """

    kind: str
    uri: str


class Parameter(NamedTuple):
    """What a function is given.

    Attributes:
        name: Empty: it has none.
        type: By the source's word.
        may_lack: Whether a call may leave it out.
    """

    name: str
    type: str
    may_lack: bool


class Signature(NamedTuple):
    """What a call of a function has to give, and what it gets.

    Attributes:
        takes: In this order.
        returns: The type of its one value, by the source's word.
    """

    takes: tuple[Parameter, ...]
    returns: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function that a source knows, as far as the source says.

    Attributes:
        namespace: Levels, outermost first.
        name: As the source spells it.
        arguments: Types of its arguments, where functions of one name are told apart by them.
        language: What it is written in, by the source's word.
        implementation: The class that it is, where it is one.
        owner: Whose it is.
        files: What is loaded for it, in that order.
        sql: Its text, of one in Trino's SQL; None there: it could not be read.
        path: Schemas in which its text finds other functions by short names, `catalog.schema`.
        signature: Of one that gives one value for a row, where the source tells it; two that do
            the same need not both have one.
    """

    namespace: tuple[str, ...]
    name: str
    arguments: str | None = None
    language: str | None = None
    implementation: str | None = None
    owner: str | None = None
    files: tuple[FunctionFile, ...] = ()
    sql: str | None = None
    path: tuple[str, ...] = ()
    signature: Signature | None = field(default=None, compare=False)

    @property
    def place(self) -> Identifier:
        """Where it is."""
        return Identifier(self.namespace, self.name)

    def does_as(self, other: "Function") -> bool:
        """Whether another one of this name does the same; whose it is does not matter."""
        return replace(other, owner=self.owner) == self


@runtime_checkable
class FunctionSource(Protocol):
    """A source that can also say which functions people have made in it."""

    def fold_function(self, name: str) -> str:
        """The name of a function as the source compares it."""

    def functions(self) -> Iterator[Function | Failure]:
        """Every function, none of the system's own; views call those of what is excluded, too.

        Does I/O. What cannot be listed is a Failure; the rest goes on.
        """


class FunctionStore(Protocol):
    """What a store keeps functions in.

    Attributes:
        alone: Whether engines look nowhere else for the functions that its views call.
    """

    alone: bool = True

    def hold(self, function: Function) -> Function:
        """A function as it will read back. No I/O: what it says is in the plan.

        Raises:
            NotHeldError: The store cannot hold it; says why.
        """

    def present(self, places: Sequence[Identifier]) -> Iterator[Function]:
        """Those of the functions that are there. Does I/O.

        Raises:
            BelvedereError: They cannot be read.
        """

    def make(self, function: Function) -> bool:
        """Make a function where none is; whether this call has. Does I/O.

        Raises:
            CollisionError: Another one is there by now.
            BelvedereError: It was refused, or there was no answer.
        """

    def drop(self, function: Function) -> bool:
        """Drop a function; whether this call has. Does I/O.

        Raises:
            BelvedereError: It was refused, or there was no answer.
        """
