"""Boards from pictures on the page: brought, shared, corrected, compared; the desk read as one."""

import io
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from browser import WAIT, box_of, until
from cluewise import links, service
from cluewise.cli.pictures import LONGER
from cluewise.core.work import finish
from cluewise.desks.sudoku.ocr.read import read
from cluewise.desks.sudoku.position import Position, write_cells
from cluewise.pictures.image import Image as Pixels
from reference.sudoku_boards import drawn
from states import settled
from sudoku_photos import PASTE, PUZZLE, bring, photo

SWAPPED = PUZZLE[9:18] + PUZZLE[:9] + PUZZLE[18:]  # its first two rows have changed places
SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
TABLET: dict[str, Any] = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}


def position(page: Page) -> Position:
    expect(page.locator("html")).to_have_attribute("data-address", "current")
    found = links.decode(page.url.partition("#")[2])
    assert isinstance(found, Position)
    return found


def correct_and_compare(page: Page) -> None:
    """Drop a photo, correct a cell, take it; drop a second one and see the verdict."""
    bring(page, photo(PUZZLE))
    board = page.locator(".photo-board .grid-box")
    expect(board).to_be_visible(timeout=3 * WAIT)
    expect(board.locator("text")).to_have_count(17)
    box = box_of(board.locator("svg"))
    page.mouse.click(box["x"] + box["width"] * 1.5 / 9, box["y"] + box["height"] * 0.5 / 9)
    page.get_by_role("button", name="6", exact=True).click()
    expect(board.locator("text")).to_have_count(18)
    page.locator(".photo button.main").click()
    expect(page.locator(".photo")).to_have_count(0)
    assert position(page).grids == (PUZZLE[0] + "6" + PUZZLE[2:],)
    page.keyboard.press("Control+z")
    assert position(page).grids == ()
    page.keyboard.press("Control+y")
    bring(page, photo(SWAPPED))
    expect(board.locator("text")).to_have_count(17, timeout=3 * WAIT)
    page.locator(".photo button.main").click()
    expect(page.locator(".verdict .answer-word")).to_have_text("Different")


@pytest.mark.own_worker
@pytest.mark.sampled(2, of="photos")
def test_photo_is_corrected_and_used_and_a_second_one_compared(page: Page, site: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site + "#/sudoku")
    expect(page.locator(".phase")).to_have_count(0, timeout=3 * WAIT)
    assert not any("digits.bin" in url for url in asked)
    correct_and_compare(page)
    assert sum("digits.bin" in url for url in asked) == 1


@pytest.mark.sampled(2, of="firefox")
def test_photos_and_unreadable_files_are_handled_in_firefox(fox: Page) -> None:
    fox.evaluate("() => { location.hash = '#/sudoku' }")
    expect(fox.locator(".phase")).to_have_count(0, timeout=3 * WAIT)
    correct_and_compare(fox)
    drop_odd_files(fox)


def take(page: Page, chooser: str, boards: list[str], game: str = "") -> None:
    """Choose a photo of each board, and take what is read of one after the other."""
    files = [
        {"name": f"{k}.jpg", "mimeType": "image/jpeg", "buffer": photo(board)}
        for k, board in enumerate(boards)
    ]
    page.locator(chooser).set_input_files(files)  # type: ignore[arg-type]  # dicts of this shape
    if game:  # asked where no game is open
        page.locator("dialog").get_by_role("button", name=game, exact=True).click()
    for k in range(1, len(boards) + 1):
        many = f", {k} of {len(boards)}" if len(boards) > 1 else ""
        expect(
            page.get_by_role("heading", name=f"Read from a picture{many}", exact=True)
        ).to_be_visible()
        expect(page.locator(".photo-board")).to_be_visible(timeout=3 * WAIT)
        page.locator(".photo button.main").click()
    expect(page.locator(".photo")).to_have_count(0)


CHOSEN = ".sudoku-desk input[type=file][multiple]"


