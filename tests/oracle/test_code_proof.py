"""Proofs of optimal totals: found by one native program, checked by another."""

import random
import subprocess
from pathlib import Path

import pytest

from asking import ask_code
from wasm_build.codegen import native_kernel

TOOLS = Path(__file__).parents[1] / "tools" / "code_proof"
COMPILER = native_kernel.compiler()
PUBLISHED = [  # rules, guesses, first guess, least total
    ("p4c4r", "any", "any", 905),
    ("p3c6n", "any", "any", 436),
    ("p4c6r", "any", "any", 5625),
    ("p4c6r", "consistent", "any", 5660),
    ("p4c6r", "consistent", "0123", 5743),
    ("p4c6r", "consistent", "0011", 5752),
    ("p4c6r", "consistent", "0001", 5848),
    ("p4c6r", "consistent", "0000", 6359),
]
pytestmark = pytest.mark.skipif(COMPILER is None, reason="this machine has no C compiler")


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("proofs")
    for name in ("prove_code", "check_proof"):
        command = [str(COMPILER), "-O2", "-o", str(folder / name), str(TOOLS / f"{name}.c")]
        command.append("-lm")
        subprocess.run(command, check=True)
    return folder


def prove(tools: Path, rules: str, guesses: str, first: str, total: int | str) -> str:
    command = [str(tools / "prove_code"), rules, guesses, first, str(total)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def check(tools: Path, proof: str) -> tuple[int, str]:
    file = tools / "one.proof"
    file.write_text(proof, "utf-8")
    ran = subprocess.run(
        [str(tools / "check_proof"), str(file)], capture_output=True, text=True, check=False
    )
    return ran.returncode, ran.stdout + ran.stderr


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: f"{case[0]}-{case[3]}")
def test_published_optimal_totals_are_proved(tools: Path, case: tuple[str, str, str, int]) -> None:
    status, text = check(tools, prove(tools, *case))
    assert (status, text.rstrip().endswith(f"least total {case[3]}")) == (0, True), text
    assert prove(tools, *case[:3], case[3] - 1) == ""


def test_strategy_of_a_proof_is_read_by_the_desk(tools: Path) -> None:
    lines = prove(tools, *PUBLISHED[2]).splitlines()[2:]
    strategy = "\n".join(line for line in lines if line.startswith(" ") or line == lines[0])
    found = ask_code("check", {}, strategy=strategy)
    assert (found["complete"], found["total"]) == (True, 5625)


def test_damaged_proofs_are_refused_with_the_line(tools: Path) -> None:
    proof = prove(tools, *PUBLISHED[2])
    lines, dice = proof.splitlines(), random.Random(1)
    bounds = next(i for i, line in enumerate(lines[3:], 3) if not line.startswith(" "))
    damaged = {
        "the last bound": lines[:-1],
        "a total": [lines[0], lines[1].replace("5625", "5624"), *lines[2:]],
        "half a line": [*lines[:bounds], lines[bounds][:-2], *lines[bounds + 1 :]],
        "the rules": [lines[0], lines[1].replace("c6", "c7"), *lines[2:]],
        "the end": [*lines, "5625"],
    }
    for i in dice.sample(range(3, bounds), 6):
        damaged[f"line {i} left out"] = lines[:i] + lines[i + 1 :]
        damaged[f"line {i} twice"] = lines[: i + 1] + lines[i:]
    for i in dice.sample(range(bounds, len(lines) - 1), 6):
        damaged[f"bound {i} left out"] = lines[:i] + lines[i + 1 :]
        value, rest = lines[i].split(" ", 1)
        damaged[f"bound {i} raised"] = [*lines[:i], f"{int(value) + 100} {rest}", *lines[i + 1 :]]
    for what, kept in damaged.items():
        status, text = check(tools, "\n".join(kept) + "\n")
        assert status == 1, what
        assert "one.proof:" in text


def test_interval_is_a_strategy_and_a_lower_bound(tools: Path) -> None:
    status, said = check(tools, prove(tools, "p4c6r", "any", "0012", "bracket"))
    assert (status, said.endswith("total 5626, no strategy takes less than 5429\n")) == (0, True)
