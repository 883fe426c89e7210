"""Eyes and ears: axe-core finds nothing on any desk, in any state, size, theme or palette, nor in
documents, embedded boards, the result in words, something supposed, and on paper; the console:
test_console.py.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PageError

from browser import PASTED, PHONE, ROOT, WAIT, WIDE, KeptPages, address_of, measured, resize
from selection import sample
from states import DESKS, DIALOGS, NAMES, settled, show, unfold
from sudoku_photos import PUZZLE, bring, photo
from test_mines import screenshot

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SIZES = {"phone": PHONE, "wide": WIDE}
# The steps of samples in one test have no common divisor, or some combinations would never run.
THEMES = [("light", "none"), ("dark", "none"), ("dark", "active")]
CONTRAST = ["color-contrast", "link-in-text-block"]

# What reaches out of the window to the right, without a frame of its own that scrolls.
TOO_WIDE = """() => {
  const scrolls = (e) => e && e !== document.body &&
    (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  const found = [...document.querySelectorAll("#desk *, .top *, .bottom *, dialog *")]
    .filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > 1)
    .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e.parentElement))
    .map((e) => `${e.tagName}.${e.className.baseVal ?? e.className} ${e.textContent.slice(0, 40)}`);
  const dialogs = [...document.querySelectorAll("dialog[open]")]
    .filter((e) => e.scrollWidth > e.clientWidth).map((e) => `${e.ariaLabel} scrolls sideways`);
  return [...found, ...dialogs];
}"""


def violations(page: Page, rules: list[str] | None = None, within: str = "html") -> list[str]:
    """What axe-core finds in a part of the page, a line each; by all rules, or by those named."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE.read_text())
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": rules}
    found: dict[str, Any] = page.evaluate(
        "([within, options]) => axe.run(within, options)", [within, options]
    )
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def flaws(page: Page, within: str = "html") -> list[str]:
    """Every complaint about the page as it stands, or a part of it, in the themes of the day."""
    found = [f"too wide: {one}" for one in measured(page, TOO_WIDE)]
    for n, (scheme, forced) in enumerate(sample(THEMES, 3, kind="themes")):
        page.emulate_media(color_scheme=scheme, forced_colors=forced)  # type: ignore[arg-type]
        rules = CONTRAST if n else None
        found += [f"{scheme}, forced {forced}: {one}" for one in violations(page, rules, within)]
    page.emulate_media(color_scheme="light", forced_colors="none")
    return found


@pytest.fixture(params=SIZES)
def shown(request: pytest.FixtureRequest, kept_page: KeptPages) -> Page:
    return kept_page(**SIZES[request.param], reduced_motion="reduce", color_scheme="light")


def test_home_page_is_accessible(shown: Page) -> None:
    shown.evaluate("() => { location.hash = '' }")
    expect(shown.locator(".examples li").first).to_be_visible()
    assert flaws(shown) == []


@pytest.mark.sampled(4)
@pytest.mark.parametrize("state", NAMES)
@pytest.mark.parametrize("desk", DESKS)
def test_states_of_a_desk_are_accessible(shown: Page, desk: str, state: str) -> None:
    show(shown, desk, state)
    unfold(shown)
    assert flaws(shown) == []


@pytest.mark.sampled(2)
def test_level_editor_is_accessible(shown: Page) -> None:
    show(shown, "mines", "bench")
    found = []
    for brush in ("Mine", "Colour", "Cells", "Copy"):
        button = shown.locator(".brush").filter(has=shown.get_by_text(brush, exact=True))
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        found += [f"{brush}: {one}" for one in flaws(shown)]
    shown.get_by_role("button", name="cells from").first.click()
    expect(shown.locator(".repairs button").first).to_be_visible()
    found += [f"repairs: {one}" for one in flaws(shown)]
    assert found == []


PICTURE = "a picture, dropped"
THIRD = "a third board, pasted"
REFUSED = "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); }"
OPEN = "dialog[open]"
MENU = ["Examples", "Saved positions", "Settings", "Help"]


