"""What executors are told of a view that is compared: its row, what its texts read and call.

Imports neither pydantic nor the configuration: a worker has no use for them.
"""

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypedDict

import pyarrow as pa

from discovery import wire
from discovery.functions import Parameter, Signature
from discovery.judging.calling import KnownFunction, kept_by
from discovery.judging.entries import KnownBase
from discovery.model import FLINK, Column, Identifier, View
from jobs.assessing.workers.views import ViewRow, views_in

KNOWN: Final = ("known", "under", "called", "whole", "resolved")
"""What is known of a view beside the view: what its texts read, what the views below read whose
texts are taken into these, the functions of the estate that they call, whether the columns of all
that they read are known, whether its names could be read."""

CALLED: Final = ("source", "namespace", "name", "language", "implementation", "takes", "returns")
"""What is known of a function of the estate."""


class _TableColumn(TypedDict):
    """A column of a table, its type as JSON."""

    name: str
    type: str
    nullable: bool | None


class _Time(TypedDict):
    """A time attribute of a table of Flink."""

    name: str
    kind: str


class KnownName(TypedDict):
    """What is known of a name in a text; `declared` has the columns of a view, as JSON."""

    dialect: str
    written: list[str]
    catalog: str | None
    base_source: str | None
    base_namespace: list[str] | None
    base_name: str | None
    base_key: str | None
    form: str | None
    in_default: bool | None
    declared: str | None
    columns: list[_TableColumn] | None
    beside_spark: list[_TableColumn] | None
    text: str | None
    flink_times: list[_Time] | None
    acid: bool | None


class _Taken(TypedDict):
    """What a function is given, as `Parameter` has it."""

    name: str
    type: str
    may_lack: bool


class _Called(TypedDict):
    """What `CALLED` has of a function."""

    source: str
    namespace: list[str]
    name: str
    language: str | None
    implementation: str | None
    takes: list[_Taken] | None
    returns: str | None


class Compared(NamedTuple):
    """A view of the batch, and what is known of it."""

    row: ViewRow
    form: str
    view: View
    known: Sequence[KnownName]
    under: Sequence[KnownName]
    calls: tuple[KnownFunction, ...]
    whole: bool
    resolved: bool

    def reads(self, dialect: str) -> list[KnownBase]:
        """What its text in a dialect reads."""
        return [as_known_base(base) for base in self.known if base["dialect"] == dialect]


def with_known(batch: pa.RecordBatch, *beside: str) -> Iterator[Compared]:
    """The views of a batch, with what is known of each, and more columns behind their keys."""
    columns = [batch.column(name).to_pylist() for name in KNOWN]
    for (row, form, view), *facts in zip(views_in(batch, *beside), *columns, strict=True):
        known, under, called, *flags = facts
        calls = tuple(map(_known_function, called or ()))
        yield Compared(row, form, view, known or (), under or (), calls, *map(bool, flags))


def as_known_base(base: KnownName) -> KnownBase:
    """What a text reads; what has no key is nowhere."""
    columns = None
    if base["declared"] is not None:
        columns = _parse_columns(base["declared"])
    elif base["columns"] is not None:
        columns = _table_columns(base["columns"])
    beside, times = base["beside_spark"], base["flink_times"]
    return KnownBase(
        written=tuple(base["written"]),
        catalog=base["catalog"],
        source=base["base_source"] or "",
        identifier=Identifier(tuple(base["base_namespace"] or ()), base["base_name"] or ""),
        columns=columns,
        form=base["form"] if times is None else FLINK,
        in_default=bool(base["in_default"]),
        key=base["base_key"] or "",
        beside_spark=None if beside is None else _table_columns(beside),
        text=base["text"] or "",
        flink_times=None
        if times is None
        else tuple((time["name"], time["kind"]) for time in times),
        acid=bool(base["acid"]),
    )


def _known_function(called: _Called) -> KnownFunction:
    signature = None
    if called["returns"] is not None:
        takes = tuple(Parameter(**parameter) for parameter in called["takes"] or ())
        signature = Signature(takes, called["returns"])
    keeper = kept_by(called["language"], called["implementation"])
    return KnownFunction(
        called["source"], tuple(called["namespace"]), called["name"], signature, keeper
    )


@lru_cache(maxsize=4_096)
def _parse_columns(columns: str) -> tuple[Column, ...]:
    return wire.columns_from_json(json.loads(columns))


def _table_columns(columns: list[_TableColumn]) -> tuple[Column, ...]:
    return _typed(tuple((column["name"], column["type"], column["nullable"]) for column in columns))


@lru_cache(maxsize=4_096)
def _typed(columns: tuple[tuple[str, str, bool | None], ...]) -> tuple[Column, ...]:
    return tuple(
        Column(name, wire.type_from_json(json.loads(kind)), None, nullable is not False)
        for name, kind, nullable in columns
    )
