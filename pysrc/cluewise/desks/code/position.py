"""A game of Mastermind or Bulls & Cows as a frozen value: the rules, the clues, perhaps a secret.

>>> Position(Rules(4, 6), (Clue("0011", 1, 1),)).clues[0].answer
'1A1B'
>>> Prior(kinds={"00": 0}).weight("11"), Prior(kinds={"00": 0}, codes={"11": 2}).weight("11")
(0, 2)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import perm
from typing import Annotated, Literal

import msgspec

from cluewise.core.desk import NotebookDisplay
from cluewise.desks.code.clue import (
    MOST_PEGS,
    Clue,
    answer_text,
    is_lone,
    marks,
    marks_error,
    marks_text,
)
from cluewise.errors import BadPosition

SYMBOLS = "0123456789abcdef"
"""The colours in order; `.` is a blank."""
BLANK = "."
MOST_COLOURS = 16
MOST_CLUES = 64
FEEDBACKS = ("full", "exact", "order", "keep", "sum")
"""Kinds of feedback in the kernel's order (code.h)."""
MOST_LISTED = 40_000
"""Rules with order, keep or sum feedback have at most that many codes: their answers are compared
one by one."""
MOST_ORDERED = 4
"""Pegs under order feedback, at most: 77 answers."""


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a code is and what an answer reports: `Rules(4, 10, repeat=False)` is Bulls & Cows.

    Without `repeat` neither codes nor guesses may show a colour twice. With `blanks` a guess (a
    code never) may leave pegs empty.
    """

    pegs: int = 4
    """Pegs in a code, 1 to 8."""
    colours: int = 6
    """Colours to choose from, 1 to 16."""
    repeat: bool = True
    """Whether a colour may occur twice in a code and in a guess."""
    blanks: bool = False
    """Whether a guess may leave pegs empty (`.`); the secret never does. A blank matches nothing:
    it counts as an excluded colour."""
    feedback: Literal["full", "exact", "order", "keep", "sum"] = "full"
    """What an answer reports. `full`: right places, and right colours elsewhere, each copy once.
    `exact`: right places only. `order`: a mark a peg, as in word games. `keep`: right places, and
    pegs whose colour the code shows anywhere. `sum`: how many colours match, wherever they are."""
    leading_zero: bool = True
    """Whether a code may begin with the first colour (0); a guess always may."""

    @property
    def symbols(self) -> str:
        """The colours of these rules: `"012345"`."""
        return SYMBOLS[: self.colours]

    @property
    def name(self) -> str:
        """The short name of the field: `"p4c6r"`, `"p4c10n"`."""
        return f"p{self.pegs}c{self.colours}{'r' if self.repeat else 'n'}"

    def given(self) -> list[Clue]:
        """Return the clues that the rules imply: none, or that 0 does not come first."""
        if self.leading_zero:
            return []
        return [Clue(SYMBOLS[0] + BLANK * (self.pegs - 1), 0, None)]

    def answers(self) -> list[tuple[int, int]]:
        """All answers a guess can get as pairs, the win last: `[(0, 0), (0, 1), …, (4, 0)]`.

        `full` lacks (pegs-1, 1): with all pegs but one exact, the last cannot be misplaced. Under
        `order` a pair is 9x + y, the marks in base 3; under `sum` it is (0, sum) or the win.
        """
        p = self.pegs
        if self.feedback == "order":
            pairs = (divmod(m, 9) for m in range(3**p))
            return [pair for pair in pairs if not is_lone(marks_text(pair, p))]
        if self.feedback == "sum":
            return [*((0, s) for s in range(p + 1)), (p, 0)]
        partials = range(1) if self.feedback == "exact" else range(p + 1)
        keep = self.feedback == "keep"
        return [
            (x, y)
            for x in range(p + 1)
            for y in partials
            if x + y <= p and (keep or (x, y) != (p - 1, 1))
        ]

    @property
    def win(self) -> tuple[int, int]:
        """The answer to the secret itself, as a pair."""
        return divmod(3**self.pegs - 1, 9) if self.feedback == "order" else (self.pegs, 0)

    def answer_name(self, pair: tuple[int | None, int | None]) -> str:
        """The text of an answer under these rules: `"1A2B"`, marks `"021"`, a sum `"3"`, `"4!"`."""
        if self.feedback == "order":
            return marks_text(pair, self.pegs)
        if self.feedback == "sum":
            return f"{self.pegs}!" if pair == self.win else str(pair[1])
        return answer_text(*pair)

    def clue(self, guess: str, pair: tuple[int | None, int | None], ignored: bool = False) -> Clue:
        """A guess with that answer."""
        if self.feedback == "order":
            return Clue(guess, None, ignored=ignored, marks=marks_text(pair, self.pegs))
        if self.feedback == "sum":
            won = pair == self.win
            return Clue(guess, None, ignored=ignored, sum=self.pegs if won else pair[1], won=won)
        return Clue(guess, *pair, ignored)


GAMES = {
    "Mastermind": Rules(4, 6),
    "Super Mastermind": Rules(5, 8),
    "Mini Mastermind": Rules(3, 4),
    "Mastermind with eight colours": Rules(4, 8),
    "Grand Mastermind": Rules(6, 10),
    "Bulls & Cows": Rules(4, 10, repeat=False),
    "Bulls & Cows with five digits": Rules(5, 10, repeat=False),
}
"""The known games by name."""

Weight = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Prior(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which codes the code maker may have chosen: weights, 1 where nothing is said.

    A code of weight 0 cannot be the secret.
    """

    kinds: dict[str, Weight] = {}
    """Weights of kinds, each named by its least code: `{"0000": 0}` leaves out one colour only."""
    codes: dict[str, Weight] = {}
    """Weights of single codes, which win over those of kinds."""

    def weight(self, code: str) -> int:
        """The weight of a code."""
        if code in self.codes:
            return self.codes[code]
        return self.kinds.get(least_of_kind(code), 1)


