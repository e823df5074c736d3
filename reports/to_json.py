"""The report as JSON, for programs."""

import json
from dataclasses import fields

from reports.summary import Summary

VERSION = 1


def render(summary: Summary) -> str:
    """The summary as one JSON object; its layout is `version`ed."""
    data = {
        "version": VERSION,
        "run": summary.run,
        "formats": dict(sorted(summary.formats.items())),
        "verdicts": {
            name: dict(sorted(one.items())) for name, one in sorted(summary.verdicts.items())
        },
        "losses": [_members(one) for one in summary.losses],
        "actions": {
            name: dict(sorted(one.items())) for name, one in sorted(summary.actions.items())
        },
        "different": summary.different,
        "views": [
            {**_members(one), "verdicts": dict(sorted(one.verdicts.items()))}
            for one in summary.views
        ],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _members(one: object) -> dict[str, object]:
    return {field.name: getattr(one, field.name) for field in fields(one)}  # type: ignore[arg-type]  # a dataclass
