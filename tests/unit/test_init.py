"""From what other tools know of an estate to a first estate.yaml, valid and without a secret."""

import argparse
import io
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from discovery.errors import ConfigurationError
from jobs import init
from jobs.configuration import loader
from jobs.console import command
from jobs.initializing.estate_file import estate_text, named_apart
from jobs.initializing.files import read
from jobs.initializing.sources import _SAME, FoundSource, LeftOut, source_of_url

CANARY = "canary-5e1f"
HIVE_SITE = """<?xml version="1.0"?>
<?xml-stylesheet type="text/xsl" href="configuration.xsl"?>
<configuration>
  <property><name>hive.metastore.uris</name>
    <value>thrift://a.example:9083, thrift://b.example:9083</value></property>
  <property><name>hive.metastore.sasl.enabled</name><value>true</value></property>
  <property><name>hive.metastore.kerberos.principal</name>
    <value>hive/_HOST@EXAMPLE</value></property>
  <property><name>javax.jdo.option.ConnectionPassword</name><value>canary-5e1f</value></property>
</configuration>
"""
SPARK = """\
# spark-defaults.conf
spark.hadoop.hive.metastore.uris   thrift://hms.example:9083
spark.sql.catalog.ice              org.apache.iceberg.spark.SparkCatalog
spark.sql.catalog.ice.type         rest
spark.sql.catalog.ice.uri          https://rest.example/api
spark.sql.catalog.ice.warehouse    prod
spark.sql.catalog.ice.credential   id:canary-5e1f
spark.sql.catalog.db=org.apache.iceberg.spark.SparkCatalog
spark.sql.catalog.db.type=jdbc
spark.sql.catalog.db.uri=jdbc:postgresql://db.example:5432/catalog
spark.sql.catalog.db.jdbc.user=ice
spark.sql.catalog.db.jdbc.password=canary-5e1f
spark.sql.catalog.pai org.apache.paimon.spark.SparkCatalog
spark.sql.catalog.pai.metastore filesystem
spark.sql.catalog.pai.warehouse s3://bucket/paimon
spark.sql.catalog.same org.apache.paimon.spark.SparkCatalog
spark.sql.catalog.same.metastore hive
spark.sql.catalog.same.uri thrift://hms.example:9083
spark.sql.catalog.spark_catalog org.apache.iceberg.spark.SparkSessionCatalog
spark.sql.catalog.spark_catalog.type hive
spark.sql.catalog.g org.apache.iceberg.spark.SparkCatalog
spark.sql.catalog.g.catalog-impl org.apache.iceberg.aws.glue.GlueCatalog
spark.sql.catalog.g.client.region eu-west-1
"""
PYICEBERG = """\
catalog:
  default: {uri: "https://rest.example", token: canary-5e1f, s3.region: eu}
  meta: {type: hive, uri: "thrift://hms.example:9083", s3.secret-access-key: canary-5e1f}
  lite: {uri: "sqlite:////tmp/catalog.db", warehouse: "file:///tmp/w"}
  sql: {type: sql, uri: "postgresql+psycopg2://u:canary-5e1f@db.example/cat"}
"""
TRINO = {
    "hive.properties": "connector.name=hive\nhive.metastore.uri=thrift://hms.example:9083\n",
    "glue.properties": (
        "connector.name=hive\nhive.metastore=glue\nhive.metastore.glue.region=eu-west-1\n"
    ),
    "rest.properties": (
        "connector.name=iceberg\niceberg.catalog.type=rest\n"
        "iceberg.rest-catalog.uri=https://rest.example\n"
        "iceberg.rest-catalog.oauth2.credential=${ENV:REST_LOGIN}\n"
    ),
    "jdbc.properties": (
        "connector.name=iceberg\niceberg.catalog.type=jdbc\n"
        "iceberg.jdbc-catalog.connection-url=jdbc:mysql://db.example:3306/cat\n"
        "iceberg.jdbc-catalog.connection-user=u\n"
        "iceberg.jdbc-catalog.connection-password=canary-5e1f\n"
        "iceberg.jdbc-catalog.catalog-name=prod\n"
    ),
    "shop.properties": (
        "connector.name=postgresql\nconnection-url=jdbc:postgresql://db.example:5432/shop\n"
        "connection-user=crawler\nconnection-password=canary-5e1f\n"
    ),
    "tpch.properties": "connector.name=tpch\n",
}


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def sources_of(*places: str) -> list[FoundSource]:
    entries = [entry for place in places for entry in read(place)]
    return [entry for entry in entries if isinstance(entry, FoundSource)]


