"""Whole scans as players have them, on a phone and on a wide screen: floors, walls, slips."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from browser import PHONE, WIDE, address_of
from cluewise import links, service
from cluewise.desks.scan.position import Position, Stairs, Teleport
from cluewise.desks.scan.scene import ScanModel
from cluewise.desks.scan.walls import Walls
from presses import Mouse, Thumb, part
from test_scan import best

SLOW = 60_000  # ms; routes over floors of a large region, on a machine with other work
FLOORS = Position(
    region=356,
    levels="use",
    here=(2655, 9500),
    stairs=(
        Stairs((2645, 9512, 0), (2640, 9517, 2), 2, "the stairs"),
        Stairs((2636, 9566, 0), (2636, 9560, 2), 3),
    ),
)
WALLED = Position(
    region=364,
    walls=Walls(painted=((2950, 3318, 2952, 3388, 1), (2950, 3350, 2952, 3356, 0))),
)
EVERYTHING = replace(  # but walls, between which what a run passes is unknown
    FLOORS,
    meerkats=True,
    ruled_out=(3, 20),
    teleports=(Teleport((2640, 9530), 4, "Lodestone"),),
    slack=1,
    misread=5,
)


def keys(page: Page, phone: bool) -> Any:
    if phone:
        return part(page, "entry").locator(".bar-key")
    return page.locator(".options:not(.stale) .reason .answer")


def position_of(page: Page) -> Any:
    return links.decode("#" + address_of(page).split("#", 1)[1])


def runs(position: Any) -> list[Any]:
    """What may be heard on the way that is advised, in the order of its keys."""
    options = {"listen": True, "stop": 3}
    found = service.run(
        {"desk": "scan", "want": "next", "position": to_builtins(position), "options": options}
    )
    return list(found.get("changes") or [])


def fits(scene: ScanModel, change: Any, goal: int) -> bool:
    """Whether that is what comes when the spot hides the treasure."""
    heard = [scene.answer(tuple(row["at"]), scene.spots[goal]) for row in change["rows"]]
    return all(
        answer[0] == str(row["pulse"])
        and row.get("different_level", answer.endswith("d")) == answer.endswith("d")
        for answer, row in zip(heard, change["rows"], strict=True)
    )


def played(page: Page, hand: Thumb, goal: int, listening: bool = False) -> None:
    """Follow a clue to its dig: at each advised tile press the key of its answer."""
    phone, done = isinstance(hand, Mouse) is False, page.locator(".note.solved")
    arrow = page.get_by_role("button", name=f"The arrow shows spot {goal + 1}", exact=True)
    for _ in range(12):
        expect(best(page).or_(done).or_(arrow).first).to_be_attached()
        expect(page.locator(".left.stale, .options.stale")).to_have_count(0)
        if done.count():
            break
        if arrow.count():
            hand.tap(part(page, "entry").locator(arrow) if phone else arrow.first)
            expect(arrow).to_have_count(0)
            continue
        position, before = position_of(page), page.locator(".entry").count()
        scene, changes = ScanModel.of(position), runs(position) if listening else []
        if changes:
            expect(keys(page, phone)).to_have_count(len(changes))
            [came] = [i for i, change in enumerate(changes) if fits(scene, change, goal)]
            hand.tap(keys(page, phone).nth(came))
            expect(page.locator(".entry")).to_have_count(before + len(changes[came]["rows"]))
            continue
        tile = tuple(int(v) for v in (best(page).get_attribute("data-key") or "").split(","))
        heard = scene.answer(tile, scene.spots[goal])
        expect(keys(page, phone)).to_have_count(6 if position.levels == "use" else 3)
        hand.tap(keys(page, phone).nth(int(heard[0]) - 1 + 3 * heard.endswith("d")))
        expect(page.locator(".entry")).to_have_count(before + 1)
    expect(done).to_contain_text(f"Only spot {goal + 1} is left.")


@pytest.mark.parametrize(
    ("game", "position", "goal", "size"),
    [("floors", FLOORS, 38, PHONE), ("walls", WALLED, 6, WIDE)],
    ids=["floors-phone", "walls-wide"],
)
def test_scan_with_floors_or_walls_is_played_without_scrolling(
    watched: Callable[..., Page],
    site: str,
    game: str,
    position: Position,
    goal: int,
    size: dict[str, Any],
) -> None:
    page = watched(site + links.encode(position), **size, reduced_motion="reduce")
    hand = Thumb(page) if size is PHONE else Mouse(page)
    played(page, hand, goal)
    hand.done(f"scan, {game}")


def test_scan_is_played_with_all_options(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + links.encode(EVERYTHING), **PHONE, reduced_motion="reduce")
    expect(best(page)).to_be_visible(timeout=SLOW)
    page.locator(".bar-line").tap()
    sheet = page.get_by_role("dialog", name="Advice")
    sheet.get_by_label("I watch the orb while running").check()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    # The setting, made once, lies below the first advice.
    page.evaluate("document.querySelectorAll('*').forEach((e) => e.scrollTo(0, 0))")
    hand = Thumb(page)
    played(page, hand, 38, listening=True)
    hand.done("scan, everything")
