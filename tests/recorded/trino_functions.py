"""Functions and views that a Trino 476 has written into a Hive Metastore, as they stand there."""

import json
from pathlib import Path
from typing import Any, Final

from connectors.clients.metastore_functions import function_of
from discovery.functions import Function

RECORDED: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "trino_functions.json").read_text(encoding="utf-8")
)


def of_trino() -> dict[str, Function]:
    """The functions by name; of two forms, the last."""
    return {function.name: function for function in map(function_of, RECORDED["functions"])}
