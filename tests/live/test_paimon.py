"""Views that Paimon's own REST client makes now, in Paimon's own REST test server.

Fetches, once: Paimon with its test server from Maven.
"""

from collections.abc import Iterator

import pytest

from connectors.clients.credentials import Secret
from connectors.paimon.source import Options, Paimon
from discovery.crawl import crawl
from discovery.model import View
from discovery.outcomes import Listed
from discovery.ports import CrawlTask
from tests.live.paimon_server import TOKEN, PaimonJars, serving_paimon

pytestmark = [pytest.mark.live, pytest.mark.timeout(1_800)]


@pytest.fixture(scope="module")
def uri(paimon_jars: PaimonJars, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the test server, filled with views."""
    with serving_paimon(paimon_jars, tmp_path_factory.mktemp("warehouse")) as address:
        yield address


@pytest.mark.parametrize("batch", [1, 500])
def test_paimon_s_own_server_gives_every_view_with_every_dialect(uri: str, batch: int) -> None:
    options = Options(uri=uri, warehouse="wh", token=Secret(TOKEN), batch=batch)
    with Paimon(options) as paimon:
        listed = tuple(item for item in paimon.listing() if isinstance(item, Listed))
        found = {
            str(outcome.listed.identifier): outcome.result
            for outcome in crawl(_task(listed), paimon)
        }
    views = {name: one for name, one in found.items() if isinstance(one, View)}
    assert sorted(views) == ["contract.v_one", "contract.v_two", "pmdb.v_dialects", "pmdb.v_plain"]
    dialects = [
        representation.dialect for representation in views["pmdb.v_dialects"].representations
    ]
    assert sorted(dialects) == ["flink", "query", "spark"]
    assert len(views["pmdb.v_dialects"].columns) == 14


def _task(listed: tuple[Listed, ...]) -> CrawlTask:
    return CrawlTask("p", listed)
