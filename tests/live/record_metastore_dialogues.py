"""Record what metastores 3.1.3 and 4.0.1 with two catalogs answer to a crawl of every catalog.

`python -m tests.live.record_metastore_dialogues` writes tests/recorded/metastore_*.json anew; it
fetches what the live tests fetch.
"""

import json
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from jobs.console.session import spark_session
from jobs.crawl import crawl_estate
from tests.conftest import estate_in
from tests.contract.test_every_catalog import RECORDED, SOURCE
from tests.live.metastores import JARS, fetched, running
from tests.live.test_metastores import fill
from tests.recorded.thrift_dialogue import ThriftDialogue, talking


def main() -> None:
    """Crawl each through what records, and write."""
    for release in JARS:
        with tempfile.TemporaryDirectory() as made:
            place = Path(made)
            with running(fetched(release, place, sys.exit), place) as port:
                fill(f"thrift://127.0.0.1:{port}", place)
                dialogue = ThriftDialogue(upstream=port)
                with talking(dialogue) as between:
                    uri = f"thrift://127.0.0.1:{between}"
                    config = estate_in(place)({"lake": {**SOURCE, "uri": uri}})
                    assert crawl_estate(spark_session("record"), config, "one").exit_code == 0
        provenance = {
            "engine": "Hive Metastore",
            "version": release,
            "date": datetime.now(UTC).date().isoformat(),
            "recipe": "tests/live/record_metastore_dialogues.py",
        }
        told = {"provenance": provenance, "dialogue": dialogue.told()}
        file = RECORDED / f"metastore_{release}.json"
        file.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
