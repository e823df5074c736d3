"""What a page's address says, who must act, and pictures of a run, in a real Chromium."""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from discovery.acceptance import Acceptance, Baseline, Fault
from discovery.display import visible
from discovery.judging.drift import SORTS
from discovery.judging.standing import Standing
from reports.head import ReportHead
from tests.live.browser import Opened, browser, opened
from tests.live.conftest import Missing
from tests.live.pages import written
from tests.made_up import HEAD, HOSTILE, SEPARATOR, row, rows

pytestmark = [pytest.mark.live, pytest.mark.timeout(600)]
MARKUP = '</script><img src=x onerror="document.title=1">'


@pytest.fixture(autouse=True)
def _needs_a_browser(missing: Missing) -> None:
    if browser() is None:
        missing("there is no Chromium: apt-get install chromium")


def head() -> ReportHead:
    """What is said of the estate."""
    assert HEAD.plan
    assert HEAD.waves
    return replace(
        HEAD,
        plan=(replace(HEAD.plan[0], actions={"create": 240, "blocked": 1}),),
        waves=replace(HEAD.waves, sizes=(80, 80, 80)),
    )


def estate() -> list[dict[str, Any]]:
    """Views of three namespaces and owners, over two waves, planned and compared; some hostile."""
    many = [
        row(
            at,
            f"v_{at:03d}",
            namespace=[("raw", "core", "mart")[at % 3]],
            owner=f"team-{at % 4}",
            reads=[at - 1] if at % 3 else [],
            wave=1 + at % 3,
            plan=[{"target": "t", "action": "create", "code": None, "reason": None}],
            changes=["newly broken: trino"] if at == 8 else None,
        )
        for at in range(6, 246)
    ]
    markup = row(
        246,
        MARKUP,
        namespace=[MARKUP],
        owner=MARKUP,
        source=MARKUP,
        standing=Standing.BLOCKED,
        reason="MISSING_BASE",
        aside="MISSING_BASE",
        because=[MARKUP],
        reads=[7],
        wave=None,
    )
    return [*rows(), *many, markup]


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Opened]:
    """The page of the estate; nothing may go wrong in it."""
    with opened(written(tmp_path, estate(), head())) as found:
        yield found
        assert found.errors == []
        assert found.requests == []
        assert found.page.locator("img").count() == 0, "no name became markup"
        assert found.page.title().startswith("Can we move?")


def at(shown: Opened, **wanted: str) -> None:
    """Open the address of a state in the same page, as a link does."""
    shown.page.evaluate("(hash) => { location.hash = hash; }", urlencode(wanted))
    shown.page.wait_for_function("addressed === location.hash")


@pytest.mark.parametrize(
    ("wanted", "number"),
    [
        ({"owner": "team-1"}, 60),
        ({"owner": "(nobody)"}, 1),
        ({"space": "core"}, 80),
        ({"space": "core", "owner": "team-1"}, 20),
        ({"target": "t"}, 241),
        ({"target": "t", "action": "blocked"}, 1),
        ({"action": "create"}, 240),
        ({"wave": "2"}, 80),
        ({"standing": "blocked"}, 4),
        ({"duty": "act"}, 5),
        ({"duty": "ask"}, 1),
        ({"engine": "spark:not judged"}, 1),
        ({"engine": "spark:does not read"}, 2),
        ({"code": "MISSING_BASE"}, 2),
        ({"change": "newly broken"}, 1),
        ({"search": "v_01"}, 10),
        ({"owner": MARKUP}, 1),
        ({"owner": "nobody at all"}, 0),
        ({"no such filter": "x"}, 247),
    ],
)
def test_every_filter_has_an_address(tmp_path: Path, wanted: dict[str, str], number: int) -> None:
    path = written(tmp_path, estate(), head())
    with opened(path, address=urlencode(wanted)) as found:
        told = found.status()
        assert told.endswith(f"of {number} view{'s' * (number != 1)}" if number else "like that")
        assert found.errors == []
        assert found.page.locator("img").count() == 0


def test_a_filter_that_the_run_does_not_know_is_said(shown: Opened) -> None:
    at(shown, standing=MARKUP, wave="2")
    assert shown.status() == (
        f"Showing 1 to 80 of 80 views; there is no standing \u201c{MARKUP}\u201d"
    )


@pytest.mark.parametrize("wanted", ["view", "graph", "lineage", "sort"])
def test_what_is_gone_is_said_and_not_drawn(shown: Opened, wanted: str) -> None:
    before = shown.page.inner_text("#graph")
    at(shown, **{wanted: f"lake/db/{MARKUP}"})
    told = f"Showing 1 to 100 of 247 views; there is no {wanted} \u201clake/db/{MARKUP}\u201d"
    assert shown.status() == told
    assert shown.page.inner_text("#graph") == before


def test_what_blocks_others_has_its_graph_though_it_is_no_view(shown: Opened) -> None:
    at(shown, graph="lake/db.t")
    assert "there is no" not in shown.status()
    assert shown.page.locator("#graph g.chosen").text_content() == "lake/db.t, missinglake/db.t"


