"""Many whole games of the rack desk, kept one by one: win rates and calibration of all kept.

`bench/rack.py FILE --minutes 30` plays games of mission 4 for four and for five players turn
about, from the first seed that FILE does not have, and writes a line after each: what every way of
choosing won on the same deal, and the chance stated at every choice. Begun again, it goes on;
`--minutes 0` only prints the tables. A line holds what it was played with, and only lines of the
mission, red wires, deals and ways asked for are counted, so one file may hold several runs.

The next table has choices by the chance that was stated for them, in tenths, with the share that
was won: by the seats' rule after the choice, which is what the number says, and by the game as it
went on, all seats choosing by games. Choices of one game share their luck, so that intervals, which
hold 19 times in 20, are taken over games. The last table has them by `chance_followed`.

`--native FOLDER` plays with the kernel compiled for this machine, whose games are the same, and
keeps it in that folder; with `--processes 2` two processes share the games, number by number, and
write to the one file.
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
    play_by_rule,
    play_raced,
    refuse,
    shares,
    win_rates,
)
from cluewise.desks.rack.verbs.mission import DealtGame
from wasm_build.codegen import kernel, native_kernel

ROOT = Path(__file__).resolve().parents[2]
WAYS: list[Way] = ["likeliest", "careful", "spare", "win", "misses"]
SEED = 1
FAR = 1 << 29  # from the deals of a race to others
Row = dict[str, Any]


def kept(given: argparse.Namespace) -> dict[int, dict[int, Row]]:
    """The games of a file by number of players and number; a line cut short is left out."""
    found: dict[int, dict[int, Row]] = {}
    asked_for = {name: getattr(given, name) for name in ("mission", "red", "deals", "ways")}
    for line in given.file.read_text().splitlines() if given.file.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if all(row.get(name) == value for name, value in asked_for.items()):
            found.setdefault(row["players"], {})[row["game"]] = row
    return found


class Stating(RolloutPolicy):
    """`stated`: of each choice its chance to win, whether the seats' rule wins, and the share cut.

    The chance is that of other deals where the race has not played all: its best looks too good.
    """

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.stated: list[tuple[float, int, float]] = []

    def note(self, seen: Position, race: RacingRollouts, best: int) -> None:
        """The choice with its chance."""
        choice, chance = [race.choices[best]], race.chance(best)
        if not race.exact:
            deals = rollout.draw_deals(race.words, race.seed + FAR, HELD_OUT)
            (chance,) = shares(race.words, deals, choice)
        won = rollout.play(race.words, self.dealt.wires(), choice)[0][0][0]
        self.stated.append((chance, won, share_cut(seen)))


def play(given: argparse.Namespace, players: int, game: int) -> Row:
    """One game by every way."""
    seed = f"{SEED}.{game}"
    dealt = DealtGame(given.mission, players, seed, given.red)
    raced = play_raced(dealt, seed, given.ways, given.deals, policy=Stating)
    won = [raced[way].won if way in raced else play_by_rule(dealt, way) for way in given.ways]
    stated = next((policy.stated for policy in raced.values() if isinstance(policy, Stating)), [])
    return {
        "mission": given.mission, "red": given.red, "players": players, "deals": given.deals,
        "ways": given.ways, "game": game, "won": won, "stated": stated,
        "raced": next((policy.won for policy in raced.values()), 0),
    }  # fmt: skip


def rates(rows: list[Row], given: argparse.Namespace, players: int) -> WinRates:
    """The desk's own table of those games."""
    record: Record = [[row["won"][way] for row in rows] for way in range(len(given.ways))], []
    options = GamesOptions(
        mission=given.mission, players=players, games=len(rows), seed=SEED, deals=given.deals,
        ways=given.ways,
    )  # fmt: skip
    return win_rates(options, record)


