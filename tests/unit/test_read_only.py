"""What crawls a metastore can send reading calls only."""

import re

import pytest
from hive_metastore import ThriftHiveMetastore as Hive4
from hmsclient.genthrift.hive_metastore import ThriftHiveMetastore as Hive2

from connectors.clients.metastore import Metastore
from connectors.clients.metastore_calls import READ_ONLY
from connectors.clients.metastore_tokens import OF_LOGIN, TokenClient
from connectors.clients.thrift.login import MetastoreLogin

NOWHERE = MetastoreLogin(uri="thrift://127.0.0.1:1", timeout=1)


@pytest.mark.parametrize("call", ["create_table", "drop_table", "get_token_strings", "set_ugi"])
def test_a_call_that_is_not_on_the_list_is_refused_before_connecting(call: str) -> None:
    client = Metastore(NOWHERE)
    with pytest.raises(PermissionError, match=f"{call} is not on the list of read-only calls"):
        client._call(call)
    assert client._client is None


def test_the_list_holds_reading_calls_that_the_bindings_know() -> None:
    for call in READ_ONLY:
        assert re.match("(get|list)_|getVersion", call)
        assert hasattr(Hive2.Client, call) or call == "get_catalogs", "Hive 2 has no catalogs"
        assert hasattr(Hive4.Client, call)


def test_calls_about_tokens_are_the_drivers_alone() -> None:
    assert READ_ONLY.isdisjoint(OF_LOGIN)
    for call in sorted(OF_LOGIN):
        with pytest.raises(PermissionError, match=call):
            Metastore(NOWHERE)._call(call)
    with pytest.raises(PermissionError, match="drop_table"):
        TokenClient(NOWHERE)._send("drop_table")
