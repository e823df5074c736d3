"""`make golden`: makes the entries of the golden files anew, as far as this environment can.

Prints a line per file: equal, differs (at which JSON paths), or not rebuilt here (why), and how
many there are of each. Where what is wanted is the engine's word (`wanted_from: engine`), its own
description of the columns is compared, too. Nothing is overwritten.
"""

import json
import sys
import tempfile
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Final

from tests.golden.recipes import glue_moto, spark_views
from tests.golden.recipes.compare import compare

_GOLDEN: Final = Path(__file__).parent.parent


def main() -> int:
    """Compare every golden file; 1 when one differs."""
    with tempfile.TemporaryDirectory() as folder:
        made = chain(glue_moto.rebuild(), spark_views.rebuild(Path(folder)))
        rebuilt = {entry.place: entry for entry in made}
    outcomes: Counter[str] = Counter()
    for path in sorted(_GOLDEN.glob("*/*.json")):
        compared = compare(json.loads(path.read_text(encoding="utf-8")), rebuilt)
        outcomes[compared.outcome] += 1
        print(f"{path.parent.name}/{path.name}\t{compared.outcome}\t{compared.detail}")
    print(", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items())))
    return int(outcomes["differs"] > 0)


if __name__ == "__main__":
    sys.exit(main())
