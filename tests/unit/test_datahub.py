"""Views as proposals of DataHub: the names of its own sources, lineage by column, owners."""

import json
from typing import Any

import pytest

from discovery.addresses import SourceAddress
from reports.formats import FORMATS
from tests.made_up import HEAD, SQL, row, rows


def written() -> list[dict[str, Any]]:
    kind = FORMATS["datahub"]
    texts = kind.between.join(text for one in rows() for text in kind.texts(one))
    found: list[dict[str, Any]] = json.loads(kind.begin(HEAD) + texts + kind.end(HEAD))
    return found


def test_datahub_gets_a_view_with_what_it_reads_under_the_names_of_its_own_sources() -> None:
    told = written()
    urn = "urn:li:dataset:(urn:li:dataPlatform:hive,db.{},PROD)"
    aspects = {one["aspectName"]: one["aspect"]["json"] for one in told[:6]}
    assert {one["entityUrn"] for one in told[:6]} == {urn.format("=cmd%28%29")}
    (reads,) = aspects["upstreamLineage"]["upstreams"]
    assert reads["dataset"] == urn.format("t"), "what is outside the estate has no place"
    (column,) = aspects["upstreamLineage"]["fineGrainedLineages"]
    assert column["upstreams"] == [f"urn:li:schemaField:({urn.format('t')},x)"]
    assert column["downstreams"] == [f"urn:li:schemaField:({urn.format('=cmd%28%29')},a)"]
    assert aspects["viewProperties"]["viewLogic"] == SQL
    (field,) = aspects["schemaMetadata"]["fields"]
    assert field["type"] == {"type": {"com.linkedin.schema.NumberType": {}}}
    assert aspects["ownership"]["owners"][0]["owner"] == "urn:li:corpuser:anna"
    assert aspects["datasetProperties"]["customProperties"]["belvedere.standing"] == "ready"
    assert len({one["entityUrn"] for one in told}) == 5, "an object that was not read is none"


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (SourceAddress("postgres", "h", 5432, "shop"), "postgres,shop.db.v"),
        (SourceAddress("glue", region="eu-west-1"), "glue,db.v"),
        (SourceAddress("https", "h", 0, "/api", catalog="paimon"), "paimon,db.v"),
        (None, "lake,db.v"),
    ],
)
def test_datahub_platforms_are_those_of_its_own_sources(
    place: SourceAddress | None, expected: str
) -> None:
    one = row(0, "v", addresses={} if place is None else {"lake": place})
    (first, *_) = map(json.loads, FORMATS["datahub"].texts(one))
    assert first["entityUrn"] == f"urn:li:dataset:(urn:li:dataPlatform:{expected},PROD)"


@pytest.mark.parametrize(
    ("owner", "urn"),
    [("role:admin", "corpGroup:admin"), ("a,b", "corpuser:a%2Cb"), ("x:y", "corpuser:x:y")],
)
def test_datahub_owners_are_people_or_groups(owner: str, urn: str) -> None:
    told = map(json.loads, FORMATS["datahub"].texts(row(0, "v", owner=owner)))
    (found,) = (one["aspect"]["json"] for one in told if one["aspectName"] == "ownership")
    assert found["owners"][0]["owner"] == f"urn:li:{urn}"
