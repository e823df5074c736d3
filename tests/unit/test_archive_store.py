"""The store `archive`: its files, and that the source `archive` reads them back."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from connectors.archive import Archive
from connectors.archive import Options as SourceOptions
from connectors.archive_store import ArchiveStore, Options
from discovery.crawl import crawl
from discovery.errors import BelvedereError, ConfigurationError, NotHeldError
from discovery.migration.changes import fingerprint
from discovery.model import Audit, Identifier, Schema, View
from discovery.outcomes import Listed
from discovery.ports import Action, Applied, Change, CrawlTask
from tests.contract.stores import BARE, ORDERS, create

ODD = (
    "a.b",
    ".",
    "..",
    ".hidden",
    "x/y",
    "../up",
    "100%",
    "%2E",
    "nul\0",
    "tab\t",
    "this.namespace",
    "v.json",
    "Größe 🐝",
    "a\\b:c*?",
    " ",
)

NOWHERE = replace(ORDERS, identifier=Identifier((), "v"))
DEEP = replace(ORDERS, identifier=Identifier(("x" * 250,) * 16, "v"))


@pytest.fixture
def store(tmp_path: Path) -> ArchiveStore:
    return ArchiveStore(Options(path=str(tmp_path / "archive")))


def named(name: str, *levels: str) -> View:
    return replace(ORDERS, identifier=Identifier(levels or ("sales",), name))


def written(store: ArchiveStore, *views: View) -> list[Applied]:
    store.prepare([Schema(levels=view.identifier.namespace) for view in views])
    return list(store.apply(create(*views)))


def files(tmp_path: Path) -> set[str]:
    root = tmp_path / "archive"
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def crawled(path: Path) -> dict[Identifier, object]:
    """What a crawl of the folder makes of each object, by its place."""
    with Archive(SourceOptions(path=str(path))) as source:
        listed = [item for item in source.listing() if isinstance(item, Listed)]
        return {
            outcome.listed.identifier: outcome.result
            for outcome in crawl(CrawlTask("archive", tuple(listed)), source)
        }


def test_a_crawl_of_the_folder_gives_the_same_views_and_namespaces(
    store: ArchiveStore, tmp_path: Path
) -> None:
    audit = Audit(creator="alice", create_time=ORDERS.audit.create_time)
    empty = Schema(levels=("empty",), comment="c", owner="bob", location="s3://b/x", audit=audit)
    store.prepare([empty])
    assert [applied.action for applied in written(store, ORDERS, BARE)] == ["create", "create"]
    assert crawled(tmp_path / "archive") == {
        Identifier(("empty",), ""): empty,
        Identifier(("sales",), ""): Schema(levels=("sales",)),
        Identifier(("a",), ""): Schema(levels=("a",)),
        Identifier(("a", "b"), ""): Schema(levels=("a", "b")),
        ORDERS.identifier: ORDERS,
        BARE.identifier: BARE,
    }


def test_a_view_is_a_file_that_people_read(store: ArchiveStore, tmp_path: Path) -> None:
    written(store, ORDERS)
    assert files(tmp_path) == {"sales/this.namespace.json", "sales/v_orders.json"}
    text = (tmp_path / "archive" / "sales" / "v_orders.json").read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert '\n    "comment": "open orders",\n' in text
    assert "Größe 🐝" in text
    payload = json.loads(text)["payload"]
    assert (payload["formatVersion"], payload["namespace"]) == (1, ["sales"])


def test_names_that_no_file_can_have_are_held_all_the_same(
    store: ArchiveStore, tmp_path: Path
) -> None:
    views = [named(name) for name in ODD] + [named("v", name, name) for name in ODD]
    assert {applied.action for applied in written(store, *views)} == {Action.CREATE}
    places = {view.identifier for view in views}
    assert {listed.identifier for listed in store.listing() if listed.name} == places
    assert {view.identifier: view for view in store.present(list(places))} == {
        view.identifier: view for view in views
    }
    found = crawled(tmp_path / "archive")
    assert {place: found[place] for place in places} == {view.identifier: view for view in views}
    assert [path.name for path in tmp_path.iterdir()] == ["archive"], "nothing leads out of it"


@pytest.mark.parametrize(
    "view",
    [named("ü" * 126), named("v", "." * 100), named(""), named("v", ""), NOWHERE, DEEP],
    ids=["a long name", "a long level", "no name", "an empty level", "no namespace", "a long path"],
)
def test_a_name_that_is_no_file_s_is_blocked_before_anything_is_written(
    store: ArchiveStore, view: View
) -> None:
    with pytest.raises(NotHeldError):
        store.hold(view)
    assert list(store.present([view.identifier])) == []
    (answer,) = store.apply(create(view))
    assert answer.failure is not None
    assert answer.failure[0] == "NOT_HELD"
    assert store.hold(named("ü" * 125)).losses == ()


def test_what_is_not_ours_in_the_folder_is_passed_over_and_left(
    store: ArchiveStore, tmp_path: Path
) -> None:
    written(store, ORDERS)
    root = tmp_path / "archive"
    for foreign in (".git/config.json", "sales/README.md", "sales/a.b.json", "top.json"):
        (root / foreign).parent.mkdir(exist_ok=True)
        (root / foreign).write_text("{}", encoding="utf-8")
    assert {str(listed.identifier) for listed in store.listing()} == {"sales.", "sales.v_orders"}
    list(store.apply([Change(Action.DROP, ORDERS, "", fingerprint(ORDERS))]))
    assert store.remove([("sales",)]) == (("sales",),)
    assert (root / "sales" / "README.md").exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON"),
        ("<<<<<<< HEAD", "no JSON"),
        ('{"kind": "hive_table", "payload": {}}', "it is a hive_table and no view"),
        ('{"kind": "view", "payload": {"formatVersion": 2}}', "field formatVersion"),
        ("of another", "it holds the view a.b.V"),
    ],
)
def test_a_file_that_is_spoilt_is_named_left_alone_and_costs_no_other_write(
    store: ArchiveStore, tmp_path: Path, text: str, why: str
) -> None:
    written(store, BARE, ORDERS)
    path = tmp_path / "archive" / "sales" / "v_orders.json"
    if text == "of another":
        text = (tmp_path / "archive" / "a" / "b" / "V.json").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BelvedereError, match=why) as raised:
        list(store.present([ORDERS.identifier]))
    assert (raised.value.code, raised.value.where) == ("INVALID_ENTRY", {"file": str(path)})
    wanted = replace(ORDERS, comment="new"), replace(BARE, comment="new")
    changes = [
        Change(Action.REPLACE, new, fingerprint(new) or "", fingerprint(old))
        for new, old in zip(wanted, (ORDERS, BARE), strict=True)
    ]
    spoilt, other = store.apply(changes)
    assert spoilt.failure is not None
    assert str(path) in spoilt.failure[1]
    assert other.action is Action.REPLACE
    assert path.read_text(encoding="utf-8") == text
    assert list(store.present([BARE.identifier])) == [wanted[1]]


def test_a_write_that_fails_leaves_what_was_there_and_nothing_beside_it(
    store: ArchiveStore, tmp_path: Path
) -> None:
    written(store, BARE)
    before = files(tmp_path)
    blocking = tmp_path / "archive" / "a" / "b" / "blocked.json"
    blocking.mkdir()
    view = named("blocked", "a", "b")
    moved = replace(BARE.identifier, name="blocked")
    rename = Change(Action.RENAME, BARE, fingerprint(BARE) or "", fingerprint(BARE), moved.name)
    for answer in store.apply([*create(view), rename]):
        assert answer.failure is not None
        assert answer.failure[0] == "FILE_UNREADABLE"
    (answer,) = store.apply(create(named("v", "nowhere")))
    assert answer.failure is not None
    assert answer.failure[0] == "INVALID_NAMESPACE"
    assert files(tmp_path) == before
    assert list(store.present([BARE.identifier])) == [BARE]


def test_namespaces_are_made_all_or_none(store: ArchiveStore, tmp_path: Path) -> None:
    store.prepare([Schema(levels=("a", "b"), owner="alice"), Schema(levels=("a",), comment="c")])
    found = crawled(tmp_path / "archive")
    assert found[Identifier(("a",), "")] == Schema(levels=("a",), comment="c")
    for refused in (("x", "y" * 256), ()):
        with pytest.raises(BelvedereError):
            store.prepare([Schema(levels=("new",)), Schema(levels=refused)])
    assert {listed.namespace for listed in store.listing()} == {("a",), ("a", "b")}


def test_the_folder_is_made_but_not_the_one_above_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for path in ("no/where", "file", "file/below"):
        with pytest.raises(BelvedereError) as raised:
            ArchiveStore(Options(path=str(tmp_path / path))).probe()
        assert raised.value.code == "UNREACHABLE"
        assert "mount" in raised.value.hint
    assert ArchiveStore(Options(path=str(tmp_path / "new"))).probe().problems == ()
    assert not (tmp_path / "new").exists()


def test_a_uri_is_refused_where_the_configuration_is_read() -> None:
    with pytest.raises(ConfigurationError, match="is a URI"):
        Options(path="s3://bucket/archive")


def test_what_a_killed_writer_has_left_unfinished_is_removed_with_the_rest(
    store: ArchiveStore, tmp_path: Path
) -> None:
    view = named("v")
    written(store, view)
    folder = tmp_path / "archive" / "sales"
    for unfinished in (f".{'0' * 32}.tmp", f".{'a' * 32}.tmp"):
        (folder / unfinished).write_text("{", encoding="utf-8")
    (folder / ".theirs.tmp").write_text("{", encoding="utf-8")
    assert store.recover(create(view)) == (), "no view is half-way"
    assert files(tmp_path) == {"sales/v.json", "sales/this.namespace.json", "sales/.theirs.tmp"}
    assert store.recover(create(named("v", "nowhere"))) == ()

    (folder / ".theirs.tmp").unlink()
    (folder / f".{'b' * 32}.tmp").write_text("{", encoding="utf-8")
    (change,) = create(view)
    list(store.apply([replace(change, action=Action.DROP, expected=fingerprint(view))]))
    assert store.remove([("sales",)]) == (), "nothing of others is in it"
    assert files(tmp_path) == set()
