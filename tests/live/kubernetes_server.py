"""A Kubernetes of one node: its own daemons, built from their modules, over etcd and containerd.

Pods share the network of the machine, so neither a network of pods nor a name service is needed.
"""

import hashlib
import io
import json
import re
import secrets
import shutil
import subprocess
import tarfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from tests.live import fetched
from tests.live.ports import free_port, listening_at

VERSION: Final = "34.2"  # behind the 1. of Kubernetes and the 0. of its parts
NODE: Final = "node"
IMAGE: Final = "belvedere.test/belvedere:live"
NEEDED: Final = ("go", "containerd", "ctr", "runc", "kubectl")
_HERE: Final = Path(__file__).parent / "kubernetes"
_DOCS: Final = Path(__file__).parents[2] / "docs" / "kubernetes"
_PAUSE: Final = "belvedere.test/pause:live"
_STAGED: Final = re.compile(r"(?m)^\s*(k8s\.io/[a-z-]+) => \./staging/")


def daemons() -> tuple[Path, Path]:
    """The program with all daemons, and the one that holds the namespaces of a pod; built once.

    Raises:
        CalledProcessError: A module cannot be had, or they cannot be built.
    """
    home = fetched.CACHE / f"kubernetes-1.{VERSION}"
    if not (home / "made").exists():
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(_HERE, home)
        _go(home, "mod", "init", "belvedere/kubernetes")
        wanted = f"k8s.io/kubernetes@v1.{VERSION}"
        found = json.loads(_go(home, "mod", "download", "-json", wanted))
        staged = _STAGED.findall(Path(found["GoMod"]).read_text(encoding="utf-8"))
        replaced = [f"-replace={module}={module}@v0.{VERSION}" for module in staged]
        _go(home, "mod", "edit", f"-require={wanted}", *replaced)
        _go(home, "mod", "tidy")
        for name, package in (("daemons", "."), ("hold", "./pause")):
            _go(home, "build", "-trimpath", "-ldflags=-s -w", "-o", name, package)
        (home / "made").touch()
    return home / "daemons", home / "hold"


def _go(home: Path, *arguments: str) -> str:
    command = ["go", *arguments]
    return subprocess.run(command, cwd=home, check=True, capture_output=True, text=True).stdout


@dataclass(frozen=True)
class Kubernetes:
    """A cluster of one node that is ready.

    Attributes:
        api: Its address.
        config: The file by which an administrator reaches it.
        logs: The folder of what pods print.
    """

    api: str
    config: Path
    logs: Path

    @property
    def kubectl(self) -> Sequence[str]:
        """The command line's client, as the administrator."""
        return ("kubectl", f"--kubeconfig={self.config}")

    def ask(self, *arguments: str) -> str:
        """What the client prints.

        Raises:
            CalledProcessError: It was refused.
        """
        command = [*self.kubectl, *arguments]
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=400)
        return done.stdout

    def printed(self, pod: str) -> str:
        """What the containers of a pod of the default namespace have printed.

        From the node's files, as its kubelet listens to this machine alone.
        """
        (log,) = self.logs.glob(f"default_{pod}_*/*/0.log")
        lines = (line.split(" ", 3) for line in log.read_text(encoding="utf-8").splitlines())
        return "".join(text + "\n" * (tag == "F") for _, _, tag, text in lines)


@contextmanager
def running(place: Path, packages: Path, environment: Mapping[str, str]) -> Iterator[Kubernetes]:
    """A cluster whose daemons keep all that is theirs in a folder, with an image for pods.

    Args:
        place: The folder.
        packages: Of the machine, to which a link leads in the image.
        environment: Of the image.
    """
    program, hold = daemons()
    etcd, port, token = free_port(), free_port(), secrets.token_hex(16)
    api = f"https://127.0.0.1:{port}"
    config = place / "kubeconfig"
    config.write_text(_kubeconfig(api, token), encoding="utf-8")
    (place / "tokens").write_text(f"{token},admin,admin,system:masters\n", encoding="utf-8")
    make_key = ["openssl", "genrsa", "-out", f"{place}/accounts.key", "2048"]
    subprocess.run(make_key, check=True, capture_output=True)
    reach = f"--kubeconfig={config}"
    with ExitStack() as stack:
        stack.callback(_unmount, place)

        def start(name: str, at: int, *command: str) -> None:
            stack.enter_context(listening_at(at, command, place / f"{name}.log"))

        start("etcd", etcd, str(program), "etcd", *_of_etcd(place, etcd))
        start("apiserver", port, str(program), "apiserver", *_of_api(place, etcd, port))
        at = free_port()
        start("controllers", at, str(program), "controllers", reach, *_of_controllers(place, at))
        at = free_port()
        start("scheduler", at, str(program), "scheduler", reach, f"--secure-port={at}")
        entry = _DOCS / "entrypoint.sh"
        images = (
            _image(_PAUSE, hold),
            _image(IMAGE, entry, environment, {"opt/packages": str(packages)}),
        )
        stack.enter_context(_containers(place, images))
        (place / "kubelet.json").write_text(json.dumps(_of_kubelet(place, at := free_port())))
        start(
            "kubelet",
            at,
            *(str(program), "kubelet", reach, f"--hostname-override={NODE}"),
            *(f"--config={place}/kubelet.json", f"--root-dir={place}/kubelet"),
            *(f"--cert-dir={place}/kubelet-certificates",),
        )
        cluster = Kubernetes(api, config, place / "pods")
        _await_node(cluster, place)
        yield cluster
        cluster.ask("delete", "pods", "--all", "--all-namespaces", "--grace-period=1")


