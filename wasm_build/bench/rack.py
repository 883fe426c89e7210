"""Many whole games of the rack desk, kept one by one, and the win rates of all that are kept.

`bench/rack.py FILE --minutes 30` plays games of mission 4 for four and for five players turn
about, from the first seed that FILE does not have, and writes a line after each: what every way of
choosing won on the same deal, and what single choices by games gained. Begun again, it goes on;
`--minutes 0` only prints the table. A line holds what it was played with, and only lines of the
mission and deals asked for are counted, so one file may hold several runs.

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
from pathlib import Path
from typing import Any

from cluewise.core.work import finish
from cluewise.desks.rack.results import GamesOptions, Way, WinRates
from cluewise.desks.rack.verbs.games import Record, played, refuse, win_rates
from wasm_build.codegen import kernel, native_kernel

ROOT = Path(__file__).resolve().parents[2]
WAYS: list[Way] = ["likeliest", "careful", "spare", "win"]
SEED = 1
Row = dict[str, Any]


def kept(file: Path, mission: int, deals: int) -> dict[int, dict[int, Row]]:
    """The games of a file by number of players and number; a line cut short is left out."""
    found: dict[int, dict[int, Row]] = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if (row["mission"], row["deals"]) == (mission, deals):
            found.setdefault(row["players"], {})[row["game"]] = row
    return found


def play(mission: int, players: int, deals: int, game: int, held_out: float) -> Row:
    """One game by every way."""
    record = finish(played(mission, players, SEED, WAYS, deals, held_out, game, game + 1))
    return {
        "mission": mission, "players": players, "deals": deals, "game": game,
        "won": [won[0] for won in record[0]], "gains": record[1],
    }  # fmt: skip


def rates(rows: list[Row], mission: int, players: int, deals: int) -> WinRates:
    """The desk's own table of those games."""
    record: Record = [[row["won"][way] for row in rows] for way in range(len(WAYS))], []
    for row in rows:
        record[1].extend(row["gains"])
    options = GamesOptions(
        mission=mission, players=players, games=len(rows), seed=SEED, deals=deals, ways=list(WAYS)
    )
    return win_rates(options, record)


def lines(found: WinRates) -> Iterator[str]:
    """The table for people: shares in percent, differences in points, 19 times in 20."""
    yield f"{found.players} players, {found.games} games on the same deals, {found.deals} a choice"
    for row in found.rows:
        gain = f"{100 * row.gain:+.1f} ± {196 * row.error:.1f}"
        share = f"{100 * row.rate:.1f} ({100 * row.low:.1f} to {100 * row.high:.1f})"
        yield f"  {row.way:10} {share:24} {gain}"
    one = found.decisions
    over = f"{100 * one.over_rule:+.2f} ± {196 * one.over_rule_error:.2f}"
    yield f"  a choice over the seats' rule, {one.choices} choices: {over}"


def asked() -> argparse.Namespace:
    """What the command line says."""
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("file", type=Path)
    words.add_argument("--minutes", type=float, default=10)
    words.add_argument("--games", type=int, default=10_000, help="no more of each table")
    words.add_argument("--mission", type=int, default=4)
    words.add_argument("--players", type=int, nargs="+", default=[4, 5])
    words.add_argument("--deals", type=int, default=128)
    words.add_argument("--held-out", type=float, default=0.03)
    words.add_argument("--native", type=Path, help="where the kernel compiled for this machine is")
    words.add_argument("--processes", type=int, default=1)
    words.add_argument("--part", type=int, nargs=2, metavar=("I", "N"), help="every N-th game")
    return words.parse_args()


def play_on(given: argparse.Namespace, end: float) -> None:
    """Games that the file does not have, until the time is up; each is written as it ends."""
    found = kept(given.file, given.mission, given.deals)
    first, step = given.part or (0, 1)
    with given.file.open("a") as out:
        for game in range(first, given.games, step):
            for players in given.players:
                if time.time() >= end:
                    return
                if game not in found.get(players, {}):
                    row = play(given.mission, players, given.deals, game, given.held_out)
                    out.write(json.dumps(row) + "\n")
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
        refuse(GamesOptions(mission=given.mission, players=players, ways=list(WAYS)))
    if given.part:
        play_on(given, time.time() + 60 * given.minutes)
        return 0
    if given.minutes > 0 and (given.native or given.processes > 1):
        share_out(given)
    else:
        play_on(given, time.time() + 60 * given.minutes)
    for players, rows in sorted(kept(given.file, given.mission, given.deals).items()):
        if rows:
            print(*lines(rates(list(rows.values()), given.mission, players, given.deals)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
