"""Play against a sealed secret: deal it, answer guesses.

The seal is core.seal's, which keeps a secret from being read by accident and no more.
"""

from __future__ import annotations

from msgspec.structs import replace

from cluewise.core import seal
from cluewise.core.work import Job
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.encoding import count_codes
from cluewise.desks.code.formats.colour_names import read_code
from cluewise.desks.code.position import Position, Rules, answer, code_error, guess_error
from cluewise.desks.code.results import DealOptions, Dealt, Judged, JudgeOptions
from cluewise.desks.code.verbs.judge_evil import most_costly
from cluewise.errors import BadOption, BadPosition

_PURPOSE = "code"
_DRAWS = 1_000_000
_MASK = (1 << 64) - 1


def unseal(position: Position) -> str:
    """The secret of a position; raises `BadPosition` where there is none or it is damaged."""
    if position.sealed is None:
        raise BadPosition("This position has no sealed secret; deal one first.", "$.sealed")
    secret = seal.unseal(position.sealed, _PURPOSE)
    if code_error(position.rules, secret):
        raise BadPosition("The sealed secret is of other rules; deal a new one.", "$.sealed")
    return secret


def deal(position: Position, options: DealOptions) -> Job[Dealt]:
    """A position of the same rules with a sealed secret and no clues; same seed, same secret.

    Raises `BadOption` where a secret of one's own is no code of the rules.
    """
    yield from ()
    secret = options.secret and read_code(position, options.secret)
    if secret is None:
        secret = _drawn_by_weight(position, options.seed)
    elif why := code_error(position.rules, secret):
        raise BadOption(why, "$.options.secret")
    sealed = seal.seal(secret, _PURPOSE)
    return Dealt(sealed, replace(position, clues=(), sealed=sealed, shown=False))


def _drawn_by_weight(position: Position, seed: int) -> str:
    """A secret as likely as its weight: codes are drawn until one is kept."""
    prior = position.prior
    if prior is None:
        return _drawn(position.rules, seed)
    top = max(1, *prior.kinds.values(), *prior.codes.values())
    for _ in range(_DRAWS):
        secret = _drawn(position.rules, seed)
        seed = _mix(seed)
        if seed % top < prior.weight(secret):
            return secret
    raise BadPosition("Hardly any code has a weight; no secret was drawn.", "$.prior")


def _drawn(rules: Rules, seed: int) -> str:
    """A secret of the rules; all are as likely."""
    plain = Rules(rules.pegs, rules.colours, rules.repeat)
    place = _mix(seed) % count_codes(rules)
    return code_at(plain, place + count_codes(plain) - count_codes(rules))


def judge(position: Position, options: JudgeOptions) -> Job[Judged]:
    """What the sealed secret answers to a guess, or, without one, the most costly answer."""
    yield from ()
    guess = read_code(position, options.guess)
    if why := guess_error(position.rules, guess):
        raise BadOption(why, "$.options.guess")
    if options.evil:
        if position.sealed is not None:
            raise BadOption("The position has a sealed secret, which answers.", "$.options.evil")
        return judged((yield from most_costly(position, guess)))
    secret = unseal(position)
    return judged(position.rules.clue(guess, answer(position.rules, guess, secret)))


def judged(clue: Clue) -> Judged:
    """The answer of a clue as the verb's result; marks and sums are counted as well."""
    exact, partial = clue.exact or 0, clue.partial or 0
    if clue.marks is not None:
        exact, partial = clue.marks.count("2"), clue.marks.count("1")
    elif clue.sum is not None:
        exact, partial = (clue.sum, 0) if clue.won else (0, clue.sum)
    return Judged(exact, partial, clue.answer, clue.is_win, clue.marks, clue.sum)


def code_at(rules: Rules, place: int) -> str:
    """The code at that place in ascending order: `code_at(Rules(), 1) == "0001"`."""
    left, code = list(rules.symbols), ""
    for peg in range(rules.pegs):
        after = _codes(rules, len(left) - (not rules.repeat), rules.pegs - peg - 1)
        code += left[place // after]
        if not rules.repeat:
            left.remove(code[-1])
        place %= after
    return code


def _codes(rules: Rules, colours: int, pegs: int) -> int:
    return count_codes(Rules(pegs, colours, rules.repeat)) if pegs else 1


def _mix(x: int) -> int:
    """One step of splitmix64: a well-spread number that follows from x."""
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & _MASK
    return x ^ x >> 31
