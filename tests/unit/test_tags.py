"""What a plan makes of tags of views: decided by waves, and by what the server has."""

import json
from dataclasses import replace

import pytest

from discovery.errors import MovedError
from discovery.model import Identifier
from discovery.tags import (
    GivenTags,
    KeptTags,
    TagChange,
    TagPattern,
    give_tags,
    given_tags_of_json,
    tag_change_of_json,
)

PATTERN = TagPattern("belvedere:wave-{wave}")
V, W, X = (Identifier(("s",), name) for name in "vwx")
W1, W2, W3 = (PATTERN.of(number) for number in (1, 2, 3))


@pytest.mark.parametrize(
    ("text", "tag", "fits"),
    [
        ("belvedere:wave-{wave}", "belvedere:wave-12", True),
        ("belvedere:wave-{wave}", "belvedere:wave-012", False),
        ("belvedere:wave-{wave}", "belvedere:wave-0", False),
        ("belvedere:wave-{wave}", "belvedere:wave-", False),
        ("belvedere:wave-{wave}", "belvedere:wave-1x", False),
        ("belvedere:wave-{wave}", "my belvedere:wave-1", False),
        ("belvedere:wave-{wave}", "belvedere:wave-1\n", False),
        ("belvedere:wave-{wave}", "belvedere:wave-\u0663", False),
        ("w.{wave}(a|b)*", "w.3(a|b)*", True),
        ("w.{wave}(a|b)*", "wx3(a|b)*", False),
    ],
)
def test_a_tag_of_the_pattern_is_one_of_some_wave(text: str, tag: str, fits: bool) -> None:
    assert TagPattern(text).fits(tag) is fits
    assert TagPattern(text).fits(TagPattern(text).of(7))


def test_each_view_gets_the_tag_of_its_wave_instead_of_others() -> None:
    kept = KeptTags({W1: frozenset({V, W, X}), W3: frozenset({W})})
    changes = give_tags("t", PATTERN, {W: 1, V: 2}, kept)
    assert changes == (
        TagChange("t", None, (), (W2,)),
        TagChange("t", V, (W1,), (W2,)),
        TagChange("t", W, (W1, W3), (W1,)),
    ), "x is none of the plan's, and stays"
    assert [change.what for change in changes][:2] == [f"the tag {W2}", f"{W2} as the tag of s.v"]
    later = KeptTags({W1: frozenset({W, X}), W2: frozenset({V}), W3: frozenset()})
    assert not any(tag.changes for tag in give_tags("t", PATTERN, {W: 1, V: 2}, later))


def test_what_is_there_by_then_decides() -> None:
    change = TagChange("t", V, (W1,), (W2,))
    assert change.is_to_do(KeptTags({W1: frozenset({V})}))
    assert change.is_to_do(KeptTags({W1: frozenset({V}), W2: frozenset({V})}))
    assert change.is_to_do(KeptTags()), "somebody has taken it off, and nothing else is there"
    assert not change.is_to_do(KeptTags({W2: frozenset({V})}))
    with pytest.raises(MovedError, match=f"it has {W3} now"):
        change.is_to_do(KeptTags({W3: frozenset({V})}))
    assert replace(change, before=(W2,), after=(W1,)) == change.inverse


def test_a_tag_is_removed_only_while_nothing_has_it() -> None:
    back = TagChange("t", None, (), (W1,)).inverse
    assert back.is_to_do(KeptTags({W1: frozenset()}, {W1: 0}))
    assert not back.is_to_do(KeptTags())
    for kept in (KeptTags({W1: frozenset({V})}), KeptTags({W1: frozenset()}, {W1: 1})):
        with pytest.raises(MovedError, match="1 others have it"):
            back.is_to_do(kept)


def test_what_is_written_is_read_and_an_edit_is_seen() -> None:
    kept = KeptTags({W1: frozenset({V, W})})
    given = GivenTags(give_tags("t", PATTERN, {V: 2, W: 1}, kept), ("1 view: why",), 1, "none")
    assert given_tags_of_json(json.loads(json.dumps(given.to_json()))) == given
    assert given.with_chosen(()).changes == (TagChange("t", W, (W1,), (W1,)),)
    line = given.changes[0].to_json()
    for other in ({"after": [W3]}, {"target": "u"}, {"more": 1}, {"change": "x"}):
        with pytest.raises(ValueError, match="the line has been edited"):
            tag_change_of_json({**line, **other})
