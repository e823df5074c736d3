"""Why an engine rejects a text: messages as the engines wrote them, and the class of each."""

import pytest

from discovery.judging.reasons import REASONS, reason_of

SAID = [
    # Spark 4.3.0
    ("SYNTAX_AT_TOKEN", "[PARSE_SYNTAX_ERROR] Syntax error at or near 'TIME'. SQLSTATE: 42601"),
    (
        "FOREIGN_QUOTES",
        "[PARSE_SYNTAX_ERROR] Syntax error at or near '\"t\"'. SQLSTATE: 42601 (line 1, pos 16)",
    ),
    ("TEXT_ENDS_EARLY", "[PARSE_SYNTAX_ERROR] Syntax error at or near end of input."),
    ("TEXT_ENDS_EARLY", "[PARSE_EMPTY_STATEMENT] Syntax error, unexpected empty statement."),
    (
        "UNSUPPORTED_SYNTAX",
        "TABLESAMPLE(BUCKET x OUT OF y ON colname) is not supported. == SQL ...",
    ),
    (
        "UNSUPPORTED_SYNTAX",
        "[INVALID_TIMESTAMP_PRECISION] The seconds precision 3 of TIMESTAMP_LTZ",
    ),
    ("UNSUPPORTED_SYNTAX", "Invalid time travel spec: timestamp expression cannot refer to any"),
    ("UNKNOWN_FUNCTION", "[UNRESOLVED_ROUTINE] Cannot resolve routine `f` on search path"),
    ("UNKNOWN_COLUMN", "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column `a` cannot be resolved."),
    ("UNKNOWN_TABLE", "[TABLE_OR_VIEW_NOT_FOUND] The table or view `t` cannot be found."),
    ("AMBIGUOUS_NAME", "[AMBIGUOUS_REFERENCE] Reference `a` is ambiguous"),
    ("TYPE_MISMATCH", '[DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES] Cannot resolve "(a + b)"'),
    ("TYPE_MISMATCH", "[WRONG_NUM_ARGS.WITHOUT_SUGGESTION] The `substring` requires 2 parameters"),
    ("UNKNOWN_TABLE", "[REQUIRES_SINGLE_PART_NAMESPACE] spark_catalog requires a single-part"),
    (
        "COLUMNS_REFUSED",
        "[INCOMPATIBLE_VIEW_SCHEMA_CHANGE] The SQL query of view `v` has an incompatible schema ch",
    ),
    ("COLUMNS_REFUSED", '[CANNOT_UP_CAST_DATATYPE] Cannot up cast s from "STRING" to "INT".'),
    # Hive 2.3.10
    ("SYNTAX_AT_TOKEN", "line 1:13 missing EOF at 't' near 'frm'"),
    ("SYNTAX_AT_TOKEN", "line 1:73 cannot recognize input near 'ALL' 'x' '<EOF>' in group by"),
    ("FOREIGN_QUOTES", "line 1:9 cannot recognize input near 'o' '.' '\"id\"' in selection target"),
    ("TEXT_ENDS_EARLY", "line 1:9 cannot recognize input near '<EOF>' '<EOF>' '<EOF>' in from"),
    ("TEXT_ENDS_EARLY", "line 1:23 character '<EOF>' not supported here"),
    (
        "RESERVED_WORD",
        "line 1:7 Failed to recognize predicate 'date'. Failed rule: 'identifier' in",
    ),
    # Flink 1.20.5, of its optimizer and of the writer of its code
    ("UNSUPPORTED_SYNTAX", "unexpected correlate variable $cor15 in the plan"),
    ("UNSUPPORTED_SYNTAX", "Cannot generate a valid execution plan"),
    ("UNSUPPORTED_SYNTAX", "Cannot add expression of different type to set:\nset type is"),
    (
        "UNSUPPORTED_SYNTAX",
        "Greedy quantifiers are not allowed as the last element of a Pattern yet",
    ),
    ("UNSUPPORTED_SYNTAX", "Expression not supported: |(_UTF-16LE'A', _UTF-16LE'B')."),
    ("UNSUPPORTED_SYNTAX", "All rows per match mode is not supported yet."),
    ("UNSUPPORTED_SYNTAX", "Distinct not supported in Windowing function!"),
    ("UNSUPPORTED_SYNTAX", "The options of following hints cannot match the name of input tables"),
    ("UNSUPPORTED_SYNTAX", "Over Agg: The window rank function requires order by clause with"),
    ("TYPE_MISMATCH", "The cast from NUMERIC type to TIMESTAMP type is not allowed."),
    ("TYPE_MISMATCH", "Cast function cannot convert value of type DATE to type INTEGER"),
    (
        "TYPE_MISMATCH",
        "From line 1, column 8: Illegal mixing of types in CASE or COALESCE statement",
    ),
    ("TYPE_MISMATCH", "TIMESTAMP_LTZ only supports diff between the same type."),
    # Trino 435
    (
        "FOREIGN_QUOTES",
        "line 1:8: backquoted identifiers are not supported; use double quotes",
    ),
    ("TEXT_ENDS_EARLY", "line 1:24: mismatched input '<EOF>'. Expecting: <expression>"),
    ("SYNTAX_AT_TOKEN", "line 1:23: mismatched input 'table'. Expecting: 'BY'"),
    ("SYNTAX_AT_TOKEN", "line 1:8: mismatched input '@'. Expecting: '%', <EOF>, <identifier>"),
    ("UNKNOWN_FUNCTION", "line 1:8: Function 'f' not registered"),
    ("UNKNOWN_COLUMN", "line 1:8: Column 'a' cannot be resolved"),
    ("UNKNOWN_TABLE", "line 1:15: Table 'hive.db.t' does not exist"),
    ("AMBIGUOUS_NAME", "line 1:8: Column 'a' is ambiguous"),
    ("TYPE_MISMATCH", "line 1:10: Cannot apply operator: integer = varchar"),
    ("TYPE_MISMATCH", "Unknown type: foo"),
    ("TYPE_MISMATCH", "Unexpected parameters (array(varchar)) for function sum. Expected: sum(b"),
    ("TYPE_MISMATCH", "'x' is not a valid DATE literal"),
    ("TYPE_MISMATCH", "UNION query has different number of fields: 1, 2"),
    ("TYPE_MISMATCH", "IF condition must evaluate to a boolean (actual: varchar(25))"),
    ("TYPE_MISMATCH", "IN value and list items must be the same type or coercible to a common t"),
    ("UNKNOWN_COLUMN", "Column 'Order Id' cannot be resolved"),
    ("UNKNOWN_COLUMN", "Column reference 'x' is invalid"),
    ("UNKNOWN_TABLE", "Schema must be specified when session schema is not set"),
    ("UNKNOWN_TABLE", "Table 'hive.db.\"a b\"' does not exist"),
    ("UNSUPPORTED_SYNTAX", "'id' must be an aggregate expression or appear in GROUP BY clause"),
    ("UNSUPPORTED_SYNTAX", "Window function system.builtin.lag requires an OVER clause"),
    ("UNSUPPORTED_SYNTAX", "ORDER BY position 2 is not in select list"),
    ("UNSUPPORTED_SYNTAX", "Natural join not supported"),
    (
        "COLUMNS_REFUSED",
        "View 'hive.db.v' is stale or in invalid state: stored view column count (2) does not mat",
    ),
    # Flink 2.3
    (
        "COLUMNS_REFUSED",
        "column [a]ate projected from query view at position 0 cannot be coerced to c",
    ),
    (
        "COLUMNS_REFUSED",
        "column [a] of type bigint projected from query view at position 1 has no name",
    ),
    ("UNKNOWN_FUNCTION", "Unknown function name: my_udf"),
    ("UNKNOWN_TABLE", "At line 0, column 0: Object 'default' not found within 'hive'"),
    ("UNKNOWN_COLUMN", "At line 0, column 0: Column 'nope' not found in any table"),
    ("UNSUPPORTED_SYNTAX", "At line 0, column 0: Expression 'id' is not being grouped"),
    ("NOT_TRANSLATED", "Unhandled Hive AST token 19 10BD, tree: 10BD"),
    ("NOT_TRANSLATED", "751, TOK_LEFTSEMIJOIN, TOK_LEFTSEMIJOIN TOK_TABREF TOK_TABNAME shop c"),
    ("NOT_TRANSLATED", "Coral's translation: line 2:1: mismatched input 'FROM'. Expecting: '*'"),
    ("NOT_TRANSLATED", "Unknown type: null"),
    ("NOT_TRANSLATED", "Failed to encode 'ä' in character set 'ISO-8859-1'"),
    ("COLUMNS_REFUSED", "Field counts are not equal: rowType [RecordType(BIGINT id)] castRowType"),
    ("TYPE_MISMATCH", "SQL validation failed. Invalid number of arguments to function 'SUBSTR'."),
    ("SYNTAX_AT_TOKEN", 'Encountered "FRM" at line 1, column 10. Was expecting one of: <EOF> ","'),
    (
        "FOREIGN_QUOTES",
        'Lexical error at line 1, column 8. Encountered: "\\"" (34), after prefix "" (in DEFAULT)',
    ),
    ("RESERVED_WORD", "Incorrect syntax near the keyword 'VALUE' at line 1, column 8."),
    ("UNKNOWN_FUNCTION", "No match found for function signature f(<NUMERIC>)"),
    # Trino 476 that runs, of a view and of those below
    (
        "TYPE_MISMATCH",
        "Failed analyzing stored view 'h.s.v': line 3:66: Unexpected parameters (a",
    ),
    (
        "UNKNOWN_COLUMN",
        "Failed analyzing stored view 'h.s.v': line 1:8: Column reference 'b' is invalid",
    ),
    (
        "UNSUPPORTED_SYNTAX",
        "Failed analyzing stored view 'v': line 3:3: Failed analyzing stored view 'w': Cannot nest",
    ),
    (
        "COLUMNS_REFUSED",
        "line 1:15: View 'h.s.v' is stale or in invalid state: column [a]",
    ),
    (
        "UNKNOWN_COLUMN",
        "Failed to translate Hive view 's.v': Column 'gone' not found in any",
    ),
    (
        "UNKNOWN_TABLE",
        "Failed to translate Hive view 's.v': Object 't' not found within 'h.s'",
    ),
    ("UNKNOWN_FUNCTION", "Failed to translate Hive view 's.v': Unknown function name: stack"),
    ("NOT_TRANSLATED", "Failed to translate Hive view 's.v': Unknown type: array(NULL)"),
    ("NOT_TRANSLATED", "Failed to translate Hive view 's.v': columns list is empty"),
    ("NOT_TRANSLATED", "Failed to translate Hive view 's.v': null"),
    ("TYPE_MISMATCH", "Cannot negate varchar"),
    ("TYPE_MISMATCH", "Expression o.qty is not of type ROW"),
    (
        "TYPE_MISMATCH",
        "Type map(varchar, varchar) is not orderable, and therefore cannot",
    ),
    (
        "TYPE_MISMATCH",
        "Could not choose a best candidate operator. Explicit type casts",
    ),
    ("UNSUPPORTED_SYNTAX", "Not a window function: fun.twice"),
    # Hive 2.3.10, of its analyzer
    ("UNKNOWN_COLUMN", "cannot find field nope(lowercase form: nope) in [street, zip, geo]"),
    ("UNKNOWN_COLUMN", "Internal error: Type 'RecordType(BIGINT EXPR$0)' has no field 'col1'"),
    (
        "TYPE_MISMATCH",
        "Line 1:7 Arguments length mismatch 'code' in definition of VIEW v [ ",
    ),
    (
        "TYPE_MISMATCH",
        "Line 0:-1 Wrong arguments 'flag' in definition of VIEW v [ ",
    ),
    (
        "TYPE_MISMATCH",
        "Line 1:7 . Operator is only supported on struct or list of struct",
    ),
    ("TYPE_MISMATCH", "Line 1:7 [] not valid on non-collection types '1'"),
    ("TYPE_MISMATCH", "Only numeric or string type arguments are accepted but date is passed."),
    ("TYPE_MISMATCH", "Cannot support comparison of map<> type or complex type containing map<>."),
    ("TYPE_MISMATCH", "Cannot do equality join on different types: array<string> and bigint"),
    (
        "TYPE_MISMATCH",
        "class org.apache.hadoop.hive.serde2.typeinfo.StructTypeInfo cannot be cast to class org",
    ),
    (
        "UNSUPPORTED_SYNTAX",
        "Line 1:74 Invalid SubQuery expression '1' in definition",
    ),
    ("UNSUPPORTED_SYNTAX", "Line 1:33 Not yet supported place for UDAF 'SUM'"),
    ("UNSUPPORTED_SYNTAX", "Expression in GROUPING function not present in GROUP BY"),
    # Flink 1.20.5, of its validator and its catalog of Hive
    ("TYPE_MISMATCH", "Column count mismatch in UNION ALL"),
    ("TYPE_MISMATCH", "Illegal TIMESTAMP literal '2026-01-01 00:00:00 UTC': not in format"),
    ("TYPE_MISMATCH", "10 is not a valid byte length literal, expected syntax: DIGIT+ ('B' | 'K')"),
    ("TYPE_MISMATCH", "WHERE clause must be a condition"),
    ("TYPE_MISMATCH", "Unknown identifier 'timestamp_ntz'"),
    ("TYPE_MISMATCH", "Values in expression list must have compatible types"),
    (
        "TYPE_MISMATCH",
        "Error: ',', ':', or ';' expected at position 7 from 'char(5) collate",
    ),
    ("AMBIGUOUS_NAME", "Field names must be unique. Found duplicates: [tags]"),
    ("UNSUPPORTED_SYNTAX", "MINUS is not allowed under the current SQL conformance level"),
    ("UNSUPPORTED_SYNTAX", "Some but not all arguments are named"),
    ("UNSUPPORTED_SYNTAX", "Windowed aggregate expression is illegal in WHERE clause"),
    ("UNSUPPORTED_SYNTAX", "Aggregate expressions cannot be nested"),
    ("UNSUPPORTED_SYNTAX", "Ordinal out of range"),
    ("SYNTAX_AT_TOKEN", "SQL parse failed. Expecting alias, found character literal"),
    (
        "TYPE_MISMATCH",
        "SQL validation failed. From line 1, column 8 to line 1, column 9: Column count mismatch",
    ),
    # PostgreSQL 18
    ("SYNTAX_AT_TOKEN", 'syntax error at or near "FROM"'),
    ("TEXT_ENDS_EARLY", "syntax error at end of input"),
    ("TEXT_ENDS_EARLY", 'unterminated quoted string at or near "\'x FROM t"'),
    # nobody's
    ("PARSE", "something else"),
    ("PARSE", ""),
]


