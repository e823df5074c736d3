"""A server that speaks what moto lacks of Lake Formation and STS: pages, refusals, any caller."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.glue_stub import GlueStub, Refusal
from tests.loopback import Request, serving

ACCOUNT = "123456789012"
LAKE = f"arn:aws:iam::{ACCOUNT}:role/path/lake"


def identifier(arn: str) -> dict[str, str]:
    """A principal."""
    return {"DataLakePrincipalIdentifier": arn}


def permission(resource: dict[str, Any], *words: str, who: str) -> dict[str, Any]:
    """A permission as Lake Formation lists it."""
    return {"Principal": identifier(who), "Resource": resource, "Permissions": list(words)}


@dataclass
class LakeFormationStub:
    """Permissions in front of a catalog.

    Attributes:
        glue: The catalog.
        permissions: In order.
        caller: ARN of whoever asks.
        settings: `DataLakeSettings`.
        refused: Operation and number of the page to what is answered instead.
        asked: Operation and body of each request.
    """

    glue: GlueStub
    permissions: list[dict[str, Any]] = field(default_factory=list)
    caller: str = f"arn:aws:sts::{ACCOUNT}:assumed-role/lake/session"
    settings: dict[str, Any] = field(default_factory=lambda: {"ReadOnlyAdmins": [identifier(LAKE)]})
    refused: dict[tuple[str, int], Refusal] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def answer(self, operation: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Status and body."""
        self.asked.append((operation, body))
        first = int(body.get("NextToken", 0))
        page = first // body.get("MaxResults", 1)
        code, times = self.refused.get((operation, page), ("", 0))
        if times:
            self.refused[operation, page] = code, times - 1
            return 400, {"__type": code, "Message": f"{code} for this test"}
        if operation == "GetDataLakeSettings":
            return 200, {"DataLakeSettings": self.settings}
        end = first + body["MaxResults"]
        following = {"NextToken": str(end)} if end < len(self.permissions) else {}
        return 200, {"PrincipalResourcePermissions": self.permissions[first:end], **following}

    def identity(self) -> str:
        """What STS says of the caller."""
        fields = f"<Arn>{self.caller}</Arn><UserId>x</UserId><Account>{ACCOUNT}</Account>"
        result = f"<GetCallerIdentityResult>{fields}</GetCallerIdentityResult>"
        return f"<GetCallerIdentityResponse>{result}</GetCallerIdentityResponse>"


@contextmanager
def lake_formation_stub(stub: LakeFormationStub) -> Iterator[LakeFormationStub]:
    """Serve on loopback as long as the context lasts; options of a source are `stub.glue`'s."""

    def answer(request: Request) -> tuple[int, bytes]:
        target = request.headers.get("X-Amz-Target")
        if target is None and request.path == "/":
            stub.asked.append(("GetCallerIdentity", {}))
            return 200, stub.identity().encode()
        asked = json.loads(request.body)
        if target is not None:
            status, body = stub.glue.answer(target.partition(".")[2], asked)
        else:
            status, body = stub.answer(request.path.strip("/"), asked)
        return status, json.dumps(body).encode()

    with serving(answer, "application/json") as stub.glue.uri:
        yield stub
