"""Command lines, and what was meant by one that is wrong."""

import argparse
import re
from difflib import get_close_matches
from typing import Final, NoReturn

from discovery.display import visible

_UNKNOWN: Final = re.compile(r"unrecognized arguments: (--?[\w-]+)")


class CommandParser(argparse.ArgumentParser):
    """A parser that says what was meant by an option that there is not."""

    def error(self, message: str) -> NoReturn:
        """End with 2, as argparse does."""
        found = _UNKNOWN.match(message)
        known = [one for one in self._option_string_actions if one.startswith("--")]
        near = get_close_matches(found[1], known, 1) if found else []
        told = f"{message}; did you mean {near[0]}?" if near else message
        super().error(visible(told))
