"""Which Spark wrote a view of a metastore, and in which mode: that decides what it means."""

from typing import Final, NamedTuple

from discovery.formats import spark
from discovery.model import View

_VERSION: Final = "spark.sql.create.version"
_ANSI: Final = "spark.sql.ansi.enabled"
_QUOTES_SINCE: Final = 4  # major version: two quotes within a text are one


class Mode(NamedTuple):
    """What a text of Spark was written under.

    Attributes:
        ansi: Whether what cannot be computed fails; else it is NULL, and the size of NULL is -1.
        joins_quotes: Whether `'a''b'` is `ab`, as it was before 4.0, not `a'b`.
    """

    ansi: bool = True
    joins_quotes: bool = False


def mode(view: View) -> Mode:
    """The mode of an entry: Spark runs it in that which the entry says, else out of ANSI's.

    3.5.6 and 4.3.0 were asked, of each other's entries, too, on 2026-11-27.
    """
    version, stated = dict(view.properties).get(_VERSION, ""), dict(spark.settings(view))
    major = version.partition(".")[0]
    joins_quotes = major.isdecimal() and int(major) < _QUOTES_SINCE
    return Mode(stated.get(_ANSI, "").casefold() == "true", joins_quotes)
