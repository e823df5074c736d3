"""Engines on one metastore that make views in it, and are asked whether they read what is there."""

import base64
import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol

import pyspark
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from discovery.model import FLINK, HIVE, SPARK, TRINO
from jobs.embedded.metastore import OPENED
from tests.live.flink_session import Flink
from tests.live.trino_server import Trino

DATABASE: Final = "made"
"""That views are made in."""
PREFIX: Final = {SPARK: "sp", HIVE: "hv", FLINK: "fl", TRINO: "tr"}
"""Of the names of an engine's views."""
_TEXTS: Final = Path(__file__).parent / "estate"
_HIVE: Final = Path(__file__).parent / "hive" / "HiveSession.java"
_ANSWER: Final = re.compile(r"(\d+)\t(done|refused)(?:\t(.*))?")
_BEGIN, _END = "/* Presto View: ", " */"
_SHOWN: Final = 300  # characters of a message
Key = str
"""Database and name, with a dot between them."""
Answers = Mapping[Key, str]
"""To each view why it is refused; empty: it is read."""


def statements(engine: str) -> list[str]:
    """What makes the engine's views: those of its own file, and those of all engines."""
    prefix, found = PREFIX[engine], []
    for name in ("drift", engine):
        for line in (_TEXTS / f"{name}.sql").read_text(encoding="utf-8").splitlines():
            head, _, text = line.partition(": ")
            found.append(f"CREATE VIEW {prefix}_{head} AS {text}")
    return found


def edits(engine: str) -> dict[str, tuple[str, str]]:
    """What makes more of the engine's views, by name, and the text that each is then given."""
    texts: dict[str, list[str]] = json.loads((_TEXTS / "edited.json").read_text(encoding="utf-8"))
    found = {}
    for head, (made, text) in texts.items():
        name = f"{PREFIX[engine]}_{head}"
        found[name] = f"CREATE VIEW {name} AS {made}", text
    return found


def edited(engine: str, entry: Mapping[str, Any], text: str) -> dict[str, Any]:
    """An entry as somebody has left it who gave the view another text, and nothing else.

    Flink finds names with its catalog in an entry, so the text has them, where they are not quoted.
    """
    if engine == TRINO:
        view = json.loads(base64.b64decode(entry["viewOriginalText"][len(_BEGIN) : -len(_END)]))
        packed = base64.b64encode(json.dumps({**view, "originalSql": text}).encode()).decode()
        return {**entry, "viewOriginalText": f"{_BEGIN}{packed}{_END}"}
    if engine == FLINK and "`" not in text:
        text = re.sub(rf"\b({DATABASE})\.", r"hc.\1.", text, flags=re.IGNORECASE)
    return {**entry, "viewOriginalText": text, "viewExpandedText": text}


def quoted(key: Key, quote: str = "`") -> str:
    """As a query names it."""
    return ".".join(f"{quote}{part}{quote}" for part in key.split("."))


class Engine(Protocol):
    """An engine on the metastore."""

    def make(self, made: Sequence[str]) -> list[str]:
        """Carry out the statements in the database `DATABASE`; what is refused, and why."""

    def asked(self, keys: Sequence[Key]) -> Answers:
        """What it says of `SELECT * FROM` each view."""


@dataclass(frozen=True)
class SparkEngine:
    """Spark, with the metastore as its own catalog."""

    session: SparkSession

    def make(self, made: Sequence[str]) -> list[str]:
        """See `Engine`."""
        self.session.sql(f"USE {DATABASE}")
        refused = [f"{one}: {why}" for one in made if (why := self._refusal(one))]
        self.session.sql("USE default")
        return refused

    def asked(self, keys: Sequence[Key]) -> Answers:
        """See `Engine`: its analyzer is asked, nothing is run."""
        return {key: self._refusal(f"SELECT * FROM {quoted(key)}") for key in keys}

    def _refusal(self, sql: str) -> str:
        try:
            self.session.sql(sql)
        except PySparkException as refusal:
            return shown(str(refusal).strip().partition("\n")[0])
        except Py4JJavaError as refusal:  # an entry that its client of the metastore cannot read
            return shown(str(refusal.java_exception.getMessage()).strip().partition("\n")[0])
        return ""


