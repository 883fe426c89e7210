"""Plans under doubt and with shared digs, against proven least means of toys."""

from collections.abc import Sequence
from typing import Any

import pytest

from asking import ask_scan as run
from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.scan.engine.planner import Planner
from cluewise.desks.scan.engine.posterior import Posterior
from cluewise.desks.scan.engine.posterior_plan import PlanBuilder
from cluewise.desks.scan.position import Observation, Position
from cluewise.desks.scan.regions import by_id
from cluewise.desks.scan.scene import ScanModel
from cluewise.kernel import kernel
from reference.scan import pulse

TOYS = vectors("scan_doubt")["toys"]
FIELDS = ("range", "spots", "here", "slack", "misread", "observations")
PAIR: dict[str, Any] = {"range": 3, "spots": [[100, 100], [101, 100]]}
IN_REACH = [PAIR["spots"], [[99, 99], [101, 101], [99, 101]], [[97, 100], [103, 100]]]
HEART = {"region": 371, "ruled_out": [i for i in range(26) if i not in (12, 21)]}


def first_ticks(advice: Any) -> float:
    dig = advice.get("dig")
    return float(dig["expected_ticks"] if dig else advice["options"][0]["expected_ticks"])


def away(a: Sequence[int], b: Sequence[int]) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def mean_of(tree: Any, toy: dict[str, Any], spot: int, here: tuple[int, ...]) -> float:
    """Ticks of a plan for a spot, over all places of its scans, by the rules alone."""
    spots, slack = toy["spots"], toy.get("slack", 0)
    stop: int = toy["stop"]
    if "dig" in tree:
        spent = (away(here, tree["dig"]) + 1) // 2
        if spot in tree["spots"]:
            assert away(tree["dig"], spots[spot]) <= 1
            return spent
        return spent + stop + mean_of(tree["else"], toy, spot, tree["dig"])
    if "tile" not in tree:
        assert spot in tree.get("spots", [tree.get("spot")])
        return away(here, spots[spot]) // 2
    tile, around = tree["tile"], range(-slack, slack + 1)
    after = [
        mean_of(tree["answers"][str(pulse((tile[0] + u, tile[1] + v), spots[spot], toy["range"]))],
                toy, spot, tile)
        for u in around for v in around
    ]  # fmt: skip
    return (away(here, tile) + 1) // 2 + stop + sum(after) / len(after)


@pytest.mark.parametrize("digs", [False, True])
@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: f"{toy['kind']}-{toy['here']}-{toy['stop']}")
def test_plans_under_doubt_take_the_least_mean_and_list_the_best_first(
    toy: dict[str, Any], digs: bool
) -> None:
    least = pytest.approx(toy["least_with_digs" if digs else "least"])
    position = {name: toy[name] for name in FIELDS if name in toy}
    advice = run("next", position, stop=toy["stop"], digs=digs)
    route = run("route", position, stop=toy["stop"], digs=digs, bound=True)
    assert first_ticks(advice) == least
    ticks = [option["expected_ticks"] for option in advice["options"]]
    assert ticks == sorted(ticks)
    assert route["expected_ticks"] == least
    walked = sum(
        weight * mean_of(route["tree"], toy, spot, tuple(toy["here"]))
        for spot, weight in enumerate(toy["weights"])
        if weight
    )
    assert walked / sum(toy["weights"]) == least
    if toy["kind"] == "shared":
        assert route["lower_bound"] == least
    else:
        assert "lower_bound" not in route


def test_one_dig_that_serves_all_spots_needs_no_scan() -> None:
    position = PAIR | {"here": [90, 100]}
    for options in ({}, {"listen": True}, {"on_the_way": True}):
        dig = run("next", position, stop=3, **options)["dig"]
        assert (dig["spots"], dig["walk_ticks"], dig["expected_ticks"]) == ([0, 1], 5, 5.0)
    route = run("route", position, stop=3, bound=True)
    assert route["expected_ticks"] == route["lower_bound"] == 5.0
    assert route["tree"] == {"dig": [100, 99], "walk_ticks": 5, "spots": [0, 1]}


def test_in_the_heart_one_dig_serves_spots_13_and_22() -> None:
    dig = run("next", HEART | {"here": [3199, 6943]}, stop=3)["dig"]
    assert (dig["spots"], dig["at"], dig["expected_ticks"]) == ([12, 21], [3228, 6981], 19.0)
    assert run("next", HEART | {"here": [3228, 6981]}, stop=3)["dig"]["expected_ticks"] == 0.0


