"""Checked calls of the kernel: buffers with owners, status codes as errors.

>>> with kernel().frame() as frame:
...     at = frame.put(array("I", [1, 2, 3]))
...     frame.get(at, "I", 3).tolist()
[1, 2, 3]

A frame owns its buffers until it closes. Frames of several jobs may be open at once and close in
any order.
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

# the arguments of `put` and `write`; collections.abc.Buffer from Python 3.12 on
Buffer: TypeAlias = "bytes | bytearray | memoryview | array[Any]"

VERSION = 1
_ALIGN = 16
_TAGGED = 256  # bytes: no smaller buffer has a tag


class Host(Protocol):
    """A host of the WebAssembly module: calls, and four operations on its memory."""

    size: int

    def call(self, name: str, arguments: tuple[float, ...]) -> int:
        """Call a function and return its 32-bit result."""

    def write(self, at: int, data: memoryview) -> None:
        """Copy bytes into the memory."""

    def read_into(self, at: int, out: memoryview) -> None:
        """Copy bytes out of the memory."""

    def fill(self, at: int, length: int) -> None:
        """Set bytes to zero."""

    def word(self, at: int) -> int:
        """Return the i32 at an address divisible by four."""


class Kernel:
    """The kernel on one host: `call` by name, memory through `frame`."""

    def __init__(self, host: Host) -> None:
        self.host = host
        if host.call("kernel_version", ()) != VERSION:
            raise HostFailure("The kernel and the Python package are of different versions.")
        self._base = host.call("arena_base", ())
        self._gaps = [(self._base, host.size)]  # free intervals, by address
        self._ends: dict[int, int] = {}  # end of each buffer by its begin
        self._begins: list[int] = []  # begins of the buffers, ascending
        self._sizes: dict[tuple[str, tuple[int, ...]], int] = {}
        self._bases: list[int] = []  # begins of the current call's buffers, collected by the checks
        self.kept: dict[str, Any] = {}  # permanent data of the desks in this memory, by name

    def call(self, name: str, *arguments: float, **named: float) -> int:
        """Call an exported function and return its non-negative result.

        Arguments may be named as in the C header, in any order.

        A negative status raises an error: BAD -> BadInput, TOO_LARGE and OVERFLOW -> TooLarge. A
        wrong number of arguments raises TypeError; a buffer that belongs to no frame or is shorter
        than the C header requires raises BadInput.
        """
        if named:
            arguments = in_order(name, arguments, named)
        if len(TAKES.get(name, "")) != len(arguments):
            raise TypeError(f"{name} takes {TAKES.get(name)!r}, not {len(arguments)} arguments")
        bases = self._bases
        bases.clear()
        if not FITS[name](self, *arguments):
            raise BadInput(f"The kernel's {name} was given a buffer that does not hold enough.")
        if len(set(bases)) < len(bases) and not _are_disjoint(
            BufferRecorder(self), name, arguments
        ):
            raise BadInput(f"The kernel's {name} was given one buffer twice, and writes to it.")
        return _checked(name, self.host.call(name, arguments))

    def frame(self) -> Frame:
        """Return a new owner of buffers, for a `with` block."""
        return Frame(self)

    def free(self) -> int:
        """Return the size of the largest possible new buffer in bytes."""
        return max((end - begin for begin, end in self._gaps), default=0)

    def has(self, at: int, length: int) -> bool:
        """Return whether `length` bytes from `at` lie in one buffer."""
        if length <= 0:
            return True
        end = self._ends.get(at)
        if end is None:
            return self._inside(at, length)
        self._bases.append(at)
        return at + length <= end

    def may(self, at: int, length: int) -> bool:
        """Return whether `at` is null or `has(at, length)`."""
        return at == 0 or self.has(at, length)

    def live(self, at: int) -> bool:
        """Return whether the buffer is large enough for a tag."""
        return self.has(at, 16)

    def end(self, at: int) -> int:
        """Return the end of the buffer that contains an address; a negative number if none does."""
        before = bisect(self._begins, at) - 1
        return self._ends[self._begins[before]] if before >= 0 else -(1 << 40)

    def _inside(self, at: int, length: int) -> bool:
        before = bisect(self._begins, at) - 1
        if before < 0:
            return False
        self._bases.append(self._begins[before])
        return at + length <= self._ends[self._begins[before]]

    def word(self, at: int, index: int) -> int:
        """Return the `index`-th i32 from `at`; 0 outside all buffers."""
        end = self._ends.get(at)
        if at + 4 * index + 4 > (self.end(at) if end is None else end):
            return 0
        return 0 if at & 3 else self.host.word(at + 4 * index)

    def ask(self, name: str, *arguments: int) -> int:
        """Return and cache a size that a kernel function computes; errors as `call`'s."""
        known = self._sizes.get((name, arguments))
        if known is None:
            if len(self._sizes) > 4096:
                self._sizes.clear()
            known = self._sizes[name, arguments] = self.host.call(name, arguments)
        return _checked(name, known)

    def _allocate(self, length: int, held: list[int]) -> int:
        """Allocate `length` bytes, first fit; `held`: the other buffers of the same owner."""
        need = max(length, 1) + -max(length, 1) % _ALIGN
        for i, (begin, end) in enumerate(self._gaps):
            if end - begin >= need:
                rest = begin + need
                if rest < end:
                    self._gaps[i] = rest, end
                else:
                    del self._gaps[i]
                self._ends[begin] = rest
                insort(self._begins, begin)
                return begin
        limit = (self.host.size - self._base) >> 20
        if need + sum(self._ends[at] - at for at in held) <= self.host.size - self._base:
            raise MemoryHeld(
                f"Other work holds the memory that this needs: {self.free() >> 20} of {limit} MB "
                f"are free, {-(-need >> 20)} MB needed. Try again when the other work has ended."
            )
        raise TooLarge(f"This needs more than the {limit} MB that exact work may use.")

    def _free_buffer(self, at: int) -> None:
        begin, end = at, self._ends.pop(at)
        del self._begins[bisect(self._begins, at) - 1]
        if end - begin >= _TAGGED:
            self.host.fill(at, _ALIGN)  # clears a tag
        i = bisect(self._gaps, (begin, end))
        last = i
        if i < len(self._gaps) and self._gaps[i][0] == end:
            end, last = self._gaps[i][1], i + 1
        if i and self._gaps[i - 1][1] == begin:
            begin, i = self._gaps[i - 1][0], i - 1
        self._gaps[i:last] = [(begin, end)]


