"""The sudoku desk in the browser: same and different, played, pasted, typed, in lists.

Long, since a desk's ways through the browser stand in one file; no test needs another.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import PASTED, address_of
from cluewise import links, run
from cluewise.desks.sudoku.position import NINE, Position, read_cells, write_cells
from cluewise.desks.sudoku.transform import Transform, apply

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FIRST = "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4."
SECOND = ".6.87....1.....9.....49....7.....46......6..8.59........3..8.15.8.3........6...2."
HARD = "574831926612479853983625714435798162796142385821356497157963248368214579249587631"
TWIN = "514382679982567134673149825865213497341976582729458316438795261257631948196824753"
MOST = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"


def opened(page: Page, site: str, *grids: str) -> Page:
    page.goto(site + links.encode(Position(grids=grids)))
    return page


def cells(page: Page, board: int, kind: str = ".board .grid") -> str:
    """What a board shows, as 81 characters."""
    text: str = (
        page.locator(kind)
        .nth(board)
        .evaluate(
            """(svg) => {
          const out = Array(81).fill(".");
          for (const token of svg.querySelectorAll(".grid-token")) {
            const [x, y] = token.style.transform.match(/[\\d.]+/g).map(Number);
            out[Math.floor(y / 40) * 9 + Math.floor(x / 40)] = token.textContent.trim();
          }
          return out.join("");
        }"""
        )
    )
    return text


def test_a_disguise_is_seen_through_and_played_with_keys(page: Page, site: str) -> None:
    opened(page, site, FIRST, SECOND)
    expect(page.locator(".answer-word")).to_have_text("The same")
    steps = page.locator(".steps li").count()
    assert steps == 13
    for _ in range(steps):
        page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".step.done")).to_have_count(steps)
    assert cells(page, 0) == SECOND
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator(".step.done")).to_have_count(steps - 1)
    page.get_by_role("button", name="From the start").click()
    assert cells(page, 0) == FIRST
    page.locator(".seg button", has_text="Fast").click()
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".step.done")).to_have_count(steps)
    assert cells(page, 0) == SECOND


def test_cells_that_correspond_are_linked(page: Page, site: str) -> None:
    opened(page, site, FIRST, SECOND)
    expect(page.locator(".answer-word")).to_have_text("The same")
    page.locator(".board .grid").first.click(position={"x": 5, "y": 5})
    expect(page.locator(".board .grid").nth(1).locator(".grid-mark.linked")).to_have_count(1)


def test_a_phone_says_the_verdict_below_the_boards_and_leads_to_it(
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


def test_hard_negatives_are_different_and_the_table_is_put_right(page: Page, site: str) -> None:
    opened(page, site, HARD, TWIN)
    expect(page.locator(".answer-word")).to_have_text("Different")
    expect(page.locator(".verdict")).to_contain_text("Decided by: unavoidable rectangles")
    expect(page.locator(".rectangles .grid")).to_have_count(2)
    page.get_by_text("The table method").click()
    expect(page.get_by_text("The exact comparison says: different.")).to_be_visible()


def test_puzzles_are_pasted_typed_and_taken_back_by_touch(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + "#/sudoku", **PHONE)
    page.get_by_role("button", name="Paste or type boards").tap()
    page.locator("dialog textarea").fill(f"{FIRST}\n{SECOND}\n")
    page.get_by_role("button", name="Read this").tap()
    expect(page.locator(".answer-word")).to_have_text("The same")
    board = page.locator(".board .grid").first
    box = board.bounding_box()
    assert box is not None
    board.tap(position={"x": box["width"] / 18, "y": box["height"] / 18})
    page.get_by_role("button", name="Symbol 5", exact=True).tap()
    expect(page.locator(".answer-word")).to_have_text("Different")
    expect(page.locator(".verdict")).to_contain_text("The first has 23 givens, the second 22.")
    page.get_by_role("button", name="Symbol 2", exact=True).tap()
    expect(page.locator(".board").first).to_contain_text("break the rules")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(page.locator(".answer-word")).to_have_text("The same")


LISTEN = """() => {
  const post = Worker.prototype.postMessage;
  window.asked = [];
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.type === "ask") window.asked.push(message.want);
    return post.call(this, message, ...rest);
  };
}"""


def test_a_pasted_pair_brings_its_verdict_along(page: Page, site: str) -> None:
    page.add_init_script(f"({LISTEN})()")
    page.goto(site + "#/sudoku")
    expect(page.locator(".verdict")).to_be_visible()
    page.evaluate(PASTED, FIRST)
    expect(page.locator(".board-head").first).to_contain_text("22 givens, one solution")
    page.evaluate(PASTED, SECOND)
    expect(page.locator(".answer-word")).to_have_text("The same")
    expect(page.locator(".form-text")).to_have_count(2)
    asked = page.evaluate("() => asked")
    assert asked.count("paste") == 2
    assert "same" not in asked
    page.get_by_role("checkbox", name="Symbols keep their names").check()
    expect(page.locator(".answer-word")).to_have_text("Different")
    page.evaluate(PASTED, f"{FIRST}\n{FIRST[::-1]}")
    expect(page.locator(".answer-word")).to_have_text("The same")
    page.keyboard.press("Control+z")
    expect(page.locator(".answer-word")).to_have_text("Different")
    assert page.evaluate("() => asked.filter((want) => want === 'same').length") == 2


def test_a_text_that_no_desk_knows_is_tried_as_boards(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku")
    expect(page.locator(".verdict")).to_be_visible()
    lines = [FIRST[i : i + 9] for i in range(0, 81, 9)]
    page.evaluate(PASTED, "\n".join(",".join(c.strip(".") for c in line) for line in lines))
    expect(page.locator(".board-head").first).to_contain_text("22 givens, one solution")
    page.evaluate(PASTED, "This is a sentence about nothing in particular.")
    expect(page.locator("dialog")).to_contain_text("What could not be read")
    expect(page.locator("dialog textarea")).to_have_value(
        "This is a sentence about nothing in particular."
    )


def test_a_board_is_typed_with_keys_and_survives_in_a_fresh_profile(
    page: Page, watched: Callable[..., Page], site: str
) -> None:
    page.goto(site + "#/sudoku")
    expect(page.locator(".board-head").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    for key in ("5", "ArrowRight", "3", "ArrowDown", "7"):
        page.keyboard.press(key)
    expect(page.locator(".board-head").first).to_contain_text("3 givens, several solutions")
    assert cells(page, 0)[:11] == "53........"[:9] + ".7"
    page.keyboard.press("Backspace")
    expect(page.locator(".board-head").first).to_contain_text("2 givens")
    page.keyboard.press("Control+z")
    expect(page.locator(".board-head").first).to_contain_text("3 givens")
    other = watched(address_of(page))
    expect(other.locator(".board-head").first).to_contain_text("3 givens, several solutions")
    expect(other.locator(".form-text").first).to_be_visible()
    assert cells(other, 0) == cells(page, 0)


def test_what_cannot_be_read_is_said_with_its_place(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku")
    page.get_by_role("button", name="Paste or type boards").click()
    page.locator("dialog textarea").fill(f"{FIRST}\n{SECOND[:80]}\n")
    page.get_by_role("button", name="Read this").click()
    expect(page.locator("dialog")).to_contain_text("Line 2, column 81")
    expect(page.locator("dialog")).to_contain_text("1 board")


def test_all_symmetries_are_browsed_on_the_board(page: Page, site: str) -> None:
    opened(page, site, MOST)
    page.get_by_text("Symmetries", exact=True).click()
    expect(page.get_by_text("648 transforms take this board to itself.")).to_be_visible()
    expect(page.get_by_text("2 of 648")).to_be_visible()
    page.get_by_role("button", name="Previous").click()
    expect(page.locator(".cycles")).to_have_text("The identity: nothing moves.")
    page.get_by_role("button", name="Previous").click()
    expect(page.get_by_text("648 of 648")).to_be_visible()
    page.get_by_role("button", name="Next").last.click()
    page.get_by_role("button", name="Next").last.click()
    expect(page.get_by_text("2 of 648")).to_be_visible()
    second = run({"desk": "sudoku", "want": "automorphisms", "position": {"grids": [MOST]}})["all"][
        1
    ]
    goes = second["cols"].index(0) + 1
    expect(page.locator(".cycles")).to_contain_text(f"columns 1→{goes}→")
    board = page.locator(".symmetry .grid")
    box = board.bounding_box()
    assert box is not None
    board.hover(position={"x": box["width"] / 18, "y": box["height"] / 18})
    assert place(page.locator(".symmetry .linked")) == goes - 1
    page.locator(".symmetry .seg button", has_text="Slow").click()
    page.get_by_role("button", name="Play it").click()
    expect(page.locator(".symmetry [role=status]")).to_have_text(
        "Lines moved, symbols as they were"
    )
    rows, cols = tuple(second["rows"]), tuple(second["cols"])
    moved = apply(Transform(False, rows, cols, tuple(range(10))), read_cells(MOST, NINE))
    assert cells(page, 0, ".symmetry .grid") == write_cells(moved)
    expect(page.locator(".symmetry [role=status]")).to_have_text(
        "Symbols renamed: the same board again"
    )
    assert cells(page, 0, ".symmetry .grid") == MOST


def place(mark: Locator) -> int:
    """The cell of a marked rectangle."""
    x, y = (float(mark.get_attribute(name) or "-1") for name in ("x", "y"))
    return round(y / 40) * 9 + round(x / 40)


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
  document.querySelector("[aria-label='Step on']").click();
  for (const began = performance.now(); performance.now() - began < 1000; ) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    tokens.push(where());
  }
  const first = tokens[0], last = tokens.at(-1);
  const gone = first.map((_, i) => i).filter((i) => first[i] !== last[i]);
  const seen = gone.filter((i) => tokens.some((at) => at[i] !== first[i] && at[i] !== last[i]));
  return [gone.length, seen.length];
}"""


