"""The views as sources of a dbt project: a file of properties for each namespace.

Keys as dbt 1.10 and later have them (https://docs.getdbt.com/reference/source-properties): `meta`
stands in `config`. dbt renders these files by Jinja, so what opens one of its blocks is broken up
in texts, and a view whose name has it is left out: it would be run, not named.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from discovery.display import visible
from reports.column_types import column_types
from reports.lines import Row
from reports.sql_files import placed, safe

DBT: Final = "dbt"
"""The name of the format, and the folder."""
_JINJA: Final = re.compile(r"\{(?=[{%#])")
_PAIR: Final = re.compile(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})")


class Properties(NamedTuple):
    """A part of a file of properties.

    Attributes:
        path: Of the file, from the folder on.
        head: What stands before all parts of it.
        text: The part.
    """

    path: str
    head: str
    text: str


def properties(row: Row) -> Iterator[Properties]:
    """A view as a table of its namespace's source; nothing for what was not read."""
    names = (row["source"], *row["namespace"], row["name"])
    if row["outcome"] != "view" or any(map(_JINJA.search, names)):
        return
    *above, last = row["namespace"] or [""]
    path = placed(row["source"], above, f"{safe(last, dots=False)}.yml")
    yield Properties(path, _head(row), _table(row))


def _head(row: Row) -> str:
    """The source: a namespace, called so that no two of an estate are called the same.

    Where a part's own underscores could be taken for what joins the parts, a digest tells.
    """
    parts = row["source"], *row["namespace"]
    name = "__".join(parts)
    if any("__" in part or not part.strip("_") or part != part.strip("_") for part in parts):
        name += f"__{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:8]}"
    schema = ".".join(row["namespace"])
    return (
        "# Written by belvedere report --format dbt, from the views of a run.\n"
        "version: 2\nsources:\n"
        f"  - name: {_text(name)}\n    schema: {_text(schema)}\n    tables:\n"
    )


def _table(row: Row) -> str:
    view = json.loads(row["model"])
    lines = [f"      - name: {_text(row['name'])}"]
    if view.get("comment"):
        lines.append(f"        description: {_prose(view['comment'])}")
    lines += ["        config:", "          meta:"]
    lines += [f"            {name}: {value}" for name, value in _meta(row)]
    columns = list(column_types(view["columns"]))
    if columns:
        lines.append("        columns:")
    for column in columns:
        lines += [
            f"          - name: {_prose(column.name)}",
            f"            data_type: {_prose(column.kind)}",
        ]
        if column.comment:
            lines.append(f"            description: {_prose(column.comment)}")
    return "\n".join([*lines, ""])


def _meta(row: Row) -> Iterator[tuple[str, str]]:
    """What the run knows of the view, flat."""
    entries: tuple[tuple[str, Any], ...] = (
        ("owner", row["owner"]),
        ("belvedere_standing", row["standing"]),
        ("belvedere_reason", row["reason"]),
        ("belvedere_wave", row["wave"]),
        ("belvedere_dialects", ", ".join(row["dialects"] or ())),
    )
    for name, value in entries:
        if value is not None:
            yield name, str(value) if isinstance(value, int) else _prose(str(value))


def _prose(text: str) -> str:
    """A text that people read."""
    return _text(_JINJA.sub("{ ", text))


def _text(text: str) -> str:
    """A text as a double-quoted scalar of YAML 1.2 (7.3.1), in ASCII.

    It is JSON's but for a character beyond the first 65,536, which is one escape and not two.
    """
    plain = json.dumps(visible(text))
    return _PAIR.sub(lambda pair: rf"\U{_code_point(pair):08X}", plain)


def _code_point(pair: re.Match[str]) -> int:
    high, low = (int(group, 16) for group in pair.groups())
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
