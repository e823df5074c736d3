"""Views that Paimon's own REST client makes now, in Paimon's own REST test server.

Fetches, once: Paimon with its test server from Maven.
"""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from connectors.clients.credentials import Secret
from connectors.paimon import Options, Paimon
from discovery.crawl import crawl
from discovery.model import View
from discovery.outcomes import Listed
from discovery.ports import CrawlTask
from tests.live.fetched import jars_of

pytestmark = [pytest.mark.live, pytest.mark.timeout(1_800)]
HERE = Path(__file__).parent / "paimon"


@pytest.fixture(scope="session")
def uri(
    tmp_path_factory: pytest.TempPathFactory, missing: Callable[[str], NoReturn]
) -> Iterator[str]:
    """The address of the test server, filled with views."""
    maven, javac, java = (shutil.which(one) or missing(f"no {one}") for one in _PROGRAMS)
    jars, classes = jars_of(maven, HERE / "pom.xml"), tmp_path_factory.mktemp("paimon")
    classpath, data = f"{classes}:{jars}/*", tmp_path_factory.mktemp("warehouse")
    subprocess.run([javac, "-cp", classpath, "-d", classes, HERE / "PaimonRest.java"], check=True)
    command = [java, "-Xmx400m", "-cp", classpath, "PaimonRest", str(data)]
    with (
        (classes / "log").open("w") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        assert process.stdout is not None
        ready = next((line for line in process.stdout if line.startswith("READY ")), "")
        assert ready, (classes / "log").read_text(encoding="utf-8")
        try:
            yield ready.removeprefix("READY ").strip()
        finally:
            process.kill()


_PROGRAMS = ("mvn", "javac", "java")


@pytest.mark.parametrize("batch", [1, 500])
def test_paimon_s_own_server_gives_every_view_with_every_dialect(uri: str, batch: int) -> None:
    options = Options(uri=uri, warehouse="wh", token=Secret("tok-4f0c"), batch=batch)
    with Paimon(options) as paimon:
        listed = tuple(one for one in paimon.listing() if isinstance(one, Listed))
        found = {str(one.listed.identifier): one.result for one in crawl(_task(listed), paimon)}
    views = {name: one for name, one in found.items() if isinstance(one, View)}
    assert sorted(views) == ["contract.v_one", "contract.v_two", "pmdb.v_dialects", "pmdb.v_plain"]
    dialects = [one.dialect for one in views["pmdb.v_dialects"].representations]
    assert sorted(dialects) == ["flink", "query", "spark"]
    assert len(views["pmdb.v_dialects"].columns) == 14


def _task(listed: tuple[Listed, ...]) -> CrawlTask:
    return CrawlTask("p", listed)
