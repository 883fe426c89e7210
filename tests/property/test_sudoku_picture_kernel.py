"""The kernel's picture functions against their slow twins, on random pictures and lattices."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import vectors
from cluewise.errors import BadInput
from cluewise.kernel.call import Frame, kernel
from cluewise.kernel.files import read
from reference import sudoku_picture as slow

CASES = vectors("sudoku_picture_kernel")

NET = 126_864  # bytes
SEEDS = st.integers(0, 2**32 - 1)
SIDES = st.integers(16, 60)
FEW = settings(max_examples=25, deadline=None)
Array = np.ndarray[Any, Any]


def floats(frame: Frame, a: Array) -> int:
    return frame.put(a.astype(np.float32).tobytes())


def got(frame: Frame, at: int, shape: tuple[int, ...], typecode: str = "f") -> Array:
    count = int(np.prod(shape))
    return np.array(frame.get(at, typecode, count)).reshape(shape)


def lined(rng: np.random.Generator, w: int, h: int) -> Array:
    ink = rng.normal(0, 0.01, (h, w))
    ink[:: int(rng.integers(4, 9))] += 0.2
    ink[:, :: int(rng.integers(4, 9))] += 0.2
    return ink.astype(np.float32).astype(float)


def lattice(rng: np.random.Generator, n: int, w: int, h: int) -> Array:
    corners = np.array([[2, 2], [w - 3, 2], [w - 3, h - 3], [2, h - 3]]) + rng.uniform(
        -3, 3, (4, 2)
    )
    return slow.started(corners, n)


@FEW
@given(SEEDS, SIDES, SIDES, st.floats(0.3, 1))
def test_a_smaller_picture_is_the_mean_of_areas(seed: int, w: int, h: int, share: float) -> None:
    rgb = np.random.default_rng(seed).integers(0, 256, (h, w, 3), dtype=np.uint8)
    width, height = max(2, int(w * share)), max(2, int(h * share))
    with kernel().frame() as frame:
        out = frame.reserve(12 * w * h)
        frame.call("sudoku_picture_shrink", frame.put(rgb.tobytes()), w, h, width, height, out)
        assert np.allclose(got(frame, out, (height, width, 3)), slow.shrunk(rgb, width, height),
                           atol=1e-5)  # fmt: skip


@FEW
@given(SEEDS, SIDES, SIDES)
def test_relief_and_tints_are_those_of_the_twin(seed: int, w: int, h: int) -> None:
    rgb = np.random.default_rng(seed).random((h, w, 3)).astype(np.float32)
    with kernel().frame() as frame:
        grey, out = frame.reserve(4 * w * h), frame.reserve(4 * w * h)
        noise, work = frame.reserve(8), frame.reserve(20 * w * h + 8 * w + 64)
        frame.call("sudoku_picture_relief", floats(frame, rgb), w, h, grey, out, noise, work)
        expected_grey, expected = slow.relief(rgb.astype(float))
        assert np.allclose(got(frame, grey, (h, w)), expected_grey, atol=1e-5)
        assert np.allclose(got(frame, out, (h, w)), expected, atol=1e-4)
        middle = np.sort(abs(expected).ravel())[w * h // 2]
        assert abs(frame.get(noise, "d", 1)[0] - min(1, middle)) < 1 / 4096
        frame.call("sudoku_picture_tints", grey, w, h, out, work)
        assert np.allclose(got(frame, out, (h, w)), slow.tints(expected_grey), atol=1e-5)


@FEW
@given(SEEDS, SIDES, st.integers(0, 6))
def test_frames_are_the_outermost_points_of_large_parts(seed: int, w: int, more: int) -> None:
    rng, h = np.random.default_rng(seed), w + more
    ink = np.zeros((h, w))
    x, y = (int(v) for v in rng.integers(0, w // 6, 2))
    ink[y : h - 2, x] = ink[h - 3, x : w - 1] = ink[y, x : w - 1] = ink[y : h - 2, w - 2] = 0.2
    ink += rng.random((h, w)) * 0.12 * (rng.random((h, w)) < 0.1)
    ink = ink.astype(np.float32).astype(float)
    least = 0.28 * min(w, h)
    with kernel().frame() as frame:
        out, work = frame.reserve(192), frame.reserve(40 * w * h)
        at = floats(frame, ink)
        count = frame.call("sudoku_picture_quads", at, w, h, 0.1, least, out, work, 40 * w * h)
        found = got(frame, out, (count, 4, 2))
    expected = slow.quads(ink, float(np.float32(0.1)), least)
    assert count == len(expected) >= 1
    for a, b in zip(found, expected, strict=True):
        assert np.allclose(a, b)


@FEW
@given(SEEDS, st.sampled_from([4, 6, 9, 12, 16]))
def test_a_lattice_starts_as_the_homography_says(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    corners = np.array([[0, 0], [100, 0], [100, 100], [0, 100]]) + rng.uniform(-20, 20, (4, 2))
    with kernel().frame() as frame:
        at = frame.reserve(16 * (n + 1) ** 2)
        frame.call("sudoku_picture_start", frame.put(array("d", corners.ravel().tolist())), n, at)
        assert np.allclose(got(frame, at, (n + 1, n + 1, 2), "d"), slow.started(corners, n))


@FEW
@given(SEEDS, st.sampled_from([4, 6, 9]), st.integers(1, 4), st.floats(0.1, 0.4))
def test_a_lattice_moves_and_is_judged_as_the_twin_does(
    seed: int, n: int, degree: int, reach: float
) -> None:
    rng = np.random.default_rng(seed)
    w, h = (int(rng.integers(60, 100)) for _ in range(2))
    ink, points = lined(rng, w, h), lattice(rng, n, w, h)
    with kernel().frame() as frame:
        image, at = floats(frame, ink), frame.put(array("d", points.ravel().tolist()))
        out = frame.reserve(8 * (2 * n + 3))
        frame.call("sudoku_picture_score", image, w, h, n, at, out)
        value, *lines = frame.get(out, "d", 2 * n + 3)
        expected, strength = slow.scored(ink, points)
        assert abs(value - expected) < 1e-4
        assert np.allclose(lines, strength, atol=1e-5)
        frame.call("sudoku_picture_fit", image, w, h, n, at, reach, degree)
        moved = got(frame, at, (n + 1, n + 1, 2), "d")
    twin = slow.fitted(ink, points, reach, degree)
    # Of two offsets that are equally good rounding may choose, and a point then moves a little.
    assert np.median(abs(moved - twin)) < 1e-3
    assert abs(moved - twin).max() < 0.1 * max(w, h) / n


@FEW
@given(SEEDS, st.sampled_from([1, -1, 0]), st.sampled_from([4, 9]))
def test_the_best_comb_is_the_best_of_all_places(seed: int, kind: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    w, h = (int(rng.integers(40, 60)) for _ in range(2))
    grey = (0.8 - lined(rng, w, h)).astype(np.float32).astype(float)
    pitch = float(rng.uniform(3, 30 / n))
    with kernel().frame() as frame:
        down, across = frame.reserve(4 * (h + 1) * w), frame.reserve(4 * h * (w + 1))
        work, best = frame.reserve(16 * w * h), frame.reserve(24)
        frame.call("sudoku_picture_ridges", floats(frame, grey), w, h, kind, down, across, work)
        upright, level = slow.ridges(grey, kind)
        assert np.allclose(np.diff(got(frame, down, (h + 1, w)), axis=0)[8:-8, 8:-8],
                           upright[8:-8, 8:-8], atol=2e-3)  # fmt: skip
        assert np.allclose(np.diff(got(frame, across, (h, w + 1)), axis=1)[8:-8, 8:-8],
                           level[8:-8, 8:-8], atol=2e-3)  # fmt: skip
        sums = np.diff(got(frame, down, (h + 1, w)), axis=0)
        rows = np.diff(got(frame, across, (h, w + 1)), axis=1)
        frame.call("sudoku_picture_comb", down, across, w, h, n, pitch, -1.0, best, work)
        value, x, y = frame.get(best, "d", 3)
        frame.call("sudoku_picture_comb", down, across, w, h, n, pitch, value, best, work)
        assert frame.get(best, "d", 3).tolist() == [-1, 0, 0]  # none is worth more
    every = slow.combed(sums, rows, n, pitch)
    assert abs(value - max(-1, every.max())) < 2e-3
    assert value < 0 or abs(every[int(y), int(x)] - value) < 2e-3


@FEW
@given(SEEDS, st.sampled_from([4, 9]))
def test_cells_are_cut_and_normalised_as_the_twin_does(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    w, h = (int(rng.integers(60, 100)) for _ in range(2))
    rgb, points = rng.random((h, w, 3)).astype(np.float32), lattice(rng, n, w, h)
    with kernel().frame() as frame:
        at = frame.put(array("d", points.ravel().tolist()))
        ink, facts = frame.reserve(4 * 576 * n * n), frame.reserve(4 * 8 * n * n)
        frame.call("sudoku_picture_cells", floats(frame, rgb), w, h, n, at, ink, facts)
        found, told = got(frame, ink, (n * n, 24, 24)), got(frame, facts, (n * n, 8))
        frame.call("sudoku_picture_normal", ink, facts, n * n, 0.5)
        normal = got(frame, ink, (n * n, 24, 24))
    expected, strength = slow.inks(slow.cut(rgb.astype(float), points))
    # On noise two directions may be nearly as strong, and the last bit decides which way is up.
    same = abs(found - expected).max((1, 2)) < 1e-3
    assert same.mean() > 0.8
    assert np.allclose(told[same, 0], strength[same], atol=1e-3)
    assert np.allclose(normal[same], slow.normal(expected, strength, 0.5)[same], atol=0.02)


@FEW
@given(SEEDS)
def test_symbols_end_where_the_twin_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = np.zeros((40, 24, 24), np.float32)
    for cell in cells:  # strokes of all strengths, and cells with hardly any ink
        top, left = rng.integers(0, 22, 2)
        cell[top : top + int(rng.integers(1, 20)), left : left + 8] = rng.uniform(0.2, 1.2)
        cell += rng.normal(0, 0.2, (24, 24))
    with kernel().frame() as frame:
        out = frame.reserve(8 * 40)
        frame.call("sudoku_picture_reach", floats(frame, cells), 40, out)
        assert np.allclose(got(frame, out, (40, 2)), slow.reaches(cells.astype(float)), atol=1e-4)


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.sampled_from([1, -1, 0]), st.sampled_from([4, 9]))
def test_a_large_comb_among_few_places_is_the_best_of_them(seed: int, kind: int, n: int) -> None:
    """Most blocks of places are passed over here, since a step changes a long comb little."""
    rng = np.random.default_rng(seed)
    pitch = float(rng.uniform(120, 160) / n)
    w, h = (int(n * pitch) + int(rng.integers(8, 24)) for _ in range(2))
    x, y = (int(v) for v in rng.integers(2, 8, 2))
    grey = rng.normal(0.8, 0.02, (h, w))
    for k in range(n + 1):
        off = min(int(k * pitch + 0.5), int(n * pitch + 0.5))
        grey[y + off : y + off + 1, x:], grey[y:, x + off : x + off + 1] = 0.5, 0.5
    with kernel().frame() as frame:
        down, across = frame.reserve(4 * (h + 1) * w), frame.reserve(4 * h * (w + 1))
        work, best = frame.reserve(16 * w * h), frame.reserve(24)
        image = floats(frame, grey)
        frame.call("sudoku_picture_ridges", image, w, h, kind, down, across, work)
        upright = np.diff(got(frame, down, (h + 1, w)), axis=0)
        level = np.diff(got(frame, across, (h, w + 1)), axis=1)
        frame.call("sudoku_picture_comb", down, across, w, h, n, pitch, -1.0, best, work)
        value, left, top = frame.get(best, "d", 3)
    every = slow.combed(upright, level, n, pitch)
    assert abs(value - max(-1, every.max())) < 2e-3
    assert abs(every[int(top), int(left)] - value) < 2e-3


@FEW
@given(SEEDS)
def test_cells_have_ink_in_their_middle_where_the_twin_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = np.zeros((40, 24, 24), np.float32)
    for cell in cells:  # a few pixels of all strengths, many of them at the middle's edge
        for y, x in rng.integers(5, 19, (12, 2)):
            cell[y, x] = rng.choice([0.39, 0.4, 0.41, 1.0])
    with kernel().frame() as frame:
        marks = frame.reserve(40)
        frame.call("sudoku_picture_inked", floats(frame, cells), 40, marks)
        found = got(frame, marks, (40,), "B").astype(bool)
    assert found.tolist() == slow.inked(cells).tolist()


@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_symbols_look_alike_as_far_as_the_twin_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = rng.normal(0, 0.3, (9, 24, 24)).astype(np.float32)
    cells[0] = 0.5  # one without any symbol
    cells[1] = np.roll(cells[2], 2, axis=int(rng.integers(2)))  # the same, two pixels on
    these, those = [int(i) for i in rng.integers(0, 9, 4)] + [1], [2, 0, *range(3, 9)]
    with kernel().frame() as frame:
        at, out = floats(frame, cells), frame.reserve(4 * 40)
        lists = [x for one in (these, those) for x in (frame.put(bytes(one)), len(one))]
        frame.call("sudoku_picture_alike", at, 9, *lists, out)
        found = got(frame, out, (5, 8))
    assert np.allclose(found, slow.alike(cells.astype(float), these, those), atol=1e-3)
    assert found[4, 0] > 0.999


@settings(max_examples=5, deadline=None)
@given(SEEDS, st.lists(st.integers(0, 6), max_size=9))
def test_the_net_scores_as_four_convolutions_and_a_layer(seed: int, which: list[int]) -> None:
    cells = np.random.default_rng(seed).normal(0, 0.5, (7, 24, 24)).astype(np.float32)
    data = read("cluewise.desks.sudoku", "digits.bin").partition(b"\n")[2]
    with kernel().frame() as frame:
        weights, out = frame.reserve(NET), frame.reserve(4 * 17 * 9)
        frame.call("sudoku_picture_net_read", frame.put(data), len(data), weights)
        at, chosen, work = floats(frame, cells), frame.put(bytes(which)), frame.reserve(72 << 10)
        frame.call("sudoku_picture_net", weights, at, 7, chosen, len(which), out, work)
        found = got(frame, out, (len(which), 17))
    expected = slow.scores(slow.net_of(data), cells.astype(float))
    # What goes into a convolution is rounded to whole numbers there, 16 383 of them to the largest.
    assert np.allclose(found, expected[which], atol=1e-2)


@pytest.mark.parametrize("name", ["net", "alike"])
def test_a_cell_that_is_not_among_the_given_ones_is_refused(name: str) -> None:
    with kernel().frame() as frame:
        ink, out, few = frame.reserve(4 * 576 * 2), frame.reserve(4 * 17 * 2), frame.put(b"\0\2")
        weights, work = frame.reserve(NET), frame.reserve(72 << 10)
        calls = {
            "net": (weights, ink, 2, few, 2, out, work),
            "alike": (ink, 2, few, 1, few, 2, out),
        }
        with pytest.raises(BadInput):
            frame.call(f"sudoku_picture_{name}", *calls[name])


@pytest.mark.parametrize(
    ("name", "arguments"),
    CASES["numbers outside the limits are refused"],
)
def test_numbers_outside_the_limits_are_refused(name: str, arguments: tuple[float, ...]) -> None:
    with pytest.raises(BadInput):
        kernel().call(name, *arguments)
