"""The closure of a move: whether each name in a text still leads to the image of the same place.

A plan moves views from old places to new ones; what it does not move is its own image, in the
catalog that the rule's `catalogs` names for the old one. Every name that a text reads is asked
twice: where it led before, and where the same spelling leads from the view's new place, in its
context there. If that is not the image of the former, the text would mean something else, and
answer differently in silence where both places exist. Then a draft names the images.

The context of a text counts as far as it arrives: a target may drop it (`contexts`).

What is assumed: an engine calls a catalog as before unless a rule of the target names another; what
is not moved is reached there by the levels and the name that it has; the catalog that a view is in
stays the one that its source is; a name is completed as
`discovery.lineage.references` says, and its parts play the roles that they played.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from discovery.engines import Nesting, engine
from discovery.migration import gravitino_spark
from discovery.migration.called_catalogs import astray_calls
from discovery.migration.changes import Blocked
from discovery.migration.mapping import Qualify, Rule
from discovery.migration.text_reader import TextReader
from discovery.migration.wanted import Address, Barred, Canonical, Draft, NameRead
from discovery.model import HIVE, Identifier, Representation, View, dotted
from discovery.ports import Name

_READS: Final = re.compile(r"\b(from|join|table)\b", re.IGNORECASE)
"""What most texts that read nothing do not have: the others are parsed."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Where a name leads, as an engine at the target calls it.

    Attributes:
        catalog: None: the one that the view is in.
        identifier: Levels and name; None: nothing completes the name.
    """

    catalog: str | None
    identifier: Identifier | None

    def __str__(self) -> str:
        place = "nowhere" if self.identifier is None else str(self.identifier)
        return place if self.catalog is None else f"{self.catalog}.{place}"


@dataclass(frozen=True, slots=True)
class Closed:
    """What a move makes of the meaning of a view.

    Attributes:
        unsafe: What its texts would mean otherwise; None: nothing.
        draft: Texts that mean the same, where there are.
        losses: What nobody can tell, a sentence each.
    """

    unsafe: Barred | None = None
    draft: Draft | None = None
    losses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Closure:
    """What the rules of a plan make of names.

    Attributes:
        catalogs: Target to old catalog names to those there, over all rules.
        renames: Whether a rule gives anything another name: if none does, what cannot be told of a
            text is no loss of the move.
        dropped: Target to the dialects whose contexts do not arrive: `contexts.dropped_dialects`.
        bare: Target to its store, where Gravitino's Spark connector reads: `gravitino_spark.reads`.
    """

    catalogs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    renames: bool = True
    dropped: Mapping[str, frozenset[str]] = field(default_factory=dict)
    bare: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        rules: Sequence[Rule],
        dropped: Mapping[str, frozenset[str]] | None = None,
        bare: Mapping[str, str] | None = None,
    ) -> "Closure":
        """The closure of these rules: of two that name a catalog, the first goes first."""
        named: dict[str, dict[str, str]] = {}
        moving = [rule for rule in rules if rule.target is not None]
        for rule in moving:
            for old, new in rule.catalogs:
                named.setdefault(rule.target or "", {}).setdefault(old, new)
        return cls(named, any(not rule.keeps_names for rule in moving), dropped or {}, bare or {})

    def close(
        self, view: View, rule: Rule, reads: Sequence[NameRead], reader: TextReader
    ) -> Closed:
        """What becomes of the meaning of a view that a rule moves.

        Args:
            view: As its rule wants it, its texts as they are.
            rule: Which has a target.
            reads: What its texts read.
            reader: What reads the texts.
        """
        moved = self._moves(view, rule, reads)
        unknown = (move.unknown(reader) for move in moved if self.renames)
        bare = self._told_bare(view, rule, moved, reader)
        losses = tuple(loss for loss in (*unknown, *(move.bound() for move in moved), bare) if loss)
        changed = [move for move in moved if move.changed()]
        changes = [move.describe(reading) for move in changed for reading in move.changed()]
        astray = [why for move in moved for why in move.tell_astray(reader)]
        if not changes and not astray:
            return Closed(losses=losses)
        unsafe = Barred.as_coded(Blocked.MEANING_CHANGES, "; ".join((*changes, *astray)))
        if astray or rule.qualify is Qualify.REFUSE:
            return Closed(unsafe, None, losses)
        drafts = {move.text.dialect: move.draft(reader) for move in changed}
        texts = tuple(drafts.get(text.dialect, text) for text in view.representations)
        if any(text is None for text in texts):
            return Closed(unsafe, None, losses)
        drafted = replace(view, representations=tuple(text for text in texts if text is not None))
        return Closed(unsafe, Draft(tuple(drafts), Canonical.of(drafted)), losses)

    def _moves(self, view: View, rule: Rule, reads: Sequence[NameRead]) -> list["_TextMove"]:
        """The texts of a view, each at its new place."""
        dropped = self.dropped.get(rule.target or "", frozenset())
        return [
            _TextMove(
                text=text,
                reads=tuple(name_read for name_read in reads if name_read.dialect == text.dialect),
                place=view.identifier,
                target=rule.target or "",
                here={**self.catalogs.get(rule.target or "", {}), **dict(rule.catalogs)},
                there=self.catalogs,
                arrives=text.dialect.casefold() not in dropped,
                is_query=text.dialect.casefold() == rule.query,
            )
            for text in view.representations
        ]

    def _told_bare(
        self, view: View, rule: Rule, moved: Sequence["_TextMove"], reader: TextReader
    ) -> str:
        """What Gravitino's connector for Spark reads otherwise; empty: nothing, or not there."""
        store = self.bare.get(rule.target or "")
        if store is None:
            return ""
        open_to = {move.text.dialect for move in moved if move.is_of_session(reader)}
        return gravitino_spark.describe_difference(view, open_to, store)