def left_out_of(place: str) -> dict[str, str]:
    return {entry.name: entry.why for entry in read(place) if isinstance(entry, LeftOut)}


def loaded(folder: Path, places: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The sources of the draft as the loader reads them: kind and what is stated."""
    sources = named_apart(sources_of(*places))
    text = estate_text(sources.values())
    assert CANARY not in text
    path = folder / "estate.yaml"
    path.write_text(text, encoding="utf-8")
    for name in re.findall(r"(?m)^[^#\n]*\$\{env:(\w+)\}", text):
        monkeypatch.setenv(name, "x" * 9)
    config = loader.load(path)
    return {name: (source.kind, dict(source.stated)) for name, source in config.sources.items()}


def test_hive_site_names_the_metastore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = written(tmp_path, "hive-site.xml", HIVE_SITE)
    assert loaded(tmp_path, [place], monkeypatch) == {
        "lake": (
            "hms",
            {
                "uri": "thrift://a.example:9083,thrift://b.example:9083",
                "authentication": "kerberos",
                "service_principal": "hive/_HOST@EXAMPLE",
            },
        )
    }
    assert "run kinit" in (tmp_path / "estate.yaml").read_text(encoding="utf-8")


def test_trino_s_login_to_a_metastore_is_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        "connector.name=hive\n"
        "hive.metastore.uri=thrift://h:9083\n"
        "hive.metastore.thrift.client.ssl.enabled=true\n"
        "hive.metastore.authentication.type=KERBEROS\n"
        "hive.metastore.service.principal=hive/_HOST@EXAMPLE\n"
        "hive.metastore.client.principal=trino@EXAMPLE\n"
        "hive.metastore.client.keytab=/etc/trino/hive.keytab\n"
    )
    place = written(tmp_path, "hive.properties", text)
    assert loaded(tmp_path, [place], monkeypatch)["hive"] == (
        "hms",
        {
            "uri": "thrift://h:9083",
            "tls": True,
            "authentication": "kerberos",
            "service_principal": "hive/_HOST@EXAMPLE",
            "principal": "trino@EXAMPLE",
            "keytab": "/etc/trino/hive.keytab",
        },
    )


def test_spark_s_settings_name_its_catalogs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = written(tmp_path, "spark-defaults.conf", SPARK)
    assert loaded(tmp_path, [place], monkeypatch) == {
        "lake": ("hms", {"uri": "thrift://hms.example:9083"}),
        "ice": (
            "iceberg-rest",
            {
                "uri": "https://rest.example/api",
                "warehouse": "prod",
                "properties": {"credential": "${env:ICE_CREDENTIAL}"},
            },
        ),
        "db": (
            "iceberg-jdbc",
            {
                "url": "postgresql://db.example:5432/catalog",
                "user": "ice",
                "password": "${env:DB_PASSWORD}",
                "catalog": "db",
            },
        ),
        "pai": (
            "paimon",
            {
                "metastore": "filesystem",
                "warehouse": "s3://bucket/paimon",
            },
        ),
        "g": ("glue", {"aws-region": "eu-west-1"}),
    }


def test_a_folder_of_trino_s_catalogs_names_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "catalog").mkdir()
    for name, text in TRINO.items():
        written(tmp_path / "catalog", name, text)
    found = loaded(tmp_path, [str(tmp_path / "catalog")], monkeypatch)
    assert {name: kind for name, (kind, _) in found.items()} == {
        "glue": "glue",
        "hive": "hms",
        "jdbc": "iceberg-jdbc",
        "rest": "iceberg-rest",
        "shop": "postgresql",
    }
    assert found["rest"][1]["properties"] == {"credential": "${env:REST_LOGIN}"}
    assert found["jdbc"][1]["catalog"] == "prod"
    assert found["shop"][1] == {
        "url": "postgresql://db.example:5432/shop",
        "user": "crawler",
        "password": "${env:SHOP_PASSWORD}",
    }


def test_values_of_pyiceberg_s_file_are_texts_as_they_stand(tmp_path: Path) -> None:
    """pyiceberg 0.12 reads them so; elsewhere in YAML there is no such day, and 007 is 7."""
    text = "catalog: {a: {uri: 'https://h', warehouse: 007}, b: {uri: 2024-02-30}}\n"
    place = written(tmp_path, ".pyiceberg.yaml", text)
    assert left_out_of(place) == {"b": "'2024-02-30' is no URL"}
    place = written(tmp_path, "other.yaml", text.replace("2024-02-30", "'https://h'"))
    found, _ = sources_of(place)
    assert found.options["warehouse"] == "007"


def test_pyiceberg_s_catalogs_are_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = loaded(tmp_path, [written(tmp_path, ".pyiceberg.yaml", PYICEBERG)], monkeypatch)
    assert found["default"] == (
        "iceberg-rest",
        {
            "uri": "https://rest.example",
            "properties": {"token": "${env:DEFAULT_TOKEN}", "s3.region": "eu"},
        },
    )
    assert found["meta"][0] == "hms"
    assert found["meta"][1]["io"] == {"s3.secret-access-key": "${env:META_S3_SECRET_ACCESS_KEY}"}
    assert found["lite"] == (
        "iceberg-jdbc",
        {
            "url": "sqlite:////tmp/catalog.db",
            "catalog": "lite",
            "locations": ["file:///tmp/w"],
        },
    )
    assert found["sql"][0] == "iceberg-jdbc"
    assert found["sql"][1]["password"] == "${env:SQL_PASSWORD}"


@pytest.mark.parametrize(
    ("url", "kind", "options"),
    [
        ("thrift://h:9083", "hms", {"uri": "thrift://h:9083"}),
        ("https://h/api", "iceberg-rest", {"uri": "https://h/api"}),
        (
            "postgres://u:canary-5e1f@h:5432/shop?sslmode=require",
            "postgresql",
            {
                "url": "postgresql://h:5432/shop?sslmode=require",
                "user": "u",
                "password": "${env:SHOP_PASSWORD}",
            },
        ),
        (
            "postgresql://crawler@/shop?host=/run/pg&password=canary-5e1f",
            "postgresql",
            {
                "url": "postgresql:///shop?host=/run/pg",
                "user": "crawler",
                "password": "${env:SHOP_PASSWORD}",
            },
        ),
        (
            "jdbc:mariadb://h/shop?user=u&password=canary-5e1f",
            "mysql",
            {"url": "mysql://h/shop", "user": "u", "password": "${env:SHOP_PASSWORD}"},
        ),
        ("starrocks://h:9030", "starrocks", {"url": "starrocks://h:9030"}),
        ("oracle+oracledb://h/x", "sqlalchemy", {"url": "oracle+oracledb://h/x"}),
        ("sqlite:////tmp/a.db", "sqlalchemy", {"url": "sqlite:////tmp/a.db"}),
        ("sqlite:///a.db", "sqlalchemy", {"url": "sqlite:///a.db"}),
    ],
)
def test_a_url_is_a_source(url: str, kind: str, options: dict[str, str]) -> None:
    found_source = source_of_url(url)
    assert (found_source.kind, found_source.options) == (kind, options)


@pytest.mark.parametrize("key", ["sslpassword", "passwd", "access_token"])
def test_a_secret_among_the_options_of_a_url_is_left_out_and_told(key: str) -> None:
    found_source = source_of_url(f"postgresql://h/db?host=a&{key}=canary-5e1f&host=b")
    assert found_source.options == {"url": "postgresql://h/db?host=a&host=b"}
    assert found_source.notes == ("options of the URL that may hold a secret are left out",)


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        ("thrift://u:canary-5e1f@h:9083", "thrift://h:9083"),
        ("https://canary-5e1f@h/iceberg", "https://h/iceberg"),
    ],
)
def test_a_login_of_a_uri_that_takes_none_is_left_out_and_told(url: str, bare: str) -> None:
    found_source = source_of_url(url)
    assert found_source.options == {"uri": bare}
    (note,) = found_source.notes
    assert note.startswith("the login of the URL is left out")


def test_every_database_with_a_connector_of_its_own_is_known() -> None:
    assert {"doris", "mysql", "postgresql", "starrocks"} == _SAME


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.xml", "<configuration>", "is no XML"),
        ("a.xml", '<!DOCTYPE x [<!ENTITY a "b">]><x/>', "has a document type"),
        ("a.yaml", "catalog: [", "is no YAML"),
        ("a.yaml", "other: {}", "names no source that is known"),
        ("a.properties", "connector.name=tpch", "names no source that is known"),
    ],
)
def test_what_names_no_source_is_told(tmp_path: Path, name: str, text: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        read(written(tmp_path, name, text))
    with pytest.raises(ConfigurationError, match="No such file"):
        read(str(tmp_path / "nowhere"))
    with pytest.raises(ConfigurationError, match="is no URL") as raised:
        read("thrift://u:canary-5e1f@")
    assert CANARY not in str(raised.value)


def test_a_password_that_is_no_part_of_a_url_becomes_no_name_of_a_source() -> None:
    with pytest.raises(ConfigurationError, match="is no login") as raised:
        source_of_url("postgresql://u:a/canary-5e1f@h/shop")
    assert CANARY not in f"{raised.value} {raised.value.hint}"
    options = source_of_url("thrift://u:a/canary-5e1f@h:1").options
    assert options == {"uri": "${env:LAKE_URI}"}


@pytest.mark.parametrize("password", ["a/canary-5e1f", "a@canary-5e1f", "a b'canary-5e1f"])
def test_what_cannot_be_a_source_is_told_without_its_password(password: str) -> None:
    with pytest.raises(ConfigurationError, match=r"'s3://u:\*\*\*@bucket/w' leads") as raised:
        read(f"s3://u:{password}@bucket/w")
    assert CANARY not in f"{raised.value} {raised.value.hint}"


@pytest.mark.parametrize("url", ["s3a://bucket/w", "hdfs://h/w", "file:///etc/hive-site.xml"])
def test_a_url_of_files_is_no_source(url: str) -> None:
    with pytest.raises(ConfigurationError, match="leads to files, and is no source"):
        read(url)


def test_sources_of_one_name_are_told_apart_and_equal_ones_written_once() -> None:
    sources = [*map(source_of_url, ("thrift://a:1", "thrift://b:1", "thrift://a:1"))]
    assert list(named_apart(sources)) == ["lake", "lake_2"]


def called(folder: Path, *argv: str) -> int:
    return init.main(["--out", str(folder / "estate.yaml"), *argv])


def test_a_file_is_written_once_and_what_is_to_be_set_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"postgresql://u:{CANARY}@h/shop_of_init"
    assert called(tmp_path, url) == command.FINE
    told = capsys.readouterr()
    assert told.out == "shop_of_init: postgresql\n"
    then = f"belvedere doctor --config {tmp_path / 'estate.yaml'}"
    assert f"set SHOP_OF_INIT_PASSWORD, then: {then}\n" in told.err
    assert CANARY not in told.out + told.err
    before = (tmp_path / "estate.yaml").read_text(encoding="utf-8")
    assert called(tmp_path, "thrift://h:1") == command.USAGE
    assert "is there, and is not overwritten" in capsys.readouterr().err
    assert (tmp_path / "estate.yaml").read_text(encoding="utf-8") == before


@pytest.mark.parametrize("leads_to", ["estate.yaml", "nowhere"])
def test_a_link_that_leads_nowhere_is_not_overwritten(
    tmp_path: Path, leads_to: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "estate.yaml").symlink_to(tmp_path / leads_to)
    assert called(tmp_path, "thrift://h:1") == command.USAGE
    assert "is there, and is not overwritten" in capsys.readouterr().err


def test_doctor_looks_at_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []

    def look(file: Path) -> int:
        asked.append(file)
        return 4

    monkeypatch.setattr(init, "_run_doctor", look)
    assert called(tmp_path, "thrift://h:1") == 4
    assert asked == [tmp_path / "estate.yaml"]


def test_a_folder_that_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called(tmp_path / "new", "thrift://h:1") == command.USAGE
    assert f"{tmp_path / 'new'} is no folder" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_it_asks_on_a_terminal_and_only_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert called(tmp_path) == command.USAGE
    assert "belvedere init thrift://" in capsys.readouterr().err
    assert not (tmp_path / "estate.yaml").exists()
    monkeypatch.setattr(sys, "stdin", Terminal("nonsense\nthrift://h:1\n\n"))
    assert called(tmp_path, "--no-doctor") == command.FINE
    assert "uri: thrift://h:1" in (tmp_path / "estate.yaml").read_text(encoding="utf-8")
    assert "nonsense: No such file" in capsys.readouterr().err


def test_the_command_has_its_arguments() -> None:
    parser = argparse.ArgumentParser()
    init.arguments(parser)
    assert parser.parse_args([]).out == Path("estate.yaml")


@pytest.mark.parametrize("key", ["token", "access_token", "password"])
def test_a_secret_behind_the_url_of_a_catalog_is_left_out(key: str) -> None:
    found_source = source_of_url(f"https://catalog.example/x?{key}=canary-5e1f&warehouse=w")
    assert found_source.options == {"uri": "https://catalog.example/x?warehouse=w"}
    assert found_source.notes


def test_what_is_no_url_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="Invalid IPv6 URL"):
        source_of_url("thrift://[::1")


def test_what_opens_a_store_of_files_becomes_a_reference(tmp_path: Path) -> None:
    text = """catalog:
  prod:
    type: rest
    uri: https://rest.example/api
    header.Cookie: session=hunter22
    adls.connection-string: DefaultEndpointsProtocol=https;AccountName=a;AccountKey=aHVudGVyMjI=
    adls.sas-token.mine: sv=2024-11-04&sig=hunter22
    adls.note: AccountName=a;AccountKey=aHVudGVyMjI=
    s3.endpoint: https://s3.example
"""
    estate = estate_text(sources_of(written(tmp_path, ".pyiceberg.yaml", text)))
    assert "hunter22" not in estate
    assert "aHVudGVyMjI" not in estate
    for name in ("HEADER_COOKIE", "ADLS_CONNECTION_STRING", "ADLS_SAS_TOKEN_MINE", "ADLS_NOTE"):
        assert f"${{env:PROD_{name}}}" in estate
    assert "https://s3.example" in estate


def of_hive(folder: Path, **settings: str) -> str:
    """A `hive-site.xml` of some settings, `__` for each dot of their names."""
    properties = "".join(
        f"<property><name>{name.replace('__', '.')}</name><value>{value}</value></property>"
        for name, value in settings.items()
    )
    return written(folder, "hive-site.xml", f"<configuration>{properties}</configuration>")


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        (  # as MetastoreConf of Hive 4 names them, and whatever the case of `true`
            {"metastore__thrift__uris": "thrift://a:1", "metastore__sasl__enabled": "TRUE"},
            {
                "uri": "thrift://a:1",
                "authentication": "kerberos",
                "service_principal": "hive/_HOST",
            },
        ),
        (
            {"hive__metastore__uris": "thrift://a:1", "metastore__use__SSL": "True"},
            {"uri": "thrift://a:1", "tls": True},
        ),
        (
            {
                "hive__metastore__uris": "thrift://a:1,thrift://b:2",
                "hive__metastore__use__SSL": "true",
                "hive__metastore__client__thrift__transport__mode": "http",
                "metastore__server__thrift__http__path": "/hms",
            },
            {"uri": "https://a:1/hms,https://b:2/hms"},
        ),
        (
            {
                "hive__metastore__uris": "thrift://a:1",
                "hive__metastore__client__auth__mode": "PLAIN",
                "hive__metastore__client__plain__username": "bob",
                "hive__metastore__client__plain__password": CANARY,
            },
            {
                "uri": "thrift://a:1",
                "authentication": "plain",
                "user": "bob",
                "password": "${env:LAKE_PASSWORD}",
            },
        ),
        (
            {"hive__metastore__uris": "thrift://${env.HOST}:${port}", "port": "9083"},
            {"uri": "thrift://${env:HOST}:9083"},
        ),
    ],
)
def test_how_a_metastore_is_reached_is_taken_over(
    settings: dict[str, str],
    options: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = of_hive(tmp_path, **settings)
    assert loaded(tmp_path, [place], monkeypatch) == {"lake": ("hms", options)}


def test_glue_in_the_place_of_a_metastore_is_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on EMR, where the URIs of the metastore may stand beside it and nobody asks it."""
    factory = "com.amazonaws.glue.catalog.metastore.AWSGlueDataCatalogHiveClientFactory"
    place = of_hive(
        tmp_path,
        hive__metastore__uris="thrift://nobody:9083",
        hive__metastore__client__factory__class=factory,
        hive__metastore__glue__catalogid="999999999999",
    )
    options = {"aws-region": "${env:AWS_REGION}", "aws-glue-catalog-id": "999999999999"}
    assert loaded(tmp_path, [place], monkeypatch) == {"lake": ("glue", options)}


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (
            {
                "hive__metastore__uris": "zk1:2181,zk2:2181",
                "hive__metastore__service__discovery__mode": "zookeeper",
            },
            "ZooKeeper knows its addresses",
        ),
        ({"hive__metastore__uris": "h:9083"}, "'h:9083' is no address of one"),
        ({"hive__metastore__uris": f"u:{CANARY}@h:9083"}, r"'u:\*\*\*@h:9083' is no address"),
        ({"hive__metastore__uris": "${a}", "a": "${a}${a}"}, r"'\$\{a\}"),
        (
            {"hive__metastore__uris": "thrift://${system:host}:9083"},
            r"only Hive knows what \$\{system:host\}",
        ),
        (
            {"javax__jdo__option__ConnectionURL": f"jdbc:mysql://u:{CANARY}@db/hive"},
            "it has no URIs, only a database",
        ),
    ],
)
def test_a_metastore_that_cannot_be_a_source_is_told(
    settings: dict[str, str], why: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match=f"the metastore: {why}") as raised:
        read(of_hive(tmp_path, **settings))
    assert CANARY not in f"{raised.value} {raised.value.hint}"


