"""The verb `review`: a game looked back on, each turn's decision separated from its luck.

A decision is judged from the knowledge of the player who made it, on games played out from deals
that fit it: the chance after her choice less that after the best one, on deals that the best one
was not chosen on. Luck is what the result changed: the chance on deals that fit the result, less
that on all deals.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import fsum, sqrt

import msgspec

from cluewise.core.work import Job, Progress, map_progress
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.racing import BLOCK, LISTED, RacingRollouts
from cluewise.desks.rack.engine.rollout import BY_RULE, Choice
from cluewise.desks.rack.engine.token_convention import agreement
from cluewise.desks.rack.game.legal import left_of
from cluewise.desks.rack.game.play import has_wires
from cluewise.desks.rack.game.table_edits import number_cut_yellow, unseal_hands
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import (
    Chance,
    Cut,
    CutsOptions,
    OutcomeOptions,
    PlayedTurn,
    Review,
    ReviewedTurn,
    ReviewOptions,
)
from cluewise.desks.rack.stand import YELLOW, Slot, value_number
from cluewise.desks.rack.verbs.cuts import cuts
from cluewise.desks.rack.verbs.cuts_hand import PlayerView
from cluewise.desks.rack.verbs.cuts_win import (
    PATIENCE,
    choice_of,
    deliberate_misses,
    initial_candidates,
)
from cluewise.desks.rack.verbs.mission import with_wires
from cluewise.desks.rack.verbs.outcome import outcome
from cluewise.desks.rack.verbs.use import use
from cluewise.errors import BadOption, CluewiseError

RACED = 8  # games of all choices together, for each one that values the best
JUDGED = {*rollout.CHOICE_KINDS, "miss"}
BEYOND = 2.0  # standard errors
Hands = list[list[str | None]]


class _Played(msgspec.Struct):
    """A turn with the tables before and after it."""

    turn: PlayedTurn
    actor: int
    before: Position
    after: Position
    text: str
    exploded: bool


def review(position: Position, options: ReviewOptions) -> Job[Review]:
    """Every turn's chance to win before and after, its decision and its luck.

    `position` is the table before the first turn. Raises BadOption where a turn cannot have been
    played. The turns reviewed so far go out with the progress.
    """
    played = yield from _replay(position, options.turns)
    hands = _known_hands(position, played)
    turns: list[ReviewedTurn] = []
    for i, one in enumerate(played):
        note = f"looking at turn {i + 1}"
        yield Progress(i, len(played), note, _result(played, turns))
        following = played[i + 1].actor if i + 1 < len(played) else None
        turn = _Judge(one, hands, following, options.games).turn()
        turns.append((yield from map_progress(turn, _without_best)))
    return _result(played, turns)


def _without_best(step: Progress) -> Progress:
    return Progress(step.done, step.total, step.note)


def _replay(position: Position, turns: Sequence[PlayedTurn]) -> Job[list[_Played]]:
    table, played = position, list[_Played]()
    for i, turn in enumerate(turns):
        at = f"$.options.turns[{i}]"
        table = turn.position or table
        if (turn.outcome is None) == (turn.use is None):
            raise BadOption("A turn is either a cut (outcome) or a card (use).", at)
        given = turn.outcome or turn.use
        assert given is not None
        actor = table.viewer if given.actor is None else given.actor
        if actor is None:
            raise BadOption("Say who acted, or whose view it is.", f"{at}.actor")
        try:
            if turn.outcome is not None:
                done = yield from outcome(table, turn.outcome)
            else:
                assert turn.use is not None
                done = yield from use(table, turn.use)
        except CluewiseError as problem:
            raise BadOption(f"Turn {i + 1}: {problem.message}", at) from None
        exploded = done.exploded or done.position.detonator == 0
        played.append(_Played(turn, actor, table, done.position, done.text, exploded))
        table = done.position
    return played


def _known_hands(position: Position, played: Sequence[_Played]) -> Hands:
    """Each stand's wires as far as the end of the game shows them; None where it does not."""
    sealed = unseal_hands(position)
    if sealed:
        return [list(hand) for hand in sealed]
    last = played[-1].after if played else position
    if any("moved" in slot.tokens for stand in last.stands for slot in stand.slots):
        return [[None] * len(stand.slots) for stand in last.stands]
    return [[slot.wire for slot in stand.slots] for stand in last.stands]


