"""Spatial sameness by definition: maps of all codes onto themselves that keep every answer."""

from collections.abc import Iterable, Iterator
from functools import cache

from reference import code as by_definition
from reference.code import Answer, Classes, codes
from reference.code_states import Game

Map = dict[str, str]
answer = cache(by_definition.answer)


def isometries(game: Game) -> list[Map]:
    """Every map that keeps all answers, found code by code."""
    every = codes(*game)
    marks = _telling(every)
    return [full for images in _placed(every, marks, []) if (full := _filled(every, marks, images))]


def _telling(every: list[str]) -> list[str]:
    """Codes whose answers tell all codes apart, each the one that then tells most."""
    marks: list[str] = []
    while len({_told(code, marks) for code in every}) < len(every):
        marks.append(max(every, key=lambda m: len({_told(c, [*marks, m]) for c in every})))
    return marks


def _told(code: str, marks: Iterable[str]) -> tuple[Answer, ...]:
    return tuple(answer(mark, code) for mark in marks)


def _placed(every: list[str], marks: list[str], images: list[str]) -> Iterator[list[str]]:
    if len(images) == len(marks):
        yield images
        return
    mark = marks[len(images)]
    wanted = _told(mark, marks[: len(images)])
    for code in every:
        if code not in images and _told(code, images) == wanted:
            yield from _placed(every, marks, [*images, code])


def _filled(every: list[str], marks: list[str], images: list[str]) -> Map | None:
    place = {_told(code, images): code for code in every}
    full = {code: place.get(_told(code, marks), "") for code in every}
    if len(set(full.values())) < len(every) or "" in full.values():
        return None
    pairs = ((a, b) for a in every for b in every if a < b)
    kept = all(answer(a, b) == answer(full[a], full[b]) for a, b in pairs)
    return full if kept else None


def spatial_classes(game: Game, left: Iterable[str], maps: Iterable[Map]) -> Classes:
    """The guesses that are the same question in space; `maps` are the game's isometries."""
    there, classes = set(left), Classes(codes(*game))
    for one in maps:
        if {one[code] for code in there} == there:
            for code, other in one.items():
                classes.join(code, other)
    return classes
