"""An embedded board: its controls work and do not change the position."""

import pytest
from playwright.sync_api import expect

from browser import KeptPages, address_of, example
from states import settled

EXAMPLES = {
    "code": ["Mastermind after 0011 1A1B", "A contradiction"],
    "rack": ["Mid-game with yellow and red", "Which wire to show"],
    "scan": ["Falador", "Two pulses that cannot both be true"],
    "mines": ["Parity", "A contradiction"],
    "sudoku": ["One puzzle in disguise", "Inkala's puzzle"],
}
# Presses one control after another, in the page: what answers "read-only", opens a
# dialog that is not for reading, or takes text. The list is read anew after each press.
PRESS_ALL = """async (readOnly) => {
  const frame = () =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.matches(":disabled");
  const pressed = [], wrong = [];
  const pressAll = async (selector) => {
    for (let i = 0; i < 80; i++) {
      const control = [...document.querySelectorAll(selector)].filter(seen)[i];
      if (!control) return;
      const name = `${control.className}: ${control.textContent.trim().slice(0, 40)}`;
      pressed.push(name);
      if (["text", "file"].includes(control.getAttribute("type"))) wrong.push(`${name} takes text`);
      control.click();
      await frame();
      if (document.getElementById("live").textContent === readOnly) wrong.push(name);
      document.querySelector("dialog.explanation")?.close();
      await frame();
      if (document.querySelector("dialog:has(.sheet)") && control.matches(".bar-line")) {
        await pressAll("dialog:has(.sheet) .sheet :is(button, summary)");
        document.querySelector("dialog:has(.sheet)").close();
        await frame();
      }
      if (document.querySelector("dialog:not(:has(.sheet))")) wrong.push(`${name} opens a dialog`);
    }
  };
  // The cells of a board say so when pressed; they are the board itself.
  await pressAll("#desk :is(button, input, select, textarea), #desk summary");
  return { pressed: pressed.length, wrong };
}"""
READ_ONLY = "This board is read-only."


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("desk", "title"), [(desk, title) for desk, titles in EXAMPLES.items() for title in titles]
)
def test_controls_of_an_embedded_board_work_and_change_nothing(
    kept_page: KeptPages, site: str, desk: str, title: str
) -> None:
    page = kept_page(viewport={"width": 700, "height": 600})
    page.goto(f"{site}#/{desk}")
    settled(page)
    example(page, desk, title)
    expect(page.locator("#desk h1").first).to_be_visible()
    fragment = address_of(page).split("#")[1]
    page.goto(f"{site}?embed=1#{fragment}")
    settled(page)
    expect(page.locator(".top")).to_be_hidden()
    found = page.evaluate(PRESS_ALL, READ_ONLY)
    assert found["wrong"] == []
    assert found["pressed"] > 0
    assert address_of(page).split("#")[1] == fragment
