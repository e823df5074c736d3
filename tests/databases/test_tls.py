"""Where the configuration insists on TLS, a server without it, or a stranger, gets no login."""

from pathlib import Path

import pytest
import trustme
from sqlalchemy import text

from connectors.jdbc.base import Database
from connectors.jdbc.mysql import MySQL
from connectors.jdbc.mysql import Options as MySQLOptions
from connectors.jdbc.postgresql import Options as PostgreSQLOptions
from connectors.jdbc.postgresql import PostgreSQL
from discovery.errors import UnreachableError
from jobs.configuration import loader
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.servers import MariaDB, gate, mariadb


def refused(source: Database) -> str:
    with source, pytest.raises(UnreachableError) as raised:
        source.probe()
    assert raised.value.hint == "is it running, and do host, port and TLS fit?"
    return raised.value.message


def test_postgresql_without_tls_is_refused(postgresql: EmbeddedPostgreSQL) -> None:
    with gate(postgresql.socket / ".s.PGSQL.5432") as door:
        url = f"postgresql://127.0.0.1:{door.port}/postgres"
        with PostgreSQL(PostgreSQLOptions(url=url, user="postgres")) as source:
            assert source.probe().version
        told = refused(PostgreSQL(PostgreSQLOptions(url=url, user="postgres", tls=True)))
    assert "server does not support SSL, but SSL was required" in told


def test_mariadb_without_tls_is_refused(maria: MariaDB) -> None:
    with gate(maria.socket) as door:
        url = f"mysql://127.0.0.1:{door.port}/"
        with MySQL(MySQLOptions(url=url, user="root")) as source:
            assert source.probe().version
        told = refused(MySQL(MySQLOptions(url=url, user="root", tls=True)))
    assert "SSL" in told


def test_a_certificate_is_checked_against_its_authority_and_name(
    maria: MariaDB, tmp_path: Path
) -> None:
    authority, stranger = trustme.CA(), trustme.CA()
    issued = authority.issue_cert("127.0.0.1")
    places = {name: tmp_path / name for name in ("ca", "cert", "key", "stranger")}
    authority.cert_pem.write_to_path(places["ca"])
    stranger.cert_pem.write_to_path(places["stranger"])
    issued.cert_chain_pems[0].write_to_path(places["cert"])
    issued.private_key_pem.write_to_path(places["key"])
    more = {"ssl-cert": places["cert"], "ssl-key": places["key"]}

    def options(host: str, ca: str) -> MySQLOptions:
        url = f"mysql://{host}:{door.port}/"
        return MySQLOptions(url=url, user="root", tls=True, ca_file=str(places[ca]))

    with mariadb(tmp_path / "secure", more) as server, gate(server.socket) as door:
        with MySQL(options("127.0.0.1", "ca")) as source:
            assert source.rows(text("SHOW STATUS LIKE 'Ssl_cipher'"))[0]["Value"]
        for host, ca in (("127.0.0.1", "stranger"), ("localhost", "ca")):
            assert "CERTIFICATE_VERIFY_FAILED" in refused(MySQL(options(host, ca)))


def test_a_file_of_authorities_is_found_beside_the_configuration(tmp_path: Path) -> None:

    estate = (
        "warehouse: w\nsources:\n"
        "  s: {kind: mysql, url: 'mysql://h/', tls: true, ca_file: ca.pem}\n"
    )
    (tmp_path / "estate.yaml").write_text(estate, encoding="utf-8")
    read = loader.load(tmp_path / "estate.yaml")
    assert read.sources["s"].options.ca_file == str(tmp_path / "ca.pem")
