"""The dialect that a rule names for `query`, which Paimon demands of each view."""

from collections.abc import Callable

import pytest

from connectors.gravitino import providers
from connectors.gravitino.rest.options import Options
from discovery.datatypes.widening import Widening
from discovery.errors import QueryUnnamedError
from discovery.formats import paimon_writing
from discovery.migration.candidates import Terms, bring_together, map_view
from discovery.migration.mapping import Rule
from discovery.migration.wanted import Canonical, Origin, SourceView, Wanted
from discovery.model import Column, Identifier, Primitive, Representation, View
from discovery.ports import Held
from tests.statements import READER

Hold = Callable[[View], Held]
PLACE = Identifier(("s",), "v")


def text(dialect: str, sql: str = "SELECT 1 AS id") -> Representation:
    return Representation(dialect=dialect, sql=sql)


def view(*texts: Representation, kind: str = "long") -> View:
    return View(identifier=PLACE, columns=(Column("id", Primitive(kind)),), representations=texts)


def in_gravitino(given: View) -> Held:
    options = Options(uri="http://g:1", metalake="m", catalog="c", provider="lakehouse-paimon")
    return providers.hold(given, options)


BOTH = pytest.mark.parametrize("hold", [in_gravitino, paimon_writing.hold])


def planned(rules: list[Rule], hold: Hold, **views: View) -> Wanted:
    """What the plan makes of views of sources for the place that they meet at."""
    terms = Terms.of(rules, {})
    source_views = [
        SourceView(
            origin=Origin(source, "s.v", "1"), identifier=PLACE, model=Canonical.of(one), wave=1
        )
        for source, one in views.items()
    ]
    (planned,) = bring_together(
        [map_view(source_view, terms, READER) for source_view in source_views], hold
    )
    return planned


def texts(wanted: Wanted) -> dict[str, str]:
    return {
        representation.dialect: representation.sql
        for representation in wanted.view().representations
    }


@BOTH
def test_the_text_of_the_named_dialect_becomes_query_and_stays_beside_it(hold: Hold) -> None:
    rule = Rule(source="a", target="t", query="Trino")
    wanted = planned([rule], hold, a=view(text("spark"), text("trino", "SELECT 2 AS id")))
    assert wanted.barred is None
    assert texts(wanted) == {
        "query": "SELECT 2 AS id",
        "spark": "SELECT 1 AS id",
        "trino": "SELECT 2 AS id",
    }


@BOTH
def test_a_view_that_has_a_query_keeps_it(hold: Hold) -> None:
    rule = Rule(source="a", target="t", query="spark")
    wanted = planned([rule], hold, a=view(text("Query", "SELECT 3 AS id"), text("spark")))
    assert texts(wanted) == {"query": "SELECT 3 AS id", "spark": "SELECT 1 AS id"}


@BOTH
def test_without_a_name_or_its_text_the_view_is_blocked_with_what_it_has(hold: Hold) -> None:
    given = view(text("Spark"), text("hive"))
    unnamed = planned([Rule(source="a", target="t")], hold, a=given).barred
    assert unnamed is not None
    assert "has the dialect query; this one has Spark, hive" in unnamed.reason
    assert "query: spark" in unnamed.reason
    assert str(unnamed.code) == QueryUnnamedError.code
    other = planned([Rule(source="a", target="t", query="flink")], hold, a=given).barred
    assert other is not None
    assert "takes the text `query` from flink, and it has spark, hive" in other.reason


def test_a_target_that_demands_none_gets_none() -> None:
    given = view(text("spark"))
    wanted = planned([Rule(source="a", target="t", query="spark")], Held, a=given)
    assert wanted.view() == given


def test_of_rules_whose_views_meet_the_first_that_names_one_does() -> None:
    rules = [Rule(source="a", target="t"), Rule(source="b", target="t", query="trino")]
    wanted = planned(
        rules, paimon_writing.hold, a=view(text("spark")), b=view(text("trino", "SELECT 2 AS id"))
    )
    assert texts(wanted)["query"] == "SELECT 2 AS id"


def test_it_goes_with_wider_types() -> None:
    rule = Rule(source="a", target="t", query="spark", widen=(Widening.UUID,))
    wanted = planned([rule], paimon_writing.hold, a=view(text("spark"), kind="uuid"))
    assert wanted.barred is None
    assert wanted.view().columns[0].type == Primitive("string")
    assert "query" in texts(wanted)
