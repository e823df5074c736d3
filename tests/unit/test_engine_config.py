"""What `belvedere engine-config` prints, kind by kind; Spark itself reads it in tests/spark."""

import json
from pathlib import Path
from typing import Any

import pytest

from connectors import registry
from discovery.errors import ConfigurationError
from jobs import engine_config as command
from reports.engines import ENGINES, engine_config, text
from reports.engines.shared import FINDINGS, EngineConfig, StatedSource

GLUE = {
    "aws-region": "eu-west-1",
    "aws-glue-catalog-id": "123456789012",
    "aws-access-key-id": "${env:KEY}",
    "aws-secret-access-key": "${env:SECRET}",
    "warehouse": "s3://b/w",
}
JDBC = {"url": "postgresql://h:5432/d", "user": "u", "password": "${env:PW}"}
OPTIONS: dict[str, dict[str, Any]] = {
    "doris": {**JDBC, "url": "doris://h:9030/"},
    "glue": GLUE,
    "hms": {"uri": "thrift://h:9083", "tls": True, "ca_file": "ca.pem", "catalog": "c"},
    "iceberg-hive": {"uri": "thrift://h:9083"},
    "iceberg-jdbc": {**JDBC, "catalog": "ice"},
    "iceberg-rest": {"uri": "http://h", "properties": {"token": "${env:T}", "s3.region": "r"}},
    "mysql": {**JDBC, "url": "mysql://h:3306/d"},
    "paimon": {"uri": "http://h", "warehouse": "wh", "token": "${env:T}"},
    "postgresql": JDBC,
    "starrocks": {**JDBC, "url": "mysql://h:9030/"},
}


def made(kind: str, engine: str, *version: int) -> EngineConfig:
    source = StatedSource(name="lake", kind=kind, options=OPTIONS[kind], version=version)
    return engine_config(source, engine)


def findings(config: EngineConfig, code: str) -> str:
    return "; ".join(finding.message for finding in config.findings if finding.code == code)


@pytest.mark.parametrize(
    ("kind", "engine"), [(kind, engine) for kind in ENGINES for engine in ENGINES[kind]]
)
def test_every_kind_and_engine_gives_properties_with_a_value(kind: str, engine: str) -> None:
    config = made(kind, engine)
    keys = [key for key, _ in config.properties]
    assert len(keys) == len(set(keys)) > 1
    assert all(value for _, value in config.properties)
    assert {finding.code for finding in config.findings} <= {finding.code for finding in FINDINGS}


def test_every_source_of_the_registry_is_in_the_table_or_refused_with_the_reason() -> None:
    unseen = registry.SOURCES.keys() - ENGINES.keys()
    assert unseen == {"archive", "hms-database", "sqlalchemy"}
    for kind in unseen:
        source = StatedSource(name="s", kind=kind, options={"url": "oracle+oracledb://h/d"})
        with pytest.raises(
            ConfigurationError, match=r"archive is a folder|a driver of Python|by Thrift"
        ):
            engine_config(source, "trino")


@pytest.mark.parametrize("kind", ["doris", "starrocks"])
def test_doris_and_starrocks_are_seen_through_mysql_s_connectors_which_is_told(kind: str) -> None:
    wanted = {
        "trino": ("connection-url", "jdbc:mysql://h:9030"),
        "spark": ("spark.sql.catalog.lake.url", "jdbc:mysql://h:9030/"),
        "flink": ("base-url", "jdbc:mysql://h:9030"),
    }
    for engine, pair in wanted.items():
        config = made(kind, engine)
        assert pair in config.properties
        assert "is not made for it" in findings(config, "ENGINE_BLIND")
    assert ("connector.name", "mysql") in made(kind, "trino").properties
    assert "wants default-database" in findings(made(kind, "flink"), "ENGINE_SETTING")


def test_the_kind_of_the_source_and_not_its_url_says_how_java_s_driver_is_called() -> None:
    for kind, url in (
        ("postgresql", "postgres://h/d"),
        ("mysql", "mysql+pymysql://h/d"),
    ):
        source = StatedSource(name="l", kind=kind, options={"url": url})
        config = engine_config(source, "spark")
        assert ("spark.sql.catalog.l.url", f"jdbc:{kind}://h/d") in config.properties


