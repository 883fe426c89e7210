"""Histories in the notations of other sites and programs: read right, or refused with the place."""

from typing import Any

import pytest

from asking import vectors
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.formats.history import write_history
from cluewise.desks.code.position import Position, Rules
from cluewise.service import run

KINDS: list[dict[str, Any]] = vectors("code_pasted")


def paste(position: dict[str, Any], text: str) -> Any:
    options = {"text": text}
    return run({"desk": "code", "want": "paste", "position": position, "options": options})


def rows(clues: list[dict[str, Any]]) -> list[str]:
    halves = [(c["guess"], c["exact"], c.get("partial", 0)) for c in clues]
    return [
        f"{g} {'?' if x is None else x}A{'?' if y is None else y}B" for g, x, y in halves
    ]  # fmt: skip


def test_there_are_sixty_kinds_and_more() -> None:
    assert len({kind["source"] for kind in KINDS}) >= 60


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind["source"][:50])
def test_a_history_of_another_site_is_read_right_or_refused_with_its_place(
    kind: dict[str, Any],
) -> None:
    found = paste(kind["position"], kind["text"])
    assert rows(found["clues"]) == kind.get("rows", [])
    assert found["signs"] == kind.get("signs", [])
    assert [[b["line"], b["column"]] for b in found["bad"]] == kind.get("bad", [])
    assert all(b["why"].endswith(".") for b in found["bad"])
    if "instead" in kind:
        first = found["instead"][0]
        assert {"rules": first["rules"], "signs": first["signs"], "rows": rows(first["clues"])} == (
            kind["instead"]
        )
    else:
        assert found["instead"] == []


def test_signs_are_inferred_only_where_the_position_has_no_rows_of_its_own() -> None:
    clue = {"guess": "0011", "exact": 1}
    found = paste({"clues": [clue]}, "RGBY 1 1")
    assert found["clues"] == []
    assert found["signs"] == []
    assert [(r["rules"], r["signs"]) for r in found["instead"]] == [({}, list("RGBYOP"))]


@pytest.mark.parametrize(
    "signs",
    [list("123456"), list("RGBYOP"), ["red", "green", "blue", "yellow", "orange", "purple"],
     list("🔴🟢🔵🟡🟠🟣"), list("ABCDEF")],
)  # fmt: skip
def test_what_is_written_in_signs_reads_back(signs: list[str]) -> None:
    clues = (Clue("0123", 1, 2), Clue("4455", 0, 1, True), Clue("5040", 2, None))
    position = Position(Rules(), clues, signs=tuple(signs))
    text = write_history(position)
    assert signs[4] in text
    found = paste({"signs": signs}, text)
    assert found["bad"] == []
    assert rows(found["clues"]) == [f"{c.guess} {c.answer}" for c in clues]
