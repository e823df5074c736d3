"""What executors run for `assess` where drafts are asked for: translators, analyzers, the decision.

Imports neither pydantic nor the configuration: a worker has no use for them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Final

import pyarrow as pa

from connectors.judges.bounded import Bounded
from connectors.judges.kept import lend
from discovery.chunks import chunks
from discovery.judging import drafting
from discovery.judging.analysis import Functions
from discovery.judging.drafting import NO_NAME, NO_TRANSLATION, NOT_JUDGED, Decided, Proposal
from discovery.judging.entries import Entry, KnownBase, StoredText
from discovery.judging.translating import coral_entry
from discovery.judging.ways import CORAL
from discovery.model import Representation
from discovery.outcomes import Reason
from discovery.ports import Name, Verdict
from jobs.assessing import tables as assessed
from jobs.assessing.workers.columns import AskedText, Seat
from jobs.assessing.workers.known import Compared, with_known
from jobs.assessing.workers.running import Runners
from jobs.assessing.workers.views import Provided
from jobs.warehouse.rows import ArrowFunction, to_batches

SHOWN: Final = "shown"
REFUSED: Final = "refused"
_AT_A_TIME: Final = 200  # views


@dataclass(frozen=True, slots=True)
class Drafting:
    """What drafts are asked for, and who judges them.

    Attributes:
        wanted: Dialect to the translator.
        analyzers: By dialect.
        estate: Who is called how.
        unlisted: Sources that have not told all of their functions.
    """

    wanted: Mapping[str, str]
    analyzers: Mapping[str, Provided]
    estate: drafting.CalledCatalogs = field(default_factory=drafting.CalledCatalogs)
    unlisted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Underway:
    """A draft on its way.

    Attributes:
        view: The view.
        proposal: As far as it has come.
        asked: What the analyzer is asked; None: nothing.
        reads: What the text reads that it is made of, with the names in the draft.
        stored: That text, where both can be compared.
    """

    view: Compared
    proposal: Proposal
    asked: AskedText | None = None
    reads: tuple[tuple[KnownBase, Name], ...] = ()
    stored: StoredText | None = None


def draft_views(wanted: Drafting) -> ArrowFunction:
    """What drafts: views with what is known of their bases in, rows of `drafts` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with ExitStack() as stack:
            sqlglot = stack.enter_context(lend(Bounded, Bounded))
            runners = Runners(stack, sqlglot)
            seats = {name: Seat.of(analyzer, stack) for name, analyzer in wanted.analyzers.items()}
            for batch in batches:
                for views in chunks(with_known(batch), _AT_A_TIME):
                    for dialect in wanted.wanted:
                        attempts = [
                            _begin(view, dialect, wanted, sqlglot)
                            for view in views
                            if _lacks(view, dialect)
                        ]
                        done = _judge_attempts(attempts, seats[dialect], runners, wanted)
                        yield from to_batches(done, assessed.DRAFTS.schema)

    return run


def _lacks(compared: Compared, dialect: str) -> bool:
    return all(text.dialect.casefold() != dialect for text in compared.view.representations)


def _begin(compared: Compared, dialect: str, wanted: Drafting, sqlglot: Bounded) -> _Underway:
    """What a translator proposes, and what the analyzer is asked then."""
    translator, texts = wanted.wanted[dialect], compared.view.representations
    text = drafting.text_for(translator, dialect, texts)
    proposal = Proposal(dialect=dialect, translator=translator)
    if text is None:
        why = drafting.why_no_text(translator, texts)
        return _refused(compared, proposal, NO_TRANSLATION, why)
    proposal = replace(proposal, translated_from=text.dialect)
    reads = compared.reads(text.dialect)
    unknown = (
        drafting.unknown_of(reads) if compared.resolved else "what its text reads is not known"
    )
    if unknown:
        return _refused(compared, proposal, NOT_JUDGED, unknown)
    stored = StoredText(view=compared.view, text=text, form=compared.form, source=compared.row[0])
    if translator == CORAL:
        return _prepare_coral(compared, proposal, stored, reads, wanted)
    return _translate_by_sqlglot(compared, proposal, stored, (reads, wanted, sqlglot))


def _refused(compared: Compared, proposal: Proposal, refused: Reason, why: str) -> _Underway:
    return _Underway(view=compared, proposal=replace(proposal, refused=refused, why=why))


