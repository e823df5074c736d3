"""The tree of a YAML file, as ruamel reads it: with the place of each value, and bounded."""

import errno
import glob
import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import Field
from pathlib import Path
from typing import Final

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.composer import Composer, ComposerError
from ruamel.yaml.constructor import ConstructorError, DuplicateKeyError, RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode
from ruamel.yaml.reader import ReaderError

from connectors.clients.thrift.mistakes import OptionMistakesError
from discovery.errors import ConfigurationError
from jobs.configuration.gates import check_path, is_unicode
from jobs.configuration.problems import excerpt
from jobs.configuration.user_files import read_user_text, readable

REFERENCE: Final = re.compile(r"\$\{(env|file):([^}]+)\}")
UNWRITABLE: Final = re.compile("[\0\ud800-\udfff]")
"""No path or name that a system takes has it."""
_ALMOST: Final = re.compile(r"\$\{\s*(?:(?:env|file)\b|[a-z_]\w*\})", re.IGNORECASE)
"""How references are written elsewhere, or by mistake; Hive's own, `${system:…}`, are not."""
_BYTES: Final = 8 * 1024**2
_SECRET_BYTES: Final = 64 * 1024  # a key of RSA has three thousand
_DEPTH: Final = 64  # ten are what an estate has
_VALUES: Final = 100_000
"""More than any estate has; aliases of aliases are a billion in a dozen lines."""
_ALIAS: Final = re.compile(r"alias '[^']*'")
_LESS: Final = "name less, or repeat fewer aliases within each other"
_BITS: Final = 63
"""Of the greatest whole number: longer ones are no count, and no system below takes them."""


class _Composer(Composer):
    """Finds the nodes of a file, and ends where there are too many: each costs a tenth of a ms."""

    def __init__(self, loader: object = None) -> None:
        super().__init__(loader)
        self.warn_double_anchors = False  # the later one counts, as YAML says
        self._composed = self._depth = 0

    def compose_node(self, parent: object, index: object) -> object:
        self._composed += 1
        if self._composed > 2 * _VALUES:  # a key is a node, too
            mark = self.parser.peek_event().start_mark
            raise ComposerError(None, None, f"has more than {_VALUES:,} values", mark)
        if self._depth > _DEPTH:
            mark = self.parser.peek_event().start_mark
            raise ComposerError(None, None, "is nested too deeply", mark)
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


class _Constructor(RoundTripConstructor):
    """Makes values of what a file says; what cannot be made has its place.

    ruamel's own raises whatever Python does: 2024-02-30 reads as a day, and there is none.
    """

    def construct_object(self, node: Node, deep: bool = False) -> object:
        if isinstance(node, MappingNode):
            _check_keys(node)
        try:
            value = super().construct_object(node, deep)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            sort = str(node.tag).rpartition(":")[2]
            why = f"is no {sort} that can be; a text that looks like one stands in quotes"
            raise ConstructorError(None, None, why, node.start_mark) from error
        if isinstance(value, int) and value.bit_length() > _BITS:
            raise ConstructorError(None, None, "is too long a number", node.start_mark)
        return value

    def construct_undefined(self, node: Node) -> None:
        """Refuse a tag that is none of YAML's, unseen, as a secret may begin so.

        A text behind one would be taken letter by letter.

        Raises:
            ConstructorError: Always.
        """
        why = "a tag that is unknown; a text that begins with ! stands in quotes"
        raise ConstructorError(None, None, why, node.start_mark)


_Constructor.add_constructor(None, _Constructor.construct_undefined)


def _check_keys(node: MappingNode) -> None:
    """Look at the keys of a map.

    Raises:
        ConstructorError: One is a list, a map or a day.
    """
    for key, _ in node.value:
        if not isinstance(key, ScalarNode) or str(key.tag).endswith(":timestamp"):
            raise ConstructorError(None, None, "is no key: a text in quotes is", key.start_mark)


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
        yaml.Composer, yaml.Constructor = _Composer, _Constructor
        tree: object = yaml.load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
        shown = excerpt(text.splitlines(), mark.line + 1, mark.column + 1) if mark else ""
        problem = str(error.problem)
        if isinstance(error, DuplicateKeyError):  # ruamel shows both values, be they secrets
            problem = problem.partition(" with value ")[0]
        problem = _ALIAS.sub("alias", problem)  # which a secret that begins with * looks like
        raise ConfigurationError(f"{path}:{place}: {problem}{shown}") from None
    except YAMLError as error:
        raise ConfigurationError(f"{path}:{_unmarked(text, error)}") from error
    except RecursionError as error:
        raise ConfigurationError(f"{path}:1:1: is nested too deeply") from error
    if not isinstance(tree, CommentedMap):
        raise ConfigurationError(f"{path}:1:1: must be a map with 'warehouse' and 'sources'")
    if not _is_bounded(tree):
        raise ConfigurationError(f"{path}:1:1: has more than {_VALUES:,} values", hint=_LESS)
    return tree


def _unmarked(text: str, error: YAMLError) -> str:
    """What is said of an error that has no mark, with its place."""
    if not isinstance(error, ReaderError):
        return f"1:1: {' '.join(str(error).split())}"
    before = text[: error.position].split("\n")
    return f"{len(before)}:{len(before[-1]) + 1}: unacceptable character #x{error.character:04x}"


def _read_text(path: Path) -> str:
    with readable(path):
        try:
            return read_user_text(path, _BYTES)
        except FileNotFoundError as error:
            hint = "`belvedere init` writes one; --config or BELVEDERE_CONFIG names another"
            raise ConfigurationError(f"{path}: there is no such file", hint=hint) from error
        except OSError as error:
            if error.errno != errno.EFBIG:
                raise
            raise ConfigurationError(f"{path}:1:1: {error.strerror}", hint=_LESS) from error


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


def flaw_of(text: str) -> str | None:
    """What is wrong with a text of the file, as it stands behind its place; None: nothing."""
    if bad := UNWRITABLE.search(text):
        return f"has {'a NUL character' if bad[0] == chr(0) else 'half a surrogate pair'}"
    if almost := _ALMOST.search(REFERENCE.sub("", text)):
        return f"{almost[0]} is no reference: write ${{env:NAME}} or ${{file:PATH}}"
    return None


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
        value = read_user_text(folder / name, _SECRET_BYTES).strip()
    except OSError as error:
        raise ConfigurationError(f"the file {name} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"the file {name} is no text in UTF-8") from error
    except ValueError as error:  # a NUL character
        raise ConfigurationError(f"the file {name!r} cannot be read: {error}") from error
    if "\0" in value:  # drivers end a text there
        raise ConfigurationError(f"the file {name} has a NUL character")
    return value


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


def absolute_paths(
    fields: Iterable[Field[object]], values: Mapping[str, object], folder: Path
) -> dict[str, str]:
    """The options that are paths, by name, as seen from a folder.

    Raises:
        OptionMistakesError: One leads to what may keep whoever opens it for ever.
    """
    paths = {
        field.name: absolute(folder, str(path), varies=field.metadata.get("glob", False))
        for field in fields
        if field.metadata.get("path") and (path := values.get(field.name)) is not None
    }
    why = "is a pipe, a socket or a device: name a file"
    mistakes = [(name, f"{path} {why}") for name, path in paths.items() if _is_endless(path)]
    if mistakes:
        raise OptionMistakesError(mistakes)
    return paths


def _is_endless(path: str) -> bool:
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


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
