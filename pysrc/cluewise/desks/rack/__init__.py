"""Bomb Busters: which wire to indicate, which to cut, and how safe it is."""

from __future__ import annotations

from cluewise.core.desk import Desk, NoOptions, Verb
from cluewise.desks.rack import results as r
from cluewise.desks.rack.cuts import cuts
from cluewise.desks.rack.doubt import doubt
from cluewise.desks.rack.formats import shorthand
from cluewise.desks.rack.indicate import indicate
from cluewise.desks.rack.missions import deal, mission
from cluewise.desks.rack.outcome import outcome
from cluewise.desks.rack.position import Position, check
from cluewise.desks.rack.posterior import posterior
from cluewise.desks.rack.simulate import SimulateOptions, Simulation, simulate

DESK: Desk[Position] = Desk(
    name="rack",
    title="Bomb Busters",
    position=Position,
    check=check,
    verbs=(
        Verb("indicate", "Rank the wires to show.", r.IndicateOptions, r.Indications, indicate),
        Verb("posterior", "Chances of hidden wires.", r.PosteriorOptions, r.Posterior, posterior),
        Verb("cuts", "Rank the cuts.", r.CutsOptions, r.Cuts, cuts),
        Verb("doubt", "Find facts that cannot all hold.", NoOptions, r.Doubt, doubt),
        Verb("shorthand", "Stands as text, and back.", r.ShorthandOptions, r.Shorthand, shorthand),
        Verb("deal", "Deal a practice game.", r.MissionOptions, r.Setup, deal),
        Verb("mission", "Lay out a mission.", r.MissionOptions, Position, mission),
        Verb("outcome", "Note how a turn ended.", r.OutcomeOptions, r.Outcome, outcome),
        Verb("simulate", "Benchmark tokens.", SimulateOptions, Simulation, simulate),
    ),
)
