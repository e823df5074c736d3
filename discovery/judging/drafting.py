"""Drafts: texts in dialects that a view does not have, and whether one of them may be shown.

A translator only proposes. A draft is shown where the engine's own analyzer accepts it over the
columns of all that it reads, and gives back what the view declares: names, order and types. Where
both texts could be run over made-up rows, they have to give the same ones. All else is refused,
with the reason; nothing of this writes a draft anywhere.

A draft by sqlglot spells each table in full, as the engine that it is for calls the catalog: by the
`catalogs` of the configuration, and a metastore is Spark's own catalog unless they say otherwise.
Coral's drafts have the short names of the view, in the catalog and database that it is in.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from discovery.checks import columns_drift
from discovery.checks.subject import Returned
from discovery.datatypes import spark_writing, trino
from discovery.datatypes.casting import becomes
from discovery.engines import ENGINES, Nesting, engine
from discovery.errors import InvalidTypeError
from discovery.judging.entries import (
    OF_METASTORES,
    SESSION,
    Base,
    Entry,
    KnownBase,
    StoredText,
    columns_in_spark,
    unread_by_spark,
)
from discovery.judging.reasons import reason_of
from discovery.judging.same_rows import Alike, RowsAnswer
from discovery.judging.translating import TRANSLATED
from discovery.judging.ways import CORAL
from discovery.model import HIVE, SPARK, TRINO, Column, Identifier, Representation, dotted
from discovery.outcomes import Reason
from discovery.ports import ANALYZE, Name, Verdict

SQLGLOT: Final = "sqlglot"
_JUDGED: Final = tuple(
    facts.name for facts in ENGINES.values() if facts.judges_drafts and facts.sqlglot
)
TRANSLATORS: Final[Mapping[str, tuple[str, ...]]] = {CORAL: (TRINO,), SQLGLOT: _JUDGED}
"""Who proposes, and for which dialects: those whose analyzers tell the columns that they find."""
NO_ROWS: Final = "its rows were not compared"
RESULTS: Final = "RESULTS"
"""The grade: both texts were run over the same made-up rows, and gave the same."""

NO_TRANSLATION: Final = Reason(
    "DRAFT_NOT_TRANSLATED",
    "The translator that `drafts` names for the dialect makes no text of any that the view has: "
    "the message says why. Write the text by hand, or name another translator.",
)
NO_NAME: Final = Reason(
    "DRAFT_WITHOUT_NAMES",
    "Nobody says what the engine of the draft calls the catalog of something that the view reads, "
    "so no text for it can name that. Say it under `catalogs`, such as `catalogs: {trino: {hive: "
    "lake}}`: engine, catalog, source. Or the name of that has capitals, and Trino looks for names "
    "in lower case: if its catalogs find it, say `engines: {trino: {any_case: true}}`.",
)
NOT_JUDGED: Final = Reason(
    "DRAFT_NOT_JUDGED",
    "No analyzer of the engine could judge a translation: columns of what it reads are not known, "
    "it calls functions of the estate, or there is no analyzer here. What is not judged is not "
    "shown.",
)
REJECTED: Final = Reason(
    "DRAFT_REJECTED",
    "The analyzer of the engine refuses the translation, with the message that stands there. Write "
    "the text by hand.",
)
OTHER_COLUMNS: Final = Reason(
    "DRAFT_COLUMNS_DIFFER",
    "The engine accepts the translation and gets other columns of it than the view declares: the "
    "message names them. Write the text by hand, with casts.",
)
OTHER_ROWS: Final = Reason(
    "DRAFT_ROWS_DIFFER",
    "The translation and the text that it is made of were run over the same made-up rows, and gave "
    "different ones: the message has one of them. The translation means something else; write the "
    "text by hand.",
)
REASONS: Final = (NO_TRANSLATION, NO_NAME, NOT_JUDGED, REJECTED, OTHER_COLUMNS, OTHER_ROWS)
"""Why a draft is refused."""
_OWN_CATALOG: Final = frozenset({"hms", "glue"})
_IN_METASTORES: Final = OF_METASTORES | {TRINO}
_NAMED: Final = 5  # of what is not known


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a translator makes of a view for a dialect.

    Attributes:
        dialect: That is wanted.
        translator: Who translates, by its name in the configuration.
        translated_from: The dialect of the text that it reads; empty: the view has none for it.
        text: The draft; None: there is none.
        refused: Why there is none.
        why: The same, in words.
        doubts: What of the draft may be otherwise for some values, in words.
    """

    dialect: str
    translator: str
    translated_from: str = ""
    text: Representation | None = None
    refused: Reason | None = None
    why: str = ""
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """Whether a draft is shown.

    Attributes:
        refused: Why it is not; None: it is.
        message: In words: of what is refused why, of what is shown what was not proved.
        grade: What proves it; empty where it is refused.
        said: The class of the engine's message; empty: it has said none.
        line: Position in the draft that the message is about, from 1.
        column: The same in the line.
    """

    refused: Reason | None = None
    message: str = ""
    grade: str = ""
    said: str = ""
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class CalledCatalogs:
    """What is known of the estate to who spells names for an engine.

    Attributes:
        catalogs: Engine to catalog name to source.
        kinds: Source to its kind.
        any_case: Engines whose catalogs find names in any case.
    """

    catalogs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    any_case: frozenset[str] = frozenset()

    def catalog(self, source: str, form: str | None, called_by: str) -> str:
        """What an engine calls the catalog of something; empty: nobody says so.

        Args:
            source: That has it.
            form: How the entry of the view is stored that reads it, if that is of the same source.
            called_by: The engine.
        """
        names = self.catalogs.get(called_by, {})
        if named := sorted(name for name, named_source in names.items() if named_source == source):
            return named[0]
        kind = self.kinds.get(source, "")
        in_metastore = kind in _OWN_CATALOG or (kind == "archive" and form in _IN_METASTORES)
        return SESSION if called_by == SPARK and in_metastore else ""

    def finds(self, identifier: Identifier, called_by: str) -> bool:
        """Whether an engine finds what is called so."""
        name = str(identifier)
        lowers = engine(called_by).lowers_names and called_by not in self.any_case
        return name == name.lower() or not lowers