@dataclass(frozen=True, slots=True, kw_only=True)
class _TextMove:
    """A text at its new place.

    Attributes:
        text: As it is.
        reads: What it reads.
        place: Of its view, at the target.
        target: Name of that.
        here: Old catalog names to those at the target.
        there: The same of each target.
        arrives: Whether its context does, so that the session does not complete short names.
        is_query: Whether it is what other engines run, too, as it becomes Paimon's `query`.
    """

    text: Representation
    reads: tuple[NameRead, ...]
    place: Identifier
    target: str
    here: Mapping[str, str]
    there: Mapping[str, Mapping[str, str]]
    arrives: bool = True
    is_query: bool = False

    def unknown(self, reader: TextReader) -> str:
        """What nobody can tell of the text; empty: it is known what it reads."""
        lost = sorted({dotted(read.written) for read in self.reads if read.identifier is None})
        if lost:
            names = ", ".join(lost)
            return f"nobody can tell where {names} of its {self.text.dialect} text leads"
        if self._is_unread(reader):
            return f"nobody can tell what its {self.text.dialect} text reads, here or there"
        return ""

    def tell_astray(self, reader: TextReader) -> Iterator[str]:
        """What of it leads elsewhere, or may, and no draft can mend."""
        text = self.text
        context = dotted([level for level in (text.default_catalog, text.default_schema) if level])
        if context and not self.arrives and self._is_unread(reader):
            yield (
                f"{text.dialect}: the target drops its context {context}, and nobody can tell which"
                " of its names are short"
            )
        yield from astray_calls(text, self.here, reader.names, arrives=self.arrives)

    def bound(self) -> str:
        """What is to be said of names that no one can give a catalog; empty: there are none."""
        if self.arrives or not self.is_query:
            return ""
        unbound = {
            dotted(read.written)
            for read in self.reads
            if read.catalog is None and read.identifier is not None and not read.is_everywhere
        }
        names = ", ".join(sorted(unbound))
        return names and (
            f"{self.text.dialect}: what becomes query reads {names} without a catalog, so that of "
            "the session's own"
        )

    def _is_unread(self, reader: TextReader) -> bool:
        """Whether nobody can tell what it reads; most texts that read nothing are not parsed."""
        if self.reads or not _READS.search(self.text.sql):
            return False
        return reader.respell(self.text.sql, self.text.dialect, {}) is None

    def changed(self) -> tuple[NameRead, ...]:
        """The names that would lead elsewhere in the text as it is."""
        context = self._at_target(self.text)
        return tuple(read for read in self.reads if not self._leads_to_image(read, context))

    def _at_target(self, text: Representation) -> Representation:
        """A text with the context that it has at the target."""
        if self.arrives:
            return text
        return replace(text, default_catalog=None, default_schema=None)

    def describe(self, read: NameRead) -> str:
        """A name with both of its readings."""
        image = self._image(read)
        wanted = "what has no name there" if image is None else str(image)
        leads = self._read_again(read, self._at_target(self.text))
        of_session = not self.arrives and leads.catalog is None and leads.identifier is not None
        whose = " of the session's catalog" if of_session else ""
        name = dotted(read.written)
        return f"{self.text.dialect}: {name} is {wanted}, and would lead to {leads}{whose}"

    def draft(self, reader: TextReader) -> Representation | None:
        """The text with names that lead to the images; None: there is none."""
        text = self._mapped()
        spelled = self._spelled(text)
        if spelled is None:
            return None
        sql = reader.respell(text.sql, text.dialect, spelled) if spelled else text.sql
        return None if sql is None else replace(text, sql=sql)

    def _mapped(self) -> Representation:
        """The text with its context's catalog as the target calls it."""
        default = self.text.default_catalog
        return replace(self.text, default_catalog=self.here.get(default or "", default))

    def _spelled(self, text: Representation) -> dict[Name, Name] | None:
        """The names that a draft writes otherwise, to those of the images; None: it has none."""
        context = self._at_target(text)
        spelled: dict[Name, Name] = {}
        for name_read in self.reads:
            if not self._leads_to_image(name_read, context):
                name = None if name_read.is_of_table else self._name_of_image(name_read, context)
                if name is None:
                    return None
                spelled[name_read.written] = name
        return spelled

    def is_of_session(self, reader: TextReader) -> bool:
        """Whether the session says where a name leads, in the draft if one is wanted."""
        spelled = (self._spelled(self._mapped()) if self.changed() else None) or {}
        names = ((read, spelled.get(read.written, read.written)) for read in self.reads)
        return any(gravitino_spark.of_session(*pair) for pair in names) or self._is_unread(reader)

    def _leads_to_image(self, read: NameRead, context: Representation) -> bool:
        """Whether a name leads to the image of its old place; what leads nowhere may do so."""
        if read.identifier is None or read.is_everywhere:
            return True
        if read.is_of_table:
            return self._keeps_spelling(read, context)
        image, leads = self._image(read), self._read_again(read, context)
        if image is None or leads.catalog != image.catalog:
            return False
        if leads.identifier == image.identifier:
            return True
        lowers = engine(context.dialect).lowers_names
        if lowers and str(leads.identifier).lower() == str(image.identifier):
            return True
        folds = read.move is not None and read.identifier != read.move.old
        return folds and str(leads).casefold() == str(image).casefold()

    def _image(self, read: NameRead) -> Meaning | None:
        """Where the name has to lead; None: nothing there is called so."""
        catalog, move = read.catalog, read.move
        if move is None or move.address.target == self.target:
            mapped = (
                None if self._is_completed_here(read) else self.here.get(catalog or "", catalog)
            )
        else:
            names = self.there.get(move.address.target, {})
            own = catalog is None or catalog == self.text.default_catalog
            mapped = names.get(catalog or "", None if own else catalog)
            if mapped is None:
                return None
        if move is None or move.address.identifier == move.old:
            return Meaning(mapped, read.identifier)
        return Meaning(mapped, move.address.identifier)

    def _keeps_spelling(self, read: NameRead, context: Representation) -> bool:
        """Whether all that a name of metadata says stays: its table, and what completes it."""
        catalog, move = read.catalog, read.move
        if move is not None and move.address != Address(self.target, move.old):
            return False
        if self.here.get(catalog or "", catalog) != catalog:
            return False
        is_short = read.written[0].casefold() not in {
            level.casefold() for level in (catalog, *read.namespace[:1]) if level
        }
        if not is_short or context.default_schema:
            return True
        return self._read_again(read, context).identifier == Identifier(
            read.namespace, read.written[-1]
        )

    def _is_completed_here(self, read: NameRead) -> bool:
        """Whether the view's own catalog completes the name where the context does not arrive.

        So it is for an engine that names none. Of the others the session's catalog does, whose name
        for the view's own is what the text, or the rule, says.
        """
        names_none = self.text.dialect.casefold() == HIVE
        return not self.arrives and read.own and names_none and not read.spells_catalog

    def _read_again(self, read: NameRead, context: Representation) -> Meaning:
        """Where the name as it is written leads from the new place."""
        *levels, name = read.parted
        old = read.identifier.namespace if read.identifier is not None else ()
        if levels and len(levels) == len(old) + 1:  # the first part is a catalog
            spelled = engine(context.dialect).catalog(levels[0])
            catalog = None if read.catalog is None else spelled  # which some engines only repeat
            return Meaning(catalog, Identifier(tuple(levels[1:]), name))
        if levels:
            return Meaning(context.default_catalog, Identifier(tuple(levels), name))
        if not self.arrives and self.text.default_schema:
            return Meaning(None, None)
        levels_here = old if context.default_schema else self.place.namespace
        return Meaning(context.default_catalog, Identifier(levels_here, name))

    def _name_of_image(self, read: NameRead, context: Representation) -> Name | None:
        """The shortest name like the old one that leads to the image; None: nothing does."""
        image = self._image(read)
        if image is None or image.identifier is None:
            return None
        levels, name = image.identifier.namespace, image.identifier.name
        spelled = str(image.identifier)
        if engine(context.dialect).lowers_names and spelled != spelled.lower():
            return None  # such an engine finds nothing that is called so
        if engine(context.dialect).nesting is Nesting.ONE_NAME:
            if any("." in level for level in levels) and len(levels) > 1:
                return None  # such an engine parts what is quoted at each dot
            levels = (dotted(levels),)
        local = image.catalog == context.default_catalog
        short = replace(read, written=(name,))
        if len(read.written) == 1 and self._meets(short, image, context):
            return (name,)
        explicit = read.spells_catalog
        if local and (image.catalog is None or (len(levels) == 1 and not explicit)):
            return (*levels, name)
        if image.catalog is None or context.dialect.casefold() == HIVE:  # which names no catalogs
            return None
        return (image.catalog, *levels, name)

    def _meets(self, read: NameRead, image: Meaning, context: Representation) -> bool:
        return self._read_again(read, context) == image
