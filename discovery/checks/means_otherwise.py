"""An engine reads a text of Hive or Spark, and has other values for some of what stands there.

Spark reads Hive's views by their text, Trino by what Coral makes of it (`hive.hive-views.enabled`).
Neither refuses a function that it has by the same name with another meaning: `stddev` is that of
all rows to Hive and that of a sample to the others, `greatest(1, NULL)` is NULL to Hive and 1 to
Spark, `1 / 2` is 0.5 to Hive and 0 to Trino, and `date_format(d, 'yyyy-MM')` is `yyyy-MM` to Trino
(HiveServer2 2.3.10, Spark 4.1.4 and Trino 476 were asked of 617 expressions). What depends on a
type is told where the type may be such a one, by the columns of what the text reads, and the
message says when a value is another one. Columns that are times are named once, as Trino rounds
them. Views of Spark in a metastore are read by Hive, and by Trino as Hive's are. Where `engines`
has Flink, it is told what is otherwise to that, which reads both: `7 / 2` is 3 to Flink, and `a[1]`
the first element (1.20.5).

Spark reads Trino's views of Iceberg, which have no text for it: `7 / 2` is 3.5 there, `l[1]` the
second element, and `"id"` a text (4.3.0, asked of 365 texts).

Trino and Flink keep a backslash in a literal, by which Hive and Spark write a tab, or the sign for
digits in a pattern, which then finds nothing there. `'don''t'` is `dont` to Hive.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from discovery.checks.subject import Finding, OtherMeaning, ReadElsewhere, Severity, example
from discovery.engines import WITH_HIVES_FUNCTIONS, engine
from discovery.model import (
    HIVE,
    SPARK,
    TRINO,
    DataType,
    Primitive,
    Representation,
    View,
    parts,
)

CODE: Final = "MEANS_OTHERWISE"
_VIEW: Final = example("hive", "hive", "SELECT stddev(x) AS s FROM db.t", "db.t").view
EXAMPLE_GOOD: Final = ReadElsewhere(_VIEW, HIVE, ())
_ICEBERG: Final = "iceberg"
FORMATS: Final = (*WITH_HIVES_FUNCTIONS, _ICEBERG)
"""How entries are stored of which another engine reads the text."""
EXAMPLE_BAD: Final = replace(
    EXAMPLE_GOOD,
    meanings=(OtherMeaning(SPARK, "STDDEV(x)", "of all rows to Hive, of a sample"),),
)


def text_read_elsewhere(view: View, form: str, engines: Collection[str]) -> Representation | None:
    """The text of a view that engines read which did not write it; None: there is none.

    Of Iceberg's views Spark, where the estate has it, reads the first if none is its own, and that
    is looked at if it is Trino's. Other engines refuse texts of another dialect.

    Args:
        view: The view.
        form: How its entry is stored.
        engines: Of the estate.
    """
    dialects = [text.dialect.casefold() for text in view.representations]
    if form in WITH_HIVES_FUNCTIONS and form in dialects:
        return view.representations[dialects.index(form)]
    is_run_by_spark = form == _ICEBERG and SPARK in engines and SPARK not in dialects
    return view.representations[0] if is_run_by_spark and dialects[0] == TRINO else None


def check(subject: ReadElsewhere) -> Iterator[Finding]:
    """What the text has that means otherwise elsewhere."""
    if engine(subject.dialect).hive_functions:
        yield from _rounded_times(subject)
    for meaning in subject.meanings or ():
        other = SPARK if meaning.engine == HIVE else meaning.engine  # Hive is named in `what`
        yield Finding(
            Severity.WARNING,
            f"{meaning.expression}: {meaning.what} in {engine(other).title}",
            "write what means the same to both, or give the view a text of its own there",
            meaning.engine,
            subject.dialect,
        )


def _rounded_times(subject: ReadElsewhere) -> Iterator[Finding]:
    """Trino (476) rounds the times of Hive's tables, all but with `hive.timestamp-precision`."""
    for column in subject.view.columns:
        if _has_time(column.type):
            yield Finding(
                Severity.WARNING,
                f"{column.name}: thousandths of seconds, rounded, of what is finer to "
                f"{engine(subject.dialect).title} in {engine(TRINO).title}",
                "set hive.timestamp-precision there, if times have millionths of seconds",
                TRINO,
                subject.dialect,
            )
            return


def _has_time(kind: DataType) -> bool:
    if isinstance(kind, Primitive):
        return kind.text.startswith("timestamp")
    return any(map(_has_time, parts(kind)))
