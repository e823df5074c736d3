"""What kind of value an expression has, as far as it decides what engines make of it.

`7 / 2` is 3 or 3.5, and a cast to a whole number rounds or cuts: the same words, by engine and by
kind. Columns have the kinds that the crawl knows of tables; all else follows from them, or is not
known.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from sqlglot import exp

from discovery.engines import engine
from discovery.lineage.meanings.elements_read import of_element, of_field, of_rows
from discovery.lineage.meanings.exact import quotient
from discovery.lineage.meanings.results import of_function
from discovery.lineage.meanings.sorts import (
    BARE,
    CLOSE,
    EXACT,
    FLOAT,
    INTEGER,
    LONG,
    NUMBERS,
    TIMES,
    WIDE,
    WIDEST,
    Sort,
    ValueKind,
    of_data_type,
    of_literal,
    of_type,
)
from discovery.lineage.meanings.visible import named_source, queries_seen, query_of, sources_of
from discovery.lineage.meanings.written_out import number
from discovery.lineage.respelling import casefolded
from discovery.model import MYSQL, POSTGRESQL, TRINO, Column, DataType
from discovery.ports import Name

_REMEMBERED: Final = "kind"
_DEEPEST: Final = 40  # subqueries and expressions within each other
_MORE_IN_SUMS: Final = 10  # digits that Spark and Hive give a sum of exact numbers
_MORE_IN_AVERAGES: Final = 4  # of both, behind the point
_WHOLE_PARTS: Final = frozenset(
    {"year", "quarter", "month", "week", "day", "doy", "dow", "isodow", "hour", "minute"}
)
_MYSQL_MORE: Final = 4  # digits of a quotient: `div_precision_increment`
_SAME_AS_FIRST: Final = (
    exp.Abs,
    exp.Paren,
    exp.Neg,
    exp.Min,
    exp.Max,
    exp.Window,
    exp.Filter,
    exp.Lag,
    exp.Lead,
    exp.FirstValue,
    exp.LastValue,
    exp.Distinct,
    exp.Nullif,
    exp.Alias,
    exp.Ordered,
)


class ValueKinds:
    """The kinds of the values in one statement.

    Args:
        dialect: Of the statement.
        columns: Each table that it reads, as it names it, to its columns.
    """

    def __init__(self, dialect: str, columns: Mapping[Name, Sequence[Column]]) -> None:
        self._dialect = dialect
        self._tables = columns
        self._columns = {
            casefolded(name): {it.name.casefold(): self._of_type(it.type) for it in listed}
            for name, listed in columns.items()
        }
        self._depth = 0
        self._asked: dict[int, tuple[exp.Expr, ValueKind | None]] = {}
        self._readers: dict[str, ValueKinds] = {}

    def _of_type(self, data_type: DataType) -> ValueKind | None:
        kind = of_data_type(data_type)
        is_wide = kind is not None and kind[:3] == WIDE[:3]
        return WIDE if is_wide and self._dialect == POSTGRESQL else kind

    @property
    def dialect(self) -> str:
        """Of the statement."""
        return self._dialect

    def has_other_digits(self, node: exp.Expr, reader: str) -> bool:
        """Whether a number has more digits behind its point to a reader, or less, or is a double.

        Args:
            node: An expression.
            reader: The dialect of who reads the statement as it is.
        """
        if reader not in self._readers:
            self._readers[reader] = ValueKinds(reader, self._tables)
        at_home, elsewhere = self.of(node), self._readers[reader].of(node)
        if at_home is None or elsewhere is None or not {at_home.sort, elsewhere.sort} <= NUMBERS:
            return False
        is_float, is_float_elsewhere = (kind.sort is Sort.FLOAT for kind in (at_home, elsewhere))
        return is_float != is_float_elsewhere or at_home.scale != elsewhere.scale

    @staticmethod
    def remember(node: exp.Expr, kind: ValueKind | None) -> None:
        """Keep the kind of what a node stands for: what a rule writes for it may be wider."""
        node.meta[_REMEMBERED] = kind

    def of_all_columns(self) -> Iterator[ValueKind | None]:
        """The kinds of the columns of all tables."""
        for kinds in self._columns.values():
            yield from map(_no_row, kinds.values())

    def is_of(self, node: exp.Expr | None, *some: Sort) -> bool:
        """Whether an expression's values are known to be of one of some sorts."""
        kind = self.of(node)
        return kind is not None and kind.sort in some

    def may_be(self, node: exp.Expr | None, *some: Sort) -> bool:
        """Whether an expression's values are of one of some sorts, or nobody can tell; not NULL."""
        if isinstance(node, exp.Null):
            return False
        kind = self.of(node)
        return kind is None or kind.sort in some

    def of(self, node: exp.Expr | None) -> ValueKind | None:
        """The kind of an expression's values; None: it is not known, or that of rows."""
        return _no_row(self.of_any(node))

    def of_any(self, node: exp.Expr | None) -> ValueKind | None:
        """The kind also of rows: what is known of these is what their fields are."""
        if node is None or self._depth > _DEEPEST:
            return None
        if _REMEMBERED in node.meta:
            kept: ValueKind | None = node.meta[_REMEMBERED]
            return kept
        if id(node) in self._asked:
            return self._asked[id(node)][1]
        self._asked[id(node)] = node, None  # what is asked of itself is not known
        self._depth += 1
        try:
            kind = self._of(node)
            self._asked[id(node)] = node, kind
            return kind
        finally:
            self._depth -= 1
            if not self._depth:  # rules change the statement between two questions
                self._asked.clear()

    def _of(self, node: exp.Expr) -> ValueKind | None:  # noqa: C901 - a row for each class
        match node:
            case exp.Column():
                return self._column(node)
            case exp.Literal():
                return of_literal(node)
            case exp.Boolean() | exp.Predicate() | exp.Not() | exp.Connector():
                return ValueKind(Sort.TRUTH)
            case exp.CurrentDate() | exp.TsOrDsToDate():
                return ValueKind(Sort.DATE)
            case exp.Cast(to=kind):
                return (kind.meta.get(BARE) and self._digits_of(node)) or of_type(kind)
            case exp.Extract(this=unit) if unit.name.casefold() in _WHOLE_PARTS:
                return ValueKind(Sort.EXACT, 10) if self._dialect == POSTGRESQL else LONG
            case exp.Add() | exp.Sub() | exp.Mul() | exp.Mod() | exp.Div():
                return self._arithmetic(node)
            case exp.Sum() | exp.Avg():
                return self._total(node)
            case exp.Round():
                return self._rounded(node)
            case exp.Coalesce() | exp.Greatest() | exp.Least():
                return self._common([node.this, *node.expressions])
            case exp.If() | exp.Case():
                return self._common(branches(node))
            case exp.Subquery() | exp.Query():
                query = node.unnest()
                selects = query.selects if isinstance(query, exp.Query) else []
                return self.of(selects[0]) if len(selects) == 1 else None
        return self._by_class(node)

    def _digits_of(self, node: exp.Cast) -> ValueKind | None:
        """The kind of an exact number that keeps the digits of what it is made of."""
        kind = self.of(node.this)
        return kind._replace(sort=Sort.EXACT) if kind and kind.sort in EXACT else None

    def _by_class(self, node: exp.Expr) -> ValueKind | None:
        if isinstance(node, _SAME_AS_FIRST):
            return self.of_any(node.this)
        if isinstance(node, exp.Dot):
            return of_field(self.of_any(node.this), [node.name])
        if isinstance(node, exp.Bracket | exp.Explode):
            return of_element(node, self.of_any(node.this))
        return of_function(node, self._dialect, self.of_any)

    def _common(self, nodes: Sequence[exp.Expr]) -> ValueKind | None:
        """The kind that all have which are no NULL, with the most digits; None: they differ."""
        kinds = [self.of(node) for node in nodes if not isinstance(node, exp.Null)]
        known = [kind for kind in kinds if kind is not None]
        if not known or len(known) < len(kinds):
            return None
        if {Sort.FLOAT} < {kind.sort for kind in known} <= NUMBERS:
            return _double(known)
        if not _is_same(known):
            return None
        sorts = {kind.sort for kind in known}
        sort = Sort.EXACT if sorts > {Sort.WHOLE} else known[0].sort
        scale = max(k.scale for k in known)
        digits = min(WIDEST, max(k.digits - k.scale for k in known) + scale)
        of_several = self._dialect == POSTGRESQL and len({k.scale for k in known}) > 1
        return ValueKind(sort, digits, scale, has_own_scale=of_several or _has_own_scale(known))

    def _arithmetic(self, node: exp.Binary) -> ValueKind | None:
        left, right = self.of(node.left), self.of(node.right)
        if isinstance(node.right.unnest(), exp.Interval) and left is not None:
            return left if left.sort in TIMES and engine(self._dialect).hive_functions else None
        if left is None or right is None or not {left.sort, right.sort} <= NUMBERS:
            return None
        if Sort.FLOAT in {left.sort, right.sort}:
            return _double([left, right])
        if isinstance(node, exp.Div):
            return self._quotient(node, left, right)
        if left.sort is right.sort is Sort.WHOLE:
            least = LONG if self._dialect == MYSQL else INTEGER
            return ValueKind(Sort.WHOLE, max(left.digits, right.digits, least.digits))
        scales = left.scale, right.scale
        scale = sum(scales) if isinstance(node, exp.Mul) else max(scales)
        integral = max(left.digits - left.scale, right.digits - right.scale)
        digits = left.digits + right.digits if isinstance(node, exp.Mul) else integral + scale + 1
        if isinstance(node, exp.Mul) and engine(self._dialect).hive_functions:
            digits += 1
        own = _has_own_scale([left, right])
        return ValueKind(Sort.EXACT, min(digits, WIDEST), scale, has_own_scale=own)

    def _quotient(self, node: exp.Div, left: ValueKind, right: ValueKind) -> ValueKind | None:
        both_whole = left.sort is right.sort is Sort.WHOLE
        if both_whole and engine(self._dialect).divides_whole:
            return ValueKind(Sort.WHOLE, max(left.digits, right.digits))
        if self._dialect == POSTGRESQL:
            return WIDE
        if self._dialect == MYSQL:
            return ValueKind(Sort.EXACT, WIDEST, left.scale + _MYSQL_MORE)
        if self._dialect == TRINO:
            digits = left.digits + right.scale + max(0, right.scale - left.scale)
            return ValueKind(Sort.EXACT, min(WIDEST, digits), max(left.scale, right.scale))
        return FLOAT if both_whole else quotient(node, left, right, self._dialect)

    def _rounded(self, node: exp.Round) -> ValueKind | None:
        kind = self.of(node.this)
        return kind and of_rounded(kind, node.args.get("decimals"), self._dialect)

    def _total(self, node: exp.Sum | exp.Avg) -> ValueKind | None:
        kind = self.of(node.this)
        if kind is None or kind.sort not in EXACT:
            return _double([kind]) if kind is not None and kind.sort is Sort.FLOAT else None
        if isinstance(node, exp.Sum):
            wide = self._dialect == POSTGRESQL and kind.digits > INTEGER.digits
            exact = wide or self._dialect == MYSQL or kind.sort is Sort.EXACT
            if exact and engine(self._dialect).hive_functions:
                return kind._replace(digits=min(WIDEST, kind.digits + _MORE_IN_SUMS))
            return kind._replace(sort=Sort.EXACT, digits=WIDEST) if exact else LONG
        if self._dialect == POSTGRESQL:
            return WIDE
        if self._dialect == MYSQL:
            return ValueKind(Sort.EXACT, WIDEST, kind.scale + _MYSQL_MORE)
        if kind.sort is Sort.WHOLE:
            return FLOAT
        if self._dialect == TRINO:
            return kind
        digits, scale = kind.digits + _MORE_IN_AVERAGES, kind.scale + _MORE_IN_AVERAGES
        return ValueKind(Sort.EXACT, min(WIDEST, digits), min(WIDEST, scale))

    def _column(self, node: exp.Column) -> ValueKind | None:
        """The kind of a column, or of a field: `t.a.b` is one of `a` where that column has rows."""
        select, names = node.find_ancestor(exp.Select), [part.name for part in node.parts]
        if (kind := self._look_up(select, node.table, node.name)) is not None:
            return kind
        of_table = any(named_source(it, names[0]) is not None for it in queries_seen(select))
        for place in range(int(of_table), len(names) - 1):
            row = self._look_up(select, names[place - 1] if place else "", names[place])
            if (kind := of_field(row, names[place + 1 :])) is not None:
                return kind
        return None

    def _look_up(self, select: exp.Select | None, table: str, name: str) -> ValueKind | None:
        """The kind of a column of what a query reads, or one around it."""
        column = name.casefold()
        for query in queries_seen(select):
            if table:
                if (source := named_source(query, table)) is not None:
                    return self._in(source, column)
                continue
            sources = list(sources_of(query))
            for source in sources:
                if (kind := self._in(source, column)) is not None:
                    return kind
            if not all(map(self._is_known, sources)):
                return None
        return None

    def _is_known(self, source: exp.Expr) -> bool:
        """Whether the names of all columns of a table, or of a query in its place, are known."""
        if source.alias_column_names:
            return False
        if self.listed(source) is not None:
            return True
        query = query_of(source)
        return isinstance(query, exp.Query) and not query.is_star

    def _in(self, source: exp.Expr, column: str) -> ValueKind | None:
        """The kind of a column of a table, or of a query in its place, by the names of these."""
        if isinstance(source, exp.Lateral | exp.Unnest):
            return of_rows(source, column, self._dialect, self.of_any)
        if source.alias_column_names:
            return None
        listed = self.listed(source)
        return self._in_query(query_of(source), column) if listed is None else listed.get(column)

    def listed(self, source: exp.Expr) -> Mapping[str, ValueKind | None] | None:
        """The columns of a table; None: they are not known, or it is no table."""
        if not isinstance(source, exp.Table):
            return None
        return self._columns.get(casefolded(tuple(part.name for part in source.parts)))

    def _in_query(self, query: exp.Expr | None, column: str) -> ValueKind | None:
        if isinstance(query, exp.SetOperation):
            return self._in_query(query.left.unnest(), column)
        if not isinstance(query, exp.Select):
            return None
        for select in query.selects:
            if select.alias_or_name.casefold() == column:
                return self.of_any(select)
            if select.is_star:
                for source in sources_of(query):
                    if (kind := self._in(source, column)) is not None:
                        return kind
        return None


