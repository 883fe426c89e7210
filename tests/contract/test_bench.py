"""Every row of the bench does its work: nothing else calls what only a bench calls."""

import subprocess
import sys

import pytest

from cluewise import bench, desks

# In a process of its own: rows keep what they have prepared in the kernel's memory.
ROWS = """
import sys
from cluewise import bench
for row in bench.rows(sys.argv[1]):
    print(row.name, row.prepare()())
"""


@pytest.mark.sampled
@pytest.mark.parametrize("desk", desks.available())
def test_every_row_does_its_work(desk: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", ROWS, desk],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    done = dict(line.split() for line in ran.stdout.splitlines())
    assert list(done) == [row.name for row in bench.rows(desk)]
    assert all(int(units) > 0 for units in done.values())
