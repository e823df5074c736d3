"""What an expression of Hive or Spark means to Trino, which reads a view of either by Coral.

Coral makes Trino's SQL of the text and keeps most functions by their names. HiveServer2 2.3.10,
Spark 4.1.4 and Trino 476 were asked over the same rows on 2026-11-26.
"""

import re
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.as_texts import takes_begin
from discovery.lineage.meanings.beside import beside_text, meaning_beside, taken_as_texts
from discovery.lineage.meanings.blanks import cuts_white_space
from discovery.lineage.meanings.expressions import (
    WRITTEN_OTHERWISE,
    has_odd_letters,
    is_empty,
    is_signed_modulus,
    parent_beyond,
    rounds_near_halves,
    sorts,
)
from discovery.lineage.meanings.functions_read import IN_TRINO, PARTED, QUOTIENT, SPARKS_IN_TRINO
from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.operands_read import (
    fits,
    is_of_no_matter,
    may_be_zero,
    to_trino,
    where_home_has_null,
)
from discovery.lineage.meanings.patterns import ODD_SIGNS
from discovery.lineage.meanings.shown import shown_otherwise
from discovery.lineage.meanings.sorts import DOUBLES, SINGLE, TIMES, Sort, ValueKind, of_type
from discovery.lineage.meanings.written_out import number
from discovery.lineage.meanings.zones import instants_on_clocks
from discovery.model import HIVE, TRINO

_SAME_TEXTS: Final = (Sort.WHOLE, Sort.TEXT, Sort.DATE)
"""Values of which a text is the same to all."""
_SAME_OF_SPARK: Final = (Sort.EXACT, Sort.TRUTH)
_LAST_BYTE: Final = 255
_BYTES: Final = re.compile("([0-9a-fA-F]{2})*")
_OTHER_TEXTS: Final = "numbers with a fraction, times, true and false are other texts"
_OF_ZONE: Final = "it is by the zone of the session to {home}, by that of each value"
_OF_FLOATS: Final = "of floats it is a double to {home}, a float"
_JSON_TUPLE: Final = "json_tuple"
_BY_ZERO: Final = "by 0 it is NULL or an error to {home}, infinite or NaN"


def meaning_to_trino(node: exp.Expr, kinds: ValueKinds, dialect: str, *, gives_null: bool) -> str:
    """What Trino has otherwise there, with a place for the name of the text's engine; else empty.

    Args:
        node: An expression.
        kinds: What is known of values.
        dialect: Hive or Spark.
        gives_null: Whether the text's engine has NULL for what Trino fails at: Hive, and Spark out
            of ANSI mode.
    """
    functions = IN_TRINO if dialect == HIVE else SPARKS_IN_TRINO
    if gives_null and isinstance(node, exp.ArraySize):
        functions = IN_TRINO
    by_class = "" if is_of_no_matter(node, kinds) else functions.get(type(node), "")
    by_kinds = _of_window(node, kinds) or _of_measure(node, kinds)
    by_kinds = by_kinds or meaning_beside(node, kinds, dialect, TRINO)
    of_operands = _of_operands(node, kinds, dialect) or to_trino(node, kinds, dialect)
    if any(instants_on_clocks(node, kinds)):
        of_operands = of_operands or _OF_ZONE
    of_operands = of_operands or (where_home_has_null(node, kinds) if gives_null else "")
    return by_class or by_kinds or of_operands or _of_coral(node)


def _of_window(node: exp.Expr, kinds: ValueKinds) -> str:
    """Of the rows around one: Coral casts a sum or a mean to the type that Calcite gives it.

    Trino 476 read such views of Hive 2.3.10 and Spark 4.3.0 on 2026-11-28.
    """
    if not isinstance(parent_beyond(node, exp.Filter), exp.Window) or node.arg_key != "this":
        return ""
    match node:
        case exp.Sum(this=value) if kinds.may_be(value, Sort.EXACT):
            return "of decimals, over a window, it has a fraction to {home}, none"
        case exp.Avg(this=value) if not kinds.is_of(value, Sort.FLOAT, Sort.EXACT):
            return "of whole numbers, over a window, it has a fraction to {home}, none"
    return ""


def _of_measure(node: exp.Expr, kinds: ValueKinds) -> str:
    """Of a quotient or a mean, unless it is one of doubles, which all engines share but by 0."""
    match node:
        case exp.Div(left=left, right=right):
            known, what = [_of_operand(left, kinds), _of_operand(right, kinds)], QUOTIENT
        case exp.Mod(left=left, right=right):
            is_float = Sort.FLOAT in sorts(kinds.of(left), kinds.of(right))
            return _BY_ZERO if is_float and may_be_zero(right) else ""
        case exp.Round() if rounds_near_halves(node, kinds):
            return "of a floating number in the middle, as 1.005, it is 1.01 to {home}, 1.0"
        case exp.Sum(this=value) if kinds.of(value) == SINGLE:
            return _OF_FLOATS
        case exp.Avg(this=value) if not kinds.is_of(value, Sort.WHOLE):
            known, what = [kinds.of(value)], "of decimals it has four digits more to {home}"
        case _:
            return ""
    if DOUBLES & set(known):
        return _BY_ZERO if isinstance(node, exp.Div) and may_be_zero(node.right) else ""
    return _OF_FLOATS if SINGLE in known else what


