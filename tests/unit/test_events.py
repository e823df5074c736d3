"""Events of OpenLineage over HTTP: a real client, a real socket, and nothing unless it is asked."""

import json
from pathlib import Path

import pytest

from discovery.errors import ConfigurationError, UnreachableError
from discovery.limits import CrawlLimits, Limit
from jobs.configuration import loader
from jobs.configuration.loader import RunConfig
from jobs.reporting.events import send
from tests.loopback import Answer, Request, serving

KEY = "canary-0f71"
ESTATE = "warehouse: w\nsources: {a: {kind: archive, path: a}}\n"


def configured(folder: Path, more: str) -> RunConfig:
    path = folder / "estate.yaml"
    path.write_text(ESTATE + more, encoding="utf-8")
    return loader.load(path)


@pytest.fixture
def events(tmp_path: Path) -> Path:
    path = tmp_path / "openlineage.jsonl"
    path.write_text('{"eventType": "START"}\n{"eventType": "COMPLETE"}\n', encoding="utf-8")
    return path


def test_events_are_sent_one_by_one_with_the_key(
    tmp_path: Path, events: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Request] = []

    def answer(request: Request) -> tuple[int, bytes]:
        asked.append(request)
        return 201, b""

    netrc = tmp_path / "netrc"  # requests would look there, and take that instead
    netrc.write_text("default login somebody password else\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    with serving(answer, "application/json") as url:
        monkeypatch.setenv("LINEAGE_URL", f"{url}/")
        monkeypatch.setenv("LINEAGE_KEY", KEY)
        where = configured(
            tmp_path, "openlineage: {url: '${env:LINEAGE_URL}', api_key: '${env:LINEAGE_KEY}'}\n"
        )
        assert where.openlineage is not None
        assert KEY in [secret.reveal() for secret in where.secrets]
        assert KEY not in repr(where)
        assert send(events, where.openlineage) == 2
    assert [json.loads(request.body)["eventType"] for request in asked] == ["START", "COMPLETE"]
    assert {request.path for request in asked} == {"/api/v1/lineage"}
    assert {request.headers["Authorization"] for request in asked} == {f"Bearer {KEY}"}


@pytest.mark.parametrize("status", [503, 302])
def test_an_event_that_is_refused_or_led_elsewhere_is_named(
    tmp_path: Path, events: Path, status: int
) -> None:
    with serving(lambda _: (status, b""), "text/plain") as url:
        where = configured(tmp_path, f"openlineage: {{url: '{url}'}}\n")
        assert where.openlineage is not None
        with pytest.raises(UnreachableError, match=r"event 1 of openlineage\.jsonl was not taken"):
            send(events, where.openlineage)


@pytest.mark.slow
def test_an_event_that_is_over_a_limit_is_sent_when_the_server_says(
    tmp_path: Path, events: Path
) -> None:
    answers: list[Answer] = [(201, b""), (201, b""), (429, b"", {"Retry-After": "1"})]
    with serving(lambda _: answers.pop(), "text/plain") as url:
        where = configured(tmp_path, f"openlineage: {{url: '{url}'}}\n")
        assert where.openlineage is not None
        assert send(events, where.openlineage) == 2
    assert not answers


def test_thresholds_are_numbers_or_percent(tmp_path: Path) -> None:
    run_config = configured(
        tmp_path,
        "fail_on: {unlisted: 1, unread: 2%, undecoded: 3, codes: {RING: 0}, severity: {error: 2}, "
        "standing: {needs review: 12.5%}}\n",
    )
    allowed = (Limit(1), Limit(2, percent=True), Limit(3), {"RING": Limit(0)})
    assert run_config.crawl_limits == CrawlLimits(*allowed)
    limits = run_config.limits
    assert limits.codes == {"RING": Limit(0)}
    assert limits.severity == {"error": Limit(2)}
    assert limits.standing == {"needs review": Limit(12.5, percent=True)}


@pytest.mark.parametrize(
    ("stated", "wanted"),
    [
        ("codes: {RNIG: 0}", "'RNIG' is no code; did you mean 'RING'?"),
        ("standing: {ready: 0}", "fail_on.standing.ready"),
        ("severity: {error: -1}", "fail_on.severity.error"),
        ("severity: {error: 5 %}", "fail_on.severity.error"),
    ],
)
def test_a_threshold_that_makes_no_sense_is_told(tmp_path: Path, stated: str, wanted: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        configured(tmp_path, f"fail_on: {{{stated}}}\n")
    assert wanted in raised.value.message
    assert "estate.yaml:3:" in raised.value.message
