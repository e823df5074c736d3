"""Files that have moved: where to read what an entry still names at its old place.

Only reading goes there. A view keeps the location that its entry has: that is what was found.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from discovery.errors import ConfigurationError, FileOutsideError
from discovery.locations import Location, has_scheme, parse, remainder, safe_location

_HINT: Final = "write it like hdfs://namenode:8020/warehouse: s3://bucket/warehouse"


@dataclass(frozen=True, slots=True)
class MovedFolder:
    """What lies below a folder is read below another one.

    Attributes:
        old: The folder that entries name.
        new: The folder where the files are.
        stated: Both as they were written.
    """

    old: Location
    new: Location
    stated: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """Rules of which the one with the longest folder counts, once.

    Attributes:
        rules: Longest folder first.
    """

    rules: tuple[MovedFolder, ...] = ()

    @classmethod
    def of(cls, stated: Mapping[str, str]) -> "Rewriting":
        """The rules that a configuration states: old folders, each with its new one.

        Raises:
            ConfigurationError: A folder has no scheme or is none, two rules are of one folder, or
                what one rule gives another would move on: rules count once, so which of both
                was meant is not known.
        """
        rules: dict[Location, MovedFolder] = {}
        for old, new in stated.items():
            rule = MovedFolder(_parse_folder(old), _parse_folder(new), (old, new))
            if (other := rules.setdefault(rule.old, rule)) is not rule:
                raise _mistake(
                    f"{safe_location(other.stated[0])} and {safe_location(old)} are one folder"
                )
        rewriting = cls(
            tuple(sorted(rules.values(), key=lambda moved_folder: -len(moved_folder.old.steps)))
        )
        for rule in rewriting.rules:
            if (successor := rewriting._onward(rule)) is not None:
                reads, destination = (
                    safe_location(rule.stated[1]),
                    safe_location(successor.stated[1]),
                )
                raise _mistake(
                    f"files read at {reads} would be moved on to {destination}: rules count once"
                )
        return rewriting

    def place(self, text: str) -> str:
        """Where what an entry names is read; the same text, where no rule is of it."""
        try:
            rule = self._rule(parse(text)) if self.rules else None
        except FileOutsideError:  # it is read nowhere
            return text
        if rule is None or rule.old == rule.new:
            return text
        new, rest = rule.stated[1], remainder(text, len(rule.old.steps))
        return f"{new}{'' if new.endswith('/') else '/'}{rest}" if rest else new

    def sentences(self) -> Iterator[str]:
        """The rules, each as a sentence."""
        for rule in self.rules:
            old, new = map(safe_location, rule.stated)
            yield f"files below {old} are read below {new}"

    def _rule(self, location: Location) -> MovedFolder | None:
        return next((rule for rule in self.rules if location.is_below(rule.old)), None)

    def _onward(self, rule: MovedFolder) -> MovedFolder | None:
        """A rule that would move files which this one has moved."""
        met = [
            self._rule(rule.new),
            *(moved_folder for moved_folder in self.rules if moved_folder.old.is_below(rule.new)),
        ]
        return next(
            (
                moved_folder
                for moved_folder in met
                if moved_folder is not None and moved_folder.old != moved_folder.new
            ),
            None,
        )


def _parse_folder(text: str) -> Location:
    """A folder of a rule.

    Raises:
        ConfigurationError: It has no scheme, or is no location.
    """
    if not has_scheme(text):
        raise _mistake(f"{safe_location(text)!r} has no scheme")
    try:
        return parse(text)
    except FileOutsideError as error:
        raise _mistake(error.message.removesuffix("; it was not read")) from error


def _mistake(why: str) -> ConfigurationError:
    return ConfigurationError(f"rewrite: {why}", hint=_HINT)
