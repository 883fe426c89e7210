"""Slow, obvious twins of the kernel's picture functions, with numpy."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
SIDE = 24


def shrunk(rgb: Array, width: int, height: int) -> Array:
    """Every pixel the mean of the area that it stands for; bytes in, 0..1 out."""
    out: Array = rgb.astype(float) / 255
    for axis, count in ((0, height), (1, width)):
        size = out.shape[axis]
        sums = np.insert(np.cumsum(out, axis), 0, 0, axis)
        edges = np.arange(count + 1) * size / count
        whole = np.minimum(edges.astype(int), size - 1)
        part = (edges - whole).reshape([-1 if a == axis else 1 for a in range(3)])
        at = np.take(sums, whole, axis) * (1 - part) + np.take(sums, whole + 1, axis) * part
        out = np.diff(at, axis=axis) * count / size
    return out


def softened(a: Array, r: int) -> Array:
    """Means over (2r+1)², the edge repeated."""
    wide = np.pad(a, r, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(wide, (2 * r + 1, 2 * r + 1))
    return np.asarray(windows.mean((2, 3)))


def relief(rgb: Array) -> tuple[Array, Array]:
    """Grey, and how much darker each place is than its surroundings."""
    grey = rgb.mean(2)
    least = min(grey.shape)
    near, far = max(4, int(least / 40 + 0.5)), max(1, int(least / 8 + 0.5))
    soft = 0.7 * softened(grey, 1) + 0.3 * grey
    light = softened(softened(soft, near), near)
    return grey, (light - soft) / (softened(soft, far) + 0.06)


def tints(grey: Array) -> Array:
    """Twice the larger slope of the softened grey, at most 0.1."""
    down, across = np.gradient(softened(grey, 1))
    return np.asarray(np.minimum(2 * np.maximum(abs(down), abs(across)), 0.1))


def parts(mask: Array) -> list[Array]:
    """The connected parts of a mask, corners included, as arrays of (row, column)."""
    left = {(int(r), int(c)) for r, c in np.argwhere(mask)}
    found = []
    while left:
        stack, part = [left.pop()], []
        while stack:
            r, c = stack.pop()
            part.append((r, c))
            for place in [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]:
                if place in left:
                    left.remove(place)
                    stack.append(place)
        found.append(np.array(part))
    return found


def quads(ink: Array, threshold: float, least: float) -> list[Array]:
    """The four outermost points of every large part, the largest box first."""
    found = []
    for part in (one[np.lexsort((one[:, 1], one[:, 0]))] for one in parts(ink > threshold)):
        y, x = part[:, 0].astype(float), part[:, 1].astype(float)
        width, height = x.max() - x.min() + 1, y.max() - y.min()
        if width <= least or height <= least or width >= 3 * height or height >= 3 * width:
            continue
        best, quad = -1.0, np.zeros((4, 2))
        for turn in np.deg2rad([-40, -20, 0, 20, 40]):
            u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
            k = [np.argmin(u + v), np.argmax(u - v), np.argmax(u + v), np.argmin(u - v)]
            q = np.stack([x[k], y[k]], 1)
            after = np.roll(q, -1, 0)
            area = abs(np.sum(q[:, 0] * after[:, 1] - q[:, 1] * after[:, 0])) / 2
            if best < 0 or area > best * 1.02:
                best, quad = area, q
        sides = np.hypot(*(quad - np.roll(quad, -1, 0)).T)
        if best >= 0.275 * width * height and sides.min() >= 0.4 * sides.max():
            found.append((width * height, np.roll(quad, -int(np.argmin(quad.sum(1))), 0)))
    return [quad for _, quad in sorted(found, key=lambda one: -one[0])[:6]]


def started(corners: Array, n: int) -> Array:
    """The lattice of a plane square seen with these corners: the homography's eight equations."""
    rows, right = [], []
    for (x, y), (u, v) in zip([(0, 0), (n, 0), (n, n), (0, n)], corners, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    h = np.append(np.linalg.solve(np.array(rows, float), np.array(right, float)), 1).reshape(3, 3)
    x, y = np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0))
    u, v, w = (h[k, 0] * x + h[k, 1] * y + h[k, 2] for k in range(3))
    return np.stack([u / w, v / w], -1)


def sampled(a: Array, x: Array, y: Array) -> Array:
    """Bilinear; the edge is repeated."""
    h, w = a.shape[:2]
    x, y = np.clip(x, 0, w - 1.001), np.clip(y, 0, h - 1.001)
    i, j = y.astype(int), x.astype(int)
    v, u = y - i, x - j
    if a.ndim == 3:
        u, v = u[..., None], v[..., None]
    upper, lower = a[i, j] * (1 - u) + a[i, j + 1] * u, a[i + 1, j] * (1 - u) + a[i + 1, j + 1] * u
    return np.asarray(upper * (1 - v) + lower * v)


