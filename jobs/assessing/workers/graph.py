"""What one executor runs to tell what stands on what: waves, and what is below whom.

Only what reads a view, is read by one or is faulty is in the graph; each is a number whose name is
in Arrow. Imports neither pydantic nor the configuration.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from discovery.lineage.blockers import HEARD, REJECTED, UNPROVEN, ByItself, on_bases
from discovery.lineage.order import Aside, Order, Why, below, order
from jobs.assessing import tables as assessed
from jobs.warehouse.rows import ArrowFunction, to_batches

Key = tuple[str, str]
"""Source and key of an object."""

MISSING: Final = "missing"
UNREAD: Final = "unread"
UNRESOLVED: Final = "unresolved"
TAKEN: Final = "taken"
COMPILED: Final = "compiled"

KEY: Final = ("source", "key")
BASE: Final = ("base_source", "base_key")
_NAMED: Final = [pa.field(name, pa.string()) for name in KEY]
LINKS: Final = pa.schema([*_NAMED, *(pa.field(name, pa.string()) for name in (*BASE, "link"))])
"""An object and what it reads, `link` being the kind of that; or, with no base, `unresolved`: of it
nobody can tell what it reads; or `rejected`, `unproven` or `heard`, by the engine that stands as
`base_source` (`ByItself`). `taken` says of two that are there already that the text of the one is
taken into that of the other; `compiled` says it of a view in the format of an engine that compiles
such texts as one, which is what the view means."""
_OF_ENGINES: Final = (REJECTED, UNPROVEN, HEARD)

PLACED: Final = pa.schema(
    [*_NAMED, *(assessed.WAVES.schema.field(name) for name in ("wave", "aside", "because"))]
)
"""The wave of an object, or why it has none; what is not there is in the first wave."""

SAID_OF_BASES: Final = ("engine", "blocked", "unproven")
ON_BASES: Final = pa.schema([*_NAMED, *(pa.field(name, pa.string()) for name in SAID_OF_BASES)])
"""`OnBases`: what is below by its source and key, or a code of `Why`."""

MOST_BELOW: Final = 200
"""Views below one that a translator is told, texts and all."""
BELOW: Final = pa.schema([*_NAMED, pa.field("below", pa.string())])
"""A view and the key of one that it stands on, over others, too; its own: there is no end."""

_END: Final = "\0"  # of a source in a name
_FIRST: Final = 10**9  # numbers of one length: `order` sorts them as texts


@dataclass(slots=True)
class Graph:
    """What of a run reads or is read; each object is a number, in the order of their names.

    Attributes:
        names: Source and key of each number, joined.
        reads: Each view, and each object that is there and unread, with the views and the missing
            objects that it reads.
        missing: What is read and not there.
        unresolved: Views of which nobody can tell what they read.
        unread: What is read, is there, and is no view that was read.
        said: What is `rejected`, `unproven` and `heard` by which engine.
        taken: Views with what they read whose text may be taken into theirs.
        compiled: Those of them whose own engine takes it so.
    """

    names: pa.Array
    reads: dict[int, set[int]] = field(default_factory=dict)
    missing: set[int] = field(default_factory=set)
    unresolved: set[int] = field(default_factory=set)
    unread: set[int] = field(default_factory=set)
    said: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    taken: set[tuple[int, int]] = field(default_factory=set)
    compiled: set[tuple[int, int]] = field(default_factory=set)

    @classmethod
    def of(cls, links: pa.Table) -> "Graph":
        """The graph of rows of `LINKS`."""
        kinds = links["link"]
        no_edges = pa.array([UNRESOLVED, TAKEN, COMPILED, *_OF_ENGINES])
        edges = links.filter(pc.invert(pc.is_in(kinds, no_edges)))
        unresolved = joined(links.filter(pc.equal(kinds, UNRESOLVED)), KEY)
        ends = [joined(edges, KEY), joined(edges, BASE)]
        graph = cls(sorted_names(unresolved, *ends))
        graph.unresolved.update(graph.numbers(unresolved))
        graph.reads.update((view, set()) for view in graph.unresolved)
        for view, base, kind in zip(
            *map(graph.numbers, ends), edges["link"].to_pylist(), strict=True
        ):
            graph.reads.setdefault(view, set()).add(base)
            if kind == MISSING:
                graph.missing.add(base)
                continue
            graph.reads.setdefault(base, set())
            if kind == UNREAD:
                graph.unread.add(base)
        own_links = links.filter(pc.is_in(kinds, pa.array(_OF_ENGINES)))
        pairs = zip(own_links["link"].to_pylist(), own_links[BASE[0]].to_pylist(), strict=True)
        for pair, number in zip(pairs, graph.numbers(joined(own_links, KEY)), strict=True):
            graph.said.setdefault(pair, set()).add(number)
        for kind, within in ((TAKEN, graph.taken), (COMPILED, graph.compiled)):
            inlined = links.filter(pc.equal(kinds, kind))
            ends = [joined(inlined, KEY), joined(inlined, BASE)]
            within.update(zip(*map(graph.numbers, ends), strict=True))
        return graph

    @property
    def unknown(self) -> set[int]:
        """Of what nobody can tell what it reads."""
        return self.unresolved | self.unread

    def numbers(self, joined: pa.ChunkedArray) -> list[int]:
        """The numbers of names."""
        positions = pc.index_in(joined, value_set=self.names).to_pylist()
        return [_FIRST + at for at in positions]

    def key(self, number: int) -> Key:
        """Source and key of a number."""
        source, _, key = self.names[number - _FIRST].as_py().partition(_END)
        return source, key

    def ordered(self) -> Order[int]:
        """Its numbers in waves."""
        return order(self.reads, missing=self.missing, unresolved=self.unknown)

    def placed(self) -> Iterator[tuple[object, ...]]:
        """Rows of `PLACED`."""
        for node, place in self.ordered().places():
            if isinstance(place, Aside):
                because = [self._cause_text(cause) for cause in place.because]
                yield (*self.key(node), None, place.why.value, because)
            else:
                yield (*self.key(node), place, None, None)

    def on_bases(
        self, engines: Sequence[str], translating: Sequence[str], compiling: Sequence[str] = ()
    ) -> Iterator[tuple[object, ...]]:
        """Rows of `ON_BASES`: what is blocked or no surer for what is below it.

        Args:
            engines: All engines.
            translating: Those that take texts of views below into the one that they translate.
            compiling: Those that take them into a view of their own format that they analyze.
        """
        taken = {
            **{engine: self._analyzed(engine) for engine in compiling},
            **dict.fromkeys(translating, self.taken),
        }
        by_engine = {
            engine: ByItself(
                **{kind: self.said.get((kind, engine), set()) for kind in _OF_ENGINES},
                taken=taken.get(engine, frozenset()),
            )
            for engine in engines
        }
        for on_base in on_bases(self.reads, self.ordered().aside, by_engine):
            blocked, unproven = map(self._cause_text, (on_base.blocked, on_base.unproven))
            yield (*self.key(on_base.node), on_base.engine, blocked, unproven)

    def _analyzed(self, engine: str) -> set[tuple[int, int]]:
        """What is compiled in views that an engine has analyzed: of others it was told no texts."""
        unproven = self.said.get((UNPROVEN, engine), set())
        return {(view, base) for view, base in self.compiled if view not in unproven}

    def _cause_text(self, cause: Why | int | None) -> str | None:
        if cause is None or isinstance(cause, Why):
            return cause and cause.value
        return "/".join(self.key(cause))


def order_views(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What orders: all rows of `LINKS` in, those of `PLACED` out."""
    yield from to_batches(_graph(batches).placed(), PLACED)


