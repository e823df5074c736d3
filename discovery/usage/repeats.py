"""Statements that stand in several files of a log, and are to be counted once.

PostgreSQL may write a message as a line, as CSV and as JSON, each into a file of its own, and be
told at any moment which of these (`log_destination`, reloaded; 15.18 and 18): no name of a file
says which of them has a statement. So all are read, and a statement of a second is counted as often
as it stands in the file that has it most often. What a prefix says may be less than what CSV says,
so a second and the text are all that is compared.
"""

from discovery.usage.model import Query


class Repeats:
    """Tells which statements of files were counted already."""

    def __init__(self) -> None:
        self._counted: dict[int, int] = {}
        self._here: dict[int, int] = {}

    def begin_file(self) -> None:
        """What follows is of another file."""
        self._here = {}

    def is_repeated(self, query: Query) -> bool:
        """Whether a statement, the next one of the file, was counted with a file before."""
        key = hash((query.time.replace(microsecond=0), " ".join(query.sql.split())))
        times = self._here[key] = self._here.get(key, 0) + 1
        if times <= self._counted.get(key, 0):
            return True
        self._counted[key] = times
        return False
