"""Ask running engines of the texts of a seed: `python -m tests.live.at_random SEED [ENGINE ...]`.

The engines are those whose texts it makes: `hive`, `spark`, `trino`, `postgresql`, `mysql`; all.
"""

import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from discovery.model import HIVE, MYSQL, POSTGRESQL, SPARK, TRINO
from tests.live import fetched, trino_server
from tests.live.at_random import readings
from tests.live.at_random.engines import Engines, engines
from tests.live.at_random.readings import Outcome, Reading
from tests.live.at_random.texts import Text, Texts

_READ: Final[Mapping[str, Callable[[Engines, Text], Iterator[Reading]]]] = {
    HIVE: readings.of_hive,
    SPARK: readings.of_spark,
    TRINO: readings.of_trino,
    POSTGRESQL: partial(readings.of_database, home=POSTGRESQL),
    MYSQL: partial(readings.of_database, home=MYSQL),
}
_LANGUAGES: Final = {
    HIVE: (HIVE, SPARK),
    **{language: (language,) for language in (SPARK, TRINO, POSTGRESQL, MYSQL)},
}
"""Whose texts those of a language are: Spark has Hive's, and what only Spark has."""


def texts_of(seed: int) -> Iterator[tuple[str, Text]]:
    """The texts of a seed, each with the engine whose it is."""
    for language, homes in _LANGUAGES.items():
        made = Texts(seed, language)
        for text in (*made.queries(), *made.expressions()):
            yield from ((home, text) for home in homes)


def ask_all(running: Engines, texts: Iterable[tuple[str, Text]]) -> tuple[Counter[str], list[str]]:
    """Ask of each text: how many readings had which outcome, and those otherwise in silence."""
    counts, silent = Counter[str](), list[str]()
    for home, text in texts:
        for reading in _READ[home](running, text):
            counts[f"{home} in {reading.reader}: {reading.outcome}"] += 1
            if reading.outcome is Outcome.SILENT:
                silent.append(describe(home, reading))
                print(silent[-1], flush=True)
    return counts, silent


def describe(home: str, reading: Reading) -> str:
    """A reading for people."""
    asked = "" if reading.sql == reading.text.sql else f"\n    asked: {reading.sql}"
    return f"{home}, in {reading.reader}: {reading.text.sql}{asked}\n    {reading.differing}"


def main(seed: int, homes: Container[str]) -> int:
    """Run the engines, and ask; 1 where something is otherwise in silence."""
    maven, java = shutil.which("mvn"), trino_server.java_home()
    if maven is None or java is None:
        sys.exit(f"this wants Maven, and Java {trino_server.JAVA} for Trino")
    with tempfile.TemporaryDirectory() as folder:
        home, jars = fetched.trino(maven), fetched.hive_server(maven)
        with engines(home, java, jars, Path(folder)) as running:
            texts = ((home, text) for home, text in texts_of(seed) if home in homes)
            counts, silent = ask_all(running, texts)
    for what, number in sorted(counts.items()):
        print(f"{number:6} {what}")
    return int(bool(silent))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:] or _READ))
