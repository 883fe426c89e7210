"""Train the network that reads a sudoku's symbols, on symbols drawn from fonts alone; numpy only.

Cross-entropy, minimised by Adam (Kingma & Ba 2015) on batches of drawn cells; the result is a
running mean of the weights, calibrated by a temperature (Guo et al. 2017).

    OMP_NUM_THREADS=1 python -m wasm_build.ocr.train_digits [--steps N] [--out FILE]

The fonts come from npm (`@fontsource/…`, OFL 1.1 or Apache 2.0; their licences lie next to them)
into .cache/fonts. `wasm_build/ocr/digit_cells.py` draws the cells. Rate and running mean depend on
the number of the step alone, so that --steps reproduces any checkpoint of a longer run.

The file: a line of JSON (sizes), then for every layer its weights as int8 (inputs by outputs,
inputs in the order row, column, channel), then a scale and a bias for every output (float32).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from cluewise.pictures.network import neighbourhoods, softmax
from wasm_build.ocr.digit_cells import CLASSES, SIDE, TRAINING, Drawing, faces

ROOT = Path(__file__).resolve().parents[2]
FONTS = ROOT / ".cache" / "fonts"
OUT = ROOT / "pysrc" / "cluewise" / "desks" / "sudoku" / "digits.bin"
CHANNELS = (1, 12, 24, 44, 72)
STRIDES = (1, 2, 2, 2)
HEAD = {"channels": CHANNELS, "classes": CLASSES, "side": SIDE, "strides": STRIDES}
BATCH, MADE, POOL, REUSE = 256, 512, 40, 6
RATE, SEED, EVERY = 2e-3, 20, 250

Array: TypeAlias = np.ndarray[Any, Any]


def fetch_fonts(families: tuple[str, ...] = TRAINING) -> None:
    """npm brings the families, as any dependency."""
    names = [f"@fontsource/{name}" for name in families]
    if all((FONTS / "node_modules" / name).exists() for name in names):
        return
    FONTS.mkdir(parents=True, exist_ok=True)
    (FONTS / "package.json").write_text('{"private":true}')
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *names]
    subprocess.run(command, cwd=FONTS, check=True)


def first_weights(rng: np.random.Generator) -> list[Array]:
    """Weights and biases, layer by layer, of the size that keeps the signal's strength."""
    out: list[Array] = []
    for inputs, outputs in pairwise(CHANNELS):
        spread = np.sqrt(2 / (9 * inputs))
        out += [rng.normal(0, spread, (9 * inputs, outputs)), np.zeros(outputs)]
    last = 9 * CHANNELS[-1]
    out += [rng.normal(0, 1 / np.sqrt(last), (last, CLASSES)), np.zeros(CLASSES)]
    return [w.astype(np.float32) for w in out]


