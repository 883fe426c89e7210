"""How well stated chances to win hold: whole games of mission 4, every seat choosing by games.

`python -m wasm_build.bench.rack_calibration FILE --games 100` plays games that FILE does not have,
and prints a table: choices by the chance that was stated for them, in tenths, with the share that
was won. Two outcomes: of the game as it went on, all seats choosing by games; and with the
seats' rule from there on, which is what the number says. Intervals hold 19 times in 20; choices of
one game share their luck, so they are taken over games.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from math import fsum, sqrt
from pathlib import Path
from typing import Any

from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.racing import RacingRollouts
from cluewise.desks.rack.verbs.games import DealtGame, RolloutPolicy

Row = dict[str, Any]


class StatedPolicy(RolloutPolicy):
    """A game in which the stated chance of each choice is kept, with how the rule ends it."""

    def __init__(self, dealt: DealtGame, seed: str, deals: int) -> None:
        super().__init__(dealt, seed, deals, held_out=1.0)
        self.stated: list[tuple[float, int]] = []

    def _value(self, race: RacingRollouts, best: int) -> None:
        deal = self.dealt.wires()
        won = rollout.play(race.words, deal, [race.choices[best]])[0][0]
        self.stated.append((race.chance(best), won))


def play(players: int, deals: int, game: int) -> Row:
    """One game: what was stated at each choice, what the rule made of it, whether it was won."""
    seed = f"calibration.{game}"
    policy = StatedPolicy(DealtGame(4, players, seed), seed, deals)
    won = int(policy.play())
    return {"players": players, "deals": deals, "game": game, "won": won, "stated": policy.stated}


def table(rows: list[Row]) -> Iterator[str]:
    """One line for each tenth of the stated chance."""
    yield "stated        mean   by the rule      as played        choices"
    for tenth in range(10):
        found = [
            [(p, rule, row["won"]) for p, rule in row["stated"] if min(int(10 * p), 9) == tenth]
            for row in rows
        ]
        found = [one for one in found if one]
        if found:
            said = [p for one in found for p, _, _ in one]
            parts = (_share(found, 1), _share(found, 2))
            shares = "   ".join(f"{100 * p:5.1f} ± {196 * e:4.1f}" for p, e in parts)
            yield (
                f"{10 * tenth:3} to {10 * tenth + 10:3} %  {100 * fsum(said) / len(said):5.1f}   "
                f"{shares}   {len(said):6}"
            )


def _share(games: list[list[tuple[float, int, int]]], which: int) -> tuple[float, float]:
    """The share won, and its standard error with games as clusters."""
    total = sum(map(len, games))
    share = sum(one[which] for game in games for one in game) / total
    off = [sum(one[which] - share for one in game) for game in games]
    return share, sqrt(fsum(x * x for x in off) + 0.25) / total


def main() -> None:
    """Play on, then print the table."""
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("file", type=Path)
    words.add_argument("--players", type=int, default=4)
    words.add_argument("--games", type=int, default=100)
    words.add_argument("--deals", type=int, default=512)
    given = words.parse_args()
    lines = given.file.read_text().splitlines() if given.file.exists() else []
    rows = [
        row
        for row in map(json.loads, lines)
        if (row["players"], row["deals"]) == (given.players, given.deals)
    ]
    done = {row["game"] for row in rows}
    with given.file.open("a") as out:
        for game in range(given.games):
            if game not in done:
                rows.append(play(given.players, given.deals, game))
                out.write(json.dumps(rows[-1]) + "\n")
                out.flush()
    print(*table(rows), sep="\n")


if __name__ == "__main__":
    main()
