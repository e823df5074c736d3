"""The tables of a migration: plans, changes, applies, events, verified.

Runs on executors; imports neither pydantic nor the configuration.
"""

from dataclasses import replace
from typing import Final

import pyarrow as pa

from discovery.migration.execution import EventResult
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.rows import column

_TEXTS: Final = pa.list_(pa.string())
_ORIGIN: Final = pa.struct([("source", pa.string()), ("key", pa.string()), ("at", pa.string())])


_PLACE: Final = [
    column("target", pa.string(), "Name of the target; empty: the view goes nowhere."),
    column("namespace", _TEXTS, "Levels at the target, outermost first."),
    column("name", pa.string(), "Name at the target."),
    column("key", pa.string(), "Namespace and name in one text, as in `outcomes`, unfolded."),
]
PLACE: Final = tuple(field.name for field in _PLACE)
KEY: Final = ["target", "key"]
"""By which changes are told apart."""
_MODEL: Final = [
    column(
        "wave",
        pa.int32(),
        "Number of the wave, from 1; null if it is set aside; below 0 where a run is taken back, "
        "the last wave first.",
    ),
    column(
        "origins",
        pa.list_(_ORIGIN),
        "The views that it is made of: source, key, and fingerprint at the time.",
    ),
    column("code", pa.string(), "Why it is blocked or a conflict, as a code."),
    column("reason", pa.string(), "Why, for people."),
    column("losses", _TEXTS, "What of the view the target cannot hold."),
    column("fingerprint", pa.string(), "Of the view as the target shall hold it."),
    column("model", pa.string(), "That view, in canonical JSON."),
    column(
        "drafts",
        _TEXTS,
        "Dialects of which there is a draft: with names that lead where they led, or proposed by a "
        "translator.",
    ),
    column("draft_fingerprint", pa.string(), "Of the view with the drafts."),
    column("draft", pa.string(), "The view with the drafts, in canonical JSON."),
]
_UNSAFE: Final = (pa.field("unsafe", pa.string()), pa.field("unsafe_code", pa.string()))
"""Why the view must not be written as it is, and the code of that."""

CANDIDATES: Final = pa.schema(
    [
        *_PLACE,
        pa.field("rank", pa.int32()),
        pa.field("collisions", pa.string()),
        pa.field("widen", _TEXTS),
        pa.field("query", pa.string()),
        *_UNSAFE,
        *_MODEL,
    ]
)
"""What the rules make of each view, before those that meet at a name are brought together."""

WANTED: Final = pa.schema([*_PLACE, *_UNSAFE, *_MODEL])
"""One row for each name at a target."""

MOVES: Final = pa.schema(
    [
        pa.field("base_source", pa.string()),
        pa.field("base_key", pa.string()),
        pa.field(
            "move",
            pa.struct(
                [
                    ("old_namespace", _TEXTS),
                    ("old_name", pa.string()),
                    ("target", pa.string()),
                    ("namespace", _TEXTS),
                    ("name", pa.string()),
                ]
            ),
        ),
    ]
)
"""The closure: where the plan moves each view."""

PRESENT: Final = Dataset.of(
    "present",
    [
        pa.field("target", pa.string()),
        pa.field("namespace", _TEXTS),
        pa.field("key", pa.string()),
        pa.field("kind", pa.string()),
        pa.field("message", pa.string()),
    ],
    between=True,
)
"""What a target lists; kind `failed`: it could not be listed."""

CHANGES: Final = replace(
    Dataset.of(
        "changes",
        [
            *_PLACE,
            column(
                "action",
                pa.string(),
                "`create`, `replace`, `add-dialect`, `drop`: to be written; `keep`: nothing to do; "
                "`conflict`, `blocked`: set aside.",
            ),
            column(
                "change",
                pa.string(),
                "Name of the change; null where nothing is written, and no draft could be adopted.",
            ),
            *_MODEL,
            column("expected", pa.string(), "Fingerprint of what is there; null: nothing."),
            column("before", pa.string(), "The view that is there, in canonical JSON."),
        ],
    ),
    layout=2,
    from_one=("wave",),
)
DECIDED: Final = Dataset("decided", CHANGES.schema, between=True)
"""The changes before it is known what stands on something that is not written."""

SELECTED: Final = pa.schema([("change", pa.string()), ("adopt", pa.bool_())])
"""What a person has left in a plan: its changes, and whether their drafts are adopted."""

