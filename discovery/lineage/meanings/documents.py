"""What stands at a path in a document of JSON, as a text.

PostgreSQL writes `info -> 'stops' -> 0 ->> 'at'`, MySQL `json_unquote(json_extract(info, '$.a'))`
and `json_value(info, '$.a')`. What is no text is written otherwise by each engine: `1.50` is 1.5 to
Spark (4.1.4), an object NULL to Trino (476), and a null the text `null` to MySQL: a doubt.
"""

import re
from typing import Final

from sqlglot import exp

from discovery.lineage.meanings.expressions import text
from discovery.lineage.meanings.pair import DialectPair, Rules
from discovery.lineage.meanings.written_out import number
from discovery.model import MYSQL, POSTGRESQL

_PLAIN_STEPS: Final = (exp.JSONPathRoot, exp.JSONPathKey, exp.JSONPathSubscript)
_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_UNQUOTED: Final = "json_unquote"


def is_of_database(pair: DialectPair) -> bool:
    """Whether a statement is a database's, which has functions of JSON of its own."""
    return not (pair.of_trino or pair.source.hive_functions)


def shows_otherwise(pair: DialectPair) -> bool:
    """Whether what is no text in JSON may be another text in a draft."""
    return is_of_database(pair) or (pair.of_trino and pair.target.hive_functions)


def read_at_path(node: exp.Expr, dialect: str) -> exp.Expr:
    """A text at a path as one function of a document and the whole path; else the node itself."""
    match node:
        case exp.JSONExtractScalar() if dialect == POSTGRESQL:
            return _of_arrows(node) or node
        case exp.JSONValue(this=document, args={"path": exp.JSONPath() as path}) if (
            dialect == MYSQL
        ):
            return exp.JSONExtractScalar(this=document, expression=path)
        case exp.Anonymous(expressions=[exp.JSONExtract() as extract]) if (
            dialect == MYSQL and node.name.casefold() == _UNQUOTED
        ):
            return exp.JSONExtractScalar(this=extract.this, expression=extract.expression)
    return node


def _of_arrows(node: exp.JSONExtractScalar) -> exp.Expr | None:
    """A chain of PostgreSQL's arrows with a path for them; None: a step is no name or place."""
    steps: list[exp.Expr] = []
    document: exp.Expr = node
    while isinstance(document, exp.JSONExtract | exp.JSONExtractScalar):
        step = _step(document.expression)
        if step is None:
            return None
        steps.append(step)
        document = document.this.unnest()
    if isinstance(document, exp.Cast) and document.to.is_type(exp.DType.JSON, exp.DType.JSONB):
        document = document.this
    path = exp.JSONPath(expressions=[exp.JSONPathRoot(), *reversed(steps)])
    return exp.JSONExtractScalar(this=document, expression=path)


def _step(node: exp.Expr) -> exp.Expr | None:
    """One step of a path."""
    if isinstance(node, exp.JSONPath):
        steps = node.expressions[1:]
        return steps[0] if len(steps) == 1 else None
    literal = node.this if isinstance(node, exp.Cast) else node
    if literal.is_string:
        return exp.JSONPathKey(this=literal.name)
    place = number(literal)
    return None if place is None else exp.JSONPathSubscript(this=place)


def _scalar(node: exp.JSONExtractScalar, pair: DialectPair) -> exp.Expr:
    """Trino's function for scalars has nothing of an object or a list."""
    if shows_otherwise(pair):
        return _at_plain_path(node, pair)
    if not pair.beside_trino:
        return node
    path = node.expression
    steps = path.expressions if isinstance(path, exp.JSONPath) else [path]
    if not pair.to_trino or not pair.source.hive_functions:
        return pair.lost(node)
    if not all(type(step) in _PLAIN_STEPS for step in steps):
        return pair.lost(node)
    extract = exp.JSONExtract(this=node.this.copy(), expression=path.copy())
    shown = exp.func("JSON_FORMAT", extract)  # numbers as Java has them, 1.50 as 1.5
    is_text = exp.Like(this=shown.copy(), expression=text('"%'))
    other = exp.Nullif(this=shown, expression=text("null"))
    return exp.Case().when(is_text, node.copy()).else_(other)


def _at_plain_path(node: exp.JSONExtractScalar, pair: DialectPair) -> exp.Expr:
    path = node.expression
    if not isinstance(path, exp.JSONPath) or not all(map(_is_plain, path.expressions)):
        return pair.lost(node)
    names = [
        f".{step.this}" if isinstance(step, exp.JSONPathKey) else f"[{step.this}]"
        for step in path.expressions[1:]
    ]
    called = "JSON_EXTRACT_SCALAR" if pair.to_trino else "GET_JSON_OBJECT"
    if not (pair.to_trino or pair.target.hive_functions):
        return pair.lost(node)
    return exp.Anonymous(this=called, expressions=[node.this, text("".join(["$", *names]))])


def _is_plain(step: exp.Expr) -> bool:
    """Whether a step is written alike by all: a plain name, or a place from the first on."""
    if isinstance(step, exp.JSONPathKey):
        return _KEY.fullmatch(str(step.this)) is not None
    if isinstance(step, exp.JSONPathSubscript):
        return str(step.this).isdecimal()
    return isinstance(step, exp.JSONPathRoot)


def _document(node: exp.JSONExtract, pair: DialectPair) -> exp.Expr:
    """A part of a document, with the quotes of its texts, which Spark's function leaves out."""
    return pair.lost(node) if is_of_database(pair) else node


RULES: Final[Rules] = {
    exp.JSONExtractScalar: _scalar,
    exp.JSONExtract: _document,
}
