"""The verb `partner`: the turn of another player in a practice game, with its reason.

A partner follows the policy of rollouts (rollout.c) on its own posterior: a certain cut, else the
largest P(success) - P(red) * steps left. Where the table has agreed to cut by one list, the past
choices of others count too (reading.py). Its first token shows the wire of the largest gain.
"""

from __future__ import annotations

import random

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.reading import record_choice
from cluewise.desks.rack.game.missions import first_tokens, mission_of
from cluewise.desks.rack.game.play import has_wires
from cluewise.desks.rack.game.rules import Rules
from cluewise.desks.rack.game.table_edits import has_token, unseal_hands
from cluewise.desks.rack.position import PastChoice, Position
from cluewise.desks.rack.results import (
    Cut,
    CutsOptions,
    OutcomeOptions,
    PartnerOptions,
    PartnerTurn,
)
from cluewise.desks.rack.stand import letter
from cluewise.desks.rack.verbs.cuts import cuts
from cluewise.desks.rack.verbs.mission import FirstTokens, Hands, with_wires
from cluewise.desks.rack.verbs.outcome import advance, outcome
from cluewise.errors import BadOption, BadPosition

DRAWN = {"random", "absent", "false"}  # first tokens that the player does not choose


def partner(position: Position, options: PartnerOptions) -> Job[PartnerTurn]:
    """Play the turn of another player; return the table after it, its text and its reason.

    Raises BadPosition if the table is no practice game, BadOption for the viewer's own seat.
    """
    yield Progress(0, 1, "a partner's turn")
    hands = unseal_hands(position)
    if not hands:
        raise BadPosition("Partners play in practice games only.", "$.sealed")
    actor = options.actor
    if actor == position.viewer or actor not in position.seats():
        raise BadOption("Name the seat of a partner.", "$.options.actor")
    if not has_wires(position, actor):
        raise BadOption("All wires of this player are cut.", "$.options.actor")
    if options.token:
        return (yield from _indicate(position, hands, actor))
    seen = with_wires(msgspec.structs.replace(position, sealed=None), hands, actor)
    ranked = (yield from cuts(seen, CutsOptions(actions=list(rollout.CHOICE_KINDS)))).options
    if not ranked:
        return _skip(position, actor)
    steps = position.detonator or len(position.seats())
    cut = ranked[0]
    if not cut.certain and not cut.read:
        cut = max(ranked, key=lambda one: one.success - one.red * steps)
    made = OutcomeOptions(
        action=cut.action, actor=actor, stand=cut.stand, slots=cut.slots, also=cut.also,
        value=cut.value,
    )  # fmt: skip
    done = yield from outcome(position, made)
    reason = _reason(position, seen, cut)
    return PartnerTurn(done.position, done.text, done.exploded, reason, made, done.choice)


def _indicate(position: Position, hands: Hands, actor: int) -> Job[PartnerTurn]:
    """Return a partner's choice of a first token."""
    mission, tokens = mission_of(position), first_tokens(position)
    if any(slot.state == "cut" for stand in position.stands for slot in stand.slots):
        raise BadOption("First tokens are laid before the first cut.", "$.options.token")
    laid = any(has_token(position, stand) for stand in position.stands_of(actor))
    if mission is None or set(tokens[actor]) <= DRAWN or laid:
        raise BadOption("This player lays no further token.", "$.options.token")
    first = FirstTokens(mission, position, hands, random.Random(f"{position.sealed}.{actor}"))
    place = yield from first.place_best(actor)
    if place is None:
        raise BadOption("This player has no wire to indicate.", "$.options.token")
    stand, slot = first.table.stands[place[0]], first.table.stands[place[0]].slots[place[1]]
    shown = slot.wire or slot.value or ", ".join(slot.tokens)
    text = f"First token at {stand.name or f'Stand {place[0] + 1}'} {letter(place[1])}: {shown}."
    seen = with_wires(position, hands, actor)
    turned = any(s.wire is None and s.state == "hidden" for s in seen.stands[place[0]].slots)
    reason = "A blue wire at random." if turned else "The slot with the largest gain."
    return PartnerTurn(first.table, text, False, reason, None, place=place)


def _skip(position: Position, actor: int) -> PartnerTurn:
    """Return the turn of a partner without a legal cut: skipped, or the end of the game."""
    rules = Rules(position, actor)
    table, text, exploded = advance(position, rules.stuck_steps)
    exploded = exploded or rules.stuck == "explode"
    text = f"Turn skipped.{text}" if rules.stuck == "skip" else "The bomb has gone off."
    choice = record_choice(position, table, PastChoice(actor))
    return PartnerTurn(table, text, exploded, "No cut is allowed.", None, choice)


def _reason(position: Position, seen: Position, cut: Cut) -> str:
    """Return why a partner makes a cut, one sentence."""
    if cut.action == "reveal":
        return "Only red wires are left on the stand."
    value = {"YELLOW": "yellow"}.get(cut.value, cut.value)
    if cut.action == "solo":
        return f"All wires of value {value} that are left are on one stand."
    if cut.action == "together":
        return f"With {cut.success:.0%} these are all the wires of value {value}."
    stand, slot = seen.stands[cut.stand], cut.slots[0]
    yours = position.stands_of(position.viewer)[:1] == [cut.stand]
    who = "Your" if yours else stand.name or f"Stand {cut.stand + 1}"
    where = f"{who} {letter(slot)}"
    if cut.certain:
        shown = stand.slots[slot].state == "info"
        return f"{where} shows {value}." if shown else f"{where} can only be {value}."
    red = f", {cut.red:.0%} red" if cut.red else ", no red"
    return f"Best chance of success less the risk: {where} is {value} with {cut.success:.0%}{red}."
