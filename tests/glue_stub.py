"""A server that speaks as much of Glue's wire protocol as moto lacks: pages, catalogs, refusals.

No part of boto3 is replaced: it signs, sends, retries and parses as it does with AWS.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.loopback import Request, serving

Refusal = tuple[str, int]
"""Error code and how often it is answered."""

_ATTRIBUTES = {"NAME": "Name", "TABLE_TYPE": "TableType"}
"""What GetTables can be asked for instead of whole entries, to the field that it is."""


@dataclass
class GlueStub:
    """A catalog of databases with their entries.

    Attributes:
        databases: Entries of tables and views by database, in order.
        refused: What is refused: operation, database (empty for none) and number of the page.
        asked: Operation and body of each request.
        page: What every request gets instead of an answer of Glue.
        functions: Entries of functions, in order.
        uri: Of this server.
    """

    databases: dict[str, list[dict[str, Any]]]
    refused: dict[tuple[str, str, int], Refusal] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    page: bytes = b""
    functions: list[dict[str, Any]] = field(default_factory=list)
    uri: str = ""

    def options(self, **others: object) -> dict[str, Any]:
        """Options of a source that asks this server, as fields."""
        keys = {"aws_access_key_id": "AKIAEXAMPLE"}
        return {**keys, "aws_region": "us-east-1", "aws_glue_endpoint": self.uri, **others}

    def answer(self, operation: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Status and body."""
        self.asked.append((operation, body))
        database, first = body.get("DatabaseName", ""), int(body.get("NextToken", 0))
        place = operation, database, first // body.get("MaxResults", 100)
        code, times = self.refused.get(place, ("", 0))
        if times:
            self.refused[place] = code, times - 1
            return 400, {"__type": code, "Message": f"{code} for this test"}
        if operation == "GetDatabases":
            return 200, _page("DatabaseList", [{"Name": name} for name in self.databases], body)
        if operation == "GetUserDefinedFunctions":
            return 200, _page("UserDefinedFunctions", self.functions, body)
        entries = [
            {"DatabaseName": database, **table} for table in self.databases.get(database, [])
        ]
        if operation == "GetTables":
            if "AttributesToGet" in body:
                fields = {_ATTRIBUTES[attribute] for attribute in body["AttributesToGet"]}
                entries = [{key: entry[key] for key in fields & entry.keys()} for entry in entries]
            return 200, _page("TableList", entries, body)
        for entry in entries:
            if entry["Name"] == body["Name"]:
                return 200, {"Table": entry}
        return 400, {"__type": "EntityNotFoundException", "Message": "not found"}


def _page(member: str, entries: list[dict[str, Any]], body: dict[str, Any]) -> dict[str, Any]:
    first, size = int(body.get("NextToken", 0)), body.get("MaxResults", 100)
    following = {"NextToken": str(first + size)} if first + size < len(entries) else {}
    return {member: entries[first : first + size], **following}


@contextmanager
def glue_stub(stub: GlueStub) -> Iterator[GlueStub]:
    """Serve on loopback as long as the context lasts."""

    def answer(request: Request) -> tuple[int, bytes]:
        operation = request.headers["X-Amz-Target"].partition(".")[2]
        status, body = stub.answer(operation, json.loads(request.body))
        return status, stub.page or json.dumps(body).encode()

    with serving(answer, "application/x-amz-json-1.1") as stub.uri:
        yield stub


def many(count: int) -> list[dict[str, Any]]:
    """Entries of one database: a table and a view in turn, of ten columns each."""
    columns = {"Columns": [{"Name": f"c{column}", "Type": "bigint"} for column in range(10)]}
    kinds = ("EXTERNAL_TABLE", "VIRTUAL_VIEW")
    return [
        {
            "Name": f"t{number:05}",
            "TableType": kinds[number % 2],
            "StorageDescriptor": columns,
            **({"ViewOriginalText": "select 1"} if number % 2 else {}),
        }
        for number in range(count)
    ]
