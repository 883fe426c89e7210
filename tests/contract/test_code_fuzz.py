"""Random and mutated positions and texts through the service: a result or a named error, always.

`fuzz(count, seed)` is what a longer run calls with a larger count (CLUEWISE_MUTATIONS).
"""

from __future__ import annotations

import os
import random
from typing import Any

from cluewise.errors import CluewiseError
from cluewise.kernel import kernel
from cluewise.service import run

COUNT = int(os.environ.get("CLUEWISE_MUTATIONS", "400"))
JUNK: list[Any] = [
    None, True, -1, 0, 3, 17, 2**31, 2**63, 1e300, "", "0", "....", "zzzz", "0" * 65, "٣٣٣٣",
    "0\x0011", [], [[]], {}, {"guess": 1}, "s1AAAA",
]  # fmt: skip
WORDS = [
    "0011", "1A2B", "1", "2", ":", "bulls", "cows", "bw", "●", "#1", "Guess", "(", "ignored", "//",
    "\t", "9" * 40, "-", "", "é", "🙂", "0 0 1 1", "A", "B", "0b", ".", "\u2028",
]  # fmt: skip


def random_position(dice: random.Random) -> dict[str, Any]:
    """A position that is legal more often than not, of rules small enough for every verb."""
    pegs, colours = dice.randint(1, 4), dice.randint(1, 5)
    rules = {"pegs": pegs, "colours": colours, "repeat": dice.random() < 0.7 or pegs > colours}
    rules["blanks"] = dice.random() < 0.3
    clues = []
    for _ in range(dice.randint(0, 4)):
        guess = "".join(dice.choice("012345"[:colours]) for _ in range(pegs))
        clues.append(
            {"guess": guess, "exact": dice.randint(0, pegs), "partial": dice.randint(0, 2)}
        )
    return {"desk": "code", "rules": rules, "clues": clues}


def mutate(value: Any, dice: random.Random) -> Any:
    """The value with something in it replaced, dropped or doubled."""
    if isinstance(value, dict) and value and dice.random() < 0.9:
        key = dice.choice(sorted(value))
        if dice.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: mutate(value[key], dice)}
    if isinstance(value, list) and value and dice.random() < 0.9:
        at = dice.randrange(len(value))
        return [*value[:at], mutate(value[at], dice), *value[at + dice.randint(0, 1) :]]
    return dice.choice(JUNK)


def random_options(want: str, dice: random.Random) -> Any:
    every: dict[str, dict[str, Any]] = {
        "advise": {"top": 3, "criterion": dice.choice(["entropy", "minmax"]), "mine": "01"},
        "remaining": {"top": 5},
        "classes": {"filter": dice.choice(["chain", "partition"])},
        "counts": {"rounds": 2, "by_second": "000"},
        "strategy": {"criterion": dice.choice(["first", "optimal"]), "tree": True},
        "equivalent": {"guesses": ["00", "01"]},
        "paste": {"text": random_text(dice)},
        "deal": {"seed": dice.randrange(100)},
        "judge": {"guess": "000"},
        "review": {"secret": "0000"},
    }
    options = every.get(want, {})
    return mutate(options, dice) if dice.random() < 0.3 else options


def random_text(dice: random.Random) -> str:
    lines = (" ".join(dice.choices(WORDS, k=dice.randint(0, 6))) for _ in range(dice.randint(0, 5)))
    return "\n".join(lines)


WANTS = (
    "advise", "remaining", "classes", "counts", "strategy", "doubt", "equivalent", "paste", "deal",
    "judge", "review",
)  # fmt: skip


def failure(request: dict[str, Any]) -> CluewiseError | None:
    try:
        run(request)
    except CluewiseError as problem:
        return problem
    return None


def fuzz(count: int, seed: int = 1) -> dict[str, int]:
    """How many requests ended in a result and how many in each kind of named error."""
    dice, ends = random.Random(seed), {"result": 0}
    for _ in range(count):
        position: Any = random_position(dice)
        for _ in range(dice.choice([0, 0, 1, 2])):
            position = mutate(position, dice)
        want = dice.choice(WANTS)
        request = {"desk": "code", "want": want, "position": position}
        problem = failure({**request, "options": random_options(want, dice)})
        kind = "result" if problem is None else problem.kind
        ends[kind] = ends.get(kind, 0) + 1
        if problem is not None:
            assert problem.message.endswith("."), (request, problem.message)
            assert problem.where.startswith("$"), (request, problem.where)
            assert problem.kind != "host", (request, problem.message)
    return ends


def test_nothing_breaks_whatever_comes_in() -> None:
    free = kernel().free()
    ends = fuzz(COUNT)
    assert ends["result"] > COUNT // 10
    assert ends["bad_position"] > COUNT // 20
    assert kernel().free() == free
