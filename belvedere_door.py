"""Whose packages `jobs`, `discovery`, `connectors` and `reports` are: ours, once this is imported.

Others may have these names, on the path of a driver or of an executor, where they may come first.
What executors run is therefore read through this module, whose own name nobody else has; and it
imports none of ours, so that each of them may import it.
"""

import base64
import csv
import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Collection, Iterator
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any, Final

_HERE: Final = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - in a zip, too
PACKAGES: Final = ("jobs", "discovery", "connectors", "reports")
MODULES: Final = ("belvedere.py", "belvedere_door.py")
"""Our files beside them."""
_AGAIN: Final = "install it again: pip install --force-reinstall --no-deps belvedere"


class _Ours:
    """Finds our packages beside this file, before anything on the path is looked at."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG004 - Python's signature
        """Where one of our packages is; None: it is none of them, or not here."""
        found = PathFinder.find_spec(name, [_HERE]) if name in PACKAGES else None
        return found if found is not None and found.origin else None


def _strangers() -> Iterator[str]:
    """What has one of our names, is not ours, and was imported before this module."""
    for name in PACKAGES:
        place = getattr(sys.modules.get(name), "__file__", None)
        ours = _Ours.find_spec(name) if name in sys.modules else None
        if ours is not None and place != ours.origin:
            yield f"{name} was imported from {place}, and belvedere's is {ours.origin}"


for _told in _strangers():
    raise ImportError(f"{_told}: import belvedere before it")
sys.meta_path.insert(0, _Ours)


def restored(function: bytes) -> Callable[..., Any]:
    """What executors run, unpickled here: so the modules that it names are found as ours."""
    found: Callable[..., Any] = pickle.loads(function)  # noqa: S301 - of our own driver
    return found


def altered(only: Collection[str] | None = None) -> Iterator[str]:
    """What of the installed files is not as the installer wrote it, a sentence for each.

    Args:
        only: The files to look at, and no strangers among them; all of them if left out.

    The record of a wheel has a digest of each file:
    https://packaging.python.org/en/latest/specifications/recording-installed-packages/
    A zip or a checkout has none, and nothing is said of it.
    """
    for record in Path(_HERE).glob("belvedere-*.dist-info/RECORD"):
        with record.open(encoding="utf-8", newline="") as file:
            digests = {row[0]: row[1] for row in csv.reader(file) if len(row) == 3 and row[1]}
        ours = [name for name in digests if name.partition("/")[0] in {*PACKAGES, *MODULES}]
        if not ours:  # of an editable installation
            continue
        for name in sorted(set(ours).intersection(only) if only is not None else ours):
            if (why := _damage(Path(_HERE, name), digests[name])) is not None:
                yield f"{name} {why}; {_AGAIN}"
        for package in PACKAGES if only is None else ():
            for path in sorted(Path(_HERE, package).rglob("*.py")):
                if (name := path.relative_to(_HERE).as_posix()) not in digests:
                    yield f"{name} is another package's, in the midst of ours; {_AGAIN}"


def _damage(path: Path, recorded: str) -> str | None:
    """Why a file is not the one that was recorded; None: it is."""
    try:
        data = path.read_bytes()
    except OSError:
        return "is missing"
    algorithm, _, digest = recorded.partition("=")
    found = base64.urlsafe_b64encode(hashlib.new(algorithm, data).digest()).decode().rstrip("=")
    return None if found == digest else "is not belvedere's any more: something has overwritten it"
