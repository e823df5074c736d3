"""Decisions of the core as columns: facts go to Python, what they come to is a column again.

Only the facts travel: Spark keeps the rest of the row on its side, as `mapInArrow` does not.
"""

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
