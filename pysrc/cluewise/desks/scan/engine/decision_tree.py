"""Decision trees: what to do at each state, the cost to every spot, and the tree as plain values.

Built depth first: after each answer the search gets its full allowance again, as for a player who
asks again after each scan. Cost: one search a state.

The kernel's searches keep a set of spots in one word. Until a state is that small, the same ranking
looks one step ahead over the compressed grid of the classes, which takes any number of words.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.abilities import Abilities, Path, Ready
from cluewise.desks.scan.engine.classes import ClassComputation, window_of
from cluewise.desks.scan.engine.movement import BARE, path_to, path_to_dig, uses_to_json
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
class Node:
    """Walk from `here` towards `tile`; the answer comes at `at`. Leaves have no node."""

    here: Tile
    tile: Tile
    at: Tile
    walk: int
    spots: int
    answers: dict[str, int] = field(default_factory=dict)
    children: dict[str, Node] = field(default_factory=dict)
    on_foot: bool = False

    def open(self) -> list[tuple[str, int]]:
        """The answers that leave something to ask, with the spots they leave."""
        return [
            (name, left)
            for name, left in self.answers.items()
            if not name.startswith("3") and left.bit_count() > 1
        ]

    @property
    def scanned(self) -> bool:
        """Whether a scan gave the answer, not a pulse on the way."""
        return self.at == self.tile


def relabel_answers(planner: Planner, tree: Node, here: Tile, spots: int) -> Node:
    """A tree for three answers walked with the six that the planner hears: it never takes longer.

    What a second sign has settled already is not asked again.
    """
    while tree.scanned and len(planner.answers(tree.tile, spots)) == 1:
        (answer,) = planner.answers(tree.tile, spots)
        following = tree.children.get(answer[0])
        if following is None:
            break
        tree = following
    action = Action(tree.tile, tree.at, 0, ())
    node = first_step(planner, spots, here, action)
    for name, left in node.open():
        if name[0] in tree.children:
            node.children[name] = relabel_answers(planner, tree.children[name[0]], node.at, left)
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
    """The action a policy takes in a state of at least two spots; beyond 64, one step ahead.

    None where walls keep one from every tile that would tell the spots apart.
    """
    if policy == "search" and spots.bit_count() <= MOST_SPOTS:
        total, action = yield from planner.search(spots, here, effort, pace, every=True)
        found = planner.least(spots, here, total) if action else None
        return (found and found[1]) or action
    return next(iter((yield from actions_of(planner, spots, here, policy, 1))), None)


def build(
    planner: Planner, spots: int, here: Tile, policy: Policy, effort: int
) -> Job[Node | None]:
    """The tree of a policy from a state; None where there is nothing to ask."""
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
    """The tree whose node for a set of spots from a tile is `step`'s; without one it ends there."""
    total, done = spots.bit_count(), 0
    root = yield from step(spots, here)
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        done += sum(left.bit_count() for left in node.answers.values())
        for name, left in node.open():
            done -= left.bit_count()
            child = yield from step(left, node.at)
            if child is None:
                done += left.bit_count()
                continue
            node.children[name] = child
            stack.append(child)
        yield Progress(done, total, note)
    return root


def _node(
    planner: Planner, spots: int, here: Tile, policy: Policy, effort: int, pace: SliceTimer
) -> Job[Node | None]:
    action = yield from choose(planner, spots, here, policy, effort, pace)
    return None if action is None else first_step(planner, spots, here, action)


def first_step(planner: Planner, spots: int, here: Tile, action: Action) -> Node:
    """A tree's node for an action; nothing follows yet."""
    answers = planner.answers(action.at, spots)
    return Node(here, action.tile, action.at, planner.walk_ticks(here, action.at), spots, answers)


def cost(planner: Planner, tree: Node | None, spots: int, here: Tile) -> Cost:
    """What a tree costs over a set of spots."""
    if tree is None:
        straight = [planner.ticks_from(here)[j] for j in bit_indices(spots)]
        return Cost(sum(straight), max(straight), 0)
    ticks = worst = scans = 0
    stack = [(tree, 0, 0)]
    while stack:
        node, spent, made = stack.pop()
        spent += node.walk + (planner.stop if node.scanned else 0)
        made += node.scanned
        left_ticks = planner.ticks_from(node.at)
        for name, left in node.answers.items():
            if name in node.children:
                stack.append((node.children[name], spent, made))
                continue
            for j in bit_indices(left):
                ticks += spent + left_ticks[j]
                worst = max(worst, spent + left_ticks[j])
                scans += made
    return Cost(ticks, worst, scans)


