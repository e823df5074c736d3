from dataclasses import replace

from discovery.migration.mapping import Collisions, Rule, merge, tell_hidden
from discovery.model import Column, Identifier, Primitive, Representation, View
from discovery.patterns import Patterns

SPARK = Representation(dialect="spark", sql="SELECT id FROM t")
TRINO = Representation(dialect="trino", sql="SELECT id FROM t")
VIEW = View(
    identifier=Identifier(("sales", "eu"), "v"),
    columns=(Column("id", Primitive("integer")),),
    representations=(SPARK, TRINO),
)


def moved(rule: Rule) -> str | None:
    view = rule.at_target(VIEW)
    return None if view is None else str(view.identifier)


def test_a_rule_is_about_views_of_its_source_that_its_globs_name() -> None:
    rule = Rule(source="a", views=Patterns(("sales.eu.*",), ("sales.eu.tmp_*",)))
    assert rule.names("a", VIEW.identifier)
    assert not rule.names("b", VIEW.identifier)
    assert not rule.names("a", Identifier(("sales", "eu"), "tmp_1"))
    assert not rule.names("a", Identifier(("hr",), "v"))


def test_a_rule_renames_and_re_homes() -> None:
    assert moved(Rule(source="a")) == "sales.eu.v"
    assert moved(Rule(source="a", namespace=("bronze", "*"))) == "bronze.sales.eu.v"
    assert moved(Rule(source="a", namespace=("from_{source}",))) == "from_a.v"
    assert moved(Rule(source="a", name="{source}_{name}_old")) == "sales.eu.a_v_old"


def test_a_name_with_braces_is_just_a_name() -> None:
    odd = replace(VIEW, identifier=Identifier(("db",), "{source}"))
    view = Rule(source="a", name="{name}!").at_target(odd)
    assert view is not None
    assert view.identifier.name == "{source}!"


def test_a_rule_takes_some_dialects_ignoring_case_and_no_view_without_one() -> None:
    view = Rule(source="a", dialects=("Trino",)).at_target(VIEW)
    assert view is not None
    assert view.representations == (TRINO,)
    assert Rule(source="a", dialects=("flink",)).at_target(VIEW) is None


A_AND_B = (("a", "s.v"), ("b", "s.v"))
ONE, OTHER = replace(VIEW, representations=(SPARK,)), replace(VIEW, representations=(TRINO,))


def test_views_of_several_sources_become_one_with_the_dialects_of_all() -> None:
    merged = merge([ONE, OTHER], A_AND_B, Collisions.MERGE)
    assert (merged.view, merged.conflict, merged.taken) == (VIEW, "", 2)


def test_what_the_others_say_otherwise_is_told_as_a_loss() -> None:
    merged = merge([ONE, replace(OTHER, comment="c")], A_AND_B, Collisions.MERGE)
    assert merged.losses == ("the comment that b has: that of a is taken",)


def test_unlike_columns_and_texts_are_conflicts_that_say_how() -> None:
    unlike = replace(OTHER, columns=(Column("id", Primitive("long")),))
    assert (
        'id "integer" in one and id "long"'
        in merge([ONE, unlike], A_AND_B, Collisions.MERGE).conflict
    )
    text = replace(ONE, representations=(replace(SPARK, sql="SELECT 2"),))
    told = merge([ONE, text], A_AND_B, Collisions.MERGE).conflict
    assert told.endswith("a and b have different texts in spark")


def test_two_views_of_one_source_are_never_one() -> None:
    places = [("a", "s.v"), ("a", "t.v"), ("b", "s.v")]
    merged = merge([ONE, OTHER, ONE], places, Collisions.MERGE)
    assert merged.conflict == (
        "a/s.v, a/t.v, b/s.v would meet here, and two of them are views of one source"
    )
    assert merge([ONE, OTHER], places[:2], Collisions.FIRST).view == ONE


def test_a_policy_may_forbid_merging_or_take_the_first() -> None:
    assert "would meet" in merge([ONE, OTHER], A_AND_B, Collisions.CONFLICT).conflict
    first = merge([ONE, OTHER], A_AND_B, Collisions.FIRST)
    assert (first.view, first.conflict, first.taken) == (ONE, "", 1)


def rule(*include: str, exclude: tuple[str, ...] = (), source: str = "a") -> Rule:
    return Rule(source=source, views=Patterns(include, exclude))


def test_a_rule_that_stands_behind_a_wider_one_is_told() -> None:
    rules = [rule("hr"), rule(source="b"), rule("s.v_*"), rule(), rule("sales"), rule()]
    assert list(tell_hidden(rules)) == [
        f"Rule {number} of `mapping` for a decides of no view: rule 3 for a stands before it and "
        "names all that it names."
        for number in (4, 5)
    ]
    assert list(tell_hidden([rule("sales"), rule()])) == []
    assert list(tell_hidden([rule(exclude=("tmp",)), rule("sales")])) == []
    assert len(list(tell_hidden([rule(exclude=("tmp",)), rule("sales", exclude=("TMP",))]))) == 1


PATTERNS = ("s", "*", "s.*", "s*", "s.v", "s.*v", "s.t.*", "s.t.v", "*.v", "S.?", "s.[v]", "t", "")
NAMES = [
    Identifier(levels, name)
    for levels in (("s",), ("s", "t"), ("st",), ("t",), ("s", "v"))
    for name in ("v", "w", "vv", "t.v", "v.v")
]


def test_a_rule_that_is_told_to_be_hidden_never_decides() -> None:
    hidden = 0
    for first in (rule(), *(rule(one, two) for one in PATTERNS for two in PATTERNS)):
        for second in (rule(), *(rule(one) for one in PATTERNS)):
            if list(tell_hidden([first, second])):
                hidden += 1
                decided = [name for name in NAMES if second.names("a", name)]
                assert all(first.names("a", name) for name in decided), (first, second)
    assert hidden > 500
    assert list(tell_hidden([rule("s"), rule("s.v")]))
    assert list(tell_hidden([rule("s*"), rule("st.*")]))
    assert not list(tell_hidden([rule("s.*v"), rule("s.t.v")])), "it is about another namespace"
