"""The pictures of the page in docs, from the report of the demo: `make screenshots`.

They are looked at, not compared: another Chromium draws other pixels.
"""

import sys
from pathlib import Path
from typing import Final, Literal, NamedTuple

from playwright.sync_api import sync_playwright

from tests.live.browser import browser

DOCS: Final = Path(__file__).parents[2] / "docs"


class Picture(NamedTuple):
    """A picture of the page.

    Attributes:
        file: Its file in docs.
        width: Of the window, in pixels of CSS.
        height: Of the window.
        scheme: Light or dark.
        address: What stands behind the # of the page's address.
    """

    file: str
    width: int
    height: int
    scheme: Literal["light", "dark"] = "light"
    address: str = ""


PICTURES: Final = (
    Picture("page.png", 1280, 1010),
    Picture("page-dark.png", 1280, 820, "dark", "at=heat"),
    Picture("page-lineage.png", 1280, 760, "light", "at=lineage"),
    Picture("page-narrow.png", 400, 860, "light", "standing=blocked"),
)


def take(report: Path) -> None:
    """Write the pictures of a page into docs."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        for picture in PICTURES:
            shown = chromium.new_page(
                viewport={"width": picture.width, "height": picture.height},
                color_scheme=picture.scheme,
            )
            shown.goto(f"{report.resolve().as_uri()}#{picture.address}")
            shown.wait_for_selector("html[data-ready=yes]")
            shown.evaluate("document.activeElement.blur()")
            shown.screenshot(path=DOCS / picture.file)
            shown.close()
        chromium.close()


if __name__ == "__main__":
    take(Path(sys.argv[1] if len(sys.argv) > 1 else "demo/report/belvedere.html"))