def look_below(
    engines: Sequence[str], translating: Sequence[str], compiling: Sequence[str]
) -> ArrowFunction:
    """What looks below views: all rows of `LINKS` in, those of `ON_BASES` out.

    Args:
        engines: All engines.
        translating: Those that take texts of views below into the one that they translate.
        compiling: Those that take them into a view of their own format that they analyze.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from to_batches(_graph(batches).on_bases(engines, translating, compiling), ON_BASES)

    return run


def stack_views(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What stacks: views of a source with what they read there in, rows of `BELOW` out."""
    reads: dict[Key, set[Key]] = {}
    for batch in batches:
        for source, view, base in zip(
            *(column.to_pylist() for column in batch.columns), strict=True
        ):
            reads.setdefault((source, view), set()).add((source, base))
    yield from to_batches(((*view, key) for view, (_, key) in below(reads, most=MOST_BELOW)), BELOW)


def joined(table: pa.Table, columns: Sequence[str]) -> pa.ChunkedArray:
    """Source and key of each row as one text."""
    return pc.binary_join_element_wise(*(table[name] for name in columns), _END)


def sorted_names(*columns: pa.ChunkedArray) -> pa.Array:
    """All names, each once."""
    parts = [part for column in columns for part in column.chunks]
    names = pc.unique(pa.chunked_array(parts, pa.string()))
    return names.take(pc.sort_indices(names))


def _graph(batches: Iterable[pa.RecordBatch]) -> Graph:
    return Graph.of(pa.Table.from_batches((batch.cast(LINKS) for batch in batches), LINKS))
