"""Any call of the kernel returns a result or a status: it never traps and always ends."""

import json
import random
from pathlib import Path

import pytest

import cluewise
from cluewise.errors import HostFailure
from cluewise.kernel import call as kernel_call
from cluewise.kernel import kernel
from cluewise.kernel.functions import TAKES
from reference.kernel_fuzz_calls import Damager, WatchedHost, random_calls
from selection import sample

SAMPLES = Path(__file__).parents[2] / "web" / "docs" / "samples"
DESKS = sorted(path.stem for path in SAMPLES.glob("*.json"))


def ask_everything(desk: str) -> None:
    for one in json.loads((SAMPLES / f"{desk}.json").read_text()):
        request = {"desk": desk, "want": one["want"], "position": one.get("position", {})}
        cluewise.run({**request, "options": one.get("options", {})})


def damage_calls(monkeypatch: pytest.MonkeyPatch, desk: str, seed: int, most: int) -> Damager:
    """Return a fuzzer after all samples of a desk."""
    tester = Damager(seed, most)
    monkeypatch.setattr("cluewise.kernel.call._start_kernel", lambda: tester)
    kernel.cache_clear()
    try:
        ask_everything(desk)
    finally:
        tester.watched.close()
        monkeypatch.undo()
        kernel.cache_clear()
    return tester


@pytest.mark.sampled
@pytest.mark.parametrize("desk", DESKS)
def test_corrupted_calls_are_answered_or_refused(
    monkeypatch: pytest.MonkeyPatch, desk: str
) -> None:
    tester = damage_calls(monkeypatch, desk, seed=1, most=250)
    assert tester.made >= 60
    assert tester.refused > tester.made // 3
    assert not tester.defects, "\n".join(tester.defects)


@pytest.mark.long
@pytest.mark.parametrize("desk", DESKS)
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_corrupted_calls_are_answered_or_refused(
    monkeypatch: pytest.MonkeyPatch, desk: str, seed: int
) -> None:
    tester = damage_calls(monkeypatch, desk, seed, most=1500)
    assert not tester.defects, "\n".join(tester.defects)


@pytest.mark.parametrize("zero", [True, False])
def test_functions_answer_or_refuse_uninitialized_memory(zero: bool) -> None:
    draw, host = random.Random(7), WatchedHost()
    owner, defects = kernel_call.Kernel(host), []
    for name in sample([*TAKES]):
        for _ in range(12):
            host.allow(100)
            try:
                random_calls(owner, draw, name, zero=zero)
            except HostFailure as failure:
                defects.append(f"{name}: {str(failure).splitlines()[0]}")
    host.close()
    assert not defects, "\n".join(sorted(set(defects)))
