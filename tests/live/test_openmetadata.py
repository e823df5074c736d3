"""OpenMetadata's own classes take the requests; openmetadata-ingestion is fetched, without its
dependencies but for those that its schema needs."""

import json
import subprocess
from pathlib import Path

import pytest

from reports.to_openmetadata import texts
from tests.live.fetched import environment
from tests.made_up import row, rows
from tests.unit.test_openmetadata import TYPES

pytestmark = [pytest.mark.live, pytest.mark.slow]
_READ = """
import json, pathlib, sys, types
import pydantic
package = types.ModuleType("metadata")  # its __init__ imports the profiler, and that all databases
package.__path__ = [str(pathlib.Path(pydantic.__file__).parents[1] / "metadata")]
sys.modules["metadata"] = package
from metadata.generated.schema.api.data.createTable import CreateTableRequest
found = []
for line in pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
    found.append(CreateTableRequest.model_validate_json(line).name.root)
print(json.dumps(found))
"""


def test_openmetadatas_classes_take_every_request(tmp_path: Path) -> None:
    programs = environment("openmetadata-2.0", "pydantic<2.13", "email-validator")
    fetch = [str(programs / "pip"), "install", "-q", "--no-deps", "openmetadata-ingestion==2.0.7.0"]
    subprocess.run(fetch, check=True)
    model = json.loads(row(0, "v")["model"])
    model["columns"] = [{"name": f"c{at}.x", "type": one} for at, (one, _) in enumerate(TYPES)]
    views = [*rows(), row(9, "ü.a::b", model=json.dumps(model), namespace=["a", "b.c"])]
    file = tmp_path / "openmetadata.jsonl"
    file.write_text("".join(text for view in views for text in texts(view)), encoding="utf-8")
    done = subprocess.run(
        [programs / "python", "-c", _READ, file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout.splitlines()[-1])) == 6
