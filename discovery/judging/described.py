"""What a database has said of its own view as it was crawled, where nobody has its parser.

A crawl has the server prepare or describe `SELECT * FROM v WHERE 1=0`: it looks up all that the
view reads and calls, with the rights that count there, and reads no row. MariaDB 10.11 answers with
1356 or 1449 where a table, a column, a function or the definer is gone (docs/connectors/mysql.md).
What it refuses is no verdict: a read-only transaction refuses functions that write, and our user
may lack a right that others have.
"""

from collections.abc import Collection
from typing import Final

from discovery.judging.analyzers import ANALYZERS
from discovery.judging.paths import DATABASES
from discovery.outcomes import COLUMNS_FROM_CATALOG, COLUMNS_UNKNOWN

_NOT_ASKED: Final = frozenset({COLUMNS_FROM_CATALOG.code, COLUMNS_UNKNOWN.code})


def is_described(form: str, notes: Collection[str]) -> bool:
    """Whether the verdict on a view is that its server has described it.

    Args:
        form: How the entry is stored: databases whose engine has an analyzer are left to that.
        notes: Codes of the crawl's notes on the view: no such note, the columns are the query's.
    """
    return form in DATABASES and form not in ANALYZERS and _NOT_ASKED.isdisjoint(notes)
