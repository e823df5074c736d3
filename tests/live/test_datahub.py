"""DataHub's own client reads the file for it; acryl-datahub is fetched, 140 MB."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from jobs.reporting.files import ReportFiles
from jobs.reporting.workers import rendered
from tests.live.fetched import environment
from tests.made_up import HEAD, row, rows

pytestmark = [pytest.mark.live, pytest.mark.slow]
_READ = """
import json, pathlib, sys
from datahub.ingestion.source.file import read_metadata_file
from datahub.utilities.urns.urn import Urn
found = {}
for one in read_metadata_file(pathlib.Path(sys.argv[1])):
    assert one.validate(), one
    Urn.from_string(one.entityUrn)
    found.setdefault(one.entityUrn, []).append(one.aspectName)
print(json.dumps(found))
"""
TYPES = ["integer", "decimal(9,2)", "string", "timestamp_tz", {"type": "list", "elementType": "x"}]


def test_datahubs_client_reads_every_aspect(tmp_path: Path) -> None:
    programs = environment("datahub-1.7", "acryl-datahub==1.7.0.17")
    model = json.loads(row(0, "v")["model"])
    model["columns"] = [{"name": f"c{n},()", "type": type_} for n, type_ in enumerate(TYPES)]
    model["comment"] = "said"
    views = [*rows(), row(9, "ü,(␟)%", model=json.dumps(model), owner="group:all")]
    parts = [rendered(["datahub"], 0, views)]
    ReportFiles(tmp_path, ["datahub"], HEAD, parts=1, part=64).write(parts)
    done = subprocess.run(
        [programs / "python", "-c", _READ, tmp_path / "datahub.json"],
        env={**os.environ, "DATAHUB_TELEMETRY_ENABLED": "false"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) == 6
    usual = {"subTypes", "datasetProperties", "viewProperties", "schemaMetadata"}
    assert all(usual <= set(aspects) for aspects in found.values())
    assert sum("upstreamLineage" in aspects for aspects in found.values()) == 2
