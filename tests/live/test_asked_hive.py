"""A real HiveServer2 2.3.10 is asked of views; 60 MB are fetched."""

import shutil
import subprocess
from pathlib import Path

import pytest

from connectors.engines.hive import HiveServer, Options
from discovery.judging.asking import DIALOGUES, hear
from discovery.model import Identifier
from tests.asked_hive import DATABASE, MADE, SAID
from tests.live import fetched
from tests.live.conftest import Missing
from tests.live.hive_server import hive_server

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1_800)]


def test_a_real_server_says_what_was_recorded(tmp_path: Path, missing: Missing, maven: str) -> None:
    java = shutil.which("java") or missing("no java")
    try:
        jars = fetched.hive_server(maven)
    except subprocess.CalledProcessError as error:
        missing(f"Hive is not to be had: {error.stdout[-500:]}")
    with (
        hive_server(java, jars, tmp_path / "hive") as uri,
        HiveServer(Options(thrift=uri, timeout=120)) as server,
    ):
        assert server.version() == fetched.HIVE
        for sql in MADE:
            assert server.ask(sql).refusal is None, sql
        for name, (accepted, part) in SAID.items():
            live_verdict = hear(DIALOGUES["hive"], "any", Identifier((DATABASE,), name), server.ask)
            assert live_verdict.verdict.accepted is accepted, live_verdict
            assert part in live_verdict.verdict.message
