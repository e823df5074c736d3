"""The contract of the stores, on servers of other people's making."""

import inspect

from discovery.ports import Action, ViewStore
from tests.contract import test_stores
from tests.contract.stores import apply, change

CONTRACT = [
    var
    for name, var in vars(test_stores).items()
    if name.startswith("test_") and "made" in inspect.signature(var).parameters
]
"""What each store must do."""


def empty(store: ViewStore, stays: str = "") -> None:
    """Remove everything that a store lists, but a namespace that cannot go."""
    with store:
        spaces = {listed.namespace for listed in store.listing()} - {(stays,)}
        for view in list(
            store.present([listed.identifier for listed in store.listing() if listed.name])
        ):
            assert apply(store, change(Action.DROP, view, view)) == ["drop"]
        assert store.remove(sorted(spaces)) == ()