def why_unnamed(into: str, source: str) -> str:
    """Why an engine has no name for what is in a source."""
    return f"nobody says what {into} calls the source {source}"


def text_for(translator: str, into: str, texts: Sequence[Representation]) -> Representation | None:
    """The text of a view that a translator begins with; None: it reads none of them."""
    for text in texts:
        dialect = text.dialect.casefold()
        reads = dialect in TRANSLATED if translator == CORAL else engine(dialect).meaning_asked
        if reads and dialect != into:
            return text
    return None


def why_no_text(translator: str, texts: Sequence[Representation]) -> str:
    """Why a translator begins with none of a view's texts, in words."""
    dialects = [text.dialect for text in texts]
    why = f"{translator} reads none of its texts: {', '.join(dialects) or 'it has none'}"
    unasked = map(_why_unasked, dialects) if translator == SQLGLOT else ()
    return "; ".join([why, *filter(None, unasked)])


def _why_unasked(dialect: str) -> str:
    """Why texts are not translated though sqlglot reads them, in words; empty: they are."""
    facts = engine(dialect)
    if facts.meaning_asked or facts.sqlglot is None:
        return ""
    return f"what texts of {facts.title} mean was not asked of it, value by value"


def unknown_of(reads: Sequence[KnownBase]) -> str:
    """What of the things that a text reads has no known columns, in words; empty: all have."""
    lost = sorted(
        {
            dotted(known_base.written)
            for known_base in reads
            if known_base.columns is None or not known_base.source
        }
    )
    rest = f" and {len(lost) - _NAMED} more" if len(lost) > _NAMED else ""
    return f"the columns of {', '.join(lost[:_NAMED])}{rest} are not known" if lost else ""


def spelled_for(
    into: str, stored: StoredText, reads: Sequence[KnownBase], estate: CalledCatalogs
) -> tuple[Mapping[Name, Name], str]:
    """Each name of a text, and that by which an engine calls the same; and why it has one for none.

    Args:
        into: The engine.
        stored: The view and its text.
        reads: What the text reads.
        estate: Who is called how.
    """
    spellings: dict[Name, Name] = {}
    for known_base in reads:
        form = stored.form if known_base.source == stored.source else known_base.form
        catalog = estate.catalog(known_base.source, form, into)
        if not catalog:
            return {}, why_unnamed(into, known_base.source)
        if not estate.finds(known_base.identifier, into):
            return {}, f"{into} looks for {known_base.identifier} in lower case"
        levels = known_base.identifier.namespace
        if engine(into).nesting is Nesting.ONE_NAME:
            levels = (".".join(levels),)
        spellings[known_base.written] = (catalog, *levels, known_base.identifier.name)
    return spellings, ""