def _of_operand(node: exp.Expr, kinds: ValueKinds) -> ValueKind | None:
    """The kind of a number as Coral takes it: `1e0` is a whole number in what it makes of it."""
    is_number = isinstance(node, exp.Literal) and not node.is_string
    return None if is_number and "e" in node.name.casefold() else kinds.of(node)


def _of_operands(node: exp.Expr, kinds: ValueKinds, dialect: str) -> str:
    if what := shown_otherwise(node, kinds, TRINO):
        return what
    match node:
        case exp.Concat() | exp.DPipe():
            texts = sorts(*map(kinds.of, node.iter_expressions()))
            return _OTHER_TEXTS if WRITTEN_OTHERWISE & texts else ""
        case exp.Cast(to=kind) if kind.is_type(*exp.DataType.INTEGER_TYPES) and not fits(node):
            return _of_whole(kinds.of(node.this), of_type(kind))
        case exp.Cast(to=kind) if kind.is_type(exp.DType.TEXT, exp.DType.VARCHAR):
            more = () if dialect == HIVE else _SAME_OF_SPARK
            same = kinds.is_of(node.this, *_SAME_TEXTS, *more) or isinstance(node.this, exp.Null)
            return "" if same else _OTHER_TEXTS
        case exp.RegexpSplit(expression=pattern) if ODD_SIGNS.search(pattern.name):
            return PARTED
        case exp.Anonymous() if dialect != HIVE and is_signed_modulus(node):
            return "by a negative number it is never negative to {home}, and may be"
        case exp.Like(expression=pattern) if "\\" in pattern.name:
            return "a backslash takes a wildcard's meaning to {home}, and is itself"
    otherwise = WRITTEN_OTHERWISE & (beside_text(node, kinds) | _made_texts(node, kinds))
    return _OTHER_TEXTS if otherwise else _of_letters(node, dialect, kinds)


def _made_texts(node: exp.Expr, kinds: ValueKinds) -> set[Sort]:
    """What a function makes texts of, but for times of which it takes what all write alike."""
    made = sorts(*map(kinds.of, taken_as_texts(node)))
    return made - TIMES if takes_begin(node) else made


def _of_letters(node: exp.Expr, dialect: str, kinds: ValueKinds) -> str:
    match node:
        case exp.Replace(expression=exp.Expr() as sought) if dialect != HIVE and is_empty(sought):
            return "an empty text is found nowhere by {home}, between the letters"
        case exp.Trim() if cuts_white_space(node, kinds):
            return "blanks alone are cut off by {home}, all white space"
        case exp.Upper() | exp.Lower() if has_odd_letters(node):
            return "ß in capitals is SS to {home}, Σ at a word's end ς in small ones, neither"
        case exp.Chr(expressions=[code]) if not 0 <= (number(code) or 0) <= _LAST_BYTE:
            return "it is the letter of what is left of 256 to {home}, of the whole number"
        case exp.Unhex(this=value) if not (value.is_string and _BYTES.fullmatch(value.name)):
            return "of a text that is no pairs of digits it is another or NULL to {home}, an error"
    return ""


def _of_whole(kind: ValueKind | None, to: ValueKind | None) -> str:
    """Of a cast to a whole number."""
    if kind is None or to is None or kind.sort not in {Sort.WHOLE, Sort.TRUTH}:
        return "2.7 is 2 to {home}, 3; a text that is no number is NULL to {home}, an error"
    fits = kind.sort is Sort.TRUTH or kind.digits <= to.digits
    return "" if fits else "out of range it is another number to {home}, an error"


def _of_coral(node: exp.Expr) -> str:
    """What Coral has otherwise, whatever the types."""
    match node:
        case exp.SetOperation() if _has_other_names(node):
            return "columns that its parts name otherwise are kept by {home}, left out"
        case exp.If() if not isinstance(node.parent, exp.Case) and _has_other_lengths(node):
            return "the shorter text stays as it is to {home}, with blanks as long as the longer"
        case exp.Lateral(this=exp.Explode()) if node.args.get("outer") and _is_of_map(node):
            return "of a map that is empty or NULL it is a row of NULLs to {home}, an error"
        case exp.Anonymous() if node.name.casefold() == _JSON_TUPLE:
            return "a number with a fraction is as it is written to {home}, `1.25E1`"
    return ""


def _is_of_map(node: exp.Lateral) -> bool:
    """Whether keys and values are taken apart: of an array it is one column, or one behind `pos`.

    Coral makes a map with the key NULL for an empty one, at which Trino 476 fails.
    """
    return type(node.this) is exp.Explode and len(node.alias_column_names) > 1


def _has_other_names(node: exp.SetOperation) -> bool:
    """Whether a column has another name in the parts: it is known by neither."""
    parts = [part.unnest() for part in (node.left, node.right)]
    names = [
        [value.alias_or_name.casefold() for value in part.selects]
        for part in parts
        if isinstance(part, exp.Query) and not part.is_star
    ]
    return len(names) == len(parts) and names[0] != names[1]


def _has_other_lengths(node: exp.If) -> bool:
    texts = node.args["true"], node.args.get("false")
    lengths = {len(value.name) for value in texts if value is not None and value.is_string}
    return len(lengths) > 1
