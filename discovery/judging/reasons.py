"""Why an engine rejects a text: the class of its own message, whichever engine it is.

The patterns are of the messages of Spark 3.5 and 4.3, Hive 2.3 to 4.0, Trino 435 to 484, Coral 2.2,
Flink 1.20 and 2.3, and PostgreSQL 18; the first that is found decides, so what is told more exactly
stands before what is told less.
"""

import re
from functools import lru_cache
from typing import Final

from discovery.outcomes import Reason
from discovery.ports import PARSE

ENDS_EARLY: Final = Reason(
    "TEXT_ENDS_EARLY",
    "The text ends where the engine's parser wants more of it, or a quote or comment in it is not "
    "closed: it may have been cut off when it was stored. Recreate the view at its source.",
)
FOREIGN_QUOTES: Final = Reason(
    "FOREIGN_QUOTES",
    "The text quotes names as another engine does: backquotes are Spark's, Hive's and Flink's, "
    "double quotes are Trino's and PostgreSQL's. It needs a text of its own for this engine.",
)
RESERVED_WORD: Final = Reason(
    "RESERVED_WORD",
    "A name in the text is a reserved word of the engine and stands there without quotes. Quote it "
    "at the source.",
)
UNSUPPORTED: Final = Reason(
    "UNSUPPORTED_SYNTAX",
    "The engine knows what the text says, and says that it does not support it there. It needs a "
    "text of its own for this engine.",
)
UNKNOWN_FUNCTION: Final = Reason(
    "UNKNOWN_FUNCTION",
    "The text calls a function that the engine does not have. Register it there, or write the text "
    "with one that it has.",
)
UNKNOWN_COLUMN: Final = Reason(
    "UNKNOWN_COLUMN", "The text names a column that nothing it reads has, as the engine sees it."
)
UNKNOWN_TABLE: Final = Reason(
    "UNKNOWN_TABLE", "The text reads a table or view that the engine does not find by that name."
)
AMBIGUOUS: Final = Reason(
    "AMBIGUOUS_NAME", "A name in the text means more than one thing that it reads. Qualify it."
)
TYPES: Final = Reason(
    "TYPE_MISMATCH",
    "An operator, function or set operation of the text gets types, or a number of them, that the "
    "engine does not take there. Cast them at the source.",
)
COLUMNS: Final = Reason(
    "COLUMNS_REFUSED",
    "The text returns other columns than the view declares, and the engine refuses to make the one "
    "of the other: one is not there, or its type would not fit (Spark: "
    "INCOMPATIBLE_VIEW_SCHEMA_CHANGE, CANNOT_UP_CAST_DATATYPE; Flink: Field counts are not equal; "
    "Trino: stale or in invalid state). Recreate the view at its source.",
)
NOT_TRANSLATED: Final = Reason(
    "NOT_TRANSLATED",
    "Trino has the text translated by Coral, and Coral does not know what it says, or makes of it "
    "what Trino does not take. Write it with less of Hive's own grammar, or give the view a text "
    "for Trino.",
)
SYNTAX: Final = Reason(
    "SYNTAX_AT_TOKEN",
    "The engine's parser stops at a word of the text, which its SQL does not have there. Look at "
    "the position that is marked; where the text is another engine's, this one needs its own.",
)
REJECTED: Final = Reason(
    PARSE,
    "The parser of the engine rejects the text with a message of no known class; it is shown with "
    "the view.",
)
REASONS: Final = (
    ENDS_EARLY,
    FOREIGN_QUOTES,
    RESERVED_WORD,
    UNSUPPORTED,
    UNKNOWN_FUNCTION,
    UNKNOWN_COLUMN,
    UNKNOWN_TABLE,
    AMBIGUOUS,
    TYPES,
    COLUMNS,
    NOT_TRANSLATED,
    SYNTAX,
    REJECTED,
)