def test_names_that_differ_by_case_or_dots_lead_to_their_own_view(tmp_path: Path) -> None:
    base = {"written": ["public", "orders"], "base_source": "lake", "base_namespace": ["public"]}
    read = {**base, "dialect": "spark", "base_name": "orders", "base_kind": "view"}
    views = [
        row(0, "Orders", namespace=["public"]),
        row(1, "orders", namespace=["public"]),
        row(2, "reader", namespace=["public"], reads=[1], references=[read]),
        row(3, "v", namespace=["a.b"], key="a%2Eb.v"),
        row(4, "v", namespace=["a", "b"], key="a.b.v"),
        row(5, "b/c", namespace=["a"], key="a.b/c"),
        row(6, "c", namespace=["a/b"], key="a/b.c"),
    ]
    address = urlencode({"view": "lake/public/reader"})
    with opened(written(tmp_path, views), address=address) as found:
        assert found.page.evaluate("rows.map((one) => rowOf(addressOf(one)))") == [*range(7)]
        link = found.page.locator("td.detail a:text-is('public.orders')")
        assert link.get_attribute("href") == "#view=lake%2Fpublic%2Forders"
        assert found.errors == []


def test_the_changes_that_the_table_may_not_have_are_no_links(tmp_path: Path) -> None:
    assert HEAD.drift
    drift = replace(HEAD.drift, counts=dict.fromkeys(SORTS, 2))
    with opened(written(tmp_path, estate(), replace(head(), drift=drift))) as found:
        links = found.page.locator("a[href^='#change=']").all_inner_texts()
        assert set(links) == {*SORTS} - {"vanished", "unknown"}


def test_what_is_chosen_stands_in_the_address_and_the_browser_takes_it_back(
    shown: Opened,
) -> None:
    shown.page.select_option("#by-wave", "2")
    shown.page.fill("#by-owner", "team-1")
    shown.page.keyboard.press("Enter")
    assert shown.page.url.endswith("#owner=team-1&wave=2")
    assert shown.status() == "Showing 1 to 20 of 20 views"
    shown.page.click("#views th button:text-is('View')")
    shown.page.click("#views th button:text-is('View')")
    first, address = shown.names()[0], shown.page.url
    shown.page.locator("#views tbody button.view").first.click()
    assert "view=lake%2F" in shown.page.url
    shown.page.go_back()
    shown.page.wait_for_function("document.querySelectorAll('td.detail').length === 0")
    assert shown.page.url == address
    assert shown.names()[0] == first
    for _ in range(3):
        shown.page.go_back()
    shown.page.wait_for_function("document.getElementById('by-owner').value === ''")
    assert shown.status() == "Showing 1 to 80 of 80 views"


@pytest.mark.parametrize("place", [2, 1, 4, 150, 246])
def test_every_view_has_an_address(tmp_path: Path, place: int) -> None:
    views = estate()
    view = views[place]
    address = "/".join((view["source"], ".".join(view["namespace"]), view["name"]))
    # half of a surrogate pair, or an unassigned one, is no text of an address
    with opened(written(tmp_path, views, head()), address=urlencode({"view": address})) as found:
        found.page.wait_for_selector("td.detail h3")
        name = ".".join((*view["namespace"], view["name"]))
        opened_row = found.page.locator("#views button[aria-expanded=true]")
        assert opened_row.inner_text().split() == visible(name).split()
        assert found.errors == []
        assert found.page.locator("img").count() == 0


def test_who_must_act_leads_to_the_views_and_to_a_sheet(shown: Opened) -> None:
    table = shown.page.locator("#owners tbody tr")
    assert table.count() == 4
    told = table.first.inner_text().replace("\u2013", "-").split()
    assert told == ["anna", "3", "2", "1", "-", "-", "4", "CSV"]
    with shown.page.expect_download() as sheet:
        table.first.locator("button").click()
    text = sheet.value.path().read_text(encoding="utf-8")
    lines = list(csv.DictReader(io.StringIO(text, newline="")))
    assert sheet.value.suggested_filename == "belvedere anna.csv"
    assert [line["standing"] for line in lines] == ["needs review", "blocked", "blocked"]
    assert lines[0]["what to do"].startswith("STALE_COLUMNS: ")
    assert lines[1]["plan"] == "t: blocked"
    assert {line[name] for line in lines for name in ("decision", "signed by", "date")} == {""}
    table.first.locator("a").first.click()
    assert shown.page.url.endswith("#owner=anna&duty=act")
    assert shown.status() == "Showing 1 to 3 of 3 views"


def test_the_sheet_of_what_is_shown_has_no_formula(shown: Opened) -> None:
    shown.page.fill("#search", "cmd")
    with shown.page.expect_download() as sheet:
        shown.page.click("#sheet")
    text = sheet.value.path().read_text(encoding="utf-8")
    (line,) = csv.DictReader(io.StringIO(text, newline=""))
    assert line["name"] == "'=cmd()"


