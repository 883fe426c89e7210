"""Reference for the code desk: Mastermind by definition, independent of the package."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations, product
from math import log2, prod
from typing import Any

from hypothesis import strategies as st

SYMBOLS = "0123456789abcdef"
Answer = tuple[int, int]
Halves = tuple[int | None, int | None]  # a half that is None is not known
History = Sequence[tuple[str, Halves]]


def codes(pegs: int, colours: int, repeat: bool) -> list[str]:
    """Return all secrets in lexicographic order."""
    pool = SYMBOLS[:colours]
    ways = product(pool, repeat=pegs) if repeat else permutations(pool, pegs)
    return ["".join(way) for way in ways]


def guesses(pegs: int, colours: int, repeat: bool, blanks: bool) -> list[str]:
    """Return all guesses in lexicographic order; '.' precedes '0'."""
    if not blanks:
        return codes(pegs, colours, repeat)
    ways = ("".join(way) for way in product("." + SYMBOLS[:colours], repeat=pegs))
    return [w for w in ways if repeat or max(Counter(w.replace(".", "")).values(), default=0) < 2]


def answer(guess: str, secret: str, exact_only: bool = False) -> Answer:
    """Return exact and misplaced matches."""
    exact = sum(a == b for a, b in zip(guess, secret, strict=True))
    if exact_only:
        return exact, 0
    shared = sum(min(guess.count(c), secret.count(c)) for c in set(guess) - {"."})
    return exact, shared - exact


def marks(guess: str, secret: str) -> str:
    """Return a mark per peg: 2 right place, 1 elsewhere (copies used from the left), 0 neither."""
    out = ["2" if a == b else "0" for a, b in zip(guess, secret, strict=True)]
    left = Counter(b for a, b in zip(guess, secret, strict=True) if a != b)
    for i, a in enumerate(guess):
        if out[i] == "0" and left[a]:
            left[a] -= 1
            out[i] = "1"
    return "".join(out)


def answer_text(feedback: str, guess: str, secret: str) -> str:
    """Return the text of an answer under any kind of feedback."""
    if feedback == "order":
        return marks(guess, secret)
    exact, partial = answer(guess, secret, feedback == "exact")
    if feedback == "sum":
        return f"{exact + partial}{'!' if guess == secret else ''}"
    if feedback == "keep":
        partial = sum(a != b and a in secret for a, b in zip(guess, secret, strict=True))
    return f"{exact}A{partial}B"


def cells_by_text(feedback: str, guess: str, secrets: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the secrets by the text of their answer."""
    cells: dict[str, list[str]] = {}
    for secret in secrets:
        cells.setdefault(answer_text(feedback, guess, secret), []).append(secret)
    return {text: tuple(cell) for text, cell in cells.items()}


def most_found(
    every: Sequence[str],
    secrets: tuple[str, ...],
    rows: int,
    first: str = "",
    feedback: str = "full",
    weights: Mapping[str, int] = {},
) -> int:
    """Return the greatest weight of secrets that a strategy finds within `rows` guesses."""
    if rows == 0 or not secrets:
        return 0
    if rows == 1 and not first:
        return max(weights.get(secret, 1) for secret in secrets)  # no guess is two codes
    best = 0
    for guess in [first] if first else every:
        cells = cells_by_text(feedback, guess, (s for s in secrets if s != guess)).values()
        found = sum(most_found(every, cell, rows - 1, "", feedback, weights) for cell in cells)
        best = max(best, found + (weights.get(guess, 1) if guess in secrets else 0))
    return best


def consistent(secrets: Iterable[str], history: History, exact_only: bool = False) -> list[str]:
    """Return the secrets consistent with the history."""
    return [s for s in secrets if all(agrees(t, answer(g, s, exact_only)) for g, t in history)]


def agrees(known: Halves, got: Answer) -> bool:
    """Return whether an answer agrees with the known halves."""
    return all(half is None or half == one for half, one in zip(known, got, strict=True))


def split(guess: str, secrets: Iterable[str], exact_only: bool = False) -> Counter[Answer]:
    """Return the number of secrets per answer."""
    return Counter(answer(guess, s, exact_only) for s in secrets)


def score(cells: Iterable[int], criterion: str) -> int:
    """Return an exact integer that is smaller for better partitions."""
    sizes = list(cells)
    if criterion == "entropy":
        return prod(int(n**n) for n in sizes)
    if criterion == "minmax":
        return max(sizes)
    if criterion == "minavg":
        return sum(n * n for n in sizes)
    return -len(sizes)


