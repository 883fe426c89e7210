"""Mastermind and Bulls & Cows: rank the next guess and list the codes that fit."""

from __future__ import annotations

from cluewise.core.desk import Desk, Verb
from cluewise.desks.code.formats.history import from_json, read_game
from cluewise.desks.code.position import Position, check
from cluewise.desks.code.verbs.advise import advise
from cluewise.desks.code.verbs.counts import counts, states
from cluewise.desks.code.verbs.doubt import doubt, remaining
from cluewise.desks.code.verbs.equivalent import equivalent
from cluewise.desks.code.verbs.game import game
from cluewise.desks.code.verbs.paste import paste, write
from cluewise.desks.code.verbs.play import deal, judge
from cluewise.desks.code.verbs.relations import classes, relations
from cluewise.desks.code.verbs.review import review
from cluewise.desks.code.verbs.strategy import check_strategy, strategy, strategy_tasks

DESK: Desk[Position] = Desk(
    name="code",
    title="Mastermind, Bulls & Cows",
    position=Position,
    check=check,
    from_text=read_game,
    from_json=from_json,
    verbs=(
        Verb("advise", "Rank the next guess.", advise),
        Verb("remaining", "Count the codes that fit.", remaining),
        Verb("classes", "Sort guesses into classes.", classes),
        Verb("relations", "Compare the relations.", relations),
        Verb("strategy", "Work out a strategy.", strategy, strategy_tasks),
        Verb("check", "Play every code with a strategy.", check_strategy),
        Verb("game", "Find the value of the game.", game),
        Verb("counts", "Count sequences of guesses.", counts),
        Verb("states", "Count the states of the game.", states),
        Verb("doubt", "Find clues that cannot all hold.", doubt),
        Verb("equivalent", "Compare guesses or histories.", equivalent),
        Verb("paste", "Read a history from text.", paste),
        Verb("write", "The clues as text.", write),
        Verb("deal", "Draw a secret to play for.", deal),
        Verb("judge", "Answer a guess.", judge),
        Verb("review", "Look back on a game.", review),
    ),
)
