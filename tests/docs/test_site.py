"""The docs as a site: pages have places, links and anchors lead somewhere, nothing is fetched."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from ruamel.yaml import YAML

REPOSITORY: Final = Path(__file__).parents[2]
DOCS: Final = REPOSITORY / "docs"
_LOADING: Final = re.compile(
    r"<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=\"((?:https?:)?//[^\"]+)\""
)


def pages(nav: Any) -> Iterator[str]:
    """The pages of a part of the navigation."""
    if isinstance(nav, str):
        yield nav
    for one in nav if isinstance(nav, list) else nav.values() if isinstance(nav, dict) else ():
        yield from pages(one)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; a page that is nowhere, a link or an anchor that leads nowhere ends the build."""
    place = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", place],
        cwd=REPOSITORY,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "https_proxy": "http://127.0.0.1:9"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return place


def test_every_page_is_in_the_navigation_once() -> None:
    settings = YAML(typ="safe").load(REPOSITORY / "mkdocs.yml")
    found = list(pages(settings["nav"]))
    assert sorted(found) == sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))
    assert settings["strict"]
    assert settings["theme"]["font"] is False


@pytest.mark.slow
def test_a_reader_of_the_site_fetches_nothing_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        loaded = [one for one in _LOADING.findall(text) if not one.startswith("https://github.com")]
        assert not loaded, f"{path.name} loads {loaded}"
    for path in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?https?:", path.read_text(encoding="utf-8")), path.name


@pytest.mark.slow
def test_search_finds_what_pages_say(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    places = {doc["location"].partition("#")[0] for doc in index["docs"]}
    assert {
        "tutorial.html",
        "codes.html",
        "connectors/hms.html",
        "adr/0001-four-flat-packages.html",
    } <= places
    found = {doc["location"] for doc in index["docs"] if "MISSING_BASE" in doc["title"]}
    assert found == {"codes.html#missing_base"}


def test_the_page_on_stability_names_what_there_is() -> None:
    text = (DOCS / "stability.md").read_text(encoding="utf-8")
    for name in ("discovery", "connectors", "reports", "jobs"):
        assert f"`{name}`" in text
    compared = (DOCS / "comparison.md").read_text(encoding="utf-8")
    rows = [line for line in compared.splitlines() if line.startswith("| [")]
    assert len(rows) >= 12
    assert all("](https://github.com/" in line for line in rows), "each with its source"
    assert re.search(r"as of \*\*\w+ \d{4}\*\*", compared)
