"""What a report says of a run as a whole: counts, causes and what to do, no row per view."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from discovery.addresses import SourceAddress
from discovery.crawl_record import SourceCounts
from discovery.ports import PARSE

Counts = Mapping[str, int]


def counted(counts: Counts, words: Sequence[str]) -> int:
    """How many have one of some words."""
    return sum(counts.get(word, 0) for word in words)


@dataclass(frozen=True, slots=True)
class RunFacts:
    """The run.

    Attributes:
        run_id: Its name.
        started: When the crawl began, ISO 8601, UTC.
        finished: When it was committed.
        version: Of belvedere.
        exit_code: How the crawl ended.
        seconds: How long the crawl took.
        sources: Counts of the crawl by source.
        addresses: Where sources are, without secrets; none of one that is at no place with a name,
            or that an earlier belvedere has crawled.
    """

    run_id: str
    started: str
    finished: str
    version: str
    exit_code: int
    seconds: float
    sources: Mapping[str, SourceCounts]
    addresses: Mapping[str, SourceAddress] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cause:
    """A code that stands at views or other objects, and what to do about it.

    Attributes:
        code: The code.
        sort: `failure`, `unlisted`, `set aside`, `error`, `warning`, `note`, `standing`,
            `planned` or `skipped`.
        number: How many views, or objects, it stands at.
        holds: How many views are blocked or need review because of it.
        engines: The engines that it is about; none: all of them, or the target.
        example: An object that it stands at.
        message: What is said of that object.
        fix: What to do.
    """

    code: str
    sort: str
    number: int
    holds: int
    engines: tuple[str, ...]
    example: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class Blocker:
    """Something that keeps views from moving, or that many views stand on.

    Attributes:
        name: Source and key.
        row: Its number in the table of all views; null if it is no view that was read.
        why: Why it blocks: a code; empty if it does not.
        direct: How many views read it.
        views: How many views are blocked by it, over others, too; without `why`, as `direct`.
    """

    name: str
    row: int | None
    why: str
    direct: int
    views: int


@dataclass(frozen=True, slots=True)
class Waves:
    """The order in which views can move.

    Attributes:
        sizes: Number of views by wave, that of wave 1 first.
        aside: Number of views that are set aside, by reason.
        blockers: What blocks most others, most first.
        bases: The views that most others read, most first.
    """

    sizes: tuple[int, ...]
    aside: Counts
    blockers: tuple[Blocker, ...]
    bases: tuple[Blocker, ...]


@dataclass(frozen=True, slots=True)
class Judge:
    """A parser or analyzer that judged, and what it said of the texts that it was asked about."""

    engine: str
    version: str
    accepted: int
    rejected: int
    not_judged: int
    grade: str = PARSE


@dataclass(frozen=True, slots=True)
class DriftItem:
    """One thing that is otherwise than in the run that is compared with.

    Attributes:
        sort: `appeared`, `vanished`, `changed`, `newly broken`, `newly compatible` or `unknown`.
        source: Of the object.
        name: Of the object, with its namespace.
        detail: The fields that changed, or the engines that read it no more, or again.
    """

    sort: str
    source: str
    name: str
    detail: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drift:
    """The run against an earlier one.

    Attributes:
        against: Name of that run.
        started: When its crawl began.
        counts: Number of objects by sort of change.
        ready: How many views were ready then; null if it was not assessed.
        examples: The first changes of each sort; all are in drift.jsonl.
        standing: Number by standing then; null if it was not assessed.
    """

    against: str
    started: str
    counts: Counts
    ready: int | None
    examples: tuple[DriftItem, ...]
    standing: Counts | None = None


@dataclass(frozen=True, slots=True)
class CoursePoint:
    """How far a run was with moving its views; what nobody planned is null, not zero.

    A view counts once for each target, also where several sources have it.

    Attributes:
        run_id: Name of the run.
        started: When its crawl began.
        views: Number of views that were read.
        failures: Number of objects that could not be read.
        there: How many are at their target: they were when it was planned, or were written since.
        left: How many its latest plan writes, and were not written by it.
        aside: How many that plan sets aside, without those whose drafts were adopted and written.
    """

    run_id: str
    started: str
    views: int
    failures: int
    there: int | None = None
    left: int | None = None
    aside: int | None = None


@dataclass(frozen=True, slots=True)
class ReaderLine:
    """Somebody and a view.

    Attributes:
        view: Namespace and name at the target.
        source: Where the grantee is known; empty: at the target.
        grantee: Its name; empty: everybody.
        kind: `user`, `role`, `group` or `public`.
        before: What it reads at the source: `all`, `columns`, `on demand`; empty: nothing.
        after: Whether it reads the view at the target, or a role does that stands for it.
        difference: `gained`, `lost` or `same`.
        why: Why it differs.
    """

    view: str
    source: str
    grantee: str
    kind: str
    before: str
    after: bool
    difference: str
    why: str


@dataclass(frozen=True, slots=True)
class TargetAccess:
    """Who reads which view of a target, before and after.

    Attributes:
        counts: Number of grantees and views by difference.
        lines: The first of them, those that differ before the others.
    """

    counts: Counts
    lines: tuple[ReaderLine, ...]


@dataclass(frozen=True, slots=True)
class TargetPlan:
    """What the latest plan says of a target.

    Attributes:
        target: Its name.
        store: Kind of its store; empty: its views stay where they are.
        route: Why this store.
        served: Whether a stock Gravitino server shows what is written.
        actions: Number of views by action.
        reader: Who reads what is written, and how that is known; empty: the plan does not say.
        access: Who reads which view before and after; null: the plan gives no rights there.
        waiting: Of those that are set aside, how many a person may have by adopting their drafts.
        written: How many of those have been written, or dropped, and that was not undone, by the
            plan's action; what it had set aside is a draft that a person has adopted since.
    """

    target: str
    store: str
    route: str
    served: bool
    actions: Counts
    reader: str = ""
    access: TargetAccess | None = None
    waiting: int = 0
    written: Counts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unmet:
    """An expectation that has not passed.

    Attributes:
        name: What it is called.
        meaning: What is expected.
        table: What was looked at.
        status: `failed` or `not evaluated`.
        severity: Of a failure: `error`, or `warning`: it is only told.
        gates: Whether it makes the exit code of `belvedere quality` 3.
        seen: What was found; of one that was not evaluated, why.
        examples: Some of the rows that fail.
    """

    name: str
    meaning: str
    table: str
    status: str
    severity: str
    gates: bool
    seen: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QualityResult:
    """What `belvedere quality` made of the run's tables.

    Attributes:
        evaluated: When, ISO 8601, UTC.
        against: The run that it was compared with; null: none.
        suites: Number of expectations by suite, and by `passed`, `failed` and `not evaluated`.
        unmet: Those that have not passed: what decides the exit code first, then failures.
    """

    evaluated: str
    against: str | None
    suites: Mapping[str, Counts]
    unmet: tuple[Unmet, ...]

    def number(self, status: str) -> int:
        """How many expectations have a status."""
        return sum(counts.get(status, 0) for counts in self.suites.values())


@dataclass(frozen=True, slots=True)
class ReportHead:
    """A run as a report shows it; what no stage has written is null, not zero.

    Attributes:
        run: The run.
        total: Views, and objects that could not be read.
        failures: Those that could not be read, which count as blocked.
        unlisted: Namespaces and sources that could not be listed: what they hold is unknown.
        standing: Number by `ready`, `needs review`, `blocked` and `not judged`.
        sources: The same by source.
        owners: The same by owner; the empty name: nobody is known.
        formats: Number of views by format.
        engines: Number of views by engine and status; null: not assessed.
        judges: The parsers and analyzers that judged, with their versions.
        severities: Number of views with findings of a severity; null: not assessed.
        causes: Findings, failures and other codes, those that hold most views back first.
        waves: The order; null: not assessed.
        losses: What was lost or skipped, failures first.
        plan: The targets of the latest plan; null: nothing was planned.
        different: How many views read back otherwise; null: not read back.
        drift: The comparison with an earlier run; null: there is none.
        quality: What Great Expectations made of the run; null: quality was not checked.
        over: The thresholds of `fail_on` that the run exceeds.
        rejections: Number of views that an engine rejects or cannot reach, by engine and reason.
        accepted: How many codes at objects are accepted, and count towards no threshold.
        parsed: Number of views that an engine reads as far as its parser alone can tell, by engine.
        course: The latest runs, the one that is reported last; none, if there is no other.
        use: Number of views by whether they are used; null: no logs were read.
        left_out: Earlier runs that nothing is compared with, as they are damaged, each with why.
    """

    run: RunFacts
    total: int
    failures: int
    unlisted: int
    standing: Counts
    sources: Mapping[str, Counts]
    owners: Mapping[str, Counts]
    formats: Counts
    engines: Mapping[str, Counts] | None
    judges: tuple[Judge, ...]
    severities: Counts | None
    causes: tuple[Cause, ...]
    waves: Waves | None
    losses: tuple[Cause, ...]
    plan: tuple[TargetPlan, ...] | None
    different: int | None
    drift: Drift | None
    quality: QualityResult | None
    over: tuple[str, ...] = ()
    rejections: Mapping[str, Counts] = field(default_factory=dict)
    accepted: int = 0
    parsed: Counts = field(default_factory=dict)
    course: tuple[CoursePoint, ...] = ()
    use: Counts | None = None
    left_out: tuple[str, ...] = ()


def most_first(counts: Counts) -> list[tuple[str, int]]:
    """Words with their numbers, the largest first, equal ones by name."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
