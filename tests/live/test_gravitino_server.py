"""A Gravitino server of yours: the contract of the store, and the recorded dialogue.

`GRAVITINO_URL` names it, `GRAVITINO_METALAKE` a metalake, `GRAVITINO_CATALOGS` catalogs of it,
which are emptied: `lakehouse-iceberg=ice,hive=lake`; `GRAVITINO_USER` who asks. With
`BELVEDERE_RECORD=1` the dialogue is recorded anew.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import requests

from connectors.gravitino.rest.store import GravitinoRest, Options
from jobs.examining.exercising import exercise
from tests.contract.stores import NOT_BY_PROVIDERS, OF_PROVIDERS, Made
from tests.live.conftest import Missing
from tests.live.contract import CONTRACT, empty
from tests.recorded import gravitino_dialogue

pytestmark = [pytest.mark.live, pytest.mark.timeout(1_800)]
URL = os.environ.get("GRAVITINO_URL", "")
METALAKE = os.environ.get("GRAVITINO_METALAKE", "")
USER = os.environ.get("GRAVITINO_USER", "anonymous")
CATALOGS = dict(
    one.split("=", 1) for one in os.environ.get("GRAVITINO_CATALOGS", "").split(",") if one
)


@pytest.fixture(params=list(OF_PROVIDERS))
def made(request: pytest.FixtureRequest) -> Made:
    provider = request.param
    if not URL or provider not in CATALOGS:
        pytest.skip(f"GRAVITINO_URL and GRAVITINO_CATALOGS name no server with one of {provider}")
    options = Options(
        uri=URL,
        metalake=METALAKE,
        catalog=CATALOGS[provider],
        provider=provider,
        user=USER,
        server_version=version(),
    )
    empty(GravitinoRest(options), stays="default")
    nowhere = GravitinoRest(replace(options, uri="http://127.0.0.1:1", timeout=1))
    orders, bare = OF_PROVIDERS[provider]
    notyet = dict(NOT_BY_PROVIDERS.get(provider, {}))
    if provider != "lakehouse-iceberg":
        notyet["nothing"] = "a metastore always has the database default"
    return Made(GravitinoRest(options), nowhere, notyet, orders, bare)


def version() -> str:
    said: str = requests.get(f"{URL}/api/version", timeout=60).json()["version"]["version"]
    return said.removesuffix("-SNAPSHOT")


@pytest.mark.parametrize("contract", CONTRACT, ids=lambda one: str(one.__name__))
def test_the_store_keeps_the_contract(contract: Callable[[Made], None], made: Made) -> None:
    contract(made)


def test_all_that_is_tried_is_answered_as_believed(made: Made) -> None:
    with made.store as store:
        odd = [
            exercise_answer
            for exercise_answer in exercise(store, "belvedere_scratch")
            if exercise_answer.found != "as believed"
        ]
    assert odd == []


def test_it_answers_as_it_was_recorded(missing: Missing) -> None:
    catalog = CATALOGS.get("lakehouse-iceberg") or missing("no catalog of Iceberg is named")
    answers = gravitino_dialogue.asked(URL, METALAKE, catalog, (USER, "any"))
    if os.environ.get("BELVEDERE_RECORD"):
        told = {
            "server": requests.get(f"{URL}/api/version", timeout=60).json()["version"],
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "how": "compiled from its public source, asked on loopback",
            "metalake": METALAKE,
            "catalog": catalog,
            "user": USER,
        }
        gravitino_dialogue.record(version(), {**told, "answers": answers})
    if (said := gravitino_dialogue.recorded().get(version())) is None:
        pytest.skip(f"nothing was recorded of {version()}")
    assert said["answers"] == answers
