"""The advice bar in whole games: the next control is always visible without scrolling."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import PHONE, WIDE, KeptPages, box_of, resize, touches
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.position import Position, Rules
from cluewise.desks.scan.position import Position as ScanPosition
from cluewise.desks.scan.regions import by_id
from cluewise.links import encode
from minefields import FIELDS, cleared, field
from presses import Mouse, Thumb, in_sight, part
from rack_page import cut_down
from selection import sample
from states import DESKS, NAMES, show
from test_a11y import flaws
from test_scan import best_tile, left, pulse, remaining

STATES = {
    "computing", "advice", "equal", "estimated", "certain", "input", "contradiction", "finished",
    "waiting",
}  # fmt: skip


def state(page: Page) -> str:
    return part(page, "advice").get_attribute("data-state") or ""


@pytest.fixture
def phone(watched: Callable[..., Page], site: str) -> Page:
    page = watched(site, **PHONE, reduced_motion="reduce")
    expect(page.locator("h1").first).to_be_visible()
    return page


@pytest.fixture
def shown(kept_page: KeptPages) -> Page:
    return kept_page(**PHONE, reduced_motion="reduce")


HEAD = ".bar-head, .bar-head :not(.unseen), .bar-facts > span"
CUT = "es => es.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)"


def test_bar_has_one_height_per_desk_and_truncates_no_final_text(
    shown: Page,
) -> None:
    for desk in DESKS:
        heights, states = set(), set()
        for name in NAMES:
            show(shown, desk, name)
            if name == "doubt":  # said once it has been looked for
                expect(part(shown, "advice")).to_have_attribute("data-state", "contradiction")
            box = box_of(part(shown, "advice"))
            heights.add(round(box["height"]))
            assert name != "done" or shown.locator(HEAD).evaluate_all(CUT) == [], desk
            states.add(state(shown))
        assert heights == {{"rack": 120, "scan": 136}.get(desk, 96)}, desk
        assert {"contradiction"} <= states <= STATES, desk


CONTROLS = "#desk :is(button, summary, a, input, select):visible"
LOWEST = """es => Math.max(...es.filter((e) => !e.closest(".advice-bar"))
  .map((e) => e.getBoundingClientRect().bottom))"""


def test_page_scrolls_until_its_last_control_is_above_the_bar(shown: Page) -> None:
    for desk in DESKS:
        show(shown, desk, "play")
        shown.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        lowest = shown.locator(CONTROLS).evaluate_all(LOWEST)
        assert lowest <= box_of(part(shown, "advice"))["y"], desk


def test_bar_line_opens_the_advice_and_restores_the_focus(shown: Page) -> None:
    for desk in sample(["code", "scan", "mines", "sudoku"], 2, kind="desks"):
        show(shown, desk, "play")
        line = shown.locator(".bar-line")
        line.press("Enter")
        expect(shown.get_by_role("dialog", name="Advice")).to_be_visible()
        assert flaws(shown) == [], desk
        shown.keyboard.press("Escape")
        expect(line).to_be_focused()


def answer(guess: str, secret: str) -> tuple[int, int]:
    exact = sum(a == b for a, b in zip(guess, secret, strict=True))
    common = sum(min(guess.count(c), secret.count(c)) for c in set(guess))
    return exact, common - exact


def advised_guess(page: Page) -> str:
    """The guess that stands in the slots, once its rank by guesses is known too."""
    slots = page.locator("#desk[data-answers=current] .slots .slot.advised")
    expect(slots).to_have_count(4)
    return "".join(slots.all_inner_texts())


def answer_key(page: Page, exact: int, partial: int) -> Locator:
    """The key of the pad that adds the guess in the slots with this answer."""
    pad = page.get_by_role("group", name="What was the answer?")
    return pad.get_by_role("button", name=f"{exact} in place, {partial} elsewhere")


@pytest.fixture(params=[Thumb, Mouse])
def hand(request: pytest.FixtureRequest, watched: Callable[..., Page], site: str) -> Thumb:
    """A thumb on a phone, and a mouse on a wide screen."""
    page = watched(site, **request.param.view, reduced_motion="reduce")
    expect(page.locator("h1").first).to_be_visible()
    one: Thumb = request.param(page)
    return one


def finished(hand: Thumb) -> None:
    """Check that the bar shows the end of the game; a wide screen has no bar."""
    bar = part(hand.page, "advice")
    if isinstance(hand, Mouse):
        expect(bar).to_be_hidden()
    else:
        expect(bar).to_have_attribute("data-state", "finished")


def test_code_is_solved_without_scrolling(hand: Thumb) -> None:
    page = hand.page
    show(page, "code", "empty")
    for row in range(8):
        exact, partial = answer(advised_guess(page), "3025")
        hand.tap(answer_key(page, exact, partial))
        expect(page.locator(".guess")).to_have_count(row + 1)
        if exact == 4:
            break
    expect(page.get_by_text("The code is 3025").first).to_be_attached()
    finished(hand)
    hand.done("code")


def test_another_game_is_chosen_without_scrolling(shown: Page) -> None:
    show(shown, "code", "play")
    shown.get_by_role("button", name="Change game").click()
    shown.get_by_role("button", name="Bulls & Cows").click()
    in_sight(shown, shown.get_by_role("button", name="Start with these rules"))
    shown.keyboard.press("Escape")


def test_pad_names_stay_on_one_line(shown: Page) -> None:
    show(shown, "code", "play")
    shown.get_by_role("button", name="One number unknown?").click()
    heights = "es => es.map((e) => e.getBoundingClientRect().height)"
    for width in (360, 390):
        resize(shown, width)
        names = shown.locator(".pad-name").evaluate_all(heights)
        assert names
        assert max(names) < 30
    expect(shown.get_by_role("group", name="Right colour, wrong place")).to_be_visible()


def test_eight_pegs_and_sixteen_colours_fit_a_phone(shown: Page, site: str) -> None:
    position = Position(Rules(8, 16), (Clue("01234567", 1, 3), Clue("0011223f", 0, 3)))
    shown.goto(site + encode(position))
    bar = part(shown, "advice")
    expect(bar).to_have_attribute("data-state", "estimated", timeout=60_000)
    expect(bar.locator(".bar-facts")).to_contain_text("bits ± 0.0")
    slots = shown.locator(".slots .slot").evaluate_all("es => es.map((e) => e.offsetTop)")
    assert len(slots) == 8
    assert len(set(slots)) == 1
    in_sight(shown, shown.locator(".guess .code").last)
    for key in shown.locator(".pad-keys button").all():
        in_sight(shown, key)
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    wide = "es => es.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.className)"
    assert shown.locator(".guess .open, .slots, .palette, .pad").evaluate_all(wide) == []


def test_wires_are_cut_without_scrolling(phone: Page) -> None:
    show(phone, "rack", "play")
    thumb = Thumb(phone)
    bar = part(phone, "advice")
    for _ in range(6):
        expect(bar).to_have_attribute("data-state", "certain")
        before = phone.evaluate("location.hash")
        thumb.act("It worked")
        phone.wait_for_function("before => location.hash !== before", arg=before)
        phone.wait_for_function(
            "() => !['computing', 'waiting'].includes("
            "document.querySelector('[data-part=advice]').dataset.state)"
        )
        if state(phone) != "certain":
            break
    in_sight(phone, part(phone, "entry"))
    thumb.done("rack")


WHOLE_SCANS = [(364, 6), (349, 40), (356, 30), (362, 3)]
"""Regions and the spot that is looked for: Falador, the desert, Brimhaven, the swamp caves."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("number", "goal"), WHOLE_SCANS)
def test_scan_is_played_from_clue_to_dig_without_scrolling(
    phone: Page, number: int, goal: int
) -> None:
    region = by_id()[number]
    phone.evaluate("(hash) => { location.hash = hash }", encode(ScanPosition(region=number)))
    expect(phone.get_by_role("heading", level=1)).to_have_text(re.compile(region.name[1:]))
    left(phone, len(region.spots))
    seen: list[tuple[tuple[int, int], int]] = []
    thumb = Thumb(phone)
    while len(remaining(seen, number)) > 1:
        left(phone, len(remaining(seen, number)))
        expect(part(phone, "act")).to_be_visible()
        tile = best_tile(phone)
        heard = pulse(tile, region.spots[goal], region.range)
        thumb.tap(part(phone, "entry").locator(".bar-key").nth(heard - 1))
        seen.append((tile, heard))
        few = remaining(seen, number)
        if heard == 3 and len(few) > 1:
            expect(part(phone, "advice")).to_contain_text("Which spot does the arrow show?")
            expect(phone.locator(".options")).to_have_count(0)  # nothing else is asked
            thumb.tap(part(phone, "entry").get_by_role("button", name=f"spot {goal + 1}"))
            break
    expect(part(phone, "advice")).to_have_attribute("data-state", "finished")
    expect(part(phone, "advice")).to_contain_text(f"Dig at spot {goal + 1}")
    thumb.done(f"scan, {region.name}")


