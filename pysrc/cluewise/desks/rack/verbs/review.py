"""The verb `review`: a finished game turn by turn, each decision separated from luck.

A decision is judged by the knowledge of the player who made it: the chance to win after the choice
less that after the best one. A race of rollouts finds the best one; both chances are then estimated
on held-out deals, so that the selection does not bias the difference. Luck is the effect of the
result: the chance on deals that fit it, less the chance on all deals that fit the knowledge before.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import fsum, sqrt

import msgspec

from cluewise.core.work import Job, Progress, map_progress
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.racing import BLOCK_GAMES, NOTE, RacingRollouts
from cluewise.desks.rack.engine.rollout import POLICY_MOVE, Choice
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
    ELIMINATION,
    choice_of,
    deliberate_misses,
    initial_candidates,
)
from cluewise.desks.rack.verbs.mission import with_wires
from cluewise.desks.rack.verbs.outcome import outcome
from cluewise.desks.rack.verbs.use import use
from cluewise.errors import BadOption, CluewiseError

RACE_GAMES = 8  # games of a race, as a multiple of those of one chance
JUDGED = {*rollout.CHOICE_KINDS, "miss"}
SIGNIFICANT = 2.0  # standard errors
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
    """Compute every turn's chance to win before and after, its decision and its luck.

    `position` is the table before the first turn. Raises BadOption if a turn is impossible.
    Progress has the review of the turns so far as `best`.
    """
    played = yield from _replay(position, options.turns)
    hands = _known_hands(position, played)
    turns: list[ReviewedTurn] = []
    for i, one in enumerate(played):
        note = f"reviewing turn {i + 1}"
        yield Progress(i, len(played), note, _result(played, turns))
        following = played[i + 1].actor if i + 1 < len(played) else None
        turn = _TurnReview(one, hands, following, options.games).review()
        turns.append((yield from map_progress(turn, _without_best)))
    return _result(played, turns)


def _without_best(step: Progress) -> Progress:
    return Progress(step.done, step.total, step.note)


def _replay(position: Position, turns: Sequence[PlayedTurn]) -> Job[list[_Played]]:
    """Apply the turns one after the other. Raises BadOption if one is impossible."""
    table, played = position, list[_Played]()
    for i, turn in enumerate(turns):
        at = f"$.options.turns[{i}]"
        table = turn.position or table
        if (turn.outcome is None) == (turn.use is None):
            raise BadOption("A turn is either a cut (outcome) or a card (use).", at)
        action = turn.outcome or turn.use
        assert action is not None
        actor = table.viewer if action.actor is None else action.actor
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
    """Return each stand's wires as known at the end of the game; None where they are not."""
    sealed = unseal_hands(position)
    if sealed:
        return [list(hand) for hand in sealed]
    last = played[-1].after if played else position
    if any("moved" in slot.tokens for stand in last.stands for slot in stand.slots):
        return [[None] * len(stand.slots) for stand in last.stands]
    return [[slot.wire for slot in stand.slots] for stand in last.stands]


class _TurnReview:
    """The review of a turn, by its player's knowledge if those wires are known, else the viewer's.

    `following`: the player of the next turn, if there is one; `games`: rollouts for a chance.
    """

    def __init__(self, played: _Played, hands: Hands, following: int | None, games: int) -> None:
        self.played, self.games = played, games
        self.following = following
        owned = played.before.stands_of(played.actor)
        viewer = played.before.viewer
        self.own = viewer == played.actor or all(None not in hands[i] for i in owned)
        seat = played.actor if self.own else viewer
        self.seat = played.actor if seat is None else seat
        self.before, self.after = (
            _seen(table, hands, self.seat) for table in (played.before, played.after)
        )

    def review(self) -> Job[ReviewedTurn]:
        """Compute the chances, or a note on why there are none."""
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
            before = yield from self._chance(self.before, self.played.actor, POLICY_MOVE)
            why = (
                "Decisions with equipment are not judged."
                if self.own
                else "Decisions of players whose wires are not known are not judged."
            )
            return msgspec.structs.replace(row, before=before, note=why)
        return (yield from self._judged(row, chosen))

    def _judged(self, row: ReviewedTurn, chosen: Choice) -> Job[ReviewedTurn]:
        """Add decision and luck to the row of a turn with its chance after the result."""
        assert row.after is not None
        listed = yield from self._candidates()
        choices = {i: choice_of(cut) for i, cut in enumerate(listed)}
        mine = next((i for i, one in choices.items() if _same(one, chosen)), len(listed))
        choices.setdefault(mine, chosen)
        race = RacingRollouts(rollout.encode_game(self.before), choices, threshold=ELIMINATION)
        games = race.run(max_games=self.games, total_games=RACE_GAMES * self.games)
        yield from map_progress(games, _without_best)
        best = mine if mine in race.equal_to_best() else race.best()
        made, top, gap = yield from self._compare(choices[mine], choices[best])
        return msgspec.structs.replace(
            row,
            before=top,
            decision=gap,
            luck=row.after.chance - made.chance,
            best=listed[best] if best != mine else None,
        )

    def _candidates(self) -> Job[list[Cut]]:
        """Return the cuts and misses that are raced, as for advice."""
        options = CutsOptions(actions=list(rollout.CHOICE_KINDS))
        advice = yield from map_progress(cuts(self.before, options), _without_best)
        plain = advice.options
        hand = PlayerView(self.before, agreement(self.before).pack(self.before))
        first = [plain[i] for i in initial_candidates(plain, advice.front)]
        return [*first, *deliberate_misses(hand, plain)]

    def _compare(self, made: Choice, best: Choice) -> Job[tuple[Chance, Chance, Chance]]:
        """Estimate the chances after both choices, and the difference, on the same deals."""
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
        """Estimate the chance given the result; a sentence if it cannot be simulated."""
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
        return (yield from self._chance(self.after, mover, POLICY_MOVE))

    def _chosen(self) -> Choice | None:
        """Return the choice made, encoded for the kernel; None if it is not judged."""
        made = self.played.turn.outcome
        if made is None or not self.own or made.action not in JUDGED or made.stabilized:
            return None
        return _choice(self.before, made, self.played.actor)

    def _chance(self, table: Position, mover: int, choice: Choice) -> Job[Chance]:
        deals, weights = self._deals(table)
        (won,) = yield from self._play(table, mover, deals, [choice])
        return _chance(won, weights)

    def _deals(self, table: Position) -> tuple[array[int], list[float]]:
        """Return all deals that fit the seat's knowledge with their chances, or a sample and []."""
        game = rollout.encode_game(table)
        return rollout.enumerate_deals(game) or (rollout.draw_deals(game, 1, self.games), [])

    def _play(
        self, table: Position, mover: int, deals: array[int], choices: list[Choice]
    ) -> Job[list[list[int]]]:
        game, size = rollout.encode_game(table, mover=mover), BLOCK_GAMES * rollout.DEAL
        won: list[list[int]] = [[] for _ in choices]
        for at in range(0, len(deals), size):
            yield Progress(at, len(deals), NOTE)
            more = rollout.play_choices(game, deals[at : at + size], choices)[0]
            for mine, some in zip(won, more, strict=True):
                mine += some
        return won


