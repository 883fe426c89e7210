"""The scan desk in the browser: the map by touch, keys and drags, pictures, and a phone's strip."""

import base64
import re
from collections.abc import Callable
from typing import Any

import msgspec
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from browser import PHONE, WIDE, box_of, measured, touches
from cluewise import links, service
from cluewise.desks.scan.position import Position, Teleport
from cluewise.desks.scan.regions import by_id
from cluewise.errors import BadInput
from selection import sample
from states import settled


def pulse(tile: tuple[int, int], spot: tuple[int, int, int], reach: int) -> int:
    away = max(abs(tile[0] - spot[0]), abs(tile[1] - spot[1]))
    return 3 if away <= reach else 2 if away <= 2 * reach else 1


def best(page: Page) -> Locator:
    """Return the best advised area once all answers are current."""
    return page.locator("#desk[data-answers=current] .options:not(.stale) .option").first


def best_tile(page: Page) -> tuple[int, int]:
    x, y = (best(page).get_attribute("data-key") or "").split(",")
    return int(x), int(y)


def left(page: Page, count: int) -> None:
    expect(page.locator(".left:not(.stale) b")).to_have_text(str(count))


def remaining(seen: list[tuple[tuple[int, int], int]], number: int = 364) -> list[int]:
    region = by_id()[number]
    return [
        i
        for i, s in enumerate(region.spots)
        if all(pulse(tile, s, region.range) == p for tile, p in seen)
    ]


def on_screen(page: Page, x: int, y: int) -> tuple[float, float]:
    """Where a tile of the map is drawn now."""
    place: Any = measured(
        page,
        """([x, y]) => {
          const map = document.querySelector('tile-map');
          const box = map.getBoundingClientRect();
          const { camera, size } = map;
          return [box.left + size.width / 2 + (x + 0.5 - camera.x) * camera.scale,
                  box.top + size.height / 2 - (y + 0.5 - camera.y) * camera.scale];
        }""",
        [x, y],
    )
    return place[0], place[1]


def press_tile(page: Page, x: int, y: int) -> None:
    page.mouse.click(*on_screen(page, x, y))


def drag(page: Page, begin: tuple[int, int], end: tuple[int, int]) -> None:
    start, stop = on_screen(page, *begin), on_screen(page, *end)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*stop, steps=4)
    page.mouse.up()


def test_map_is_usable_by_keyboard_alone(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    left(page, 18)
    page.locator("tile-map canvas").focus()
    for key in ("ArrowRight", "Shift+ArrowRight", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".map-description")).to_contain_text("bits")
    place = page.get_by_text(re.compile(r"^at \d+, \d+$"))
    expect(place).to_be_visible()
    x, y = (int(number) for number in re.findall(r"\d+", place.inner_text()))
    pulse = next(p for p in (2, 1, 3) if remaining([((x, y), p)]))
    page.keyboard.press(str(pulse))
    expect(page.locator("tile-map canvas")).to_be_focused()
    count = len(remaining([((x, y), pulse)]))
    left(page, count)
    expect(page.locator(".entry")).to_have_count(1)
    page.keyboard.press("Control+z")
    left(page, 18)
    expect(page.locator(".entry")).to_have_count(0)
    page.keyboard.press("Control+Shift+z")
    left(page, count)


def test_first_touch_shows_a_tile_and_second_touch_enters_it(
    watched: Callable[..., Page], site: str
) -> None:
    phone = watched(site + "#/scan", **PHONE)
    expect(best(phone)).to_be_visible()
    box = box_of(phone.locator("tile-map"))
    touched = box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.45
    phone.touchscreen.tap(*touched)  # the first touch looks
    expect(phone.locator(".map-description")).to_contain_text("touch again to stand there")
    expect(phone.locator(".keys-hint").get_by_text("the middle of the spots")).to_be_visible()
    phone.touchscreen.tap(*touched)
    expect(phone.get_by_text(re.compile(r"^at \d+, \d+$"))).to_be_visible()
    phone.locator(".answer-button").first.tap()
    expect(phone.locator(".entry")).to_have_count(1)
    expect(phone.locator(".left:not(.stale) b")).not_to_have_text("18")
    expect(best(phone)).to_be_visible()
    wide = phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wide, "the page is wider than the phone"


