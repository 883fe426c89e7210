"""The verb `fewest`: the fewest scans that are enough on average, wherever they are made."""

from __future__ import annotations

from cluewise.core.work import Job, Progress
from cluewise.desks.scan.engine.fewest import prove
from cluewise.desks.scan.engine.floors import refuse_stairs
from cluewise.desks.scan.engine.plan import MOST_SPOTS, Planner
from cluewise.desks.scan.engine.tree import build, cost
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.results import Fewest, FewestOptions
from cluewise.desks.scan.scene import Scene
from cluewise.errors import BadPosition, TooLarge
from cluewise.kernel import kernel


def refuse_uncertain(scene: Scene) -> None:
    """Raise `BadPosition` where scans may tell less than is counted on."""
    for name in ("slack", "misread"):
        if getattr(scene.position, name):
            raise BadPosition(
                "The fewest scans are proved for exact places and pulses that are read right; "
                f"set `{name}` to 0.",
                f"$.position.{name}",
            )


def fewest(position: Position, options: FewestOptions) -> Job[Fewest]:
    """The verb `fewest`: the least total, proved, or bounds when the time is up."""
    scene = Scene.of(position)
    refuse_stairs(scene, "The fewest scans are proved for one floor")
    refuse_uncertain(scene)
    spots = len(scene.must_remain())
    if spots < 2:
        yield Progress(1, 1)
        return Fewest(0, 0, spots, 0.0, 0.0, True, 0)
    if spots > MOST_SPOTS:
        raise TooLarge(
            f"The fewest scans are proved for up to {MOST_SPOTS} spots; {spots} are left."
        )
    with kernel().frame() as frame:
        planner = Planner(frame, scene, stop=0, on_the_way=False, table_bits=8)
        yield from planner.lay_walls(scene.start)
        tree = yield from build(planner, planner.everything, scene.start, "bits", 0)
        greedy = cost(planner, tree, planner.everything, scene.start).scans
        low, proved = yield from prove(frame, planner, greedy, options.seconds)
    total = low if proved else greedy
    mean = total / spots
    return Fewest(total, low, spots, mean, mean * options.stop, proved, greedy)
