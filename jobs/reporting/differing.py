"""What differs between two runs, without Spark.

Fingerprints are compared, and only views of unequal ones are read. Of objects that are alike
in both runs, which are nearly all of millions, 16 bytes are kept, and those for a while.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from discovery import wire
from discovery.chunks import chunks
from discovery.judging.drift import (
    ABSENT_CODES,
    CHANGED,
    change_detail,
    outcome_change,
    reading_change,
)
from discovery.migration.diff import differences
from discovery.model import View
from discovery.namespaces import Levels
from jobs.assessing.tables import MATRIX
from jobs.crawling.tables import OUTCOMES
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse
from reports.lines import Row

_MARKED: Final = ("source", "entity", "key", "outcome", "code", "fingerprint")
"""What of an object makes a difference."""
_SEEN: Final = ("namespace", "name", "stage")
_AT_ONCE: Final = 1_000  # keys that files are asked for
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SeenObject:
    """What a run knows of an object.

    Attributes:
        namespace: Of it.
        name: Of it.
        outcome: `view`, `failure` or `skipped`.
        code: Why, if it is no view.
        fingerprint: Of a view.
    """

    namespace: Levels
    name: str
    outcome: str
    code: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class SeenEstate:
    """What a run knows of its estate.

    Attributes:
        objects: Source and key to each that was looked for, tables aside.
        sources: Names of those whose counts agree.
        holes: Source and namespace of what could not be listed.
    """

    objects: Mapping[Key, SeenObject]
    sources: frozenset[str]
    holes: frozenset[tuple[str, Levels]]

    def knows(self, source: str, namespace: Levels) -> bool:
        """Whether it would have listed what is there."""
        above = (namespace[:depth] for depth in range(len(namespace) + 1))
        return source in self.sources and not any((source, place) in self.holes for place in above)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something that is otherwise in the later run.

    Attributes:
        sort: One of the sorts of drift.
        source: Of the object.
        namespace: Of it.
        name: Of it.
        key: Of it.
        detail: The fields that differ, codes, or why it is unknown.
    """

    sort: str
    source: str
    namespace: Levels
    name: str
    key: str
    detail: tuple[str, ...] = ()


def find_differences(before: SeenEstate, now: SeenEstate) -> Iterator[Difference]:
    """What differs, by source and key; of a view that has changed, the fields are not known yet."""
    for key in sorted(before.objects.keys() | now.objects.keys()):
        was, is_now = before.objects.get(key), now.objects.get(key)
        seen_object = is_now or was
        if seen_object is not None and (
            change := _sort_of_change(key[0], was, is_now, before, now)
        ):
            yield _difference(key, seen_object, *change)


def differing(warehouse: Warehouse, earlier: Run, later: Run) -> Iterator[Difference]:
    """What differs between two runs, by sort, source and key."""
    was_there, is_there = _read_marks(warehouse, earlier), _read_marks(warehouse, later)
    before, now = (
        _read_estate(warehouse, earlier, is_there),
        _read_estate(warehouse, later, was_there),
    )
    del was_there, is_there
    all_differences = list(find_differences(before, now))
    changed = [
        (difference.source, difference.key)
        for difference in all_differences
        if difference.sort == CHANGED
    ]
    was = dict(_read_views(warehouse, earlier, changed))
    is_now = dict(_read_views(warehouse, later, changed))
    for difference in all_differences:
        place = difference.source, difference.key
        if difference.sort != CHANGED:
            yield difference
            continue
        yield replace(difference, detail=differences(was[place], is_now[place]))


def engines_differing(warehouse: Warehouse, earlier: Run, later: Run) -> Iterator[Difference]:
    """Views that an engine read and reads no more, or the other way; unknown is neither."""
    was, now = (_read_statuses(warehouse, run) for run in (earlier, later))
    moved: defaultdict[tuple[Key, str], set[str]] = defaultdict(set)
    for (place, engine), before in was.items():
        if sort := reading_change(before, now.get((place, engine), "")):
            moved[place, sort].add(engine)
    objects = _read_estate(warehouse, later).objects if moved else {}
    for (place, sort), engines in moved.items():
        if seen_object := objects.get(place):
            yield _difference(place, seen_object, sort, tuple(sorted(engines)))


