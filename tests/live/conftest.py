"""What live tests share: what `make dist` built."""

import os
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
