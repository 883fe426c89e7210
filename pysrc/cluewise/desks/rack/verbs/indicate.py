"""The verb `indicate`: first tokens ranked by information gain, the decrease of a stand's entropy.

By default the entropy is that for an observer who sees only what is public: the candidates are all
wires in play less those public on other stands. With `seen_by` teammates the gain is the mean over
hands of each teammate, drawn from the exact posterior by ancestral sampling: slot by slot, each
from its marginal given the wires drawn before. Such gains have a standard error.

Cost: one kernel call (rack_indicate) gives all slots, kinds of token and models; with teammates one
per sampled hand, and one posterior per drawn slot.
"""

from __future__ import annotations

import math
import random
from array import array
from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import counting
from cluewise.desks.rack.engine.counting import encode_groups, snap_ties
from cluewise.desks.rack.engine.encoding import DealModel, pack, pack_one, public, unplaced
from cluewise.desks.rack.game.legal import left_of
from cluewise.desks.rack.game.missions import first_token, mission_of, unmodelled
from cluewise.desks.rack.game.table_edits import add_player_fact, exclude_values, replace_slot
from cluewise.desks.rack.position import Position, TokenKind, in_play, wire_of
from cluewise.desks.rack.results import Band, IndicateOptions, Indication, Indications, Model
from cluewise.desks.rack.stand import (
    VALUE_NAMES,
    YELLOW,
    Fact,
    Stand,
    format_value,
    value_number,
    value_of,
    wire_code,
    wire_name,
)
from cluewise.errors import BadOption, BadPosition

TOKENS: tuple[TokenKind, ...] = ("standard", "parity", "multiplicity")
MODELS: tuple[Model, ...] = ("published", "joint", "bayes")
BANDS: tuple[Band, ...] = ("poor", "moderate", "good", "excellent")
# The bounds of the published metric are the published ones. For the others each bound is the value
# that the same share of choices stays below, found by `cluewise rack simulate --draw played
# --games 500 --players 5 --seed 1` (column "bands from"), rounded to a tenth of a per cent.
BAND_BOUNDS: dict[tuple[Model, TokenKind], tuple[float, float, float]] = {
    ("published", "standard"): (0.13, 0.20, 0.25),
    ("published", "parity"): (0.035, 0.05, 0.07),
    ("published", "multiplicity"): (0.01, 0.035, 0.05),
    ("joint", "standard"): (0.096, 0.120, 0.155),
    ("joint", "parity"): (0.046, 0.063, 0.074),
    ("joint", "multiplicity"): (0.065, 0.078, 0.092),
    ("bayes", "standard"): (0.101, 0.128, 0.164),
    ("bayes", "parity"): (0.046, 0.063, 0.074),
    ("bayes", "multiplicity"): (0.065, 0.078, 0.092),
}
ASSUMED = {
    "published": "Sum of the slots' own entropies; shown wires leave the pool.",
    "joint": "Entropy of the whole stand; shown wires leave the pool.",
    "bayes": "Entropy of the whole stand, true chances; the wire shown was not chosen for how "
    "many of its kind stand here.",
}
MEASURED = {
    "published": "the wires one by one, added up,",
    "joint": "the whole stand",
    "bayes": "the whole stand",
}
NOT_CHOSEN = {
    "none": "No first tokens are shown in this mission.",
    "random": "This first token is drawn, not chosen.",
    "absent": "These first tokens must show numbers that the player does not hold.",
    "false": "This player's first tokens must show wrong numbers.",
}
Table: TypeAlias = tuple[list[float], list["array[float]"]]


def sample_teammate_hands(
    position: Position, shown: int, samples: int, seed: int
) -> Iterator[tuple[int, Counter[int]]]:
    """Yield the number of samples and the non-public wires of a sampled hand, by teammate.

    Hands are drawn from the posterior of the player who indicates, given her own wires.
    """
    viewer = position.owner_of(shown)
    seen = seen_by(position, viewer)
    others = [
        i
        for i, stand in enumerate(position.stands)
        if position.owner_of(i) != viewer and any(s.state == "hidden" for s in stand.slots)
    ]
    dice = random.Random(seed)
    for stand in others:
        for _ in range(samples):
            yield len(others) * samples, draw_hand(seen, stand, dice)


