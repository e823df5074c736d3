"""Have a Spark with Iceberg make views, and read each in ANSI mode and not.

`python -m tests.live.record_ansi_views` writes tests/golden/ansi_views.json anew, within some
minutes; it fetches a PySpark and Iceberg's runtime. tests/contract/test_ansi_mode.py reads that.
"""

import json
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tests.live import fetched

CORPUS: Final = Path(__file__).parents[1] / "golden" / "ansi_views.json"
_SCRIPT: Final = Path(__file__).parent / "iceberg" / "spark_reads.py"
_MODES: Final = ("true", "false")
_T: Final = "prod.ice.t"
_TABLE: Final = (
    "id bigint, qty int, status string, flag boolean, shipped date, ordered timestamp, "
    "price double, amount decimal(10,2), tags array<string>, props map<string,int>"
)
_TEXTS: Final = (
    "id, status",
    "CAST(shipped AS INT) AS c",
    "CAST(ordered AS INT) AS c",
    "CAST(qty AS TIMESTAMP) AS c",
    "CAST(flag AS TIMESTAMP) AS c",
    "CAST(id AS BINARY) AS c",
    "CAST(price AS DATE) AS c",
    "CAST(tags AS ARRAY<INT>) AS c",
    "CASE WHEN flag THEN 1 ELSE 'a' END AS c",
    "if(flag, qty, status) AS c",
    "COALESCE(qty, 'x') AS c",
    "nvl(status, 1) AS c",
    "nullif(status, 1) AS c",
    "status + 1 AS c",
    "status * 1.5 AS c",
    "-status AS c",
    "qty / 2 AS c",
    "qty % status AS c",
    "amount / 3 AS c",
    "amount * amount AS c",
    "status || qty AS c",
    "concat(status, qty) AS c",
    "greatest(qty, status) AS c",
    "array(1, 'a') AS c",
    "map('a', 1, 'b', 'x') AS c",
    "array_contains(tags, 1) AS c",
    "element_at(tags, 1) AS c",
    "tags[0] AS c",
    "props['a'] AS c",
    "size(tags) AS c",
    "status IN (1, 2) AS c",
    "qty BETWEEN '1' AND '9' AS c",
    "sum(status) AS c",
    "avg(status) AS c",
    "length(qty) AS c",
    "substr(status, '1') AS c",
    "round(status) AS c",
    "date_add(shipped, '1') AS c",
    "shipped + 1 AS c",
    "datediff(shipped, '2026-01-01') AS c",
    "elt(1, status, qty) AS c",
    "to_date(qty) AS c",
    f"id FROM {_T} WHERE flag = 1",
    f"id FROM {_T} WHERE status > 1",
    f"id FROM {_T} WHERE status",
    f"id FROM {_T} WHERE shipped = '2026-01-01'",
    f"id FROM {_T} WHERE ordered > shipped",
    f"qty AS c FROM {_T} UNION ALL SELECT status FROM {_T}",
    f"shipped AS c FROM {_T} UNION ALL SELECT status FROM {_T}",
)


def main() -> None:
    """Ask, and write the file: a view a line."""
    names = {(made, n): f"prod.ice.v_{made}_{n}" for made in _MODES for n in range(len(_TEXTS))}
    asked = [*_begin(), *_made(names), *_read(names)]
    with tempfile.TemporaryDirectory() as folder:
        run = [str(fetched.pyspark() / "python"), str(_SCRIPT), f"{folder}/catalog.db", folder]
        done = subprocess.run([*run, *asked], capture_output=True, text=True, check=True)
    said = dict(zip(asked, json.loads(done.stdout.splitlines()[-1]), strict=True))
    views = []
    for (made, number), name in names.items():
        columns = said[f"SCHEMA {name}"]
        if isinstance(columns, list):  # it was made
            answers = {mode: _refusal(said[_query(name, mode)]) for mode in _MODES}
            views.append({"sql": _sql(number), "made": made, "columns": columns[0][0], **answers})
    _write({"table": said[f"SCHEMA {_T}"][0][0], "views": views})


def _sql(number: int) -> str:
    head = _TEXTS[number]
    return f"SELECT {head}" if " FROM " in head else f"SELECT {head} FROM {_T}"


def _begin() -> list[str]:
    return [
        "CREATE NAMESPACE prod.ice",
        f"CREATE TABLE {_T} ({_TABLE}) USING iceberg",
        f"SCHEMA {_T}",
    ]


def _made(names: dict[tuple[str, int], str]) -> list[str]:
    found = []
    for mode in _MODES:
        found.append(f"SET spark.sql.ansi.enabled={mode}")
        for (made, number), name in names.items():
            if made == mode:
                found += [f"CREATE VIEW {name} AS {_sql(number)}", f"SCHEMA {name}"]
    return found


def _query(name: str, mode: str) -> str:
    """Says the same in both modes, and is another text in each: it is the key of its answer."""
    return f"DESCRIBE QUERY SELECT * FROM {name} /* {mode} */"


def _read(names: dict[tuple[str, int], str]) -> list[str]:
    found = []
    for mode in _MODES:
        found.append(f"SET  spark.sql.ansi.enabled={mode}")
        found += [_query(name, mode) for name in names.values()]
    return found


def _refusal(answer: Any) -> str:
    return answer[:300] if isinstance(answer, str) else ""


def _write(found: dict[str, Any]) -> None:
    provenance = {
        "engine": f"Spark {fetched.PYSPARK}, Iceberg 1.12.0",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "recipe": "tests/live/record_ansi_views.py",
    }
    views = ",\n  ".join(map(json.dumps, found["views"]))
    head = f' "provenance": {json.dumps(provenance)},\n "table": {json.dumps(found["table"])},'
    CORPUS.write_text(f'{{\n{head}\n "views": [\n  {views}\n ]\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
