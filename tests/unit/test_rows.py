"""Rows leave a worker in bounded batches, and any text that a source holds fits in."""

import pyarrow as pa
import pytest

from connectors.clients.credentials import Secret
from discovery.errors import DecodeError, ReadError
from discovery.outcomes import Failure, Listed, Outcome, Stage
from jobs.crawling import tables as rows
from jobs.warehouse.rows import MAX_BYTES, MAX_ROWS, to_batches

VIEW = Listed(("db",), "v")


def failed(error: Exception, raw: str = "") -> Outcome:
    return Outcome(VIEW, Failure.of(VIEW, Stage.DECODE, error), raw=raw)


def gathered(*outcomes: Outcome, secrets: tuple[Secret, ...] = ()) -> list[pa.RecordBatch]:
    table = rows.OutcomeRows(secrets)
    found = [batch for outcome in outcomes for batch in table.add("s", outcome, str.lower)]
    return [*found, *table.rest()]


def test_a_batch_ends_when_its_texts_are_large() -> None:
    half = failed(DecodeError("no"), raw="x" * (MAX_BYTES // 2))
    assert [batch.num_rows for batch in gathered(half, half, half)] == [2, 1]


def test_a_batch_ends_when_its_rows_are_many() -> None:
    outcome = failed(DecodeError("no"))
    assert [batch.num_rows for batch in gathered(*[outcome] * (MAX_ROWS + 1))] == [
        MAX_ROWS,
        1,
    ]


def test_a_batch_follows_its_schema_and_nothing_makes_none() -> None:
    assert gathered() == []
    (batch,) = gathered(failed(DecodeError("no", field="sd.cols")))
    assert batch.schema.equals(rows.OUTCOMES.schema)
    (row,) = batch.to_pylist()
    assert (row["outcome"], row["code"], row["stage"]) == ("failure", "INVALID_ENTRY", "decode")
    assert row["message"] == "field sd.cols: no"


def test_half_of_a_surrogate_pair_is_escaped_and_costs_no_row() -> None:
    strange = Listed(("d\udc80b",), "v\ud800")
    lost = Outcome(strange, Failure.of(strange, Stage.READ, ReadError("no \udfff, sorry")))
    (batch,) = gathered(failed(DecodeError("plain ü 🐝")), lost)
    plain, row = batch.to_pylist()
    assert plain["message"] == "plain ü 🐝"
    assert row["message"] == "no \\udfff, sorry"
    assert (row["namespace"], row["name"]) == (["d\\udc80b"], "v\\ud800")


@pytest.mark.parametrize("where", ["message", "hint"])
def test_no_secret_gets_into_a_row(where: str) -> None:
    told = {"message": "no", "hint": "no", where: "refused hunter2-hunter2"}
    error = ReadError(told["message"], hint=told["hint"])
    (batch,) = gathered(failed(error), secrets=(Secret("hunter2-hunter2"),))
    assert batch.to_pylist()[0][where] == "refused ***"


def test_half_of_a_surrogate_pair_inside_a_cell_of_structs_is_escaped() -> None:
    schema = pa.schema([("found", pa.list_(pa.struct([("message", pa.string())])))])
    (batch,) = to_batches([([{"message": "a \ud800"}],)], schema)
    assert batch.to_pylist() == [{"found": [{"message": "a \\ud800"}]}]