@pytest.mark.sampled(2, of="photos")
def test_two_photos_are_compared_and_three_form_a_list(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku")
    take(page, CHOSEN, [PUZZLE, SWAPPED])
    expect(page.locator(".verdict .answer-word")).to_have_text("The same")
    assert position(page).grids == (PUZZLE, SWAPPED)
    take(page, CHOSEN, [PUZZLE, SOLVED, SWAPPED])
    listed = page.locator(".list-fold textarea")
    expect(listed).to_have_value("\n".join([PUZZLE, SOLVED, SWAPPED]))
    page.locator(".list-fold .fold-body button.main").click()
    expect(page.get_by_role("button", name="Line 1 = line 3")).to_be_visible(timeout=3 * WAIT)
    assert position(page).grids == (PUZZLE, SWAPPED)


@pytest.mark.sampled(2, of="photos")
def test_camera_button_takes_a_photo(watched: Callable[..., Page], site: str) -> None:
    page = watched(site, is_mobile=True, **TABLET)
    expect(page.locator("#desk label.camera")).to_be_visible()
    camera = "#desk input[type=file][capture=environment]"
    expect(page.locator(camera)).to_have_attribute("accept", "image/*")
    take(page, camera, [PUZZLE], "Sudoku")
    expect(page.locator("#desk[data-desk=sudoku]")).to_be_visible()
    assert position(page).grids == (PUZZLE,)
    expect(page.locator("#desk label.camera")).to_be_visible()
    expect(page.locator(camera)).to_have_attribute("accept", "image/*")


@pytest.mark.sampled(2, of="photos")
def test_dragged_corner_snaps_to_the_line(page: Page, site: str) -> None:
    board, file = drawn(PUZZLE, 3, 3, cell=40, margin=40), io.BytesIO()
    board.save(file, "PNG")
    page.goto(site + "#/sudoku")
    bring(page, file.getvalue())
    symbols = page.locator(".photo-board .grid-box text")
    expect(symbols).to_have_count(17, timeout=3 * WAIT)
    corner = page.get_by_role("button", name="Lower right corner")
    before, box = corner.get_attribute("cx") or "", box_of(corner)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 9, y + 9, steps=3)
    expect(corner).not_to_have_attribute("cx", before)
    dragged = float(corner.get_attribute("cx") or 0)
    page.mouse.up()
    expect(corner).not_to_have_attribute("cx", str(dragged), timeout=3 * WAIT)
    after = float(corner.get_attribute("cx") or 0)
    assert dragged - float(before) > 5
    assert abs(after - float(before)) < 3
    expect(symbols).to_have_count(17)


@pytest.mark.sampled(2, of="photos")
def test_corners_are_dragged_to_another_board_of_the_picture(page: Page, site: str) -> None:
    left, right = (drawn(board, 3, 3, cell=40, margin=40) for board in (PUZZLE, SOLVED))
    both, file = Image.new("RGB", (left.width + right.width, left.height), "white"), io.BytesIO()
    both.paste(left, (0, 0))
    both.paste(right, (left.width, 0))
    both.save(file, "PNG")
    page.goto(site + "#/sudoku")
    bring(page, file.getvalue())
    picture = page.locator(".photo-board")
    expect(picture.locator(".grid-box text")).not_to_have_count(0, timeout=3 * WAIT)
    names = ("Upper left", "Upper right", "Lower right", "Lower left")
    corners = [page.get_by_role("button", name=f"{name} corner") for name in names]
    at = [float(corner.get_attribute("cx") or 0) for corner in corners]
    aside = left.width if at[0] < left.width else -left.width
    for n in range(4):
        box = box_of(corners[n])
        svg = box_of(page.locator(".photo-picture svg"))
        scale = svg["width"] / both.width
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + aside * scale, y, steps=4)
        page.mouse.up()
        expect(page.locator(".photo-picture.busy")).to_have_count(0, timeout=3 * WAIT)
        assert abs(float(corners[n].get_attribute("cx") or 0) - at[n] - aside) < 12
    page.locator(".photo button.main").click()
    assert position(page).grids == (SOLVED if aside > 0 else PUZZLE,)


@pytest.mark.sampled(2, of="photos")
def test_pasted_picture_opens_the_desk_that_reads_it(page: Page, site: str) -> None:
    page.goto(site)
    expect(page.locator(".anything")).to_be_visible()
    bring(page, photo(PUZZLE), PASTE)
    page.locator("dialog").get_by_role("button", name="Sudoku").click()
    expect(page.locator("#desk[data-desk=sudoku]")).to_be_visible()
    symbols = page.locator(".photo-board .grid-box text")
    expect(symbols).to_have_count(17, timeout=3 * WAIT)
    page.keyboard.press("Escape")
    expect(symbols).to_have_count(0)
    bring(page, photo(PUZZLE), PASTE)
    expect(symbols).to_have_count(17, timeout=3 * WAIT)


def odd_files() -> list[tuple[str, bytes, str, str]]:
    """(name, what is in it, its type, what is said of it)."""
    jpeg, heic = "image/jpeg", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(99)
    moving, huge = io.BytesIO(), io.BytesIO()
    frames = [Image.new("RGB", (90, 90), colour) for colour in ("white", "black")]
    frames[0].save(moving, "GIF", save_all=True, append_images=frames[1:], loop=0)
    Image.new("1", (10_000, 5_000)).save(huge, "PNG")
    return [
        ("text.jpg", b"hello", jpeg, "text.jpg is damaged or not a picture"),
        ("broken.jpg", photo(PUZZLE)[:300], jpeg, "broken.jpg is damaged or not a picture"),
        ("moving.gif", moving.getvalue(), jpeg, "moving.gif is animated"),
        ("huge.png", huge.getvalue(), jpeg, "huge.png has 50 million pixels"),
        # Where the system knows no type for the name, the file comes without one.
        ("IMG_1.HEIC", heic, "image/heic", "IMG_1.HEIC is in the HEIC format"),
        ("IMG_1.HEIC", heic, "", "IMG_1.HEIC is in the HEIC format"),
    ]


