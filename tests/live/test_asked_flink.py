"""A real SQL gateway of Flink 1.20 is asked of views; fetches what test_flink_reads.py fetches."""

import shutil
import subprocess
from pathlib import Path

import pytest

from connectors.engines.flink import FlinkGateway, Options
from discovery.judging.asking import DIALOGUES, hear
from discovery.model import Identifier
from tests.asked_flink import CATALOG, DATABASE, MADE, SAID
from tests.live import fetched
from tests.live.conftest import Missing
from tests.live.flink_gateway import gateway

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1_800)]


def test_a_real_gateway_says_what_was_recorded(
    tmp_path: Path, missing: Missing, maven: str
) -> None:
    java = shutil.which("java") or missing("no java")
    try:
        jars, more = fetched.flink(maven), fetched.flink_gateway(maven)
    except subprocess.CalledProcessError as error:
        missing(f"Flink is not to be had: {error.stdout[-500:]}")
    with (
        gateway(java, jars, more, tmp_path / "gateway") as uri,
        FlinkGateway(Options(gateway=uri, timeout=120)) as server,
    ):
        assert server.version() == fetched.FLINK
        for sql in MADE:
            assert server.ask(sql).refusal is None, sql
        for name, (accepted, part) in SAID.items():
            live_verdict = hear(
                DIALOGUES["flink"], CATALOG, Identifier((DATABASE,), name), server.ask
            )
            assert live_verdict.verdict.accepted is accepted, live_verdict
            assert part in live_verdict.verdict.message
