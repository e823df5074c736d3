"""The questions that a run answers: each a method whose answer is JSON, bounded in size."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, cached_property
from typing import Any, Final

from discovery.errors import ConfigurationError
from discovery.judging.standing import Standing
from discovery.lineage.blockers import weighed
from discovery.lineage.order import above
from discovery.model import dotted
from discovery.ranking import ranked
from jobs.answering.conditions import Conditions, known_to
from jobs.answering.known_run import KnownReference, KnownRun, KnownView, read_known_run
from jobs.answering.naming import Key, meant
from jobs.assessing import tables as assessed
from jobs.crawling import tables as crawled
from jobs.reporting.differing import differing
from jobs.reporting.in_memory import written_counts
from jobs.reporting.run_tables import RunTables
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse
from reports.codes import pages

Answer = dict[str, Any]
"""A JSON object."""

MOST: Final = 200  # items of a list; more are asked for by `offset`
_USUAL: Final = 50
_WEIGHED: Final = 200  # as in a report


class RunAnswers:
    """What can be asked of a run.

    Args:
        warehouse: Where it is.
        run_id: A committed run; None: the latest, at the time of the first question.

    Raises:
        ConfigurationError: There is no such run.
        EvidenceError: It is not as it was written.
    """

    def __init__(self, warehouse: Warehouse, run_id: str | None = None) -> None:
        self._warehouse = warehouse
        self._run: Run = warehouse.run(run_id)

    @cached_property
    def _known(self) -> KnownRun:
        return read_known_run(self._warehouse, self._run)

    def headline(self) -> Answer:
        """Whether the estate can move.

        How many views stand how, in each source and engine; what the crawl came to, the waves, and
        what the latest plan does at each target, with what of it has been written.
        """
        known = self._known
        record = self._run.record
        standings = Counter(view.stands.standing for view in known.views.values())
        return {
            **_run_json(self._run),
            "assessed": known.assessed,
            "total": len(known.views),
            "unread": sum(view.outcome == "failure" for view in known.views.values()),
            "standing": {standing.value: standings.get(standing, 0) for standing in Standing},
            "standing_by_source": _nested(
                (view.source, view.stands.standing.value) for view in known.views.values()
            ),
            "engines": _nested(
                (cell.engine, cell.status)
                for view in known.views.values()
                for cell in view.cells or ()
            )
            if known.assessed
            else None,
            "sources": {name: counts.to_json() for name, counts in record.sources.items()},
            "reasons_of_exit_code": [why for _, why, _ in record.reasons or ()],
            "waves": len({view.wave for view in known.views.values() if view.wave is not None}),
            "set_aside": sum(view.aside is not None for view in known.views.values()),
            "plan": self._plan(),
        }

    def runs(self) -> Answer:
        """The committed runs of the warehouse, the latest last.

        One of them, `answering_for`, is what all other questions are about.
        """
        every = [_run_json(run) for run in self._warehouse.runs()]
        return {"answering_for": self._run.run_id, "runs": every[-MOST:], "total": len(every)}

    def find_views(
        self,
        name: str = "*",
        where: Conditions | None = None,
        limit: int = _USUAL,
        offset: int = 0,
    ) -> Answer:
        """Views, and objects that could not be read, that all conditions hold for, by name.

        Args:
            name: A glob over `namespace.name`, case does not count; without a `*`, a part of it.
            where: What else is to hold; what is left out holds for all.
            limit: How many at most, up to 200.
            offset: How many to pass over.
        """
        pattern = (name if "*" in name else f"*{name}*").casefold()
        wanted = known_to(self._known, where or Conditions())
        known_views = [
            view
            for view in self._known.views.values()
            if fnmatchcase(dotted((*view.namespace, view.name)).casefold(), pattern)
            and wanted.hold_for(view)
        ]
        return _page("views", map(_line, sorted(known_views, key=_sort_key)), limit, offset)

    def view(self, name: str) -> Answer:
        """All that is known of a view.

        Columns, texts, notes of what a reader must know, what engines can do with it and why, what
        parsers said, what checks found, what it reads, by column where that is known, and what the
        plan does.

        Args:
            name: `source/namespace.name`, `namespace.name` or `name`.
        """
        known_view = self._find_view(name)
        crawled_row = self._read_crawled(known_view)
        model = crawled_row["model"]
        return {
            **_line(known_view),
            "format": known_view.format,
            "model": json.loads(model) if model else None,
            "notes": crawled_row["notes"] or [],
            "engines": [cell._asdict() for cell in known_view.cells]
            if known_view.cells is not None
            else None,
            "verdicts": self._read_rows(assessed.VERDICTS, known_view),
            "findings": self._read_rows(assessed.FINDINGS, known_view),
            "drafts": self._read_rows(assessed.DRAFTS, known_view),
            "reads": [_reference_json(ref) for ref in self._known.reads.get(known_view.place, ())],
            "lineage": self._read_rows(assessed.LINEAGE, known_view),
            "read_by": len(self._known.read_by.get(known_view.place, ())),
            "set_aside_because_of": list(known_view.because),
            "plan": [change._asdict() for change in known_view.planned],
        }

    def who_reads(self, name: str, limit: int = _USUAL, offset: int = 0) -> Answer:
        """The views that read a table or a view, directly or over others, and their owners.

        They are hit if it changes or goes.

        Args:
            name: `source/namespace.name`, `namespace.name` or `name`.
            limit: How many at most, up to 200.
            offset: How many to pass over.
        """
        base = self._find_base(name)
        direct = set(self._known.read_by.get(base, ()))
        every = {place for place, _ in above(self._known.read_by, [base])} - {base}
        readers = sorted(
            (self._known.views[key] for key in every if key in self._known.views), key=_sort_key
        )
        owners = Counter(reader.owner or "" for reader in readers)
        lines = ({**_line(reader), "directly": reader.place in direct} for reader in readers)
        return {
            "of": "/".join(base),
            "directly": len(direct),
            "owners": dict(ranked(owners, _USUAL)),
            **_page("views", lines, limit, offset),
        }

    def what_blocks(self, limit: int = 20) -> Answer:
        """What keeps most views back.

        Missing tables, unread or faulty views and rings, with how many views stand on each; and the
        codes for which most views are blocked or need review, with what to do.

        Args:
            limit: How many of each at most, up to 200.
        """
        first = _bounded(limit)
        roots = weighed(self._known.aside, among=_WEIGHED, first=first)
        held = Counter(
            view.stands.code
            for view in self._known.views.values()
            if view.stands.standing in {Standing.BLOCKED, Standing.REVIEW} and view.stands.code
        )
        return {
            "roots": [
                {
                    "name": weight.root,
                    "why": weight.why,
                    "read_by": weight.direct,
                    "views": weight.views,
                }
                for weight in roots
            ],
            "codes": [
                {"code": code, "views": number, "what_to_do": _advice(code)}
                for code, number in ranked(held, first)
            ],
        }

    def waves(self, wave: int | None = None, limit: int = _USUAL, offset: int = 0) -> Answer:
        """In which order views can move: the sizes of the waves, or the views of one of them.

        A view stands only on those of earlier waves; they count from 1.

        Args:
            wave: Number of a wave; left out, the sizes of all.
            limit: How many views at most, up to 200.
            offset: How many to pass over.
        """
        views = self._known.views.values()
        sizes = Counter(view.wave for view in views if view.wave is not None)
        aside = Counter(view.aside for view in views if view.aside is not None)
        if wave is None:
            ordered = {str(number): sizes[number] for number in sorted(sizes)}
            return {"waves": ordered, "set_aside": dict(ranked(aside))}
        wave_views = sorted((view for view in views if view.wave == wave), key=_sort_key)
        return {"wave": wave, **_page("views", map(_line, wave_views), limit, offset)}

    def diff(
        self, before: str, after: str | None = None, limit: int = _USUAL, offset: int = 0
    ) -> Answer:
        """What differs between two runs.

        Views that appeared, vanished or changed, with the fields; that cannot be read any more, or
        can again; and what one of the runs could not list, which is unknown.

        Args:
            before: The earlier run.
            after: The later one; left out, the run that all other questions are about.
            limit: How many at most, up to 200.
            offset: How many to pass over.
        """
        earlier = self._warehouse.run(before)
        later = self._run if after is None else self._warehouse.run(after)
        if earlier.run_id == later.run_id:
            raise ConfigurationError(f"run {before} cannot be compared with itself")
        differences = list(differing(self._warehouse, earlier, later))
        lines = (
            {
                "sort": difference.sort,
                "name": f"{difference.source}/{dotted((*difference.namespace, difference.name))}",
                "detail": list(difference.detail),
            }
            for difference in differences
        )
        return {
            "before": earlier.run_id,
            "after": later.run_id,
            "counts": dict(Counter(difference.sort for difference in differences)),
            **_page("differences", lines, limit, offset),
        }

    def explain(self, code: str) -> Answer:
        """What a code means, what to do about it, and at how many views of the run it stands.

        Args:
            code: Such as `MISSING_BASE`.
        """
        wanted = code.strip().upper().replace("-", "_")
        page = pages().get(wanted)
        if page is None:
            raise ConfigurationError(f"there is no code {code}", hint="what_blocks names codes")
        stands = sum(wanted in view.codes for view in self._known.views.values())
        return {**page._asdict(), "views": stands}

    def _plan(self) -> Answer | None:
        """What the latest plan does at each target, and how much of it has been written."""
        plan = self._known.plan
        if plan is None:
            return None
        written = written_counts(RunTables(self._warehouse, self._run.run_id))
        targets: Mapping[str, Mapping[str, Any]] = json.loads(plan.targets)
        return {
            "plan": plan.plan,
            "targets": {
                name: {
                    **{part: target.get(part) for part in ("store", "route", "served", "reader")},
                    "actions": target.get("counts", {}),
                    "written": dict(written.get(name, {})),
                }
                for name, target in sorted(targets.items())
            },
        }

    def _find_view(self, name: str) -> KnownView:
        """The view of a name.

        Raises:
            ConfigurationError: There is none, or there are several.
        """
        place = meant(name, self._known.called, "views")
        if place is None:
            raise ConfigurationError(f"no view is called {name}", hint="find_views lists names")
        return self._known.views[place]

    def _find_base(self, name: str) -> Key:
        """What is read under a name, or a view that nobody reads."""
        return meant(name, self._known.bases, "things") or self._find_view(name).place

    def _read_crawled(self, view: KnownView) -> Mapping[str, Any]:
        """What the crawl has of a view: a namespace may have the key of an object."""
        rows = self._read_rows(crawled.OUTCOMES, view, ("entity", "model", "notes"))
        return next(row for row in rows if row["entity"] == "object")

    def _read_rows(
        self, dataset: Dataset, view: KnownView, columns: Sequence[str] = ()
    ) -> list[Mapping[str, Any]]:
        where: dict[str, Sequence[str]] = {"source": [view.source], "key": [view.key]}
        rows = self._warehouse.table(dataset, self._run.run_id, where=where, columns=columns)
        return [
            {name: value for name, value in row.items() if name not in assessed.VIEW}
            for row in rows
        ]


def _run_json(run: Run) -> Answer:
    return {
        "run": run.run_id,
        "started": run.started.isoformat(timespec="seconds"),
        "committed": run.finished.isoformat(timespec="seconds"),
        "version": run.version,
        "exit_code": run.exit_code,
    }


def _line(view: KnownView) -> Answer:
    """A view in a list."""
    answer: Answer = {
        "name": view.title,
        "outcome": view.outcome,
        "owner": view.owner,
        "dialects": list(view.dialects),
        "standing": view.stands.standing.value,
        "reason": view.stands.code,
        "wave": view.wave,
        "set_aside": view.aside,
        "codes": sorted(view.codes),
    }
    if view.failure is not None:
        answer["failure"] = dict(zip(("code", "message", "hint"), view.failure, strict=True))
    return answer


def _reference_json(reference: KnownReference) -> Answer:
    return {"name": reference.title, "kind": reference.kind, "source": reference.source}


def _sort_key(view: KnownView) -> tuple[str, str, str]:
    return view.source, view.key, view.name


def _nested(pairs: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for (outer, inner), number in sorted(Counter(pairs).items()):
        counts.setdefault(outer, {})[inner] = number
    return counts


def _page(name: str, items: Iterable[Answer], limit: int, offset: int) -> Answer:
    """Some of the items, with how many there are."""
    every: Sequence[Answer] = list(items)
    first = max(0, offset)
    page = every[first : first + _bounded(limit)]
    left = len(every) - first - len(page)
    return {"total": len(every), name: page, "left": max(0, left)}


def _bounded(limit: int) -> int:
    return min(MOST, max(1, limit))


@cache
def _advice(code: str) -> str:
    page = pages().get(code)
    return (page.advice or page.first) if page else ""
