"""What is done with the functions that migrated views call.

A function keeps its name: texts spell it, and no text is rewritten for it. So it is made where the
text will look for it, before the views that call it, and is never put in the place of another one.
A view is set aside if a function of it would be another one at its target, or none at all. Of a
target that keeps no functions, or whose engines may know them from elsewhere, none is a loss.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from discovery.errors import BelvedereError, MovedError
from discovery.functions import Function, FunctionFile, FunctionStore
from discovery.migration.changes import Blocked
from discovery.migration.wanted import Barred
from discovery.model import Identifier
from discovery.pinned import check_unedited, pinned
from discovery.ports import Action

GONE: Final = "it is not there"
_OTHER: Final = "the target has another function of this name"

CalledAs = tuple[str, str]
"""Source and key of a function that views call."""


@dataclass(frozen=True, slots=True)
class CalledFunction:
    """A function that views of a target call.

    Attributes:
        origin: Its source, and its key there.
        forms: What the source says of it; several, where arguments tell them apart.
    """

    origin: CalledAs
    forms: tuple[Function, ...]


@dataclass(frozen=True, slots=True)
class FunctionChange:
    """A function at a target, and what is done with it.

    Attributes:
        target: Name of the target.
        action: `create`, `drop`, or `keep`: it is there already.
        function: As the target holds it.
        origins: The functions that it is made of.
    """

    target: str
    action: Action
    function: Function
    origins: tuple[CalledAs, ...]

    @property
    def inverse(self) -> "FunctionChange":
        """What takes it back."""
        inverse = Action.DROP if self.action is Action.CREATE else Action.CREATE
        return replace(self, action=inverse)

    @property
    def place(self) -> str:
        """For people."""
        return f"{self.target}: the function {self.function.place}"

    def is_to_do(self, present: Function | None) -> bool:
        """Whether it is not made yet, by what is at its place now.

        Raises:
            MovedError: Another function is there.
        """
        if present is not None and not self.function.does_as(present):
            raise MovedError(_OTHER)
        return (present is None) is (self.action is Action.CREATE)

    def differences(self, present: Function | None) -> tuple[str, ...]:
        """What is not as it is to be, of one that is made or kept."""
        if present is None:
            return (GONE,)
        return () if self.function.does_as(present) else (_OTHER,)

    def to_json(self) -> dict[str, Any]:
        """As a line of a plan, which its `function` names."""
        function = self.function
        members = {
            "target": self.target,
            "action": self.action.value,
            "namespace": list(function.namespace),
            "name": function.name,
            "language": function.language,
            "implementation": function.implementation,
            "owner": function.owner,
            "files": [list(file) for file in function.files],
            "from": [list(origin) for origin in self.origins],
        }
        if function.sql is not None:
            members["sql"] = function.sql
        return pinned("function", members)


def function_change_of_json(data: Mapping[str, Any]) -> FunctionChange:
    """The inverse of `to_json`.

    Raises:
        ValueError: It has been changed since.
        KeyError, TypeError: It is none.
    """
    function = Function(
        tuple(data["namespace"]),
        data["name"],
        language=data["language"],
        implementation=data["implementation"],
        owner=data["owner"],
        files=tuple(FunctionFile(kind, uri) for kind, uri in data["files"]),
        sql=data.get("sql"),
    )
    origins = tuple((source, key) for source, key in data["from"])
    change = FunctionChange(data["target"], Action(data["action"]), function, origins)
    return check_unedited(change, data)


@dataclass(frozen=True, slots=True)
class PlannedFunctions:
    """What becomes of the functions that the views of one target call.

    Attributes:
        changes: Those that the target gets, or has.
        barred: Why views that call the others are not written.
        lost: Why views lose the others, which nobody brings to their target.
    """

    changes: tuple[FunctionChange, ...] = ()
    barred: Mapping[CalledAs, Barred] = field(default_factory=dict)
    lost: Mapping[CalledAs, str] = field(default_factory=dict)


def lose_functions(called: Iterable[CalledFunction], store: str) -> PlannedFunctions:
    """What becomes of functions at a target that keeps none.

    Args:
        called: By the views that go there.
        store: Kind of its store.
    """
    why = f"{Blocked.FUNCTION_NOT_MOVABLE.value}: {store} gets no function"
    return PlannedFunctions(
        lost={
            called_function.origin: f"{why}: {_function_text(called_function)}"
            for called_function in called
        }
    )


def bar_functions(called: Iterable[CalledFunction], why: str) -> PlannedFunctions:
    """What becomes of functions at a target that could not be asked for them."""
    barred = Barred.as_coded(Blocked.TARGET_UNREAD, f"its functions could not be read: {why}")
    return PlannedFunctions(barred={called_function.origin: barred for called_function in called})


def hold_functions(
    called: Iterable[CalledFunction], store: FunctionStore
) -> dict[CalledAs, Function | Barred]:
    """The functions as a target would hold them, or why it cannot."""
    return {called_function.origin: _hold(called_function, store) for called_function in called}


def plan_functions(
    target: str,
    held: Mapping[CalledAs, Function | Barred],
    existing: Mapping[Identifier, Function],
    *,
    alone: bool = True,
) -> PlannedFunctions:
    """What becomes of functions at a target that keeps them.

    Args:
        target: Its name.
        held: The functions as it would hold them.
        existing: What it has at their places.
        alone: Whether its engines look nowhere else for them.
    """
    changes: dict[Identifier, FunctionChange] = {}
    barred: dict[CalledAs, Barred] = {}
    lost: dict[CalledAs, str] = {}
    for origin, function in sorted(held.items()):
        if isinstance(function, Barred):
            if alone:
                barred[origin] = function
            else:
                lost[origin] = f"{function.code}: {function.reason}"
            continue
        present, change = existing.get(function.place), changes.get(function.place)
        other = change.function if change is not None else present
        if other is not None and not function.does_as(other):
            whose = "has" if change is None else f"gets, of {_origins_text(*change.origins)},"
            name = f"{function.place} ({other.implementation or other.language})"
            why = (
                f"it calls {_origins_text(origin)}, and the target {whose} another function {name}"
            )
            barred[origin] = Barred.as_coded(Blocked.FUNCTION_DIFFERS, why)
        elif change is not None:
            changes[function.place] = replace(change, origins=(*change.origins, origin))
        else:
            action = Action.CREATE if present is None else Action.KEEP
            changes[function.place] = FunctionChange(target, action, function, (origin,))
    return PlannedFunctions(tuple(changes.values()), barred, lost)


def _hold(called: CalledFunction, store: FunctionStore) -> Function | Barred:
    why = f"its forms are told apart by {len(called.forms)} lists of arguments"
    if len(called.forms) == 1:
        try:
            return store.hold(called.forms[0])
        except BelvedereError as error:
            why = error.message
    return Barred.as_coded(
        Blocked.FUNCTION_NOT_MOVABLE, f"it calls {_function_text(called)}: {why}"
    )


def _function_text(called: CalledFunction) -> str:
    """A function for people: its name, and what it is."""
    words = {
        form.implementation or form.language or "of an unknown language" for form in called.forms
    }
    return f"{_origins_text(called.origin)} ({', '.join(sorted(words))})"


def _origins_text(*origins: CalledAs) -> str:
    return ", ".join(f"{source}/{key}" for source, key in origins)
