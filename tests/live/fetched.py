"""What live tests fetch, once: `BELVEDERE_LIVE_CACHE` keeps it, else the temporary folder."""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

CACHE = Path(os.environ.get("BELVEDERE_LIVE_CACHE") or f"{tempfile.gettempdir()}/belvedere-live")
AXE = "4.14.1"
PYSPARK = "4.1.4"  # the newest with an Iceberg runtime
TRINO = "476"
FLINK = "1.20.5"
PLANNER = "1.20.4"  # of Flink: later ones are not at Maven Central
GATEWAY = "1.20.3"  # of Flink: later ones are not at Maven Central
PAIMON = "1.3.1"  # of Flink's connector: later ones are not at Maven Central
HIVE = "2.3.10"  # as PySpark has it
_OF_HIVE_SERVER = (
    f"org.apache.hive:hive-exec:{HIVE}",  # with Calcite in it, which PySpark's lacks
    f"org.apache.hive:hive-llap-client:{HIVE}",
    f"org.apache.hive:hive-llap-common:{HIVE}",
    f"org.apache.hive:hive-llap-server:{HIVE}",
    f"org.apache.hive:hive-llap-tez:{HIVE}",
    f"org.apache.hive:hive-service:{HIVE}",
    f"org.apache.hive:hive-service-rpc:{HIVE}",
    "net.hydromatic:eigenbase-properties:1.1.5",
)
_BESIDE_FLINK = (
    "org.apache.flink:flink-sql-connector-hive-2.3.10_2.12:1.20.0",
    "org.apache.hadoop:hadoop-client-api:3.3.6",
    "org.apache.hadoop:hadoop-client-runtime:3.3.6",
    "commons-logging:commons-logging:1.2",
)
_CODEC = "commons-codec:commons-codec:1.15"  # Hive's dialect asks for it


def axe(npm: str) -> str:
    """The text of axe-core, which finds what keeps people from using a page."""
    home = CACHE / f"axe-{AXE}"
    script = home / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        home.mkdir(parents=True, exist_ok=True)
        install = [npm, "install", "--prefix", str(home), "--no-save", "--ignore-scripts"]
        subprocess.run([*install, f"axe-core@{AXE}"], check=True, capture_output=True)
    return script.read_text(encoding="utf-8")


def jars_of(maven: str, pom: Path) -> Path:
    """The folder of the jars that a project names."""
    jars = CACHE / f"{pom.parent.name}-rest"
    if not (jars / "made").exists():
        copy = ["dependency:copy-dependencies", f"-DoutputDirectory={jars}"]
        subprocess.run([maven, "-q", "-B", "-f", pom, *copy], check=True)
        (jars / "made").touch()
    return jars


def pyspark() -> Path:
    """The folder of the programs of an environment of its own with PySpark."""
    return environment(f"pyspark-{PYSPARK}", f"pyspark=={PYSPARK}")


def environment(name: str, *packages: str) -> Path:
    """The folder of the programs of an environment of its own with some packages."""
    home = CACHE / name
    if not (home / "made").exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        subprocess.run([home / "bin" / "pip", "install", "-q", *packages], check=True)
        (home / "made").touch()
    return home / "bin"


def trino(maven: str) -> Path:
    """The folder of an unpacked Trino; 820 MB are fetched.

    Raises:
        CalledProcessError: Maven does not have it.
    """
    home = CACHE / f"trino-{TRINO}"
    if not (home / "made").exists():
        packed = CACHE / "trino-packed"
        wanted = f"-Dartifact=io.trino:trino-server:{TRINO}:tar.gz"
        copy = ["dependency:copy", wanted, f"-DoutputDirectory={packed}"]
        subprocess.run([maven, "-q", "-B", *copy], check=True, capture_output=True, text=True)
        with tarfile.open(packed / f"trino-server-{TRINO}.tar.gz") as archive:
            archive.extractall(packed, filter="data")
        shutil.rmtree(home, ignore_errors=True)
        (packed / f"trino-server-{TRINO}").rename(home)
        shutil.rmtree(packed)
        (home / "made").touch()
    return home


