"""Which tables a metastore's own database has."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from discovery.errors import UnsupportedVersionError

_OLDEST: Final = (1, 2)
NEWEST: Final = 4


class BackingLayout(NamedTuple):
    """What the tables are.

    Attributes:
        version: As the metastore has written it.
        has_catalogs: Whether databases are in catalogs.
        is_hive_4: Whether entries and databases have what came with Hive 4.
        columns: Those that TBLS and DBS have, as `table.column`: some lack a few.
    """

    version: str
    has_catalogs: bool
    is_hive_4: bool
    columns: frozenset[str]


def check_version(versions: Sequence[str | None]) -> tuple[int, int]:
    """Major and minor version of the tables.

    Args:
        versions: What VERSION has.

    Raises:
        UnsupportedVersionError: That is not one version that is known.
    """
    known = "known are 1.2 to 4.x"
    if len(versions) != 1:
        why = (
            f"VERSION has {len(versions)} rows, so the version of the metastore's tables is unknown"
        )
        hint = "one row, as Hive's schematool leaves it: schematool -info"
        raise UnsupportedVersionError(why, hint=hint)
    match = re.match(r"(\d{1,4})\.(\d{1,4})", versions[0] or "")
    version = (int(match[1]), int(match[2])) if match else (0, 0)
    if version < _OLDEST or version[0] > NEWEST:
        why = f"the metastore's tables are of version {versions[0]!r}; {known}"
        raise UnsupportedVersionError(why, hint="read it over Thrift: kind: hms")
    return version
