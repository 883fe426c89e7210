"""States of Mastermind by definition: slow, obvious, and independent of the program."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations

from reference.code import Answer, History, answer, codes, consistent, image, symmetries

Column = tuple[object, ...]
Game = tuple[int, int, bool]  # pegs, colours, repeat
WIN = "win"


def clue_sets(game: Game, clues: int) -> Iterator[tuple[tuple[tuple[str, Answer], ...], list[str]]]:
    """All sets of so many clues with different guesses that some code fits, and what they leave."""
    every = codes(*game)
    for guesses in combinations(every, clues):
        answers: dict[tuple[Answer, ...], list[str]] = {}
        for code in every:
            answers.setdefault(tuple(answer(g, code) for g in guesses), []).append(code)
        for told, left in answers.items():
            yield tuple(zip(guesses, told, strict=True)), left


def is_irreducible(game: Game, clues: History, left: Sequence[str]) -> bool:
    """Whether every clue rules out a code that the others leave."""
    every = codes(*game)
    others = [[c for j, c in enumerate(clues) if j != i] for i in range(len(clues))]
    return all(len(consistent(every, rest)) > len(left) for rest in others)


def least_image(game: Game, left: Sequence[str]) -> tuple[str, ...]:
    """The least set that the symmetries make of a set of codes."""
    pegs, colours, _ = game
    return min(tuple(sorted(image(s, *one) for s in left)) for one in symmetries(pegs, colours))


def named(column: Sequence[object]) -> Column:
    """A column with its answers numbered as they come, the win as it is."""
    names: dict[object, object] = {WIN: WIN}
    return tuple(names.setdefault(cell, len(names)) for cell in column)


def columns(game: Game, left: Sequence[str], kind: str) -> list[Column]:
    """The different columns of a table, in any order."""
    pegs = game[0]
    found = set()
    for guess in codes(*game):
        told = (answer(guess, s) for s in left)
        column = tuple(WIN if one == (pegs, 0) else one for one in told)
        found.add(named(column) if kind == "STAR" else column)
    return list(found)


def same_table(game: Game, one: Sequence[str], other: Sequence[str], kind: str) -> bool:
    """Whether some order of the other's rows (and a renaming, for B) makes both tables one."""
    if len(one) != len(other):
        return False
    return same_columns(columns(game, one, kind), columns(game, other, kind), kind)


def same_columns(mine: list[Column], theirs: list[Column], kind: str) -> bool:
    """The same of two tables' columns, of as many rows each."""
    if len(mine) != len(theirs):
        return False
    if kind != "B":
        return _match(mine, theirs, [], kind)
    cells = sorted({cell for c in mine for cell in c if cell != WIN}, key=repr)
    others = sorted({cell for c in theirs for cell in c if cell != WIN}, key=repr)
    return len(cells) == len(others) and any(
        _match([_renamed(c, dict(zip(cells, names, strict=True))) for c in mine], theirs, [], "A")
        for names in permutations(others)
    )


def _renamed(column: Column, names: dict[object, object]) -> Column:
    return tuple(names.get(cell, cell) for cell in column)


def _match(mine: list[Column], theirs: list[Column], rows: list[int], kind: str) -> bool:
    many = len(rows)

    def begun(column: Column, order: Sequence[int]) -> Column:
        cells = tuple(column[i] for i in order)
        return named(cells) if kind == "STAR" else cells

    if Counter(begun(c, range(many)) for c in mine) != Counter(begun(c, rows) for c in theirs):
        return False
    size = len(mine[0])
    return many == size or any(
        _match(mine, theirs, [*rows, row], kind) for row in range(size) if row not in rows
    )


def count_automorphisms(table: Sequence[bytes], win: int, kind: str) -> int:
    """Orders of rows (for B with a renaming) that leave a table's columns as they are."""
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
    """A column of numbers as this file has them."""
    cells = tuple(WIN if cell == win else cell for cell in column)
    return named(cells) if kind == "STAR" else cells


