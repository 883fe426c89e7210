"""What to cut: every legal cut with its success, its risk and what it would tell.

The wire pointed at is what the table learns: a success shows the wire, a failure what the table's
tokens say of it (a yellow one stays "yellow"; a red one ends the game). What is legal stands in
`legal`, detectors in `detectors`.
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
PIECES = 4  # of games that go on for seconds; fewer than start processes of their own
TRIPLES_KEPT = 3
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
    since only a player's own wires can be cut. `sharing`: who plays the games that rank cuts.
    """
    wanted = _wanted(options.actions)
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
    if "dual" in wanted or by_win:
        yield start
        found += plain.dual()
    if "together" in wanted or by_win:
        found += yield from multi_cuts(hand, chosen)
    telling = CutRanking(hand, wanted, options, sentence(position, chosen).strip())
    if telling.key:
        by_win = options.rank == "win"  # the list that the table has agreed to cut by
    early = telling.order(found)
    if not by_win:
        return telling.result((yield from _others(plain, found, hand, telling)), "")
    misses = deliberate_misses(hand, order(found)) if "miss" in wanted else []
    front = pareto_front(early)
    read = telling.reading is not None
    with closing(RolloutRanking(position, early, misses, front, options, sharing, read)) as games:
        yield from stream_improvements(games.begin(), telling.result)
        ordered = yield from _others(plain, found, hand, telling)
        return telling.result(
            *(yield from stream_improvements(games.finish(ordered), telling.result))
        )


def cut_tasks(_position: Position, options: CutsOptions) -> int:
    """Blocks of deals on which cuts are compared, where games rank them."""
    return 1 if options.rank == "success" else PIECES


def _others(
    plain: SingleCuts, found: list[Cut], hand: PlayerView, telling: CutRanking
) -> Job[list[Cut]]:
    """The cuts that were found, with those by equipment, in order."""
    wanted, options = telling.wanted, telling.options
    if "either" in wanted:
        yield Progress(0, None, "weighing cuts")
        found += plain.either()
    detectors = Detectors(hand)
    yield from detectors.gather(wanted, None if options.every_triple else TRIPLES_KEPT)
    joined = RayDetectors(detectors)
    if options.joined:
        yield from joined.gather(wanted)
    yield Progress(0, None, "comparing cuts")
    return telling.order([*found, *detectors.found, *joined.found])


class CutRanking:
    """What is found, in order, with what it rests on."""

    def __init__(
        self, hand: PlayerView, wanted: set[str], options: CutsOptions, rests_on: str
    ) -> None:
        self.hand, self.wanted, self.options, self.rests_on = hand, wanted, options, rests_on
        self.check = unmodelled(hand.position)
        self.explodes = hand.rules.failure_explodes(hand.position.viewer)
        self.key: Key | None = None  # of the order that the table has agreed on
        self.reading = self._reading()

    def _reading(self) -> reading.Reading | None:
        """What others' choices tell, where they count; why they do not is said with the rest."""
        position = self.hand.position
        if self.options.read is False or position.choices is None:
            return None
        fault = reading.refusal(position)
        if not fault:
            self.key = reading.agreed_key(position)
        read = reading.Reading(position) if position.choices and not fault else None
        said = fault or (READ if read else "")
        self.rests_on = " ".join(filter(None, (self.rests_on, said)))
        return read

    def order(self, found: Iterable[Cut]) -> list[Cut]:
        """Those that were asked for; where every failure explodes, red is all that fails."""
        listed = [cut for cut in found if cut.action in self.wanted]
        if self.explodes:
            listed = [replace(cut, red=1 - cut.success) for cut in listed]
        if self.reading:
            listed = [self.reading.with_read(cut) for cut in listed]
        return order(listed, self.key)

    def dear(self, cut: Cut) -> bool:
        """Whether it is certain and takes a step of the detonator all the same."""
        rules, viewer = self.hand.rules, self.hand.position.viewer
        plain = cut.certain and cut.action == "dual"
        return plain and bool(rules.price(cut.stand, cut.slots[0], viewer))

    def result(self, ranked: list[Cut], note: str) -> Cuts:
        """The whole answer."""
        model, token = self.options.model, self.hand.position.token
        missing = NO_GAIN if any(cut.gain is None for cut in ranked) else ""
        stuck, steps, sentence_ = find_stuck(self.hand.rules)
        note = "" if note in self.rests_on else note  # games and past choices refused alike
        said = " ".join(filter(None, (sentence_, self.rests_on, note)))
        gear = EQUIPMENT if any(cut.action in GEAR for cut in ranked) else ""
        dealt = ASSUMED[model] + (WEIGHTED if self.reading else "")
        bits, assumed = self.hand.chances.bits, f"{dealt} {FAILURE[token]}{missing}{gear}"
        agreed = self.key and not any(cut.win for cut in ranked)
        chosen = agreed_shortlist(ranked) if agreed else short_list(ranked, self.dear)
        return Cuts(model, bits, ranked, chosen, assumed, self.check, said, stuck, steps)


