"""A small estate that changes from night to night: a metastore, an Iceberg catalog, a database."""

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pyiceberg.schema import Schema
from pyiceberg.types import IntegerType, NestedField

from jobs.embedded.iceberg import EmbeddedCatalog, NewView
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.embedded.postgres import EmbeddedPostgreSQL, embedded_postgresql
from jobs.embedded.thrift_writer import writer
from tests.conftest import hive_entry, spark_entry
from tests.soak.targets import Targets

FEW: Final = 12  # views of a source that has few: less is not dropped
MANY: Final = 18  # a night costs by the view
SPACES: Final = {"lake": "lakedb", "ice": "icedb", "pg": "pgdb"}
_COLUMN: Final = {"id": 1, "name": "id", "required": False, "type": "int"}
Place = tuple[str, str]
"""A source and the name of a view in it."""


@dataclass
class LivingEstate:
    """The estate, and what is true of it.

    Attributes:
        folder: Of all that it writes.
        metastore: The source `lake`.
        catalog: The source `ice`.
        server: Has the source `pg`, and a target.
        targets: Where the views go.
        views: The text of each view by its place, as the sources have it now.
        lost: The metadata files that are not where they should be, and where they are.
    """

    folder: Path
    metastore: EmbeddedMetastore
    catalog: EmbeddedCatalog
    server: EmbeddedPostgreSQL
    targets: Targets
    views: dict[Place, str] = field(default_factory=dict)
    lost: dict[Path, Path] = field(default_factory=dict)
    _above: dict[Place, set[str]] = field(default_factory=dict)
    _files: dict[str, Path] = field(default_factory=dict)
    _number: int = 0

    def begin(self, chance: random.Random) -> None:
        """Make what never changes, and the first views."""
        roles = ("CREATE ROLE crawler LOGIN", "CREATE ROLE loader LOGIN")
        self.server.execute((*roles, "CREATE DATABASE source"))
        self.targets.begin()
        self._pg("CREATE SCHEMA pgdb", "CREATE TABLE pgdb.t (id int)")
        self._pg("GRANT USAGE ON SCHEMA pgdb TO crawler")
        self._pg("ALTER DEFAULT PRIVILEGES IN SCHEMA pgdb GRANT SELECT ON TABLES TO crawler")
        self.catalog.create_namespace(["icedb"], {})
        table = Schema(NestedField(1, "id", IntegerType(), required=False))
        self.catalog.create_table(["icedb"], "t", table)
        self.catalog.close()
        with writer(self.metastore.uri) as lake:
            lake.create_database("lakedb", (self.metastore.warehouse / "lakedb").as_uri())
            lake.create_table({**hive_entry("t", "", "lakedb"), "tableType": "MANAGED_TABLE"})
        for source in SPACES:
            for _ in range(FEW + 4):
                self.create(source, chance)
        self.write()

    def write(self, exclude: Sequence[str] = (), without: str = "", moved: str = "") -> Path:
        """Write the configuration; where it is.

        Args:
            exclude: What of the metastore is left out.
            without: A source that it has no more.
            moved: The namespace that the metastore's views go to; empty: their own.
        """
        told = self._told()
        told["sources"]["lake"]["exclude"] = list(exclude)
        told["sources"].pop(without, None)
        told["mapping"] = [rule for rule in told["mapping"] if rule["source"] != without]
        for rule in told["mapping"]:
            if moved and rule["source"] == "lake":
                rule |= {"namespace": [moved], "qualify": "adopt"}
        path = self.folder / "estate.yaml"
        path.write_text(json.dumps(told), encoding="utf-8")
        return path

    def at_targets(self) -> set[Place]:
        """Namespace and name of each view, as the targets are to have it."""
        return {(SPACES[source], name) for source, name in self.views}

    def memory(self) -> dict[str, Any]:
        """What is true of it, for `remember`."""
        return {name: getattr(self, name) for name in ("views", "_above", "_files", "_number")}

    def remember(self, memory: Mapping[str, Any]) -> None:
        """Go on as the estate that it was in an earlier process."""
        for name, value in memory.items():
            setattr(self, name, value)
        self.write()

    def change(self, chance: random.Random) -> None:
        """Some of what people do on a day."""
        for _ in range(chance.randint(1, 6)):
            source = chance.choice(list(SPACES))
            mine = sorted(name for one, name in self.views if one == source)
            if len(mine) <= FEW or (len(mine) < MANY and chance.random() < 0.4):
                self.create(source, chance)
                continue
            name = chance.choice(mine)
            fate = chance.random()
            if fate < 0.5:
                self._replace(source, name, chance)
            elif fate < 0.7 and self._rename(source, name):
                continue
            else:
                self._drop(source, name)

    def create(self, source: str, chance: random.Random) -> str:
        """A new view; its name."""
        self._number += 1
        name = f"v{self._number}"
        self._make(source, name, self._text(source, name, chance), chance)
        return name

    def lose_a_file(self, chance: random.Random) -> None:
        """A new view of the Iceberg catalog, whose metadata file is not there."""
        name = self.create("ice", chance)
        path = self._files[name]
        kept = path.with_suffix(".kept")
        path.rename(kept)
        self.lost[path] = kept

    def give_back(self) -> None:
        """What was lost is there again, and who could not log in can."""
        for path, kept in self.lost.items():
            kept.rename(path)
        self.lost.clear()
        self.server.execute([f"ALTER ROLE {role} LOGIN" for role in ("crawler", "loader")])

    def shut_out(self, role: str) -> None:
        """A role cannot log in."""
        self.server.execute([f"ALTER ROLE {role} NOLOGIN"])

    def differences(self, space: str = "") -> list[str]:
        """What is otherwise at the targets than the sources have it; each view has its number.

        Args:
            space: The only namespace that is looked at, where the metastore's views are to be, too.
        """
        wanted = {(SPACES[source], name): sql for (source, name), sql in self.views.items()}
        found = self.targets.there()
        if space:
            wanted = {(space, name): sql for (at, name), sql in wanted.items() if at == "lakedb"}
            found = {place: sql for place, sql in found.items() if place[0] == space}
        both = wanted.keys() & found.keys()
        return [
            *(f"{place} is missing" for place in sorted(wanted.keys() - found.keys())),
            *(f"{place} is too much" for place in sorted(found.keys() - wanted.keys())),
            *(
                f"{place}: {found[place]!r} for {wanted[place]!r}"
                for place in sorted(both)
                if _mark(found[place]) != _mark(wanted[place])
            ),
        ]

    def _text(self, source: str, name: str, chance: random.Random) -> str:
        """What a view reads: the table, or a view that was made before it."""
        below = [one for place, one in self.views if place == source and _age(one) < _age(name)]
        read = chance.choice(below) if below and chance.random() < 0.3 else "t"
        for above in self._above.values():
            above.discard(name)
        self._above.setdefault((source, read), set()).add(name)
        return f"select id from {SPACES[source]}.{read} where id > {chance.randint(0, 10**9)}"

    def _make(self, source: str, name: str, sql: str, chance: random.Random) -> None:
        makers: dict[str, Callable[[], None]] = {
            "lake": lambda: self._make_entry(name, sql, chance),
            "ice": lambda: self._make_iceberg(name, sql),
            "pg": lambda: self._pg(f"CREATE OR REPLACE VIEW pgdb.{name} AS {sql}"),
        }
        makers[source]()
        self.views[source, name] = sql

    def _replace(self, source: str, name: str, chance: random.Random) -> None:
        """Another text; where views are not replaced, dropped and made anew by whatever engine."""
        sql = self._text(source, name, chance)
        if source == "lake":
            self._drop_entry(name)
        self._make(source, name, sql, chance)

    def _rename(self, source: str, name: str) -> bool:
        """Another name, of a view that nothing stands on; whether it has one now."""
        if self._above.get((source, name)):
            return False
        self._number += 1
        new = f"v{self._number}"
        renamed = "UPDATE iceberg_tables SET table_name = ? WHERE table_name = ?"
        renamers: dict[str, Callable[[], None]] = {
            "lake": lambda: self._rename_entry(name, new),
            "ice": lambda: self.catalog.execute(renamed, (new, name)),
            "pg": lambda: self._pg(f"ALTER VIEW pgdb.{name} RENAME TO {new}"),
        }
        renamers[source]()
        self.views[source, new] = self.views.pop((source, name))
        for above in self._above.values():
            if name in above:
                above.remove(name)
                above.add(new)
        return True

    def _rename_entry(self, name: str, new: str) -> None:
        with writer(self.metastore.uri) as lake:
            entry = lake._client.get_table("lakedb", name)
            entry.tableName = new
            lake._client.alter_table("lakedb", name, entry)

    def _make_entry(self, name: str, sql: str, chance: random.Random) -> None:
        made = chance.choice((hive_entry, spark_entry))
        with writer(self.metastore.uri) as lake:
            lake.create_table(made(name, sql, "lakedb"))

    def _make_iceberg(self, name: str, sql: str) -> None:
        self._number += 1  # a metadata file is never written over
        view = NewView([_COLUMN], {"spark": sql}, ("icedb",))
        place = self.catalog.warehouse / "icedb" / f"{name}-{self._number}"
        document = json.dumps(view.metadata(place.as_uri())).encode()
        path = self._files[name] = self.catalog.write_view(["icedb"], place.name, document)
        if ("ice", name) in self.views:
            self.catalog.execute("DELETE FROM iceberg_tables WHERE table_name = ?", (name,))
        renamed = "UPDATE iceberg_tables SET table_name = ? WHERE metadata_location = ?"
        self.catalog.execute(renamed, (name, path.as_uri()))

    def _drop(self, source: str, name: str) -> None:
        """Drop a view, and what stands on it before."""
        for above in sorted(self._above.pop((source, name), ())):
            self._drop(source, above)
        for others in self._above.values():
            others.discard(name)
        droppers: dict[str, Callable[[], None]] = {
            "lake": lambda: self._drop_entry(name),
            "ice": lambda: self.catalog.execute(
                "DELETE FROM iceberg_tables WHERE table_name = ?", (name,)
            ),
            "pg": lambda: self._pg(f"DROP VIEW pgdb.{name}"),
        }
        droppers[source]()
        del self.views[source, name]

    def _drop_entry(self, name: str) -> None:
        with writer(self.metastore.uri) as lake:
            lake.drop_table("lakedb", name)

    def _pg(self, *statements: str) -> None:
        self.server.execute(statements, "source")

    def _told(self) -> dict[str, Any]:
        """The configuration."""
        crawler = {"kind": "postgresql", "url": self.server.url("source"), "user": "crawler"}
        return {
            "warehouse": "warehouse",
            "archive": True,
            "sources": {
                "lake": {"kind": "hms", "uri": self.metastore.uri, "include": ["lakedb"]},
                "ice": {"kind": "iceberg-jdbc", "url": self.catalog.url},
                "pg": crawler,
            },
            **self.targets.told(),
            "crawl": {"full_every": "7d"},
            "engines": [],
            "quality": {"severity": {"drift.vanished": "warning"}},
        }


@contextmanager
def living_estate(folder: Path, *, keeps: bool) -> Iterator[LivingEstate]:
    """The estate, as long as the context lasts, or, where the folder keeps it, for a later one."""
    with (
        embedded_metastore(
            folder / "metastore", heap="400m", in_memory=not keeps, port=_port_of(folder)
        ) as metastore,
        embedded_postgresql(folder / "postgres", keeps=keeps) as server,
    ):
        catalog = EmbeddedCatalog(folder / "iceberg")
        yield LivingEstate(folder, metastore, catalog, server, Targets(folder, server))


def _port_of(folder: Path) -> int:
    """Where the metastore of an earlier process listened: at another port it is another system."""
    if not (folder / "estate.yaml").exists():
        return 0
    (port,) = re.findall(r"thrift://127\.0\.0\.1:(\d+)", (folder / "estate.yaml").read_text())
    return int(port)


def _age(name: str) -> int:
    """The number in a name: those that were made later have a higher one."""
    return int(name[1:])


def _mark(sql: str) -> str:
    """The number in a text, which no other text has."""
    return "".join(filter(str.isdigit, sql.rpartition(">")[2]))
