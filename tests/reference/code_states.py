"""States of Mastermind by definition: slow, obvious, and independent of the program."""

from collections import Counter
from collections.abc import Iterator, Sequence
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