def test_escapes_of_java_s_properties_are_read(tmp_path: Path) -> None:
    text = (
        "connector.name=postgresql\nconnection-url=jdbc\\:postgresql\\://h\\:5432/\\\n  shop\n"
        "connection\\-user=f\\u00fcr\n"
    )
    (source,) = sources_of(written(tmp_path, "shop.properties", text))
    assert source.options == {"url": "postgresql://h:5432/shop", "user": "für"}


SECURED_SPARK = """\
spark.hadoop.hive.metastore.uris thrift://a:1
spark.hadoop.hive.metastore.sasl.enabled true
spark.sql.catalog.same org.apache.iceberg.spark.SparkCatalog
spark.sql.catalog.same.type hive
spark.sql.catalog.same.s3.endpoint http://minio
spark.sql.catalog.other org.apache.iceberg.spark.SparkCatalog
spark.sql.catalog.other.type hive
spark.sql.catalog.other.uri thrift://b:1
spark.sql.catalog.pai org.apache.paimon.spark.SparkCatalog
spark.sql.catalog.pai.metastore hive
spark.sql.catalog.files org.apache.iceberg.spark.SparkCatalog
spark.sql.catalog.files.type hadoop
spark.sql.catalog.spark_catalog org.apache.spark.sql.delta.catalog.DeltaCatalog
spark.sql.catalog.plain org.apache.paimon.spark.SparkCatalog
spark.sql.catalog.plain.warehouse s3://b/w
"""