def test_who_equals_whom_is_pressed_to_see_both_boards_and_a_board_is_found_in_the_list(
    page: Page, site: str
) -> None:
    opened(page, site)
    page.get_by_text("A list", exact=True).click()
    page.get_by_label("One board a line").fill(f"{FIRST}\n{HARD}\n{SECOND}\n")
    page.get_by_role("button", name="Go", exact=True).click()
    page.get_by_role("button", name="Line 1 = line 3").click()
    expect(page.locator(".answer-word")).to_have_text("The same")
    expect(page.locator(".steps .step").first).to_be_visible()
    page.get_by_role("button", name="Is the second board in it?").click()
    expect(page.locator(".list-result")).to_contain_text(
        "The second board is in the list: it is line 1."
    )
    page.get_by_role("button", name="Hold another list against it").click()
    page.get_by_label("One board a line").fill(f"{HARD}\n{TWIN}\n")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator(".list-result")).to_contain_text(
        "1 of 2 boards is in the first list as well."
    )
    page.get_by_role("button", name="Line 1 = line 2 of the first list").click()
    expect(page.locator(".answer-word")).to_have_text("The same")


def nearly(puzzle: str, more: int) -> str:
    """The puzzle in disguise, with the solution's symbols in its first few blanks."""
    solution = run({"desk": "sudoku", "want": "solve", "position": {"grids": [puzzle]}})["solution"]
    blanks = [i for i, d in enumerate(puzzle) if d == "."][:more]
    board = "".join(solution[i] if i in blanks else d for i, d in enumerate(puzzle))
    t = Transform(True, (2, 0, 1, 3, 4, 5, 8, 7, 6), (3, 5, 4, 0, 1, 2, 6, 7, 8),
                  (0, 9, 8, 7, 6, 5, 4, 3, 2, 1))  # fmt: skip
    return write_cells(apply(t, read_cells(board, NINE)))


