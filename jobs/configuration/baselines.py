"""The file of what is accepted, beside the configuration: read, and written anew."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from discovery.acceptance import Baseline
from jobs.configuration.user_files import read_user_text, readable
from jobs.warehouse.placing import guard_folder, replace_file

_BYTES: Final = 256 * 1024 * 1024  # a million lines


def read_baseline(folder: Path, name: str | None) -> Baseline:
    """The baseline of a configuration; one that is not there yet accepts nothing.

    Args:
        folder: Of the configuration.
        name: The file, from there; None: there is none.

    Raises:
        ConfigurationError: It cannot be read, or has lines that are none.
    """
    if name is None:
        return Baseline()
    path = folder / name
    with readable(path):
        try:
            return Baseline.parse(str(path), read_user_text(path, _BYTES))
        except FileNotFoundError:
            return Baseline(str(path))


def amend_baseline(baseline: Baseline, amended: Callable[[Baseline], Baseline]) -> None:
    """Write a baseline anew into its file, whole or not at all.

    Args:
        baseline: The baseline, as it was read.
        amended: What becomes of it, as it is by now: others may have written it since.

    Raises:
        ConfigurationError: It cannot be read any more.
        OSError: It cannot be written there.
    """
    path = Path(os.path.realpath(baseline.place))  # what a link leads to is written, not the link
    with guard_folder(path.parent):
        text = amended(read_baseline(path.parent, path.name)).to_text()
        replace_file(path, text.encode(), alone=True)
