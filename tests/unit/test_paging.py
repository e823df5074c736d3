"""Listings that would not end: a token, or a page, that comes again, and pages with nothing."""

import pytest

from connectors.clients.paging import Pages
from discovery.errors import ReadError


def test_pages_are_asked_for_until_there_is_no_token() -> None:
    pages = Pages("tables")
    assert pages.token_behind(["a"], "1") == "1"
    assert pages.token_behind([], "2") == "2", "AWS gives empty pages where it filters"
    assert pages.token_behind(["b"], "") is None
    assert Pages("tables").token_behind(["a"], None) is None


def test_a_token_that_comes_again_is_told() -> None:
    pages = Pages("tables")
    pages.token_behind(["a"], "1")
    with pytest.raises(ReadError, match="tables: the server gives the page '1' for ever"):
        pages.token_behind(["b"], "1")


def test_a_page_that_comes_again_with_another_token_is_told() -> None:
    pages = Pages("tables")
    for number, name in enumerate("ab"):
        pages.token_behind([name], str(number))
    with pytest.raises(ReadError, match="for ever"):
        pages.token_behind(["a"], "another")


def test_pages_that_have_nothing_end() -> None:
    pages = Pages("tables")
    for number in range(1_000):
        pages.token_behind([], str(number))
    with pytest.raises(ReadError, match="empty pages for ever"):
        pages.token_behind([], "another")
