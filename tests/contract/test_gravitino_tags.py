"""Tags of views of a Gravitino server: what real ones have answered, and what we make of that."""

import json
from collections.abc import Iterator

import pytest

from connectors.gravitino.rest.server import NOBODY
from discovery.errors import DeniedError, NotHeldError, ReadError, StoreError
from discovery.model import Identifier
from discovery.tags import KeptTags, TagPattern, TagStore
from tests.contract.gravitino_rest import opened
from tests.contract.test_gravitino_rights import told
from tests.gravitino_double import Double, Fault, gravitino
from tests.recorded.gravitino_rights import asked, played
from tests.recorded.gravitino_tags import RECORDED, REQUESTS, W1, W2

V, W = Identifier(("s",), "v"), Identifier(("s",), "w")
FITS = TagPattern("belvedere:wave-{wave}").fits
DIALOGUES = json.loads(RECORDED.read_text(encoding="utf-8"))
TEXT = {"dialect": "spark", "type": "sql", "sql": "SELECT 1 AS id"}


@pytest.fixture
def double() -> Iterator[Double]:
    with gravitino("lakehouse-iceberg", version="2.0.0") as found:
        found.rights.on = True
        found.schema("s")
        parts = {"columns": [{"name": "id", "type": "long"}], "properties": {}, "audit": {}}
        found.things["m", "c", "s", "views", "v"] = {
            "name": "v",
            "representations": [TEXT],
            **parts,
        }
        yield found


def tags_of(double: Double, **more: str) -> TagStore:
    tag_store = opened(double, "lakehouse-iceberg", **{"user": "admin", **more}).tags
    assert tag_store is not None
    return tag_store


@pytest.mark.parametrize("version", list(DIALOGUES))
def test_the_stand_in_answers_as_real_servers_did(double: Double, version: str) -> None:
    double.version = version.partition(" ")[0]
    ask = asked(f"{double.uri}/api")
    for real, ours in zip(DIALOGUES[version], played(ask, REQUESTS), strict=True):
        assert ours["status"] == real["status"], real["asked"]
        if "view" not in real["answer"]:
            assert meant(ours["answer"]) == meant(real["answer"]), real["asked"]


def meant(answer: dict[str, object]) -> dict[str, object]:
    """An answer without what only 2.0 says of a tag, its lists sorted."""
    left = json.loads(json.dumps(told(answer)).replace('"assignmentValues": [], ', ""))
    return {
        key: sorted(one, key=str) if isinstance(one, list) else one for key, one in left.items()
    }


def test_what_is_put_on_is_there_and_is_gone_once_it_is_taken_off(double: Double) -> None:
    tags = tags_of(double)
    assert tags.refuses() == ""
    assert double.tags.on == {}, "it was only asked"
    assert tags.present(FITS) == KeptTags()
    assert (tags.create(W1), tags.create(W1)) == (True, False)
    tags.change(V, (W1,), ())
    double.tags.on["mine"] = [("VIEW", "c.s.v")]
    double.tags.on[W2] = [("SCHEMA", "c.s"), ("VIEW", "other.s.v"), ("VIEW", "c.s.a.v")]
    kept = tags.present(FITS)
    assert kept == KeptTags({W1: frozenset({V}), W2: frozenset()}, {W1: 0, W2: 3})
    tags.change(V, (W2,), (W1,))
    assert tags.present(FITS).of(V) == (W2,), "of its schema it has it, too"
    tags.drop(W2)
    tags.drop(W2)
    tags.drop(W1)
    assert double.tags.on == {"mine": [("VIEW", "c.s.v")]}


def test_what_is_on_already_stays_where_others_go(double: Double) -> None:
    view, tags = ("VIEW", "c.s.v"), tags_of(double)
    double.tags.on = {W1: [view], W2: [view]}
    tags.change(V, (W1,), (W1, W2))
    tags.change(V, (W1,), (W2,))
    assert double.tags.on == {W1: [view], W2: []}


def test_a_nested_view_is_found_by_its_levels(double: Double) -> None:
    double.schema("a:b")
    double.things["m", "c", "a:b", "views", "v"] = {"name": "v"}
    tags, nested = tags_of(double), Identifier(("a", "b"), "v")
    tags.create(W1)
    tags.change(nested, (W1,), ())
    assert double.tags.on == {W1: [("VIEW", "c.a:b.v")]}
    assert tags.present(FITS).views == {W1: frozenset({nested})}
    with pytest.raises(NotHeldError, match="a name with a dot has no full name"):
        tags.name(Identifier(("a.b",), "v"))


def test_a_server_of_1_3_says_that_it_takes_none(double: Double) -> None:
    double.version = "1.3.0"
    said = "Cannot associate tags for unsupported metadata object type VIEW"
    assert (
        tags_of(double)
        .refuses()
        .endswith(f"views: metalakes/m/objects/VIEW/c.{NOBODY}.{NOBODY}/tags: {said}")
    )
    body = {"code": 1001, "message": f"Failed to operate, reason [{said}]"}
    double.faults.append(Fault("POST", "objects", status=400, body=json.dumps(body).encode()))
    assert tags_of(double).refuses() == f"the server puts no tags on views: {said}"


def test_a_tag_that_is_not_there_is_not_taken_for_put_on(double: Double) -> None:
    with pytest.raises(StoreError, match="left some of its tags as they were"):
        tags_of(double).change(V, (W1,), ())


@pytest.mark.parametrize("before", [True, False])
def test_what_got_no_answer_is_looked_at_and_sent_again(double: Double, before: bool) -> None:
    tags = tags_of(double)
    double.tags.on[W2] = [("VIEW", "c.s.v")]
    for method, part in (("POST", "tags"), ("POST", "objects"), ("DELETE", "tags")):
        double.faults.append(Fault(method, part, before=before))
    assert tags.create(W1)
    tags.change(V, (W1,), (W2,))
    tags.drop(W2)
    assert double.tags.on == {W1: [("VIEW", "c.s.v")]}
    assert [fault for fault in double.faults if fault.times] == []


def test_who_may_not_see_all_is_told(double: Double) -> None:
    tags = tags_of(double, user="ann")
    for question in (tags.refuses, lambda: tags.present(FITS)):
        with pytest.raises(DeniedError, match="not known which there are") as raised:
            question()
        assert "owner of the metalake" in raised.value.hint
    double.rights.on = False
    assert tags.refuses() == ""


def test_hostile_names_go_as_they_are(double: Double) -> None:
    tags = tags_of(double)
    for name in ("a/b", "ä %2e", "..x", "q\"'", "r;s?t#u"):
        tags.create(name)
        assert [*tags.present(lambda _: True).views] == [name]
        tags.drop(name)
    for name in (".", ".."):
        with pytest.raises(NotHeldError, match="cannot stand in a path"):
            tags.drop(name)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/tags", {}),
        ("/tags", {"names": 1}),
        ("/tags", {"names": [1]}),
        ("/objects", {"metadataObjects": 1}),
        ("/objects", {"metadataObjects": [{"type": "view"}]}),
        ("/objects", {"metadataObjects": [{"type": 1, "fullName": "c"}]}),
    ],
)
def test_an_answer_without_sense_is_none(
    double: Double, path: str, body: dict[str, object]
) -> None:
    double.tags.on[W1] = []
    said = json.dumps({"code": 0, **body}).encode()
    double.faults.append(Fault("GET", path, status=200, body=said))
    with pytest.raises(ReadError, match="the server's answer about tags makes no sense"):
        tags_of(double).present(FITS)