@pytest.mark.parametrize(("code", "message"), SAID)
def test_a_message_has_its_class(code: str, message: str) -> None:
    assert reason_of(message).code == code


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("map(varchar, any)", "NOT_TRANSLATED"),
        ("row(other geometry)", "TYPE_MISMATCH"),
        ('row("any" geometry, b integer)', "TYPE_MISMATCH"),
    ],
)
def test_a_field_that_is_called_like_a_type_is_none(kind: str, code: str) -> None:
    assert reason_of(f"Unknown type: {kind}").code == code


def test_every_class_is_reached_by_a_message() -> None:
    assert {code for code, _ in SAID} == {reason.code for reason in REASONS}


def test_what_spark_quotes_of_the_text_says_nothing_of_the_reason() -> None:
    message = "[PARSE_SYNTAX_ERROR] Syntax error at or near 'x'. == SQL (line 1) == is ambiguous"
    assert reason_of(message).code == "SYNTAX_AT_TOKEN"


def test_without_a_message_the_grade_is_all_that_is_known() -> None:
    assert reason_of(None).code == "PARSE"


def test_words_of_the_text_that_hive_quotes_are_not_its_own() -> None:
    told = "Line 1:15 Table not found 't' in definition of VIEW v [ select 'is ambiguous' from t ]"
    assert reason_of(told).code == "UNKNOWN_TABLE"


