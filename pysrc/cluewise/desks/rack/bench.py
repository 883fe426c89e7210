"""What is measured on the rack desk: `cluewise bench rack`."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from contextlib import closing

import msgspec

from cluewise.core.benchmark import Benchmark, Work, work_of
from cluewise.core.work import finish
from cluewise.desks.rack.engine import counting, rollout
from cluewise.desks.rack.engine.encoding import pack
from cluewise.desks.rack.position import Position, Wires, check
from cluewise.desks.rack.results import CutsOptions, MissionOptions, PosteriorOptions
from cluewise.desks.rack.stand import Slot, Stand
from cluewise.desks.rack.verbs.cuts import cuts
from cluewise.desks.rack.verbs.indicate import StandAnalysis
from cluewise.desks.rack.verbs.mission import DealtGame, deal
from cluewise.desks.rack.verbs.posterior import posterior
from cluewise.kernel import kernel

OWN = ("1", "1", "Y3", "4", "R4", "5", "7", "8", "8", "10", "12")
SIZES = (11, 11, 11, 11)


def _worked_stand() -> Position:
    wires = ("1", "1", "2", "2", "2", "3", "3", "4", "8", "10")
    return Position(stands=(Stand(slots=tuple(Slot(wire=w) for w in wires)),))


def five_players() -> Position:
    """Y4 R3, the viewer's 11 wires known, 44 hidden: the hardest start of five players."""
    wires = Wires(yellow=("Y3", "Y5", "Y8", "Y11"), red=("R2", "R4", "R9"))
    mine = Stand(slots=tuple(Slot(wire=w) for w in OWN))
    return Position(wires=wires, stands=(mine, *(Stand(slots=(Slot(),) * n) for n in SIZES)))


def _indicate() -> Work:
    """A ten-wire stand: every slot, three tokens, three models."""
    reading = StandAnalysis(_worked_stand(), 0)
    extra = reading.encode_extra(reading.plan, reading.left - reading.left)
    return work_of(1, lambda: counting.indicate(reading.plan, extra))


def _posterior() -> Work:
    """The kernel alone: chances of all hidden slots."""
    plan = pack(five_players())

    def run() -> None:
        with counting.loaded(plan) as (frame, words, room):
            size = 4 + plan.elements * len(plan.codes)
            out = frame.reserve(8 * size)
            frame.call("rack_posterior", *words, 0, *room, out, size)

    return work_of(1, run)


BY_VALUE = 0  # a failed cut is reported by a value, as rack.h has it


def _cuts() -> Work:
    """The kernel alone: every dual cut with its gain."""
    plan = pack(five_players())
    values = 0b1010111110010  # the numbers of OWN
    ask = array("i", [values | 1 << 13] * len(plan.parts))

    def run() -> None:
        with kernel().frame() as frame:
            words, asked = frame.put(plan.encoded), frame.put(ask)
            room = frame.reserve(counting.WORK)
            most = plan.elements * counting.VALUES
            out = frame.reserve(8 * 7 * most)
            loaded = (words, len(plan.encoded))
            frame.call("rack_cuts", *loaded, asked, BY_VALUE, room, counting.WORK, out, most)

    return work_of(1, run)


GAMES = 32


def _mission_4(players: int) -> Position:
    job = deal(Position(), MissionOptions(mission=4, players=players, seed=1))
    return finish(job).position


def _playouts(players: int) -> Callable[[], Work]:
    """Whole games of mission 4 from the captain's first turn on, no token laid: the longest."""

    def prepare() -> Work:
        words = rollout.encode_game(_mission_4(players))
        deals = rollout.draw_deals(words, 1, GAMES)
        return work_of(GAMES, lambda: rollout.play_choices(words, deals, [rollout.POLICY_MOVE]))

    return prepare


def _first_order(players: int, tokens: bool = True) -> Callable[[], Work]:
    """From the captain's question for cuts by games to a first order; `tokens`: first ones lie."""

    def prepare() -> Work:
        position = DealtGame(4, players, "1").seen_by(0) if tokens else _mission_4(players)

        def work() -> int:
            with closing(cuts(position, CutsOptions(rank="win"))) as job:
                return next(1 for step in job if step.best is not None)

        return work

    return prepare


def _whole_posterior() -> Work:
    """From JSON values to JSON values."""
    plain = msgspec.to_builtins(five_players())

    def run() -> None:
        position = msgspec.convert(plain, Position)
        check(position)
        msgspec.to_builtins(finish(posterior(position, PosteriorOptions())))

    return work_of(1, run)


def _whole_cuts(*actions: str) -> Callable[[], Work]:
    position, options = five_players(), CutsOptions(actions=list(actions))
    return lambda: work_of(1, lambda: finish(cuts(position, options)))


ROWS = [
    Benchmark("rack.indicate.all_tokens", "stands", _indicate),
    Benchmark("rack.posterior.5p_44_hidden", "positions", _posterior),
    Benchmark("rack.cuts.5p_44_hidden", "positions", _cuts),
    Benchmark("rack.playouts.4p_mission4", "games", _playouts(4)),
    Benchmark("rack.playouts.5p_mission4", "games", _playouts(5)),
    Benchmark("rack.first_order.4p_mission4", "positions", _first_order(4)),
    Benchmark("rack.first_order.5p_mission4", "positions", _first_order(5)),
    Benchmark("rack.first_order.5p_no_token", "positions", _first_order(5, tokens=False)),
    Benchmark("rack.posterior.5p_44_hidden.json", "positions", _whole_posterior),
    Benchmark("rack.cuts.5p_44_hidden.doubles", "positions", _whole_cuts("double")),
    Benchmark("rack.cuts.5p_44_hidden.everything", "positions", _whole_cuts()),
]
