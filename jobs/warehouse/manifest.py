"""A manifest: what a stage has written of a run, file by file, as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from discovery.errors import UnknownLayoutError

LAYOUT: Final = 2
"""Of a warehouse: 1 had neither manifests nor layout numbers."""

UPGRADE: Final = "read it with the belvedere that wrote it, or a later one"
_MEMBERS: Final = ("path", "size", "rows", "footer", "content")
_HEAD: Final = ("layout", "run", "stage", "again", "ended")


@dataclass(frozen=True, slots=True)
class ProvenFile:
    """A file as it was when its stage ended.

    Attributes:
        path: Below the folder of its dataset and run.
        size: In bytes.
        rows: How many it has; 0 where it is no Parquet file.
        footer: SHA-256 of the Parquet footer; empty where it is no Parquet file.
        content: BLAKE2b of all of it; None: it was not computed.
    """

    path: str
    size: int
    rows: int
    footer: str
    content: str | None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a stage has written of a run.

    Attributes:
        stage: Name of the stage.
        again: What to do where something of it is missing.
        ended: Whether it has; if not, it was interrupted, or is at work.
        datasets: Name to files.
        layouts: Name of each dataset to the number of its layout.
        layout: Of the warehouse.
        run: Whose it is, and in whose folder it lies; empty: it was written before manifests said
            so (until 28 November 2026).
    """

    stage: str
    again: str
    ended: bool
    datasets: Mapping[str, tuple[ProvenFile, ...]] = field(default_factory=dict)
    layouts: Mapping[str, int] = field(default_factory=dict)
    layout: int = LAYOUT
    run: str = ""

    def to_json(self) -> bytes:
        """For the file."""
        files = {
            name: {
                "layout": self.layouts.get(name, 1),
                "rows": sum(proven_file.rows for proven_file in proven),
                "files": [
                    {key: getattr(proven_file, key) for key in _MEMBERS} for proven_file in proven
                ],
            }
            for name, proven in self.datasets.items()
        }
        head = {name: getattr(self, name) for name in _HEAD}
        return json.dumps({**head, "datasets": files}, indent=1).encode()

    @classmethod
    def from_json(cls, text: bytes) -> "Manifest":
        """The inverse.

        Raises:
            ValueError, TypeError, KeyError, AttributeError: It is no manifest.
            UnknownLayoutError: It was written by a later belvedere.
        """
        data = json.loads(text)
        if data["layout"] > LAYOUT:
            raise UnknownLayoutError(
                f"has layout {data['layout']}, {LAYOUT} is known", hint=UPGRADE
            )
        stored = data["datasets"]
        files = {
            key: tuple(ProvenFile(**file) for file in item["files"]) for key, item in stored.items()
        }
        layouts = {key: int(item["layout"]) for key, item in stored.items()}
        head = data["stage"], data["again"], data["ended"]
        return cls(*head, files, layouts, data["layout"], str(data.get("run", "")))

    def is_another(self, run_id: str) -> bool:
        """Whether it is of another run than the one in whose folder it lies."""
        return self.run not in {"", run_id}

    def remedy(self, run_id: str) -> str:
        """What to do where something of it is missing, be it the manifest of another run."""
        return self.again.replace(self.run, run_id) if self.is_another(run_id) else self.again
