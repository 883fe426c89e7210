"""Least forms and solutions against published values and a search over all 3 359 232 transforms."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from asking import ask_grids, vectors
from asking import ask_grids as ask
from cluewise.desks.sudoku.transform import apply, from_map
from reference import sudoku as slow

VECTORS: dict[str, Any] = vectors("sudoku")


def moved(transform: dict[str, Any], text: str) -> str:
    data = [int(transform["transpose"]), *transform["rows"], *transform["cols"]]
    cells = bytes(0 if c == "." else int(c) for c in text)
    out = apply(from_map([*data, *transform["digits"]], 9), cells)
    return "".join(str(d) if d else "." for d in out)


def complete() -> list[tuple[str, str, int]]:
    cases = [(g["grid"], g["minlex"], g["automorphisms"]) for g in VECTORS["grids"]]
    cases += [(g["scramble"]["grid"], g["minlex"], g["automorphisms"]) for g in VECTORS["grids"]]
    cases += [(g["scramble"], g["minlex"], g["automorphisms"]) for g in VECTORS["special"]]
    cases += [(g["grid"], g["minlex"], g["automorphisms"]) for g in VECTORS["same_table_family"]]
    return cases


def test_the_vectors_are_all_there() -> None:
    counts = {k: len(VECTORS[k]) for k in ("grids", "puzzles", "special", "hard_negatives")}
    assert counts == {"grids": 120, "puzzles": 65, "special": 142, "hard_negatives": 30}


def test_minlex_forms_group_orders_and_transforms_of_complete_grids() -> None:
    for grid, minlex, order in complete():
        found = ask("canon", grid)
        assert (found["minlex"], found["automorphisms"]) == (minlex, order)
        assert moved(found["transform"], grid) == minlex


def test_a_transform_means_what_the_vectors_say() -> None:
    for case in VECTORS["grids"]:
        assert moved(case["scramble"]["transform"], case["grid"]) == case["scramble"]["grid"]


@pytest.mark.parametrize("scrambled", [False, True])
def test_puzzles_in_all_conventions(scrambled: bool) -> None:
    for case in VECTORS["puzzles"]:
        puzzle = case["scramble"]["puzzle"] if scrambled else case["puzzle"]
        found = ask("canon", puzzle)
        assert found["straight"] == case["minlex_straight"]
        assert found["pattern_first"] == case["minlex_pattern_first"]
        assert found["automorphisms"] == case["automorphisms"]
        for name, transform in found["transforms"].items():
            assert moved(transform, puzzle) == found[name]
        carried = found["solution_carried"]
        assert ask("solve", carried)["solution"] == case["solution_minlex"]


def test_solution_carried_is_one_string_for_all_disguises() -> None:
    for case in VECTORS["puzzles"]:
        forms = {
            ask("canon", p)["solution_carried"]
            for p in (case["puzzle"], case["scramble"]["puzzle"])
        }
        assert len(forms) == 1


def test_solutions_of_the_puzzles() -> None:
    for case in VECTORS["puzzles"]:
        found = ask("solve", case["puzzle"])
        assert found["solutions"] == "1"
        assert found["solution"] == case["solution"] == found["found"][0]


def test_scrambles_are_the_same_with_a_witness() -> None:
    for case in VECTORS["grids"][:40]:
        found = ask("same", case["grid"], case["scramble"]["grid"])
        assert found["same"] is True
        assert moved(found["witness"], case["grid"]) == case["scramble"]["grid"]
    for case in VECTORS["puzzles"]:
        found = ask("same", case["puzzle"], case["scramble"]["puzzle"])
        assert found["same"] is True
        assert moved(found["witness"], case["puzzle"]) == case["scramble"]["puzzle"]


def test_hard_negatives_are_different_though_their_tables_agree() -> None:
    for case in VECTORS["hard_negatives"]:
        a, b = case["a"], case["b"]
        assert [ask("canon", g)["minlex"] for g in (a, b)] == [case["minlex_a"], case["minlex_b"]]
        found = ask("same", a, b)
        assert found["same"] is False
        assert found["because"]["kind"] in ("rectangles", "cycles", "bands", "refinement")
        compared = ask("compare", a, b)
        assert compared["rows_agree"] is True
        assert compared["same"] is False


def test_the_same_table_family_falls_into_three_classes() -> None:
    family = VECTORS["same_table_family"]
    tables = [ask("table", g["grid"])["table"] for g in family]
    assert tables[0] == tables[1] == tables[2]
    assert [ask("automorphisms", g["grid"])["count"] for g in family] == [648, 108, 72]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        found = ask("same", family[a]["grid"], family[b]["grid"])
        assert found["same"] is False
        assert found["because"]["kind"] == "cycles"


def test_automorphism_groups_of_the_special_grids() -> None:
    for case in VECTORS["special"]:
        found = ask("automorphisms", case["scramble"])
        assert found["count"] == case["automorphisms"] == len(found["all"])
        assert all(moved(t, case["scramble"]) == case["scramble"] for t in found["all"])


def test_published_class_counts() -> None:
    order = 2 * 6**8 * 362880
    table = VECTORS["facts"]["aut_table"]
    assert sum(table.values()) == 5_472_730_538
    assert sum(n * (order // int(k)) for k, n in table.items()) == 6_670_903_752_021_072_936_960


def canon(text: str) -> Any:
    return ask_grids("canon", text)


def odd_boards(count: int, seed: int) -> list[str]:
    """Parts of regular grids: many symmetries, empty lines, few digits."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        cells = list(rng.choice(VECTORS["special"])["scramble"])
        kind = rng.randrange(3)
        if kind == 0:
            digits = rng.sample("123456789", rng.randint(1, 4))
            cells = [c if c in digits else "." for c in cells]
        elif kind == 1:
            rows = rng.sample(range(9), rng.randint(1, 4))
            cells = [c if i // 9 in rows and i % 9 < 6 else "." for i, c in enumerate(cells)]
        else:
            cells = [c if rng.random() < rng.choice([0.1, 0.3]) else "." for c in cells]
        found.append("".join(cells))
    return found


def check_puzzle(text: str) -> None:
    found = canon(text)
    assert (found["straight"], found["automorphisms"]) == slow.straight(text)
    assert (found["pattern_first"], found["automorphisms"]) == slow.pattern_first(text)


@pytest.mark.sampled(of="sudoku, brute force")
@pytest.mark.parametrize("index", [0, 40, 100])
def test_a_few_complete_grids(index: int) -> None:
    grid = VECTORS["special"][index]["scramble"]
    found = canon(grid)
    assert (found["minlex"], found["automorphisms"]) == slow.straight(grid)


@pytest.mark.sampled(of="sudoku, brute force")
@pytest.mark.parametrize("text", odd_boards(3, 1))
def test_a_few_odd_boards(text: str) -> None:
    check_puzzle(text)


def test_the_fifteen_classes_of_row_pairs_by_enumeration() -> None:
    pi = slow.pair_maps()
    assert len(pi) == 12_096
    at = np.arange(9)
    pi2 = np.take_along_axis(pi, pi.astype(np.intp), 1)
    pi3 = np.take_along_axis(pi, pi2.astype(np.intp), 1)
    pi4 = np.take_along_axis(pi2, pi2.astype(np.intp), 1)
    pure = (pi[:, :3] // 3 == pi[:, :1] // 3).all(1)
    features = zip(
        pure.tolist(),
        (pi2 // 3 == at // 3).sum(1).tolist(),
        (pi4 == at).sum(1).tolist(),
        (pi3 == at).sum(1).tolist(),
        strict=True,
    )
    classes: dict[tuple[bool, int, int, int], list[int]] = {}
    for i, feature in enumerate(features):
        classes.setdefault(feature, []).append(i)
    assert len(classes) == 15
    rng = random.Random(5)
    least = {
        slow.least_second_row(pi[rng.choice(members)])
        for members in classes.values()
        for _ in range(4)
    }
    assert len(least) == 15
    seen = Counter(canon(g["grid"])["minlex"][9:18] for g in VECTORS["grids"])
    seen += Counter(canon(g["scramble"])["minlex"][9:18] for g in VECTORS["special"])
    assert set(seen) <= least
