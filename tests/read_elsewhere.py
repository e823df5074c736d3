"""What a text has that means otherwise elsewhere, where that is known."""

from collections.abc import Mapping, Sequence

from discovery.checks.subject import OtherMeaning
from discovery.formats.spark_mode import Mode
from discovery.lineage.meanings import native
from discovery.model import HIVE, Column
from discovery.ports import Name


def meant_otherwise(
    sql: str,
    dialect: str = HIVE,
    columns: Mapping[Name, Sequence[Column]] | None = None,
    with_flink: bool = True,
    mode: Mode | None = None,
) -> tuple[OtherMeaning, ...]:
    """The same as it is asked by workers; it must be known."""
    meanings = native.meant_otherwise(sql, dialect, columns, with_flink, mode or Mode())
    assert meanings is not None
    return meanings
