"""What every store must do, over a table of makers; `memory` is the reference."""

from dataclasses import replace

import pytest

from connectors import registry
from discovery.errors import BelvedereError, MovedError
from discovery.exercises import Agreement
from discovery.migration.changes import fingerprint
from discovery.migration.diff import differences
from discovery.migration.namespaces import FieldEdit, NamespaceEdit, Part, edit_of
from discovery.model import (
    Audit,
    Representation,
)
from discovery.outcomes import Kind
from discovery.ports import Action
from jobs.examining.exercising import exercise
from tests.contract import paired
from tests.contract.stores import MAKERS, Made, apply, change, create, failure, listed, present

PAIRS = {
    "gravitino-rest, with rows": paired.make_on_rest,
    "hms, with rows": paired.make_on_metastore,
    "iceberg-rest, with rows": paired.make_on_iceberg,
    "paimon, with rows": paired.make_on_paimon,
}
ALL = MAKERS | PAIRS


@pytest.fixture(params=sorted(ALL))
def made(request: pytest.FixtureRequest) -> Made:
    return ALL[request.param](request)


def test_every_store_of_the_registry_has_a_maker() -> None:
    assert registry.STORES.keys() <= MAKERS.keys()


def test_a_target_that_has_not_been_made_lists_nothing(made: Made) -> None:
    made.needs("nothing")
    with made.store as store:
        assert listed(store) == []
        assert present(store, made.orders) == {}
        assert store.remove([made.orders.identifier.namespace]) == ()


def test_views_read_back_as_they_were_written(made: Made) -> None:
    with made.store as store:
        store.prepare(made.schemas())
        assert apply(store, *create(made.orders, made.bare)) == ["create", "create"]
        there = present(store, made.orders, made.bare)
        for view in (made.orders, made.bare):
            assert differences(view, there[view.identifier]) == ()
            assert fingerprint(there[view.identifier]) == fingerprint(view)
        assert there[made.orders.identifier].audit.creator == made.orders.audit.creator


def test_the_listing_has_namespaces_before_what_they_hold(made: Made) -> None:
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders, made.bare))
        found = listed(store)
        for view in (made.orders, made.bare):
            place = view.identifier
            space = found.index((place.namespace, "", Kind.NAMESPACE))
            assert space < found.index((place.namespace, place.name, Kind.VIEW))
        assert len(found) == len(set(found))


def test_writing_again_writes_nothing(made: Made) -> None:
    with made.store as store:
        store.prepare(made.schemas())
        store.prepare(made.schemas())
        again = create(made.orders, made.bare)
        apply(store, *again)
        assert apply(store, *again) == ["keep", "keep"]
        touched = replace(made.orders, audit=Audit(last_modifier="bob"))
        assert apply(store, *create(touched)) == ["keep"], "audit data alone is no change"


def test_what_changed_is_replaced(made: Made) -> None:
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders))
        first = made.orders.representations[0]
        other = (replace(first, sql="SELECT 2 AS id"), *made.orders.representations[1:])
        wanted = store.hold(replace(made.orders, representations=other, comment=None)).view
        there = change(Action.REPLACE, wanted, made.orders)
        assert apply(store, there) == ["replace"]
        assert differences(wanted, present(store, wanted)[wanted.identifier]) == ()
        assert apply(store, there) == ["keep"]
        assert apply(store, change(Action.REPLACE, made.orders, wanted)) == ["replace"]
        back = present(store, wanted)[wanted.identifier]
        assert differences(made.orders, back) == (), "undone"


def test_a_dialect_is_added_beside_the_others(made: Made) -> None:
    made.needs("add-dialect")
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.bare))
        more = (*made.bare.representations, Representation(dialect="flink", sql="SELECT 1 AS f"))
        wanted = store.hold(replace(made.bare, representations=more)).view
        assert apply(store, change(Action.ADD_DIALECT, wanted, made.bare)) == ["add-dialect"]
        assert differences(wanted, present(store, wanted)[wanted.identifier]) == ()


