"""The tables that `assess` writes: what views read and call, who can read them, and when.

Runs on executors; imports neither pydantic nor the configuration.
"""

from dataclasses import replace
from typing import Final

import pyarrow as pa

from jobs.crawling.tables import OF_VIEWS
from jobs.warehouse.datasets import Dataset, StageTables
from jobs.warehouse.rows import column

_TEXTS: Final = pa.list_(pa.string())


_DIALECT: Final = column("dialect", pa.string(), "Of the representation.")
_READ_BY: Final = column(
    "read_by",
    pa.string(),
    "Whose tree it is from: the engine's parser with its version, or sqlglot with its.",
)
_REFERENCE: Final = [
    column(
        "dialect",
        pa.string(),
        "Of the representation; null: the entry states it beside its texts, as Glue does.",
    ),
    column("written", _TEXTS, "The name as the text has it, in parts; of Glue, the ARN."),
    column("catalog", pa.string(), "The catalog that the name means, as the engine calls it."),
    column("base_source", pa.string(), "Source of the object; null: it is of none of the estate."),
    column("base_namespace", _TEXTS, "Namespace of the object; null: nothing completes it."),
    column("base_name", pa.string(), "Name of the object."),
    column("base_key", pa.string(), "Key of the object in its source."),
    column(
        "read_by",
        pa.string(),
        "Whose tree it is from: the engine's parser with its version, or sqlglot with its; `glue`: "
        "Glue itself says so.",
    ),
]
_DRAFTED: Final = [
    field
    for field in _REFERENCE
    if field.name
    in {"written", "catalog", "base_source", "base_namespace", "base_name", "base_key"}
] + [pa.field("base_kind", pa.string())]
_CALL: Final = [
    _DIALECT,
    column("written", _TEXTS, "The name as the text has it, in parts."),
    column(
        "function_source",
        pa.string(),
        "Source of the function; null: none is known to have it. It may be the engine's own.",
    ),
    column("function_key", pa.string(), "Its key in `functions`."),
    _READ_BY,
]
_OF_FUNCTIONS: Final = [
    *OF_VIEWS,
    column("arguments", pa.string(), "Types that tell functions of one name apart."),
    column("language", pa.string(), "What it is written in, by the source's word."),
    column("implementation", pa.string(), "The class that it is, where it is one."),
    column("owner", pa.string(), "Whose it is, where the source says so."),
    column(
        "files",
        pa.list_(pa.struct([("kind", pa.string()), ("uri", pa.string())])),
        "What is loaded for it: `jar`, `file` or `archive`, and where that is; a secret in it is "
        "masked. Null: an older version did not ask.",
    ),
    column("sql", pa.string(), "Its text, of one in Trino's SQL that could be read."),
    column(
        "path",
        _TEXTS,
        "Schemas in which that text finds other functions by short names.",
    ),
    column(
        "takes",
        pa.list_(
            pa.struct([("name", pa.string()), ("type", pa.string()), ("may_lack", pa.bool_())])
        ),
        "What a call gives it, in this order: name, type, whether it may be left out. Null: its "
        "source does not say, or it gives no single value for a row.",
    ),
    column("returns", pa.string(), "Type of what it gives; null as `takes` is."),
    column("message", pa.string(), "Why the functions of this place could not be listed."),
]
_VERDICT: Final = [
    _DIALECT,
    column("engine", pa.string(), "The engine that it is about."),
    column("version", pa.string(), "Version of its parser; of an opinion, who has it."),
    column(
        "grade",
        pa.string(),
        "`LIVE`: whether the running engine gives columns back of the view where it is; "
        "`ANALYZE`: whether the engine gives columns back, over tables as they were crawled; "
        "`PARSE`: whether its parser accepts the text; `OPINION`: what sqlglot thinks.",
    ),
    column("verdict", pa.string(), "`accepted`, `rejected` or `not judged`."),
    column("message", pa.string(), "What the parser said, or why there is no verdict."),
    column("line", pa.int32(), "Position in the SQL, counted from 1."),
    column("column", pa.int32(), "Position in the line, counted from 1."),
    column("asked", pa.string(), "Of `LIVE`: when, in UTC."),
    column("query", pa.string(), "Of `LIVE`: the engine's own name of the query that decided."),
    column("seconds", pa.float64(), "Of `LIVE`: how long the answer took, with waiting its turn."),
]
_FINDING: Final = [
    _DIALECT,
    column("code", pa.string(), "Code of the check."),
    column("severity", pa.string(), "`error`: it will not work; `warning`: it may mislead."),
    column("engine", pa.string(), "The engine that it is about; null: all, or the target."),
    column("message", pa.string(), "What is wrong."),
    column("hint", pa.string(), "What to do."),
]


