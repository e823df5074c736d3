"""What Trino's analyzer is told of a view, and what its answer is worth.

Trino (476, `StatementAnalyzer`) analyzes the text of a view in the catalog and schema that the view
keeps, and then compares what it returns with the columns that are stored (`checkViewStaleness`): as
many, the same names in any case, by position, and types that become the stored ones by themselves.
Names it folds to lower case. Of a view below it takes the stored columns. Functions it looks up in
the catalog that is named, short names after its own in the path of the view: of those that it keeps
in a metastore the text tells the types.

Types of a metastore's tables are those of its Hive connector, of Iceberg's those of its Iceberg
connector; where a precision is a setting, the shortest is told, which becomes the longer ones by
itself.

The analyzer is 435's, which runs on Java 17. 476 has functions more (`SHOW FUNCTIONS` of both: 6 of
its own beside those of plugins), overloads of four, and grammar: what it refuses for want of these,
and what its parser refuses, is left to the parser's verdict. So is what 476 alone takes of what
both parse: GROUP BY AUTO, and DISTINCT or ORDER BY in a window function.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from discovery.checks.subject import Returned
from discovery.datatypes import hive, trino
from discovery.errors import InvalidTypeError
from discovery.formats import trino as trino_entries
from discovery.judging import trino_functions
from discovery.judging.analysis import Functions, returned_as, unjudged, without_function
from discovery.judging.calling import KnownFunction
from discovery.judging.entries import Base, Entry, KnownBase, StoredText
from discovery.judging.stored_types import columns_in_entry
from discovery.model import TRINO, Column, Identifier, Representation
from discovery.ports import Verdict

_ICEBERG: Final = "iceberg"
_WHOLE: Final = 3  # parts of a name with the catalog
_ANALYZED: Final = frozenset({TRINO, _ICEBERG})
_NO_FUNCTION: Final = re.compile(r"^Function '(?P<name>.+)' not registered")
_OVERLOADED: Final = re.compile(
    r"^Unexpected parameters (.{0,300}? for function (cosine_similarity|repeat)"
    r"|\(char\(\d+\)\) for function (reverse|to_utf8))\b",
    re.DOTALL,
)
_HIDDEN: Final = re.compile(r"^Column '([^']*\.)?\$")
_OF_OTHERS: Final = re.compile(
    r"unknown type:? '?(bingtile|classifier|geometry|kdbtree|model|number|objectid|regressor"
    r"|sphericalgeography|variant)\b",
    re.IGNORECASE,
)
"""Types of the plugins that come with Trino, and of releases after 435."""


def trino_entry(
    stored: StoredText, reads: Sequence[KnownBase], catalogs: Mapping[str, str]
) -> Entry | None:
    """What Trino's analyzer is told of a view; None: it cannot be told what Trino would see.

    Args:
        stored: The view and its text, in Trino's dialect.
        reads: Everything that the text reads.
        catalogs: Trino's names of catalogs to their sources, as the configuration has them.
    """
    view, text = stored.view, stored.text
    supported = stored.form in _ANALYZED and len(view.identifier.namespace) == 1
    if not supported or len(text.default_levels) > 1:
        return None
    bases = [_base(read, stored) for read in reads]
    known_bases = [base for base in bases if base is not None]
    columns = _columns(view.columns)
    if columns is None or len(known_bases) < len(bases):
        return None
    home = _home(stored, catalogs)
    return Entry(
        place=Identifier((home, *view.identifier.namespace), view.identifier.name),
        columns=columns,
        by_position=stored.form == TRINO,
        catalogs=_names(stored, home, catalogs),
        context=_context(text),
        path=trino_entries.path(view),
        bases=tuple(known_bases),
        functions=tuple(call for call in stored.calls if _is_callable(call, stored.source)),
    )


def _context(text: Representation) -> tuple[str, str]:
    """Catalog and schema: Trino takes no schema without a catalog."""
    if text.default_catalog is None:
        return "", ""
    return text.default_catalog, "".join(text.default_levels)


def _names(stored: StoredText, home: str, catalogs: Mapping[str, str]) -> tuple[str, ...]:
    """All that Trino calls the catalog that the view is in."""
    named = {name for name, source in catalogs.items() if source == stored.source}
    return tuple(sorted({home, *named}))


def _is_callable(function: KnownFunction, source: str) -> bool:
    """Whether Trino finds it in the catalog of the view, and we know what it takes."""
    return function.of == TRINO and function.source == source and function.signature is not None


def _home(stored: StoredText, catalogs: Mapping[str, str]) -> str:
    """What Trino calls the catalog that the view is in, as far as anybody says."""
    named = sorted(name for name, source in catalogs.items() if source == stored.source)
    own = stored.text.default_catalog
    return own if own is not None and (own in named or not named) else (named or [stored.source])[0]


def _base(read: KnownBase, stored: StoredText) -> Base | None:
    """What Trino finds there; None: it is not known, or in a catalog of another connector.

    Without a catalog, as of a session that had none, a view keeps names of three parts alone.
    """
    place, catalog = read.identifier, read.catalog or stored.text.default_catalog
    own = read.source == stored.source and read.form in {None, stored.form}
    if not own or catalog is None or not read.columns or len(place.namespace) != 1:
        return None
    parts = (place.namespace[0], place.name)
    if stored.form == _ICEBERG and any(part != part.lower() for part in parts):
        return None  # catalogs that tell upper from lower case do not find Trino's names
    of_hive = stored.form == TRINO and read.form is None
    columns = _of_hive(read.columns) if of_hive else _columns(read.columns)
    return None if columns is None else Base((catalog, *parts), columns)


@lru_cache(maxsize=4_096)
def _of_hive(columns: tuple[Column, ...]) -> str | None:
    """Those of a table of a metastore: its types in lower case (`ThriftMetastoreUtil`)."""
    try:
        kept = columns_in_entry(columns, None)
        return json.dumps([(name, trino.spell(hive.parse(kind.lower()))) for name, kind in kept])
    except InvalidTypeError:
        return None


@lru_cache(maxsize=4_096)
def _columns(columns: tuple[Column, ...]) -> str | None:
    """Names and Trino's types; None where Trino has none."""
    try:
        return json.dumps([(column.name, trino.spell(column.type)) for column in columns])
    except InvalidTypeError:
        return None