def test_spots_and_boxes_are_entered_on_the_map(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    left(page, 18)
    page.get_by_role("button", name="Rule out", exact=True).click()
    x, y, _ = by_id()[364].spots[0]
    press_tile(page, x, y)
    left(page, 17)
    page.get_by_role("button", name="Area", exact=True).click()
    drag(page, (2940, 3385), (2950, 3392))
    expect(page.get_by_role("heading", name="In the drawn area I saw")).to_be_visible()
    drawn = page.evaluate("document.querySelector('tile-map').model.regions.map((r) => r.rect)")
    assert drawn == [[2940, 3385, 2950, 3392]]
    page.get_by_role("button", name="Walls", exact=True).click()
    drag(page, (2985, 3360), (2990, 3380))
    expect(page.get_by_text("With walls, the search looks")).to_be_visible()


def test_route_is_saved_as_a_picture(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    page.get_by_text("A whole route").click()
    expect(page.locator(".legs li")).to_have_count(1)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a picture").click()
    assert saved.value.suggested_filename == "route.png"
    with Image.open(saved.value.path()) as picture:
        assert picture.size[0] == 2 * (860 + 420 + 3 * 36)
        shades = picture.convert("RGB").getcolors(1 << 24)
        assert shades is not None
        assert len(shades) > 30  # areas, ways, words: no empty sheet


DRAWS = """(spots) => {
  const { model } = document.querySelector('tile-map');
  const drawn = model.spots.map((s) => [s.x, s.y]);
  return !!model.areas && JSON.stringify(drawn) === JSON.stringify(spots);
}"""
BEST_WITHOUT_NUMBER = """async () => {
  const { camera, size, model } = document.querySelector('tile-map');
  const { labelsOf } = await import(new URL('./widgets/map/labels.js', location.href).href);
  const { toScreen } = await import(new URL('./widgets/map/geometry.js', location.href).href);
  const dots = model.spots.map((s) => toScreen(camera, size, s.x + 0.5, s.y + 0.5));
  const { areas } = model;
  const named = labelsOf(areas, camera, size, { wide: 30, high: 13 }, dots).map((l) => l.area);
  const best = [...areas.split.keys()].filter((c) => areas.best[areas.split[c]]);
  return best.filter((c) => !named.includes(c)).length;
}"""


def test_best_areas_of_every_region_have_their_number(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    for number, region in sample(list(by_id().items()), 4, kind="regions"):
        page.goto(site + links.encode(Position(region=number)))
        left(page, len(region.spots))
        settled(page)
        page.wait_for_function(DRAWS, arg=[spot[:2] for spot in region.spots])
        assert page.evaluate(BEST_WITHOUT_NUMBER) == 0, region.name


HALL: dict[str, Any] = {
    "desk": "scan", "v": 1, "range": 3, "levels": "use", "here": [3000, 3000],
    "spots": [[3030, 3000, 1], [3040, 3000, 1], [3004, 3002, 0]], "ruled_out": [2],
    "stairs": [{"at": [3001, 3000, 0], "to": [3001, 3003, 1], "ticks": 2, "name": "the ladder"}],
}  # fmt: skip
PORT = Position(region=364, here=(3100, 3450), teleports=(Teleport((2966, 3403), 4, "Falador"),))


def test_bar_on_a_phone_truncates_nothing_and_shows_all_keys(
    watched: Callable[..., Page], site: str
) -> None:
    cut = "es => es.some((e) => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight)"
    dig, climb = HALL | {"ruled_out": [1, 2]}, HALL
    phone = watched(site, **PHONE)
    for table, said in (
        (msgspec.to_builtins(PORT), "To Falador, then"),
        (dig, "up by the ladder to floor 1"),
        (climb, "Up by the ladder"),
    ):
        phone.goto(site + links.encode(service.validate(table, Position, BadInput)))
        facts = phone.locator("[data-part=advice] .bar-facts")
        expect(facts).to_contain_text(said)
        assert not facts.get_by_text(said).evaluate_all(cut), said
    expect(phone.locator(".lift").get_by_role("button", name="ground")).to_be_in_viewport(ratio=1)
    keys = phone.locator("[data-part=entry] button")
    expect(keys).to_have_count(6)
    expect(keys.last).to_be_in_viewport(ratio=1)


def test_two_fingers_pan_the_map_in_every_tool(watched: Callable[..., Page], site: str) -> None:
    phone = watched(site + "#/scan", **PHONE)
    expect(best(phone)).to_be_visible()
    box = box_of(phone.locator("tile-map"))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = touches(phone)
    for tool in ("Area", "Walls", "Stand"):
        phone.locator(".tools-bar").get_by_role("button", name=tool, exact=True).tap()
        before = on_screen(phone, 2990, 3390)
        touch("touchStart", (x - 40, y))
        touch("touchStart", (x - 40, y), (x + 40, y))
        for u, v in ((x + 8 * step, y + 6 * step) for step in range(1, 6)):
            touch("touchMove", (u - 40, v), (u + 40, v))
        touch("touchEnd")
        after = on_screen(phone, 2990, 3390)
        assert abs(after[0] - before[0] - 40) < 2, tool
        assert abs(after[1] - before[1] - 30) < 2, tool
    expect(phone.get_by_role("heading", name="In the drawn area I saw")).to_be_hidden()
    expect(phone.get_by_text("With walls, the search looks")).to_be_hidden()


def test_names_in_the_region_list_do_not_overlap(watched: Callable[..., Page], site: str) -> None:
    phone = watched(site + "#/scan", **PHONE)
    phone.get_by_role("button", name="Change").tap()
    expect(phone.locator(".list-item")).to_have_count(26)
    cut = phone.locator(".list-item").evaluate_all(
        "(items) => items.filter((i) => i.scrollHeight > i.clientHeight).map((i) => i.innerText)"
    )
    assert cut == []


PAINTED = """async ([wide, high]) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: wide, height: high });
  canvas.getContext('2d').fillRect(0, 0, wide, high);
  const blob = await new Promise((done) => canvas.toBlob(done));
  return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
}"""


def press_spot(page: Page, spot: int, at: tuple[float, float], size: tuple[int, int]) -> None:
    """Press a pixel of the picture in the dialog and select its spot."""
    image = page.locator(".fit img")
    box = box_of(image)
    x, y = at[0] * box["width"] / size[0], at[1] * box["height"] / size[1]
    image.click(position={"x": x, "y": y})
    page.get_by_role("button", name=f"This is spot {spot + 1}", exact=True).click()


def test_picture_is_placed_on_the_map_by_selecting_spots(page: Page, site: str) -> None:
    """Three tiles are ten pixels; the top left pixel lies at 2930, 3400."""
    page.goto(site + "#/scan")
    left(page, 18)
    size, spots = (600, 400), by_id()[364].spots
    png = base64.b64decode(page.evaluate(PAINTED, [*size]))
    page.get_by_role("button", name="Change").click()
    file: Any = {"name": "falador.png", "mimeType": "image/png", "buffer": png}
    page.get_by_text("Choose a picture").locator("input").set_input_files(file)

    def pixel(spot: int) -> tuple[float, float]:
        return (spots[spot][0] + 0.5 - 2930) / 0.3, (3400 - spots[spot][1] - 0.5) / 0.3

    inside = [
        s for s in range(18) if all(9 < v < w - 9 for v, w in zip(pixel(s), size, strict=True))
    ]
    first, second, third = inside[0], inside[-1], inside[len(inside) // 2]
    place = page.get_by_role("button", name="Place the picture", exact=True)
    expect(page.get_by_text("Select at least two spots.")).to_be_visible()
    press_spot(page, first, pixel(first), size)
    expect(place).to_be_disabled()
    press_spot(page, second, pixel(second), size)
    expect(page.get_by_text(re.compile(r"2 spots selected: .* A third spot would"))).to_be_visible()
    away = (pixel(third)[0], pixel(third)[1] + (150 if pixel(third)[1] < 200 else -150))
    press_spot(page, third, away, size)  # elsewhere
    expect(page.get_by_text(re.compile(r"Spot \d+ is \d+\.\d tiles from where"))).to_be_visible()
    press_spot(page, third, pixel(third), size)
    expect(page.get_by_text(re.compile(r"3 spots selected: each is within 0\.\d"))).to_be_visible()
    place.click()
    shown = "document.querySelector('tile-map').model.pictures"
    page.wait_for_function(f"() => {shown}.length === 1")
    x, y, tiles = page.evaluate(f"{shown}.map((p) => [p.x, p.y, p.tiles])[0]")
    assert abs(tiles - 0.3) < 0.005
    assert abs(x - 2930) < 1
    assert abs(y - 3400) < 1
    page.reload()  # at once: a placement is stored with the press
    left(page, 18)
    page.wait_for_function(f"() => {shown}.length === 1")


OVERLAY = PAINTED.replace("fillRect(0, 0, wide,", "fillRect(0, 0, wide / 2,")


def test_pictures_of_walls_are_read_by_darkness_or_opacity(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    left(page, 18)
    page.get_by_role("button", name="Change").click()
    page.get_by_label("Lowest left tile").fill("2960, 3350")
    black = base64.b64decode(page.evaluate(PAINTED, [40, 30]))
    overlay = base64.b64decode(page.evaluate(OVERLAY, [64 * 8, 64 * 8]))
    for png, pixels, said in (
        (b"no picture at all", "1", "cannot read this file as a picture"),
        (overlay, "8", "64 × 64 tiles read, 2\u202f048 of them walls."),
        (black, "1", "40 × 30 tiles read, 1\u202f200 of them walls."),
    ):
        page.get_by_label("Pixels per tile").fill(pixels)
        file: Any = {"name": "walls.png", "mimeType": "image/png", "buffer": png}
        page.get_by_text("Choose files").locator("input").set_input_files(file)
        expect(page.get_by_text(said)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("With walls, the search looks")).to_be_visible()


def test_small_window_shows_the_advice_and_handles_keys(
    site: str, watched: Callable[..., Page]
) -> None:
    page = watched(site, **WIDE)
    page.goto(site + links.encode(Position(region=364, here=(2967, 3403))))
    current = page.locator("#desk[data-answers=current]")
    expect(current).to_be_attached()
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="small window above your game").click()
    window = opened.value
    advice = window.locator("[data-part=advice]")
    expect(advice).to_contain_text("to the spot")
    before = advice.inner_text()
    window.keyboard.press("2")
    expect(page.locator(".map-chip")).not_to_contain_text("18 of 18")
    expect(current).to_be_attached()
    expect(advice).not_to_have_text(before)