def test_a_property_is_set_and_removed(made: Made) -> None:
    made.needs("properties")
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders))
        kept = tuple(property_ for property_ in made.orders.properties if property_[0] != "team")
        wanted = replace(made.orders, properties=tuple(sorted((*kept, ("colour", "red")))))
        assert apply(store, change(Action.REPLACE, wanted, made.orders)) == ["replace"]
        back = present(store, wanted)[wanted.identifier]
        assert differences(wanted, back) == ()
        assert "team" not in dict(back.properties)


def test_a_view_is_renamed(made: Made) -> None:
    made.needs("rename")
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders))
        renamed = change(Action.RENAME, made.orders, made.orders, "v_new")
        assert apply(store, renamed) == ["rename"]
        new = replace(made.orders, identifier=replace(made.orders.identifier, name="v_new"))
        assert present(store, made.orders) == {}
        assert differences(new, present(store, new)[new.identifier]) == ()
        assert apply(store, renamed) == ["keep"]
        assert apply(store, *create(made.orders)) == ["create"], "the name is free again"
        (onto,) = store.apply([change(Action.RENAME, new, new, made.orders.identifier.name)])
        assert failure(onto) == "COLLISION"
        assert len(present(store, made.orders, new)) == 2


def test_a_view_is_dropped_and_may_come_again(made: Made) -> None:
    made.needs("drop")
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders, made.bare))
        gone = change(Action.DROP, made.orders, made.orders)
        assert apply(store, gone) == ["drop"]
        assert present(store, made.orders) == {}
        assert made.orders.identifier.name not in {name for _, name, _ in listed(store)}
        assert apply(store, gone) == ["keep"]
        assert apply(store, *create(made.orders)) == ["create"]
        back = present(store, made.orders)[made.orders.identifier]
        assert differences(made.orders, back) == ()
        assert apply(store, gone, *create(made.orders)) == ["drop", "create"], "in one go"


def test_what_moved_since_the_plan_is_refused_and_left_alone(made: Made) -> None:
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders))
        seen = store.hold(replace(made.orders, comment="as the plan saw it")).view
        wanted = store.hold(replace(made.orders, comment="as it shall be")).view
        refused = [change(Action.CREATE, wanted), change(Action.REPLACE, wanted, seen)]
        if "drop" not in made.notyet:
            refused.append(change(Action.DROP, seen, seen))
        if "rename" not in made.notyet:
            refused.append(change(Action.RENAME, seen, seen, "v_new"))
        refused.append(change(Action.REPLACE, made.bare, made.orders))
        for one in refused:
            (answer,) = store.apply([one])
            assert failure(answer) == "MOVED", one.action
        back = present(store, made.orders, made.bare)
        assert differences(made.orders, back[made.orders.identifier]) == ()
        assert len(back) == 1


def test_a_change_that_is_refused_costs_no_other(made: Made) -> None:
    with made.store as store:
        store.prepare(made.schemas())
        apply(store, *create(made.orders))
        moved = store.hold(replace(made.orders, comment="other")).view
        answers = {applied.identifier: applied for applied in store.apply(create(moved, made.bare))}
        assert failure(answers[moved.identifier]) == "MOVED"
        assert answers[made.bare.identifier].action is Action.CREATE


def test_schemas_are_made_with_those_above_and_removed_where_they_are_empty(made: Made) -> None:
    made.needs("schemas")
    with made.store as store:
        others = {space for space, _, _ in listed(store)}
        store.prepare(made.schemas())
        levels = made.bare.identifier.namespace
        nested = [levels[:depth] for depth in range(1, len(levels) + 1)]
        wanted = {made.orders.identifier.namespace, *nested}
        assert {space for space, _, _ in listed(store)} - others == wanted
        assert all(store.may_create(space) for space in wanted)
        apply(store, *create(made.orders))
        assert store.remove(sorted(wanted)) == (made.orders.identifier.namespace,)
        assert [space for space, _, _ in listed(store) if space in nested] == []
        assert store.remove(nested) == ()
        store.prepare(made.schemas())
        assert apply(store, *create(made.bare)) == ["create"], "they may come again"
        assert store.remove(nested[:1]) == tuple(nested[:1]), "one that holds a schema stays"


