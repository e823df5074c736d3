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
X = Schema(NestedField(1, "x", LongType(), required=False, doc="the x"))


def make_views(uri: str) -> None:
    """Make `py.p_two` (two dialects), `py.p_cat` (a default catalog), `py.p_ns0` (no namespace)."""
    catalog = RestCatalog("r", uri=uri)
    try:
        catalog.create_namespace("py", {"comment": "by pyiceberg", "owner": "alice"})
    except NamespaceAlreadyExistsError:
        return
    made = {
        "p_two": _version({"spark": SPARK, "trino": TRINO}, ["py"]),
        "p_cat": _version({"spark": SPARK}, ["py"], "prod"),
        "p_ns0": _version({"spark": "select id, name as n from ice.events"}, []),
    }
    for name, version in made.items():
        catalog.create_view(f"py.{name}", Schema(*FIELDS), version, properties={"comment": "ours"})


def make_contract(uri: str) -> None:
    """Make what the contract of sources wants: `contract.v_one`, `v_two` and the table `t`."""
    catalog = RestCatalog("r", uri=uri)
    catalog.create_namespace_if_not_exists("contract")
    for name in ("v_one", "v_two"):
        catalog.create_view(f"contract.{name}", X, _version({"spark": "select 1 as x"}, []))
    catalog.create_table("contract.t", X)


def _version(
    texts: dict[str, str], namespace: Sequence[str], catalog: str | None = None
) -> ViewVersion:
    return ViewVersion.model_validate(
        {
            "version-id": 1,
            "schema-id": 0,
            "summary": {"engine-name": "belvedere"},
            "representations": [
                {"type": "sql", "sql": sql, "dialect": dialect} for dialect, sql in texts.items()
            ],
            "default-catalog": catalog,
            "default-namespace": list(namespace),
        }
    )
