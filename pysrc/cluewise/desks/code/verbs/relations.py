"""The verbs `classes` and `relations`: equivalent guesses.

`classes` counts and lists the guesses that each filter keeps. `relations` compares all equivalence
relations of guesses on one position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from cluewise.core.work import Job
from cluewise.desks.code import results as r
from cluewise.desks.code.engine import relations as engine
from cluewise.desks.code.engine.guess_classes import (
    constraint_forest,
    filter_guesses,
    join_excluded,
    partition,
)
from cluewise.desks.code.engine.relations import ORDER, colours_of
from cluewise.desks.code.engine.state import (
    State,
    cell_names,
    count_guesses,
    excluded_colours,
    free_colours,
    is_countable,
    load_position,
    load_space,
    pack,
)
from cluewise.desks.code.engine.symmetries import (
    Permutation,
    eligible_permutations,
    find_orbit,
    find_symmetry,
)
from cluewise.desks.code.formats.history import read_codes
from cluewise.desks.code.position import Position, guess_error
from cluewise.desks.code.results import ClassCounts, ClassesOptions
from cluewise.desks.code.verbs.equivalent import (
    join_path,
    partition_witness,
    step_by,
)
from cluewise.errors import BadOption, TooLarge
from cluewise.kernel import kernel


def classes(position: Position, options: ClassesOptions) -> Job[ClassCounts]:
    """Count the guesses that each filter keeps, and list those of one filter.

    `chain` is never less than `join` and sometimes more. `partition` is None over the limit or with
    unequal weights.
    """
    rules = position.rules
    if not is_countable(rules):
        raise TooLarge(f"{count_guesses(rules):,} guesses are too many to sort into classes.")
    with kernel().frame() as frame:
        state = yield from load_position(frame, position)
        parent = yield from constraint_forest(state)
        counts: dict[str, int] = {}
        listed = options.filter
        out = frame.reserve(4 * state.guesses)
        chosen = []
        for name in ("excluded", "colour", "constraint", "chain", "join"):
            if name == "join":
                yield from join_excluded(state, parent)
            at = out if name == listed else 0
            counts[name] = yield from filter_guesses(state, parent, name, at)
            if at:
                chosen = [state.guess(g) for g in frame.get(out, "I", counts[name])]
        parts = yield from partition(state, options.limit)
        if listed == "partition":
            chosen = [state.guess(g) for g in parts or ()]
        number = None if parts is None else len(parts)
        return ClassCounts(**counts, partition=number, representatives=chosen)


MOST_GUESSES = 40_000  # every guess is labelled in Python


def relations(position: Position, options: r.RelationsOptions) -> Job[r.Relations]:
    """Count the classes of every relation and compare the relations.

    With `guesses` also which relations join the two, with a witness; with `of` the members of a
    class. Raises `Contradiction` where no code fits, `TooLarge` above `MOST_GUESSES` guesses.
    """
    rules = position.rules
    if not is_countable(rules) or count_guesses(rules) > MOST_GUESSES:
        raise TooLarge(f"Relations are computed for up to {MOST_GUESSES:,} guesses.")
    pair = _checked(position, options.guesses or (), "guesses")
    of = _checked(position, () if options.of is None else (options.of,), "of")
    with kernel().frame() as frame:
        steps = yield from _filter_steps(position)
        state = yield from load_position(frame, position)
        found = yield from _find(state, position, options.limit)
        chosen = state.place(pack(of[0])) if of else None
        kept = eligible_permutations(rules, [clue.guess for clue in state.clues])
        return r.Relations(
            state.n,
            state.guesses,
            [_relation(found, name, chosen) for name in ORDER],
            steps,
            [r.Eligible(list(pegs), list(colours)) for pegs, colours in kept[: options.top]],
            (yield from _compare(found, pair[0], pair[1])) if pair else None,
            None if chosen is None else _members(found, chosen, options),
        )


_last: list[tuple[object, engine.Relations]] = []
"""A cache of one position: the page compares pair after pair of guesses on it."""


def _find(state: State, position: Position, limit: int) -> Job[engine.Relations]:
    key = (position.rules, position.counted_clues(), position.prior, limit)
    if _last and _last[0][0] == key:
        yield from load_space(state)
        return replace(_last[0][1], state=state)
    found = yield from engine.find_relations(state, limit)
    _last[:] = [(key, replace(found, state=State(state.frame, state.rules, ())))]
    return found


def _checked(position: Position, texts: Sequence[str], option: str) -> Sequence[str]:
    guesses = read_codes(position, texts)
    for i, guess in enumerate(guesses):
        if why := guess_error(position.rules, guess):
            raise BadOption(why, f"$.options.{option}" + (f"[{i}]" if option == "guesses" else ""))
    return guesses


def _relation(found: engine.Relations, name: r.RelationName, chosen: int | None) -> r.Relation:
    labels = found.labels[name]
    size = None if chosen is None or labels is None else list(labels).count(labels[chosen])
    return r.Relation(name, found.count(name), found.coarser(name), size)


def _members(found: engine.Relations, chosen: int, options: r.RelationsOptions) -> r.Members:
    state, labels = found.state, found.labels[options.relation]
    members = [g for g, root in enumerate(labels or ()) if labels and root == labels[chosen]]
    texts = [state.guess(g) for g in members[: options.top]]
    count = None if labels is None else len(members)
    return r.Members(state.guess(chosen), options.relation, count, texts)


def _filter_steps(position: Position) -> Job[list[r.FilterStep]]:
    """Return what the filters keep before the first clue and after each."""
    steps, clues = [], position.counted_clues()
    for many in range(len(clues) + 1):
        with kernel().frame() as frame:
            before = msgspec.structs.replace(position, clues=tuple(clues[:many]))
            state = yield from load_position(frame, before)
            kept = eligible_permutations(position.rules, [clue.guess for clue in state.clues])
            steps.append(
                r.FilterStep(
                    clues[many - 1].guess if many else None,
                    colours_of(free_colours(state)),
                    colours_of(excluded_colours(state)),
                    len(kept),
                )
            )
    return steps


# ---- two guesses -------------------------------------------------------------------------------


def _compare(found: engine.Relations, one: str, other: str) -> Job[r.Compared]:
    state = found.state
    a, b = (state.place(pack(guess)) for guess in (one, other))
    joins = [n for n in ORDER if (labels := found.labels[n]) is not None and labels[a] == labels[b]]
    first = next((name for name in joins if name != "spatial"), None)
    steps = yield from _steps(found, first, one, other)
    wide = first in ("state", "cost", None)
    cells = _cell_pairs(found, a, b) if wide and found.cells is not None else []
    spatial, exchanged = None, False
    if "spatial" in joins:
        witness, exchanged = yield from _isometry(state, one, other)
        spatial = step_by(other, "constraint", witness)
    return r.Compared(
        (one, other),
        joins,
        [name for name in ORDER if found.labels[name] is None],
        first,
        steps,
        cells,
        _totals(found, a, b),
        spatial,
        exchanged,
    )


def _steps(
    found: engine.Relations, first: r.RelationName | None, one: str, other: str
) -> Job[list[r.SameStep]]:
    """Return the witness of a relation up to partition, as steps from one guess to the other."""
    state = found.state
    if first == "colour":
        return [step_by(other, "colour", None)]
    if first == "constraint":
        history = [clue.guess for clue in state.clues]
        witness = find_symmetry(state.rules, [*history, one], [*history, other])
        return [step_by(other, "constraint", witness)]
    if first in ("chain", "join"):
        return (yield from join_path(state, one, other)) or []
    if first == "partition":
        return [step_by(other, "partition", (yield from partition_witness(state, one, other)))]
    return []


def _totals(found: engine.Relations, a: int, b: int) -> tuple[int, int] | None:
    partition = found.labels["partition"]
    if found.costs is None or partition is None:
        return None
    return found.costs[partition[a]], found.costs[partition[b]]


def _cell_pairs(found: engine.Relations, a: int, b: int) -> list[r.CellPair]:
    """Match the cells of both guesses by state; the others in the order of total and size."""
    cells = [engine.cells_of(found, g) for g in (a, b)]
    names, totals = cell_names(found.state.rules), found.totals

    def order(cell: engine.Cell) -> tuple[int, int, int]:
        return (totals[cell.state] if totals else 0, len(cell.codes), cell.state)

    mine, theirs = (sorted(row, key=order) for row in cells)
    pairs = []
    for cell in list(mine):
        like = next((c for c in theirs if c.state == cell.state), None)
        if like is not None:
            pairs.append((cell, like))
            mine.remove(cell)
            theirs.remove(like)
    pairs += zip(mine, theirs, strict=False)
    return [
        r.CellPair(
            (names[x.answer], names[y.answer]),
            (len(x.codes), len(y.codes)),
            x.state == y.state,
            (totals[x.state], totals[y.state]) if totals else None,
        )
        for x, y in pairs
    ]


def _isometry(state: State, one: str, other: str) -> Job[tuple[Permutation | None, bool]]:
    """Find an isometry that fixes the set of codes and maps one guess to the other.

    Returns the permutation, and whether pegs and colours are exchanged after it.
    """
    reached = yield from find_orbit(state.rules, one, engine.stabiliser(state, 1 << 62) or [])
    if other in reached or not engine.exchanges(state.rules):
        found = reached.get(other)
        return found and found[1], False
    turn = yield from engine.exchanging_symmetry(state)
    if turn is None:
        return None, False
    # exchange(x) == other has one solution, and turn maps the orbit's members to it
    goal = engine.exchange(other)
    witness = next((move for guess, move in reached.values() if turn(guess) == goal), None)
    return witness and turn.after(witness), True