def tree_to_json(
    planner: Planner, tree: Node | None, here: Tile, kit: Abilities = BARE
) -> tuple[dict[str, Any], Cost]:
    """The tree as JSON values with `uses` on its ways and `digs` at its ends, and its cost.

    Spots have their numbers in the region. Abilities are marked in one pass down the tree: all
    charges are ready at the start, and what is used on one way is missed on the next. Tiles and
    scans are those of the plan without abilities, so with them the result is no optimum.
    """
    ends = PlanEnds(planner, kit)
    root: dict[str, Any] = {}
    stack = [(tree, planner.everything, here, kit.full, 0, 0, root)]
    while stack:
        node, spots, at, ready, spent, scans, out = stack.pop()
        if node is None:
            out.update(ends.end(spots, at, ready, spent, scans))
            continue
        out.update(place_to_json(planner, node))
        if node.scanned:
            gone = path_to(planner, at, node.tile, kit, ready)
            stop = planner.stop
        else:  # a pulse on the way is seen on foot
            stop = 0
            uses = () if node.on_foot else path_to(planner, at, node.tile).uses
            gone = Path(node.walk, uses, Path(0, (), ready).after(node.walk))
        out.update(walk_ticks=gone.ticks, **uses_to_json(gone), answers={})
        spent += gone.ticks + stop
        for name, left in node.answers.items():
            out["answers"][name] = {}
            following = node.children.get(name)
            then = (node.at, gone.after(stop), spent, scans + node.scanned, out["answers"][name])
            stack.append((following, left, *then))
    return root, ends.cost


class PlanEnds:
    """The ends of a plan, and the totals over all its spots."""

    def __init__(self, planner: Planner, kit: Abilities) -> None:
        self.planner, self.kit = planner, kit
        self.cost = Cost(0, 0, 0)

    def end(self, spots: int, at: Tile, ready: Ready, spent: int, scans: int) -> dict[str, Any]:
        """A leaf: each of its spots with the way to it."""
        ways = {j: path_to_dig(self.planner, at, j, self.kit, ready) for j in bit_indices(spots)}
        totals = [spent + gone.ticks for gone in ways.values()]
        old = self.cost
        worst = max(old.worst, *totals)
        self.cost = Cost(old.ticks + sum(totals), worst, old.scans + scans * len(ways))
        return leaf_to_json(self.planner, ways, self.kit)


def place_to_json(planner: Planner, node: Node) -> dict[str, Any]:
    """Where a node's answer comes, and by how many tiles a scan may be off, if by any."""
    if not node.scanned:
        return {"tile": list(node.tile), "at": list(node.at)}
    room = planner.room(node.tile, node.spots)
    return {"tile": list(node.tile)} | ({"room": room} if room else {})


def leaf_to_json(planner: Planner, ways: dict[int, Path], kit: Abilities) -> dict[str, Any]:
    """The end of a plan's branch, with the ways to its spots where anything may be used on them."""
    numbers = [planner.scene.remaining[j] for j in ways]
    digs = [
        {"spot": number, "walk_ticks": gone.ticks, **uses_to_json(gone)}
        for number, gone in zip(numbers, ways.values(), strict=True)
    ]
    shown = kit.any or any(gone.uses for gone in ways.values())
    return leaf(numbers) | ({"digs": digs} if shown else {})


def leaf(spots: list[int]) -> dict[str, Any]:
    """The end of a plan's branch: one spot, or those of which an arrow shows one."""
    return {"spot": spots[0]} if len(spots) == 1 else {"spots": spots}


_CELL = struct.Struct(SCAN.ScanCell_FORMAT)


# ---- actions of a state, also of more than 64 spots ----------------------------------------


def actions_of(
    planner: Planner, spots: int, here: Tile, policy: Policy, room: int
) -> Job[list[Action]]:
    """The best actions of a state of any number of spots, best first."""
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
    """The spots of a set as a clue of their own."""
    scene = planner.scene
    chosen = tuple(planner.spots[j] for j in bit_indices(spots))
    fresh = Position(range=scene.reach, spots=chosen, floor=scene.floor)
    return ScanModel(fresh, chosen, scene.reach, scene.floor, planner.with_levels)


def _window(scene: ScanModel, here: Tile) -> Window:
    """The classes' window, with the tile one stands on and, with levels, the complements."""
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
    cost = spots.bit_count() * spent + planner.straight(at, shown)
    return Action(tile, at, cost, parts)


def _stop(planner: Planner, spots: int, here: Tile, tile: Tile) -> tuple[Tile, int]:
    """Where the answer comes and after how many ticks: on arrival, or by a pulse on the way."""
    by, before = planner.way_by(here, tile), 0
    if by is not None:
        here, before = planner.landing(by), planner.used[by].ticks
    ticks = ticks_between(here, tile)
    for tick in range(2, ticks, 2) if planner.on_the_way else ():
        at = along(here, tile, tick)
        answers = planner.answers(at, spots)
        if len(answers) > 1 or "3" in answers or "3d" in answers:
            return at, before + tick
    return tile, before + ticks + planner.stop
