"""Views of Hive and Spark in a metastore, and what a real Trino says of them, as recorded.

`tests/golden/hive_views.json` has tables, views of our own, what the parsers of Hive and Spark say
that views read, and Trino's answers; `tests/live/record_hive_views.py` has asked it. Beside our own
there are those of tests/golden/hms that Hive and Spark have written, and `unseen`: views that were
asked about when the rules of `discovery/judging/translating.py` stood.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from discovery.crawl import normalize
from discovery.datatypes import hive
from discovery.judging.entries import Entry, KnownBase, StoredText
from discovery.judging.translating import TRANSLATED, coral_entry
from discovery.model import HIVE, SPARK, Column, Identifier, View
from discovery.outcomes import Listed, RawObject
from tests.conftest import hive_entry, spark_entry, trino_entry

CORPUS: Final = Path(__file__).parent / "golden" / "hive_views.json"
SOURCE: Final = "lake"
_GOLDEN: Final = Path(__file__).parent / "golden" / "hms"
_BY_TRINO: Final = trino_entry("by_trino", "SELECT 1 id", "shop")
_STORAGE: Final = {
    "inputFormat": "org.apache.hadoop.mapred.TextInputFormat",
    "outputFormat": "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
    "serdeInfo": {
        "serializationLib": "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
        "parameters": {},
    },
}
Key = str
"""Database and name, with a dot between them."""


@dataclass(frozen=True)
class Stored:
    """A view as it is in the metastore, and as it is crawled."""

    payload: Mapping[str, Any]
    form: str
    view: View

    @property
    def key(self) -> Key:
        """Of the view."""
        return ".".join((*self.view.identifier.namespace, self.view.identifier.name))

    @property
    def text(self) -> StoredText:
        """As analyzers are told of it."""
        (text,) = self.view.representations
        return StoredText(view=self.view, text=text, form=self.form, source=SOURCE)


def corpus() -> dict[str, Any]:
    """The file."""
    data: dict[str, Any] = json.loads(CORPUS.read_text(encoding="utf-8"))
    return data


def tables(data: Mapping[str, Any], place: str = "") -> Iterator[dict[str, Any]]:
    """Entries of the tables; the place is the folder that their files would be in."""
    for key, columns in data["tables"].items():
        database, name = key.split(".")
        partitions = [pair for pair in columns if name == "by_day" and pair[0] == "dt"]
        yield {
            "dbName": database,
            "tableName": name.lower(),
            "tableType": "EXTERNAL_TABLE",
            "owner": "o",
            "parameters": {"EXTERNAL": "TRUE"},
            "partitionKeys": _columns(partitions),
            "sd": {
                "cols": _columns([pair for pair in columns if pair not in partitions]),
                "location": f"{place}/{database}.db/{name.lower()}",
                **_STORAGE,
            },
        }


def views(data: Mapping[str, Any]) -> dict[Key, Stored]:
    """The views, those that are read before those that read them."""
    by_key: dict[Key, Stored] = {}
    for stored_view in map(stored, (*_own(data["views"]), _BY_TRINO, *_golden())):
        if stored_view is not None:
            by_key.setdefault(stored_view.key, stored_view)
    return by_key


def unseen(data: Mapping[str, Any]) -> dict[Key, Stored]:
    """Views that were asked about when the rules were made."""
    return {
        stored_view.key: stored_view
        for stored_view in map(stored, _own(data["unseen"]))
        if stored_view is not None
    }


def _own(views: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    makers = {HIVE: hive_entry, SPARK: spark_entry}
    for view in views:
        entry = makers[view["form"]](view["name"], view["sql"], view["database"])
        names = [name for name, _ in view["columns"]]
        if view["form"] == SPARK:
            entry["parameters"] |= {
                "view.query.out.numCols": str(len(names)),
                **{f"view.query.out.col.{n}": name for n, name in enumerate(names)},
            }
        yield {**entry, "sd": {**_STORAGE, "cols": _columns(view["columns"])}}


def _golden() -> Iterator[dict[str, Any]]:
    paths = (path for pattern in ("hive*", "spark4*") for path in sorted(_GOLDEN.glob(pattern)))
    for path in paths:
        payload: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["raw"]["payload"]
        if payload.get("tableType") == "VIRTUAL_VIEW":
            yield payload


def stored(payload: Mapping[str, Any]) -> Stored | None:
    """An entry as it is crawled; None for what is no view of Hive, Spark or Trino."""
    listed = Listed((payload["dbName"],), payload["tableName"])
    outcome = normalize(RawObject(listed, "hive_table", dict(payload)))
    if not isinstance(outcome.result, View) or outcome.format == "iceberg":
        return None
    return Stored(payload, outcome.format or "", outcome.result)


def _columns(pairs: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    return [{"name": name.lower(), "type": kind} for name, kind in pairs]


def reads(
    data: Mapping[str, Any], stored_view: Stored, by_key: Mapping[Key, Stored]
) -> list[KnownBase]:
    """What a text reads, with the columns that are known; a short name is in its own database."""
    bases = {key.lower(): columns for key, columns in data["tables"].items()}
    database = stored_view.view.identifier.namespace[0]
    return [
        _known_base(tuple(written), database, bases, by_key)
        for written in data["reads"].get(stored_view.key, ())
    ]


def told(
    data: Mapping[str, Any], stored_view: Stored, by_key: Mapping[Key, Stored]
) -> Entry | None:
    """What Coral is told of a view: what it reads, and what the views below do."""
    direct = reads(data, stored_view, by_key)
    under: dict[KnownBase, None] = {}
    left = list(direct)
    for base in left:  # grows while it is walked
        key = ".".join((*base.identifier.namespace, base.identifier.name))
        if base.text:
            unvisited = [
                known_base
                for known_base in reads(data, by_key[key], by_key)
                if known_base not in under
            ]
            under |= dict.fromkeys(unvisited)
            left += unvisited
    return coral_entry(replace(stored_view.text, under=tuple(under)), direct, {})


def _known_base(
    written: tuple[str, ...],
    database: str,
    bases: Mapping[Key, Sequence[Sequence[str]]],
    by_key: Mapping[Key, Stored],
) -> KnownBase:
    place = tuple(part.lower() for part in ((database, *written) if len(written) == 1 else written))
    key = ".".join(place)
    identifier = Identifier(place[:-1], place[-1])
    short = f"default.{place[-1]}"
    in_default = short in bases or short in by_key
    if key in by_key:
        columns: tuple[Column, ...] | None = by_key[key].view.columns
        stored_view = by_key[key]
        text = stored_view.text.text.sql if stored_view.form in TRANSLATED else ""
        return KnownBase(
            written, None, SOURCE, identifier, columns, stored_view.form, in_default, text=text
        )
    pairs = bases.get(key)
    columns = None if pairs is None else tuple(Column(n, hive.parse(kind)) for n, kind in pairs)
    return KnownBase(written, None, SOURCE, identifier, columns, in_default=in_default)
