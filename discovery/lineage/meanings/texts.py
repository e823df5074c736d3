"""Texts: patterns, parts of them, and arrays of a group."""

import re
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.bits import shift_called
from discovery.lineage.meanings.blanks import without_blanks
from discovery.lineage.meanings.days import with_days
from discovery.lineage.meanings.expressions import (
    MODULUS,
    any_is_null,
    is_empty,
    is_negative,
    is_signed_modulus,
    operand,
    sorts,
    text,
)
from discovery.lineage.meanings.joined import cut_chars
from discovery.lineage.meanings.likes import like
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.patterns import (
    first_match,
    groups_all_match,
    in_java,
    insensitive,
    may_match_nothing,
)
from discovery.lineage.meanings.places import from_place, may_be_place_0
from discovery.lineage.meanings.singles import with_doubles
from discovery.lineage.meanings.sorts import SINGLE, Sort
from discovery.lineage.meanings.written_out import number
from discovery.model import HIVE, MYSQL, POSTGRESQL, SPARK

_BACKSLASH: Final = "\\"
_OF_MYSQL: Final = frozenset({"unix_timestamp", "quote"})
"""The first has fractions of seconds; the second is `NULL` of NULL, with two backslashes of one."""
_BYTES: Final = "octet_length"
_OF_ELEMENTS: Final = {"any_match": "EXISTS", "all_match": "FORALL"}
_WEEKDAY: Final = "weekday"
_OPERANDS: Final = 2
_HASH: Final = "xxhash64"
"""Of bytes, and NULL of NULL, to Trino (476); a number by Spark's seed, of NULL, too (4.3.0)."""
_OF_HIVE: Final = frozenset({"hash", "map_values", "std"})
"""Another number, an empty array of no map, and that of all rows."""


def _pattern(node: exp.Like | exp.ILike, pair: DialectPair) -> exp.Expr:
    """Without ESCAPE, a backslash takes a wildcard's meaning, and is only itself to Trino.

    Two of them are none to Hive (2.3.10), and one elsewhere.
    """
    if pair.dialect == HIVE and _BACKSLASH * 2 in node.expression.name:
        return pair.lost(node)
    if not pair.beside_trino or isinstance(node.parent, exp.Escape):
        return node
    pattern = node.expression
    if pair.of_trino:
        single, double = _BACKSLASH, _BACKSLASH * 2
        doubled: exp.Expr = exp.func("REPLACE", pattern, text(single), text(double))
        if pattern.is_string:
            doubled = text(pattern.name.replace(single, double))
        return type(node)(**{**node.args, "expression": doubled})
    if pattern.is_string and _BACKSLASH not in pattern.name:
        return node
    if pattern.is_string:
        plain = re.sub(r"\\([^%_\\])", r"\1", pattern.name)
        pattern = text(plain)
    like = type(node)(this=node.this, expression=pattern)
    escaped = exp.Escape(this=like, expression=text(_BACKSLASH))
    return exp.not_(escaped) if node.args.get("negate") else escaped


def _replaced(node: exp.RegexpReplace, pair: DialectPair) -> exp.Expr:
    if pair.source.java_regexes:
        return node
    flags = set(node.args["modifiers"].name) if node.args.get("modifiers") else set()
    to, pattern = node.args["replacement"], node.expression
    refers = not to.is_string or {_BACKSLASH, "$"} & set(to.name)
    begins = node.args.get("position") or node.args.get("occurrence")
    inline = flags <= {"g", "i"} and (pattern.is_string or "i" not in flags)
    if refers or begins or not inline or (pair.dialect == POSTGRESQL and "g" not in flags):
        return pair.lost(node)  # without `g` PostgreSQL replaces the first alone
    if pattern.is_string:
        pattern = text(in_java(node, pattern.name, pair))
    if "i" in flags:
        pattern = insensitive(pattern.name, pair)
    return exp.RegexpReplace(this=node.this, expression=pattern, replacement=to)


def _matched(node: exp.RegexpLike | exp.RegexpILike, pair: DialectPair) -> exp.Expr:
    pattern = node.expression
    if pair.dialect == HIVE and is_empty(pattern):
        return pair.lost(node)  # found nowhere there, everywhere elsewhere
    if pair.source.java_regexes or not pair.target.java_regexes:
        return node
    if pattern.is_string:
        node.set("expression", text(in_java(node, pattern.name, pair)))
    if isinstance(node, exp.RegexpILike):
        if not pattern.is_string:
            return pair.lost(node)
        pattern = insensitive(node.expression.name, pair)
        return exp.RegexpLike(this=node.this, expression=pattern)
    return node


