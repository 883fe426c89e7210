"""Decision trees of scans, built depth first from a policy, and their cost over all spots.

After each answer the search gets its full allowance again, as for a player who asks for advice
after each scan. Cost: one search a state.

The kernel's searches hold a set of spots in one word of 64 bits. For larger states the same ranking
looks one scan ahead over the compressed grid of the classes, with sets of several words.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.classes import ClassComputation, window_of
from cluewise.desks.scan.engine.planner import MOST_SPOTS, POLICIES, Action, Planner, Policy, Tile
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.scene import (
    COMPLEMENT_EXTRA,
    ScanModel,
    along,
    complement_y,
    ticks_between,
)
from cluewise.desks.scan.steps import Window
from cluewise.kernel import kernel
from cluewise.kernel.layouts import SCAN


@dataclass(slots=True)
class Outcome:
    """An answer: the tile and the ticks at which the plan continues, and the spots it leaves.

    `scanned`: a scan was made, its ticks included. `name` is the answer at a tile, or the pulse of
    a run, the lowest one where there are several `pulses`. `seen` are the first and the last tick
    of the run at which it is reported.
    """

    name: str
    at: Tile
    ticks: int
    spots: int
    scanned: bool
    then: Node | None = None
    seen: tuple[int, int] | None = None
    pulses: tuple[int, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether several spots are left and no arrow shows which."""
        has_arrow = self.name[0] == "3" and len(self.pulses) < 2
        return not has_arrow and self.spots.bit_count() > 1


@dataclass(slots=True)
class Node:
    """A walk from `here` to `tile` with a scan there, a pulse read `at` a tile of the path, or with
    `listens` a run, whose pulses are read at the tiles of its outcomes. Leaves have no node.

    `since`: the tick from which a run is watched if the pulse at its start is unknown.
    """

    here: Tile
    tile: Tile
    at: Tile
    walk: int
    spots: int
    outcomes: list[Outcome]
    on_foot: bool = False
    listens: bool = False
    since: int | None = None
    places: list[Tile] = field(default_factory=list)
    """The tiles of a run by tick, beginning with `here`."""

    @property
    def scanned(self) -> bool:
        """Whether a scan at the tile gives the answer."""
        return self.at == self.tile and not self.listens

    def outcome_of(self, spot: int) -> Outcome:
        """Return the outcome of a spot, given by its bit."""
        return next(one for one in self.outcomes if one.spots >> spot & 1)

    @property
    def children(self) -> dict[str, Node]:
        """The child nodes by answer."""
        return {one.name: one.then for one in self.outcomes if one.then is not None}

    def descendants(self) -> Iterator[Node]:
        """This node and its descendants, each before its own."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(one.then for one in node.outcomes if one.then is not None)

    def move(self, tile: Tile, walk: int, stop: int) -> None:
        """Move the scan to a tile at a distance of `walk` ticks."""
        self.tile = self.at = tile
        self.walk = walk
        for one in self.outcomes:
            one.at, one.ticks = tile, walk + stop

    def copy(self) -> Node:
        """Return a deep copy."""
        outcomes = [replace(one, then=one.then and one.then.copy()) for one in self.outcomes]
        return replace(self, outcomes=outcomes)


def relabel_answers(planner: Planner, tree: Node, here: Tile, spots: int) -> Node:
    """Convert a tree of three answers to the planner's six; the cost does not increase.

    Scans that no longer exclude anything are removed.
    """
    while tree.scanned and len(planner.answers(tree.tile, spots)) == 1:
        (answer,) = planner.answers(tree.tile, spots)
        following = tree.children.get(answer[0])
        if following is None:
            break
        tree = following
    node = first_step(planner, spots, here, Action(tree.tile, tree.at, 0, ()))
    children = tree.children
    for one in node.outcomes:
        if one.is_open and one.name[0] in children:
            one.then = relabel_answers(planner, children[one.name[0]], node.at, one.spots)
    return node


@dataclass(frozen=True, slots=True)
class Cost:
    """Totals over all spots, and the worst of them; `scans` counts scans, not free pulses."""

    ticks: int
    worst: int
    scans: int


def choose(
    planner: Planner, spots: int, here: Tile, policy: Policy, effort: int, pace: SliceTimer
) -> Job[Action | None]:
    """Return a policy's action in a state of at least two spots; beyond 64, by one-step lookahead.

    None if no reachable tile distinguishes the spots.
    """
    if policy == "search" and spots.bit_count() <= MOST_SPOTS:
        total, action = yield from planner.search(spots, here, effort, pace, every=True)
        found = planner.solve_exactly(spots, here, total) if action else None
        return (found and found[1]) or action
    return next(iter((yield from actions_of(planner, spots, here, policy, 1))), None)


def build(
    planner: Planner, spots: int, here: Tile, policy: Policy, effort: int
) -> Job[Node | None]:
    """Build a policy's tree from a state; None if a single spot is left or no scan helps."""
    if spots.bit_count() < 2:
        return None
    pace = SliceTimer(first=16)
    return (
        yield from build_tree(
            lambda left, at: _node(planner, left, at, policy, effort, pace),
            spots, here, "building the route",
        )
    )  # fmt: skip


def build_tree(
    step: Callable[[int, Tile], Job[Node | None]], spots: int, here: Tile, note: str
) -> Job[Node | None]:
    """Build a decision tree depth first; `step(spots, tile)` returns a node, or None for a leaf."""
    total, done = spots.bit_count(), 0
    root = yield from step(spots, here)
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        for one in node.outcomes:
            if one.is_open:
                one.then = yield from step(one.spots, one.at)
            if one.then is None:
                done += one.spots.bit_count()
            else:
                stack.append(one.then)
        yield Progress(done, total, note)
    return root


