"""What functions mean in an engine that reads a text of Hive or Spark as it is, by class.

`{home}` stands for the name of the text's engine. Who was asked: `native` and `flink_reads`.
"""

from collections.abc import Mapping
from typing import Final

from sqlglot import exp

QUOTIENT: Final = "of whole numbers it is a fraction to {home}, whole; a decimal has other digits"
PARTED: Final = "it is parted by a pattern to {home}, by its letters"
_OF_MATCH: Final = "without a match it is empty to {home}, NULL"
_OF_LOGARITHM: Final = "of no positive number it is NULL to {home}, NaN or infinite"
IN_BOTH: Final[Mapping[type[exp.Expr], str]] = {
    exp.Stddev: "of all rows to Hive, of a sample",
    exp.Variance: "of all rows to Hive, of a sample; var_samp of one row is 0 to Hive, NULL",
    exp.StddevSamp: "of one row it is 0 to Hive, NULL",
    exp.ArrayContains: "of no array it is false to Hive, NULL",
    exp.Sqrt: "of a negative number it is NULL to Hive, NaN",
}
IN_SPARK: Final[Mapping[type[exp.Expr], str]] = {
    **IN_BOTH,
    exp.Greatest: "with a NULL it is NULL to Hive, the largest of the others",
    exp.Least: "with a NULL it is NULL to Hive, the smallest of the others",
    exp.AddMonths: "from a month's last day it is the last to Hive, the same number",
    exp.MapKeys: "of no map it is an empty array to Hive, NULL",
    exp.ApproxQuantile: "it may lie between two values to Hive, and is one of them",
    exp.Soundex: "of other letters than a to z it is another text",
    exp.Ascii: "of other letters than ASCII's it is another number",
    exp.Initcap: "of words with a tab or the like between them it is another text",
    exp.ArrayUniqueAgg: "its elements have the order of the rows to Hive, another",
    exp.ConcatWs: "of an array it is with `null` to Hive, without",
    exp.ParseUrl: "of what is no URI, as `http://a b/c`, it is a part to Hive, NULL",
    exp.StrToMap: "of NULL it is an empty map to Hive, NULL",
}
IN_TRINO: Final[Mapping[type[exp.Expr], str]] = {
    **IN_BOTH,
    exp.TimeToStr: "its format is read as MySQL's: letters without % stay as they are",
    exp.ArraySize: "of NULL it is -1 to {home}, NULL",
    exp.Ln: _OF_LOGARITHM,
    exp.Log: _OF_LOGARITHM,
    exp.MapKeys: "of no map it is an empty array to {home}, NULL",
    exp.ArrayAgg: "NULLs are left out by {home}, and kept",
    exp.ArrayUniqueAgg: "NULLs are left out by {home}, and kept; the order is another one",
    exp.ConcatWs: "of an array it is with `null` to {home}, and empty of none; without, and NULL",
    exp.RegexpExtract: _OF_MATCH,
}
IN_HIVE: Final[Mapping[type[exp.Expr], str]] = {
    **IN_SPARK,
    exp.ArraySize: "of NULL it is -1 to Hive, NULL",
}
"""Of texts of Spark, with what both make of it, as in `IN_SPARK`."""
SPARKS_IN_TRINO: Final[Mapping[type[exp.Expr], str]] = {
    **{
        kind: IN_TRINO[kind]
        for kind in (
            exp.TimeToStr,
            exp.Ln,
            exp.Log,
            exp.ArrayAgg,
            exp.ArrayUniqueAgg,
            exp.RegexpExtract,
        )
    },
    exp.Greatest: "with a NULL it is the largest of the others to {home}, NULL",
    exp.Least: "with a NULL it is the smallest of the others to {home}, NULL",
    exp.Soundex: "of other letters than a to z it is another text",
    exp.ConcatWs: "of an array that is NULL it is an empty text to {home}, NULL",
}
OF_EMPTY_IN_SPARK: Final[Mapping[type[exp.Expr], str]] = {
    exp.Replace: "an empty text is found between the letters by Hive, nowhere",
    exp.RegexpSplit: "parted by nothing, a text has an empty one at its end to Hive, and has none",
    exp.Split: "parted by nothing, a text has an empty one at its end to Hive, and has none",
}
"""Where the second operand is an empty text that is written out.

Trino 476 finds one between the letters, too, and fails at parting by one (asked on 2026-11-28).
"""
_BOTHS_IN_FLINK: Final[Mapping[type[exp.Expr], str]] = {
    exp.RegexpExtract: _OF_MATCH,
    exp.Initcap: "letters behind a sign, as `_`, or beyond ASCII are others",
    exp.Ln: _OF_LOGARITHM,
    exp.Log: _OF_LOGARITHM,
}
HIVES_IN_FLINK: Final[Mapping[type[exp.Expr], str]] = {
    **IN_BOTH,
    **_BOTHS_IN_FLINK,
    exp.Variance: "of all rows to Hive, of a sample",
    exp.MapKeys: IN_SPARK[exp.MapKeys],
}
SPARKS_IN_FLINK: Final[Mapping[type[exp.Expr], str]] = {
    **_BOTHS_IN_FLINK,
    exp.Typeof: "types have other names",
    **{kind: SPARKS_IN_TRINO[kind] for kind in (exp.Greatest, exp.Least)},
}
