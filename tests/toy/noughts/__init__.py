"""Noughts and crosses: how little a desk takes. Used by tests/contract/test_toy_desk.py."""

from cluewise.desks.noughts.position import Position, check
from cluewise.desks.noughts.verbs import advise

from cluewise.core.desk import Desk, Verb

DESK: Desk[Position] = Desk(
    name="noughts",
    title="Noughts and crosses",
    position=Position,
    check=check,
    verbs=(Verb("advise", "The cells that do not lose.", advise),),
)
