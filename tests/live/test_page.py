"""The page of a report, opened from its file in a real Chromium: both of its shapes."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from discovery.display import visible
from reports import page
from tests.live import fetched
from tests.live.browser import Opened, browser, opened
from tests.live.conftest import Missing
from tests.live.pages import written
from tests.made_up import HEAD, HOSTILE, SQL, row, rows

pytestmark = [pytest.mark.live, pytest.mark.timeout(600)]
MANY = 100_000


@pytest.fixture(autouse=True)
def _needs_a_browser(missing: Missing) -> None:
    if browser() is None:
        missing("there is no Chromium: apt-get install chromium")


@pytest.fixture(params=["one file", "details beside it"])
def shown(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Opened]:
    """The same views in both shapes, and nothing may go wrong in either.

    What has its details beside it has its index in some blocks, too.
    """
    if request.param != "one file":
        monkeypatch.setattr(page, "SINGLE", 0)
        monkeypatch.setattr(page, "BLOCK", 10_000)
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


def test_a_row_has_a_cell_for_each_head_and_nothing_beside(shown: Opened) -> None:
    strays = "[...document.querySelectorAll('#views tr')].flatMap((row) => [...row.childNodes])"
    texts = (
        f"{strays}.filter((one) => one.nodeType === 3 && one.data.trim()).map((one) => one.data)"
    )
    assert shown.page.evaluate(texts) == []
    heads = shown.page.locator("#views thead th").count()
    assert shown.page.locator("#views tbody tr").first.locator(":scope > *").count() == heads


def test_a_row_opens_to_its_sql_with_the_position_marked(shown: Opened) -> None:
    shown.page.fill("#search", "rejected")
    button = shown.page.locator("#views tbody button.view").first
    button.focus()
    shown.page.keyboard.press("Enter")
    shown.page.wait_for_selector("td.detail pre")
    assert button.get_attribute("aria-expanded") == "true"
    assert shown.page.inner_text("td.detail mark") == "FRM"
    assert shown.page.text_content("td.detail pre") == visible(SQL)
    assert "Column" in shown.page.inner_text("td.detail")
    button.click()
    assert shown.page.locator("td.detail").count() == 0


def test_a_row_opens_to_its_plan_and_history(shown: Opened) -> None:
    shown.page.fill("#search", "rejected")
    shown.page.click("#views tbody button.view")
    shown.page.wait_for_selector("td.detail pre")
    told = shown.page.inner_text("td.detail")
    assert f"Plan\nt: blocked, stored but not served: NAME: {HOSTILE}\n" in told
    assert "History\n2026-11-21 05:00 seen (run-1)\n" in told
    assert f"2026-11-21 05:00 create at t: failed, by bob: {HOSTILE} (apply-1)" in told


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


@pytest.fixture(scope="session")
def axe(missing: Missing) -> str:
    return fetched.axe(shutil.which("npm") or missing("no npm: apt-get install npm"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_axe_finds_nothing_that_breaks_wcag(
    shown: Opened, axe: str, scheme: Literal["light", "dark"], width: int
) -> None:
    shown.page.emulate_media(color_scheme=scheme)
    shown.page.set_viewport_size({"width": width, "height": 900})
    shown.page.evaluate(axe)
    assert violations(shown) == []
    shown.page.select_option("#by-standing", label="blocked")
    if width > 640:
        shown.page.click("#views th button:text-is('Reason')")
    else:  # cards have no heads
        shown.page.select_option("#order", "reason")
    assert "sort=reason" in shown.page.url
    for button in shown.page.locator("#views tbody button.view").all():
        button.click()
    shown.page.wait_for_selector("td.detail mark")
    shown.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert violations(shown) == []


def violations(shown: Opened) -> list[str]:
    """What axe-core finds against WCAG 2.2, levels A and AA; it must have looked at something."""
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    shown.page.evaluate("() => new Promise((go) => requestAnimationFrame(() => setTimeout(go)))")
    options = {"runOnly": tags, "rules": {"target-size": {"enabled": True}}}
    found = shown.page.evaluate("(options) => axe.run(document, options)", options)
    assert {pass_["id"] for pass_ in found["passes"]} >= {
        "color-contrast",
        "button-name",
        "label",
        "target-size",
    }
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def test_paper_is_white_and_wide_enough(shown: Opened) -> None:
    shown.page.emulate_media(media="print", color_scheme="dark")
    shown.page.set_viewport_size({"width": 700, "height": 1000})  # A4 without its margins
    places = shown.page.locator(".framed").all()
    cut = [place.inner_text() for place in places if place.evaluate("one => one.scrollWidth > 700")]
    assert (len(places) > 5, cut) == (True, [])
    color = "getComputedStyle(document.querySelector('.card')).backgroundColor"
    assert shown.page.evaluate(color) == "rgb(255, 255, 255)"
    assert not shown.page.is_visible("#search")


def test_a_view_is_found_opened_and_closed_by_keyboard_alone(shown: Opened) -> None:
    keyboard = shown.page.keyboard
    keyboard.press("Tab")
    keyboard.press("Enter")  # skips to the table
    tab_to(shown, "#search", within=2)
    keyboard.type("rejected")
    tab_to(shown, "#views tbody button.view", within=26)
    keyboard.press("Enter")
    shown.page.wait_for_selector("td.detail pre")
    tab_to(shown, "td.detail pre", within=1)
    keyboard.press("Shift+Tab")
    keyboard.press("Enter")
    assert shown.page.locator("td.detail").count() == 0
    assert shown.names() == ["db.rejected"]


def tab_to(shown: Opened, wanted: str, *, within: int) -> None:
    """Press the tabulator until something like that has the focus, and it can be seen."""
    for _ in range(within):
        shown.page.keyboard.press("Tab")
        if shown.page.evaluate("(one) => document.activeElement.matches(one)", wanted):
            width = "getComputedStyle(document.activeElement).outlineWidth"
            assert shown.page.evaluate(width) == "3px"
            return
    pytest.fail(f"{within} tabulators do not lead to {wanted}")


def test_a_position_behind_a_character_of_two_units_is_marked(tmp_path: Path) -> None:
    text = {"type": "sql", "dialect": "spark", "sql": "SELECT '\U0001f600\U0001f600', FRM t"}
    model = json.dumps({"columns": [], "representations": [text], "properties": {}})
    verdict = {"dialect": "spark", "engine": "spark", "version": "4.3.0", "grade": "PARSE"}
    place = {"verdict": "rejected", "message": "no", "line": 1, "column": 14}
    view = row(0, "v", model=model, verdicts=[{**verdict, **place}])
    with opened(written(tmp_path, [view]), address="view=lake/db/v") as found:
        found.page.wait_for_selector("td.detail mark")
        assert found.page.inner_text("td.detail mark") == "FRM"


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


def test_details_of_a_later_run_are_not_taken_for_those_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "SINGLE", 0)
    path = written(tmp_path, rows())
    with opened(path) as found:
        written(tmp_path, rows()[::-1], replace(HEAD, run=replace(HEAD.run, run_id="run-2")))
        found.page.click("#views tbody button.view")
        found.page.wait_for_selector("td.detail .bad")
        told = found.page.inner_text("td.detail")
        assert "they are of run run-2 now, and this page is of run run-1: load it again" in told
        assert found.errors == []


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Opened]]:
    """Opens a page of 300 views of which the first block of the index is read."""
    monkeypatch.setattr(page, "BLOCK", 10_000)
    path = written(tmp_path, [row(number, f"v_{number:03d}", reads=[299]) for number in range(300)])
    with ExitStack() as stack:

        def opening(address: str = "") -> Opened:
            return stack.enter_context(opened(path, address=address, held=True))

        yield opening


def _released(found: Opened) -> Opened:
    found.page.evaluate("release()")
    found.page.wait_for_selector("html[data-ready=yes]")
    assert found.errors == []
    return found


def test_the_first_views_are_shown_while_the_others_are_read(
    held: Callable[..., Opened],
) -> None:
    found = held()
    first = found.names()
    assert 0 < len(first) <= 100
    assert found.status().endswith(" views; the others are being read")
    with found.page.expect_download() as saved:
        found.page.click("#sheet")
        _released(found)
    assert found.status() == "Showing 1 to 100 of 300 views"
    assert found.names()[: len(first)] == first
    sheet = Path(saved.value.path()).read_text(encoding="utf-8")
    assert len(sheet.splitlines()) == 301, "a sheet waits for all views"


def test_who_types_while_views_are_read_goes_on_typing(held: Callable[..., Opened]) -> None:
    found = held()
    found.page.fill("#search", "v_299 ")
    assert found.names() == []
    _released(found)
    assert found.names() == ["db.v_299"]
    assert found.page.input_value("#search") == "v_299 "
    assert found.page.evaluate("document.activeElement.id") == "search"


@pytest.mark.parametrize(
    ("address", "seen"),
    [
        ("view=lake%2Fdb%2Fv_299", "td.detail pre"),
        ("sort=-view&page=2", "button.view:text-is('db.v_199')"),
        ("graph=lake%2Fdb%2Fv_299", "#graph g.chosen:has-text('db.v_299')"),
    ],
)
def test_an_address_leads_to_views_that_are_read_later(
    held: Callable[..., Opened], address: str, seen: str
) -> None:
    found = held(address)
    assert found.page.locator(seen).count() == 0
    _released(found).page.wait_for_selector(seen)


def test_an_address_of_a_section_shows_views_too(tmp_path: Path) -> None:
    with opened(written(tmp_path, rows()), address="views-title") as found:
        assert found.names()


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