def _unmount(place: Path) -> None:
    """Let go of what a kubelet and pods that did not end in time have mounted below a folder."""
    mounts = Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
    for mount in reversed([line.split()[1] for line in mounts]):
        if Path(mount).is_relative_to(place):
            subprocess.run(["umount", "--lazy", mount], check=True)


def _await_node(cluster: Kubernetes, place: Path) -> None:
    for _ in range(240):
        ready = ("wait", "--for=condition=Ready", "--timeout=1s", f"node/{NODE}")
        done = subprocess.run([*cluster.kubectl, *ready], capture_output=True, check=False)
        if done.returncode == 0:
            return
        time.sleep(0.5)
    raise AssertionError((place / "kubelet.log").read_text(errors="replace")[-4000:])


def _kubeconfig(api: str, token: str) -> str:
    """As JSON, which is YAML. The certificate is one that the server has made for itself."""
    cluster = {"server": api, "insecure-skip-tls-verify": True}
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "live", "cluster": cluster}],
            "users": [{"name": "admin", "user": {"token": token}}],
            "contexts": [{"name": "live", "context": {"cluster": "live", "user": "admin"}}],
            "current-context": "live",
        }
    )


def _of_etcd(place: Path, port: int) -> Sequence[str]:
    client, peer = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{free_port()}"
    return (
        *(f"--data-dir={place}/etcd", "--unsafe-no-fsync"),
        *(f"--listen-client-urls={client}", f"--advertise-client-urls={client}"),
        *(f"--listen-peer-urls={peer}", f"--initial-advertise-peer-urls={peer}"),
        f"--initial-cluster=default={peer}",
    )


def _of_api(place: Path, etcd: int, port: int) -> Sequence[str]:
    return (
        *(f"--etcd-servers=http://127.0.0.1:{etcd}", f"--secure-port={port}"),
        *("--bind-address=127.0.0.1", f"--cert-dir={place}/certificates"),
        *("--authorization-mode=RBAC", f"--token-auth-file={place}/tokens"),
        "--service-account-issuer=https://live",
        *(f"--service-account-{use}-file={place}/accounts.key" for use in ("key", "signing-key")),
        *("--service-cluster-ip-range=10.255.0.0/24", "--allow-privileged"),
    )


def _of_controllers(place: Path, port: int) -> Sequence[str]:
    return (
        *(f"--secure-port={port}", f"--service-account-private-key-file={place}/accounts.key"),
        f"--root-ca-file={place}/certificates/apiserver.crt",
    )


def _of_kubelet(place: Path, port: int) -> Mapping[str, Any]:
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "port": port,
        "healthzPort": 0,
        "address": "127.0.0.1",
        "authentication": {"anonymous": {"enabled": True}, "webhook": {"enabled": False}},
        "authorization": {"mode": "AlwaysAllow"},
        "cgroupDriver": "cgroupfs",
        "cgroupsPerQOS": False,
        "enforceNodeAllocatable": [],
        "failSwapOn": False,
        "containerRuntimeEndpoint": f"unix://{place}/containerd.sock",
        "evictionHard": {"memory.available": "0%", "nodefs.available": "0%"},
        "imageGCHighThresholdPercent": 100,
        "podLogsDir": f"{place}/pods",
    }


@contextmanager
def _containers(place: Path, images: Sequence[bytes]) -> Iterator[None]:
    """A containerd with some images."""
    (place / "networks").mkdir()
    network = {"cniVersion": "0.3.1", "name": "none", "type": "loopback"}
    (place / "networks" / "none.conf").write_text(json.dumps(network), encoding="utf-8")
    (place / "containerd.toml").write_text(_of_containerd(place), encoding="utf-8")
    socket_file = place / "containerd.sock"
    command = ["containerd", "--config", str(place / "containerd.toml")]
    with (place / "containerd.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        for _ in range(240):
            if socket_file.exists():
                break
            time.sleep(0.25)
        for image in images:
            subprocess.run(
                ["ctr", f"--address={socket_file}", "--namespace=k8s.io", "images", "import", "-"],
                input=image,
                check=True,
                capture_output=True,
            )
        yield
    finally:
        process.terminate()
        process.wait(timeout=60)


def _of_containerd(place: Path) -> str:
    return f"""version = 2
root = "{place}/containerd"
state = "{place}/containerd-state"
[grpc]
address = "{place}/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
path = "{place}/opt"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "{_PAUSE}"
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".containerd]
snapshotter = "native"
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "{place}/networks"
conf_dir = "{place}/networks"
"""


def _image(
    name: str,
    program: Path,
    environment: Mapping[str, str] = MappingProxyType({}),
    links: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """An image of one file, as `docker save` packs it; what else a pod needs, it mounts."""
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as packed:
        packed.add(program, f"opt/{program.name}")
        for link, target in links.items():
            member = tarfile.TarInfo(link)
            member.type, member.linkname = tarfile.SYMTYPE, target
            packed.addfile(member)
    digest = hashlib.sha256(layer.getvalue()).hexdigest()
    stated = {
        "architecture": "amd64",
        "os": "linux",
        "config": {
            "Entrypoint": [f"/opt/{program.name}"],
            "Env": [f"{name}={value}" for name, value in environment.items()],
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
    }
    manifest = [{"Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"]}]
    files = {
        "config.json": json.dumps(stated).encode(),
        "layer.tar": layer.getvalue(),
        "manifest.json": json.dumps(manifest).encode(),
    }
    image = io.BytesIO()
    with tarfile.open(fileobj=image, mode="w") as packed:
        for file, content in files.items():
            member = tarfile.TarInfo(file)
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
    return image.getvalue()
