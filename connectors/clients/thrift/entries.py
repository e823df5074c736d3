"""Entries of tables and views read from an answer as data, without a struct of Python in between.

Each column of an entry is a struct to Thrift's bindings. To make one and to take it apart again
cost more than all else that this client does with an answer. Thrift's accelerated decoder calls the
class of a frozen struct with the fields that are set, by name (thrift 0.25): it need not make one.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from thrift.protocol.TBase import TFrozenBase
from thrift.protocol.TBinaryProtocol import TBinaryProtocolAccelerated
from thrift.Thrift import TType

from connectors.clients.metastore_bindings import plain

_ENTRY: Final = "Table"
_BINARY: Final = "BINARY"


def entry_protocol(transport: object, *, longest_text: int, longest_list: int) -> Any:  # noqa: ANN401 - untyped
    """The accelerated protocol, whose answers hold each entry as `plain` would make it.

    Args:
        transport: What carries it.
        longest_text: Bytes.
        longest_list: Elements.
    """
    protocol = TBinaryProtocolAccelerated(
        transport,
        fallback=False,
        string_length_limit=longest_text,
        container_length_limit=longest_list,
    )
    decode = protocol._fast_decode  # noqa: SLF001 - where generated code looks for it

    def decode_answer(answer: Any, protocol: object, _: object) -> object:  # noqa: ANN401 - untyped
        kind = answer.__class__
        return decode(answer, protocol, [kind, spec_of(kind)])

    protocol._fast_decode = decode_answer  # noqa: SLF001 - as above
    return protocol


@cache
def spec_of(answer: Any) -> tuple[Any, ...]:  # noqa: ANN401 - untyped
    """The spec of an answer in which entries, and what they consist of, are dictionaries."""
    return _Rewritten().fields(answer.thrift_spec, in_entry=False)


class _Rewritten:
    """Specs of structs; each once, as some hold themselves: the sources of a materialized view."""

    def __init__(self) -> None:
        self._known: dict[tuple[type[Any], bool], list[Any]] = {}

    def fields(self, spec: tuple[Any, ...], *, in_entry: bool) -> tuple[Any, ...]:
        """The fields of a struct by number; None: there is none, or it is passed over."""
        return tuple(
            None
            if field is None or _has_list_key(field[1], field[3])
            else (*field[:3], self._details(field[1], field[3], in_entry=in_entry), *field[4:])
            for field in spec
        )

    def _details(self, kind: int, stated: Any, *, in_entry: bool) -> Any:  # noqa: ANN401 - untyped
        """What a spec states of a field or of an element, besides its type."""
        match kind:
            case TType.STRUCT:
                return self._struct(*stated, in_entry=in_entry)
            case TType.LIST | TType.SET:
                of, more, *rest = stated
                return (of, self._details(of, more, in_entry=in_entry), *rest)
            case TType.MAP:
                key, of_key, of, more, *rest = stated
                return (key, of_key, of, self._details(of, more, in_entry=in_entry), *rest)
        return stated

    def _struct(self, struct: type[Any], spec: tuple[Any, ...], *, in_entry: bool) -> list[Any]:
        in_entry = in_entry or struct.__name__ == _ENTRY
        if (pair := self._known.get((struct, in_entry))) is None:
            pair = self._known[struct, in_entry] = [_maker(struct) if in_entry else struct, None]
            pair[1] = self.fields(spec, in_entry=in_entry)
        return pair


def _maker(struct: type[Any]) -> type[TFrozenBase]:
    """A class that is called with the fields that are set, and gives a dictionary.

    Of `TFrozenBase`, as others are called without the fields, which are set one by one then.
    """
    fields, names = [field for field in struct.thrift_spec if field], tuple(vars(struct()))
    unread: dict[str, Any] = {field[2]: {} for field in fields if _has_list_key(field[1], field[3])}
    missing = plain(struct()) | unread
    if any(_is_awkward(field[1], field[3]) for field in fields if field[2] not in unread):
        new = lambda _, **fields: plain(struct(**fields))  # noqa: E731 - short beside its like
    elif missing:
        new = lambda _, **fields: _in_order(names, {**missing, **fields})  # noqa: E731
    else:
        new = lambda _, **fields: fields  # noqa: E731
    return type(struct.__name__, (TFrozenBase,), {"__new__": new})


def _in_order(names: Sequence[str], fields: Mapping[str, Any]) -> dict[str, Any]:
    """As `plain` has them: a text of an entry is compared with that of its database's rows."""
    return {name: fields[name] for name in names if name in fields}


def _has_list_key(kind: int, stated: Any) -> bool:  # noqa: ANN401 - untyped
    """Whether it is a map whose keys are lists, which Python refuses, and the whole answer with it.

    Only one is in an entry: where the values are by which a table is skewed, in Hive 2 to 4. It is
    empty here, as for who reads the metastore's own database.
    """
    return bool(kind == TType.MAP and stated[0] == TType.LIST)


def _is_awkward(kind: int, stated: Any) -> bool:  # noqa: ANN401 - untyped
    """Whether JSON has no such value: bytes, sets, and maps whose keys are no texts."""
    match kind:
        case TType.STRING:
            return bool(stated == _BINARY)
        case TType.LIST:
            return _is_awkward(*stated[:2])
        case TType.MAP:
            key, _, of, more, *_ = stated
            return bool(key != TType.STRING or _is_awkward(of, more))
    return bool(kind == TType.SET)
