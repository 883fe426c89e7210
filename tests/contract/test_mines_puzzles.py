"""Bundled and generated puzzles: no guesses, ratings, options, determinism."""

import json
import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cluewise.core.work import finish
from cluewise.desks.mines.engine.board import FLAG, UNKNOWN, state_of_clues
from cluewise.desks.mines.engine.cdcl import backbone, open_search
from cluewise.desks.mines.engine.playthrough import puzzle_of
from cluewise.desks.mines.generator import local_search
from cluewise.desks.mines.generator.board_shapes import KINDS
from cluewise.desks.mines.position import Position, Revealed, check, clue_names, graph
from cluewise.desks.mines.sealing import with_mines
from cluewise.desks.mines.verbs.explain import reasoning
from cluewise.desks.mines.verbs.files import bundled
from cluewise.service import run, start, to_plain
from reference.mines_boards import layouts, random_position

LEVELS = ["easy", "medium", "hard", "fiendish"]


def test_bundled_puzzles_cover_all_kinds_and_levels() -> None:
    found = bundled()
    assert len(found) >= 20
    assert {e.level for e in found} == set(LEVELS)
    assert {e.kind for e in found} == set(KINDS)
    assert [LEVELS.index(e.level) for e in found] == sorted(LEVELS.index(e.level) for e in found)


@pytest.mark.parametrize("example", bundled(), ids=lambda e: e.title)
def test_bundled_puzzle_needs_no_guess_and_has_its_listed_rating(example: Any) -> None:
    check(with_mines(example.position))
    rated = run({"desk": "mines", "want": "rate", "position": to_plain(example.position)})
    assert rated["no_guess"] is True
    assert rated["closure_solves"] is True
    assert rated["smooth"] == example.rating.smooth
    assert rated["steps"] == example.rating.steps


def _forces(position: Position, clues: list[str], cell: int, value: int) -> bool:
    board = graph(position)
    state, active = state_of_clues(position, clues)
    with open_search(board, state, active) as search:
        return not finish(search.exists(cell, 1 - value))


def _explain_all(puzzle: Position) -> int:
    """Play a puzzle wave by wave and check the explanation of every deduction."""
    play = puzzle_of(puzzle)
    cells = play.start[:]
    explained = 0
    while play.has_closed(cells):
        board = play.board
        position = Position(
            neighbours=board.neighbours,
            groups=board.groups,
            revealed=tuple(
                Revealed(c, m if m >= 0 else None) for c, m in enumerate(cells)
                if m not in (UNKNOWN, FLAG)
            ),
            flags=tuple(c for c, m in enumerate(cells) if m == FLAG),
        )  # fmt: skip
        values = finish(backbone(board, cells))
        assert values is not None
        names = clue_names(position)
        for cell, value in enumerate(values):
            if value < 0:
                continue
            with reasoning(position, names) as reasons:
                answer = finish(reasons.of(cell, value))
            assert _forces(position, answer.clues, cell, value)
            assert cell in answer.steps[-1].gives.cells
            if answer.steps[-1].stage == "contradiction":
                for name in answer.clues:
                    fewer = [n for n in answer.clues if n != name]
                    assert not _forces(position, fewer, cell, value)
            explained += 1
        for cell, value in enumerate(values):
            if value >= 0:
                cells[cell] = play.shows[cell]
    return explained


@pytest.mark.parametrize("example", bundled()[::6], ids=lambda e: e.title)
def test_explanations_of_some_bundled_puzzles_are_valid(example: Any) -> None:
    assert _explain_all(with_mines(example.position)) > 5


