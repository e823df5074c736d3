"""Rights of the source `glue`: asked of moto, and where moto is silent of a server of the tests.

moto 5.2.5 checks no rights and has no pages. It lists what was granted as it was granted, where AWS
has SELECT as a right on columns; it grants nothing by itself; entries do not say who has made them.
"""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from connectors.clients.credentials import Secret
from connectors.glue import Glue, Options
from discovery.errors import DeniedError, GrantsNotToldError, ReadError, UnreachableError
from discovery.outcomes import Failure, Kind, Stage
from discovery.rights.matrix import Access, Reader
from discovery.rights.model import Basis, Grant, Grantee, GranteeKind, GrantSource, RightsModel
from tests.glue_stub import GlueStub
from tests.lake_formation_stub import (
    ACCOUNT,
    LakeFormationStub,
    identifier,
    lake_formation_stub,
    permission,
)

ANALYST = Grantee(f"arn:aws:iam::{ACCOUNT}:role/analyst", GranteeKind.ROLE)
MADE_BY = f"arn:aws:sts::{ACCOUNT}:assumed-role/etl/x"


def view(name: str) -> dict[str, Any]:
    entry = {"TableType": "VIRTUAL_VIEW", "ViewOriginalText": "select 1"}
    return {"Name": name, "CreatedBy": MADE_BY, **entry}


def on(name: str, database: str = "db") -> dict[str, Any]:
    return {"Table": {"CatalogId": ACCOUNT, "DatabaseName": database, "Name": name}}


@pytest.fixture
def stub() -> Iterator[LakeFormationStub]:
    table = {"Name": "t", "TableType": "EXTERNAL_TABLE", "CreatedBy": MADE_BY}
    with lake_formation_stub(LakeFormationStub(GlueStub({"db": [view("v"), table]}))) as served:
        yield served


def source(stub: LakeFormationStub, **more: object) -> Glue:
    return Glue(Options(**stub.glue.options(aws_secret_access_key=Secret("canary-71c0"), **more)))


def told(glue: Glue) -> list[Grant]:
    return [grant for grant in glue.grants() if isinstance(grant, Grant)]


def test_glue_is_a_source_of_grants_by_lake_formation_s_rules(stub: LakeFormationStub) -> None:
    with source(stub) as glue:
        assert isinstance(glue, GrantSource)
        assert glue.rights_model is RightsModel.LAKE_FORMATION
    assert stub.asked == [], "entering asks nothing"


def test_every_page_is_asked_for_with_its_token_and_the_catalog(stub: LakeFormationStub) -> None:
    stub.permissions = [
        permission(on(f"v{number}"), "SELECT", who=ANALYST.name) for number in range(2_500)
    ]
    with source(stub) as glue:
        grants = told(glue)
    assert {grant.name for grant in grants if grant.word == "SELECT"} == {
        f"v{number}" for number in range(2_500)
    }
    pages = [body for operation, body in stub.asked if operation == "ListPermissions"]
    assert [body.get("NextToken") for body in pages] == [None, "1000", "2000"]
    assert {body["CatalogId"] for body in pages} == {ACCOUNT}
    assert stub.asked[1] == ("GetDataLakeSettings", {"CatalogId": ACCOUNT})
    made = [(grant.name, grant.grantee.name) for grant in grants if grant.basis is Basis.OWNER]
    assert made == [("v", f"arn:aws:iam::{ACCOUNT}:role/etl")], "who made tables is not asked for"


def test_a_catalog_inside_an_account_has_the_administrators_of_the_account(
    stub: LakeFormationStub,
) -> None:
    inner = "999999999999:s3tablescatalog/bucket"
    stub.permissions = [permission(on("v"), "SELECT", who=ANALYST.name)]
    with source(stub, aws_glue_catalog_id=inner) as glue:
        assert [grant.word for grant in told(glue)] == ["ReadOnlyAdmins", "CreatedBy"], (
            "of another one"
        )
    catalogs = [(operation, body.get("CatalogId")) for operation, body in stub.asked[1:]]
    assert catalogs == [("GetDataLakeSettings", "999999999999"), ("ListPermissions", inner)]


@pytest.mark.parametrize(
    "caller",
    [
        f"arn:aws:sts::{ACCOUNT}:assumed-role/lak/session",
        f"arn:aws:iam::{ACCOUNT}:user/lake",
        f"arn:aws:iam::{ACCOUNT}:root",
    ],
)
def test_who_is_not_known_to_be_shown_all_is_told_so_and_nothing_is_said_of_rights(
    stub: LakeFormationStub, caller: str
) -> None:
    stub.caller = caller
    with source(stub) as glue, pytest.raises(GrantsNotToldError) as raised:
        list(glue.grants())
    assert f"{caller} is no administrator of the data lake of {ACCOUNT}" in str(raised.value)
    assert "read-only administrator" in str(raised.value)
    assert all(operation != "ListPermissions" for operation, _ in stub.asked)


