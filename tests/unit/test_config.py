import json
import pickle
import time
from pathlib import Path

import pytest

from connectors import registry
from connectors.clients.credentials import Secret, redacted
from discovery.errors import ConfigurationError
from jobs.configuration import loader, options
from jobs.configuration.engines import versions
from jobs.configuration.reading import warehouse_of
from jobs.migrating.rehearsal import at_copies
from reports.quality.model import ExpectationSeverity, Name

REPOSITORY = Path(__file__).parents[2]


def problems(folder: Path, text: str) -> list[str]:
    path = folder / "estate.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        loader.load(path)
    lines = raised.value.message.splitlines()
    return [line.removeprefix(f"{path}:") for line in lines if line.startswith(f"{path}:")]


def test_every_problem_is_told_with_its_place_and_all_at_once(tmp_path: Path) -> None:
    text = """\
warehouse: w
sorces: {}
sources:
  a:
    kind: hms
    uri: thrift:/bad
    conections: 4
  b: {kind: hmss}
  c:
    kind: hms
    uri: thrift://${env:NOT_SET_ANYWHERE}:9083
    batch: 0
  d: {path: x}
mapping:
  - {source: zz, target: y}
engines: [cobol]
"""
    kinds, judges = ", ".join(registry.SOURCES), ", ".join(registry.JUDGES)
    assert problems(tmp_path, text) == [
        "2:1: sorces: is unknown; did you mean 'sources'?",
        "6:5: 'thrift:/bad' is not of the form thrift://host:port",
        "7:5: sources.a.conections: is unknown; did you mean 'connections'?",
        "8:3: sources.b.uri: is missing",
        "8:7: kind 'hmss' is unknown; did you mean 'hms'?",
        "11:5: the environment variable NOT_SET_ANYWHERE is not set",
        "12:5: sources.c.batch: must be 1 or more, and is 0",
        f"13:3: kind is missing; known: {kinds}",
        "15:6: 'zz' is no source; known: a, b, c, d",
        "15:18: 'y' is no target; known: none",
        f"16:11: 'cobol' is no judge; known: {judges}",
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "1:1: must be a map with 'warehouse' and 'sources'"),
        ("warehouse: w\nsources: [", "2:11: expected the node content"),
        ("warehouse: w\nwarehouse: v\nsources: {}", "2:1: found duplicate key"),
        ("warehouse: w", "1:1: sources: is missing"),
        ("warehouse: w\nsources: {}", "2:1: sources: must not be empty"),
    ],
)
def test_a_file_that_is_no_estate(tmp_path: Path, text: str, wanted: str) -> None:
    (problem, *_) = problems(tmp_path, text)
    assert problem.startswith(wanted)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.yaml"):
        loader.load(tmp_path / "nowhere.yaml")


def test_secrets_come_by_reference_and_show_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_PASSWORD", "correct-horse")
    (tmp_path / "key").write_text("battery-staple\n", encoding="utf-8")
    path = tmp_path / "estate.yaml"
    path.write_text(
        """\
warehouse: w
sources:
  pg: {kind: postgresql, url: "postgresql://h/d", user: u, password: "${env:THE_PASSWORD}"}
  hms: {kind: hms, uri: "thrift://h:1", io: {s3.secret-access-key: "${file:key}"}}
""",
        encoding="utf-8",
    )
    read = loader.load(path)
    assert "correct-horse" not in repr(read)
    assert "battery-staple" not in repr(read)
    assert {secret.reveal() for secret in read.secrets} == {"correct-horse", "battery-staple"}
    travelled = pickle.loads(pickle.dumps(read.sources["pg"]))  # noqa: S301
    monkeypatch.delenv("THE_PASSWORD")
    assert travelled.options.password.reveal() == "correct-horse"


def test_a_literal_secret_is_refused(tmp_path: Path) -> None:
    text = "warehouse: w\nsources:\n  pg: {kind: postgresql, url: 'postgresql://h/d', password: pw}"
    (problem,) = problems(tmp_path, text)
    assert problem.startswith("3:51: sources.pg.password: must be a reference, ${env:NAME}")
    text = "warehouse: w\nsources:\n  pg: {kind: postgresql, url: 'postgresql://u:pw@h/d'}"
    (problem,) = problems(tmp_path, text)
    assert (
        problem
        == "3:3: a password in the URL (take it out of the URL; write password: ${env:NAME})"
    )


