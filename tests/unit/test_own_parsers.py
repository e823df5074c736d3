"""What a text reads: as its own engine's parser tells it, where that tells all."""

from connectors.judges.bounded import Bounded
from discovery.model import Representation
from discovery.ports import Verdict
from jobs.assessing.workers.elements import JudgeAnswer
from jobs.assessing.workers.views import _find_lineage


class _Sqlglot(Bounded):
    """Tells one table of every text but those that compute a name."""

    def ask(self, call: str, *told: object) -> object:
        return None if "IDENTIFIER" in str(told) else ((("d", "sqlglots"),), ())


def read(sql: str, verdict: Verdict) -> tuple[tuple[str, ...], ...] | None:
    text = Representation(dialect="spark", sql=sql)
    found = _find_lineage(text, JudgeAnswer("4.3.0", verdict), _Sqlglot())
    return None if found is None else found.tables


def test_a_parser_that_accepts_tells_what_is_read_and_sqlglot_stands_in() -> None:
    assert read("SELECT 1 FROM t", Verdict(True, tables=(("t",),))) == (("t",),)
    assert read("SELECT 1 FROM t", Verdict(False, "no")) == (("d", "sqlglots"),)


def test_of_a_name_that_is_to_be_computed_nobody_can_tell() -> None:
    sql = "SELECT a FROM IDENTIFIER(concat('s.', 't')), s.u"
    assert read(sql, Verdict(True, tables=(("s", "u"),), tells_tables=False)) is None