def _checked(name: str, result: int) -> int:
    """Return a function's result, or raise the error for its status."""
    if result >= 0:
        return result
    if result == -1:
        raise BadInput(f"The kernel's {name} got a value outside its limits.")
    what = "memory" if result == -2 else "integer size"
    raise TooLarge(f"This position is too large for exact work: {name} ran out of {what}.")


class BufferRecorder:
    """Stands in for a `Kernel` in the checks and records each buffer's begin and end."""

    def __init__(self, owner: Kernel) -> None:
        self._owner = owner
        self.found: list[tuple[int, int]] = []
        self.word, self.ask = owner.word, owner.ask

    def has(self, at: int, length: int) -> bool:
        """Record a buffer."""
        self.found.append((at, at + length) if length > 0 else (0, 0))
        return True

    def may(self, at: int, length: int) -> bool:
        """Record a buffer; null overlaps nothing."""
        return self.has(at, length if at else 0)

    def live(self, at: int) -> bool:
        """Record the whole buffer."""
        return self.has(at, self._owner.end(at) - at)


def in_order(
    name: str, arguments: tuple[float, ...], named: Mapping[str, float]
) -> tuple[float, ...]:
    """Return a call's arguments in the order of the C header; the first may be positional.

    Raises TypeError for a missing, repeated or unknown name.
    """
    order = _names_in_order(name, len(arguments), tuple(named))
    return (*arguments, *[named[one] for one in order])


@cache
def _names_in_order(name: str, positional: int, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the named arguments of a call as the C header has them."""
    if name not in FITS:
        raise TypeError(f"the kernel has no {name}")
    code = FITS[name].__code__
    order = code.co_varnames[1 + positional : code.co_argcount]
    if sorted(order) != sorted(named):
        raise TypeError(f"{name} takes {', '.join(order)}, not {', '.join(named)}")
    return order


def _are_disjoint(spans: BufferRecorder, name: str, arguments: tuple[float, ...]) -> bool:
    """Return whether no written buffer of a call overlaps another argument."""
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
        for at in reversed(self._mine):  # then each joins the gap behind it
            self.kernel._free_buffer(at)
        self._mine.clear()

    def reserve(self, length: int, *, zero: bool = False) -> int:
        """Return the address of `length` new bytes (16-byte aligned, undefined unless `zero`)."""
        at = self.kernel._allocate(length, self._mine)
        self._mine.append(at)
        if zero:
            self.kernel.host.fill(at, length)
        return at

    def reserve_most(self, lengths: Sequence[int]) -> tuple[int, int]:
        """Allocate the first of the lengths that fits and return its address and length.

        Suspended work may hold memory meanwhile. Raises `TooLarge` if not even the last fits.
        """
        for length in lengths[:-1]:
            with suppress(TooLarge):
                return self.reserve(length), length
        return self.reserve(lengths[-1]), lengths[-1]

    def put(self, data: Buffer) -> int:
        """Copy `data` into the memory and return its address."""
        view = memoryview(data).cast("B")
        at = self.reserve(view.nbytes)
        if view.nbytes:
            self.kernel.host.write(at, view)
        return at

    def write(self, at: int, data: Buffer) -> None:
        """Overwrite bytes from `at`; the caller ensures that the buffer is long enough."""
        view = memoryview(data).cast("B")
        if view.nbytes:
            self.kernel.host.write(at, view)

    def set(self, at: int, places: Mapping[str, int], **values: int) -> None:
        """Write i32 or address fields of a struct at the offsets of layouts.py."""
        for name, value in values.items():
            self.write(at + places[name], value.to_bytes(4, "little", signed=True))

    def get(self, at: int, typecode: str, count: int) -> array[Any]:
        """Return `count` items from `at` as an `array` of that typecode (b B h H i I q Q f d)."""
        out = array(typecode, bytes(array(typecode).itemsize * count))
        if count:
            self.kernel.host.read_into(at, memoryview(out).cast("B"))
        return out

    def read_into(self, at: int, out: Buffer) -> None:
        """Copy the bytes from `at` into a writable contiguous buffer."""
        view = memoryview(out).cast("B")
        if view.nbytes:
            self.kernel.host.read_into(at, view)

    def call(self, name: str, *arguments: float, **named: float) -> int:
        """Call `Kernel.call`."""
        return self.kernel.call(name, *arguments, **named)


@cache
def kernel() -> Kernel:
    """Return the kernel of this process, started on first use."""
    return _start_kernel()


def _start_kernel() -> Kernel:
    if sys.platform == "emscripten":
        from cluewise.kernel.browser import BrowserHost

        return Kernel(BrowserHost())
    from cluewise.kernel.native import WasmtimeHost

    atexit.register(kernel.cache_clear)  # wasmtime cannot be released once modules are torn down
    return Kernel(WasmtimeHost())