def flink(maven: str) -> Path:
    """The folder of Flink's jars with its connector of Hive; 310 MB are fetched.

    Raises:
        CalledProcessError: The package registry or Maven does not have them.
    """
    home = CACHE / f"flink-{FLINK}"
    if not (home / "made").exists():
        home.mkdir(parents=True, exist_ok=True)
        download = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "-d",
            str(home),
        ]
        wanted = f"apache-flink-libraries=={FLINK}"
        subprocess.run([*download, wanted], check=True, capture_output=True, text=True)
        (packed,) = home.glob("*.tar.gz")
        with tarfile.open(packed) as archive:
            for member in archive:
                if "/deps/lib/" in member.name and member.name.endswith(".jar"):
                    member.name = Path(member.name).name
                    archive.extract(member, home, filter="data")
        packed.unlink()
        for one in _BESIDE_FLINK:
            copy = ["dependency:copy", f"-Dartifact={one}", f"-DoutputDirectory={home}"]
            subprocess.run([maven, "-q", "-B", *copy], check=True, capture_output=True, text=True)
        (home / "made").touch()
    return home


def flink_for_hive(maven: str) -> Path:
    """The folder of Flink's jars with its planner as it is, which Hive's dialect asks for.

    Raises:
        CalledProcessError: The package registry or Maven does not have them.
    """
    planner = f"org.apache.flink:flink-table-planner_2.12:{PLANNER}"
    return _flink_with(maven, "hive", planner, _CODEC, instead_of="planner-loader")


def flink_for_paimon(maven: str) -> Path:
    """The folder of Flink's jars with its connector of Paimon; 50 MB more are fetched.

    Raises:
        CalledProcessError: The package registry or Maven does not have them.
    """
    return _flink_with(maven, "paimon", f"org.apache.paimon:paimon-flink-1.20:{PAIMON}")


def _flink_with(maven: str, name: str, *artifacts: str, instead_of: str | None = None) -> Path:
    """A folder of Flink's jars and some more, without those whose names have a part."""
    home = CACHE / f"flink-{FLINK}-{name}"
    if not (home / "made").exists():
        home.mkdir(exist_ok=True)
        for jar in flink(maven).glob("*.jar"):
            if instead_of is None or instead_of not in jar.name:
                (home / jar.name).unlink(missing_ok=True)
                (home / jar.name).symlink_to(jar)
        for artifact in artifacts:
            copy = ["dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={home}"]
            subprocess.run([maven, "-q", "-B", *copy], check=True, capture_output=True, text=True)
        (home / "made").touch()
    return home


def flink_gateway(maven: str) -> Path:
    """The jar of Flink's SQL gateway.

    Raises:
        CalledProcessError: Maven does not have it.
    """
    jar = CACHE / f"flink-sql-gateway-{GATEWAY}.jar"
    if not jar.exists():
        wanted = f"-Dartifact=org.apache.flink:flink-sql-gateway:{GATEWAY}"
        copy = ["dependency:copy", wanted, f"-DoutputDirectory={CACHE}"]
        subprocess.run([maven, "-q", "-B", *copy], check=True, capture_output=True, text=True)
    return jar


def hive_server(maven: str) -> Path:
    """The folder of what a HiveServer2 wants beside the jars in the PySpark wheel.

    Raises:
        CalledProcessError: Maven does not have it.
    """
    home = CACHE / f"hive-server-{HIVE}"
    if not (home / "made").exists():
        for one in _OF_HIVE_SERVER:
            copy = ["dependency:copy", f"-Dartifact={one}", f"-DoutputDirectory={home}"]
            subprocess.run([maven, "-q", "-B", *copy], check=True, capture_output=True, text=True)
        (home / "made").touch()
    return home