def profiles(ink: Array, points: Array, reach: float, steps: int) -> list[Array]:
    """Mean ink along every edge at offsets across it: upright lines, then level ones."""
    off = np.linspace(-reach, reach, steps)
    t = np.linspace(0.14, 0.86, 11)[None, None, :, None]
    out = []
    for q in (points, points.transpose(1, 0, 2)):  # q[along, line]
        step = np.gradient(q, axis=1)
        ends = [
            part.transpose(1, 0, 2)[:, :, None] for part in (q[:-1], q[1:], step[:-1], step[1:])
        ]
        at, by = ends[0] * (1 - t) + ends[1] * t, ends[2] * (1 - t) + ends[3] * t
        xy = at[:, :, :, None] + by[:, :, :, None] * off[None, None, None, :, None]
        out.append(sampled(ink, xy[..., 0], xy[..., 1]).mean(2))
    return out


def _terms(x: Array, y: Array, degree: int) -> Array:
    powers = [(i, j) for i in range(degree + 1) for j in range(degree + 1 - i)]
    return np.stack([x**i * y**j for i, j in powers], -1)


def fitted(ink: Array, points: Array, reach: float, degree: int) -> Array:
    """One step of moving a lattice onto the lines."""
    n = len(points) - 1
    off = np.linspace(-reach, reach, 25)
    grid = np.arange(n + 1) * 2 / n - 1
    gx, gy = np.meshgrid(grid, grid)
    middle = (np.arange(n) + 0.5) * 2 / n - 1
    stiff = (1e-3, 0.2, 1.0, 2.0, 3.0)
    ridge = np.diag([stiff[i + j] for i in range(degree + 1) for j in range(degree + 1 - i)])
    moved = points.copy()
    for d, profile in enumerate(profiles(ink, points, reach, 25)):
        seen = profile.copy()
        seen[:, 1:] += 0.5 * profile[:, :-1]
        seen[:, :-1] += 0.5 * profile[:, 1:]
        seen = seen - 0.15 * seen.max(-1, keepdims=True) * (off / reach) ** 2
        best = off[seen.argmax(-1)].ravel()
        clear = np.maximum(seen.max(-1) - np.median(seen, -1), 0).ravel()
        clear = np.minimum(clear / (np.median(clear) + 1e-9), 1.5)
        line, along = np.repeat(grid, n), np.tile(middle, n + 1)
        a = _terms(along if d else line, line if d else along, degree)
        weight = clear
        c = np.zeros(a.shape[1])
        for _ in range(5):
            c = np.linalg.solve(a.T @ (a * weight[:, None]) + ridge, a.T @ (best * weight))
            weight = clear / (1 + ((a @ c - best) / 0.05) ** 2)
        by = _terms(gx, gy, degree) @ c
        moved += by[..., None] * np.gradient(points, axis=0 if d else 1)
    return moved


