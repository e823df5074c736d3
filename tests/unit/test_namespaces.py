"""Nested namespaces: every name leads back to its levels, and what would not is refused."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.errors import NamespaceConflictError, NamespaceError, SeparatorError
from discovery.namespaces import (
    ALLOWED,
    Encoding,
    Separator,
    Spelling,
    engine_levels,
    engine_name,
    free_for,
    guard,
    levels_of,
    levels_spelled,
    parents,
    physical,
    spelled,
    with_parents,
)

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x01"), min_size=1)
names = st.one_of(texts, st.text('ab.%:`"_ 2E', min_size=1))
levels = st.lists(names, min_size=1, max_size=5).map(tuple)


@given(levels, st.sampled_from(Encoding))
def test_a_physical_name_leads_back_to_its_levels(one: tuple[str, ...], encoding: Encoding) -> None:
    assert levels_of(physical(one, encoding), encoding) == one


@given(levels, levels, st.sampled_from(Encoding))
def test_different_levels_have_different_physical_names(
    one: tuple[str, ...], other: tuple[str, ...], encoding: Encoding
) -> None:
    assert (physical(one, encoding) == physical(other, encoding)) == (one == other)


@given(levels, st.sampled_from(ALLOWED))
def test_a_logical_name_leads_back_or_is_refused(one: tuple[str, ...], char: str) -> None:
    separator = Separator(char)
    if any(char in level for level in one):
        with pytest.raises(NamespaceError, match="separates levels"):
            separator.logical(one)
    else:
        assert separator.levels(separator.logical(one)) == one


@given(levels, st.sampled_from(["spark", "flink", "trino"]))
def test_an_engine_facing_name_leads_back_or_is_refused(one: tuple[str, ...], engine: str) -> None:
    if engine == "trino" and any("." in level for level in one):
        with pytest.raises(NamespaceError, match="dot"):
            engine_name(one, engine)
    else:
        assert engine_levels(engine_name(one, engine), engine) == one


@given(levels, st.sampled_from(Spelling), st.sampled_from(ALLOWED))
def test_however_a_namespace_is_spelled_it_leads_back_or_is_refused(
    one: tuple[str, ...], spelling: Spelling, char: str
) -> None:
    separator = Separator(char)
    try:
        name = spelled(one, spelling, separator)
    except NamespaceError:
        assert any(char in level or "." in level for level in one)
        return
    assert levels_spelled(name, spelling, separator) == one


@given(levels)
def test_a_namespace_lies_in_its_parents(one: tuple[str, ...]) -> None:
    above = parents(one)
    assert all(one[: len(parent)] == parent for parent in above)
    assert with_parents([one]) == (*above, one)


def test_names_are_those_of_the_design_and_of_gravitino() -> None:
    assert Separator().logical(("team", "sales")) == "team:sales"
    assert physical(("my.schema", "sales"), Encoding.PERCENT) == "my%2Eschema.sales"
    assert physical(("A", "B", "C"), Encoding.RAW) == "A\x01B\x01C"
    assert levels_of("A\x01B\x01C", Encoding.RAW) == ("A", "B", "C")
    assert engine_name(("a", "b", "c"), "spark") == engine_name(("a", "b", "c"), "flink") == "a.b.c"
    assert engine_name(("a", "b", "c"), "trino") == '"a.b.c"'
    assert engine_name(("my.schema", "x"), "spark") == "`my.schema`.x"
    assert parents(("root",)) == ()


@pytest.mark.parametrize(
    ("char", "reason"),
    [
        ("", "not one character"),
        ("::", "not one character"),
        (".", "in storage"),
        ("/", "paths"),
        ("%", "paths"),
        ("?", "paths"),
        ("\x01", "cannot be seen"),
        (" ", "cannot be seen"),
        ("a", "ordinary names"),
        ("_", "ordinary names"),
    ],
)
@pytest.mark.parametrize("free", [False, True])
def test_a_separator_that_breaks_something_is_refused_with_alternatives(
    char: str, reason: str, free: bool
) -> None:
    with pytest.raises(SeparatorError, match=reason) as raised:
        Separator(char, free)
    assert "':'" in raised.value.hint


def test_a_free_choice_takes_what_the_restricted_one_does_not() -> None:
    with pytest.raises(SeparatorError, match="not among the allowed"):
        Separator("§")
    assert Separator("§", free=True).levels("a§b") == ("a", "b")


def test_new_plain_names_with_the_separator_are_refused_unless_the_choice_is_free() -> None:
    with pytest.raises(NamespaceError, match="separates levels") as raised:
        Separator(":").check_new(("a:b;c",))
    assert "':'" not in raised.value.hint
    assert "'$'" in raised.value.hint
    Separator(":", free=True).check_new(("a:b",))
    with pytest.raises(NamespaceError):
        Separator(":", free=True).check_new(("a:b", "c"))


def test_the_guard_names_the_schema_the_reason_and_separators_that_would_do() -> None:
    there = [("sales",), ("old:name",), ("x", "a;b")]
    guard(there, Separator("$"))
    with pytest.raises(NamespaceConflictError) as raised:
        guard(there, Separator(":"))
    assert "'old:name'" in str(raised.value)
    assert "taken for levels" in str(raised.value)
    assert re.findall(r"'(.)'", raised.value.hint) == ["$", "|", "~", "@"] == list(free_for(there))


@pytest.mark.parametrize("logical", ["", "team::sales", ":sales", "sales:"])
def test_a_logical_name_has_no_empty_level(logical: str) -> None:
    with pytest.raises(NamespaceError, match="empty"):
        Separator().levels(logical)


@pytest.mark.parametrize("name", ["a%zz", "a..b", "a.%FF", "100%"])
def test_a_physical_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(NamespaceError):
        levels_of(name, Encoding.PERCENT)


@pytest.mark.parametrize(
    ("name", "engine"),
    [("a..b", "spark"), ("`a.b", "flink"), ("a.b", "trino"), ('"', "trino"), ("a", "duckdb")],
)
def test_a_name_that_no_engine_has_is_refused(name: str, engine: str) -> None:
    with pytest.raises(NamespaceError):
        engine_levels(name, engine)


def test_levels_that_cannot_be_kept_raw_are_refused() -> None:
    with pytest.raises(NamespaceError, match="U\\+0001"):
        physical(("a\x01b",), Encoding.RAW)