def test_a_store_tells_the_namespaces_that_it_lacks_and_those_that_it_has_made(made: Made) -> None:
    made.needs("schemas")
    first, *rest = made.schemas()
    nested = [
        schema.levels[:depth] for schema in rest for depth in range(1, len(schema.levels) + 1)
    ]
    wanted = [first.levels, *dict.fromkeys(nested)]
    with made.store as store:
        assert store.lacking(wanted) == tuple(wanted), "in their order"
        assert store.prepare([first]) == (first.levels,)
        assert store.lacking(wanted) == tuple(one for one in wanted if one != first.levels)
        assert set(store.prepare([first, *rest])) == set(wanted) - {first.levels}
        assert store.prepare([first, *rest]) == (), "what is there is not made by us"
        assert store.lacking(wanted) == store.lacking([]) == ()


def test_a_namespace_that_is_there_gets_other_words_and_back(made: Made) -> None:
    made.needs("schemas")
    space, _ = made.schemas()
    first = NamespaceEdit(
        "t",
        space.levels,
        (
            *([FieldEdit(None, "c", "é \n`x`")] if Part.COMMENT in made.store.amends else ()),
            FieldEdit("k", "v", "w"),
            FieldEdit("new", None, "1"),
        ),
    )
    with made.store as store:
        assert list(store.namespaces([space.levels, ("no", "such")])) == []
        with pytest.raises(MovedError):
            store.amend(first)
        store.prepare(made.schemas())
        (schema,) = store.namespaces([space.levels])
        assert edit_of("t", schema, store.hold_namespace(space), tuple(Part)) is None, (
            "as it was made"
        )
        assert store.amend(first)
        assert not store.amend(first), "it is so"
        (schema,) = store.namespaces([space.levels])
        assert first.differences(schema) == ()
        moved = replace(first, fields=(FieldEdit("k", "v", "x"),))
        with pytest.raises(MovedError, match="property k"):
            store.amend(moved)
        assert store.amend(first.inverse)
        (back,) = store.namespaces([space.levels])
        assert edit_of("t", back, store.hold_namespace(space), tuple(Part)) is None
        assert "new" not in dict(back.properties)


def test_names_differ_by_case(made: Made) -> None:
    made.needs("case")
    with made.store as store:
        store.prepare(made.schemas())
        name = made.orders.identifier.name.upper()
        upper = replace(made.orders, identifier=replace(made.orders.identifier, name=name))
        assert apply(store, *create(made.orders, upper)) == ["create", "create"]
        assert len(present(store, made.orders, upper)) == 2


def test_a_store_says_what_it_is_and_what_it_cannot_hold(made: Made) -> None:
    with made.store as store:
        assert store.probe().version
        held = store.hold(made.orders)
        assert all(isinstance(loss, str) for loss in held.losses)
        assert held.view == made.orders, "what it holds, it holds again"


def test_a_store_that_is_not_there_says_so(made: Made) -> None:
    if made.unreachable is None:
        pytest.skip("it is always there")
    with made.unreachable as store:
        for asked in (store.probe, lambda: list(store.listing())):
            with pytest.raises(BelvedereError) as raised:
                asked()
            assert raised.value.code == "UNREACHABLE"
        (answer,) = store.apply(create(made.orders))
        assert failure(answer) == "UNREACHABLE"


def test_a_target_is_tried_and_left_as_it_was(made: Made) -> None:
    made.needs("doctor --exercise")
    with made.store as store:
        store.prepare(made.schemas())
        before = listed(store)
        answers = list(exercise(store, "scratch"))
        assert listed(store) == before
    alike = {
        Agreement.AS_BELIEVED,
        Agreement.TAKEN,
    }  # doubles take what the real ones are known to refuse
    assert {
        answer.what: (answer.found, answer.told) for answer in answers if answer.found not in alike
    } == {}
    assert len(answers) > 50