def test_catalogs_of_spark_in_a_metastore_log_in_as_spark_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = written(tmp_path, "spark-defaults.conf", SECURED_SPARK)
    login = {"authentication": "kerberos", "service_principal": "hive/_HOST"}
    assert loaded(tmp_path, [place], monkeypatch) == {
        "lake": (
            "hms",
            {"uri": "thrift://a:1", **login, "io": {"s3.endpoint": "http://minio"}},
        ),
        "other": ("hms", {"uri": "thrift://b:1", **login}),
        "plain": ("paimon", {"metastore": "filesystem", "warehouse": "s3://b/w"}),
    }
    assert left_out_of(place) == {"files": "no source reads an Iceberg catalog of type hadoop"}


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (
            (
                "connector.name=hive\nhive.metastore=glue\nhive.metastore.glue.catalogid=123\n"
                f"hive.metastore.glue.aws-access-key=AK\nhive.metastore.glue.aws-secret-key={CANARY}\n"
            ),
            {
                "aws-region": "${env:AWS_REGION}",
                "aws-access-key-id": "AK",
                "aws-secret-access-key": "${env:C_AWS_SECRET_ACCESS_KEY}",
                "aws-glue-catalog-id": "123",
            },
        ),
        (
            (
                "connector.name=iceberg\niceberg.catalog.type=rest\niceberg.rest-catalog.uri=https://h\n"
                "iceberg.rest-catalog.oauth2.server-uri=https://t\niceberg.rest-catalog.prefix=p\n"
            ),
            {
                "uri": "https://h",
                "properties": {"oauth2-server-uri": "https://t", "prefix": "p"},
            },
        ),
        (
            (
                "connector.name=iceberg\niceberg.catalog.type=jdbc\n"
                "iceberg.jdbc-catalog.connection-url=jdbc:postgresql://h/db\n"
                "iceberg.jdbc-catalog.catalog-name=prod\n"
                "iceberg.jdbc-catalog.default-warehouse-dir=s3://b/w\n"
            ),
            {"url": "postgresql://h/db", "catalog": "prod", "locations": ["s3://b/w"]},
        ),
    ],
)
def test_which_catalog_trino_asks_is_taken_over(
    text: str, options: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = written(tmp_path, "c.properties", text)
    assert loaded(tmp_path, [place], monkeypatch)["c"][1] == options


def test_what_of_a_folder_or_a_file_is_no_source_is_told(tmp_path: Path) -> None:
    (tmp_path / "catalog").mkdir()
    for name, text in {**TRINO, "old.properties": "connector.name=x\nconnection-url=a b\n"}.items():
        written(tmp_path / "catalog", name, text)
    assert left_out_of(str(tmp_path / "catalog")) == {
        "old.properties": f"{tmp_path / 'catalog' / 'old.properties'}: 'a b' is no URL",
        "tpch": "no source reads what Trino's connector tpch does",
    }
    text = f"{PYICEBERG}  mem: {{type: in-memory}}\n  dyn: {{type: dynamodb}}\n  odd: x\n"
    assert left_out_of(written(tmp_path, "pyiceberg.yaml", text)) == {
        "mem": "no source reads an Iceberg catalog of type in-memory",
        "dyn": "no source reads an Iceberg catalog of type dynamodb",
        "odd": "its settings are no map",
    }


def test_init_says_what_it_leaves_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = written(tmp_path, "spark-defaults.conf", SECURED_SPARK)
    assert called(tmp_path, place, "--no-doctor") == command.FINE
    assert "left out: files: no source reads an Iceberg catalog of type hadoop" in (
        capsys.readouterr().err
    )


def test_a_login_of_pyiceberg_is_taken_over_or_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"""catalog:
  a: {{uri: "thrift://h:1", hive.kerberos-authentication: "true"}}
  b:
    uri: https://h
    auth: {{type: basic, basic: {{username: u, password: {CANARY}}}}}
  c: {{type: glue, glue.region: eu, glue.id: "123"}}
"""
    found = loaded(tmp_path, [written(tmp_path, ".pyiceberg.yaml", text)], monkeypatch)
    assert found["a"][1]["authentication"] == "kerberos"
    assert found["b"][1] == {"uri": "https://h"}
    assert "# auth is left out" in (tmp_path / "estate.yaml").read_text(encoding="utf-8")
    assert found["c"][1]["aws-glue-catalog-id"] == "123"


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        ("jdbc:oracle:thin:@//h:1521/svc", "oracle+oracledb://h:1521/?service_name=svc"),
        ("jdbc:oracle:thin:@h:1521:ORCL", "oracle+oracledb://h:1521/ORCL"),
        ("jdbc:sqlserver://h:1433;databaseName=d;encrypt=false", "mssql+pymssql://h:1433/d"),
        ("jdbc:sqlserver://h", "mssql+pymssql://h/"),
    ],
)
def test_urls_of_java_s_drivers_become_those_of_sqlalchemy(url: str, bare: str) -> None:
    source = source_of_url(url)
    assert (source.kind, source.options) == ("sqlalchemy", {"url": bare})


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("jdbc:hive2://h:10000/default", "HiveServer2 and Impala are no sources"),
        ("glue://eu-central-1", "a source of kind glue has no URL"),
    ],
)
def test_a_url_of_what_is_no_database_is_refused(url: str, why: str) -> None:
    with pytest.raises(ConfigurationError, match=why):
        source_of_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "jdbc:oracle:thin:u/canary-5e1f@h:1521/d",
        "jdbc:sqlserver://h:1521;databaseName=d;user=u;password=canary-5e1f",
    ],
)
def test_the_login_of_a_url_of_java_s_drivers_is_the_source_s(url: str) -> None:
    source = source_of_url(url, "db")
    assert CANARY not in str(source)
    assert (source.options["user"], source.options["password"]) == ("u", "${env:DB_PASSWORD}")


