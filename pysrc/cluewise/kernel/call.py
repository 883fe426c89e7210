"""Calling the kernel safely: buffers with owners, status codes as errors.

>>> with kernel().frame() as frame:
...     at = frame.put(array("I", [1, 2, 3]))
...     frame.get(at, "I", 3).tolist()
[1, 2, 3]

A frame owns its buffers until it closes; frames of several jobs may be open at once and close
in any order.
"""

from __future__ import annotations

import atexit
import sys
from array import array
from bisect import bisect
from functools import cache
from types import TracebackType
from typing import Any, Protocol, TypeAlias

from cluewise.errors import BadInput, HostFailure, TooLarge
from cluewise.kernel.functions import TAKES

# What `put` and `write` take; collections.abc.Buffer says it better, from Python 3.12 on.
Buffer: TypeAlias = "bytes | bytearray | memoryview | array[Any]"

VERSION = 1
_ALIGN = 16


class Host(Protocol):
    """What runs the WebAssembly: four operations on memory and calls."""

    size: int

    def call(self, name: str, arguments: tuple[float, ...]) -> int:
        """The function's 32-bit result."""

    def write(self, at: int, data: memoryview) -> None:
        """Copy bytes into the memory."""

    def read_into(self, at: int, out: memoryview) -> None:
        """Copy bytes out of the memory."""

    def fill(self, at: int, length: int) -> None:
        """Set bytes to zero."""


class Kernel:
    """The kernel on one host: `call` by name, memory through `frame`."""

    def __init__(self, host: Host) -> None:
        self.host = host
        if host.call("kernel_version", ()) != VERSION:
            raise HostFailure("The kernel and the Python package are of different versions.")
        self._base = host.call("arena_base", ())
        self._gaps = [(self._base, host.size)]  # where nothing lies, by address
        self._taken: dict[int, int] = {}  # where a buffer begins and ends

    def call(self, name: str, *arguments: float) -> int:
        """The result of an exported function, which is never negative.

        A negative status becomes an error: BAD -> BadInput, TOO_LARGE and OVERFLOW -> TooLarge.
        Another number of arguments than the C function has is a TypeError, on every host.
        """
        if len(TAKES.get(name, "")) != len(arguments):
            raise TypeError(f"{name} takes {TAKES.get(name)!r}, not {len(arguments)} arguments")
        result = self.host.call(name, arguments)
        if result >= 0:
            return result
        if result == -1:
            raise BadInput(f"The kernel's {name} was given a value outside its limits.")
        what = "memory" if result == -2 else "integer size"
        raise TooLarge(f"This position is too large for exact work: {name} ran out of {what}.")

    def frame(self) -> Frame:
        """A new owner of buffers; use it in a `with` block."""
        return Frame(self)

    def free(self) -> int:
        """The largest number of bytes that one buffer could have now."""
        return max((end - begin for begin, end in self._gaps), default=0)

    def _take(self, length: int) -> int:
        need = max(length, 1) + -max(length, 1) % _ALIGN
        for i, (begin, end) in enumerate(self._gaps):
            if end - begin >= need:
                rest = begin + need
                self._gaps[i : i + 1] = [(rest, end)] if rest < end else []
                self._taken[begin] = rest
                return begin
        limit = (self.host.size - self._base) >> 20
        raise TooLarge(f"This needs more than the {limit} MB that exact work may use.")

    def _give_back(self, at: int) -> None:
        begin, end = at, self._taken.pop(at)
        i = bisect(self._gaps, (begin, end))
        last = i
        if i < len(self._gaps) and self._gaps[i][0] == end:
            end, last = self._gaps[i][1], i + 1
        if i and self._gaps[i - 1][1] == begin:
            begin, i = self._gaps[i - 1][0], i - 1
        self._gaps[i:last] = [(begin, end)]


class Frame:
    """Buffers in the kernel's memory, freed together when the `with` block ends."""

    def __init__(self, owner: Kernel) -> None:
        self.kernel = owner
        self._mine: list[int] = []

    def __enter__(self) -> Frame:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for at in self._mine:
            self.kernel._give_back(at)
        self._mine.clear()

    def reserve(self, length: int, *, zero: bool = False) -> int:
        """The address of `length` bytes (16-byte aligned, contents unknown unless `zero`)."""
        at = self.kernel._take(length)
        self._mine.append(at)
        if zero:
            self.kernel.host.fill(at, length)
        return at

    def put(self, data: Buffer) -> int:
        """The address of a copy of `data`."""
        view = memoryview(data).cast("B")
        at = self.reserve(view.nbytes)
        if view.nbytes:
            self.kernel.host.write(at, view)
        return at

    def write(self, at: int, data: Buffer) -> None:
        """Overwrite bytes from `at`; the caller knows the buffer is long enough."""
        view = memoryview(data).cast("B")
        if view.nbytes:
            self.kernel.host.write(at, view)

    def get(self, at: int, typecode: str, count: int) -> array[Any]:
        """`count` items from `at` as an `array` of that typecode (b B h H i I q Q f d)."""
        out = array(typecode, bytes(array(typecode).itemsize * count))
        if count:
            self.kernel.host.read_into(at, memoryview(out).cast("B"))
        return out

    def call(self, name: str, *arguments: float) -> int:
        """The same as `Kernel.call`."""
        return self.kernel.call(name, *arguments)


@cache
def kernel() -> Kernel:
    """The one kernel of this process, started on first use."""
    if sys.platform == "emscripten":
        from cluewise.kernel.browser import BrowserHost

        return Kernel(BrowserHost())
    from cluewise.kernel.native import WasmtimeHost

    atexit.register(kernel.cache_clear)  # wasmtime cannot be released once modules are torn down
    return Kernel(WasmtimeHost())
