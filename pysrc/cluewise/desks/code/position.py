"""A game of Mastermind or Bulls & Cows as a frozen value: the rules, the clues, perhaps a secret.

>>> Position(Rules(4, 6), (Clue("0011", 1, 1),)).clues[0].answer
'1A1B'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from cluewise.core.notebook import NotebookDisplay
from cluewise.errors import BadPosition

SYMBOLS = "0123456789abcdef"
"""The colours in order; `.` is a blank."""
BLANK = "."
MOST_PEGS = 8
MOST_COLOURS = 16
MOST_CLUES = 64


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a code is and what an answer reports: `Rules(4, 10, repeat=False)` is Bulls & Cows.

    Without `repeat` neither codes nor guesses may show a colour twice. With `blanks` a guess (a
    code never) may leave pegs empty. `feedback` "exact" gives exact matches only.
    """

    pegs: int = 4
    """Pegs in a code, 1 to 8."""
    colours: int = 6
    """Colours to choose from, 1 to 16."""
    repeat: bool = True
    """Whether a colour may occur twice in a code and in a guess."""
    blanks: bool = False
    """Whether a guess may leave pegs empty (`.`); the secret never does."""
    feedback: Literal["full", "exact"] = "full"
    """`exact`: only right places are reported, and `partial` is 0."""
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
        """What the rules say of every code, as clues: nothing, or that 0 does not come first."""
        if self.leading_zero:
            return []
        return [Clue(SYMBOLS[0] + BLANK * (self.pegs - 1), 0, None)]

    def answers(self) -> list[tuple[int, int]]:
        """All answers a guess can get, ascending: `[(0, 0), (0, 1), …, (4, 0)]`.

        (pegs-1, 1) is missing: with all pegs but one exact, the last cannot be misplaced.
        """
        p = self.pegs
        partials = range(p + 1) if self.feedback == "full" else range(1)
        return [
            (x, y) for x in range(p + 1) for y in partials if x + y <= p and (x, y) != (p - 1, 1)
        ]


class Clue(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A guess and its answer: `Clue("0011", 1, 2)`; an `ignored` clue counts nowhere.

    A half of the answer that no one knows is None: `Clue("0011", 2, None)` is 2 in the right place
    and any number of misplaced ones.
    """

    guess: Annotated[str, msgspec.Meta(max_length=64)]
    """A symbol a peg: 0-9, then a-f; `.` is a blank."""
    exact: int | None
    """Right colour in the right place; null: not known."""
    partial: int | None = 0
    """Right colour elsewhere; null: not known."""
    ignored: bool = False
    """The clue counts nowhere, as if it were not there."""

    @property
    def answer(self) -> str:
        """The answer as text: `"1A2B"`, or `"1A?B"` where a half is not known."""
        return answer_text(self.exact, self.partial)

    def agrees(self, full: tuple[int, int]) -> bool:
        """Whether a whole answer has the halves that the clue gives."""
        return self.exact in (None, full[0]) and self.partial in (None, full[1])


Sign = Annotated[str, msgspec.Meta(min_length=1, max_length=16)]
"""What stands for a colour where people write it: `"1"`, `"R"`, `"red"`, `"🔴"`."""


class Position(NotebookDisplay, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Rules, clues in the order they came, and for play a `sealed` secret (see `play`).

    `shown`: the player gave up, and the page may tell the secret. Advice looks at neither.
    """

    rules: Rules = Rules()
    """What a code is and what an answer reports."""
    clues: tuple[Clue, ...] = ()
    """Guesses and their answers, in the order they came."""
    sealed: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    """A secret to play for, obscured; null outside a round."""
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
        return any(self.clues[i].exact == self.rules.pegs for i in self.counted())

    def counted(self) -> list[int]:
        """The places of the clues that count: all but the ignored ones."""
        return [i for i, clue in enumerate(self.clues) if not clue.ignored]

    def spelled(self, guess: str) -> str:
        """A guess as its people write it: `"0011"` with the signs 1-6 is `"1122"`."""
        if not self.signs:
            return guess
        apart = " " if any(len(sign) > 1 and sign.isalpha() for sign in self.signs) else ""
        return apart.join(s if s == BLANK else self.signs[SYMBOLS.index(s)] for s in guess)


def answer_text(exact: int | None, partial: int | None) -> str:
    """The usual text of an answer: `answer_text(1, 2) == "1A2B"`; what is not known is `?`."""
    return f"{'?' if exact is None else exact}A{'?' if partial is None else partial}B"


def answer(rules: Rules, guess: str, secret: str) -> tuple[int, int]:
    """Exact and misplaced matches: `answer(Rules(), "0011", "0101") == (2, 2)`."""
    exact = sum(a == b for a, b in zip(guess, secret, strict=True))
    if rules.feedback == "exact":
        return exact, 0
    return exact, sum(min(guess.count(c), secret.count(c)) for c in set(guess)) - exact


def check(position: Position) -> None:
    """Raise `BadPosition` at the first broken rule; contradictory clues are no broken rule."""
    check_rules(position.rules)
    check_signs(position.rules, position.signs)
    if len(position.clues) > MOST_CLUES:
        message = f"There are {len(position.clues)} clues; at most {MOST_CLUES} are read."
        raise BadPosition(message, "$.clues")
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
    if rules.feedback == "exact" and partial != 0:
        return "These rules tell exact matches only, so the second number must be 0."
    if sum(known) > p:
        return f"{answer_text(exact, partial)} counts more than {p} pegs."
    if (exact, partial) == (p - 1, 1):
        return f"{answer_text(exact, partial)} cannot be: the last peg has nowhere else to go."
    return None


def check_answer(rules: Rules, clue: Clue, where: str) -> None:
    """Raise `BadPosition` unless the answer can be given; an ignored clue may say anything."""
    off = [half is not None and not 0 <= half <= rules.pegs for half in (clue.exact, clue.partial)]
    if clue.ignored and not any(off):
        return
    reason = answer_error(rules, clue.exact, clue.partial)
    if reason is not None:
        raise BadPosition(reason, f"{where}.{'exact' if off[0] else 'partial'}")
