"""Permutations of pegs and colours: the words in which "the same question" is said.

A codeword permutation is a peg permutation and a colour permutation together; it takes a guess
g to h with h_i = π_c(g at π_p⁻¹(i)). Blanks stay blanks.

>>> find_symmetry(Rules(4, 7), ["1314"], ["5336"])
Permutation(pegs=(1, 0, 2, 3), colours=(0, 3, 1, 5, 6, 2, 4))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from cluewise.desks.code.position import BLANK, SYMBOLS, Rules

PartialColours = tuple[int | None, ...]
"""What some colours become; None where nothing is decided. Distinct where decided."""


@dataclass(frozen=True, slots=True)
class Permutation:
    """Peg i goes to place pegs[i], colour c becomes colours[c]."""

    pegs: tuple[int, ...]
    colours: tuple[int, ...]

    def __call__(self, guess: str) -> str:
        """The image of a guess: `Permutation((1, 0), (0, 2, 1))("01") == "20"`."""
        image = [BLANK] * len(guess)
        for place, symbol in zip(self.pegs, guess, strict=True):
            if symbol != BLANK:
                image[place] = SYMBOLS[self.colours[SYMBOLS.index(symbol)]]
        return "".join(image)

    def after(self, first: Permutation) -> Permutation:
        """The composition: `a.after(b)(g) == a(b(g))`."""
        return Permutation(
            tuple(self.pegs[place] for place in first.pegs),
            tuple(self.colours[colour] for colour in first.colours),
        )

    def inverse(self) -> Permutation:
        """What undoes it: `a.inverse()(a(g)) == g`."""
        return Permutation(_inverse(self.pegs), _inverse(self.colours))


def _inverse(images: Sequence[int]) -> tuple[int, ...]:
    back = [0] * len(images)
    for source, image in enumerate(images):
        back[image] = source
    return tuple(back)


def identity(rules: Rules) -> Permutation:
    """The permutation that changes nothing."""
    return Permutation(tuple(range(rules.pegs)), tuple(range(rules.colours)))


def complete_permutation(partial: PartialColours) -> tuple[int, ...]:
    """The least colour permutation that agrees with a partial one: `(None, 0) -> (1, 0)`."""
    open_images = iter(sorted(set(range(len(partial))) - set(partial)))
    return tuple(next(open_images) if image is None else image for image in partial)


def _send(partial: list[int | None], symbol: str, image: str) -> bool:
    """Let `symbol` become `image`; False if that contradicts what is decided."""
    if BLANK in (symbol, image):
        return symbol == image
    source, target = SYMBOLS.index(symbol), SYMBOLS.index(image)
    if partial[source] is None and target not in partial:
        partial[source] = target
    return partial[source] == target


def find_symmetry(
    rules: Rules, guesses: Sequence[str], images: Sequence[str]
) -> Permutation | None:
    """The least permutation (pegs first) that takes every guess to its image; None if none does.

    Two sequences of guesses are constraint-equivalent exactly if there is one.
    """
    if len(guesses) != len(images):
        return None
    return _extend(rules, guesses, images, (), [None] * rules.colours)


def _extend(
    rules: Rules,
    guesses: Sequence[str],
    images: Sequence[str],
    pegs: tuple[int, ...],
    partial: list[int | None],
) -> Permutation | None:
    if len(pegs) == rules.pegs:
        return Permutation(pegs, complete_permutation(tuple(partial)))
    for place in range(rules.pegs):
        if place in pegs:
            continue
        tried = list(partial)
        peg = len(pegs)
        if all(_send(tried, g[peg], h[place]) for g, h in zip(guesses, images, strict=True)):
            found = _extend(rules, guesses, images, (*pegs, place), tried)
            if found is not None:
                return found
    return None


def eligible_permutations(
    rules: Rules, guesses: Sequence[str]
) -> list[tuple[tuple[int, ...], PartialColours]]:
    """The peg permutations that can map every guess to itself, with the colours they determine.

    What the incremental filter of constraint equivalence keeps after these guesses.

    >>> eligible_permutations(Rules(2, 3), ["01"])
    [((0, 1), (0, 1, None)), ((1, 0), (1, 0, None))]
    """
    found = []
    for pegs in permutations(range(rules.pegs)):
        colours: list[int | None] = [None] * rules.colours
        if all(
            _send(colours, guess[peg], guess[place])
            for guess in guesses
            for peg, place in enumerate(pegs)
        ):
            found.append((pegs, tuple(colours)))
    return found