def lines(found: WinRates) -> Iterator[str]:
    """The table for people: shares in percent, differences in points, 19 times in 20."""
    yield f"{found.players} players, {found.games} games on the same deals, {found.deals} a choice"
    for row in found.rows:
        gain = f"{100 * row.gain:+.1f} ± {196 * row.error:.1f}"
        share = f"{100 * row.rate:.1f} ({100 * row.low:.1f} to {100 * row.high:.1f})"
        yield f"  {row.way:10} {share:24} {gain}"


def calibration(rows: list[Row], followed: bool) -> Iterator[str]:
    """One line for each tenth of the stated chance, or of `chance_followed`."""
    head = "followed" if followed else "stated"
    yield f"{head:14}mean   by the rule      as played        choices"
    games = [
        [
            (chance_followed(p, cut) if followed else p, rule, row["raced"])
            for p, rule, cut in row["stated"]
        ]
        for row in rows
    ]
    for tenth in range(10):
        found = [[one for one in game if min(int(10 * one[0]), 9) == tenth] for game in games]
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


def asked() -> argparse.Namespace:
    """What the command line says."""
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("file", type=Path)
    words.add_argument("--minutes", type=float, default=10)
    words.add_argument("--games", type=int, default=10_000, help="no more of each table")
    words.add_argument("--mission", type=int, default=4)
    words.add_argument("--players", type=int, nargs="+", default=[4, 5])
    words.add_argument("--deals", type=int, default=128)
    words.add_argument("--red", type=int, default=0, help="red wires, instead of the mission's")
    words.add_argument("--ways", nargs="+", default=WAYS)
    words.add_argument("--native", type=Path, help="where the kernel compiled for this machine is")
    words.add_argument("--processes", type=int, default=1)
    words.add_argument("--part", type=int, nargs=2, metavar=("I", "N"), help="every N-th game")
    return words.parse_args()


def play_on(given: argparse.Namespace, end: float) -> None:
    """Games that the file does not have, until the time is up; each is written as it ends."""
    found = kept(given)
    first, step = given.part or (0, 1)
    with given.file.open("a") as out:
        for game in range(first, given.games, step):
            for players in given.players:
                if time.time() >= end:
                    return
                if game not in found.get(players, {}):
                    out.write(json.dumps(play(given, players, game)) + "\n")
                    out.flush()


def library(folder: Path) -> Path:
    """The kernel for this machine in a folder, compiled where its files are newer."""
    built, cc = folder / "kernel.so", native_kernel.compiler()
    newest = max(file.stat().st_mtime for file in kernel.SOURCES.rglob("*.[ch]"))
    if not built.exists() or built.stat().st_mtime < newest:
        if cc is None:
            raise SystemExit("There is no C compiler here.")
        folder.mkdir(parents=True, exist_ok=True)
        native_kernel.build(folder, cc, native_kernel.FAST)
    return folder.resolve()


def share_out(given: argparse.Namespace) -> None:
    """The same by processes of their own, with the kernel that was asked for."""
    environment, load = dict(os.environ), "from wasm_build.bench import rack; rack.main()"
    if given.native:
        environment["CLUEWISE_NATIVE"] = str(library(given.native))
        load = f"import reference.native_kernel; {load}"
    paths = [str(ROOT), str(ROOT / "tests"), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    command = [sys.executable, "-c", load, *sys.argv[1:], "--part"]
    workers = [
        subprocess.Popen([*command, str(i), str(given.processes)], env=environment)
        for i in range(given.processes)
    ]
    failed = [worker for worker in workers if worker.wait()]
    if failed:
        raise SystemExit("Some games could not be played.")


def main() -> int:
    """Play on for so many minutes, then tell."""
    given = asked()
    for players in given.players:
        refuse(GamesOptions(mission=given.mission, players=players, ways=given.ways))
    if given.part:
        play_on(given, time.time() + 60 * given.minutes)
        return 0
    if given.minutes > 0 and (given.native or given.processes > 1):
        share_out(given)
    else:
        play_on(given, time.time() + 60 * given.minutes)
    for players, games in sorted(kept(given).items()):
        rows = list(games.values())
        print(*lines(rates(rows, given, players)), sep="\n")
        print(*calibration(rows, followed=False), *calibration(rows, followed=True), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
