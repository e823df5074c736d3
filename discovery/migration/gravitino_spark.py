"""What Gravitino's own connector for Spark makes of a view in a `hive` catalog.

`SparkHiveView` of 1.3.0 gives the text of `spark`, else of `hive`, to `spark.sql` in the session
that reads, and takes the rows for those of the declared columns, without a cast. So what Spark on
the metastore itself finds beside the text, nobody looks at: the context, the settings of the
maker, the names of what a `*` returns. Asked on 2026-11-26, with Spark 3.5.3.
"""

from collections.abc import Collection
from typing import Final

from discovery.engines import engine
from discovery.formats import spark
from discovery.lineage.kinds import BaseKind
from discovery.migration.wanted import NameRead
from discovery.model import HIVE, SPARK, Representation, View
from discovery.ports import Name

_ENTRIES: Final = "hms"
_STORES: Final = frozenset({"gravitino-rest", _ENTRIES})


def reads(store: str, provider: str) -> bool:
    """Whether it reads what a store writes into a catalog; of all others it reads no views.

    Args:
        store: Kind of the store.
        provider: Of the catalog; empty: it is none of Gravitino.
    """
    return provider == "hive" and store in _STORES


def of_session(read: NameRead, written: Name) -> bool:
    """Whether the session that reads says where a name leads.

    So it is of a name without a catalog, and of one in Spark's own, which is that of the session's
    metastore.

    Args:
        read: The name.
        written: As a text has it.
    """
    if read.identifier is None:
        return True
    if read.kind in {BaseKind.FILE, BaseKind.SYSTEM}:
        return False
    if len(written) < len(read.identifier.namespace) + 2:
        return True
    return written[0].casefold() == engine(SPARK).session_catalog


def describe_difference(view: View, of_sessions: Collection[str], store: str) -> str:
    """What it reads otherwise than Spark on the metastore does; empty: nothing that can be told.

    Args:
        view: As it is written.
        of_sessions: The dialects whose texts have names of the session that reads.
        store: Kind of the store that writes it.
    """
    texts = view.by_dialect
    text = texts.get(SPARK) or texts.get(HIVE)
    if text is None:
        return ""
    names = "names without a catalog, or in spark_catalog, are those of the session that reads"
    reasons = [names] if text.dialect in of_sessions else []
    if text.dialect.casefold() == SPARK:
        reasons += _unnoticed(view, text, store)
    joined = "; ".join(reasons)
    return joined and f"Gravitino's connector for Spark runs its text as it is: {joined}"


def _unnoticed(view: View, text: Representation, store: str) -> list[str]:
    """What Spark notes beside a text of its own, and the connector does not look at.

    It is for Spark up to 3.5, which knows neither collations nor modes of a view's schema.
    """
    stated = spark.told_settings(view)
    unnoticed = [f"without {stated}"] if stated else []
    if spark.binds_star(view, text.sql):
        unnoticed.append("what its * returns is taken by position")
    if store == _ENTRIES and spark.has_placeholder(view.columns):
        unnoticed.append(
            "its columns are not Hive's, and of the one that stands for them in the entry are read"
            " other bytes, or Java ends"
        )
    return unnoticed
