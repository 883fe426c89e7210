"""Sizes on all desks: the board's share of a low screen, inputs, targets, names, paper."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser import KeptPages, measured, resize
from cluewise import desks
from selection import sample
from states import DESKS, settled, show
from states import STATES as STATES_OF

LOW = [(320, 256), (667, 375), (844, 390)]
WIDTHS = [320, 390, 1440]
STATES = [(desk, "play") for desk in DESKS] + [("mines", "bench")]
BOARDS = ".code-play .log, .racks, tile-map, .mines-desk .board, .mines-editor .board, .board"

# The share of the window's height that nothing fixed lies over, and that of the largest board.
SHARES = """(boards) => {
  const fixed = (one) => {
    for (; one; one = one.parentElement)
      if (/fixed|sticky/.test(getComputedStyle(one).position)) return true;
    return false;
  };
  const heights = [...document.querySelectorAll(boards)].map((one) => one.getBoundingClientRect());
  const board = heights.sort((a, b) => b.height - a.height)[0];
  const x = Math.min(innerWidth - 5, Math.max(5, board.left + board.width / 2));
  let free = 0;
  for (let y = 0; y < innerHeight; y++) if (!fixed(document.elementFromPoint(x, y))) free++;
  return [free / innerHeight, board.height / innerHeight];
}"""

# Fields that cannot show the longest of what they hold: a number, or the first word of a text.
NARROW = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("input.field, select.field")].flatMap((one) => {
    const style = getComputedStyle(one);
    const { width } = one.getBoundingClientRect();
    const text = one.type === "number" ? one.max || "999" : one.value.split(" ")[0] || "000000";
    pen.font = style.font;
    const least = pen.measureText(text).width + 2 * parseFloat(style.paddingLeft) + 2;
    return width && width < least ? [`${one.className}: ${text} in ${width} px`] : [];
  });
}"""

# What is pressed and is smaller than 24 px, or a main action smaller than 44 px; links within a
# sentence are as high as its lines.
SMALL = """(root) => [...(root ?? document).querySelectorAll(
  "button, a[href], input, select, textarea, summary, [role=button]")].flatMap((one) => {
  if (one.matches(".skip, .term, .unseen, p a, [hidden]")) return [];
  const { width, height } = (one.closest("label") ?? one).getBoundingClientRect();
  const least = one.matches(".main, .bar-act") ? 44 : 24;
  const small = width && (width < least - 0.5 || height < least - 0.5);
  return small ? [`${one.className.baseVal ?? one.className} ${width} x ${height}`] : [];
})"""


LONG = "x" * 60
NAMES = {
    "3 000 characters": "long name " * 300,
    "60 without a space": LONG,
    "right to left": "לוח א 12",
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("desk", "state"), STATES)
def test_board_and_controls_keep_their_minimum_sizes(
    kept_page: KeptPages, desk: str, state: str
) -> None:
    page = kept_page()
    show(page, desk, state)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.locator(".notice")).to_have_count(0)  # it goes by itself
    for width, height in LOW:
        resize(page, width, height)
        page.evaluate("scrollTo(0, 0)")
        free, board = measured(page, SHARES, BOARDS)
        assert free >= 0.6, (width, height)
        assert board >= 0.6 or desk in ("code", "rack"), (width, height)  # as high as its rows
        assert measured(page, SMALL) == [], (width, height)
    for width in WIDTHS:
        resize(page, width)
        assert measured(page, SMALL) == [], width
        assert measured(page, NARROW) == [], width


ENCODE = """async ([desk, position]) =>
  (await import(new URL("session/link.js", document.baseURI))).encode(desk, position)"""


def test_names_of_any_length_or_direction_fit(kept_page: KeptPages, site: str) -> None:
    page = kept_page()
    board = STATES_OF["mines"]["play"]
    for kind, name in NAMES.items():
        stands = [{"slots": [{}, {}]}, {"name": name, "slots": [{}]}]
        for desk, position in (("mines", {**board, "title": name}), ("rack", {"stands": stands})):
            page.goto(site + page.evaluate(ENCODE, [desk, position]))
            heading = page.locator("#desk :is(h1, h2)", has_text=name[:8]).first
            expect(heading).to_be_visible()
            for width in WIDTHS:
                resize(page, width)
                assert measured(page)[0] <= width, (kind, desk, width)
                assert heading.evaluate("(one) => one.getBoundingClientRect().height") < 200


