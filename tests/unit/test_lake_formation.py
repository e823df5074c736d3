"""Rights of Lake Formation: how its structures are read, and who may read by them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.errors import DecodeError
from discovery.model import Identifier
from discovery.rights import lake_formation
from discovery.rights.carrying import Carrying, CarryingRule
from discovery.rights.matrix import Access, Reader
from discovery.rights.model import Basis, Grant, Grantee, GranteeKind, Privilege, RightsModel
from discovery.rights.outcome import AccessMatrix

ACCOUNT = "123456789012"
IAM = f"arn:aws:iam::{ACCOUNT}"
ANALYST = Grantee(f"{IAM}:role/team/analyst", GranteeKind.ROLE)
ANN = Grantee(f"{IAM}:user/ann", GranteeKind.USER)
VIEW: dict[str, Any] = {"Table": {"CatalogId": ACCOUNT, "DatabaseName": "d", "Name": "v"}}
WILD: dict[str, Any] = {"Table": {"DatabaseName": "d", "TableWildcard": {}}}
EVERY = "ALL_TABLES"


def permission(
    resource: dict[str, Any], *words: str, who: str = ANALYST.name, **more: Any
) -> dict[str, Any]:
    principal = {"DataLakePrincipalIdentifier": who}
    return {"Principal": principal, "Resource": resource, "Permissions": list(words), **more}


def columns(name: str = "v", **more: Any) -> dict[str, Any]:
    return {"TableWithColumns": {"DatabaseName": "d", "Name": name, **more}}


def grants(*stated: dict[str, Any], catalog: str = ACCOUNT) -> list[Grant]:
    return [grant for one in stated for grant in lake_formation.grants(one, catalog)]


def access(*stated: dict[str, Any]) -> Access:
    return Access(RightsModel.LAKE_FORMATION, grants(*stated), ())


def readers(*stated: dict[str, Any]) -> list[Reader]:
    found = access(*stated)
    assert found.why_unknown(("d",), "v") == ""
    return found.readers(("d",), "v")


@pytest.mark.parametrize(
    ("principal", "kind"),
    [
        (f"{IAM}:user/team/ann", GranteeKind.USER),
        (f"{IAM}:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_x", GranteeKind.ROLE),
        (f"{IAM}:saml-provider/idp:user/ann@example.org", GranteeKind.USER),
        (f"{IAM}:saml-provider/idp:group/role/x", GranteeKind.GROUP),
        (f"arn:aws-cn:quicksight:cn-north-1:{ACCOUNT}:user/default/ann", GranteeKind.USER),
        (f"arn:aws:quicksight:eu-west-1:{ACCOUNT}:group/default/staff", GranteeKind.GROUP),
        ("arn:aws:identitystore:::user/11-22", GranteeKind.USER),
        ("arn:aws:identitystore:::group/11-22", GranteeKind.GROUP),
        (f"{IAM}:root", GranteeKind.GROUP),
        ("999999999999", GranteeKind.GROUP),
        (f"{ACCOUNT}:IAMPrincipals", GranteeKind.GROUP),
        (f"arn:aws:organizations::{ACCOUNT}:organization/o-1", GranteeKind.GROUP),
        (f"arn:aws:organizations::{ACCOUNT}:ou/o-1/ou-2", GranteeKind.GROUP),
        ("IAM_ALLOWED_PRINCIPALS", GranteeKind.GROUP),
        ("user/ann", GranteeKind.GROUP),
        ("x\n:user/ann", GranteeKind.GROUP),
    ],
)
def test_a_principal_is_a_user_a_role_or_several_and_never_everybody(
    principal: str, kind: GranteeKind
) -> None:
    assert lake_formation.grantee(principal) == Grantee(principal, kind)


@given(st.text())
def test_no_principal_whatever_its_name_is_everybody(principal: str) -> None:
    assert lake_formation.grantee(principal).kind is not GranteeKind.PUBLIC


@pytest.mark.parametrize(
    ("caller", "settings", "sees"),
    [
        (ANN.name, {"DataLakeAdmins": [ANN.name]}, True),
        (ANN.name, {"ReadOnlyAdmins": [ANN.name]}, True),
        (ANN.name, {"DataLakeAdmins": [f"{ANN.name}a"], "ReadOnlyAdmins": []}, False),
        (ANN.name, {}, False),
        (
            f"arn:aws:sts::{ACCOUNT}:assumed-role/Analyst/a@b",
            {"ReadOnlyAdmins": [ANALYST.name]},
            True,
        ),
        (
            "arn:aws:sts::999999999999:assumed-role/analyst/a",
            {"DataLakeAdmins": [ANALYST.name]},
            False,
        ),
        (
            f"arn:aws-cn:sts::{ACCOUNT}:assumed-role/analyst/a",
            {"DataLakeAdmins": [ANALYST.name]},
            False,
        ),
        (f"arn:aws:sts::{ACCOUNT}:assumed-role/team/a", {"DataLakeAdmins": [ANALYST.name]}, False),
        (f"{IAM}:user/analyst", {"DataLakeAdmins": [ANALYST.name]}, False),
        (f"{IAM}:root", {"DataLakeAdmins": [ANN.name]}, False),
        (f"arn:aws:sts::{ACCOUNT}:federated-user/ann", {"DataLakeAdmins": [ANN.name]}, False),
    ],
)
def test_only_who_is_an_administrator_by_himself_or_by_his_role_sees_all(
    caller: str, settings: dict[str, list[str]], sees: bool
) -> None:
    stated = {
        key: [{"DataLakePrincipalIdentifier": one} for one in some]
        for key, some in settings.items()
    }
    assert lake_formation.sees_all(caller, stated) is sees


def test_administrators_and_creators_are_listed_and_read_nothing_by_that() -> None:
    settings = {"DataLakeAdmins": [{"DataLakePrincipalIdentifier": ANN.name}]}
    made_by = f"arn:aws:sts::{ACCOUNT}:assumed-role/etl/session"
    made = lake_formation.creator({"DatabaseName": "d", "Name": "v", "CreatedBy": made_by})
    assert made is not None
    etl = Grantee(f"{IAM}:role/etl", GranteeKind.ROLE)
    assert (made.grantee, made.basis, made.word) == (etl, Basis.OWNER, "CreatedBy")
    assert lake_formation.creator({"DatabaseName": "d", "Name": "v"}) is None
    told = [*lake_formation.administrators(settings), made]
    assert told[0] == Grant((), "", ANN, Privilege.OTHER, "DataLakeAdmins", basis=Basis.SYSTEM)
    found = Access(RightsModel.LAKE_FORMATION, told, ())
    assert (found.readers(("d",), "v"), found.why_unknown(("d",), "v")) == ([], "")
    lost = Carrying({"g": found}, ()).view([("g", (("d",), "v"))]).lost
    assert [lost_right.grantee for lost_right in lost] == [etl], "its owner is not lost unsaid"


@pytest.mark.parametrize(
    "stated",
    [
        permission(VIEW, "SELECT"),
        permission(VIEW, "ALL"),
        permission(WILD, "SELECT"),
        permission(WILD, "ALL"),
        permission({"Table": {"DatabaseName": "d", "Name": EVERY, "TableWildcard": {}}}, "SELECT"),
        permission(columns(ColumnWildcard={}), "SELECT"),
        permission(columns(EVERY, ColumnWildcard={}), "SELECT"),
        permission(columns(ColumnWildcard={"ExcludedColumnNames": []}), "SELECT"),
    ],
)
def test_select_and_all_on_a_view_or_on_all_tables_of_its_database_let_read(
    stated: dict[str, Any],
) -> None:
    assert readers(stated) == [Reader(ANALYST)]
    assert access(stated).readers(("e",), "v") == []


@pytest.mark.parametrize(
    "stated",
    [
        permission({"Database": {"Name": "d"}}, "ALL", "DESCRIBE", "CREATE_TABLE"),
        permission({"Database": {"Name": "d"}}, "ALL", who="IAM_ALLOWED_PRINCIPALS"),
        permission({"Catalog": {}}, "ALL", "CREATE_DATABASE"),
        permission(VIEW, "DESCRIBE", "ALTER", "DROP", "INSERT", "DELETE"),
        permission(VIEW, "DESCRIBE", who="IAM_ALLOWED_PRINCIPALS"),
        permission(VIEW, PermissionsWithGrantOption=["SELECT"]),
        permission({"LFTag": {"TagKey": "k", "TagValues": ["v"]}}, "DESCRIBE", "ASSOCIATE"),
        permission({"LFTagPolicy": {"ResourceType": "DATABASE", "Expression": []}}, "ALL"),
        permission({"LFTagExpression": {"Name": "e"}}, "ALL"),
        permission({"AnyResource": {"ResourceType": "TABLE"}}, "SELECT"),
        permission({"Table": {"CatalogId": "9", "DatabaseName": "d", "Name": "v"}}, "SELECT"),
        permission({"Table": {"DatabaseName": "d", "Name": "w"}}, "SELECT"),
        permission({"Table": {"DatabaseName": "d", "Name": "all_tables"}}, "SELECT"),
        permission({"DataLocation": {"ResourceArn": "arn"}}, "DATA_LOCATION_ACCESS"),
        permission({"LFTagPolicy": {"CatalogId": "9", "ResourceType": "TABLE"}}, "SELECT"),
    ],
)
def test_what_is_on_something_else_or_something_else_lets_nobody_read(
    stated: dict[str, Any],
) -> None:
    assert readers(stated) == []


@pytest.mark.parametrize(
    ("stated", "why"),
    [
        (permission(VIEW, "ALL", who="IAM_ALLOWED_PRINCIPALS"), "IAM decides who may read it"),
        (permission(WILD, "SELECT", who="IAM_ALLOWED_PRINCIPALS"), "SELECT on all tables"),
        (permission(VIEW, "SELECT", Condition={"Expression": "x == 1"}), "SELECT where x == 1"),
        (permission(VIEW, "SELECT", Condition={"Expression": ""}), "SELECT where "),
        (
            permission(
                {
                    "LFTagPolicy": {
                        "ResourceType": "TABLE",
                        "Expression": [
                            {"TagKey": "team", "TagValues": ["a", "b"]},
                            {"TagKey": "x", "TagValues": ["y"]},
                        ],
                    }
                },
                "SELECT",
            ),
            "SELECT on tables with team=a|b and x=y",
        ),
        (
            permission({"LFTagPolicy": {"ResourceType": "TABLE", "ExpressionName": "e"}}, "ALL"),
            "ALL on tables with e",
        ),
        (
            permission(columns(EVERY, ColumnWildcard={"ExcludedColumnNames": ["a"]}), "SELECT"),
            "SELECT on all tables",
        ),
        (
            permission(
                {"DataCellsFilter": {"DatabaseName": "d", "TableName": EVERY, "Name": "f"}},
                "SELECT",
            ),
            "SELECT of the filter",
        ),
        (permission({"Catalog": {}}, "SUPER_USER"), "SUPER_USER"),
        (permission({"Novelty": {}}, "SELECT"), "SELECT on Novelty"),
        (permission({}, "SELECT"), "what the client does not know"),
    ],
)
def test_where_it_is_open_for_whom_or_what_a_right_holds_nobody_is_said_to_read_or_not(
    stated: dict[str, Any], why: str
) -> None:
    known = permission(VIEW, "SELECT", who=ANN.name)
    found = access(stated, known)
    assert why in found.why_unknown(("d",), "v")
    assert found.readers(("d",), "v") == [Reader(ANN)], "and it widens nothing"
    assert any(grant.basis is Basis.UNDECIDED for grant in grants(stated)), "it is listed"


def test_some_columns_or_cells_are_not_the_whole_view() -> None:
    cells = {"DatabaseName": "d", "TableName": "v", "Name": "f", "TableCatalogId": ACCOUNT}
    staff = Grantee("999999999999", GranteeKind.GROUP)
    found = readers(
        permission(columns(ColumnNames=["a", "b, c"]), "SELECT"),
        permission(
            columns(ColumnWildcard={"ExcludedColumnNames": ["a", "x"]}), "SELECT", who=ANN.name
        ),
        permission({"DataCellsFilter": cells}, "SELECT", "DESCRIBE", "DROP", who=staff.name),
    )
    assert set(found) == {
        Reader(ANALYST, columns=("a", "b, c")),
        Reader(ANN, columns=("* except a, x",)),
        Reader(staff, columns=("cells of the filter f",)),
    }


def test_each_permission_is_a_grant_with_its_word_and_whether_it_may_be_handed_on() -> None:
    stated = permission(
        VIEW,
        "SELECT",
        "INSERT",
        PermissionsWithGrantOption=["SELECT", "DROP"],
        LastUpdatedBy=ANN.name,
    )
    assert [
        (grant.word, grant.privilege, grant.grantable, grant.granted_by) for grant in grants(stated)
    ] == [
        ("SELECT", Privilege.SELECT, True, ANN.name),
        ("INSERT", Privilege.MODIFY, False, ANN.name),
        ("DROP", Privilege.OTHER, True, ANN.name),
    ]


def test_a_catalog_inside_an_account_has_rights_of_its_own_and_the_tags_of_the_account() -> None:
    inner = f"{ACCOUNT}:s3tablescatalog/bucket"
    named = {"CatalogId": inner.upper(), "DatabaseName": "d", "Name": "v"}
    tagged = {"CatalogId": ACCOUNT, "ResourceType": "TABLE", "ExpressionName": "e"}
    stated = [
        permission({"Table": named}, "SELECT"),
        permission(VIEW, "SELECT", who=ANN.name),
        permission({"LFTagPolicy": tagged}, "SELECT"),
    ]
    found = grants(*stated, catalog=inner)
    assert [(grant.grantee, grant.namespace) for grant in found] == [
        (ANALYST, ("d",)),
        (ANALYST, ()),
    ]
    assert [grant.grantee for grant in grants(*stated[:2])] == [ANN]


@pytest.mark.parametrize(
    "stated",
    [
        {"Resource": VIEW, "Permissions": ["SELECT"]},
        permission(VIEW, "SELECT", who=""),
        permission({"Table": {"DatabaseName": "d"}}, "SELECT"),
        permission({"Table": {"Name": "v"}}, "SELECT"),
        permission(columns(), "SELECT"),
        permission({"DataCellsFilter": {"DatabaseName": "d", "TableName": "v"}}, "SELECT"),
    ],
)
def test_what_does_not_say_who_or_on_what_is_refused(stated: dict[str, Any]) -> None:
    with pytest.raises(DecodeError):
        grants(stated)


def test_who_reads_before_and_after() -> None:
    """A role by its ARN's last part; a user of columns, and an account, keep what they cannot."""
    told = access(
        permission(VIEW, "SELECT"),
        permission(VIEW, "SELECT", who=ANN.name),
        permission(columns(ColumnNames=["a"]), "SELECT", who=f"{IAM}:user/bob"),
        permission(VIEW, "SELECT", who="999999999999"),
    )
    rules = (
        CarryingRule(f"{IAM}:role/*", role="bi_{user}"),
        CarryingRule(kind=GranteeKind.USER, role="of_{user}", member="{user}"),
    )
    carrying = Carrying({"g": told}, rules)
    origins = [("g", (("d",), "v"))]
    carried = carrying.view(origins)
    ann = Grantee("ann", GranteeKind.USER)
    assert (carried.roles, carried.readers) == (("bi_analyst", "of_ann"), (ann,))
    lines = carrying.access(Identifier(("n",), "v"), origins, {*carried.roles, *carried.readers})
    matrix = AccessMatrix.of(lines)
    assert matrix.counts == {"gained": 0, "lost": 2, "same": 2}
    assert {(line["grantee"], line["difference"], line["why"]) for line in matrix.lines} == {
        (ANALYST.name, "same", ""),
        (ANN.name, "same", ""),
        (
            f"{IAM}:user/bob",
            "lost",
            "columns a only: Gravitino has no rights on columns",
        ),
        ("999999999999", "lost", "no rule says what it is there"),
    }


def test_roles_of_two_accounts_that_become_one_read_what_both_read() -> None:
    other = "arn:aws:iam::999999999999:role/analyst"
    alone = {"Table": {"DatabaseName": "d", "Name": "w"}}
    told = access(
        permission(VIEW, "SELECT"),
        permission(VIEW, "SELECT", who=other),
        permission(alone, "SELECT", who=other),
    )
    carrying = Carrying({"g": told}, (CarryingRule(role="{user}"),))
    assert carrying.view([("g", (("d",), "v"))]).roles == ("analyst",)
    assert carrying.view([("g", (("d",), "w"))]).roles == ()
