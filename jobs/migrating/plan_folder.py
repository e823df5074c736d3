"""A plan as a folder: what people read, edit, and hand to `apply`.

`plan.json` says what the plan is about; `changes.jsonl` has a line for each write, in order: a line
that is deleted is not written; `set-aside.jsonl` has what cannot be written, with the reasons;
`summary.md` is for people. The views themselves are in the warehouse.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from discovery.errors import ConfigurationError

HEAD: Final = "plan.json"
CHANGES: Final = "changes.jsonl"
SET_ASIDE: Final = "set-aside.jsonl"
SUMMARY: Final = "summary.md"
_FREE: Final = frozenset({"change", "adopt"})  # members that are not part of a change's name
_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Destination:
    """A target in a plan.

    Attributes:
        store: Kind of its store.
        route: Why this store.
        served: Whether a stock server shows what is written.
        namespaces: What has to be made first: levels, and the schema in canonical JSON.
        counts: Number of views by action.
    """

    store: str
    route: str
    served: bool
    namespaces: tuple[tuple[tuple[str, ...], str], ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """For the file."""
        names = ("store", "route", "served", "namespaces", "counts")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class PlanHead:
    """What a plan is about.

    Attributes:
        plan: Its name.
        crawl: The run whose views it is about.
        created: When it was made, ISO-8601.
        version: Of belvedere.
        config: The configuration that it was made with.
        targets: By name.
        undoes: The run of `apply` that it undoes.
    """

    plan: str
    crawl: str
    created: str
    version: str
    config: str
    targets: Mapping[str, Destination]
    undoes: str | None = None

    def to_json(self) -> dict[str, Any]:
        """For the file."""
        said = {name: getattr(self, name) for name in ("plan", "crawl", "created", "version")}
        targets = {name: one.to_json() for name, one in self.targets.items()}
        rest = {"config": self.config, "undoes": self.undoes, "targets": targets}
        return {"format": _FORMAT, **said, **rest}


def line_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """A change as people see it; its name is made of all that it says."""
    told = {
        "target": row["target"],
        "action": row["action"],
        "namespace": list(row["namespace"]),
        "name": row["name"],
        "wave": row["wave"],
        "reason": row["reason"],
        "losses": list(row["losses"] or ()),
        "from": [f"{one['source']}/{one['key']}" for one in row["origins"] or ()],
        "before": row["expected"],
        "after": row["fingerprint"],
        "drafts": list(row["drafts"] or ()),
    }
    return {"change": change_name(told), **told}


def change_name(line: Mapping[str, Any]) -> str:
    """The name of a change: a digest of its line, so that an edited line is seen."""
    said = {key: value for key, value in line.items() if key not in _FREE}
    text = json.dumps(said, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write changes, a line each."""
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            line = line_of(row)
            if line["drafts"]:
                line["adopt"] = False
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def read_head(folder: Path) -> PlanHead:
    """What a plan is about.

    Raises:
        ConfigurationError: There is no plan, or not one of this version.
    """
    path = folder / HEAD
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.pop("format") != _FORMAT:
            raise ConfigurationError(f"{path}: of another version of belvedere", hint="plan again")
        return PlanHead(**{**data, "targets": targets_of(data["targets"])})
    except OSError as error:
        hint = "name the folder that `belvedere plan --out` wrote"
        raise ConfigurationError(f"{path}: {error.strerror}", hint=hint) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigurationError(f"{path}: is no plan: {error}", hint="plan again") from error


def targets_of(data: Mapping[str, Any]) -> dict[str, Destination]:
    """The targets of a plan, by name, of their JSON."""
    found = {}
    for name, one in data.items():
        made = tuple((tuple(levels), text) for levels, text in one["namespaces"])
        found[name] = Destination(one["store"], one["route"], one["served"], made, one["counts"])
    return found


def read_changes(folder: Path) -> Iterator[tuple[str, bool]]:
    """The changes that are to be made: name, and whether its drafts are adopted.

    Raises:
        ConfigurationError: A line has been changed otherwise than by `adopt`; says which.
    """
    path = folder / CHANGES
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: {error}", hint="plan again") from error
    for number, text in enumerate(lines, 1):
        if text.strip():
            yield _chosen(text, f"{path}:{number}")


def _chosen(text: str, place: str) -> tuple[str, bool]:
    try:
        line = json.loads(text)
        name, adopt = line["change"], line.get("adopt", False)
        drafts = line["drafts"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigurationError(f"{place}: is no change: {error}", hint=_EDIT) from error
    if name != change_name(line):
        raise ConfigurationError(f"{place}: the change {name} has been edited", hint=_EDIT)
    if not isinstance(adopt, bool) or (adopt and not drafts):
        raise ConfigurationError(f"{place}: there is no draft to adopt", hint=_EDIT)
    return name, adopt


_EDIT: Final = (
    "delete a line, or set its `adopt` to true where it has drafts; all else is changed by the "
    "rules of `mapping`: plan again"
)
