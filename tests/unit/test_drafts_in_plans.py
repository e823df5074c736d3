"""What a plan makes of a view with a text that a translator has proposed."""

from dataclasses import replace

from discovery.errors import NotHeldError
from discovery.migration.mapping import Qualify
from discovery.migration.plan import DRAFT_THERE, Planned, lose, set_aside
from discovery.migration.wanted import Barred, Code, NameRead, Wanted
from discovery.model import Identifier, View
from discovery.ports import Action, Held
from tests.unit.test_migration_plan import (
    SPARK,
    TO_T,
    TRINO,
    VIEW,
    code,
    found,
    held,
    mapped,
    one_text,
    plan,
    refusing,
    there,
    together,
)

OWN = replace(VIEW, representations=(TRINO,))
PROPOSED = replace(SPARK, sql="SELECT id FROM spark_catalog.db.t")
BOTH = replace(VIEW, representations=(TRINO, PROPOSED))
ONE = found(OWN, drafts=(PROPOSED,))
READS = NameRead(
    dialect="spark",
    written=("spark_catalog", "db", "t"),
    catalog="spark_catalog",
    own=True,
    identifier=Identifier(("db",), "t"),
)


def only_spark(view: View) -> Held:
    texts = tuple(
        representation
        for representation in view.representations
        if representation.dialect == "spark"
    )
    if not texts:
        raise NotHeldError("no format for trino")
    return Held(replace(view, representations=texts), ("trino left out",))


def texts(wanted: Wanted) -> list[str]:
    return [representation.sql for representation in wanted.drafted().representations]


def offered(hold: object = held) -> Wanted:
    (wanted,) = together(mapped(ONE, TO_T), hold=hold)
    return wanted


def test_a_view_is_wanted_as_it_is_and_its_draft_waits_beside() -> None:
    wanted = offered()
    assert (wanted.view(), wanted.unsafe, wanted.losses) == (OWN, None, ())
    assert wanted.draft is not None
    assert wanted.draft.dialects == ("spark",)
    assert texts(wanted) == [TRINO.sql, PROPOSED.sql]
    new = plan(wanted, there())
    assert (new.action, new.wanted.view(), texts(new.wanted)) == (
        Action.CREATE,
        OWN,
        [TRINO.sql, PROPOSED.sql],
    )
    assert not new.adoptable, "it is written anyway"


def test_what_is_there_without_its_draft_is_kept_and_offers_it() -> None:
    kept = plan(offered(), there(OWN))
    assert (kept.action, kept.writes, kept.adoptable) == (Action.KEEP, False, True)
    assert texts(kept.wanted) == [TRINO.sql, PROPOSED.sql]
    assert lose(kept, ["f"]).wanted.losses == ("f",)
    barred = set_aside(kept, Barred(Code("NO_PARENT"), "db is missing"))
    assert (barred.action, barred.adoptable) == (Action.KEEP, False)


def test_what_is_there_with_its_draft_is_kept_and_offers_nothing() -> None:
    kept = plan(offered(), there(BOTH))
    assert (kept.action, kept.reason_text, kept.adoptable) == (Action.KEEP, DRAFT_THERE, False)
    assert kept.wanted.view() == BOTH


def test_a_draft_that_cannot_be_written_is_not_offered() -> None:
    assert offered(one_text).draft is None, "the target holds the first text alone"
    assert plan(offered(), there(replace(OWN, comment="c")), held).wanted.draft is not None
    (barred,) = together(mapped(ONE, TO_T), hold=refusing)
    assert (code(barred.barred), barred.draft) == ("NOT_HELD", None)
    conflict = plan(offered(), there(replace(OWN, representations=(SPARK,), columns=())))
    assert (conflict.action, conflict.wanted.draft) == (Action.CONFLICT, None)


def test_a_view_that_the_target_takes_with_its_draft_alone_waits_for_it() -> None:
    wanted = offered(only_spark)
    assert wanted.unsafe == Barred(Code("DRAFT_NOT_ADOPTED"), "no format for trino")
    assert (texts(wanted), wanted.losses) == ([PROPOSED.sql], ("trino left out",))
    waiting: Planned = plan(wanted, there())
    assert (waiting.action, waiting.adoptable) == (Action.BLOCKED, True)
    adopted = plan(wanted, there(replace(BOTH, representations=(PROPOSED,))))
    assert (adopted.action, adopted.reason_text) == (Action.KEEP, DRAFT_THERE)


def test_a_rule_that_takes_other_dialects_takes_the_draft_alone() -> None:
    rule = replace(TO_T, dialects=("spark",), name="{name}_v")
    wanted = mapped(ONE, rule).wanted
    assert (code(wanted.unsafe), wanted.stays) == ("DRAFT_NOT_ADOPTED", "")
    assert texts(wanted) == [PROPOSED.sql]
    assert wanted.view().identifier.name == "v_v"
    assert mapped(found(OWN), rule).wanted.stays.startswith("it has none of the dialects spark")
    mine = mapped(ONE, replace(TO_T, dialects=("trino",))).wanted
    assert (mine.draft, mine.unsafe) == (None, None)
    neither = mapped(ONE, replace(TO_T, dialects=("flink",))).wanted
    assert neither.stays.startswith("it has none of the dialects flink")


def test_the_names_of_a_draft_follow_the_move_as_others_do() -> None:
    rule = replace(TO_T, catalogs=(("spark_catalog", "lake"),))
    source_view = replace(ONE, reads=(READS,))
    moved = mapped(source_view, rule).wanted
    assert (moved.view(), moved.unsafe) == (OWN, None), "its own text has no such name"
    assert texts(moved) == [TRINO.sql, "SELECT id FROM lake.db.t"]
    assert mapped(source_view, replace(rule, qualify=Qualify.REFUSE)).wanted.draft is None
    adopted = mapped(source_view, replace(rule, qualify=Qualify.ADOPT)).wanted
    assert adopted.view() == OWN, "a proposal is adopted by a person alone"
    assert adopted.draft is not None


def test_proposals_of_views_that_meet_and_disagree_are_none() -> None:
    mine = mapped(ONE, TO_T)
    other = mapped(
        found(
            replace(OWN, representations=(replace(TRINO, dialect="hive"),)),
            "b",
            drafts=(replace(PROPOSED, sql="SELECT 2"),),
        ),
        replace(TO_T, source="b"),
    )
    (wanted,) = together(mine, other)
    assert [text.dialect for text in wanted.view().representations] == ["trino", "hive"]
    assert wanted.draft is None
