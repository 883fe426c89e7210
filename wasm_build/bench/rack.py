"""Benchmark of the rack desk: win rates of policies, and calibration of stated chances to win.

`python -m wasm_build.bench.rack FILE --minutes 30` plays whole games of mission 4, alternating four
and five players, and appends one JSON line a game: which policies (`ways`) won on that deal, and
the chance stated at every choice. A later run resumes at the first game that FILE lacks;
`--minutes 0` only prints the tables. Each line records its settings, and only lines with the
mission, red wires, deals and policies of the command line count, so one file may hold several runs.

Tables, for each number of players:
1. win rates, paired on the same deals, with 95 % intervals;
2. reliability table: choices by stated chance, in deciles, against the share won (a) if the seats'
   rule plays on after the choice, which is what the number states, and (b) in the game as played,
   where every seat chooses by rollouts. Choices of one game are correlated, so standard errors are
   clustered by game;
3. the same with `chance_followed` in place of the stated chance.

`--native FOLDER` uses the kernel compiled for this machine, with identical results, and caches the
library in FOLDER. With `--processes N` each process plays every N-th game and appends to FILE.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from math import fsum, sqrt
from pathlib import Path
from typing import Any

from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.racing import RacingRollouts
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import GamesOptions, Way, WinRates
from cluewise.desks.rack.verbs.cuts_win import chance_followed, share_cut
from cluewise.desks.rack.verbs.games import (
    HELD_OUT,
    Record,
    RolloutPolicy,
    check_options,
    play_by_rule,
    play_raced,
    win_rates,
    win_shares,
)
from cluewise.desks.rack.verbs.mission import DealtGame
from wasm_build.codegen import kernel, native_kernel

ROOT = Path(__file__).resolve().parents[2]
WAYS: list[Way] = ["likeliest", "careful", "spare", "win", "misses"]
SEED = 1
HELD_OUT_SEED = 1 << 29  # offset from the seeds of a race to those of held-out deals
Row = dict[str, Any]


def read_games(options: argparse.Namespace) -> dict[int, dict[int, Row]]:
    """The file's games with these settings, by players and game number; skips truncated lines."""
    games: dict[int, dict[int, Row]] = {}
    settings = {name: getattr(options, name) for name in ("mission", "red", "deals", "ways")}
    for line in options.file.read_text().splitlines() if options.file.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if all(row.get(name) == value for name, value in settings.items()):
            games.setdefault(row["players"], {})[row["game"]] = row
    return games


class RecordingPolicy(RolloutPolicy):
    """Records each choice in `stated`: chance to win, whether the seats' rule wins, share cut.

    Unless the race is exact, the chance is estimated on held-out deals: the winner's share in its
    own race is biased upwards (winner's curse).
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.stated: list[tuple[float, int, float]] = []

    def note(self, seen: Position, race: RacingRollouts, best: int) -> None:
        """Record the chosen cut."""
        choice, chance = [race.choices[best]], race.chance(best)
        if not race.exact:
            deals = rollout.draw_deals(race.game, race.seed + HELD_OUT_SEED, HELD_OUT)
            (chance,) = win_shares(race.game, deals, choice)
        won = rollout.play_choices(race.game, self.dealt.wires(), choice)[0][0][0]
        self.stated.append((chance, won, share_cut(seen)))


def play_game(options: argparse.Namespace, players: int, game: int) -> Row:
    """Play one deal by every policy; return its line of the file."""
    seed = f"{SEED}.{game}"
    dealt = DealtGame(options.mission, players, seed, options.red)
    raced = play_raced(dealt, seed, options.ways, options.deals, policy=RecordingPolicy)
    won = [raced[way].won if way in raced else play_by_rule(dealt, way) for way in options.ways]
    recorded = (policy for policy in raced.values() if isinstance(policy, RecordingPolicy))
    stated = next((policy.stated for policy in recorded), [])
    return {
        "mission": options.mission, "red": options.red, "players": players, "deals": options.deals,
        "ways": options.ways, "game": game, "won": won, "stated": stated,
        "raced": next((policy.won for policy in raced.values()), 0),
    }  # fmt: skip


def compute_rates(rows: list[Row], options: argparse.Namespace, players: int) -> WinRates:
    """The result of the desk's verb `games` for these games."""
    record: Record = [[row["won"][way] for row in rows] for way in range(len(options.ways))], []
    settings = GamesOptions(
        mission=options.mission, players=players, games=len(rows), seed=SEED, deals=options.deals,
        ways=options.ways,
    )  # fmt: skip
    return win_rates(settings, record)


def format_rates(rates: WinRates) -> Iterator[str]:
    """Lines of the table of win rates: percent and percentage points, 95 % intervals."""
    yield f"{rates.players} players, {rates.games} games on the same deals, {rates.deals} a choice"
    for row in rates.rows:
        gain = f"{100 * row.gain:+.1f} ± {196 * row.error:.1f}"
        share = f"{100 * row.rate:.1f} ({100 * row.low:.1f} to {100 * row.high:.1f})"
        yield f"  {row.way:10} {share:24} {gain}"


