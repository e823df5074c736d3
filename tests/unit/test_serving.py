"""What a server shows of a view, beside what was to be written."""

from dataclasses import replace

import pytest

from discovery.migration.serving import unlike_served
from discovery.model import Audit, Column, Identifier, Primitive, Representation, View

VIEW = View(
    identifier=Identifier(("s",), "v"),
    columns=(Column("Id", Primitive("long"), "c", nullable=False),),
    representations=(Representation(dialect="flink", sql="SELECT 1 AS id", default_schema="s"),),
    audit=Audit(creator="ann"),
)
OF_SPARK = replace(VIEW.representations[0], dialect="Spark")


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        (None, ("served.view",)),
        (VIEW, ()),
        (replace(VIEW, columns=(Column("id", Primitive("string")),), comment="other"), ()),
        (replace(VIEW, columns=(Column("x", Primitive("long")),)), ("served.columns",)),
        (replace(VIEW, columns=()), ()),
        (
            replace(VIEW, representations=(replace(VIEW.representations[0], sql="SELECT 2"),)),
            ("served.representations.flink",),
        ),
        (
            replace(VIEW, columns=(), representations=(OF_SPARK,)),
            ("served.columns", "served.representations.flink", "served.representations.spark"),
        ),
    ],
)
def test_what_matters_is_that_it_is_this_view_by_these_texts(
    shown: View | None, told: tuple[str, ...]
) -> None:
    assert unlike_served(VIEW, shown, audited=False) == told


def test_who_made_it_counts_where_the_server_is_to_say_so() -> None:
    other = replace(VIEW, audit=Audit(creator="bob"))
    assert unlike_served(VIEW, other, audited=False) == ()
    assert unlike_served(VIEW, other, audited=True) == ("served.audit",)
