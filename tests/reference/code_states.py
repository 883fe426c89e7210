"""Reference for states, isometries and relations of guesses, by definition."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations

from reference import code as by_definition
from reference.code import (
    Answer,
    Classes,
    History,
    Optimum,
    codes,
    consistent,
    constraint_classes,
    excluded_least,
    image,
    partition_classes,
    symmetries,
)

Column = tuple[object, ...]
Game = tuple[int, int, bool]  # pegs, colours, repeat
WIN = "win"
answer = cache(by_definition.answer)


def clue_sets(game: Game, clues: int) -> Iterator[tuple[tuple[tuple[str, Answer], ...], list[str]]]:
    """Yield all satisfiable sets of clues with distinct guesses, and their remaining codes."""
    every = codes(*game)
    for guesses in combinations(every, clues):
        answers: dict[tuple[Answer, ...], list[str]] = {}
        for code in every:
            answers.setdefault(tuple(answer(g, code) for g in guesses), []).append(code)
        for answered, left in answers.items():
            yield tuple(zip(guesses, answered, strict=True)), left


def is_irreducible(game: Game, clues: History, left: Sequence[str]) -> bool:
    """Return whether every clue excludes a code that the others leave."""
    every = codes(*game)
    others = [[c for j, c in enumerate(clues) if j != i] for i in range(len(clues))]
    return all(len(consistent(every, rest)) > len(left) for rest in others)


def least_image(game: Game, left: Sequence[str]) -> tuple[str, ...]:
    """Return the canonical form of a set of codes: its least image."""
    pegs, colours, _ = game
    return min(tuple(sorted(image(s, *one) for s in left)) for one in symmetries(pegs, colours))


def number_answers(column: Sequence[object]) -> Column:
    """Return a column with its answers numbered by first occurrence, except the win."""
    names: dict[object, object] = {WIN: WIN}
    return tuple(names.setdefault(cell, len(names)) for cell in column)


def columns(game: Game, left: Sequence[str], kind: str) -> list[Column]:
    """Return the distinct columns of a table, in any order."""
    pegs = game[0]
    found = set()
    for guess in codes(*game):
        answers = (answer(guess, s) for s in left)
        column = tuple(WIN if one == (pegs, 0) else one for one in answers)
        found.add(number_answers(column) if kind == "STAR" else column)
    return list(found)


def same_table(game: Game, one: Sequence[str], other: Sequence[str], kind: str) -> bool:
    """Return whether an order of the other's rows (and for B a renaming) makes the tables equal."""
    if len(one) != len(other):
        return False
    return same_columns(columns(game, one, kind), columns(game, other, kind), kind)


def same_columns(mine: list[Column], theirs: list[Column], kind: str) -> bool:
    """Return the same for the columns of two tables with equally many rows."""
    if len(mine) != len(theirs):
        return False
    if kind != "B":
        return _tables_match(mine, theirs, [], kind)
    cells = sorted({cell for c in mine for cell in c if cell != WIN}, key=repr)
    others = sorted({cell for c in theirs for cell in c if cell != WIN}, key=repr)
    return len(cells) == len(others) and any(
        _tables_match(
            [_rename(c, dict(zip(cells, names, strict=True))) for c in mine], theirs, [], "A"
        )
        for names in permutations(others)
    )


def _rename(column: Column, names: dict[object, object]) -> Column:
    return tuple(names.get(cell, cell) for cell in column)


def _tables_match(mine: list[Column], theirs: list[Column], rows: list[int], kind: str) -> bool:
    many = len(rows)

    def begun(column: Column, order: Sequence[int]) -> Column:
        cells = tuple(column[i] for i in order)
        return number_answers(cells) if kind == "STAR" else cells

    if Counter(begun(c, range(many)) for c in mine) != Counter(begun(c, rows) for c in theirs):
        return False
    size = len(mine[0])
    return many == size or any(
        _tables_match(mine, theirs, [*rows, row], kind) for row in range(size) if row not in rows
    )


def count_automorphisms(table: Sequence[bytes], win: int, kind: str) -> int:
    """Return the number of row orders (for B with a renaming) that keep a table's columns."""
    used = sorted({cell for column in table for cell in column})
    plain = [cell for cell in used if cell != win]
    many = 0
    for rows in permutations(range(len(table[0]))):
        for names in permutations(plain) if kind == "B" else [plain]:
            name = dict(zip(plain, names, strict=True)) | {win: win}
            moved = [[name[column[i]] for i in rows] for column in table]
            many += Counter(form(c, win, kind) for c in moved) == Counter(
                form(c, win, kind) for c in table
            )
    return many


def form(column: Sequence[int], win: int, kind: str) -> Column:
    """Return a column of numbers in the notation of this file."""
    cells = tuple(WIN if cell == win else cell for cell in column)
    return number_answers(cells) if kind == "STAR" else cells


def count_classes(game: Game, sets: Sequence[Sequence[str]], kind: str) -> int:
    """Return the number of distinct tables of these sets of codes."""
    found: list[Sequence[str]] = []
    for left in sets:
        if not any(same_table(game, left, known, kind) for known in found):
            found.append(left)
    return len(found)