@pytest.mark.parametrize(
    ("message", "code"),
    [  # Hive 2.3.10 and Flink 1.20.5: tests/golden/estate_views.json
        ("Column customer_id Found in more than One Tables/Subqueries", "AMBIGUOUS_NAME"),
        ("Line 1:7 Expression not in GROUP BY key 'id'", "UNSUPPORTED_SYNTAX"),
        ("Line 0:-1 Unsupported SubQuery Expression 'amount'", "UNSUPPORTED_SYNTAX"),
        ("Cartesian products are disabled for safety reasons.", "UNSUPPORTED_SYNTAX"),
        ("Line 1:7 Wrong arguments 'tags'", "TYPE_MISMATCH"),
        ("1:64 Schema of both sides of union should match.", "TYPE_MISMATCH"),
        ("implicit type conversion between VARCHAR and INTEGER is not", "TYPE_MISMATCH"),
        ("Flink doesn't support Hive primitive type void yet", "TYPE_MISMATCH"),
        ("[UNSUPPORTED_HIVE_TYPE] Cannot read the Hive type", "TYPE_MISMATCH"),
        ("cannot find field b(lowercase form: b) in [a]", "UNKNOWN_COLUMN"),
        ("Line 1:7 . Operator is only supported on struct or list of struct", "TYPE_MISMATCH"),
        ("Line 1:7 [] not valid on non-collection types 'qty'", "TYPE_MISMATCH"),
        ("Only numeric or string type arguments are accepted but date is passed.", "TYPE_MISMATCH"),
        ("Line 1:7 Arguments length mismatch 'qty'", "TYPE_MISMATCH"),
        ("Incomparable types: BOOLEAN and INT NOT NULL", "TYPE_MISMATCH"),
        ("Column count mismatch in UNION ALL", "TYPE_MISMATCH"),
        ("Values in expression list must have compatible types", "TYPE_MISMATCH"),
        ("Line 1:7 Not yet supported place for UDAF 'max'", "UNSUPPORTED_SYNTAX"),
        ("Aggregate expression is illegal in WHERE clause", "UNSUPPORTED_SYNTAX"),
    ],
)
def test_what_hive_s_analyzer_and_flink_say_has_a_class(message: str, code: str) -> None:
    assert reason_of(message).code == code


