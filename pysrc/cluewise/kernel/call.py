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
from bisect import bisect, insort
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from types import TracebackType
from typing import Any, Protocol, TypeAlias

from cluewise.errors import BadInput, HostFailure, MemoryHeld, TooLarge
from cluewise.kernel.functions import FITS, KINDS, TAKES

# What `put` and `write` take; collections.abc.Buffer says it better, from Python 3.12 on.
Buffer: TypeAlias = "bytes | bytearray | memoryview | array[Any]"

VERSION = 1
_ALIGN = 16
_SEALED = 256  # bytes: nothing smaller carries a seal


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

    def word(self, at: int) -> int:
        """The i32 at an address that four divides."""


class Kernel:
    """The kernel on one host: `call` by name, memory through `frame`."""

    def __init__(self, host: Host) -> None:
        self.host = host
        if host.call("kernel_version", ()) != VERSION:
            raise HostFailure("The kernel and the Python package are of different versions.")
        self._base = host.call("arena_base", ())
        self._gaps = [(self._base, host.size)]  # where nothing lies, by address
        self._taken: dict[int, int] = {}  # where a buffer begins and ends
        self._begins: list[int] = []  # of them, ascending
        self._asked: dict[tuple[str, tuple[int, ...]], int] = {}
        self._bases: list[int] = []  # where the buffers of a call begin, as they are checked
        self.kept: dict[str, Any] = {}  # what a desk keeps in this memory for good, by its name

    def call(self, name: str, *arguments: float, **named: float) -> int:
        """The result of an exported function, which is never negative.

        Where a function takes many arguments they are named as in its C header, in any order.

        A negative status becomes an error: BAD -> BadInput, TOO_LARGE and OVERFLOW -> TooLarge.
        Another number of arguments than the C function has is a TypeError, on every host; a buffer
        that is not a frame's, or shorter than the C header says, is BadInput.
        """
        if named:
            arguments = in_order(name, arguments, named)
        if len(TAKES.get(name, "")) != len(arguments):
            raise TypeError(f"{name} takes {TAKES.get(name)!r}, not {len(arguments)} arguments")
        bases = self._bases
        bases.clear()
        if not FITS[name](self, *arguments):
            raise BadInput(f"The kernel's {name} was given a buffer that does not hold enough.")
        if len(set(bases)) < len(bases) and not _apart(BufferRecorder(self), name, arguments):
            raise BadInput(f"The kernel's {name} was given one buffer twice, and writes to it.")
        return _answered(name, self.host.call(name, arguments))

    def frame(self) -> Frame:
        """A new owner of buffers; use it in a `with` block."""
        return Frame(self)

    def free(self) -> int:
        """The largest number of bytes that one buffer could have now."""
        return max((end - begin for begin, end in self._gaps), default=0)

    def has(self, at: int, length: int) -> bool:
        """Whether so many bytes from `at` on lie in one buffer."""
        if length <= 0:
            return True
        end = self._taken.get(at)
        if end is None:
            return self._inside(at, length)
        self._bases.append(at)
        return at + length <= end

    def may(self, at: int, length: int) -> bool:
        """The same, or `at` is null."""
        return at == 0 or self.has(at, length)

    def live(self, at: int) -> bool:
        """Whether something may have been begun there: a seal fits."""
        return self.has(at, 16)

    def end(self, at: int) -> int:
        """Where the buffer ends in which an address lies; before all memory if in none."""
        before = bisect(self._begins, at) - 1
        return self._taken[self._begins[before]] if before >= 0 else -(1 << 40)

    def _inside(self, at: int, length: int) -> bool:
        before = bisect(self._begins, at) - 1
        if before < 0:
            return False
        self._bases.append(self._begins[before])
        return at + length <= self._taken[self._begins[before]]

    def word(self, at: int, index: int) -> int:
        """The i32 number `index` of what begins at `at`; 0 outside of all buffers."""
        end = self._taken.get(at)
        if at + 4 * index + 4 > (self.end(at) if end is None else end):
            return 0
        return 0 if at & 3 else self.host.word(at + 4 * index)

    def ask(self, name: str, *arguments: int) -> int:
        """What a function of the kernel says about a size, remembered; errors as `call`'s."""
        known = self._asked.get((name, arguments))
        if known is None:
            if len(self._asked) > 4096:
                self._asked.clear()
            known = self._asked[name, arguments] = self.host.call(name, arguments)
        return _answered(name, known)

    def _take(self, length: int, extendable: list[int]) -> int:
        """Reserve `length` bytes and return the address; `extendable`: buffers the owner holds."""
        need = max(length, 1) + -max(length, 1) % _ALIGN
        for i, (begin, end) in enumerate(self._gaps):
            if end - begin >= need:
                rest = begin + need
                self._gaps[i : i + 1] = [(rest, end)] if rest < end else []
                self._taken[begin] = rest
                insort(self._begins, begin)
                return begin
        limit = (self.host.size - self._base) >> 20
        if need + sum(self._taken[at] - at for at in extendable) <= self.host.size - self._base:
            raise MemoryHeld(
                f"Other work holds the memory that this needs: of {limit} MB, {self.free() >> 20} "
                f"are free and {-(-need >> 20)} are asked for. Ask again when the other has ended."
            )
        raise TooLarge(f"This needs more than the {limit} MB that exact work may use.")

    def _give_back(self, at: int) -> None:
        begin, end = at, self._taken.pop(at)
        del self._begins[bisect(self._begins, at) - 1]
        if end - begin >= _SEALED:
            self.host.fill(at, _ALIGN)  # the seal of what was begun there, if any
        i = bisect(self._gaps, (begin, end))
        last = i
        if i < len(self._gaps) and self._gaps[i][0] == end:
            end, last = self._gaps[i][1], i + 1
        if i and self._gaps[i - 1][1] == begin:
            begin, i = self._gaps[i - 1][0], i - 1
        self._gaps[i:last] = [(begin, end)]