def _extracted(node: exp.RegexpExtract, pair: DialectPair) -> exp.Expr:
    """Where nothing matches: NULL to Trino, an empty text to Spark and Hive."""
    if not pair.beside_trino:
        return node
    if pair.of_trino:
        group = number(node.args.get("group")) or 0
        if group and not (node.expression.is_string and groups_all_match(node.expression.name)):
            return pair.lost(node)
        matches = exp.RegexpLike(this=node.this.copy(), expression=node.expression.copy())
        return exp.Case().when(matches, node.copy())
    pattern = node.expression
    if pair.dialect == HIVE and pattern.is_string and not groups_all_match(pattern.name):
        # a group that is no part of what matches is NULL to it (2.3.10), too
        matches = exp.RegexpLike(this=node.this.copy(), expression=pattern.copy())
        return exp.Case().when(exp.not_(matches), text("")).else_(node.copy())
    return _never_null(node, node.this, pattern)


def _never_null(node: exp.Expr, *operands: exp.Expr) -> exp.Expr:
    """An empty text where an expression gives NULL though none of its operands is one."""
    empty = exp.If(this=any_is_null(*operands), true=exp.Null(), false=text(""))
    return exp.Coalesce(this=node.copy(), expressions=[empty])


def _parts(node: exp.Split | exp.RegexpSplit, pair: DialectPair) -> exp.Expr:
    """Nothing between two letters is no place to Trino's split; sqlglot loses a number of parts.

    `regexp_split('a', '|')` is `['', 'a', '']` to Trino (476), `['a', '']` to Hive and Spark.
    """
    if pair.dialect == HIVE and is_empty(node.expression):
        return pair.lost(node)
    odd = is_empty(node.expression) or node.args.get("limit") is not None
    if isinstance(node, exp.RegexpSplit):
        odd = odd or may_match_nothing(node.expression)
    return pair.lost(node) if odd and pair.beside_trino else node


def _substitute(node: exp.Replace, pair: DialectPair) -> exp.Expr:
    """Spark and PostgreSQL replace no empty text, Trino and Hive those between the letters."""
    odd = pair.beside_trino or pair.dialect == HIVE
    return pair.lost(node) if is_empty(node.expression) and odd else node


def _letter(node: exp.Chr, pair: DialectPair) -> exp.Expr:
    """A letter by its number, of which Spark takes what is left of 256."""
    code = number(node.expressions[0]) if node.expressions else None
    same = code is not None and 0 < code < 128
    return node if same or pair.share_functions else pair.lost(node)


def _substring(node: exp.Substring, pair: DialectPair) -> exp.Expr:
    begin = node.args.get("start")
    pattern = begin.this if isinstance(begin, exp.Cast) else begin
    if pair.dialect == POSTGRESQL and pattern is not None and pattern.is_string:
        return first_match(node, node.this, pattern, pair, 1)  # `substring(s FROM 'a(b)')`
    start, length = number(begin), number(node.args.get("length"))
    outside = (start is not None and start < 1) or (length is not None and length < 0)
    if outside and pair.dialect == POSTGRESQL:
        return pair.lost(node)
    if start is not None and start < 0 and SPARK in {pair.dialect, pair.into}:
        return _from_end(node, -start, pair)
    is_alike = pair.share_functions and pair.dialect != POSTGRESQL
    if begin is None or is_alike or not may_be_place_0(begin):
        return node
    return from_place(node, begin, pair)


def _from_end(node: exp.Substring, count: int, pair: DialectPair) -> exp.Expr:
    """Of a text that has fewer letters Spark takes all that there are, the others none."""
    shorter = exp.LT(this=exp.Length(this=node.this.copy()), expression=exp.Literal.number(count))
    if pair.dialect != SPARK:
        return exp.Case().when(shorter, text("")).else_(node.copy())
    if node.args.get("length"):
        return pair.lost(node)
    return exp.Case().when(shorter, node.this.copy()).else_(node.copy())


def _end(node: exp.Left | exp.Right, pair: DialectPair) -> exp.Expr:
    """Of a negative number PostgreSQL leaves out so many."""
    count = number(node.expression)
    if pair.dialect == POSTGRESQL and (count is None or count < 0):
        return pair.lost(node)
    if not pair.to_trino or isinstance(node, exp.Left):
        return node
    first = exp.Literal.number(1)  # sqlglot begins before the text where it is shorter, at nothing
    behind = exp.Sub(this=exp.Length(this=node.this.copy()), expression=operand(node.expression))
    begin = exp.Greatest(this=exp.Add(this=behind, expression=first), expressions=[first.copy()])
    return exp.Substring(this=node.this, start=begin)


