"""Which types become others by themselves."""

import pytest

from discovery.datatypes.casting import becomes
from discovery.model import ListOf, Primitive


@pytest.mark.parametrize(
    ("kind", "wider"),
    [
        ("integer", "integer"),
        ("integer", "long"),
        ("byte", "short"),
        ("float", "double"),
        ("varchar(5)", "varchar(10)"),
        ("varchar(5)", "string"),
        ("decimal(15,2)", "decimal(38,18)"),
        ("decimal(15, 2)", "decimal(16,3)"),
        ("timestamp(0)", "timestamp(6)"),
        ("timestamp_tz(3)", "timestamp_tz(6)"),
    ],
)
def test_what_is_narrower_becomes_wider_and_never_the_other_way(kind: str, wider: str) -> None:
    assert becomes(Primitive(kind), Primitive(wider))
    assert becomes(Primitive(wider), Primitive(kind)) is (kind == wider)


@pytest.mark.parametrize(
    ("kind", "other"),
    [
        ("decimal(38,9)", "decimal(38,18)"),
        ("decimal(5,3)", "decimal(6,2)"),
        ("timestamp(3)", "timestamp_tz(6)"),
        ("date", "timestamp(6)"),
        ("integer", "decimal(38,0)"),
        ("long", "double"),
        ("char(3)", "varchar(10)"),
        ("string", "varchar(10)"),
        ("interval_day", "interval_year"),
        ("integer unsigned", "long"),
    ],
)
def test_what_changes_a_value_or_is_refused_does_not(kind: str, other: str) -> None:
    assert not becomes(Primitive(kind), Primitive(other))
    assert not becomes(ListOf(Primitive("integer")), Primitive(other))
