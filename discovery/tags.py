"""Tags of waves on views at a Gravitino server: what a plan makes of them, and what takes it back.

A target says a pattern, such as `belvedere:wave-{wave}`. A view has one tag of the pattern: that of
its wave. Tags of other names, and those of views that a plan does not have, are left alone.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from discovery.errors import MovedError
from discovery.model import Identifier
from discovery.pinned import check_unedited, pinned

WAVE: Final = "{wave}"
TEXT: Final = r"^[^{}]+\{wave\}[^{}]*$"
"""What a pattern is: `{wave}` once, after something that tells its tags from others."""
LONGEST: Final = 120
"""Of a pattern: a tag has up to 128 characters in the server's store (1.3, 2.0)."""


@dataclass(frozen=True, slots=True)
class TagPattern:
    """How tags are named.

    Attributes:
        text: With `{wave}` for the number of a wave.
    """

    text: str

    def of(self, wave: int) -> str:
        """The tag of a wave."""
        return self.text.replace(WAVE, str(wave))

    def fits(self, tag: str) -> bool:
        """Whether a tag is that of some wave."""
        before, _, after = self.text.partition(WAVE)
        return bool(re.fullmatch(f"{re.escape(before)}[1-9][0-9]*{re.escape(after)}", tag))


@dataclass(frozen=True, slots=True)
class KeptTags:
    """Some of the tags that a server has.

    Attributes:
        views: Each tag with those of the catalog's views that have it.
        others: How many other things have a tag.
    """

    views: Mapping[str, frozenset[Identifier]] = field(default_factory=dict)
    others: Mapping[str, int] = field(default_factory=dict)

    def of(self, view: Identifier) -> tuple[str, ...]:
        """The tags that a view has itself."""
        return tuple(sorted(tag for tag, views in self.views.items() if view in views))

    def holders(self, tag: str) -> int:
        """How many things have a tag."""
        return len(self.views.get(tag, ())) + self.others.get(tag, 0)


class TagStore(Protocol):
    """What a store keeps tags of views in."""

    def refuses(self) -> str:
        """Why no view gets a tag there; empty: they do. Does I/O, and changes nothing.

        Raises:
            BelvedereError: It cannot be told.
        """

    def name(self, view: Identifier) -> str:
        """The name by which a view is asked for. No I/O.

        Raises:
            NotHeldError: It has none.
        """

    def present(self, wanted: Callable[[str], bool]) -> KeptTags:
        """The tags that are there and wanted, with what has them. Does I/O.

        Raises:
            BelvedereError: They cannot be read, or we are not shown all of them; says why.
        """

    def create(self, tag: str) -> bool:
        """Make a tag; whether this call has, or it was there. Does I/O.

        Raises:
            BelvedereError: It cannot.
        """

    def drop(self, tag: str) -> None:
        """Remove a tag, also from what has it. Does I/O.

        Raises:
            BelvedereError: It cannot.
        """

    def change(self, view: Identifier, on: Sequence[str], off: Sequence[str]) -> None:
        """Have tags on a view and others not, both or nothing; what is in both stays. Does I/O.

        Raises:
            BelvedereError: It cannot.
        """


