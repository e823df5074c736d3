"""The store `gravitino-rest`: what is missing is made, parents first, all or nothing."""

import json
from typing import Any

import pytest

from connectors.gravitino.rest.store import GravitinoRest
from discovery.errors import BelvedereError, ConfigurationError
from discovery.model import Schema
from discovery.outcomes import Kind
from tests.contract.gravitino_rest import (
    opened,
)
from tests.gravitino_double import Double, Fault, gravitino
from tests.loopback import Request


def test_what_is_missing_is_made_as_asked_and_nothing_else() -> None:
    with gravitino() as double:
        for metalake, missing in ((False, "metalake m"), (True, "catalog c")):
            with opened(double, "lakehouse-iceberg", create_metalake=metalake) as store:
                with pytest.raises(BelvedereError, match=f"{missing} is not there") as raised:
                    store.prepare([Schema(levels=("s",))])
                assert "create_" in raised.value.hint
                assert double.things == {}, "all or nothing"
                assert store.probe().problems == ("the catalog c is not there yet",)
                assert not store.may_create(("s",))


SCHEMAS = (Schema(levels=("a", "b"), comment="c", location="s3://b"), Schema(levels=("z",)))
MAKE: dict[str, Any] = {"create_metalake": True, "create_catalog": True}


REFUSAL = b'{"code": 1001, "type": "I", "message": "no such place"}'


class LastSchema(Fault):
    """Hits what makes the schema `z`."""

    def hits(self, request: Request) -> bool:
        return b'"z"' in request.body and super().hits(request)


def test_parents_come_first_and_a_failure_leaves_nothing() -> None:
    with gravitino() as double, opened(double, "lakehouse-iceberg", **MAKE) as store:
        double.faults.append(LastSchema("POST", status=400, body=REFUSAL))
        with pytest.raises(BelvedereError, match="no such place"):
            store.prepare(SCHEMAS)
        assert double.things == {}
        made = [body["name"] for method, _, body in double.asked if method == "POST"]
        assert made == ["m", "c", "a", "a:b", "z"]
        store.prepare(SCHEMAS)
        assert double.things["m", "c", "a:b"]["comment"] == "c"
        assert "s3://b" not in json.dumps(double.asked), "the location is the source's"
        writes = len(double.writes())
        store.prepare(SCHEMAS)
        assert len(double.writes()) == writes, "idempotent"


def test_what_could_not_be_removed_again_is_told() -> None:
    with gravitino("lakehouse-iceberg") as double, opened(double, "lakehouse-iceberg") as store:

        def fill() -> None:
            double.view_in("a:b")

        double.faults.append(LastSchema("POST", status=400, body=REFUSAL, sabotage=fill))
        with pytest.raises(BelvedereError, match="not removed again: m/c/a:b, m/c/a") as raised:
            store.prepare(SCHEMAS)
        assert "no such place" in str(raised.value)


@pytest.mark.parametrize("fault", [{}, {"before": False}, {"status": 500, "before": False}])
def test_a_schema_whose_answer_is_lost_is_made_once(fault: dict[str, Any]) -> None:
    with gravitino("lakehouse-iceberg") as double, opened(double, "lakehouse-iceberg") as store:
        double.faults.append(Fault("POST", "/schemas", **fault))
        store.prepare([Schema(levels=("s",))])
        assert ("m", "c", "s") in double.things
        double.faults.append(Fault("DELETE", "/schemas", **fault))
        assert store.remove([("s",)]) == ()
        assert ("m", "c", "s") not in double.things


def test_schemas_are_walked_level_by_level(double: Double, store: GravitinoRest) -> None:
    store.prepare([Schema(levels=("a", "b", "c")), Schema(levels=("a2",))])
    found = [listed.namespace for listed in store.listing() if listed.kind is Kind.NAMESPACE]
    assert found == [("a",), ("a", "b"), ("a", "b", "c"), ("a2",), ("s",)]
    asked = [path for _, path, _ in double.asked if "parentSchema" in path]
    assert asked[1].endswith("/schemas?parentSchema=a%3Ab")


def test_a_schema_that_would_be_taken_for_levels_stops_nesting(
    double: Double, store: GravitinoRest
) -> None:
    double.schema("old:sales")
    double.things["m", "c", "old:sales"]["flat"] = True
    with pytest.raises(BelvedereError, match="'old:sales' contains the separator") as raised:
        store.prepare([Schema(levels=("x", "y"))])
    assert raised.value.code == "NAMESPACE_CONFLICT"
    assert double.writes() == []


@pytest.mark.parametrize("levels", [("new:name",), ("ä",), ("x" * 65,)])
def test_a_schema_with_a_bad_name_is_refused_before_anything_is_made(
    double: Double, store: GravitinoRest, levels: tuple[str, ...]
) -> None:
    with pytest.raises(BelvedereError) as raised:
        store.prepare([Schema(levels=("fine",)), Schema(levels=levels)])
    assert raised.value.code == "NOT_HELD"
    assert double.asked == []


def test_a_schema_that_holds_a_view_stays_where_the_server_would_drop_it() -> None:
    with gravitino("lakehouse-paimon") as double, opened(double, "lakehouse-paimon") as store:
        double.schema("s")
        double.view_in("s")
        assert store.remove([("s",)]) == (("s",),)
        assert not [path for method, path, _ in double.asked if method == "DELETE"]


@pytest.mark.parametrize(("backend", "refused"), [("hive", True), ("REST", False), (None, False)])
def test_a_catalog_of_paimon_whose_backend_loses_views_is_refused(
    backend: str | None, refused: bool
) -> None:
    with gravitino("lakehouse-paimon") as double, opened(double, "lakehouse-paimon") as store:
        properties = {} if backend is None else {"catalog-backend": backend}
        double.things["m", "c"]["properties"] = properties
        if not refused:
            assert list(store.listing()) == []
            return
        with pytest.raises(ConfigurationError, match="has the backend hive") as told:
            list(store.listing())
        assert told.value.hint == "take a catalog whose backend is rest"


@pytest.mark.parametrize(
    ("on", "user", "owner", "more", "told"),
    [
        (False, "bob", None, {}, ""),
        (True, "admin", None, {}, ""),
        (True, "bob", None, {}, "bob owns neither its metalake nor its catalog"),
        (True, "bob", "ann", {}, "bob owns neither its metalake nor its catalog"),
        (True, "bob", "bob", {}, ""),
        (True, "bob", None, {"trust_absent": True}, ""),
    ],
)
def test_a_server_with_authorization_shows_all_to_owners_alone(
    on: bool, user: str, owner: str | None, more: dict[str, Any], told: str
) -> None:
    with (
        gravitino("lakehouse-iceberg", authorization=None) as double,
        opened(double, "lakehouse-iceberg", user=user, **more) as store,
    ):
        double.rights.on = on
        if owner is not None:
            double.rights.owners["c"] = {"name": owner, "type": "user"}
        assert told in store.hides()
        assert bool(told) is bool(store.hides())
        assert [problem for problem in store.probe().problems if "authorization" in problem] == (
            [store.hides()] if told else []
        )
