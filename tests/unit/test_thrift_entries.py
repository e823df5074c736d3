"""Entries that the accelerated decoder reads as data: the same as structs that are taken apart."""

import json
from typing import Any

import pytest
from hive_metastore import ThriftHiveMetastore as Hive4
from hive_metastore import ttypes as types4
from hmsclient.genthrift.hive_metastore import ThriftHiveMetastore as Hive2
from hmsclient.genthrift.hive_metastore import ttypes as types2
from thrift.protocol.TBinaryProtocol import TBinaryProtocol, TBinaryProtocolAccelerated
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

from connectors.clients.metastore_bindings import plain
from connectors.clients.thrift.entries import entry_protocol

SERVICES = [pytest.param(Hive2, types2, id="hive-2"), pytest.param(Hive4, types4, id="hive-4")]
DEEP = 12
"""Structs within each other that are filled; the sources of a materialized view have no end."""


def full(kind: int, stated: Any, depth: int = 0) -> Any:
    """A value of a type of Thrift in which everything is set."""
    match kind:
        case TType.STRUCT:
            return filled(stated[0], depth + 1)
        case TType.LIST:
            return [full(stated[0], stated[1], depth)]
        case TType.SET:
            return {full(stated[0], stated[1], depth)}
        case TType.MAP:
            return {full(stated[0], stated[1], depth): full(stated[2], stated[3], depth)}
        case TType.STRING:
            return b"\x00\xff" if stated == "BINARY" else "é"
        case TType.BOOL:
            return True
        case TType.DOUBLE:
            return 0.5
    return 7


def filled(made: Any, depth: int = 0) -> Any:
    """A struct in which everything is set, to a depth."""
    within = {TType.STRUCT, TType.LIST, TType.SET, TType.MAP} if depth > DEEP else set()
    stated = [one for one in made.thrift_spec if one and one[1] not in within]
    skewed = [one for one in stated if one[2] == "skewedColValueLocationMaps"]
    values = {one[2]: {} if one in skewed else full(one[1], one[3], depth) for one in stated}
    return made(**values)


def read(answer: Any, protocol: Any) -> Any:
    """An answer as a protocol reads it."""
    sent = TMemoryBuffer()
    answer.write(TBinaryProtocol(sent))
    found = type(answer)()
    found.read(protocol(TMemoryBuffer(sent.getvalue())))
    return found


def by_entry(transport: object) -> Any:
    return entry_protocol(transport, longest_text=1 << 20, longest_list=1 << 10)


def as_structs(transport: object) -> Any:
    return TBinaryProtocolAccelerated(transport, fallback=False)


@pytest.mark.parametrize(("service", "types"), SERVICES)
def test_an_entry_is_what_its_struct_says(service: Any, types: Any) -> None:
    entries = [filled(types.Table), types.Table(), types.Table(tableName="v", dbName="d")]
    answer = service.get_table_objects_by_name_result(success=entries)
    structs, data = read(answer, as_structs).success, read(answer, by_entry).success

    assert [type(one) for one in data] == [dict, dict, dict]
    assert list(map(json.dumps, data)) == [json.dumps(plain(struct)) for struct in structs]
    assert len(str(data[0])) > 1_000


@pytest.mark.parametrize(("service", "types"), SERVICES)
def test_what_is_no_entry_is_a_struct_as_before(service: Any, types: Any) -> None:
    request = service.get_table_objects_by_name_req_result
    answer = read(request(success=types.GetTablesResult(tables=[types.Table()])), by_entry)
    refused = read(request(o3=types.UnknownDBException(message="no d")), by_entry)
    database = read(service.get_database_result(success=types.Database(name="d")), by_entry)

    assert isinstance(answer.success, types.GetTablesResult)
    assert answer.success.tables == [plain(types.Table())]
    assert isinstance(refused.o3, types.UnknownDBException)
    assert refused.o3.message == "no d"
    assert isinstance(database.success, types.Database)


@pytest.mark.parametrize(("service", "types"), SERVICES)
def test_where_skewed_values_are_is_passed_over(service: Any, types: Any) -> None:
    skewed = types.SkewedInfo(["a"], [["1"]], {("1",): "file:/d/t/a=1"})
    table = types.Table(tableName="t", sd=types.StorageDescriptor(cols=[], skewedInfo=skewed))
    answer = service.get_table_objects_by_name_result(success=[table, types.Table(tableName="v")])

    with pytest.raises(TypeError, match="unhashable"):
        read(answer, as_structs)
    first, second = read(answer, by_entry).success
    assert first["sd"]["skewedInfo"] == {
        "skewedColNames": ["a"],
        "skewedColValues": [["1"]],
        "skewedColValueLocationMaps": {},
    }
    assert second["tableName"] == "v"