def least_of_kind(code: str) -> str:
    """The least code of the same pattern: `least_of_kind("3212") == "0012"`."""
    counts = sorted(Counter(code).values(), reverse=True)
    return "".join(SYMBOLS[i] * n for i, n in enumerate(counts))


Sign = Annotated[str, msgspec.Meta(min_length=1, max_length=16)]
"""What stands for a colour where people write it: `"1"`, `"R"`, `"red"`, `"🔴"`."""


class Position(NotebookDisplay, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Rules, clues in the order of the game, and for play a `sealed` secret (verb `deal`).

    `shown`: the player gave up, so the page may show the secret. Advice ignores both.
    """

    rules: Rules = Rules()
    """What a code is and what an answer reports."""
    clues: tuple[Clue, ...] = ()
    """Guesses and their answers, in the order of the game."""
    sealed: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    """A secret to play for, obscured; null outside a round."""
    prior: Prior | None = None
    """Weights of codes, where the code maker does not choose all alike; null: all alike."""
    shown: bool = False
    """Whether the player gave up and the secret is reported."""
    signs: Annotated[tuple[Sign, ...], msgspec.Meta(max_length=MOST_COLOURS)] = ()
    """What people write for the colours, in order: `["R", "G", …]`; none: 0-9, then a-f."""
    desk: Literal["code"] = "code"
    """The desk's name."""
    v: Literal[1] = 1
    """The version of this form."""

    def is_solved(self) -> bool:
        """Whether a clue that counts is a full hit."""
        return any(clue.is_win for clue in self.counted_clues())

    def counted(self) -> list[int]:
        """The places of the clues that count: all but the ignored ones."""
        return [i for i, clue in enumerate(self.clues) if not clue.ignored]

    def counted_clues(self) -> list[Clue]:
        """The clues that count."""
        return [clue for clue in self.clues if not clue.ignored]

    def spelled(self, guess: str) -> str:
        """Return a guess in the position's signs: `"0011"` with the signs 1-6 is `"1122"`."""
        if not self.signs:
            return guess
        separator = " " if any(len(sign) > 1 and sign.isalpha() for sign in self.signs) else ""
        return separator.join(s if s == BLANK else self.signs[SYMBOLS.index(s)] for s in guess)


def answer(rules: Rules, guess: str, secret: str) -> tuple[int, int]:
    """The answer as a pair (`Rules.answers`): `answer(Rules(), "0011", "0101") == (2, 2)`."""
    if rules.feedback == "order":
        return divmod(int(marks(guess, secret), 3), 9)
    exact = sum(a == b for a, b in zip(guess, secret, strict=True))
    if rules.feedback == "exact":
        return exact, 0
    if rules.feedback == "keep":
        near = (a != b and a in secret for a, b in zip(guess, secret, strict=True))
        return exact, sum(near)
    matches = sum(min(guess.count(c), secret.count(c)) for c in set(guess))
    if rules.feedback == "sum":
        return rules.win if guess == secret else (0, matches)
    return exact, matches - exact


def check(position: Position) -> None:
    """Raise `BadPosition` at the first broken rule; contradictory clues are no broken rule."""
    check_rules(position.rules)
    check_signs(position.rules, position.signs)
    if len(position.clues) > MOST_CLUES:
        message = f"There are {len(position.clues)} clues; at most {MOST_CLUES} are read."
        raise BadPosition(message, "$.clues")
    if position.prior is not None:
        check_prior(position.rules, position.prior, len(position.clues))
    for i, clue in enumerate(position.clues):
        check_guess(position.rules, clue.guess, f"$.clues[{i}].guess")
        check_answer(position.rules, clue, f"$.clues[{i}]")


def check_rules(rules: Rules) -> None:
    """Raise `BadPosition` for rules outside the limits."""
    if not 1 <= rules.pegs <= MOST_PEGS:
        raise BadPosition(f"Pegs must be 1 to {MOST_PEGS}, not {rules.pegs}.", "$.rules.pegs")
    if not 1 <= rules.colours <= MOST_COLOURS:
        message = f"Colours must be 1 to {MOST_COLOURS}, not {rules.colours}."
        raise BadPosition(message, "$.rules.colours")
    if not rules.leading_zero and rules.colours < 2:
        message = "Where no code begins with 0 there must be two colours or more."
        raise BadPosition(message, "$.rules.colours")
    if not rules.repeat and rules.pegs > rules.colours:
        message = f"{rules.pegs} different colours cannot be had of {rules.colours}."
        raise BadPosition(message, "$.rules.colours")
    if rules.feedback in FEEDBACKS[2:]:
        _check_listed(rules)


def _check_listed(rules: Rules) -> None:
    """Raise `BadPosition` where answers of this kind are too many to compare one by one."""
    if rules.feedback == "order" and rules.pegs > MOST_ORDERED:
        message = f"With a mark a peg there are at most {MOST_ORDERED} pegs, not {rules.pegs}."
        raise BadPosition(message, "$.rules.pegs")
    _check_codes_listed(rules, "$.rules.feedback", f"{rules.feedback!r} feedback")


def _check_codes_listed(rules: Rules, where: str, what: str) -> None:
    """Raise `BadPosition` where there are too many codes to list for `what`."""
    n, p = rules.colours + rules.blanks, rules.pegs
    count = n**p if rules.repeat or rules.blanks else perm(n, p)
    if count > MOST_LISTED:
        message = f"{what} takes up to {MOST_LISTED:,} codes; these rules have up to {count:,}."
        raise BadPosition(message, where)


def check_prior(rules: Rules, prior: Prior, clues: int) -> None:
    """Raise `BadPosition` unless the weights are of codes and kinds of these rules."""
    _check_codes_listed(rules, "$.prior", "A prior")
    for kind in prior.kinds:
        if code_error(Rules(rules.pegs, rules.colours, rules.repeat), kind):
            raise BadPosition(f"{kind!r} is not a code of these rules.", "$.prior.kinds")
        if kind != least_of_kind(kind):
            least = f"Name the kind of {kind} by its least code, {least_of_kind(kind)}."
            raise BadPosition(least, "$.prior.kinds")
    for code in prior.codes:
        if why := code_error(rules, code):
            raise BadPosition(why, "$.prior.codes")
    if clues + len(prior.codes) > MOST_CLUES:
        raise BadPosition(f"At most {MOST_CLUES} clues and codes with a weight.", "$.prior.codes")


def check_signs(rules: Rules, signs: Sequence[str]) -> None:
    """Raise `BadPosition` unless there is one for each colour, all different."""
    if signs and len(signs) != rules.colours:
        message = f"There are {len(signs)} signs for {rules.colours} colours."
        raise BadPosition(message, "$.signs")
    seen: set[str] = set()
    for i, sign in enumerate(signs):
        if sign.casefold() in seen:
            raise BadPosition(f"{sign!r} stands for two colours.", f"$.signs[{i}]")
        if sign == BLANK or not sign.isprintable() or any(c.isspace() for c in sign):
            raise BadPosition(f"{sign!r} cannot stand for a colour.", f"$.signs[{i}]")
        seen.add(sign.casefold())


def guess_error(rules: Rules, guess: str) -> str | None:
    """Why the text is no guess under the rules, as a sentence; None if it is one."""
    if len(guess) != rules.pegs:
        return f"A guess has {rules.pegs} symbols; {guess[:20]!r} has {len(guess)}."
    for symbol in guess:
        if symbol == BLANK and not rules.blanks:
            return "These rules allow no blank in a guess."
        if symbol != BLANK and symbol not in rules.symbols:
            return f"{symbol!r} is not a colour; the colours are {rules.symbols}."
    colours = guess.replace(BLANK, "")
    if not rules.repeat and len(set(colours)) < len(colours):
        return f"{guess!r} shows a colour twice, which these rules forbid."
    return None


def code_error(rules: Rules, code: str) -> str | None:
    """Why the text cannot be a secret under the rules, as a sentence; None if it can."""
    if why := guess_error(Rules(rules.pegs, rules.colours, rules.repeat), code):
        return why
    if not rules.leading_zero and code[0] == SYMBOLS[0]:
        return f"{code!r} begins with {SYMBOLS[0]}, which no code does under these rules."
    return None


def check_guess(rules: Rules, guess: str, where: str) -> None:
    """Raise `BadPosition` at `where` unless the text is a guess."""
    reason = guess_error(rules, guess)
    if reason is not None:
        raise BadPosition(reason, where)


def answer_error(rules: Rules, exact: int | None, partial: int | None) -> str | None:
    """Why no guess can get that answer, as a sentence; None if one can."""
    p = rules.pegs
    known = [half for half in (exact, partial) if half is not None]
    if not known:
        return "Neither half of the answer is known. Enter one, or ignore the row."
    if min(known) < 0:
        return "An answer counts pegs; it cannot be negative."
    if rules.feedback in ("order", "sum"):
        return None if (exact, partial) in rules.answers() else "No guess can get that answer."
    if rules.feedback == "exact" and partial != 0:
        return "These rules tell exact matches only, so the second number must be 0."
    if sum(known) > p:
        return f"{answer_text(exact, partial)} counts more than {p} pegs."
    if rules.feedback != "keep" and (exact, partial) == (p - 1, 1):
        return f"{answer_text(exact, partial)} cannot be: the last peg has nowhere else to go."
    return None


def check_answer(rules: Rules, clue: Clue, where: str) -> None:
    """Raise `BadPosition` unless the answer can be given; an ignored clue may say anything."""
    if rules.feedback == "order" or clue.marks is not None:
        _check_marks(rules, clue, where)
        return
    if rules.feedback == "sum" or clue.sum is not None or clue.won:
        _check_sum(rules, clue, where)
        return
    off = [half is not None and not 0 <= half <= rules.pegs for half in (clue.exact, clue.partial)]
    if clue.ignored and not any(off):
        return
    reason = answer_error(rules, clue.exact, clue.partial)
    if reason is not None:
        raise BadPosition(reason, f"{where}.{'exact' if off[0] else 'partial'}")


def _check_marks(rules: Rules, clue: Clue, where: str) -> None:
    """Raise `BadPosition` unless the clue's marks are an answer under order feedback."""
    if rules.feedback != "order":
        raise BadPosition("Marks are answers of the feedback 'order' only.", f"{where}.marks")
    if why := marks_error(clue.marks, rules.pegs, clue.ignored):
        raise BadPosition(why, f"{where}.marks")


def _check_sum(rules: Rules, clue: Clue, where: str) -> None:
    """Raise `BadPosition` unless the clue's sum is an answer under sum feedback."""
    if rules.feedback != "sum":
        name = "won" if clue.sum is None else "sum"
        raise BadPosition("A sum is an answer of the feedback 'sum' only.", f"{where}.{name}")
    if clue.sum is None:
        raise BadPosition('Missing field "sum", for example 2.', f"{where}.sum")
    if not 0 <= clue.sum <= rules.pegs:
        message = f"A sum counts 0 to {rules.pegs} pegs, not {clue.sum}."
        raise BadPosition(message, f"{where}.sum")
    if clue.won and clue.sum != rules.pegs:
        message = f"A guess that won has the sum {rules.pegs}, not {clue.sum}."
        raise BadPosition(message, f"{where}.sum")