def entry_for(
    into: str, stored: StoredText, reads: Sequence[KnownBase], spelled: Mapping[Name, Name]
) -> Entry | None:
    """What the analyzer of an engine is told of a draft; None: the engine has not all types.

    Args:
        into: The engine.
        stored: The view and the text that the draft is made of.
        reads: What that reads.
        spelled: Its names, and those of the draft.
    """
    place = stored.view.identifier
    names = {known_base.written: spelled[known_base.written] for known_base in reads}
    write = _in_spark if into == SPARK else _in_trino
    bases = tuple(
        Base(names[known_base.written], _typed_columns(known_base, write)) for known_base in reads
    )
    try:
        columns = write(stored.view.columns, stored.form)
    except InvalidTypeError:
        return None
    if into == SPARK:
        others = {base.name[0] for base in bases} - {SESSION}
        refused = unread_by_spark(
            (known_base.columns or (), known_base.form)
            for known_base in reads
            if names[known_base.written][0] == SESSION and known_base.form in {None, HIVE}
        )
        return Entry(
            place=place,
            columns=columns,
            catalogs=tuple(sorted(others)),
            bases=bases,
            refused=refused,
        )
    home = bases[0].name[0] if bases else stored.source
    levels = (home, ".".join(place.namespace))
    within = Identifier(levels, place.name)
    return Entry(place=within, columns=columns, by_position=True, context=levels, bases=bases)


def decide(
    proposal: Proposal,
    verdict: Verdict | None,
    returned: Returned | None,
    rows: RowsAnswer | None,
) -> Decided:
    """Whether a draft is shown, and how sure that is.

    Args:
        proposal: What is proposed.
        verdict: What the analyzer of the engine says of it; None: it was not asked.
        returned: The columns that it finds beside those that the view declares; None: it does not
            say.
        rows: What became of running both texts; None: nobody has.
    """
    if proposal.text is None:
        return Decided(refused=proposal.refused or NO_TRANSLATION, message=proposal.why)
    if refused := _refused_by_engine(verdict) or _other_columns(verdict, returned):
        return refused
    if rows is None or rows.alike is Alike.UNKNOWN:
        why = rows.why if rows is not None else None
        return Decided(grade=ANALYZE, message="; ".join([why or NO_ROWS, *proposal.doubts]))
    if rows.alike is Alike.OTHER:
        return Decided(refused=OTHER_ROWS, message=rows.why or "the rows differ")
    same = f"{rows.rows:,} made-up rows are the same"
    return Decided(grade=RESULTS, message="; ".join([same, *proposal.doubts]))


def _refused_by_engine(verdict: Verdict | None) -> Decided | None:
    """That an analyzer has not accepted a draft; None: it has."""
    if verdict is None:
        return Decided(refused=NOT_JUDGED, message="no analyzer was asked")
    if verdict.accepted is False:
        return Decided(
            refused=REJECTED,
            message=verdict.message,
            said=reason_of(verdict.message).code,
            line=verdict.line,
            column=verdict.column,
        )
    if verdict.accepted is None or verdict.grade not in {None, ANALYZE}:
        message = verdict.message or "it was only parsed, not analyzed"
        return Decided(refused=NOT_JUDGED, message=message)
    return None


def _other_columns(verdict: Verdict | None, returned: Returned | None) -> Decided | None:
    """That an accepted draft does not give back what is declared; None: it does."""
    if returned is None or verdict is None:
        why = "the analyzer does not say which columns it finds"
        return Decided(refused=NOT_JUDGED, message=why)
    drift = _drift(returned)
    return Decided(refused=OTHER_COLUMNS, message=drift) if drift else None


def _drift(returned: Returned) -> str:
    """What of the columns is not as declared: names, order, types; empty: all is.

    A type that engines take for the declared one by themselves is as declared.
    """
    names = returned.sought or tuple(column.name for column in returned.declared)
    taken = _as_declared(returned, names)
    findings = columns_drift.check(replace(returned, returned=taken, sought=names))
    return "; ".join(finding.message for finding in findings)


def _as_declared(returned: Returned, sought: Sequence[str]) -> tuple[Column, ...]:
    """The columns of a text, of the declared types where their own become these.

    Args:
        returned: Both.
        sought: By which name each declared column is looked for.
    """
    pairs = zip(sought, returned.declared, strict=False)
    declared = {name.casefold(): column.type for name, column in pairs}
    wanted = [
        (column, declared.get(column.name.casefold(), column.type)) for column in returned.returned
    ]
    return tuple(
        column._replace(type=kind) if becomes(column.type, kind) else column
        for column, kind in wanted
    )


def _typed_columns(base: KnownBase, write: Callable[[Sequence[Column], str | None], str]) -> str:
    """The columns of what is read, in an engine's words, without those that it has no type for.

    Without them a text that uses one is rejected, and no other is.
    """
    kept = []
    for column in base.columns or ():
        with suppress(InvalidTypeError):
            write((column,), base.form)
            kept.append(column)
    return write(tuple(kept), base.form)


def _in_spark(columns: Sequence[Column], form: str | None) -> str:
    """Columns as Spark's schema.

    Raises:
        InvalidTypeError: Spark has no such type.
    """
    return spark_writing.schema(columns_in_spark(columns, form))


def _in_trino(columns: Sequence[Column], _: str | None) -> str:
    """Names and Trino's types.

    Raises:
        InvalidTypeError: Trino has no such type.
    """
    return json.dumps([(column.name, trino.spell(column.type)) for column in columns])