def scored(ink: Array, points: Array) -> tuple[float, Array]:
    """How much this looks like a lattice, and the strength of every line."""
    h, w = ink.shape
    n = len(points) - 1
    x, y = points[..., 0], points[..., 1]
    inside = float(((x > -3) & (x < w + 2) & (y > -3) & (y < h + 2)).mean())
    clear = np.stack([
        e[..., 7:10].max(-1) - np.maximum(np.median(e[..., :5], -1), np.median(e[..., -5:], -1))
        for e in profiles(ink, points, 0.4, 17)
    ])  # fmt: skip
    usual = float(np.median(clear[clear > 0])) if (clear > 0).any() else 1e-9
    along = np.sort(clear, -1)[..., n // 4][..., None]
    good = np.clip((0.5 * clear + 0.5 * along) / (0.5 * usual + 0.002), -0.5, 1).mean()
    return float(good * inside * min(1, usual / 0.006)), clear.mean(2).ravel()


def ridges(grey: Array, kind: int) -> tuple[Array, Array]:
    """Evidence of thin lines at least 11 pixels long: upright, level (not yet summed up)."""
    out = []
    for axis in (1, 0):
        a, b = (np.roll(grey, s, axis) - grey for s in (-2, 2))
        if kind:
            one = 0.5 * np.minimum(kind * a, kind * b) + 0.25 * kind * (a + b)
        else:
            one = 0.5 * abs(np.roll(grey, -1, axis) - np.roll(grey, 1, axis))
        one[[0, 1, -2, -1]] = 0
        one[:, [0, 1, -2, -1]] = 0
        one = np.clip(one * 50, 0, 1)
        run = sum(np.roll(one, s, 1 - axis) for s in range(-5, 6))
        one = one * np.clip(run * (2.2 / 11) - 1, 0, 1)
        beside = np.maximum(np.roll(one, -1, axis), np.roll(one, 1, axis))
        out.append(np.maximum(one, 0.8 * beside))
    return out[0], out[1]


def combed(upright: Array, level: Array, n: int, pitch: float) -> Array:
    """The value of the comb at every place."""
    h, w = upright.shape
    length = int(n * pitch + 0.5)
    out = np.zeros((h - length, w - length))
    lines = [(k * pitch, 0.6 if k in (0, n) else 1.0) for k in range(n + 1)]
    lines += [((k + f) * pitch, -0.5) for k in range(n) for f in (0.33, 0.67)]
    for y in range(h - length):
        for x in range(w - length):
            for at, weight in lines:
                o = min(int(at + 0.5), length)
                a = min(0.75, upright[y : y + length, x + o].mean())
                b = min(0.75, level[y + o, x : x + length].mean())
                out[y, x] += weight * (a + b)
    return out


def cut(rgb: Array, points: Array) -> Array:
    """Every cell's pixels: n², 24, 24, 3."""
    t = (np.arange(SIDE) + 0.5) / SIDE
    u, v = np.meshgrid(t, t)
    n = len(points) - 1
    a, b, c, d = (
        part.reshape(n * n, 1, 1, 2)
        for part in (points[:-1, :-1], points[:-1, 1:], points[1:, :-1], points[1:, 1:])
    )
    u, v = u[None, :, :, None], v[None, :, :, None]
    at = (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v
    return sampled(rgb, at[..., 0], at[..., 1])


def inks(cells: Array) -> tuple[Array, Array]:
    """Signed ink along each cell's main colour, and its strength."""
    inner = cells[:, 4:20, 4:20].reshape(len(cells), -1, 3)
    paper = np.median(inner, axis=1)
    off = inner - paper[:, None]
    axis = np.full((len(cells), 3), 3**-0.5)
    cov = np.einsum("nki,nkj->nij", off, off)
    for _ in range(6):
        axis = np.einsum("nij,nj->ni", cov, axis) + 1e-9
        axis /= np.linalg.norm(axis, axis=1, keepdims=True) + 1e-12
    along = np.einsum("nki,ni->nk", off, axis)
    sign = np.where((along**3).sum(1) < 0, -1, 1)
    strength = np.sort(along * sign[:, None], axis=1)[:, int(0.96 * along.shape[1])]
    ink = np.einsum("nijk,nk->nij", cells - paper[:, None, None], axis * sign[:, None])
    return ink, strength


def normal(ink: Array, strength: Array, scale: float) -> Array:
    """Ink in units of its strength."""
    by = np.maximum(strength, 0.42 * scale) + 1e-6
    return np.clip(ink / by[:, None, None], -1.2, 1.6)


def reaches(ink: Array) -> Array:
    """Where every cell's ink falls below a half, up and down from what is nearest its middle."""
    out = np.zeros((len(ink), 2))
    for cell, ends in zip(ink[:, :, 4:20].max(2), out, strict=True):
        with_ink = sorted(np.flatnonzero(cell >= 0.5), key=lambda y: (abs(y - 12), y))
        for k, step in enumerate((-1, 1) if with_ink and with_ink[0] > 0 else ()):
            y = int(with_ink[0])
            while 0 <= y + step < SIDE and cell[y + step] >= 0.5:
                y += step
            inside = 0 <= y + step < SIDE
            ends[k] = y + step * (cell[y] - 0.5) / (cell[y] - cell[y + step]) if inside else y
    return out


def inked(ink: Array) -> Array:
    """Which cells have four pixels or more of 0.4 in the middle 10×10."""
    return np.asarray((ink[:, 7:17, 7:17] >= np.float32(0.4)).sum((1, 2)) >= 4)


def alike(ink: Array, these: list[int], those: list[int]) -> Array:
    """Correlations of the middles of `those` with the best of 25 places in `these`."""
    out = np.zeros((len(these), len(those)))
    for a, i in enumerate(these):
        for b, j in enumerate(those):
            found = [
                float(np.corrcoef(place.ravel(), ink[j, 4:20, 4:20].ravel())[0, 1])
                for y in range(2, 7)
                for x in range(2, 7)
                if (place := ink[i, y : y + 16, x : x + 16]).std() > 1e-4
                and ink[j, 4:20, 4:20].std() > 1e-4
            ]
            out[a, b] = max(found, default=0)
    return out


LAYERS = ((9, 12), (108, 24), (216, 44), (396, 72), (648, 17))


def net_of(file: bytes) -> list[tuple[Array, Array]]:
    """Weights and biases of the net's file (from after its first line)."""
    out, at = [], 0
    for inputs, outputs in LAYERS:
        whole = np.frombuffer(file, np.int8, inputs * outputs, at).reshape(inputs, outputs)
        rest = np.frombuffer(file, "<f4", 2 * outputs, at + inputs * outputs)
        out.append((whole * rest[:outputs].astype(float), rest[outputs:].astype(float)))
        at += inputs * outputs + 8 * outputs
    assert at == len(file)
    return out


def scores(net: list[tuple[Array, Array]], cells: Array) -> Array:
    """The net's scores: four convolutions of stride 1, 2, 2, 2, then all together."""
    x = cells[..., None]
    for (w, b), stride in zip(net[:4], (1, 2, 2, 2), strict=True):
        h = x.shape[1]
        wide = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        around = [
            wide[:, i : i + h : stride, j : j + h : stride] for i in range(3) for j in range(3)
        ]
        x = np.maximum(np.concatenate(around, 3) @ w + b, 0)
    return np.asarray(x.reshape(len(x), -1) @ net[4][0] + net[4][1])