def count_classes(game: Game, sets: Sequence[Sequence[str]], kind: str) -> int:
    """How many of these sets of codes have different tables."""
    found: list[Sequence[str]] = []
    for left in sets:
        if not any(same_table(game, left, known, kind) for known in found):
            found.append(left)
    return len(found)


def undominated(table: Sequence[Column]) -> list[Column]:
    """The columns that no other one refines: it tells all codes apart that they do, and wins where
    they win."""

    def refines(finer: Column, coarser: Column) -> bool:
        cells = set(zip(finer, coarser, strict=True))
        wins = all(mine == WIN for mine, other in cells if other == WIN)
        return wins and len(cells) == len(set(finer))

    return [c for c in table if not any(d != c and refines(d, c) for d in table)]


def count_orbits(table: Sequence[Column], kind: str) -> int:
    """The columns up to the orders of rows that leave the table as it is, by trying all orders."""
    orbit = {column: {column} for column in table}
    for rows in permutations(range(len(table[0]))):
        moved = [tuple(c[i] for i in rows) for c in table]
        moved = [named(c) if kind == "STAR" else c for c in moved]
        if set(moved) == set(table):
            for column, image_of in zip(table, moved, strict=True):
                orbit[column].add(image_of)
    return len({frozenset(one) for one in orbit.values()})


# ---- samenesses of guesses --------------------------------------------------------------------


def column_of(game: Game, guess: str, left: Sequence[str], kind: str) -> Column:
    """What the codes left answer to a guess, as a table of that kind has it."""
    told = [answer(guess, s) for s in left]
    column = tuple(WIN if one == (game[0], 0) else one for one in told)
    return named(column) if kind == "STAR" else column


def joined_by_table(game: Game, left: Sequence[str], one: str, other: str, kind: str) -> bool:
    """Whether some order of rows leaves the table as it is and takes one column to the other."""
    table = set(columns(game, left, kind))
    mine, theirs = (column_of(game, g, left, kind) for g in (one, other))

    def moved(column: Column, rows: Sequence[int]) -> Column:
        cells = tuple(column[i] for i in rows)
        return named(cells) if kind == "STAR" else cells

    return any(
        moved(mine, rows) == theirs and {moved(c, rows) for c in table} == table
        for rows in permutations(range(len(left)))
    )


def cells_of(guess: str, left: Sequence[str]) -> list[list[str]]:
    """What each answer leaves, the win left out."""
    found: dict[Answer, list[str]] = {}
    for code in left:
        if code != guess:
            found.setdefault(answer(guess, code), []).append(code)
    return list(found.values())


def same_children(game: Game, left: Sequence[str], one: str, other: str) -> bool:
    """Whether both can win or neither, and their answers leave the same STAR states."""
    if (one in left) != (other in left):
        return False
    mine, theirs = cells_of(one, left), cells_of(other, left)
    for cell in mine:
        like = next((c for c in theirs if same_table(game, cell, c, "STAR")), None)
        if like is None:
            return False
        theirs.remove(like)
    return not theirs


@cache
def step_lists(game: Game, left: tuple[str, ...]) -> set[tuple[int, ...]]:
    """The guesses the codes take, ascending, by every way to play that asks nothing in vain."""
    return {steps for guess in codes(*game) for steps in step_lists_after(game, left, guess)}


def step_lists_after(game: Game, left: Sequence[str], guess: str) -> set[tuple[int, ...]]:
    """The same for the ways that begin with a guess."""
    cells = cells_of(guess, left)
    if cells == [list(left)]:
        return set()
    found: set[tuple[int, ...]] = {(1,) if guess in left else ()}
    for cell in cells:
        below = step_lists(game, tuple(cell))
        found = {
            tuple(sorted((*steps, *(n + 1 for n in more)))) for steps in found for more in below
        }
    return found
