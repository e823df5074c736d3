"""The mistakes of a configuration, gathered with their places, and shown as a compiler does."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from ruamel.yaml.comments import CommentedMap

from connectors.clients.credentials import Secret, redacted
from discovery.errors import ConfigurationError
from discovery.secrets_in_texts import find, masked, may_be_sensitive, without_logins
from jobs.configuration.options import parts
from jobs.configuration.wording import choices, sentence, suggestion

Model = TypeVar("Model", bound=BaseModel)
Place = tuple[str | int, ...]

_KEY: Final = re.compile(
    # no bare key begins within another: a long value would be gone through from each of its letters
    r"""("[^"]*"|'[^']*'|(?<![^\s,:{}\[\]#"'])[^\s,:{}\[\]#"']++)\s*+:(?=\s|$)\s*"""
)
_ENTRY: Final = re.compile(
    r"""(?:"[^"]*"|'[^']*'|\$\{[^}]*\}|[^\s,:{}\[\]#"']|:(?!\s|$))*"""
    r"""(?:\s*:\s+(?:"[^"]*"|'[^']*'|\$\{[^}]*\}|[^,{}\[\]#"'])*)?"""
)
_LONG: Final = re.compile(r"(\S{100})\S{400,}+|('[^'\n]{100})[^'\n]{400,}+(?=')")
_WIDEST: Final = 100  # characters of a line that are shown


class Problems:
    """What is wrong with one file.

    Args:
        tree: What the file has, as ruamel reads it: with the place of each value.
    """

    def __init__(self, tree: CommentedMap) -> None:
        self._tree = tree
        self.found: list[tuple[int, int, str]] = []

    def add(self, place: Place, why: str) -> None:
        """Note a mistake; the same at the same place is one. What it quotes may be a secret."""
        line, column = self._position(place)
        if (problem := (line + 1, column + 1, without_logins(masked(why)))) not in self.found:
            self.found.append(problem)

    def has(self, place: Place) -> bool:
        """Whether there is a mistake at a place."""
        line, column = self._position(place)
        return any(problem[:2] == (line + 1, column + 1) for problem in self.found)

    def check(self, model: type[Model], data: Mapping[str, object], place: Place) -> Model | None:
        """The data as the model has it; unknown keys are told and left out, so the rest is seen."""
        keys = [field.alias or name for name, field in model.model_fields.items()]
        for key in data.keys() - keys:
            why = f"is unknown; {suggestion(key, keys)}"
            self.add((*place, key), f"{dotted((*place, key))}: {why}")
        given = {key: data[key] for key in data if key in keys}
        try:
            return model.model_validate(given)
        except ValidationError as error:
            by_place: dict[Place, list[ErrorDetails]] = {}
            for detail in error.errors():
                by_place.setdefault(_error_place(given, detail), []).append(detail)
            for inner, details in by_place.items():
                where = (*place, *inner)
                self.add(where, f"{dotted(where)}: {_problem_text(details, model, inner)}")
            return None

    def error(self, path: Path, secrets: Iterable[Secret]) -> ConfigurationError:
        """What is wrong with the file; nothing of it shows a secret, or whom `notify` tells."""
        return file_error(path, self.found, [*secrets, *_urls(self._tree.get("notify"))])

    def _position(self, place: Place) -> tuple[int, int]:
        """Line and column of a place; of the nearest thing above it that has one."""
        node: Any = self._tree
        position = (0, 0)
        for key in place:
            marks: Any = getattr(node, "lc", None)
            try:
                mark = marks.key(key) if isinstance(node, dict) else marks.item(key)
                node = node[key]
            except (AttributeError, KeyError, IndexError, TypeError):
                break
            position = mark or position  # what a merge key (`<<`) brings has no place of its own
        return position


def file_error(
    path: Path, problems: Iterable[tuple[int, int, str]], secrets: Iterable[Secret]
) -> ConfigurationError:
    """What is wrong with a file: line, column and why of each, with an excerpt of the file.

    Nothing of it shows what a reference came to, or a secret that stands in the file.
    """
    try:  # what a pipe has said is gone
        text = path.read_text(encoding="utf-8-sig").splitlines() if path.is_file() else []
    except (OSError, UnicodeDecodeError):  # it was read a moment ago
        text = []
    hidden = tuple(dict.fromkeys(secrets))  # many sources share one
    shown = [
        f"{path}:{line}:{column}: {_shortened(why, hidden)}{excerpt(text, line, column)}"
        for line, column, why in sorted(problems)
    ]
    return ConfigurationError(redacted("\n".join(shown), hidden))