@pytest.mark.parametrize("options", [{}, {"listen": True}, {"policy": "bits"}, {"surge": 1}])
@pytest.mark.parametrize("spots", IN_REACH)
def test_without_a_price_for_stops_a_start_that_reaches_all_spots_costs_nothing(
    spots: list[list[int]], options: dict[str, Any]
) -> None:
    position = {"range": 3, "spots": spots, "here": [100, 100]}
    expected = 1.0 if spots[0] == [97, 100] else 0.0  # three tiles away: a tick
    assert first_ticks(run("next", position, stop=0, **options)) == expected
    bound = {} if options else {"bound": True}
    assert run("route", position, stop=0, **options, **bound)["expected_ticks"] == expected


@pytest.mark.parametrize("doubt", [{"misread": 5}, {"slack": 1}])
def test_doubt_brings_no_claim_of_a_proof(doubt: dict[str, int]) -> None:
    assert "lower_bound" not in run("route", {"region": 362} | doubt, bound=True)


@pytest.mark.parametrize("doubt", [{"misread": 5}, {"slack": 1}, {"misread": 10, "slack": 2}])
def test_in_a_region_the_first_advice_costs_what_the_route_costs(doubt: dict[str, int]) -> None:
    region = by_id()[351]
    at, goal = (3200, 3400), region.spots[9]
    seen = [{"at": at, "pulse": pulse(at, goal, region.range)}]
    position = {"region": 351, "observations": seen} | doubt
    ticks = [o["expected_ticks"] for o in run("next", position, stop=3)["options"]]
    assert ticks == sorted(ticks)
    assert run("route", position, stop=3)["expected_ticks"] == pytest.approx(ticks[0])


def test_a_practice_follows_a_plan_with_shared_digs_to_its_end() -> None:
    position: dict[str, Any] = {
        "range": 3,
        "spots": [*PAIR["spots"], [120, 100]],
        "here": [90, 100],
    }
    for seed in range(4):
        hidden = run("practice", position, seed=seed)
        heard = run("listen", position | {"practice": hidden}, reveal=True, stop=3)
        if heard["spot"] < 2:  # a scan on the way, then the dig that serves both
            assert heard["route_ticks"] == 8


@pytest.mark.parametrize("slack", [0, 1])
def test_a_plan_made_state_by_state_costs_what_it_says(slack: int) -> None:
    region = by_id()[362]
    seen = (Observation(pulse=1, at=(3200, 9560)),)
    scene = ScanModel.of(Position(region=362, misread=10, slack=slack, observations=seen))
    with kernel().frame() as frame:
        planner = Planner(frame, scene, stop=3, on_the_way=False, table_bits=17)
        posterior = Posterior(planner, digs=True)
        found = finish(PlanBuilder(posterior, "search", 1).compare(scene.start))
        assert found.total == pytest.approx(
            posterior.price(found.plan, posterior.weights, scene.start)
        )
    assert len(region.spots) > len(scene.remaining) > 3


@pytest.mark.parametrize("doubt", [{"misread": 5}, {"slack": 1}, {"misread": 10, "slack": 2}])
def test_a_review_counts_the_posterior_means_that_next_counts(doubt: dict[str, int]) -> None:
    region, goal, stop = by_id()[364], 6, 3
    tiles = [(2990, 3390), (2960, 3360), (2975, 3340)]
    rows: list[dict[str, Any]] = [
        {"at": tile, "pulse": pulse(tile, region.spots[goal], region.range)} for tile in tiles
    ]
    if "misread" in doubt:
        rows[0]["pulse"] = 3 - rows[0]["pulse"]  # this pulse was misread
    position = {"region": 364, "observations": rows} | doubt
    found = run("review", position, spot=goal, stop=stop, start=[3000, 3400])
    assert found["ticks"] == pytest.approx(found["planned"] + found["loss"] - found["luck"])
    assert found["planned"] == found["scans"][0]["best_ticks"]
    here: tuple[int, ...] = (3000, 3400)
    for i, row in enumerate(found["scans"]):
        state = position | {"observations": rows[:i], "here": here}
        advice = run("next", state, stop=stop)
        here = rows[i]["at"]
        assert row["before"] == advice["remaining"] or i == 0
        assert row["best_ticks"] <= first_ticks(advice) + 1e-9
        assert row["best_ticks"] == pytest.approx(min(first_ticks(advice), row["expected_ticks"]))
    with pytest.raises(Exception, match="does not fit"):
        run("review", position, spot=17, stop=stop)
