import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.errors import InvalidViewError
from discovery.model import Column, Identifier, Primitive, Representation, View, encoded


def view(*dialects: str) -> View:
    return View(
        identifier=Identifier(("db",), "v"),
        columns=(Column("id", Primitive("long")),),
        representations=tuple(
            Representation(dialect=dialect, sql="SELECT 1") for dialect in dialects
        ),
    )


def test_a_view_has_a_representation() -> None:
    with pytest.raises(InvalidViewError, match="no representation"):
        view()


def test_a_dialect_stands_once_whatever_its_case() -> None:
    with pytest.raises(InvalidViewError, match="a dialect twice: Spark, spark"):
        view("Spark", "spark")


def test_an_unknown_dialect_survives() -> None:
    assert view("klingon").representations[0].dialect == "klingon"


@given(st.lists(st.text(min_size=1), min_size=1), st.lists(st.text(min_size=1), min_size=1))
def test_encoded_levels_are_equal_only_if_the_levels_are(a: list[str], b: list[str]) -> None:
    assert (encoded(a) == encoded(b)) == (a == b)


def test_encoded_levels_of_plain_names_are_readable() -> None:
    assert encoded(("sales", "v_orders")) == "sales.v_orders"
    assert encoded(("a.b", "50%")) == "a%2Eb.50%25"
