"""What the page looks like: its main states against baselines, within a tolerance.

looks/ has a sheet for each desk and one for the frame around them: a row for each state or dialog,
in it the window wide and on a phone, each in three themes.
"""

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from browser import ROOT, KeptPages, measured, open_context
from cluewise import desks
from states import DESKS, DIALOGS, NAMES, show
from test_a11y import PICTURE, THIRD, closed, opened

WRITE = os.environ.get("CLUEWISE_LOOKS") == "1"
THEMES = [("light", "none"), ("dark", "none"), ("light", "active")]
KEPT = Path(__file__).resolve().parent / "looks"
CHANGED = ROOT / "test-results" / "looks"
SIZES = {"wide": (1440, 900), "phone": (390, 844)}
SHRINK = {"wide": 5, "phone": 3}
HEIGHT = max(SIZES[size][1] // by for size, by in SHRINK.items())  # of a row
COLOURS = 96  # of a baseline; enough for text on its ground, a third of the bytes
SQUARE = 8  # px of a baseline, the side of a compared square
STEP = 4  # px from one square to the next
STRONG = 40  # of 255: no square may be farther off than this; edges half a pixel off come to 16
SLIGHT = 22  # of 255: so far off is still nothing, unless many are
MANY = 0.03  # share of squares

Pixels = np.ndarray[tuple[int, int, int], np.dtype[np.float64]]


def shots(page: Page, size: str) -> Iterator[Image.Image]:
    """The window as it stands in light, dark and forced colours, a fifth or a third of its side."""
    width, height = SIZES[size]
    for scheme, forced in THEMES:
        page.emulate_media(color_scheme=scheme, forced_colors=forced)  # type: ignore[arg-type]
        page.evaluate("scrollTo(0, 0)")
        measured(page)
        image = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
        by = SHRINK[size]
        yield image.resize((width // by, height // by), Image.Resampling.BOX)


def strip(pages: dict[str, Page]) -> Image.Image:
    """The windows side by side in one picture of few colours."""
    parts = [one for size, page in pages.items() for one in shots(page, size)]
    found = Image.new("RGB", (sum(one.width for one in parts), HEIGHT), (128, 128, 128))
    left = 0
    for one in parts:
        found.paste(one, (left, 0))
        left += one.width
    return found.quantize(COLOURS, dither=Image.Dither.NONE)


# What the menu opens, each kept as a picture; "" is the menu itself.
MENU = {"": "menu", "Examples": "examples", "Help": "help"}


# The marks of a build are digits and letters of many widths: the line would break elsewhere.
SAME_BUILD = """(line) => {
  const words = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const text = words.currentNode;
    text.data = text.data.replace(/\\b[0-9a-f]{8}\\b/g, "0".repeat(8));
  }
}"""


def dialogs(desk: str) -> dict[str, list[str]]:
    shown = [one for one in DIALOGS[desk] if one[1] not in (PICTURE, THIRD)]
    return {f"dialog-{number}": one for number, one in enumerate(shown, 1)}


# The rows of every sheet, from above.
SHEETS = {"frame": ["home", *MENU.values()]} | {d: [*NAMES, *dialogs(d)] for d in DESKS}


# A notice goes after six seconds, which a busy machine takes for six pictures.
LASTING = """() => {
  const after = globalThis.setTimeout;
  globalThis.setTimeout = (run, wait, ...rest) => wait === 6000 ? 0 : after(run, wait, ...rest);
}"""


@pytest.fixture
def opened_pages(
    full_browser: Browser, site: str, request: pytest.FixtureRequest
) -> Iterator[Callable[[], dict[str, Page]]]:
    """Opens the home page wide and on a phone, in full Chromium: the baselines have its letters."""
    groups: list[KeptPages] = []

    def open_pages() -> dict[str, Page]:
        group = KeptPages(
            lambda **options: open_context(full_browser.new_context, request, **options), site
        )
        groups.append(group)
        found = {}
        for name, (width, height) in SIZES.items():
            view = {"width": width, "height": height}
            page = group(viewport=view, has_touch=name == "phone", reduced_motion="reduce")
            expect(page.locator(".mini svg")).to_have_count(len(desks.available()))
            expect(page.locator(".phase")).to_have_count(0)
            page.evaluate(LASTING)
            found[name] = page
        return found

    yield open_pages
    complaints = [one for group in groups for one in group.complaints()]
    for group in groups:
        group.close()
    assert complaints == []


@pytest.mark.sampled(5, of="looks")
@pytest.mark.parametrize("desk", DESKS)
def test_desk_and_dialogs_match_their_baselines(
    opened_pages: Callable[[], dict[str, Page]], desk: str
) -> None:
    found, pages = {}, opened_pages()
    for state in NAMES:
        for page in pages.values():
            show(page, desk, state)
        found[state] = strip(pages)
    pages = opened_pages()
    for name, (state, opener, *further) in dialogs(desk).items():
        for page in pages.values():
            show(page, desk, state)
            opened(page, opener, *further)
        found[name] = strip(pages)
        for page in pages.values():
            closed(page)
    assert compared(desk, found, write=WRITE) == []


BLACK = """() => {
  for (const shape of document.querySelectorAll(".mini svg *")) shape.style.fill = "#000";
}"""


@pytest.mark.sampled(5, of="looks")
def test_home_page_menu_and_help_match_their_baselines(
    opened_pages: Callable[[], dict[str, Page]],
) -> None:
    pages = opened_pages()
    found = {"home": strip(pages)}
    for page in pages.values():
        page.evaluate(BLACK)
    assert changes(strip(pages), found["home"]) != []  # black shapes would be seen
    for page in pages.values():
        show(page, "code", "play")
    for item, name in MENU.items():
        for page in pages.values():
            page.get_by_role("button", name="Menu").click()
            page.locator("dialog .version").evaluate(SAME_BUILD)
            if item:
                page.locator("dialog").get_by_text(item, exact=True).click()
                expect(page.locator("dialog h2").first).not_to_have_text("Menu")
        found[name] = strip(pages)
        for page in pages.values():
            closed(page)
    assert compared("frame", found, write=WRITE) == []


def test_baselines_have_a_row_per_state_and_are_small() -> None:
    assert {path.stem for path in KEPT.iterdir()} == set(SHEETS)
    for name, rows in SHEETS.items():
        assert len(kept(name)) == len(rows), name
    assert sum(path.stat().st_size for path in KEPT.iterdir()) < 2_000_000


def squares(image: Image.Image) -> Pixels:
    """Mean colour of every square: (rows, columns, 3)."""
    pixels = np.asarray(image.convert("RGB"), dtype=np.float64)
    windows = np.lib.stride_tricks.sliding_window_view(pixels, (SQUARE, SQUARE), axis=(0, 1))
    means: Pixels = windows[::STEP, ::STEP].mean(axis=(3, 4))
    return means


def changes(now: Image.Image, kept: Image.Image) -> list[str]:
    """What differs more than machines do, strongest first; empty when nothing does."""
    if now.size != kept.size:
        return [f"it is {now.size} instead of {kept.size}"]
    apart = np.abs(squares(now) - squares(kept)).max(axis=2)
    found = []
    row, column = (int(i) for i in np.unravel_index(apart.argmax(), apart.shape))
    if apart[row, column] > STRONG:
        found.append(
            f"at {column * STEP},{row * STEP} a square is {apart[row, column]:.0f} of 255 off"
        )
    share = float((apart > SLIGHT).mean())
    if share > MANY:
        found.append(f"{100 * share:.1f} % of the squares are more than {SLIGHT} of 255 off")
    return found


def kept(name: str) -> list[Image.Image]:
    """The rows of a sheet; none if there is no such sheet."""
    path = KEPT / f"{name}.webp"
    if not path.exists():
        return []
    sheet = Image.open(path).convert("RGB")
    tops = range(0, sheet.height, HEIGHT)
    return [sheet.crop((0, top, sheet.width, top + HEIGHT)) for top in tops]


def compared(name: str, now: dict[str, Image.Image], *, write: bool) -> list[str]:
    """Return the changes of a sheet's rows. `write`: keep the new ones where they differ."""
    assert list(now) == SHEETS[name]
    rows = dict(zip(now, kept(name), strict=False))
    found = {
        row: changes(one, rows[row]) if row in rows else ["there is no baseline"]
        for row, one in now.items()
    }
    changed = [row for row in now if found[row]]
    if changed and write:
        KEPT.mkdir(exist_ok=True)
        sheet = stacked([one if found[row] else rows[row] for row, one in now.items()])
        sheet.save(KEPT / f"{name}.webp", lossless=True, quality=100, method=6)
        return []
    for row in changed:
        CHANGED.mkdir(parents=True, exist_ok=True)
        both = [now[row], rows[row]] if row in rows else [now[row]]
        stacked(both).save(CHANGED / f"{name}-{row}.png")
    return [f"{name}, {row}: {one}" for row in changed for one in found[row]]


def stacked(rows: list[Image.Image]) -> Image.Image:
    sheet = Image.new("RGB", (rows[0].width, HEIGHT * len(rows)))
    for i, one in enumerate(rows):
        sheet.paste(one.convert("RGB"), (0, i * HEIGHT))
    return sheet