def test_boards_of_a_list_that_nearly_are_one_are_drawn_and_pressed_to_see_what_differs(
    page: Page, site: str
) -> None:
    opened(page, site)
    page.get_by_text("A list", exact=True).click()
    lines = [FIRST, HARD, nearly(FIRST, 1), SECOND, nearly(FIRST, 2)]
    page.get_by_label("One board a line").fill("\n".join(lines))
    page.get_by_role("button", name="Near duplicates", exact=True).click()
    page.get_by_role("button", name="Go", exact=True).click()
    result = page.locator(".list-result")
    expect(result).to_contain_text("5 boards, 1 repeat: 4 near pairs in 1 cluster.")
    expect(result.get_by_role("img", name="A cluster of 4 lines")).to_be_visible()
    expect(result.locator(".cluster-edge")).to_have_count(4)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the pairs (CSV)").click()
    rows = saved.value.path().read_text().splitlines()
    assert rows[1:] == [
        "1,3,1,0,1,0,the same with 1 given more",
        "1,4,0,0,0,0,the same board in disguise",
        "1,5,2,0,2,0,the same with 2 givens more",
        "3,5,1,0,1,0,the same with 1 given more",
    ]
    page.get_by_role("button", name="Line 1 ~ line 5: the same with 2 givens more").click()
    expect(page.locator(".answer-word")).to_have_text("Different")
    assert cells(page, 1) == lines[4]
    expect(page.get_by_text("One board's givens are all found in the other.")).to_be_visible()
    expect(page.locator(".fold-body .grid-mark.wrong")).to_have_count(2)
    page.locator(".cluster-edge.same text").click()
    expect(page.locator(".answer-word")).to_have_text("The same")


