"""Elements of the rack desk's page, and the table as text by its dialog."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, expect

# Blue 1 to 6 for four players, and no mission's card: any equipment may be used.
TABLE = {
    "desk": "rack",
    "wires": {"blue": [1, 6]},
    "stands": [{"name": name, "slots": [{}] * 6} for name in ("", "Ann", "Bob", "Cleo")],
}


def tile(page: Page, stand: int, slot: int) -> Locator:
    return page.locator(f'[data-place="{stand}.{slot}"]')


def first(page: Page) -> Locator:
    return page.locator(".options:not(.stale) .option").first


def deals(page: Page) -> Locator:
    return page.locator(".left-box:not(.stale) .left b")


def pad(page: Page) -> Locator:
    return page.locator(".pad-box")


def from_table_menu(
    page: Page, entry: str, press: Callable[[Locator], None] = lambda button: button.click()
) -> None:
    """Press an entry of the table's menu."""
    press(page.get_by_role("button", name="Table", exact=True))
    press(page.locator("dialog").get_by_role("button", name=entry))


def write_stands(page: Page, text: str) -> None:
    """Replace the stands by the text dialog."""
    from_table_menu(page, "Table as text…")
    page.locator("dialog textarea").fill(text)
    page.get_by_role("button", name="Use these stands").click()


def read_stands(page: Page) -> list[str]:
    """Return the table as text, one line per stand."""
    from_table_menu(page, "Table as text…")
    text = page.locator("dialog textarea").input_value()
    page.locator("dialog").get_by_role("button", name="Close").click()
    return text.split("\n")


@contextmanager
def one_step(page: Page) -> Iterator[None]:
    """Wait until the actions inside are in the history; the worker computes the new table."""
    undo = page.get_by_role("button", name=re.compile("^Undo"))
    before = undo.get_attribute("aria-label") or ""
    yield
    expect(undo).not_to_have_attribute("aria-label", before)


def rank_by_success(page: Page) -> None:
    """Rank cuts by success: rollouts would take 7 s of processor time in mission 35."""
    current = page.locator("#desk[data-answers=current]")
    button = page.get_by_role("button", name="Chance to succeed", pressed=False)
    expect(current.or_(button).first).to_be_attached()
    if button.count():
        button.evaluate("(button) => button.click()")
        expect(page.locator(".option").filter(has_text="wins")).to_have_count(0)
        expect(current).to_be_attached()


def cut_down(page: Page, press: Callable[[Locator], None]) -> None:
    """Play a practice game by the advice, until the last own wire is cut or it is lost."""
    from_table_menu(page, "Practise", press)
    expect(page.get_by_text("Which wire would you indicate?")).to_be_visible()
    press(page.get_by_role("button", name="Only show the scores"))
    press(page.get_by_role("button", name="Indicate this wire"))
    lost = page.get_by_text("bomb has gone off")
    done = page.get_by_text("All your wires are cut.").or_(lost).first
    for _ in range(40):
        expect(first(page).or_(done).first).to_be_visible()
        rank_by_success(page)
        if done.count():
            break
        before = page.locator(".racks").inner_text()
        press(page.locator(".reason .plain").first)
        expect(page.locator(".racks")).not_to_have_text(before)
    expect(done).to_be_visible()