def of_rounded(kind: ValueKind, decimals: exp.Expr | None, dialect: str) -> ValueKind | None:
    """The kind of a rounded number; None: it is not known.

    An exact one has the digits behind its point that are asked for, and to Hive and Spark no more
    than before; to Trino (476) it has all that it had, if any are asked for.

    Args:
        kind: Of the number.
        decimals: How many digits are asked for, if that is said.
        dialect: Of the statement.
    """
    places = 0 if decimals is None else number(decimals)
    if kind.sort is not Sort.EXACT:
        return FLOAT if kind == CLOSE else kind
    if decimals is not None and dialect == TRINO:
        places = kind.scale
    if places is None:
        return None
    scale = max(places, 0)
    if engine(dialect).hive_functions:
        scale = min(scale, kind.scale)
    may_be_longer = decimals is not None or kind.scale > 0
    digits = kind.digits - kind.scale + may_be_longer + scale
    return ValueKind(Sort.EXACT, min(WIDEST, digits), scale)


def _no_row(kind: ValueKind | None) -> ValueKind | None:
    """The kind, but for that of a row: what engines make of a row as a whole is not known."""
    return None if kind is not None and kind.sort is Sort.ROW else kind


def _has_own_scale(kinds: Iterable[ValueKind]) -> bool:
    return any(kind.has_own_scale for kind in kinds)


def _double(kinds: Sequence[ValueKind]) -> ValueKind:
    """The kind of a double that is calculated of numbers."""
    return CLOSE if CLOSE in kinds else FLOAT


def _is_same(kinds: Sequence[ValueKind]) -> bool:
    sorts = {kind.sort for kind in kinds}
    return len(sorts) == 1 or sorts == EXACT


def branches(node: exp.If | exp.Case) -> list[exp.Expr]:
    """What a choice may give."""
    choices = node.args.get("ifs") or [node]
    others = (node.args.get("default"), node.args.get("false"))
    return [
        *(choice.args["true"] for choice in choices),
        *(branch for branch in others if branch is not None),
    ]
