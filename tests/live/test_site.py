"""The site of the docs in a real browser: search answers, and nothing is asked of anybody else."""

import os
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from tests.live.browser import BROWSERS, browser
from tests.live.conftest import Missing

pytestmark = [pytest.mark.live, pytest.mark.slow]


class Silent(SimpleHTTPRequestHandler):
    """Serves files and says nothing of it."""

    def log_message(self, *_: Any) -> None:
        """Not on stderr."""


def test_search_answers_and_nothing_comes_from_elsewhere(missing: Missing, tmp_path: Path) -> None:
    if browser() is None:
        missing(f"none of {', '.join(BROWSERS)}")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", tmp_path],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        check=True,
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        home = f"http://127.0.0.1:{server.server_address[1]}/"
        asked: list[str] = []
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
            page = chromium.new_page()
            page.on("request", lambda request: asked.append(request.url))
            page.goto(f"{home}index.html")
            page.locator("input[name=query]").first.fill("MISSING_BASE")
            found = page.locator(".md-search-result__item a").first
            found.wait_for(timeout=60_000)
            assert "codes.html" in str(found.get_attribute("href"))
            chromium.close()
        server.shutdown()
    assert asked
    assert all(one.startswith((home, "data:", "blob:")) for one in asked)
