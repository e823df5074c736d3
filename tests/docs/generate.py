"""Writes the pages that are derived from the code: `make docs`."""

import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from discovery import errors
from discovery.errors import BelvedereError
from discovery.outcomes import NOTES, SKIP_REASONS
from jobs.runtime import config, warehouse

DOCS: Final = Path(__file__).parents[2] / "docs"

_INTRODUCTION: Final = """\
# The tables of the warehouse

The warehouse is a folder that Spark can write: local, HDFS, an object store. Each dataset has a
folder, and in it each run has one, `<dataset>/run_id=<id>`, with Parquet files. **A run counts only
if it stands in `runs`**: that row is written last, so what lies in the other folders without it is
what a broken run left. A table is a dataset, or a projection of one; Parquet keeps columns apart,
so a projection costs only what it reads.

"""
_ARCHIVE: Final = """\
## archive

Where the configuration says `archive: true`: the raw objects of a run as gzipped JSON lines, which
the source `archive` replays.
"""


def pages() -> Mapping[Path, str]:
    """Every derived page by its path."""
    return {
        DOCS / "codes.md": codes(),
        DOCS / "estate.schema.json": json.dumps(config.json_schema(), indent=1) + "\n",
        DOCS / "tables.md": tables(),
    }


def codes() -> str:
    """The page of all codes."""
    kinds = [one for one in vars(errors).values() if inspect.isclass(one)]
    coded = [one for one in kinds if issubclass(one, BelvedereError) and one is not BelvedereError]
    lines = [
        "# Codes",
        "",
        "Each failure, skipped object and note carries a code. The codes are stable.",
        "",
        "## Failures",
        "",
    ]
    for kind in sorted(coded, key=lambda one: one.code):
        lines += [f"### {kind.code}", "", inspect.cleandoc(kind.__doc__ or ""), ""]
    for title, reasons in (("Skipped objects", SKIP_REASONS), ("Notes", NOTES)):
        lines += [f"## {title}", ""]
        for reason in sorted(reasons, key=lambda one: one.code):
            lines += [f"### {reason.code}", "", reason.text, ""]
    return "\n".join(lines)


def tables() -> str:
    """The page of the warehouse's tables."""
    lines = _INTRODUCTION.splitlines()
    for name, table in warehouse.TABLES.items():
        schema = warehouse.DATASETS[table.dataset]
        what = f"The folder `{table.dataset}`"
        if table.entity is not None:
            what += f", rows with `entity` = `{table.entity}`"
        lines += [f"## {name}", "", f"{what}.", "", "| Column | Type | Meaning |", "|---|---|---|"]
        for column in table.columns:
            field = schema.field(column)
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