def test_count_of_codes_does_not_overlap_its_button_at_double_size(page: Page, site: str) -> None:
    page.set_viewport_size({"width": 640, "height": 400})
    page.goto(site + "#/code")
    expect(page.locator(".left")).to_contain_text("codes are still possible")
    ends, begins = measured(
        page,
        """() => {
          const text = document.createRange();
          const words = [...document.querySelector(".left > span").childNodes];
          text.selectNodeContents(words.find((one) => one.data?.trim()));
          const button = document.querySelector(".code-play > .between button");
          return [text, button].map((one) => one.getBoundingClientRect())
            .map(({ left, right }, i) => (i ? left : right));
        }""",
    )
    assert ends <= begins


def test_all_pulses_of_the_bar_are_visible_at_320_pixels(page: Page, site: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(site + "#/scan")
    expect(page.locator(".bar-key")).to_have_count(3)
    row = "const row = document.querySelector('.bar-entry')"
    hidden = measured(page, f"() => {{ {row}; return row.scrollWidth - row.clientWidth; }}")
    assert hidden == 0


def test_theme_and_palette_apply_to_every_page(page: Page, site: str) -> None:
    def shown() -> str:
        return str(
            page.evaluate(
                """() => [...document.querySelectorAll("meta[name=theme-color]")]
                  .filter((one) => matchMedia(one.media).matches)
                  .map((one) => one.content).join()"""
            )
        )

    page.emulate_media(color_scheme="light")
    page.goto(site)
    light = shown()
    page.get_by_role("button", name="Menu").click()
    page.locator("dialog").get_by_text("Settings", exact=True).click()
    page.get_by_role("button", name="Dark").click()
    page.get_by_role("button", name="Easy to tell apart").click()
    page.route("**/worker.js", lambda route: None)  # no Python is needed
    for address in ("", "docs/guide-code.html", "console.html"):
        page.goto(site + address)
        page.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")
        assert shown() not in ("", light)
        expect(page.locator("html")).to_have_attribute("data-palette", "clear")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 26)"


