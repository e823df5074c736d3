"""What the types of a Hive Metastore's objects say of them."""

from collections.abc import Mapping
from typing import Final

from discovery.outcomes import Kind

KINDS: Final[Mapping[str, Kind]] = {
    "VIRTUAL_VIEW": Kind.VIEW,
    "MATERIALIZED_VIEW": Kind.MATERIALIZED_VIEW,
    "MANAGED_TABLE": Kind.TABLE,
    "EXTERNAL_TABLE": Kind.TABLE,
    "INDEX_TABLE": Kind.TABLE,
}
"""`tableType` to what it is; of any other only the entry tells."""
