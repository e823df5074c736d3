"""How other tools name what is in a source: OpenLineage's names of datasets.

OpenLineage, spec/Naming.md (https://openlineage.io/docs/spec/naming), as its own Spark integration
fills it in for what the page does not have: an Iceberg catalog behind REST is named by its URI
(`IcebergHandler`), a Glue catalog by an ARN without a partition (`AwsUtils`).
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from discovery.addresses import SourceAddress

_BY_URI: Final = frozenset({"http", "https"})


class DatasetName(NamedTuple):
    """A dataset, as OpenLineage names it.

    Attributes:
        namespace: Of where it is.
        name: What it is called there.
    """

    namespace: str
    name: str


def dataset(
    addresses: Mapping[str, SourceAddress], source: str, levels: Sequence[str]
) -> DatasetName:
    """The name of an object of a source; under the source's own name if its place is not known.

    Args:
        addresses: Of the run's sources.
        source: Name of the source.
        levels: Namespace and name of the object.
    """
    place = addresses.get(source)
    if place is None or not is_named(place):
        return DatasetName(source, ".".join(levels))
    if place.system == "glue":
        return DatasetName(_namespace(place), "/".join(("table", *levels)))
    return DatasetName(_namespace(place), ".".join(filter(None, (path_above(place), *levels))))


def path_above(place: SourceAddress) -> str:
    """What stands before a namespace: a database, or a catalog of a metastore; may be empty."""
    return "" if place.system in _BY_URI else place.path


def is_named(place: SourceAddress) -> bool:
    """Whether everybody calls it the same: Glue's only where the account is known."""
    return bool(place.region and place.account) if place.system == "glue" else bool(place.host)


def _namespace(place: SourceAddress) -> str:
    if place.system == "glue":
        return f"arn:aws:glue:{place.region}:{place.account}"
    host = f"[{place.host}]" if ":" in place.host else place.host
    port = f":{place.port}" if place.port else ""
    path = place.path if place.system in _BY_URI else ""
    return f"{place.system}://{host}{port}{path}"
