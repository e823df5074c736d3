"""Views with rows beside them: what a server shows, whose rows are left alone, and kills."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Connection, select

from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.tables import OWNER, SCHEMA, USER, VIEW
from connectors.gravitino.entity_store.view_rows import ViewRows
from connectors.gravitino.paired import PairedStore
from connectors.iceberg import rest_store as iceberg
from discovery.errors import StoreError, UnsupportedVersionError
from discovery.migration.changes import fingerprint
from discovery.model import Audit, OwnerKind
from discovery.ports import Action, Change
from tests.contract import paired
from tests.contract.iceberg import OTHER, PLACE, SALES
from tests.contract.iceberg import VIEW as BARE
from tests.contract.stores import apply, change, create, failure, present
from tests.iceberg_server import IcebergServer

ALICE = Audit(creator="alice", create_time=datetime(2026, 3, 4, tzinfo=UTC))
BOB = Audit(creator="bob", create_time=datetime(2025, 1, 1, tzinfo=UTC))
ORDERS = replace(BARE, audit=ALICE)
LATER = replace(ORDERS, comment="other")
DROP = Change(Action.DROP, ORDERS, fingerprint(ORDERS) or "", fingerprint(ORDERS), seen=ALICE)


class Pair(NamedTuple):
    """A pair, its halves, and a connection to the store that reads what is committed."""

    store: PairedStore
    server: IcebergServer
    options: Options
    connection: Connection

    @property
    def rows(self) -> ViewRows:
        return ViewRows(self.options)

    def audit(self) -> Audit | None:
        with self.rows as rows:
            return rows.audits([PLACE]).get(PLACE)

    def row_of(self, audit: Audit) -> int:
        """Have a row of somebody else's; its id."""
        with self.rows as rows:
            rows.prepare([SALES])
            list(rows.apply(create(replace(ORDERS, audit=audit))))
        query = select(VIEW.c.view_id).where(VIEW.c.deleted_at == 0)
        return int(self.connection.execute(query).scalar_one())

    def view_of(self) -> None:
        """Have a view without a row."""
        with iceberg.RestStore(iceberg.Options(uri=self.server.uri)) as views:
            views.prepare([SALES])
            assert apply(views, *create(BARE)) == ["create"]


def opened(server: IcebergServer, options: Options) -> PairedStore:
    views = iceberg.RestStore(iceberg.Options(uri=server.uri, timeout=5))
    return PairedStore(views, ViewRows(options))


@pytest.fixture
def pair(request: pytest.FixtureRequest, iceberg_server: IcebergServer) -> Iterator[Pair]:
    options = replace(paired.rows_of(request, "lakehouse-iceberg"), owners=True)
    engine = options.engine().execution_options(isolation_level="AUTOCOMMIT")
    with opened(iceberg_server, options) as store, engine.connect() as connection:
        yield Pair(store, iceberg_server, options, connection)
    engine.dispose()


def replaced(seen: Audit) -> Change:
    return replace(change(Action.REPLACE, LATER, ORDERS), seen=seen)


def test_who_made_a_view_is_no_loss_and_reads_back(pair: Pair) -> None:
    held = pair.store.hold(replace(ORDERS, properties=(("gravitino.identifier", "x"),)))
    assert held.view == ORDERS
    assert held.losses == ("gravitino.identifier is left out: here the view is another entity",)
    grouped = replace(ALICE, creator_kind=OwnerKind.GROUP)
    (loss,) = pair.store.hold(replace(ORDERS, audit=grouped)).losses
    assert "is no user" in loss
    pair.store.prepare([SALES])
    assert apply(pair.store, *create(ORDERS)) == ["create"]
    assert pair.audit() == ALICE == present(pair.store, ORDERS)[PLACE].audit
    owned = select(USER.c.user_name).join(OWNER, OWNER.c.owner_id == USER.c.user_id)
    assert pair.connection.execute(owned.where(OWNER.c.deleted_at == 0)).scalars().all() == [
        "alice"
    ]
    assert apply(pair.store, *create(ORDERS)) == ["keep"]
    assert apply(pair.store, DROP) == ["drop"]
    assert pair.audit() is None
    assert not pair.connection.execute(owned.where(OWNER.c.deleted_at == 0)).scalars().all()
    assert pair.store.remove([("sales",)]) == ()
    live = select(SCHEMA.c.schema_name).where(SCHEMA.c.deleted_at == 0)
    assert pair.connection.execute(live).scalars().all() == []


def test_a_view_without_a_row_gets_one_and_an_undo_takes_the_names_back(pair: Pair) -> None:
    pair.view_of()
    assert present(pair.store, ORDERS)[PLACE].audit == Audit(), "what a server would show"
    only_row = replace(change(Action.REPLACE, ORDERS, ORDERS), seen=Audit())
    assert apply(pair.store, only_row) == ["replace"]
    assert len(pair.server.writes) == 2, "the namespace and the view: the row alone was written"
    assert apply(pair.store, only_row) == ["keep"]
    assert pair.audit() == ALICE
    back = replace(change(Action.REPLACE, BARE, ORDERS), seen=ALICE)
    assert apply(pair.store, back) == ["replace"]
    assert pair.audit() == Audit()
    assert apply(pair.store, back) == ["keep"]