_PATTERNS: Final[tuple[tuple[Reason, tuple[str, ...]], ...]] = (
    (
        NOT_TRANSLATED,
        (
            r"^Coral's translation|Unhandled Hive AST token|^\d+, TOK_",
            r"^Unknown type: (.*\W)?(null|any|symbol|multiset|other|interval_\w+)(?=\s*([,)]|$))",
            r"^Failed to (derive|encode|translate)",
        ),
    ),
    (
        ENDS_EARLY,
        (
            r"PARSE_EMPTY_STATEMENT|UNCLOSED_BRACKETED_COMMENT|at end of input",
            r"^(\w{5}: )?unterminated",
            r"(at or near|(mismatched|extraneous) input|missing \S+ at) '?(<EOF>|end of input)",
            r"(recognize input near|character) '<EOF>'|Encountered:? \"?<EOF>",
        ),
    ),
    (
        FOREIGN_QUOTES,
        (
            r"backquoted identifiers",
            r"(at or near|(mismatched|extraneous) input|character|near) '(`|\"[^ ])",
            r"recognize input near .{0,80}'(`|\"[^ ])",
            r"Encountered: \"(\\\"|`)\" \(",
        ),
    ),
    (RESERVED_WORD, (r"near the keyword", r"Failed rule: '(identifier|functionIdentifier)'")),
    (
        UNKNOWN_FUNCTION,
        (
            r"UNRESOLVED_ROUTINE|UNRESOLVABLE_TABLE_VALUED|\[ROUTINE_NOT_FOUND\]",
            r"function \S+ (not registered|does not exist)",
            r"no match found for function|invalid function|unknown function name",
            r"^42883: function",
        ),
    ),
    (
        AMBIGUOUS,
        (
            r"\[AMBIGUOUS_|^Field names must be unique",
            r"is ambiguous",
            r"ambiguous (column|table)",
            r"(found in|specified) more than on|^42725: ",
        ),
    ),
    (
        COLUMNS,
        (
            r"INCOMPATIBLE_VIEW_SCHEMA_CHANGE|CANNOT_UP_CAST_DATATYPE",
            r"it would return none|^Field counts are not equal|\[COLUMN_ORDINAL_OUT_OF_BOUNDS\]",
            r"projected from query view (at position \d+ has no name|.{0,60}cannot be coerced)",
            r"is stale or in invalid state",
        ),
    ),
    (
        UNKNOWN_COLUMN,
        (
            r"UNRESOLVED_(COLUMN|FIELD)|\[FIELD_NOT_FOUND\]",
            r"column (\S+|'[^']+') (cannot be resolved|not found|does not exist)",
            r"column '[^']+' is missing from|^Column reference '[^']+' is invalid",
            r"invalid (column reference|table alias or column)|^42703: ",
            r"^cannot find field |Internal error: Type '.*' has no field '",
        ),
    ),
    (
        UNKNOWN_TABLE,
        (
            r"TABLE_OR_VIEW_NOT_FOUND|REQUIRES_SINGLE_PART_NAMESPACE|CATALOG_NOT_FOUND",
            r"table not found",
            r"(table|object|relation|schema|catalog) \S+ (does not exist|not found)",
            r"^Table '[^']+' does not exist|^(Catalog|Schema) must be specified|^42P01: ",
        ),
    ),
    (
        TYPES,
        (
            r"UNSUPPORTED_HIVE_TYPE|^Flink doesn't support Hive|^implicit type conversion",
            r"^Line \d+:-?\d+ (Wrong arguments|Arguments length|\. Operator is|\[\] not valid)",
            r"^Array element access|Schema of both sides of union|^Only numeric or string type",
            r"^Cannot (do equality join|negate|support comparison)|^Could not choose a best",
            r"hive\.serde2\.(objectinspector|typeinfo)\.\S+ cannot be cast to class",
            r"\bError: .{1,40} expected at (the )?position|^Unknown identifier '|is not of type",
            r"clause must be a condition|must have compatible types|is not orderable",
            r"^Column count mismatch|^Illegal \w+ literal",
            r"\[INVALID_EXTRACT_|^Unsafe compares|comparison of map<|^Incomparable types",
            r"DATATYPE_MISMATCH|INCOMPATIBLE_COLUMN_TYPE|WRONG_NUM_ARGS|NUM_COLUMNS_MISMATCH",
            r"cannot (apply|cast)|type mismatch|must evaluate to|operator does not exist",
            r"invalid number of arguments|illegal use of|incompatible types",
            r"^Unexpected parameters|must be (of )?the same type|is not a valid [\w ]+ literal",
            r"^Unsupported cast from|^Conversion to relational algebra failed to preserve",
            r"^Only legacy cast behaviour|not an orderable data type|only support the count of one",
            r"has different number of fields|^Cannot (unnest|use|check|extract)|^Unknown type",
            r"^Type of value must be|are not comparable|sort item type|must be in range",
            r"cast from \w+ type to|Cast function cannot convert|Illegal mixing of types",
            r"function does not support type|only supports diff between the same type",
            r"same number of columns|^(22\w{3}|42(804|846|883|P16|P18|P21|P22)): ",
        ),
    ),
    (
        UNSUPPORTED,
        (
            r"^\[(?!PARSE_)[A-Z_.]+\]",
            r"^invalid|operation not allowed|(is|are) not supported",
            r"is not being grouped|join requires a condition|not in GROUP BY key",
            r"must be an aggregate expression|requires an OVER clause|cannot contain",
            r"clause requires|expressions must appear in|is not in select list|not supported$",
            r"^correlation variable is not found|^unexpected correlate variable|requires order by",
            r"^Cannot (generate a valid execution plan|add expression of different type)",
            r"are not allowed as|^The options of following hints",
            r"^Expression not supported|not supported (yet|in )",
            r"^Cannot nest|^(missing )?column alias|does not support|^Query takes no",
            r"^(Line \d+:-?\d+ )?Unsupported|Cartesian products are disabled",
            r"^Line \d+:-?\d+ (Invalid SubQuery|Not yet supported)|Unsupported SubQuery",
            r"is not allowed under|aggregate expression is illegal in|cannot be nested",
            r"^Ordinal out of range",
            r"^Some but not all arguments|^Not a window function|not present in GROUP BY",
            r"^Missing over clause",
            r"^(0A000|42(?!601)\w{3}): ",
        ),
    ),
    (
        SYNTAX,
        (
            r"syntax error|(mismatched|extraneous) input|no viable alternative|missing \S+ at",
            r"recognize input|encountered|lexical error|token recognition|not supported here",
            r"^Expecting alias",
        ),
    ),
)
_CLASSES: Final = tuple(
    (reason, re.compile("|".join(patterns), re.IGNORECASE)) for reason, patterns in _PATTERNS
)
_QUOTED: Final = re.compile(r" == SQL| in definition of VIEW ")
_TRANSLATING: Final = "Failed to translate Hive view"
_FRAMES: Final = re.compile(
    rf"(?:line \d+:\d+: |(?:Failed analyzing stored view|{_TRANSLATING}) '.*?': "
    r"|SQL (?:parse|validation) failed\. |(?:At|From) line \d+, column \d+[^:']{0,40}: )*"
)
"""What Trino that runs, Coral and Flink say before what is wrong: where, and in which view."""
_LONGEST: Final = 400  # characters of a message that are looked at


def reason_of(message: str | None) -> Reason:
    """The class of what an engine said when it rejected a text; Spark and Hive quote the text."""
    said = _QUOTED.split(message or "", maxsplit=1)[0]
    frames = _FRAMES.match(said)
    framed = frames[0] if frames else ""
    reason = _reason_of(said[len(framed) :][:_LONGEST])
    return NOT_TRANSLATED if reason is REJECTED and _TRANSLATING in framed else reason


@lru_cache(maxsize=4096)
def _reason_of(said: str) -> Reason:
    for reason, pattern in _CLASSES:
        if pattern.search(said):
            return reason
    return REJECTED
