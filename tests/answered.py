"""A small run as all stages leave it, written without Spark: what questions are asked about."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jobs.assessing import tables as assessed
from jobs.crawling import tables as crawled
from jobs.migrating import tables as planned
from jobs.migrating.stages import PLANNING, VERIFYING
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse

BEGUN = datetime(2026, 11, 21, 5, tzinfo=UTC)
STEERING = "evil\x1b[31m\u202e"
SECRET = "hunter22"
SQL = {
    "orders_v": "SELECT id, amount FROM sales.orders",
    "daily": "SELECT sum(amount) AS amount FROM sales.orders_v",
    "top": "SELECT amount FROM sales.daily",
    "broken": "SELECT amount\nFRM sales.orders",
    "lost": "SELECT * FROM sales.gone",
    "onlost": "SELECT * FROM sales.lost",
    "customers": f"SELECT 1 FROM t OPTIONS ('password' = '{SECRET}')",
    STEERING: "SELECT 1",
}
READS = {
    "orders_v": ("orders", "table"),
    "broken": ("orders", "table"),
    "daily": ("orders_v", "view"),
    "top": ("daily", "view"),
    "lost": ("gone", "missing"),
    "onlost": ("lost", "view"),
}
OWNERS = {"orders_v": "anna", "daily": "anna", "top": "bob", "broken": "bob", "customers": "carl"}
WAVES = {"orders_v": 1, "daily": 2, "top": 3, "broken": 1, "customers": 1, STEERING: 1}
ASIDE = {
    "lost": ("MISSING_BASE", ["lake/sales.gone"]),
    "onlost": ("BROKEN_BASE", ["lake/sales.lost"]),
}


def source_of(name: str) -> str:
    return "shop" if name == "customers" else "lake"


def dialect_of(name: str) -> str:
    return {"customers": "postgresql", "orders_v": "hive", "daily": "trino"}.get(name, "spark")


def placed(name: str) -> dict[str, Any]:
    return {"source": source_of(name), "namespace": ["sales"], "name": name, "key": f"sales.{name}"}


def note(
    warehouse: Warehouse, dataset: Dataset, run_id: str, rows: Sequence[Mapping[str, Any]]
) -> None:
    assert all(row.keys() <= set(dataset.names) for row in rows)
    warehouse.note(dataset, run_id, *(tuple(map(row.get, dataset.names)) for row in rows))


def seen(name: str) -> dict[str, Any]:
    columns = [{"name": "amount", "type": "integer", "nullable": True}]
    texts = [{"type": "sql", "dialect": dialect_of(name), "sql": SQL[name]}]
    return {
        **placed(name),
        "entity": "object",
        "kind": "view",
        "outcome": "view",
        "format": dialect_of(name),
        "dialects": [dialect_of(name)],
        "owner": OWNERS.get(name),
        "fingerprint": f"1:{name}",
        "model": json.dumps({"name": name, "columns": columns, "representations": texts}),
    }


def crawl(
    warehouse: Warehouse, run_id: str, names: Sequence[str], hour: int, *also: Mapping[str, Any]
) -> None:
    unread = {
        **placed("unreadable"),
        "entity": "object",
        "outcome": "failure",
        "stage": "decode",
        "code": "INVALID_ENTRY",
        "message": "no JSON",
        "hint": "recreate it",
    }
    warehouse.begin(crawled.STAGE, run_id)
    note(warehouse, crawled.OBJECTS, run_id, [])
    note(warehouse, crawled.OUTCOMES, run_id, [*map(seen, names), unread, *also])
    manifest = warehouse.seal(crawled.STAGE, run_id)
    sources = {name: {"views": 1, "reconciled": True} for name in ("lake", "shop")}
    reasons = [[3, "1 of 9 objects could not be decoded", "see failures"]]
    counts = json.dumps({"sources": sources, "reasons": reasons, "seconds": 2.0})
    begun = BEGUN.replace(hour=hour)
    warehouse.commit(Run(run_id, begun, begun, "0.1.0", 3, counts, manifest=manifest))


def cells(name: str) -> list[dict[str, Any]]:
    """What Spark and Trino can do with a view."""
    own = {"status": "native", "grade": "PARSE"}
    verdicts = {
        "broken": {"status": "rejected", "reason": "SYNTAX_AT_TOKEN"},
        "lost": {"status": "blocked", "reason": "MISSING_BASE"},
        "onlost": {"status": "blocked", "reason": "lake/sales.lost"},
    }
    spark = verdicts.get(name, {"status": "portable", "grade": "PARSE"})
    native = {**placed(name), "engine": dialect_of(name), **own}
    trino = {**placed(name), "engine": "trino", "status": "rejected", "reason": "HIVE_VIEWS_OFF"}
    others = [] if name in verdicts or dialect_of(name) == "spark" else [native]
    others += [] if dialect_of(name) == "trino" else [trino]
    return [
        *others,
        {
            **placed(name),
            "engine": "spark",
            **(own if name not in verdicts and dialect_of(name) == "spark" else spark),
        },
    ]


def assess(warehouse: Warehouse, run_id: str) -> None:
    finding = {"severity": "warning", "message": "a password", "hint": "take it out"}
    rejected = {"engine": "spark", "version": "4.3.0", "grade": "PARSE", "verdict": "rejected"}
    read = [
        {
            **placed(name),
            "dialect": dialect_of(name),
            "written": ["sales", base],
            "base_source": "lake",
            "base_namespace": ["sales"],
            "base_name": base,
            "base_key": f"sales.{base}",
            "base_kind": kind,
        }
        for name, (base, kind) in READS.items()
    ]
    column = {"column": "amount", "base_source": "lake", "base_key": "sales.orders_v"}
    order = [{**placed(name), "wave": wave} for name, wave in WAVES.items()]
    order += [
        {**placed(name), "aside": why, "because": because} for name, (why, because) in ASIDE.items()
    ]
    rows: dict[str, list[dict[str, Any]]] = {
        "matrix": [cell for name in SQL for cell in cells(name)],
        "findings": [{**placed("customers"), "code": "SECRET_IN_VIEW", **finding}],
        "verdicts": [
            {
                **placed("broken"),
                "dialect": "spark",
                **rejected,
                "message": "mismatched input 'FRM'",
                "line": 2,
                "column": 1,
            }
        ],
        "references": read,
        "lineage": [{**placed("daily"), "dialect": "trino", **column, "base_column": "amount"}],
        "waves": order,
    }
    warehouse.begin(assessed.STAGE, run_id)
    for dataset in assessed.STAGE.datasets:
        note(warehouse, dataset, run_id, rows.get(dataset.name, []))
    warehouse.seal(assessed.STAGE, run_id)


def plan(warehouse: Warehouse, run_id: str) -> None:
    blocked = {"lost": "BASE_MISSING", "onlost": "BASE_MISSING"}
    changes = [
        {
            "target": "lakehouse",
            "namespace": ["sales"],
            "name": name,
            "key": f"sales.{name}",
            "action": "blocked" if name in blocked else "create",
            "code": blocked.get(name),
            "origins": [{"source": source_of(name), "key": f"sales.{name}", "at": "1:0"}],
        }
        for name in SQL
    ]
    counts = Counter(change["action"] for change in changes)
    reached = {"store": "iceberg-rest", "route": "why", "served": True, "counts": counts}
    targets = {"lakehouse": reached}
    warehouse.begin(PLANNING, "plan-1")
    for dataset in PLANNING.datasets:
        note(warehouse, dataset, "plan-1", changes if dataset is planned.CHANGES else [])
    warehouse.seal(PLANNING, "plan-1")
    row = {"plan": "plan-1", "crawl": run_id, "created": BEGUN, "targets": json.dumps(targets)}
    note(warehouse, planned.PLANS, "plan-1", [row])
    warehouse.begin(VERIFYING, "plan-1")
    differs = {**changes[2], "differences": ["comment"]}
    kept = {name: value for name, value in differs.items() if name in planned.VERIFIED.names}
    note(warehouse, planned.VERIFIED, "plan-1", [kept])
    warehouse.seal(VERIFYING, "plan-1")


def made(place: Path) -> Warehouse:
    """A warehouse with the runs `before`, which saw less, and `now`, which all stages know."""
    warehouse = Warehouse(str(place))
    crawl(warehouse, "before", ["orders_v", "daily"], 4)
    crawl(warehouse, "now", list(SQL), 5)
    assess(warehouse, "now")
    plan(warehouse, "now")
    return Warehouse(str(place))