@pytest.mark.parametrize("operation", ["GetDataLakeSettings", "ListPermissions"])
def test_what_is_denied_is_an_error_that_names_the_call(
    stub: LakeFormationStub, operation: str
) -> None:
    stub.refused[operation, 0] = "AccessDeniedException", 9
    with source(stub) as glue, pytest.raises(DeniedError, match="AccessDeniedException") as raised:
        list(glue.grants())
    assert "canary" not in str(raised.value)


def test_throttling_is_waited_out_and_without_end_is_an_error(stub: LakeFormationStub) -> None:
    stub.refused["ListPermissions", 0] = "ThrottlingException", 2
    with source(stub) as glue:
        assert len(told(glue)) == 2
    stub.refused["ListPermissions", 0] = "ThrottlingException", 99
    with source(stub, attempts=2) as glue, pytest.raises(UnreachableError):
        list(glue.grants())


def test_an_endpoint_of_glue_alone_leaves_the_rights_unknown() -> None:
    """As a VPC endpoint of Glue is; what STS says there is no answer of STS."""
    with lake_formation_stub(LakeFormationStub(GlueStub({}), caller="")) as stub:
        stub.identity = lambda: "<html/>"  # type: ignore[method-assign]  # the server's side
        with (
            source(stub, attempts=1) as glue,
            pytest.raises(ReadError, match="get_caller_identity"),
        ):
            list(glue.grants())


def test_a_database_whose_entries_are_refused_costs_no_other(stub: LakeFormationStub) -> None:
    stub.glue.databases["shut"], stub.glue.databases["out"] = [view("w")], [view("x")]
    stub.glue.refused["GetTables", "shut", 0] = "AccessDeniedException", 9
    stub.permissions = [permission(on("v"), "SELECT", who=ANALYST.name)]
    with source(stub, exclude=("out",)) as glue:
        found = list(glue.grants())
    (gap,) = [one for one in found if isinstance(one, Failure)]
    assert (gap.listed.namespace, gap.listed.kind, gap.stage, gap.code) == (
        ("shut",),
        Kind.NAMESPACE,
        Stage.READ,
        "DENIED",
    )
    grants = [one for one in found if isinstance(one, Grant)]
    assert [grant.word for grant in grants] == ["ReadOnlyAdmins", "SELECT", "CreatedBy"]


def test_names_come_through_as_they_are(stub: LakeFormationStub) -> None:
    odd = "v\"1.%2E ü'; --"
    stub.permissions = [permission(on(odd, "d.b"), "SELECT", who=f"{ANALYST.name}/ü{{user}}")]
    with source(stub) as glue:
        (found,) = [grant for grant in told(glue) if grant.word == "SELECT"]
    assert (found.namespace, found.name) == (("d.b",), odd)
    assert found.grantee == Grantee(f"{ANALYST.name}/ü{{user}}", GranteeKind.ROLE)


def test_what_was_granted_at_moto_is_what_is_told(glue: Any) -> None:
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "eu-west-3"}
    endpoint = glue.meta.endpoint_url
    lake, iam, sts = (
        boto3.Session().client(one, endpoint_url=endpoint, **keys)
        for one in ("lakeformation", "iam", "sts")
    )
    trust = iam.create_role(RoleName="lake", Path="/a/b/", AssumeRolePolicyDocument="{}")["Role"]
    assumed = sts.assume_role(RoleArn=trust["Arn"], RoleSessionName="crawl")["Credentials"]
    wild = {"Table": {"DatabaseName": "sales", "TableWildcard": {}}}
    some = {"DatabaseName": "db", "Name": "v", "ColumnNames": ["a"]}
    bob, group = (
        f"arn:aws:iam::{ACCOUNT}:user/bob",
        f"arn:aws:iam::{ACCOUNT}:saml-provider/i:group/g",
    )
    for who, resource, words in (
        (ANALYST.name, on("v"), ["SELECT", "DESCRIBE"]),
        (group, wild, ["SELECT"]),
        (bob, {"TableWithColumns": some}, ["SELECT"]),
        ("IAM_ALLOWED_PRINCIPALS", on("by_iam"), ["ALL"]),
    ):
        lake.grant_permissions(Principal=identifier(who), Resource=resource, Permissions=words)
    options = Options(
        aws_region="eu-west-3",
        aws_glue_endpoint=endpoint,
        aws_access_key_id=assumed["AccessKeyId"],
        aws_secret_access_key=Secret(assumed["SecretAccessKey"]),
    )
    with Glue(options) as asking:
        with pytest.raises(GrantsNotToldError, match="assumed-role/lake/crawl is no administrator"):
            list(asking.grants())
        lake.put_data_lake_settings(DataLakeSettings={"DataLakeAdmins": [identifier(trust["Arn"])]})
        grants = told(asking)
    assert len(grants) == 6
    access = Access(RightsModel.LAKE_FORMATION, grants, ())
    assert set(access.readers(("db",), "v")) == {
        Reader(ANALYST),
        Reader(Grantee(bob, GranteeKind.USER), columns=("a",)),
    }
    assert access.readers(("sales",), "any") == [Reader(Grantee(group, GranteeKind.GROUP))]
    assert "IAM decides" in access.why_unknown(("db",), "by_iam")
    assert access.why_unknown(("db",), "v") == ""
