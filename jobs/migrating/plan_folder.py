"""A plan as a folder: what people read, edit, and hand to `apply`.

`plan.json` says what the plan is about; `changes.jsonl` has a line for each write, in order: a line
that is deleted is not written; so has `namespaces.jsonl` for namespaces that are there and get
other words, `functions.jsonl` for functions that are made, `rights.jsonl` for roles, what they may,
who is in them, and owners, and `tags.jsonl` for tags; `set-aside.jsonl` has what cannot be
written, with the reasons; `summary.md` is for people. The views themselves are in the warehouse.

`plan.json` is pinned by a digest of all that it says but `comment`, which is a person's; so is each
line of the others, but for `adopt`. A digest shows an edit, it proves no author: the warehouse
has it, too, and an apply compares the two.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from connectors.clients.bounded_files import read_bounded
from discovery.display import visible
from discovery.errors import ConfigurationError
from discovery.migration.functions import FunctionChange, function_change_of_json
from discovery.migration.lines import Line, change_name
from discovery.migration.namespaces import NamespaceEdit, edit_of_json
from discovery.ports import Action
from discovery.rights.changes import RightsChange, rights_change_of_json
from discovery.rights.granting import NO_RIGHTS, GivenRights, given_rights_of_json
from discovery.tags import NO_TAGS, GivenTags, TagChange, given_tags_of_json, tag_change_of_json
from discovery.unambiguous import parse
from jobs.configuration.user_files import read_user_text, readable

HEAD: Final = "plan.json"
CHANGES: Final = "changes.jsonl"
NAMESPACES: Final = "namespaces.jsonl"
FUNCTIONS: Final = "functions.jsonl"
RIGHTS: Final = "rights.jsonl"
TAGS: Final = "tags.jsonl"
SET_ASIDE: Final = "set-aside.jsonl"
SUMMARY: Final = "summary.md"
Edit = TypeVar("Edit", NamespaceEdit, FunctionChange, RightsChange, TagChange)
_FORMAT: Final = 7
_BYTES: Final = 4 * 1024**3  # of one file: ten million changes
_READ: Final = (2, 3, 4, 5, 6, _FORMAT)
"""In 2, waves count from 0, of the lines only names are read; 3 changes no namespace, 4 makes no
function, 5 gives no right, 6 no tag."""
_COMMENT: Final = "comment"  # what a person may add to the head
_NAMED: Final = ("plan", "crawl", "created", "version", "config", "settings")


@dataclass(frozen=True, slots=True)
class Destination:
    """A target in a plan.

    Attributes:
        store: Kind of its store.
        route: Why this store.
        served: Whether a stock server shows what is written.
        reader: Who reads what is written, and how that is known.
        namespaces: What has to be made first: levels, and the schema in canonical JSON.
        edits: What is changed of namespaces that are there.
        counts: Number of views by action.
        settings: Digest of what the configuration said of it.
        functions: Those that its views call and that it gets, or has.
        rights: Those that it gets, or has.
        tags: The same of tags.
    """

    store: str
    route: str
    served: bool
    namespaces: tuple[tuple[tuple[str, ...], str], ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    settings: str = ""
    edits: tuple[NamespaceEdit, ...] = ()
    functions: tuple[FunctionChange, ...] = ()
    reader: str = ""
    rights: GivenRights = NO_RIGHTS
    tags: GivenTags = NO_TAGS

    @property
    def made_functions(self) -> tuple[FunctionChange, ...]:
        """The functions that it gets."""
        return tuple(function for function in self.functions if function.action is Action.CREATE)

    def to_json(self) -> dict[str, object]:
        """For the file."""
        names = ("store", "route", "served", "namespaces", "counts", "settings")
        data = {name: getattr(self, name) for name in names}
        if self.reader:
            data["reader"] = self.reader
        for name in ("edits", "functions"):
            if items := getattr(self, name):
                data[name] = [item.to_json() for item in items]
        if self.rights != NO_RIGHTS:
            data["rights"] = self.rights.to_json()
        if self.tags != NO_TAGS:
            data["tags"] = self.tags.to_json()
        return data


@dataclass(frozen=True, slots=True)
class PlanHead:
    """What a plan is about.

    Attributes:
        plan: Its name.
        crawl: The run whose views it is about.
        created: When it was made, ISO-8601.
        version: Of belvedere.
        config: The configuration that it was made with.
        settings: Digest of what that said of the mapping.
        targets: By name.
        undoes: The run of `apply` that it undoes.
        remarks: What is to be known of its sources, a sentence each.
        format: Number of the layout of the folder.
    """

    plan: str
    crawl: str
    created: str
    version: str
    config: str
    settings: str
    targets: Mapping[str, Destination]
    undoes: str | None = None
    remarks: tuple[str, ...] = ()
    format: int = _FORMAT

    def to_json(self) -> dict[str, object]:
        """For the file."""
        return {**self._as_json, "digest": self.digest}

    @property
    def digest(self) -> str:
        """Of all that the file says."""
        return _digest(self._as_json)

    @property
    def _as_json(self) -> dict[str, object]:
        named = {name: getattr(self, name) for name in _NAMED}
        targets = {name: target.to_json() for name, target in self.targets.items()}
        data = {"format": self.format, **named, "undoes": self.undoes, "targets": targets}
        return {**data, "remarks": list(self.remarks)} if self.remarks else data


def write_lines(path: Path, lines: Iterable[Line]) -> None:
    """Write changes, a line each."""
    with path.open("w", encoding="utf-8") as file:
        for line in lines:
            data = line.to_json()
            if line.drafts:
                data["adopt"] = False
            file.write(visible(json.dumps(data, ensure_ascii=False)) + "\n")


def write_edits(folder: Path, targets: Mapping[str, Destination]) -> None:
    """Write changes of namespaces, and functions, rights and tags that are made, a line each."""
    edits = [edit for target in targets.values() for edit in target.edits if edit.fields]
    functions = [change for target in targets.values() for change in target.made_functions]
    rights = [change for target in targets.values() for change in target.rights.made]
    tags = [change for target in targets.values() for change in target.tags.made]
    files: dict[str, Sequence[NamespaceEdit | FunctionChange | RightsChange | TagChange]]
    files = {NAMESPACES: edits, FUNCTIONS: functions, RIGHTS: rights, TAGS: tags}
    for name, file in files.items():
        lines = [visible(json.dumps(line.to_json(), ensure_ascii=False)) + "\n" for line in file]
        (folder / name).write_text("".join(lines), encoding="utf-8")


def with_given(
    targets: Mapping[str, Destination],
    rights: Mapping[str, GivenRights],
    tags: Mapping[str, GivenTags],
) -> dict[str, Destination]:
    """Targets with the rights and tags that they get."""
    return {
        name: replace(target, rights=rights.get(name, NO_RIGHTS), tags=tags.get(name, NO_TAGS))
        for name, target in targets.items()
    }


def with_chosen_edits(head: PlanHead, folder: Path) -> PlanHead:
    """A plan's head with those changes beside the views that a person has left.

    Raises:
        ConfigurationError: A line is none of the plan's; says which.
    """
    destinations = head.targets.values()
    edits = {edit for destination in destinations for edit in destination.edits}
    functions = {change for destination in destinations for change in destination.made_functions}
    edits = _read_edits(folder / NAMESPACES, edits, edit_of_json, "change of a namespace")
    functions = _read_edits(
        folder / FUNCTIONS, functions, function_change_of_json, "function that is made"
    )
    rights = {change for destination in destinations for change in destination.rights.made}
    rights = _read_edits(folder / RIGHTS, rights, rights_change_of_json, "right that is given")
    tags = {change for destination in destinations for change in destination.tags.made}
    tags = _read_edits(folder / TAGS, tags, tag_change_of_json, "change of a tag")
    targets = {
        name: replace(
            target,
            edits=tuple(edit for edit in target.edits if edit in edits),
            functions=tuple(
                change
                for change in target.functions
                if change in functions or change.action is not Action.CREATE
            ),
            rights=target.rights.with_chosen(rights),
            tags=target.tags.with_chosen(tags),
        )
        for name, target in head.targets.items()
    }
    return replace(head, targets=targets)


def _read_edits(
    path: Path, planned: set[Edit], edit_of: Callable[[Mapping[str, object]], Edit], kind: str
) -> set[Edit]:
    """What a person has left of a file; where the plan has nothing for it there may be none.

    Raises:
        ConfigurationError: A line is none of the plan's; says which.
    """
    left = set()
    for text, place in _read_lines(path) if planned or path.exists() else ():
        try:
            edit = edit_of(parse(text))
        except _MALFORMED as error:
            why = f"{place}: is no {kind}: {_wording(error)}"
            raise ConfigurationError(why, hint=_EDIT) from error
        if edit not in planned:
            raise ConfigurationError(f"{place}: is not in the plan", hint=_EDIT)
        left.add(edit)
    return left


def read_head(folder: Path) -> PlanHead:
    """What a plan is about.

    Raises:
        ConfigurationError: There is no plan, or not one of this version.
    """
    path = folder / HEAD
    try:
        return _parse_head(parse(read_user_text(path, _BYTES)), str(path))
    except OSError as error:
        hint = "name the folder that `belvedere plan --out` wrote"
        raise ConfigurationError(f"{path}: {error.strerror}", hint=hint) from error
    except _MALFORMED as error:
        why = f"{path}: is no plan: {_wording(error)}"
        raise ConfigurationError(why, hint="plan again") from error


def _parse_head(data: dict[str, Any], path: str) -> PlanHead:
    """The head that a file has.

    Raises:
        ConfigurationError: It is of another version, or has been edited.
    """
    if data["format"] not in _READ:
        raise ConfigurationError(f"{path}: of another version of belvedere", hint="plan again")
    digest = data.pop("digest")
    data.pop(_COMMENT, None)
    if digest != _digest(data):
        hint = f"take the edit back, or plan again; only a member `{_COMMENT}` may be added"
        raise ConfigurationError(f"{path}: has been edited since it was made", hint=hint)
    named = {name: data.pop(name) for name in _NAMED}
    if wrong := [name for name, value in named.items() if not isinstance(value, str)]:
        raise ValueError(f"{wrong[0]} is no text")
    remarks = tuple(map(str, data.pop("remarks", ())))
    return PlanHead(**named, targets=targets_of(data.pop("targets")), remarks=remarks, **data)


def _digest(data: Mapping[str, object]) -> str:
    text = json.dumps(data, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


_MALFORMED: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


def _wording(error: Exception) -> str:
    match error:
        case KeyError():
            return f"it has no {error}"
        case RecursionError():
            return "it is nested too deeply"
        case TypeError() | AttributeError() | IndexError():
            return "it has something of another kind than belongs there"
        case _:
            return str(error)


def targets_of(data: Mapping[str, Any]) -> dict[str, Destination]:
    """The targets of a plan, by name, of their JSON."""
    destinations = {}
    for name, target in data.items():
        namespaces = tuple((tuple(levels), text) for levels, text in target["namespaces"])
        rest = {key: target[key] for key in ("store", "route", "served", "counts")}
        edits = tuple(edit_of_json(edit) for edit in target.get("edits", ()))
        settings = target.get("settings", "")
        destinations[name] = Destination(
            **rest,
            namespaces=namespaces,
            settings=settings,
            edits=edits,
            functions=tuple(map(function_change_of_json, target.get("functions", ()))),
            reader=target.get("reader", ""),
            rights=given_rights_of_json(target["rights"]) if "rights" in target else NO_RIGHTS,
            tags=given_tags_of_json(target["tags"]) if "tags" in target else NO_TAGS,
        )
    return destinations


def read_changes(folder: Path) -> Iterator[tuple[str, bool]]:
    """The changes that are to be made: name, and whether its drafts are adopted.

    Raises:
        ConfigurationError: A line has been changed otherwise than by `adopt`, or stands twice with
            another answer; says which.
    """
    adopted: dict[str, bool] = {}
    for line, place in _read_lines(folder / CHANGES):
        name, adopt = _parse_choice(line, place)
        if adopted.setdefault(name, adopt) is not adopt:
            why = f"{place}: the change {name} stands twice, with its drafts and without"
            raise ConfigurationError(why, hint=_EDIT)
        yield name, adopt


def _read_lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines of a file that are not empty, each with its place.

    Raises:
        ConfigurationError: It cannot be read.
    """
    with readable(path, "plan again"):
        text = read_bounded(path, _BYTES).decode()
    for number, line in enumerate(text.split("\n"), 1):  # names hold what `splitlines` splits at
        if line.strip():
            yield line, f"{path}:{number}"


def _parse_choice(text: str, place: str) -> tuple[str, bool]:
    try:
        line = parse(text)
        name, adopt = line["change"], line.get("adopt", False)
        drafts = line["drafts"]
        pinned = change_name(line)
    except _MALFORMED as error:
        why = f"{place}: is no change: {_wording(error)}"
        raise ConfigurationError(why, hint=_EDIT) from error
    if name != pinned:
        raise ConfigurationError(f"{place}: the change {name} has been edited", hint=_EDIT)
    if not isinstance(adopt, bool) or (adopt and not drafts):
        raise ConfigurationError(f"{place}: there is no draft to adopt", hint=_EDIT)
    return name, adopt


_EDIT: Final = (
    "delete a line, or set its `adopt` to true where it has drafts; all else is changed by the "
    "rules of `mapping`: plan again"
)
