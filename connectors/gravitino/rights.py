"""What it takes to read a view of a Gravitino server, whichever way its rights are written."""

from discovery.errors import NotHeldError
from discovery.model import Identifier
from discovery.rights.roles import SELECT_VIEW, USE_CATALOG, USE_SCHEMA, Right


def rights_to_read(view: Identifier, catalog: str, separator: str) -> tuple[Right, ...]:
    """The use of catalog and schema, and to select the view.

    Raises:
        NotHeldError: A name has a dot: full names are joined by dots.
    """
    schema = separator.join(view.namespace)
    if any("." in name for name in (catalog, schema, view.name)):
        raise NotHeldError("a name with a dot has no full name", view=str(view))
    return (
        Right("CATALOG", catalog, USE_CATALOG),
        Right("SCHEMA", f"{catalog}.{schema}", USE_SCHEMA),
        Right("VIEW", f"{catalog}.{schema}.{view.name}", SELECT_VIEW),
    )