def seen_by(position: Position, viewer: int | None) -> Position:
    """Return the position without hidden wires that the viewer, if any, does not know."""
    if position.viewer == viewer:
        return position
    stands = tuple(
        stand
        if position.owner_of(i) == viewer
        else msgspec.structs.replace(
            stand,
            slots=tuple(
                msgspec.structs.replace(slot, wire=None) if slot.state == "hidden" else slot
                for slot in stand.slots
            ),
        )
        for i, stand in enumerate(position.stands)
    )
    return msgspec.structs.replace(position, viewer=viewer, stands=stands)


def draw_hand(position: Position, stand: int, dice: random.Random) -> Counter[int]:
    """Draw the non-public wires of a stand from their joint posterior."""
    hand: Counter[int] = Counter()
    for slot, given in enumerate(position.stands[stand].slots):
        code = wire_of(given)
        if given.state == "cut" or (given.state == "info" and code is not None):
            continue
        if code is None:
            code = _draw_slot(position, stand, slot, dice)
            position = put_wire(position, stand, slot, code)
        hand[code] += 1
    return hand


def _draw_slot(position: Position, stand: int, slot: int, dice: random.Random) -> int:
    """Draw the wire of a slot from its marginal."""
    plan = pack(position)
    rows = iter(counting.chances(plan, count=False).rows)
    row = next(
        row
        for part in plan.parts
        for j, row in zip(part.slots, rows, strict=False)
        if (part.stand, j) == (stand, slot)
    )
    return dice.choices(plan.codes, weights=row)[0]


def put_wire(position: Position, stand: int, slot: int, code: int) -> Position:
    """Return the position with the wire of a slot entered; its tokens stay."""
    known = msgspec.structs.replace(position.stands[stand].slots[slot], wire=wire_name(code))
    return replace_slot(position, stand, slot, known)


def indicate(position: Position, options: IndicateOptions) -> Job[Indications]:
    """Rank the legal slots of a stand by the information gain of a token there.

    Gains can be negative: the entropy after a token may exceed the one before it.
    Raises BadPosition if wires of the stand itself are not entered.
    """
    yield Progress(0, None, "weighing tokens")
    token = options.token or position.token
    if options.stand >= len(position.stands):
        raise BadOption(f"There is no stand {options.stand}.", "$.options.stand")
    analysis = StandAnalysis(position, options.stand)
    if options.seen_by == "teammates":
        baseline, gains, errors = yield from _teammate_means(position, analysis, options, token)
    else:
        baseline, gains = _select_model(analysis.table(), token, options.model)
        errors = None
    listed = analysis.options(token, options.model, baseline, gains, errors)
    note = no_choice_reason(position, options.stand)
    by_win = options.criterion == "win"
    if by_win and note in (NOT_CHOSEN["absent"], NOT_CHOSEN["false"]):
        listed = analysis.untrue_options(note == NOT_CHOSEN["false"], options.model, baseline)
        note = "" if listed else "This player holds every value, so no such token is laid."
    if token == "parity" and analysis.has_yellow and not options.house_rules:
        note = note or "Parity tokens are not used in missions with yellow wires."
    assumed, check = ASSUMED[options.model], unmodelled(position)
    bands = list(BAND_BOUNDS[options.model, token])

    def result(rows: list[Indication], note: str) -> Indications:
        return Indications(
            options.model, token, baseline, rows, assumed, note, check=check, bands=bands
        )

    if note:
        listed = []
    elif by_win:
        from cluewise.desks.rack.verbs.indicate_win import rank_by_win

        return (yield from rank_by_win(position, options, listed, result))
    return result(listed, note)


def values_denied_by(position: Position, value: str) -> set[int]:
    """Return the values that a wire under a false token cannot have.

    They are the value on the token, and the colours on which no false token lies.
    """
    mission = mission_of(position)
    uncovered = mission.tokens.uncovered_values if mission else set()
    return {value_number(value) or 0} | {v for v in uncovered if left_of(position, v)}


def no_choice_reason(position: Position, stand: int) -> str:
    """Return why the player of a stand chooses no true first token, a sentence; "" if they do."""
    mission = mission_of(position)
    if mission is None:
        return ""
    if mission.tokens.who == "captain_card" and position.captain_card is None:
        return "Enter first who holds the captain card: that player's tokens must be wrong."
    seat, players = position.owner_of(stand), len(position.seats())
    kind = first_token(mission, seat, players, position.captain_card)
    if kind == "none" and mission.tokens.setup != "none":
        return "With two players the captain shows no first token in this mission."
    return NOT_CHOSEN.get(kind, "")


