"""Rights of Lake Formation: crawled with Glue's views, shown, and given at a Gravitino server."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from pyspark.sql import SparkSession

from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.crawl import crawl_estate
from jobs.crawling.granting import GRANTED
from jobs.crawling.tables import GRANTS
from jobs.warehouse.warehouse import Warehouse
from tests.glue_stub import GlueStub
from tests.gravitino_double import gravitino
from tests.lake_formation_stub import ACCOUNT, LakeFormationStub, identifier, lake_formation_stub
from tests.migrated import Migration
from tests.spark.test_grants import readers, told

REGION = "eu-west-1"
IAM = f"arn:aws:iam::{ACCOUNT}"
ANALYST, ANN, BOB = f"{IAM}:role/team/analyst", f"{IAM}:user/ann", f"{IAM}:user/bob"
BY_IAM = "IAM_ALLOWED_PRINCIPALS"
SQL = {"ViewOriginalText": "select 1 as id", "ViewExpandedText": "select 1 as id"}
ID = {"Columns": [{"Name": "id", "Type": "int"}]}
Source = dict[str, Any]


def on(name: str) -> dict[str, Any]:
    return {"Table": {"DatabaseName": "shop", "Name": name}}


GRANTED_THERE: list[tuple[str, dict[str, Any], list[str]]] = [
    (ANALYST, {"Table": {"DatabaseName": "shop", "TableWildcard": {}}}, ["SELECT"]),
    (ANN, on("v"), ["SELECT", "DROP"]),
    (
        BOB,
        {"TableWithColumns": {"DatabaseName": "shop", "Name": "v", "ColumnNames": ["id"]}},
        ["SELECT"],
    ),
    (BOB, on("t"), ["SELECT"]),
    (BY_IAM, on("w"), ["ALL"]),
    (BY_IAM, on("t"), ["ALL"]),
]
KEPT = {
    ("model", "", None, None, None, None, "lake formation", None),
    ("source", "", None, "user", f"{IAM}:user/crawler", "OTHER", "ReadOnlyAdmins", "system"),
    ("namespace", "shop.", None, "role", ANALYST, "SELECT", "SELECT on all tables", "within"),
    ("object", "shop.v", None, "user", ANN, "SELECT", "SELECT", "granted"),
    ("object", "shop.v", None, "user", ANN, "ALTER", "DROP", "granted"),
    ("object", "shop.v", "id", "user", BOB, "SELECT", "SELECT", "granted"),
    ("object", "shop.w", None, "group", BY_IAM, "ALL", "ALL", "undecided"),
}
"""Of the grants, with the administrator: none on tables."""
UNREAD = {"rights": 0, "memberships": 0, "unread": 1}


@pytest.fixture
def source(glue: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Source]:
    """Views at moto with rights of several kinds, asked by an administrator of the data lake."""
    endpoint = glue.meta.endpoint_url
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": REGION}
    catalog, lake, iam = (
        boto3.Session().client(one, endpoint_url=endpoint, **keys)
        for one in ("glue", "lakeformation", "iam")
    )
    catalog.create_database(DatabaseInput={"Name": "shop"})
    for name, kind in (("v", "VIRTUAL_VIEW"), ("w", "VIRTUAL_VIEW"), ("t", "EXTERNAL_TABLE")):
        entry = {"Name": name, "TableType": kind, "StorageDescriptor": ID, **SQL}
        catalog.create_table(DatabaseName="shop", TableInput=entry)
    crawler = iam.create_user(UserName="crawler")["User"]["Arn"]
    key = iam.create_access_key(UserName="crawler")["AccessKey"]
    lake.put_data_lake_settings(DataLakeSettings={"ReadOnlyAdmins": [identifier(crawler)]})
    for who, resource, words in GRANTED_THERE:
        lake.grant_permissions(Principal=identifier(who), Resource=resource, Permissions=words)
    monkeypatch.setenv("GLUE_KEY", key["AccessKeyId"])
    monkeypatch.setenv("GLUE_SECRET", key["SecretAccessKey"])
    monkeypatch.setenv("OTHER_SECRET", "x")
    yield {
        "kind": "glue",
        "aws-region": REGION,
        "aws-access-key-id": "${env:GLUE_KEY}",
        "aws-secret-access-key": "${env:GLUE_SECRET}",
        "aws-glue-endpoint": endpoint,
        "include": ["shop"],
    }
    catalog.delete_database(Name="shop")
    iam.delete_access_key(UserName="crawler", AccessKeyId=key["AccessKeyId"])
    iam.delete_user(UserName="crawler")


def test_rights_on_views_of_glue_are_kept_and_what_is_not_shown_is_told(
    spark: SparkSession,
    source: Source,
    estate: Callable[..., RunConfig],
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = {"aws-access-key-id": "AKIAOTHER", "aws-secret-access-key": "${env:OTHER_SECRET}"}
    view = {"Name": "v", "TableType": "VIRTUAL_VIEW", "StorageDescriptor": ID, **SQL}
    refusing = LakeFormationStub(GlueStub({"shop": [view]}))
    refusing.refused["ListPermissions", 0] = "AccessDeniedException", 99
    with lake_formation_stub(refusing):
        shut = {**source, **other, "aws-glue-endpoint": refusing.glue.uri, "attempts": 1}
        sources = {"lake": source, "blind": {**source, **other}, "shut": shut}
        config = estate(sources, crawl={"grants": True})
        crawled = crawl_estate(spark, config, "r")
    assert crawled.exit_code == 0
    assert told(config, "r", "lake") == KEPT
    known = {"rights": len(KEPT) - 1, "memberships": 0, "unread": 0}
    assert crawled.counts[GRANTED] == {"lake": known, "blind": UNREAD, "shut": UNREAD}
    gaps = {
        one["source"]: (one["entity"], one["code"], one["message"])
        for one in Warehouse(config.warehouse).table(GRANTS, "r")
        if one["code"]
    }
    assert gaps["blind"][:2] == ("source", "GRANTS_NOT_TOLD")
    assert "user/moto is no administrator of the data lake" in gaps["blind"][2]
    assert gaps["shut"][:2] == ("source", "DENIED")
    said = capsys.readouterr().err
    assert "lake: 1 rights leave open for whom or what they hold" in said
    assert "blind: who may read its views is not known: GRANTS_NOT_TOLD" in said
    assert readers(config, capsys) == {
        ("lake", "shop", "v"): {ANALYST: "", ANN: "", BOB: ""},
        ("lake", "shop", "w"): "GRANTS_NOT_TOLD",
        ("blind", "shop", "v"): "GRANTS_NOT_TOLD",
        ("blind", "shop", "w"): "GRANTS_NOT_TOLD",
        ("shut", "shop", "v"): "DENIED",
    }


def test_a_plan_gives_what_lake_formation_said_and_nothing_where_iam_decides(
    spark: SparkSession, source: Source, estate: Callable[..., RunConfig], tmp_path: Path
) -> None:
    with gravitino("hive") as double:
        double.rights.on = True
        double.rights.members = {"users": {"admin": [], "ann": [], "bob": []}, "groups": {}}
        place = {"kind": "gravitino-rest", "uri": double.uri, "user": "admin", "metalake": "m"}
        target = {**place, "catalog": "c", "provider": "hive", "rights": True}
        rules = [
            {"kind": "role", "grantee": f"{IAM}:role/*", "role": "bi_{user}"},
            {"kind": "user", "role": "of_{user}", "member": "{user}"},
            {"kind": "group", "role": "everyone", "member": "ann"},
        ]
        more = {"targets": {"t": target}, "engines": [], "rights": rules}
        migration = Migration(spark, estate, tmp_path, {**more, "crawl": {"grants": True}})
        migration.begin({"lake": source})
        rights = migration.plan().targets["t"].rights
        assert rights.access.counts == {"gained": 0, "lost": 1, "same": 2}
        lines = {
            (line["view"], line["grantee"], line["difference"]) for line in rights.access.lines
        }
        assert lines == {
            ("shop.v", ANALYST, "same"),
            ("shop.v", ANN, "same"),
            ("shop.v", BOB, "lost"),
        }
        why = f"1 view: lake: GRANTS_NOT_TOLD: IAM decides who may read it: ALL of {BY_IAM}"
        assert why in rights.left
        assert migration.apply().written == 2
        given = {name: [one[:3] for one in some] for name, some in double.rights.roles.items()}
        select = ("VIEW", "c.shop.v", "SELECT_VIEW")
        assert {name for name, some in given.items() if select in some} == {"bi_analyst", "of_ann"}
        assert not any("c.shop.w" in one for some in given.values() for one in some)
        users = double.rights.members["users"]
        assert users == {"admin": [], "ann": ["of_ann"], "bob": []}
        assert migration.verify().exit_code == command.FINE
