"""Configurations that are no YAML, no text, or no end: a sentence with the place for each."""

from pathlib import Path

import pytest

from jobs.configuration import loader
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
    ],
)
def test_what_is_malformed_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    assert any(line.startswith(told) for line in problems(tmp_path, text)), told


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
