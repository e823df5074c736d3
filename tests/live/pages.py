"""Pages of made-up views, as the executors and the driver write them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from jobs.reporting import files
from jobs.reporting.workers import rendered
from reports import page
from reports.head import ReportHead
from tests.made_up import HEAD

_PART: Final = 64


def written(folder: Path, views: Sequence[dict[str, Any]], head: ReportHead = HEAD) -> Path:
    """The page of some views."""
    parts = range(-(-len(views) // _PART))
    made = (rendered(["html"], part, views[part * _PART : (part + 1) * _PART]) for part in parts)
    report_head = replace(head, total=len(views))
    made_of = files.ReportFiles(folder, ["html"], report_head, parts=len(parts), part=_PART)
    made_of.write(made)
    return folder / page.FILE
