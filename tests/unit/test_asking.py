"""What a running engine is asked, how its answers are read, and when it is asked no more."""

import json

import pytest

from discovery.checks.columns_drift import check
from discovery.errors import DeniedError, UnreachableError
from discovery.judging.asking import (
    DIALOGUES,
    Endurance,
    LiveVerdict,
    Reply,
    asked_dialect,
    by_shown,
    hear,
    statements,
    summary,
)
from discovery.judging.paths import PATHS
from discovery.judging.paths import path as path_of
from discovery.judging.refusals import Refusal
from discovery.judging.shown_columns import compare_columns, unlike_planned
from discovery.model import Column, Identifier, Primitive, Representation, View
from discovery.pacing.turns import Turns
from discovery.ports import Verdict

TRINO = DIALOGUES["trino"]
VIEW = Identifier(("sales",), "v")


@pytest.mark.parametrize(
    ("levels", "name", "wanted"),
    [
        (("sales",), "v", '"hive"."sales"."v"'),
        (("a", "b"), "v", '"hive"."a.b"."v"'),
        (("sales",), 'x"; DROP VIEW y --', '"hive"."sales"."x""; DROP VIEW y --"'),
        (("s\n",), "v{}", '"hive"."s\n"."v{}"'),
        (("sales",), '""', '"hive"."sales".""""""'),
    ],
)
def test_names_are_quoted_as_the_engine_quotes(
    levels: tuple[str, ...], name: str, wanted: str
) -> None:
    parts = TRINO.parts("hive", Identifier(levels, name))
    assert parts is not None
    validates, describes = statements(TRINO, parts)
    assert validates == f"EXPLAIN (TYPE VALIDATE) SELECT * FROM {wanted}"
    assert describes == f"DESCRIBE {wanted}"


@pytest.mark.parametrize("name", ["", "a\0b", "half\ud83d"])
def test_what_has_no_name_is_not_asked(name: str) -> None:
    asked: list[str] = []
    heard = hear(TRINO, "hive", Identifier(("sales",), name), lambda sql: _note(asked, sql))
    assert heard.verdict.accepted is None
    assert not asked


def _note(asked: list[str], sql: str) -> Reply:
    asked.append(sql)
    return Reply("q")


def heard(*replies: Reply | Exception) -> LiveVerdict:
    """What is made of the answers to a view's statements, in their order."""
    left = list(replies)

    def ask(_: str) -> Reply:
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    live_verdict = hear(TRINO, "hive", VIEW, ask)
    assert not left
    return live_verdict


def refused(name: str, kind: str = "USER_ERROR", message: str = "no", *causes: str) -> Reply:
    behind = tuple((cause, "EXTERNAL") for cause in causes)
    return Reply("q7", refusal=Refusal(name, kind, message, behind))


def test_a_view_is_accepted_with_the_columns_that_the_engine_shows() -> None:
    rows = (["id", "integer", "", ""], ["Name", "varchar(3)", "", "a comment"])
    live_verdict = heard(Reply("q1", ([True],)), Reply("q2", rows))
    assert live_verdict.verdict == Verdict(
        True, returns='[["id", "integer"], ["Name", "varchar(3)"]]'
    )
    assert live_verdict.query == "q1"


@pytest.mark.parametrize(
    "reply",
    [
        refused("INVALID_VIEW"),
        refused("VIEW_IS_STALE"),
        refused("HIVE_VIEW_TRANSLATION_ERROR", "EXTERNAL"),
        refused("NOT_FOUND", "USER_ERROR", "Hive views are not supported: 'sales.v'"),
        refused("COLUMN_NOT_FOUND"),
    ],
)
def test_an_error_about_the_view_rejects_it(reply: Reply) -> None:
    live_verdict = heard(reply)
    assert live_verdict.verdict.accepted is False
    assert live_verdict.query == "q7"


@pytest.mark.parametrize(
    "reply",
    [
        refused("PERMISSION_DENIED"),
        refused("INVALID_VIEW", "USER_ERROR", "Access Denied", "PERMISSION_DENIED"),
        refused("INVALID_VIEW", "USER_ERROR", "metastore is gone", "HIVE_METASTORE_ERROR"),
        refused("HIVE_METASTORE_ERROR", "EXTERNAL"),
        refused("GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR"),
        refused("EXCEEDED_TIME_LIMIT", "INSUFFICIENT_RESOURCES"),
        refused("ADMINISTRATIVELY_KILLED"),
        refused("USER_CANCELED"),
        refused("TABLE_NOT_FOUND", "USER_ERROR", "Table 'hive.sales.v' does not exist"),
        refused("SCHEMA_NOT_FOUND"),
        refused("CATALOG_NOT_FOUND"),
        refused("NOT_FOUND", "USER_ERROR", "Table 'sales.v' not found"),
        refused("", ""),
    ],
)
def test_an_error_about_something_else_judges_nothing(reply: Reply) -> None:
    live_verdict = heard(reply)
    assert live_verdict.verdict.accepted is None
    assert live_verdict.verdict.message
    assert live_verdict.query == "q7"


