"""Pseudo-Boolean proofs: a formula (OPB) and its refutation (VeriPB 3.0) for a forced cell.

The formula has the counts and flags over cells x1, x2, … (cell 0 is x1; open cells are left out)
and the negation of the claim. A count is two constraints, "at least" and "at most": clue k has the
numbers 2k + 1 and 2k + 2. The proof adds them up to a contradiction (`pol`, cutting planes), or
branches into cases that unit propagation refutes (`rup`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cluewise.errors import TooLarge

MOST_CASES = 20_000
Bound = tuple[dict[int, int], int]  # literals (a cell c is c + 1, its negation −c − 1), at least


def formula(counts: Sequence[tuple[Sequence[int], int]], cell: int, value: int) -> str:
    """Return the counts (cells, mines) and `cell = value` in OPB."""
    cells = sorted({c for listed, _ in counts for c in listed} | {cell})
    lines = [f"* #variable= {max(cells) + 1} #constraint= {2 * len(counts) + 1}"]
    for listed, need in counts:
        lines += count_lines(listed, need)
    lines.append(f"+1 {literal(cell + 1 if value else -cell - 1)} >= 1 ;")
    return "\n".join(lines) + "\n"


def count_lines(listed: Sequence[int], need: int) -> list[str]:
    """Return a count as two constraints, "at least" and "at most"."""
    return [
        " ".join([*(f"{sign:+d} x{c + 1}" for c in listed), f">= {sign * need} ;"])
        for sign in (1, -1)
    ]


def literal(number: int) -> str:
    """Return `x3` or `~x3`."""
    return f"x{number}" if number > 0 else f"~x{-number}"


def _add(words: list[str], what: str, times: int) -> None:
    words += [what] if times == 1 else [what, str(times), "*"]
    if len(words) > (1 if times == 1 else 3):
        words.append("+")


def case_split_proof(counts: Sequence[tuple[Sequence[int], int]], cell: int, value: int) -> str:
    """Return a refutation by case splits; raise TooLarge beyond `MOST_CASES` cases."""
    bounds = count_bounds(counts)
    supposed = {cell + 1 if value else -cell - 1}
    lines = [clause(literals) for literals in refuting_clauses(bounds, supposed, [], [MOST_CASES])]
    return proof_file(2 * len(counts) + 1, lines)


def count_bounds(counts: Sequence[tuple[Sequence[int], int]]) -> list[Bound]:
    """Return each count as "at least" and "at most"."""
    bounds: list[Bound] = []
    for listed, need in counts:
        bounds.append(({c + 1: 1 for c in listed}, need))
        bounds.append(({-c - 1: 1 for c in listed}, len(listed) - need))
    return bounds


def derivation(
    first: int, weights: Mapping[int, int], per_cell: Mapping[int, int],
    supposed: Mapping[int, int] | None = None,
) -> str:  # fmt: skip
    """Return the step that adds weighted counts, eliminates the cells of `per_cell` and saturates.

    Count k has the constraints first + 2k ("at least") and first + 2k + 1 ("at most"). With
    `supposed`, the constraints of single cells to eliminate them by, it ends in a contradiction.
    """
    words: list[str] = []
    for k, weight in weights.items():
        _add(words, str(first + 2 * k + (weight < 0)), abs(weight))
    for cell, often in sorted(per_cell.items()):
        what = literal(-cell - 1 if often > 0 else cell + 1)
        if supposed and cell in supposed:
            what = str(supposed[cell])
        _add(words, what, abs(often))
    return f"pol {' '.join(words)} {'' if supposed is not None else 's '};"


def clause(literals: Sequence[int]) -> str:
    """Return the step that derives the disjunction of literals; without any, a contradiction."""
    return " ".join(["rup", *(f"+1 {literal(n)}" for n in literals), ">= 1 ;"])


def refuting_clauses(
    bounds: Sequence[Bound], given: set[int], chosen: list[int], left: list[int]
) -> Iterator[list[int]]:
    """Yield clauses that exclude each choice in turn, ending with the empty one."""
    left[0] -= 1
    if left[0] < 0:
        raise TooLarge("This proof has too many cases to write down.")
    known = propagated(bounds, given | set(chosen))
    if known is not None:
        free = sorted({abs(n) for terms, _ in bounds for n in terms} - {abs(n) for n in known})
        for side in (free[0], -free[0]):
            yield from refuting_clauses(bounds, given, [*chosen, side], left)
    yield [-n for n in chosen]


def propagated(bounds: Sequence[Bound], true: set[int]) -> set[int] | None:
    """Return the literals implied by bounds propagation; None at a conflict."""
    true = set(true)
    while True:
        before = len(true)
        for terms, least in bounds:
            slack = sum(n for lit, n in terms.items() if -lit not in true) - least
            if slack < 0:
                return None
            true.update(lit for lit, n in terms.items() if n > slack and -lit not in true)
        if len(true) == before:
            return true


def proof_file(constraints: int, steps: Sequence[str]) -> str:
    """Return the proof: the steps after the formula's constraints, the last one a contradiction."""
    return "\n".join([
        "pseudo-Boolean proof version 3.0", f"f {constraints} ;", *steps, "output NONE ;",
        f"conclusion UNSAT : {constraints + len(steps)} ;", "end pseudo-Boolean proof ;", "",
    ])  # fmt: skip
