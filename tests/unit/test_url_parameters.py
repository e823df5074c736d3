"""Parameters in the URL of a database: those that its driver would refuse are refused before."""

import pytest

from connectors.hms_database.options import Options as MetastoreOptions
from connectors.iceberg.jdbc import Options as IcebergOptions
from connectors.jdbc.any_database import Options as AnyOptions
from connectors.jdbc.doris import Options as DorisOptions
from connectors.jdbc.mysql import Options as MySQLOptions
from connectors.jdbc.postgresql import Options as PostgreSQLOptions
from discovery.errors import ConfigurationError

OF_JDBC = "useSSL=false&createDatabaseIfNotExist=true"


@pytest.mark.parametrize(
    ("options", "url", "told"),
    [
        (
            MySQLOptions,
            f"mysql://h/?{OF_JDBC}",
            "PyMySQL does not take createDatabaseIfNotExist, useSSL",
        ),
        (MetastoreOptions, f"mysql://h/hive?{OF_JDBC}", "PyMySQL does not take create"),
        (IcebergOptions, f"mysql://h/catalog?{OF_JDBC}", "PyMySQL does not take create"),
        (DorisOptions, f"doris://h/?{OF_JDBC}", "PyMySQL does not take create"),
        (MySQLOptions, "mysql://h/?cursorclass=canary", "PyMySQL does not take cursorclass"),
        (MySQLOptions, "mysql://h/?use_unicode=0", "PyMySQL does not take use_unicode"),
        (
            MetastoreOptions,
            "postgresql://h/hive?currentSchema=x",
            "libpq does not take currentSchema",
        ),
        (PostgreSQLOptions, "postgresql://h/d?autocommit=false", "libpq does not take autocommit"),
    ],
)
def test_a_parameter_that_the_driver_does_not_know_is_refused(
    options: type, url: str, told: str
) -> None:
    """PyMySQL 1.2: a TypeError, which was told as a bug of belvedere."""
    with pytest.raises(ConfigurationError, match=told) as raised:
        options(url=url)
    assert "canary" not in str(raised.value)


@pytest.mark.parametrize(
    ("options", "url"),
    [
        (
            MySQLOptions,
            "mysql://h/?charset=utf8mb4&use_unicode=1&unix_socket=/s&ssl_check_hostname=true",
        ),
        (MetastoreOptions, "postgresql://h/hive?sslmode=require&options=-csearch_path%3Dhive"),
        (PostgreSQLOptions, "postgresql:///d?host=a:1&host=b:2&target_session_attrs=any"),
        (IcebergOptions, "sqlite:////c.db?timeout=5"),
        (AnyOptions, f"mysql+other://h/d?{OF_JDBC}"),
    ],
)
def test_one_that_it_knows_stands(options: type, url: str) -> None:
    assert options(url=url).url == url


def test_a_url_of_jdbc_is_told_with_how_one_is_written() -> None:
    with pytest.raises(ConfigurationError, match="is no URL of a database") as raised:
        MetastoreOptions(url="jdbc:mysql://h/hive")
    assert raised.value.hint == "write postgresql://host:port/database"
