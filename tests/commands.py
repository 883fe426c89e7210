"""The terminal's command in this process: `command("code", "advise", "-", text="{}")`."""

import io
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import msgspec
import pytest
from rich.console import Console

from cluewise import cli, service
from cluewise.cli.drive import request
from cluewise.core.work import finish


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
    tables = import_module(f"cluewise.cli.desks.{desk}").TABLES
    console.print(tables[verb](asked.position, msgspec.structs.replace(result, **dict(changed))))
    return " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]  # a StringIO
