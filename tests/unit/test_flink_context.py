"""Where the short names of a view of Flink lead: what its two texts say together."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from discovery.crawl import normalize
from discovery.formats.flink_context import Context, derive
from discovery.lineage.references import Catalogs, place
from discovery.model import Identifier, Representation, View
from discovery.outcomes import Listed, Outcome, RawObject

GOLDEN = Path(__file__).parents[1] / "golden" / "hms"
UNKNOWN = Context(fits=False)


@pytest.mark.parametrize(
    ("original", "expanded", "context"),
    [
        ("SELECT a FROM src", "SELECT `src`.`a` FROM `hc`.`fl`.`src`", Context("hc", "fl")),
        (
            "SELECT 1 FROM a JOIN d.b ON TRUE JOIN x.y.z ON TRUE",
            "SELECT 1 FROM `hc`.`fl`.`a` JOIN `hc`.`d`.`b` ON TRUE JOIN `x`.`y`.`z` ON TRUE",
            Context("hc", "fl"),
        ),
        ("SELECT 1 FROM d.b", "SELECT 1 FROM `hc`.`d`.`b`", Context("hc", None)),
        ("SELECT 1 FROM x.y.z", "SELECT 1 FROM `x`.`y`.`z`", Context()),
        ("SELECT 1", "SELECT 1", Context()),
        (
            "WITH c AS (SELECT 1 FROM a) SELECT 1 FROM c",
            "WITH `c` AS (SELECT 1 FROM `hc`.`fl`.`a`) SELECT 1 FROM `c`",
            Context("hc", "fl"),
        ),
        (
            "SELECT EXTRACT(YEAR FROM ts), 'from x' FROM a, b",
            "SELECT EXTRACT(YEAR FROM `a`.`ts`), 'from x' FROM `hc`.`fl`.`a`, `hc`.`fl`.`b`",
            Context("hc", "fl"),
        ),
        (
            "SELECT 1 FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '1' DAY))",
            "SELECT 1 FROM TABLE(TUMBLE(TABLE `hc`.`fl`.`a`, DESCRIPTOR(`ts`), INTERVAL '1' DAY))",
            Context("hc", "fl"),
        ),
        (
            "SELECT 1 FROM -- all of it\n /* here */ `my``t`",
            "SELECT 1 FROM `h.c`.`f l`.`my``t`",
            Context("h.c", "f l"),
        ),
        (
            "WITH c AS (SELECT 1) SELECT 1 FROM c, a",
            "WITH `c` AS (SELECT 1) SELECT 1 FROM `c`, `hc`.`fl`.`a`",
            Context("hc", "fl"),
        ),
        (  # fields of a row, which Flink's `Expander` gives three parts
            "SELECT EXTRACT(DAY FROM r.ts), TRIM(BOTH FROM r.b), r.a IS DISTINCT FROM r.b FROM a",
            (
                "SELECT EXTRACT(DAY FROM `a`.`r`.`ts`), TRIM(BOTH FROM `a`.`r`.`b`), "
                "`a`.`r`.`a` IS DISTINCT FROM `a`.`r`.`b` FROM `hc`.`fl`.`a`"
            ),
            Context("hc", "fl"),
        ),
        (
            "SELECT EXTRACT(DAY FROM r.ts) FROM x.y.z",
            "SELECT EXTRACT(DAY FROM `z`.`r`.`ts`) FROM `x`.`y`.`z`",
            Context(),
        ),
        (
            "SELECT EXTRACT(DAY FROM (SELECT MAX(ts) FROM b)) FROM (SELECT 1 FROM a)",
            (
                "SELECT EXTRACT(DAY FROM (SELECT MAX(`b`.`ts`) FROM `hc`.`fl`.`b`)) "
                "FROM (SELECT 1 FROM `hc`.`fl`.`a`)"
            ),
            Context("hc", "fl"),
        ),
        ("SELECT 1 FROM A", "SELECT 1 FROM `hc`.`fl`.`a`", Context("hc", "fl")),  # Hive dialect
        ("SELECT 1 FROM a", "SELECT 1 FROM `hc`.`fl`.`b`", UNKNOWN),
        ("SELECT 1 FROM a", "SELECT 1", UNKNOWN),
        (
            "SELECT 1 FROM a JOIN b ON TRUE",
            "SELECT 1 FROM `hc`.`fl`.`a` JOIN `hc`.`other`.`b` ON TRUE",
            UNKNOWN,
        ),
        ("SELECT 1 FROM a JOIN d.b", "SELECT 1 FROM `hc`.`fl`.`a` JOIN `x`.`d`.`b`", UNKNOWN),
    ],
)
def test_the_two_texts_say_where_short_names_lead(
    original: str, expanded: str, context: Context
) -> None:
    assert derive(original, expanded) == context


def read(**texts: str | None) -> Outcome:
    case: dict[str, Any] = json.loads((GOLDEN / "flink120-v_plain.json").read_text("utf-8"))
    return normalize(RawObject(Listed(("fl",), "v"), "hive_table", case["raw"]["payload"] | texts))


def text(outcome: Outcome) -> Representation:
    assert isinstance(outcome.result, View), outcome.result
    return outcome.result.representations[0]


def test_the_given_text_is_taken_with_the_context_of_the_other() -> None:
    outcome = read()
    representation = text(outcome)
    assert representation.sql.startswith("SELECT `id`, `name`\nFROM `src`")
    assert (representation.default_catalog, representation.default_levels) == ("hc", ("fl",))
    (note,) = outcome.notes
    assert note.code == "TEXT_OF_TWO"
    assert note.message.startswith("viewOriginalText is taken")
    catalogs = Catalogs({}, {"lake": str.lower})
    assert (
        place(("src",), "lake", Identifier(("other",), "v"), representation, catalogs).key
        == "fl.src"
    )


def test_texts_that_do_not_fit_together_leave_the_qualified_one() -> None:
    expanded = "SELECT 1 FROM `hc`.`fl`.`b`"
    outcome = read(viewOriginalText="SELECT 1 FROM `a`", viewExpandedText=expanded)
    assert text(outcome) == Representation(dialect="flink", sql=expanded)
    (note,) = outcome.notes
    assert note.message.startswith("viewExpandedText is taken")


@pytest.mark.parametrize(
    ("original", "expanded", "dialect"),
    [
        ("SELECT * FROM d.order", "SELECT `order`.`date` FROM `d`.`order`", "hive"),
        ("SELECT 1 AS one", "SELECT 1 AS `one`", "hive"),
        ("SELECT '`' AS a", "SELECT '`' AS `a`", "hive"),
        ("SELECT a FROM d.x, y", "SELECT `x`.`a` FROM `d`.`x`, `hc`.`fl`.`y`", "flink"),
        (  # its name is no longer that of the common table expression
            "WITH c AS (SELECT a FROM d.x) SELECT a FROM c",
            "WITH c AS (SELECT `x`.`a` FROM `d`.`x`) SELECT `c`.`a` FROM `hc`.`fl`.`c`",
            "flink",
        ),
    ],
)
def test_of_a_view_in_hives_dialect_the_expanded_text_is_taken(
    original: str, expanded: str, dialect: str
) -> None:
    outcome = read(viewOriginalText=original, viewExpandedText=expanded)
    catalog = "hc" if dialect == "flink" else None
    assert text(outcome) == Representation(dialect=dialect, sql=expanded, default_catalog=catalog)
    (note,) = outcome.notes
    assert note.message.startswith("viewExpandedText is taken")


def test_one_text_is_taken_as_it_is() -> None:
    for texts in (
        {"viewOriginalText": "SELECT 1 FROM a", "viewExpandedText": None},
        {"viewOriginalText": None, "viewExpandedText": "SELECT 1 FROM a"},
        {"viewOriginalText": "SELECT 1 FROM a", "viewExpandedText": "SELECT 1 FROM a"},
    ):
        outcome = read(**texts)
        assert text(outcome) == Representation(dialect="flink", sql="SELECT 1 FROM a")
        assert outcome.notes == ()


@pytest.mark.parametrize("what", ["/*+", "/* ' ", "' /* ", "`", "' "])
def test_the_time_for_a_text_grows_with_its_length(what: str) -> None:
    text = "SELECT `id` FROM `src` WHERE " + what * 60_000
    begun = time.process_time()
    assert derive(text, text).fits
    assert time.process_time() - begun < 5, "it took minutes, of a megabyte an hour"
