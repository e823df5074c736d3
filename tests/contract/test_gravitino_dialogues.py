"""Our stand-in for a Gravitino server answers as real ones did."""

from typing import Any

import pytest

from tests.gravitino_double import gravitino
from tests.recorded.gravitino_dialogue import STEPS, asked, recorded

RECORDED = recorded()


def meant(said: dict[str, Any]) -> dict[str, Any]:
    """What an answer says, but for its words and the order of a listing."""
    answer = {key: one for key, one in said["answer"].items() if key != "message"}
    if "identifiers" in answer:
        answer["identifiers"] = sorted(
            answer["identifiers"], key=lambda identifier: str(identifier["name"])
        )
    return {"status": said["status"], "answer": answer}


@pytest.mark.parametrize("version", RECORDED)
def test_the_stand_in_answers_as_a_real_server_did(version: str) -> None:
    real = RECORDED[version]
    place = real["metalake"], real["catalog"]
    with gravitino("lakehouse-iceberg", version=version) as double:
        for key, named in ((("m",), place[:1]), (("m", "c"), place)):
            double.things[named] = {**double.things[key], "name": named[-1]}
        answers = asked(double.uri, *place, (real["user"], "any"))
    for step, ours, theirs in zip(STEPS, answers, real["answers"], strict=True):
        assert meant(ours) == meant(theirs), step
