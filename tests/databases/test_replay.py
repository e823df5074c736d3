"""What was read of a database is replayed from an archive to the same views, schemas and notes."""

from pathlib import Path

import pytest

from connectors.archive import Archive
from connectors.archive import Options as ArchiveOptions
from tests.databases.crawled import outcomes
from tests.databases.protocol_double import serving
from tests.databases.test_doris_starrocks import SORTS, double


@pytest.mark.parametrize("kind", sorted(SORTS))
def test_an_archive_replays_to_the_same(kind: str, tmp_path: Path) -> None:
    source, options, _ = SORTS[kind]
    with serving(double(kind)) as port:
        read = outcomes(source(options(url=f"{kind}://127.0.0.1:{port}/", user="root")))
    lines = [one.raw for one in read.values() if one.raw]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    again = outcomes(Archive(ArchiveOptions(path=str(tmp_path))))
    assert len(again) == len(lines) > 2
    for name, outcome in again.items():
        assert (outcome.format, outcome.fingerprint, outcome.notes) == (
            kind,
            read[name].fingerprint,
            read[name].notes,
        )
