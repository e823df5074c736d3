"""What Gravitino servers answer to requests about roles, users, groups and owners.

`gravitino_rights.json` has the answers of real servers, by version, commit and date, without audit:
asked with `python -m tests.recorded.gravitino_rights URI CATALOG-PROPERTIES-AS-JSON`, by the owner
of a metalake that is made for it and by one who may nothing.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import requests

RECORDED: Final = Path(__file__).with_suffix(".json")
OWNER, NOBODY = "admin", "ann"
Request = tuple[str, str, str, Any]
"""Who asks, method, path below the metalake, and body."""
Ask = Callable[[Request], tuple[int, dict[str, Any]]]


def allowed(*names: str) -> dict[str, Any]:
    return {"privileges": [{"name": name, "condition": "ALLOW"} for name in names]}


def _given(what: str, place: str, privilege: str, verb: str = "grant", role: str = "r") -> Request:
    path = f"permissions/roles/{role}/{what}/{place}/{verb}/"
    return OWNER, "PUT", path, allowed(privilege)


def _role(who: str, *names: str, verb: str = "grant") -> Request:
    return OWNER, "PUT", f"permissions/{who}/{verb}/", {"roleNames": list(names)}


REQUESTS: Final[tuple[Request, ...]] = (
    (OWNER, "GET", "users?details=true", None),
    (OWNER, "GET", "groups?details=true", None),
    (OWNER, "GET", "users/nobody", None),
    (OWNER, "GET", "groups/nobody", None),
    (OWNER, "GET", "roles/nobody", None),
    (OWNER, "GET", "roles", None),
    (OWNER, "POST", "users", {"name": "ann"}),
    (OWNER, "POST", "users", {"name": "ann"}),
    (OWNER, "POST", "groups", {"name": "staff"}),
    (OWNER, "POST", "roles", {"name": "r", "properties": {}, "securableObjects": []}),
    (OWNER, "POST", "roles", {"name": "r", "properties": {}, "securableObjects": []}),
    (OWNER, "GET", "roles/r", None),
    _given("CATALOG", "c", "USE_CATALOG"),
    _given("CATALOG", "c", "USE_CATALOG"),
    _given("SCHEMA", "c.s", "USE_SCHEMA"),
    _given("VIEW", "c.s.v", "SELECT_VIEW"),
    _given("VIEW", "c.s.v", "SELECT_TABLE"),
    _given("VIEW", "c.s.none", "SELECT_VIEW"),
    _given("SCHEMA", "c.none", "USE_SCHEMA"),
    _given("VIEW", "c.s.v", "SELECT_VIEW", role="none"),
    (OWNER, "GET", "roles/r", None),
    _role("users/ann", "r"),
    _role("users/ann", "r"),
    _role("users/none", "r"),
    _role("users/ann", "none"),
    _role("groups/staff", "r"),
    _role("groups/none", "r"),
    (OWNER, "GET", "users?details=true", None),
    (OWNER, "GET", "groups?details=true", None),
    (OWNER, "GET", "owners/VIEW/c.s.v", None),
    (OWNER, "GET", "owners/VIEW/c.s.none", None),
    (OWNER, "PUT", "owners/VIEW/c.s.v", {"name": "ann", "type": "USER"}),
    (OWNER, "GET", "owners/VIEW/c.s.v", None),
    (OWNER, "PUT", "owners/VIEW/c.s.v", {"name": "none", "type": "USER"}),
    (OWNER, "PUT", "owners/VIEW/c.s.none", {"name": "ann", "type": "USER"}),
    (OWNER, "PUT", "owners/VIEW/c.s.v", {"name": "staff", "type": "GROUP"}),
    (OWNER, "GET", "owners/VIEW/c.s.v", None),
    (NOBODY, "GET", "users?details=true", None),
    (NOBODY, "GET", "groups?details=true", None),
    (NOBODY, "GET", "roles", None),
    (NOBODY, "GET", "users/nobody", None),
    (NOBODY, "GET", "groups/nobody", None),
    (NOBODY, "GET", "roles/nobody", None),
    (NOBODY, "POST", "roles", {"name": "q", "properties": {}, "securableObjects": []}),
    _given("VIEW", "c.s.v", "SELECT_VIEW", "revoke"),
    _given("VIEW", "c.s.v", "SELECT_VIEW", "revoke"),
    _role("users/ann", "r", verb="revoke"),
    _role("users/ann", "r", verb="revoke"),
    (OWNER, "GET", "roles/r", None),
    (OWNER, "DELETE", "roles/r", None),
    (OWNER, "DELETE", "roles/r", None),
    (OWNER, "GET", "groups?details=true", None),
)


def played(ask: Ask, requests: Sequence[Request] = REQUESTS) -> Iterator[dict[str, Any]]:
    """Requests, each with its status and answer."""
    for request in requests:
        status, answer = ask(request)
        yield {"asked": list(request), "status": status, "answer": shown(answer)}


def shown(value: Any) -> Any:
    """An answer without what is new each time."""
    if isinstance(value, dict):
        left = {"stack", "audit", "id"}
        return {key: shown(one) for key, one in value.items() if key not in left}
    return [shown(one) for one in value] if isinstance(value, list) else value


def asked(base: str) -> Ask:
    def ask(request: Request) -> tuple[int, dict[str, Any]]:
        who, method, path, body = request
        answer = requests.request(
            method, f"{base}/metalakes/m/{path}", json=body, auth=(who, "x"), timeout=30
        )
        return answer.status_code, answer.json()

    return ask


def record(
    uri: str,
    properties: dict[str, str],
    recorded: Path = RECORDED,
    of: Sequence[Request] = REQUESTS,
) -> None:
    """Make what is asked about, ask, and note the answers under the server's version."""
    base, text = f"{uri}/api", {"dialect": "spark", "type": "sql", "sql": "SELECT 1 AS id"}
    made: list[tuple[str, dict[str, Any]]] = [
        ("metalakes", {"name": "m", "comment": "", "properties": {}}),
        ("metalakes/m/catalogs", {"name": "c", "type": "relational", "comment": ""}),
        ("metalakes/m/catalogs/c/schemas", {"name": "s", "comment": "", "properties": {}}),
        ("metalakes/m/catalogs/c/schemas/s/views", {"name": "v", "representations": [text]}),
    ]
    made[1][1].update(provider="lakehouse-iceberg", properties=properties)
    made[3][1].update(columns=[{"name": "id", "type": "long"}], properties={}, comment=None)
    for place, body in made:
        answer = requests.post(f"{base}/{place}", json=body, auth=(OWNER, "x"), timeout=60)
        answer.raise_for_status()
    version = requests.get(f"{base}/version", timeout=30).json()["version"]
    known = json.loads(recorded.read_text(encoding="utf-8")) if recorded.exists() else {}
    server = f"{version['version']} ({version['gitCommit'][:9]}), {datetime.now(UTC):%Y-%m-%d}"
    known[server] = list(played(asked(base), of))
    text_of = json.dumps(known, indent=1, ensure_ascii=False)
    recorded.write_text(f"{text_of}\n", encoding="utf-8")


if __name__ == "__main__":
    record(sys.argv[1], json.loads(sys.argv[2]))
