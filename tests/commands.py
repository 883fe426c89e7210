"""Fixtures for the terminal: `command("code", "advise", "-", text="{}")` runs in this process.

`interruptible` runs a script in a new process, to be interrupted.
"""

import io
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from rich.console import Console

from cluewise import cli, service
from cluewise.cli.drive import request
from cluewise.core.work import finish

ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(__file__).parent),
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "20s",
}


class Ran(NamedTuple):
    """What a command returned: its exit status and both streams."""

    status: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs `cluewise` with these arguments and this standard input."""

    def run(*arguments: str, text: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        monkeypatch.setattr(sys, "argv", ["cluewise", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return Ran(int(ended.value.code or 0), *capfd.readouterr())

    return run


def table_of(
    desk: str, verb: str, position: dict[str, Any], *, changed: Any = (), **options: Any
) -> str:
    """Return the table of an answer with some fields changed, one blank between words."""
    asked = request(desk, verb, position, **options)
    result: Any = finish(service.outcome(asked)).result
    console = Console(width=200, file=io.StringIO())
    show = getattr(import_module(f"cluewise.cli.desks.{desk}"), f"show_{verb}")
    console.print(show(asked.position, msgspec.structs.replace(result, **dict(changed))))
    return " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]  # a StringIO


# Processes in a shell's background ignore SIGINT, and children inherit that: it is enabled again.
INTERRUPTIBLE = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"


@contextmanager
def interruptible(script: Path, code: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run the code in a process that handles Ctrl-C; it is killed after 90 seconds."""
    script.write_text(INTERRUPTIBLE + textwrap.dedent(code))
    running = subprocess.Popen(
        [sys.executable, str(script), *arguments],
        env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    timeout = threading.Timer(90, running.kill)
    timeout.start()
    try:
        with running:
            yield running
    finally:
        timeout.cancel()
