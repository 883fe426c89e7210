"""Codeword permutations, and canonical forms of states.

A codeword permutation is a peg permutation π_p with a colour permutation π_c: it maps a guess g to
h with h_i = π_c(g at π_p⁻¹(i)). Blanks stay blanks.

A state is characterised by the table of its answers: a row per remaining code, a column per
partition that some guess makes. Tables are equivalent, from the finest relation to the coarsest, by
`sym` (a codeword permutation maps the codes), `A` (up to the order of rows and columns), `B` (and
one renaming of the answers) and `STAR` (a renaming per column). Their canonical forms, by
individualisation and refinement, are computed by canon.c.

>>> find_symmetry(Rules(4, 7), ["1314"], ["5336"])
Permutation(pegs=(1, 0, 2, 3), colours=(0, 3, 1, 5, 6, 2, 4))
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.state import State, run_in_slices
from cluewise.desks.code.position import BLANK, SYMBOLS, Rules
from cluewise.errors import TooLarge
from cluewise.kernel import Frame
from cluewise.kernel.layouts import CODE

PartialColours = tuple[int | None, ...]
"""The images of colours; None where the image is free. Images are distinct."""


@dataclass(frozen=True, slots=True)
class Permutation:
    """A codeword permutation: peg i moves to pegs[i], colour c becomes colours[c]."""

    pegs: tuple[int, ...]
    colours: tuple[int, ...]

    @classmethod
    def from_kernel(cls, symmetry: bytes, rules: Rules) -> Permutation:
        """Convert a `Symmetry` of code.h: 8 bytes of pegs, 17 of symbols, the blank first."""
        colours = (symbol - 1 for symbol in symmetry[9 : 9 + rules.colours])
        return cls(tuple(symmetry[: rules.pegs]), tuple(colours))

    def __call__(self, guess: str) -> str:
        """Return the image of a guess: `Permutation((1, 0), (0, 2, 1))("01") == "20"`."""
        image = [BLANK] * len(guess)
        for place, symbol in zip(self.pegs, guess, strict=True):
            if symbol != BLANK:
                image[place] = SYMBOLS[self.colours[SYMBOLS.index(symbol)]]
        return "".join(image)

    def after(self, first: Permutation) -> Permutation:
        """Return the composition: `a.after(b)(g) == a(b(g))`."""
        return Permutation(
            tuple(self.pegs[place] for place in first.pegs),
            tuple(self.colours[colour] for colour in first.colours),
        )

    def inverse(self) -> Permutation:
        """Return the inverse: `a.inverse()(a(g)) == g`."""
        return Permutation(_inverse(self.pegs), _inverse(self.colours))


def _inverse(images: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(range(len(images)), key=images.__getitem__))


def identity(rules: Rules) -> Permutation:
    """Return the identity."""
    return Permutation(tuple(range(rules.pegs)), tuple(range(rules.colours)))


def complete_permutation(partial: PartialColours) -> tuple[int, ...]:
    """Return the least colour permutation that extends a partial one: `(None, 0) -> (1, 0)`."""
    free_images = iter(sorted(set(range(len(partial))) - set(partial)))
    return tuple(next(free_images) if image is None else image for image in partial)


def _assign(partial: list[int | None], symbol: str, image: str) -> bool:
    """Map a symbol to its image in a partial colour permutation; False on a contradiction."""
    if BLANK in (symbol, image):
        return symbol == image
    source, target = SYMBOLS.index(symbol), SYMBOLS.index(image)
    if partial[source] is None and target not in partial:
        partial[source] = target
    return partial[source] == target


def _extensions(
    guesses: Sequence[str],
    images: Sequence[str],
    pegs: tuple[int, ...],
    partial: PartialColours,
    count: int,
) -> Iterator[tuple[tuple[int, ...], PartialColours]]:
    """Extend a partial permutation to `count` pegs so that every guess maps to its image.

    Depth first, so in ascending order; the colours are those that the guesses determine.
    """
    if len(pegs) == count:
        yield pegs, partial
        return
    for place in sorted(set(range(count)) - set(pegs)):
        colours, peg = list(partial), len(pegs)
        if all(_assign(colours, g[peg], h[place]) for g, h in zip(guesses, images, strict=True)):
            yield from _extensions(guesses, images, (*pegs, place), tuple(colours), count)


def find_symmetry(
    rules: Rules, guesses: Sequence[str], images: Sequence[str]
) -> Permutation | None:
    """Return the least permutation (pegs first) that maps every guess to its image, or None.

    Two sequences of guesses are constraint-equivalent exactly if there is one.
    """
    if len(guesses) != len(images):
        return None
    found = _extensions(guesses, images, (), (None,) * rules.colours, rules.pegs)
    least = next(found, None)
    return least and Permutation(least[0], complete_permutation(least[1]))


def eligible_permutations(
    rules: Rules, guesses: Sequence[str]
) -> list[tuple[tuple[int, ...], PartialColours]]:
    """Return the peg permutations that can map every guess to itself, and the colours they force.

    These are what the incremental filter of constraint equivalence keeps after these guesses.

    >>> eligible_permutations(Rules(2, 3), ["01"])
    [((0, 1), (0, 1, None)), ((1, 0), (1, 0, None))]
    """
    return list(_extensions(guesses, guesses, (), (None,) * rules.colours, rules.pegs))


def find_orbit(
    rules: Rules,
    guess: str,
    symmetries: Sequence[bytes],
    class_of: Callable[[str], Hashable] = str,
) -> Job[dict[Hashable, tuple[str, Permutation]]]:
    """Find the orbit of a guess, breadth first: for each class a member, and the permutation to it.

    `symmetries`: generators as the kernel has them. One member of a class is expanded: they must
    map classes to classes. By default every guess is its own class.
    """
    generators = [Permutation.from_kernel(one, rules) for one in symmetries]
    queue = [(guess, identity(rules))]
    reached = {class_of(guess): queue[0]}
    for member, so_far in queue:
        if len(queue) % 256 == 0:
            yield Progress(0, None, "searching for a permutation")
        for generator in generators:
            image = generator(member)
            name = class_of(image)
            if name not in reached:
                reached[name] = (image, generator.after(so_far))
                queue.append(reached[name])
    return reached


TableKind = Literal["A", "B", "STAR"]
RENAMING = {"A": CODE.LABELLED, "B": CODE.RENAMED, "STAR": CODE.UNLABELLED}
MAX_TABLE_BYTES = 24 << 20
"""For a table in which every guess makes a partition of its own."""
_LABELS_PER_SLICE = 1_500_000  # some 10 ms
_CODES_PER_CALL = 1 << 14

Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Table:
    """A table in kernel memory: `columns` columns of `n` labels below `labels`."""

    frame: Frame
    at: int
    n: int
    columns: int
    labels: int
    win: int


@dataclass(frozen=True, slots=True)
class Form:
    """A canonical form: its key, the order of the automorphism group, and final colours.

    Rows (and labels) of equal colour in two tables with one key correspond (`match_colours`).
    """

    key: Key
    order: int
    rows: array[int]
    labels: array[int]


def is_tabled(state: State) -> bool:
    """Whether the state's table is small enough."""
    return 0 < state.n <= CODE.MOST_ROWS and state.n * state.guesses <= MAX_TABLE_BYTES