_QUESTION: Final = column(
    "question", pa.string(), "Digest of all that the workers were told of the view."
)


def _nested(name: str, fields: list[pa.Field]) -> pa.Field:
    return pa.field(
        name, pa.list_(pa.struct([pa.field(field.name, field.type) for field in fields]))
    )


ASSESSED: Final = Dataset.of(
    "assessed",
    [
        *OF_VIEWS,
        _QUESTION,
        column("columns", _TEXTS, "Names of its columns, as it declares them."),
        column("format", pa.string(), "How the entry is stored."),
        column("resolved", pa.bool_(), "Whether what the view reads is known."),
        _nested("verdicts", _VERDICT),
        _nested("references", [*_REFERENCE, pa.field("stated", pa.string())]),
        _nested("calls", _CALL),
        _nested("findings", _FINDING),
    ],
    between=True,
)
"""What the executors find of a view, before it is cut into tables."""

ASKED: Final = Dataset.of(
    "asked",
    [*OF_VIEWS, _nested("verdicts", _VERDICT), _nested("findings", _FINDING)],
    between=True,
)
"""What running engines say of views, before it is cut into tables."""

REFERENCES: Final = Dataset.of(
    "references",
    [
        *OF_VIEWS,
        *_REFERENCE,
        column(
            "base_kind",
            pa.string(),
            "`view`, `table`; `metadata` of the table that is named here; `system`: the engine "
            "provides it; `file`: read by its path; `sequence`; `outside`: out of the estate; "
            "`missing`: the view's own engine would not find it; `unread`: it is there and could "
            "not be read; `unknown`: its source cannot say.",
        ),
    ],
)
_COLUMNS_OF_TABLES: Final = pa.list_(
    pa.struct([("name", pa.string()), ("type", pa.string()), ("nullable", pa.bool_())])
)
BASES: Final = Dataset.of(
    "bases",
    [
        *OF_VIEWS,
        column("state", pa.string(), "`found`, `sequence`, `missing`, `unread` or `unknown`."),
        column(
            "columns",
            _COLUMNS_OF_TABLES,
            "Names, types in Gravitino's JSON, and whether NULL is allowed, as they are now; null "
            "if they are not known.",
        ),
        column("message", pa.string(), "Why it could not be read."),
        column(
            "beside_spark",
            _COLUMNS_OF_TABLES,
            "What engines but Spark see where Spark has left its placeholder for the columns; else "
            "null.",
        ),
        column(
            "flink_times",
            pa.list_(pa.struct([("name", pa.string()), ("kind", pa.string())])),
            "Of a table whose columns Flink alone finds, as it has made it: those that are time "
            "attributes, `ROWTIME` or `PROCTIME`; null: it is no such table.",
        ),
        column("acid", pa.bool_(), "Whether it is a table of Hive with transactions."),
    ],
)
CALLS: Final = Dataset.of("calls", [*OF_VIEWS, *_CALL])
LISTED_FUNCTIONS: Final = Dataset.of("listed_functions", _OF_FUNCTIONS, between=True)
"""What the sources say of their functions, before it is compared with what views call."""

