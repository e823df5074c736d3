"""Ask a real Trino what it says of each statement of tests/golden/trino_statements.json.

`python -m tests.live.record_trino_statements` writes the answers anew; it fetches what the live
tests of Trino fetch. The statements read tables of the connector `tpch`, which has no data of ours.
"""

import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tests.live import fetched, trino_server

STATEMENTS: Final = Path(__file__).parents[1] / "golden" / "trino_statements.json"
_CATALOGS: Final = {"tpch": "connector.name=tpch\n"}


def main() -> None:
    """Ask, and write."""
    found = json.loads(STATEMENTS.read_text(encoding="utf-8"))
    java = trino_server.java_home()
    assert java is not None, f"no Java {trino_server.JAVA}"
    with (
        tempfile.TemporaryDirectory() as folder,
        trino_server.trino(fetched.trino("mvn"), java, Path(folder), _CATALOGS) as trino,
    ):
        answers = {
            sql: trino.asked(f"EXPLAIN (TYPE VALIDATE) {sql}")[1] for sql in found["answers"]
        }
        ((version,),) = trino.rows("SELECT version()")
    made = {
        "provenance": {
            "engine": "Trino",
            "version": version,
            "date": datetime.now(UTC).date().isoformat(),
            "recipe": "tests/live/record_trino_statements.py",
        },
        "tables": found["tables"],
        "answers": answers,
    }
    STATEMENTS.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
