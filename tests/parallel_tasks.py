"""Work that fresh processes can import: what tests/contract/test_many.py hands out."""

import os
import signal
import sys
import time
from pathlib import Path

from cluewise.core.work import Job, Progress


def square(number: int) -> list[int]:
    """A result as JSON has it."""
    return [number * number, os.getpid() * 0]


def fails_on_three(number: int) -> int:
    """A piece that can never be done."""
    if number == 3:
        raise ValueError("three")
    return number


def fails_once(number: int, marks: str) -> int:
    """Fails the first time that it is tried."""
    mark = Path(marks) / str(number)
    if not mark.exists():
        mark.touch()
        raise OSError("a passing fault")
    return number


def dies_on_three(number: int, marks: str, always: bool) -> int:
    """Takes its process with it, the first time or every time."""
    mark = Path(marks) / "died"
    if number == 3 and (always or not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def counted(number: int, marks: str) -> int:
    """Leaves a mark for every time that it is done."""
    with (Path(marks) / "done").open("a") as file:
        file.write(f"{number}\n")
    return number * 10


def waits(number: int, marks: str) -> int:
    """Says that it has begun and does not end by itself."""
    (Path(marks) / f"begun-{os.getpid()}").touch()
    if number:
        signal.pause()
    return number


def passes_when_open(number: int, marks: str) -> int:
    """All but the first wait while the door is shut."""
    while number and (Path(marks) / "shut").exists():
        time.sleep(0.05)
    return number


def steps(number: int, marks: str) -> Job[int]:
    """A job: 0 ends at once, the others go on until they are stopped, and say so."""
    (Path(marks) / f"began-{number}").touch()
    try:
        while number:
            time.sleep(0.05)
            yield Progress(0, None)
    finally:
        (Path(marks) / f"ended-{number}").touch()
    return number


def loaded(name: str) -> bool:
    """Whether a worker has a module before it is given anything that needs it."""
    return name in sys.modules