def test_other_values_may_come_by_reference_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HMS_HOST", "metastore.example")
    path = tmp_path / "estate.yaml"
    text = "warehouse: w\nsources: {hms: {kind: hms, uri: 'thrift://${env:HMS_HOST}:9083'}}"
    path.write_text(text, encoding="utf-8")
    assert loader.load(path).sources["hms"].options.uri == "thrift://metastore.example:9083"


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    path = tmp_path / "estate.yaml"
    path.write_text("warehouse: w\nsources: {a: {kind: archive, path: x}}", encoding="utf-8")
    read = loader.load(path)
    assert read.warehouse == str(tmp_path / "w")
    assert read.sources["a"].options.path == str(tmp_path / "x")


@pytest.mark.parametrize("kind", sorted(filter(registry.read_only, registry.SOURCES)))
def test_a_database_is_no_target(tmp_path: Path, kind: str) -> None:
    text = (
        "warehouse: w\nsources: {a: {kind: archive, path: x}}\n"
        f"targets:\n  shop:\n    kind: {kind}\n    url: 'x://h/d'"
    )
    (problem,) = problems(tmp_path, text)
    assert problem == (
        f"5:5: kind '{kind}' is no target: CREATE VIEW not supported for JDBC catalogs, nor are "
        "ALTER and DROP. Use an IRC-backed catalog (served by Iceberg REST) for managed views."
    )


@pytest.mark.parametrize("kind", sorted(registry.NO_STORES))
def test_a_source_that_is_no_target_says_what_is(tmp_path: Path, kind: str) -> None:
    sources = "sources: {a: {kind: archive, path: x}}"
    text = f"warehouse: w\n{sources}\ntargets: {{t: {{kind: {kind}}}}}"
    (problem,) = problems(tmp_path, text)
    assert problem == f"3:15: kind '{kind}' is no target: {registry.NO_STORES[kind]}"
    assert "say `kind: " in problem
    if kind == "glue":
        assert "Iceberg's catalog in Glue has no views" in problem


def test_the_warehouse_alone_is_read_whatever_else_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "estate.yaml"
    path.write_text("warehouse: ${env:WHERE}/w\nsources: {a: {kind: nonsense}}", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="WHERE is not set"):
        warehouse_of(path)
    monkeypatch.setenv("WHERE", "there")
    assert warehouse_of(path) == str(tmp_path / "there" / "w")
    path.write_text("sources: {}", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="warehouse: is missing"):
        warehouse_of(path)


def test_the_only_target_gets_all_sources(tmp_path: Path) -> None:
    path = tmp_path / "estate.yaml"
    text = (
        "warehouse: w\nsources: {a: {kind: archive, path: x}, b: {kind: archive, path: y}}\n"
        "targets: {t: {kind: gravitino-store, url: 'postgresql://h/d', metalake: m, catalog: c}}"
    )
    path.write_text(text, encoding="utf-8")
    assert loader.load(path).mapping == {"a": "t", "b": "t"}


def test_the_published_schema_is_current() -> None:
    published = json.loads((REPOSITORY / "docs" / "estate.schema.json").read_text(encoding="utf-8"))
    assert published == options.json_schema(), "say: make docs"


def test_options_of_glue_have_the_names_that_gravitino_gives_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET", "canary-91aa")
    text = """\
warehouse: w
sources:
  g:
    kind: glue
    aws-region: eu-west-1
    aws-access-key-id: AKIA
    aws-secret-access-key: ${env:AWS_SECRET}
"""
    path = tmp_path / "estate.yaml"
    path.write_text(text, encoding="utf-8")
    options = loader.load(path).sources["g"].options
    assert (options.aws_region, options.aws_access_key_id) == ("eu-west-1", "AKIA")
    assert options.aws_secret_access_key.reveal() == "canary-91aa"
    assert "canary" not in repr(options)
    wrong = "warehouse: w\nsources:\n  g:\n    kind: glue\n    aws_region: eu-west-1\n"
    assert problems(tmp_path, wrong) == [
        "3:3: sources.g.aws-region: is missing",
        "5:5: sources.g.aws_region: is unknown; did you mean 'aws-region'?",
    ]