def build_table(state: State, frame: Frame, unlabelled: bool = False) -> Job[Table]:
    """Build the table of a state that `is_tabled`.

    Unlabelled: the answers of each column are renumbered in the order of their first rows.
    """
    if not is_tabled(state):
        raise TooLarge("The table of this state is too large.")
    bits = (2 * state.guesses).bit_length()
    slots = frame.reserve(8 << bits, zero=True)
    at = frame.reserve(state.n * state.guesses)
    columns = 0

    def step(first: int, last: int) -> None:
        nonlocal columns
        columns = frame.call(
            "code_table", rules=state.packed, space=state.space, from_=first, to=last,
            secrets=state.secrets, n=state.n, unlabelled=int(unlabelled), table=at,
            room=state.guesses, slots=slots, bits=bits, columns=columns,
        )  # fmt: skip

    yield from run_in_slices(state.guesses, max(1, 400_000 // state.n), "comparing answers", step)
    answers = len(state.rules.answers())
    return Table(frame, at, state.n, columns, answers, answers - 1)


def set_table(rules: Rules, codes: Sequence[str], frame: Frame) -> Table:
    """Build the table of a set of codes: a column per peg, a label per colour, no win."""
    flat = b"".join(bytes(int(code[p], 16) for code in codes) for p in range(rules.pegs))
    at = frame.put(flat)
    return Table(frame, at, len(codes), rules.pegs, CODE.MAX_COLOURS, CODE.NO_WIN)


def canonical_form(table: Table, kind: TableKind) -> Job[Form]:
    """Compute the canonical form of a table; `B` for that of a set."""
    with table.frame.kernel.frame() as scratch:
        memory = _start_search(table, kind, scratch)
        while scratch.call("code_canon_step", memory, _LABELS_PER_SLICE):
            yield Progress(0, None, "computing the canonical form")
        out = scratch.reserve(8 * (3 + table.n + table.labels))
        scratch.call("code_canon_read", memory, out)
        found = scratch.get(out, "Q", 3 + table.n + table.labels)
    rows, labels = found[3 : 3 + table.n], found[3 + table.n :]
    return Form((found[0], found[1]), found[2], rows, labels)


def refinement_key(table: Table, kind: TableKind) -> Key:
    """Return the key after one refinement: an invariant, not a complete one."""
    with table.frame.kernel.frame() as scratch:
        memory = _start_search(table, kind, scratch)
        scratch.call("code_canon_step", memory, 0)
        out = scratch.reserve(24)
        scratch.call("code_canon_key", memory, out)
        found = scratch.get(out, "Q", 2)
    return found[0], found[1]


def _start_search(table: Table, kind: TableKind, scratch: Frame) -> int:
    bytes_ = scratch.call("code_canon_bytes", table.n, table.labels)
    memory = scratch.reserve(bytes_)
    scratch.call(
        "code_canon_start", memory, table.at, table.n, table.columns, table.labels, table.win,
        RENAMING[kind],
    )  # fmt: skip
    return memory


def set_keys(
    frame: Frame, packed: int, pegs: int, sets: Sequence[array[int]]
) -> Iterator[tuple[Key, int]]:
    """Yield for each set of packed codes its key up to `sym` and the order of its stabiliser."""
    for batch in _batches(sets):
        with frame.kernel.frame() as scratch:
            starts = array("I", [0])
            for one in batch:
                starts.append(starts[-1] + len(one))
            codes = scratch.put(b"".join(batch))
            largest = max(map(len, batch))
            bytes_ = scratch.call("code_canon_bytes", largest, CODE.MAX_COLOURS)
            bytes_ += (16 + pegs) * largest + 64
            memory, out = scratch.reserve(bytes_), scratch.reserve(24 * len(batch))
            scratch.call(
                "code_set_keys", rules=packed, codes=codes, total=starts[-1],
                starts=scratch.put(starts), from_=0, to=len(batch), memory=memory, bytes=bytes_,
                out=out,
            )  # fmt: skip
            found = scratch.get(out, "Q", 3 * len(batch))
        for i in range(0, len(found), 3):
            yield (found[i], found[i + 1]), found[i + 2]


def _batches(sets: Sequence[array[int]]) -> Iterator[list[array[int]]]:
    """Yield the sets in order, in batches of limited size."""
    batch: list[array[int]] = []
    codes = 0
    for one in sets:
        if batch and codes + len(one) > _CODES_PER_CALL:
            yield batch
            batch, codes = [], 0
        batch.append(one)
        codes += len(one)
    if batch:
        yield batch


def find_set_symmetry(one: State, other: State) -> Job[Permutation | None]:
    """Find a permutation that maps the remaining codes of one state to those of the other."""
    codes, images = (s.texts(s.secrets, s.n) for s in (one, other))
    with one.frame.kernel.frame() as scratch:
        mine = yield from canonical_form(set_table(one.rules, codes, scratch), "B")
        theirs = yield from canonical_form(set_table(one.rules, images, scratch), "B")
    if mine.key != theirs.key:
        return None
    rows, labels = match_colours(mine.rows, theirs.rows), match_colours(mine.labels, theirs.labels)
    shown = {SYMBOLS.index(c) for code in codes for c in code}
    colours = complete_permutation(
        tuple(labels[c] if c in shown else None for c in range(one.rules.colours))
    )
    pegs: list[int] = []
    for peg in range(one.rules.pegs):
        column = [colours[SYMBOLS.index(code[peg])] for code in codes]
        pegs.append(
            next(
                to
                for to in range(one.rules.pegs)
                if to not in pegs
                and all(SYMBOLS[c] == images[rows[i]][to] for i, c in enumerate(column))
            )
        )
    found = Permutation(tuple(pegs), colours)
    assert sorted(map(found, codes)) == images
    return found


def match_colours(colours: array[int], others: array[int]) -> list[int]:
    """Return for each place the place of the same colour in the other list; its own if none."""
    place = {colour: i for i, colour in enumerate(others)}
    return [place.get(colour, i) for i, colour in enumerate(colours)]
