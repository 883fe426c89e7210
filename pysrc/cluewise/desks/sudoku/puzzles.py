"""Boards with known properties: examples for the page, grids for the benchmarks."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import NamedTuple


class Example(NamedTuple):
    """An instructive position, with its properties."""

    title: str
    note: str
    grids: tuple[str, ...]


MOST_SYMMETRIC = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
LARGEST_MINLEX = "123456789457893612986217354274538196531964827698721435342685971715349268869172543"
INKALA = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."

EXAMPLES = (
    Example(
        "One puzzle in disguise",
        "22 givens; the second is the first after a transposition, moves and new names.",
        (
            "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4.",
            ".6.87....1.....9.....49....7.....46......6..8.59........3..8.15.8.3........6...2.",
        ),
    ),
    Example(
        "One grid in disguise",
        "Two complete grids, one transform apart.",
        (
            "645729183172438596893516742456187329387294651921365478539841267264973815718652934",
            "549267138361458972278931564496725813813694725725183649657842391934516287182379456",
        ),
    ),
    Example(
        "Equal tables, different grids",
        "The co-occurrence tables agree row for row; only the exact comparison distinguishes them.",
        (
            "574831926612479853983625714435798162796142385821356497157963248368214579249587631",
            "514382679982567134673149825865213497341976582729458316438795261257631948196824753",
        ),
    ),
    Example(
        "One table, three classes",
        "Two of 12⁶ grids that share one table; their groups have 648 and 108 members.",
        (
            "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
            "123456789456789123789123456231564978564897312897231645312645897645978231978312564",
        ),
    ),
    Example(
        "The most symmetric grid", "648 automorphisms, more than any other.", (MOST_SYMMETRIC,)
    ),
    Example(
        "The last minlex grid",
        "The largest of all least forms; 72 automorphisms.",
        (LARGEST_MINLEX,),
    ),
    Example(
        "162 automorphisms",
        "The only class with so many.",
        ("123456789456789123789123456267591834591834267834267591375618942618942375942375618",),
    ),
    Example(
        "A hard puzzle", "By Arto Inkala; its straight and pattern-first forms agree.", (INKALA,)
    ),
)


@cache
def automorphic() -> tuple[str, ...]:
    """142 complete grids with 2 to 162 automorphisms, scrambled."""
    text = resources.files("cluewise.desks.sudoku").joinpath("automorphic.txt").read_text("ascii")
    return tuple(line for line in text.split("\n") if line and not line.startswith("#"))