@pytest.mark.long
@pytest.mark.parametrize("example", bundled(), ids=lambda e: e.title)
def test_explanations_of_all_bundled_puzzles_are_valid(example: Any) -> None:
    assert _explain_all(with_mines(example.position)) > 5


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_generation_depends_only_on_options_and_seed(kind: str) -> None:
    options = {"board": kind, "size": 5 if kind != "hex" else 3, "seed": 11}
    first = run({"desk": "mines", "want": "generate", "options": options})
    again = run({"desk": "mines", "want": "generate", "options": options})
    assert first == again
    assert first["rating"]["no_guess"] is True
    solved = {k: v for k, v in first.items() if k not in ("mines", "secret", "rating")}
    answer = run({"desk": "mines", "want": "solve", "position": solved})
    known = {k for k, p in enumerate(answer["probability"]) if p is None}
    assert set(answer["safe"]).isdisjoint(first["mines"])
    assert set(answer["mines"]) <= set(first["mines"])
    assert known == {r["cell"] for r in first.get("revealed", [])}


def test_number_of_mines_and_difficulty_band_are_met() -> None:
    options = {"size": 6, "seed": 3, "mines": 12, "difficulty": "3..6"}
    puzzle = run({"desk": "mines", "want": "generate", "options": options})
    assert len(puzzle["mines"]) == 12
    assert 3 <= puzzle["rating"]["smooth"] <= 6


def test_missed_difficulty_band_is_marked_in_the_rating() -> None:
    options = {"board": "hex", "size": 3, "seed": 1, "difficulty": "90..99"}
    missed = run({"desk": "mines", "want": "generate", "options": options})["rating"]
    assert (missed["wanted"], missed["hit"]) == ("90..99", False)
    assert missed["smooth"] < 90
    hit = run({"desk": "mines", "want": "generate",
               "options": {"size": 6, "seed": 3, "difficulty": "3..6"}})["rating"]  # fmt: skip
    assert (hit["wanted"], hit["hit"]) == ("3..6", True)
    plain = run({"desk": "mines", "want": "generate", "options": {"size": 5, "seed": 3}})["rating"]
    assert (plain["wanted"], plain["hit"]) == (None, None)


def made(wish: str, **options: Any) -> dict[str, Any]:
    asked = {"desk": "mines", "want": "generate", "options": {"wish": wish, **options}}
    puzzle: dict[str, Any] = run(asked)
    return puzzle


def test_puzzle_is_generated_to_a_wish_for_its_easiest_path() -> None:
    wish = {"size": 4, "seed": 7}
    puzzle = made("2+ subset, none deeper", **wish)
    rating = puzzle["rating"]
    wished = rating["wished"]
    assert (wished["wish"], wished["met"]) == ("2+ subset, none deeper than subset", True)
    assert wished["lacks"] == wished["kept"][0]["lacks"] == []
    assert wished["looked"] >= sum(wished["hardest"].values()) > 0
    bare = {k: v for k, v in puzzle.items() if k != "rating"}
    again = run({"desk": "mines", "want": "rate", "position": bare, "options": {"path": True}})
    kinds = [move["technique"] for move in again["path"]]
    assert rating["path"] == again["path"]
    assert {k: kinds.count(k) for k in kinds} == wished["kept"][0]["kinds"]
    assert kinds.count("subset") >= 2
    assert set(kinds) <= {"one", "subset"}
    assert made("2+ subset, none deeper", **wish) == puzzle


def test_unmet_wish_lists_the_gaps_and_the_number_of_candidates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(local_search, "EVALUATIONS", 150)
    puzzle = made("9 parity, none deeper", size=5, seed=1, sealed=True)
    assert "mines" not in puzzle
    wished = puzzle["rating"]["wished"]
    assert wished["met"] is False
    assert wished["looked"] > 10
    assert wished["lacks"] == [{"kind": "few", "found": 0, "wanted": 9, "technique": "parity"}]
    places = [(row["technique"], row["counts"]) for row in wished["kept"]]
    assert len(set(places)) == len(places) > 1
    assert set(wished["hardest"]) >= {row["technique"] for row in wished["kept"]}


