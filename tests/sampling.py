"""Today's share of seeds, blocks and drawn examples.

By default a run takes one in n of the cases of a test that is marked `sampled(n)`, of all tests
marked `sampled(n, of="a group")` and of the cases that a test passes to `sample`, and one in
eight of Hypothesis' examples. A test with eight or more cases counts as marked where they are seeds
or it stands in tests/property or tests/oracle. The choice depends on the date alone: it is the same
in every process, and n days in a row run every case; 64 days those of a loop in a sampled test. A
run's last line names the day. `CLUEWISE_SAMPLE_DAY=740311` repeats it; `CLUEWISE_SAMPLE=1` runs
everything, as `make test-long` does, and `CLUEWISE_SAMPLE=2` at least one in two.
"""

import datetime
import os
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")

# Set for the processes that this one starts, so that all agree at midnight too.
DAY = int(os.environ.setdefault("CLUEWISE_SAMPLE_DAY", str(datetime.date.today().toordinal())))
LIMIT = int(os.environ.get("CLUEWISE_SAMPLE", "1000"))
CASES = "cases"
SHARE, FEWEST = 8, 5  # one in eight, and how few examples a test draws

left_out: Counter[str] = Counter()
total: Counter[str] = Counter()


def sample(cases: Sequence[Case], n: int = SHARE, *, kind: str = "seeds in loops") -> list[Case]:
    """Return today's one in n of the cases, at least one: `sample(range(400), 4)`."""
    step = max(1, min(n, LIMIT, len(cases)))
    # A loop moves on against its test, or on the test's days it would always run the same seeds.
    first = DAY if kind == CASES else DAY + DAY // SHARE
    chosen = list(cases[first % step :: step])
    count(kind, len(chosen), len(cases))
    return chosen


def examples(most: int, least: int = FEWEST) -> int:
    """Return how many examples are drawn for a test that asks for `most`: 200 → 25."""
    return min(most, max(least, most // min(SHARE, LIMIT)))


def count(kind: str, chosen: int, cases: int) -> None:
    """Count cases of a kind, and those that were left out."""
    total[kind] += cases
    left_out[kind] += cases - chosen
