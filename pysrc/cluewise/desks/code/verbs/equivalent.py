"""The verb `equivalent`: are two guesses, or two whole histories, equivalent?

Guesses, from the finest relation to the coarsest: `constraint` (a permutation fixes every earlier
guess and maps one guess to the other), `colour` (they differ in excluded colours only), `join` (the
transitive closure of both), `partition` (a permutation fixes the set of remaining codes and maps
the partition of one guess to that of the other).

Histories are equivalent if their remaining codes are one state of the game: `codes` (the same
codes), `symmetry` (a permutation maps one set to the other), `A`, `B`, `STAR` (equivalent tables of
answers, engine/symmetries.py). Equivalent histories need the same number of guesses.
Every positive answer comes with a witness, which has been checked.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.guess_classes import (
    class_roots,
    constraint_forest,
    first_equals,
    join_excluded,
    set_symmetries,
)
from cluewise.desks.code.engine.relations import excluded_least
from cluewise.desks.code.engine.state import (
    State,
    cell_names,
    excluded_colours,
    is_countable,
    load,
    load_space,
    pack,
)
from cluewise.desks.code.engine.symmetries import (
    Permutation,
    Table,
    build_table,
    canonical_form,
    find_orbit,
    find_set_symmetry,
    find_symmetry,
    is_tabled,
    match_colours,
)
from cluewise.desks.code.formats.history import read_codes
from cluewise.desks.code.position import Position, Prior, Rules, check, guess_error
from cluewise.desks.code.results import (
    Equivalent,
    EquivalentOptions,
    Kind,
    Same,
    SameState,
    SameStep,
)
from cluewise.errors import BadOption, CluewiseError
from cluewise.kernel import kernel
from cluewise.kernel.layouts import CODE


def equivalent(position: Position, options: EquivalentOptions) -> Job[Equivalent]:
    """Decide constraint equivalence, with the least permutation; it ignores the answers.

    With `guesses`: does a permutation fix the guesses of the clues and map the first to the second?
    `question` takes the answers into account (`same_question`). With `other`: does a permutation
    map this position's guesses to the other's, one by one? `state` compares the remaining codes
    (`same_state`).
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
        question = yield from same_question(position.rules, mine, first, second, position.prior)
        answer = _answer(position.rules, [*history, first], [*history, second], True)
        return replace(answer, question=question)
    assert options.other is not None
    theirs = _counted(_checked(position.rules, options.other))
    agree = [clue.answer for clue in mine] == [clue.answer for clue in theirs]
    state = yield from same_state(
        position.rules,
        position.counted_clues(),
        options.other.counted_clues(),
        (position.prior, options.other.prior),
    )
    answer = _answer(position.rules, history, [clue.guess for clue in theirs], agree)
    return replace(answer, state=state)


def _counted(position: Position) -> list[Clue]:
    """Return the clue that the rules imply, if any, and the clues that count."""
    return [*position.rules.given(), *position.counted_clues()]


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


# ---- two guesses ---------------------------------------------------------------------------------


MOST_COMPARISONS = 60_000_000
"""With more pairs of guess and code, partition equivalence is left open."""


_Group = tuple[Kind, object]


def same_question(
    rules: Rules, clues: Sequence[Clue], one: str, other: str, prior: Prior | None = None
) -> Job[Same]:
    """Find the finest relation that joins two guesses, with a witness.

    `same` is None if no finer relation holds and partition equivalence is not tested: it would take
    too long, or codes have unequal weights. No symmetry moves a code that has a weight of its own.
    """
    history = [*(clue.guess for clue in clues), *(prior.codes if prior else ())]
    witness = find_symmetry(rules, [*history, one], [*history, other])
    if witness is not None:
        return Same(True, "constraint", [step_by(other, "constraint", witness)])
    if not is_countable(rules):
        return Same(None, None, [])
    with kernel().frame() as frame:
        state = yield from load(frame, rules, clues, prior)
        if state.n == 0:
            return Same(None, None, [])
        path = yield from join_path(state, one, other)
        if path is not None:
            kinds = {step.by for step in path}
            return Same(True, "colour" if kinds == {"colour"} else "join", path)
        if state.weights or state.n * state.guesses > MOST_COMPARISONS:
            return Same(None, None, [])
        found = yield from partition_witness(state, one, other)
    if found is None:
        return Same(False, None, [])
    return Same(True, "partition", [step_by(other, "partition", found)])


def step_by(guess: str, by: Kind, witness: Permutation | None) -> SameStep:
    """Return a step to that guess, with the permutation if there is one."""
    if witness is None:
        return SameStep(guess, by, None, None)
    return SameStep(guess, by, list(witness.pegs), list(witness.colours))


# ---- both filters in turn -----------------------------------------------------------------


def join_path(state: State, one: str, other: str) -> Job[list[SameStep] | None]:
    """Find the fewest steps of either kind from one guess to the other; None if not joined."""
    parent = yield from constraint_forest(state)
    orbits = class_roots(state, parent)
    yield from join_excluded(state, parent)
    joined = class_roots(state, parent)
    start, goal = (state.place(pack(guess)) for guess in (one, other))
    if joined[start] != joined[goal]:
        return None
    members = [g for g, root in enumerate(joined) if root == joined[start]]
    texts = {g: state.guess(g) for g in members}
    excluded = excluded_colours(state)
    groups: dict[_Group, list[int]] = {}
    for g in members:
        groups.setdefault(("constraint", orbits[g]), []).append(g)
        groups.setdefault(("colour", excluded_least(state.rules, texts[g], excluded)), []).append(g)
    history = [clue.guess for clue in state.clues]
    steps = []
    for a, b, by in _shortest_path(groups, start, goal):
        witness = None
        if by == "constraint":
            witness = find_symmetry(state.rules, [*history, texts[a]], [*history, texts[b]])
        steps.append(step_by(texts[b], by, witness))
    return steps


