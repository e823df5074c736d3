"""Writes the pages that are derived from the code: `make docs`."""

import dataclasses
import inspect
import json
import re
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import pyarrow as pa
from pydantic import TypeAdapter

from connectors import registry
from connectors.clients.credentials import Secret
from jobs.configuration.options import configured, json_schema, spelled
from jobs.reporting import lines
from jobs.tables import TABLES
from reports import to_json
from reports.codes import GROUPS
from reports.codes import pages as every_code
from reports.head import ReportHead
from reports.lines import INNER
from tests import rates

DOCS: Final = Path(__file__).parents[2] / "docs"

_INTRODUCTION: Final = """\
# The tables of the warehouse

The warehouse is a folder that Spark can write: local, HDFS, an object store. Each dataset has a
folder, and in it each run has one, `<dataset>/run_id=<id>`, with Parquet files. **A run counts only
if it stands in `runs`**: that row is written last, so what lies in the other folders without it is
what a broken run left. `manifests/run_id=<id>/<stage>.json` says of each file that a stage wrote
its size, its rows, a digest of its footer and, on this machine, of its content; the digest of a
crawl's manifest stands in `runs`. Whoever reads looks first whether those files are there as they
were written, and reads no others; `belvedere check` compares every byte. Layout 1, of before there
were manifests, is read; one that is later than 2 is refused. In layout 1 of `waves` and `changes`
waves counted from 0; they are read as counted from 1. A table is a dataset, or a projection of one;
Parquet keeps columns apart, so a projection costs only what it reads.

"""
_ARCHIVE: Final = """\
## archive

Where the configuration says `archive: true`: the raw objects of a run as gzipped JSON lines, which
the source `archive` replays.
"""

_OPTIONS: Final = re.compile(
    r"(?s)(?<=<!-- options: `make docs` writes them -->\n).*?(?=<!-- end -->)"
)
_RATES: Final = re.compile(r"(?s)(?<=<!-- rates: `make docs` writes them -->\n).*?(?=<!-- end -->)")
_VERSIONS: Final = re.compile(
    r"(?s)(?<=<!-- versions: `make docs` writes them -->\n).*?(?=<!-- end -->)"
)
_VALUES: Final = {
    str: "text",
    int: "whole number, 1 or more",
    float: "number above 0",
    bool: "`true` or `false`",
    Secret: "`${env:NAME}` or `${file:PATH}`",
    tuple: "list of texts",
    Mapping: "map of texts",
}
_ASKED: Final = ("trino", "flink", "spark", "hive")
"""Running engines in the order of the page of judges."""


def pages() -> Mapping[Path, str]:
    """Every derived page by its path."""
    return {
        DOCS / "codes.md": codes(),
        DOCS / "estate.schema.json": json.dumps(json_schema(), indent=1) + "\n",
        DOCS / "judges.md": judges(),
        DOCS / "report.schema.json": json.dumps(report(), indent=1) + "\n",
        DOCS / "tables.md": tables(),
        **{
            DOCS / "connectors" / f"{name}.md": connector(name, kind)
            for name, kind in connectors().items()
        },
    }


def connectors() -> Mapping[str, registry.ConnectorKind]:
    """Every source and store by the name of its page: one of a source's name is its target."""
    stores = {
        f"{name}-target" if name in registry.SOURCES else name: kind
        for name, kind in registry.STORES.items()
    }
    return {**registry.SOURCES, **stores}


def connector(name: str, kind: registry.ConnectorKind) -> str:
    """The page of a connector, which is written by hand but for the table of its options."""
    page = DOCS / "connectors" / f"{name}.md"
    table = options(kind.options())
    return _OPTIONS.sub(lambda _: table, page.read_text(encoding="utf-8"), count=1)


def judges() -> str:
    """The page of the judges, written by hand but for options, versions and their errors."""
    table = rates.table(rates.recorded())
    page = (DOCS / "judges.md").read_text(encoding="utf-8")
    asked = iter([options(registry.ENGINES[name].options()) for name in _ASKED])
    page = _OPTIONS.sub(lambda _: next(asked), page)
    page = _VERSIONS.sub(lambda _: versions(), page, count=1)
    return _RATES.sub(lambda _: table, page, count=1)


def versions() -> str:
    """A table of the versions that an estate may say it runs."""
    lines = ["| Engine | `version` | Parser | Analyzer |", "|---|---|---|---|"]
    for engine in registry.JUDGES:
        for version in registry.versions(engine):
            kinds = (registry.JUDGES[engine], registry.ANALYZERS[engine])
            told = [_full(kind.connector(), version) for kind in kinds]
            lines.append(f'| `{engine}` | `"{version}"` | {" | ".join(told)} |')
    return "\n".join([*lines, ""])