def _urls(node: object) -> Iterator[Secret]:
    """The URLs of `notify`: who knows that of a webhook may post to it, so it is shown nowhere."""
    if isinstance(node, str) and "://" in node:
        yield Secret(node)
    children = (
        node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ()
    )
    for child in children:
        yield from _urls(child)


def _shortened(why: str, secrets: Iterable[Secret]) -> str:
    """What is wrong, with the begin of each word and of each text in quotes that is very long.

    Secrets are taken out first: the begin of one would be no `***` any more.
    """
    if _LONG.search(why) is None:
        return why
    return _LONG.sub(lambda match: f"{match[1] or match[2]}…", redacted(why, secrets))


def excerpt(text: Sequence[str], line: int, column: int) -> str:
    """The line of a mistake, with carets below; empty where there is no such line.

    Args:
        text: The lines of the file.
        line: Counted from 1.
        column: Of the first character that is meant, counted from 1.
    """
    if not 0 < line <= len(text) or not text[line - 1].strip():
        return ""
    line_text = text[line - 1].replace("\t", " ")
    match = _ENTRY.match(line_text, column - 1)
    length = len(match[0].rstrip()) if match else 0
    begin = max(0, min(column - 11, len(line_text) - _WIDEST)) if len(line_text) > _WIDEST else 0
    shown = _without_secrets(line_text)[begin : begin + _WIDEST]
    length = max(1, min(length, len(shown) - (column - 1 - begin)))
    number = f"{line:>4}"
    carets = " " * (column - 1 - begin) + "^" * length
    return f"\n{number} | {shown}\n{'':>{len(number)}} | {carets}"


def dotted(place: Sequence[str | int]) -> str:
    """A place, as people write it."""
    return ".".join(str(key) for key in place)


def as_map(value: object) -> Mapping[str, object]:
    """A map, as which something of a file is read that nobody has checked; of all else, none."""
    return value if isinstance(value, Mapping) else {}


def _problem_text(errors: Sequence[ErrorDetails], model: type[BaseModel], inner: Place) -> str:
    """What is wrong at a place; an unknown key of a part of the model with what it may have."""
    first = errors[0]
    if first["type"] == "extra_forbidden":
        return f"is unknown; {suggestion(inner[-1], _keys(model, inner[:-1]))}"
    if first["loc"][-1] == "[key]":
        known = choices(first)
        return f"is unknown; {suggestion(inner[-1], known)}" if known else sentence(errors)
    return sentence(errors)


def _keys(model: type[BaseModel], place: Place) -> list[str]:
    """The keys that the part of a model may have which is at a place."""
    owners = [model]
    for key in place:
        hints = [
            owner.model_fields[key].annotation for owner in owners if key in owner.model_fields
        ]
        every = [part for hint in hints for part in parts(hint)]
        models = [kind for kind in every if isinstance(kind, type) and issubclass(kind, BaseModel)]
        owners = models if hints else owners  # a key or a number of many alike
    return [field.alias or name for owner in owners for name, field in owner.model_fields.items()]


def _error_place(data: Mapping[str, object], error: ErrorDetails) -> Place:
    """The place of an error in the data: pydantic adds the kinds that a value might have been."""
    place: list[str | int] = []
    node: object = data
    for key in error["loc"]:
        children = dict(enumerate(node)) if isinstance(node, list | tuple) else node
        if isinstance(children, Mapping) and key in children:
            node = children[key]
            place.append(key)
    if error["type"] == "missing":
        place.append(error["loc"][-1])
    return tuple(place)


def _without_secrets(line: str) -> str:
    """A line of the file with asterisks for what looks like a secret."""
    shown = list(without_logins(line, "*"))
    for found_secret in find(line):
        shown[found_secret.start : found_secret.end] = "*" * (found_secret.end - found_secret.start)
    keys = list(_KEY.finditer(line))
    for number, key in enumerate(keys):
        name, begin = key[1].strip("\"'"), key.end()
        others = (other.start() for other in keys[number + 1 :])
        end = next((at for at in others if line[:at].rstrip().endswith(",")), len(line))
        if may_be_sensitive(name) and not line[begin:end].lstrip("\"'").startswith("${"):
            stripped = begin + len(line[begin:end].rstrip(" ,}"))
            shown[begin:stripped] = "*" * (stripped - begin)
    return "".join(shown)