def test_generation_to_a_wish_yields_the_nearest_puzzle_and_can_be_stopped() -> None:
    options = {"size": 4, "seed": 2, "wish": "9 deeper", "sealed": True}
    job = start({"desk": "mines", "want": "generate", "options": options})
    best = None
    while best is None:
        step = next(job)
        assert step.note == "shaping a puzzle"
        best = step.best
    job.close()
    assert isinstance(best, Position)
    assert (best.sealed is not None, best.mines) == (True, None)


def test_board_can_be_cloned() -> None:
    like = to_plain(bundled()[3].position)
    puzzle = run({"desk": "mines", "want": "generate", "options": {"like": like, "seed": 5}})
    assert puzzle["neighbours"] == [list(near) for near in like["neighbours"]]
    assert puzzle["rating"]["no_guess"] is True
    assert [g["cells"] for g in puzzle["groups"]] == [list(g["cells"]) for g in like["groups"]]


@pytest.mark.parametrize("sealed", [False, True])
def test_generation_yields_the_best_puzzle_so_far(sealed: bool) -> None:
    options = {"size": 6, "seed": 4, "difficulty": "90..91", "sealed": sealed}
    job = start({"desk": "mines", "want": "generate", "options": options})
    best = None
    for _ in range(400):
        step = next(job)
        best = step.best or best
    job.close()
    assert isinstance(best, Position)
    assert (best.sealed is not None, best.mines is None) == (sealed, sealed)
    check(best)


def _brute_check(position: Position) -> str:
    truth = layouts(position, {n for n in clue_names(position) if not n.startswith("flag:")})
    right = sum(set(position.flags) <= mines for mines in truth)
    return "yes" if not right else "no" if right == len(truth) else "unsure"


def test_verdict_on_flags_equals_brute_force() -> None:
    seen = set()
    for seed in range(400):
        position = random_position(seed, 9)
        rng = random.Random(seed)
        opened = {r.cell for r in position.revealed}
        closed = [c for c in range(graph(position).cells) if c not in opened]
        flags = tuple(sorted(rng.sample(closed, min(len(closed), rng.randint(1, 3)))))
        position = msgspec.structs.replace(position, flags=flags)
        plain = {n for n in clue_names(position) if not n.startswith("flag:")}
        if not flags or not layouts(position, plain):
            continue
        answer = run({"desk": "mines", "want": "check", "position": to_plain(position)})["wrong"]
        assert answer == _brute_check(position)
        hint = run({"desk": "mines", "want": "hint", "position": to_plain(position),
                    "options": {"degree": 4}})  # fmt: skip
        assert hint["wrong_flag"] is (answer == "yes")
        if hint["wrong_flag"]:
            assert hint["move"] is False
            assert [hint[k] for k in ("cells", "clues", "verdict", "steps")] == [None] * 4
        seen.add(answer)
    assert seen == {"yes", "no", "unsure"}


def test_wrong_flags_on_a_coloured_board_are_named() -> None:
    """The shapes add up to the total: without sums, proving a contradiction takes for ever."""
    quilt = next(e.position for e in bundled() if e.title == "Coat of many colours")
    plain = to_plain(quilt) | {"sealed": None, "flags": [0, 1, 2, 3, 11, 40]}
    answer = run({"desk": "mines", "want": "doubt", "position": plain})
    assert answer["contradiction"] is True
    assert answer["proved"] is True
    assert ["group:5", "flag:0", "flag:1"] in answer["smallest"]
    assert all(len(names) == 3 for names in answer["smallest"])


PAGE = Path(__file__).parents[2] / "web" / "desks" / "mines" / "puzzles.js"


def test_page_has_the_same_puzzles() -> None:
    match = re.search(r"JSON\.parse\(`(.*)`\)", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert match is not None
    listed = json.loads(match[1])
    assert len(listed) == len(bundled())
    for mine, theirs in zip(listed, bundled(), strict=True):
        assert mine["title"] == theirs.title
        assert mine["level"] == theirs.level
        plain = json.loads(json.dumps(to_plain(theirs.position)))
        assert {"desk": "mines", "v": 1, **plain} == mine["position"]