@pytest.mark.parametrize("kind", ["gravitino", "gravitino-rest"])
def test_a_store_knows_the_version_that_its_target_states(tmp_path: Path, kind: str) -> None:
    rest = {"uri": "http://h:1", "metalake": "m", "catalog": "c"}
    stated = {"gravitino-rest": rest} if kind == "gravitino" else rest
    target = {"kind": kind, "provider": "hive", "server_version": "2.0.0", **stated}
    head = "warehouse: w\nsources: {a: {kind: archive, path: a}}\n"
    text = f"{head}targets: {{t: {json.dumps(target)}}}"
    path = tmp_path / "estate.yaml"
    path.write_text(text, encoding="utf-8")
    connector = loader.load(path).targets["t"]
    assert (connector.kind, connector.options.server_version) == ("gravitino-rest", "2.0.0")


def test_mistakes_in_the_terms_of_quality_are_told_with_their_places(tmp_path: Path) -> None:
    text = """\
warehouse: w
sources:
  a: {kind: archive, path: x}
quality:
  alow: {}
  allow:
    completeness.red: 1
    drift.vanished: 101
  max_age_hours: 0
  expectations:
    - {name: completeness.read, table: outcomes, type: expect_x}
    - {name: x, table: outcomes, type: SELECT, kwarg: {}}
"""
    unknown, name, share, age, kwarg, kind = problems(tmp_path, text)
    assert unknown.startswith("5:3: quality.alow: is unknown")
    assert name.startswith("7:5: quality.allow.completeness.red")
    assert share.startswith("8:5: quality.allow.drift.vanished: must be 100 or less, and is 101")
    assert age == "9:3: quality.max_age_hours: must be more than 0, and is 0"
    assert kwarg.startswith("12:")
    assert kind.startswith("12:")
    text = text.replace("- {name: x, table: outcomes, type: SELECT, kwarg: {}}", "")
    for wrong in ("  alow: {}\n", "  max_age_hours: 0\n", "    completeness.red: 1\n"):
        text = text.replace(wrong, "")
    (taken,) = problems(tmp_path, text.replace("101", "1"))
    assert taken.endswith("the name 'completeness.read' is taken")


def test_terms_of_quality_are_as_written(tmp_path: Path) -> None:
    path = tmp_path / "estate.yaml"
    path.write_text(
        """\
warehouse: w
sources:
  a: {kind: archive, path: x}
quality:
  allow: {drift.vanished: 1.5}
  severity: {fidelity.types: error}
  required: [fidelity.read-back]
  expectations:
    - {name: x, table: outcomes, type: expect_x, kwargs: {column: owner}, allow: 2}
""",
        encoding="utf-8",
    )
    terms = loader.load(path).quality
    assert (terms.allowed_share(Name.VANISHED), terms.allowed_share(Name.CHANGED)) == (1.5, 20)
    assert terms.severity_of(Name.TYPES) is ExpectationSeverity.ERROR
    assert terms.required == (Name.READ_BACK,)
    assert [(own.name, dict(own.kwargs), own.allow) for own in terms.own] == [
        ("x", {"column": "owner"}, 2)
    ]


ENGINES = """\
warehouse: w
sources:
  a: {kind: archive, path: a}
engines: %s
"""


@pytest.mark.parametrize(
    ("engines", "names", "settings"),
    [
        ("[trino, spark]", ("trino", "spark"), {}),
        ("{trino: {hive_views: true}, spark: }", ("trino", "spark"), {"hive_views": "true"}),
        ("{trino: {hive_views: legacy}}", ("trino",), {"hive_views": "legacy"}),
        ("{trino: {hive_views: false}}", ("trino",), {"hive_views": "false"}),
        ("{trino: {}}", ("trino",), {}),
    ],
)
def test_engines_are_a_list_of_names_or_names_with_settings(
    tmp_path: Path, engines: str, names: tuple[str, ...], settings: dict[str, str]
) -> None:
    (tmp_path / "estate.yaml").write_text(ENGINES % engines, encoding="utf-8")
    config = loader.load(tmp_path / "estate.yaml")
    assert config.engines == names
    assert config.settings.get("trino", {}) == settings


