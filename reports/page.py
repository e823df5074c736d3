"""The report as a page: no network, light and dark, printable, usable by keyboard.

Up to `SINGLE` views it is one self-contained file; above that the details of the views lie beside
it in `details/`, as scripts, because a page that is opened from a file may load nothing else.
Data is JSON, deflated and in base64: nothing in it can end a script or be taken for markup.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

import orjson
from jinja2 import Environment

from discovery.display import visible
from discovery.judging.duties import ACTING, Duty, duty
from discovery.judging.matrix import READS, Reading
from discovery.judging.standing import Standing
from reports.head import ReportHead
from reports.headline import destinations, percent_text, title
from reports.lines import Row, codes_of
from reports.overview import Overview

SINGLE: Final = 10_000
FILE: Final = "belvedere.html"
DETAILS: Final = "details"
BLOCK: Final = 4_000_000
"""Characters of the index, or 35,000 views: a browser reads them in a tenth of a second."""
_LEVEL: Final = 4  # of zlib: 6 takes twice as long for 8 % less
_MARK: Final = "<!-- data -->"
_SCRIPTS: Final = ("base", "address", "table", "details", "graph", "overview", "begin")
"""Parts of the page's script, in order: the last one begins."""
_DUTIES: Final = tuple(Duty)
_ASKED: Final = (
    (Duty.MEND, "it is broken, or cannot be written, and only its owner can change that"),
    (Duty.LOOK, "it can move, and may surprise"),
    (Duty.WAIT, "what it stands on is broken, and that is to be mended first"),
    (Duty.ASK, "nobody who knows its dialect was asked"),
)
"""What is asked of owners, in the words of the page."""
_ORIGIN: Final = ("column", "base_source", "base_key", "base_column")
_STANDINGS: Final = tuple(Standing)
_READINGS: Final = tuple(Reading)
_SHORT: Final = 200  # characters of a message in the table of all views


def frame(head: ReportHead, *, single: bool, parts: int, part: int) -> tuple[str, str]:
    """The page before and after its data.

    Args:
        head: What it says of the run.
        single: Whether the details are in the page itself.
        parts: Number of packed parts.
        part: Views in a part.
    """
    place = files("reports")
    text = _script(head, place, {"single": single, "parts": parts, "part": part})
    template = place.joinpath("page.html.jinja").read_text(encoding="utf-8")
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=_shown
    )
    page = environment.from_string(template).render(
        head=head,
        title=title(head),
        percent_text=percent_text,
        destinations=tuple(destinations(head)),
        uses=[] if head.use is None else ["Uses"],
        words=_STANDINGS,
        statuses=_READINGS,
        sections=_sections(head),
        duties=_ASKED,
        actions=sorted(
            {action for target_plan in head.plan or () for action in target_plan.actions}
        ),
        style=place.joinpath("page.css").read_text(encoding="utf-8"),
        script=text,
        allowed=base64.b64encode(hashlib.sha256(text.encode()).digest()).decode(),
    )
    before, _, after = page.partition(_MARK)
    return before, after


