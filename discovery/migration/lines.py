"""A change as people see it: a line of `changes.jsonl`, whose name is a digest of all it says."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from discovery.migration.plan import Planned

FREE: Final = frozenset({"change", "adopt"})
"""Members of a line that are not part of its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A change as people see it.

    Attributes:
        target: Name of the target.
        action: What is done.
        namespace: Levels at the target.
        name: Name at the target.
        wave: Number of the wave; None: last.
        reason: Why.
        losses: What of the view the target cannot hold.
        origins: Source and key, joined by a slash, of the views that it is made of.
        before: Fingerprint of what is there; None: nothing.
        after: Fingerprint of the view as it will be there.
        drafts: Dialects of which there is a draft.
    """

    target: str
    action: str
    namespace: tuple[str, ...]
    name: str
    wave: int | None
    reason: str | None
    losses: tuple[str, ...]
    origins: tuple[str, ...]
    before: str | None
    after: str | None
    drafts: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """For the file."""
        members: dict[str, object] = {
            "target": self.target,
            "action": self.action,
            "namespace": list(self.namespace),
            "name": self.name,
            "wave": self.wave,
            "reason": self.reason,
            "losses": list(self.losses),
            "from": list(self.origins),
            "before": self.before,
            "after": self.after,
            "drafts": list(self.drafts),
        }
        return {"change": change_name(members), **members}


def line_of(planned: Planned) -> Line:
    """The line of a change."""
    wanted, draft = planned.wanted, planned.wanted.draft
    return Line(
        target=wanted.address.target,
        action=planned.action.value,
        namespace=wanted.address.identifier.namespace,
        name=wanted.address.identifier.name,
        wave=wanted.wave,
        reason=planned.reason_text,
        losses=wanted.losses,
        origins=tuple(f"{origin.source}/{origin.key}" for origin in wanted.origins),
        before=planned.present.fingerprint if planned.present is not None else None,
        after=wanted.model.fingerprint,
        drafts=draft.dialects if draft is not None else (),
    )


def change_name(line: Mapping[str, object]) -> str:
    """The name of a change: a digest of its line, so that an edited line is seen."""
    members = {key: value for key, value in line.items() if key not in FREE}
    text = json.dumps(members, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
