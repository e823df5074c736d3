"""What analyzers in Java are told of the columns of an entry."""

import json
from collections.abc import Iterator


def columns_told(text: str) -> Iterator[str]:
    """How many columns there are, then name and type of each.

    Args:
        text: A JSON list of such pairs, as `Entry` and `Base` have it for Flink and for Coral.
    """
    columns = json.loads(text)
    yield str(len(columns))
    for pair in columns:
        yield from pair
