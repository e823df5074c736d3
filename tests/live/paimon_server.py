"""Paimon's own REST test server, compiled and run."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent / "paimon"
TOKEN = "tok-4f0c"


class PaimonJars(NamedTuple):
    """What runs our programs with Paimon's classes."""

    java: str
    classpath: str


def compiled(javac: str, java: str, jars: Path, classes: Path) -> PaimonJars:
    """The programs of the folder `paimon`, compiled."""
    classpath = f"{classes}:{jars}/*"
    subprocess.run([javac, "-cp", classpath, "-d", classes, *HERE.glob("*.java")], check=True)
    return PaimonJars(java, classpath)


@contextmanager
def serving_paimon(jars: PaimonJars, data: Path, *words: str) -> Iterator[str]:
    """The address of a server as long as the context lasts: with views, or `empty`."""
    command = [jars.java, "-Xmx400m", "-cp", jars.classpath, "PaimonRest", str(data), *words]
    log = data.with_suffix(".log")
    with (
        log.open("w") as told,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told, text=True) as process,
    ):
        assert process.stdout is not None
        ready = next((line for line in process.stdout if line.startswith("READY ")), "")
        assert ready, log.read_text(encoding="utf-8")
        try:
            yield ready.removeprefix("READY ").strip()
        finally:
            process.kill()