def _shortest_path(
    groups: dict[_Group, list[int]], start: int, goal: int
) -> list[tuple[int, int, Kind]]:
    """Find the steps (from, to, kind) within groups, breadth first; the guesses must be joined."""
    inside: dict[int, list[_Group]] = {}
    for name, group in groups.items():
        for g in group:
            inside.setdefault(g, []).append(name)
    parents: dict[int, tuple[int, Kind]] = {start: (start, "colour")}
    queue = [start]
    for g in queue:
        for name in inside[g]:
            for near in groups.pop(name, ()):
                if near not in parents:
                    parents[near] = (g, name[0])
                    queue.append(near)
    path = []
    while goal != start:
        before, by = parents[goal]
        path.append((before, goal, by))
        goal = before
    return path[::-1]


# ---- partition equivalence -----------------------------------------------------------------------


def partition_witness(state: State, one: str, other: str) -> Job[Permutation | None]:
    """Find a permutation π of the codes with answer(other, π(s)) = answer(one, s) for all s.

    Searches the orbit of one guess under the symmetries of the set. Guesses with equal answers have
    images with equal answers, so one of each such class is expanded.
    """
    first = yield from first_equals(state, state.space, state.guesses)

    def class_of(guess: str) -> int:
        return first[state.place(pack(guess))]

    symmetries = set_symmetries(state, MOST_COMPARISONS) or []
    reached = yield from find_orbit(state.rules, one, symmetries, class_of)
    found = reached.get(class_of(other))
    return found and found[1]


# ---- two histories -------------------------------------------------------------------------------


_REPORT_INTERVAL = 512  # columns


def same_state(
    rules: Rules,
    mine: Sequence[Clue],
    theirs: Sequence[Clue],
    priors: tuple[Prior | None, Prior | None] = (None, None),
) -> Job[SameState | None]:
    """Find the finest relation that joins the states after two sets of clues; None if too large.

    With unequal weights only states of the same codes and weights are decided.
    """
    if not is_countable(rules):
        return None
    with kernel().frame() as frame:
        one = yield from load(frame, rules, mine, priors[0])
        other = yield from load(frame, rules, theirs, priors[1])
        sizes = (one.n, other.n)
        if one.codes() == other.codes() and one.weights == other.weights:
            return _found("codes", sizes)
        if one.n != other.n:
            return SameState(False, None, sizes, None, None, None, None)
        if one.weights or other.weights or one.n > CODE.MOST_ROWS:
            return SameState(None, None, sizes, None, None, None, None)
        witness = yield from find_set_symmetry(one, other)
        if witness is not None:
            return _found("symmetry", sizes, list(witness.pegs), list(witness.colours))
        yield from load_space(one)
        other.space, other.guesses = one.space, one.guesses
        if not is_tabled(one):
            return SameState(None, None, sizes, None, None, None, None)
        return (yield from _by_tables(one, other))


def _found(kind: str, sizes: tuple[int, int], *witness: list[int]) -> SameState:
    pegs, colours = witness or (None, None)
    return SameState(True, kind, sizes, pegs, colours, None, None)  # type: ignore[arg-type]  # a Literal


def _by_tables(one: State, other: State) -> Job[SameState]:
    codes, images = (s.texts(s.secrets, s.n) for s in (one, other))
    sizes = (one.n, other.n)
    for kind in ("A", "B", "STAR"):
        with one.frame.kernel.frame() as scratch:
            mine = yield from build_table(one, scratch, kind == "STAR")
            theirs = yield from build_table(other, scratch, kind == "STAR")
            if mine.columns != theirs.columns:
                continue
            form = yield from canonical_form(mine, kind)
            other_form = yield from canonical_form(theirs, kind)
            if form.key != other_form.key:
                continue
            rows = match_colours(form.rows, other_form.rows)
            names = match_colours(form.labels, other_form.labels)
            yield from _check_witness(mine, theirs, rows, names, kind == "STAR")
        left = [(code, images[rows[i]]) for i, code in enumerate(codes)]
        cells = cell_names(one.rules)
        answers = {cells[i]: cells[names[i]] for i in range(len(cells))} if kind == "B" else None
        return SameState(True, kind, sizes, None, None, left, answers)
    return SameState(False, None, sizes, None, None, None, None)


def _check_witness(
    mine: Table, theirs: Table, rows: Sequence[int], names: Sequence[int], unlabelled: bool
) -> Job[None]:
    """Map every column by rows and names; remove it from those of the other table, or fail."""
    n, back = mine.n, sorted(range(mine.n), key=rows.__getitem__)
    rename = bytes(names) + bytes(range(len(names), 256))
    other = bytes(theirs.frame.get(theirs.at, "B", n * theirs.columns))
    columns = {other[at : at + n] for at in range(0, len(other), n)}
    flat = bytes(mine.frame.get(mine.at, "B", n * mine.columns))
    for at in range(0, len(flat), n):
        if at // n % _REPORT_INTERVAL == 0:
            yield Progress(at, len(flat), "checking the correspondence")
        column = flat[at : at + n]
        image = bytes(column[i] for i in back)
        columns.remove(_by_place(image, mine.win) if unlabelled else image.translate(rename))


def _by_place(column: bytes, win: int) -> bytes:
    """Renumber answers by first occurrence, the win unchanged: `b"\5\2\5"` to `b"\0\1\0"`."""
    names: dict[int, int] = {win: win}
    for answer in column:
        names.setdefault(answer, len(names) - 1)
    return column.translate(bytes(names.get(i, i) for i in range(256)))
