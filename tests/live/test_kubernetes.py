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
from ruamel.yaml import YAML

from jobs.warehouse.warehouse import Warehouse
from tests.live import kubernetes_server
from tests.live.conftest import REPOSITORY, Missing
from tests.live.kubernetes_server import IMAGE, NEEDED, Kubernetes
from tests.live.submitting import SPARK_HOME, crawled, documented, object_of, submitted
from tests.live.test_schedule import SHOWN
from tests.live.test_schedule import estate as two_views

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(3600)]

_DRIVERS: Final = "spark-role=driver"
_MASTER: Final = "k8s://https://kubernetes:6443"  # of the page
_OF_PODS: Final = frozenset({"dev", "opt", "proc", "run", "sys", "var"})
"""Folders that a pod has of its own."""


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
        "PATH": "/opt/packages/bin:/usr/local/bin:/usr/bin:/bin",
    }
    with kubernetes_server.running(place, packages, environment) as cluster:
        (place / "spark-defaults.conf").write_text(_settings(cluster, place), encoding="utf-8")
        (place / "pod.json").write_text(json.dumps(_pod()), encoding="utf-8")
        yield Submitting(cluster, folder, place)


def _pod() -> dict[str, Any]:
    """What pods have here in place of an image's contents, a network and a name service."""
    folders = [path for path in Path("/").iterdir() if path.is_dir()]
    paths = sorted(str(path) for path in folders if path.name not in _OF_PODS)
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


def ended_pods(submitting: Submitting, labelled: str, space: str) -> list[tuple[str, int]]:
    """The pods with a label, which have ended, in a namespace: name and exit code."""
    chosen = (f"--selector={labelled}", f"--namespace={space}")
    pods = json.loads(submitting.cluster.ask("get", "pods", "-o", "json", *chosen))["items"]
    states = [pod["status"]["containerStatuses"][0]["state"] for pod in pods]
    names = [pod["metadata"]["name"] for pod in pods]
    return [
        (name, state["terminated"]["exitCode"]) for name, state in zip(names, states, strict=True)
    ]


def test_in_both_modes_the_rows_are_the_same_and_the_exit_code_is_the_driver_s(
    submitting: Submitting,
) -> None:
    done = submitting.run(documented("Kubernetes"))
    assert done.returncode == 0, f"whatever becomes of the driver: {done.stdout}{done.stderr}"
    ((pod, code),) = ended_pods(submitting, _DRIVERS, "default")
    assert code == 4, submitting.cluster.printed(pod)
    by_pod = crawled(submitting.folder, json.loads(object_of(submitting.cluster.printed(pod))))
    conf = "--conf spark.kubernetes.container.image=registry/belvedere"
    line = documented("The line")
    line = line.replace("--master spark://master:7077", f"--master {_MASTER} {conf}")
    assert conf in line
    done = submitting.run(line)
    assert done.returncode == 4, done.stdout + done.stderr
    assert crawled(submitting.folder, json.loads(object_of(done.stdout))) == by_pod
    assert len(ended_pods(submitting, _DRIVERS, "default")) == 1, "the other one was no pod"
    assert len(list(Warehouse(str(submitting.folder / "warehouse")).runs())) == 2


def volume_of(claim: dict[str, Any], space: str, folder: Path) -> dict[str, Any]:
    """A folder of the machine, for a claim in a namespace."""
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": space},
        "spec": {
            "capacity": claim["spec"]["resources"]["requests"],
            "accessModes": claim["spec"]["accessModes"],
            "claimRef": {"namespace": space, "name": claim["metadata"]["name"]},
            "hostPath": {"path": str(folder), "type": "DirectoryOrCreate"},
        },
    }


def adapt(job: dict[str, Any]) -> None:
    """Give its pod what pods have here, and a part of a processor, which others want, too."""
    pod, here = job["spec"]["jobTemplate"]["spec"]["template"]["spec"], _pod()["spec"]
    (container,) = pod["containers"]
    container |= {"image": IMAGE, "imagePullPolicy": "Never"}
    pod["hostNetwork"] = here["hostNetwork"]
    container["resources"]["requests"]["cpu"] = "0.1"
    container["volumeMounts"] += here["containers"][0]["volumeMounts"]
    pod["volumes"] += here["volumes"]


@pytest.mark.parametrize(("blocked", "code"), [("50%", 0), ("49%", 3)])
def test_the_job_of_a_night_ends_with_the_exit_code_and_has_reported(
    submitting: Submitting, tmp_path: Path, blocked: str, code: int
) -> None:
    estate = two_views(tmp_path, blocked=blocked)
    text = estate.read_text(encoding="utf-8").replace("a.jsonl", str(tmp_path / "a.jsonl"))
    text = text.replace("warehouse: warehouse", "warehouse: /warehouse/runs")
    estate.write_text(text, encoding="utf-8")
    ask, night = submitting.cluster.ask, f"night-{code}"
    within = f"--namespace={night}"
    ask("create", "namespace", night)
    ask("create", "secret", "generic", "estate", f"--from-file={estate}", within)
    claim, job = YAML(typ="safe").load_all(SHOWN / "belvedere-cronjob.yaml")
    adapt(job)
    for stated in (volume_of(claim, night, tmp_path / "volume"), claim, job):
        (tmp_path / "stated.json").write_text(json.dumps(stated), encoding="utf-8")
        ask("apply", within, f"--filename={tmp_path}/stated.json")
    ask("create", "job", "now", "--from=cronjob/belvedere", within)
    ended = "Failed" if code else "Complete"
    ask("wait", f"--for=condition={ended}", "job/now", "--timeout=300s", within)
    assert [found for _, found in ended_pods(submitting, "job-name=now", night)] == [code]
    assert (tmp_path / "volume" / "report" / "belvedere.html").is_file()
    assert len(list(Warehouse(str(tmp_path / "volume" / "runs")).runs())) == 1
