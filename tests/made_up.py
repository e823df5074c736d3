"""A made-up run with the names and texts that break reports."""

import json
from typing import Any

from discovery.addresses import SourceAddress
from discovery.crawl_record import SourceCounts
from discovery.judging.standing import Standing
from reports.head import (
    Blocker,
    Cause,
    CoursePoint,
    Drift,
    DriftItem,
    Judge,
    QualityResult,
    ReportHead,
    RunFacts,
    TargetPlan,
    Unmet,
    Waves,
)

HOSTILE = "<script>alert(1)</script>"
SEPARATOR = "line\u2028separator ]]> </script> \u0000\ufffe"
SQL = "SELECT a,\n  b FRM t -- </script>\u2028"


def row(number: int, name: str, **cells: Any) -> dict[str, Any]:
    """A view of a report, ready unless more is said."""
    view = {
        "name": name,
        "columns": [{"name": "a", "type": "integer", "nullable": True, "comment": HOSTILE}],
        "representations": [{"type": "sql", "dialect": "spark", "sql": SQL}],
        "properties": {"k": SEPARATOR},
    }
    return {
        "row": number,
        "source": "lake",
        "namespace": ["db"],
        "name": name,
        "key": f"db.{name.lower()}",
        "outcome": "view",
        "format": "spark",
        "dialects": ["spark"],
        "columns": 1,
        "security": None,
        "owner": "anna",
        "notes": [],
        "stage": None,
        "code": None,
        "message": None,
        "hint": None,
        "fingerprint": "1:0",
        "standing": Standing.READY,
        "reason": None,
        "engines": [{"engine": "spark", "status": "native", "grade": "PARSE", "reason": None}],
        "findings": None,
        "wave": 1,
        "aside": None,
        "because": None,
        "use": None,
        "uses": None,
        "plan": None,
        "differences": None,
        "changes": None,
        "verdicts": None,
        "drafts": None,
        "references": None,
        "lineage": None,
        "reads": None,
        "readers": None,
        "history": None,
        "model": json.dumps(view),
        "seen": HEAD.run.finished,
        "addresses": HEAD.run.addresses,
        **cells,
    }


def rows() -> list[dict[str, Any]]:
    """One of each standing, a failure, and names that are markup."""
    finding = {
        "code": "STALE_COLUMNS",
        "severity": "warning",
        "engine": None,
        "dialect": "spark",
        "message": HOSTILE,
        "hint": "name the columns",
    }
    rejected = {
        "dialect": "spark",
        "engine": "spark",
        "version": "4.3.0",
        "verdict": "rejected",
        "grade": "PARSE",
        "message": f"mismatched input 'FRM' {SEPARATOR}",
        "line": 2,
        "column": 5,
    }
    reads = {
        "dialect": "spark",
        "written": ["db", "t"],
        "base_source": "lake",
        "base_namespace": ["db"],
        "base_name": "t",
        "base_key": "db.t",
        "base_kind": "missing",
        "read_by": "spark 4.3.0",
    }
    far = {**reads, "base_source": None, "base_name": None, "written": ["far", "away"]}
    lineage = {
        "dialect": "spark",
        "column": "a",
        "base_source": "lake",
        "base_key": "db.t",
        "base_column": "x",
    }
    planned = {"target": "t", "action": "blocked", "code": "NAME", "reason": HOSTILE}
    seen = {"time": "2026-11-21T05:00:00.000000+00:00", "what": "seen", "why": "", "name": "run-1"}
    written = {**seen, "what": "create at t: failed, by bob", "why": HOSTILE, "name": "apply-1"}
    aside = {"aside": "MISSING_BASE", "because": ["lake/db.t"], "wave": None}
    lost = {"stage": "decode", "code": "INVALID_ENTRY", "message": SEPARATOR, "hint": "recreate"}
    cell = {"engine": "spark", "grade": None, "reason": None}
    return [
        row(0, "=cmd()", references=[reads, far], lineage=[lineage]),
        row(1, HOSTILE, standing=Standing.REVIEW, reason="STALE_COLUMNS", findings=[finding]),
        row(
            2,
            "rejected",
            standing=Standing.BLOCKED,
            reason="PARSE",
            verdicts=[rejected],
            plan=[planned],
            history=[seen, written],
        ),
        row(
            3,
            "aside",
            standing=Standing.BLOCKED,
            reason="MISSING_BASE",
            references=[reads],
            **aside,
        ),
        row(
            4,
            SEPARATOR,
            outcome="failure",
            standing=Standing.BLOCKED,
            reason="INVALID_ENTRY",
            model=None,
            engines=None,
            dialects=None,
            format=None,
            columns=None,
            owner="Zoë/../x",
            wave=None,
            **lost,
        ),
        row(
            5,
            "nobody",
            standing=Standing.NOT_JUDGED,
            reason="NO_VERDICT",
            engines=[{**cell, "status": "not judged"}],
            owner=None,
            changes=["appeared"],
        ),
    ]


