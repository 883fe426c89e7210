"""What the sudoku desk needs a browser for: layout, gliding symbols, long lists, workers."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser import PASTED, PHONE, measured
from cluewise import links
from cluewise.desks.sudoku.position import Position

FIRST = "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4."
SECOND = ".6.87....1.....9.....49....7.....46......6..8.59........3..8.15.8.3........6...2."
HARD = "574831926612479853983625714435798162796142385821356497157963248368214579249587631"
LAST = "123456789457893612986217354274538196531964827698721435342685971715349268869172543"


def opened(page: Page, site: str, *grids: str) -> Page:
    page.goto(site + links.encode(Position(grids=grids)))
    return page


def test_bar_on_a_phone_shows_the_verdict_and_opens_it(
    watched: Callable[..., Page], site: str
) -> None:
    address = site + links.encode(Position(grids=(FIRST, SECOND)))
    phone = watched(address, **PHONE)
    line = phone.locator(".bar-line")
    expect(line).to_contain_text("The same")
    expect(line).to_contain_text("13 steps")
    expect(line).to_be_in_viewport()
    line.tap()
    expect(phone.locator("dialog .answer-word")).to_be_in_viewport()
    wide = watched(address)
    expect(wide.locator(".answer-word")).to_be_in_viewport()


def test_moved_lines_glide(page: Page, site: str) -> None:
    opened(page, site, FIRST, SECOND)
    expect(page.locator(".answer-word")).to_have_text("The same")
    moved, seen = page.evaluate(GLIDE)
    assert moved == 5  # the givens of rows 1 and 2
    assert seen == moved


# Takes a step and watches for a second: how many symbols end elsewhere, how many of them were seen
# on their way.
GLIDE = """async () => {
  const where = () => [...document.querySelectorAll(".board .grid-token")].map((token) => {
    const at = new DOMMatrix(getComputedStyle(token).transform);
    return `${Math.round(at.e)},${Math.round(at.f)}`;
  });
  const tokens = [where()];
  document.querySelector("[aria-label='Step forward']").click();
  for (const began = performance.now(); performance.now() - began < 1000; ) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    tokens.push(where());
  }
  const first = tokens[0], last = tokens.at(-1);
  const gone = first.map((_, i) => i).filter((i) => first[i] !== last[i]);
  const seen = gone.filter((i) => tokens.some((at) => at[i] !== first[i] && at[i] !== last[i]));
  return [gone.length, seen.length];
}"""


BRING = """([kind, target, text]) => {
  const data = new DataTransfer();
  if (kind === "drop") data.items.add(new File([text], "boards.txt", { type: "text/plain" }));
  else data.setData("text/plain", text);
  const detail = { bubbles: true, cancelable: true };
  const event = kind === "drop"
    ? new DragEvent("drop", { ...detail, dataTransfer: data })
    : new ClipboardEvent("paste", { ...detail, clipboardData: data });
  document.querySelector(target).dispatchEvent(event);
}"""


def test_dropped_file_or_long_text_opens_the_list(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku")
    expect(page.locator(".board-head").first).to_be_visible()
    go, result = page.get_by_role("button", name="Go", exact=True), page.locator(".list-result")
    page.evaluate(BRING, ["drop", ".list-fold summary", f"{FIRST}\n{SECOND}\n"])
    go.click()
    expect(result).to_contain_text("Line 1 = line 2")
    text = "puzzle,solution\r\n" + f"{FIRST},\r\n{SECOND},\r\n{HARD},\r\n" * 600 + FIRST[:80]
    for kind, target in (("drop", ".board .grid"), ("paste", "body"), ("paste", "dialog textarea")):
        page.get_by_role("button", name="Remove").click()
        expect(page.get_by_label("One board per line")).to_be_visible()
        if "dialog" in target:
            page.get_by_role("button", name="Paste or type boards").click()
        page.evaluate(BRING, [kind, target, text])
        expect(page.locator("dialog")).to_have_count(0)
        expect(page.locator(".chosen-file")).to_contain_text("152 kB")
    go.click()
    said = re.compile("1.802 lines: 1.800 boards, 2 different ones, 1.798 duplicates")
    expect(result).to_contain_text(said)
    expect(result).to_contain_text("Line 2 = line 3, 5, 6, 8")
    expect(result).to_contain_text(re.compile("and 1.188 more"))
    expect(result).to_contain_text("Line 1802, column 81")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save equivalent lines").click()
    first, second = saved.value.path().read_text().splitlines()
    assert first.startswith("2 = 3, 5, 6, 8, 9, ")
    assert len(second.split(", ")) == 599


def test_empty_desk_on_a_phone_shows_examples_and_a_board(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + "#/sudoku", **PHONE)
    shown = page.locator(".start-examples button")
    expect(shown).to_have_count(3)
    expect(shown.last).to_be_in_viewport(ratio=1)
    expect(page.locator(".boards")).to_be_hidden()
    page.get_by_role("button", name="Fill in a board").tap()
    page.get_by_role("button", name="Symbol 5", exact=True).tap()
    expect(page.locator(".boards")).to_be_visible()
    expect(page.locator(".grid-token")).to_have_count(1)


OVERLAPS = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const notice = box(".notice");
  const over = (one) => one.top < notice.bottom - 0.5 && notice.top + 0.5 < one.bottom;
  const line = box(".bar-line");
  return [".boards", ".pad-symbols", ".bottom"].filter((name) => over(box(name)))
    .concat(over(line) ? [".bar-line"] : []);
}"""


def test_notice_on_a_phone_covers_nothing(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + "#/sudoku", **PHONE)
    page.evaluate(PASTED, f"{FIRST}\n{SECOND}")
    expect(page.locator(".notice")).to_contain_text("Recognised")
    expect(page.locator(".answer-word")).to_have_text("The same")
    assert measured(page, OVERLAPS) == []


def test_table_of_numbers_is_fetched_on_first_use(page: Page, site: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site + links.encode(Position(grids=(LAST,))))
    page.get_by_text("For other programs", exact=True).click()
    expect(page.locator(".form-text").first).to_have_text(LAST)
    assert not any("numbers.bin" in url for url in asked)
    page.get_by_text("The number of a grid", exact=True).click()
    expect(page.locator(".number")).to_have_text("5\u00a0472\u00a0730\u00a0538")