PLANS: Final = Dataset.of(
    "plans",
    [
        column("plan", pa.string(), "Name of the plan."),
        column("crawl", pa.string(), "The run whose views it is about."),
        column("created", pa.timestamp("us", "UTC"), "When it was made."),
        column("undoes", pa.string(), "The run of `apply` that it would undo; null for others."),
        column("targets", pa.string(), "Routes, missing namespaces and counts, as JSON."),
        column("digest", pa.string(), "Digest of `plan.json`; null for what undoes."),
        column(
            "allow_shrink",
            pa.bool_(),
            "Whether it was made with --allow-shrink: a person says that the sources have lost "
            "what the run lacks.",
        ),
    ],
    commits=("plan", "undo", "verify"),
    before=("plan", "undo"),
)
APPLIES: Final = Dataset.of(
    "applies",
    [
        column("run", pa.string(), "Name of the execution of `apply` or `undo`."),
        column("plan", pa.string(), "The plan that was applied."),
        column("principal", pa.string(), "Who applied it."),
        column("started", pa.timestamp("us", "UTC"), "When it began."),
    ],
    commits=("execute",),
)
APPLIED: Final = Dataset.of(
    "applied",
    [
        column("run", pa.string(), "Name of the execution."),
        column("finished", pa.timestamp("us", "UTC"), "When it ended."),
        column("exit_code", pa.int32(), "How it ended; null: it was killed before it noted that."),
    ],
)
EVENTS: Final = Dataset.of(
    "events",
    [
        column("time", pa.timestamp("us", "UTC"), "When the target answered."),
        column("principal", pa.string(), "Who applied the plan."),
        column("run", pa.string(), "Name of the execution."),
        column("attempt", pa.string(), "Name of the attempt at it, of which there may be several."),
        *_PLACE,
        column("action", pa.string(), "What was to be written."),
        column("before", pa.string(), "Fingerprint before; null: nothing was there."),
        column("after", pa.string(), "Fingerprint afterwards; null: it was dropped."),
        column(
            "result",
            pa.string(),
            "`done`; `recovered`: an attempt had written it that was interrupted, or got no "
            "answer; `failed`: the target holds what it held, as far as it said; `refused`: it had "
            "changed since the plan.",
        ),
        column("code", pa.string(), "Code of the failure."),
        column("message", pa.string(), "What was wrong and where."),
        column("hint", pa.string(), "What would be right."),
        column("remains", _TEXTS, "What of an older state stays: files, deleted rows."),
        column(
            "origins",
            pa.list_(_ORIGIN),
            "The views that it is made of, as in `changes`.",
        ),
    ],
    journal_of="execute",
)
INTENDED: Final = Dataset.of(
    "intended",
    [
        column("run", pa.string(), "Name of the execution."),
        column("target", pa.string(), "Name of the target."),
        column("key", pa.string(), "Namespace and name in one text, as in `changes`."),
        column("fingerprint", pa.string(), "Of the view, its drafts adopted or not."),
        column("plan", pa.string(), "The plan that is applied, as in `applies`."),
        column("principal", pa.string(), "Who applies it."),
        column("started", pa.timestamp("us", "UTC"), "When the execution began."),
    ],
)
"""What an execution is about to write, noted before the first write; and its row in `applies`."""

PREPARED: Final = replace(
    Dataset.of(
        "prepared",
        [
            column("run", pa.string(), "Name of the execution."),
            column("attempt", pa.string(), "Name of the attempt at it."),
            column("target", pa.string(), "Name of the target."),
            column(
                "namespace", _TEXTS, "One that was not there, or not as planned, when it looked."
            ),
            column("made", pa.bool_(), "Whether it has made or changed it; null: it was about to."),
            column("edit", pa.string(), "How it was changed, as JSON; null: it was made."),
            column(
                "function",
                pa.string(),
                "The function in it that was made or dropped, as JSON; null: it is about the "
                "namespace.",
            ),
            column(
                "right",
                pa.string(),
                "The role, privilege, member or owner that was given or taken back, as JSON; null: "
                "it is about something else.",
            ),
            column(
                "tag",
                pa.string(),
                "The tag that was made or removed, or those of a view that were changed, as JSON; "
                "null: it is about something else.",
            ),
        ],
    ),
    layout=4,
)
VERIFIED: Final = Dataset.of(
    "verified",
    [
        *_PLACE,
        column(
            "differences",
            _TEXTS,
            "Fields that read back otherwise, or why it could not be read back; empty if all are "
            "equal.",
        ),
    ],
)
VERIFIED_LIVE: Final = Dataset.of(
    "verified_live",
    [
        *_PLACE,
        column("engine", pa.string(), "The engine that was asked at the target."),
        column("version", pa.string(), "Its version; null: it has not said."),
        column(
            "verdict",
            pa.string(),
            "`accepted`: it gives columns back; `rejected`; `not judged`: there was no answer.",
        ),
        column(
            "differences",
            _TEXTS,
            "What of the columns that it shows is not as the plan has them; null: it shows none.",
        ),
        column("message", pa.string(), "What it said, or why there is no answer."),
        column("asked", pa.string(), "When, in UTC."),
        column("query", pa.string(), "Its own name of the query that decided."),
        column("seconds", pa.float64(), "How long the answer took, with waiting its turn."),
        column(
            "rows",
            pa.string(),
            "With `--rows`: `same` or `other` at source and target, or `not compared`; null: the "
            "engine was not asked for rows.",
        ),
        column("compared", pa.int64(), "How many rows of the target were compared."),
        column("rows_message", pa.string(), "What of the rows differs, or why there is no answer."),
    ],
)
DATASETS: Final = (
    PRESENT,
    DECIDED,
    PLANS,
    CHANGES,
    APPLIES,
    APPLIED,
    INTENDED,
    PREPARED,
    EVENTS,
    VERIFIED,
    VERIFIED_LIVE,
)
WRITING: Final = (EventResult.DONE, EventResult.RECOVERED)
"""The results of events with which a view was written."""
WRITTEN: Final = f"result in ('{WRITING[0]}', '{WRITING[1]}')"
"""For SQL: of an event, whether the view was written."""
