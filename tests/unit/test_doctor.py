"""What doctor finds where the next command would fail: folders, logs, and who may do what."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from connectors.clients.credentials import Secret
from connectors.memory import MemorySource
from connectors.registry import Connector
from discovery.errors import ConfigurationError, DeniedError
from discovery.outcomes import Failure
from discovery.rights.model import EVERYBODY, Grant, Membership, Privilege, RightsModel
from jobs.configuration import loader
from jobs.doctor import examine
from jobs.examining.places import why_unwritable, why_unwritable_elsewhere
from jobs.examining.workers import ask_grants
from jobs.warehouse.storage import LocalStorage

ESTATE = """warehouse: {warehouse}
sources: {{s: {{kind: archive, path: a}}}}
notify: {{mail: {{folder: {mail}, to: [a@b.example]}}}}
usage:
  - {{kind: trino, path: "logs/{log}*.json"}}
"""


@pytest.mark.parametrize("folder", [".", "new", "new/below"])
def test_a_folder_that_can_be_made_can_be_written_and_nothing_stays(
    tmp_path: Path, folder: str
) -> None:
    assert why_unwritable(str(tmp_path / folder)) == ""
    assert list(tmp_path.iterdir()) == []


def test_where_no_file_can_be_made_says_which_folder_and_why(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    assert f"{tmp_path}/file: Not a directory" == why_unwritable(str(tmp_path / "file" / "w"))
    assert f"{tmp_path}/link: No such file" in why_unwritable(str(tmp_path / "link" / "w"))


def test_of_a_place_elsewhere_its_own_storage_is_asked(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert why_unwritable_elsewhere(str(tmp_path / "w"), LocalStorage()) == ""
    assert list((tmp_path / "w").iterdir()) == []
    assert "Not a directory" in why_unwritable_elsewhere(f"{tmp_path}/file/w", LocalStorage())


def test_places_that_commands_fail_at_are_faults_that_say_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.json").touch()
    estate = tmp_path / "estate.yaml"

    def told(**places: str) -> dict[str, tuple[int, str, str]]:
        estate.write_text(ESTATE.format(**places), encoding="utf-8")
        every = examine(loader.load(estate), quick=True)
        return {one.what: (one.code, one.told, one.hint) for one in every}

    fine = told(warehouse="w", mail="mail", log="a")
    assert fine["warehouse"] == (0, f"{tmp_path}/w can be written", "")
    assert fine["notify.mail.folder"][0] == 0
    assert fine["usage trino"] == (0, "1 file", "")
    wrong = told(warehouse="file/w", mail="file/m", log="b")
    assert [wrong[what][0] for what in ("warehouse", "notify.mail.folder", "usage trino")] == [
        *(2, 2, 2)
    ]
    assert "name another folder as `warehouse`" in wrong["warehouse"][2]
    assert "there is no file" in wrong["usage trino"][1]


@dataclass
class Granting(MemorySource):
    """A source that says of rights what it is told to."""

    answers: Callable[[], Iterator[Grant | Membership | Failure]] = field(default=lambda: iter(()))
    rights_model: RightsModel = RightsModel.HIVE

    def grants(self) -> Iterator[Grant | Membership | Failure]:
        """What it was given."""
        return self.answers()


def connector_of(source: MemorySource) -> Connector:
    class Lent:
        secrets = (Secret("hunter22"),)

        def source(self) -> AbstractContextManager[MemorySource]:
            return nullcontext(source)

    return cast(Connector, Lent())


def some_then(error: Exception | None) -> Callable[[], Iterator[Any]]:
    def answers() -> Iterator[Any]:
        yield Grant(("d",), "v", EVERYBODY, Privilege.SELECT, "SELECT")
        if error is not None:
            raise error

    return answers


def test_rights_that_a_crawl_would_not_be_told_are_a_fault() -> None:
    told = ask_grants("grants", connector_of(Granting(answers=some_then(None))))
    assert told is not None
    assert not told.failed
    denied = some_then(DeniedError("1142: no SELECT on tables_priv for hunter22"))
    told = ask_grants("grants", connector_of(Granting(answers=denied)))
    assert told is not None
    assert told.failed
    assert "tables_priv" in told.told
    assert "hunter22" not in told.told
    assert told.hint == DeniedError.advice
    assert ask_grants("grants", connector_of(MemorySource())) is None


@pytest.mark.parametrize(
    ("crawl", "is_told"),
    [("", True), ("crawl: {grants: false}", True), ("crawl: {grants: true}", False)],
)
@pytest.mark.parametrize(
    ("terms", "column"), [("rights: true", 86), ("rehearsal: {catalog: d, rights: true}", 109)]
)
def test_rights_that_are_to_be_given_have_to_be_asked_for(
    tmp_path: Path, crawl: str, is_told: bool, terms: str, column: int
) -> None:
    estate = tmp_path / "estate.yaml"
    target = (
        "{kind: gravitino-rest, uri: 'http://h:1', metalake: m, catalog: c, provider: hive, "
        f"{terms}}}"
    )
    text = f"warehouse: w\nsources: {{s: {{kind: archive, path: a}}}}\n{crawl}\n"
    estate.write_text(f"{text}targets:\n  t: {target}\n", encoding="utf-8")
    if not is_told:
        assert loader.load(estate).grants
        return
    with pytest.raises(ConfigurationError) as raised:
        loader.load(estate)
    assert "rights: true, and no crawl asks who may do what" in raised.value.message
    assert f"{estate}:5:" in raised.value.message
    assert "`crawl: {grants: true}`" in raised.value.message