def _prepare_coral(
    compared: Compared,
    proposal: Proposal,
    stored: StoredText,
    reads: Sequence[KnownBase],
    wanted: Drafting,
) -> _Underway:
    """Coral is asked for the translation and for Trino's answer at once."""
    source = stored.source
    catalog = wanted.estate.catalog(source, stored.form, proposal.dialect)
    if not catalog:
        why = drafting.why_unnamed(proposal.dialect, source)
        return _refused(compared, proposal, NO_NAME, why)
    entry = coral_entry(stored, reads, {})
    if entry is None:
        why = "Coral reads views of Hive and Spark in a metastore, over what is in the same"
        return _refused(compared, proposal, NO_TRANSLATION, why)
    place = compared.view.identifier.namespace
    text = Representation(dialect=proposal.dialect, sql="", default_catalog=catalog).within(place)
    return _Underway(
        view=compared,
        proposal=replace(proposal, text=text),
        asked=AskedText(0, stored.text, entry),
        reads=tuple(
            (known_base, (*known_base.identifier.namespace, known_base.identifier.name))
            for known_base in reads
        ),
    )


def _translate_by_sqlglot(
    compared: Compared,
    proposal: Proposal,
    stored: StoredText,
    beside: tuple[Sequence[KnownBase], Drafting, Bounded],
) -> _Underway:
    reads, wanted, sqlglot = beside
    into = proposal.dialect
    spelled, why = drafting.spelled_for(into, stored, reads, wanted.estate)
    if why:
        return _refused(compared, proposal, NO_NAME, why)
    text = stored.text
    columns = {known_base.written: known_base.columns for known_base in reads}
    translation = sqlglot.ask(
        "translated", text.sql, text.dialect.casefold(), into, spelled, columns
    )
    if translation is None or translation.why:
        why = (
            translation.why
            if translation is not None
            else "sqlglot did not answer within its time or memory"
        )
        return _refused(compared, proposal, NO_TRANSLATION, why)
    entry = drafting.entry_for(into, stored, reads, spelled)
    if entry is None:
        return _refused(compared, proposal, NOT_JUDGED, f"{into} has no type for a column")
    draft = Representation(dialect=into, sql=translation.sql)
    return _Underway(
        view=compared,
        proposal=replace(proposal, text=draft, doubts=translation.doubts),
        asked=AskedText(0, draft, entry),
        reads=tuple((known_base, spelled[known_base.written]) for known_base in reads),
        stored=stored,
    )


def _judge_attempts(
    attempts: Sequence[_Underway], seat: Seat, runners: Runners, wanted: Drafting
) -> Iterator[tuple[object, ...]]:
    """Rows of `drafts`, in the order of its columns."""
    asked = [underway.asked for underway in attempts if underway.asked is not None]
    answers = iter(seat.answers(asked)) if asked else iter(())
    for attempt in attempts:
        if attempt.asked is None:
            yield _row(attempt, drafting.decide(attempt.proposal, None, None, None))
            continue
        answer = next(answers)
        functions = Functions(bool(attempt.view.calls), attempt.view.row[0] not in wanted.unlisted)
        entry: Entry = attempt.asked.entry
        declares = bool(attempt.view.view.columns)
        verdict = seat.analyzer.weighed(answer.verdict, entry, functions, declares)
        verdict = replace(verdict, grade=verdict.grade or answer.grade)
        translated = replace(attempt, proposal=_with_text(attempt.proposal, answer.verdict))
        returned = seat.analyzer.compared(verdict, entry, attempt.proposal.dialect)
        decided = drafting.decide(translated.proposal, verdict, returned, None)
        if decided.refused is None and attempt.stored is not None:
            rows = runners.compare(attempt.stored, attempt.asked.text, attempt.reads)
            decided = drafting.decide(attempt.proposal, verdict, returned, rows)
        yield _row(translated, decided)


def _with_text(proposal: Proposal, verdict: Verdict) -> Proposal:
    """The proposal with the text that the judge has made, where it is the judge that translates."""
    if proposal.text is None or proposal.translator != CORAL:
        return proposal
    if not verdict.translation:
        reason = NO_TRANSLATION if verdict.accepted is False else NOT_JUDGED
        return replace(proposal, text=None, refused=reason, why=verdict.message)
    return replace(proposal, text=replace(proposal.text, sql=verdict.translation))


def _row(underway: _Underway, decided: Decided) -> tuple[object, ...]:
    proposal = underway.proposal
    text = proposal.text if decided.refused is None else None
    return (
        *underway.view.row,
        proposal.dialect,
        proposal.translator,
        proposal.translated_from or None,
        REFUSED if decided.refused else SHOWN,
        decided.grade or None,
        decided.refused.code if decided.refused else None,
        decided.message or None,
        decided.said or None,
        decided.line,
        decided.column,
        text.sql if text else None,
        text.default_catalog if text else None,
        list(text.default_levels) if text else None,
        [_read_row(text, base, name) for base, name in underway.reads] if text else [],
    )


def _read_row(text: Representation, base: KnownBase, written: Name) -> dict[str, object]:
    catalog = text.default_catalog or written[0]
    return {
        "written": list(written),
        "catalog": catalog,
        "base_source": base.source,
        "base_namespace": list(base.identifier.namespace),
        "base_name": base.identifier.name,
        "base_key": base.key,
        "base_kind": "view" if base.form else "table",
    }
