"""What live tests share: what `make dist` built, and Gravitino's official client."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

REPOSITORY = Path(__file__).parents[2]

Missing = Callable[[str], NoReturn]


@pytest.fixture(scope="session")
def missing() -> Missing:
    """Called where a test lacks what it needs: fails in CI, skips with the reason elsewhere."""

    def end(why: str) -> NoReturn:
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)

    return end


@pytest.fixture(scope="session")
def dist(missing: Missing) -> Path:
    """The folder of the wheel, the zip and the environment archive."""
    folder = REPOSITORY / "dist"
    if not (folder / "environment.tar.gz").exists():
        missing("nothing is built: say make dist")
    return folder


@pytest.fixture(scope="session")
def gravitino_client() -> Path:
    """A Python of its own that has Gravitino's official client, fetched once.

    The client pins 15 packages, among them developers' tools and clouds' file systems, which it
    imports nowhere that we go: left out, and with them 350 MB.
    """
    cache = os.environ.get("BELVEDERE_LIVE_CACHE") or f"{tempfile.gettempdir()}/belvedere-live"
    folder = Path(cache) / "gravitino-1.3.1"
    needed = "cachetools==7.0.1 dataclasses-json==0.6.7 fsspec==2026.2.0 readerwriterlock==1.0.9"
    if not (folder / "made").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [str(folder / "bin" / "pip"), "install", "--quiet"]
        subprocess.run([*pip, *needed.split()], check=True)
        subprocess.run([*pip, "--no-deps", "apache-gravitino==1.3.1"], check=True)
        (folder / "made").touch()
    return folder / "bin" / "python"
