"""A server that has described its own view has given a verdict, where no analyzer does."""

import pytest

from discovery.judging.described import is_described
from discovery.model import DORIS, HIVE, MYSQL, POSTGRESQL, STARROCKS


@pytest.mark.parametrize("form", [MYSQL, "sqlalchemy"])
def test_a_view_whose_columns_are_those_of_the_empty_query_is_described(form: str) -> None:
    assert is_described(form, ())
    assert is_described(form, ["COLUMNS_DIFFER"]), "the query was taken, the catalog is stale"
    assert not is_described(form, ["COLUMNS_FROM_CATALOG"])
    assert not is_described(form, ["COLUMNS_DIFFER", "COLUMNS_UNKNOWN"])


@pytest.mark.parametrize("form", [DORIS, STARROCKS])
def test_of_a_database_that_is_read_by_its_catalog_each_view_has_the_note(form: str) -> None:
    assert not is_described(form, ["COLUMNS_FROM_CATALOG"])


@pytest.mark.parametrize("form", [POSTGRESQL, HIVE, "iceberg"])
def test_what_an_analyzer_judges_or_no_server_describes_is_not(form: str) -> None:
    assert not is_described(form, ())
