"""Lattices, frames, combs and cells of pictures, against slow obvious ways to the same numbers."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cluewise.errors import HostFailure
from cluewise.kernel.files import read
from cluewise.pictures import cells as pictured
from cluewise.pictures import frames, image, lattice
from cluewise.pictures.image import Array
from cluewise.pictures.network import Network


def rng() -> np.random.Generator:
    return np.random.default_rng(49)


def lined(w: int, h: int, pitch: int) -> Array:
    """Grey paper with dark lines every `pitch` pixels, from 3 on, and some noise."""
    grey = rng().normal(0.8, 0.01, (h, w)).astype(np.float32)
    grey[3::pitch] -= 0.4
    grey[:, 3::pitch] -= 0.4
    return grey


@pytest.mark.parametrize(("width", "height"), [(50, 40), (31, 17), (20, 40)])
def test_shrunk_picture_is_the_mean_of_areas(width: int, height: int) -> None:
    plane = rng().integers(0, 256, (40, 50)).astype(np.uint8)
    fine = np.kron(plane, np.ones((height, width)))  # every pixel as height × width smaller ones
    expected = fine.reshape(height, 40, width, 50).mean((1, 3))
    assert np.allclose(image.shrink(plane, width, height), expected, atol=1e-3)


def test_a_box_mean_repeats_the_edge() -> None:
    a = rng().random((9, 12), np.float32)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(a, 2, mode="edge"), (5, 5))
    assert np.allclose(image.box_mean(a, 2), windows.mean((2, 3)), atol=1e-5)


def test_frames_are_the_corners_of_large_components_largest_first() -> None:
    ink = np.zeros((60, 80), np.float32)
    for x, y, side in [(4, 5, 20), (32, 8, 40)]:
        ink[y, x : x + side] = ink[y + side - 1, x : x + side] = 1
        ink[y : y + side, x] = ink[y : y + side, x + side - 1] = 1
    ink[50, 2:9] = 1  # too small
    ink[47, 71], ink[48, 72] = 1, 1  # touches at a corner
    found = [quad.tolist() for quad in frames.quads(ink, 0.5, 10)]
    assert found == [
        [[32, 8], [71, 8], [72, 48], [32, 47]],
        [[4, 5], [23, 5], [23, 24], [4, 24]],
    ]


def test_lattice_starts_from_the_homography_and_rejects_collinear_corners() -> None:
    corners = np.array([[2.0, 3], [90, 8], [100, 95], [10, 80]])
    flat = np.array([[0.0, 0], [10, 0], [20, 0], [30, 0]])
    points, kept = lattice.start(np.array([flat, corners]), 4)
    assert kept.tolist() == [False, True]
    assert np.allclose(points[0][[0, 0, -1, -1], [0, -1, -1, 0]], corners)
    a, b, c = points[0, 1, 0], points[0, 1, 2], points[0, 1, 4]  # straight lines stay straight
    assert np.cross(np.append(b - a, 0), np.append(c - a, 0))[2] == pytest.approx(0, abs=1e-9)


def test_lattice_is_fitted_to_the_lines() -> None:
    ink = lattice.Ink(np.maximum(0.8 - lined(100, 100, 10), 0))
    off = np.array([[[4.5, 5], [94, 1.5], [91, 94.5], [2, 92]]])
    points, _ = lattice.start(off, 9)
    before = lattice.score(ink, points)[0][0]
    for reach, degree in ((0.38, 1), (0.2, 2), (0.1, 4)):
        points = lattice.fit(ink, points, reach, degree)
    value, lines = lattice.score(ink, points)
    expected = 3 + 10 * np.stack(np.meshgrid(np.arange(10), np.arange(10)), -1)
    assert abs(points[0] - expected).max() < 0.5
    assert before < 0.7 < value[0]
    assert lines.shape == (1, 20)


@pytest.mark.parametrize("kind", [1, -1])
def test_comb_is_found_at_the_lines(kind: int) -> None:
    grey = lined(100, 90, 15)
    found = lattice.best_comb(lattice.ridges(grey if kind == 1 else 1 - grey, kind), 4, 15, 0.5)
    assert found is not None
    value, x, y = found
    assert value > 4
    assert {x % 15, y % 15} <= {2, 3, 4}  # lines are thickened by a pixel
    assert lattice.best_comb(lattice.ridges(grey, kind), 4, 15, value + 10) is None


def test_ink_is_measured_along_the_colour_of_the_cell() -> None:
    rgb = np.full((3, 60, 60), 0.9, np.float32)
    rgb[:, 22:38, 28:32] = np.array([0.1, 0.2, 0.8])[:, None, None]
    points = np.stack(np.meshgrid([0.0, 60], [0.0, 60]), -1)
    cells = pictured.cut(rgb, points)
    ink = pictured.normalised(cells, 0)
    assert np.allclose(cells.paper[0], 0.9, atol=1e-3)
    assert np.allclose(cells.ink_colour[0], [0.1, 0.2, 0.8], atol=0.15)
    assert (ink[0, 12, 12], ink[0, 2, 2]) == (pytest.approx(1, abs=0.1), pytest.approx(0, abs=0.01))
    assert pictured.has_ink(ink).tolist() == [True]
    assert np.allclose(pictured.ends(ink), [[8.5, 14.7]], atol=1)
    first = np.array([0])
    assert pictured.similarity(ink, first, first)[0, 0] == pytest.approx(1, abs=1e-3)


def test_the_network_is_four_convolutions_and_a_layer() -> None:
    file = read("cluewise.desks.sudoku", "digits.bin")
    assert json.loads(file.partition(b"\n")[0])["classes"] == 17
    network, cells = Network(file), rng().normal(0, 0.5, (2, 24, 24)).astype(np.float32)
    values = cells[..., None].astype(float)
    for (weights, bias), stride in zip(network._layers[:4], (1, 2, 2, 2), strict=True):
        wide = np.pad(values, ((0, 0), (1, 1), (1, 1), (0, 0)))
        side = values.shape[1]
        values = np.array([
            [
                [np.maximum(weights @ cell[y : y + 3, x : x + 3].ravel() + bias, 0)
                 for x in range(0, side, stride)]
                for y in range(0, side, stride)
            ]
            for cell in wide
        ])  # fmt: skip
    weights, bias = network._layers[4]
    assert np.allclose(network.scores(cells), values.reshape(2, -1) @ weights.T + bias, atol=1e-3)
    with pytest.raises(HostFailure, match="damaged"):
        Network(file[:-1])