@pytest.mark.parametrize(
    ("engines", "settings"),
    [
        ("{spark: {ansi: false}}", {"spark": {"ansi": "false"}}),
        (
            "{spark: {ansi: true}, flink: {dialect: hive}}",
            {"spark": {"ansi": "true"}, "flink": {"dialect": "hive"}},
        ),
        ("{flink: {dialect: default}}", {"flink": {"dialect": "default"}}),
    ],
)
def test_what_sessions_of_an_engine_begin_with_is_a_setting_of_it(
    tmp_path: Path, engines: str, settings: dict[str, dict[str, str]]
) -> None:
    (tmp_path / "estate.yaml").write_text(ENGINES % engines, encoding="utf-8")
    assert loader.load(tmp_path / "estate.yaml").settings == settings


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ('{flink: {version: "1.20"}}', {"flink": "1.20"}),
        ('{flink: "1.20", spark: 3.5}', {"flink": "1.20", "spark": "3.5"}),
        ("{hive: {version: 4.0}, flink: 2.3}", {"hive": "4.0", "flink": "2.3"}),
        ("{spark: {analyze: false, version: 4.3}, flink: }", {"spark": "4.3"}),
    ],
)
def test_an_estate_says_which_version_of_an_engine_it_runs(
    tmp_path: Path, stated: str, said: dict[str, str]
) -> None:
    (tmp_path / "estate.yaml").write_text(ENGINES % stated, encoding="utf-8")
    assert versions(loader.load(tmp_path / "estate.yaml").settings) == said


def test_where_an_engine_runs_is_no_setting_of_how_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "canary-token")
    stated = "{url: 'https://a:8443', token: '${env:TOKEN}', ca_file: ca.pem, hive_views: true}"
    (tmp_path / "estate.yaml").write_text(ENGINES % f"{{trino: {stated}}}", encoding="utf-8")
    config = loader.load(tmp_path / "estate.yaml")
    assert config.settings == {"trino": {"hive_views": "true"}}
    options = config.running["trino"].options
    assert (options.url, options.ca_file) == ("https://a:8443", str(tmp_path / "ca.pem"))
    assert Secret("canary-token") in config.secrets
    assert "canary" not in repr(config)


@pytest.mark.parametrize(
    ("engines", "wanted"),
    [
        ("{trino: {hive_view: true}}", "engines.trino.hive_view: is unknown"),
        ("{trino: {hive_views: maybe}}", "engines.trino.hive_views"),
        ("{spark: {hive_views: true}}", "hive_views is a setting of trino, not of spark"),
        ("{hive: {ansi: false}}", "ansi is a setting of spark, not of hive"),
        ("{spark: {dialect: hive}}", "dialect is a setting of flink, not of spark"),
        ("{flink: {dialect: spark}}", "engines.flink.dialect"),
        ("{cobol: {}}", "4:11: 'cobol' is no judge"),
        ("[{name: trino}]", "a list of engines has names alone, and {'name': 'trino'} is none"),
        ("[trino: {version: 435}]", "settings stand in a map"),
        ("[5]", "a list of engines has names alone, and 5 is none"),
        ("[null]", "and None is none"),
        ("{flink: {version: 1.19}}", 'there is no flink "1.19" here to judge, but "1.20" or "2.3"'),
        ("{flink: 1.20}", 'no flink "1.2" here to judge, but "1.20" or "2.3", in quotes'),
        ("{flink: true}", "engines.flink"),
        ("{flink: {version: [1]}}", "engines.flink.version"),
        ("{mysql: '8'}", "version is a setting of flink and hive and spark, not of mysql"),
        ("{postgresql: '18'}", "is a setting of flink and hive and spark, not of postgresql"),
        ("{cobol: '85'}", "'cobol' is no judge"),
        ("{spark: {connect: 'http://a'}}", "connect is not of the form sc://host:port"),
        ("{postgresql: {connect: a}}", "postgresql cannot be asked where it runs; engines that "),
        ("{hive: {thrift: a}}", "thrift is not of the form thrift://host:port"),
        ("{flink: {gateway: a}}", "the gateway is not of the form http://host:port"),
        ("{flink: {rate: 1}}", "engines.flink.gateway: is missing"),
        ("{flink: {url: 'http://a'}}", "engines.flink.url: is unknown"),
        ("{trino: {user: me}}", "engines.trino.url: is missing"),
        ("{trino: {url: trino.example}}", "the url is not of the form http://host:port"),
        ("{trino: {url: 'https://a', password: x}}", "engines.trino.password"),
        ("{trino: {url: 'https://a', rate: 0}}", "engines.trino.rate"),
        ("{trino: {url: 'https://a', targets: {x: nowhere}}}", "'nowhere' is no target"),
        ("{trino: {url: 'https://a', conections: 1}}", "engines.trino.conections: is unknown"),
    ],
)
def test_a_setting_that_an_engine_does_not_have_is_told(
    tmp_path: Path, engines: str, wanted: str
) -> None:
    assert any(wanted in problem for problem in problems(tmp_path, ENGINES % engines))