def _answered(name: str, result: int) -> int:
    """What a function answered, or the error for its status."""
    if result >= 0:
        return result
    if result == -1:
        raise BadInput(f"The kernel's {name} was given a value outside its limits.")
    what = "memory" if result == -2 else "integer size"
    raise TooLarge(f"This position is too large for exact work: {name} ran out of {what}.")


class BufferRecorder:
    """Asked what a kernel is asked of a call's buffers, it notes where each begins and ends."""

    def __init__(self, owner: Kernel) -> None:
        self._owner = owner
        self.found: list[tuple[int, int]] = []
        self.word, self.ask = owner.word, owner.ask

    def has(self, at: int, length: int) -> bool:
        """Noted."""
        self.found.append((at, at + length) if length > 0 else (0, 0))
        return True

    def may(self, at: int, length: int) -> bool:
        """Noted; null overlaps nothing."""
        return self.has(at, length if at else 0)

    def live(self, at: int) -> bool:
        """Noted: all of the buffer."""
        return self.has(at, self._owner.end(at) - at)


def in_order(
    name: str, arguments: tuple[float, ...], named: Mapping[str, float]
) -> tuple[float, ...]:
    """All arguments of a function as its C header has them; the first may stand without a name.

    One that is missing, named twice or unknown there is a TypeError.
    """
    if name not in FITS:
        raise TypeError(f"the kernel has no {name}")
    code = FITS[name].__code__
    rest = code.co_varnames[1 + len(arguments) : code.co_argcount]
    if len(rest) != len(named) or not all(one in named for one in rest):
        raise TypeError(f"{name} takes {', '.join(rest)}, not {', '.join(named)}")
    return (*arguments, *(named[one] for one in rest))


def _apart(spans: BufferRecorder, name: str, arguments: tuple[float, ...]) -> bool:
    """Whether what a call writes to overlaps nothing else that it was given."""
    FITS[name](spans, *arguments)
    for i, (kind, (begin, end)) in enumerate(zip(KINDS[name], spans.found, strict=True)):
        for j, (other, over) in enumerate(spans.found):
            if kind in "wx" and begin < over and other < end and j != i:
                return False
    return True


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
        at = self.kernel._take(length, self._mine)
        self._mine.append(at)
        if zero:
            self.kernel.host.fill(at, length)
        return at

    def reserve_most(self, lengths: Sequence[int]) -> tuple[int, int]:
        """The address of the first of the lengths that there is room for, and that length.

        Other work may be suspended with its memory meanwhile. `TooLarge` if not even the last fits.
        """
        for length in lengths[:-1]:
            with suppress(TooLarge):
                return self.reserve(length), length
        return self.reserve(lengths[-1]), lengths[-1]

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

    def set(self, at: int, places: Mapping[str, int], **values: int) -> None:
        """Write fields of a struct, i32 or addresses, by the places that layouts.py says."""
        for name, value in values.items():
            self.write(at + places[name], value.to_bytes(4, "little", signed=True))

    def get(self, at: int, typecode: str, count: int) -> array[Any]:
        """`count` items from `at` as an `array` of that typecode (b B h H i I q Q f d)."""
        out = array(typecode, bytes(array(typecode).itemsize * count))
        if count:
            self.kernel.host.read_into(at, memoryview(out).cast("B"))
        return out

    def call(self, name: str, *arguments: float, **named: float) -> int:
        """The same as `Kernel.call`."""
        return self.kernel.call(name, *arguments, **named)


@cache
def kernel() -> Kernel:
    """The one kernel of this process, started on first use."""
    return _started()


def _started() -> Kernel:
    if sys.platform == "emscripten":
        from cluewise.kernel.browser import BrowserHost

        return Kernel(BrowserHost())
    from cluewise.kernel.native import WasmtimeHost

    atexit.register(kernel.cache_clear)  # wasmtime cannot be released once modules are torn down
    return Kernel(WasmtimeHost())
