"""Wider types, where a target refuses a view and a rule allows them."""

from collections.abc import Callable

import pytest

from connectors.gravitino import providers
from connectors.gravitino.rest.options import Options
from discovery.datatypes.widening import Widening, widen
from discovery.errors import NotHeldError
from discovery.migration.candidates import Terms, bring_together, map_view
from discovery.migration.mapping import Rule
from discovery.migration.wanted import Canonical, Origin, SourceView, Wanted
from discovery.model import (
    Column,
    DataType,
    Field,
    Identifier,
    ListOf,
    MapOf,
    Primitive,
    Representation,
    Struct,
    View,
)
from discovery.ports import Held
from tests.statements import READER

ALL = tuple(Widening)


def view(*types: DataType, dialect: str = "spark") -> View:
    columns = tuple(Column(f"c{n}", type_) for n, type_ in enumerate(types))
    text = Representation(dialect=dialect, sql="SELECT 1")
    return View(identifier=Identifier(("s",), "v"), columns=columns, representations=(text,))


@pytest.mark.parametrize(
    ("kind", "wider"),
    [
        ("varchar(3)", "string"),
        ("char(1)", "string"),
        ("byte", "integer"),
        ("short", "integer"),
        ("byte unsigned", "short"),
        ("long unsigned", "decimal(20,0)"),
        ("fixed(16)", "binary"),
        ("uuid", "string"),
        ("timestamp(3)", "timestamp(6)"),
        ("timestamp_tz(0)", "timestamp_tz(6)"),
        ("timestamp(9)", "timestamp(6)"),
        ("time(7)", "time(6)"),
        ("timestamp(6)", "timestamp(6)"),
        ("timestamp", "timestamp"),
        ("interval_day", "interval_day"),
        ("string", "string"),
    ],
)
def test_each_type_becomes_the_next_that_holds_it(kind: str, wider: str) -> None:
    found, told = widen(view(Primitive(kind)), ALL)
    assert found.columns[0].type == Primitive(wider)
    assert len(told) == (kind != wider)


def test_it_reaches_every_depth_and_names_the_column() -> None:
    code = Primitive("varchar(3)")
    deep = Struct((Field("a", ListOf(MapOf(code, Primitive("byte")))),))
    found, told = widen(view(deep, Primitive("long")), (Widening.VARCHAR,))
    inner = MapOf(Primitive("string"), Primitive("byte"))
    assert found.columns[0].type == Struct((Field("a", ListOf(inner)),))
    (said,) = told
    assert said.startswith("the type of c0: {")
    assert said.endswith("as its rule widens")


def test_nanoseconds_are_cut_only_where_that_is_said_by_name() -> None:
    precise = view(Primitive("timestamp(9)"))
    assert widen(
        precise, tuple(widening for widening in ALL if widening is not Widening.NANOSECONDS)
    ) == (
        precise,
        (),
    )


def planned(wanted: View, hold: Callable[[View], Held], *allowed: Widening) -> Wanted:
    """What the plan makes of a view for a target."""
    rule = Rule(source="a", target="t", widen=allowed)
    source_view = SourceView(
        origin=Origin("a", "s.v", "1"),
        identifier=wanted.identifier,
        model=Canonical.of(wanted),
        wave=1,
    )
    (planned,) = bring_together([map_view(source_view, Terms.of([rule], {}), READER)], hold)
    return planned


def refusing(*refused: str) -> Callable[[View], Held]:
    """A store that does not take some types, and says of each view that it loses its comment."""

    def hold(given: View) -> Held:
        for column in given.columns:
            if isinstance(column.type, Primitive) and column.type.text in refused:
                raise NotHeldError(f"{column.name}: {column.type.text} is not taken")
        return Held(given, ("its comment",))

    return hold


def test_a_view_is_widened_where_its_rule_says_so_and_only_as_far_as_it_must_be() -> None:
    wanted = view(Primitive("varchar(3)"), Primitive("byte"), Primitive("short"))
    found = planned(wanted, refusing("byte"), *ALL)
    types = [column.type for column in found.view().columns]
    assert types == [Primitive("varchar(3)"), Primitive("integer"), Primitive("short")]
    assert found.losses == (
        "the type of c1: byte becomes integer, as its rule widens",
        "its comment",
    )


def test_nothing_is_widened_unasked_or_where_it_does_not_help() -> None:
    wanted = view(Primitive("byte"), Primitive("varchar(3)"))
    assert planned(wanted, refusing(), *ALL).view() == wanted, "the target takes it"
    for allowed in ((), (Widening.VARCHAR,)):
        found = planned(wanted, refusing("byte"), *allowed)
        assert found.barred is not None
        assert "c0: byte is not taken" in found.barred.reason
    helpless = planned(view(Primitive("interval_day")), refusing("interval_day"), *ALL)
    assert helpless.barred is not None


def test_a_lakehouse_catalog_of_gravitino_takes_what_it_refused() -> None:
    options = Options(uri="http://g:1", metalake="m", catalog="c", provider="lakehouse-iceberg")
    names = ("varchar(3)", "char(1)", "byte", "short", "timestamp(3)", "timestamp(9)")
    wanted = view(*map(Primitive, names))

    def hold(given: View) -> Held:
        return providers.hold(given, options)

    assert planned(wanted, hold).barred is not None
    found = planned(wanted, hold, *ALL)
    assert found.barred is None
    assert len([loss for loss in found.losses if loss.endswith("as its rule widens")]) == len(names)


@pytest.mark.parametrize("kind", ["char(1)", "uuid", "timestamp(9)", "timestamp_tz(7)", "time(9)"])
def test_what_trino_does_not_take_for_the_wider_type_is_not_widened_for_it(kind: str) -> None:
    """Trino 476 refused each such view as stale: its text returns what it does not coerce."""
    hold = refusing(kind)
    assert planned(view(Primitive(kind)), hold, *ALL).barred is None
    wanted = planned(view(Primitive(kind), dialect="Trino"), hold, *ALL)
    assert wanted.barred is not None
    assert f"c0: {kind} is not taken" in wanted.barred.reason
    taken = planned(
        view(Primitive("timestamp(3)"), dialect="trino"), refusing("timestamp(3)"), *ALL
    )
    assert taken.barred is None
