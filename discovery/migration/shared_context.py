"""One context for all texts of a view, where a store keeps no more.

Iceberg's versions have one `default-catalog` and `default-namespace`, Gravitino's views one
`defaultCatalog` and `defaultSchema` (1.3.0): every engine completes short names by it. A text that
had another context, and needs it, would read something else in silence: such a view is not held. A
text of which all names are qualified loses nothing, and one that stated no context had none to
lose: Hive's texts are qualified when they are stored.
"""

from collections.abc import Callable, Iterator

from discovery.errors import NotHeldError
from discovery.model import Representation, View, dotted
from discovery.ports import Name

Names = Callable[[str, str], tuple[tuple[Name, ...], tuple[Name, ...]] | None]
"""Text and dialect to the tables and functions that it reads; None: nobody can tell.

`discovery.lineage.scopes.names`, which needs sqlglot.
"""


def check(view: View, names: Names) -> None:
    """See that each text means the same in the one context that stands for all.

    Args:
        view: As it is wanted.
        names: What tells which names a text reads.

    Raises:
        NotHeldError: A text would not; says which, and both contexts.
    """
    for one in _misled(view, names):
        kept = view.context
        raise NotHeldError(
            f"a view has one default catalog and schema here: short names of {one.dialect} lead to"
            f" {_told(one)}, and would lead to {_told(kept)}, the context of {kept.dialect}",
            hint="let `catalogs` of their rules give both catalogs one name, qualify the names in"
            " the view, or leave out a dialect: `dialects` of its rule",
            view=str(view.identifier),
        )


def _misled(view: View, names: Names) -> Iterator[Representation]:
    for one in view.out_of_context:
        if one.default_catalog or one.default_schema:
            read = names(one.sql, one.dialect)
            if read is None or any(len(name) <= _short(one, view.context) for name in read[0]):
                yield one


def _short(one: Representation, kept: Representation) -> int:
    """Of how many parts a name is that the other context would complete to another."""
    if one.default_catalog != kept.default_catalog:
        return 2  # the catalog is what comes before a schema
    return 1


def _told(one: Representation) -> str:
    return dotted([part for part in (one.default_catalog, one.default_schema) if part])
