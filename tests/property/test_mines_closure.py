"""The closure is sound and equals its slow twin; every explanation holds by itself."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cluewise.core.work import finish
from cluewise.desks.mines.engine.board import state
from cluewise.desks.mines.engine.closure import MEET, REDUCED, Cap, open_closure
from cluewise.desks.mines.position import graph
from cluewise.service import run, to_plain
from reference import mines_closure
from reference.mines_boards import random_position
from reference.mines_brute_force import forced, layouts


@given(st.integers(1, 10_000_000), st.integers(0, 3))
@settings(deadline=None, max_examples=100)
def test_every_inequality_ever_derived_holds_in_every_layout(seed: int, limit: int) -> None:
    position = random_position(seed, most=11)
    truth = layouts(position)
    assume(truth)
    with open_closure(graph(position), state(position), cap=Cap()) as closure:
        found = finish(closure.step(limit))
        rows = closure.log()
        values = closure.trivial()
    for row in rows:
        assert all(row.low <= len(mines & set(row.cells)) <= row.high for mines in truth)
    safe, mines = forced(position, truth)
    assert {c for c, v in enumerate(values) if v == 0} <= set(safe)
    assert {c for c, v in enumerate(values) if v == 1} <= set(mines)
    assert found is any(v >= 0 for v in values)


@given(st.integers(1, 10_000_000))
@settings(deadline=None, max_examples=60)
def test_every_row_follows_from_its_parents(seed: int) -> None:
    position = random_position(seed, most=11)
    assume(layouts(position))
    with open_closure(graph(position), state(position), cap=Cap()) as closure:
        finish(closure.step(2))
        rows = closure.log()
    for row in rows:
        if row.kind == 0 or row.kind == REDUCED:
            continue
        a, b = rows[row.first], rows[row.second]
        bounds = row.low, row.high
        if row.kind == MEET:
            assert a.cells == b.cells == row.cells
            assert bounds == (max(a.low, b.low), min(a.high, b.high))
            continue
        crossed = mines_closure.cross(
            frozenset(a.cells), (a.low, a.high), frozenset(b.cells), (b.low, b.high)
        )
        assert bounds in {v for k, v in crossed.items() if k == frozenset(row.cells)}


@given(st.integers(1, 10_000_000), st.integers(0, 2), st.sampled_from([(1000, 0), (4, 1)]))
@settings(deadline=None, max_examples=80)
def test_one_step_equals_the_slow_closure(seed: int, limit: int, cap: tuple[int, int]) -> None:
    position = random_position(seed, most=12)
    assume(layouts(position))
    held = mines_closure.clues(position)
    inexact = 0

    def crossed(cells: frozenset[int], low: int) -> bool:
        return not (len(cells) > cap[0] and low > cap[1])

    while not any(mines_closure.trivial(held)):
        if mines_closure.round_of(held, True, crossed):
            continue
        if inexact == limit or not mines_closure.round_of(held, False, crossed):
            break
        inexact += 1
    with open_closure(graph(position), state(position), cap=Cap(*cap)) as closure:
        finish(closure.step(limit))
        values = closure.trivial()
        assert closure.size(1) == len(held)
    safe, mines = mines_closure.trivial(held)
    assert {c for c, v in enumerate(values) if v == 0} == safe
    assert {c for c, v in enumerate(values) if v == 1} == mines


@given(st.integers(1, 10_000_000))
@settings(deadline=None, max_examples=60)
def test_the_named_clues_alone_force_the_cell(seed: int) -> None:
    position = random_position(seed, most=11)
    truth = layouts(position)
    assume(truth)
    safe, mines = forced(position, truth)
    opened = {r.cell for r in position.revealed} | set(position.flags)
    for cell in range(graph(position).cells):
        if cell in opened:
            continue
        answer = run({"desk": "mines", "want": "explain", "position": to_plain(position),
                    "options": {"cell": cell}})  # fmt: skip
        verdict = "safe" if cell in safe else "mine" if cell in mines else "open"
        assert answer["verdict"] == verdict
        if verdict == "open":
            assert answer["clues"] == answer["steps"] == []
            continue
        left = layouts(position, set(answer["clues"]))
        assert all((cell in layout) == (verdict == "mine") for layout in left)
        last = answer["steps"][-1]
        assert cell in last["gives"]["cells"]
        for index, step in enumerate(answer["steps"]):
            assert step["text"]
            assert all(s in answer["clues"] if isinstance(s, str) else s < index
                       for s in step["from"])  # fmt: skip
        if last["stage"] == "contradiction":
            for name in answer["clues"]:
                fewer = layouts(position, set(answer["clues"]) - {name})
                assert len({cell in layout for layout in fewer}) == 2


@given(st.integers(1, 10_000_000))
@settings(deadline=None, max_examples=60)
def test_hints_say_more_by_degrees_and_never_contradict_each_other(seed: int) -> None:
    position = random_position(seed, most=11)
    truth = layouts(position)
    assume(truth)
    safe, mines = forced(position, truth)
    hints = [
        run({"desk": "mines", "want": "hint", "position": to_plain(position),
             "options": {"degree": degree}})
        for degree in (1, 2, 3, 4)
    ]  # fmt: skip
    assert all(h["move"] is bool(safe or mines) for h in hints)
    assert hints[0]["cells"] is None
    assert hints[1]["clues"] is None
    assert hints[2]["verdict"] is None
    if hints[3]["move"]:
        assert hints[1]["cells"] == hints[3]["cells"]
        assert set(hints[3]["cells"]) <= set(safe if hints[3]["verdict"] == "safe" else mines)
