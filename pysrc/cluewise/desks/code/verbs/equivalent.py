"""The verb `equivalent`: are two guesses, or two whole histories, the same question?

Guesses, from the narrowest kind of sameness to the widest. `constraint`: a permutation of pegs and
colours keeps every row's guess and turns one guess into the other. `colour`: they differ only in
colours that no code left shows. `join`: both kinds in turn, as often as it takes. `partition`: a
permutation takes the codes left to themselves and the answers to one guess to the answers to the
other; the widest of them, it holds all others.

Histories are the same where the codes that are left are one state of the game: `codes` (the same),
`symmetry` (a permutation of pegs and colours turns them into each other), `A`, `B`, `STAR` (their
tables of answers are the same, with more and more renaming; see `engine/symmetries.py`).
Anyone who plays on from one can play on from the other alike, guess by guess, so both cost as much.
Every yes comes with what shows it, and that has been tried out.
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
    Form,
    Permutation,
    Table,
    find_orbit,
    find_symmetry,
    form,
    is_tabled,
    matched,
    symmetry,
    table_of,
)
from cluewise.desks.code.formats.history import read_codes
from cluewise.desks.code.position import Position, Rules, check, guess_error
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


# ---- two guesses ---------------------------------------------------------------------------------


MOST_COMPARISONS = 60_000_000
"""With more guesses times codes the widest kind is not looked for, and the answer says so."""


_Group = tuple[Kind, object]


def same_question(rules: Rules, clues: Sequence[Clue], one: str, other: str) -> Job[Same]:
    """Whether and how two guesses are one question after these clues.

    `same` is None where neither kind that was tried holds and the widest would take too long.
    """
    history = [clue.guess for clue in clues]
    witness = find_symmetry(rules, [*history, one], [*history, other])
    if witness is not None:
        return Same(True, "constraint", [step_by(other, "constraint", witness)])
    if not is_countable(rules):
        return Same(None, None, [])
    with kernel().frame() as frame:
        state = yield from load(frame, rules, clues)
        if state.n == 0:
            return Same(None, None, [])
        path = yield from join_path(state, one, other)
        if path is not None:
            kinds = {step.by for step in path}
            return Same(True, "colour" if kinds == {"colour"} else "join", path)
        if state.n * state.guesses > MOST_COMPARISONS:
            return Same(None, None, [])
        found = yield from partition_witness(state, one, other)
    if found is None:
        return Same(False, None, [])
    return Same(True, "partition", [step_by(other, "partition", found)])


def step_by(guess: str, by: Kind, witness: Permutation | None) -> SameStep:
    """A step to that guess, with the permutation where there is one."""
    if witness is None:
        return SameStep(guess, by, None, None)
    return SameStep(guess, by, list(witness.pegs), list(witness.colours))


# ---- both filters in turn -----------------------------------------------------------------


def join_path(state: State, one: str, other: str) -> Job[list[SameStep] | None]:
    """The fewest steps of either kind from one guess to the other; None if there are none."""
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
    way = _shortest(groups, start, goal)
    history = [clue.guess for clue in state.clues]
    steps = []
    for a, b, by in way:
        witness = None
        if by == "constraint":
            witness = find_symmetry(state.rules, [*history, texts[a]], [*history, texts[b]])
        steps.append(step_by(texts[b], by, witness))
    return steps


def _shortest(
    groups: dict[_Group, list[int]], start: int, goal: int
) -> list[tuple[int, int, Kind]]:
    """Steps (from, to, kind) within groups, breadth first; the guesses are known to be joined."""
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
    way = []
    while goal != start:
        before, by = parents[goal]
        way.append((before, goal, by))
        goal = before
    return way[::-1]


# ---- the same split -----------------------------------------------------------------------


def partition_witness(state: State, one: str, other: str) -> Job[Permutation | None]:
    """A permutation π of the codes left with answer(other, π(s)) = answer(one, s) for all s.

    Goes by generators of the set's symmetries. Guesses that all codes answer alike have images
    that all codes answer alike, so one of each kind is enough.
    """
    generators = [unpacked(g, state.rules) for g in set_symmetries(state, MOST_COMPARISONS) or []]
    first = yield from first_equals(state, state.space, state.guesses)

    def class_of(guess: str) -> int:
        return first[state.place(pack(guess))]

    reached = yield from find_orbit(state.rules, one, generators, class_of)
    found = reached.get(class_of(other))
    return found and found[1]


def unpacked(symmetry: bytes, rules: Rules) -> Permutation:
    """A permutation from the kernel's 25 bytes: 8 of pegs, 17 of symbols, the blank first."""
    colours = (symbol - 1 for symbol in symmetry[9 : 9 + rules.colours])
    return Permutation(tuple(symmetry[: rules.pegs]), tuple(colours))


