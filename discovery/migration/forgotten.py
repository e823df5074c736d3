"""What engines note beside a text in a metastore, and look for nowhere else: `contexts.forgets`."""

from collections.abc import Iterator
from typing import Final

from discovery.formats import spark, trino
from discovery.migration.wanted import Wanted
from discovery.model import SPARK, TRINO, View, dotted

_BY_POSITION: Final = (
    "the names by which Spark takes what its * returns: it is taken by position, and a column that"
    " a table gets before others gives other rows"
)


def losses(wanted: Wanted) -> tuple[str, ...]:
    """What a view does not have any more, a sentence each; most views are not parsed."""
    if spark.OWN not in wanted.model.text and trino.PATH not in wanted.model.text:
        return ()
    view = wanted.view()
    return (*_by_spark(view), *_by_trino(view))


def _by_spark(view: View) -> Iterator[str]:
    texts = [
        representation.sql
        for representation in view.representations
        if representation.dialect.casefold() == SPARK
    ]
    if not texts:
        return
    for setting in (*filter(None, [spark.told_settings(view)]), *spark.beside_text(view)):
        yield f"what Spark sets for its text in a metastore alone: {setting}"
    if any(spark.binds_star(view, sql) for sql in texts):
        yield _BY_POSITION


def _by_trino(view: View) -> Iterator[str]:
    """The path by which it completes names of functions: views of Iceberg have none (Trino 476)."""
    path = ", ".join(dotted(level) for level in trino.path(view))
    if path and any(
        representation.dialect.casefold() == TRINO for representation in view.representations
    ):
        yield f"where Trino looks for functions by their short names: {path}; it refuses such names"
