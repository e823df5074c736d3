"""Java on this machine: where it is, its version, and how ours compile what they run."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

LATE_OPTIMIZER: Final = (
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
)
"""Options by which Java's second compiler takes what is called ten times as often as by default.

Spark and the engines are much code that is called seldom: in a session of a minute that compiler
takes a third to a half of all CPU, on the same cores. What runs for many minutes is compiled by it
all the same: Spark's analyzer comes to the same rate, with a tenth less CPU over 4,000 views.
"""
_VERSION: Final = re.compile(r'version "(\d+)')


def java(home: str | None = None) -> str:
    """The `java` of a home; without one, that of `JAVA_HOME` or of the path."""
    chosen = home or os.environ.get("JAVA_HOME")
    return str(Path(chosen) / "bin" / "java") if chosen else shutil.which("java") or "java"


def java_version(home: str | None = None) -> int:
    """The major version of a Java; 0 if there is none."""
    try:
        completed = subprocess.run(  # noqa: S603 - our own words only
            [java(home), "-version"], capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    match = _VERSION.search(completed.stderr)
    return int(match[1]) if match else 0