def _shown(value: object) -> object:
    """A value as people may see it; markup is the template's own, and stays."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _script(head: ReportHead, place: Traversable, shape: Mapping[str, object]) -> str:
    """The page's script, with what it has to know of the page before it."""
    texts = (
        place.joinpath("script", f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS
    )
    shape = {
        **shape,
        "engines": list(head.engines or {}),
        "standings": _STANDINGS,
        "statuses": _READINGS,
        "reads": [_READINGS.index(reading) for reading in READS],
        "duties": _DUTIES,
        "acting": [_DUTIES.index(act) for act in ACTING],
        "folder": DETAILS,
        "run": head.run.run_id,
        "used": head.use is not None,
        "unserved": [
            target_plan.target for target_plan in head.plan or () if not target_plan.served
        ],
    }
    return "\n".join(['"use strict";', f"const SHAPE = {_json(shape)};", *texts])


def _sections(head: ReportHead) -> list[tuple[str, str]]:
    """What the page has, by the names of its headings."""
    return [
        ("act", "Who must act"),
        *([("course", "Course")] if head.course else []),
        ("engines", "Engines"),
        *([("heat", "Namespaces")] if head.engines else []),
        ("causes", "Causes"),
        ("waves", "Order"),
        ("lineage", "Lineage"),
        ("losses", "Losses"),
        ("quality", "Quality"),
        ("views", "All views"),
        ("run", "The run"),
    ]


def entry(row: Row) -> str:
    """The view in the index: what its line in the table of all views needs."""
    statuses = {engine["engine"]: engine["status"] for engine in row["engines"] or ()}
    marks = "".join(str(_READINGS.index(statuses[name])) for name in sorted(statuses))
    why = ", ".join(row["because"] or ()) or (row["message"] or "")[:_SHORT]
    return orjson.dumps(
        [
            row["source"],
            ".".join(row["namespace"]),
            row["name"],
            row["format"] or "",
            ", ".join(row["dialects"] or ()),
            _STANDINGS.index(row["standing"]),
            row["reason"] or "",
            marks,
            " ".join(codes_of(row)),
            row["wave"],
            row["owner"] or "",
            "; ".join(row["changes"] or ()),
            row["reads"] or [],
            why,
            "\n".join(f"{change['target']}\t{change['action']}" for change in row["plan"] or ()),
            _DUTIES.index(duty(Standing(row["standing"]), row["reason"])),
            row["uses"],
            row["use"] or "",
            row["key"] if _is_ambiguous(row) else "",
        ]
    ).decode()


def _is_ambiguous(row: Row) -> bool:
    """Whether names that are joined may be those of another view: `["a.b"]` of `["a", "b"]`."""
    levels = row["namespace"]
    return any("." in level for level in levels) or any(
        "/" in name for name in (*levels, row["name"])
    )


def detail(rows: Sequence[Row]) -> str:
    """What opens below some views, packed."""
    packed = [
        {
            "view": orjson.Fragment(row["model"]) if row["model"] else None,
            "columns": row["columns"],
            "verdicts": row["verdicts"],
            "findings": row["findings"],
            "drafts": row["drafts"],
            "references": row["references"],
            "notes": row["notes"],
            "plan": row["plan"],
            "differences": row["differences"],
            "history": row["history"],
            "failure": [row[name] for name in ("stage", "code", "message", "hint")],
            "because": row["because"],
            "key": row["key"],
            "codes": list(codes_of(row)),
            "lineage": [[origin[name] for name in _ORIGIN] for origin in row["lineage"] or ()],
        }
        for row in rows
    ]
    return _packed(orjson.dumps(packed))


def script_of(part: int, packed: str, run_id: str) -> str:
    """A file of `details/`: a page of another run, which is open still, does not take it."""
    return f'belvedere({part},"{packed}",{_json(run_id)})\n'


def inlined(name: str, packed: str) -> str:
    """Packed data in the page itself; not run as a script."""
    return f'<script type="text/plain" id="{name}">{packed}</script>\n'


def pictures(overview: Overview) -> str:
    """The overview, packed."""
    return _packed(orjson.dumps(overview))


def _packed(text: bytes) -> str:
    return base64.b64encode(zlib.compress(text, _LEVEL)).decode()


class Index:
    """The index, packed in blocks: the page shows the first while a browser reads the others."""

    def __init__(self) -> None:
        self._packed: list[str] = []
        self._open: list[str] = []
        self._size = 0

    def add(self, entries: str) -> None:
        """Some entries, parted by commas."""
        if entries:
            self._open.append(entries)
            self._size += len(entries)
        if self._size >= BLOCK:
            self._close()

    def inline(self) -> str:
        """All of them in the page: at least one block."""
        if self._open or not self._packed:
            self._close()
        return "".join(inlined(f"index-{at}", block) for at, block in enumerate(self._packed))

    def _close(self) -> None:
        self._packed.append(_packed(f"[{','.join(self._open)}]".encode()))
        self._open, self._size = [], 0


def _json(value: Any) -> str:  # noqa: ANN401 - JSON
    """JSON inside a script: nothing in it ends the script or breaks a line."""
    text = json.dumps(value, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