def _node(
    planner: Planner, spots: int, here: Tile, policy: Policy, effort: int, pace: SliceTimer
) -> Job[Node | None]:
    action = yield from choose(planner, spots, here, policy, effort, pace)
    return None if action is None else first_step(planner, spots, here, action)


def first_step(planner: Planner, spots: int, here: Tile, action: Action) -> Node:
    """Return the node of an action, without children."""
    at, scanned = action.at, not action.is_passing
    walk = planner.walk_ticks(here, at)
    ticks = walk + planner.stop * scanned
    answers = planner.answers(at, spots).items()
    outcomes = [Outcome(name, at, ticks, left, scanned) for name, left in answers]
    return Node(here, action.tile, at, walk, spots, outcomes)


def cost(planner: Planner, tree: Node | None, spots: int, here: Tile) -> Cost:
    """Return the cost of a tree over a set of spots."""
    if tree is None:
        straight = [planner.ticks_from(here)[j] for j in bit_indices(spots)]
        return Cost(sum(straight), max(straight), 0)
    ticks = worst = scans = 0
    stack = [(tree, 0, 0)]
    while stack:
        node, before, made = stack.pop()
        for one in node.outcomes:
            spent, scanned = before + one.ticks, made + one.scanned
            if one.then is not None:
                stack.append((one.then, spent, scanned))
                continue
            left_ticks = planner.ticks_from(one.at)
            for j in bit_indices(one.spots):
                ticks += spent + left_ticks[j]
                worst = max(worst, spent + left_ticks[j])
                scans += scanned
    return Cost(ticks, worst, scans)


_CELL = struct.Struct(SCAN.ScanCell_FORMAT)


# ---- actions of a state, also of more than 64 spots ----------------------------------------


def actions_of(
    planner: Planner, spots: int, here: Tile, policy: Policy, room: int
) -> Job[list[Action]]:
    """Return the best actions of a state of any number of spots, best first."""
    if spots.bit_count() <= MOST_SPOTS:
        return planner.actions(spots, here, policy, room)
    tiles = yield from _ranked(planner, spots, here, policy, room)
    return [_action(planner, spots, here, tile) for tile in tiles]


def _ranked(planner: Planner, spots: int, here: Tile, policy: Policy, room: int) -> Job[list[Tile]]:
    with kernel().frame() as frame:
        scene = _scene_of(planner, spots)
        work = ClassComputation(frame, scene, window=_window(scene, here))
        for _ in work.cut():
            yield Progress(0, None, "cutting the map")
        work.set_up()
        out, weights = frame.reserve(room * _CELL.size), frame.reserve(8 * spots.bit_count() + 8)
        order = frame.reserve(2 * work.rows)
        x0, y0 = work.window[:2]
        count, row, pace = 0, 0, SliceTimer(first=16)
        while row < work.rows:
            end = row + pace.rows(work.rows - row)
            count = frame.call(
                "scan_rank", map=work.map, x=here[0] - x0, y=here[1] - y0,
                policy=POLICIES[policy], stop=planner.stop, first=row, end=end, count=count,
                room=room, out=out, weights=weights, order=order,
            )  # fmt: skip
            pace.took()
            row = end
            yield Progress(row, work.rows, "comparing places")
        cells = _CELL.iter_unpack(frame.get(out, "B", count * _CELL.size).tobytes())
        return [(x + x0, y + y0) for _score, _ticks, x, y, _column, _row in cells]


def _scene_of(planner: Planner, spots: int) -> ScanModel:
    """Return a scene with the spots of a set only."""
    scene = planner.scene
    chosen = tuple(planner.spots[j] for j in bit_indices(spots))
    fresh = Position(range=scene.reach, spots=chosen, floor=scene.floor)
    return ScanModel(fresh, chosen, scene.reach, scene.floor, planner.with_levels)


def _window(scene: ScanModel, here: Tile) -> Window:
    """Return the classes' window, extended to the current tile and with levels the complements."""
    x0, y0, width, height = window_of(scene)
    xs, ys = [x0, x0 + width - 1, here[0]], [y0, y0 + height - 1, here[1]]
    if scene.with_levels:
        half = scene.reach + COMPLEMENT_EXTRA + 1
        for x, y, _level in scene.spots:
            xs += [x - half, x + half]
            ys += [complement_y(y) - half, complement_y(y) + half]
    return min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1


def _action(planner: Planner, spots: int, here: Tile, tile: Tile) -> Action:
    at, spent = _stop(planner, spots, here, tile)
    answers = planner.answers(at, spots)
    shown = sum(left for name, left in answers.items() if name.startswith("3"))
    parts = tuple(left for name, left in answers.items() if not name.startswith("3"))
    cost = spots.bit_count() * spent + planner.straight_total(at, shown)
    return Action(tile, at, cost, parts)


def _stop(planner: Planner, spots: int, here: Tile, tile: Tile) -> tuple[Tile, int]:
    """Return the tile and the ticks of the answer: a scan on arrival, or a pulse in passing."""
    by, before = planner.teleport_between(here, tile), 0
    if by is not None:
        here, before = planner.landing(by), planner.used[by].ticks
    ticks = ticks_between(here, tile)
    for tick in range(2, ticks, 2) if planner.on_the_way else ():
        at = along(here, tile, tick)
        answers = planner.answers(at, spots)
        if len(answers) > 1 or "3" in answers or "3d" in answers:
            return at, before + tick
    return tile, before + ticks + planner.stop
