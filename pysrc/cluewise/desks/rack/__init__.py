"""Bomb Busters: which wire to indicate, which to cut, and how safe it is."""

from __future__ import annotations

from cluewise.core.desk import Desk, NoOptions, Verb
from cluewise.desks.rack import results as r
from cluewise.desks.rack.position import Position, check
from cluewise.desks.rack.verbs.cuts import SHARED as CUTS
from cluewise.desks.rack.verbs.cuts import cuts
from cluewise.desks.rack.verbs.doubt import doubt
from cluewise.desks.rack.verbs.games import SHARED as GAMES
from cluewise.desks.rack.verbs.games import games
from cluewise.desks.rack.verbs.indicate import indicate
from cluewise.desks.rack.verbs.mission import deal, mission
from cluewise.desks.rack.verbs.outcome import outcome
from cluewise.desks.rack.verbs.partner import partner
from cluewise.desks.rack.verbs.posterior import posterior
from cluewise.desks.rack.verbs.review import review
from cluewise.desks.rack.verbs.shorthand import read_table, shorthand
from cluewise.desks.rack.verbs.simulate import SHARED, simulate
from cluewise.desks.rack.verbs.use import use

DESK: Desk[Position] = Desk(
    name="rack",
    title="Bomb Busters",
    position=Position,
    check=check,
    from_text=read_table,
    verbs=(
        Verb("indicate", "Rank the wires to show.", r.IndicateOptions, r.Indications, indicate),
        Verb("posterior", "Chances of hidden wires.", r.PosteriorOptions, r.Posterior, posterior),
        Verb("cuts", "Rank the cuts.", r.CutsOptions, r.Cuts, cuts, CUTS),
        Verb("doubt", "Find facts that cannot all hold.", NoOptions, r.Doubt, doubt),
        Verb("shorthand", "Stands as text, and back.", r.ShorthandOptions, r.Shorthand, shorthand),
        Verb("deal", "Deal a practice game.", r.MissionOptions, r.Setup, deal),
        Verb("mission", "Lay out a mission.", r.MissionOptions, Position, mission),
        Verb("outcome", "Note how a turn ended.", r.OutcomeOptions, r.Outcome, outcome),
        Verb("use", "Note equipment that is no cut.", r.UseOptions, r.Outcome, use),
        Verb("partner", "Play a partner’s turn.", r.PartnerOptions, r.PartnerTurn, partner),
        Verb("review", "Look back on a game.", r.ReviewOptions, r.Review, review),
        Verb("simulate", "Benchmark tokens.", r.SimulateOptions, r.Simulation, simulate, SHARED),
        Verb("games", "Win rates of ways to cut.", r.GamesOptions, r.WinRates, games, GAMES),
    ),
)
