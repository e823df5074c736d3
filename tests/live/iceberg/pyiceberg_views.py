"""Makes Iceberg views with pyiceberg in a REST catalog, as a client of another maker would."""

from collections.abc import Sequence

from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.exceptions import NamespaceAlreadyExistsError
from pyiceberg.schema import Schema
from pyiceberg.types import LongType, NestedField, StringType
from pyiceberg.view.metadata import ViewVersion

SPARK = "select id, name as n from events"
TRINO = "SELECT id, name n FROM events"
FIELDS = (
    NestedField(1, "id", LongType(), required=False, doc="the id"),
    NestedField(2, "n", StringType(), required=False),
)


def make_views(uri: str) -> None:
    """Make `py.p_two` (two dialects), `py.p_cat` (a default catalog), `py.p_ns0` (no namespace)."""
    catalog = RestCatalog("r", uri=uri)
    try:
        catalog.create_namespace("py", {"comment": "by pyiceberg", "owner": "alice"})
    except NamespaceAlreadyExistsError:
        return
    texts = {"spark": SPARK, "trino": TRINO}
    _make(catalog, "p_two", texts, namespace=["py"])
    _make(catalog, "p_cat", {"spark": SPARK}, catalog_name="prod", namespace=["py"])
    _make(catalog, "p_ns0", {"spark": "select id, name as n from ice.events"}, namespace=[])


def _make(
    catalog: RestCatalog,
    name: str,
    texts: dict[str, str],
    *,
    namespace: Sequence[str],
    catalog_name: str | None = None,
) -> None:
    version = ViewVersion.model_validate(
        {
            "version-id": 1,
            "schema-id": 0,
            "summary": {"engine-name": "belvedere"},
            "representations": [
                {"type": "sql", "sql": sql, "dialect": dialect} for dialect, sql in texts.items()
            ],
            "default-catalog": catalog_name,
            "default-namespace": namespace,
        }
    )
    catalog.create_view(f"py.{name}", Schema(*FIELDS), version, properties={"comment": "ours"})
