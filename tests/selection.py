"""Select the tests of a desk (`--desk`) and a daily sample of tests with many cases.

By default a run takes one in n cases of a test marked `sampled(n)`, of all tests marked
`sampled(n, of="a group")` and of the cases that a test passes to `sample`, and one in eight of
Hypothesis' examples. A test with eight or more cases is sampled without a mark if they are seeds or
if it is in tests/property or tests/oracle. The sample depends only on the date, so all processes
agree. n days in a row run every case; 64 days combine every seed of a loop with every case of its
test. The last line of the output names the day: `CLUEWISE_SAMPLE_DAY=740311` repeats its sample.
`CLUEWISE_SAMPLE=1` runs everything, as `make test-long` does, `CLUEWISE_SAMPLE=2` at least one in
two.
"""

import datetime
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar, cast

import hypothesis
import pytest

from cluewise import desks

Case = TypeVar("Case")

# Set for the processes that this one starts, so that all agree at midnight too.
DAY = int(os.environ.setdefault("CLUEWISE_SAMPLE_DAY", str(datetime.date.today().toordinal())))
LIMIT = int(os.environ.get("CLUEWISE_SAMPLE", "1000"))
CASES = "cases"
SHARE, FEWEST = 8, 5  # one in eight; least number of examples of a test

left_out: Counter[str] = Counter()
total: Counter[str] = Counter()

hypothesis.settings.load_profile("ci")  # no deadline, no database of examples
SEEDS = {"seed", "block"}
MANY = 8  # cases from which on a test is sampled without a mark
SETTINGS = "_hypothesis_internal_use_settings"  # `settings` decorates a test only once

drawn: dict[object, tuple[int, int]] = {}  # by test: examples drawn today, examples in its settings
counts: dict[str, list[int]] = {}  # kind -> left out, all


def sample(cases: Sequence[Case], n: int = SHARE, *, kind: str = "seeds in loops") -> list[Case]:
    """Return today's sample of one in n cases, at least one: `sample(range(400), 4)`."""
    step = max(1, min(n, LIMIT, len(cases)))
    # The offset of a loop also changes every 8 days; otherwise each case would meet the same seeds.
    first = DAY if kind == CASES else DAY + DAY // SHARE
    chosen = list(cases[first % step :: step])
    count(kind, len(chosen), len(cases))
    return chosen


def examples(most: int, least: int = FEWEST) -> int:
    """Return the number of examples to draw for a test with `max_examples=most`: 200 → 25."""
    return min(most, max(least, most // min(SHARE, LIMIT)))


def count(kind: str, chosen: int, cases: int) -> None:
    """Add to the numbers of all cases of a kind and of those left out."""
    total[kind] += cases
    left_out[kind] += cases - chosen


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--desk", action="append", default=[], choices=desks.available(),
        help="run only the tests of this desk (may be repeated)",
    )  # fmt: skip


def belongs_to(item: pytest.Item, names: set[str]) -> bool:
    """Return whether a test belongs to one of the desks, by its file's name or else its own."""
    file, own = (set(re.split("[^a-z]+", name)) for name in (item.path.stem, item.name))
    return bool((file & set(desks.available()) or own) & names)


def default_mark(cases: list[pytest.Item]) -> pytest.Mark | None:
    """Return the mark of a test with many cases that are seeds or compared with an oracle."""
    callspec = getattr(cases[0], "callspec", None)
    if callspec is None or len(cases) < MANY:
        return None
    compared = cases[0].path.parent.name in ("property", "oracle")
    return pytest.mark.sampled.mark if compared or SEEDS & set(callspec.params) else None


def group_of(item: pytest.Item) -> object:
    """Return the name of the sampled group: of the test, or the one in `sampled(of=...)`."""
    mark = item.get_closest_marker("sampled")
    return (mark and mark.kwargs.get("of")) or getattr(item, "obj", item)


@pytest.hookimpl(trylast=True)  # after -k and -m, so that each test keeps at least one case
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    names = set(config.getoption("desk"))
    groups: dict[object, list[pytest.Item]] = {}
    for item in items:
        if not names or belongs_to(item, names):
            groups.setdefault(group_of(item), []).append(item)
    for cases in groups.values():
        mark = cases[0].get_closest_marker("sampled") or default_mark(cases)
        # Cases named on the command line run on every day.
        if mark and not any("[" in argument for argument in config.args):
            cases[:] = sample(cases, *mark.args, kind=CASES)
            report(cases[0])
        for test in {getattr(item, "obj", None) for item in cases}:
            if hypothesis.is_hypothesis_test(test):
                draw_todays_examples(test)
    chosen = {item for cases in groups.values() for item in cases}
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = [item for item in items if item in chosen]


def draw_todays_examples(test: Any) -> None:
    """Draw fewer examples, with the day as the seed."""
    settings: hypothesis.settings = getattr(test, SETTINGS)
    most, fewer = settings.max_examples, examples(settings.max_examples)
    setattr(test, SETTINGS, hypothesis.settings(settings, deadline=None, max_examples=fewer))
    hypothesis.seed(DAY)(test)
    drawn[test] = fewer, most


def report(item: pytest.Item) -> None:
    """Attach the counts since the last report to a test's report and reset them."""
    for kind, cases in total.items():
        item.user_properties.append(("sampled", (kind, left_out[kind], cases)))
    total.clear()
    left_out.clear()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    if (test := getattr(item, "obj", None)) in drawn:
        count("Hypothesis examples", *drawn[test])
    yield
    report(item)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    for name, value in report.user_properties:
        if name == "sampled" and report.when == "teardown":
            kind, left_out, cases = cast(tuple[str, int, int], value)
            known = counts.setdefault(kind, [0, 0])
            known[0] += left_out
            known[1] += cases


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    shares = [f"{n:,} of {cases:,} {kind}" for kind, (n, cases) in sorted(counts.items()) if n]
    if shares:
        terminalreporter.write_line(
            f"Sample of day {DAY}: left out {', '.join(shares)}. "
            f"Again: CLUEWISE_SAMPLE_DAY={DAY}; everything: CLUEWISE_SAMPLE=1."
        )
