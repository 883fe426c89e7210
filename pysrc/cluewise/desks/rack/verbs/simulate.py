"""The verb `simulate`: the mean information gain of first tokens over randomly dealt games.

`--draw published` reproduces the published benchmark: every player sees an untouched table;
standard and parity tokens are evaluated in games with 0-4 yellow and 0-3 red wires, multiplicity
tokens in games of blue wires only, where four of a kind count as an x4 token. The published means
are 19.4, 5.0 and 2.35 per cent over all choices and 26.6, 7.7 and 6.4 over each player's best one;
21.9 per cent of the multiplicity choices are negative. Without x4 the mean is 2.43 per cent; with
yellow and red wires too it is 2.48, 5.68 for the best choices, and 17.1 per cent are negative.

`--draw played`: all tokens are evaluated on the mixed table, without an x4. Standard tokens are
placed in turn, each player's best one by the published metric, and the shown wires leave the pool
of the players that follow; parity and multiplicity tokens leave the pool unchanged.

Cost: one kernel call per stand and table; batches of BATCH_GAMES games are parallel tasks.
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
BATCH_GAMES = 25  # of a parallel task
ASSUMED: dict[Draw, str] = {
    "published": "Untouched tables; standard and parity with 0–4 yellow and 0–3 red wires, "
    "multiplicity with blue wires alone, four of a kind counted as x4.",
    "played": "0–4 yellow and 0–3 red wires; standard tokens shown in turn.",
}


def simulate(
    position: Position, options: SimulateOptions, sharing: ParallelContext | None = None
) -> Job[Simulation]:
    """Compute the benchmark table over all choices of all players in random deals."""
    samples: Samples = [([], [], []) for _ in NAMES]
    who = options.seed, options.players, options.draw
    yield from run_batches(
        sample_games, who, options.games, BATCH_GAMES, lambda value: _add(samples, value),
        "dealing games", sharing,
    )  # fmt: skip
    return _table(options, samples)


def simulation_tasks(_position: Position, options: SimulateOptions) -> int:
    """Return the number of parallel tasks."""
    return batch_count(options.games, BATCH_GAMES)


def sample_games(seed: int, players: int, draw: Draw, first: int, end: int) -> Job[Samples]:
    """Sample the choices of the games from `first` to `end`, each with its own seed."""
    samples: Samples = [([], [], []) for _ in NAMES]
    sample = _sample_published if draw == "published" else _sample_played
    for game in range(first, end):
        yield Progress(game, end, "dealing games")
        sample(random.Random(f"{seed}.{game}"), players, samples)
    return samples


def _add(samples: Samples, more: Samples) -> None:
    for lists, others in zip(samples, more, strict=True):
        for one, other in zip(lists, others, strict=True):
            one += other


def _table(options: SimulateOptions, samples: Samples) -> Simulation:
    by_name = dict(zip(NAMES, samples, strict=True))
    rows = [_row(m, t, by_name[m, t], by_name["published", t][0]) for m, t in NAMES]
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


def _sample_published(dice: random.Random, players: int, samples: Samples) -> None:
    for wires, tokens in ((_mixed_wires(dice), TOKENS[:2]), (Wires(), TOKENS[2:])):
        table, hands = _deal(wires, players, dice)
        for i, hand in enumerate(hands):
            _add_choices(samples, table, i, hand, tokens, most_times=4)


def _sample_played(dice: random.Random, players: int, samples: Samples) -> None:
    table, hands = _deal(_mixed_wires(dice), players, dice)
    untouched = table
    for i, hand in enumerate(hands):
        best = _add_choices(samples, table, i, hand, TOKENS[:1])
        _add_choices(samples, untouched, i, hand, TOKENS[1:])
        if best is not None:
            table = place_token(table, i, best, hand)


def _add_choices(
    samples: Samples,
    table: Position,
    i: int,
    hand: list[str],
    tokens: tuple[TokenKind, ...],
    most_times: int = 3,
) -> int | None:
    """Add one stand's choices; return the slot of its best token by the published metric."""
    known = replace_stand(table, i, slots=tuple(Slot(wire=wire) for wire in hand))
    baselines, gains = StandAnalysis(known, i).table(most_times=most_times)
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
    """Return bounds with as large a share of choices below as the published ones (quantiles)."""
    ordered = sorted(shares)
    bounds = []
    for bound in next(b for (m, t), b in BAND_BOUNDS.items() if m == "published" and t == token):
        below = sum(s < bound for s in published) / max(len(published), 1)
        at = min(int(below * len(ordered)), len(ordered) - 1)
        bounds.append(ordered[at] if ordered else 0.0)
    return bounds
