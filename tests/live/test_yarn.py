"""The documented lines, on a real YARN: a resource manager and two node managers of Hadoop."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from jobs.crawling import tables as rows
from jobs.warehouse.warehouse import Warehouse
from tests.live import fetched
from tests.live.conftest import Missing
from tests.live.submitting import (
    SPARK_HOME,
    crawled,
    daemon,
    documented,
    object_of,
    submitted,
    told,
)

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(3600)]

PROGRAM = Path(__file__).parent / "yarn" / "MiniYarn.java"


@dataclass(frozen=True)
class Yarn:
    """A cluster.

    Attributes:
        place: Of its `yarn-site.xml`, and below it the logs of its containers.
        submits: The folder of those who submit.
    """

    place: Path
    submits: Path

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run a line of the page."""
        conf = {"HADOOP_CONF_DIR": str(self.place), "SPARK_CONF_DIR": str(self.place)}
        return submitted(self.submits, line, **conf)

    def printed(self) -> str:
        """What drivers in containers have printed."""
        found = self.place.glob("target/**/container_*_000001/stdout")
        return "".join(path.read_text(encoding="utf-8") for path in found)


@pytest.fixture(scope="module")
def yarn(
    tmp_path_factory: pytest.TempPathFactory, missing: Missing, maven: str, estate_folder: Path
) -> Iterator[Yarn]:
    """A cluster, and a folder to submit from whose warehouse is an absolute path."""
    java = shutil.which("java") or missing("no java")
    place, submits = tmp_path_factory.mktemp("yarn"), tmp_path_factory.mktemp("submits")
    for name in ("dist", "jobs"):
        (submits / name).symlink_to(estate_folder / name)
    estate = (estate_folder / "estate.yaml").read_text(encoding="utf-8")
    estate = estate.replace("warehouse: warehouse", f"warehouse: {submits}/warehouse", 1)
    (submits / "estate.yaml").write_text(estate, encoding="utf-8")
    # else 450 MB would be packed and copied for each submission, and to the home of whoever tests
    stated = f"spark.yarn.jars local:{SPARK_HOME}/jars/*\nspark.yarn.stagingDir {place}\n"
    (place / "spark-defaults.conf").write_text(stated, encoding="utf-8")
    jars = fetched.jars_of(maven, PROGRAM.parent / "pom.xml")
    classpath = f"{jars}/*:{SPARK_HOME}/jars/*"
    command = [java, "-Xmx700m", "-cp", classpath, str(PROGRAM), str(place)]
    with daemon(place / "log", command):
        assert told(place / "log", "(READY)")
        yield Yarn(place, submits)


def test_in_mode_client_the_exit_code_comes_through_and_in_mode_cluster_its_number(
    yarn: Yarn,
) -> None:
    line = documented("The line").replace("--master spark://master:7077", "--master yarn")
    assert "--master yarn" in line
    done = yarn.run(line)
    assert done.returncode == 4, done.stdout + done.stderr
    by_client = crawled(yarn.submits, json.loads(object_of(done.stdout)))
    done = yarn.run(documented("YARN"))
    assert done.returncode == 1, "all that spark-submit tells of a driver that failed"
    assert "User application exited with status 4" in done.stdout + done.stderr
    counts = json.loads(object_of(yarn.printed()))
    assert crawled(yarn.submits, counts) == by_client
    runs = list(Warehouse(str(yarn.submits / "warehouse")).runs())
    assert len(runs) == 2, "findings are no reason to crawl again"


def test_in_mode_cluster_a_crawl_without_findings_ends_with_0(yarn: Yarn) -> None:
    golden = Path(__file__).parents[1] / "golden" / "hms" / "hive401-v_simple.json"
    raw = json.loads(golden.read_text(encoding="utf-8"))["raw"]
    (yarn.submits / "one.json").write_text(json.dumps(raw), encoding="utf-8")
    small = f"warehouse: {yarn.submits}/small\n"
    small += f"sources: {{old: {{kind: archive, path: {yarn.submits}/one.json}}}}\n"
    (yarn.submits / "small.yaml").write_text(small, encoding="utf-8")
    done = yarn.run(documented("YARN").replace("estate.yaml", "small.yaml"))
    assert done.returncode == 0, done.stdout + done.stderr
    warehouse = Warehouse(str(yarn.submits / "small"))
    (view,) = warehouse.table(rows.OUTCOMES, warehouse.run(None).run_id)
    assert (view["outcome"], view["name"]) == ("view", "v_simple")
