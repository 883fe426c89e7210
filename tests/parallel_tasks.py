"""Tasks that new processes can import, for tests/contract/test_many.py and test_hands.py."""

import os
import signal
import sys
import time
from pathlib import Path

from cluewise.core.work import Job, Progress


def square(number: int) -> list[int]:
    """Return a list, which JSON preserves."""
    return [number * number, os.getpid() * 0]


def fails_on_three(number: int) -> int:
    """Fail for 3, always."""
    if number == 3:
        raise ValueError("three")
    return number


def fails_once(number: int, marks: str) -> int:
    """Fail at the first attempt."""
    mark = Path(marks) / str(number)
    if not mark.exists():
        mark.touch()
        raise OSError("a temporary error")
    return number


def dies_on_three(number: int, marks: str, always: bool) -> int:
    """Kill the process for 3, at the first attempt or always."""
    mark = Path(marks) / "died"
    if number == 3 and (always or not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def counted(number: int, marks: str) -> int:
    """Record every call in a file."""
    with (Path(marks) / "done").open("a") as file:
        file.write(f"{number}\n")
    return number * 10


def waits(number: int, marks: str) -> int:
    """Record the start; do not end by itself except for 0."""
    (Path(marks) / f"begun-{os.getpid()}").touch()
    if number:
        signal.pause()
    return number


def passes_when_open(number: int, marks: str) -> int:
    """Wait while the file `shut` exists, except for 0."""
    while number and (Path(marks) / "shut").exists():
        time.sleep(0.05)
    return number


def steps(number: int, marks: str) -> Job[int]:
    """A job that ends at once for 0, otherwise when it is closed; records start and end."""
    (Path(marks) / f"began-{number}").touch()
    try:
        while number:
            time.sleep(0.05)
            yield Progress(0, None)
    finally:
        (Path(marks) / f"ended-{number}").touch()
    return number


def loaded(name: str) -> bool:
    """Return whether the worker has already imported a module."""
    return name in sys.modules
