"""The errors that a user can see, one class per kind.

A `CluewiseError` has a message, the JSON path of its cause (`$.clues[1].guess`) and the terminal's
exit status. `assert` and built-in exceptions are for bugs in Cluewise.
"""

from __future__ import annotations

from typing import ClassVar

LONGEST = 600  # characters of a message or path, which may quote a whole file


class CluewiseError(Exception):
    """A message and the JSON path of its cause: `BadInput("…", "$.rules.pegs")`."""

    kind: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 2

    def __init__(self, message: str, where: str = "$") -> None:
        message = _clipped(message)
        super().__init__(message)
        self.message = message
        self.where = _clipped(where)

    def under(self, prefix: str) -> CluewiseError:
        """Return the error with its path below `prefix`: `$.guess` under `$.clues[1]`."""
        return type(self)(self.message, prefix + self.where.removeprefix("$"))


def _clipped(text: str) -> str:
    """Return a long message without its middle; its end has the advice."""
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST // 2]} … {text[-LONGEST // 4 :]}"


class BadInput(CluewiseError):
    """The input cannot be read."""

    kind = "bad_input"


class BadPosition(BadInput):
    """The JSON is well formed, but breaks a rule of the game: a seventh colour out of six."""

    kind = "bad_position"


class BadOption(BadInput):
    """An option has a name or value that the verb does not take."""

    kind = "bad_option"


class BadNotation(BadInput):
    """A pasted text or file in no known notation; `where` is `line 3, column 7`."""

    kind = "bad_notation"


class BadLink(BadInput):
    """A link that does not decode to a position."""

    kind = "bad_link"


class Unknown(BadInput):
    """A desk or a verb of that name does not exist."""

    kind = "unknown"


class Contradiction(CluewiseError):
    """The clues contradict each other; the verb `doubt` names them."""

    kind = "contradiction"
    exit_status = 3


class TooLarge(CluewiseError):
    """The position exceeds a limit of exact computation, which the message names."""

    kind = "too_large"
    exit_status = 4


class MemoryHeld(TooLarge):
    """Other running work holds the kernel's memory; the request would fit without it."""


class Stopped(CluewiseError):
    """The user stopped the work."""

    kind = "stopped"
    exit_status = 130


class HostFailure(CluewiseError):
    """The host failed: no WebAssembly, no memory, or a crashed worker."""

    kind = "host"
    exit_status = 1


def error_from_kind(kind: str, message: str, where: str) -> CluewiseError:
    """Rebuild an error of another process: `error_from_kind("too_large", "…", "$")`."""
    return _of_kind(CluewiseError, kind)(message, where)


def _of_kind(base: type[CluewiseError], kind: str) -> type[CluewiseError]:
    below = (_of_kind(one, kind) for one in base.__subclasses__())
    return next((one for one in below if one.kind == kind), base)
