"""The namespaces that show whether a copy is the target itself, and what kills have left of them.

Each is noted in the warehouse of the rehearsal before it is made, and until it is removed: nobody
else could tell whose an empty namespace is.
"""

import json
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from pyspark.sql import SparkSession

from discovery.namespaces import Levels
from discovery.ports import ViewStore
from jobs.configuration import identity
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.warehouse.storage import root_of, storage_of

FOLDER: Final = "probes"
_PREFIX: Final = "belvedere_rehearsal_"
_NAME: Final = re.compile(rf"{_PREFIX}[0-9a-f]{{8}}")


@dataclass(frozen=True, slots=True)
class Probes:
    """The notes of a rehearsal on the namespaces that it makes at its copies.

    Attributes:
        copies: The configuration whose targets are the copies; its warehouse has the notes.
        spark: Reaches the warehouse.
    """

    copies: RunConfig
    spark: SparkSession

    @contextmanager
    def note(self, target: str) -> Iterator[Levels]:
        """A name for a namespace, noted until the block has ended without an error.

        Args:
            target: At whose copy it is made.

        Raises:
            OSError: It cannot be noted.
        """
        level = f"{_PREFIX}{secrets.token_hex(4)}"
        noted = {"target": target, "copy": identity.of_target(self.copies, target)}
        storage = storage_of(self._place, self.spark)
        storage.replace(f"{self._place}/{level}", json.dumps(noted).encode())
        yield (level,)
        storage.remove(f"{self._place}/{level}")

    def remove_left(self, target: str, store: ViewStore) -> None:
        """Remove what a rehearsal that was killed has left at a copy, and say so.

        Args:
            target: Whose copy it is.
            store: The copy.

        Raises:
            BelvedereError: It does not answer.
        """
        storage, known = storage_of(self._place, self.spark), {target: self._identify(target)}
        for level in self._find_noted(known):
            if any(store.namespaces([(level,)])):
                stays = store.remove([(level,)])
                came_to = "is not empty by now: it stays" if stays else "is removed"
                command.say(
                    f"{level}, which an interrupted rehearsal has left at the copy of {target}, "
                    f"{came_to}"
                )
            storage.remove(f"{self._place}/{level}")

    def tell_unreachable(self) -> None:
        """Say what was left at copies that are configured no more, or otherwise; once."""
        storage = storage_of(self._place, self.spark)
        known = {target: self._identify(target) for target in self.copies.targets}
        for level in self._find_noted(known, others=True):
            command.say(
                f"an interrupted rehearsal may have left the empty namespace {level} at a copy "
                "that is not configured any more: remove it there"
            )
            storage.remove(f"{self._place}/{level}")

    @property
    def _place(self) -> str:
        return f"{root_of(self.copies.warehouse)}/{FOLDER}"

    def _identify(self, target: str) -> str:
        return identity.of_target(self.copies, target)

    def _find_noted(self, known: dict[str, str], *, others: bool = False) -> Iterator[str]:
        """The names that were noted for some copies, or for none of them."""
        storage = storage_of(self._place, self.spark)
        for file in storage.files(self._place):
            if not _NAME.fullmatch(file.path):
                continue
            try:
                noted = json.loads(storage.read(f"{self._place}/{file.path}"))
                is_known = known.get(noted["target"]) == noted["copy"]
            except (ValueError, TypeError, KeyError):
                is_known = False
            if is_known is not others:
                yield file.path
