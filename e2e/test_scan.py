"""The scan desk in the browser: clues followed by hand and by key, contradiction, links, walls.

Long, since a desk's ways through the browser stand in one file; no test needs another.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any

import msgspec
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from browser import address_of
from cluewise import links, service
from cluewise.desks.scan.position import Observation, Position
from cluewise.desks.scan.regions import by_id
from cluewise.errors import BadInput
from states import settled

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
CONTRADICTION = Position(
    region=364,
    observations=(
        Observation(pulse=3, at=(2960, 3340, 0)),
        Observation(pulse=3, at=(3040, 3400, 0)),
    ),
)


def pulse(tile: tuple[int, int], spot: tuple[int, int, int], reach: int) -> int:
    away = max(abs(tile[0] - spot[0]), abs(tile[1] - spot[1]))
    return 3 if away <= reach else 2 if away <= 2 * reach else 1


def best(page: Page) -> Locator:
    return page.locator(".options:not(.stale) .option").first


def best_tile(page: Page) -> tuple[int, int]:
    x, y = (best(page).get_attribute("data-key") or "").split(",")
    return int(x), int(y)


def spoken(page: Page) -> str:
    """The first advice as it is read out."""
    return best(page).locator(".unseen").inner_text()


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
    place: Any = page.evaluate(
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
    """Draw a box from one tile to another."""
    page.mouse.move(*on_screen(page, *begin))
    page.mouse.down()
    page.mouse.move(*on_screen(page, *end), steps=4)
    page.mouse.up()


def test_a_clue_is_followed_by_the_advice_to_the_spot(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    spot = by_id()[364].spots[11]
    seen: list[tuple[tuple[int, int], int]] = []
    left(page, 18)
    while len(remaining(seen)) > 1:
        expect(best(page)).to_be_visible()
        tile = best_tile(page)
        heard = pulse(tile, spot, 22)
        page.locator(".reason .answer").nth(heard - 1).click()
        seen.append((tile, heard))
        left(page, len(remaining(seen)))
        assert len(seen) < 9
        if heard == 3:
            break
    assert 11 in remaining(seen)
    for other in remaining(seen):  # a triple's arrow shows the spot: the others are ruled out
        if other != 11:
            page.get_by_role("button", name="Rule out", exact=True).click()
            x, y, _ = by_id()[364].spots[other]
            press_tile(page, x, y)
    expect(page.get_by_text("Only spot 12 is left.")).to_be_visible()
    expect(page.locator(".entry")).to_have_count(len(seen))


def test_the_keyboard_alone_stands_looks_and_undoes(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    left(page, 18)
    page.locator("tile-map canvas").focus()
    for key in ("ArrowRight", "Shift+ArrowRight", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".map-tell")).to_contain_text("bits")
    expect(page.get_by_text(re.compile(r"^at 3008, 3354$"))).to_be_visible()
    page.locator("body").press("2")
    tile = (3008, 3354)
    count = len(remaining([(tile, 2)]))
    left(page, count)
    expect(page.locator(".entry")).to_have_count(1)
    page.keyboard.press("Control+z")
    left(page, 18)
    expect(page.locator(".entry")).to_have_count(0)
    page.keyboard.press("Control+Shift+z")
    left(page, count)


def test_a_phone_stands_by_touch_and_its_link_shows_the_same(
    watched: Callable[..., Page], site: str
) -> None:
    phone = watched(site + "#/scan", **PHONE)
    expect(best(phone)).to_be_visible()
    box = phone.locator("tile-map").bounding_box()
    assert box is not None
    touched = box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.45
    phone.touchscreen.tap(*touched)  # the first touch looks
    expect(phone.locator(".map-tell")).to_contain_text("touch again to stand there")
    expect(phone.get_by_text(re.compile(r"the middle of the spots"))).to_be_visible()
    phone.touchscreen.tap(*touched)
    expect(phone.get_by_text(re.compile(r"^at \d+, \d+$"))).to_be_visible()
    phone.locator(".answer-button").first.tap()
    expect(phone.locator(".entry")).to_have_count(1)
    expect(phone.locator(".left:not(.stale) b")).not_to_have_text("18")
    expect(best(phone)).to_be_visible()
    wide = phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wide, "the page is wider than the phone"
    other = watched(address_of(phone))
    expect(best(other)).to_be_visible()
    assert spoken(other) == spoken(phone)
    assert other.locator(".left b").inner_text() == phone.locator(".left b").inner_text()


def test_a_contradiction_is_named_and_repaired(page: Page, site: str) -> None:
    page.goto(site + links.encode(CONTRADICTION))
    expect(page.get_by_role("heading", name="No spot fits all of this")).to_be_visible()
    expect(page.locator(".entry.doubted")).to_have_count(2)
    page.locator(".repairs button").first.click()
    expect(page.get_by_role("heading", name="No spot fits all of this")).to_be_hidden()
    expect(best(page).or_(page.get_by_text("The arrow shows the spot. Which one?"))).to_be_visible()


def test_rule_outs_areas_and_walls_change_the_map_at_once(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    left(page, 18)
    page.get_by_role("button", name="Rule out", exact=True).click()
    x, y, _ = by_id()[364].spots[0]
    press_tile(page, x, y)
    left(page, 17)
    page.get_by_role("button", name="Take spot 1 back").click()
    left(page, 18)
    page.get_by_role("button", name="Area", exact=True).click()
    drag(page, (2940, 3385), (2950, 3392))
    expect(page.get_by_role("heading", name="In the drawn area I saw")).to_be_visible()
    drawn = page.evaluate("document.querySelector('tile-map').model.regions.map((r) => r.rect)")
    assert drawn == [[2940, 3385, 2950, 3392]]
    page.locator(".answer-button").nth(2).click()
    expect(page.locator(".entry")).to_contain_text("area")
    expect(page.locator(".left:not(.stale) b")).not_to_have_text("18")
    page.keyboard.press("Control+z")
    left(page, 18)
    page.get_by_role("button", name="Walls", exact=True).click()
    drag(page, (2985, 3360), (2990, 3380))
    expect(page.get_by_text("Round walls the search looks")).to_be_visible()
    expect(best(page)).to_be_visible()
    page.get_by_role("button", name="Remove all walls").click()
    expect(page.get_by_text("Round walls the search looks")).to_be_hidden()


def test_a_route_is_walked_step_by_step_and_taken_into_the_log(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    page.get_by_text("A whole route").click()
    expect(page.locator(".legs li")).to_have_count(1)
    expect(page.get_by_text(re.compile(r"ticks on average \(\d+ s\)"))).to_be_visible()
    for _ in range(2):
        page.locator(".legs ~ .row button").first.click()
    expect(page.locator(".legs li")).to_have_count(3)
    page.get_by_role("button", name="Put these pulses into my log").click()
    expect(page.locator(".entry")).to_have_count(2)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as text").click()
    assert "ticks on average" in saved.value.path().read_text()


def test_a_route_is_carried_away_as_a_picture(page: Page, site: str) -> None:
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


def test_after_the_dig_the_hunt_is_looked_back_on(page: Page, site: str) -> None:
    position = Position(
        region=364,
        observations=(
            Observation(pulse=1, at=(2990, 3390, 0)),
            Observation(pulse=3, at=(2968, 3332, 0)),
        ),
        ruled_out=(2, 5),
    )
    page.goto(site + links.encode(position))
    left(page, 1)
    page.get_by_text("Look back", exact=True).click()
    asked = {"desk": "scan", "want": "review", "position": msgspec.to_builtins(position)}
    found = service.run(asked | {"options": {"stop": 3, "spot": 1}})
    line = page.get_by_text(re.compile(rf"^{found['ticks']} ticks .* with 2 scans; the plan"))
    expect(line).to_be_visible()
    row = page.locator(".review-table tbody tr").nth(1)
    expect(row).to_contain_text(f"{found['scans'][1]['expected_ticks']:.1f}")


def test_a_stop_costs_what_the_player_says(page: Page, site: str) -> None:
    def spoken_for(stop: int) -> re.Pattern[str]:
        asked = {"desk": "scan", "want": "next", "position": {"region": 364}}
        found = service.run(asked | {"options": {"stop": stop, "top": 1}})["options"][0]
        x, y = found["tile"]
        return re.compile(rf"Walk to {x}, {y}: .* then {found['expected_ticks']:.1f} ticks")

    page.goto(site + "#/scan")
    left(page, 18)
    expect(best(page).locator(".unseen")).to_have_text(spoken_for(3))
    page.get_by_label("A stop costs me").select_option("6")
    expect(best(page).locator(".unseen")).to_have_text(spoken_for(6))
    expect(page.get_by_text("a stop to scan takes 6 ticks")).to_be_visible()
    page.get_by_text("A whole route").click()
    expect(page.get_by_text("no route is quicker: that is proved")).to_be_visible(timeout=20_000)
    expect(page.get_by_role("button", name="Think for 30 s")).to_have_count(0)


def test_a_route_becomes_the_best_there_is(page: Page, site: str) -> None:
    """Piscatoris at three ticks a stop: the plan made at once takes 40.6 ticks, the least 40.3."""
    quick, best = (
        service.run(
            {"desk": "scan", "want": "route", "position": {"region": 355}}
            | {"options": {"stop": 3, "bound": bound}}
        )["expected_ticks"]
        for bound in (False, True)
    )
    assert f"{best:.1f}" < f"{quick:.1f}"
    page.goto(site + links.encode(Position(region=355)))
    left(page, 26)
    page.get_by_text("A whole route").click()
    expect(page.get_by_text("no route is quicker: that is proved")).to_be_visible(timeout=20_000)
    expect(page.get_by_text(f"{best:.1f} ticks on average")).to_be_visible()


def test_a_route_that_is_being_walked_stays_while_a_better_one_is_found(
    page: Page, site: str
) -> None:
    """Its first answer is pressed the moment it is shown; from the start on, the better one is."""
    asked = {"desk": "scan", "want": "route", "position": {"region": 355}}
    quick, least = (
        service.run(asked | {"options": {"stop": 3, "bound": bound}})["expected_ticks"]
        for bound in (False, True)
    )
    page.goto(site + links.encode(Position(region=355)))
    left(page, 26)
    page.evaluate(
        """() => new MutationObserver((_, watch) => {
             const seen = document.querySelector(".legs + .row button");
             if (seen) { watch.disconnect(); seen.click(); }
           }).observe(document.body, { childList: true, subtree: true })"""
    )
    page.get_by_text("A whole route").click()
    back = page.get_by_role("button", name="From the start")
    expect(back).to_be_visible(timeout=20_000)
    expect(page.locator(".job")).to_have_count(0, timeout=20_000)
    expect(page.get_by_text(f"{quick:.1f} ticks on average (")).to_be_visible()
    expect(page.get_by_text("no route is quicker")).to_have_count(0)
    back.click()
    expect(page.get_by_text("no route is quicker: that is proved")).to_be_visible()
    expect(page.get_by_text(f"{least:.1f} ticks on average (")).to_be_visible()


def test_the_next_way_says_which_abilities_are_used_on_it(page: Page, site: str) -> None:
    position = Position(region=364, here=(3100, 3402))
    asked = {"desk": "scan", "want": "next", "position": msgspec.to_builtins(position)}
    found = service.run(asked | {"options": {"stop": 3, "surge": 1, "dive": True}})
    first = found["options"][0]
    to = first["uses"][-1]["to"]
    run = max(abs(to[0] - first["tile"][0]), abs(to[1] - first["tile"][1]))
    assert [use["ability"] for use in first["uses"]] == ["dive", "surge"]

    page.goto(site + links.encode(position))
    left(page, 18)
    advised = page.get_by_text(re.compile(rf"Dive at once, surge .*, then run {run} tiles?\."))
    expect(best(page)).to_be_visible()
    expect(advised).to_have_count(0)
    page.get_by_text("A whole route").click()
    page.get_by_label("Dive", exact=True).check()
    page.get_by_label("Charges of Surge").select_option("1")
    expect(advised).to_be_visible()
    expect(page.get_by_text(f"takes {found['ability_ticks']:.1f} ticks.")).to_be_visible()
    expect(best(page).locator(".unseen")).to_contain_text(f"{first['walk_ticks']} ticks")
    page.get_by_text("A whole route").click()
    hops = "() => document.querySelector('tile-map').model.hops.map((h) => [h.from, h.to])"
    assert page.evaluate(hops) == [[use["at"], use["to"]] for use in first["uses"]]
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".bar-facts")).to_contain_text(f"Dive, surge, run {run} tile")


def test_teleports_are_pressed_on_the_map_kept_for_the_region_and_advised(
    page: Page, site: str
) -> None:
    position = Position(region=364, here=(3100, 3450))
    page.goto(site + links.encode(position))
    left(page, 18)
    on_foot = float(best(page).locator(".number b").inner_text())
    page.get_by_text("Teleports", exact=True).click()
    page.get_by_role("button", name="Add a teleport").click()
    press_tile(page, 2966, 3403)
    places = "() => document.querySelector('tile-map').model.places"
    page.wait_for_function(f"({places})().length === 1")
    place = page.evaluate(places)[0]
    assert max(abs(place["x"] - 2966), abs(place["y"] - 3403)) <= 1
    name = page.get_by_label("Teleport 1", exact=True)
    name.fill("Falador lodestone")
    name.press("Enter")
    page.get_by_label("Ticks of teleport 1").select_option("4")
    asked = msgspec.to_builtins(position) | {
        "teleports": [
            {"at": [place["x"], place["y"]], "ticks": 4, "name": "Falador lodestone"},
        ]
    }
    found = service.run(
        {"desk": "scan", "want": "next", "position": asked, "options": {"stop": 3}}
    )["options"][0]
    (use,) = found["uses"]
    run = max(abs(use["to"][0] - found["tile"][0]), abs(use["to"][1] - found["tile"][1]))
    said = f"Teleport to Falador lodestone, then run {run} tile"
    expect(page.get_by_text(re.compile(said))).to_be_visible()
    expect(best(page).locator(".number b")).to_have_text(f"{found['expected_ticks']:.1f}")
    assert found["expected_ticks"] < on_foot
    hops = "() => document.querySelector('tile-map').model.hops.map((h) => [h.from, h.to, h.name])"
    assert page.evaluate(hops) == [[use["at"], use["to"], "Teleport"]]
    page.get_by_text("A whole route").click()
    expect(page.locator(".legs li").first).to_contain_text("teleport to Falador lodestone")
    page.get_by_text("A whole route").click()
    page.set_viewport_size({"width": 390, "height": 844})
    (x, y), (to_x, to_y) = found["tile"], use["to"]
    signs = ((to_x - x, "W"), (x - to_x, "E"), (to_y - y, "S"), (y - to_y, "N"))
    way = " ".join(f"{tiles} {sign}" for tiles, sign in signs if tiles > 0)
    strip = page.locator(".bar-facts").get_by_text(f"To Falador lodestone, go {way}")
    expect(strip).to_be_visible()
    assert strip.evaluate("(e) => e.scrollWidth <= e.clientWidth"), "it is cut off"
    page.set_viewport_size({"width": 1280, "height": 800})
    for region, count in (("Keldagrim", 0), ("Falador", 1)):  # each region has its own
        page.get_by_role("button", name="Change", exact=True).click()
        page.locator(".list-item").filter(has_text=region).click()
        page.wait_for_function(f"({places})().length === {count}")
    linked = links.decode("#" + address_of(page).split("#", 1)[1])
    assert linked.teleports[0].name == "Falador lodestone"


def test_stairs_are_pressed_on_the_map_and_advice_goes_over_floors(page: Page, site: str) -> None:
    below = tuple(i for i, spot in enumerate(by_id()[365].spots) if spot[2] == 0)
    position = Position(region=365, levels="use", here=(2720, 5330), ruled_out=below)
    page.goto(site + links.encode(position))
    left(page, 8)
    expect(page.get_by_text("No stairs lead to the floor")).to_have_count(0)
    page.get_by_text("Stairs", exact=True).click()
    page.get_by_role("button", name="Add stairs").click()
    press_tile(page, 2725, 5330)
    expect(page.get_by_label("Stairs 1", exact=True)).to_be_visible()
    name = page.get_by_label("Stairs 1", exact=True)
    name.fill("the east ladder")
    name.press("Enter")
    page.get_by_label("Ticks of stairs 1").select_option("3")
    linked = links.decode("#" + address_of(page).split("#", 1)[1])
    (one,) = linked.stairs
    assert (one.at[2], one.to[2], one.ticks, one.name) == (0, 1, 3, "the east ladder")
    assert max(abs(one.at[0] - 2725), abs(one.at[1] - 5330)) <= 1
    assert one.to[:2] == one.at[:2]
    asked = msgspec.to_builtins(linked)
    found = service.run({"desk": "scan", "want": "next", "position": asked, "options": {"stop": 3}})
    assert "beyond" not in found
    said = f"{found['options'][0]['expected_ticks']:.1f}"
    expect(best(page).locator(".number b")).to_have_text(said)
    del asked["stairs"]
    flat = service.run({"desk": "scan", "want": "next", "position": asked, "options": {"stop": 3}})
    assert found["options"][0]["expected_ticks"] > flat["options"][0]["expected_ticks"]
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".bar-facts")).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    for region, count in (("Keldagrim", 0), ("Dorgesh-Kaan", 1)):  # each region has its own
        page.get_by_role("button", name="Change", exact=True).click()
        page.locator(".list-item").filter(has_text=region).click()
        page.wait_for_function(
            "(n) => (document.querySelector('tile-map').model.places ?? []).length === n", arg=count
        )
    page.get_by_text("Stairs", exact=True).wait_for(state="hidden")  # the level's sign is not used


HALL: dict[str, Any] = {
    "desk": "scan", "v": 1, "range": 3, "levels": "use", "here": [3000, 3000],
    "spots": [[3030, 3000, 1], [3040, 3000, 1], [3004, 3002, 0]], "ruled_out": [2],
    "stairs": [{"at": [3001, 3000, 0], "to": [3001, 3003, 1], "ticks": 2, "name": "the ladder"}],
}  # fmt: skip
SHOWN = """() => {
  const { model } = document.querySelector('tile-map');
  const { path, target, spots, places } = model;
  return [path, target, spots.map((s) => s.other), places.map((p) => p.name)];
}"""


def test_the_way_ends_at_the_stairs_and_the_map_turns_to_the_floor_that_one_climbs_to(
    watched: Callable[..., Page], site: str
) -> None:
    hall = service.convert(HALL, Position, BadInput)
    page = watched(site + links.encode(hall))
    left(page, 2)
    advised = page.locator(".options:not(.stale) .reason")
    expect(advised).to_contain_text("Up by the ladder to floor 1")
    assert page.evaluate(SHOWN) == [
        [[3000, 3000], [3001, 3000, 0]], None, [True, True, False], ["↑ floor 1"]
    ]  # fmt: skip
    phone = watched(address_of(page), **PHONE)
    bar = phone.locator("[data-part=advice]")
    expect(bar).to_contain_text("Go 1 E")
    expect(phone.locator(".lift").get_by_role("button", name="ground")).to_be_in_viewport(ratio=1)
    for one, press in ((page, advised), (phone, bar)):
        press.get_by_role("button", name="I am up").click()
        lift = one.locator(".lift").get_by_role("button", name="floor 1", exact=True)
        expect(lift).to_have_attribute("aria-pressed", "true")
        expect(best(one)).to_have_attribute("data-key", re.compile(",1$"))
        path, target, other, names = one.evaluate(SHOWN)
        assert (path[0], path[-1], target[2]) == ([3001, 3003], target, 1)
        assert (other, names) == ([False, False, True], ["↓ ground"])
        found = links.decode("#" + address_of(one).split("#", 1)[1])
        assert (found.here, found.floor) == ((3001, 3003), 1)


def test_where_to_dig_is_said_whole_with_its_stairs(
    watched: Callable[..., Page], site: str
) -> None:
    hall = service.convert(HALL | {"ruled_out": [1, 2]}, Position, BadInput)
    phone = watched(site + links.encode(hall), **PHONE)
    bar = phone.locator("[data-part=advice]")
    expect(bar).to_have_attribute("data-state", "finished")
    expect(bar).to_contain_text("up by the ladder to floor 1")
    cut = "es => es.some((e) => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight)"
    assert not bar.locator(".bar-facts, .bar-facts > span").evaluate_all(cut)
    assert phone.evaluate(SHOWN)[0] == [[3000, 3000], [3001, 3000, 0]]


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


def test_every_best_area_of_every_region_carries_its_number(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    for number, region in by_id().items():
        page.goto(site + links.encode(Position(region=number)))
        left(page, len(region.spots))
        settled(page)
        page.wait_for_function(DRAWS, arg=[spot[:2] for spot in region.spots])
        assert page.evaluate(BEST_WITHOUT_NUMBER) == 0, region.name


def test_pressing_the_map_tells_the_profile_spot_by_spot(page: Page, site: str) -> None:
    own = {"desk": "scan", "v": 1, "range": 3, "spots": [[0, 0], [7, 0], [20, 0], [3, 3]]}
    page.goto(site + links.encode(service.convert(own, Position, BadInput)))
    left(page, 4)
    press_tile(page, 3, 0)
    page.get_by_text("Spot by spot", exact=True).click()
    expect(page.locator(".profile-line")).to_have_text("[3,2,1,3]")
    expect(page.locator(".profile li").first).to_contain_text("leaves 1 of 4: log₂(4 / 1) = 2.00")


def test_slips_are_forgiven_when_the_player_says_so(page: Page, site: str) -> None:
    page.goto(site + links.encode(CONTRADICTION))
    expect(page.get_by_role("heading", name="No spot fits all of this")).to_be_visible()
    expect(best(page)).to_be_hidden()
    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_label("Single and double").select_option("5")
    page.keyboard.press("Escape")
    expect(page.get_by_text(re.compile(r"Most likely: spot \d+ \(\d+ %\)"))).to_be_visible()
    expect(page.get_by_text("The arrow shows the spot. Which one?")).to_be_visible()
    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_label("Single and double").select_option("0")
    page.get_by_label("Where I stood is").select_option("2")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="No spot fits all of this")).to_be_visible()


def test_practice_ends_with_a_comparison(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    expect(best(page)).to_be_visible()
    page.get_by_text("Practice", exact=True).click()
    page.get_by_role("button", name="Hide a spot").click()
    expect(page.get_by_text("A spot is hidden. Press the map")).to_be_visible()
    expect(page.get_by_text("Advice is hidden while you practise.")).to_be_visible()
    press_tile(page, 2990, 3390)
    expect(page.locator(".entry")).to_have_count(1)
    ended = page.get_by_text(re.compile(r"It was spot \d+\. You took"))
    heard = page.get_by_text(re.compile(r"so far, 1 scan"))
    expect(ended.or_(heard)).to_be_visible()
    if heard.is_visible():  # otherwise the very first press was a triple
        page.get_by_role("button", name="Show the spot").click()
    expect(ended).to_be_visible()


def test_practice_goes_over_floors_by_the_buttons_on_the_map(page: Page, site: str) -> None:
    hall = service.convert(HALL | {"ruled_out": []}, Position, BadInput)
    page.goto(site + links.encode(hall))
    left(page, 3)
    page.get_by_text("Practice", exact=True).click()
    page.get_by_role("button", name="Hide a spot").click()
    expect(page.get_by_text("A spot is hidden. Press the map")).to_be_visible()
    press_tile(page, 3010, 3000)
    tally = page.get_by_text(re.compile(r"^8 ticks so far, 1 scan"))
    expect(tally).to_be_visible()
    page.locator(".lift").get_by_role("button", name="floor 1", exact=True).click()
    expect(tally).to_be_visible()  # who looks at another floor has not scanned there
    press_tile(page, 3003, 3003)
    rows = "(n) => document.querySelectorAll('.entry').length === n"
    page.wait_for_function(rows, arg=2)
    expect(page.get_by_text(re.compile("so far, 2 scans|It was spot"))).to_be_visible()


def test_the_spot_that_a_triple_s_arrow_shows_is_named_with_one_press(
    page: Page, site: str
) -> None:
    seen = Position(region=349, observations=(Observation(pulse=3, at=(3435, 3045, 0)),))
    page.goto(site + links.encode(seen))
    left(page, 7)
    page.get_by_role("button", name="The arrow shows spot 19").click()
    left(page, 1)
    expect(page.get_by_text("Only spot 19 is left. Dig there")).to_be_visible()
    expect(page.get_by_text("The arrow shows the spot. Which one?")).to_be_hidden()
    page.keyboard.press("Control+z")
    left(page, 7)


def test_own_spots_are_typed_and_bad_ones_stay_in_the_box(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    left(page, 18)
    page.get_by_role("button", name="Change").click()
    box = page.get_by_role("textbox", name="Spots of your own")
    box.fill("3200, 3200\n3210 hello")
    page.get_by_role("button", name="Use these spots").click()
    expect(page.get_by_text("line 2: Expected x, y")).to_be_visible()
    expect(box).to_have_value("3200, 3200\n3210 hello")
    box.fill("3200, 3200\n3260, 3240")
    page.get_by_role("button", name="Use these spots").click()
    left(page, 2)
    expect(page.get_by_role("heading", name="Your own spots")).to_be_visible()
    page.get_by_role("button", name="Spots", exact=True).click()
    press_tile(page, 3230, 3220)
    left(page, 3)


def test_the_pulse_buttons_count_what_the_level_sign_leaves(page: Page, site: str) -> None:
    here = Position(region=356, levels="use", here=(2700, 9500))
    page.goto(site + links.encode(here))
    left(page, 42)
    spots = by_id()[356].spots

    def kept(answer: int, other: bool | None) -> str:
        n = sum(pulse((2700, 9500), s, 14) == answer and other in (None, s[2] != 0) for s in spots)
        return f"{n} left" if n else "none left"

    for name, other in [("not noticed", None), ("yes", True), ("no", False)]:
        page.locator(".side").get_by_role("button", name=name, exact=True).click()
        for answer in (1, 2, 3):
            row = page.locator(".answer-button").nth(answer - 1).locator(".quiet")
            expect(row).to_have_text(kept(answer, other))


def test_with_levels_all_six_answers_of_the_advice_can_be_pressed(page: Page, site: str) -> None:
    page.goto(site + links.encode(Position(region=356, levels="use")))
    left(page, 42)
    expect(page.locator(".reason .answer")).to_have_count(6)
    pressed = page.locator(".reason .answer").nth(3)  # single, different level
    count = pressed.locator("b").inner_text()
    pressed.click()
    left(page, int(count))
    expect(page.locator(".entry")).to_contain_text("single · ≠")


def test_the_floor_is_chosen_beside_the_pulses_and_a_phone_has_six_keys(
    watched: Callable[..., Page], site: str
) -> None:
    position = Position(region=356, levels="use", here=(2700, 9500))
    page = watched(site + links.encode(position))
    left(page, 42)
    page.locator(".lift").get_by_role("button", name="floor 2", exact=True).click()
    asked = msgspec.to_builtins(position) | {"floor": 2}
    request = {"desk": "scan", "want": "next", "position": asked, "options": {"stop": 3}}
    first = service.run(request)["options"][0]
    expect(best(page)).to_have_attribute("data-key", f"{first['tile'][0]},{first['tile'][1]}")
    phone = watched(address_of(page), **PHONE)
    bar = phone.locator("[data-part=entry]")
    expect(bar.get_by_role("button")).to_have_count(6)
    expect(bar.get_by_role("button", name="double, different level")).to_be_in_viewport(ratio=1)
    kept = [i for i, n in enumerate(first["leaves"]) if n]
    bar.get_by_role("button").nth(kept[-1]).click()
    left(phone, first["leaves"][kept[-1]])
    (row,) = links.decode("#" + address_of(phone).split("#", 1)[1]).observations
    assert (row.at[2], row.pulse, row.different_level) == (2, kept[-1] % 3 + 1, kept[-1] > 2)


def test_two_fingers_move_the_map_in_every_tool(watched: Callable[..., Page], site: str) -> None:
    phone = watched(site + "#/scan", **PHONE)
    expect(best(phone)).to_be_visible()
    box = phone.locator("tile-map").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    hand = phone.context.new_cdp_session(phone)

    def touch(kind: str, points: list[tuple[float, float]]) -> None:
        places = [{"x": a, "y": b, "id": i} for i, (a, b) in enumerate(points)]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    for tool in ("Area", "Walls", "Stand"):
        phone.locator(".tools-bar").get_by_role("button", name=tool, exact=True).tap()
        before = on_screen(phone, 2990, 3390)
        touch("touchStart", [(x - 40, y)])
        touch("touchStart", [(x - 40, y), (x + 40, y)])
        for step in range(1, 6):
            touch(
                "touchMove", [(x - 40 + 8 * step, y + 6 * step), (x + 40 + 8 * step, y + 6 * step)]
            )
        touch("touchEnd", [])
        after = on_screen(phone, 2990, 3390)
        assert abs(after[0] - before[0] - 40) < 2, tool
        assert abs(after[1] - before[1] - 30) < 2, tool
    expect(phone.get_by_role("heading", name="In the drawn area I saw")).to_be_hidden()
    expect(phone.get_by_text("Round walls the search looks")).to_be_hidden()


def test_names_in_the_region_list_never_run_into_each_other(
    watched: Callable[..., Page], site: str
) -> None:
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


def test_a_large_picture_lies_at_its_own_pixels_and_only_behind_its_region(
    page: Page, site: str
) -> None:
    page.goto(site + "#/scan")
    left(page, 18)
    png = base64.b64decode(page.evaluate(PAINTED, [4096, 1024]))
    page.get_by_role("button", name="Change").click()
    file: Any = {"name": "falador.png", "mimeType": "image/png", "buffer": png}
    page.get_by_text("Choose a picture").locator("input").set_input_files(file)
    page.get_by_text("By coordinates instead").click()
    page.get_by_label("Point 1").fill("1000, 100 → 2950, 3390")
    page.get_by_label("Point 2").fill("3000, 900 → 3050, 3350")
    page.get_by_role("button", name="Place it by these points").click()
    shown = "document.querySelector('tile-map').model.pictures"
    page.wait_for_function(f"() => {shown}.length === 1")
    east = page.evaluate(f"{shown}.map((p) => p.x + p.image.width * p.tiles)")
    assert east == [2950.5 + (4096 - 1000) / 20]
    page.get_by_role("button", name="Change").click()
    page.locator(".list-item").filter(has_text="Keldagrim").click()
    expect(page.get_by_role("heading", name="Keldagrim")).to_be_visible()
    assert page.evaluate(f"{shown}.length") == 0
    page.get_by_role("button", name="Change").click()
    page.locator(".list-item").filter(has_text="Falador").click()
    page.wait_for_function(f"() => {shown}.length === 1")


def press_spot(page: Page, spot: int, at: tuple[float, float], size: tuple[int, int]) -> None:
    """Press a pixel of the picture in the dialog and say which spot it is."""
    image = page.locator(".fit img")
    box = image.bounding_box()
    assert box is not None
    x, y = at[0] * box["width"] / size[0], at[1] * box["height"] / size[1]
    image.click(position={"x": x, "y": y})
    page.get_by_role("button", name=f"This is spot {spot + 1}", exact=True).click()


def test_a_picture_is_laid_on_the_map_by_pressing_spots_in_it(page: Page, site: str) -> None:
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
    place = page.get_by_role("button", name="Place it", exact=True)
    expect(page.get_by_text("Press two spots or more.")).to_be_visible()
    press_spot(page, first, pixel(first), size)
    expect(place).to_be_disabled()
    press_spot(page, second, pixel(second), size)
    expect(page.get_by_text(re.compile(r"2 spots pressed: .* A third one would"))).to_be_visible()
    away = (pixel(third)[0], pixel(third)[1] + (150 if pixel(third)[1] < 200 else -150))
    press_spot(page, third, away, size)  # elsewhere
    expect(page.get_by_text(re.compile(r"Spot \d+ lies \d+\.\d tiles from where"))).to_be_visible()
    press_spot(page, third, pixel(third), size)
    expect(page.get_by_text(re.compile(r"3 spots pressed: each lies within 0\.\d"))).to_be_visible()
    place.click()
    shown = "document.querySelector('tile-map').model.pictures"
    page.wait_for_function(f"() => {shown}.length === 1")
    x, y, tiles = page.evaluate(f"{shown}.map((p) => [p.x, p.y, p.tiles])[0]")
    assert abs(tiles - 0.3) < 0.005
    assert abs(x - 2930) < 1
    assert abs(y - 3400) < 1
    page.reload()  # at once: what is placed is kept with the press
    left(page, 18)
    page.wait_for_function(f"() => {shown}.length === 1")


def test_what_belongs_to_the_player_goes_along_to_every_clue(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    left(page, 18)
    expect(best(page)).to_be_visible()
    page.get_by_label("A stop costs me").select_option("6")
    page.reload()  # at once
    expect(page.get_by_label("A stop costs me")).to_have_value("6")
    page.evaluate("(hash) => { location.hash = hash }", links.encode(Position(region=356)))
    expect(page.get_by_role("heading", name="Brimhaven")).to_be_visible()
    expect(page.get_by_label("A stop costs me")).to_have_value("6")


def test_a_file_that_is_no_picture_is_refused_and_the_map_stays(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    left(page, 18)
    page.get_by_role("button", name="Change").click()
    bad = {"name": "walls.png", "mimeType": "image/png", "buffer": b"no picture at all"}
    page.get_by_text("Choose a file").locator("input").set_input_files(bad)  # type: ignore[arg-type]  # a file payload
    expect(page.get_by_text("no picture that the browser can read")).to_be_visible()
    page.keyboard.press("Escape")
    left(page, 18)


def test_a_picture_of_walls_is_read_by_its_dark_pixels(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    left(page, 18)
    png = base64.b64decode(page.evaluate(PAINTED, [40, 30]))  # all black
    page.get_by_role("button", name="Change").click()
    page.get_by_label("Lowest left tile").fill("2960, 3350")
    file: Any = {"name": "walls.png", "mimeType": "image/png", "buffer": png}
    page.get_by_text("Choose a file").locator("input").set_input_files(file)
    expect(page.get_by_text("40 × 30 tiles taken, 1 200 of them walls.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Round walls the search looks")).to_be_visible()


OVERLAY = """async ([wide, high]) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: wide, height: high });
  const g = canvas.getContext('2d');
  g.fillStyle = '#f00';
  g.fillRect(0, 0, wide / 2, high);
  const blob = await new Promise((done) => canvas.toBlob(done));
  return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
}"""


def test_a_published_overlay_of_walls_is_read_by_what_is_drawn_on_it(page: Page, site: str) -> None:
    """Red on a transparent ground, eight pixels a tile: the form of collision tiles on the web."""
    page.goto(site + "#/scan")
    left(page, 18)
    png = base64.b64decode(page.evaluate(OVERLAY, [64 * 8, 64 * 8]))
    page.get_by_role("button", name="Change").click()
    page.get_by_label("Lowest left tile").fill("2944, 3328")
    page.get_by_label("Pixels a tile").fill("8")
    file: Any = {"name": "collision.png", "mimeType": "image/png", "buffer": png}
    page.get_by_text("Choose a file").locator("input").set_input_files(file)
    expect(page.get_by_text("64 × 64 tiles taken, 2 048 of them walls.")).to_be_visible()


def test_the_map_is_there_before_python(page: Page, site: str) -> None:
    page.route("**/pyodide/**", lambda route: None)  # Python's files never come
    page.goto(site + "#/scan")
    expect(page.locator("tile-map canvas")).to_be_visible()
    press_tile(page, 2990, 3390)
    expect(page.get_by_text(re.compile(r"^at 2990, 3390$"))).to_be_visible()


def test_the_text_view_tells_the_same_numbers(page: Page, site: str) -> None:
    page.goto(site + "#/scan")
    left(page, 18)
    expect(best(page)).to_be_visible()
    page.keyboard.press("Control+e")
    view = page.locator(".text-view")
    expect(view).to_contain_text("18 spots left, 537 areas; the best tells 2.32 bits.")
    expect(view).to_contain_text(spoken(page))