def test_what_has_no_answer_is_not_judged_and_says_why() -> None:
    live_verdict = heard(UnreachableError("there was no answer within 3 s", query="q9"))
    assert live_verdict == LiveVerdict(
        Verdict(None, "UNREACHABLE: there was no answer within 3 s"), "q9"
    )
    live_verdict = heard(DeniedError("it refuses us: 401"))
    assert live_verdict == LiveVerdict(Verdict(None, "DENIED: it refuses us: 401"), None)


def test_an_engine_that_goes_before_it_shows_columns_has_not_judged() -> None:
    live_verdict = heard(Reply("q1", ([True],)), UnreachableError("gone", query="q2"))
    assert live_verdict == LiveVerdict(Verdict(None, "UNREACHABLE: gone"), "q2")
    assert heard(Reply("q1"), refused("PERMISSION_DENIED")).verdict.accepted is None


def test_the_place_in_our_statement_is_not_told() -> None:
    told = (
        "line 1:39: Failed analyzing stored view 'h.s.v': line 3:5: Column 'x' cannot be resolved"
    )
    message = heard(refused("INVALID_VIEW", "USER_ERROR", told)).verdict.message
    assert message == told.removeprefix("line 1:39: ")


def view(*columns: Column) -> View:
    text = Representation(dialect="trino", sql="SELECT 1")
    return View(identifier=VIEW, columns=columns, representations=(text,))


ID = Column("Id", Primitive("integer"))


@pytest.mark.parametrize(
    ("form", "shown", "told"),
    [
        ("trino", '[["id", "integer"]]', ""),
        ("trino", '[["id", "bigint"]]', "id is declared integer, returned long"),
        ("hive", '[["id", "bigint"]]', ""),
        ("hive", '[["other", "integer"]]', "id is declared, and not returned"),
        ("hive", '[["id", "integer"], ["b", "row(x integer)"]]', "b is returned, and not declared"),
    ],
)
def test_columns_that_are_shown_are_compared_with_those_that_are_declared(
    form: str, shown: str, told: str
) -> None:
    subject = compare_columns(TRINO, view(ID), form, "trino", Verdict(True, returns=shown))
    assert subject is not None
    found = [finding.message for finding in check(subject)]
    assert (told in found[0]) if told else not found


def test_nothing_is_compared_where_nothing_was_shown() -> None:
    assert compare_columns(TRINO, view(ID), "trino", "trino", Verdict(None)) is None
    assert compare_columns(TRINO, view(ID), "trino", "trino", Verdict(True)) is None
    strange = Verdict(True, returns='[["a", "row("]]')
    assert compare_columns(TRINO, view(ID), "trino", "trino", strange) is None


def test_the_text_that_a_verdict_is_about_is_the_engines_own_else_what_it_takes() -> None:
    reads = path_of("trino", "hive", "hms", {"hive_views": "true"})
    assert reads in PATHS
    assert asked_dialect(reads, ["hive"]) == "hive"
    assert asked_dialect(reads, ["spark", "Trino"]) == "Trino"
    refuses = path_of("trino", "flink", "hms", {})
    assert asked_dialect(refuses, ["flink"]) == "flink"


def test_several_statements_in_a_row_without_an_answer_are_the_end() -> None:
    patience = Endurance(3)
    for why in ("a", "b", "", "c", "d"):
        patience.note(why)
        assert patience.end == ""
    patience.note("timed out")
    assert patience.end == "not asked: 3 statements in a row had no answer: timed out"


def test_turns_are_never_nearer_than_the_rate_allows() -> None:
    now, slept = [100.0], list[float]()

    def sleep(seconds: float) -> None:
        slept.append(seconds)

    turns = Turns(4, lambda: now[0], sleep)
    for _ in range(3):
        turns.wait()
    now[0] += 10
    turns.wait()
    assert slept == [0.25, 0.5]
    free = Turns(None, lambda: now[0], sleep)
    free.wait()
    free.wait()
    assert len(slept) == 2


def test_numbers_of_verdicts_in_words() -> None:
    told = ", ".join(summary({"not judged": 1, "accepted": 1200}))
    assert told == "1,200 accepted, 1 not judged"