def short_list(ranked: list[Cut], dear: Callable[[Cut], bool]) -> list[Recommendation]:
    """What is worth a look, by its place in a list that games may have ordered.

    Of certain cuts those that are `dear`, since they take a step of the detonator, come last.
    """
    places = sorted(range(len(ranked)), key=lambda i: (dear(ranked[i]), *_key(ranked[i])))
    places.sort(key=lambda i: not ranked[i].certain)
    found = pareto_front([ranked[i] for i in places])
    listed = [replace(one, option=places[one.option]) for one in found]
    return shortlist_by_win_rate(ranked, listed)


def stream_improvements(games: Job[R], result: Callable[[list[Cut], str], Cuts]) -> Job[R]:
    """The games' progress, its `best` a whole result that gets better; and what they return."""
    while True:
        try:
            step = next(games)
        except StopIteration as stop:
            return cast("R", stop.value)
        best = None if step.best is None else result(*cast("Ranking", step.best))
        yield Progress(step.done, step.total, step.note, best, waits=step.waits)


def _wanted(names: list[str]) -> set[str]:
    for i, name in enumerate(names):
        if name not in ACTIONS:
            raise BadOption(
                f"{name!r} is not a cut; there are {', '.join(ACTIONS)}.", f"$.options.actions[{i}]"
            )
    return set(names or ACTIONS)


def order(found: Iterable[Cut], key: Key | None = None) -> list[Cut]:
    """Certain first, then success, red, gain; equal numbers made equal so that slots decide.

    `key`: another order.
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
    """Cuts at one wire, and those of the viewer's own wires alone."""

    def __init__(self, hand: PlayerView) -> None:
        self.hand, self.position = hand, hand.position

    def _named(self, action: Action) -> list[int]:
        return nameable(self.hand.rules, action, self.hand.held)

    def dual(self) -> list[Cut]:
        """One slot of a teammate, or one turned away, and one value of the viewer's."""
        hand = self.hand
        found = []
        for row in hand.dual_rows(sum(1 << v for v in self._named("dual"))):
            part = hand.plan.parts[row.part]
            slot = part.slots[row.element]
            if part.stand is None or not hand.may_point("dual", part.stand, slot):
                continue
            gain = row.gain if hand.tokens_count(row.part, [row.element]) else None
            name = VALUE_NAMES[row.value]
            own = self.position.owner_of(part.stand) == self.position.viewer
            red = 1 - row.success if own else row.red  # a wrong guess at one's own ends the game
            found.append(Cut("dual", part.stand, [slot], name, row.success, red, gain, row.certain))
        found += self._known("dual", [(v,) for v in self._named("dual")])
        return [
            replace(cut, success=0.0, red=1.0, certain=False) if self._ends(cut) else cut
            for cut in found
        ]

    def _ends(self, cut: Cut) -> bool:
        """Whether it takes the detonator's last step even where it works: another's turned wire."""
        steps = self.hand.rules.price(cut.stand, cut.slots[0], self.position.viewer)
        return bool(steps) and self.position.detonator == steps

    def either(self) -> list[Cut]:
        """X-or-Y ray: one hidden slot, two values of the viewer's."""
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
        """Certain cuts of wires that the viewer knows: a 5 on the table and a 5 of one's own."""
        found = []
        for values in named:
            for stand, slot, value in self.hand.known_targets(action):
                if value in values:
                    found.append(
                        Cut(action, stand, [slot], _pair(values), 1.0, 0.0, 0.0, certain=True)
                    )
        return found

    def solo(self) -> list[Cut]:
        """Both or all four of a number, or all yellow, when no other is left anywhere."""
        found = []
        viewer = self.position.viewer
        for value in sorted(self.hand.held - {RED}):
            places = [(i, j) for i, j in self.hand.own if self.hand.own_value((i, j)) == value]
            if not solo_fault(self.hand.rules, viewer, value, places):
                found.append(_own_cut("solo", places, value))
        return found

    def reveal(self) -> list[Cut]:
        """All remaining wires of the viewer, when every one of them is red."""
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