def _full(judge: type[Any], version: str) -> str:
    """The release that judges for a version."""
    if version in judge.others:
        return str(judge([judge.others[version].jars[0].file]).version)
    return str(judge().version) if version in judge.versions() else "none: parsed only"


def options(kind: type[Any]) -> str:
    """A table of options: name, value and default of each field, its meaning from the docstring."""
    lines = ["| Option | Value | Default | Meaning |", "|---|---|---|---|"]
    meanings, hints = _meanings(kind), get_type_hints(kind)
    for field in sorted(configured(kind), key=_is_optional):  # stable: else in their order
        value, default = _value(hints[field.name]), _default(field)
        lines.append(f"| `{spelled(field)}` | {value} | {default} | {meanings[field.name]} |")
    return "\n".join([*lines, ""])


def _meanings(kind: type[Any]) -> Mapping[str, str]:
    """The text of each attribute, from the docstrings of a class and of those it stands on."""
    found = {}
    for one in reversed(kind.__mro__):
        section = inspect.cleandoc(one.__doc__ or "").partition("Attributes:\n")[2]
        for name, text in re.findall(r"(?ms)^    (\w+): (.*?)(?=^    \w|\Z)", section):
            found[name] = " ".join(text.split())
    return found


def _value(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(f"`{argument}`" for argument in get_args(hint))
    optional = get_origin(hint) in {Union, types.UnionType}
    parts = (
        [argument for argument in get_args(hint) if argument is not type(None)]
        if optional
        else [hint]
    )
    return " or ".join(_VALUES[get_origin(part) or part] for part in parts)


def _is_optional(field: "dataclasses.Field[Any]") -> bool:
    return _default(field) != "required"


def _default(field: "dataclasses.Field[Any]") -> str:
    default = field.default
    if default is dataclasses.MISSING:
        return "required" if field.default_factory is dataclasses.MISSING else "none"
    return "none" if default in {None, ()} else f"`{json.dumps(default)}`"


def codes() -> str:
    """The page of all codes."""
    lines = [
        "# Codes",
        "",
        "Each failure, skipped object, note and finding carries a code. The codes are stable;",
        "`belvedere explain CODE` prints what stands here.",
        "",
    ]
    for group, about in GROUPS.items():
        lines += [f"## {group}", ""] + ([about, ""] if about else [])
        for page in every_code().values():
            if page.group == group:
                lines += [f"### {page.code}", "", page.text, ""]
                lines += [f"What to do: {page.advice}", ""] if page.advice else []
    return "\n".join(lines)


def report() -> dict[str, Any]:
    """The JSON schema of belvedere.json: the head from its dataclasses, a view from its columns."""
    schema = TypeAdapter(ReportHead).json_schema(mode="serialization")
    line = [one for one in lines.LINES if one.name not in INNER]
    view = {
        "type": "object",
        "properties": {
            one.name: {"description": one.metadata[b"doc"].decode(), **_json_of(one.type)}
            for one in line
        },
        "required": [one.name for one in line],
    }
    schema["properties"] = {
        "version": {"const": to_json.VERSION},
        **schema["properties"],
        "views": {"type": "array", "items": {"$ref": "#/$defs/View"}},
    }
    schema["$defs"]["View"] = view
    for one in (schema, *schema["$defs"].values()):
        one["required"], one["additionalProperties"] = list(one["properties"]), False
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, **schema, "title": "The report of a run of belvedere"}


def _json_of(kind: pa.DataType) -> dict[str, Any]:
    """A type of Arrow as JSON schema; everything may be null."""
    if pa.types.is_list(kind):
        return {"type": ["array", "null"], "items": _json_of(kind.value_type)}
    if pa.types.is_struct(kind):
        members = {
            kind.field(at).name: _json_of(kind.field(at).type) for at in range(kind.num_fields)
        }
        return {"type": "object", "properties": members, "required": list(members)}
    return {"type": ["integer" if pa.types.is_integer(kind) else "string", "null"]}


def tables() -> str:
    """The page of the warehouse's tables."""
    lines = _INTRODUCTION.splitlines()
    for name, table in TABLES.items():
        what = f"The folder `{table.dataset.name}`"
        if table.entity is not None:
            what += f", rows with `entity` = `{table.entity}`"
        lines += [f"## {name}", "", f"{what}.", "", "| Column | Type | Meaning |", "|---|---|---|"]
        for column in table.columns:
            field = table.dataset.field(column)
            kind = str(field.type).replace("element: ", "").replace("|", "\\|")
            doc = (field.metadata or {}).get(b"doc", b"").decode()
            lines.append(f"| `{column}` | `{kind}` | {doc} |")
        lines.append("")
    return "\n".join([*lines, *_ARCHIVE.splitlines(), ""])


def main() -> None:
    """Write all pages."""
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
