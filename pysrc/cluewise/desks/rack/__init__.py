"""Bomb Busters: which wire to indicate, which to cut, and how safe it is."""

from __future__ import annotations

from cluewise.core.desk import Desk, Verb
from cluewise.desks.rack.position import Position, check
from cluewise.desks.rack.verbs.cuts import cut_tasks, cuts
from cluewise.desks.rack.verbs.doubt import doubt
from cluewise.desks.rack.verbs.games import game_tasks, games
from cluewise.desks.rack.verbs.indicate import indicate
from cluewise.desks.rack.verbs.mission import deal, mission
from cluewise.desks.rack.verbs.outcome import outcome
from cluewise.desks.rack.verbs.partner import partner
from cluewise.desks.rack.verbs.posterior import posterior
from cluewise.desks.rack.verbs.review import review
from cluewise.desks.rack.verbs.shorthand import read_table, shorthand
from cluewise.desks.rack.verbs.simulate import simulate, simulation_tasks
from cluewise.desks.rack.verbs.use import use

DESK: Desk[Position] = Desk(
    name="rack",
    title="Bomb Busters",
    position=Position,
    check=check,
    from_text=read_table,
    verbs=(
        Verb("indicate", "Rank the wires to show.", indicate),
        Verb("posterior", "Chances of hidden wires.", posterior),
        Verb("cuts", "Rank the cuts.", cuts, cut_tasks),
        Verb("doubt", "Find facts that cannot all hold.", doubt),
        Verb("shorthand", "Stands as text, and back.", shorthand),
        Verb("deal", "Deal a practice game.", deal),
        Verb("mission", "Lay out a mission.", mission),
        Verb("outcome", "Note how a turn ended.", outcome),
        Verb("use", "Note equipment that is no cut.", use),
        Verb("partner", "Play a partner’s turn.", partner),
        Verb("review", "Look back on a game.", review),
        Verb("simulate", "Benchmark tokens.", simulate, simulation_tasks),
        Verb("games", "Win rates of ways to cut.", games, game_tasks),
    ),
)
