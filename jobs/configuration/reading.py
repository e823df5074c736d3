"""The tree of a YAML file, as ruamel reads it: with the place of each value, and bounded."""

import glob
import os
import re
from pathlib import Path
from typing import Final

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.constructor import ConstructorError, DuplicateKeyError, RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import Node

from discovery.errors import ConfigurationError
from jobs.configuration.gates import check_path, is_unicode
from jobs.configuration.problems import excerpt
from jobs.configuration.user_files import readable

REFERENCE: Final = re.compile(r"\$\{(env|file):([^}]+)\}")
_VALUES: Final = 100_000
"""More than any estate has; aliases of aliases are a billion in a dozen lines."""
_BITS: Final = 63
"""Of the greatest whole number: longer ones are no count, and no system below takes them."""


class _Constructor(RoundTripConstructor):
    """Makes values of what a file says; what cannot be made has its place.

    ruamel's own raises whatever Python does: 2024-02-30 reads as a day, and there is none.
    """

    def construct_object(self, node: Node, deep: bool = False) -> object:
        try:
            value = super().construct_object(node, deep)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            sort = str(node.tag).rpartition(":")[2]
            why = f"is no {sort} that can be; a text that looks like one stands in quotes"
            raise ConstructorError(None, None, why, node.start_mark) from error
        if isinstance(value, int) and value.bit_length() > _BITS:
            raise ConstructorError(None, None, "is too long a number", node.start_mark)
        return value


def read_tree(path: Path) -> CommentedMap:
    """The map that a file has.

    Raises:
        ConfigurationError: There is no file, or it is no YAML, no map, or more than any estate;
            or the name of its folder is no text.
    """
    text = _read_text(path)
    if not is_unicode(os.path.realpath(path)):  # paths in it are seen from there
        hint = "Spark has no name for it: move the file into another"
        raise ConfigurationError(f"{path}: the name of its folder is no UTF-8", hint=hint)
    try:
        yaml = YAML()
        yaml.Constructor = _Constructor
        tree: object = yaml.load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
        shown = excerpt(text.splitlines(), mark.line + 1, mark.column + 1) if mark else ""
        problem = str(error.problem)
        if isinstance(error, DuplicateKeyError):  # ruamel shows both values, be they secrets
            problem = problem.partition(" with value ")[0]
        raise ConfigurationError(f"{path}:{place}: {problem}{shown}") from None
    except YAMLError as error:
        raise ConfigurationError(f"{path}:1:1: {' '.join(str(error).split())}") from error
    except RecursionError as error:
        raise ConfigurationError(f"{path}:1:1: is nested too deeply") from error
    if not isinstance(tree, CommentedMap):
        raise ConfigurationError(f"{path}:1:1: must be a map with 'warehouse' and 'sources'")
    if not _is_bounded(tree):
        hint = "name less, or repeat fewer aliases within each other"
        raise ConfigurationError(f"{path}:1:1: has more than {_VALUES:,} values", hint=hint)
    return tree


def _read_text(path: Path) -> str:
    with readable(path):
        try:
            return path.read_text(encoding="utf-8")
        except FileNotFoundError as error:
            hint = "`belvedere init` writes one; --config or BELVEDERE_CONFIG names another"
            raise ConfigurationError(f"{path}: there is no such file", hint=hint) from error


def warehouse_of(path: Path) -> str:
    """Where a configuration keeps its runs; nothing else of it is looked at.

    Raises:
        ConfigurationError: There is no such file, or it does not say where.
    """
    stated, folder = read_tree(path).get("warehouse"), path.parent
    if not isinstance(stated, str):
        raise ConfigurationError(f"{path}: warehouse: is missing")
    place = REFERENCE.sub(lambda match: resolve_reference(folder, *match.groups()), stated)
    try:
        check_path(place)
        return absolute(folder, place)
    except ValueError as error:
        raise ConfigurationError(f"{path}: warehouse: {error}") from error


def resolve_reference(folder: Path, sort: str, name: str) -> str:
    """What a reference comes to.

    Args:
        folder: Of the configuration, from which files are named.
        sort: `env` or `file`.
        name: Of the variable or the file.

    Raises:
        ConfigurationError: It comes to nothing.
    """
    if sort == "env":
        if name not in os.environ:
            raise ConfigurationError(f"the environment variable {name} is not set")
        value = os.environ[name]
        try:
            value.encode()  # Python keeps bytes that are no text as halves of surrogate pairs
        except UnicodeEncodeError as error:
            raise ConfigurationError(f"the environment variable {name} is no text") from error
        return value
    try:
        return (folder / name).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ConfigurationError(f"the file {name} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"the file {name} is no text in UTF-8") from error
    except ValueError as error:  # a NUL character
        raise ConfigurationError(f"the file {name!r} cannot be read: {error}") from error


def absolute(folder: Path, path: str, *, varies: bool = False) -> str:
    """A path as seen from a folder; a URI as it is.

    Args:
        folder: Whose own name may have any sign.
        path: The path.
        varies: Whether it may have wildcards.
    """
    if "://" in path:
        return path
    here = os.path.realpath(folder)
    # `Path.resolve` ends in an error of its own where links lead round; opening has one for that
    return os.path.realpath(Path(glob.escape(here) if varies else here) / path)


def plain(node: object) -> object:
    """The tree as it stands, without the places that ruamel keeps."""
    if isinstance(node, dict):
        return {str(key): plain(value) for key, value in node.items()}
    return [plain(item) for item in node] if isinstance(node, list) else node


def _is_bounded(tree: CommentedMap) -> bool:
    """Whether the tree is small when each alias is written out; one that has itself is not."""
    seen, left = 0, list[object]([tree])
    while left:
        node = left.pop()
        seen += 1
        if seen + len(left) > _VALUES:
            return False
        if isinstance(node, dict):
            left.extend(node.values())
        elif isinstance(node, list):
            left.extend(node)
    return True