def test_near_duplicates_are_told_apart_from_a_list_that_has_none(page: Page, site: str) -> None:
    opened(page, site)
    page.get_by_text("A list", exact=True).click()
    page.get_by_label("One board a line").fill(f"{FIRST}\n{HARD}\nnonsense here\n")
    page.get_by_role("button", name="Near duplicates", exact=True).click()
    page.get_by_role("button", name="Go", exact=True).click()
    result = page.locator(".list-result")
    expect(result).to_contain_text("No two boards differ in at most 2 cells")
    expect(result).to_contain_text("Line 3")
    page.get_by_label("One board a line").fill("1234341221434321\n3412123421434321\n")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(result).to_contain_text("among 9×9 boards only")


def test_a_list_loses_its_repeats(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku")
    page.get_by_text("A list", exact=True).click()
    text = f"{FIRST} one\n{HARD}\n{SECOND}\n{TWIN}\nnonsense here and there\n"
    page.get_by_label("One board a line").fill(text)
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator(".list-result")).to_contain_text("4 boards, 3 different ones, 1 repeat")
    expect(page.locator(".list-result")).to_contain_text("Line 1 = line 3")
    expect(page.locator(".list-result")).to_contain_text("Line 5")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save without repeats").click()
    lines = saved.value.path().read_text().splitlines()
    assert lines == [f"{FIRST} one", HARD, TWIN]


