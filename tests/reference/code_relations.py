"""Every relation of guesses by its definition: for each guess the least of its class."""

from collections.abc import Callable, Hashable, Iterable, Sequence

from reference.code import (
    Classes,
    Optimum,
    codes,
    consistent,
    constraint_classes,
    excluded_least,
    partition_classes,
)
from reference.code_space import isometries, spatial_classes
from reference.code_states import Game, same_children


def classes_by_definition(
    game: Game, history: Sequence[tuple[str, int, int]]
) -> dict[str, list[str]]:
    """For each relation the least member of every guess's class, guesses in order."""
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