def cells_of(guess: str, left: Sequence[str]) -> list[list[str]]:
    """Return the cells of the partition, without the win."""
    found: dict[Answer, list[str]] = {}
    for code in left:
        if code != guess:
            found.setdefault(answer(guess, code), []).append(code)
    return list(found.values())


def same_children(game: Game, left: Sequence[str], one: str, other: str) -> bool:
    """Return whether both or neither can win and their cells are the same STAR states."""
    if (one in left) != (other in left):
        return False
    mine, theirs = cells_of(one, left), cells_of(other, left)
    for cell in mine:
        like = next((c for c in theirs if same_table(game, cell, c, "STAR")), None)
        if like is None:
            return False
        theirs.remove(like)
    return not theirs


# ---- isometries: bijections of all codes that preserve every answer ------------------------------


Map = dict[str, str]


def isometries(game: Game) -> list[Map]:
    """Return every bijection of codes that preserves all answers, by backtracking."""
    every = codes(*game)
    marks = _resolving_codes(every)
    return [
        full
        for images in _place_images(every, marks, [])
        if (full := _complete_map(every, marks, images))
    ]


def _resolving_codes(every: list[str]) -> list[str]:
    """Return codes whose answers distinguish all codes, chosen greedily."""
    marks: list[str] = []
    while len({_feedback(code, marks) for code in every}) < len(every):
        marks.append(max(every, key=lambda m: len({_feedback(c, [*marks, m]) for c in every})))
    return marks


def _feedback(code: str, marks: Iterable[str]) -> tuple[Answer, ...]:
    return tuple(answer(mark, code) for mark in marks)


def _place_images(every: list[str], marks: list[str], images: list[str]) -> Iterator[list[str]]:
    if len(images) == len(marks):
        yield images
        return
    mark = marks[len(images)]
    expected = _feedback(mark, marks[: len(images)])
    for code in every:
        if code not in images and _feedback(code, images) == expected:
            yield from _place_images(every, marks, [*images, code])


def _complete_map(every: list[str], marks: list[str], images: list[str]) -> Map | None:
    place = {_feedback(code, images): code for code in every}
    full = {code: place.get(_feedback(code, marks), "") for code in every}
    if len(set(full.values())) < len(every) or "" in full.values():
        return None
    pairs = ((a, b) for a in every for b in every if a < b)
    kept = all(answer(a, b) == answer(full[a], full[b]) for a, b in pairs)
    return full if kept else None


def spatial_classes(game: Game, left: Iterable[str], maps: Iterable[Map]) -> Classes:
    """Return the orbits of the guesses under the isometries that preserve the remaining codes."""
    there, classes = set(left), Classes(codes(*game))
    for one in maps:
        if {one[code] for code in there} == there:
            for code, other in one.items():
                classes.join(code, other)
    return classes


# ---- relations of guesses ------------------------------------------------------------------------


def classes_by_definition(
    game: Game, history: Sequence[tuple[str, int, int]]
) -> dict[str, list[str]]:
    """Return, for each relation, the least member of every guess's class, guesses in order."""
    pegs, colours, repeat = game
    every, earlier = codes(*game), [guess for guess, *_ in history]
    left = consistent(every, [(guess, (exact, partial)) for guess, exact, partial in history])
    symbols = "0123456789"[:colours]
    excluded = "".join(c for c in symbols if not any(c in code for code in left))
    unused = "".join(c for c in symbols if c not in excluded + "".join(earlier))
    merged = {g: excluded_least(g, excluded, repeat) for g in every}
    constraint = constraint_classes(every, earlier, pegs, colours)
    optimum, whole = Optimum(every), frozenset(left)

    def colour(guess: str) -> str:
        return excluded_least(merged[guess], unused, False)

    def chain(guess: str) -> str:
        low = constraint.find(merged[guess])
        return guess if low == guess else chain(low)

    def cost(guess: str) -> int:
        if optimum.cells(guess, whole) == [whole]:
            return len(whole) + optimum.of_set(whole)[0]
        return optimum.of_guess(guess, whole)[0]

    def together(one: str, other: str) -> bool:
        return same_children(game, left, one, other)

    join = Classes(every)
    for guess in every:
        join.join(guess, merged[guess])
        join.join(guess, constraint.find(guess))
    return {
        "discrete": _least(every, lambda guess: guess),
        "colour": _least(every, colour),
        "constraint": _least(every, constraint.find),
        "chain": _least(every, chain),
        "join": _least(every, join.find),
        "partition": _least(every, partition_classes(every, left, pegs, colours).find),
        "state": [next(one for one in every if together(one, guess)) for guess in every],
        "cost": _least(every, cost),
        "spatial": _least(every, spatial_classes(game, left, isometries(game)).find),
    }


def _least(every: Iterable[str], key: Callable[[str], Hashable]) -> list[str]:
    first: dict[Hashable, str] = {}
    return [first.setdefault(key(guess), guess) for guess in every]