def test_print_has_board_and_advice_without_instructions_or_buttons(page: Page, site: str) -> None:
    page.emulate_media(media="print")
    page.goto(site)
    for desk in DESKS:
        show(page, desk, "play")
        text = page.locator("body").inner_text()
        hints = [w for w in ("press ", "tap ", "Tap ", "Press ", "Type ", "Drag ") if w in text]
        assert hints == [], (desk, text)
        for name in ("Add this row", "Play a round", "Share"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
    show(page, "code", "play")
    expect(page.locator(".guess").first).to_be_visible()
    expect(page.locator(".options .option").first).to_be_visible()


def test_back_closes_the_open_dialog_and_keeps_the_position(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + "#/code")
    expect(page.locator("#desk h1")).to_be_visible()
    page.keyboard.press("0")
    page.wait_for_function("() => document.documentElement.dataset.address === 'current'")
    before = page.url
    for _ in range(2):
        page.keyboard.press("?")
        expect(page.locator("dialog[open]")).to_be_visible()
        page.go_back()
        expect(page.locator("dialog")).to_have_count(0)
        assert page.url == before
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.wait_for_function("() => !history.state")
    assert page.url == before
    page.goto(site + "#/rack")
    expect(page.locator("#desk[data-desk=rack] h1")).to_be_visible()
    page.go_back()
    expect(page.locator("#desk[data-desk=code] h1")).to_be_visible()


# Presses every button of the page once, and every button of the dialogs that open; the names of the
# dialogs, each with what in it is too small or wider than the window.
WALK = """async (small) => {
  const pressed = new Set(), found = {};
  const top = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? null;
  const label = (one) =>
    `${one.ariaLabel ?? ""} ${one.textContent}`.replace(/[\\d\\s]+/g, " ").trim();
  // A press in a dialog may open another one, which a busy machine draws some frames later.
  const frames = async (dialog) => {
    const before = dialog?.ariaLabel;
    for (let i = 0; i < 4 || (dialog && i < 16 && top()?.ariaLabel === before); i++)
      await new Promise((next) => requestAnimationFrame(next));
  };
  let opener = "", first = "";
  const next = (dialog) => {
    for (const one of (dialog ?? document).querySelectorAll("button:not([disabled]), summary")) {
      const key = `${dialog?.ariaLabel}: ${label(one)}`;
      if (pressed.has(key) || !one.getClientRects().length) continue;
      if (one.closest("dialog header")) continue;
      pressed.add(key);
      if (!dialog) opener = key;
      return one;
    }
  };
  for (let presses = 0; presses < 160; presses++) {
    const dialog = top(), one = next(dialog);
    if (!one && !dialog) break;
    if (one) one.click();
    else dialog.close();
    await frames(dialog);
    const after = top();
    if (!dialog && after) first = after.ariaLabel;
    // A press inside closed it: opened once more, its other buttons are pressed.
    if (dialog && !after && (one || dialog.ariaLabel !== first)) pressed.delete(opener);
    if (after && !(after.ariaLabel in found))
      found[after.ariaLabel] = [
        ...small(after), ...(after.scrollWidth > innerWidth ? ["wide"] : [])];
  }
  return found;
}"""
LARGE = [
    ("sudoku", {"grids": ["." * 256]}),
    ("mines", {"board": {"kind": "square", "width": 30, "height": 30, "total": 180}}),
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("desk", "state"),
    [("code", "play"), ("rack", "play"), ("scan", "play"), ("mines", "bench"), *LARGE],
    ids=["code", "rack", "scan", "mines-editor", "sudoku-16", "mines-30"],
)
def test_controls_in_dialogs_have_their_minimum_size(
    page: Page, site: str, desk: str, state: str | dict[str, object]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(site)
    if isinstance(state, str):
        show(page, desk, state)
    else:
        page.goto(site + page.evaluate(ENCODE, [desk, state]))
        expect(page.locator(f"#desk[data-desk={desk}] h1")).to_be_attached()
    if (desk, state) in LARGE:
        larger = page.get_by_role("button", name="Larger cells")
        if larger.is_visible():
            larger.click()
        page.wait_for_function(f"() => ({SMALL})(document).length === 0")
    found = page.evaluate(f"({WALK})({SMALL})")
    assert {"Menu", "Share", "Settings", "Keys"} <= set(found)
    assert {name: small for name, small in found.items() if small} == {}


# What a desk looks like: every visible thing of it with its size, in order. Text in a line is as
# wide as its words, and a cost that is worked out in a set time has one number or two.
BOXES = """() => [...document.querySelectorAll('#desk *')].filter((e) => e.checkVisibility())
  .map((e) => [e, e.getBoundingClientRect(), getComputedStyle(e).display === 'inline'])
  .map(([e, box, inline]) => `${e.tagName} ${e.className.baseVal ?? e.className} `
    + `${inline ? '' : Math.round(box.width)}x${Math.round(box.height)}`)"""


def test_ticks_in_dialogs_stand_next_to_their_texts(page: Page, site: str) -> None:
    page.goto(site)
    show(page, "rack", "empty")  # whose sheet styles the labels of dialogs
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_role("button", name="New table").click()
    page.get_by_role("button", name="Mission 3", exact=True).click()
    tick = page.locator("dialog .check").first
    expect(tick).to_have_css("display", "flex")
    page.keyboard.press("Escape")
    show(page, "code", "empty")
    page.get_by_role("button", name="Change game").click()
    expect(tick).to_have_css("display", "flex")


def test_style_sheets_of_a_desk_do_not_affect_others(page: Page, site: str) -> None:
    # Style sheets stay once they are loaded, and class names such as "cell" are everybody's.
    def boxes(desk: str) -> list[str]:
        expect(page.locator(f"#desk[data-desk={desk}] h1").first).to_be_visible()
        settled(page)
        return list(measured(page, BOXES))

    def go(desk: str) -> None:
        page.evaluate("desk => { location.hash = `#/${desk}` }", desk)
        expect(page.locator(f"#desk[data-desk={desk}] h1").first).to_be_visible()

    page.goto(site)
    alone = {}
    for desk in sample(desks.available(), 2, kind="desks"):
        go(desk)
        page.reload()  # without the sheets of the others
        alone[desk] = boxes(desk)
        assert len(alone[desk]) > 50
    for desk in desks.available():
        go(desk)
    for desk, expected in alone.items():
        go(desk)
        assert boxes(desk) == expected, desk
