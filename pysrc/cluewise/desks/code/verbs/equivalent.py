"""The verb `equivalent`: are two guesses, or two whole histories, the same question?"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from cluewise.core.work import Job
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.formats.codes import read_codes
from cluewise.desks.code.permutations import find_symmetry
from cluewise.desks.code.position import Position, Rules, check, guess_error
from cluewise.desks.code.results import Equivalent, EquivalentOptions
from cluewise.desks.code.verbs.equivalent_guesses import same_question
from cluewise.desks.code.verbs.equivalent_states import same_state
from cluewise.errors import BadOption, CluewiseError


def equivalent(position: Position, options: EquivalentOptions) -> Job[Equivalent]:
    """Constraint equivalence, shown by the least permutation; answers play no part in it.

    With `guesses`: can the clues' guesses stay as they are while the first becomes the second?
    `question` then says whether they are one question after the answers too (see `sameness`).
    With `other`: can this position's guesses become the other's, one by one? `state` then says
    whether the codes left can be played alike, whatever was asked (see `same_state`).
    """
    if (options.guesses is None) == (options.other is None):
        raise BadOption("Give either two guesses or another position.", "$.options")
    mine = _counted(position)
    history = [clue.guess for clue in mine]
    if options.guesses is not None:
        first, second = read_codes(position, options.guesses)
        for i, guess in enumerate((first, second)):
            if why := guess_error(position.rules, guess):
                raise BadOption(why, f"$.options.guesses[{i}]")
        question = yield from same_question(position.rules, mine, first, second)
        answer = _answer(position.rules, [*history, first], [*history, second], True)
        return replace(answer, question=question)
    assert options.other is not None
    theirs = _counted(_checked(position.rules, options.other))
    agree = [clue.answer for clue in mine] == [clue.answer for clue in theirs]
    state = yield from same_state(
        position.rules,
        [position.clues[i] for i in position.counted()],
        [options.other.clues[i] for i in options.other.counted()],
    )
    answer = _answer(position.rules, history, [clue.guess for clue in theirs], agree)
    return replace(answer, state=state)


def _counted(position: Position) -> list[Clue]:
    """What the rules say of every code, then the clues that count."""
    return [*position.rules.given(), *(position.clues[i] for i in position.counted())]


def _checked(rules: Rules, other: Position) -> Position:
    try:
        check(other)
    except CluewiseError as problem:
        where = "$.options.other" + problem.where.removeprefix("$")
        raise BadOption(problem.message, where) from None
    if other.rules != rules:
        raise BadOption("The two positions have different rules.", "$.options.other.rules")
    return other


def _answer(rules: Rules, guesses: Sequence[str], images: Sequence[str], agree: bool) -> Equivalent:
    witness = find_symmetry(rules, guesses, images)
    if witness is None:
        return Equivalent(False, None, None, agree)
    return Equivalent(True, list(witness.pegs), list(witness.colours), agree)