class _Judge:
    """One turn, looked at by the player who took it, or by the viewer."""

    def __init__(self, played: _Played, hands: Hands, following: int | None, games: int) -> None:
        self.played, self.games = played, games
        self.following = following
        owned = [i for i in range(len(hands)) if played.before.owner_of(i) == played.actor]
        viewer = played.before.viewer
        self.own = viewer == played.actor or all(None not in hands[i] for i in owned)
        seat = played.actor if self.own else viewer
        self.seat = played.actor if seat is None else seat
        self.before, self.after = (
            _seen(table, hands, self.seat) for table in (played.before, played.after)
        )

    def turn(self) -> Job[ReviewedTurn]:
        """The chances, or why there are none."""
        played = self.played
        row = ReviewedTurn(
            played.actor, played.text, self.seat, None, None, None, None, None,
            rollout.refusal(self.before),
        )  # fmt: skip
        if row.note:
            return row
        try:
            after = yield from self._after()
        except CluewiseError as problem:
            return msgspec.structs.replace(row, note=problem.message)
        if isinstance(after, str):
            return msgspec.structs.replace(row, note=after)
        row = msgspec.structs.replace(row, after=after)
        chosen = self._chosen()
        if chosen is None:
            before = yield from self._chance(self.before, self.played.actor, BY_RULE)
            why = (
                "Decisions with equipment are not judged."
                if self.own
                else "Decisions of players whose wires are not known are not judged."
            )
            return msgspec.structs.replace(row, before=before, note=why)
        return (yield from self._judged(row, chosen))

    def _judged(self, row: ReviewedTurn, chosen: Choice) -> Job[ReviewedTurn]:
        assert row.after is not None
        listed = yield from self._choices()
        choices = {i: choice_of(cut) for i, cut in enumerate(listed)}
        mine = next((i for i, one in choices.items() if _same(one, chosen)), len(listed))
        choices.setdefault(mine, chosen)
        race = RacingRollouts(rollout.encode_game(self.before), choices, patience=PATIENCE)
        yield from map_progress(race.run(most=self.games, in_all=RACED * self.games), _without_best)
        best = race.best()
        if mine in race.equals():
            best = mine
        made, top, gap = yield from self._compared(choices[mine], choices[best])
        return msgspec.structs.replace(
            row,
            before=top,
            decision=gap,
            luck=row.after.chance - made.chance,
            best=listed[best] if best != mine else None,
        )

    def _choices(self) -> Job[list[Cut]]:
        """The cuts and misses worth a game, as the advice has them."""
        asked = CutsOptions(actions=list(rollout.CHOICE_KINDS))
        advice = yield from map_progress(cuts(self.before, asked), _without_best)
        plain = advice.options
        hand = PlayerView(self.before, agreement(self.before).pack(self.before))
        first = [plain[i] for i in initial_candidates(plain, advice.front)]
        return [*first, *deliberate_misses(hand, plain)]

    def _compared(self, made: Choice, best: Choice) -> Job[tuple[Chance, Chance, Chance]]:
        """The chances after both, and the difference, on the same deals."""
        if made == best:
            one = yield from self._chance(self.before, self.played.actor, made)
            return one, one, Chance(0.0, 0.0)
        deals, weights = self._deals(self.before)
        won = yield from self._play(self.before, self.played.actor, deals, [made, best])
        return (
            _chance(won[0], weights),
            _chance(won[1], weights),
            _chance([a - b for a, b in zip(*won, strict=True)], weights),
        )

    def _after(self) -> Job[Chance | str]:
        """The chance once the result was seen; a sentence where it is not played out."""
        if self.played.exploded:
            return Chance(0.0, 0.0)
        if is_won(self.after):
            return Chance(1.0, 0.0)
        why = rollout.refusal(self.after)
        if why:
            return why
        mover = self.following
        if mover is None or not has_wires(self.after, mover):
            mover = next_seat(self.after, self.played.actor)
        assert mover is not None  # else the game is won
        return (yield from self._chance(self.after, mover, BY_RULE))

    def _chosen(self) -> Choice | None:
        """The choice made as the kernel numbers it; None where it is not judged."""
        made = self.played.turn.outcome
        if made is None or not self.own or made.action not in JUDGED or made.stabilized:
            return None
        return _choice(self.before, made, self.played.actor)

    def _chance(self, table: Position, mover: int, choice: Choice) -> Job[Chance]:
        deals, weights = self._deals(table)
        (won,) = yield from self._play(table, mover, deals, [choice])
        return _chance(won, weights)

    def _deals(self, table: Position) -> tuple[array[int], list[float]]:
        """Deals that fit what the seat knows; with the chance of each where they are all."""
        words = rollout.encode_game(table)
        listed = rollout.all_deals(words, LISTED)
        return listed or (rollout.draw_deals(words, 1, self.games), [])

    def _play(
        self, table: Position, mover: int, deals: array[int], choices: list[Choice]
    ) -> Job[list[list[int]]]:
        words, size = rollout.encode_game(table, mover=mover), BLOCK * rollout.DEAL
        won: list[list[int]] = [[] for _ in choices]
        for at in range(0, len(deals), size):
            yield Progress(at, len(deals), "simulating games")
            more = rollout.play(words, deals[at : at + size], choices)[0]
            for mine, some in zip(won, more, strict=True):
                mine += some
        return won


def next_seat(table: Position, actor: int) -> int | None:
    """The next player clockwise who has wires left; None if there is none."""
    seats = len(table.seats())
    order = ((actor + n) % seats for n in range(1, seats + 1))
    return next((seat for seat in order if has_wires(table, seat)), None)


