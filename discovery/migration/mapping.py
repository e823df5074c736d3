"""Where views go: the rules of `mapping`, and what becomes of views that meet at one name."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from discovery.datatypes.widening import Widening
from discovery.lineage.order import Why
from discovery.migration.changes import unlike_columns
from discovery.model import Identifier, Schema, View
from discovery.namespaces import Levels
from discovery.patterns import Patterns

_ALL_LEVELS: Final = "*"
_ALL: Final = Patterns()


ViewKey = tuple[str, str]
"""Source and key of a view."""


class Collisions(StrEnum):
    """What becomes of views of several sources that are mapped to one name."""

    MERGE = "merge"  # one view with the dialects of all, if their columns agree
    CONFLICT = "conflict"  # none of them is written
    FIRST = "first"  # that of the rule that stands first; the others are conflicts


class Qualify(StrEnum):
    """What becomes of a text whose names would lead elsewhere at the target."""

    ADOPT = "adopt"  # a draft with the names of the images is written in its place
    DRAFT = "draft"  # it is written once a person has adopted the draft
    REFUSE = "refuse"  # it is not written


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule of `mapping`; for each view, the first rule that names it decides.

    Attributes:
        source: Whose views.
        views: Which of them.
        target: Where they go; None: they are left out.
        namespace: Levels at the target; `*` stands for the view's own, `{source}` in a level for
            the source's name.
        name: Name at the target; `{name}` stands for the view's own, `{source}` as above.
        dialects: The dialects that are taken over; empty: all.
        collisions: What becomes of views that meet.
        despite: Why views may have no place in the order and are written nevertheless, last.
        catalogs: Old catalog name to that at the target.
        qualify: What becomes of texts whose names would lead elsewhere there.
        widen: What becomes a wider type where the target refuses it.
        query: The dialect whose text becomes `query` where the target demands one; empty: none.
    """

    source: str
    views: Patterns = _ALL
    target: str | None = None
    namespace: tuple[str, ...] = (_ALL_LEVELS,)
    name: str = "{name}"
    dialects: tuple[str, ...] = ()
    collisions: Collisions = Collisions.MERGE
    despite: tuple[Why, ...] = ()
    catalogs: tuple[tuple[str, str], ...] = ()
    qualify: Qualify = Qualify.DRAFT
    widen: tuple[Widening, ...] = ()
    query: str = ""

    def names(self, source: str, place: Identifier) -> bool:
        """Whether the rule is about a view."""
        return (
            self.source == source
            and self.views.allows_namespace(place.namespace)
            and self.views.allows(place.namespace, place.name)
        )

    def at_target(self, view: View) -> View | None:
        """The view under its name at the target; None if it has none of the chosen dialects."""
        chosen = {dialect.casefold() for dialect in self.dialects}
        texts = tuple(
            representation
            for representation in view.representations
            if not chosen or representation.dialect.casefold() in chosen
        )
        if not texts:
            return None
        return replace(view, identifier=self.image_of(view.identifier), representations=texts)

    def looks_inside(self, place: Identifier) -> bool:
        """Whether what becomes of a view cannot be told from its place alone."""
        return bool(self.dialects) or self.image_of(place).name != place.name

    @property
    def keeps_names(self) -> bool:
        """Whether its views have the levels and the name, and catalogs the names, that they had."""
        plain = self.namespace == (_ALL_LEVELS,) and self.name == "{name}"
        return plain and not self.catalogs

    def levels(self, own: tuple[str, ...]) -> tuple[str, ...]:
        """The namespace at the target of what has these levels at the source."""
        levels: list[str] = []
        for level in self.namespace:
            levels += own if level == _ALL_LEVELS else [level.replace("{source}", self.source)]
        return tuple(levels)

    def image_of(self, place: Identifier) -> Identifier:
        """Where a view of this place goes."""
        name = self.name.replace("{source}", self.source).replace("{name}", place.name)
        return Identifier(self.levels(place.namespace), name)


@dataclass(frozen=True, slots=True)
class Merged:
    """What views that meet at one name come to.

    Attributes:
        view: What is wanted there.
        conflict: Why they cannot meet; empty if they can.
        taken: How many of them the view is made of: all, or the first.
        losses: What of the others is not in the view, a sentence each.
    """

    view: View
    conflict: str = ""
    taken: int = 1
    losses: tuple[str, ...] = field(default=())


def tell_hidden(rules: Sequence[Rule]) -> Iterator[str]:
    """Each rule that decides of no view, as one before it names all that it names; a sentence."""
    earlier: dict[str, list[Rule]] = {}
    for rule in rules:
        before = earlier.setdefault(rule.source, [])
        wider = (number for number, other in enumerate(before, 1) if other.views.covers(rule.views))
        if (hiding := next(wider, None)) is not None:
            yield (
                f"Rule {len(before) + 1} of `mapping` for {rule.source} decides of no view: "
                f"rule {hiding} for {rule.source} stands before it and names all that it names."
            )
        before.append(rule)


def map_namespaces(
    rules: Sequence[Rule], crawled: Iterable[tuple[str, Schema]]
) -> dict[str, dict[Levels, Schema]]:
    """The namespaces of sources by target, under the levels that the rules give them.

    Where several meet, that of the rule that stands first is taken, of one rule the first by name.

    Args:
        rules: Of the configuration.
        crawled: Name of the source, and a namespace of it.
    """
    moved: dict[str, dict[Levels, Schema]] = {}
    ordered = sorted(crawled, key=lambda place: (place[0], place[1].levels))
    for rule in rules:
        for source, schema in ordered:
            if rule.source == source and rule.target:
                levels = rule.levels(schema.levels)
                moved.setdefault(rule.target, {}).setdefault(levels, replace(schema, levels=levels))
    return moved


def merge(views: Sequence[View], places: Sequence[ViewKey], policy: Collisions) -> Merged:
    """One view out of those that meet at a name, in the order of their rules.

    Those of several sources may be one view in several dialects; two of one source are two views,
    and each engine would read another one where they were merged.
    """
    first = views[0]
    if len(views) == 1 or policy is Collisions.FIRST:
        return Merged(first)
    sources = _names(places)
    named = ", ".join(sources)
    if policy is Collisions.CONFLICT:
        return Merged(first, f"views of {named} would meet here")
    if len({source for source, _ in places}) < len(places):
        return Merged(first, f"{named} would meet here, and two of them are views of one source")
    texts = first.by_dialect
    for view, source in zip(views[1:], sources[1:], strict=True):
        if difference := unlike_columns(first, view):
            return Merged(first, f"views of {named} would meet here, and {difference}")
        for representation in view.representations:
            if (
                texts.setdefault(representation.dialect.casefold(), representation)
                != representation
            ):
                why = f"{sources[0]} and {source} have different texts in {representation.dialect}"
                return Merged(first, f"views of {named} would meet here: {why}")
    merged = replace(first, representations=tuple(texts.values()))
    return Merged(merged, "", len(views), tuple(_lost(views, sources)))


def _names(places: Sequence[ViewKey]) -> list[str]:
    """What the views are called: by their sources, if that tells them apart."""
    sources = [source for source, _ in places]
    return sources if len(set(sources)) == len(sources) else [f"{a}/{b}" for a, b in places]


def _lost(views: Sequence[View], sources: Sequence[str]) -> list[str]:
    """What the others say otherwise than the first, beside their texts."""
    return [
        f"the {name} that {source} has: that of {sources[0]} is taken"
        for view, source in zip(views[1:], sources[1:], strict=True)
        for name in ("comment", "security", "properties")
        if getattr(view, name) not in (getattr(views[0], name), None, ())
    ]