@pytest.mark.parametrize("scheme", ["mariadb", "mariadb+pymysql"])
def test_a_source_of_mysql_whose_url_says_mariadb_is_seen_through_mariadb_s_connector(
    scheme: str,
) -> None:
    options = {**JDBC, "url": f"{scheme}://h:3306/d"}
    source = StatedSource(name="lake", kind="mysql", options=options)
    trino = dict(engine_config(source, "trino").properties)
    assert trino["connector.name"] == "mariadb"
    assert trino["connection-url"] == "jdbc:mariadb://h:3306"
    spark = dict(engine_config(source, "spark").properties)
    assert spark["spark.sql.catalog.lake.url"] == "jdbc:mysql://h:3306/d?permitMysqlScheme"
    assert spark["spark.sql.catalog.lake.driver"] == "org.mariadb.jdbc.Driver"
    flink = dict(engine_config(source, "flink").properties)
    assert flink["base-url"] == "jdbc:mysql://h:3306"


@pytest.mark.parametrize("engine", ["trino", "spark", "flink"])
def test_the_driver_of_python_in_an_iceberg_catalog_s_url_is_none_of_java_s(engine: str) -> None:
    options = {**JDBC, "url": "postgresql+psycopg://h:5432/d", "catalog": "ice"}
    source = StatedSource(name="l", kind="iceberg-jdbc", options=options)
    told = text(config := engine_config(source, engine), source, engine)
    assert "jdbc:postgresql://h:5432/d" in dict(config.properties).values()
    assert "psycopg" not in told + str(config.findings)


def test_an_iceberg_catalog_in_a_database_without_a_known_driver_is_a_mistake_of_the_file() -> None:
    options = {"url": "oracle://h/d", "catalog": "ice"}
    source = StatedSource(name="l", kind="iceberg-jdbc", options=options)
    with pytest.raises(ConfigurationError, match="no JDBC driver is known for oracle") as raised:
        engine_config(source, "trino")
    assert "postgresql://" in str(raised.value.hint)


def test_tls_of_a_database_is_told() -> None:
    source = StatedSource(name="l", kind="postgresql", options={**JDBC, "tls": True})
    assert "TLS in the URL" in findings(engine_config(source, "trino"), "ENGINE_SETTING")


@pytest.mark.parametrize("engine", ["trino", "spark", "flink"])
def test_a_socket_that_no_java_driver_knows_is_told(engine: str) -> None:
    options = {**JDBC, "url": "postgresql:///d?host=/run/postgresql"}
    source = StatedSource(name="l", kind="postgresql", options=options)
    assert "needs a host" in findings(engine_config(source, engine), "ENGINE_SETTING")


def test_trino_sees_glue_whole_through_the_lakehouse_connector() -> None:
    for version in ((), (477,), (480, 1)):
        config = made("glue", "trino", *version)
        assert dict(config.properties) == {
            "connector.name": "lakehouse",
            "hive.metastore": "glue",
            "hive.metastore.glue.region": "eu-west-1",
            "hive.metastore.glue.catalogid": "123456789012",
            "hive.metastore.glue.aws-access-key": "${ENV:KEY}",
            "hive.metastore.glue.aws-secret-key": "${ENV:SECRET}",
            "hive.metastore.glue.default-warehouse-dir": "s3://b/w",
            "hive.hive-views.enabled": "true",
            "fs.native-s3.enabled": "true",
            "s3.region": "eu-west-1",
        }
        assert not config.findings


def test_an_older_trino_gets_the_hive_connector_and_a_finding_that_names_what_it_misses() -> None:
    config = made("glue", "trino", 476)
    assert config.properties[0] == ("connector.name", "hive")
    assert "no Iceberg, Delta Lake and Hudi tables" in findings(config, "ENGINE_BLIND")