def test_the_heat_map_says_in_words_who_reads_what(shown: Opened) -> None:
    lines = [locator.inner_text().split() for locator in shown.page.locator("#heat tbody tr").all()]
    assert lines[:3] == [["core", "80", "all"], ["mart", "80", "all"], ["raw", "80", "all"]] or (
        sorted(line[0].rpartition("/")[2] for line in lines[:3]) == ["core", "mart", "raw"]
    )
    mixed = shown.page.locator("#heat tbody tr:has-text('db') td.heat a").first
    assert mixed.inner_text() == "67 %"
    assert "reads 4 of 6, less than nine of ten; 2 without" in str(mixed.get_attribute("title"))
    mixed.click()
    assert shown.status() == "Showing 1 to 2 of 2 views"


def test_an_accepted_finding_is_a_line_of_the_baseline(shown: Opened) -> None:
    at(shown, view="lake/db/aside")
    shown.page.click("summary:has-text('Accept')")
    form = shown.page.locator("details.accept")
    assert form.locator("button").is_disabled()
    assert form.locator("[role=status]").inner_text() == "Say why, until when."
    form.locator("label:has-text('Why') input").fill(f'known "{HOSTILE}" \u202e \u00e9')
    form.locator("label:has-text('Until') input").fill("2027-01-31")
    line = form.locator("textarea").input_value()
    wanted = Acceptance(
        fault=Fault("lake", "db.aside", "MISSING_BASE"),
        reason=f'known "{HOSTILE}" \u202e \u00e9',
        owner="anna",
        until=date(2027, 1, 31),
    )
    assert line == wanted.to_json()
    assert Baseline.parse("accepted.jsonl", line).acceptances == (wanted,)
    form.locator("button").click()
    said = form.locator("[role=status]")
    said.and_(shown.page.locator(":text-matches('Copied|selected')")).wait_for()


def test_columns_say_where_they_come_from(shown: Opened) -> None:
    at(shown, view="lake/db/=cmd()")
    shown.page.wait_for_selector("td.detail table")
    assert "a\tinteger\tdb.t.x\t" in shown.page.inner_text("td.detail table")


def test_the_lineage_opens_from_namespaces_to_views_to_a_neighbourhood(shown: Opened) -> None:
    boxes = shown.page.locator("#lineage-picture g[role=button]")
    shown.page.locator("#lineage-title").scroll_into_view_if_needed()
    boxes.first.wait_for()
    labels = [str(locator.get_attribute("aria-label")) for locator in boxes.all()]
    assert [label.rpartition("/")[2] for label in labels if "script" not in label] == [
        "raw, 80 views",
        "core, 80 views",
        "mart, 80 views",
    ]
    shown.page.locator("#lineage-picture g[aria-label*='core']").focus()
    shown.page.keyboard.press("Enter")
    assert shown.page.url.endswith("#lineage=lake%2Fcore")
    assert "core: 80 views" in shown.page.inner_text("#inside-told")
    inside = shown.page.locator("#inside-picture g[role=button]")
    assert "80 references" in str(inside.first.get_attribute("aria-label"))
    inside.nth(1).click()
    chosen = shown.page.get_attribute("#graph g.chosen", "aria-label")
    assert (chosen, "graph=lake%2Fcore%2Fv_007" in shown.page.url) == ("core.v_007, ready", True)
    shown.page.go_back()
    shown.page.wait_for_function("!document.getElementById('inside').hidden")


def test_waves_are_links(shown: Opened) -> None:
    assert shown.page.locator("#waves li").count() == 3
    shown.page.click("#waves li:nth-child(2) a")
    assert shown.status() == "Showing 1 to 80 of 80 views"


def test_a_section_has_an_address_that_keeps_the_filters(shown: Opened) -> None:
    shown.page.select_option("#by-wave", "2")
    shown.page.click("nav a:text-is('Lineage')")
    assert shown.page.url.endswith("#wave=2&at=lineage")
    assert shown.page.evaluate("document.activeElement.id") == "lineage-title"
    assert shown.status() == "Showing 1 to 80 of 80 views"


def test_a_narrow_page_has_cards_and_nothing_off_the_screen(shown: Opened) -> None:
    shown.page.set_viewport_size({"width": 400, "height": 900})
    at(shown, search="rejected")
    shown.page.click("#views tbody button.view")
    shown.page.wait_for_selector("td.detail pre")
    wide = "document.documentElement.scrollWidth <= 400"
    assert shown.page.evaluate(wide)
    for one in ("tbody button.view", "tbody .code", "tbody .engines", "td[data-label=Owner]"):
        box = shown.page.locator(f"#views {one}").first.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 400, one


def test_separators_in_a_name_are_shown_as_escapes_in_the_address_too(shown: Opened) -> None:
    at(shown, view=f"lake/db/{SEPARATOR}")
    shown.page.wait_for_selector("td.detail h3")
    assert "line\\u2028separator" in shown.page.inner_text("#views button[aria-expanded=true]")
    assert "\u2028" not in shown.page.url