@pytest.mark.parametrize("place", ["@(DESCRIPTION=(ADDRESS=(HOST=h)))", "@tcps://h:2484/svc"])
def test_a_url_of_oracle_that_is_no_host_and_service_is_refused(place: str) -> None:
    with pytest.raises(ConfigurationError, match="asked by host and service"):
        source_of_url(f"jdbc:oracle:thin:{place}")


def test_a_catalog_that_is_none_costs_no_other_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """\
spark.sql.catalog.rest org.apache.iceberg.spark.SparkCatalog
spark.sql.catalog.rest.type rest
spark.sql.catalog.rest.uri https://h
spark.sql.catalog.ice org.apache.iceberg.spark.SparkCatalog
spark.sql.catalog.ice.s3.secret-access-key canary-5e1f
spark.sql.catalog.pai org.apache.paimon.spark.SparkCatalog
spark.sql.catalog.pai.metastore hive
spark.sql.catalog.hs org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog
spark.sql.catalog.hs.url jdbc:hive2://h:10000
"""
    place = written(tmp_path, "spark-defaults.conf", text)
    assert list(loaded(tmp_path, [place], monkeypatch)) == ["rest"]
    no_address = "its metastore has no address here: name hive-site.xml, too"
    assert left_out_of(place) == {
        "ice": no_address,
        "pai": no_address,
        "hs": "HiveServer2 and Impala are no sources",
    }
    hosted = text + "spark.hadoop.hive.metastore.uris thrift://a:1\n"
    found = loaded(tmp_path, [written(tmp_path, "spark-defaults.conf", hosted)], monkeypatch)
    assert found["lake"][1]["io"] == {"s3.secret-access-key": "${env:ICE_S3_SECRET_ACCESS_KEY}"}


def test_two_halves_of_a_character_are_one_in_java_s_properties(tmp_path: Path) -> None:
    text = "connector.name=postgresql\nconnection-url=jdbc:postgresql://h/d\\ud83d\\ude00\n"
    (source,) = sources_of(written(tmp_path, "shop.properties", text))
    assert source.options == {"url": "postgresql://h/d\U0001f600"}
