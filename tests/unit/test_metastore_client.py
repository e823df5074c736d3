"""The connection to a metastore, as far as no metastore is needed."""

from pathlib import Path

import pytest

from connectors.clients.metastore import Metastore
from discovery.errors import UnreachableError


def test_tls_without_a_ca_file_trusts_what_the_machine_trusts() -> None:
    with pytest.raises(UnreachableError, match=r"127\.0\.0\.1:1"):
        Metastore(["thrift://127.0.0.1:1"], timeout=1, tls=True).version()


def test_a_ca_file_that_is_missing_is_named(tmp_path: Path) -> None:
    missing = str(tmp_path / "ca.pem")
    client = Metastore(["thrift://127.0.0.1:1"], timeout=1, tls=True, ca_file=missing)
    with pytest.raises(UnreachableError, match="No such file"):
        client.version()
