"""Command lines, and what was meant by one that is wrong."""

import argparse
import os
import re
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NoReturn

from discovery.display import visible
from jobs.configuration.gates import check_path

_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")
_UNKNOWN: Final = re.compile(r"unrecognized arguments: (--?[\w-]+)")


class CommandParser(argparse.ArgumentParser):
    """A parser that says what was meant by an option that there is not."""

    def error(self, message: str) -> NoReturn:
        """End with 2, as argparse does."""
        match = _UNKNOWN.match(message)
        options = [action for action in self._option_string_actions if action.startswith("--")]
        near = get_close_matches(match[1], options, 1) if match else []
        sentence = f"{message}; did you mean {near[0]}?" if near else message
        super().error(visible(sentence))


def folder(text: str) -> Path:
    """A folder of this machine, to be written into; it need not be there.

    Raises:
        ArgumentTypeError: It cannot be one.
    """
    if not text.strip():
        raise argparse.ArgumentTypeError("is empty; this folder is `.`")
    if _URI.match(text):
        raise argparse.ArgumentTypeError(f"{text} is a URI; name a folder of this machine")
    path = Path(text)
    existing = next(place for place in (path, *path.parents) if os.path.lexists(place))
    if not os.path.isdir(existing):  # noqa: PTH112 - `Path` raises where nothing may be looked at
        raise argparse.ArgumentTypeError(f"{existing} is no folder")
    return path


def warehouse(text: str) -> str:
    """A path or URI of a warehouse, by the rules of the configuration.

    Raises:
        ArgumentTypeError: It leads elsewhere than it seems to.
    """
    try:
        check_path(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text