def test_spark_sees_glue_as_iceberg_and_as_hive() -> None:
    config = made("glue", "spark")
    properties = dict(config.properties)
    catalog = "spark.sql.catalog.lake"
    assert properties[f"{catalog}.catalog-impl"] == "org.apache.iceberg.aws.glue.GlueCatalog"
    assert properties[f"{catalog}.client.region"] == "eu-west-1"
    assert properties[f"{catalog}.glue.id"] == "123456789012"
    factory = "spark.hadoop.hive.metastore.client.factory.class"
    assert properties[factory].endswith("AWSGlueDataCatalogHiveClientFactory")
    assert not any("KEY" in value or "SECRET" in value for value in properties.values())
    told = findings(config, "ENGINE_SETTING")
    assert "AWS_ACCESS_KEY_ID to ${env:KEY} and AWS_SECRET_ACCESS_KEY to ${env:SECRET}" in told


def test_flink_gets_a_statement() -> None:
    source = StatedSource(
        name="l`k", kind="paimon", options={"uri": "http://h", "warehouse": "it's"}
    )
    assert text(engine_config(source, "flink"), source, "flink") == (
        "CREATE CATALOG `l``k` WITH (\n"
        "  'type' = 'paimon',\n"
        "  'metastore' = 'rest',\n"
        "  'uri' = 'http://h',\n"
        "  'warehouse' = 'it''s'\n"
        ");\n"
    )


def test_a_file_of_properties_holds_what_java_would_take_for_its_own_signs() -> None:
    options = {"uri": "thrift://h", "catalog": " b\\c é\U0001f600"}
    source = StatedSource(name="l", kind="hms", options=options)
    shown = text(engine_config(source, "trino"), source, "trino")
    name = "hive.metastore.thrift.catalog-name"
    assert f"\n{name}=\\ b\\\\c \\u00e9\\ud83d\\ude00\n" in shown
    config = EngineConfig((("spark.sql.catalog.a b", "x=y"),))
    assert text(config, source, "spark") == "spark.sql.catalog.a\\ b=x=y\n"


def test_a_jdbc_catalog_tells_what_engines_refuse_to_start_without() -> None:
    for engine in ("trino", "spark", "flink"):
        told = findings(made("iceberg-jdbc", engine), "ENGINE_SETTING")
        assert "refuses a JDBC catalog without a place for new tables" in told
    options = {"url": "sqlite:////c.db", "catalog": "c", "io": {"warehouse": "s3://w"}}
    for engine, key in (
        ("trino", "iceberg.jdbc-catalog.default-warehouse-dir"),
        ("spark", "spark.sql.catalog.c.warehouse"),
        ("flink", "warehouse"),
    ):
        config = engine_config(StatedSource(name="l", kind="iceberg-jdbc", options=options), engine)
        assert (key, "s3://w") in config.properties
        assert "org.sqlite.JDBC" in findings(config, "ENGINE_SETTING")


def test_trino_reads_iceberg_s_files_in_s3_as_the_source_does_and_others_through_hadoop() -> None:
    properties = {"s3.endpoint": "http://s", "s3.secret-access-key": "${env:K}", "scope": "x"}
    options = {"uri": "http://h", "properties": properties}
    config = engine_config(StatedSource(name="l", kind="iceberg-rest", options=options), "trino")
    assert config.properties[-3:] == (
        ("fs.native-s3.enabled", "true"),
        ("s3.endpoint", "http://s"),
        ("s3.aws-secret-key", "${ENV:K}"),
    )
    assert ("fs.hadoop.enabled", "true") in made("iceberg-jdbc", "trino").properties


def test_flink_sees_glue_s_iceberg_tables_only_and_says_so() -> None:
    config = made("glue", "flink")
    assert dict(config.properties)["catalog-impl"] == "org.apache.iceberg.aws.glue.GlueCatalog"
    assert "Iceberg tables of Glue only" in findings(config, "ENGINE_BLIND")


def test_references_stay_and_are_told_where_the_engine_does_not_resolve_them() -> None:
    config = made("postgresql", "trino")
    assert ("connection-password", "${ENV:PW}") in config.properties
    assert not findings(config, "ENGINE_REFERENCE")
    config = made("postgresql", "spark")
    assert ("spark.sql.catalog.lake.password", "${env:PW}") in config.properties
    assert "spark.sql.catalog.lake.password" in findings(config, "ENGINE_REFERENCE")


