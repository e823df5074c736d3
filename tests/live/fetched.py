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
    home = CACHE / f"pyspark-{PYSPARK}"
    if not (home / "made").exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        subprocess.run([home / "bin" / "pip", "install", "-q", f"pyspark=={PYSPARK}"], check=True)
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