def _split_part(node: exp.SplitPart, pair: DialectPair) -> exp.Expr:
    """Of a part that is not there: NULL to Trino, an empty text elsewhere."""
    if not pair.beside_trino:
        return node
    part = number(node.args["part_index"])
    if part is None or part < 1 or is_empty(node.args["delimiter"]):
        return pair.lost(node)
    if pair.of_trino:
        parts = exp.Split(this=node.this, expression=node.args["delimiter"])
        return exp.func("GET", parts, exp.Literal.number(part - 1))
    return _never_null(node, node.this, node.args["delimiter"])


def _compared(node: exp.Binary, pair: DialectPair) -> exp.Expr:
    """A char beside a varchar: Trino fills up the other with blanks, Spark neither.

    Hive (2.3.10) compares them without the blanks of the char.

    A text beside true or false is neither to Hive, whatever it says: NULL comes of it.
    """
    if pair.target.hive_functions and not pair.source.hive_functions:
        parts = _of_rows(node)
        if parts:
            each = exp.and_(*parts) if isinstance(node, exp.EQ) else exp.or_(*parts)
            return exp.paren(each, copy=False)
    both = sorts(pair.kinds.of(node.left), pair.kinds.of(node.right))
    written = node.left.is_string or node.right.is_string
    alike = written or (pair.share_functions and pair.dialect != HIVE)
    mixed = both == {Sort.CHAR, Sort.TEXT} and not alike
    short = pair.dialect == HIVE and _is_single(node, pair)
    if mixed or short or (pair.dialect == HIVE and both == {Sort.TRUTH, Sort.TEXT}):
        pair.lost(node)
    return with_days(with_doubles(node, pair), pair)


def _of_rows(node: exp.Binary) -> list[exp.Expr]:
    """What two rows compare, value by value: with a NULL they are unequal to Spark (4.3.0)."""
    left, right = node.left.unnest(), node.right.unnest()
    are_rows = isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple)
    if not are_rows or not isinstance(node, exp.EQ | exp.NEQ):
        return []
    pairs = zip(left.expressions, right.expressions, strict=False)
    return [type(node)(this=value.copy(), expression=other.copy()) for value, other in pairs]


def _is_single(node: exp.Binary, pair: DialectPair) -> bool:
    """Whether a floating number of four bytes stands beside one that is written out.

    Hive (2.3.10) makes the latter as short as the former, so `f = 0.1` may be true.
    """
    kinds = pair.kinds.of(node.left), pair.kinds.of(node.right)
    written = node.left.is_number or node.right.is_number
    return written and SINGLE in kinds


def _either(node: exp.Coalesce, pair: DialectPair) -> exp.Expr:
    """A char or a varchar: Trino makes a char of both, with blanks up to the longer's length."""
    values = [value for value in (node.this, *node.expressions) if not value.is_string]
    mixed = {Sort.CHAR, Sort.TEXT} <= sorts(*map(pair.kinds.of, values))
    return pair.lost(node) if mixed and pair.beside_trino else node


def _length(node: exp.Length, pair: DialectPair) -> exp.Expr:
    if pair.source.trims_chars and Sort.CHAR in sorts(pair.kinds.of(node.this)):
        node.set("this", without_blanks(node.this, pair))
    if pair.dialect != MYSQL or not node.args.get("binary"):
        return node
    if pair.to_trino:
        return exp.Length(this=exp.func("TO_UTF8", node.this))
    return exp.func("OCTET_LENGTH", node.this)


def _as_text(node: exp.Expr, pair: DialectPair) -> exp.Expr:
    """What is filled up or put together is a text to Trino, and no number by itself."""
    value = node.this.this if isinstance(node.this, exp.Order) else node.this
    if pair.to_trino and Sort.WHOLE in sorts(pair.kinds.of(value)):
        value.replace(exp.cast(value.copy(), exp.DType.TEXT))
    return node


def _filled(node: exp.Pad, pair: DialectPair) -> exp.Expr:
    """With nothing it is NULL to Hive and MySQL, an error to Trino, and as it was to Spark.

    To less than nothing it is NULL to MySQL.
    """
    filling = node.args.get("fill_pattern")
    if pair.source.fills_with_null and filling and is_empty(filling):
        return pair.lost(node)
    if pair.dialect == MYSQL and is_negative(node.expression):
        return pair.lost(node)
    return _as_text(node, pair)


def _literal(node: exp.Literal, pair: DialectPair) -> exp.Expr:
    """Spark puts the value of a variable in the place of `${x}`, also in a text."""
    is_sparks = SPARK in {pair.dialect, pair.into}
    return pair.lost(node) if node.is_string and "${" in node.name and is_sparks else node