def next_seat(table: Position, actor: int) -> int | None:
    """Return the next player clockwise with wires; None if no player has any."""
    seats = len(table.seats())
    order = ((actor + n) % seats for n in range(1, seats + 1))
    return next((seat for seat in order if has_wires(table, seat)), None)


def is_won(table: Position) -> bool:
    """Return whether only red wires are left, or none."""
    values = range(1, YELLOW + 1)
    return next_seat(table, 0) is None or not any(left_of(table, value) for value in values)


def _seen(table: Position, hands: Hands, seat: int) -> Position:
    """Return the table as a player sees it, as far as that player's wires are known."""
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
    """Encode a noted cut; None if it points at several wires with equipment, or at none."""
    value, kind = value_number(made.value) or 0, rollout.CHOICE_KINDS.get(made.action, 0)
    if made.action in ("solo", "reveal"):
        return rollout.encode_choice(kind, [(table.stands_of(actor)[0], 0)], value)
    places = [(made.stand, slot) for slot in made.slots] + list(made.also)
    if not places or (made.action != "together" and len(places) > 1):
        return None
    return rollout.encode_choice(kind, places, value)


def _same(one: Choice, other: Choice) -> bool:
    """Return whether two choices are equivalent; places of solo cuts and reveals do not count."""
    if one[0] != other[0] or one[0] == rollout.CHOICE_KINDS["reveal"]:
        return one[0] == other[0]
    return one[3] == other[3] and (one[0] == rollout.CHOICE_KINDS["solo"] or one == other)


def _chance(won: Sequence[int], weights: Sequence[float]) -> Chance:
    """Return the mean outcome with its standard error; exact if the deals have weights.

    The sum of squares is increased by one, so that equal outcomes have an error too.
    """
    if weights:
        return Chance(fsum(p * w for p, w in zip(weights, won, strict=True)), 0.0)
    n, total, squares = len(won), sum(won), sum(w * w for w in won)
    return Chance(total / n, sqrt((squares - total * total / n + 1) / (n * (n - 1))))


def _result(played: Sequence[_Played], turns: list[ReviewedTurn]) -> Review:
    lost = bool(played) and played[-1].exploded
    won = bool(played) and not lost and is_won(played[-1].after)
    losses = [turn.decision.chance if turn.decision else 0.0 for turn in turns]
    falls = [
        turn.before.chance - turn.after.chance if turn.before and turn.after else 0.0
        for turn in turns
    ]
    worst = max(range(len(turns)), key=lambda i: (falls[i], i), default=None) if lost else None
    mistakes = [
        i
        for i, turn in enumerate(turns)
        if turn.decision and turn.decision.chance + SIGNIFICANT * turn.decision.error < 0
    ]
    result = Review(
        turns=list(turns),
        ended="lost" if lost else "won" if won else "open",
        decisions=fsum(losses),
        luck=fsum(turn.luck or 0.0 for turn in turns),
        lost=None if worst is None or falls[worst] <= 0 else worst,
        mistake=min(mistakes, key=lambda i: losses[i], default=None),
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
    """Format a change of the chance: `"−12 points"`."""
    text = f"{100 * change:+.0f}".replace("-", "−")
    return f"{'0' if text[1:] == '0' else text} points"