def stroke(page: Page, thing: Locator, dx: int, dy: int) -> None:
    """A finger goes from the middle of a thing, in steps, and is lifted."""
    touch, (x, y) = touches(page), in_sight(page, thing)
    for i in range(7):
        touch("touchMove" if i else "touchStart", (x + dx * i / 6, y + dy * i / 6))
    touch("touchEnd")


def test_swiping_up_the_bar_opens_the_advice_and_swiping_down_closes_it(shown: Page) -> None:
    shown.evaluate("() => { globalThis.scrolls = 0; addEventListener('scroll', () => scrolls++) }")
    sheet = shown.get_by_role("dialog", name="Advice")
    drawn = set()
    for desk in DESKS:
        show(shown, desk, "play")
        line = shown.locator(".bar-line")
        if not line.is_enabled():
            continue  # this bar has said all
        drawn.add(desk)
        stroke(shown, line, 90, -20)
        expect(sheet).to_have_count(0)  # sideways is none
        stroke(shown, line, 10, -90)
        expect(sheet).to_be_visible()
        stroke(shown, sheet.locator("header h2"), 5, -60)
        expect(sheet).to_be_visible()  # up is none there
        stroke(shown, sheet.locator("header h2"), 5, 90)
        expect(sheet).to_have_count(0)
    assert shown.evaluate("() => scrolls") == 0
    assert drawn >= {"code", "rack", "scan"}


@pytest.mark.sampled(6, of="minefields")
@pytest.mark.parametrize("name", FIELDS)
def test_minefield_is_cleared_without_scrolling(hand: Thumb, name: str) -> None:
    field(hand.page, name)
    cleared(hand, name)
    hand.done(name)


def test_rack_game_is_played_on_a_wide_screen_without_scrolling(
    watched: Callable[..., Page], site: str
) -> None:
    wide = watched(site + "#/rack", **WIDE, reduced_motion="reduce")
    expect(wide.get_by_role("button", name="Table", exact=True)).to_be_visible()
    mouse = Mouse(wide)
    cut_down(wide, mouse.tap)
    mouse.unscrolled()  # every deal is another one: the presses are not kept


def test_steps_of_an_equivalence_are_played_without_scrolling(hand: Thumb) -> None:
    page = hand.page
    show(page, "sudoku", "done")
    mouse = isinstance(hand, Mouse)
    forward = page.get_by_role("button", name="Step forward") if mouse else part(page, "act")
    for n in range(page.locator(".steps li").count()):
        hand.tap(forward)
        expect(page.locator(".step.done")).to_have_count(n + 1)
    finished(hand)
    hand.done("sudoku")