def resolved(verdict: Verdict, entry: Entry, functions: Functions, _: bool) -> Verdict:
    """The analyzer's answer, as far as it is one about the view."""
    if verdict.accepted is not False:
        return verdict
    if lacking := _NO_FUNCTION.search(verdict.message):
        return _without(lacking["name"], verdict, entry, functions)
    if _OVERLOADED.search(verdict.message) or _OF_OTHERS.search(verdict.message):
        return unjudged(verdict, "newer releases or plugins of Trino have more")
    if _HIDDEN.search(verdict.message):
        return unjudged(verdict, "it reads a hidden column, which only the real table has")
    return verdict


def _without(name: str, verdict: Verdict, entry: Entry, functions: Functions) -> Verdict:
    """The answer where it does not have a function; in parts of its name there may be dots."""
    if "." in name and not _is_in_own_catalog(name, entry):
        return unjudged(verdict, "which functions a catalog of Trino has is not known")
    if "." not in name and len(entry.path) > 1:
        return unjudged(verdict, "which schema of its path has the function is not known")
    if trino_functions.is_own(name):
        return unjudged(verdict, "newer releases or plugins of Trino have it")
    return without_function(verdict, functions)


def _is_in_own_catalog(name: str, entry: Entry) -> bool:
    """Whether a name in parts leads into the catalog that the view is in."""
    parts = name.split(".")
    catalog = entry.context[0] if len(parts) < _WHOLE else parts[0]
    return len(parts) <= _WHOLE and catalog in entry.catalogs


def returned_to_trino(verdict: Verdict, entry: Entry, dialect: str) -> Returned | None:
    """The columns that Trino finds beside those that one of its own views stores.

    Iceberg's do not keep what Trino makes of their types: lengths, and the smaller numbers.
    """
    return returned_as(TRINO, dialect, verdict, entry, _parse_columns)


def _parse_columns(returns: str) -> tuple[Column, ...]:
    return tuple(Column(name, trino.parse(kind)) for name, kind in json.loads(returns))