def add_neighbourhoods(grad: Array, shape: tuple[int, ...], stride: int) -> Array:
    """The transpose of `neighbourhoods`: add the 3×3 places of every row up."""
    n, h, w, c = shape
    parts = grad.reshape(n, h // stride, w // stride, 9, c)
    padded = np.zeros((n, h + 2, w + 2, c), np.float32)
    for k in range(9):
        i, j = divmod(k, 3)
        padded[:, i : i + h : stride, j : j + w : stride] += parts[:, :, :, k]
    return padded[:, 1:-1, 1:-1]


def forward(weights: list[Array], cells: Array) -> tuple[Array, list[Any]]:
    """The scores of every class, and the activations that `backward` needs."""
    x = cells[..., None]
    activations: list[Any] = []
    for layer, stride in enumerate(STRIDES):
        around = neighbourhoods(x, stride)
        rows = around.reshape(-1, around.shape[-1])
        y = np.maximum(rows @ weights[2 * layer] + weights[2 * layer + 1], 0)
        activations.append((rows, x.shape, y))
        x = y.reshape(*around.shape[:3], -1)
    flat = x.reshape(len(cells), -1)
    activations.append(flat)
    return flat @ weights[-2] + weights[-1], activations


def backward(weights: list[Array], activations: list[Any], grad: Array) -> list[Array]:
    """Backpropagation: the gradient of the loss by every weight, from that by the scores."""
    flat = activations[-1]
    out = [flat.T @ grad, grad.sum(0)]
    grad = grad @ weights[-2].T
    for layer in range(len(STRIDES) - 1, -1, -1):
        rows, shape, y = activations[layer]
        grad = grad.reshape(y.shape) * (y > 0)
        out = [rows.T @ grad, grad.sum(0), *out]
        if layer:
            grad = add_neighbourhoods(grad @ weights[2 * layer].T, shape, STRIDES[layer])
    return out


def loss_gradient(scores: Array, answers: Array) -> Array:
    """The gradient of the mean cross-entropy by the scores."""
    grad = softmax(scores)
    grad[np.arange(len(answers)), answers] -= 1
    return grad.astype(np.float32) / len(answers)


class Adam:
    """Adam with a falling rate, and a running mean of the weights, which is the result."""

    def __init__(self, weights: list[Array]) -> None:
        self.weights = weights
        self.mean = [w.copy() for w in weights]
        self._m = [np.zeros_like(w) for w in weights]
        self._v = [np.zeros_like(w) for w in weights]

    def step(self, number: int, gradient: list[Array]) -> None:
        """Step `number`, from 1; a gradient longer than 5 is clipped."""
        length = np.sqrt(sum(float((g * g).sum()) for g in gradient))
        rate = RATE * min(1, number / 100) / (1 + number / 1500)
        keep = min(0.998, 1 - 1 / (1 + number / 8))
        for w, m, v, mean, g in zip(
            self.weights, self._m, self._v, self.mean, gradient, strict=True
        ):
            g = g * min(1.0, 5 / (length + 1e-9)) + 1e-5 * w
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            to = m / (1 - 0.9**number) / (np.sqrt(v / (1 - 0.999**number)) + 1e-8)
            w -= np.float32(rate) * to
            mean += np.float32(1 - keep) * (w - mean)


def temperature(scores: Array, answers: Array) -> float:
    """The divisor of the scores that calibrates the probabilities on held-back cells."""
    rows = np.arange(len(answers))
    tries = np.linspace(0.5, 2.5, 41)
    losses = [-np.log(softmax(scores / t)[rows, answers] + 1e-12).mean() for t in tries]
    return float(tries[int(np.argmin(losses))])


def pack(head: dict[str, Any], weights: list[Array], divisor: float) -> bytes:
    """The file's bytes; the last layer is divided by the temperature."""
    out = json.dumps(head).encode() + b"\n"
    last = len(weights) - 2
    for k in range(0, len(weights), 2):
        by = np.float32(divisor if k == last else 1)
        scale = np.abs(weights[k]).max(0) / 127 + 1e-12
        out += np.round(weights[k] / scale).astype(np.int8).tobytes()
        out += (scale / by).astype("<f4").tobytes() + (weights[k + 1] / by).astype("<f4").tobytes()
    return out


def train(steps: int, out: Path) -> None:
    """Train and write; a checkpoint every EVERY steps, next to the file's name."""
    rng = np.random.default_rng(SEED)
    drawing = Drawing(faces(FONTS, TRAINING), rng)
    print(len(drawing.bank), "faces", flush=True)
    test = [drawing.cells(MADE) for _ in range(4)]
    answers = np.concatenate([y for _, y in test])
    adam = Adam(first_weights(rng))
    pool: list[tuple[Array, Array]] = []
    began = time.time()
    for number in range(1, steps + 1):
        if len(pool) < POOL:
            pool.append(drawing.cells(MADE))
        elif number % REUSE == 0:
            pool[int(rng.integers(POOL))] = drawing.cells(MADE)
        x, y = pool[int(rng.integers(len(pool)))]
        pick = rng.permutation(MADE)[:BATCH]
        scores, activations = forward(adam.weights, x[pick])
        grad = loss_gradient(scores, y[pick])
        adam.step(number, backward(adam.weights, activations, grad))
        if number % EVERY == 0 or number == steps:
            scores = np.concatenate([forward(adam.mean, x)[0] for x, _ in test])
            divisor = temperature(scores, answers)
            right = (scores.argmax(1) == answers).mean()
            print(
                number, f"{time.time() - began:.0f} s, {right:.4f} right, T {divisor}", flush=True
            )
            done = out if number == steps else out.with_suffix(f".{number}")
            done.write_bytes(pack(HEAD, adam.mean, divisor))


def run(train: Callable[[int, Path], None], what: str, steps: int, out: Path) -> None:
    """Train as the command line says, with these defaults."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--out", type=Path, default=out)
    options = parser.parse_args()
    fetch_fonts()
    train(options.steps, options.out)


if __name__ == "__main__":
    run(train, "Train the network that reads a sudoku's symbols.", 3000, OUT)
