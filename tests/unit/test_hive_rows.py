"""Rows of HiveServer2, column by column, of every type that Thrift has for them."""

import pytest
from impala._thrift_gen.TCLIService import ttypes

from connectors.engines.hive import rows_of


def test_a_row_has_numbers_truths_and_texts_beside_each_other() -> None:
    columns = [
        ttypes.TColumn(i32Val=ttypes.TI32Column([1, 0, 3], b"\x02")),
        ttypes.TColumn(stringVal=ttypes.TStringColumn([b"a", "\u00e9".encode(), b""], b"\x04")),
        ttypes.TColumn(doubleVal=ttypes.TDoubleColumn([0.5, 0.0, 1.0], b"\x00")),
        ttypes.TColumn(boolVal=ttypes.TBoolColumn([True, False, False], b"\x00")),
        ttypes.TColumn(binaryVal=ttypes.TBinaryColumn([b"x", b"y", b"z"], b"")),
    ]
    assert rows_of(columns) == [
        (1, "a", 0.5, True, "x"),
        (None, "\u00e9", 0.0, False, "y"),
        (3, None, 1.0, False, "z"),
    ]


def test_columns_of_other_lengths_are_no_rows() -> None:
    columns = [
        ttypes.TColumn(i64Val=ttypes.TI64Column([1, 2], b"")),
        ttypes.TColumn(stringVal=ttypes.TStringColumn([b"a"], b"")),
    ]
    with pytest.raises(ValueError, match="zip"):
        rows_of(columns)
