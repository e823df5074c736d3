"""What a plan is made of: values that say what a view is, where it goes, and what bars it.

A view travels as its canonical JSON with its fingerprint. It is parsed only where a decision needs
to look inside, as most of a later plan is what is there already.
"""

import json
from dataclasses import dataclass, replace
from typing import NewType, Self

from discovery import wire
from discovery.datatypes.widening import Widening
from discovery.errors import BelvedereError, Coded
from discovery.lineage.kinds import BaseKind
from discovery.lineage.order import Aside
from discovery.migration.mapping import Collisions
from discovery.model import Identifier, Representation, View, dotted, encoded
from discovery.ports import Name

Code = NewType("Code", str)
"""The code of an error or of `Blocked`; each has a page. No sentence can be taken for one."""


@dataclass(frozen=True, slots=True)
class Barred:
    """Why a view is not written.

    Attributes:
        code: For machines.
        reason: For people, in one line.
    """

    code: Code
    reason: str

    @classmethod
    def as_coded(cls, code: Coded, reason: str) -> Self:
        """By something that is no error."""
        return cls(Code(code.value), reason)

    @classmethod
    def by(cls, error: BelvedereError) -> Self:
        """By an error; what to do stands behind it."""
        return cls(Code(error.code), f"{error}; {error.hint}".removesuffix("; "))


@dataclass(frozen=True, slots=True)
class Canonical:
    """A view in canonical JSON, not parsed.

    Attributes:
        text: The JSON, as `wire.view_text` has it; the namespace is not part of it.
        fingerprint: Of the view.
    """

    text: str
    fingerprint: str

    @classmethod
    def of(cls, view: View) -> Self:
        """The view as text.

        Raises:
            DecodeError: A text in it is no Unicode.
        """
        return cls(*wire.view_text(view))

    def view(self, namespace: tuple[str, ...]) -> View:
        """The view, parsed."""
        return wire.view_from_json(json.loads(self.text), namespace)


@dataclass(frozen=True, slots=True)
class Draft:
    """A view with drafts in place of some of its texts, written only if a person adopts it.

    Attributes:
        dialects: Of those texts.
        model: The whole view.
    """

    dialects: tuple[str, ...]
    model: Canonical


@dataclass(frozen=True, slots=True)
class Address:
    """A place at a target; without target, the view's own place, which it does not leave."""

    target: str
    identifier: Identifier

    @property
    def key(self) -> str:
        """Namespace and name in one text, unfolded."""
        place = self.identifier
        return encoded((*place.namespace, place.name) if place.name else place.namespace)


@dataclass(frozen=True, slots=True)
class Origin:
    """A view that another one is made of.

    Attributes:
        source: Its source.
        key: Its key there.
        at: Its fingerprint when the plan was made.
    """

    source: str
    key: str
    at: str


@dataclass(frozen=True, slots=True)
class Move:
    """Where a plan moves a view.

    Attributes:
        old: Its place in its source.
        address: Its new one.
    """

    old: Identifier
    address: Address


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRead:
    """A name that a text reads, and where it leads before the move.

    Attributes:
        dialect: Of the text.
        written: As the text spells it.
        catalog: The catalog that it means; None: the one that the view is in.
        own: Whether it leads into the source that the view is in.
        identifier: Levels and name, as spelled or completed; None: nothing completes it.
        kind: What it is.
        move: Where the plan moves what it leads to; None: it stays where it is.
    """

    dialect: str
    written: Name
    catalog: str | None = None
    own: bool = False
    identifier: Identifier | None = None
    kind: BaseKind | None = None
    move: Move | None = None

    @property
    def parted(self) -> Name:
        """As it is written; a part that is a whole namespace of several levels is each of them."""
        levels = self.identifier.namespace if self.identifier is not None else ()
        *before, name = self.written
        if len(levels) < 2 or not before or before[-1].casefold() != dotted(levels).casefold():
            return self.written
        return (*before[:-1], *levels, name)

    @property
    def namespace(self) -> tuple[str, ...]:
        """The levels of what it leads to; of what leads nowhere, none."""
        return self.identifier.namespace if self.identifier is not None else ()

    @property
    def is_everywhere(self) -> bool:
        """Whether it means the same wherever the view is: of files, and of an engine's own."""
        if self.kind is BaseKind.SYSTEM:
            return len(self.written) == 1 and not self.namespace  # which the context has completed
        return self.kind is BaseKind.FILE

    @property
    def spells_catalog(self) -> bool:
        """Whether it begins with a catalog."""
        return len(self.parted) == len(self.namespace) + 2

    @property
    def is_of_table(self) -> bool:
        """Whether it says more than the name of its table: metadata of it, or a part."""
        place = self.identifier
        return place is not None and self.written[-1].casefold() != place.name.casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """A view of a run, as the rules of `mapping` meet it.

    Attributes:
        origin: Where it is from.
        identifier: Its place there.
        model: The view.
        wave: Number of its wave; None: it has none.
        aside: Why it has none, with the keys that this is about.
        reads: What its texts read, where that is asked for.
        drafts: Texts that a translator has proposed, in dialects that it does not have.
    """

    origin: Origin
    identifier: Identifier
    model: Canonical
    wave: int | None = None
    aside: Aside[str] | None = None
    reads: tuple[NameRead, ...] = ()
    drafts: tuple[Representation, ...] = ()

    def view(self) -> View:
        """The view, parsed."""
        return self.model.view(self.identifier.namespace)

    def drafted(self) -> View | None:
        """The view with the texts that a translator has proposed; None: there are none."""
        own = self.view() if self.drafts else None
        return own and replace(own, representations=(*own.representations, *self.drafts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A view as a target shall hold it, and why it may not be written.

    Attributes:
        address: Where.
        origins: The views that it is made of.
        model: The view; where it is barred or stays, as far as it is known.
        wave: When it is written; None: last.
        barred: Why it is set aside; None: it is not.
        stays: Why it is left where it is, which is nobody's fault; empty: it moves.
        losses: What of the views that it is made of it does not have, a sentence each.
        unsafe: Why it must not be written as it is: it would mean something else there, or no text
            of it is one for the target.
        draft: The view with texts that mean the same, and with those that are proposed; where it
            may be written as it is, with the latter alone.
    """

    address: Address
    origins: tuple[Origin, ...]
    model: Canonical
    wave: int | None = None
    barred: Barred | None = None
    stays: str = ""
    losses: tuple[str, ...] = ()
    unsafe: Barred | None = None
    draft: Draft | None = None

    def view(self) -> View:
        """The view, parsed."""
        return self.model.view(self.address.identifier.namespace)

    def drafted(self) -> View:
        """The view with its drafts, parsed; without drafts, the view."""
        model = self.draft.model if self.draft is not None else self.model
        return model.view(self.address.identifier.namespace)


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the rules make of one view, before those that meet at a name are brought together.

    Attributes:
        wanted: What is wanted of it.
        rank: Number of its rule: the first goes first.
        collisions: What its rule says of views that meet.
        widen: What its rule lets become a wider type.
        query: The dialect that its rule names for `query`; empty: none.
    """

    wanted: Wanted
    rank: int
    collisions: Collisions = Collisions.MERGE
    widen: tuple[Widening, ...] = ()
    query: str = ""
