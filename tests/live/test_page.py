"""The page of a report, opened from its file in a real Chromium: both of its shapes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row

from jobs.runtime import writing
from jobs.runtime.rendering import rendered
from reports import page
from tests.live.browser import Opened, browser, opened
from tests.live.conftest import Missing
from tests.made_up import HEAD, HOSTILE, SQL, row, rows

pytestmark = [pytest.mark.live, pytest.mark.timeout(600)]
MANY = 100_000
PART = 64


@pytest.fixture(autouse=True)
def _needs_a_browser(missing: Missing) -> None:
    if browser() is None:
        missing("there is no Chromium: apt-get install chromium")


def written(folder: Path, views: list[dict[str, Any]]) -> Path:
    """The page of some views, as the executors and the driver write it."""
    parts = range(-(-len(views) // PART))
    made = (
        Row(**rendered(["html"], part, views[part * PART : (part + 1) * PART])) for part in parts
    )
    head = replace(HEAD, total=len(views))
    files = writing.Files(folder, ["html"], head, parts=len(parts), part=PART)
    files.write(made)
    return folder / page.FILE


@pytest.fixture(params=["one file", "details beside it"])
def shown(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Opened]:
    """The same views in both shapes, and nothing may go wrong in either."""
    if request.param != "one file":
        monkeypatch.setattr(page, "SINGLE", 0)
    views = rows() + [row(number, f"v_{number:03d}", reads=[2]) for number in range(6, 300)]
    path = written(tmp_path / "with blanks & <marks>", views)
    with opened(path) as found:
        yield found
        assert found.errors == []
        assert found.requests == [], "the page asks nothing of a network"


def test_search_filters_and_sorting_find_views(shown: Opened) -> None:
    assert shown.status() == "Showing 1 to 100 of 300 views"
    shown.page.fill("#search", "v_2 ANNA")
    assert shown.status() == "Showing 1 to 100 of 100 views"
    shown.page.fill("#search", "<script>")
    assert shown.names() == [f"db.{HOSTILE}"], "a name is a name"
    shown.page.fill("#search", "")
    shown.page.select_option("#by-standing", label="blocked")
    assert len(shown.names()) == 3
    shown.page.click("button[type=reset]")
    shown.page.click("#views th button:text-is('View')")
    shown.page.click("#views th button:text-is('View')")
    assert shown.names()[0] == "db.v_299"
    assert shown.page.get_attribute("#views th:first-child", "aria-sort") == "descending"
    shown.page.click("#later")
    assert shown.status() == "Showing 101 to 200 of 300 views"


def test_a_row_opens_to_its_sql_with_the_position_marked(shown: Opened) -> None:
    shown.page.fill("#search", "rejected")
    button = shown.page.locator("#views tbody button.view").first
    button.focus()
    shown.page.keyboard.press("Enter")
    shown.page.wait_for_selector("td.detail pre")
    assert button.get_attribute("aria-expanded") == "true"
    assert shown.page.inner_text("td.detail mark") == "FRM"
    assert shown.page.text_content("td.detail pre") == SQL
    assert "Column" in shown.page.inner_text("td.detail")
    button.click()
    assert shown.page.locator("td.detail").count() == 0


def test_an_object_that_could_not_be_read_says_why(shown: Opened) -> None:
    shown.page.select_option("#by-code", "INVALID_ENTRY")
    shown.page.click("#views tbody button.view")
    shown.page.wait_for_selector("td.detail h3")
    assert "could not be read (decode)" in shown.page.inner_text("td.detail")


def test_the_graph_is_drawn_around_a_view_by_keyboard_too(shown: Opened) -> None:
    nodes = shown.page.locator("#graph g[role=button]")
    assert nodes.first.get_attribute("aria-label") == "lake/db.t, missing"
    shown.page.fill("#search", "rejected")
    shown.page.click("#views tbody button.view")
    shown.page.click("text=Draw its graph")
    assert shown.page.locator("#graph text:has-text('and 285 more')").count() == 1
    nodes.nth(1).focus()
    shown.page.keyboard.press("Enter")
    chosen = shown.page.get_attribute("#graph g.chosen", "aria-label")
    assert chosen == "db.v_006, ready"


def test_details_that_were_left_behind_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "SINGLE", 0)
    path = written(tmp_path, rows())
    (tmp_path / "details" / "0.js").unlink()
    with opened(path) as found:
        found.page.click("#views tbody button.view")
        found.page.wait_for_selector("td.detail .bad")
        assert "details/0.js is not beside this page" in found.page.inner_text("td.detail")


def test_an_index_of_100_000_views_is_small_and_opens_at_once(tmp_path: Path) -> None:
    names = ("orders", "daily_kpi", "customer", "stock", "ledger", "clicks")
    views = [
        row(
            number,
            f"{names[number % 6]}_{number:06d}",
            reads=[number // 4],
            owner=f"o{number % 40}",
        )
        for number in range(MANY)
    ]
    path = written(tmp_path, views)
    assert path.stat().st_size < 15_000_000
    with opened(path) as found:
        assert found.status() == "Showing 1 to 100 of 100,000 views"
        print(f"ready after {found.ready():.0f} ms, {path.stat().st_size / 1e6:.1f} MB")
        found.page.fill("#search", "kpi_0999")
        assert found.names()
        found.page.locator("#views tbody button.view").first.click()
        found.page.wait_for_selector("td.detail pre")
        assert found.errors == []
        assert found.requests == []
