"""Decisions of the core as columns: facts go to Python, what they come to is a column again.

Only the facts travel: Spark keeps the rest of the row on its side, as `mapInArrow` does not. What
few facts can come to is a table, in which Spark itself looks.
"""

import json
from collections.abc import Callable, Mapping

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as f
from pyspark.sql.pandas.functions import arrow_udf
from pyspark.sql.pandas.types import from_arrow_type

from jobs.warehouse.carried import Carried


def decided(
    by: Callable[[pa.Array], pa.Array], kind: pa.DataType, facts: Mapping[str, Column]
) -> Column:
    """What a function of executors makes of each row.

    Args:
        by: Rows of the facts, as structs, in; as many values out.
        kind: Type of those values.
        facts: By the names that they have in the struct.
    """
    # its stubs want the kind of function in words, at run time it takes it from the annotations
    function = arrow_udf(Carried(by), from_arrow_type(kind))  # type: ignore[call-overload]
    column: Column = function(f.struct(*(fact.alias(name) for name, fact in facts.items())))
    return column


def look_up(words: Mapping[str, str | None], key: Column) -> Column:
    """The word that a table of the core has for a key; null: it has none.

    The table goes to Spark as one literal: of a map of 240, each is a call, and a node of every
    plan that it is in.

    Args:
        words: By their keys.
        key: Which of them is wanted.
    """
    table = f.from_json(f.lit(json.dumps(dict(words))), "map<string, string>")
    return f.element_at(table, key)
