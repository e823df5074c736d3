"""What Gravitino can say of the context of a view's short names.

For the default schema it has one text: `defaultSchema` joins the levels by dots, so a level that
has a dot itself cannot be told from two. A hive catalog (`HiveViewCatalogOperations`, 1.3.0) writes
neither that nor the default catalog into the metastore. But it writes the properties as they are,
and Spark has the context of its views in properties.
"""

from dataclasses import replace

from discovery.errors import NotHeldError
from discovery.formats import spark
from discovery.lineage import scopes
from discovery.model import Representation, View, parted


def as_text(view: View) -> tuple[View, tuple[str, ...]]:
    """The view with each context as it reads back, and what is lost by that.

    A text without short names needs no context, and loses nothing.

    Raises:
        NotHeldError: A nested schema would be read as another one, and short names need it.
    """
    if all(map(_is_plain, view.representations)):
        return view, ()
    losses = []
    for text in view.representations:
        if _is_plain(text) or not needs_context(text):
            continue
        levels = " / ".join(text.default_levels)
        if len(text.default_levels) > 1:
            why = (
                f"the default schema of {text.dialect} has the levels {levels}, one of which has a "
                f"dot: Gravitino would have other levels, {text.default_schema}, for its short "
                "names"
            )
            hint = "qualify the names in the view, or take a target that keeps levels: Iceberg"
            raise NotHeldError(why, hint=hint, view=str(view.identifier))
        losses.append(
            f"the default schema {levels} of {text.dialect} may be read as the levels "
            f"{' / '.join(parted(levels))}"
        )
    texts = tuple(replace(text, default_levels=()) for text in view.representations)
    return replace(view, representations=texts), tuple(losses)


def as_properties(view: View) -> View:
    """A view of one text of Spark, with the context in the properties in which Spark keeps it."""
    (text,) = view.representations
    stated = {key: value for key, value in view.properties if not spark.is_context(key)}
    stated.update(spark.context_properties(text))
    bare = replace(text, default_catalog=None, default_schema=None)
    return replace(view, representations=(bare,), properties=tuple(sorted(stated.items())))


def from_properties(view: View) -> View:
    """What `as_properties` was given.

    Raises:
        DecodeError: The properties name no whole context.
    """
    (text,) = view.representations
    representation = spark.in_context(text, dict(view.properties))
    kept = tuple(property_ for property_ in view.properties if not spark.is_context(property_[0]))
    return replace(view, representations=(representation,), properties=kept)


def _is_plain(text: Representation) -> bool:
    """Whether the text of the default schema says its levels."""
    return text.default_schema is None or text.default_levels == parted(text.default_schema)


def needs_context(text: Representation) -> bool:
    """Whether a name in the text is short; so it is where nothing reads the text."""
    read = scopes.names(text.sql, text.dialect)
    return read is None or any(len(name) == 1 for name in read[0])