@pytest.mark.parametrize("cores", [1, 2, 4])
def test_a_long_list_is_saved_in_the_same_bytes_however_many_workers_there_are(
    page: Page, site: str, tmp_path: Path, cores: int
) -> None:
    one = [FIRST, HARD, SECOND, TWIN, "", "nonsense", MOST]
    lines = [one[(i + i // 997) % len(one)] for i in range(60_000)]
    (tmp_path / "list.txt").write_text("\n".join(lines))
    told = {line: run({"desk": "sudoku", "want": "group", "options": {"lines": [line]}})["keys"]
            for line in one}  # fmt: skip
    classes: dict[str, int] = {}
    for line in lines:
        for key in told[line]:
            classes.setdefault(key, len(classes))
    numbers = [str(classes[told[line][0]]) if told[line] else "" for line in lines]
    page.add_init_script(
        f"Object.defineProperty(navigator, 'hardwareConcurrency', {{ value: {cores} }})"
    )
    page.goto(site + "#/sudoku")
    page.get_by_text("A list", exact=True).click()
    page.locator(".list-fold input[type=file]").set_input_files(tmp_path / "list.txt")
    page.get_by_role("button", name="Go", exact=True).click()
    save = page.get_by_role("button", name="Save the class of every line")
    save.wait_for(timeout=60_000)
    with page.expect_download() as saved:
        save.click()
    assert saved.value.path().read_text() == "\n".join(numbers) + "\n"


def test_a_table_of_a_list_has_the_form_that_was_chosen_and_the_numbers_of_grids(
    page: Page, site: str
) -> None:
    page.goto(site + "#/sudoku")
    page.get_by_text("A list", exact=True).click()
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_label("One board a line").fill(f"{FIRST}\n{SECOND}\n{HARD[:80]}\n")
    tables = []
    for form, number in (
        ("Straight", "Without numbers"),
        ("Solution carried", "Numbers, 10 ms each"),
    ):
        page.locator(".list-fold").get_by_role("button", name=form).click()
        page.locator(".list-fold").get_by_role("button", name=number).click()
        page.get_by_role("button", name="Go", exact=True).click()
        expect(page.locator(".list-result")).to_contain_text("Line 3, column 81")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the table (CSV)").click()
        tables.append(saved.value.path().read_text().splitlines())
    assert all(lines[0].endswith(",carried,grid,number") for lines in tables)
    straight, carried = ([line.split(",") for line in lines[1:]] for lines in tables)
    assert [row[:2] for row in straight] == [["1", "1"], ["2", "1"]]
    assert straight[0][4] == straight[1][4] != carried[0][4] == carried[1][4]
    assert straight[0][8] == ""
    assert int(carried[0][8]) == int(carried[1][8]) > 0


def test_a_random_puzzle_and_its_closest_match(page: Page, site: str) -> None:
    opened(page, site, FIRST)
    page.get_by_text("Make a board").click()
    page.locator(".board .grid").nth(1).click(position={"x": 9, "y": 9})
    page.get_by_role("button", name="Random puzzle").click()
    expect(page.locator(".board-head").nth(1)).to_contain_text("one solution")
    expect(page.locator(".answer-word")).to_have_text("Different")
    page.get_by_text("Closest match").click()
    expect(page.get_by_text("Proved: no transform does better.")).to_be_visible()


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


@pytest.mark.parametrize(
    ("kind", "target"),
    [("drop", ".board .grid"), ("drop", ".list-fold summary"), ("paste", "dialog textarea"),
     ("paste", "body")],
)  # fmt: skip
def test_a_long_list_brought_anywhere_goes_to_the_list(
    page: Page, site: str, kind: str, target: str
) -> None:
    page.goto(site + "#/sudoku")
    expect(page.locator(".board-head").first).to_be_visible()
    if "dialog" in target:
        page.get_by_role("button", name="Paste or type boards").click()
    text = "puzzle,solution\r\n" + f"{FIRST},\r\n{SECOND},\r\n{HARD},\r\n" * 600
    page.evaluate(BRING, [kind, target, text + FIRST[:80]])
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".chosen-file")).to_contain_text("152 kB")
    page.get_by_role("button", name="Go", exact=True).click()
    result = page.locator(".list-result")
    said = re.compile("1.802 lines: 1.800 boards, 2 different ones, 1.798 repeats")
    expect(result).to_contain_text(said)
    expect(result).to_contain_text("Line 2 = line 3, 5, 6, 8")
    expect(result).to_contain_text(re.compile("and 1.188 more"))
    expect(result).to_contain_text("Line 1802, column 81")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save who equals whom").click()
    first, second = saved.value.path().read_text().splitlines()
    assert first.startswith("2 = 3, 5, 6, 8, 9, ")
    assert len(second.split(", ")) == 599
    page.get_by_role("button", name="Take it away").click()
    expect(page.get_by_label("One board a line")).to_be_visible()


def test_a_short_file_dropped_on_the_list_stays_there(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku")
    expect(page.locator(".board-head").first).to_be_visible()
    page.evaluate(BRING, ["drop", ".list-fold summary", f"{FIRST}\n{SECOND}\n"])
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator(".list-result")).to_contain_text("Line 1 = line 2")


def test_drawn_boards_and_boards_of_another_size_make_a_list(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku")
    page.get_by_text("A list", exact=True).click()
    field = page.get_by_label("One board a line")
    rows = [[b[i : i + 9] for i in range(0, 81, 9)] for b in (FIRST, HARD, SECOND)]
    field.fill("\n\n".join("\n".join(board) for board in rows))
    page.get_by_role("button", name="Go", exact=True).click()
    result = page.locator(".list-result")
    expect(result).to_contain_text("Recognised: grid; numbered below are its boards, 9×9")
    expect(result).to_contain_text("Line 1 = line 3")
    field.fill("1234341221434321\n2143432112343412\n1234341243212143\n12\n")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(result).to_contain_text("The boards are 4×4")
    expect(result).to_contain_text("4 lines: 3 boards")
    expect(result).to_contain_text("Line 4, column 1: There is no board here")


def test_boards_are_saved_as_files_of_other_programs(page: Page, site: str) -> None:
    opened(page, site, FIRST, SECOND)
    page.get_by_text("Copy as", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as .sdm").click()
    assert saved.value.path().read_text() == f"{FIRST}\n{SECOND}\n"
    assert saved.value.suggested_filename == "boards.sdm"


def test_making_a_large_puzzle_shows_how_far_it_is_and_stops(page: Page, site: str) -> None:
    opened(page, site)
    page.get_by_role("button", name="Change size").click()
    page.get_by_role("button", name="25×25").click()
    page.get_by_text("Make a board").click()
    page.get_by_role("button", name="Random puzzle").click()
    expect(page.locator(".folds progress")).to_be_visible()
    page.locator(".folds").get_by_role("button", name="Stop").click()
    expect(page.locator(".folds .note")).to_contain_text("Stopped")
    page.get_by_text("Minimal: no given can go").click()
    page.get_by_role("textbox", name="Givens").fill("400")
    page.get_by_role("button", name="Random puzzle").click()
    expect(page.locator(".board-head").first).to_contain_text("400 givens")


def test_different_by_names_alone_is_not_contradicted_by_equal_least_forms(
    page: Page, site: str
) -> None:
    opened(page, site, HARD, HARD.translate(str.maketrans("12", "21")))
    expect(page.locator(".answer-word")).to_have_text("The same")
    page.get_by_text("Symbols keep their names").click()
    expect(page.locator(".answer-word")).to_have_text("Different")
    expect(page.locator(".verdict")).to_contain_text("With symbols renamed they are the same.")
    expect(page.locator(".forms")).to_contain_text("Least forms rename symbols.")
    expect(page.locator(".forms")).not_to_contain_text("exactly if their least forms are")


def test_a_third_pasted_board_asks_which_to_replace(page: Page, site: str) -> None:
    opened(page, site, FIRST, SECOND)
    expect(page.locator(".answer-word")).to_have_text("The same")
    page.evaluate(PASTED, HARD)
    expect(page.locator("dialog")).to_contain_text("Two boards are there already.")
    page.get_by_role("button", name="Neither").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert (cells(page, 0), cells(page, 1)) == (FIRST, SECOND)
    page.evaluate(PASTED, HARD)
    page.get_by_role("button", name="The first", exact=True).click()
    expect(page.locator(".answer-word")).to_have_text("Different")
    assert (cells(page, 0), cells(page, 1)) == (HARD, SECOND)
    page.keyboard.press("Control+z")
    expect(page.locator(".answer-word")).to_have_text("The same")


@pytest.mark.parametrize("device", [{}, PHONE], ids=["wide", "phone"])
def test_the_empty_desk_shows_three_examples_to_press(
    watched: Callable[..., Page], site: str, device: dict[str, Any]
) -> None:
    page = watched(site + "#/sudoku", **device)
    shown = page.locator(".start-examples button")
    expect(shown).to_have_count(3)
    expect(shown.last).to_be_in_viewport(ratio=1)
    expect(page.locator(".boards")).to_be_visible(visible=not device)
    shown.first.click()
    expect(page.locator(".boards")).to_be_visible()
    expect(page.locator(".start")).to_have_count(0)
    expect(page.locator(".answer-word")).to_have_text("The same")


def test_on_a_phone_a_board_can_be_typed_from_the_empty_desk(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + "#/sudoku", **PHONE)
    page.get_by_role("button", name="Type it in").tap()
    page.get_by_role("button", name="Symbol 5", exact=True).tap()
    expect(page.locator(".grid-token")).to_have_count(1)


def test_least_forms_are_lines_to_copy_and_boards_when_asked(page: Page, site: str) -> None:
    opened(page, site, FIRST, SECOND)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lines = page.locator(".form-text")
    expect(lines).to_have_count(2)
    expect(page.locator(".forms .grid")).to_have_count(0)
    page.get_by_role("button", name="Show board").first.click()
    expect(page.locator(".forms .grid")).to_have_count(2)
    page.get_by_role("button", name="Copy both").click()
    expect(page.locator(".notice")).to_contain_text("Copied.")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied.split("\n") == lines.all_inner_texts()


def test_a_board_is_disguised_beside_itself_and_the_witness_told_in_a_sentence(
    page: Page, site: str
) -> None:
    opened(page, site, FIRST)
    page.get_by_text("Make a board", exact=True).click()
    page.get_by_role("button", name="Most", exact=True).click()
    page.get_by_role("button", name="Disguise", exact=True).click()
    expect(page.locator(".answer-word")).to_have_text("The same")
    expect(page.locator(".steps li")).to_have_count(18)
    expect(page.locator(".witness")).to_contain_text("Yours is mine transposed")
    assert cells(page, 0) == FIRST


def test_a_puzzle_is_made_of_the_grid_at_hand_or_taken_out_of_a_file(
    page: Page, site: str, tmp_path: Path
) -> None:
    opened(page, site, HARD)
    page.get_by_text("Make a board", exact=True).click()
    page.get_by_role("button", name="A puzzle of this grid").click()
    expect(page.locator(".board-head").last).to_contain_text("one solution")
    made = cells(page, 1)
    assert all(a in (".", b) for a, b in zip(made, HARD, strict=True))
    known = tmp_path / "known.txt"
    known.write_text(f"{FIRST}\n{'.' * 7}1{'.' * 73}\n")
    page.locator(".sudoku-desk input[accept*='.sdm']").first.set_input_files(known)
    page.get_by_role("textbox", name="Givens").fill("22")
    page.get_by_role("button", name="Take one of 22 givens").click()
    expect(page.locator(".board-head").first).to_contain_text("22 givens, one solution")
    assert cells(page, 0) == FIRST


OVERLAPS = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const notice = box(".notice");
  const over = (one) => one.top < notice.bottom - 0.5 && notice.top + 0.5 < one.bottom;
  const line = box(".bar-line");
  return [".boards", ".pad-symbols", ".bottom"].filter((name) => over(box(name)))
    .concat(over(line) ? [".bar-line"] : []);
}"""


def test_a_notice_on_a_phone_hides_nothing(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + "#/sudoku", **PHONE)
    page.evaluate(PASTED, f"{FIRST}\n{SECOND}")
    expect(page.locator(".notice")).to_contain_text("Recognised")
    expect(page.locator(".answer-word")).to_have_text("The same")
    assert page.evaluate(OVERLAPS) == []