def _repeated(node: exp.Repeat, pair: DialectPair) -> exp.Expr:
    """An array to Trino, a text elsewhere."""
    times, is_text = node.args["times"], pair.kinds.is_of(node.this, Sort.TEXT)
    if pair.of_trino and pair.target.hive_functions:
        return exp.Anonymous(this="ARRAY_REPEAT", expressions=[node.this, times])
    if not pair.to_trino:
        return node
    if not is_text or (number(times) or -1) < 1:
        return pair.lost(node)
    joined = exp.func(
        "ARRAY_JOIN", exp.Anonymous(this="REPEAT", expressions=[node.this, times]), text("")
    )
    return exp.Case().when(any_is_null(node.this), exp.Null()).else_(joined)


def _titled(node: exp.Initcap, pair: DialectPair) -> exp.Expr:
    """To Spark (4.3.0) a word begins behind a blank alone; Trino (476) has no such function."""
    if not pair.to_trino:
        return node
    if pair.dialect != SPARK:
        return pair.lost(node)
    word = exp.column("x")
    first = exp.Upper(this=exp.func("SUBSTR", word, exp.Literal.number(1), exp.Literal.number(1)))
    rest = exp.func("SUBSTR", word.copy(), exp.Literal.number(2))
    titled = exp.Anonymous(this="CONCAT", expressions=[first, rest])
    each = exp.Lambda(this=titled, expressions=[exp.to_identifier("x")])
    words = exp.Anonymous(this="SPLIT", expressions=[exp.Lower(this=node.this.copy()), text(" ")])
    return exp.func("ARRAY_JOIN", exp.func("TRANSFORM", words, each), text(" "))


def _up_to(node: exp.SubstringIndex, pair: DialectPair) -> exp.Expr:
    """What stands before the nth delimiter, or behind the last."""
    count, delimiter = number(node.args.get("count")), node.args["delimiter"]
    if not pair.to_trino or count is None:
        return node
    if count < -1 or count == 0 or not delimiter.is_string or is_empty(delimiter):
        return pair.lost(node)
    parts = exp.func("SPLIT", node.this, delimiter)
    if count == -1:
        return exp.func("ELEMENT_AT", parts, exp.Literal.number(-1))
    head = exp.func("SLICE", parts, exp.Literal.number(1), exp.Literal.number(count))
    return exp.func("ARRAY_JOIN", head, delimiter)


def _function(node: exp.Anonymous, pair: DialectPair) -> exp.Expr:
    called = node.name.casefold()
    if pair.dialect == MYSQL and called == _BYTES:
        cut_chars(node, pair)
    if pair.to_trino and called == _BYTES:  # as MariaDB writes `length`
        return exp.Length(this=exp.func("TO_UTF8", node.expressions[0]))
    if called in _OF_ELEMENTS and pair.of_trino and pair.target.hive_functions:
        return exp.Anonymous(this=_OF_ELEMENTS[called], expressions=node.expressions)
    if called == _WEEKDAY and pair.to_trino:
        day = exp.Anonymous(this="DAY_OF_WEEK", expressions=node.expressions)
        return exp.paren(exp.Sub(this=day, expression=exp.Literal.number(1)))
    if pair.to_trino and called == MODULUS and pair.source.hive_functions:
        return _modulus(node, pair)
    if pair.beside_trino and called == _HASH:
        return pair.lost(node)
    if (shifted := shift_called(node, pair)) is not node:
        return shifted
    of_mysql = pair.dialect == MYSQL and called in _OF_MYSQL
    of_hive = pair.dialect == HIVE and (called in _OF_HIVE or is_signed_modulus(node))
    return pair.lost(node) if of_mysql or of_hive else like(node, pair)


def _modulus(node: exp.Anonymous, pair: DialectPair) -> exp.Expr:
    """`pmod` by a positive number, which Trino does not have."""
    if len(node.expressions) != _OPERANDS or is_signed_modulus(node):
        return pair.lost(node)
    value, divisor = node.expressions
    rest = exp.func("MOD", value, divisor)
    return exp.func("MOD", exp.Add(this=rest, expression=divisor.copy()), divisor.copy())


RULES: Final[Rules] = {
    exp.Like: _pattern,
    exp.ILike: _pattern,
    exp.RegexpReplace: _replaced,
    exp.RegexpExtract: _extracted,
    exp.Substring: _substring,
    exp.Split: _parts,
    exp.RegexpSplit: _parts,
    exp.Replace: _substitute,
    exp.Chr: _letter,
    exp.Left: _end,
    exp.Right: _end,
    exp.SplitPart: _split_part,
    exp.Coalesce: _either,
    exp.Length: _length,
    exp.Pad: _filled,
    exp.Repeat: _repeated,
    exp.Initcap: _titled,
    exp.RegexpLike: _matched,
    exp.RegexpILike: _matched,
    exp.Literal: _literal,
    exp.GroupConcat: _as_text,
    exp.SubstringIndex: _up_to,
    exp.Anonymous: _function,
    **dict.fromkeys((exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE), _compared),
}
