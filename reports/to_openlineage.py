"""The run and what its views read as OpenLineage events, one JSON object per line.

Spec 2-0-2 (https://openlineage.io/spec/2-0-2/OpenLineage.json). A run is a START and a COMPLETE
event of the job `crawl`; each view is a JobEvent: a job whose SQL reads datasets and makes one.
Datasets are called as `reports.dataset_names` says, so that they are those of other producers.
"""

import json
import uuid
from collections.abc import Iterator, Mapping
from typing import Any, Final

from reports.column_types import column_types
from reports.dataset_names import DatasetName, dataset
from reports.head import ReportHead
from reports.lines import Row, name_of

PRODUCER: Final = "urn:belvedere"
SPEC: Final = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
_FACETS: Final = "https://openlineage.io/spec/facets"
_RUNS: Final = uuid.UUID("6d1f3c5e-0d43-5c53-9d5b-6c1c2a1c6a5e")  # a namespace of our own


def begin(head: ReportHead) -> str:
    """The start and the end of the run."""
    run = {"runId": str(uuid.uuid5(_RUNS, head.run.run_id))}
    job = {"namespace": "belvedere", "name": "crawl"}
    ended = "COMPLETE" if head.run.exit_code == 0 else "FAIL"
    events = [
        {
            **_event("RunEvent", time),
            "eventType": sort,
            "run": run,
            "job": job,
            "inputs": [],
            "outputs": [],
        }
        for sort, time in (("START", head.run.started), (ended, head.run.finished))
    ]
    return "".join(map(_line, events))


def texts(row: Row) -> Iterator[str]:
    """The view as the job that makes it; nothing for an object that could not be read."""
    if row["outcome"] != "view":
        return
    view = json.loads(row["model"])
    outputs = {"schema": _facet("1-1-1/SchemaDatasetFacet.json", fields=_fields(view["columns"]))}
    if row["lineage"]:
        lineage = _facet("1-2-0/ColumnLineageDatasetFacet.json", fields=_lineage(row))
        outputs["columnLineage"] = lineage
    sql = _facet("1-1-0/SQLJobFacet.json", query=view["representations"][0]["sql"])
    sql["dialect"] = view["representations"][0]["dialect"]
    sort = _facet("1-0-1/DatasetTypeDatasetFacet.json", datasetType="VIEW")
    place = dataset(row["addresses"], row["source"], (*row["namespace"], row["name"]))
    output = {**place._asdict(), "facets": {**outputs, "datasetType": sort}}
    event = {
        **_event("JobEvent", row["seen"]),
        "job": {"namespace": row["source"], "name": name_of(row), "facets": {"sql": sql}},
        "inputs": [base._asdict() for base in sorted(_bases(row))],
        "outputs": [output],
    }
    yield _line(event)


def _event(sort: str, time: str) -> dict[str, Any]:
    return {"eventTime": time, "producer": PRODUCER, "schemaURL": f"{SPEC}#/$defs/{sort}"}


def _facet(schema: str, **members: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    name = schema.partition("/")[2].removesuffix(".json")
    return {"_producer": PRODUCER, "_schemaURL": f"{_FACETS}/{schema}#/$defs/{name}", **members}


def _fields(columns: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Name and type; a type that is no plain word is given as its JSON."""
    fields = []
    for column_type in column_types(columns):
        field = {"name": column_type.name, "type": column_type.kind}
        if column_type.comment:
            field["description"] = column_type.comment
        fields.append(field)
    return fields


def _bases(row: Row) -> set[DatasetName]:
    """What the view reads, each once; what is out of the estate under the name in the text."""
    dataset_names = set()
    for reference in row["references"] or ():
        if reference["base_source"]:
            dataset_names.add(_base(row, reference))
        else:
            dataset_names.add(DatasetName("outside", ".".join(reference["written"])))
    return dataset_names


def _base(row: Row, reference: Mapping[str, Any]) -> DatasetName:
    levels = (*(reference["base_namespace"] or ()), reference["base_name"] or "")
    return dataset(row["addresses"], reference["base_source"], levels)


def _lineage(row: Row) -> dict[str, Any]:
    bases = {
        (reference["base_source"], reference["base_key"]): _base(row, reference)
        for reference in row["references"] or ()
        if reference["base_source"]
    }
    columns: dict[str, Any] = {}
    for origin in row["lineage"]:
        place = origin["base_source"], origin["base_key"]
        base = bases.get(place) or DatasetName(*place)
        field = {**base._asdict(), "field": origin["base_column"]}
        of_column = columns.setdefault(origin["column"], {"inputFields": []})["inputFields"]
        if field not in of_column:  # several texts may say it
            of_column.append(field)
    return columns


def _line(event: dict[str, Any]) -> str:
    return json.dumps(event) + "\n"  # in ASCII: some readers break lines at U+2028