def _select_model(table: Table, token: TokenKind, model: Model) -> tuple[float, list[float]]:
    """Return the entropy before a token, and the gains of the slots, by one model."""
    baselines, gains = table
    m = MODELS.index(model)
    column = 3 * TOKENS.index(token) + m
    return baselines[m], snap_ties([row[column] for row in gains])


class StandAnalysis:
    """A stand by public information, as a model for the kernel, and its true wires."""

    def __init__(self, position: Position, stand: int) -> None:
        self.position, self.index = position, stand
        self.stand: Stand = position.stands[stand]
        self.left = unplaced(position, public)
        self.has_yellow = any(code % 10 == 1 for code in in_play(position.wires))
        self.plan = pack_one(self.stand, stand, +self.left)

    def table(self, gone: Counter[int] | None = None, most_times: int = 3) -> Table:
        """Compute entropies and gains of all tokens and models; `gone`: wires of the observer.

        `most_times`: the largest multiplicity token, 3 in the game; 4 as in the published
        benchmark, 0 for none.
        """
        plan = self.plan
        if gone:
            plan = pack_one(self.stand, self.index, +(self.left - gone))
        return counting.indicate(plan, self.encode_extra(plan, gone or Counter(), most_times))

    def encode_extra(self, plan: DealModel, gone: Counter[int], most_times: int = 3) -> array[int]:
        """Encode the groups and the true layer of each element, for rack_indicate."""
        extra = encode_groups(self.position, plan, +(self.left - gone), most_times)
        for slot in plan.parts[0].slots:
            extra.append(self._true_layer(plan, slot))
        return extra

    def _true_layer(self, plan: DealModel, slot: int) -> int:
        """Return the layer of a slot's true wire; BadPosition if it is not entered."""
        given = self.stand.slots[slot]
        code = wire_of(given)
        if code is None and given.value is not None:  # a shown yellow without a number: any one
            value = value_number(given.value)
            code = next((c for c in plan.codes if value_of(c) == value), None)
        if code is None:
            where = f"$.stands[{self.index}].slots[{slot}].wire"
            raise BadPosition("To weigh tokens, every wire of this stand must be given.", where)
        if code not in plan.codes:
            raise counting.impossible()
        return plan.codes.index(code)

    def options(
        self,
        token: TokenKind,
        model: Model,
        baseline: float,
        gains: list[float],
        errors: list[float] | None,
    ) -> list[Indication]:
        """Return the hidden slots on which the token may lie, by descending gain."""
        found = []
        for element, slot in enumerate(self.plan.parts[0].slots):
            gain = gains[element]
            if self.stand.slots[slot].state != "hidden" or math.isnan(gain):
                continue
            resolved = gain / baseline if baseline > 0 else 0.0
            found.append(
                Indication(
                    slot,
                    self.stand.slots[slot].wire or "",
                    gain,
                    resolved,
                    band_of(resolved, token, model),
                    self.reason(token, model, slot, gain),
                    errors[element] if errors else None,
                )
            )
        return sorted(found, key=lambda o: (-o.gain, o.slot))

    def untrue_options(self, lies: bool, model: Model, baseline: float) -> list[Indication]:
        """Rank false tokens (`lies`), which deny a value of a wire, or tokens of absent values."""
        position, i = self.position, self.index
        owner, mission = position.owner_of(i), mission_of(position)
        held = {v for j in position.stands_of(owner) for v in StandAnalysis(position, j)._values()}
        in_play_ = [v for v in range(1, YELLOW + 1) if left_of(position, v)]
        uncovered = mission.tokens.uncovered_values if mission else set()
        values = self._values()
        found: list[tuple[int | None, str, str, Position, str]] = []
        for j, slot in enumerate(self.stand.slots if lies else ()):
            if slot.state != "hidden" or "unsorted" in slot.tokens or values[j] in uncovered:
                continue
            for v in in_play_:
                if v not in (values[j], YELLOW) and f"not:{VALUE_NAMES[v]}" not in slot.tokens:
                    denied = values_denied_by(position, VALUE_NAMES[v])
                    table = exclude_values(position, (i, j), denied)
                    text = f"Says that this wire is not {format_value(v)}."
                    found.append((j, slot.wire or "", f"not:{VALUE_NAMES[v]}", table, text))
        for v in () if lies else in_play_:
            fact = Fact("lacks", VALUE_NAMES[v])
            if v not in held and fact not in self.stand.facts:
                table = add_player_fact(position, owner, fact)
                text = f"Says that you hold no {format_value(v)}."
                found.append((None, "", f"lacks:{VALUE_NAMES[v]}", table, text))
        rows = []
        for at, wire, says, table, text in found:
            gain = baseline - StandAnalysis(table, i).table(most_times=0)[0][MODELS.index(model)]
            resolved = gain / baseline if baseline > 0 else 0.0
            rows.append(Indication(at, wire, gain, resolved, None, text, None, says))
        return sorted(rows, key=lambda row: -row.gain)

    def reason(self, token: TokenKind, model: Model, slot: int, gain: float) -> str:
        """Return a sentence on what the token shows to the table."""
        name = self.stand.slots[slot].wire or ""
        code = wire_code(name) or 0
        if gain < -1e-9:
            return f"Leaves {MEASURED[model]} less certain than before the token."
        if token == "parity":
            return f"Says that this wire is {'odd' if code // 10 % 2 else 'even'}."
        if token == "multiplicity":
            same = [w for w in self._values() if w == value_of(code)]
            called = "yellow" if value_of(code) == YELLOW else name
            return f"Says that {len(same)} of its value stand here ({called}, which stays secret)."
        return self._order_reason(name, code, slot)

    def _values(self) -> list[int]:
        """Return the true value of each slot."""
        codes = [(wire_of(s), s.value) for s in self.stand.slots]
        return [value_of(c) if c is not None else value_number(v or "") or 0 for c, v in codes]

    def _order_reason(self, name: str, code: int, slot: int) -> str:
        hidden = [i for i, s in enumerate(self.stand.slots) if s.state == "hidden" and i != slot]
        left = sum(1 for i in hidden if i < slot)
        right = len(hidden) - left
        parts = [
            f"{_count(n)} to its {side} {'is' if n == 1 else 'are'} {name} or {word}"
            for n, side, word in ((left, "left", "lower"), (right, "right", "higher"))
            if n
        ]
        shown = f"Showing the {wire_name(code)}"
        return f"{shown} tells that {' and '.join(parts)}." if parts else f"{shown} tells all."


