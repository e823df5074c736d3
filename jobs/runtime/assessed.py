"""The tables that `assess` writes: what views read and call, who can read them, and when.

Runs on executors; imports neither pydantic nor the configuration.
"""

from typing import Final

import pyarrow as pa

from jobs.runtime.rows import OF_VIEWS

_TEXTS: Final = pa.list_(pa.string())


def _column(name: str, kind: pa.DataType, meaning: str) -> pa.Field:
    """A column with its meaning."""
    return pa.field(name, kind, metadata={"doc": meaning})


_DIALECT: Final = _column("dialect", pa.string(), "Of the representation.")
_READ_BY: Final = _column(
    "read_by",
    pa.string(),
    "Whose tree it is from: the engine's parser with its version, or sqlglot with its.",
)
_REFERENCE: Final = [
    _column(
        "dialect",
        pa.string(),
        "Of the representation; null: the entry states it beside its texts, as Glue does.",
    ),
    _column("written", _TEXTS, "The name as the text has it, in parts; of Glue, the ARN."),
    _column("catalog", pa.string(), "The catalog that the name means, as the engine calls it."),
    _column("base_source", pa.string(), "Source of the object; null: it is out of the estate."),
    _column("base_namespace", _TEXTS, "Namespace of the object; null: nothing completes it."),
    _column("base_name", pa.string(), "Name of the object."),
    _column("base_key", pa.string(), "Key of the object in its source."),
    _column(
        "read_by",
        pa.string(),
        "Whose tree it is from: the engine's parser with its version, or sqlglot with its; `glue`: "
        "Glue itself says so.",
    ),
]
_CALL: Final = [
    _DIALECT,
    _column("written", _TEXTS, "The name as the text has it, in parts."),
    _column(
        "function_source",
        pa.string(),
        "Source of the function; null: none is known to have it. It may be the engine's own.",
    ),
    _column("function_key", pa.string(), "Its key in `functions`."),
    _READ_BY,
]
_OF_FUNCTIONS: Final = [
    *OF_VIEWS,
    _column("arguments", pa.string(), "Types that tell functions of one name apart."),
    _column("language", pa.string(), "What it is written in, by the source's word."),
    _column("implementation", pa.string(), "The class that it is, where it is one."),
    _column("owner", pa.string(), "Whose it is, where the source says so."),
    _column("message", pa.string(), "Why the functions of this place could not be listed."),
]
_VERDICT: Final = [
    _DIALECT,
    _column("engine", pa.string(), "The engine that it is about."),
    _column("version", pa.string(), "Version of its parser; of an opinion, who has it."),
    _column(
        "grade",
        pa.string(),
        "`PARSE`: whether the engine's parser accepts it; `OPINION`: what sqlglot thinks.",
    ),
    _column("verdict", pa.string(), "`accepted`, `rejected` or `not judged`."),
    _column("message", pa.string(), "What the parser said, or why there is no verdict."),
    _column("line", pa.int32(), "Position in the SQL, counted from 1."),
    _column("column", pa.int32(), "Position in the line, counted from 1."),
]
_FINDING: Final = [
    _DIALECT,
    _column("code", pa.string(), "Code of the check."),
    _column("severity", pa.string(), "`error`: it will not work; `warning`: it may mislead."),
    _column("engine", pa.string(), "The engine that it is about; null: all, or the target."),
    _column("message", pa.string(), "What is wrong."),
    _column("hint", pa.string(), "What to do."),
]


def _nested(name: str, fields: list[pa.Field]) -> pa.Field:
    return pa.field(name, pa.list_(pa.struct([pa.field(one.name, one.type) for one in fields])))


ASSESSED: Final = pa.schema(
    [
        *OF_VIEWS,
        _column("columns", _TEXTS, "Names of its columns, as it declares them."),
        _column("format", pa.string(), "How the entry is stored."),
        _column("resolved", pa.bool_(), "Whether what the view reads is known."),
        _nested("verdicts", _VERDICT),
        _nested("references", _REFERENCE),
        _nested("calls", _CALL),
        _nested("findings", _FINDING),
    ]
)
"""What the executors find of a view, before it is cut into tables."""

