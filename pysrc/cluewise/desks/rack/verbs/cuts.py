"""The verb `cuts`: every legal cut with its chance of success, its risk and its information.

The information is that of the public answer: a success reveals the wire, a failure what the token
shows (of a yellow wire only its colour; a red one ends the game). Legal moves: `game/legal.py`;
detectors: `cuts_several.py`, `cuts_ray_detectors.py`; ranking by rollouts: `cuts_win.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from itertools import combinations
from typing import TypeAlias, TypeVar, cast

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import reading
from cluewise.desks.rack.engine.counting import snap_ties
from cluewise.desks.rack.engine.token_convention import agreement, sentence
from cluewise.desks.rack.game.legal import (
    ACTIONS,
    nameable,
    reveal_fault,
    solo_fault,
    uncut,
    unpaired_cut,
)
from cluewise.desks.rack.game.missions import unmodelled
from cluewise.desks.rack.game.rules import GEAR
from cluewise.desks.rack.game.stuck import find_stuck
from cluewise.desks.rack.game.table_edits import number_cut_yellow
from cluewise.desks.rack.position import Position, TokenKind
from cluewise.desks.rack.results import Action, Cut, Cuts, CutsOptions, Recommendation
from cluewise.desks.rack.stand import RED, VALUE_NAMES, value_number
from cluewise.desks.rack.verbs.cuts_hand import PlayerView
from cluewise.desks.rack.verbs.cuts_ray_detectors import RayDetectors
from cluewise.desks.rack.verbs.cuts_several import Detectors, multi_cuts
from cluewise.desks.rack.verbs.cuts_shortlist import (
    agreed_shortlist,
    pareto_front,
    shortlist_by_win_rate,
)
from cluewise.desks.rack.verbs.cuts_win import Ranking, RolloutRanking, deliberate_misses
from cluewise.desks.rack.verbs.posterior import ASSUMED
from cluewise.errors import BadOption, BadPosition
from cluewise.parallel.tasks import ParallelContext

replace = msgspec.structs.replace
R = TypeVar("R")
Key: TypeAlias = Callable[[Cut], tuple[object, ...]]
TASKS = 4  # of a race, which takes seconds; too few to start worker processes for
MAX_TRIPLES = 3  # per stand and value
FAILURE: dict[TokenKind, str] = {
    "standard": "A failed cut shows the wire's value.",
    "parity": "A failed cut shows whether the wire is even or odd.",
    "multiplicity": "A failed cut shows how many of the wire's value stand there; of four, "
    "nothing.",
}
READ = "The last choices of your teammates count: they are taken to cut by this list too."
WEIGHTED = " Success and red weigh these deals by your teammates' last choices."
EQUIPMENT = " Which equipment lies on your table and is not used up is not known here."
NO_GAIN = (
    " The bits of cuts of several wires together and of the ray with a detector are left out; "
    "under 1×2×3× tokens also those of a ray, of a wire that may be yellow and of a detector "
    "beside a known wire."
)


def cuts(
    position: Position, options: CutsOptions, sharing: ParallelContext | None = None
) -> Job[Cuts]:
    """Legal cuts, certain ones first, then by success, red, gain; and a short list to choose from.

    The expected gain is the drop in the entropy of the deal. Raises BadPosition without a viewer,
    since cuts need own wires. `sharing`: the workers of simulated games.
    """
    actions = _parse_actions(options.actions)
    if position.viewer is None:
        raise BadPosition(
            "Say whose turn it is: cuts are made with the viewer's wires.", "$.viewer"
        )
    unpaired, where = unpaired_cut(position) if options.rank == "win" else ("", "")
    if unpaired:
        raise BadPosition(unpaired, where)
    position = number_cut_yellow(position)
    yield (start := Progress(0, None, "weighing cuts"))
    chosen = agreement(position)
    plan = chosen.pack(position, tile_removal=options.model == "tile-removal")
    hand = PlayerView(position, plan)
    plain = SingleCuts(hand)
    found = [*plain.solo(), *plain.reveal()]
    by_win = options.rank != "success"
    if "dual" in actions or by_win:
        yield start
        found += plain.dual()
    if "together" in actions or by_win:
        found += yield from multi_cuts(hand, chosen)
    ranking = CutRanking(hand, actions, options, sentence(position, chosen).strip())
    if ranking.key:
        by_win = options.rank == "win"  # "auto" is the order that the players have agreed on
    early = ranking.order(found)
    if not by_win:
        return ranking.result((yield from _add_equipment(plain, found, hand, ranking)), "")
    misses = deliberate_misses(hand, order(found)) if "miss" in actions else []
    front = pareto_front(early)
    read = ranking.reading is not None
    with closing(RolloutRanking(position, early, misses, front, options, sharing, read)) as games:
        yield from stream_improvements(games.begin(), ranking.result)
        ordered = yield from _add_equipment(plain, found, hand, ranking)
        return ranking.result(
            *(yield from stream_improvements(games.finish(ordered), ranking.result))
        )


def cut_tasks(_position: Position, options: CutsOptions) -> int:
    """Return the number of parallel tasks."""
    return 1 if options.rank == "success" else TASKS


def _add_equipment(
    plain: SingleCuts, found: list[Cut], hand: PlayerView, ranking: CutRanking
) -> Job[list[Cut]]:
    """Compute the cuts with equipment; return all cuts in order."""
    actions, options = ranking.actions, ranking.options
    if "either" in actions:
        yield Progress(0, None, "weighing cuts")
        found += plain.either()
    detectors = Detectors(hand)
    yield from detectors.compute(actions, None if options.every_triple else MAX_TRIPLES)
    rays = RayDetectors(detectors)
    if options.joined:
        yield from rays.compute(actions)
    yield Progress(0, None, "comparing cuts")
    return ranking.order([*found, *detectors.found, *rays.found])


class CutRanking:
    """Orders cuts and builds the result; `assumptions` are sentences for its note."""

    def __init__(
        self, hand: PlayerView, actions: set[str], options: CutsOptions, assumptions: str
    ) -> None:
        self.hand, self.actions, self.options = hand, actions, options
        self.assumptions = assumptions
        self.check = unmodelled(hand.position)
        self.explodes = hand.rules.failure_explodes(hand.position.viewer)
        self.key: Key | None = None  # of the order that the players have agreed on
        self.reading = self._reading()

    def _reading(self) -> reading.Reading | None:
        """Return the chances given past choices, if they count; else note why they do not."""
        position = self.hand.position
        if self.options.read is False or position.choices is None:
            return None
        fault = reading.refusal(position)
        if not fault:
            self.key = reading.agreed_key(position)
        read = reading.Reading(position) if position.choices and not fault else None
        note = fault or (READ if read else "")
        self.assumptions = " ".join(filter(None, (self.assumptions, note)))
        return read

    def order(self, found: Iterable[Cut]) -> list[Cut]:
        """Order the cuts with the requested actions; `red` is every failure if all explode."""
        listed = [cut for cut in found if cut.action in self.actions]
        if self.explodes:
            listed = [replace(cut, red=1 - cut.success) for cut in listed]
        if self.reading:
            listed = [self.reading.with_read(cut) for cut in listed]
        return order(listed, self.key)

    def costs_step(self, cut: Cut) -> bool:
        """Return whether a certain cut nevertheless takes a step of the detonator."""
        rules, viewer = self.hand.rules, self.hand.position.viewer
        plain = cut.certain and cut.action == "dual"
        return plain and bool(rules.price(cut.stand, cut.slots[0], viewer))

    def result(self, ranked: list[Cut], note: str) -> Cuts:
        """Build the result of the verb from ranked cuts and a note on the ranking."""
        model, token = self.options.model, self.hand.position.token
        missing = NO_GAIN if any(cut.gain is None for cut in ranked) else ""
        stuck, steps, sentence_ = find_stuck(self.hand.rules)
        note = "" if note in self.assumptions else note  # both may have the same refusal
        note = " ".join(filter(None, (sentence_, self.assumptions, note)))
        gear = EQUIPMENT if any(cut.action in GEAR for cut in ranked) else ""
        dealt = ASSUMED[model] + (WEIGHTED if self.reading else "")
        bits, assumed = self.hand.chances.bits, f"{dealt} {FAILURE[token]}{missing}{gear}"
        agreed = self.key and not any(cut.win for cut in ranked)
        chosen = agreed_shortlist(ranked) if agreed else short_list(ranked, self.costs_step)
        return Cuts(model, bits, ranked, chosen, assumed, self.check, note, stuck, steps)


def short_list(ranked: list[Cut], costs_step: Callable[[Cut], bool]) -> list[Recommendation]:
    """Return the recommendations from ranked cuts; certain cuts that cost a step come last."""
    places = sorted(range(len(ranked)), key=lambda i: (costs_step(ranked[i]), *_key(ranked[i])))
    places.sort(key=lambda i: not ranked[i].certain)
    found = pareto_front([ranked[i] for i in places])
    listed = [replace(one, option=places[one.option]) for one in found]
    return shortlist_by_win_rate(ranked, listed)


def stream_improvements(games: Job[R], result: Callable[[list[Cut], str], Cuts]) -> Job[R]:
    """Run the games; `best` of their progress, a ranking, becomes a whole result."""
    while True:
        try:
            step = next(games)
        except StopIteration as stop:
            return cast("R", stop.value)
        best = None if step.best is None else result(*cast("Ranking", step.best))
        yield Progress(step.done, step.total, step.note, best, waits=step.waits)


def _parse_actions(names: list[str]) -> set[str]:
    """Return the requested actions, by default all. Raises BadOption for an unknown one."""
    for i, name in enumerate(names):
        if name not in ACTIONS:
            raise BadOption(
                f"{name!r} is not a cut; there are {', '.join(ACTIONS)}.", f"$.options.actions[{i}]"
            )
    return set(names or ACTIONS)


def order(found: Iterable[Cut], key: Key | None = None) -> list[Cut]:
    """Order cuts by `key`, by default certain first, then success, red, gain.

    Nearly equal numbers are made equal, so that slots decide.
    """
    cuts_ = list(found)
    columns = zip(
        snap_ties([c.success for c in cuts_]),
        snap_ties([c.red for c in cuts_]),
        snap_ties([c.gain or 0.0 for c in cuts_]),
        strict=True,
    )
    even = [
        replace(
            cut,
            success=1.0 if cut.certain else success,
            red=red,
            gain=None if cut.gain is None else max(gain, 0.0),
        )
        for cut, (success, red, gain) in zip(cuts_, columns, strict=True)
    ]
    return sorted(even, key=key or _key)


def _key(cut: Cut) -> tuple[object, ...]:
    values = [value_number(v) or 0 for v in cut.value.split("/")]
    return (not cut.certain, -cut.success, cut.red, -(cut.gain or 0.0), cut.stand, cut.slots,
            values, ACTIONS.index(cut.action))  # fmt: skip


class SingleCuts:
    """Computes cuts at one wire, and solo cuts and reveals of the viewer's own wires."""

    def __init__(self, hand: PlayerView) -> None:
        self.hand, self.position = hand, hand.position

    def _named(self, action: Action) -> list[int]:
        return nameable(self.hand.rules, action, self.hand.held)

    def dual(self) -> list[Cut]:
        """Return cuts at one slot of a teammate, or one turned away, of one value held."""
        hand = self.hand
        found = []
        for row in hand.dual_rows(sum(1 << v for v in self._named("dual"))):
            part = hand.plan.parts[row.part]
            slot = part.slots[row.element]
            if part.stand is None or not hand.may_point("dual", part.stand, slot):
                continue
            gain = row.gain if hand.has_exact_gain(row.part, [row.element]) else None
            name = VALUE_NAMES[row.value]
            own = self.position.owner_of(part.stand) == self.position.viewer
            red = 1 - row.success if own else row.red  # a failure at an own wire ends the game
            found.append(Cut("dual", part.stand, [slot], name, row.success, red, gain, row.certain))
        found += self._known("dual", [(v,) for v in self._named("dual")])
        return [
            replace(cut, success=0.0, red=1.0, certain=False) if self._ends(cut) else cut
            for cut in found
        ]

    def _ends(self, cut: Cut) -> bool:
        """Return whether even its success takes the last step: another player's turned wire."""
        steps = self.hand.rules.price(cut.stand, cut.slots[0], self.position.viewer)
        return bool(steps) and self.position.detonator == steps

    def either(self) -> list[Cut]:
        """Return cuts with the X-or-Y ray: one hidden slot, two values held."""
        hand = self.hand
        pairs = list(combinations(self._named("either"), 2))
        found = []
        for part, stand in hand.targets() if pairs else ():
            for e in hand.pointed_elements(part, "either"):
                chance = hand.by_value(part, e)
                only = {v for v, p in enumerate(chance) if p > 0}
                slot = hand.plan.parts[part].slots[e]
                for pair in pairs:
                    success = chance[pair[0]] + chance[pair[1]]
                    if success > 0:
                        gain = hand.named_gain(part, e, pair)
                        found.append(
                            Cut("either", stand, [slot], _pair(pair), success, chance[RED], gain,
                                only <= set(pair))
                        )  # fmt: skip
        return found + self._known("either", pairs)

    def _known(self, action: Action, named: Iterable[tuple[int, ...]]) -> list[Cut]:
        """Return certain cuts of wires that the viewer knows, such as a shown 5 with an own 5."""
        found = []
        for values in named:
            for stand, slot, value in self.hand.known_targets(action):
                if value in values:
                    found.append(
                        Cut(action, stand, [slot], _pair(values), 1.0, 0.0, 0.0, certain=True)
                    )
        return found

    def solo(self) -> list[Cut]:
        """Return solo cuts: both or all four of a number, or all yellow, if no other is left."""
        found = []
        viewer = self.position.viewer
        for value in sorted(self.hand.held - {RED}):
            places = [(i, j) for i, j in self.hand.own if self.hand.own_value((i, j)) == value]
            if not solo_fault(self.hand.rules, viewer, value, places):
                found.append(_own_cut("solo", places, value))
        return found

    def reveal(self) -> list[Cut]:
        """Return the reveal of all remaining own wires, if every one is red."""
        places = uncut(self.position, self.position.viewer)
        if reveal_fault(self.hand.rules, self.position.viewer, places):
            return []
        return [_own_cut("reveal", places, RED)]


def _pair(values: tuple[int, ...]) -> str:
    return "/".join(VALUE_NAMES[v] for v in values)


def _own_cut(action: Action, places: list[tuple[int, int]], value: int) -> Cut:
    stand = places[0][0]
    slots = [j for i, j in places if i == stand]
    also = [place for place in places if place[0] != stand]
    return Cut(action, stand, slots, VALUE_NAMES[value], 1.0, 0.0, 0.0, True, also)
