"""A place that is written twice, or written and read, is told before views are there twice."""

from pathlib import Path

import pytest

from connectors.registry import STORES
from jobs.configuration import loader, shared_places
from jobs.configuration.loader import RunConfig
from jobs.configuration.shared_places import tell_shared_places
from jobs.doctor import examine
from jobs.plan import _remarks

TOLD = (
    "The target t writes into a folder that the source s reads: its next crawl finds what is"
    " written there, too."
)


def config_of(folder: Path, source: str, target: str) -> RunConfig:
    text = f"""warehouse: w
sources: {{s: {{kind: archive, path: "{source}"}}}}
targets: {{t: {{kind: archive, path: "{target}"}}}}
"""
    (folder / "estate.yaml").write_text(text, encoding="utf-8")
    return loader.load(folder / "estate.yaml")


@pytest.mark.parametrize(
    ("source", "target", "is_told"),
    [
        ("a", "a", True),
        ("a", "a/b", True),
        ("a", "link/b", True),
        ("a/*.json", "a", True),
        ("a/b", "a", False),
        ("a", "ab", False),
        ("a/views.jsonl", "a", False),
        ("s3://a", "s3", False),
    ],
)
def test_a_folder_that_is_written_and_read_is_told(
    tmp_path: Path, source: str, target: str, is_told: bool
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to("a")
    config = config_of(tmp_path, source, target)
    assert list(tell_shared_places(config)) == ([TOLD] if is_told else [])


def test_doctor_and_plan_say_it(tmp_path: Path) -> None:
    config = config_of(tmp_path, "a", "a/b")
    assert TOLD in [diagnosis.told for diagnosis in examine(config, quick=True)]
    assert TOLD in _remarks(config)


TWICE = "The targets a and b write into the same {}: each finds there what the other has written."
READ = (
    "The target a writes into the catalog that the source s reads: its next crawl finds what is"
    " written there, too."
)
STORE = (
    "{kind: gravitino-store, url: 'postgresql://LOCALHOST/g', metalake: m, catalog: c,"
    " accept_unserved: true, provider: hive}"
)


@pytest.mark.parametrize(
    ("source", "targets", "told"),
    [
        ("", ["{kind: archive, path: t}", "{kind: archive, path: link/../t/}"], "folder"),
        ("", ["{kind: archive, path: t}", "{kind: archive, path: t/u}"], ""),
        (
            "",
            ["{kind: hms, uri: 'thrift://h:9083'}", "{kind: iceberg-hive, uri: 'thrift://H:9083'}"],
            "catalog",
        ),
        (
            "",
            [
                "{kind: hms, uri: 'thrift://h:9083'}",
                "{kind: hms, uri: 'thrift://h:9083', catalog: other}",
            ],
            "",
        ),
        ("", ["{kind: hms, uri: 'thrift://h:9083'}", "{kind: hms, uri: 'thrift://h:9084'}"], ""),
        (
            "",
            [
                "{kind: hms, uri: 'thrift://g:9083,thrift://h:9083'}",
                "{kind: hms, uri: 'thrift://H:9083,thrift://i:9083'}",
            ],
            "catalog",
        ),
        (
            "{kind: hms, uri: 'thrift://g:9083,thrift://h:9083'}",
            ["{kind: iceberg-hive, uri: 'thrift://h:9083'}"],
            "read",
        ),
        (
            "",
            [
                "{kind: hms, uri: 'thrift://g:9083,thrift://h:9083'}",
                "{kind: hms, uri: 'thrift://i:9083,thrift://h:9083', catalog: other}",
            ],
            "",
        ),
        (
            "",
            [
                "{kind: iceberg-rest, uri: 'http://localhost/x'}",
                "{kind: iceberg-rest, uri: 'http://127.0.0.1:80/x/'}",
            ],
            "catalog",
        ),
        (
            "",
            [
                "{kind: iceberg-rest, uri: 'http://h/x', warehouse: v}",
                "{kind: iceberg-rest, uri: 'http://h/x', warehouse: w}",
            ],
            "",
        ),
        ("", [STORE, STORE.replace("LOCALHOST", "127.0.0.1:5432")], "catalog"),
        ("", [STORE, STORE.replace("/g'", "/h'")], ""),
        ("", [STORE, STORE.replace("catalog: c", "catalog: d")], ""),
        (
            "{kind: hms, uri: 'thrift://localhost:9083'}",
            ["{kind: hms, uri: 'thrift://[::1]:9083'}"],
            "read",
        ),
        ("{kind: hms, uri: 'thrift://g:9083'}", ["{kind: hms, uri: 'thrift://h:9083'}"], ""),
    ],
)
def test_a_place_is_known_by_whatever_name(
    tmp_path: Path, source: str, targets: list[str], told: str
) -> None:
    (tmp_path / "link").mkdir()
    text = f"""warehouse: w
sources: {{s: {source or "{kind: archive, path: a}"}}}
targets: {{{", ".join(f"{name}: {target}" for name, target in zip("ab", targets, strict=False))}}}
mapping: [{{source: s, target: a}}]
"""
    (tmp_path / "estate.yaml").write_text(text, encoding="utf-8")
    sentences = tuple(tell_shared_places(loader.load(tmp_path / "estate.yaml")))
    assert sentences == {"": (), "read": (READ,)}.get(told, (TWICE.format(told),))


def test_a_target_in_the_warehouse_is_told(tmp_path: Path) -> None:
    told = "The target t writes into the folder of the warehouse, which is for runs alone."
    assert list(tell_shared_places(config_of(tmp_path, "a", "w/t"))) == [told]
    assert list(tell_shared_places(config_of(tmp_path, "a", "w2"))) == []


def test_each_kind_of_target_is_compared() -> None:
    compared = {"archive", *shared_places._WITHIN, *shared_places._FAMILIES}
    assert STORES.keys() == compared, "say in `_WITHIN` which options tell its catalogs apart"
