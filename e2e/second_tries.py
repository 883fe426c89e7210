"""Tests that needed a second try: written down run by run, and how many are too many.

The record is a JSON list of the last runs, oldest first: `[["e2e/test_rack.py::test_a"], []]`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

KEPT = 10  # runs
MOST = 1  # second tries of one test in that many runs


def noted(record: Path, tries: Iterable[str]) -> list[str]:
    """Add a run to the record; the tests that needed a second try too often, sorted."""
    runs = [*_read(record), sorted(set(tries))][-KEPT:]
    record.parent.mkdir(parents=True, exist_ok=True)
    record.write_text(json.dumps(runs, indent=1) + "\n")
    often = Counter(name for run in runs for name in run)
    return sorted(name for name, times in often.items() if times > MOST)


def _read(record: Path) -> list[list[str]]:
    """The runs on record; a file that is no record counts as none."""
    try:
        runs = json.loads(record.read_text())
    except (OSError, ValueError):
        return []
    fits = isinstance(runs, list) and all(isinstance(run, list) for run in runs)
    return runs if fits else []