def _count(n: int) -> str:
    words = ("no wire", "one wire", "two", "three", "four", "five", "six", "seven", "eight",
             "nine", "ten", "eleven", "twelve")  # fmt: skip
    text = words[n] if n < len(words) else str(n)
    return text if n < 2 else f"{text} wires"


def _teammate_means(
    position: Position, analysis: StandAnalysis, options: IndicateOptions, token: TokenKind
) -> Job[tuple[float, list[float], list[float]]]:
    """Estimate the mean entropy before a token, the mean gains, and the gains' standard errors."""
    rows: list[list[float]] = []
    baselines: list[float] = []
    hands = sample_teammate_hands(position, options.stand, options.samples, options.seed)
    for done, (total, hand) in enumerate(hands):
        yield Progress(done, total, "looking through the teammates' eyes")
        baseline, gains = _select_model(analysis.table(hand), token, options.model)
        baselines.append(baseline)
        rows.append(gains)
    if not rows:
        raise BadOption("There is no teammate with hidden wires.", "$.options.seen_by")
    columns = list(zip(*rows, strict=True))
    means = snap_ties([math.fsum(c) / len(c) for c in columns])
    errors = [_standard_error(c, m) for c, m in zip(columns, means, strict=True)]
    return math.fsum(baselines) / len(baselines), means, errors


def _standard_error(values: tuple[float, ...], mean: float) -> float:
    if len(values) < 2:
        return 0.0
    spread = math.fsum((v - mean) ** 2 for v in values)
    return math.sqrt(spread / (len(values) - 1) / len(values))


def band_of(resolved: float, token: TokenKind, model: Model) -> Band:
    """Return the band of a resolved share of the entropy; a bound belongs to the better band."""
    return BANDS[sum(resolved >= bound for bound in BAND_BOUNDS[model, token])]