@dataclass(frozen=True)
class HiveEngine:
    """Hive 2.3.10 of its own jars, before those in the PySpark wheel, which has no optimizer."""

    uri: str
    folder: Path
    own: Path

    def make(self, made: Sequence[str]) -> list[str]:
        """See `Engine`."""
        said = self._said([f"use {DATABASE}", *made])[1:]
        return [f"{one}: {why}" for one, why in zip(made, said, strict=True) if why]

    def asked(self, keys: Sequence[Key]) -> Answers:
        """See `Engine`: queries are compiled, as for `EXPLAIN`."""
        said = self._said([f"select * from {quoted(key)}" for key in keys])
        return dict(zip(keys, said, strict=True))

    def _said(self, sql: Sequence[str]) -> list[str]:
        self.folder.mkdir(exist_ok=True)
        file = self.folder / "statements.sql"
        file.write_text("".join(f"{one};\n" for one in sql), encoding="utf-8")
        jars = f"{self.own}/*:{Path(pyspark.__file__).parent / 'jars'}/*"
        opened = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in OPENED]
        run = ["java", "-Xmx700m", *opened, "-cp", jars, str(_HIVE), self.uri, str(self.folder)]
        done = subprocess.run([*run, file], capture_output=True, text=True, check=False)
        found = list(filter(None, map(_ANSWER.fullmatch, done.stdout.splitlines())))
        assert len(found) == len(sql), done.stdout[-1_000:] + done.stderr[-3_000:]
        return [shown(match[3]) if match[2] == "refused" else "" for match in found]


@dataclass(frozen=True)
class FlinkEngine:
    """Flink, with the metastore as the catalog `hc`."""

    flink: Flink
    uri: str
    folder: Path

    def make(self, made: Sequence[str]) -> list[str]:
        """See `Engine`."""
        said = self.flink.asked(self.folder, self.uri, [f"USE {DATABASE}", *made])[1:]
        return [
            f"{one}: {why}" for one, why in zip(made, said, strict=True) if isinstance(why, str)
        ]

    def asked(self, keys: Sequence[Key]) -> Answers:
        """See `Engine`: `EXPLAIN`, up to what would be run, in batch mode, else in streaming."""
        said = self._said(self.flink, keys)
        if self.flink.dialect != "default":
            return said
        refused = [key for key, why in said.items() if why]
        streaming = self._said(replace(self.flink, mode="streaming"), refused)
        return {**said, **{key: "" for key, why in streaming.items() if not why}}

    def _said(self, flink: Flink, keys: Sequence[Key]) -> dict[Key, str]:
        queries = [f"EXPLAIN SELECT * FROM {quoted(key)}" for key in keys]
        said = flink.asked(self.folder, self.uri, queries)
        whys = ["" if isinstance(one, list) else shown(one) for one in said]
        return dict(zip(keys, whys, strict=True))


@dataclass(frozen=True)
class TrinoEngine:
    """Trino, with the metastore as one of its catalogs."""

    trino: Trino
    catalog: str

    def make(self, made: Sequence[str]) -> list[str]:
        """See `Engine`."""
        begin = f"CREATE VIEW {self.catalog}.{DATABASE}."
        whole = [one.replace("CREATE VIEW ", begin, 1) for one in made]
        place = {"X-Trino-Catalog": self.catalog, "X-Trino-Schema": DATABASE}
        said = [self.trino.asked(one, place)[1] for one in whole]
        return [f"{one}: {why}" for one, why in zip(made, said, strict=True) if why]

    def asked(self, keys: Sequence[Key]) -> Answers:
        """See `Engine`: its analyzer is asked."""
        select = f"EXPLAIN (TYPE VALIDATE) SELECT * FROM {self.catalog}."
        return {key: shown(self.trino.asked(select + quoted(key, '"'))[1]) for key in keys}


def shown(message: str) -> str:
    """The beginning of a message, on one line."""
    return " ".join(message.split())[:_SHOWN]
