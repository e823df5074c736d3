"""What executors run, carried so that its modules are found as ours wherever it arrives.

Python pickles a function by the name of its module. A worker of Spark has its own path, on which a
folder or a package of that name may come first: it starts in the folder of its process, and with
the `PYTHONPATH` of whoever started that.
"""

import functools
from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

from pyspark import cloudpickle

import belvedere_door

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


class Carried(Generic[Given, Answer]):
    """A function that is unpickled by `belvedere_door`, once that has been imported.

    Args:
        function: What executors run.
    """

    def __init__(self, function: Callable[Given, Answer]) -> None:
        functools.update_wrapper(self, function)  # Spark takes kinds of functions from annotations
        self._function = function

    def __call__(self, *args: Given.args, **kwargs: Given.kwargs) -> Answer:
        """Run it."""
        return self._function(*args, **kwargs)

    def __reduce__(self) -> tuple[object, ...]:
        """What is pickled: the function's own pickle, as bytes that only `belvedere_door` reads."""
        return belvedere_door.restored, (cloudpickle.dumps(self._function),)  # type: ignore[no-untyped-call] # PySpark has none for it
