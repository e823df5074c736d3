"""The page of a report in a real Chromium of this machine, headless."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
_HELD: Final = """
    const held = new Promise((resolve) => { window.release = resolve; });
    const read = Response.prototype.text;
    let many = 0;  // the index's first block and the overview are read
    Response.prototype.text = async function () {
      if (++many > 2) await held;
      return read.call(this);
    };
"""


@dataclass
class Opened:
    """A page that is open, and what must stay empty.

    Attributes:
        page: The page.
        errors: What went wrong in it.
        requests: What it asked for beyond files of the report.
    """

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def names(self) -> list[str]:
        """The views on the page of the table."""
        return self.page.locator("#views tbody button.view").all_inner_texts()

    def ready(self) -> float:
        """Milliseconds from the navigation until the table was there."""
        found: float = self.page.evaluate("performance.getEntriesByName('ready')[0].startTime")
        return found

    def status(self) -> str:
        """What the table says of itself."""
        return self.page.inner_text("#status")


def browser() -> str | None:
    """The Chromium of this machine."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@contextmanager
def opened(
    path: Path, *, dark: bool = False, address: str = "", held: bool = False
) -> Iterator[Opened]:
    """Open a page from its file, with what stands behind its #, and wait until it is ready.

    Args:
        path: Of the page.
        dark: What its reader's system prefers.
        address: What is filtered and opened.
        held: The page reads no more than the first block of its index until `release()` is
            called in it; it is waited until that is shown.
    """
    with sync_playwright() as playwright:
        # a sandbox inside a container's own needs rights that tests do not have
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        page = chromium.new_page(
            viewport={"width": 1280, "height": 1000}, color_scheme="dark" if dark else "light"
        )
        found = Opened(page)
        page.on("pageerror", lambda error: found.errors.append(str(error)))
        page.on(
            "console",
            lambda worker: found.errors.append(worker.text) if worker.type == "error" else None,
        )
        folder = path.parent.as_uri()
        page.on(
            "request",
            lambda worker: (
                None if worker.url.startswith(folder) else found.requests.append(worker.url)
            ),
        )
        if held:
            page.add_init_script(_HELD)
        page.goto(f"{path.as_uri()}#{address}" if address else path.as_uri())
        page.wait_for_selector("#views tbody tr" if held else "html[data-ready=yes]")
        yield found
        chromium.close()
