"""Secrets that people leave in views are found, named by place, and masked in reports."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from discovery.checks import secret_in_view
from discovery.checks.subject import example
from discovery.errors import ConfigurationError
from discovery.secrets_in_texts import (
    find,
    is_sensitive,
    masked,
    may_hold_one,
    without_logins,
)
from jobs.configuration import loader
from jobs.report import EVERY
from jobs.reporting.parquet import PARQUET
from jobs.reporting.workers import rendered
from tests.made_up import rows

SECRETS = [
    ("CREATE USER u password 'hunter22'", "hunter22"),
    ("OPTIONS ('password' = 'hunter22')", "hunter22"),
    ('TBLPROPERTIES ("fs.s3a.secret.key"="hunter22")', "hunter22"),
    ("SET fs.azure.account.key='hunter22'", "hunter22"),
    ("jdbc:postgresql://u:hunter22@db/x", "hunter22"),
    ("jdbc:postgresql://u:hun:ter22@db/x", "hun:ter22"),
    ("jdbc:postgresql://u:hun@ter22@db/x", "hun@ter22"),
    ("jdbc:postgresql://u:hun/ter22@db/x", "hun/ter22"),
    ("SELECT 'https://hunter22@h/p'", "hunter22"),
    ("OPTIONS (uri 'HTTP://hunter%4022@[::1]:80/')", "hunter%4022"),
    ("SELECT 'AKIAIOSFODNN7EXAMPLE'", "AKIAIOSFODNN7EXAMPLE"),
    ("SELECT 'ghp_" + "a" * 36 + "'", "ghp_" + "a" * 36),
    ("'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'", "eyJzdWIiOiIxIn0"),
    ("SELECT 'https://h/p?a=1&api_key=hunter22'", "hunter22"),
    ("OPTIONS ('url' = 'jdbc:sqlserver://h:1433;user=u;password=hunter22;a=b')", "hunter22"),
    ("s3://b/k?X-Amz-Signature=hun%2Fter22", "hun%2Fter22"),
    ("https://a.blob.example/c?sv=2024&sig=hunter22", "hunter22"),
    ("mssql+pyodbc:///?odbc_connect=DRIVER%3DX%3BPWD%3Dhunter22", "hunter22"),
    ("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=aHVudGVyMjI==;X=y", "aHVudGVyMjI=="),
    ("OPTIONS (x 'AccountKey=hunter22')", "hunter22"),
    ("BlobEndpoint=b;SharedAccessSignature=sv=2024&sig=hunter22", "hunter22"),
    ("sv=2024-11-04&se=2027&sig=hunter22", "hunter22"),
    ("SET x='sig=hunter22&sv=2024'", "hunter22"),
    ("SET adls.connection-string.mine='hunter22'", "hunter22"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "MIIE"),
]
HARMLESS = [
    "SELECT password FROM users",
    "SELECT token, 'abc' FROM t",
    "SELECT * FROM t WHERE token = 'abc'",
    "SELECT 'http://host:80/path@x'",
    "OPTIONS ('password' = '${env:X}')",
    "SELECT key, value FROM kv WHERE key = 'k'",
    "SELECT 'a:b@c'",
    "SELECT '://u:b@c', 'thrift://a:9083,thrift://b:9083', 'https://h:80/a:b@c', 'http://h:${p}/a@b'",
    "LOCATION 'abfss://container@account.dfs.core.windows.net/p'",
    "jdbc:postgresql://reader@db/x",
    "SELECT 'https://h/p@x', 'https://h?a@x', 'https://***@h'",
    "SELECT regexp_extract(u, 'https://h/\\?token=([^&]+)')",
    "SELECT * FROM t WHERE u LIKE 'https://%?token=%'",
    "SELECT 'https://h/?design=abcd&config=abcd'",
    "SELECT 'https://h/?token=${token}'",
    "SELECT 'a?token=abcd'",
    "SELECT * FROM f JOIN d ON f.AccountKey=d.ParentAccountKey AND (AccountKey=SharedAccessKeyId)",
    "SELECT * FROM t WHERE t.cookie = 'abcdefgh'",
    "SELECT 'a?sig=abcdefgh', 'sig=abcdefgh'",
    "OPTIONS (x 'AccountName=a;AccountKey=${env:KEY}')",
    "SET fs.s3a.aws.credentials.provider='org.example.Provider'",
    "SELECT design FROM t WHERE sig=sv AND sp=1",
]


@pytest.mark.parametrize(("text", "value"), SECRETS)
def test_a_secret_is_found_and_masked(text: str, value: str) -> None:
    assert [
        value in text[found_secret.start : found_secret.end] for found_secret in find(text)
    ] == [True]
    assert value not in masked(text)
    assert "***" in masked(text)
    assert all(value not in found_secret.what for found_secret in find(text))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    assert not list(find(text))
    assert masked(text) == text


def test_a_url_may_hold_more_than_one() -> None:
    assert masked("https://u:hunter22@h/?token=hunter23") == "https://u:***@h/?token=***"


@pytest.mark.slow
@pytest.mark.parametrize(
    "long", ["a" * 1_000_000, "a." * 500_000, "a:" * 500_000, "&token=(" * 125_000]
)
def test_a_long_text_holds_no_report(long: str) -> None:
    began = time.process_time()
    assert not list(find(f"https://h/{long}"))
    assert time.process_time() - began < 5, "each letter began a name of 200: 17 s"


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [":b@c", "x://a:b@c", "x://a:b@c ", "?a=", "?token=", "?token=%41", "%3Btoken%3D"]
)
@pytest.mark.parametrize("before", ["https://h/", "x://h "])
def test_a_long_text_of_what_may_be_a_secret_holds_no_report(before: str, part: str) -> None:
    long = before + part * (300_000 // len(part))
    began = time.process_time()
    list(find(long))
    assert time.process_time() - began < 5, "each looked at all before it, or behind it: minutes"


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "fs.s3a.secret.key",
        "s3.session-token",
        "accountKey",
        "client_secret",
        "adls.connection-string",
        "adls.sas-token.mine",
        "fs.azure.account.key.mine.dfs.core.windows.net",
        "fs.azure.sas.fixed.token.mine",
        "fs.azure.account.oauth2.client.secret.mine",
    ],
)
def test_names_of_secrets(name: str) -> None:
    assert is_sensitive(name)
    assert may_hold_one(name)


@pytest.mark.parametrize("text", ["AIza" + 35 * "x", "OPTIONS ('pass_word' 'x')"])
def test_what_looks_like_a_secret_needs_no_other_hint(text: str) -> None:
    assert len(list(find(text))) == 1


def test_a_cookie_is_a_secret_as_an_option() -> None:
    assert is_sensitive("header.Cookie")


@pytest.mark.parametrize(
    "name",
    [
        "fs.s3a.access.key.id",
        "view.tokenizer",
        "keys",
        "s3.endpoint",
        "fs.s3a.aws.credentials.provider",
        "hadoop.security.credential.provider.path",
        "hive.security.authorization.enabled",
        "hive.cluster.delegation.token.store.class",
        "ssl.private-key.path",
        "connector.password.file",
        "secret.rotation-interval",
    ],
)
def test_names_of_what_is_no_secret(name: str) -> None:
    assert not is_sensitive(name)


def test_a_finding_says_where_and_never_what() -> None:
    sql = "SELECT 1\nFROM t OPTIONS ('password' = 'hunter22')"
    subject = example("spark", "spark", sql, properties=(("api-key", "hunter22"),))
    found = list(secret_in_view.check(subject))
    assert [finding.message for finding in found] == [
        "the property api-key holds a secret",
        "the text holds a secret at 2:31: the option password",
    ]
    assert "hunter22" not in repr(found)


def test_no_format_of_a_report_shows_a_secret_of_a_view() -> None:
    (row, *_) = (dict(one) for one in rows() if one["model"] and one["verdicts"])
    view: dict[str, Any] = json.loads(row["model"])
    view["representations"][0]["sql"] = "SELECT 1 FROM t OPTIONS ('password' = 'hunter22')"
    view["properties"] = {"fs.s3a.secret.key": "correcthorse", "plain": "staple"}
    row["model"] = json.dumps(view)
    row["verdicts"] = [
        {**verdict, "message": "near password 'hunter22'"} for verdict in row["verdicts"]
    ]
    formats = [one for one in EVERY if one != PARQUET]  # which is a copy of the warehouse
    made = repr(rendered(formats, 0, [row]))
    assert "hunter22" not in made
    assert "correcthorse" not in made


@pytest.mark.parametrize(
    ("kind", "url"),
    [
        ("mysql", "mysql:/h?password=canary-5e1f"),
        ("mysql", "mysql//u:canary-5e1f@h/db"),
        ("sqlalchemy", "jdbc:oracle:thin:u/canary-5e1f@h:1521/svc"),
        ("postgresql", "host=h user=u password=canary-5e1f dbname=d"),
        ("postgresql", "u:canary-5e1f@h/db"),
    ],
)
def test_a_password_in_a_url_that_is_none_is_not_shown(kind: str, url: str, tmp_path: Path) -> None:
    estate = f'warehouse: w\nsources:\n  a:\n    kind: {kind}\n    url: "{url}"\n'
    (tmp_path / "estate.yaml").write_text(estate, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"is no URL|written without") as raised:
        loader.load(tmp_path / "estate.yaml")
    told = f"{raised.value} {raised.value.hint}"
    assert "canary" not in told
    assert "*****" in told, "the line is shown, at its length"


@pytest.mark.parametrize(
    "text", ["'hive/_HOST@EXAMPLE' is no principal", "crawler@EXAMPLE: no such", "pwd=${env:X}"]
)
def test_what_has_no_password_is_shown(text: str) -> None:
    assert without_logins(text) == text