FUNCTIONS: Final = Dataset.of(
    "functions",
    [
        *_OF_FUNCTIONS,
        column(
            "state",
            pa.string(),
            "`known`: the source has it, and no view calls it; `both`: a view does; `called`: a "
            "view calls it, and no source is known to have it, so the place is the view's source "
            "and the name as written; `unread`: what is there could not be listed.",
        ),
        column("views", pa.int64(), "How many views call it."),
    ],
)
FINDINGS: Final = Dataset.of("findings", [*OF_VIEWS, *_FINDING])
VERDICTS: Final = Dataset.of("verdicts", [*OF_VIEWS, *_VERDICT])
WAVES: Final = replace(
    Dataset.of(
        "waves",
        [
            *OF_VIEWS,
            column("wave", pa.int32(), "Number of the wave, from 1; null if it is set aside."),
            column("aside", pa.string(), "Why it is set aside; null if it has a wave."),
            column("because", _TEXTS, "What that is about: source and key of each object."),
        ],
    ),
    layout=2,
    from_one=("wave",),
)
MATRIX: Final = Dataset.of(
    "matrix",
    [
        *OF_VIEWS,
        column("engine", pa.string(), "The engine."),
        column(
            "status",
            pa.string(),
            "`native`: written by it and accepted; `portable`: it accepts a text of "
            "another dialect; `rejected`; `blocked`: by what the view stands on; `unreachable`: it "
            "has no way to the store; `not judged`.",
        ),
        column(
            "grade",
            pa.string(),
            "The grade that proved it: `LIVE`, `ANALYZE`, or `PARSE`, which is parsed only; null "
            "where nothing did.",
        ),
        column(
            "reason",
            pa.string(),
            "A code, or the source and key of what blocks it; of `native` and `portable` the "
            "setting that this hangs on: `with …`, and the view below that makes it less sure: "
            "`no surer than …`.",
        ),
    ],
)
_LINEAGE: Final = [
    _DIALECT,
    column("column", pa.string(), "Name of a column of the view, as its text has it."),
    column("base_source", pa.string(), "Source of the table or view that it comes from."),
    column("base_key", pa.string(), "Key of that object."),
    column("base_column", pa.string(), "A column of it that goes into the value."),
    _READ_BY,
]
LINEAGE: Final = Dataset.of("lineage", [*OF_VIEWS, *_LINEAGE])
DRAFTS: Final = Dataset.of(
    "drafts",
    [
        *OF_VIEWS,
        column("dialect", pa.string(), "That the view has no text in, and `drafts` asks for."),
        column("translator", pa.string(), "Who was asked for one: `coral` or `sqlglot`."),
        column("translated_from", pa.string(), "Dialect of the text that it began with, if any."),
        column("state", pa.string(), "`shown`: it may be adopted; or `refused`."),
        column(
            "grade",
            pa.string(),
            "What proves a draft that is shown: `ANALYZE`: its engine gives back the columns that "
            "the view declares; `RESULTS`: and both texts gave the same of made-up rows.",
        ),
        column("code", pa.string(), "Why it is refused."),
        column("message", pa.string(), "Why, in words; of one that is shown, what of its rows."),
        column("said", pa.string(), "The class of the engine's message, where it rejects it."),
        column("line", pa.int32(), "Position in the draft, counted from 1."),
        column("column", pa.int32(), "Position in the line, counted from 1."),
        column("sql", pa.string(), "The draft, if it is shown."),
        column("default_catalog", pa.string(), "That completes its names."),
        column("default_levels", _TEXTS, "The same: levels of a namespace, outermost first."),
        column(
            "reads",
            _nested("reads", _DRAFTED).type,
            "What it reads, as rows of `references` have it, by the names in the draft.",
        ),
    ],
)
"""One row for each view and each dialect that is asked for and that it does not have."""

DRAFTED: Final = replace(DRAFTS, name="drafted", between=True)
"""The same, before it is known whether the views below can be read."""

COMPARED: Final = Dataset.of(
    "compared",
    [
        *OF_VIEWS,
        _QUESTION,
        _nested("findings", _FINDING),
        _nested("lineage", _LINEAGE),
        _nested("verdicts", _VERDICT),
    ],
    between=True,
)
"""What the executors find of a view whose bases are known, before it is cut into tables."""

DATASETS: Final = (
    ASSESSED,
    ASKED,
    COMPARED,
    REFERENCES,
    BASES,
    CALLS,
    LISTED_FUNCTIONS,
    FUNCTIONS,
    FINDINGS,
    LINEAGE,
    VERDICTS,
    DRAFTED,
    DRAFTS,
    WAVES,
    MATRIX,
)

STAGE: Final = StageTables("assess", DATASETS, "run `belvedere assess --run-id {run_id}` again")
VIEW: Final = tuple(field.name for field in OF_VIEWS)
"""The columns that say which view a row is about."""