def test_a_copy_of_a_target_is_what_it_says_but_for_what_is_otherwise_there(tmp_path: Path) -> None:
    (tmp_path / "estate.yaml").write_text("""\
warehouse: w
sources: {a: {kind: archive, path: a.jsonl}}
targets:
  t:
    kind: gravitino
    provider: hive
    metalake: m
    catalog: c
    gravitino-rest: {uri: "http://prod:8090", user: u}
    rehearsal: {gravitino-rest: {uri: "http://copy:8090"}}
  alone: {kind: archive, path: x}
""")
    config = loader.load(tmp_path / "estate.yaml")
    run_config = at_copies(config)
    assert config.targets["t"].options.uri == "http://prod:8090"
    assert [*run_config.targets] == ["t"]
    copy = run_config.targets["t"].options
    assert (copy.uri, copy.user, copy.metalake) == ("http://copy:8090", "u", "m")
    assert run_config.terms["t"] == config.terms["t"]
    assert run_config.warehouse == f"{config.warehouse}-rehearsal"


def test_what_is_wrong_with_a_copy_is_told_where_it_stands(tmp_path: Path) -> None:
    text = """\
warehouse: w
sources: {a: {kind: archive, path: a.jsonl}}
targets:
  t:
    kind: archive
    path: x
    rehearsal:
      pfad: y
  u: {kind: archive, path: x, rehearsal: y}
"""
    assert problems(tmp_path, text) == [
        "8:7: targets.t.rehearsal.pfad: is unknown; known: path, connections",
        "9:31: targets.u.rehearsal: must be a map, `key: value`, and is 'y'",
    ]


@pytest.mark.parametrize("text", ["w", "{wave}", "w{wave}{wave}", "w{source}{wave}", ""])
def test_a_pattern_of_tags_has_the_wave_once_after_something(tmp_path: Path, text: str) -> None:
    target = {"kind": "archive", "path": "p", "tags": text}
    sources = {"a": {"kind": "archive", "path": "a.jsonl"}}
    said = json.dumps({"warehouse": "w", "sources": sources, "targets": {"t": target}})
    (told,) = problems(tmp_path, said)
    assert "targets.t.tags: must be a text with {wave} behind something, once, and" in told


@pytest.mark.slow
def test_thousands_of_sources_are_read_in_seconds(tmp_path: Path) -> None:
    each = "kind: hms, uri: 'thrift://h:1', wrong: 1"
    sources = "".join(f"  s{number}: {{{each}}}\n" for number in range(2_000))
    began = time.process_time()
    assert len(problems(tmp_path, f"warehouse: w\nsources:\n{sources}")) == 2_000
    assert time.process_time() - began < 10, "a model was made of the options of each: 20 s"


def test_each_of_many_secrets_is_looked_for_in_each_line_without_being_prepared_anew() -> None:
    secrets = [Secret(f"password-{number:04}") for number in range(2_000)]
    began = time.process_time()
    for _ in range(50):
        assert redacted("with password-0077", secrets) == "with ***"
    assert time.process_time() - began < 5, "each line made patterns of all of them: 0.2 s"
