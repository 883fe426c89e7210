"""Surge and dive marked on a plan: every spot replayed tick by tick as the game allows it."""

import random
from dataclasses import asdict
from typing import Any

import pytest

from asking import ask_scan as ask
from cluewise.desks.scan.engine.abilities import Abilities, adjacent_tile, shortest_path
from reference.scan import Spot, walk_ticks
from reference.scan_route_replay import layout, listener, name
from reference.scan_walks import Walker, kit_options

SIDES, REACHES = [12, 90, 250], [0, 5, 11, 25]  # tiles


def replayed(spots: list[Spot], reach: int, route: Any, stop: int, kit: Abilities) -> None:
    """The route's figures again, walked for every spot."""
    hear = listener(reach, 0, False)
    ticks = []
    for spot in range(len(spots)):
        here = (route["start"][0], route["start"][1])
        walker = Walker(here, kit.surges, kit.dive, kit.cooldown, stop, kit.escapes)
        answer = lambda at, one: name(hear(at, one))  # noqa: E731  # one line, used at once
        ticks.append(walker.hunt(route["tree"], answer, spot, spots))
    assert sum(ticks) == pytest.approx(route["expected_ticks"] * len(spots))
    assert max(ticks) == route["worst_ticks"]


KITS = [
    Abilities(1, True, False),
    Abilities(2, True, True),
    Abilities(0, True, False),
    Abilities(2, False, False),
    Abilities(1, True, False, 1),
    Abilities(0, False, True, 2),
]


@pytest.mark.parametrize("seed", range(60))
def test_what_is_marked_can_be_done_and_takes_the_ticks_that_are_said(seed: int) -> None:
    spots, reach, stop, start = layout(seed, SIDES, REACHES)
    kit = KITS[seed % len(KITS)]
    position = {"range": reach, "spots": spots, "here": start}
    plain = ask("route", position, stop=stop)
    found = ask("route", position, stop=stop, **kit_options(kit))
    replayed(spots, reach, found, stop, kit)
    assert found["on_foot_ticks"] == plain["expected_ticks"]
    assert found["expected_ticks"] <= plain["expected_ticks"]
    assert found["expected_scans"] == plain["expected_scans"]


@pytest.mark.parametrize("kit", KITS)
def test_a_way_takes_never_longer_than_a_run_and_ends_where_it_should(kit: Abilities) -> None:
    r = random.Random(7)
    for _ in range(300):
        to = (r.randint(-60, 60), r.randint(-60, 60))
        found = shortest_path((3, 4), to, kit, kit.full)
        assert found.ticks <= walk_ticks((3, 4), to)
        walker = Walker((3, 4), kit.surges, kit.dive, kit.cooldown, 0, kit.escapes)
        walker.go(to, [asdict(use) for use in found.uses])
        assert walker.tick == found.ticks


def test_a_long_straight_way_is_dived_and_surged_at_once() -> None:
    found = shortest_path((0, 0), (22, 0), KITS[0], (0, 0))
    assert (found.ticks, [u.ability for u in found.uses]) == (1, ["dive", "surge"])
    assert found.ready == (33, 33)
    assert found.after(3) == (30, 30)
    alone = shortest_path((0, 0), (22, 0), Abilities(1, False, True), (0,))
    assert [(u.tick, u.at, u.to) for u in alone.uses] == [(1, (2, 0), (12, 0))]
    assert (alone.ticks, alone.ready) == (6, (12,))
    assert adjacent_tile((0, 0), (9, 1)) == (8, 0)


def test_who_escapes_turns_for_a_tile_and_is_then_four_tiles_ahead() -> None:
    found = shortest_path((0, 0), (8, 0), Abilities(0, False, False, 1), (0,))
    assert [(u.ability, u.tick, u.at, u.to) for u in found.uses] == [("escape", 1, (-1, 0), (6, 0))]
    assert (found.ticks, found.ready) == (2, (33,))
    assert shortest_path((0, 0), (4, 0), Abilities(0, False, False, 1), (0,)).uses == ()
    all_three = shortest_path((0, 0), (29, 0), Abilities(1, True, False, 1), (0, 0, 0))
    bare = shortest_path((0, 0), (29, 0), Abilities(1, True, False), (0, 0))
    assert (all_three.ticks, bare.ticks) == (3, 5)


@pytest.mark.sampled(of="scan, whole regions")
def test_an_escape_never_makes_a_route_longer_and_mostly_makes_it_shorter() -> None:
    shorter = 0
    for region in (351, 353, 356, 362, 364, 367):
        two = ask("route", {"region": region}, stop=3, surge=1, dive=True)
        three = ask("route", {"region": region}, stop=3, surge=1, dive=True, escape=1)
        shorter += three["expected_ticks"] < two["expected_ticks"]
    assert shorter >= 4


def test_with_abilities_no_bound_is_told_since_it_would_be_one_without() -> None:
    found = ask("route", {"region": 362}, surge=1, dive=True, bound=True)
    assert "lower_bound" not in found
    assert ask("route", {"region": 362}, stop=3, bound=True)["lower_bound"] > 0
