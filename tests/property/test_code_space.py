"""Spatial sameness of guesses against partition: what the theory page says, worked out."""

from itertools import combinations

import pytest

from reference.code import Classes, answer, codes, partition_classes
from reference.code_space import by_pegs_and_colours, isometries, spatial_classes
from reference.code_states import Game

PLAIN: list[Game] = [
    (2, 2, True), (2, 3, True), (2, 4, True), (2, 3, False), (2, 4, False), (2, 5, False),
    (3, 2, True), (3, 3, True), (3, 4, True), (3, 4, False), (4, 2, True),
]  # fmt: skip
DOUBLED: list[Game] = [(3, 3, False), (4, 4, False)]


def name(game: Game) -> str:
    pegs, colours, repeat = game
    return f"p{pegs}c{colours}{'r' if repeat else 'n'}"


def maps_of(game: Game, mine: bool) -> set[tuple[str, ...]]:
    found = isometries(game) if mine else by_pegs_and_colours(game)
    return {tuple(one[code] for code in codes(*game)) for one in found}


@pytest.mark.parametrize("game", PLAIN, ids=name)
def test_the_maps_that_keep_all_answers_are_those_of_pegs_and_colours(game: Game) -> None:
    assert maps_of(game, True) == maps_of(game, False)


@pytest.mark.parametrize("game", DOUBLED, ids=name)
def test_where_pegs_and_colours_are_as_many_exchanging_them_doubles_the_maps(game: Game) -> None:
    mine, plain = maps_of(game, True), maps_of(game, False)
    assert plain < mine
    assert len(mine) == 2 * len(plain)
    symbols = codes(*game)[0]
    exchanged = tuple("".join(symbols[code.index(s)] for s in symbols) for code in codes(*game))
    assert exchanged in mine - plain


def finer(one: Classes, other: Classes) -> bool:
    return all(other.find(code) == other.find(one.find(code)) for code in one.parent)


@pytest.mark.parametrize(
    "game", [(2, 3, True), (2, 4, False), (3, 2, True), *DOUBLED[:1]], ids=name
)
def test_spatial_sameness_is_finer_than_partition_for_every_set_of_codes(game: Game) -> None:
    every, maps = codes(*game), isometries(game)
    for size in (1, 2, 3):
        for left in combinations(every, size):
            parts = partition_classes(every, left, game[0], game[1])
            assert finer(spatial_classes(game, left, maps), parts), left


def test_the_smallest_sets_where_partition_joins_what_space_does_not() -> None:
    for game in ((2, 2, True), (2, 2, False)):  # none with two colours: the least has three
        every, maps = codes(*game), isometries(game)
        for left in every:
            parts = partition_classes(every, [left], game[0], game[1])
            assert spatial_classes(game, [left], maps).least() == parts.least(), left
    game = (2, 3, True)
    parts, space = (
        partition_classes(codes(*game), ["00"], 2, 3),
        spatial_classes(game, ["00"], isometries(game)),
    )
    assert parts.find("11") == parts.find("12")
    assert space.find("11") != space.find("12")


@pytest.mark.parametrize(
    ("game", "left", "one", "other"),
    [((3, 4, False), "012", "103", "123"), ((4, 4, False), "0123", "1032", "1230")],
    ids=["p3c4n", "p4c4n"],
)
def test_one_answer_to_the_one_code_left_does_not_join_guesses_in_space(
    game: Game, left: str, one: str, other: str
) -> None:
    assert answer(one, left) == answer(other, left)
    space = spatial_classes(game, [left], isometries(game))
    assert space.find(one) != space.find(other)
