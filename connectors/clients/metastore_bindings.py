"""The Thrift bindings of a metastore: which ones, and their structs as data."""

from collections.abc import Mapping
from typing import Any, Final

_AS_IT_IS: Final = frozenset({str, int, bool, float})  # most values: not worth a call


def bindings_of(catalog: str | None) -> tuple[Any, Any]:
    """The service and the types: of Hive 2, or of Hive 4 where a catalog is named."""
    # the Hive 4 bindings have 267 calls and cost 20 MB, so only one of the two is imported
    if catalog is None:
        from hmsclient.genthrift.hive_metastore import (  # noqa: PLC0415 - as said above
            ThriftHiveMetastore,
            ttypes,
        )
    else:
        from hive_metastore import ThriftHiveMetastore, ttypes  # noqa: PLC0415 - as said above
    return ThriftHiveMetastore, ttypes


def plain(value: Any) -> Any:  # noqa: ANN401 - Thrift is untyped
    """A Thrift struct as JSON-able data, without the fields that are not set."""
    kind = type(value)
    if kind in _AS_IT_IS:
        return value
    if kind is list or kind is tuple or kind is set:
        return [item if type(item) in _AS_IT_IS else plain(item) for item in value]
    if kind is dict or isinstance(value, Mapping):
        return {str(key): item if type(item) is str else plain(item) for key, item in value.items()}
    if kind is bytes:
        return value.hex()
    return {
        name: var if type(var) in _AS_IT_IS else plain(var)
        for name, var in vars(value).items()
        if var is not None
    }