@pytest.mark.parametrize(
    ("message", "code"),
    [  # Spark 4.3.0
        (
            "[FIELD_NOT_FOUND] No such struct field `x` in `a`, `b`. SQLSTATE: 42704",
            "UNKNOWN_COLUMN",
        ),
        ("[INVALID_EXTRACT_BASE_FIELD_TYPE] Can't extract a value", "TYPE_MISMATCH"),
        # 4.1.4, of views of Iceberg
        ("[COLUMN_ORDINAL_OUT_OF_BOUNDS] Column ordinal out of bounds.", "COLUMNS_REFUSED"),
        ("[ROUTINE_NOT_FOUND] The routine `s.f` cannot be found.", "UNKNOWN_FUNCTION"),
    ],
)
def test_what_spark_misses_is_named_by_its_condition(message: str, code: str) -> None:
    assert reason_of(message).code == code


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Unexpected parameters (integer) for function length", "TYPE_MISMATCH"),
        ("Column reference 'a' is invalid", "UNKNOWN_COLUMN"),
        ("Table 'hive.db.t' does not exist", "UNKNOWN_TABLE"),
        ("Catalog must be specified when session catalog is not set", "UNKNOWN_TABLE"),
        ("Cannot nest aggregations inside aggregation", "UNSUPPORTED_SYNTAX"),
    ],
)
def test_where_a_running_trino_has_found_it_is_no_part_of_the_reason(said: str, code: str) -> None:
    below = "Failed analyzing stored view 'hive.db.w': line 1:15: "
    place = f"line 1:15: Failed analyzing stored view 'hive.db.v': line 2:3: {below}"
    assert reason_of(said).code == reason_of(place + said).code == code


@pytest.mark.parametrize(
    "message",
    [
        "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column `a` cannot be resolved. Did you mean {}",
        "Line 1:7 Invalid table alias or column reference 'a': (possible column names are: {})",
        "line 1:8: Column '{}' cannot be resolved",
    ],
)
@pytest.mark.parametrize("name", ["ambiguous_rows", "unterminated"])
def test_a_column_that_is_called_like_a_fault_is_none(message: str, name: str) -> None:
    assert reason_of(message.format(name)).code == "UNKNOWN_COLUMN"