def test_a_row_that_the_server_has_imported_is_adopted_with_its_id(pair: Pair) -> None:
    pair.view_of()
    number = pair.row_of(Audit())
    assert apply(pair.store, replaced(Audit())) == ["replace"]
    assert pair.audit() == ALICE
    found = select(VIEW.c.view_id, VIEW.c.current_version).where(VIEW.c.deleted_at == 0)
    assert pair.connection.execute(found).all() == [(number, 2)]
    owned = select(OWNER.c.metadata_object_id).where(OWNER.c.deleted_at == 0)
    assert pair.connection.execute(owned).scalars().all() == [number]


def test_a_row_that_the_plan_has_not_seen_is_left_alone_and_so_is_its_view(pair: Pair) -> None:
    pair.view_of()
    pair.row_of(BOB)
    before = list(pair.server.writes)
    (answer,) = pair.store.apply([replaced(Audit())])
    assert failure(answer) == "MOVED"
    assert answer.failure is not None
    assert "made by bob, 2025-01-01" in answer.failure[1]
    assert (pair.audit(), pair.server.writes) == (BOB, before)
    assert apply(pair.store, replaced(BOB)) == ["replace"], "the plan has seen it"
    assert pair.audit() == ALICE


def test_a_row_without_a_view_is_somebody_elses_unless_it_says_the_same(pair: Pair) -> None:
    pair.row_of(BOB)
    pair.store.prepare([SALES])
    answers = {
        applied.identifier.name: applied for applied in pair.store.apply(create(ORDERS, OTHER))
    }
    assert failure(answers["v"]) == "COLLISION"
    assert answers["w"].action is Action.CREATE
    assert pair.server.views.keys() == {(("sales",), "w")}
    same = create(replace(ORDERS, audit=BOB))
    assert apply(pair.store, *same) == ["create"], "an earlier load has left it"


def test_where_the_row_is_refused_the_next_attempt_writes_it(pair: Pair) -> None:
    pair.store.prepare([SALES])
    pair.connection.exec_driver_sql("ALTER TABLE view_meta ADD CHECK (view_name <> 'v')")
    answers = {
        applied.identifier.name: applied for applied in pair.store.apply(create(ORDERS, OTHER))
    }
    assert failure(answers["v"]) == "STORE_FAILED"
    assert answers["v"].failure is not None
    assert "the view is as it is to be, its row" in answers["v"].failure[1]
    assert answers["w"].action is Action.CREATE, "it costs no other"
    with pytest.raises(StoreError, match="view_meta"):
        pair.store.recover(create(ORDERS))
    pair.connection.exec_driver_sql(
        "ALTER TABLE view_meta DROP CONSTRAINT view_meta_view_name_check"
    )
    assert apply(pair.store, *create(ORDERS)) == ["create"]
    assert apply(pair.store, *create(ORDERS)) == ["keep"]
    assert pair.audit() == ALICE


def _killed(server: IcebergServer, options: Options, changes: list[Change]) -> None:
    """What dies once the views are written."""

    class Dying(ViewRows):
        def settle(self, *_: Any) -> Any:
            os.kill(os.getpid(), signal.SIGKILL)

    views = iceberg.RestStore(iceberg.Options(uri=server.uri, timeout=5))
    list(PairedStore(views, Dying(options)).apply(changes))


@pytest.mark.parametrize(
    ("before", "done"),
    [([], create(ORDERS)), (create(ORDERS), [replaced(ALICE)]), (create(ORDERS), [DROP])],
)
def test_after_a_kill_between_the_two_both_halves_are_brought_together(
    pair: Pair, before: list[Change], done: list[Change]
) -> None:
    pair.store.prepare([SALES])
    apply(pair.store, *before)
    done = [replace(one, view=replace(one.view, audit=BOB if before else ALICE)) for one in done]
    if done[0].action is Action.DROP:
        done = [DROP]
    context = multiprocessing.get_context("fork")
    writer = context.Process(target=_killed, args=(pair.server, pair.options, done))
    writer.start()
    writer.join(60)
    assert writer.exitcode == -signal.SIGKILL
    assert pair.audit() == (ALICE if before else None), "the row is as it was"
    assert pair.store.recover(done) == (PLACE,)
    assert pair.audit() == (None if done == [DROP] else done[0].view.audit)
    assert pair.store.recover(done) == ()
    assert apply(pair.store, *done) == ["keep"]


def test_rows_are_written_into_the_store_of_a_server_only(pair: Pair) -> None:
    with opened(pair.server, replace(pair.options, catalog="other")) as store:
        with pytest.raises(StoreError, match="no catalog other of metalake m: create it in Grav"):
            store.prepare([SALES])
        assert "catalog other" in " ".join(store.probe().problems)
    assert pair.store.probe().problems == ()
    pair.connection.exec_driver_sql("ALTER TABLE view_meta DROP COLUMN audit_info")
    for asked in (pair.store.probe, lambda: pair.store.prepare([SALES])):
        with pytest.raises(UnsupportedVersionError, match=r"layout is that of Gravitino 1\.2\.0"):
            asked()
    assert pair.server.spaces == {}


def test_a_server_that_keeps_rows_in_memory_shows_who_made_a_view_at_once(
    request: pytest.FixtureRequest,
) -> None:
    made, double = paired.joined(request)
    with made.store as store:
        store.prepare(made.schemas())
        assert apply(store, *create(made.orders)) == ["create"]
        view = double.said("/api/metalakes/m/catalogs/c/schemas/sales/views/v_orders")["view"]
        assert (view["audit"]["creator"], view["audit"]["createTime"][:10]) == (
            "alice",
            "2026-03-04",
        )
