"""One context for all texts of a view, where a store keeps no more.

Iceberg's versions have one `default-catalog` and `default-namespace`, Gravitino's views one
`defaultCatalog` and `defaultSchema` (1.3.0): every engine completes short names by it. A text that
had another context, and needs it, would read something else in silence: such a view is not held. A
text of which all names are qualified loses nothing, and one that stated no context had none to
lose: Hive's texts are qualified when they are stored.
"""

from collections.abc import Iterable, Iterator

from discovery.engines import engine
from discovery.errors import NotHeldError
from discovery.migration.called_catalogs import has_own_schema
from discovery.migration.text_reader import Names
from discovery.model import Representation, View, dotted
from discovery.ports import Name


def check(view: View, names: Names) -> None:
    """See that each text means the same in the one context that stands for all.

    Args:
        view: As it is wanted.
        names: What tells which names a text reads.

    Raises:
        NotHeldError: A text would not; says which, and both contexts.
    """
    for text, is_read in _misled(view, names):
        kept, what = view.context, "short names" if is_read else "if it has any, short names"
        raise NotHeldError(
            f"a view has one default catalog and schema here: {what} of {text.dialect} lead to"
            f" {_context(text)}, and would lead to {_context(kept)}, the context of {kept.dialect}"
            f"{'' if is_read else '; nobody could read the text to tell'}",
            hint="let `catalogs` of their rules give both catalogs one name, qualify the names in"
            " the view, or leave out a dialect: `dialects` of its rule",
            view=str(view.identifier),
        )


def _misled(view: View, names: Names) -> Iterator[tuple[Representation, bool]]:
    """The texts that the one context may mislead, and whether their names could be read."""
    for representation in view.out_of_context:
        if representation.default_catalog or representation.default_schema:
            read = names(representation.sql, representation.dialect)
            if read is None or _are_short(*read, representation, view):
                yield representation, read is not None


def _are_short(
    tables: Iterable[Name], functions: Iterable[Name], text: Representation, view: View
) -> bool:
    """Whether the other context would complete one of some names to another.

    Of functions, those with a schema: most others are the engine's own.
    """
    in_schemas = (name for name in functions if has_own_schema(name, text.dialect))
    return any(_is_short(name, text, view) for name in (*tables, *in_schemas))


def _is_short(name: Name, text: Representation, view: View) -> bool:
    """Whether the other context would complete a name to another.

    What comes before a schema is the catalog; of nested schemas each level is a part of a name, and
    one of no more levels than the view's own begins with a catalog only if that is the default.
    """
    provided = engine(text.dialect).provides
    if provided.reads_file(name) or (len(name) == 1 and provided.owns(None, (), name[-1])):
        return False  # of files, and of an engine's own: they are the same everywhere
    if text.default_catalog == view.context.default_catalog:
        return len(name) == 1
    facts, levels = engine(text.dialect), name[:-1]
    if len(levels) < 2 or facts.catalog_leads or len(levels) > len(view.identifier.namespace):
        return len(levels) < 2
    return text.default_catalog is None or facts.catalog(levels[0]) != facts.catalog(
        text.default_catalog
    )


def _context(text: Representation) -> str:
    return dotted([part for part in (text.default_catalog, text.default_schema) if part])