@dataclass(frozen=True, slots=True)
class TagChange:
    """The tags of the pattern that a view has before and after; or a tag that is made or removed.

    Attributes:
        target: Name of the target.
        view: Where the view is there; None: it is about the tag itself.
        before: What is there before.
        after: And after.
    """

    target: str
    view: Identifier | None
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def changes(self) -> bool:
        """Whether anything is done."""
        return self.before != self.after

    @property
    def inverse(self) -> "TagChange":
        """What takes it back."""
        return replace(self, before=self.after, after=self.before)

    @property
    def place(self) -> str:
        """For people."""
        return f"{self.target}: {self.what}"

    @property
    def what(self) -> str:
        """The same without the target."""
        if self.view is None:
            return f"the tag {tags_text((*self.before, *self.after))}"
        return f"{tags_text(self.after)} as the tag of {self.view}"

    def now(self, kept: KeptTags) -> tuple[str, ...]:
        """What is there of it."""
        if self.view is not None:
            return kept.of(self.view)
        return tuple(tag for tag in (*self.before, *self.after) if tag in kept.views)

    def is_to_do(self, kept: KeptTags) -> bool:
        """Whether it is still to be done.

        Raises:
            MovedError: Somebody has put other tags on the view since, or has used the tag.
        """
        now = self.now(kept)
        if now == self.after:
            return False
        if strange := sorted({*now} - {*self.before, *self.after}):
            raise MovedError(f"it has {tags_text(strange)} now")
        if self.view is None and not self.after and (held := sum(map(kept.holders, now))):
            raise MovedError(f"{held:,} others have it")
        return True

    def to_json(self) -> dict[str, Any]:
        """As a line of a plan, which its `change` names."""
        members = {
            "target": self.target,
            "view": None if self.view is None else [*self.view.namespace, self.view.name],
            "before": list(self.before),
            "after": list(self.after),
        }
        return pinned("change", members)


def tag_change_of_json(data: Mapping[str, Any]) -> TagChange:
    """The inverse of `to_json`.

    Raises:
        ValueError: It has been changed since.
        KeyError, TypeError: It is none.
    """
    view = data["view"]
    place = None if view is None else Identifier(tuple(view[:-1]), view[-1])
    change = TagChange(data["target"], place, tuple(data["before"]), tuple(data["after"]))
    return check_unedited(change, data)


@dataclass(frozen=True, slots=True)
class GivenTags:
    """What becomes of tags at a target.

    Attributes:
        changes: Tags that are made, then every view with what it has before and after.
        left: What gets none, and why.
        blocked: How many of these are to be mended.
        remark: What holds for all of it.
    """

    changes: tuple[TagChange, ...] = ()
    left: tuple[str, ...] = ()
    blocked: int = 0
    remark: str = ""

    @property
    def made(self) -> tuple[TagChange, ...]:
        """What is done."""
        return tuple(change for change in self.changes if change.changes)

    def with_chosen(self, chosen: Collection[TagChange]) -> "GivenTags":
        """The same, with those of the changes that are made which are chosen."""
        left = tuple(change for change in self.changes if not change.changes or change in chosen)
        return replace(self, changes=left)

    def to_json(self) -> dict[str, Any]:
        """For the file of a plan."""
        lines = [change.to_json() for change in self.changes]
        members = {"left": list(self.left), "blocked": self.blocked, "remark": self.remark}
        return {"changes": lines, **members}


NO_TAGS: Final = GivenTags()


def given_tags_of_json(data: Mapping[str, Any]) -> GivenTags:
    """The inverse of `to_json`.

    Raises:
        ValueError, KeyError, TypeError: It is none, or has been changed since.
    """
    changes = tuple(map(tag_change_of_json, data["changes"]))
    return GivenTags(changes, tuple(data["left"]), data["blocked"], data["remark"])


def give_tags(
    target: str, pattern: TagPattern, waves: Mapping[Identifier, int], kept: KeptTags
) -> tuple[TagChange, ...]:
    """What is done with tags at a target: each view gets that of its wave instead of another's.

    Args:
        target: Its name.
        pattern: How tags are named.
        waves: Of the views that are there once the plan is applied.
        kept: The tags of the pattern that are there.
    """
    wanted = {view: pattern.of(waves[view]) for view in sorted(waves, key=_sort_key)}
    lacking = sorted({*wanted.values()} - kept.views.keys())
    created = (TagChange(target, None, (), (tag,)) for tag in lacking)
    views = (TagChange(target, view, kept.of(view), (tag,)) for view, tag in wanted.items())
    return (*created, *views)


def _sort_key(view: Identifier) -> tuple[str, ...]:
    return (*view.namespace, view.name)


def tags_text(tags: Collection[str]) -> str:
    """Tags, for people."""
    return ", ".join(tags) or "no tag"
