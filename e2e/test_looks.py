"""What the page looks like: its main states against baselines, within a tolerance."""

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from browser import ROOT, Watch, measured, open_context, origin_of
from cluewise import desks
from states import DESKS, DIALOGS, NAMES, show
from test_a11y import PICTURE, THIRD, closed, opened

WRITE = os.environ.get("CLUEWISE_LOOKS") == "1"
THEMES = [("light", "none"), ("dark", "none"), ("light", "active")]
KEPT = Path(__file__).resolve().parent / "looks"
CHANGED = ROOT / "test-results" / "looks"
SIZES = {"wide": (1440, 900), "phone": (390, 844)}
SHRINK = {"wide": 5, "phone": 3}
COLOURS = 96  # of a baseline; enough for text on its ground, a third of the bytes
SQUARE = 8  # px of a baseline, the side of what is compared
STEP = 4  # px from one square to the next
STRONG = 40  # of 255: no square may be farther off than this; edges half a pixel off come to 16
SLIGHT = 22  # of 255: so far off is still nothing, unless many are
MANY = 0.03  # share of squares

Pixels = np.ndarray[tuple[int, int, int], np.dtype[np.float64]]


def shots(page: Page, size: str) -> list[tuple[str, bytes]]:
    """The window as it stands in light, dark and forced colours."""
    found = []
    for scheme, forced in THEMES:
        page.emulate_media(color_scheme=scheme, forced_colors=forced)  # type: ignore[arg-type]
        page.evaluate("scrollTo(0, 0)")
        measured(page)
        found.append((size, page.screenshot(animations="disabled")))
    return found


# What the menu opens, each kept as a picture; "" is the menu itself.
MENU = {"": "menu", "Examples": "menu-examples", "Help": "menu-help"}


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
    return {f"{desk}-dialog-{number}": one for number, one in enumerate(shown, 1)}


# A notice goes after six seconds, which a busy machine takes for six pictures.
LASTING = """() => {
  const after = globalThis.setTimeout;
  globalThis.setTimeout = (run, wait, ...rest) => wait === 6000 ? 0 : after(run, wait, ...rest);
}"""


@pytest.fixture
def pages(
    full_browser: Browser, site: str, request: pytest.FixtureRequest
) -> Iterator[dict[str, Page]]:
    """The home page on a desk and on a phone, in full Chromium: the baselines have its letters."""
    found, watches = {}, []
    for name, (width, height) in SIZES.items():
        view = {"width": width, "height": height}
        options: dict[str, Any] = {"viewport": view, "has_touch": name == "phone"}
        context = open_context(
            full_browser.new_context, request, reduced_motion="reduce", **options
        )
        watches.append(Watch(context, origin_of(site)))
        found[name] = page = context.new_page()
        page.goto(site)
        expect(page.locator(".mini svg")).to_have_count(len(desks.available()))
        expect(page.locator(".phase")).to_have_count(0)
        page.evaluate(LASTING)
    yield found
    complaints = [one for watch in watches for one in watch.complaints()]
    for page in found.values():
        page.context.close()
    assert complaints == []


def strip(pages: dict[str, Page]) -> Image.Image:
    return picture([one for size, page in pages.items() for one in shots(page, size)])


@pytest.mark.sampled(5, of="looks")
@pytest.mark.parametrize("desk", DESKS)
def test_a_desk_looks_as_it_did(pages: dict[str, Page], desk: str) -> None:
    found = []
    for state in NAMES:
        for page in pages.values():
            show(page, desk, state)
        found += compared(f"{desk}-{state}", strip(pages), write=WRITE)
    assert found == []


@pytest.mark.sampled(5, of="looks")
@pytest.mark.parametrize("desk", DESKS)
def test_the_dialogs_of_a_desk_look_as_they_did(pages: dict[str, Page], desk: str) -> None:
    found = []
    for name, (state, opener, *further) in dialogs(desk).items():
        for page in pages.values():
            show(page, desk, state)
            opened(page, opener, *further)
        found += compared(name, strip(pages), write=WRITE)
        for page in pages.values():
            closed(page)
    assert found == []


BLACK = """() => {
  for (const shape of document.querySelectorAll(".mini svg *")) shape.style.fill = "#000";
}"""


@pytest.mark.sampled(5, of="looks")
def test_the_home_page_the_menu_and_its_help_look_as_they_did(pages: dict[str, Page]) -> None:
    found = compared("home", strip(pages), write=WRITE)
    for page in pages.values():
        page.evaluate(BLACK)
    assert changes(strip(pages), kept_home()) != []  # black shapes would be seen
    for page in pages.values():
        show(page, "code", "play")
    for item, name in MENU.items():
        for page in pages.values():
            page.get_by_role("button", name="Menu").click()
            page.locator("dialog .version").evaluate(SAME_BUILD)
            if item:
                page.locator("dialog").get_by_text(item, exact=True).click()
                expect(page.locator("dialog h2").first).not_to_have_text("Menu")
        found += compared(name, strip(pages), write=WRITE)
        for page in pages.values():
            closed(page)
    assert found == []


def kept_home() -> Image.Image:
    return Image.open(KEPT / "home.png").convert("RGB")


def test_the_kept_pictures_are_those_of_the_states_and_small() -> None:
    names = {path.stem for path in KEPT.glob("*.png")}
    states = {f"{desk}-{state}" for desk in DESKS for state in NAMES}
    assert names == {"home", *states, *MENU.values(), *(name for d in DESKS for name in dialogs(d))}
    assert sum(path.stat().st_size for path in KEPT.glob("*.png")) < 3_000_000


def small(shot: bytes, size: str) -> Image.Image:
    """A screenshot as it is kept: a fifth or a third of its side."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    width, height = SIZES[size]
    return image.resize((width // SHRINK[size], height // SHRINK[size]), Image.Resampling.BOX)


def picture(shots: list[tuple[str, bytes]]) -> Image.Image:
    """Screenshots, each with the name of its size, side by side in one picture of few colours."""
    parts = [small(shot, size) for size, shot in shots]
    width = sum(one.width for one in parts)
    strip = Image.new("RGB", (width, max(one.height for one in parts)), (128, 128, 128))
    left = 0
    for one in parts:
        strip.paste(one, (left, 0))
        left += one.width
    return strip.quantize(COLOURS, dither=Image.Dither.NONE)


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


def compared(name: str, now: Image.Image, *, write: bool) -> list[str]:
    """Return the changes against the baseline. `write`: keep the new one where it differs."""
    path = KEPT / f"{name}.png"
    found = changes(now, Image.open(path)) if path.exists() else ["there is no baseline"]
    if found and write:
        KEPT.mkdir(exist_ok=True)
        now.save(path, optimize=True)
        return []
    if found:
        CHANGED.mkdir(parents=True, exist_ok=True)
        both = [now, Image.open(path)] if path.exists() else [now]
        sheet = Image.new("RGB", (now.width, sum(one.height + 4 for one in both)), "white")
        for i, one in enumerate(both):
            sheet.paste(one.convert("RGB"), (0, i * (now.height + 4)))
        sheet.save(CHANGED / f"{name}.png")
    return [f"{name}: {one}" for one in found]
