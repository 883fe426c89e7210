"""What indications are worth on average: many dealt games, every choice of every player.

The published benchmark is reproduced by its own draw: every player looks at an untouched table;
standard and parity tokens are weighed in games of 0-4 yellow and 0-3 red wires, multiplicity
tokens in games of blue wires alone, where four of a kind count as if there were an x4 token. The
published means are 19.4, 5.0 and 2.35 per cent over all choices and 26.6, 7.7 and 6.4 over each
player's best; 21.9 per cent of the multiplicity choices are negative. Without the fours it is
2.43 per cent; with yellow and red wires 2.48, 5.68 the best, 17.1 negative.

Games as they are played weigh every token on the mixed table, without an x4. With standard
tokens, players show their best wire (published metric) in turn, and shown wires leave the pool of
those who come after; parity and multiplicity tokens take nothing from the pool.
"""

from __future__ import annotations

import random
from math import fsum, isnan, sqrt

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine.counting import snap_ties
from cluewise.desks.rack.game.deal import deal_hands, stand_owners, stand_sizes
from cluewise.desks.rack.game.table_edits import place_token, replace_stand
from cluewise.desks.rack.position import Position, TokenKind, Wires, dealt
from cluewise.desks.rack.results import Benchmark, Draw, SimulateOptions, Simulation
from cluewise.desks.rack.stand import Slot, Stand
from cluewise.desks.rack.verbs.indicate import BAND_BOUNDS, MODELS, TOKENS, StandAnalysis
from cluewise.parallel.tasks import ParallelContext, batch_count, run_batches

NAMES = [(model, token) for token in TOKENS for model in MODELS]
Sample = tuple[list[float], list[float], list[float]]  # shares, each player's best share, gains
Samples = list[Sample]  # in the order of NAMES
GAMES = 25  # a piece of work that is shared out
ASSUMED: dict[Draw, str] = {
    "published": "Untouched tables; standard and parity with 0–4 yellow and 0–3 red wires, "
    "multiplicity with blue wires alone, four of a kind counted as x4.",
    "played": "0–4 yellow and 0–3 red wires; standard tokens shown in turn.",
}


def simulate(
    position: Position, options: SimulateOptions, sharing: ParallelContext | None = None
) -> Job[Simulation]:
    """The benchmark table: everybody's every choice in games dealt at random."""
    samples: Samples = [([], [], []) for _ in NAMES]
    who = options.seed, options.players, options.draw
    yield from run_batches(
        played, who, options.games, GAMES, lambda value: _add(samples, value), "dealing games",
        sharing,
    )  # fmt: skip
    return _table(options, samples)


def simulation_tasks(_position: Position, options: SimulateOptions) -> int:
    """Batches of games."""
    return batch_count(options.games, GAMES)


def played(seed: int, players: int, draw: Draw, first: int, end: int) -> Job[Samples]:
    """What everybody's choices were worth in those games; every game has a seed of its own."""
    samples: Samples = [([], [], []) for _ in NAMES]
    play = _play_published if draw == "published" else _play
    for game in range(first, end):
        yield Progress(game, end, "dealing games")
        play(random.Random(f"{seed}.{game}"), players, samples)
    return samples


def _add(samples: Samples, more: Samples) -> None:
    for lists, others in zip(samples, more, strict=True):
        for one, other in zip(lists, others, strict=True):
            one += other


def _table(options: SimulateOptions, samples: Samples) -> Simulation:
    found = dict(zip(NAMES, samples, strict=True))
    rows = [_row(m, t, found[m, t], found["published", t][0]) for m, t in NAMES]
    return Simulation(
        options.games, options.players, options.seed, options.draw, ASSUMED[options.draw], rows
    )


def _mixed_wires(dice: random.Random) -> Wires:
    return Wires(
        yellow=tuple(f"Y{n}" for n in sorted(dice.sample(range(1, 12), dice.randint(0, 4)))),
        red=tuple(f"R{n}" for n in sorted(dice.sample(range(1, 12), dice.randint(0, 3)))),
    )


def _deal(wires: Wires, players: int, dice: random.Random) -> tuple[Position, list[list[str]]]:
    owners = stand_owners(players)
    sizes = stand_sizes(dealt(wires), len(owners))
    stands = tuple(Stand((Slot(),) * n, owner=o) for n, o in zip(sizes, owners, strict=True))
    table = Position(wires=wires, stands=stands, viewer=None)
    return table, deal_hands(table, dice)


def _play_published(dice: random.Random, players: int, samples: Samples) -> None:
    for wires, tokens in ((_mixed_wires(dice), TOKENS[:2]), (Wires(), TOKENS[2:])):
        table, hands = _deal(wires, players, dice)
        for i, hand in enumerate(hands):
            _note(samples, table, i, hand, tokens, most_times=4)


def _play(dice: random.Random, players: int, samples: Samples) -> None:
    table, hands = _deal(_mixed_wires(dice), players, dice)
    untouched = table
    for i, hand in enumerate(hands):
        best = _note(samples, table, i, hand, TOKENS[:1])
        _note(samples, untouched, i, hand, TOKENS[1:])
        if best is not None:
            table = place_token(table, i, best, hand)


def _note(
    samples: Samples,
    table: Position,
    i: int,
    hand: list[str],
    tokens: tuple[TokenKind, ...],
    most_times: int = 3,
) -> int | None:
    """Adds one stand's choices; the slot of its best token in the published metric."""
    known = replace_stand(table, i, slots=tuple(Slot(wire=wire) for wire in hand))
    reading = StandAnalysis(known, i)
    baselines, gains = reading.table(most_times=most_times)
    best: int | None = None
    for token in tokens:
        for m, model in enumerate(MODELS):
            column = snap_ties([row[3 * TOKENS.index(token) + m] for row in gains])
            here = [g for g in column if not isnan(g)]
            if not here or not baselines[m] > 0:
                continue
            shares, most, all_gains = samples[NAMES.index((model, token))]
            all_gains += here
            shares += [g / baselines[m] for g in here]
            most.append(max(here) / baselines[m])
            if model == "published":
                best = column.index(max(here))
    return best


def _row(model: str, token: str, sample: Sample, published: list[float]) -> Benchmark:
    shares, best, gains = sample
    n = max(len(shares), 1)
    mean = fsum(shares) / n
    spread = sqrt(fsum((s - mean) ** 2 for s in shares) / n)
    return Benchmark(
        model, token, len(shares), mean, spread,
        fsum(best) / max(len(best), 1),
        sum(g < 0 for g in gains) / n,
        min(gains, default=0.0), max(gains, default=0.0),
        _bounds(token, shares, published),
    )  # fmt: skip


def _bounds(token: str, shares: list[float], published: list[float]) -> list[float]:
    """Where the same share of choices lies below as below the published bounds."""
    ordered = sorted(shares)
    found = []
    for bound in next(b for (m, t), b in BAND_BOUNDS.items() if m == "published" and t == token):
        below = sum(s < bound for s in published) / max(len(published), 1)
        at = min(int(below * len(ordered)), len(ordered) - 1)
        found.append(ordered[at] if ordered else 0.0)
    return found
