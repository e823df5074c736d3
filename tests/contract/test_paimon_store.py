"""The store `paimon` beyond the contract: what a server, others and a kill can do to a load."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from connectors.clients import single_writes
from connectors.clients.credentials import Secret
from connectors.paimon.store import Options, PaimonStore
from discovery.errors import BelvedereError, ConfigurationError
from discovery.migration.diff import differences
from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.ports import Action, Change
from tests.contract.iceberg import only
from tests.contract.stores import apply, change, create, failure, listed, present
from tests.loopback import Request
from tests.paimon_server import PaimonDouble

PLACE = Identifier(("sales",), "v")
QUERY = Representation(dialect="query", sql="SELECT 1 AS x")
SPARK = Representation(dialect="spark", sql="SELECT 1 AS x")
VIEW = View(
    identifier=PLACE,
    columns=(Column("x", Primitive("long")),),
    representations=(QUERY, SPARK),
)
OTHER = replace(VIEW, identifier=Identifier(("sales",), "w"))
COMMENTED = replace(VIEW, comment="other")
ANEW = replace(VIEW, representations=(replace(QUERY, sql="SELECT 2 AS x"), SPARK))
REPLACED = change(Action.REPLACE, ANEW, VIEW)
Trouble = Callable[[Request], str]


@pytest.fixture
def store(paimon_server: PaimonDouble, monkeypatch: pytest.MonkeyPatch) -> Iterator[PaimonStore]:
    monkeypatch.setattr(single_writes, "_PAUSE", 0.0)
    with opened(paimon_server) as made:
        made.prepare([Schema(levels=("sales",))])
        yield made


def opened(server: PaimonDouble) -> PaimonStore:
    return PaimonStore(Options(uri=server.uri, warehouse="wh", timeout=5))


def writes(server: PaimonDouble) -> list[str]:
    """What was written since, in few words: the last part of each path."""
    found = [f"{method} {path.rpartition('/')[2][:10]}" for method, path in server.writes]
    server.asked.clear()
    return found


def names(server: PaimonDouble) -> list[str]:
    return sorted(name for _, name in server.views)


def at_write(number: int, then: Callable[[], str]) -> Trouble:
    """Trouble with one write of those that follow."""
    left = iter(range(1_000))

    def trouble(request: Request) -> str:
        return then() if request.method != "GET" and next(left) == number else ""

    return trouble


def test_a_replacement_alters_what_can_be_altered_in_one_request(
    store: PaimonStore, paimon_server: PaimonDouble
) -> None:
    apply(store, *create(VIEW))
    writes(paimon_server)
    assert apply(store, change(Action.REPLACE, COMMENTED, VIEW)) == ["replace"]
    assert writes(paimon_server) == ["POST v"]
    flink = Representation(dialect="flink", sql="SELECT 1 AS x")
    wide = store.hold(replace(COMMENTED, representations=(QUERY, SPARK, flink))).view
    assert apply(store, change(Action.ADD_DIALECT, wide, COMMENTED)) == ["add-dialect"]
    assert apply(store, change(Action.REPLACE, VIEW, wide)) == ["replace"], "undone"
    assert writes(paimon_server) == ["POST v"] * 2
    assert differences(VIEW, present(store, VIEW)[PLACE]) == ()


def test_another_query_or_other_columns_make_the_view_anew_and_leave_nothing(
    store: PaimonStore, paimon_server: PaimonDouble
) -> None:
    apply(store, *create(VIEW))
    writes(paimon_server)
    assert apply(store, REPLACED) == ["replace"]
    assert [write.partition("__")[0] for write in writes(paimon_server)] == [
        "POST rename",
        "POST views",
        "DELETE v",
    ]
    wide = replace(ANEW, columns=(*VIEW.columns, Column("y", Primitive("date"))))
    assert apply(store, change(Action.REPLACE, wide, ANEW)) == ["replace"]
    assert apply(store, change(Action.REPLACE, VIEW, wide)) == ["replace"], "undone"
    assert names(paimon_server) == ["v"]
    assert differences(VIEW, present(store, VIEW)[PLACE]) == ()


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("how", ["before", "after"])
@pytest.mark.parametrize("wanted", [*create(VIEW), REPLACED, change(Action.DROP, VIEW, VIEW)])
def test_an_answer_that_is_lost_once_loses_and_doubles_nothing(
    store: PaimonStore, paimon_server: PaimonDouble, wanted: Change, how: str, number: int
) -> None:
    if wanted.action is not Action.CREATE:
        apply(store, *create(VIEW))
    paimon_server.trouble = at_write(number, lambda: how)
    assert only(store, wanted).action is wanted.action
    assert names(paimon_server) == ([] if wanted.action is Action.DROP else ["v"])
    assert paimon_server.views.keys() <= {("sales", "v")}
    if wanted.action is Action.REPLACE:
        assert differences(ANEW, present(store, ANEW)[PLACE]) == ()


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("how", ["before", "after"])
def test_a_kill_within_a_replacement_loses_nothing_and_the_next_turn_ends_it(
    store: PaimonStore, paimon_server: PaimonDouble, how: str, number: int
) -> None:
    apply(store, *create(VIEW))
    _killed(paimon_server, number, how)
    assert {VIEW.columns} == {view.columns for view in _views(store)}, "one of them is there"
    assert apply(store, REPLACED)[0] in {"replace", "keep"}
    assert names(paimon_server) == ["v"]
    assert differences(ANEW, present(store, ANEW)[PLACE]) == ()


@pytest.mark.parametrize(
    ("number", "how", "left"),
    [
        (0, "before", VIEW),  # the rename
        (0, "after", VIEW),
        (1, "before", VIEW),  # the creation
        (1, "after", ANEW),
        (2, "before", ANEW),  # the drop
        (2, "after", ANEW),
    ],
)
def test_who_takes_a_killed_replacement_back_finds_one_view_the_old_or_the_new(
    store: PaimonStore, paimon_server: PaimonDouble, number: int, how: str, left: View
) -> None:
    apply(store, *create(VIEW))
    _killed(paimon_server, number, how)
    halfway = () if names(paimon_server) == ["v"] else (PLACE,)
    assert store.recover([REPLACED]) == halfway
    assert names(paimon_server) == ["v"]
    assert differences(left, present(store, left)[PLACE]) == ()
    assert store.recover([REPLACED]) == (), "a second time does nothing"


def test_what_an_earlier_turn_has_left_aside_is_no_hindrance(
    store: PaimonStore, paimon_server: PaimonDouble
) -> None:
    apply(store, *create(VIEW))
    _killed(paimon_server, 2, "before")
    assert len(names(paimon_server)) == 2, "the old one stands aside"
    assert apply(store, change(Action.REPLACE, VIEW, ANEW)) == ["replace"]
    assert apply(store, REPLACED) == ["replace"]
    assert names(paimon_server) == ["v"]


def _killed(server: PaimonDouble, number: int, how: str) -> None:
    """A process that replaces the view and is gone with one of its writes."""

    class KilledError(BaseException):
        pass

    with opened(server) as victim:
        send = victim._server.send
        left = iter(range(10))

        def sent(method: str, path: str, body: Any = None) -> None:
            last = next(left) == number
            if not last or how == "after":
                send(method, path, body)
            if last:
                raise KilledError

        victim._server.send = sent  # type: ignore[method-assign]  # where a process ends
        with pytest.raises(KilledError):
            list(victim.apply([REPLACED]))


def _views(store: PaimonStore) -> list[View]:
    places = [Identifier(space, name) for space, name, _ in listed(store) if name]
    return list(store.present(places))


def test_a_server_that_always_fails_costs_no_other_view(
    store: PaimonStore, paimon_server: PaimonDouble
) -> None:
    paimon_server.trouble = lambda request: "before" if b'"v"' in request.body else ""
    answers = list(store.apply(create(VIEW, OTHER)))
    assert failure(answers[0]) == "STORE_FAILED"
    assert answers[1].action is Action.CREATE
    assert names(paimon_server) == ["w"]


@pytest.mark.parametrize("how", ["refused", "before"])
def test_a_new_view_that_is_not_taken_puts_the_old_one_back(
    store: PaimonStore, paimon_server: PaimonDouble, how: str
) -> None:
    apply(store, *create(VIEW))
    paimon_server.trouble = lambda request: how if request.path.endswith("/views") else ""
    assert failure(only(store, REPLACED)) == "STORE_FAILED"
    assert names(paimon_server) == ["v"]
    assert differences(VIEW, present(store, VIEW)[PLACE]) == ()


def test_what_somebody_else_does_in_between_is_not_overwritten(
    store: PaimonStore, paimon_server: PaimonDouble
) -> None:
    place = ("sales", "v")
    apply(store, *create(VIEW))
    theirs = {**paimon_server.views[place], "comment": "theirs"}

    def changes() -> str:
        paimon_server.views[place] = theirs
        return ""

    paimon_server.trouble = at_write(0, changes)  # between the reading and the rename
    assert failure(only(store, REPLACED)) == "MOVED"
    assert paimon_server.views == {place: theirs}, "as they made it"

    paimon_server.views[place] = {**theirs, "comment": None}
    paimon_server.trouble = at_write(1, changes)  # while the old one stands aside
    answer = only(store, REPLACED)
    assert failure(answer) == "MOVED"
    assert paimon_server.views[place] == theirs
    assert answer.failure is not None
    aside = next(name for name in names(paimon_server) if name != "v")
    assert aside in answer.failure[2], "where the old one is"


def test_two_who_alter_at_once_are_seen(store: PaimonStore, paimon_server: PaimonDouble) -> None:
    place = ("sales", "v")
    apply(store, *create(VIEW))

    def sets() -> str:
        paimon_server.views[place]["options"]["colour"] = "red"
        return ""

    paimon_server.trouble = at_write(0, sets)
    assert failure(only(store, change(Action.REPLACE, COMMENTED, VIEW))) == "MOVED"
    assert paimon_server.views[place]["options"] == {"colour": "red"}


@pytest.mark.parametrize("what", ["dialect", "view"])
def test_what_is_gone_when_it_is_altered_has_moved(
    store: PaimonStore, paimon_server: PaimonDouble, what: str
) -> None:
    apply(store, *create(VIEW))

    def drops() -> str:
        whole = paimon_server.views
        (whole if what == "view" else whole["sales", "v"]["dialects"]).clear()
        return ""

    paimon_server.trouble = at_write(0, drops)
    other = replace(VIEW, representations=(QUERY, replace(SPARK, sql="SELECT 3 AS x")))
    assert failure(only(store, change(Action.REPLACE, other, VIEW))) == "MOVED"


@pytest.mark.parametrize("held", ["tables", "functions", "views"])
def test_a_database_that_holds_anything_is_not_dropped(
    store: PaimonStore, paimon_server: PaimonDouble, held: str
) -> None:
    if held == "views":
        apply(store, *create(VIEW))
    else:
        getattr(paimon_server, held).add(("sales", "x"))
    assert store.remove([("sales",)]) == (("sales",),)
    assert "sales" in paimon_server.databases


def test_databases_are_made_all_or_none(store: PaimonStore, paimon_server: PaimonDouble) -> None:
    with pytest.raises(BelvedereError, match="do not nest"):
        store.prepare([Schema(levels=("a",)), Schema(levels=("a", "b"))])
    assert list(paimon_server.databases) == ["sales"]
    answer = only(store, *create(replace(VIEW, identifier=Identifier(("nowhere",), "v"))))
    assert failure(answer) == "INVALID_NAMESPACE"


@pytest.mark.parametrize("name", ["rename", "..", "a.b", "a$b", ""])
@pytest.mark.parametrize("action", [Action.CREATE, Action.REPLACE, Action.DROP])
def test_a_name_that_leads_elsewhere_reaches_no_database(
    store: PaimonStore, paimon_server: PaimonDouble, action: Action, name: str
) -> None:
    astray = replace(VIEW, identifier=Identifier(("sales",), name))
    before = astray if action is not Action.CREATE else None
    writes(paimon_server)
    assert only(store, change(action, astray, before)).action in {Action.FAILED, Action.KEEP}
    assert writes(paimon_server) == []
    assert present(store, astray) == {}


@pytest.mark.parametrize("metastore", ["filesystem", "jdbc", "hive", "nonsense"])
def test_paimon_s_other_catalogs_are_refused_with_the_reason(metastore: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Options(metastore=metastore)
    assert "metastore: rest" in raised.value.hint
    for uri, warehouse in (("p:1", "w"), ("https://p", "")):
        with pytest.raises(ConfigurationError):
            Options(uri=uri, warehouse=warehouse)


def test_a_token_is_sent_and_not_shown(paimon_server: PaimonDouble) -> None:
    seen: list[str] = []

    def noted(request: Request) -> str:
        seen.append(request.headers.get("Authorization", ""))
        return ""

    paimon_server.trouble = noted
    options = Options(uri=paimon_server.uri, warehouse="wh", token=Secret("tok"))
    with PaimonStore(options) as store:
        store.probe()
    assert set(seen) == {"Bearer tok"}
    assert "tok'" not in repr(options)


def test_what_a_gateway_delivers_twice_is_there_once_and_is_ours(
    store: PaimonStore, paimon_server: PaimonDouble
) -> None:
    def twice(request: Request) -> str:
        if request.method == "POST":
            paimon_server._said(request)
        return ""

    paimon_server.trouble = twice
    assert apply(store, *create(VIEW)) == ["create"]
    assert apply(store, change(Action.RENAME, VIEW, VIEW, "n")) == ["rename"]
    assert names(paimon_server) == ["n"]