def test_an_iceberg_jdbc_catalog_keeps_its_own_name_in_spark() -> None:
    assert made("iceberg-jdbc", "spark").properties[0][0] == "spark.sql.catalog.ice"


def test_trino_names_a_catalog_of_the_metastore_since_469() -> None:
    name = "hive.metastore.thrift.catalog-name"
    assert (name, "c") in made("hms", "trino").properties
    config = made("hms", "trino", 468)
    assert name not in dict(config.properties)
    assert "default catalog only before 469" in findings(config, "ENGINE_BLIND")


KERBEROS = {
    "uri": "thrift://h",
    "authentication": "kerberos",
    "service_principal": "hive/_HOST@R",
    "principal": "crawler@R",
    "keytab": "/k",
}


def test_engines_log_in_by_kerberos_as_the_source_does() -> None:
    def said(engine: str, **more: object) -> EngineConfig:
        options = {**KERBEROS, **more}
        return engine_config(StatedSource(name="l", kind="hms", options=options), engine)

    trino, spark = said("trino"), said("spark")
    assert ("hive.metastore.authentication.type", "KERBEROS") in trino.properties
    assert ("hive.metastore.client.keytab", "/k") in trino.properties
    assert ("spark.hadoop.hive.metastore.sasl.enabled", "true") in spark.properties
    for config in (trino, spark):
        assert "from elsewhere" not in findings(config, "ENGINE_SETTING")
    assert "says of qop" in findings(said("trino", qop=["auth"]), "ENGINE_SETTING")
    none = {"authentication": "none", "service_principal": None, "principal": None, "keytab": None}
    assert "from elsewhere" not in findings(said("trino", **none), "ENGINE_SETTING")


@pytest.mark.parametrize("engine", ["trino", "spark", "flink"])
@pytest.mark.parametrize("kind", ["hms", "iceberg-hive"])
@pytest.mark.parametrize(
    ("login", "named"),
    [
        ({"authentication": "jwt", "token": "${env:T}"}, "authentication, token"),
        ({"authentication": "plain", "user": "u", "password": "${env:P}"}, "user, password"),
        ({"tls": True, "certificate_file": "/c"}, "certificate_file"),
    ],
)
def test_what_an_engine_is_to_log_in_with_by_itself_is_told(
    kind: str, engine: str, login: dict[str, object], named: str
) -> None:
    options = {"uri": "thrift://h", **login}
    config = engine_config(StatedSource(name="l", kind=kind, options=options), engine)
    assert named in findings(config, "ENGINE_SETTING")
    assert "${env" not in findings(config, "ENGINE_SETTING")
    is_tls = any("ssl" in key.lower() for key, _ in config.properties)
    said = "says of tls" in findings(config, "ENGINE_SETTING")
    assert "tls" not in login or is_tls is not said


def test_an_engine_without_a_connector_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="trino has no connector") as raised:
        made("paimon", "trino")
    assert raised.value.hint == "engines that do: spark, flink"


@pytest.fixture
def estate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PG_PASSWORD", "canary-77e1")
    monkeypatch.setenv("PG_HOST", "canary-host")
    path = tmp_path / "estate.yaml"
    source = (
        "{kind: postgresql, url: 'postgresql://${env:PG_HOST}/d', password: '${env:PG_PASSWORD}'}"
    )
    path.write_text(f"warehouse: w\nsources:\n  pg: {source}\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("engine", ["trino", "spark", "flink"])
def test_the_command_prints_references_and_never_values(
    estate: str, engine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--config", estate, "--source", "pg", "--engine", engine]
    assert command.main(arguments) == 0
    assert command.main([*arguments, "--json"]) == 0
    printed = capsys.readouterr()
    assert "canary" not in printed.out + printed.err
    assert "PG_PASSWORD}" in printed.out
    told = json.loads(printed.out.splitlines()[-1])
    assert told["properties"]
    assert all(finding["message"] for finding in told["findings"])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--source", "gp", "--engine", "spark"], "'gp' is no source"),
        (["--source", "pg", "--engine", "trino", "--engine-version", "x"], "is no version"),
    ],
)
def test_mistakes_end_with_2(
    estate: str, more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--config", estate, *more]) == 2
    assert message in capsys.readouterr().err