def _difference(
    place: Key, seen_object: SeenObject, sort: str, detail: tuple[str, ...]
) -> Difference:
    return Difference(
        sort=sort,
        source=place[0],
        namespace=seen_object.namespace,
        name=seen_object.name,
        key=place[1],
        detail=detail,
    )


def _read_statuses(warehouse: Warehouse, run: Run) -> dict[tuple[Key, str], str]:
    """What engines could do with views of a run: view and engine to the status."""
    columns = ("source", "key", "engine", "status")
    return {
        ((row["source"], row["key"]), row["engine"]): row["status"]
        for row in warehouse.table(MATRIX, run.run_id, columns=columns)
    }


def _sort_of_change(
    source: str,
    was: SeenObject | None,
    now: SeenObject | None,
    before: SeenEstate,
    later: SeenEstate,
) -> tuple[str, tuple[str, ...]] | None:
    """The sort of a change, and its detail; None: there is none."""
    if was is not None and now is not None and was.outcome == now.outcome == "view":
        return (CHANGED, ()) if was.fingerprint != now.fingerprint else None
    seen_object, other = (now, before) if was is None else (was, later)
    if seen_object is None:
        return None
    outcome = was.outcome if was else None
    is_known = other.knows(source, seen_object.namespace)
    sort = outcome_change(outcome, now.outcome if now else None, is_known=is_known)
    code = (now.code if now else "") or (was.code if was else "")
    return (sort, change_detail(sort, outcome, code)) if sort else None


def _read_estate(warehouse: Warehouse, run: Run, elsewhere: Collection[bytes] = ()) -> SeenEstate:
    """What a run knows of its estate, from its files; `elsewhere`: marks of what is not wanted."""
    reconciled = frozenset(name for name, counts in run.record.sources.items() if counts.reconciled)
    objects: dict[Key, SeenObject] = {}
    holes: set[tuple[str, Levels]] = set()
    for row in warehouse.table(OUTCOMES, run.run_id, columns=(*_MARKED, *_SEEN)):
        if _is_object(row):
            if not elsewhere or _mark(row) not in elsewhere:
                objects[row["source"], row["key"]] = SeenObject(
                    tuple(row["namespace"]),
                    row["name"],
                    row["outcome"],
                    row["code"] or "",
                    row["fingerprint"] or "",
                )
        elif row["outcome"] == "failure" and (row["entity"] == "source" or row["stage"] == "list"):
            holes.add((row["source"], tuple(row["namespace"])))
    return SeenEstate(objects, reconciled, frozenset(holes))


def _read_marks(warehouse: Warehouse, run: Run) -> frozenset[bytes]:
    """Of the objects of a run: equal ones are seen alike."""
    rows = warehouse.table(OUTCOMES, run.run_id, columns=_MARKED)
    return frozenset(_mark(row) for row in rows if _is_object(row))


def _mark(row: Row) -> bytes:
    return hashlib.blake2b(repr([row[name] for name in _MARKED]).encode(), digest_size=16).digest()


def _is_object(row: Row) -> bool:
    return row["entity"] == "object" and row["code"] not in ABSENT_CODES


def _read_views(
    warehouse: Warehouse, run: Run, places: Iterable[Key]
) -> Iterator[tuple[Key, View]]:
    """Views of a run by source and key."""
    for chunk in chunks(places, _AT_ONCE):
        wanted = set(chunk)
        where = {"outcome": ["view"], "key": sorted({key for _, key in wanted})}
        columns = ("source", "key", "namespace", "model")
        for row in warehouse.table(OUTCOMES, run.run_id, where=dict(where), columns=columns):
            place = row["source"], row["key"]
            if place in wanted:
                view = wire.view_from_json(json.loads(row["model"]), tuple(row["namespace"]))
                yield place, view