def is_won(table: Position) -> bool:
    """Whether only red wires are left, or none."""
    values = range(1, YELLOW + 1)
    return next_seat(table, 0) is None or not any(left_of(table, value) for value in values)


def _seen(table: Position, hands: Hands, seat: int) -> Position:
    """The table as a player sees it, as far as her wires are known."""
    whole = [
        [slot.wire or wire for slot, wire in zip(stand.slots, hand, strict=False)]
        if len(stand.slots) == len(hand)
        else [slot.wire for slot in stand.slots]
        for stand, hand in zip(table.stands, hands, strict=True)
    ]
    stands = [
        msgspec.structs.replace(stand, slots=tuple(map(_cut_wire, stand.slots, hand)))
        for stand, hand in zip(table.stands, whole, strict=True)
    ]
    bare = msgspec.structs.replace(table, sealed=None, stands=tuple(stands))
    return number_cut_yellow(with_wires(bare, whole, seat))


def _cut_wire(slot: Slot, wire: str | None) -> Slot:
    return msgspec.structs.replace(slot, wire=wire) if slot.state == "cut" else slot


def _choice(table: Position, made: OutcomeOptions, actor: int) -> Choice | None:
    value, kind = value_number(made.value) or 0, rollout.CHOICE_KINDS.get(made.action, 0)
    if made.action in ("solo", "reveal"):
        own = next(i for i in range(len(table.stands)) if table.owner_of(i) == actor)
        return rollout.choice_at(kind, [(own, 0)], value)
    places = [(made.stand, slot) for slot in made.slots] + list(made.also)
    if not places or (made.action != "together" and len(places) > 1):
        return None
    return rollout.choice_at(kind, places, value)


def _same(one: Choice, other: Choice) -> bool:
    """Whether two choices do the same: a solo cut is named by its value, red is only shown."""
    if one[0] != other[0] or one[0] == rollout.CHOICE_KINDS["reveal"]:
        return one[0] == other[0]
    return one[3] == other[3] and (one[0] == rollout.CHOICE_KINDS["solo"] or one == other)


def _chance(won: Sequence[int], weights: Sequence[float]) -> Chance:
    """The mean of games with its standard error, or of all deals, whose error is 0."""
    if weights:
        return Chance(fsum(p * w for p, w in zip(weights, won, strict=True)), 0.0)
    n, gap, squares = len(won), sum(won), sum(w * w for w in won)
    return Chance(gap / n, sqrt((squares - gap * gap / n + 1) / (n * (n - 1))))


def _result(played: Sequence[_Played], turns: list[ReviewedTurn]) -> Review:
    lost = bool(played) and played[-1].exploded
    won = bool(played) and not lost and is_won(played[-1].after)
    given = [turn.decision.chance if turn.decision else 0.0 for turn in turns]
    falls = [
        turn.before.chance - turn.after.chance if turn.before and turn.after else 0.0
        for turn in turns
    ]
    worst = max(range(len(turns)), key=lambda i: (falls[i], i), default=None) if lost else None
    faults = [
        i
        for i, turn in enumerate(turns)
        if turn.decision and turn.decision.chance + BEYOND * turn.decision.error < 0
    ]
    result = Review(
        turns=list(turns),
        ended="lost" if lost else "won" if won else "open",
        decisions=fsum(given),
        luck=fsum(turn.luck or 0.0 for turn in turns),
        lost=None if worst is None or falls[worst] <= 0 else worst,
        mistake=min(faults, key=lambda i: given[i], default=None),
        summary=[],
    )
    return msgspec.structs.replace(result, summary=_summary(result))


def _summary(result: Review) -> list[str]:
    found = list[str]()
    if result.lost is not None:
        turn = result.turns[result.lost]
        assert turn.before
        assert turn.after
        parts = (
            f": {_points(turn.decision.chance)} by the decision, {_points(turn.luck)} by luck"
            if turn.decision and turn.luck is not None
            else ""
        )
        found.append(
            f"Turn {result.lost + 1} lost the game: {turn.text.rstrip('.')}. The chance to win was "
            f"{turn.before.chance:.0%} before it and {turn.after.chance:.0%} after it{parts}."
        )
    if result.mistake is not None:
        turn = result.turns[result.mistake]
        assert turn.decision
        found.append(
            f"The decision of turn {result.mistake + 1} gave most away: "
            f"{-100 * turn.decision.chance:.0f} ± {196 * turn.decision.error:.0f} points."
        )
    if any(turn.decision for turn in result.turns):
        found.append(
            f"All decisions together: {_points(result.decisions)}. Luck: {_points(result.luck)}."
        )
    return found


def _points(change: float) -> str:
    """A change of the chance in words: `"−12 points"`."""
    text = f"{100 * change:+.0f}".replace("-", "−")
    return f"{'0' if text[1:] == '0' else text} points"
