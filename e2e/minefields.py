"""Mine boards that are played to their end by hints: bundled ones, and a published level file."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from browser import box_of, touches
from cluewise.desks.mines.verbs.files import bundled
from presses import Mouse, Thumb, part
from reference.mines_boards import lock_named
from reference.mines_puz import lock_file
from states import show

BUNDLED = {"mines": "First lock", "mines, a honeycomb": "Small honeycomb"}
FROM_FILE = {"mines, a level file": "6x6-with-score-31.67"}
FIELDS = [*BUNDLED, *FROM_FILE]
MOST = 60  # hints
DEGREES = ("Is there a move?", "Where is it?", "Which clues?", "What is it, and why?")


def layout_of(name: str) -> str:
    """Return the layout of a published lock: `*` a mine, `?` a hidden number."""
    return str(lock_named(name)["layout"])


def cell(page: Page, index: int) -> Locator:
    return page.locator(f'[data-cell="{index}"]')


def finger_on(page: Page, *cells: int) -> Callable[..., None]:
    """Return a function that sends a touch to one of the cells: `send("touchMove", 12)`.

    The cells are measured here: once the finger is down, a cell that is held too long is flagged.
    """
    boxes, touch = {at: box_of(cell(page, at)) for at in cells}, touches(page)

    def send(kind: str, *at: int) -> None:
        touch(kind, *((boxes[one]["x"] + 20, boxes[one]["y"] + 20) for one in at))

    return send


def open_file(page: Page, layout: str) -> None:
    """Open a level file with the lock by the Puzzles dialog."""
    page.get_by_role("button", name="Puzzles").first.click()
    page.get_by_role("button", name="Open and rate").click()
    chooser = page.locator(".dialog input[type=file]:not([multiple], [capture])")
    assert chooser.evaluate("(e) => e.getBoundingClientRect().width") <= 1
    file = lock_file(layout).encode()
    chooser.set_input_files({"name": "lock.puz", "mimeType": "text/plain", "buffer": file})
    expect(page.get_by_role("heading", level=1)).to_have_text("A published lock")


def safe_cells(name: str) -> int:
    """Return the number of cells of a field that are no mines."""
    if name in FROM_FILE:
        layout = layout_of(FROM_FILE[name])
        return len(layout) - layout.count("*")
    (entry,) = (e for e in bundled() if e.title == BUNDLED[name])
    return entry.cells - entry.mines


def field(page: Page, name: str) -> None:
    """One of FIELDS, untouched."""
    show(page, "mines", "empty")
    if name in FROM_FILE:
        open_file(page, layout_of(FROM_FILE[name]))
    else:
        title = BUNDLED[name]
        page.get_by_role("button", name="Puzzles").first.click()
        page.get_by_role("button", name=title).first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator(".cell.open")).to_have_count(0)


def cleared_by_thumb(thumb: Thumb) -> None:
    """To the end by the bar on a phone."""
    bar = part(thumb.page, "advice")
    for _ in range(MOST):
        thumb.act("Hint")
        for _ in range(3):
            thumb.act("More")
        act = part(thumb.page, "act")
        expect(act).to_have_text(
            "Open", use_inner_text=True
        ) if "safe" in bar.inner_text() else None
        expect(bar).to_have_attribute("data-state", "certain")
        thumb.tap(act)
        expect(bar).not_to_have_attribute("data-state", "certain")
        if bar.get_attribute("data-state") == "finished":
            break
    expect(bar).to_have_attribute("data-state", "finished")


def cleared_by_mouse(mouse: Mouse) -> None:
    """Play to the end by the buttons next to the board on a wide screen."""
    page = mouse.page
    over = page.get_by_text("You opened no mine.")
    for _ in range(MOST):
        for degree in DEGREES:
            mouse.tap(page.get_by_role("button", name=degree))
        mouse.tap(page.locator(".mines-desk .card .main"))
        expect(page.locator(".hint-text")).to_have_count(0)
        if over.count():
            break


def cleared(hand: Thumb, name: str) -> None:
    """Follow the hints until every safe cell is open, and no mine is."""
    page = hand.page
    if isinstance(hand, Mouse):
        cleared_by_mouse(hand)
    else:
        cleared_by_thumb(hand)
    expect(page.get_by_text("Solved. Every safe cell is open.").first).to_be_attached()
    expect(page.get_by_text("You opened no mine.").first).to_be_attached()
    expect(page.locator("[data-cell].open")).to_have_count(safe_cells(name))
