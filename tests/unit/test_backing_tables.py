"""The tables of a metastore's own database, without one: versions, rows, what the source says."""

from pathlib import Path
from typing import Any

import pytest

from connectors import registry
from connectors.hms_database import entries
from connectors.hms_database.layout import check_version
from connectors.hms_database.source import BYPASS, MetastoreDatabase, Options
from connectors.registry import Connector
from discovery.errors import ConfigurationError, ReadError, UnsupportedVersionError
from discovery.event_log import LoggedSource
from jobs.configuration import loader
from jobs.plan import _remarks

URL = "postgresql://h/metastore"


@pytest.mark.parametrize(
    ("version", "known"),
    [
        ("1.2.0", (1, 2)),
        ("2.3.0", (2, 3)),
        ("3.1.3000.7.1.7.0-551", (3, 1)),
        ("4.0.0-beta-1", (4, 0)),
        ("4.17.0", (4, 17)),
    ],
)
def test_versions_from_1_2_to_4_are_known(version: str, known: tuple[int, int]) -> None:
    assert check_version([version]) == known


@pytest.mark.parametrize("found", [["1.1.0"], ["0.14.0"], ["5.0.0"], [""], [None], ["v3"], []])
def test_other_versions_are_refused_with_what_was_found_and_what_is_known(
    found: list[str | None],
) -> None:
    with pytest.raises(UnsupportedVersionError) as raised:
        check_version(found)
    told = raised.value.message
    assert (repr(found[0]) if found else "0 rows") in told
    assert raised.value.hint


@pytest.mark.parametrize("value", [True, 1, "Y", "1", "t", b"\x01"])
def test_booleans_are_read_as_each_database_keeps_them(value: object) -> None:
    assert entries.truth(value)


@pytest.mark.parametrize("value", [False, 0, "N", "0", "f", b"\x00", None, ""])
def test_what_is_not_true_is_false(value: object) -> None:
    assert not entries.truth(value)


def row(**more: Any) -> dict[str, Any]:
    names = (
        "TBL_NAME OWNER CREATE_TIME LAST_ACCESS_TIME RETENTION VIEW_ORIGINAL_TEXT "
        "VIEW_EXPANDED_TEXT TBL_TYPE IS_REWRITE_ENABLED LOCATION INPUT_FORMAT OUTPUT_FORMAT "
        "IS_COMPRESSED NUM_BUCKETS IS_STOREDASSUBDIRECTORIES SERDE_NAME SLIB"
    )
    ids = dict.fromkeys(("TBL_ID", "SD_ID", "SDS_ID", "CD_ID", "CDS_ID", "SERDE_ID"), 1)
    return {**dict.fromkeys(names.split()), **ids, "SERDES_ID": 1, "TBL_NAME": "v", **more}


EMPTY = entries.Parts(*({},) * 9)


@pytest.mark.parametrize("missing", ["SDS_ID", "CDS_ID", "SERDES_ID", "SERDE_ID"])
def test_an_entry_that_refers_to_a_missing_row_cannot_be_told(missing: str) -> None:
    with pytest.raises(ReadError, match=r"^v: "):
        entries.table(row(**{missing: None}), "d", EMPTY)


@pytest.mark.parametrize(
    ("text", "parameters", "kind"),
    [
        ("SELECT 1", [], "VIRTUAL_VIEW"),
        ("", [("EXTERNAL", "TRUE")], "VIRTUAL_VIEW"),
        (None, [("EXTERNAL", "TRUE")], "EXTERNAL_TABLE"),
        (None, [("EXTERNAL", "true")], "MANAGED_TABLE"),
        (None, [("EXTERNAL", None)], "MANAGED_TABLE"),
    ],
)
def test_an_entry_without_a_type_is_what_the_server_makes_of_it(
    text: str | None, parameters: list[tuple[str, str | None]], kind: str
) -> None:
    found = entries.table(
        row(VIEW_ORIGINAL_TEXT=text), "d", EMPTY._replace(parameters={1: parameters})
    )
    assert found["tableType"] == kind
    assert None not in found["parameters"].values()


def test_a_plan_says_which_sources_bypass_authorization(tmp_path: Path) -> None:
    path = tmp_path / "estate.yaml"
    sources = f"{{a: {{kind: archive, path: x}}, db: {{kind: hms-database, url: '{URL}'}}}}"
    path.write_text(f"warehouse: w\nsources: {sources}", encoding="utf-8")
    assert _remarks(loader.load(path)) == (f"The source db {BYPASS}.",)


def test_it_is_no_target_and_follows_no_events(tmp_path: Path) -> None:
    assert not registry.read_only("hms-database"), "its views move"
    assert not isinstance(MetastoreDatabase(Options(url=URL)), LoggedSource)
    path = tmp_path / "estate.yaml"
    target = f"targets: {{t: {{kind: hms-database, url: '{URL}'}}}}"
    path.write_text(f"warehouse: w\nsources: {{}}\n{target}", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="is no target: a metastore's own database"):
        loader.load(path)


def test_other_databases_and_passwords_in_the_url_are_refused() -> None:
    for url in ("oracle://h/d", "postgresql://u:secret@h/d"):
        with pytest.raises(ConfigurationError) as raised:
            Options(url=url)
        assert "secret" not in str(raised.value)
    assert Connector("hms-database", Options(url="mariadb://h/d")).bypasses() == BYPASS
