"""Configurations that are no YAML, no text, or no end: a sentence with the place for each."""

import os
import time
import warnings
from pathlib import Path

import pytest

from connectors.archive import Archive, Options
from discovery.errors import ConfigurationError, ListingError
from jobs.configuration import loader, reading
from jobs.configuration.reading import warehouse_of
from jobs.console.session import place_of
from tests.unit.test_config import problems

HEAD = "warehouse: w\nsources: {s: {kind: archive, path: a}}\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('warehouse: "w\\0x"\nsources: {}\n', "1:1: warehouse: has a NUL character"),
        (
            'warehouse: w\nsources: {s: {kind: archive, path: "a\\0"}}\n',
            "2:30: sources.s.path: has a NUL character",
        ),
        (
            "warehouse: w\nsources: {s: {kind: hms, uri: 'thrift://[::1'}}\n",
            "2:11: sources.s: Invalid IPv6 URL",
        ),
        (
            "warehouse: w\nsources: {s: {kind: hms, uri: 'thrift://h:1', headers: {1: x}}}\n",
            "2:57: sources.s.headers.1: must be a text, and is 1",
        ),
        (f"{HEAD}targets: {{t: }}\n", "3:11: targets.t: must be a map, `key: value`, and is empty"),
        (
            HEAD + "targets: {t: {kind: gravitino, provider: hive, gravitino-store: }}\n",
            "3:48: targets.t.gravitino-store.catalog: is missing",
        ),
        (
            f"{HEAD}targets: {{t: {{kind: gravitino, provider: hive, route: gravitino-store}}}}\n",
            "3:32: the store gravitino-store of the route is not configured",
        ),
        ("\x00", "1:1: unacceptable character #x0000"),
        ('warehouse: "w\\ud800"\nsources: {}\n', "1:1: warehouse: has half a surrogate pair"),
        (
            'warehouse: w\nsources: {"a\\nb": {kind: archive, path: a}}\n',
            "2:11: 'a\\nb' is no name",
        ),
        (
            f"{HEAD}targets: {{'': {{gravitino-archive: {{path: a}}}}}}\n",
            "3:11: '' is no name",
        ),
        ("<<: {a: 1}\n", "1:1: a: is unknown"),
        (
            f"{HEAD}mapping: [{{source: x}}]\ntargets: {{? : }}\n",
            "3:12: 'x' is no source; known: s",
        ),
        (
            "warehouse: w\nsources: {? : }\ncrawl: {rate: {x: 1}}\n",
            "3:16: 'x' is no source; known: None",
        ),
        (
            "warehouse: w\nsources:\n  a: &a {kind: archive, path: p, zz: 1}\n  b: {<<: *a}\n",
            "4:3: sources.b.zz: is unknown",
        ),
        (
            f"{HEAD}archive: https://h/?token={'x' * 40}\n",
            "3:1: archive: must be true or false, and is 'https://…",
        ),
        (f"{HEAD}accepted: 2024-02-30\n", "3:11: is no timestamp that can be; a text that"),
        (f"{HEAD}archive: !!bool x\n", "3:10: is no bool that can be; a text that"),
        (f"{HEAD}fail_on: {{unread: {'9' * 5_000}}}\n", "3:19: is no int that can be; a text that"),
        (f"{HEAD}fail_on: {{unread: 0x{'f' * 5_000}}}\n", "3:19: is too long a number"),
        ("warehouse: ''\nsources: {}\n", "1:1: warehouse: is empty; `.` is this folder"),
        ("warehouse: ~/w\nsources: {}\n", "1:1: warehouse: begins with ~, which only shells know"),
        (
            f"{HEAD}jars_dir: file:/jars\n",
            "3:1: jars_dir: is neither a path nor a URI: URIs begin with file://",
        ),
        (
            "warehouse: w\nsources: {s: {kind: archive, path: ' '}}\n",
            "2:30: sources.s.path: is empty",
        ),
        (
            "warehouse: w\nsources: {s: {kind: hms, uri: 'thrift://h:1', timeout: .inf}}\n",
            "2:47: sources.s.timeout: must be 604800 or less, and is inf",
        ),
        (
            "warehouse: w\nsources: {s: {kind: archive, path: a, connections: 1000000000}}\n",
            "2:39: sources.s.connections: must be 100000 or less, and is 1000000000",
        ),
        (
            f"{HEAD}catalogs: {{TRINO: {{a: s}}, trinos: {{a: s}}}}\n",
            "3:12: 'TRINO' is no engine; did you mean 'trino'?",
        ),
        (
            f"{HEAD}mapping: [{{source: s, name: '{{nmae}}_x'}}]\n",
            "3:23: mapping.0.name: {nmae} stands for nothing; did you mean '{name}'?",
        ),
        (
            f"{HEAD}mapping: [{{source: s, namespace: ['{{name}}']}}]\n",
            "3:23: mapping.0.namespace: {name} stands for nothing; known: {source}",
        ),
        (
            f"{HEAD}mapping: [{{source: s, namespace: ['prod_*']}}]\n",
            "3:23: mapping.0.namespace: 'prod_*': `*` stands for the view's own levels",
        ),
        (
            f"{HEAD}engines: {{trino: {{ulr: 'http://h:1'}}}}\n",
            "3:19: engines.trino.ulr: is unknown; did you mean 'url'?",
        ),
        (
            f"{HEAD}engines: {{trino: {{hive_veiws: true}}}}\n",
            "3:19: engines.trino.hive_veiws: is unknown; did you mean 'hive_views'?",
        ),
        (
            "warehouse: s3a://k:hunter2@b/w\nsources: {s: {kind: archive, path: a}}\n",
            "1:1: warehouse: has a secret in it, and is shown: take it out",
        ),
        (
            f"{HEAD}openlineage: {{url: 'https://h/?token=hunter2'}}\n",
            "3:15: openlineage.url: has a secret in it, and is shown: take it out",
        ),
        (
            "warehouse: w\nsources: {s: {kind: iceberg-rest, uri: 'https://h/?token=hunter2'}}\n",
            "2:35: a secret stands in uri (take it out of uri: it is an option of its own, ",
        ),
        (
            f"{HEAD}rights: [{{role: 'r_{{nam}}'}}]\n",
            "3:11: rights.0.role: {nam} stands for nothing; did you mean '{name}'?",
        ),
        (
            "warehouse: w\nsources: {s: {kind: archive, path: a, include: !all sales.*}}\n",
            "2:48: a tag that is unknown; a text that begins with ! stands in quotes",
        ),
        (
            "warehouse: w\nsources: {s: {kind: archive, path: a, include: [!sales.* ]}}\n",
            "2:49: a tag that is unknown",
        ),
        (f"{HEAD}? [a, b]\n: c\n", "3:3: is no key: a text in quotes is"),
        (f"{HEAD}2024-01-01: c\n", "3:1: is no key: a text in quotes is"),
        (f"{HEAD}archive: 2024-01-01\n", "3:1: archive: must be true or false, and is 2024-01-01"),
        (f"{HEAD}jars_dir: a\0b\n", "3:12: unacceptable character #x0000"),
        (
            f"{HEAD}fail_on: {{unread: true}}\n",
            "3:11: fail_on.unread: must be a number, and is true or false",
        ),
        (
            f"{HEAD}crawl: {{rate: {{s: true}}}}\n",
            "3:9: crawl.rate: s must be a number, and is true or false",
        ),
        (
            f"{HEAD}crawl: {{rate: true}}\n",
            "3:9: crawl.rate: must be a map, `key: value`, and is true",
        ),
        (
            "warehouse: w\nsources: {s: {kind: archive, path: a, connections: true}}\n",
            "2:39: sources.s.connections: must be a number, and is true or false",
        ),
        (
            f"{HEAD}jars_dir: ${{HOME}}/jars\n",
            "3:1: jars_dir: ${HOME} is no reference: write ${env:NAME} or ${file:PATH}",
        ),
        (f"{HEAD}jars_dir: ${{ENV:HOME}}/jars\n", "3:1: jars_dir: ${ENV is no reference"),
        (f"{HEAD}jars_dir: '${{env:HOME'\n", "3:1: jars_dir: ${env is no reference"),
        (f"{HEAD}jars_dir: '${{env:}}'\n", "3:1: jars_dir: ${env is no reference"),
    ],
)
def test_what_is_malformed_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    assert any(line.startswith(told) for line in problems(tmp_path, text)), told


