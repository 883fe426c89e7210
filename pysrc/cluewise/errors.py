"""Every error a person can meet: one tree, one class per thing that can be put right.

A `CluewiseError` carries a plain sentence, the place it is about as a JSON path
(`$.clues[1].guess`) and the exit status of the terminal. `assert` and built-in exceptions are
kept for our own mistakes.
"""

from __future__ import annotations

from typing import ClassVar

LONGEST = 600  # characters of a sentence or a place; what it quotes may be a whole file


class CluewiseError(Exception):
    """A sentence for a person and the place it speaks of, `BadInput("…", "$.rules.pegs")`."""

    kind: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 2

    def __init__(self, message: str, where: str = "$") -> None:
        message = _clipped(message)
        super().__init__(message)
        self.message = message
        self.where = _clipped(where)

    def under(self, prefix: str) -> CluewiseError:
        """The same error seen from one level up: `$.guess` under `$.clues[1]`."""
        return type(self)(self.message, prefix + self.where.removeprefix("$"))


def _clipped(text: str) -> str:
    """A sentence that quotes a long text, with the middle left out; its end says what to do."""
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST // 2]} … {text[-LONGEST // 4 :]}"


class BadInput(CluewiseError):
    """What was given cannot be read as what was asked for."""

    kind = "bad_input"


class BadPosition(BadInput):
    """The JSON is well formed, but breaks a rule of the game: a seventh colour out of six."""

    kind = "bad_position"


class BadOption(BadInput):
    """An option has a name or value that the verb does not take."""

    kind = "bad_option"


class BadNotation(BadInput):
    """A pasted text or file that no known notation explains; `where` is `line 3, column 7`."""

    kind = "bad_notation"


class BadLink(BadInput):
    """A link that does not decode to a position."""

    kind = "bad_link"


class Unknown(BadInput):
    """A desk or a verb of that name does not exist."""

    kind = "unknown"


class Contradiction(CluewiseError):
    """The clues cannot all hold, so the question has no answer; the verb `doubt` says which."""

    kind = "contradiction"
    exit_status = 3


class TooLarge(CluewiseError):
    """Exact work on this position would pass a stated limit; the message names the limit."""

    kind = "too_large"
    exit_status = 4


class MemoryHeld(TooLarge):
    """The work would fit, but what others have begun holds the kernel's memory at the moment."""


class Stopped(CluewiseError):
    """The person stopped the work."""

    kind = "stopped"
    exit_status = 130


class HostFailure(CluewiseError):
    """The machine under us failed: no WebAssembly, no memory, a worker that died."""

    kind = "host"
    exit_status = 1


def error_from_kind(kind: str, message: str, where: str) -> CluewiseError:
    """Rebuild an error of another process: `error_from_kind("too_large", "…", "$")`."""
    return _of_kind(CluewiseError, kind)(message, where)


def _of_kind(base: type[CluewiseError], kind: str) -> type[CluewiseError]:
    below = (_of_kind(one, kind) for one in base.__subclasses__())
    return next((one for one in below if one.kind == kind), base)
