"""The terminal's command in this process: `command("code", "advise", "-", text="{}")`."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from cluewise import cli


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