def test_a_pipe_in_the_place_of_a_file_is_refused_where_it_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ca.pem")
    login = "uri: 'thrift://h:1', tls: true, ca_file:"
    text = f"warehouse: w\nsources:\n  s: {{kind: hms, {login} ca.pem}}\n"
    (told,) = problems(tmp_path, text)
    assert told.startswith("3:50: sources.s.ca_file: ")
    assert told.endswith("ca.pem is a pipe, a socket or a device: name a file")
    (tmp_path / "estate.yaml").write_text(text.replace("ca.pem", "missing.pem"), encoding="utf-8")
    assert (
        loader.load(tmp_path / "estate.yaml").sources["s"].options.ca_file.endswith("missing.pem")
    )


@pytest.mark.parametrize(
    "option", ["tls: 'https://h/?token=hunter2'", "kind: paimon, metastore: 'https://u:hunter2@h/'"]
)
def test_what_a_mistake_quotes_shows_no_secret(tmp_path: Path, option: str) -> None:
    kind = "" if "kind" in option else "kind: hms, "
    path = tmp_path / "estate.yaml"
    path.write_text(f"warehouse: w\nsources:\n  s: {{{kind}{option}}}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        loader.load(path)
    assert "https://" in raised.value.message
    assert "hunter2" not in raised.value.message


def test_catalogs_of_an_engine_that_we_do_not_know_are_taken(tmp_path: Path) -> None:
    (path := tmp_path / "estate.yaml").write_text(f"{HEAD}catalogs: {{mssql: {{a: s}}}}\n")
    assert loader.load(path).catalogs == {"mssql": {"a": "s"}}


def test_a_key_that_is_there_twice_is_told_without_its_values(tmp_path: Path) -> None:
    entry = "{kind: postgresql, url: 'postgresql://h/d', password: hunter2}"
    text = f"warehouse: w\nsources:\n  s: {entry}\n  s: {entry}\n"
    (told,) = problems(tmp_path, text)
    assert told == '4:3: found duplicate key "s"'


def test_what_is_no_text_is_told_with_its_line(tmp_path: Path) -> None:
    (path := tmp_path / "estate.yaml").write_bytes(b"warehouse: w\n# caf\xe9\n")
    with pytest.raises(ConfigurationError, match=r"estate.yaml:2: is no text in UTF-8"):
        loader.load(path)


@pytest.mark.parametrize("sign", ["x", "'' ", '"" ', "a.", "a:"])
def test_a_value_of_any_length_is_told_at_once(tmp_path: Path, sign: str) -> None:
    began = time.process_time()
    (told,) = problems(tmp_path, f"{HEAD}archive: {sign * (100_000 // len(sign))}\n")[:1]
    assert time.process_time() - began < 5, "each letter began a key: 100 s"
    assert "3:" in told
    assert len(told) < 1000


@pytest.mark.parametrize("value", ["x" * 100_000, "x y " * 25_000])
@pytest.mark.parametrize("entry", ["kind: '{}', path: a", "kind: hms, uri: '{}'"])
def test_a_value_of_any_length_is_shown_in_part(tmp_path: Path, entry: str, value: str) -> None:
    text = f"warehouse: w\nsources:\n  s: {{{entry.format(value)}}}\n"
    told = problems(tmp_path, text)
    assert told
    assert max(map(len, told)) < 1000
    assert "…" in told[0]


def test_aliases_of_aliases_are_refused_before_they_are_written_out(tmp_path: Path) -> None:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 11)]
    text = "\n".join(["a0: &a0 [x, x]", *levels, HEAD])
    assert problems(tmp_path, text) == ["1:1: has more than 100,000 values"]