HEAD = ReportHead(
    run=RunFacts(
        "run-1",
        "2026-11-21T05:00:00+00:00",
        "2026-11-21T05:01:00+00:00",
        "0.1.0",
        3,
        60.0,
        {'la"ke': SourceCounts(listed=8, views=5, failures=1, skipped=2, namespaces=1)},
        {"lake": SourceAddress("hive", "metastore.example", 9083)},
    ),
    total=6,
    failures=1,
    unlisted=1,
    standing={"ready": 1, "needs review": 1, "blocked": 3, "not judged": 1},
    sources={"lake": {"ready": 1, "needs review": 1, "blocked": 3, "not judged": 1}},
    owners={"anna": {"ready": 1}},
    formats={"spark": 5},
    engines={"spark": {"native": 4, "not judged": 1}},
    judges=(Judge("spark", "4.3.0", 4, 1, 0),),
    severities={"error": 0, "warning": 1},
    causes=(
        Cause("MISSING_BASE", "set aside", 1, 1, (), "db.aside", "lake/db.t", "restore it"),
        Cause("STALE_COLUMNS", "warning", 1, 1, (), HOSTILE, HOSTILE, "name the columns"),
        Cause("INVALID_ENTRY", "failure", 1, 1, (), SEPARATOR, SEPARATOR, "recreate"),
        Cause("NAME", "planned", 1, 0, (), HOSTILE, HOSTILE, ""),
    ),
    waves=Waves(
        (4,),
        {"MISSING_BASE": 1},
        (Blocker("lake/db.t", None, "MISSING_BASE", 1, 1),),
        (Blocker("lake/db.v", 0, "", 2, 2),),
    ),
    losses=(Cause("TABLE", "skipped", 2, 0, (), "lake/db.t", "A table", "A table"),),
    plan=(TargetPlan("t", "gravitino-store", "why", served=False, actions={"create": 4}),),
    different=1,
    drift=Drift(
        "run-0",
        "2026-11-20T05:00:00+00:00",
        {"newly broken": 1, "vanished": 0},
        2,
        (DriftItem("newly broken", "lake", f"db.{HOSTILE}", ("spark",)),),
        {"ready": 2, "needs review": 0, "blocked": 3, "not judged": 1},
    ),
    quality=QualityResult(
        "2026-11-21T05:02:00+00:00",
        "run-0",
        {
            "completeness": {"passed": 4, "failed": 1, "not evaluated": 0},
            "your own": {"passed": 0, "failed": 0, "not evaluated": 1},
        },
        (
            Unmet(
                "completeness.read",
                "Everything could be read.",
                "outcomes",
                "failed",
                "error",
                gates=True,
                seen="1 of 8 rows fail, 0 % may",
                examples=(f"lake/db.{HOSTILE}",),
            ),
            Unmet(
                "owned",
                "an expectation of your own",
                "outcomes",
                "not evaluated",
                "warning",
                gates=True,
                seen=f"no column {HOSTILE}",
                examples=(),
            ),
        ),
    ),
    rejections={"trino": {"ENTRY_REFUSED": 1, "HIVE_VIEWS_OFF": 3}, "mysql": {"OUT_OF_REACH": 5}},
    course=(
        CoursePoint(HOSTILE, "2026-11-20T05:00:00+00:00", 5, 0),
        CoursePoint("run-1", "2026-11-21T05:00:00+00:00", 5, 1, 3, 1, 1),
    ),
    over=("blocked: 3 of 6 views (50.0%), limit 0",),
)