def image(guess: str, pegs: Sequence[int], colours: dict[str, str]) -> str:
    """Return h with h_i = colours(g at the peg that goes to i)."""
    out = [""] * len(guess)
    for peg, symbol in enumerate(guess):
        out[pegs[peg]] = colours.get(symbol, symbol)
    return "".join(out)


def symmetries(pegs: int, colours: int) -> list[tuple[tuple[int, ...], dict[str, str]]]:
    """Return all pegs! * colours! peg and colour permutations."""
    pool = SYMBOLS[:colours]
    return [
        (peg, dict(zip(pool, colour, strict=True)))
        for peg in permutations(range(pegs))
        for colour in permutations(pool)
    ]


class Classes:
    """Disjoint sets of guesses, as a union-find forest."""

    def __init__(self, members: Iterable[str]) -> None:
        self.parent = {member: member for member in members}

    def find(self, member: str) -> str:
        """Return the least member of the class."""
        while self.parent[member] != member:
            member = self.parent[member]
        return member

    def join(self, a: str, b: str) -> None:
        """Unite two classes."""
        low, high = sorted((self.find(a), self.find(b)))
        self.parent[high] = low

    def least(self) -> list[str]:
        """Return the least members, ascending."""
        return sorted({self.find(member) for member in self.parent})


def excluded_least(guess: str, excluded: str, repeat: bool) -> str:
    """Return the least guess that differs in excluded symbols only."""
    if not excluded:
        return guess
    if repeat or "." in excluded:
        return "".join(min(excluded) if c in excluded else c for c in guess)
    names: dict[str, str] = {}
    for c in guess:
        if c in excluded and c not in names:
            names[c] = sorted(excluded)[len(names)]
    return "".join(names.get(c, c) for c in guess)


def constraint_classes(
    every: Sequence[str], earlier: Sequence[str], pegs: int, colours: int
) -> Classes:
    """Return the orbits of the symmetries that fix every earlier guess."""
    keep = [s for s in symmetries(pegs, colours) if all(image(g, *s) == g for g in earlier)]
    classes = Classes(every)
    for guess in every:
        for symmetry in keep:
            classes.join(guess, image(guess, *symmetry))
    return classes


def partition_classes(
    every: Sequence[str], secrets: Sequence[str], pegs: int, colours: int, exact_only: bool = False
) -> Classes:
    """Return the classes of g ~ h: a symmetry of the set of secrets maps their answers."""
    chosen = set(secrets)
    keep = [s for s in symmetries(pegs, colours) if {image(x, *s) for x in chosen} == chosen]
    classes = Classes(every)
    seen: dict[tuple[Answer, ...], str] = {}
    for guess in every:
        for symmetry in keep:
            back = [image(secret, *symmetry) for secret in secrets]
            vector = dict(zip(back, secrets, strict=True))
            key = tuple(answer(guess, vector[s], exact_only) for s in secrets)
            classes.join(guess, seen.setdefault(key, guess))
    return classes


def first_equals(feedback: str, every: Sequence[str], secrets: Sequence[str]) -> list[int]:
    """Return, for each guess, the index of the first guess with equal answers for all secrets."""
    vectors = [[answer_text(feedback, guess, s) for s in secrets] for guess in every]
    return [vectors.index(vector) for vector in vectors]


class Optimum:
    """The least total of guesses over a set of secrets, by trying every guess on every set.

    `weights`: factor of the guesses for a secret, by default 1.
    """

    def __init__(
        self, every: Sequence[str], feedback: str | bool = "full", weights: Mapping[str, int] = {}
    ) -> None:
        self.every, self.weights = every, weights
        self.feedback = feedback if isinstance(feedback, str) else ("full", "exact")[feedback]
        self.known: dict[frozenset[str], tuple[int, frozenset[int]]] = {}

    def cells(self, guess: str, secrets: frozenset[str]) -> list[frozenset[str]]:
        """Return the cells of the partition, without the win."""
        cells = cells_by_text(self.feedback, guess, secrets - {guess}).values()
        return [frozenset(cell) for cell in cells]

    def mass(self, secrets: Iterable[str]) -> int:
        return sum(self.weights.get(secret, 1) for secret in secrets)

    def of_set(self, secrets: frozenset[str]) -> tuple[int, frozenset[int]]:
        """Return the least total, and the worst cases of all strategies with this total."""
        if len(secrets) == 1:
            return self.mass(secrets), frozenset({1})
        if secrets not in self.known:
            best, worsts = 10**9, frozenset[int]()
            for guess in self.every:
                cells = self.cells(guess, secrets)
                least = self.mass(secrets) + sum(
                    2 * self.mass(cell) - max(map(self.mass, ([s] for s in cell))) for cell in cells
                )
                if cells == [secrets] or least > best:
                    continue
                total, ways = self.of_guess(guess, secrets)
                if total < best:
                    best, worsts = total, ways
                elif total == best:
                    worsts |= ways
            self.known[secrets] = best, worsts
        return self.known[secrets]

    def of_guess(self, guess: str, secrets: frozenset[str]) -> tuple[int, frozenset[int]]:
        """Return the same with a given first guess, which must not leave all secrets."""
        total, ways = self.mass(secrets), {1}
        for cell in self.cells(guess, secrets):
            cost, worsts = self.of_set(cell)
            total += cost
            ways = {max(way, 1 + worst) for way in ways for worst in worsts}
        return total, frozenset(ways)