def test_the_place_of_the_warehouse_may_come_by_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_PLACE", "here")
    path = tmp_path / "estate.yaml"
    text = HEAD.replace("warehouse: w", "warehouse: '${env:SOME_PLACE}/w'")
    path.write_text(f"{text}jars_dir: '${{env:SOME_PLACE}}'\n", encoding="utf-8")
    config = loader.load(path)
    assert config.warehouse == str(tmp_path / "here" / "w")
    assert config.jars_dir == str(tmp_path / "here")


@pytest.mark.parametrize(
    ("kind", "option"),
    [("postgresql", "url"), ("mysql", "url"), ("iceberg-rest", "uri"), ("hms", "uri")],
)
def test_a_url_that_is_none_does_not_show_what_a_reference_came_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, option: str
) -> None:
    monkeypatch.setenv("SOME_SECRET", "canary-77")
    text = f"warehouse: w\nsources: {{s: {{kind: {kind}, {option}: '${{env:SOME_SECRET}}'}}}}\n"
    told = "\n".join(problems(tmp_path, text))
    assert "'***' is" in told
    assert "canary-77" not in told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("", "warehouse: is empty; `.`"),
        ("x\udcff", "the environment variable PLACE is no text"),
    ],
)
def test_a_variable_that_is_empty_or_no_text_names_no_warehouse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, told: str
) -> None:
    monkeypatch.setenv("PLACE", value)
    text = HEAD.replace("warehouse: w", "warehouse: '${env:PLACE}'")
    assert [told in problem for problem in problems(tmp_path, text)] == [True]
    with pytest.raises(ConfigurationError, match=told):
        warehouse_of(tmp_path / "estate.yaml")


