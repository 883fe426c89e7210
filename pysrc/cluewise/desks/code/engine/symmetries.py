"""Permutations of pegs and colours, and canonical forms: when two questions or states are the same.

A codeword permutation is a peg permutation and a colour permutation together; it takes a guess
g to h with h_i = π_c(g at π_p⁻¹(i)). Blanks stay blanks.

A state is what the codes left can be made to answer. Its table has a row for each code left and a
column for each way in which a guess is answered by them. Four kinds of sameness, each wider than
the one before: `sym` (pegs and colours are permuted), `A` (the same table, but for the order of
rows and columns), `B` (and one renaming of the answers), `STAR` (a renaming for each column). The
keys of sets and tables are worked out by canon.c.

>>> find_symmetry(Rules(4, 7), ["1314"], ["5336"])
Permutation(pegs=(1, 0, 2, 3), colours=(0, 3, 1, 5, 6, 2, 4))
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.state import State, run_in_slices
from cluewise.desks.code.position import BLANK, SYMBOLS, Rules
from cluewise.errors import TooLarge
from cluewise.kernel import Frame
from cluewise.kernel.layouts import CODE

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


def find_orbit(
    rules: Rules,
    guess: str,
    generators: Sequence[Permutation],
    class_of: Callable[[str], Hashable] = str,
) -> Job[dict[Hashable, tuple[str, Permutation]]]:
    """The orbit of a guess, breadth first: each class it reaches, with a member and a permutation.

    The permutation maps the guess to the member. One member of a class is enough where the images
    of a class are a class; without `class_of` every guess is one.
    """
    queue = [(guess, identity(rules))]
    reached = {class_of(guess): queue[0]}
    for member, so_far in queue:
        if len(queue) % 256 == 0:
            yield Progress(0, None, "looking for a permutation of the codes left")
        for generator in generators:
            image = generator(member)
            name = class_of(image)
            if name not in reached:
                reached[name] = (image, generator.after(so_far))
                queue.append(reached[name])
    return reached


TableKind = Literal["A", "B", "STAR"]
RENAMING = {"A": CODE.LABELLED, "B": CODE.RENAMED, "STAR": CODE.UNLABELLED}
MOST_CELLS = 24 << 20
"""A table has at most that many bytes, were all guesses answered differently."""
_BUDGET = 1_500_000  # labels looked at in a slice: some 10 ms
_BATCH = 1 << 14  # codes whose sets are keyed in one call

Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Table:
    """A state's table in the kernel's memory: `columns` columns of `n` answers."""

    frame: Frame
    at: int
    n: int
    columns: int
    labels: int
    win: int


@dataclass(frozen=True, slots=True)
class Form:
    """A table's canonical form: its key; colours by which rows and labels go to another's."""

    key: Key
    order: int
    rows: array[int]
    labels: array[int]


def is_tabled(state: State) -> bool:
    """Whether the state's table fits."""
    return 0 < state.n <= CODE.MOST_ROWS and state.n * state.guesses <= MOST_CELLS


def table_of(state: State, frame: Frame, unlabelled: bool = False) -> Job[Table]:
    """The table of a state that `is_tabled`; unlabelled: each column's answers by first place."""
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
    """A set of codes as a table: a column a peg, a label a colour, and no win."""
    flat = b"".join(bytes(int(code[p], 16) for code in codes) for p in range(rules.pegs))
    at = frame.put(flat)
    return Table(frame, at, len(codes), rules.pegs, CODE.MAX_COLOURS, CODE.NO_WIN)


def form(table: Table, kind: TableKind) -> Job[Form]:
    """The canonical form of a table; of a set's table as `B`."""
    with table.frame.kernel.frame() as scratch:
        memory = _started(table, kind, scratch)
        while scratch.call("code_canon_step", memory, _BUDGET):
            yield Progress(0, None, "looking for the canonical form")
        out = scratch.reserve(8 * (3 + table.n + table.labels))
        scratch.call("code_canon_read", memory, out)
        found = scratch.get(out, "Q", 3 + table.n + table.labels)
    rows, labels = found[3 : 3 + table.n], found[3 + table.n :]
    return Form((found[0], found[1]), found[2], rows, labels)


def rough_key(table: Table, kind: TableKind) -> Key:
    """A key that tables of one class share, and others may too: one refinement, no search."""
    with table.frame.kernel.frame() as scratch:
        memory = _started(table, kind, scratch)
        scratch.call("code_canon_step", memory, 0)
        out = scratch.reserve(24)
        scratch.call("code_canon_key", memory, out)
        found = scratch.get(out, "Q", 2)
    return found[0], found[1]


def _started(table: Table, kind: TableKind, scratch: Frame) -> int:
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
    """For each set of codes (kernel words) its key up to symmetry, and how many keep it."""
    for batch in _batches(sets):
        with frame.kernel.frame() as scratch:
            starts = array("I", [0])
            for one in batch:
                starts.append(starts[-1] + len(one))
            words = scratch.put(b"".join(one.tobytes() for one in batch))
            largest = max(map(len, batch))
            bytes_ = scratch.call("code_canon_bytes", largest, CODE.MAX_COLOURS)
            bytes_ += (16 + pegs) * largest + 64
            memory, out = scratch.reserve(bytes_), scratch.reserve(24 * len(batch))
            scratch.call(
                "code_set_keys", rules=packed, words=words, codes=starts[-1],
                starts=scratch.put(starts), from_=0, to=len(batch), memory=memory, bytes=bytes_,
                out=out,
            )  # fmt: skip
            found = scratch.get(out, "Q", 3 * len(batch))
        for i in range(0, len(found), 3):
            yield (found[i], found[i + 1]), found[i + 2]


def _batches(sets: Sequence[array[int]]) -> Iterator[list[array[int]]]:
    """The sets in order, so many at once as have few codes together."""
    batch: list[array[int]] = []
    codes = 0
    for one in sets:
        if batch and codes + len(one) > _BATCH:
            yield batch
            batch, codes = [], 0
        batch.append(one)
        codes += len(one)
    if batch:
        yield batch


def symmetry(one: State, other: State) -> Job[Permutation | None]:
    """A permutation of pegs and colours that turns the codes left of one into the other's."""
    codes, images = (s.texts(s.secrets, s.n) for s in (one, other))
    with one.frame.kernel.frame() as scratch:
        mine = yield from form(set_table(one.rules, codes, scratch), "B")
        theirs = yield from form(set_table(one.rules, images, scratch), "B")
    if mine.key != theirs.key:
        return None
    rows, labels = matched(mine.rows, theirs.rows), matched(mine.labels, theirs.labels)
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


def matched(colours: array[int], others: array[int]) -> list[int]:
    """For each place the one of the other list with the same colour."""
    place = {colour: i for i, colour in enumerate(others)}
    return [place.get(colour, i) for i, colour in enumerate(colours)]
