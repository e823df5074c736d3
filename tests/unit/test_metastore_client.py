"""The connection to a metastore, as far as no metastore is needed."""

from dataclasses import replace
from pathlib import Path

import pytest

from connectors.clients.metastore import Metastore
from connectors.clients.metastore_calls import READ_ONLY
from connectors.clients.metastore_writer import WRITES, MetastoreWriter
from connectors.clients.thrift.login import MetastoreLogin
from discovery.errors import UnreachableError

NOWHERE = MetastoreLogin(uri="thrift://127.0.0.1:1", timeout=1)


def test_tls_without_a_ca_file_trusts_what_the_machine_trusts() -> None:
    with pytest.raises(UnreachableError, match=r"127\.0\.0\.1:1"):
        Metastore(replace(NOWHERE, tls=True)).version()


@pytest.mark.slow
def test_a_ca_file_that_is_missing_is_named(tmp_path: Path) -> None:
    missing = str(tmp_path / "ca.pem")
    client = Metastore(replace(NOWHERE, tls=True, ca_file=missing))
    with pytest.raises(UnreachableError, match="No such file"):
        client.version()


def test_what_reads_cannot_write_and_what_writes_sends_listed_calls_only() -> None:
    assert READ_ONLY.isdisjoint(WRITES)
    reader = Metastore(NOWHERE)
    writer = MetastoreWriter(NOWHERE)
    for call in sorted(WRITES):
        with pytest.raises(PermissionError, match=call):
            reader._call(call)
    for call in ("drop_partition", "add_partition", "getVersion"):
        with pytest.raises(PermissionError, match=call):
            writer._change(call)