def drop_odd_files(page: Page) -> None:
    for name, data, kind, says in odd_files():
        bring(page, data, name=name, kind=kind)
        expect(page.locator(".photo [role=alert]")).to_contain_text(says, timeout=3 * WAIT)
        page.keyboard.press("Escape")
        expect(page.locator(".photo")).to_have_count(0)


def test_unreadable_files_give_a_message(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku")
    drop_odd_files(page)


@pytest.mark.sampled(2, of="photos")
def test_corners_can_be_set_by_hand_if_no_board_is_found(page: Page, site: str) -> None:
    empty = io.BytesIO()
    Image.new("RGB", (300, 300), "white").save(empty, "JPEG")
    page.goto(site + "#/sudoku")
    bring(page, empty.getvalue())
    alert = page.locator(".photo [role=alert]")
    expect(alert).to_contain_text("No board was found", timeout=3 * WAIT)
    corner = page.get_by_role("button", name="Upper left corner")
    before = corner.get_attribute("cx")
    corner.press("ArrowRight")
    expect(corner).not_to_have_attribute("cx", before or "")
    expect(page.get_by_role("button", name="Read again")).to_be_visible()


DEVICES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3},
    "desktop": {"viewport": {"width": 1440, "height": 900}},
}
CLUES = {(2, 2): 6, (2, 3): 14, (3, 2): 14, (3, 3): 27, (3, 4): 66, (4, 3): 66, (4, 4): 130}


def puzzle(box: tuple[int, int]) -> str:
    """A puzzle with one solution and about as many givens as published ones have."""
    request = {"desk": "sudoku", "want": "puzzle", "position": {"box": list(box)},
               "options": {"seed": 1, "clues": CLUES[box]}}  # fmt: skip
    return str(service.run(request)["puzzle"])


def seen(shot: bytes) -> str:
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    picture.thumbnail((LONGER, LONGER))
    found = finish(read(Pixels(picture.tobytes(), *picture.size)))
    return write_cells(found.decoded.cells) if found else ""


def missed(page: Page, site: str, palette: str, boxes: list[tuple[int, int]]) -> list[Any]:
    """What was not read of those boards in that palette, light and dark."""
    out = []
    page.evaluate("name => localStorage.setItem('cluewise.palette', name)", palette)
    for box in boxes:
        board = puzzle(box)
        page.goto(site + links.encode(Position(box=box, grids=(board,))))
        page.reload()
        givens = sum(symbol != "." for symbol in board)
        expect(page.locator("#desk .grid-box").first.locator("text")).to_have_count(givens)
        settled(page)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            if seen(page.screenshot(animations="disabled")) != board:
                out.append((palette, box, theme))
    return out


@pytest.mark.parametrize("screen", DEVICES)
def test_screenshot_of_the_desk_is_read(
    watched: Callable[..., Page], site: str, screen: str
) -> None:
    page = watched(site, reduced_motion="reduce", **DEVICES[screen])
    assert missed(page, site, "", [(3, 3)]) == []


@pytest.mark.long
@pytest.mark.parametrize("palette", ["", "clear"])
@pytest.mark.parametrize("screen", DEVICES)
def test_screenshot_of_the_desk_is_read_in_every_theme_palette_and_size(
    watched: Callable[..., Page], site: str, screen: str, palette: str
) -> None:
    page = watched(site, reduced_motion="reduce", **DEVICES[screen])
    assert missed(page, site, palette, list(CLUES)) == []


SHARE = """([address, files]) => {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: address, enctype: "multipart/form-data" });
  const field = document.createElement("input");
  Object.assign(field, { type: "file", name: "files", multiple: true });
  const data = new DataTransfer();
  for (const [name, type, text] of files) {
    data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name, { type }));
  }
  field.files = data.files;
  form.append(field);
  document.body.append(form);
  form.submit();
}"""


def shared(page: Page, site: str, *files: tuple[str, str, bytes]) -> None:
    """What the device's share sheet does once the app is installed: a form is sent to it."""
    page.goto(site)
    until(page, "() => navigator.serviceWorker.ready.then((r) => !!r.active)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.goto("about:blank")  # the sheet is no page of ours
    encoded = [[name, kind, b64encode(data).decode()] for name, kind, data in files]
    page.evaluate(SHARE, [f"{site}share", encoded])


@pytest.mark.service_worker
def test_picture_from_the_share_sheet_is_read_and_not_stored(page: Page, site: str) -> None:
    shared(page, site, ("newspaper.jpg", "image/jpeg", photo(PUZZLE)))
    page.locator("dialog").get_by_role("button", name="Sudoku").click()
    expect(page.locator("#desk[data-desk=sudoku]")).to_be_visible()
    expect(page.locator(".photo-board .grid-box text")).to_have_count(17, timeout=3 * WAIT)
    assert not page.evaluate("async () => (await caches.keys()).some((k) => k.endsWith('shared'))")