def closed(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def opened(page: Page, opener: str, *further: str) -> Locator:
    """The dialog that a press opens, on the desk or in the sheet where a phone has it."""
    page.evaluate(REFUSED)
    dialog = page.locator("dialog[open]")
    if opener == THIRD:
        page.evaluate(PASTED, PUZZLE)
        expect(page.get_by_role("button", name="The second", exact=True)).to_be_visible()
    elif opener == PICTURE:
        bring(page, screenshot() if "#/mines" in page.url else photo(PUZZLE))
        expect(page.locator(".photo-board .grid-box, .shot-board .cell").first).to_be_visible(
            timeout=3 * WAIT
        )
    else:
        there = page.locator(f"#desk {opener}")
        line = page.locator(".bar-line:enabled")  # disabled: there is no sheet to look in
        either = there.or_(page.locator(f"dialog .sheet {opener}")).locator("visible=true").first
        for _ in range(5):  # the line may be disabled again before it is pressed
            expect(either.or_(line).locator("visible=true").first).to_be_visible()
            if either.is_visible():
                break
            with contextlib.suppress(PageError):
                line.click(timeout=3_000)
                either.wait_for(timeout=3_000)
        either.evaluate("e => e.scrollIntoView({ block: 'center' })")  # not under the advice bar
        either.click()
    expect(dialog).to_be_visible()
    for press in further:
        title = dialog.get_attribute("aria-label") or ""
        leads_on = dialog.locator(".menu").count() > 0  # to another dialog, perhaps after a request
        dialog.locator(press).first.click()
        if leads_on:
            expect(dialog).not_to_have_attribute("aria-label", title)
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    return dialog


@pytest.mark.sampled(4)
@pytest.mark.parametrize("desk", DESKS)
def test_dialogs_of_a_desk_are_accessible(shown: Page, desk: str) -> None:
    found = []
    names = set()
    for state, opener, *further in DIALOGS[desk]:
        show(shown, desk, state)
        dialog = opened(shown, opener, *further)
        dialog.locator("details").evaluate_all("all => all.forEach((e) => { e.open = true })")
        names.add(dialog.get_attribute("aria-label"))
        found += [f"{dialog.get_attribute('aria-label')}: {one}" for one in flaws(shown, OPEN)]
        closed(shown)
    assert found == []
    assert len(names) == calls_of_dialog(ROOT / "web" / "desks" / desk)


def calls_of_dialog(folder: Path) -> int:
    """How many dialogs a folder's sources draw, so that none is left out here."""
    texts = [path.read_text() for path in folder.rglob("*.ts")]
    calls = ("dialog({", "dialogIn(", "textDialog(")
    return sum(text.count(call) for text in texts for call in calls)


def menu_dialogs(page: Page) -> Iterator[str]:
    """Open the menu, then everything it leads to, one after another; the name of each."""
    menu = page.get_by_role("button", name="Menu")
    menu.click()
    yield "Menu"
    closed(page)
    for item in MENU:
        menu.click()
        page.locator("dialog").get_by_text(item, exact=True).click()
        expect(page.locator("dialog h2").first).not_to_have_text("Menu")
        yield item
        closed(page)
    for tool in ("Share", "History"):
        page.get_by_role("button", name=tool, exact=True).click()
        expect(page.locator("dialog")).to_be_visible()
        yield tool
        if tool == "History":
            page.get_by_role("button", name="Try a branch…").click()
            expect(page.get_by_role("dialog", name="Try a branch…")).to_be_visible()
            yield "Try a branch…"
        closed(page)
    page.locator("#desk .term:visible").first.click()
    expect(page.locator("dialog.explanation")).to_be_visible()
    yield "An explanation"
    closed(page)


@pytest.mark.sampled(2)
def test_dialogs_of_the_frame_are_accessible(shown: Page) -> None:
    show(shown, "code", "play")
    found = [f"{name}: {one}" for name in menu_dialogs(shown) for one in flaws(shown, OPEN)]
    assert found == []


def test_clear_palette_has_enough_contrast(page: Page, site: str) -> None:
    page.add_init_script("localStorage.setItem('cluewise.palette', 'clear')")
    page.goto(site)
    found = []
    views = [(desk, scheme) for desk in DESKS for scheme in ("light", "dark")]
    for desk, scheme in sample(views, 4, kind="views"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # both are its names
        show(page, desk, "play")
        found += [f"{desk}, {scheme}: {one}" for one in violations(page, CONTRAST)]
    assert found == []


CUT_TABS = """() => {
  const tabs = [...document.querySelectorAll(".tabs a, .bottom a")]
    .filter((e) => e.checkVisibility());
  const boxes = tabs.map((e) => e.getBoundingClientRect());
  const apart = (a, b) => a.right <= b.left + 0.5 || b.right <= a.left + 0.5
    || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
  return tabs.filter((tab, i) => tab.scrollWidth > tab.clientWidth + 1
    || boxes[i].left < 0 || boxes[i].right > innerWidth || boxes[i].bottom > innerHeight + 1
    || boxes.some((other, k) => k > i && !apart(boxes[i], other))).map((tab) => tab.textContent);
}"""


def too_wide(page: Page, width: int) -> list[int]:
    unfold(page)
    wide = measured(page)[0]
    return [wide] if wide > width else []


def test_pages_never_scroll_sideways_and_large_text_cuts_no_tab(
    kept_page: KeptPages,
) -> None:
    page = kept_page(color_scheme="light")
    found = []
    states = [(desk, state) for desk in DESKS for state in ("empty", "play")]
    for desk, state in sample(states, 4, kind="states"):
        show(page, desk, state)
        for width in (320, 390, 820, 1440):
            resize(page, width)
            found += [f"{desk}, {state}: {wide}" for wide in too_wide(page, width)]
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            found += [f"{desk}, {state}, large text: {x}" for x in too_wide(page, width)]
            found += [f"{desk}, {state}, large text: {x}" for x in page.evaluate(CUT_TABS)]
            page.evaluate("document.documentElement.style.fontSize = ''")
    assert found == []


MOVING = """() => [...document.querySelectorAll("*")].filter((e) => {
  const { transitionDuration: passes, animationDuration: moves } = getComputedStyle(e);
  return [...passes.split(","), ...moves.split(",")].some((time) => parseFloat(time) > 0);
}).map((e) => e.getAttribute("class") || e.localName)"""


def test_reduced_motion_disables_transitions(kept_page: KeptPages) -> None:
    page = kept_page(color_scheme="light")
    found: dict[str, list[str]] = {"reduce": [], "no-preference": []}
    for desk in DESKS:
        show(page, desk, "play")
        for motion, moving in found.items():
            page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]  # both are its names
            moving += page.evaluate(MOVING)
    assert found["reduce"] == []
    assert "options" in found["no-preference"]  # what would be found


def test_home_link_has_a_name_at_every_width_and_touch_targets_are_large(
    kept_page: KeptPages,
) -> None:
    page = kept_page(**PHONE, reduced_motion="reduce", color_scheme="light")
    show(page, "code", "empty")
    for width in (360, 390, 640, 820, 1440):  # 640: a window of 1280 px at 200 %
        resize(page, width)
        expect(page.get_by_role("link", name="Cluewise", exact=True)).to_be_visible()
    resize(page, 390)
    small = page.evaluate(
        """() => {
             // A word within a text reaches further than its letters: ::after lies over it.
             const reach = (e) => Math.max(e.getBoundingClientRect().height,
               parseFloat(getComputedStyle(e, "::after").height) || 0);
             return [...document.querySelectorAll("button, summary, .bottom a")]
             .filter(e => e.offsetParent && !e.matches(".answer, .skip"))
             .map(e => [e.textContent.trim(), e.getBoundingClientRect(), reach(e)])
             .filter(([, box, tall]) => box.height > 0 && (tall < 38 || box.width < 38))
             .map(([text]) => text)}"""
    )
    assert small == []


DOCS = sorted(path.name for path in (Path(__file__).parents[1] / "web/docs/pages").glob("*.html"))
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"


def share(page: Page, item: str) -> None:
    page.get_by_role("button", name="Share", exact=True).click()
    page.locator("dialog").get_by_text(item, exact=True).click()
    expect(page.locator("dialog")).to_have_count(0)


def test_documents_are_accessible_in_all_themes_and_at_320_pixels(
    kept_page: KeptPages, site: str
) -> None:
    page = kept_page("docs/index.html", viewport={"width": 320, "height": 640})
    found = []
    for name in sample(DOCS, 8, kind="documents"):
        page.goto(f"{site}docs/{name}")
        expect(page.locator("main h1")).to_be_visible()
        for details in page.locator("details").all()[:3]:
            details.locator("summary").click()
        found += [f"{name}: {one}" for one in flaws(page)]
        found += [f"{name} scrolls sideways"] if page.evaluate(SIDEWAYS) > 0 else []
    assert found == []


@pytest.mark.sampled(8, of="pages")
@pytest.mark.parametrize("desk", DESKS)
@pytest.mark.parametrize("size", SIZES)
def test_embedded_boards_are_accessible(
    kept_page: KeptPages, site: str, size: str, desk: str
) -> None:
    page = kept_page(**SIZES[size], reduced_motion="reduce")
    show(page, desk, "play")
    fragment = address_of(page).partition("#")[2]
    page.goto(f"{site}?embed=1#{fragment}")
    settled(page)
    found = flaws(page)
    page.goto(f"{site}#{fragment}")
    assert found == []


@pytest.mark.sampled(8, of="pages")
@pytest.mark.parametrize("desk", DESKS)
@pytest.mark.parametrize("size", SIZES)
def test_text_view_print_and_branch_are_accessible(
    kept_page: KeptPages, size: str, desk: str
) -> None:
    page = kept_page(**SIZES[size], reduced_motion="reduce")
    show(page, desk, "play")
    share(page, "Text view")
    expect(page.locator(".text-view p, .text-view li").first).to_be_visible()
    found = [f"in words: {one}" for one in flaws(page)]
    share(page, "Text view")
    page.emulate_media(media="print")
    found += [f"printed: {one}" for one in violations(page)]
    page.emulate_media(media="screen")
    page.get_by_role("button", name="History", exact=True).click()
    page.locator("dialog").get_by_role("button", name="Try a branch…").last.click()
    page.get_by_role("button", name="Try it").click()
    expect(page.locator(".suppose-line")).to_be_visible()
    found += [f"supposing: {one}" for one in flaws(page)]
    page.get_by_role("button", name="Back to the game").click()
    assert found == []
