"""What `estate.yaml` may say: every key with its type, default and meaning."""

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field

from discovery.ages import PATTERN, age
from discovery.datatypes.widening import Widening
from discovery.lineage.order import Why
from discovery.migration import routes
from discovery.migration.mapping import Collisions, Qualify, Rule
from discovery.pacing import windows
from discovery.pacing.care import SLOW_DOWN, Care
from discovery.patterns import Patterns
from discovery.rights.carrying import CarryingRule
from discovery.rights.model import GranteeKind
from discovery.tags import LONGEST, TEXT, TagPattern
from jobs.configuration.drafts import Drafts
from jobs.configuration.engines import Engines
from jobs.configuration.expectations import QualityExpectations
from jobs.configuration.gates import FailOn, Notify, OpenLineage, PathText, Strict
from jobs.configuration.usage import UsageLog
from jobs.configuration.wording import suggestion

_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")
_BRACE: Final = re.compile(r"[{}]")


def _check_placeholders(text: str | None, placeholders: Iterable[str]) -> None:
    """Look for what seems to stand for something and would be a part of each name.

    Raises:
        ValueError: There is some.
    """
    for placeholder in _PLACEHOLDER.findall(text or ""):
        if placeholder not in placeholders:
            raise ValueError(
                f"{placeholder} stands for nothing; {suggestion(placeholder, placeholders)}"
            )
    if stray := _BRACE.search(_PLACEHOLDER.sub("", text or "")):
        raise ValueError(
            f"a single {stray[0]} stands for nothing; known: {', '.join(placeholders)}"
        )


def _template(*placeholders: str) -> AfterValidator:
    """That these alone stand for something in a text."""

    def check(text: str | None) -> str | None:
        _check_placeholders(text, placeholders)
        return text

    return AfterValidator(check)


def _check_levels(levels: tuple[str, ...]) -> tuple[str, ...]:
    """The levels of a namespace.

    Raises:
        ValueError: One is a pattern, or has what stands for nothing.
    """
    for level in levels:
        _check_placeholders(level, ("{source}",))
        if "*" in level and level != "*":
            raise ValueError(f"{level!r}: `*` stands for the view's own levels, and by itself")
    return levels


class Mapped(Strict):
    """A rule of `mapping`: where views of a source go. The first that names a view decides."""

    source: str
    target: str | None = Field(default=None, description="Without it the views are left out.")
    include: tuple[str, ...] = Field(default=(), description="Globs: the views it is about.")
    exclude: tuple[str, ...] = Field(default=(), description="Globs: views it is not about.")
    namespace: Annotated[tuple[str, ...], AfterValidator(_check_levels)] = Field(
        default=("*",),
        min_length=1,
        description="Levels at the target; `*` stands for the view's own, `{source}` for its name.",
    )
    name: Annotated[str, _template("{name}", "{source}")] = Field(
        default="{name}",
        min_length=1,
        description="Name at the target; `{name}` is the view's own, `{source}` its source's name.",
    )
    dialects: tuple[str, ...] = Field(default=(), description="Which are taken over; empty: all.")
    collisions: Collisions = Field(
        default=Collisions.MERGE,
        description="Of views that meet at one name: `merge` their dialects if their columns "
        "agree; `conflict`: write none; `first`: write that of the first rule.",
    )
    despite: tuple[Why, ...] = Field(
        default=(),
        description="Why views may be set aside by the order and are written nevertheless, last.",
    )
    catalogs: dict[str, str] = Field(
        default={},
        description="Old catalog name to the target's: texts that use it have to change.",
    )
    qualify: Qualify = Field(
        default=Qualify.DRAFT,
        description="Of a text whose names would lead elsewhere at the target: `adopt` a draft "
        "with other names; `draft`: write that once it is adopted in the plan; `refuse`: block it.",
    )

    widen: tuple[Widening, ...] = Field(
        default=(),
        description="Types that become wider where the target refuses a view with them; each is "
        "listed as a loss. `nanoseconds` are cut to microseconds.",
    )
    query: str = Field(
        default="",
        description="The dialect whose text becomes `query`, too, where the target demands one, as "
        "Paimon does: what engines run that find no text in their own dialect.",
    )

    def rule(self) -> Rule:
        """The rule."""
        return Rule(
            source=self.source,
            views=Patterns(self.include, self.exclude),
            target=self.target,
            namespace=self.namespace,
            name=self.name,
            dialects=self.dialects,
            collisions=self.collisions,
            despite=self.despite,
            catalogs=tuple(self.catalogs.items()),
            qualify=self.qualify,
            widen=self.widen,
            query=self.query,
        )


class RightsRule(Strict):
    """A rule of `rights`: what grantees are at Gravitino. The first that fits one decides."""

    grantee: str = Field(
        default="*", description="Glob over its name, by case; everybody's name is empty."
    )
    source: str | None = Field(default=None, description="Left out: all.")
    kind: GranteeKind | None = Field(default=None, description="Left out: all.")
    role: Annotated[str | None, _template("{name}", "{user}")] = Field(
        default=None,
        min_length=1,
        description="Role that has what the grantee has; `{name}` stands for its name, `{user}` "
        "for that up to its last `@`.",
    )
    member: Annotated[str | None, _template("{name}", "{user}")] = Field(
        default=None,
        min_length=1,
        description="User, or group if it is one, that the grantee is; the same.",
    )

    def rule(self) -> CarryingRule:
        """The rule."""
        return CarryingRule(self.grantee, self.source, self.kind, self.role, self.member)


