"""The best that one seat can do on a tiny table, by expectimax over everything it may see."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from reference.rack import World
from reference.rack_play import Choice, Play

Line = list[tuple[Play, float]]


class TooManyNodes(Exception):
    """The table is not small enough."""


class Expectimax:
    """`value(choice)`: the chance to win when the seat does that now and its best ever after."""

    def __init__(
        self, position: dict[str, Any], worlds: list[tuple[World, Any]], seat: int,
        caution: tuple[float, float], most: int = 1500,
    ) -> None:  # fmt: skip
        steps = position["detonator"]
        self.seat, self.left = seat, most
        self.start: Line = [
            (Play(position, world, seat, steps, caution), float(p)) for world, p in worlds
        ]
        self.chosen: dict[Any, Choice] = {}

    def options(self) -> list[Choice]:
        """What the seat may do now."""
        return list(legal(self.start[0][0]))

    def value(self, choice: Choice) -> float:
        """The chance to win after a choice, with the seat's best from then on."""
        return self.after(self.start, [choice] * len(self.start))

    def after(self, line: Line, choices: list[Choice]) -> float:
        self.left -= 1
        if self.left < 0:
            raise TooManyNodes
        won = 0.0
        seen: dict[Any, Line] = {}
        for (play, p), choice in zip(line, choices, strict=True):
            then = fork(play)
            end = then.act(choice)
            if end is None:
                seen.setdefault((choice, public(then)), []).append((then, p))
            else:
                won += p * end
        return won + sum(self.best(one) for one in seen.values())

    def best(self, line: Line) -> float:
        play = line[0][0]
        if play.turn != self.seat:
            return self.after(line, [self.choice_of(one) for one, _ in line])
        return max(self.after(line, [choice] * len(line)) for choice in legal(play))

    def choice_of(self, play: Play) -> Choice:
        """What another seat does by its rule, which hangs on its hand and what lies open."""
        hand = tuple(play.world[at] for at in play.uncut(play.turn))
        key = hand, public(play)
        if key not in self.chosen:
            self.chosen[key] = play.choose()
        return self.chosen[key]


def fork(play: Play) -> Play:
    """The same game, to be gone on with."""
    then = copy.copy(play)
    then.stands = copy.deepcopy(play.stands)
    return then


def public(play: Play) -> Any:
    """What everybody sees, as a key."""
    rows = []
    for i, stand in enumerate(play.stands):
        slots = tuple(
            (s["state"], tuple(s["tokens"]), play.world[i, j] if s["state"] == "cut" else
             play.value((i, j)) if s["state"] == "info" else None)
            for j, s in enumerate(stand["slots"])
        )  # fmt: skip
        rows.append((slots, tuple(sorted((f["kind"], f["value"]) for f in stand["facts"]))))
    return play.turn, play.steps, tuple(rows)


def legal(play: Play) -> Iterator[Choice]:
    """The plain cuts of the player to move."""
    mine = play.uncut(play.turn)
    own = [play.value(at) for at in mine]
    if set(own) == {"RED"}:
        yield "reveal", 0, 0, "RED"
        return
    for value in sorted(set(own) - {"RED"}):
        left = sum(play.value(at) == value for at in play.uncut())
        if own.count(value) == left and (value == "YELLOW" or left % 2 == 0):
            yield "solo", 0, 0, value
        for at in play.uncut():
            if at not in mine:
                yield "dual", *at, value