REFERENCES: Final = pa.schema(
    [
        *OF_VIEWS,
        *_REFERENCE,
        _column(
            "base_kind",
            pa.string(),
            "`view`, `table`, `missing`; `unread`: it is there and could not be read; `unknown`: "
            "its source cannot say; `outside`: out of the estate.",
        ),
    ]
)
BASES: Final = pa.schema(
    [
        *OF_VIEWS,
        _column("state", pa.string(), "`found`, `missing`, `unread` or `unknown`."),
        _column(
            "columns",
            pa.list_(pa.struct([("name", pa.string()), ("type", pa.string())])),
            "Names and types, in Gravitino's JSON, as they are now; null if they are not known.",
        ),
        _column("message", pa.string(), "Why it could not be read."),
    ]
)
CALLS: Final = pa.schema([*OF_VIEWS, *_CALL])
LISTED_FUNCTIONS: Final = pa.schema(_OF_FUNCTIONS)
"""What the sources say of their functions, before it is compared with what views call."""

FUNCTIONS: Final = pa.schema(
    [
        *_OF_FUNCTIONS,
        _column(
            "state",
            pa.string(),
            "`known`: the source has it, and no view calls it; `both`: a view does; `called`: a "
            "view calls it, and no source is known to have it, so the place is the view's source "
            "and the name as written; `unread`: what is there could not be listed.",
        ),
        _column("views", pa.int64(), "How many views call it."),
    ]
)
FINDINGS: Final = pa.schema([*OF_VIEWS, *_FINDING])
VERDICTS: Final = pa.schema([*OF_VIEWS, *_VERDICT])
WAVES: Final = pa.schema(
    [
        *OF_VIEWS,
        _column("wave", pa.int32(), "Number of the wave, from 0; null if it is set aside."),
        _column("aside", pa.string(), "Why it is set aside; null if it has a wave."),
        _column("because", _TEXTS, "What that is about: source and key of each object."),
    ]
)
MATRIX: Final = pa.schema(
    [
        *OF_VIEWS,
        _column("engine", pa.string(), "The engine."),
        _column(
            "status",
            pa.string(),
            "`native`: written by it and accepted; `portable`: its parser accepts a text of "
            "another dialect; `rejected`; `blocked`: by what the view stands on; `not judged`.",
        ),
        _column("grade", pa.string(), "The grade that proved it; null where nothing did."),
        _column("reason", pa.string(), "A code, or the source and key of what blocks it."),
    ]
)
_LINEAGE: Final = [
    _DIALECT,
    _column("column", pa.string(), "Name of a column of the view, as its text has it."),
    _column("base_source", pa.string(), "Source of the table or view that it comes from."),
    _column("base_key", pa.string(), "Key of that object."),
    _column("base_column", pa.string(), "A column of it that goes into the value."),
    _READ_BY,
]
LINEAGE: Final = pa.schema([*OF_VIEWS, *_LINEAGE])
COMPARED: Final = pa.schema(
    [*OF_VIEWS, _nested("findings", _FINDING), _nested("lineage", _LINEAGE)]
)
"""What the executors find of a view whose bases are known, before it is cut into tables."""

DATASETS: Final = {
    "assessed": ASSESSED,
    "compared": COMPARED,
    "references": REFERENCES,
    "bases": BASES,
    "calls": CALLS,
    "listed_functions": LISTED_FUNCTIONS,
    "functions": FUNCTIONS,
    "findings": FINDINGS,
    "lineage": LINEAGE,
    "verdicts": VERDICTS,
    "waves": WAVES,
    "matrix": MATRIX,
}
BETWEEN: Final = frozenset({"assessed", "compared", "listed_functions"})
"""What is no table: it is cut, or compared, into those."""

VIEW: Final = tuple(field.name for field in OF_VIEWS)
"""The columns that say which view a row is about."""
