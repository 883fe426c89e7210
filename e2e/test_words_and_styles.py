"""The glossary from the desks: a term opens by touch and by key, leads on, and gives focus back."""

from playwright.sync_api import Page, expect

from browser import measured
from cluewise import desks
from cluewise.desks.code.position import Position, Rules
from cluewise.links import encode
from sampling import sample
from states import settled
from test_a11y import violations


def test_the_unit_of_the_advice_explains_itself_and_leads_to_its_chapter(
    page: Page, site: str
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(site + encode(Position(Rules(5, 8))))  # too many codes to rank by guesses
    term = page.get_by_role("button", name="What does “bits” mean?")
    expect(term).to_be_visible()
    term.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Bits")
    expect(dialog.get_by_text("One bit halves the possibilities")).to_be_visible()
    expect(dialog.get_by_text("32 letters can be written with 5 binary digits")).to_be_visible()
    assert violations(page) == []
    dialog.get_by_role("button", name="Split").click()
    expect(page.get_by_role("dialog", name="Split")).to_be_visible()
    page.keyboard.press("5")  # the desk behind must not take keys
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".guess")).to_have_count(0)
    expect(term).to_be_focused()
    term.click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="More about this").click()
    expect(opened.value.get_by_role("heading", name="Information and bits")).to_be_visible()
    page.goto(f"{site}docs/glossary.html#minlex")
    expect(page.locator("#minlex")).to_be_in_viewport()


# What a desk looks like: every visible thing of it with its size, in order. Text in a line is as
# wide as its words, and a cost that is worked out in a set time has one number or two.
BOXES = """() => [...document.querySelectorAll('#desk *')].filter((e) => e.checkVisibility())
  .map((e) => [e, e.getBoundingClientRect(), getComputedStyle(e).display === 'inline'])
  .map(([e, box, inline]) => `${e.tagName} ${e.className.baseVal ?? e.className} `
    + `${inline ? '' : Math.round(box.width)}x${Math.round(box.height)}`)"""


def test_no_desk_dresses_another(page: Page, site: str) -> None:
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