def most_bits(guesses: Iterable[str], secrets: Sequence[str], exact_only: bool = False) -> float:
    """Return an upper bound on the bits of any of the guesses, by their colours only (bound.c)."""
    kinds: dict[str, list[str]] = {}
    for guess in guesses:
        kinds.setdefault("".join(sorted(guess)), []).append(guess)
    return max(_kind_bits(kind, secrets, exact_only) for kind in kinds.values())


def _kind_bits(kind: Sequence[str], secrets: Sequence[str], exact_only: bool) -> float:
    pegs, n = len(kind[0]), len(secrets)
    totals: dict[int, list[str]] = {}
    for secret in secrets:
        total = pegs if exact_only else sum(answer(kind[0], secret))
        totals.setdefault(total, []).append(secret)

    def mean(some: Sequence[str]) -> float:
        return max(sum(answer(g, s)[0] for s in some) for g in kind) / len(some)

    def room(t: int, weight: float) -> float:
        counts = [a for a in range(t + 1) if exact_only or not (t == pegs and a == pegs - 1)]
        return log2(sum(2 ** (-weight * a) for a in counts))

    shares = {t: len(some) / n for t, some in totals.items()}
    known = -sum(p * log2(p) for p in shares.values())
    weights = [0.0865617 * step for step in range(64)]
    whole = mean(secrets)
    joint = min(w * whole + sum(p * room(t, w) for t, p in shares.items()) for w in weights)
    means = {t: mean(some) if t else 0.0 for t, some in totals.items()}
    apart = sum(p * min(w * means[t] + room(t, w) for w in weights) for t, p in shares.items())
    return known + (joint if exact_only else min(joint, apart))


# ---- games to draw ------------------------------------------------------------------------------

KINDS = ("full", "exact", "order", "keep", "sum")
RULES = [(2, 4, True), (3, 3, True), (3, 4, False), (4, 3, True)]


def clue_of(feedback: str, guess: str, secret: str) -> dict[str, Any]:
    text = answer_text(feedback, guess, secret)
    if feedback == "order":
        return {"guess": guess, "marks": text}
    if feedback == "sum":
        return {"guess": guess, "sum": int(text[0]), "won": text.endswith("!")}
    return {"guess": guess, "exact": int(text[0]), "partial": int(text[2])}


@st.composite
def games(draw: st.DrawFn) -> tuple[dict[str, Any], list[str], list[str], list[str]]:
    """Draw a position; return it, all codes, the consistent ones, and the texts of the answers."""
    feedback, (pegs, colours, repeat) = draw(st.sampled_from(KINDS)), draw(st.sampled_from(RULES))
    every = codes(pegs, colours, repeat)
    secret = draw(st.sampled_from(every))
    guesses = draw(st.lists(st.sampled_from(every), max_size=2))
    clues = [clue_of(feedback, guess, secret) for guess in guesses]
    texts = [answer_text(feedback, guess, secret) for guess in guesses]
    left = every
    for guess, text in zip(guesses, texts, strict=True):
        left = [s for s in left if answer_text(feedback, guess, s) == text]
    rules = {"pegs": pegs, "colours": colours, "repeat": repeat, "feedback": feedback}
    return {"rules": rules, "clues": clues}, every, left, texts


@st.composite
def priors(draw: st.DrawFn, every: list[str]) -> tuple[dict[str, Any], dict[str, int]]:
    """Draw a prior; return it and the weight of every code; half of the draws have no prior."""
    if draw(st.booleans()):
        return {}, dict.fromkeys(every, 1)
    one_colour = "0" * len(every[0])
    kinds = {one_colour: draw(st.integers(0, 4))} if one_colour in every else {}
    single = draw(st.dictionaries(st.sampled_from(every), st.integers(0, 9), max_size=4))
    alike = {c: kinds.get(one_colour, 1) if len(set(c)) == 1 else 1 for c in every}
    return {"prior": {"kinds": kinds, "codes": single}}, alike | single
