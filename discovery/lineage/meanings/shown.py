"""Numbers that are made texts: which are other ones by engine, though the numbers are the same.

HiveServer2 2.3.10, Spark 4.3.0 and Trino 476 were asked over the same rows on 2026-11-30.
"""

from collections.abc import Iterable
from typing import Final

from sqlglot import exp

from discovery.engines import engine
from discovery.lineage.meanings.beside import taken_as_texts, values_beside_text
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.sorts import CLOSE

_DIGITS: Final = "as a text it has digits behind its point as {home} gives them, and has others"
CLOSE_DIGITS: Final = "as a text its last digits may be others"


def shown_otherwise(node: exp.Expr, kinds: ValueKinds, reader: str) -> str:
    """What a text made of a number has otherwise to a reader; empty: nothing is known.

    `round(1.25, 1)` of a decimal with two digits is 1.30 to Trino, which keeps them, and 1.3 to
    others; `sign(1.5)` is 1 to Hive and Trino, 1.0 to Spark.

    Args:
        node: An expression.
        kinds: What is known of values where it is at home.
        reader: The dialect of who reads it as it is.
    """
    if any(kinds.has_other_digits(value, reader) for value in _made_texts(node, kinds)):
        return _DIGITS
    both_of_hive = engine(kinds.dialect).hive_functions and engine(reader).hive_functions
    return CLOSE_DIGITS if both_of_hive and shows_close(node, kinds) else ""


def shows_close(node: exp.Expr, kinds: ValueKinds) -> bool:
    """Whether a text is made of a logarithm or a power, of which engines have other last digits.

    Java's `Math` calculates them in Hive, `StrictMath` in Spark: of the logarithms of 1 to 1000 21
    are other doubles.
    """
    return any(kinds.of(value) == CLOSE for value in _made_texts(node, kinds))


def _made_texts(node: exp.Expr, kinds: ValueKinds) -> Iterable[exp.Expr]:
    """Of what an expression makes texts."""
    match node:
        case exp.Concat() | exp.DPipe():
            return [*node.iter_expressions()]
        case exp.Cast(to=kind) if kind.is_type(exp.DType.TEXT, exp.DType.VARCHAR):
            return [node.this]
    return taken_as_texts(node) or values_beside_text(node, kinds)