def format_calibration(rows: list[Row], followed: bool) -> Iterator[str]:
    """Lines of the reliability table by decile of the stated chance, or of `chance_followed`."""
    head = "followed" if followed else "stated"
    yield f"{head:14}mean   by the rule      as played        choices"
    games = [
        [
            (chance_followed(p, cut) if followed else p, rule, row["raced"])
            for p, rule, cut in row["stated"]
        ]
        for row in rows
    ]
    for decile in range(10):
        clusters = [[c for c in game if min(int(10 * c[0]), 9) == decile] for game in games]
        clusters = [cluster for cluster in clusters if cluster]
        if clusters:
            chances = [p for cluster in clusters for p, _, _ in cluster]
            shares = (_clustered_share(clusters, 1), _clustered_share(clusters, 2))
            won = "   ".join(f"{100 * p:5.1f} ± {196 * e:4.1f}" for p, e in shares)
            yield (
                f"{10 * decile:3} to {10 * decile + 10:3} %  "
                f"{100 * fsum(chances) / len(chances):5.1f}   {won}   {len(chances):6}"
            )


def _clustered_share(games: list[list[tuple[float, int, int]]], column: int) -> tuple[float, float]:
    """The share won, and its cluster-robust standard error with games as clusters."""
    total = sum(map(len, games))
    share = sum(choice[column] for game in games for choice in game) / total
    residuals = [sum(choice[column] - share for choice in game) for game in games]
    return share, sqrt(fsum(x * x for x in residuals) + 0.25) / total


def parse_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument(
        "--games", type=int, default=10_000, help="limit for each number of players"
    )
    parser.add_argument("--mission", type=int, default=4)
    parser.add_argument("--players", type=int, nargs="+", default=[4, 5])
    parser.add_argument("--deals", type=int, default=128)
    parser.add_argument(
        "--red", type=int, default=0, help="red wires, instead of the mission's number"
    )
    parser.add_argument("--ways", nargs="+", default=WAYS)
    parser.add_argument("--native", type=Path, help="folder of the native kernel")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--part", type=int, nargs=2, metavar=("I", "N"), help="every N-th game")
    return parser.parse_args()


def play_missing(options: argparse.Namespace, end: float) -> None:
    """Play games that the file lacks until time `end`; append each when it is over."""
    done = read_games(options)
    first, step = options.part or (0, 1)
    with options.file.open("a") as out:
        for game in range(first, options.games, step):
            for players in options.players:
                if time.time() >= end:
                    return
                if game not in done.get(players, {}):
                    out.write(json.dumps(play_game(options, players, game)) + "\n")
                    out.flush()


def build_library(folder: Path) -> Path:
    """Compile the native kernel into the folder if its sources are newer; return the folder."""
    built, cc = folder / "kernel.so", native_kernel.compiler()
    newest = max(file.stat().st_mtime for file in kernel.SOURCES.rglob("*.[ch]"))
    if not built.exists() or built.stat().st_mtime < newest:
        if cc is None:
            raise SystemExit("No C compiler found.")
        folder.mkdir(parents=True, exist_ok=True)
        native_kernel.build(folder, cc, native_kernel.FAST)
    return folder.resolve()


def run_processes(options: argparse.Namespace) -> None:
    """Play the missing games in child processes, with the native kernel if `--native` is set."""
    environment, load = dict(os.environ), "from wasm_build.bench import rack; rack.main()"
    if options.native:
        environment["CLUEWISE_NATIVE"] = str(build_library(options.native))
        load = f"import reference.native_kernel; {load}"
    paths = [str(ROOT), str(ROOT / "tests"), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    command = [sys.executable, "-c", load, *sys.argv[1:], "--part"]
    workers = [
        subprocess.Popen([*command, str(i), str(options.processes)], env=environment)
        for i in range(options.processes)
    ]
    failed = [worker for worker in workers if worker.wait()]
    if failed:
        raise SystemExit(f"{len(failed)} of {len(workers)} processes failed.")


def main() -> int:
    """Play for `--minutes`, then print the tables of all games in the file."""
    options = parse_arguments()
    for players in options.players:
        check_options(GamesOptions(mission=options.mission, players=players, ways=options.ways))
    if options.part:
        play_missing(options, time.time() + 60 * options.minutes)
        return 0
    if options.minutes > 0 and (options.native or options.processes > 1):
        run_processes(options)
    else:
        play_missing(options, time.time() + 60 * options.minutes)
    for players, games in sorted(read_games(options).items()):
        rows = list(games.values())
        print(*format_rates(compute_rates(rows, options, players)), sep="\n")
        for followed in (False, True):
            print(*format_calibration(rows, followed), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