@pytest.mark.parametrize(
    ("planned", "shown", "told"),
    [
        ("integer", "integer", ""),
        ("short", "integer", ""),
        ("timestamp(6)", "timestamp(3)", ""),
        ("timestamp_tz", "timestamp(6) with time zone", ""),
        ("varchar(3)", "varchar", ""),
        ("integer", "bigint", "columns: id is declared integer, returned long"),
        ("decimal(10,2)", "decimal(10,3)", "columns: id is declared decimal(10,2)"),
        ("integer", "row(", "columns: a type that nobody can read"),
    ],
)
def test_columns_are_as_planned_but_for_what_connectors_make_of_types(
    planned: str, shown: str, told: str
) -> None:
    wanted = view(Column("Id", Primitive(planned)))
    verdict = Verdict(True, returns=json.dumps([["id", shown]]))
    found = unlike_planned(TRINO, wanted, verdict)
    assert bool(found) == bool(told)
    assert told in "".join(found)


def test_names_and_their_order_are_as_planned() -> None:
    wanted = view(Column("a", Primitive("integer")), Column("b", Primitive("integer")))
    swapped = Verdict(True, returns='[["B", "integer"], ["a", "integer"]]')
    assert "the order is a, b" in "".join(unlike_planned(TRINO, wanted, swapped))
    short = Verdict(True, returns='[["A", "integer"]]')
    assert unlike_planned(TRINO, wanted, short) == ("columns: b is declared, and not returned",)
    assert unlike_planned(TRINO, wanted, Verdict(None)) == ()


def test_a_source_that_two_catalogs_show_is_asked_of_in_the_first() -> None:
    assert by_shown({"z": "lake", "a": "lake", "m": "shop"}) == {"lake": "a", "shop": "m"}


@pytest.mark.parametrize(
    ("refusal", "accepted"),
    [
        (Refusal("UNRESOLVED_COLUMN.WITH_SUGGESTION", "AnalysisException", "m"), False),
        (Refusal("PARSE_SYNTAX_ERROR", "ParseException", "m"), False),
        (Refusal("TABLE_OR_VIEW_NOT_FOUND", "AnalysisException", "m"), None),
        (Refusal("TABLE_OR_VIEW_NOT_FOUND", "AnalysisException", "m", (("c.d.v", "VIEW"),)), False),
        (Refusal("REQUIRES_SINGLE_PART_NAMESPACE", "AnalysisException", "m"), None),
        (Refusal("_LEGACY_ERROR_TEMP_3065", "AnalysisException", "HiveException: m"), None),
        (Refusal("INTERNAL_ERROR_ANALYSIS", "AnalysisException", "m"), None),
        (Refusal("INVALID_HANDLE.SESSION_CLOSED", "SparkConnectGrpcException", "m"), None),
        (Refusal("", "SparkException", "m"), None),
    ],
)
def test_what_spark_says_of_others_is_no_verdict(refusal: Refusal, accepted: bool | None) -> None:
    asked: list[str] = []

    def ask(sql: str) -> Reply:
        asked.append(sql)
        return Reply("q", refusal=refusal)

    heard = hear(DIALOGUES["spark"], "spark_catalog", VIEW, ask)
    assert heard.verdict.accepted is accepted
    assert asked == ["SELECT * FROM `spark_catalog`.`sales`.`v`"]


def test_one_statement_tells_spark_and_its_columns() -> None:
    field = '{"name": "a", "type": "string", "metadata": {"__CHAR_VARCHAR_TYPE_STRING": "char(3)"}}'
    asked: list[str] = []

    def ask(sql: str) -> Reply:
        asked.append(sql)
        return Reply("q", (("a", field),))

    heard = hear(DIALOGUES["spark"], "spark_catalog", VIEW, ask)
    assert heard.verdict.accepted
    assert len(asked) == 1
    view = View(
        identifier=VIEW,
        columns=(Column("A", Primitive("char(3)")),),
        representations=(Representation(dialect="spark", sql="SELECT 1"),),
    )
    returned = compare_columns(DIALOGUES["spark"], view, "spark", "spark", heard.verdict)
    assert returned is not None
    assert list(check(returned)) == []


def test_a_name_of_hive_has_no_catalog_and_columns_of_partitions_are_told_once() -> None:
    asked: list[str] = []
    rows = (("id", "int", ""), ("day", "string", ""), ("", None, None), ("day", "string", ""))

    def ask(sql: str) -> Reply:
        asked.append(sql)
        return Reply("", rows)

    live_verdict = hear(DIALOGUES["hive"], "any", Identifier(("a b",), "v`"), ask)
    assert asked == ["EXPLAIN SELECT * FROM `a b`.`v```", "DESCRIBE `a b`.`v```"]
    assert live_verdict.verdict.returns == '[["id", "int"], ["day", "string"]]'