class TargetSettings(Strict):
    """What every target may say beside the options of its store."""

    server_version: str = Field(
        default=routes.SERVER_VERSION, description="Release of the Gravitino server."
    )
    accept_unserved: bool = Field(
        default=False, description="Whether rows are written that no such server shows."
    )
    bootstrap_parents: bool = Field(
        default=False,
        description="Whether missing namespaces above others are made, whoever may make them.",
    )
    rights: bool = Field(
        default=False,
        description="Whether roles, their members and owners are made there by the rules of "
        "`rights`, as far as nobody reads more than before; only a Gravitino keeps them.",
    )
    tags: str | None = Field(
        default=None,
        pattern=TEXT,
        max_length=LONGEST,
        description="Pattern such as `belvedere:wave-{wave}`: each view gets the tag of its wave "
        "instead of one of another wave; only `gravitino-rest` puts tags on views, from 2.0 on.",
    )
    rehearsal: dict[str, Any] = Field(
        default={},
        description="Where a copy of it is: what of all this is otherwise there, for `belvedere "
        "rehearse`.",
    )

    def pattern(self) -> TagPattern | None:
        """How its tags are named; None: it gets none."""
        return None if self.tags is None else TagPattern(self.tags)


class Crawling(Strict):
    """How a crawl goes about it."""

    full_every: str | None = Field(
        default=None,
        pattern=PATTERN,
        description="Age such as 7d: a crawl takes over from the run before what a source's "
        "listing shows to be unchanged, unless the latest full one is older; without it, all are "
        "full.",
    )
    rate: dict[str, Annotated[float, Field(gt=0)]] = Field(
        default={},
        description="Source to how many objects a second are fetched of it at most; its "
        "connections share that evenly.",
    )
    slow_down: float = Field(
        default=SLOW_DOWN,
        ge=0,
        description="How many times its idle latency a Hive Metastore or a database may take to "
        "answer before less is asked of it; 0: any.",
    )
    between: str | None = Field(
        default=None,
        pattern=windows.PATTERN,
        description="Part of the day such as 22:00-05:00, by the clock of the driver: when it is "
        "over, a crawl stops, and `crawl --resume` goes on.",
    )

    grants: bool = Field(
        default=False,
        description="Whether a crawl also asks each source who may do what, which takes further "
        "calls, and of MySQL's family and of some metastores further rights.",
    )

    def age(self) -> timedelta | None:
        """How old the latest full crawl may be; None: each is full."""
        return None if self.full_every is None else age(self.full_every)

    def care(self, sources: Iterable[str]) -> dict[str, Care]:
        """How each source is spared."""
        return {name: Care(self.rate.get(name), self.slow_down) for name in sources}

    def window(self) -> windows.Window | None:
        """The part of the day in which it may crawl; None: all of it."""
        return windows.Window.of(self.between) if self.between else None


class Estate(Strict):
    """`estate.yaml`: what is crawled, where it goes, and where the runs are kept."""

    warehouse: PathText = Field(
        description="Folder for the runs: a path or a URI that Spark knows."
    )
    archive: bool = Field(default=False, description="Whether a crawl archives its raw objects.")
    sources: dict[str, dict[str, Any]] = Field(min_length=1)
    targets: dict[str, dict[str, Any]] = Field(default={})
    mapping: tuple[Mapped, ...] = Field(
        default=(),
        description="Which source goes where; without it, all but databases go to the only target.",
    )
    rights: tuple[RightsRule, ...] = Field(
        default=(),
        description="What grantees of sources are at Gravitino, for `belvedere rights --plan`; "
        "written only where a target says `rights: true`.",
    )
    engines: Engines | None = Field(
        default=None,
        description="Engines whose parsers judge the views, as a list, or with settings, as "
        "`{trino: {hive_views: true}, spark: {}}`; by default all, and sqlglot's opinion "
        "on MySQL, Doris and StarRocks where they are sources.",
    )
    jars_dir: PathText | None = Field(
        default=None,
        description="Folder with the judges' jars; without it Spark's resolver fetches them.",
    )
    catalogs: dict[str, dict[str, str]] = Field(
        default={},
        description="What engines call the sources: engine to catalog name to source. The default "
        "catalog of a view is taken for its own source where this does not say otherwise.",
    )
    drafts: Drafts = Field(
        default={},
        description="Dialect to the translator that proposes a text where a view has none in it: "
        "`coral` or `sqlglot`; what the engine's own analyzer accepts may be adopted in a plan.",
    )
    crawl: Crawling = Crawling()
    fail_on: FailOn = FailOn()
    accepted: PathText | None = Field(
        default=None,
        description="File of the faults that no gate counts; `belvedere accept` writes it.",
    )
    notify: Notify | None = Field(
        default=None, description="Who is told how a stage, or a run of all of them, has ended."
    )
    openlineage: OpenLineage | None = Field(
        default=None, description="Where a report sends events of OpenLineage, beside the file."
    )
    quality: QualityExpectations = Field(
        default=QualityExpectations(), description="What `quality` expects of a run."
    )
    usage: tuple[UsageLog, ...] = Field(
        default=(), description="The logs from which `usage` learns which views are used."
    )

    def rules(self, targets: tuple[str, ...], moving: Iterable[str]) -> tuple[Rule, ...]:
        """The rules; where none is stated, the sources that are moving go to the only target."""
        if self.mapping or len(targets) != 1:
            return tuple(rule.rule() for rule in self.mapping)
        return tuple(Rule(source=name, target=targets[0]) for name in moving)