# ---- two histories -------------------------------------------------------------------------------


_OFTEN = 512  # columns between reports


def same_state(rules: Rules, mine: Sequence[Clue], theirs: Sequence[Clue]) -> Job[SameState | None]:
    """Whether two sets of clues leave one state; None where the codes cannot be gone through."""
    if not is_countable(rules):
        return None
    with kernel().frame() as frame:
        one = yield from load(frame, rules, mine)
        other = yield from load(frame, rules, theirs)
        sizes = (one.n, other.n)
        if one.codes() == other.codes():
            return _found("codes", sizes)
        if one.n != other.n:
            return SameState(False, None, sizes, None, None, None, None)
        if one.n > CODE.MOST_ROWS:
            return SameState(None, None, sizes, None, None, None, None)
        witness = yield from symmetry(one, other)
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
            mine = yield from table_of(one, scratch, kind == "STAR")
            theirs = yield from table_of(other, scratch, kind == "STAR")
            if mine.columns != theirs.columns:
                continue
            forms = ((yield from form(mine, kind)), (yield from form(theirs, kind)))
            if forms[0].key != forms[1].key:
                continue
            rows = matched(forms[0].rows, forms[1].rows)
            names = matched(forms[0].labels, forms[1].labels)
            yield from _try_out(mine, theirs, rows, names, kind == "STAR")
        left = [(code, images[rows[i]]) for i, code in enumerate(codes)]
        answers = _renamed(one.rules, forms[0], names) if kind == "B" else None
        return SameState(True, kind, sizes, None, None, left, answers)
    return SameState(False, None, sizes, None, None, None, None)


def _renamed(rules: Rules, known: Form, names: Sequence[int]) -> dict[str, str]:
    cells = cell_names(rules)
    return {cells[i]: cells[names[i]] for i in range(len(known.labels))}


def _try_out(
    mine: Table, theirs: Table, rows: Sequence[int], names: Sequence[int], unlabelled: bool
) -> Job[None]:
    """Carry every column over; that they are those of the other table is asserted."""
    n = mine.n
    back = [0] * n
    for i, to in enumerate(rows):
        back[to] = i
    rename = bytes(names) + bytes(range(len(names), 256))
    wanted = bytes(theirs.frame.get(theirs.at, "B", n * theirs.columns))
    columns = {wanted[at : at + n] for at in range(0, len(wanted), n)}
    flat = bytes(mine.frame.get(mine.at, "B", n * mine.columns))
    for at in range(0, len(flat), n):
        if at // n % _OFTEN == 0:
            yield Progress(at, len(flat), "trying out what was found")
        column = flat[at : at + n]
        carried = bytes(column[i] for i in back)
        carried = _by_place(carried, mine.win) if unlabelled else carried.translate(rename)
        columns.remove(carried)


def _by_place(column: bytes, win: int) -> bytes:
    """Answers numbered as they come, the win as it is: `_by_place(b"\5\2\5", 9) == b"\0\1\0"`."""
    names: dict[int, int] = {win: win}
    for answer in column:
        names.setdefault(answer, len(names) - 1)
    return column.translate(bytes(names.get(i, i) for i in range(256)))
