"""What is changed of the namespaces that a target has."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.errors import MovedError
from discovery.migration.mapping import Rule, map_namespaces
from discovery.migration.namespaces import (
    FieldEdit,
    NamespaceEdit,
    Part,
    edit_of,
    edit_of_json,
    unlike,
)
from discovery.model import Schema

BOTH = tuple(Part)
WORDS = st.none() | st.text(max_size=3)
PROPERTIES = st.dictionaries(
    st.sampled_from(["a", "b", "gravitino.identifier"]), st.text(max_size=2)
)
SCHEMAS = st.builds(
    lambda comment, properties: Schema(
        levels=("s",), comment=comment, properties=tuple(sorted(properties.items()))
    ),
    WORDS,
    PROPERTIES,
)


@given(SCHEMAS, SCHEMAS)
def test_it_leads_to_what_the_source_says_and_back(there: Schema, wanted: Schema) -> None:
    edit = edit_of("t", there, wanted, BOTH)
    if edit is None:
        return
    after = edit.amended(there)
    assert edit.is_to_do(there)
    assert not edit.is_to_do(after)
    assert edit.differences(after) == unlike(wanted, after) == ()
    assert after.comment == (wanted.comment or there.comment)
    of_others = {
        key: value
        for key, value in there.properties
        if key not in dict(wanted.properties) or key.startswith("gravitino.")
    }
    assert of_others.items() <= dict(after.properties).items(), "what only the target has stays"
    assert edit_of("t", after, wanted, BOTH) is None
    back = edit.inverse.amended(after)
    assert (back.comment or None, back.properties) == (there.comment or None, there.properties)
    assert edit_of_json(json.loads(json.dumps(edit.to_json()))) == edit


def test_what_the_target_cannot_change_stays_and_is_named() -> None:
    schema = Schema(levels=("s",), comment="old")
    wanted = Schema(levels=("s",), comment="new", properties=(("k", "v"),))
    edit = edit_of("t", schema, wanted, {Part.PROPERTIES})
    assert edit == NamespaceEdit("t", ("s",), (FieldEdit("k", None, "v"),), ("comment",))
    nothing = edit_of("t", schema, wanted, ())
    assert nothing is not None
    assert (nothing.fields, nothing.stays) == ((), ("comment", "property k"))


def test_one_that_somebody_has_changed_since_is_refused_by_name() -> None:
    edit = NamespaceEdit("t", ("a", "b"), (FieldEdit(None, "x", "y"), FieldEdit("k", None, "1")))
    seen = Schema(levels=("a", "b"), comment="x")
    assert edit.is_to_do(seen)
    assert edit.is_to_do(replace(seen, comment="y")), "an attempt did half of it"
    with pytest.raises(MovedError, match="comment is not as it was"):
        edit.is_to_do(replace(seen, comment="z"))
    with pytest.raises(MovedError, match="property k is not as it was"):
        edit.is_to_do(replace(seen, properties=(("k", "2"),)))
    with pytest.raises(MovedError, match="gone"):
        edit.is_to_do(None)
    assert edit.differences(None) == unlike(seen, None) == ("it is not there",)


def test_an_edited_line_is_refused() -> None:
    line = NamespaceEdit("t", ("s",), (FieldEdit("k", None, "v"),)).to_json()
    with pytest.raises(ValueError, match="edited"):
        edit_of_json({**line, "fields": [["k", None, "w"]]})
    with pytest.raises(ValueError, match="edited"):
        edit_of_json({**line, "more": 1})


def test_of_namespaces_that_meet_the_first_rules_is_taken_whatever_their_order() -> None:
    rules = [
        Rule(source="b", target="t", namespace=("all",)),
        Rule(source="a", target="t", namespace=("all",)),
        Rule(source="a", namespace=("left", "out")),
    ]
    crawled = [("a", Schema(levels=("x",), comment="a.x"))]
    crawled += [("b", Schema(levels=(one,), comment=f"b.{one}")) for one in "yx"]
    for some in (crawled, crawled[::-1]):
        assert map_namespaces(rules, some) == {
            "t": {("all",): Schema(levels=("all",), comment="b.x")}
        }