def test_a_folder_that_spark_cannot_name_is_told_before_anything_is_crawled(tmp_path: Path) -> None:
    (folder := tmp_path / os.fsdecode(b"b\xffd")).mkdir()
    estate = folder / "estate.yaml"
    estate.write_text("warehouse: w\nsources: {a: {kind: archive, path: a}}\n", encoding="utf-8")
    for read in (loader.load, warehouse_of):
        with pytest.raises(ConfigurationError, match="the name of its folder is no UTF-8"):
            read(estate)
    (tmp_path / "linked.yaml").symlink_to(estate)
    with pytest.raises(ConfigurationError, match="the name of its folder is no UTF-8"):
        loader.load(tmp_path / "linked.yaml")


def test_links_that_lead_round_are_left_to_whoever_opens_them(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (estate := tmp_path / "estate.yaml").write_text(
        "warehouse: loop/w\nsources: {a: {kind: archive, path: loop/a}}\n"
        "notify: {mail: {folder: loop/m, to: [a@b]}}\n",
        encoding="utf-8",
    )
    config = loader.load(estate)
    assert config.warehouse == warehouse_of(estate) == place_of(config.warehouse)
    assert config.warehouse == str(tmp_path / "loop" / "w")
    with (
        Archive(config.sources["a"].options) as archive,
        pytest.raises(ListingError, match="no archive there"),
    ):
        list(archive.listing())


def test_a_file_that_no_system_can_name_is_told_to_commands_that_only_read(tmp_path: Path) -> None:
    path = tmp_path / "estate.yaml"
    path.write_text('warehouse: "${file:a\\0b}"\n', encoding="utf-8")
    message = r"cannot be read: (embedded null byte|open: embedded null character in path)$"  # 3.13
    with pytest.raises(ConfigurationError, match=message):
        warehouse_of(path)


def test_a_file_that_is_too_long_for_any_estate_is_told_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "estate.yaml"
    file.write_bytes(HEAD.encode() + b"#" * 9_000_000)
    with pytest.raises(ConfigurationError, match="1:1: is longer than 8,388,608 bytes"):
        loader.load(file)


def test_more_values_than_any_estate_has_are_not_read_to_their_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_VALUES", 100)
    told = problems(tmp_path, f"{HEAD}include: [{'a,' * 300}\n")
    assert "3:385: has more than 100 values" in told


def test_an_anchor_that_stands_twice_prints_no_warning(tmp_path: Path) -> None:
    file = tmp_path / "estate.yaml"
    file.write_text(HEAD.replace("path: a", "path: a, include: &a [x], exclude: &a [y]"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert loader.load(file).sources["s"].options == Options(
            path=str(tmp_path / "a"), include=("x",), exclude=("y",)
        )


def test_what_another_system_refers_to_is_taken_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "estate.yaml"
    file.write_text(HEAD.replace("path: a", "path: '${system:user.name}'"))
    assert "${system:user.name}" in repr(loader.load(file).sources["s"].options)


@pytest.mark.parametrize("password", ["a:pw22", "a@pw22", "a/pw22", "a pw22", "a#pw22", "a'pw22"])
@pytest.mark.parametrize(
    "entry",
    [
        'warehouse: w\nsources: {s: {kind: postgresql, url: "%s"}}',
        'warehouse: w\nsources: {s: "%s"}',
        HEAD + 'targets: {t: "%s"}',
        HEAD + 'jars_dir: {x: "%s"}',
        HEAD + 'x: "%s" y',
    ],
)
def test_no_password_of_a_url_is_shown_with_a_mistake(
    tmp_path: Path, entry: str, password: str
) -> None:
    path = tmp_path / "estate.yaml"
    path.write_text(entry % f"postgresql://u:{password}@h:1/d", encoding="utf-8")
    with pytest.raises(ConfigurationError) as told:
        loader.load(path)
    shown = f"{told.value} {told.value.hint}"
    assert "pw22" not in shown
    assert "estate.yaml:" in shown


def test_a_port_and_a_sign_behind_it_are_shown_with_a_mistake(tmp_path: Path) -> None:
    lines = problems(tmp_path, f"{HEAD}targets: {{t: 'http://h:80/a@b'}}")
    assert any("'http://h:80/a@b'" in line for line in lines)


CANARY = "hunter22hunter22"


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}jars_dir: [u:{CANARY}@h:5432/d]\n",
        "warehouse: w\nsources: {s: {kind: postgresql, url: u:" + CANARY + "@h:5432/d}}\n",
        f"{HEAD}password: {CANARY}: x\n",
        f"{HEAD}password: !{CANARY}\n",
        f"{HEAD}password: *{CANARY}\n",
        f"{HEAD}pasword: {CANARY}\n",
        f"{HEAD}pass: {CANARY}\n",
        f"{HEAD}tokn: {CANARY}\n",
        f"{HEAD}credential: {{a: {CANARY}}}\n",
        f"{HEAD}credential: {{a: {CANARY}, b: c}}\n",
        f"{HEAD}notify: 'https://hooks.example/{CANARY}'\n",
        f"{HEAD}notify: {{webhook: 'https://hooks.example/{CANARY}'}}\n",
        f"{HEAD}notify: {{webhook: {{url: 'https://hooks.example/{CANARY}', tokn: x}}}}\n",
    ],
)
def test_nothing_that_may_be_a_secret_is_shown_of_a_mistake(tmp_path: Path, text: str) -> None:
    found = problems(tmp_path, text)
    assert found
    assert CANARY not in "\n".join(found)


def test_a_single_brace_of_a_name_is_told(tmp_path: Path) -> None:
    targets = "targets: {t: {kind: archive, path: out}}\n"
    text = f"{HEAD}{targets}mapping: [{{source: s, target: t, name: '{{name'}}]\n"
    assert any("a single { stands for nothing" in line for line in problems(tmp_path, text))
