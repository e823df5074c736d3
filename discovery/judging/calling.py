"""Functions of the estate that views call: who can call them, and what is known of that."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from discovery.formats import spark_functions
from discovery.functions import TRINO_SQL, Signature
from discovery.model import SPARK, TRINO

_KEPT: Final[Mapping[str | None, str]] = {TRINO_SQL: TRINO, spark_functions.CLASS: SPARK}
"""Engines that keep functions of their own in a metastore: by language, or by what is no class."""


class KnownFunction(NamedTuple):
    """A function of the estate that a text calls, or another one of its name.

    Attributes:
        source: That has it.
        namespace: Levels, outermost first.
        name: Of the function.
        signature: None: it is not known.
        of: The engine that keeps it, which alone can call it; empty: whoever can load it.
    """

    source: str
    namespace: tuple[str, ...]
    name: str
    signature: Signature | None
    of: str = ""

    def is_known_to(self, engine: str) -> bool:
        """Whether a call may mean it: Trino, for one, loads no class from a metastore."""
        return self.of == engine or (not self.of and engine != TRINO)


def kept_by(language: str | None, implementation: str | None) -> str:
    """The engine that keeps a function for itself; empty: none does.

    A live Hive 2.3.10 and Flink 1.20.5 refuse to call what Spark 4.3 and Trino 476 keep, and these
    do not find each other's.

    Args:
        language: By the source's word.
        implementation: The class that it is, where it is one.
    """
    return _KEPT.get(language) or _KEPT.get(implementation, "")
