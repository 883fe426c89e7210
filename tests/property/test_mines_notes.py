"""Pencil marks survive links and files, at most one per cell, and change no answer."""

import random
from typing import Any

import msgspec
import pytest

from asking import vectors
from cluewise import links
from cluewise.core.work import finish
from cluewise.desks.mines import DESK
from cluewise.desks.mines.player_marks import Notes
from cluewise.desks.mines.position import Position, check, graph
from cluewise.desks.mines.results import DoubtOptions, HintOptions, RateOptions, SolveOptions
from cluewise.desks.mines.verbs.doubt import doubt
from cluewise.desks.mines.verbs.files import bundled
from cluewise.desks.mines.verbs.hint import hint
from cluewise.desks.mines.verbs.rate import rate
from cluewise.desks.mines.verbs.solve import solve
from cluewise.errors import BadPosition
from cluewise.service import read_position
from reference.mines_boards import random_position

CASES = vectors("mines_cases")

KINDS = ("marks", *Notes.__struct_fields__)


def annotated(position: Position, seed: int) -> Position:
    """Return the position with marks of every kind on random cells, at most one per cell."""
    dice = random.Random(seed)
    lists: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for cell in range(graph(position).cells):
        if dice.random() < 0.6:
            lists[dice.choice(KINDS)].append(cell)
    dots = tuple(lists.pop("marks"))
    notes: Notes = msgspec.convert(lists, Notes)
    return msgspec.structs.replace(position, marks=dots, notes=notes)


@pytest.mark.sampled(of="mines, every layout")
def test_marks_survive_links_and_files() -> None:
    for seed in range(200):
        position = annotated(random_position(seed), seed)
        check(position)
        assert links.decode(links.encode(position)) == position
        text = links.canonical(position)
        again = read_position(DESK, msgspec.json.decode(text))
        assert again == position
        assert links.canonical(again) == text


def test_empty_lists_of_marks_are_omitted() -> None:
    bare = read_position(DESK, {"desk": "mines"})
    empty: list[dict[str, list[int]]] = [{}, {"safe": []}, {kind: [] for kind in KINDS[1:]}]
    for notes in empty:
        assert read_position(DESK, {"desk": "mines", "notes": notes, "marks": []}) == bare
    assert "notes" not in links.canonical(bare)


@pytest.mark.sampled(of="mines, every layout")
def test_marks_do_not_change_doubt_and_solve() -> None:
    for seed in range(60):
        plain = random_position(seed)
        noted = annotated(plain, seed)
        asked: list[tuple[Any, Any]] = [(doubt, DoubtOptions())]
        if not finish(doubt(plain, DoubtOptions())).contradiction:
            asked.append((solve, SolveOptions()))
        for verb, options in asked:
            assert finish(verb(noted, options)) == finish(verb(plain, options))


@pytest.mark.sampled(of="mines, every layout")
@pytest.mark.parametrize("index", [0, 8, 16])
def test_marks_do_not_change_hints_and_ratings(index: int) -> None:
    plain = bundled()[index].position
    noted = annotated(plain, index)
    whole = HintOptions(degree=4)
    assert finish(hint(noted, whole)) == finish(hint(plain, whole))
    along = RateOptions(path=True)
    assert finish(rate(noted, along)) == finish(rate(plain, along))


@pytest.mark.parametrize(
    ("given", "where", "why"), CASES["marks that cannot be are refused with their place"]
)
def test_invalid_marks_are_refused_with_their_place(
    given: dict[str, Any], where: str, why: str
) -> None:
    board = {"kind": "square", "width": 2, "height": 2}
    with pytest.raises(BadPosition, match=why) as refused:
        read_position(DESK, {"desk": "mines", "board": board, **given})
    assert refused.value.where == where
