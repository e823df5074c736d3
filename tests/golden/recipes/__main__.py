"""`make golden`: makes the entries of the golden files anew, as far as this environment can.

Prints a line per file: equal, differs (at which JSON paths), or not rebuilt here (why). Nothing is
overwritten without `--write`, which replaces `raw.payload`, never what is wanted.
"""

import json
import sys
import tempfile
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

from tests.golden.recipes import glue_moto, spark_views
from tests.golden.recipes.compare import differences, normalized
from tests.golden.recipes.rebuilt import Rebuilt

_GOLDEN: Final = Path(__file__).parent.parent
_HERE: Final = {
    "tests/golden/recipes/glue_moto.py",
    "tests/golden/recipes/spark_views.py",
}


def main(arguments: list[str]) -> int:
    """Compare every golden file; 1 when one differs."""
    with tempfile.TemporaryDirectory() as folder:
        made = chain(glue_moto.rebuild(), spark_views.rebuild(Path(folder)))
        rebuilt = {one.place: one for one in made}
    write = "--write" in arguments
    told = [_told(path, rebuilt, write=write) for path in sorted(_GOLDEN.glob("*/*.json"))]
    print("\n".join(told))
    return int(any("\tdiffers\t" in line for line in told))


def _told(path: Path, rebuilt: Mapping[tuple[str, str], Rebuilt], *, write: bool) -> str:
    """The line of one file."""
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    name, recipe = f"{path.parent.name}/{path.name}", case["provenance"]["recipe"]
    if recipe not in _HERE:
        reason = recipe if recipe.startswith("by hand: ") else f"{recipe} says what it needs"
        return f"{name}\tnot rebuilt here\t{reason}"
    payload = case["raw"]["payload"]
    if path.parent.name == "glue":
        place = (payload["DatabaseName"], payload["Name"])
    else:
        place = (payload["dbName"], payload["tableName"])
    if (found := rebuilt.get(place)) is None:
        return f"{name}\tdiffers\tthe recipe did not make it"
    paths = list(differences(normalized(payload), normalized(found.payload)))
    if paths and write:
        case["raw"]["payload"] = found.payload
        text = json.dumps(case, indent=1, ensure_ascii=False) + "\n"
        path.write_text(text, encoding="utf-8")
    return f"{name}\tdiffers\t{', '.join(paths)}" if paths else f"{name}\tequal\t{recipe}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
