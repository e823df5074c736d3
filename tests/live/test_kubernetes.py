"""The documented lines, on a real Kubernetes of one node."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from jobs.warehouse.warehouse import Warehouse
from tests.live import kubernetes_server
from tests.live.conftest import REPOSITORY, Missing
from tests.live.kubernetes_server import IMAGE, NEEDED, Kubernetes
from tests.live.submitting import SPARK_HOME, crawled, documented, object_of, submitted

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(3600)]

_MASTER: Final = "k8s://https://kubernetes:6443"  # of the page
_NOT_MOUNTED: Final = {
    "dev",
    "lost+found",
    "old_root",
    "opt",
    "proc",
    "run",
    "sys",
    "var",
}  # a pod has its own


@dataclass(frozen=True)
class Submitting:
    """A cluster.

    Attributes:
        cluster: Itself.
        folder: Of those who submit.
        settings: The folder of what is set for Spark beside the lines of the page.
    """

    cluster: Kubernetes
    folder: Path
    settings: Path

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run a line of the page on this cluster, with its image."""
        line = line.replace("https://kubernetes:6443", self.cluster.api)
        line = line.replace("registry/belvedere", IMAGE)
        conf = {"KUBECONFIG": str(self.cluster.config), "SPARK_CONF_DIR": str(self.settings)}
        return submitted(self.folder, line, **conf)


@pytest.fixture(scope="module")
def submitting(
    tmp_path_factory: pytest.TempPathFactory, missing: Missing, estate_folder: Path
) -> Iterator[Submitting]:
    """A cluster whose pods see this machine's programs, and a folder with the demo's estate."""
    for program in NEEDED:
        _ = shutil.which(program) or missing(f"no {program}")
    if os.geteuid():
        missing("a kubelet wants to be root")
    place, folder = tmp_path_factory.mktemp("kubernetes"), tmp_path_factory.mktemp("submits")
    for name in ("dist", "jobs"):
        (folder / name).symlink_to(estate_folder / name)
    (folder / "docs").symlink_to(REPOSITORY / "docs")
    estate = (estate_folder / "estate.yaml").read_text(encoding="utf-8")
    estate = estate.replace("warehouse: warehouse", f"warehouse: {folder}/warehouse", 1)
    (folder / "estate.yaml").write_text(estate, encoding="utf-8")
    packages = folder / "packages"
    (wheel,) = (estate_folder / "dist").glob("*.whl")
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target"]
    subprocess.run([*install, str(packages), str(wheel)], check=True)
    environment = {
        "SPARK_HOME": str(SPARK_HOME),
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": "/opt/packages",
        "PYTHONSAFEPATH": "1",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
    }
    with kubernetes_server.running(place, packages, environment) as cluster:
        (place / "spark-defaults.conf").write_text(_settings(cluster, place), encoding="utf-8")
        (place / "pod.json").write_text(json.dumps(_pod()), encoding="utf-8")
        yield Submitting(cluster, folder, place)


def _pod() -> dict[str, Any]:
    """What pods have here in place of an image's contents, a network and a name service."""
    folders = [path for path in Path("/").iterdir() if path.is_dir()]
    paths = sorted(str(path) for path in folders if path.name not in _NOT_MOUNTED)
    mounts = [{"name": f"of-{number}", "mountPath": path} for number, path in enumerate(paths)]
    volumes = [
        {"name": f"of-{number}", "hostPath": {"path": path}} for number, path in enumerate(paths)
    ]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "spec": {
            "hostNetwork": True,
            "containers": [{"name": "spark", "volumeMounts": mounts}],
            "volumes": volumes,
        },
    }


def _settings(cluster: Kubernetes, place: Path) -> str:
    token = json.loads(cluster.config.read_text())["users"][0]["user"]["token"]
    certificate = place / "certificates" / "apiserver.crt"
    stated = {
        "spark.blockManager.port": "0",  # pods that share a network cannot share a port
        "spark.driver.blockManager.port": "7079",
        "spark.shuffle.readHostLocalDisk": "false",  # nor do they share a disk
        "spark.kubernetes.authenticate.caCertFile": certificate,
        "spark.kubernetes.authenticate.oauthToken": token,
        "spark.kubernetes.authenticate.submission.caCertFile": certificate,
        "spark.kubernetes.authenticate.submission.oauthToken": token,
        "spark.kubernetes.container.image.pullPolicy": "Never",
        "spark.kubernetes.driver.master": cluster.api,
        "spark.kubernetes.driver.podTemplateFile": place / "pod.json",
        "spark.kubernetes.executor.podTemplateFile": place / "pod.json",
        "spark.kubernetes.executor.useDriverPodIP": "true",
        "spark.kubernetes.driver.request.cores": "0.1",
        "spark.kubernetes.executor.request.cores": "0.1",
    }
    return "".join(f"{name} {value}\n" for name, value in stated.items())


def drivers(submitting: Submitting) -> list[tuple[str, int]]:
    """The pods of drivers that have ended: name and exit code."""
    asked = submitting.cluster.ask("get", "pods", "-l", "spark-role=driver", "-o", "json")
    return [
        (
            pod["metadata"]["name"],
            pod["status"]["containerStatuses"][0]["state"]["terminated"]["exitCode"],
        )
        for pod in json.loads(asked)["items"]
    ]


def test_in_both_modes_the_rows_are_the_same_and_the_exit_code_is_the_driver_s(
    submitting: Submitting,
) -> None:
    done = submitting.run(documented("Kubernetes"))
    assert done.returncode == 0, f"whatever becomes of the driver: {done.stdout}{done.stderr}"
    ((pod, code),) = drivers(submitting)
    assert code == 4, submitting.cluster.printed(pod)
    by_pod = crawled(submitting.folder, json.loads(object_of(submitting.cluster.printed(pod))))
    conf = "--conf spark.kubernetes.container.image=registry/belvedere"
    line = documented("The line")
    line = line.replace("--master spark://master:7077", f"--master {_MASTER} {conf}")
    assert conf in line
    done = submitting.run(line)
    assert done.returncode == 4, done.stdout + done.stderr
    assert crawled(submitting.folder, json.loads(object_of(done.stdout))) == by_pod
    assert len(drivers(submitting)) == 1, "the other one was no pod"
    assert len(list(Warehouse(str(submitting.folder / "warehouse")).runs())) == 2
