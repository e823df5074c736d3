"""Ask running engines of the texts of a seed: `python -m tests.live.at_random SEED [ROUNDS]`."""

import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.live import fetched, trino_server
from tests.live.at_random import readings
from tests.live.at_random.engines import Engines, engines, hive_jars
from tests.live.at_random.readings import Outcome, Reading
from tests.live.at_random.texts import Text, Texts


def ask_all(running: Engines, texts: Iterable[Text]) -> tuple[Counter[str], list[str]]:
    """Ask of each text as one of Hive and one of Spark: counts, and what is silently otherwise."""
    counts, silent = Counter[str](), list[str]()
    for text in texts:
        for home, read in (("hive", readings.of_hive), ("spark", readings.of_spark)):
            for reading in read(running, text):
                counts[f"{home} in {reading.reader}: {reading.outcome}"] += 1
                if reading.outcome is Outcome.SILENT:
                    silent.append(describe(home, reading))
                    print(silent[-1], flush=True)
    return counts, silent


def describe(home: str, reading: Reading) -> str:
    """A reading for people."""
    asked = "" if reading.sql == reading.text.sql else f"\n    asked: {reading.sql}"
    return f"{home}, in {reading.reader}: {reading.text.sql}{asked}\n    {reading.differing}"


def main(seed: int, rounds: int) -> int:
    """Run the engines, and ask; 1 where something is otherwise in silence."""
    maven, java = shutil.which("mvn"), trino_server.java_home()
    if maven is None or java is None:
        sys.exit(f"this wants Maven, and Java {trino_server.JAVA} for Trino")
    with tempfile.TemporaryDirectory() as folder:
        home, jars = fetched.trino(maven), hive_jars(maven)
        with engines(home, java, jars, Path(folder)) as running:
            made = Texts(seed)
            texts = (
                text
                for depth in range(1, rounds + 1)
                for text in (*made.queries(depth + 1), *made.expressions(depth))
            )
            counts, silent = ask_all(running, texts)
    for what, number in sorted(counts.items()):
        print(f"{number:6} {what}")
    return int(bool(silent))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
